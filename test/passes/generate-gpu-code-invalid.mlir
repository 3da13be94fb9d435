// RUN: not torch-refine-opt %s --generate-gpu-code="chip=gfx942" --split-input-file 2>&1 | filecheck %s

module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.func @__ocml_sin_f32(f32) -> f32
    llvm.func @sine(%arg0: f32) attributes {rocdl.kernel} {
      // CHECK: error: no library for gfx942 has the function __ocml_sin_f32
      %0 = llvm.call @__ocml_sin_f32(%arg0) : (f32) -> f32
      llvm.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.func @left(%arg0: i1) attributes {rocdl.kernel} {
      // CHECK: error: cf.assert has no code for gfx942
      cf.assert %arg0, "wrong"
      llvm.return
    }
  }
}
