"""Operators that PyTorch calls itself, or keeps for other frameworks, computed by others."""
