// RUN: torch-refine-opt %s --carry-in-place | filecheck %s

#map = affine_map<(d0) -> (d0)>
#reversed = affine_map<(d0) -> (3 - d0)>

// The op reads the elements that it writes; both results share an empty tensor.
func.func @two(%a: tensor<?xf32>, %b: tensor<?xf32>, %n: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (tensor<?xf32>, tensor<?xf32>) {
    %dim = tensor.dim %x, %c0 : tensor<?xf32>
    %1 = tensor.empty(%dim) : tensor<?xf32>
    %2:2 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel"]} ins(%x, %y : tensor<?xf32>, tensor<?xf32>) outs(%1, %1 : tensor<?xf32>, tensor<?xf32>) {
    ^bb0(%in: f32, %other: f32, %out: f32, %second: f32):
      %3 = arith.addf %in, %other : f32
      linalg.yield %3, %in : f32, f32
    } -> (tensor<?xf32>, tensor<?xf32>)
    scf.yield %2#0, %2#1 : tensor<?xf32>, tensor<?xf32>
  }
  return %0#0, %0#1 : tensor<?xf32>, tensor<?xf32>
}
// CHECK-LABEL: func.func @two
// CHECK:         scf.for {{.*}} iter_args(%[[X:.*]] = %arg0, %[[Y:.*]] = %arg1)
// The sizes of the second are not known to be those of the first.
// CHECK:           %[[EMPTY:.*]] = tensor.empty
// CHECK:           linalg.generic {{.*}} ins(%[[X]], %[[Y]] : {{.*}}) outs(%[[X]], %[[EMPTY]] :

// Elements would be read after others were written: the result is copied.
func.func @reversed(%a: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (tensor<4xf32>) {
    %1 = tensor.empty() : tensor<4xf32>
    %2 = linalg.generic {indexing_maps = [#reversed, #map], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%1 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4xf32>
    scf.yield %2 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
// CHECK-LABEL: func.func @reversed
// CHECK:         scf.for {{.*}} iter_args(%[[X:.*]] = %arg0)
// CHECK:           %[[EMPTY:.*]] = tensor.empty
// CHECK:           %[[NEW:.*]] = linalg.generic {{.*}} outs(%[[EMPTY]] :
// CHECK:           %[[COPY:.*]] = linalg.copy ins(%[[NEW]] : {{.*}}) outs(%[[X]] :
// CHECK:           scf.yield %[[COPY]]

// A contraction reads what its epilogue would write in the same kernel.
func.func @matmul(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>, %n: index) -> tensor<4x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (tensor<4x4xf32>) {
    %1 = tensor.empty() : tensor<4x4xf32>
    %2 = linalg.fill ins(%zero : f32) outs(%1 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %3 = linalg.matmul ins(%x, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%2 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %4 = tensor.empty() : tensor<4x4xf32>
    %5 = linalg.exp ins(%3 : tensor<4x4xf32>) outs(%4 : tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.yield %5 : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}
// CHECK-LABEL: func.func @matmul
// CHECK:         scf.for {{.*}} iter_args(%[[X:.*]] = %arg0)
// CHECK:           %[[NEW:.*]] = linalg.exp
// CHECK:           linalg.copy ins(%[[NEW]] : {{.*}}) outs(%[[X]] :

// The previous value is read later; and it is the next value of another.
func.func @later(%a: tensor<4xf32>, %b: tensor<4xf32>, %n: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (tensor<4xf32>, tensor<4xf32>) {
    %1 = tensor.empty() : tensor<4xf32>
    %2 = linalg.exp ins(%y : tensor<4xf32>) outs(%1 : tensor<4xf32>) -> tensor<4xf32>
    %3 = tensor.empty() : tensor<4xf32>
    %4 = linalg.add ins(%2, %y : tensor<4xf32>, tensor<4xf32>) outs(%3 : tensor<4xf32>) -> tensor<4xf32>
    %5 = linalg.exp ins(%4 : tensor<4xf32>) outs(%4 : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %y, %5 : tensor<4xf32>, tensor<4xf32>
  }
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}
// CHECK-LABEL: func.func @later
// CHECK:         scf.for {{.*}} iter_args(%[[X:.*]] = %arg0, %[[Y:.*]] = %arg1)
// CHECK-NOT:       outs(%[[Y]]
// CHECK-NOT:       outs(%[[X]]
// CHECK:           scf.yield

// A slice would have the strides of its source in each iteration.
func.func @slice(%a: tensor<2x4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = tensor.extract_slice %a[0, 0] [1, 4] [1, 1] : tensor<2x4xf32> to tensor<4xf32>
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %first) -> (tensor<4xf32>) {
    %1 = tensor.empty() : tensor<4xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%1 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = math.exp %in : f32
      linalg.yield %3 : f32
    } -> tensor<4xf32>
    scf.yield %2 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
// CHECK-LABEL: func.func @slice
// CHECK:         %[[SLICE:.*]] = tensor.extract_slice
// CHECK:         %[[COPY:.*]] = bufferization.alloc_tensor() copy(%[[SLICE]])
// CHECK:         scf.for {{.*}} iter_args(%[[X:.*]] = %[[COPY]])
// CHECK:           linalg.generic {{.*}} ins(%[[X]] : {{.*}}) outs(%[[X]] :

// An argument that the function mutates is the destination of its new value, if the old one is not
// read later.
func.func @mutated(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) attributes {torch_refine.updates = array<i64: 1, 0, 2, 1>} {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg0 : tensor<4xf32>) outs(%0 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %4 = math.exp %in : f32
    linalg.yield %4 : f32
  } -> tensor<4xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg1 : tensor<4xf32>) outs(%0 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %4 = math.exp %in : f32
    linalg.yield %4 : f32
  } -> tensor<4xf32>
  %3 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%1, %arg1 : tensor<4xf32>, tensor<4xf32>) outs(%0 : tensor<4xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %4 = arith.addf %in, %in_0 : f32
    linalg.yield %4 : f32
  } -> tensor<4xf32>
  return %3, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
// CHECK-LABEL: func.func @mutated(
// CHECK-SAME:    torch_refine.written = array<i64: 0>
// CHECK:         %[[NEW:.*]] = tensor.empty()
// CHECK:         linalg.generic {{.*}} ins(%arg0 : tensor<4xf32>) outs(%arg0 : tensor<4xf32>)
// CHECK:         linalg.generic {{.*}} ins(%arg1 : tensor<4xf32>) outs(%[[NEW]] : tensor<4xf32>)
