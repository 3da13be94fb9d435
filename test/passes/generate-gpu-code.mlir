// RUN: torch-refine-opt %s --generate-gpu-code | filecheck %s

module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.func @infinite(%arg0: !llvm.ptr) attributes {nvvm.kernel} {
      %0 = llvm.mlir.constant(0xFF800000 : f32) : f32
      llvm.store %0, %arg0 : f32, !llvm.ptr
      llvm.return
    }
  }
}
// CHECK:      gpu.binary @kernels
// CHECK-SAME: #nvvm.target<chip = "sm_90">
// CHECK-SAME: .target sm_90
// CHECK-SAME: .entry infinite(
