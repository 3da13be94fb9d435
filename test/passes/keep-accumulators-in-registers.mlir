// RUN: torch-refine-opt %s --keep-accumulators-in-registers | filecheck %s

func.func @f(%arg0: memref<4xf32>, %arg1: memref<4xf32>, %arg2: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = ub.poison : f32
  scf.for %i = %c0 to %arg2 step %c1 {
    %1 = vector.transfer_read %arg0[%c0], %0 {in_bounds = [true]} : memref<4xf32>, vector<4xf32>
    %2 = vector.transfer_read %arg1[%i], %0 : memref<4xf32>, vector<4xf32>
    %3 = arith.addf %1, %2 : vector<4xf32>
    vector.transfer_write %3, %arg0[%c0] {in_bounds = [true]} : vector<4xf32>, memref<4xf32>
  }
  return
}
// CHECK-LABEL: func.func @f
// CHECK:         %[[START:.*]] = vector.transfer_read %arg0
// CHECK:         %[[END:.*]] = scf.for {{.*}} iter_args(%[[SUM:.*]] = %[[START]])
// CHECK-NEXT:      vector.transfer_read %arg1
// CHECK-NEXT:      arith.addf %[[SUM]]
// CHECK-NEXT:      scf.yield
// CHECK:         vector.transfer_write %[[END]], %arg0

// Somebody else reads the sum meanwhile.
func.func @shared(%arg0: memref<4xf32>, %arg1: memref<?xf32>, %arg2: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = ub.poison : f32
  scf.for %i = %c0 to %arg2 step %c1 {
    %1 = vector.transfer_read %arg0[%c0], %0 {in_bounds = [true]} : memref<4xf32>, vector<4xf32>
    %2 = memref.load %arg0[%i] : memref<4xf32>
    %3 = vector.broadcast %2 : f32 to vector<4xf32>
    %4 = arith.addf %1, %3 : vector<4xf32>
    vector.transfer_write %4, %arg0[%c0] {in_bounds = [true]} : vector<4xf32>, memref<4xf32>
  }
  return
}
// CHECK-LABEL: func.func @shared
// CHECK:         scf.for
// CHECK:           vector.transfer_read
// CHECK:           vector.transfer_write
// CHECK-NEXT:    }
