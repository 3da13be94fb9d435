"""Explanations of a refined module: why a type is what it is, or is not known."""
