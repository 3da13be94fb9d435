// RUN: torch-refine-opt %s --outline-kernels --split-input-file | filecheck %s

// A sum along rows and what divides by it are one kernel; the fill goes in, too.

#rows = affine_map<(d0, d1) -> (d0, d1)>
#sums = affine_map<(d0, d1) -> (d0)>
func.func @main(%arg0: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %cst = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %2 = linalg.generic {indexing_maps = [#rows, #sums], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<4x5xf32>) outs(%1 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %5 = arith.addf %in, %out : f32
    linalg.yield %5 : f32
  } -> tensor<4xf32>
  %3 = tensor.empty() : tensor<4x5xf32>
  %4 = linalg.generic {indexing_maps = [#rows, #sums, #rows], iterator_types = ["parallel", "parallel"]} ins(%arg0, %2 : tensor<4x5xf32>, tensor<4xf32>) outs(%3 : tensor<4x5xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %5 = arith.divf %in, %sum : f32
    linalg.yield %5 : f32
  } -> tensor<4x5xf32>
  return %4 : tensor<4x5xf32>
}

// CHECK-LABEL: func.func @main
// CHECK:         %[[RESULT:.*]] = call @rows_0(%arg0, %{{.*}}) : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
// CHECK-NEXT:    return %[[RESULT]]
// CHECK-LABEL: func.func private @rows_0
// CHECK-SAME:    torch_refine.kernel = "rows", torch_refine.rows = 1
// CHECK:         linalg.fill
// CHECK-COUNT-2: linalg.generic

// -----

// A kernel reads slices, and arguments with steps between their rows, where they lie.

#rows = affine_map<(d0, d1) -> (d0, d1)>
func.func @sliced(%arg0: tensor<4x10xf32>, %arg1: tensor<4x?xf32> {bufferization.buffer_layout = strided<[?, 1]>}, %arg2: index) -> tensor<4x5xf32> {
  %0 = tensor.extract_slice %arg0[0, 1] [4, 5] [1, 2] : tensor<4x10xf32> to tensor<4x5xf32>
  %1 = tensor.extract_slice %arg1[0, %arg2] [4, 5] [1, 1] : tensor<4x?xf32> to tensor<4x5xf32>
  %2 = tensor.empty() : tensor<4x5xf32>
  %3 = linalg.generic {indexing_maps = [#rows, #rows, #rows], iterator_types = ["parallel", "parallel"]} ins(%0, %1 : tensor<4x5xf32>, tensor<4x5xf32>) outs(%2 : tensor<4x5xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %4 = arith.addf %a, %b : f32
    linalg.yield %4 : f32
  } -> tensor<4x5xf32>
  return %3 : tensor<4x5xf32>
}

// CHECK-LABEL: func.func @sliced
// CHECK-LABEL: func.func private @loops_0
// CHECK-SAME:    %{{.*}}: tensor<4x5xf32> {bufferization.buffer_layout = strided<[10, 2], offset: ?>},
// CHECK-SAME:    %{{.*}}: tensor<4x5xf32> {bufferization.buffer_layout = strided<[?, 1], offset: ?>},
// CHECK-SAME:    %{{.*}}: tensor<4x5xf32>)

// -----

// What is reduced row by row is read as vectors: a copy of numbers that lie apart is faster.

#rows = affine_map<(d0, d1) -> (d0, d1)>
#sums = affine_map<(d0, d1) -> (d0)>
func.func @every_second(%arg0: tensor<4x10xf32>) -> tensor<4xf32> {
  %cst = arith.constant 0.0 : f32
  %0 = tensor.extract_slice %arg0[0, 1] [4, 5] [1, 2] : tensor<4x10xf32> to tensor<4x5xf32>
  %1 = tensor.empty() : tensor<4xf32>
  %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<4xf32>) -> tensor<4xf32>
  %3 = linalg.generic {indexing_maps = [#rows, #sums], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<4x5xf32>) outs(%2 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %4 = arith.addf %in, %out : f32
    linalg.yield %4 : f32
  } -> tensor<4xf32>
  %5 = tensor.empty() : tensor<4xf32>
  %6 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%3 : tensor<4xf32>) outs(%5 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %7 = math.sqrt %in : f32
    linalg.yield %7 : f32
  } -> tensor<4xf32>
  return %6 : tensor<4xf32>
}

// CHECK-LABEL: func.func private @rows_0
// CHECK-SAME:    (%{{.*}}: tensor<4x5xf32>, %{{.*}}: tensor<4xf32>)

// -----

// Kernels of loops are outlined, too; constants outside the loop go in.

func.func @loop(%arg0: tensor<4xf32>, %arg1: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %cst = arith.constant 2.0 : f32
  %0 = scf.for %arg2 = %c0 to %arg1 step %c1 iter_args(%arg3 = %arg0) -> (tensor<4xf32>) {
    %1 = tensor.empty() : tensor<4xf32>
    %2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg3 : tensor<4xf32>) outs(%1 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.mulf %in, %cst : f32
      linalg.yield %3 : f32
    } -> tensor<4xf32>
    scf.yield %2 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @loop
// CHECK:         scf.for
// CHECK:           func.call @loops_0(%{{.*}}, %{{.*}}) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-LABEL: func.func private @loops_0
// CHECK:         arith.constant 2.0
