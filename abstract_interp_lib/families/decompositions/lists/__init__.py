"""Decomposition functions of operators on lists of tensors."""
