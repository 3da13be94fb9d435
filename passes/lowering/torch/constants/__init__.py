"""Constants that MLIR or LLVM cannot represent as they are."""
