"""Conformance: the library against PyTorch's own samples of its operators, OpInfo.

`samples` enumerates them, `programs` converts them to modules in the torch dialect, `verdicts`
erases and refines their types and compares these, `calls` compares single calls with PyTorch's CPU
kernels, `rejections` checks the samples that PyTorch rejects, and `report` prints and writes the
results. `make conformance` runs all of it.
"""
