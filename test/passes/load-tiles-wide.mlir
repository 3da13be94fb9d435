// RUN: torch-refine-opt %s --load-tiles-wide | filecheck %s

#identity = affine_map<(d0, d1) -> (d0, d1)>
#sum = affine_map<(d0)[s0] -> (d0 + s0)>
#sixteen = affine_map<(d0) -> (d0 * 16)>

// Half numbers come in eights. The tile's own rows may lie apart.
func.func @from_a_loop(%arg0: memref<?x72xf16>, %arg1: memref<64x32xf16, strided<[40, 1]>>, %rows: index) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c72 = arith.constant 72 : index
  %zero = arith.constant 0.0 : f16
  scf.for %k = %c0 to %c72 step %c32 {
    linalg.generic {indexing_maps = [#identity], iterator_types = ["parallel", "parallel"]} outs(%arg1 : memref<64x32xf16, strided<[40, 1]>>) attrs = {torch_refine.tile} {
    ^bb0(%out: f16):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %column = affine.apply #sum(%k)[%j]
      %row_there = arith.cmpi slt, %i, %rows : index
      %column_there = arith.cmpi slt, %column, %c72 : index
      %there = arith.andi %row_there, %column_there : i1
      %number = scf.if %there -> (f16) {
        %loaded = memref.load %arg0[%i, %column] : memref<?x72xf16>
        scf.yield %loaded : f16
      } else {
        scf.yield %zero : f16
      }
      linalg.yield %number : f16
    }
  }
  return
}
// CHECK-LABEL: func.func @from_a_loop
// CHECK:         scf.parallel (%[[I:.*]], %[[J:.*]]) =
// CHECK:           %[[FIRST:.*]] = arith.muli %[[J]]
// CHECK:           %[[COLUMN:.*]] = affine.apply {{.*}}[%[[FIRST]]]
// CHECK:           %[[LOADED:.*]] = scf.if {{.*}} -> (vector<8xf16>)
// CHECK:             vector.load %arg0[%[[I]], %[[COLUMN]]]
// CHECK:           vector.store %[[LOADED]], %arg1[%[[I]], %[[FIRST]]]

// Rows end in the middle of four numbers.
func.func @odd_rows(%arg0: memref<64x30xf32>, %arg1: memref<64x32xf32>) {
  %c30 = arith.constant 30 : index
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [#identity], iterator_types = ["parallel", "parallel"]} outs(%arg1 : memref<64x32xf32>) attrs = {torch_refine.tile} {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %there = arith.cmpi slt, %j, %c30 : index
    %number = scf.if %there -> (f32) {
      %loaded = memref.load %arg0[%i, %j] : memref<64x30xf32>
      scf.yield %loaded : f32
    } else {
      scf.yield %zero : f32
    }
    linalg.yield %number : f32
  }
  return
}
// CHECK-LABEL: func.func @odd_rows
// CHECK:         linalg.generic

// Rows are whole fours, but the tile starts anywhere in them.
func.func @anywhere(%arg0: memref<64x64xf32>, %arg1: memref<64x32xf32>, %start: index) {
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [#identity], iterator_types = ["parallel", "parallel"]} outs(%arg1 : memref<64x32xf32>) attrs = {torch_refine.tile} {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %column = arith.addi %start, %j : index
    %there = arith.cmpi slt, %column, %c64 : index
    %number = scf.if %there -> (f32) {
      %loaded = memref.load %arg0[%i, %column] : memref<64x64xf32>
      scf.yield %loaded : f32
    } else {
      scf.yield %zero : f32
    }
    linalg.yield %number : f32
  }
  return
}
// CHECK-LABEL: func.func @anywhere
// CHECK:         linalg.generic

// The numbers lie below each other.
func.func @transposed(%arg0: memref<64x64xf32>, %arg1: memref<64x64xf32>) {
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [#identity], iterator_types = ["parallel", "parallel"]} outs(%arg1 : memref<64x64xf32>) attrs = {torch_refine.tile} {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %there = arith.cmpi slt, %j, %c64 : index
    %number = scf.if %there -> (f32) {
      %loaded = memref.load %arg0[%j, %i] : memref<64x64xf32>
      scf.yield %loaded : f32
    } else {
      scf.yield %zero : f32
    }
    linalg.yield %number : f32
  }
  return
}
// CHECK-LABEL: func.func @transposed
// CHECK:         linalg.generic

// Threads that read several rows read 16 bytes of a column at a time, if columns are contiguous.
func.func @read_by_rows(%arg0: memref<64x64xf32>, %row: index, %column: index) -> vector<4x4xf32> {
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %tile = memref.alloca() : memref<64x16xf32>
  linalg.generic {indexing_maps = [#identity], iterator_types = ["parallel", "parallel"]} outs(%tile : memref<64x16xf32>) attrs = {torch_refine.tile} {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %there = arith.cmpi slt, %j, %c64 : index
    %number = scf.if %there -> (f32) {
      %loaded = memref.load %arg0[%i, %j] : memref<64x64xf32>
      scf.yield %loaded : f32
    } else {
      scf.yield %zero : f32
    }
    linalg.yield %number : f32
  }
  %read = vector.transfer_read %tile[%row, %column], %zero {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (0, d0)>} : memref<64x16xf32>, vector<4x4xf32>
  return %read : vector<4x4xf32>
}
// CHECK-LABEL: func.func @read_by_rows
// CHECK:         %[[MEMORY:.*]] = memref.alloca() : memref<16x68xf32>
// CHECK:         %[[TURNED:.*]] = memref.transpose %[[MEMORY]]
// CHECK:         %[[TILE:.*]] = memref.subview %[[TURNED]]
// CHECK:         vector.load %arg0
// CHECK-NOT:     vector.store
// CHECK-COUNT-4: memref.store %{{.*}}, %[[TILE]]
// CHECK:         vector.transfer_read %[[TILE]]

// The same for a tile with a unit dimension, which is dropped where it is written. The elements of
// a part of a row begin at a multiple of its size.
func.func @part(%arg0: memref<64x512xf32>, %part: index, %row: index, %column: index) -> vector<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %tile = memref.alloca() : memref<1x64x16xf32>
  %view = memref.subview %tile[0, 0, 0] [1, 64, 16] [1, 1, 1] : memref<1x64x16xf32> to memref<64x16xf32, strided<[16, 1]>>
  linalg.generic {indexing_maps = [#identity], iterator_types = ["parallel", "parallel"]} outs(%view : memref<64x16xf32, strided<[16, 1]>>) attrs = {torch_refine.tile} {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %at = affine.apply affine_map<(d0)[s0] -> (d0 * 64 + s0)>(%part)[%j]
    %loaded = memref.load %arg0[%i, %at] : memref<64x512xf32>
    linalg.yield %loaded : f32
  }
  %read = vector.transfer_read %tile[%row, %row, %column], %zero {in_bounds = [true, true], permutation_map = affine_map<(d0, d1, d2) -> (0, d1)>} : memref<1x64x16xf32>, vector<4x4xf32>
  return %read : vector<4x4xf32>
}
// CHECK-LABEL: func.func @part
// CHECK:         memref.alloca() : memref<1x16x68xf32>
// CHECK:         vector.load %arg0
// CHECK:         vector.transfer_read {{.*}} strided<[1088, 1, 68]>>, vector<4x4xf32>
