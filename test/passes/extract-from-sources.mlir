// RUN: torch-refine-opt %s --extract-from-sources | filecheck %s

#rows = affine_map<(d0, d1, d2) -> (d0, d2)>
#turned = affine_map<(d0, d1, d2) -> (d2, d0, d1)>
#same = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

// A broadcast of what is transposed: both are gone.

// CHECK-LABEL: func.func @chain(
// CHECK-SAME:    %[[X:.*]]: tensor<?x5xf32>, %[[I:.*]]: index, %[[J:.*]]: index, %[[K:.*]]: index
// CHECK-NOT:     linalg.generic
// CHECK:         %[[FOUND:.*]] = tensor.extract %[[X]][%[[K]], %[[J]]] : tensor<?x5xf32>
// CHECK-NEXT:    return %[[FOUND]]
func.func @chain(%arg0: tensor<?x5xf32>, %arg1: index, %arg2: index, %arg3: index, %arg4: tensor<?x3x5xf32>, %arg5: tensor<3x5x?xf32>) -> f32 {
  %0 = linalg.generic {indexing_maps = [#rows, #same], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<?x5xf32>) outs(%arg4 : tensor<?x3x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<?x3x5xf32>
  %1 = linalg.generic {indexing_maps = [#turned, #same], iterator_types = ["parallel", "parallel", "parallel"]} ins(%0 : tensor<?x3x5xf32>) outs(%arg5 : tensor<3x5x?xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x5x?xf32>
  %2 = tensor.extract %1[%arg1, %arg2, %arg3] : tensor<3x5x?xf32>
  return %2 : f32
}

// What is computed, or checked, is not done again for each element.

// CHECK-LABEL: func.func @computed(
// CHECK:         linalg.generic
// CHECK:         linalg.generic
// CHECK-COUNT-2: tensor.extract %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}]
func.func @computed(%arg0: tensor<2x5xf32>, %arg1: index, %arg2: i1) -> (f32, f32) {
  %0 = tensor.empty() : tensor<2x3x5xf32>
  %1 = linalg.generic {indexing_maps = [#rows, #same], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x5xf32>) outs(%0 : tensor<2x3x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %6 = arith.negf %in : f32
    linalg.yield %6 : f32
  } -> tensor<2x3x5xf32>
  %2 = linalg.generic {indexing_maps = [#rows, #same], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x5xf32>) outs(%0 : tensor<2x3x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    cf.assert %arg2, "checked"
    linalg.yield %in : f32
  } -> tensor<2x3x5xf32>
  %3 = tensor.extract %1[%arg1, %arg1, %arg1] : tensor<2x3x5xf32>
  %4 = tensor.extract %2[%arg1, %arg1, %arg1] : tensor<2x3x5xf32>
  return %3, %4 : f32, f32
}
