"""Decompose the operators of a program, each kind of call once.

`ExportedProgram.run_decompositions` traces a whole program, several times. Here each call is traced
by itself, by the same parts of PyTorch, and calls that differ only in the values of their tensors
share a trace: the twelve layers of a model cost one.

These modules load PyTorch.
"""
