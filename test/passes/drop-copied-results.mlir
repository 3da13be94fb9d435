// RUN: torch-refine-opt %s --drop-copied-results | filecheck %s

!strided = memref<?x4xf32, strided<[?, 1], offset: ?>>

func.func private @written(%memory: !strided, %number: f32) -> (f32, memref<?x4xf32>) {
  linalg.fill ins(%number : f32) outs(%memory : !strided)
  %c0 = arith.constant 0 : index
  %size = memref.dim %memory, %c0 : !strided
  %copy = memref.alloc(%size) : memref<?x4xf32>
  memref.copy %memory, %copy : !strided to memref<?x4xf32>
  return %number, %copy : f32, memref<?x4xf32>
}
// CHECK-LABEL: func.func private @written
// CHECK-SAME:    -> f32 {
// CHECK-NOT:     memref.alloc
// CHECK:         return %arg1 : f32

// Something else is done to the copy: it is not the argument any more.
func.func private @changed(%memory: !strided, %number: f32) -> memref<?x4xf32> {
  %c0 = arith.constant 0 : index
  %size = memref.dim %memory, %c0 : !strided
  %copy = memref.alloc(%size) : memref<?x4xf32>
  memref.copy %memory, %copy : !strided to memref<?x4xf32>
  linalg.fill ins(%number : f32) outs(%copy : memref<?x4xf32>)
  return %copy : memref<?x4xf32>
}
// CHECK-LABEL: func.func private @changed
// CHECK:         return %{{.*}} : memref<?x4xf32>

// A caller reads the copy: it stays.
func.func private @read(%memory: !strided, %number: f32) -> memref<?x4xf32> {
  linalg.fill ins(%number : f32) outs(%memory : !strided)
  %c0 = arith.constant 0 : index
  %size = memref.dim %memory, %c0 : !strided
  %copy = memref.alloc(%size) : memref<?x4xf32>
  memref.copy %memory, %copy : !strided to memref<?x4xf32>
  return %copy : memref<?x4xf32>
}
// CHECK-LABEL: func.func private @read
// CHECK:         return %{{.*}} : memref<?x4xf32>

func.func @main(%a: !strided, %b: !strided, %number: f32, %target: memref<?x4xf32>) -> (f32, memref<?x4xf32>, memref<?x4xf32>) {
  %0:2 = call @written(%a, %number) : (!strided, f32) -> (f32, memref<?x4xf32>)
  memref.copy %0#1, %target : memref<?x4xf32> to memref<?x4xf32>
  %1 = call @changed(%a, %number) : (!strided, f32) -> memref<?x4xf32>
  %2 = call @read(%b, %number) : (!strided, f32) -> memref<?x4xf32>
  return %0#0, %1, %2 : f32, memref<?x4xf32>, memref<?x4xf32>
}
// CHECK-LABEL: func.func @main
// CHECK:         %[[NUMBER:.*]] = call @written(%arg0, %arg2) : ({{.*}}) -> f32
// CHECK:         memref.copy %arg0, %arg3
// CHECK:         return %[[NUMBER]]

// An argument whose dimensions were collapsed, and expanded to its own sizes; the other has others.

func.func private @collapsed(%arg0: memref<?x3x?xf32>, %arg1: memref<?x?xf32>, %arg2: f32) -> (memref<?x3x?xf32>, memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = memref.collapse_shape %arg0 [[0, 1, 2]] : memref<?x3x?xf32> into memref<?xf32>
  linalg.fill ins(%arg2 : f32) outs(%0 : memref<?xf32>)
  %1 = memref.dim %arg0, %c0 : memref<?x3x?xf32>
  %2 = memref.dim %arg0, %c2 : memref<?x3x?xf32>
  %3 = memref.expand_shape %0 [[0, 1, 2]] output_shape [%1, 3, %2] : memref<?xf32> into memref<?x3x?xf32>
  %4 = memref.collapse_shape %arg1 [[0, 1]] : memref<?x?xf32> into memref<?xf32>
  %5 = memref.dim %arg1, %c0 : memref<?x?xf32>
  %6 = memref.dim %arg1, %c1 : memref<?x?xf32>
  %7 = memref.expand_shape %4 [[0, 1]] output_shape [%6, %5] : memref<?xf32> into memref<?x?xf32>
  return %3, %7 : memref<?x3x?xf32>, memref<?x?xf32>
}

// CHECK-LABEL: func.func private @collapsed
// CHECK:       %[[TURNED:.+]] = memref.expand_shape %{{.+}} : memref<?xf32> into memref<?x?xf32>
// CHECK:       return %arg0, %[[TURNED]]
