"""From refined programs to code: linalg on tensors, then loops and LLVM."""
