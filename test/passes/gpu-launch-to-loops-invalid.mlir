// RUN: not torch-refine-opt %s --gpu-launch-to-loops 2>&1 | filecheck %s

func.func @f() {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  // CHECK: error: only one-dimensional launches can be emulated
  gpu.launch blocks(%x, %y, %z) in (%a = %c1, %b = %c1, %c = %c1) threads(%t, %u, %v) in (%d = %c8, %e = %c8, %f = %c1) {
    gpu.terminator
  }
  return
}
