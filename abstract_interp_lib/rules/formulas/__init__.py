"""Formulas that decomposition functions share."""
