"""Contractions: sums of products whose sums stay in registers."""
