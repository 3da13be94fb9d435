"""`torch-refine-opt`: runs passes and pipelines on files, with the spellings of `mlir-opt`."""
