// RUN: torch-refine-opt %s --trap-on-asserts | filecheck %s

func.func @f(%arg0: i1, %arg1: index) {
  // The host's stays.
  // CHECK: cf.assert %arg0, "host"
  cf.assert %arg0, "host"
  gpu.launch blocks(%x, %y, %z) in (%a = %arg1, %b = %arg1, %c = %arg1) threads(%t, %u, %v) in (%d = %arg1, %e = %arg1, %f = %arg1) {
    // CHECK: %[[FAILS:.*]] = arith.xori %arg0, %true
    // CHECK: scf.if %[[FAILS]] {
    // CHECK-NEXT: llvm.call_intrinsic "llvm.trap"()
    // CHECK-NOT: cf.assert
    cf.assert %arg0, "kernel"
    gpu.terminator
  }
  return
}
