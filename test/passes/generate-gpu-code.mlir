// RUN: torch-refine-opt %s --generate-gpu-code | filecheck %s
// RUN: torch-refine-opt %s --generate-gpu-code="chip=gfx942" | filecheck %s --check-prefix=AMD

module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.func @infinite(%arg0: !llvm.ptr) attributes {nvvm.kernel, rocdl.kernel} {
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
// AMD:        gpu.binary @kernels
// AMD-SAME:   #rocdl.target<chip = "gfx942">
// AMD-SAME:   amdgcn-amd-amdhsa
// AMD-SAME:   infinite:
