// RUN: torch-refine-opt %s --mark-restrict | filecheck %s

// CHECK-LABEL: @alone
func.func @alone() -> tensor<2xf32> {
  // CHECK: to_tensor %{{.*}} restrict
  %alloc = memref.alloc() : memref<2xf32>
  %0 = bufferization.to_tensor %alloc : memref<2xf32> to tensor<2xf32>
  return %0 : tensor<2xf32>
}

// Two tensors of one memory, and memory from elsewhere, stay as they are.

// CHECK-LABEL: @shared
// CHECK-NOT: restrict
func.func @shared(%arg0: memref<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %alloc = memref.alloc() : memref<2xf32>
  %0 = bufferization.to_tensor %alloc : memref<2xf32> to tensor<2xf32>
  %1 = bufferization.to_tensor %alloc : memref<2xf32> to tensor<2xf32>
  %2 = bufferization.to_tensor %arg0 : memref<2xf32> to tensor<2xf32>
  return %0, %1, %2 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}
