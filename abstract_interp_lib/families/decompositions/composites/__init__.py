"""Decomposition functions of operators that PyTorch's importer expands."""
