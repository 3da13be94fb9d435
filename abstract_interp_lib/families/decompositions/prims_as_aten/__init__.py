"""Decomposition functions of primitive operators: the ATen operators that compute them."""
