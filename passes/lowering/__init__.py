"""Passes between the backend contract and machine code."""
