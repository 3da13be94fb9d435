// RUN: torch-refine-opt %s --generate-gpu-code="chip=gfx942" | filecheck %s

module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.func @infinite(%arg0: !llvm.ptr) attributes {rocdl.kernel} {
      %0 = llvm.mlir.constant(0xFF800000 : f32) : f32
      llvm.store %0, %arg0 : f32, !llvm.ptr
      llvm.return
    }
  }
}
// CHECK:      gpu.binary @kernels
// CHECK-SAME: #rocdl.target<chip = "gfx942">
// CHECK-SAME: amdgcn-amd-amdhsa
// CHECK-SAME: infinite:
// CHECK-SAME: .amdhsa_kernel infinite
