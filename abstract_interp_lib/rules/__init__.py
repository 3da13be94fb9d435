"""Helpers that several families share: dimensions, broadcasting, type promotion."""
