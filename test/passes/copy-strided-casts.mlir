// RUN: torch-refine-opt %s --copy-strided-casts | filecheck %s

// CHECK-LABEL: @rows
func.func @rows(%arg0: memref<?x4xf32, strided<[?, 1], offset: ?>>) -> memref<?x4xf32> {
  // CHECK: %[[ROWS:.*]] = memref.dim %arg0, %c0
  // CHECK: %[[COPY:.*]] = memref.alloc(%[[ROWS]]) {alignment = 64 : i64} : memref<?x4xf32>
  // CHECK: memref.copy %arg0, %[[COPY]]
  // CHECK: return %[[COPY]]
  %0 = memref.cast %arg0 : memref<?x4xf32, strided<[?, 1], offset: ?>> to memref<?x4xf32>
  return %0 : memref<?x4xf32>
}

// What is only forgotten needs no copy.

// CHECK-LABEL: @forgotten
// CHECK-NOT: memref.alloc
func.func @forgotten(%arg0: memref<4x4xf32>, %arg1: memref<?x4xf32, strided<[?, 1]>>)
    -> (memref<?x4xf32>, memref<?x4xf32, strided<[?, ?], offset: ?>>) {
  // CHECK: memref.cast %arg0
  // CHECK: memref.cast %arg1
  %0 = memref.cast %arg0 : memref<4x4xf32> to memref<?x4xf32>
  %1 = memref.cast %arg1
    : memref<?x4xf32, strided<[?, 1]>> to memref<?x4xf32, strided<[?, ?], offset: ?>>
  return %0, %1 : memref<?x4xf32>, memref<?x4xf32, strided<[?, ?], offset: ?>>
}

// Memory for what takes any strides is contiguous.

// CHECK-LABEL: @allocated
func.func @allocated(%arg0: index, %stride: index, %offset: index) -> memref<?x4xf32, strided<[?, 1], offset: ?>> {
  // CHECK: %[[MEMORY:.*]] = memref.alloc(%arg0) {alignment = 64 : i64} : memref<?x4xf32>
  // CHECK: memref.cast %[[MEMORY]] : memref<?x4xf32> to memref<?x4xf32, strided<[?, 1], offset: ?>>
  %0 = memref.alloc(%arg0)[%stride, %offset] {alignment = 64 : i64} : memref<?x4xf32, strided<[?, 1], offset: ?>>
  return %0 : memref<?x4xf32, strided<[?, 1], offset: ?>>
}

// Where a callee relies on static strides, the memory that they span is allocated.

// CHECK-LABEL: @static
func.func @static(%offset: index) -> memref<4x7xf32, strided<[35, 1], offset: ?>> {
  // CHECK: %[[MEMORY:.*]] = memref.alloc() {alignment = 64 : i64} : memref<147xf32>
  // CHECK: memref.reinterpret_cast %[[MEMORY]] to offset: [%{{.*}}], sizes: [4, 7], strides: [35, 1] : memref<147xf32> to memref<4x7xf32, strided<[35, 1], offset: ?>>
  %0 = memref.alloc()[%offset] {alignment = 64 : i64} : memref<4x7xf32, strided<[35, 1], offset: ?>>
  return %0 : memref<4x7xf32, strided<[35, 1], offset: ?>>
}

// CHECK-LABEL: @both
func.func @both(%rows: index, %stride: index, %offset: index) -> memref<?x4x7xf32, strided<[?, 9, 1], offset: ?>> {
  // CHECK: %[[MEMORY:.*]] = memref.alloc(%{{.*}}) {alignment = 64 : i64} : memref<?xf32>
  // CHECK: memref.reinterpret_cast %[[MEMORY]] to offset: [%{{.*}}], sizes: [%arg0, 4, 7], strides: [%{{.*}}, 9, 1]
  %0 = memref.alloc(%rows)[%stride, %offset] {alignment = 64 : i64} : memref<?x4x7xf32, strided<[?, 9, 1], offset: ?>>
  return %0 : memref<?x4x7xf32, strided<[?, 9, 1], offset: ?>>
}
