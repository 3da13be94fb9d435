"""Decomposition functions of matrices: exponentials, and systems by given factors."""
