"""Memrefs and loops: where results are written, memory planning, loops over memory."""
