"""Vectors, scalars and the llvm dialect; calling conventions of compiled functions."""
