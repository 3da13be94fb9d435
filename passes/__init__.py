"""The passes, one per file, and what several of them share."""
