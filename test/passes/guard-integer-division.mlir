// RUN: torch-refine-opt %s --guard-integer-division | filecheck %s
// RUN: torch-refine-opt %s --guard-integer-division="asserts=false" | filecheck %s --check-prefix GPU

#rows = affine_map<(d0, d1) -> (d0, d1)>
#columns = affine_map<(d0, d1) -> (d1)>

// A divisor that is broadcast is checked once, and not if no row is divided.

func.func @broadcast(%arg0: tensor<?x4xi64>, %arg1: tensor<4xi64>, %arg2: tensor<?x4xi64>) -> tensor<?x4xi64> {
  %0 = linalg.generic {indexing_maps = [#rows, #columns, #rows], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<?x4xi64>, tensor<4xi64>) outs(%arg2 : tensor<?x4xi64>) {
  ^bb0(%in: i64, %in_0: i64, %out: i64):
    %1 = arith.divsi %in, %in_0 : i64
    linalg.yield %1 : i64
  } -> tensor<?x4xi64>
  return %0 : tensor<?x4xi64>
}

// CHECK-LABEL: func.func @broadcast(
// CHECK-SAME:    %[[X:.*]]: tensor<?x4xi64>, %[[Y:.*]]: tensor<4xi64>
// CHECK:         %[[SIZE:.*]] = tensor.dim %[[X]]
// CHECK:         %[[EMPTY:.*]] = arith.cmpi eq, %[[SIZE]]
// CHECK:         linalg.generic {{{.*}}iterator_types = ["reduction"]} ins(%[[Y]] : tensor<4xi64>)
// CHECK:           arith.minui
// CHECK:         %[[LEAST:.*]] = tensor.extract
// CHECK:         %[[POSITIVE:.*]] = arith.cmpi ne, %[[LEAST]]
// CHECK-NEXT:    %[[GOOD:.*]] = arith.ori %[[POSITIVE]], %[[EMPTY]]
// CHECK-NEXT:    cf.assert %[[GOOD]], "ZeroDivisionError"
// CHECK:         ^bb0(%[[A:.*]]: i64, %[[B:.*]]: i64, %{{.*}}: i64):
// CHECK:           %[[SAFE:.*]] = arith.select %{{.*}}, %{{.*}}, %[[B]]
// CHECK-NEXT:      %[[QUOTIENT:.*]] = arith.divsi %[[A]], %[[SAFE]]
// CHECK:           %[[MINUS:.*]] = arith.cmpi eq, %[[B]]
// CHECK:           %[[NEGATIVE:.*]] = arith.subi %{{.*}}, %[[A]]
// CHECK-NEXT:      %[[RESULT:.*]] = arith.select %[[MINUS]], %[[NEGATIVE]], %[[QUOTIENT]]
// CHECK-NEXT:      linalg.yield %[[RESULT]]
// GPU-LABEL:   func.func @broadcast(
// GPU-NOT:       cf.assert
// GPU:           arith.divsi

// By a number that is neither 0 nor -1.

func.func @known(%arg0: index) -> index {
  %c3 = arith.constant 3 : index
  %0 = arith.floordivsi %arg0, %c3 : index
  return %0 : index
}

// CHECK-LABEL: func.func @known(
// CHECK-NEXT:    arith.constant
// CHECK-NEXT:    arith.floordivsi
// CHECK-NEXT:    return

// Outside of a loop.

func.func @scalar(%arg0: i64, %arg1: i64) -> i64 {
  %0 = arith.remui %arg0, %arg1 : i64
  return %0 : i64
}

// CHECK-LABEL: func.func @scalar(
// CHECK:         %[[GOOD:.*]] = arith.cmpi ne, %{{.*}}
// CHECK-NEXT:    cf.assert %[[GOOD]], "ZeroDivisionError"
// CHECK:         arith.remui
// GPU-LABEL:   func.func @scalar(
// GPU:           cf.assert

// A divisor that the loop itself accumulates is checked where it is used.

func.func @accumulated(%arg0: tensor<4xi64>, %arg1: tensor<i64>) -> tensor<i64> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%arg0 : tensor<4xi64>) outs(%arg1 : tensor<i64>) {
  ^bb0(%in: i64, %out: i64):
    %1 = arith.remsi %in, %out : i64
    linalg.yield %1 : i64
  } -> tensor<i64>
  return %0 : tensor<i64>
}

// CHECK-LABEL: func.func @accumulated(
// CHECK:         ^bb0(
// CHECK:           cf.assert
// CHECK:           arith.remsi
