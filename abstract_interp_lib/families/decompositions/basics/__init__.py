"""Decomposition functions of common operators, into those that are converted to linalg."""
