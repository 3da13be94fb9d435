"""Decomposition functions of signal processing: windows and frequencies."""
