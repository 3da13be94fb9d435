// RUN: torch-refine-opt %s --check-allocations | filecheck %s

// Sizes that are known are checked by the compiler; that there is memory, by the program.

func.func @known() {
  %0 = memref.alloc() : memref<4xf32>
  memref.dealloc %0 : memref<4xf32>
  return
}

// CHECK-LABEL: func.func @known
// CHECK-NOT:     sitofp
// CHECK:         memref.alloc()
// CHECK-NEXT:    memref.extract_aligned_pointer_as_index
// CHECK:         cf.assert {{.*}}, "cannot allocate {bytes} bytes"
// CHECK-NEXT:    memref.dealloc

// More bytes than 64 bits can count.

func.func @too_large() {
  %0 = memref.alloc() : memref<4294967296x4294967296xf32>
  return
}

// CHECK-LABEL: func.func @too_large
// CHECK-NEXT:    %[[FALSE:.*]] = arith.constant false
// CHECK-NEXT:    cf.assert %[[FALSE]], "a tensor of this size cannot be allocated"

// No size is negative, and their product can be counted.

func.func @unknown(%arg0: index, %arg1: index) {
  %0 = memref.alloc(%arg0, %arg1) : memref<?x3x?xi16>
  return
}

// CHECK-LABEL: func.func @unknown
// CHECK:         %[[SIGNS:.*]] = arith.ori
// CHECK:         arith.cmpi sge, %[[SIGNS]]
// CHECK:         %[[KNOWN:.*]] = arith.constant 6.0
// CHECK:         arith.mulf %[[KNOWN]]
// CHECK:         arith.mulf
// CHECK:         arith.cmpf ole
// CHECK:         cf.assert {{.*}}, "a tensor of this size cannot be allocated"
// CHECK-NEXT:    memref.alloc(

// An address that something else compares is no check.

func.func @compared(%arg0: index, %arg1: index) -> i1 {
  %0 = memref.alloc(%arg0) : memref<?xf32>
  %1 = memref.extract_aligned_pointer_as_index %0 : memref<?xf32> -> index
  %2 = arith.cmpi ne, %1, %arg1 : index
  memref.dealloc %0 : memref<?xf32>
  return %2 : i1
}

// CHECK-LABEL: func.func @compared
// CHECK:         cf.assert {{.*}}, "a tensor of this size cannot be allocated"
// CHECK:         cf.assert {{.*}}, "cannot allocate {bytes} bytes"
