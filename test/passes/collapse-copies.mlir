// RUN: torch-refine-opt %s --collapse-copies | filecheck %s

// Both sides have contiguous images.
// CHECK-LABEL: func.func @channels
// CHECK-DAG:     %[[FROM:.*]] = memref.collapse_shape %arg0 {{.*}} into memref<2x1152xbf16>
// CHECK-DAG:     %[[TO:.*]] = memref.collapse_shape %arg1 {{.*}} into memref<2x1152xbf16, strided<[2304, 1], offset: 1152>>
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             %[[ROW:.*]] = vector.load %[[FROM]]{{.*}}vector<64xbf16>
// CHECK:             vector.store %[[ROW]], %[[TO]]
func.func @channels(%from: memref<2x8x12x12xbf16>,
    %to: memref<2x8x12x12xbf16, strided<[2304, 144, 12, 1], offset: 1152>>) {
  memref.copy %from, %to : memref<2x8x12x12xbf16>
    to memref<2x8x12x12xbf16, strided<[2304, 144, 12, 1], offset: 1152>>
  return
}

// The inside of a padded image has rows only.
// CHECK-LABEL: func.func @rows
// CHECK-NOT:     memref.collapse_shape
// CHECK:         vector.load %arg0{{.*}}vector<12xf32>
func.func @rows(%from: memref<8x12x12xf32>,
    %to: memref<8x12x12xf32, strided<[196, 14, 1], offset: ?>>) {
  memref.copy %from, %to : memref<8x12x12xf32>
    to memref<8x12x12xf32, strided<[196, 14, 1], offset: ?>>
  return
}

// Dynamic sizes may have other strides; columns are no vectors, nor are bools.
// CHECK-LABEL: func.func @others
// CHECK-NOT:     vector.load
// CHECK-COUNT-3: memref.copy
func.func @others(%x: memref<?x?xf32>, %slice: memref<?x?xf32, strided<[?, 1], offset: ?>>,
    %y: memref<8x8xf32>, %columns: memref<8x8xf32, strided<[1, 8]>>, %b: memref<8xi1>,
    %c: memref<8xi1, strided<[1], offset: ?>>) {
  memref.copy %x, %slice : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
  memref.copy %y, %columns : memref<8x8xf32> to memref<8x8xf32, strided<[1, 8]>>
  memref.copy %b, %c : memref<8xi1> to memref<8xi1, strided<[1], offset: ?>>
  return
}
