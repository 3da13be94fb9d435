// RUN: torch-refine-opt %s --simplify-copies | filecheck %s

// A copy of a copy reads the source, and the buffer between goes.
// CHECK-LABEL: func.func @chain
// CHECK-SAME:      %[[SOURCE:.*]]: memref<4xf32>
// CHECK:         %[[ALLOC:.*]] = memref.alloc
// CHECK-NEXT:    memref.copy %[[SOURCE]], %[[ALLOC]]
// CHECK-NEXT:    return %[[ALLOC]]
func.func @chain(%source: memref<4xf32>) -> memref<4xf32> {
  %0 = memref.alloc() : memref<4xf32>
  %1 = memref.alloc() : memref<4xf32>
  %2 = memref.alloc() : memref<4xf32>
  memref.copy %source, %0 : memref<4xf32> to memref<4xf32>
  memref.copy %0, %1 : memref<4xf32> to memref<4xf32>
  memref.copy %1, %2 : memref<4xf32> to memref<4xf32>
  return %2 : memref<4xf32>
}

// What is written between is not what was copied.
// CHECK-LABEL: func.func @written
// CHECK-SAME:      %[[SOURCE:.*]]: memref<4xf32>, %[[F:.*]]: f32
// CHECK:         memref.copy %[[SOURCE]], %[[ALLOC:.*]] :
// CHECK-NEXT:    linalg.fill
// CHECK:         memref.copy %[[ALLOC]],
func.func @written(%source: memref<4xf32>, %f: f32) -> memref<4xf32> {
  %0 = memref.alloc() : memref<4xf32>
  memref.copy %source, %0 : memref<4xf32> to memref<4xf32>
  linalg.fill ins(%f : f32) outs(%source : memref<4xf32>)
  %1 = memref.alloc() : memref<4xf32>
  memref.copy %0, %1 : memref<4xf32> to memref<4xf32>
  return %1 : memref<4xf32>
}

// So with a copy to a view of the source's memory.
// CHECK-LABEL: func.func @written_by_copy
// CHECK-COUNT-3: memref.copy
func.func @written_by_copy(%other: memref<2xf32>) -> (memref<4xf32>, memref<4xf32>) {
  %source = memref.alloc() : memref<4xf32>
  %0 = memref.alloc() : memref<4xf32>
  memref.copy %source, %0 : memref<4xf32> to memref<4xf32>
  %view = memref.subview %source[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
  memref.copy %other, %view : memref<2xf32> to memref<2xf32, strided<[1]>>
  %1 = memref.alloc() : memref<4xf32>
  memref.copy %0, %1 : memref<4xf32> to memref<4xf32>
  return %1, %source : memref<4xf32>, memref<4xf32>
}

// Two users, or one that reads: the copy stays.
// CHECK-LABEL: func.func @used
// CHECK-COUNT-2: memref.copy
// CHECK:         memref.load
func.func @used(%source: memref<4xf32>, %i: index) -> (memref<4xf32>, f32) {
  %0 = memref.alloc() : memref<4xf32>
  memref.copy %source, %0 : memref<4xf32> to memref<4xf32>
  %1 = memref.alloc() : memref<4xf32>
  memref.copy %0, %1 : memref<4xf32> to memref<4xf32>
  %2 = memref.load %0[%i] : memref<4xf32>
  return %1, %2 : memref<4xf32>, f32
}

// CHECK-LABEL: func.func @unread
// CHECK-NEXT:    return
func.func @unread(%source: memref<4xf32>) {
  %0 = memref.alloc() : memref<4xf32>
  memref.copy %source, %0 : memref<4xf32> to memref<4xf32>
  %1 = memref.alloc() : memref<4xf32>
  memref.copy %0, %1 : memref<4xf32> to memref<4xf32>
  return
}
