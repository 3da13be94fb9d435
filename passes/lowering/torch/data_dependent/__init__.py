"""Decompositions of operators with data-dependent result sizes."""
