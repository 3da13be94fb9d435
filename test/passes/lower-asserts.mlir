// RUN: torch-refine-opt %s --lower-asserts | filecheck %s

// A private function that fails ends the one that calls it.

func.func @calls(%arg0: i1) -> f32 {
  %0 = call @fails(%arg0) : (i1) -> f32
  %1 = call @succeeds() : () -> f32
  return %0 : f32
}
func.func private @fails(%arg0: i1) -> f32 {
  %cst = arith.constant 1.0 : f32
  cf.assert %arg0, "first"
  cf.assert %arg0, "second"
  return %cst : f32
}
func.func private @succeeds() -> f32 {
  %cst = arith.constant 1.0 : f32
  return %cst : f32
}

// CHECK:       module attributes {torch_refine.assertions = ["first
// CHECK-LABEL: func.func @calls(
// CHECK-SAME:    %[[CONDITION:.*]]: i1, %[[STATUS:.*]]: memref<i64>) -> f32
// CHECK-NEXT:    %[[RESULT:.*]] = call @fails(%[[CONDITION]], %[[STATUS]])
// CHECK-NEXT:    %[[NUMBER:.*]] = memref.load %[[STATUS]][]
// CHECK:         %[[WELL:.*]] = arith.cmpi eq, %[[NUMBER]]
// CHECK-NEXT:    cf.cond_br %[[WELL]]
// CHECK:         call @succeeds() : () -> f32
// CHECK:         return %[[RESULT]]
// CHECK:         ub.poison
// CHECK-LABEL: func.func private @fails(
// CHECK-COUNT-2: memref.store
// CHECK-LABEL: func.func private @succeeds()
