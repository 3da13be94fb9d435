// RUN: torch-refine-opt %s --check-operand-sizes | filecheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>

// Sizes that are made of the same numbers are not checked.

func.func @known(%arg0: tensor<?x4xf32>, %arg1: tensor<4xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %0 = tensor.dim %arg0, %c0 : tensor<?x4xf32>
  %1 = tensor.empty(%0) : tensor<?x4xf32>
  %2 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%arg0, %arg1 : tensor<?x4xf32>, tensor<4xf32>) outs(%1 : tensor<?x4xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %3 = arith.addf %in, %in_0 : f32
    linalg.yield %3 : f32
  } -> tensor<?x4xf32>
  return %2 : tensor<?x4xf32>
}

// CHECK-LABEL: func.func @known(
// CHECK-NOT:     cf.assert
// CHECK:         return

// What an assertion compares is known behind it, and each pair is checked once.

func.func @checked(%arg0: tensor<?x4xf32>, %arg1: tensor<?x?xf32>, %arg2: tensor<?x4xf32>)
    -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %c0 = arith.constant 0 : index
  %0 = tensor.dim %arg0, %c0 : tensor<?x4xf32>
  %1 = tensor.dim %arg2, %c0 : tensor<?x4xf32>
  %2 = arith.cmpi eq, %0, %1 : index
  cf.assert %2, "they are equal"
  %3 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%arg0, %arg1 : tensor<?x4xf32>, tensor<?x?xf32>) outs(%arg2 : tensor<?x4xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %5 = arith.addf %in, %in_0 : f32
    linalg.yield %5 : f32
  } -> tensor<?x4xf32>
  %4 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%arg2, %arg1 : tensor<?x4xf32>, tensor<?x?xf32>) outs(%arg0 : tensor<?x4xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %5 = arith.mulf %in, %in_0 : f32
    linalg.yield %5 : f32
  } -> tensor<?x4xf32>
  return %3, %4 : tensor<?x4xf32>, tensor<?x4xf32>
}

// CHECK-LABEL: func.func @checked(
// CHECK:         cf.assert %{{.*}}, "they are equal"
// CHECK:         %[[ROWS:.*]] = tensor.dim %arg0
// CHECK:         %[[OTHER:.*]] = tensor.dim %arg1
// CHECK:         %[[EQUAL:.*]] = arith.cmpi eq, %[[ROWS]], %[[OTHER]]
// CHECK-NEXT:    cf.assert %[[EQUAL]], "sizes of tensors that are computed together do not match"
// CHECK:         %[[COLUMNS:.*]] = tensor.dim %arg1
// CHECK:         %[[FOUR:.*]] = arith.cmpi eq, %{{.*}}, %[[COLUMNS]]
// CHECK-NEXT:    cf.assert %[[FOUR]]
// CHECK-NEXT:    linalg.generic
// CHECK-NOT:     cf.assert
// CHECK:         return

// Products of matrices have no maps to look at.

func.func @product(%arg0: tensor<?x?xf32>, %arg1: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %0 = tensor.dim %arg0, %c0 : tensor<?x?xf32>
  %1 = tensor.empty(%0) : tensor<?x8xf32>
  %2 = linalg.matmul ins(%arg0, %arg1 : tensor<?x?xf32>, tensor<?x8xf32>)
      outs(%1 : tensor<?x8xf32>) -> tensor<?x8xf32>
  return %2 : tensor<?x8xf32>
}

// CHECK-LABEL: func.func @product(
// CHECK:         %[[DEPTH:.*]] = tensor.dim %arg0, %c1
// CHECK:         %[[ROWS:.*]] = tensor.dim %arg1
// CHECK:         arith.cmpi eq, %[[DEPTH]], %[[ROWS]]
// CHECK-NEXT:    cf.assert
// CHECK-NEXT:    linalg.matmul

// What works on memory was checked when that was tensors.

func.func @memory(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>) {
  linalg.matmul ins(%arg0, %arg0 : memref<?x?xf32>, memref<?x?xf32>)
      outs(%arg1 : memref<?x?xf32>)
  return
}

// CHECK-LABEL: func.func @memory(
// CHECK-NOT:     cf.assert
// CHECK:         return

// What is put into a slice has its size; one that says so already is not asked.
func.func @slice(%source: tensor<?x4xf32>, %whole: tensor<9x4xf32>, %rows: index) -> (tensor<9x4xf32>, tensor<9x4xf32>) {
  %c0 = arith.constant 0 : index
  %0 = tensor.insert_slice %source into %whole[0, 0] [%rows, 4] [2, 1] : tensor<?x4xf32> into tensor<9x4xf32>
  %own = tensor.dim %source, %c0 : tensor<?x4xf32>
  %1 = tensor.insert_slice %source into %whole[1, 0] [%own, 4] [1, 1] : tensor<?x4xf32> into tensor<9x4xf32>
  return %0, %1 : tensor<9x4xf32>, tensor<9x4xf32>
}
// CHECK-LABEL: func.func @slice
// CHECK:         %[[OWN:.*]] = tensor.dim %arg0
// CHECK:         %[[SAME:.*]] = arith.cmpi eq, %[[OWN]], %arg2
// CHECK:         cf.assert %[[SAME]], "sizes of tensors that are computed together do not match"
// CHECK:         tensor.insert_slice
// CHECK-NOT:     cf.assert
// CHECK:         tensor.insert_slice
