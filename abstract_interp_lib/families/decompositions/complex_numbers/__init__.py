"""Decompositions of functions of complex numbers, and of what moves and converts them."""
