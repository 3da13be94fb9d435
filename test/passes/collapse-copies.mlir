// RUN: torch-refine-opt %s --collapse-copies | filecheck %s

// Both sides have contiguous images.
// CHECK-LABEL: func.func @channels
// CHECK:         memref.copy {{.*}} : memref<2x1152xbf16> to memref<2x1152xbf16, strided<[2304, 1], offset: 1152>>
func.func @channels(%from: memref<2x8x12x12xbf16>,
    %to: memref<2x8x12x12xbf16, strided<[2304, 144, 12, 1], offset: 1152>>) {
  memref.copy %from, %to : memref<2x8x12x12xbf16>
    to memref<2x8x12x12xbf16, strided<[2304, 144, 12, 1], offset: 1152>>
  return
}

// The inside of a padded image has rows only; dynamic sizes may have other strides.
// CHECK-LABEL: func.func @others
// CHECK-NOT:     memref.collapse_shape
func.func @others(%from: memref<8x12x12xf32>,
    %to: memref<8x12x12xf32, strided<[196, 14, 1], offset: ?>>,
    %unknown: memref<?x?xf32>, %slice: memref<?x?xf32, strided<[?, 1], offset: ?>>) {
  memref.copy %from, %to : memref<8x12x12xf32>
    to memref<8x12x12xf32, strided<[196, 14, 1], offset: ?>>
  memref.copy %unknown, %slice : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
  return
}
