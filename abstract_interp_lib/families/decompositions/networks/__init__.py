"""Decompositions of operators of neural networks, and of their gradients."""
