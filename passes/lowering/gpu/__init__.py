"""Kernels of a GPU: from loops over memory to blocks, warps and threads."""
