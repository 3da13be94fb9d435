"""`torch-refine-opt`: run passes and pipelines on files, with the options of `mlir-opt`."""
