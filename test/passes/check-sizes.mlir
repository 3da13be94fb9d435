// RUN: torch-refine-opt %s --check-sizes | filecheck %s

// What is made of sizes by adding, multiplying and dividing is not negative.

func.func @known(%arg0: tensor<?xf32>) -> tensor<?x?x?xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %0 = tensor.dim %arg0, %c0 : tensor<?xf32>
  %1 = arith.addi %0, %c2 : index
  %2 = arith.floordivsi %1, %c2 : index
  %3 = arith.muli %2, %0 : index
  %4 = tensor.empty(%1, %2, %3) : tensor<?x?x?xf32>
  return %4 : tensor<?x?x?xf32>
}

// CHECK-LABEL: func.func @known(
// CHECK-NOT:     cf.assert
// CHECK:         return

// A number that the program is given is checked once.

func.func @given(%arg0: i64) -> (tensor<?xf32>, tensor<?xi64>) {
  %0 = arith.index_cast %arg0 : i64 to index
  %1 = tensor.empty(%0) : tensor<?xf32>
  %2 = tensor.empty(%0) : tensor<?xi64>
  return %1, %2 : tensor<?xf32>, tensor<?xi64>
}

// CHECK-LABEL: func.func @given(
// CHECK:         %[[SIZE:.*]] = arith.index_cast
// CHECK:         %[[GOOD:.*]] = arith.cmpi sge, %[[SIZE]]
// CHECK-NEXT:    cf.assert %[[GOOD]], "a dimension of a tensor would have a negative size"
// CHECK-NEXT:    tensor.empty
// CHECK-NEXT:    tensor.empty
