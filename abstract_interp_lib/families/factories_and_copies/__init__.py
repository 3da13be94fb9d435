"""Factories, random tensors, conversions and copies."""
