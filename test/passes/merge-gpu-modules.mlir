// RUN: torch-refine-opt %s --merge-gpu-modules | filecheck %s

// Two kernels of one name, of which two are the same.
module attributes {gpu.container_module} {
  gpu.module @a {
    gpu.func @kernel(%arg0: index) kernel {
      gpu.return
    }
  }
  gpu.module @b {
    gpu.func @kernel(%arg0: f32) kernel {
      gpu.return
    }
  }
  gpu.module @c {
    gpu.func @kernel(%arg0: index) kernel {
      gpu.return
    }
  }
  func.func @main(%arg0: index, %arg1: f32) {
    gpu.launch_func @a::@kernel blocks in (%arg0, %arg0, %arg0) threads in (%arg0, %arg0, %arg0) args(%arg0 : index)
    gpu.launch_func @b::@kernel blocks in (%arg0, %arg0, %arg0) threads in (%arg0, %arg0, %arg0) args(%arg1 : f32)
    gpu.launch_func @c::@kernel blocks in (%arg0, %arg0, %arg0) threads in (%arg0, %arg0, %arg0) args(%arg0 : index)
    return
  }
}
// CHECK:     gpu.module @kernels {
// CHECK:       gpu.func @kernel(%{{.*}}: index)
// CHECK:       gpu.func @kernel_1(%{{.*}}: f32)
// CHECK-NOT:   gpu.func
// CHECK-NOT: gpu.module
// CHECK:     gpu.launch_func @kernels::@kernel blocks
// CHECK:     gpu.launch_func @kernels::@kernel_1 blocks
// CHECK:     gpu.launch_func @kernels::@kernel blocks
