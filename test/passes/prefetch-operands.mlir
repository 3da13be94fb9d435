// RUN: torch-refine-opt %s --prefetch-operands | filecheck %s

// CHECK-LABEL: @product
func.func @product(%arg0: memref<64x32xf32>, %arg1: vector<32xf32>) -> vector<32xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  // CHECK: scf.for %[[TURN:.*]] = %c0 to %c64
  // CHECK: %[[LATER:.*]] = arith.addi %[[TURN]], %c25
  // CHECK: memref.prefetch %arg0[%[[LATER]], %c0{{.*}}], read, locality<3>, data
  // CHECK: memref.prefetch %arg0[%[[LATER]], %c16{{.*}}], read, locality<3>, data
  %0 = scf.for %i = %c0 to %c64 step %c1 iter_args(%sum = %arg1) -> (vector<32xf32>) {
    %1 = vector.transfer_read %arg0[%i, %c0], %zero {in_bounds = [true]} : memref<64x32xf32>, vector<32xf32>
    %2 = arith.addf %sum, %1 : vector<32xf32>
    scf.yield %2 : vector<32xf32>
  }
  return %0 : vector<32xf32>
}

// A loop that stores what it computes, and one that reads less than a line, ask for nothing.

// CHECK-LABEL: @others
// CHECK-NOT: prefetch
func.func @others(%arg0: memref<64x32xf32>, %arg1: memref<64x4xf32>, %arg2: vector<4xf32>) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c64 step %c1 {
    %1 = vector.transfer_read %arg0[%i, %c0], %zero {in_bounds = [true]} : memref<64x32xf32>, vector<32xf32>
    vector.transfer_write %1, %arg0[%i, %c0] {in_bounds = [true]} : vector<32xf32>, memref<64x32xf32>
  }
  %0 = scf.for %i = %c0 to %c64 step %c1 iter_args(%sum = %arg2) -> (vector<4xf32>) {
    %1 = vector.transfer_read %arg1[%i, %c0], %zero {in_bounds = [true]} : memref<64x4xf32>, vector<4xf32>
    %2 = arith.addf %sum, %1 : vector<4xf32>
    scf.yield %2 : vector<4xf32>
  }
  return %0 : vector<4xf32>
}
