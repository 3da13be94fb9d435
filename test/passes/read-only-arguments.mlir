// RUN: torch-refine-opt %s --read-only-arguments | filecheck %s
// RUN: torch-refine-opt %s --read-only-arguments --one-shot-bufferize='bufferize-function-boundaries' | filecheck %s --check-prefix=MEMORY

// What is put into an argument is put into a copy of it.
func.func @public(%arg0: tensor<4xf32>, %arg1: tensor<2xf32>, %arg2: index) -> tensor<4xf32> {
  %0 = tensor.insert_slice %arg1 into %arg0[1] [2] [1] : tensor<2xf32> into tensor<4xf32>
  return %0 : tensor<4xf32>
}
// CHECK:       func.func @public(%arg0: tensor<4xf32> {bufferization.writable = false}, %arg1: tensor<2xf32> {bufferization.writable = false}, %arg2: index)
// MEMORY:      func.func @public(
// MEMORY:        %[[COPY:.*]] = memref.alloc()
// MEMORY:        memref.copy %arg0, %[[COPY]]
// MEMORY:        memref.subview %[[COPY]]

// A private function is told by its callers what it may write to.
func.func private @private(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  return %arg0 : tensor<4xf32>
}
// CHECK:       func.func private @private(%arg0: tensor<4xf32>)
