// RUN: torch-refine-opt %s --split-input-file --launch-through-driver | filecheck %s

// CHECK: module attributes {torch_refine.assembly = "text", torch_refine.kernels = ["b", "a"]}
// CHECK-NOT: gpu.
module attributes {gpu.container_module} {
  gpu.binary @kernels <#gpu.select_object> [#gpu.object<#nvvm.target<chip = "sm_90">, assembly = "text">]

  // CHECK: func.func private @torch_refine_launch
  // CHECK-LABEL: func.func @main(
  // CHECK-SAME: %[[TABLE:[a-z0-9]*]]: i64)
  func.func @main(%arg0: memref<?x4xf32>, %arg1: f32, %arg2: index) -> memref<?x4xf32> {
    // CHECK-COUNT-2: memref.alloca() : memref<{{[0-9]+}}xi64>
    %c1 = arith.constant 1 : index
    %bytes = arith.constant 200000 : i32
    %c64 = arith.constant 64 : index
    // CHECK: %[[COUNT:.*]] = arith.muli
    // CHECK: %[[BYTES:.*]] = arith.muli %[[COUNT]]
    // CHECK: %[[NEW:.*]] = call @torch_refine_allocate(%[[TABLE]], %[[BYTES]])
    // CHECK: cf.assert %{{.*}}, "the GPU is out of memory"
    // CHECK: memref.view %[[NEW]]{{.*}} to memref<?x4xf32>
    %new = gpu.alloc (%arg2) : memref<?x4xf32>
    // CHECK: memref.extract_strided_metadata
    // CHECK: %[[ZERO:.*]] = arith.constant 0 : i64
    // CHECK: call @torch_refine_launch(%[[TABLE]], %[[ZERO]], %arg2, %c1, %c1, %c64, %c1, %c1, %c0{{[_0-9]*}}, %
    gpu.launch_func @kernels::@b blocks in (%arg2, %c1, %c1) threads in (%c64, %c1, %c1) args(%arg0 : memref<?x4xf32>, %new : memref<?x4xf32>)
    // CHECK: arith.bitcast %arg1 : f32 to i32
    // CHECK: %[[ONE:.*]] = arith.constant 1 : i64
    // CHECK: call @torch_refine_launch(%[[TABLE]], %[[ONE]]
    gpu.launch_func @kernels::@a blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%arg1 : f32, %new : memref<?x4xf32>)
    // Dynamic shared memory is an operand of the launch, and no parameter.
    // CHECK: %[[SHARED:.*]] = arith.index_castui %c200000_i32 : i32 to index
    // CHECK: arith.bitcast %arg1 : f32 to i32
    // CHECK: call @torch_refine_launch(%[[TABLE]], %{{.*}}, %c1, %c1, %c1, %c64, %c1, %c1, %[[SHARED]], %
    gpu.launch_func @kernels::@a blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) dynamic_shared_memory_size %bytes args(%arg1 : f32, %new : memref<?x4xf32>)
    // CHECK: call @torch_refine_free(%[[TABLE]]
    gpu.dealloc %arg0 : memref<?x4xf32>
    return %new : memref<?x4xf32>
  }
}

// -----

// What kernels read stays on the GPU between calls; what is returned is a copy of it.
module attributes {gpu.container_module} {
  memref.global "private" constant @read : memref<2x3xf32> = dense<1.0>
  memref.global "private" constant @returned : memref<4xi64> = dense<2>
  gpu.binary @kernels <#gpu.select_object> [#gpu.object<#nvvm.target<chip = "sm_90">, assembly = "text">]

  // CHECK-LABEL: func.func @constants(
  // CHECK-SAME: %[[OTHER:[a-z0-9]*]]: i64)
  func.func @constants(%arg0: index) -> memref<4xi64> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // CHECK: %[[HOST:.*]] = memref.get_global @read
    // CHECK: %[[FROM:.*]] = memref.extract_aligned_pointer_as_index %[[HOST]]
    // CHECK: %[[SIZE:.*]] = arith.constant 24 : index
    // CHECK: %[[KEPT:.*]] = call @torch_refine_constant(%[[OTHER]], %[[FROM]], %[[SIZE]])
    // CHECK: cf.assert %{{.*}}, "the GPU is out of memory"
    // CHECK: %[[VIEW:.*]] = memref.view %[[KEPT]]{{.*}} to memref<2x3xf32>
    %read = gpu.alloc () : memref<2x3xf32>
    // CHECK: scf.for
    scf.for %i = %c0 to %arg0 step %c1 {
      // CHECK-NOT: torch_refine_copy
      %0 = memref.get_global @read : memref<2x3xf32>
      gpu.memcpy %read, %0 : memref<2x3xf32>, memref<2x3xf32>
      // CHECK: memref.extract_strided_metadata %[[VIEW]]
      gpu.launch_func @kernels::@c blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%read : memref<2x3xf32>)
    }
    // CHECK-NOT: torch_refine_free
    gpu.dealloc %read : memref<2x3xf32>
    // CHECK: call @torch_refine_allocate
    // CHECK: call @torch_refine_constant
    // CHECK: call @torch_refine_copy
    %1 = memref.get_global @returned : memref<4xi64>
    %returned = gpu.alloc () : memref<4xi64>
    gpu.memcpy %returned, %1 : memref<4xi64>, memref<4xi64>
    return %returned : memref<4xi64>
  }
}
