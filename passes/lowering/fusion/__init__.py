"""Linalg on tensors: layouts, constants, and fusion."""
