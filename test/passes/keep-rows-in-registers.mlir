// RUN: torch-refine-opt %s --keep-rows-in-registers --canonicalize --cse | filecheck %s

#row = affine_map<(d0) -> (d0)>
#one = affine_map<(d0) -> ()>

// A row of 65 numbers is a warp's, and the last of its three numbers is that of one thread only.
func.func @warp(%arg0: memref<?x65xf32>, %arg1: memref<?x65xf32>, %arg2: index) {
  scf.forall (%i) in (%arg2) {
    %in = memref.subview %arg0[%i, 0] [1, 65] [1, 1] : memref<?x65xf32> to memref<65xf32, strided<[1], offset: ?>>
    %out = memref.subview %arg1[%i, 0] [1, 65] [1, 1] : memref<?x65xf32> to memref<65xf32, strided<[1], offset: ?>>
    %cst = arith.constant 0.0 : f32
    %sum = memref.alloca() : memref<f32>
    linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%cst : f32) outs(%sum : memref<f32>) {
    ^bb0(%a: f32, %b: f32):
      linalg.yield %a : f32
    }
    linalg.generic {indexing_maps = [#row, #one], iterator_types = ["reduction"]} ins(%in : memref<65xf32, strided<[1], offset: ?>>) outs(%sum : memref<f32>) {
    ^bb0(%a: f32, %b: f32):
      %0 = arith.addf %a, %b : f32
      linalg.yield %0 : f32
    }
    linalg.generic {indexing_maps = [#row, #one, #row], iterator_types = ["parallel"]} ins(%in, %sum : memref<65xf32, strided<[1], offset: ?>>, memref<f32>) outs(%out : memref<65xf32, strided<[1], offset: ?>>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %0 = arith.divf %a, %b : f32
      linalg.yield %0 : f32
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return
}
// CHECK-LABEL: func.func @warp
// CHECK:         %[[BLOCKS:.*]] = arith.divui %{{.*}}, %c8
// CHECK:         scf.forall (%[[BLOCK:.*]]) in (%[[BLOCKS]])
// CHECK:           scf.forall (%[[THREAD:.*]]) in (256)
// CHECK:             %[[LANE:.*]] = arith.remui %[[THREAD]], %c32
// CHECK:             %[[INSIDE:.*]] = arith.cmpi slt, %{{.*}}, %c65
// CHECK:             arith.minsi %{{.*}}, %c64
// CHECK:             %[[HAS_ROW:.*]] = arith.cmpi slt, %{{.*}}, %arg2
// CHECK-COUNT-3:     memref.load
// CHECK-NOT:         memref.load
// CHECK:             arith.select %[[INSIDE]]
// CHECK:             gpu.shuffle xor %{{.*}}, %c16_i32, %c32_i32
// CHECK-COUNT-4:     gpu.shuffle xor
// CHECK-NOT:         gpu.barrier
// CHECK:             scf.if %[[HAS_ROW]]
// CHECK-COUNT-2:       memref.store
// CHECK:             %[[BOTH:.*]] = arith.andi %[[INSIDE]], %[[HAS_ROW]]
// CHECK:             scf.if %[[BOTH]]

// A row of 4096 numbers of 16 bits is a block's, whose warps combine their results in shared memory.
func.func @block(%arg0: memref<9x4096xbf16>, %arg1: memref<9xbf16>) {
  scf.forall (%i) in (9) {
    %in = memref.subview %arg0[%i, 0] [1, 4096] [1, 1] : memref<9x4096xbf16> to memref<4096xbf16, strided<[1], offset: ?>>
    %out = memref.subview %arg1[%i] [1] [1] : memref<9xbf16> to memref<bf16, strided<[], offset: ?>>
    linalg.generic {indexing_maps = [#row, #one], iterator_types = ["reduction"]} ins(%in : memref<4096xbf16, strided<[1], offset: ?>>) outs(%out : memref<bf16, strided<[], offset: ?>>) {
    ^bb0(%a: bf16, %b: bf16):
      %0 = arith.maximumf %a, %b : bf16
      linalg.yield %0 : bf16
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return
}
// CHECK-LABEL: func.func @block
// CHECK:         scf.forall (%{{.*}}) in (9)
// CHECK:           %[[SHARED:.*]] = memref.alloca() : memref<8xbf16>
// CHECK:           scf.forall
// CHECK-COUNT-2:     vector.load %{{.*}} : memref<4096xbf16, strided<[1], offset: ?>>, vector<8xbf16>
// CHECK:             arith.extui %{{.*}} : i16 to i32
// CHECK:             gpu.shuffle
// CHECK:             scf.if
// CHECK:               memref.store %{{.*}}, %[[SHARED]]
// CHECK:             gpu.barrier
// CHECK-COUNT-8:     memref.load %[[SHARED]]
// CHECK-NOT:         gpu.barrier
// CHECK:             scf.if
// CHECK:               memref.store
// CHECK-NOT:         gpu.barrier

// The elements of a slice may not be aligned to vectors.
func.func @slice(%arg0: memref<9x8xf32, strided<[9, 1], offset: 1>>, %arg1: memref<9xf32>) {
  scf.forall (%i) in (9) {
    %in = memref.subview %arg0[%i, 0] [1, 8] [1, 1] : memref<9x8xf32, strided<[9, 1], offset: 1>> to memref<8xf32, strided<[1], offset: ?>>
    %out = memref.subview %arg1[%i] [1] [1] : memref<9xf32> to memref<f32, strided<[], offset: ?>>
    linalg.generic {indexing_maps = [#row, #one], iterator_types = ["reduction"]} ins(%in : memref<8xf32, strided<[1], offset: ?>>) outs(%out : memref<f32, strided<[], offset: ?>>) {
    ^bb0(%a: f32, %b: f32):
      %0 = arith.addf %a, %b : f32
      linalg.yield %0 : f32
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return
}
// CHECK-LABEL: func.func @slice
// CHECK-NOT:     vector.load

// A row of unknown length stays as it is.
func.func @dynamic(%arg0: memref<9x?xf32>, %arg1: memref<9xf32>, %arg2: index) {
  scf.forall (%i) in (9) {
    %in = memref.subview %arg0[%i, 0] [1, %arg2] [1, 1] : memref<9x?xf32> to memref<?xf32, strided<[1], offset: ?>>
    %out = memref.subview %arg1[%i] [1] [1] : memref<9xf32> to memref<f32, strided<[], offset: ?>>
    linalg.generic {indexing_maps = [#row, #one], iterator_types = ["reduction"]} ins(%in : memref<?xf32, strided<[1], offset: ?>>) outs(%out : memref<f32, strided<[], offset: ?>>) {
    ^bb0(%a: f32, %b: f32):
      %0 = arith.addf %a, %b : f32
      linalg.yield %0 : f32
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return
}
// CHECK-LABEL: func.func @dynamic
// CHECK:         linalg.generic

// A sum of all elements is a row of its own, with the fill of its result.
func.func @all(%arg0: memref<300xf32>, %arg1: memref<f32>, %arg2: f32) {
  linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%arg2 : f32) outs(%arg1 : memref<f32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  linalg.generic {indexing_maps = [#row, #one], iterator_types = ["reduction"]} ins(%arg0 : memref<300xf32>) outs(%arg1 : memref<f32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  }
  return
}
// CHECK-LABEL: func.func @all
// CHECK:         scf.forall (%{{.*}}) in (1)
// CHECK:           vector.load
// CHECK-COUNT-5:   gpu.shuffle
// CHECK:           %[[SUM:.*]] = arith.addf %arg2
// CHECK:           memref.store %[[SUM]], %arg1[]

// Of equal elements the first one counts, whichever thread has it; NaN is the greatest.
func.func @first(%arg0: memref<64x16xf32>, %arg1: memref<64xf32>, %arg2: memref<64xi64>) {
  scf.forall (%i) in (64) {
    %in = memref.subview %arg0[%i, 0] [1, 16] [1, 1] : memref<64x16xf32> to memref<16xf32, strided<[1], offset: ?>>
    %best = memref.subview %arg1[%i] [1] [1] : memref<64xf32> to memref<f32, strided<[], offset: ?>>
    %place = memref.subview %arg2[%i] [1] [1] : memref<64xi64> to memref<i64, strided<[], offset: ?>>
    linalg.generic {indexing_maps = [#row, #one, #one], iterator_types = ["reduction"]} ins(%in : memref<16xf32, strided<[1], offset: ?>>) outs(%best, %place : memref<f32, strided<[], offset: ?>>, memref<i64, strided<[], offset: ?>>) {
    ^bb0(%a: f32, %b: f32, %c: i64):
      %0 = linalg.index 0 : index
      %1 = arith.index_cast %0 : index to i64
      %2 = arith.maximumf %a, %b : f32
      %3 = arith.cmpf ugt, %a, %b : f32
      %4 = arith.cmpf ord, %b, %b : f32
      %5 = arith.andi %3, %4 : i1
      %6 = arith.select %5, %1, %c : i64
      linalg.yield %2, %6 : f32, i64
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return
}
// CHECK-LABEL: func.func @first
// CHECK:         gpu.shuffle xor %{{.*}} : f32
// CHECK:         gpu.shuffle xor %{{.*}} : i64
// CHECK:         arith.cmpi slt
// CHECK:         arith.select
// CHECK:         scf.if
// CHECK:           memref.store
// CHECK:           memref.store
