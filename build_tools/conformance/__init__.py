"""Conformance: the library against PyTorch's own samples of its operators, OpInfo.

`samples` enumerates them, `programs` makes modules in the torch dialect of them, `verdicts` refines
these with their types erased and compares, `calls` compares call by call with what PyTorch's CPU
kernels give, `rejections` takes the samples that PyTorch rejects, and `report` prints and writes
what was found. `make conformance` runs all of it.
"""
