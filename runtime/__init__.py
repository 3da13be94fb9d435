"""Compiled programs: compiled in a separate process, loaded and called from Python."""
