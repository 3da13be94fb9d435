"""Decode functions into programs, and run them."""
