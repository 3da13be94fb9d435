// RUN: torch-refine-opt %s --sink-buffer-reads | filecheck %s

// The updates are read where they are scattered, not where they are computed.

func.func @scatter(%arg0: tensor<2xf32>, %arg1: tensor<2x1xi64>, %arg2: memref<4xf32>) -> tensor<2xf32> {
  %0 = bufferization.to_buffer %arg0 : tensor<2xf32> to memref<2xf32>
  %1 = bufferization.to_buffer %arg1 : tensor<2x1xi64> to memref<2x1xi64>
  %cst = arith.constant 1.000000e+00 : f32
  %2 = linalg.fill ins(%cst : f32) outs(%arg0 : tensor<2xf32>) -> tensor<2xf32>
  tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(false)
      ins(%0, %1 : memref<2xf32>, memref<2x1xi64>) outs(%arg2 : memref<4xf32>) {
  ^bb0(%arg3: f32, %arg4: f32):
    tm_tensor.yield %arg3 : f32
  }
  return %2 : tensor<2xf32>
}

// CHECK-LABEL: func.func @scatter(
// CHECK-NOT:     bufferization
// CHECK:         linalg.fill
// CHECK:         %[[UPDATES:.*]] = bufferization.to_buffer %arg0 read_only
// CHECK:         %[[INDICES:.*]] = bufferization.to_buffer %arg1 read_only
// CHECK:         tm_tensor.scatter
// CHECK-SAME:    ins(%[[UPDATES]], %[[INDICES]]

// What is written to is not said to be read only.

func.func @written(%arg0: tensor<2xf32>, %arg1: memref<2xf32>) {
  %0 = bufferization.to_buffer %arg0 : tensor<2xf32> to memref<2xf32>
  memref.copy %arg1, %0 : memref<2xf32> to memref<2xf32>
  return
}

// CHECK-LABEL: func.func @written(
// CHECK:         bufferization.to_buffer %arg0 : tensor

// The address of a tile is only read from.
// CHECK-LABEL: func.func @address
// CHECK:         bufferization.to_buffer %arg0 read_only
func.func @address(%arg0: tensor<2xf32>) -> !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> {
  %0 = bufferization.to_buffer %arg0 : tensor<2xf32> to memref<2xf32>
  %1 = builtin.unrealized_conversion_cast %0 : memref<2xf32> to !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  return %1 : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
}
