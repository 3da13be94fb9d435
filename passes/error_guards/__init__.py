"""Preconditions of operators as guards of the program: found, merged, hoisted, and written."""
