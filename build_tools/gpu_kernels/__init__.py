"""Kernels for GPUs compared with eager mode, and watched by CUDA's tools."""
