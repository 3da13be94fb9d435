"""Compiled programs: made in a process of their own, loaded and called from Python."""
