"""Compiling in a separate process: resource limits, cache, autotuning."""
