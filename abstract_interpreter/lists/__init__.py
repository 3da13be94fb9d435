"""Mutable lists: queries and mutations."""
