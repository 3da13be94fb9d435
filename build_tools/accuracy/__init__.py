"""Rounding errors of compiled kernels beside those of eager mode, against float64."""
