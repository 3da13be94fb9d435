"""Decomposition functions: operators computed by others."""
