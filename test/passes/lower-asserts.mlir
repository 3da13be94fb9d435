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
// CHECK-SAME:    %[[CONDITION:.*]]: i1, %[[STATUS:.*]]: memref<i64>) -> f32 attributes {torch_refine.status}
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

// An assertion in a parallel loop ends the iteration, and the function after the loop.

func.func @parallel(%arg0: memref<?xi1>, %arg1: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%arg2) : index = (%c0) to (%arg1) step (%c1) {
        %0 = memref.load %arg0[%arg2] : memref<?xi1>
        cf.assert %0, "third"
        memref.store %0, %arg0[%arg2] : memref<?xi1>
        omp.yield
      }
    }
    omp.terminator
  }
  %1 = memref.load %arg0[%c0] : memref<?xi1>
  memref.store %1, %arg0[%c1] : memref<?xi1>
  return
}

// CHECK-LABEL: func.func @parallel(
// CHECK:         omp.loop_nest
// CHECK:           %[[CONDITION:.*]] = memref.load
// CHECK-NEXT:      cf.cond_br %[[CONDITION]]
// CHECK:           memref.atomic_rmw assign
// CHECK-NEXT:      cf.br ^[[EXIT:.*]]
// CHECK:           memref.store
// CHECK-NEXT:      cf.br ^[[EXIT]]
// CHECK:         ^[[EXIT]]:
// CHECK-NEXT:      omp.yield
// CHECK:         omp.terminator
// CHECK:         memref.load %{{.*}}[] : memref<i64>
// CHECK:         cf.cond_br
// CHECK:         memref.load
