// RUN: torch-refine-opt %s --plan-memory | filecheck %s

// The third buffer lies where the first one was; a view of a buffer counts as a use of it.

func.func @main(%arg0: memref<100xf32>) {
  %a = memref.alloc() : memref<100xf32>
  memref.copy %arg0, %a : memref<100xf32> to memref<100xf32>
  %view = memref.expand_shape %a [[0, 1]] output_shape [10, 10] : memref<100xf32> into memref<10x10xf32>
  %b = memref.alloc() : memref<10x10xf32>
  memref.copy %view, %b : memref<10x10xf32> to memref<10x10xf32>
  %c = memref.alloc() : memref<10x10xf32>
  memref.copy %b, %c : memref<10x10xf32> to memref<10x10xf32>
  %shown = memref.collapse_shape %c [[0, 1]] : memref<10x10xf32> into memref<100xf32>
  memref.copy %shown, %arg0 : memref<100xf32> to memref<100xf32>
  memref.dealloc %a : memref<100xf32>
  memref.dealloc %b : memref<10x10xf32>
  memref.dealloc %c : memref<10x10xf32>
  return
}

// CHECK:       module attributes {torch_refine.workspaces = {main = 896 : i64}}
// CHECK-LABEL: func.func @main
// CHECK-SAME:    %[[MEMORY:[a-z0-9]+]]: memref<896xi8>
// CHECK:         %[[C0:.*]] = arith.constant 0 : index
// CHECK:         memref.view %[[MEMORY]][%[[C0]]][]
// CHECK:         %[[C448:.*]] = arith.constant 448 : index
// CHECK:         memref.view %[[MEMORY]][%[[C448]]][]
// CHECK:         %[[AGAIN:.*]] = arith.constant 0 : index
// CHECK:         memref.view %[[MEMORY]][%[[AGAIN]]][]
// CHECK-NOT:     memref.dealloc

// What is returned, or of a size that is not known, or handed on by a loop, is allocated.

func.func @allocated(%arg0: index, %arg1: memref<4xf32>, %arg2: i1) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc(%arg0) : memref<?xf32>
  %c = memref.alloc() : memref<4xf32>
  %r = scf.for %i = %c0 to %arg0 step %c1 iter_args(%x = %arg1) -> (memref<4xf32>) {
    scf.yield %c : memref<4xf32>
  }
  memref.copy %r, %a : memref<4xf32> to memref<4xf32>
  memref.dealloc %b : memref<?xf32>
  memref.dealloc %c : memref<4xf32>
  return %a : memref<4xf32>
}

// CHECK-LABEL: func.func @allocated
// CHECK-COUNT-3: memref.alloc
// CHECK-NOT:   memref.view

// A constant of a GPU stays where it is between calls.
// CHECK-LABEL: func.func @constant(
// CHECK-SAME: %arg0: memref<4xf32>)
// CHECK: memref.alloc() : memref<4xf32>
memref.global "private" constant @c : memref<4xf32> = dense<1.0>
func.func @constant(%arg0: memref<4xf32>) {
  %0 = memref.get_global @c : memref<4xf32>
  %a = memref.alloc() : memref<4xf32>
  gpu.memcpy %a, %0 : memref<4xf32>, memref<4xf32>
  memref.copy %a, %arg0 : memref<4xf32> to memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return
}
