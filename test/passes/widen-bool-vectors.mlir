// RUN: torch-refine-opt %s --widen-bool-vectors | filecheck %s

// CHECK-LABEL: func.func @transfers
// CHECK:         %[[FROM:.*]] = builtin.unrealized_conversion_cast %arg0 : memref<?xi1> to memref<?xi8>
// CHECK:         %[[PAD:.*]] = arith.extui %{{.*}} : i1 to i8
// CHECK:         %[[BYTES:.*]] = vector.transfer_read %[[FROM]][%arg2], %[[PAD]] : memref<?xi8>, vector<16xi8>
// CHECK:         arith.trunci %[[BYTES]] : vector<16xi8> to vector<16xi1>
// CHECK:         vector.transfer_write %{{.*}}, %{{.*}}[%arg2] : vector<16xi8>, memref<?xi8>
func.func @transfers(%from: memref<?xi1>, %to: memref<?xi1>, %i: index) {
  %false = arith.constant false
  %0 = vector.transfer_read %from[%i], %false : memref<?xi1>, vector<16xi1>
  vector.transfer_write %0, %to[%i] : vector<16xi1>, memref<?xi1>
  return
}

// A mask of what is read or written is no memory.
// CHECK-LABEL: func.func @masked
// CHECK:         %[[REST:.*]] = arith.extui %arg2 : vector<16xi1> to vector<16xi8>
// CHECK:         vector.maskedload %{{.*}}[%arg3, %arg3], %arg1, %[[REST]] : memref<?x?xi8, strided<[?, 1], offset: ?>>
func.func @masked(%m: memref<?x?xi1, strided<[?, 1], offset: ?>>, %mask: vector<16xi1>,
                  %rest: vector<16xi1>, %i: index) -> vector<16xi1> {
  %0 = vector.maskedload %m[%i, %i], %mask, %rest
      : memref<?x?xi1, strided<[?, 1], offset: ?>>, vector<16xi1>, vector<16xi1> into vector<16xi1>
  vector.maskedstore %m[%i, %i], %mask, %0
      : memref<?x?xi1, strided<[?, 1], offset: ?>>, vector<16xi1>, vector<16xi1>
  return %0 : vector<16xi1>
}

// Other vectors stay as they are.
// CHECK-LABEL: func.func @others
// CHECK-NOT:     unrealized_conversion_cast
func.func @others(%m: memref<?xi8>, %t: tensor<?xi1>, %i: index) -> (vector<4xi8>, vector<4xi1>) {
  %false = arith.constant false
  %0 = vector.load %m[%i] : memref<?xi8>, vector<4xi8>
  %1 = vector.transfer_read %t[%i], %false : tensor<?xi1>, vector<4xi1>
  return %0, %1 : vector<4xi8>, vector<4xi1>
}
