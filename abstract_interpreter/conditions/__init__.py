"""Conditions on ints, path conditions, and joins at control-flow merges."""
