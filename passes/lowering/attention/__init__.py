"""Attention by blocks of queries and keys, whose scores are never all in memory."""
