"""Kernels, still on tensors: outlining, packing, schedules, threads."""
