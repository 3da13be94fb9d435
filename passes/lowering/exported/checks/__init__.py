"""Calls that kernels reject and operands that share memory, found before the decomposition."""
