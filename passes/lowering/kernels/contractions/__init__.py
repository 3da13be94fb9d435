"""Contractions with register tiles."""
