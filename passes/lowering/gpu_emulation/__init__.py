"""Emulation of GPU kernels on the CPU, for tests without a GPU."""
