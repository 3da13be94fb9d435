"""The passes, one per file, and their shared helpers."""
