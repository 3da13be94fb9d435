// RUN: torch-refine-opt %s --mark-noalias | filecheck %s

// A result that is allocated, and a place in a workspace; not what the caller gives.
// CHECK:       func.func private @kernel(%{{.*}}) attributes {torch_refine.noalias = array<i64: 7, 8, 12, 13>}
func.func private @kernel(%arg0: memref<2x4xf32>, %arg1: memref<4xf32>, %arg2: memref<4xf32>) {
  return
}

// In one of the calls, two arguments are one buffer.
// CHECK:       func.func private @in_place(
// CHECK-NOT:     noalias
// CHECK:         return
func.func private @in_place(%arg0: memref<4xf32>, %arg1: memref<4xf32>) {
  return
}

// One of the buffers may be any.
// CHECK:       func.func private @unknown(
// CHECK-NOT:     noalias
// CHECK:         return
func.func private @unknown(%arg0: memref<4xf32>, %arg1: memref<4xf32>) {
  return
}

func.func @main(%arg0: memref<2x4xf32>, %arg1: memref<64xi8>, %arg2: i1, %arg3: memref<4xf32>) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %view = memref.view %arg1[%c0][] : memref<64xi8> to memref<4xf32>
  %alloc = memref.alloc() : memref<4xf32>
  call @kernel(%arg0, %view, %alloc) : (memref<2x4xf32>, memref<4xf32>, memref<4xf32>) -> ()
  %cast = memref.cast %view : memref<4xf32> to memref<4xf32>
  call @in_place(%view, %alloc) : (memref<4xf32>, memref<4xf32>) -> ()
  call @in_place(%view, %cast) : (memref<4xf32>, memref<4xf32>) -> ()
  %some = arith.select %arg2, %alloc, %arg3 : memref<4xf32>
  call @unknown(%some, %alloc) : (memref<4xf32>, memref<4xf32>) -> ()
  return %alloc : memref<4xf32>
}
