"""Reductions on GPUs: across threads, in parts, in registers."""
