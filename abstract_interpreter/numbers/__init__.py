"""Ints that are only partly known: expressions over symbols, and ranges."""
