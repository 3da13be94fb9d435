"""Attention by blocks of queries and keys, whose scores are not materialized."""
