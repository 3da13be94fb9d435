"""Calling compiled code: object files, signatures, tensors as memref descriptors."""
