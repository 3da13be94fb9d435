"""Assertions on the sizes and numbers that a program is called with."""
