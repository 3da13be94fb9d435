// RUN: torch-refine-opt %s --lower-vectors | filecheck %s

// A column that is spread over rows: one load for each number, and no shuffle.

func.func @f(%arg0: memref<4x2xf32>, %arg1: index) -> vector<2x16xf32> {
  %0 = ub.poison : f32
  %1 = vector.transfer_read %arg0[%arg1, %arg1], %0 {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, 0)>} : memref<4x2xf32>, vector<2x16xf32>
  return %1 : vector<2x16xf32>
}

// CHECK-LABEL:   func.func @f
// CHECK-NOT:     vector.transfer_read
// CHECK-COUNT-2: memref.load
// CHECK-NOT:     vector.shuffle
// CHECK:         return

// One element that is spread over a vector is loaded, with any strides.
func.func @one(%arg0: memref<7xf32, strided<[?], offset: ?>>, %arg1: index) -> vector<4xf32> {
  %0 = ub.poison : f32
  %1 = vector.transfer_read %arg0[%arg1], %0 {in_bounds = [true], permutation_map = affine_map<(d0) -> (0)>} : memref<7xf32, strided<[?], offset: ?>>, vector<4xf32>
  return %1 : vector<4xf32>
}

// CHECK-LABEL:   func.func @one
// CHECK-NEXT:    %[[ONE:.*]] = memref.load %arg0[%arg1]
// CHECK-NEXT:    vector.broadcast %[[ONE]] : f32 to vector<4xf32>
