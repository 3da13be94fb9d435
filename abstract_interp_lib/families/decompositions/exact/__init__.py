"""Decompositions where the wheel's conversions differ from PyTorch's kernels.

A function may call its own operator with other operands, of which the conversion is correct. An
assertion that "concerns only ..." some operands keeps the operator for all others.
"""
