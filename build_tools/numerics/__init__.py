"""The numerics sweep: compiled operators must equal eager mode.

Calls of operators are recorded with their values while PyTorch's samples (OpInfo) run; each becomes
a program, which is compiled, run, and compared with eager mode.
"""
