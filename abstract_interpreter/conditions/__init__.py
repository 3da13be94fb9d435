"""Conditions over ints: what holds, what is assumed on a path, what two paths have in common."""
