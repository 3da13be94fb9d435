// RUN: torch-refine-opt %s --tile-scatters | filecheck %s

#rows = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#wide = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#narrow = affine_map<(d0, d1, d2) -> (d0, d1)>
module attributes {torch_refine.cpu = {architecture = "x86-64", crossing_load = 6 : i64, features = ["avx2"], fma_latency = 4 : i64, fma_ports = 2 : i64, l1_bytes = 32768 : i64, l2_bytes = 524288 : i64, l3_bytes = 0 : i64, line_bytes = 64 : i64, load_ports = 2 : i64, name = "haswell", vector_bits = 256 : i64, vector_registers = 16 : i64}} {

// The number of the row is that of the whole; what does not fill a tile is scattered row by row.
func.func @rows(%arg0: tensor<?xf32>, %index: tensor<?x1xi64>, %memory: tensor<9x64xf32>, %count: index) -> tensor<9x64xf32> {
  %zero = arith.constant 0.0 : f32
  %out = linalg.fill ins(%zero : f32) outs(%memory : tensor<9x64xf32>) -> tensor<9x64xf32>
  %0 = tensor.empty(%count) : tensor<?x64xf32>
  %1 = linalg.generic {indexing_maps = [#row, #rows], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<?xf32>) outs(%0 : tensor<?x64xf32>) {
  ^bb0(%in: f32, %o: f32):
    %row = linalg.index 0 : index
    %number = arith.index_cast %row : index to i64
    %float = arith.sitofp %number : i64 to f32
    %4 = arith.mulf %in, %float : f32
    linalg.yield %4 : f32
  } -> tensor<?x64xf32>
  %3 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(false) ins(%1, %index : tensor<?x64xf32>, tensor<?x1xi64>) outs(%out : tensor<9x64xf32>) {
  ^bb0(%new: f32, %old: f32):
    %4 = arith.addf %old, %new : f32
    tm_tensor.yield %4 : f32
  } -> tensor<9x64xf32>
  return %3 : tensor<9x64xf32>
}
// CHECK-LABEL: func.func @rows
// CHECK:         %[[BUFFER:.*]] = memref.alloc() : memref<9x64xf32>
// CHECK:         memref.copy %{{.*}}, %[[BUFFER]]
// CHECK:         %[[WHOLE:.*]] = arith.muli %{{.*}}, %c10
// CHECK:         scf.for %[[ROW:.*]] = %c0{{.*}} to %[[WHOLE]] step %c10
// CHECK:           tensor.extract_slice %arg0[%[[ROW]]] [10] [1]
// CHECK:           linalg.generic
// CHECK:             %[[PART:.*]] = linalg.index 0
// CHECK:             arith.addi %[[PART]], %[[ROW]]
// CHECK:           tensor.extract_slice %arg1[%[[ROW]], 0] [10, 1] [1, 1]
// CHECK:           tm_tensor.scatter {{.*}} outs(%[[BUFFER]] : memref<9x64xf32>)
// CHECK:         scf.for %{{.*}} = %[[WHOLE]] to %{{.*}} step %c1
// CHECK:           tm_tensor.scatter {{.*}} outs(%[[BUFFER]] : memref<9x64xf32>)
// CHECK:         bufferization.to_tensor %[[BUFFER]] restrict
// CHECK-NOT:     linalg.generic

// The elements of a row have indices of their own.
func.func @elements(%index: tensor<500x8xi64>, %source: tensor<500x8xf32>, %memory: tensor<9x8xf32>) -> tensor<9x8xf32> {
  %zero = arith.constant 0.0 : f32
  %out = linalg.fill ins(%zero : f32) outs(%memory : tensor<9x8xf32>) -> tensor<9x8xf32>
  %0 = tensor.empty() : tensor<500x8x2xi64>
  %1 = linalg.generic {indexing_maps = [#narrow, #wide], iterator_types = ["parallel", "parallel", "parallel"]} ins(%index : tensor<500x8xi64>) outs(%0 : tensor<500x8x2xi64>) {
  ^bb0(%in: i64, %o: i64):
    linalg.yield %in : i64
  } -> tensor<500x8x2xi64>
  %places = tensor.collapse_shape %1 [[0, 1], [2]] : tensor<500x8x2xi64> into tensor<4000x2xi64>
  %values = tensor.collapse_shape %source [[0, 1]] : tensor<500x8xf32> into tensor<4000xf32>
  %3 = tm_tensor.scatter {dimension_map = array<i64: 0, 1>} unique_indices(false) ins(%values, %places : tensor<4000xf32>, tensor<4000x2xi64>) outs(%out : tensor<9x8xf32>) {
  ^bb0(%new: f32, %old: f32):
    %4 = arith.addf %old, %new : f32
    tm_tensor.yield %4 : f32
  } -> tensor<9x8xf32>
  return %3 : tensor<9x8xf32>
}
// CHECK-LABEL: func.func @elements
// CHECK:         scf.for %[[ROW:.*]] = %c0{{.*}} step %c17
// CHECK:           tensor.extract_slice %arg1[%[[ROW]], 0] [17, 8] [1, 1]
// CHECK:           tensor.collapse_shape %{{.*}} {{\[\[}}0, 1]] : tensor<17x8xf32> into tensor<136xf32>
// CHECK:           tensor.extract_slice %arg0[%[[ROW]], 0] [17, 8] [1, 1]
// CHECK:           tensor.collapse_shape %{{.*}} {{\[\[}}0, 1], [2]] : tensor<17x8x2xi64> into tensor<136x2xi64>
// CHECK:           tm_tensor.scatter

// Only the indices have rows.
func.func @counts(%index: tensor<500x8xi64>, %ones: tensor<4000xf32>, %memory: tensor<9x8xf32>) -> tensor<9x8xf32> {
  %zero = arith.constant 0.0 : f32
  %out = linalg.fill ins(%zero : f32) outs(%memory : tensor<9x8xf32>) -> tensor<9x8xf32>
  %0 = tensor.empty() : tensor<500x8x2xi64>
  %1 = linalg.generic {indexing_maps = [#narrow, #wide], iterator_types = ["parallel", "parallel", "parallel"]} ins(%index : tensor<500x8xi64>) outs(%0 : tensor<500x8x2xi64>) {
  ^bb0(%in: i64, %o: i64):
    linalg.yield %in : i64
  } -> tensor<500x8x2xi64>
  %places = tensor.collapse_shape %1 [[0, 1], [2]] : tensor<500x8x2xi64> into tensor<4000x2xi64>
  %3 = tm_tensor.scatter {dimension_map = array<i64: 0, 1>} unique_indices(false) ins(%ones, %places : tensor<4000xf32>, tensor<4000x2xi64>) outs(%out : tensor<9x8xf32>) {
  ^bb0(%new: f32, %old: f32):
    %4 = arith.addf %old, %new : f32
    tm_tensor.yield %4 : f32
  } -> tensor<9x8xf32>
  return %3 : tensor<9x8xf32>
}
// CHECK-LABEL: func.func @counts
// CHECK:         scf.for %[[ROW:.*]] = %c0{{.*}} to %c493 step %c17
// CHECK:           %[[START:.*]] = arith.muli %[[ROW]], %c8
// CHECK:           tensor.extract_slice %arg1[%[[START]]] [136] [1]
// CHECK:           tensor.extract_slice %arg0[%[[ROW]], 0] [17, 8] [1, 1]
// CHECK:         scf.for %{{.*}} = %c493{{.*}} to %c500 step %c1

// An argument may be updated in place; indices are few beside what is added; or all is in the cache.
func.func @left(%arg0: tensor<400x64xf32>, %index: tensor<400x1xi64>, %memory: tensor<9x64xf32>) -> (tensor<9x64xf32>, tensor<9x64xf32>) {
  %0 = tensor.empty() : tensor<400x64xf32>
  %1 = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<400x64xf32>) outs(%0 : tensor<400x64xf32>) {
  ^bb0(%in: f32, %o: f32):
    %4 = math.absf %in : f32
    linalg.yield %4 : f32
  } -> tensor<400x64xf32>
  %3 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(false) ins(%1, %index : tensor<400x64xf32>, tensor<400x1xi64>) outs(%memory : tensor<9x64xf32>) {
  ^bb0(%new: f32, %old: f32):
    tm_tensor.yield %new : f32
  } -> tensor<9x64xf32>
  %zero = arith.constant 0.0 : f32
  %out = linalg.fill ins(%zero : f32) outs(%memory : tensor<9x64xf32>) -> tensor<9x64xf32>
  %5 = tensor.empty() : tensor<400x1xi64>
  %6 = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]} ins(%index : tensor<400x1xi64>) outs(%5 : tensor<400x1xi64>) {
  ^bb0(%in: i64, %o: i64):
    %4 = arith.addi %in, %in : i64
    linalg.yield %4 : i64
  } -> tensor<400x1xi64>
  %7 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(false) ins(%arg0, %6 : tensor<400x64xf32>, tensor<400x1xi64>) outs(%out : tensor<9x64xf32>) {
  ^bb0(%new: f32, %old: f32):
    tm_tensor.yield %new : f32
  } -> tensor<9x64xf32>
  return %3, %7 : tensor<9x64xf32>, tensor<9x64xf32>
}
func.func @small(%arg0: tensor<40x64xf32>, %index: tensor<40x1xi64>, %memory: tensor<9x64xf32>) -> tensor<9x64xf32> {
  %0 = tensor.empty() : tensor<40x64xf32>
  %1 = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<40x64xf32>) outs(%0 : tensor<40x64xf32>) {
  ^bb0(%in: f32, %o: f32):
    %4 = math.absf %in : f32
    linalg.yield %4 : f32
  } -> tensor<40x64xf32>
  %zero = arith.constant 0.0 : f32
  %out = linalg.fill ins(%zero : f32) outs(%memory : tensor<9x64xf32>) -> tensor<9x64xf32>
  %3 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(false) ins(%1, %index : tensor<40x64xf32>, tensor<40x1xi64>) outs(%out : tensor<9x64xf32>) {
  ^bb0(%new: f32, %old: f32):
    tm_tensor.yield %new : f32
  } -> tensor<9x64xf32>
  return %3 : tensor<9x64xf32>
}
// CHECK-LABEL: func.func @left
// CHECK-NOT:     scf.for
// CHECK:         return
// CHECK-LABEL: func.func @small
// CHECK-NOT:     scf.for
}
