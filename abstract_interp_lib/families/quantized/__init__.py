"""Quantized tensors and packed weights."""
