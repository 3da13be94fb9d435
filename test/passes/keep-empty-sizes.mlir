// RUN: torch-refine-opt %s --keep-empty-sizes | filecheck %s

// CHECK-LABEL: @size
// CHECK-NOT: maxsi
func.func @size(%arg0: index) -> index {
  %c1 = arith.constant 1 : i64
  %0 = arith.index_cast %arg0 : index to i64
  %1 = arith.maxsi %0, %c1 : i64
  %2 = arith.index_cast %1 : i64 to index
  return %2 : index
}

// What was no size may be -1; what is at least 2 was meant.

// CHECK-LABEL: @others
// CHECK-COUNT-2: maxsi
func.func @others(%arg0: i64, %arg1: index) -> (i64, i64) {
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %0 = arith.maxsi %arg0, %c1 : i64
  %1 = arith.index_cast %arg1 : index to i64
  %2 = arith.maxsi %1, %c2 : i64
  return %0, %2 : i64, i64
}
