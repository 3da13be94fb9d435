"""Linalg on tensors, as the wheel's conversions leave it: checks, and PyTorch's semantics."""
