// RUN: torch-refine-opt %s --insert-bounds-checks | filecheck %s

#row = affine_map<(d0, d1) -> (d0)>
#id = affine_map<(d0, d1) -> (d0, d1)>
#id1 = affine_map<(d0) -> (d0)>

// What an index tensor holds is asserted; the loop's own index is proven.
// CHECK-LABEL: func.func @rows
func.func @rows(%x: tensor<5x7xf32>, %i: tensor<3xi64>) -> tensor<3x7xf32> {
  %0 = tensor.empty() : tensor<3x7xf32>
  %1 = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%i : tensor<3xi64>) outs(%0 : tensor<3x7xf32>) {
  ^bb0(%in: i64, %out: f32):
    // CHECK: %[[INDEX:.*]] = arith.index_cast %in
    // CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %[[INDEX]], %c5
    // CHECK-NEXT: cf.assert %[[INSIDE]], "index is out of bounds for dimension 0 with size 5"
    // CHECK-NOT: cf.assert
    // CHECK: tensor.extract
    %2 = arith.index_cast %in : i64 to index
    %3 = linalg.index 1 : index
    %4 = tensor.extract %x[%2, %3] : tensor<5x7xf32>
    linalg.yield %4 : f32
  } -> tensor<3x7xf32>
  return %1 : tensor<3x7xf32>
}

// What is counted, clamped, or divided by the right size is proven, whatever the sizes are.
// CHECK-LABEL: func.func @proven
// CHECK-NOT: cf.assert
func.func @proven(%x: tensor<?x7xf32>, %i: tensor<3xi64>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c6_i64 = arith.constant 6 : i64
  %c0_i64 = arith.constant 0 : i64
  %dim = tensor.dim %x, %c0 : tensor<?x7xf32>
  %total = arith.muli %dim, %c7 : index
  %flat = tensor.empty(%total) : tensor<?xf32>
  %1 = linalg.generic {indexing_maps = [#id1], iterator_types = ["parallel"]}
      outs(%flat : tensor<?xf32>) {
  ^bb0(%out: f32):
    %2 = linalg.index 0 : index
    %3 = arith.divsi %2, %c7 : index
    %4 = arith.remsi %2, %c7 : index
    %5 = tensor.extract %x[%3, %4] : tensor<?x7xf32>
    %6 = tensor.extract %i[%c1] : tensor<3xi64>
    %7 = arith.maxsi %6, %c0_i64 : i64
    %8 = arith.minsi %7, %c6_i64 : i64
    %9 = arith.index_cast %8 : i64 to index
    %10 = tensor.extract %x[%3, %9] : tensor<?x7xf32>
    %11 = arith.addf %5, %10 : f32
    linalg.yield %11 : f32
  } -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

// A row behind the last one is out of bounds, which a clamped offset does not rule out; a slice
// whose end is clamped too is in bounds.
// CHECK-LABEL: func.func @slices
func.func @slices(%x: tensor<5x7xf32>, %start: i64) -> (tensor<1x7xf32>, tensor<?x7xf32>) {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %0 = arith.index_cast %start : i64 to index
  %1 = arith.maxsi %0, %c0 : index
  %2 = arith.minsi %1, %c5 : index
  // CHECK: %[[CLAMPED:.*]] = arith.minsi
  // CHECK: %[[STARTS:.*]] = arith.cmpi sge, %[[CLAMPED]], %c0
  // CHECK: %[[FITS:.*]] = arith.cmpi slt, %[[CLAMPED]], %c5
  // CHECK: %[[INSIDE:.*]] = arith.andi %[[STARTS]], %[[FITS]]
  // CHECK: cf.assert %[[INSIDE]], "slice is out of bounds for dimension 0 with size 5"
  // CHECK: tensor.extract_slice %{{.*}}[%[[CLAMPED]], 0] [1, 7]
  %3 = tensor.extract_slice %x[%2, 0] [1, 7] [1, 1] : tensor<5x7xf32> to tensor<1x7xf32>
  // CHECK-NOT: cf.assert
  %4 = arith.subi %c5, %2 : index
  %5 = arith.maxsi %4, %c0 : index
  %6 = tensor.extract_slice %x[%2, 0] [%5, 7] [1, 1] : tensor<5x7xf32> to tensor<?x7xf32>
  return %3, %6 : tensor<1x7xf32>, tensor<?x7xf32>
}

// The indices of a scatter are passed through a loop that asserts.
// CHECK-LABEL: func.func @scatter
func.func @scatter(%x: tensor<5x7xf32>, %u: tensor<3xf32>, %i: tensor<3x2xi64>)
    -> tensor<5x7xf32> {
  // CHECK: %[[CHECKED:.*]] = linalg.generic
  // CHECK: %[[FIRST:.*]] = arith.cmpi eq
  // CHECK: %[[END:.*]] = arith.select %[[FIRST]], %c5{{.*}}, %c7{{.*}} : index
  // CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %{{.*}}, %[[END]]
  // CHECK: cf.assert %[[INSIDE]], "index is out of bounds for one of the dimensions 0, 1"
  // CHECK: linalg.yield %in
  // CHECK: tm_tensor.scatter {{.*}}torch_refine.checked
  // CHECK-SAME: %[[CHECKED]]
  %0 = tm_tensor.scatter {dimension_map = array<i64: 0, 1>} unique_indices(true)
      ins(%u, %i : tensor<3xf32>, tensor<3x2xi64>) outs(%x : tensor<5x7xf32>) {
  ^bb0(%arg3: f32, %arg4: f32):
    tm_tensor.yield %arg3 : f32
  } -> tensor<5x7xf32>
  return %0 : tensor<5x7xf32>
}

// What the wheel asserts in two halves is asserted once; what always holds, not at all.
// CHECK-LABEL: func.func @halves
// CHECK: cf.assert %{{.*}}, "index is out of bounds for dimension 0 with size 5"
// CHECK-NOT: cf.assert
func.func @halves(%x: tensor<5xf32>, %i: i64) -> f32 {
  %c0_i64 = arith.constant 0 : i64
  %c5 = arith.constant 5 : index
  %0 = arith.index_cast %i : i64 to index
  %1 = arith.cmpi slt, %0, %c5 : index
  cf.assert %1, "index must be smaller than dim size"
  %2 = arith.cmpi sge, %i, %c0_i64 : i64
  cf.assert %2, "index must be larger or equal to 0"
  %3 = tensor.extract %x[%0] : tensor<5xf32>
  cf.assert %1, "this holds by now"
  return %3 : f32
}

// A constant would be folded to its elements, whatever the index is.
// CHECK-LABEL: func.func @constant
// CHECK: cf.assert
func.func @constant(%i: index) -> f32 {
  %0 = arith.constant dense<0.0> : tensor<5xf32>
  %1 = tensor.extract %0[%i] : tensor<5xf32>
  return %1 : f32
}

// A scatter in memory was checked when it was one of tensors.

func.func @in_memory(%arg0: memref<2xf32>, %arg1: memref<2x1xi64>, %arg2: memref<4xf32>) {
  tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(false)
      ins(%arg0, %arg1 : memref<2xf32>, memref<2x1xi64>) outs(%arg2 : memref<4xf32>) {
  ^bb0(%arg3: f32, %arg4: f32):
    tm_tensor.yield %arg3 : f32
  }
  return
}

// CHECK-LABEL: func.func @in_memory(
// CHECK-NOT:     cf.assert
// CHECK:         return
