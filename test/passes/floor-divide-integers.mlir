// RUN: torch-refine-opt %s --floor-divide-integers | filecheck %s

#map = affine_map<(d0) -> (d0)>

// Of different widths, one of them a constant.

func.func @f(%arg0: tensor<3xi32>, %arg1: tensor<3xi64>) -> tensor<3xi64> {
  %cst = arith.constant 3.0 : f64
  %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg0 : tensor<3xi32>) outs(%arg1 : tensor<3xi64>) {
  ^bb0(%in: i32, %out: i64):
    %1 = arith.sitofp %in : i32 to f64
    %2 = arith.divf %1, %cst : f64
    %3 = math.floor %2 : f64
    %4 = arith.fptosi %3 : f64 to i64
    linalg.yield %4 : i64
  } -> tensor<3xi64>
  return %0 : tensor<3xi64>
}

// CHECK-LABEL: func.func @f(
// CHECK:       ^bb0(%[[IN:.*]]: i32, %{{.*}}: i64):
// CHECK-NEXT:    %[[WIDE:.*]] = arith.extsi %[[IN]] : i32 to i64
// CHECK-NEXT:    %[[THREE:.*]] = arith.constant 3 : i64
// CHECK-NEXT:    %[[QUOTIENT:.*]] = arith.floordivsi %[[WIDE]], %[[THREE]] : i64
// CHECK-NEXT:    linalg.yield %[[QUOTIENT]]

// What was divided by is no integer.

func.func @stays(%arg0: tensor<3xi64>, %arg1: tensor<3xi64>) -> tensor<3xi64> {
  %cst = arith.constant 2.5 : f64
  %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg0 : tensor<3xi64>) outs(%arg1 : tensor<3xi64>) {
  ^bb0(%in: i64, %out: i64):
    %1 = arith.sitofp %in : i64 to f64
    %2 = arith.divf %1, %cst : f64
    %3 = math.floor %2 : f64
    %4 = arith.fptosi %3 : f64 to i64
    linalg.yield %4 : i64
  } -> tensor<3xi64>
  return %0 : tensor<3xi64>
}

// CHECK-LABEL: func.func @stays(
// CHECK:         arith.divf
// CHECK-NEXT:    math.floor
// CHECK-NEXT:    arith.fptosi
