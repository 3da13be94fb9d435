"""The abstract interpreter: its results hold for all values of the symbols."""
