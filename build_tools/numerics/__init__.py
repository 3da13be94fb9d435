"""The numerics sweep: compiled operators compute what PyTorch computes.

Calls of operators are recorded with their values while PyTorch's samples (OpInfo) run; each becomes
a program of its own, which is compiled, run, and compared with eager mode.
"""
