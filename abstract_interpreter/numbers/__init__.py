"""Partly known ints: expressions over symbols, and ranges."""
