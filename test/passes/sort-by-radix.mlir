// RUN: torch-refine-opt %s --sort-by-radix | filecheck %s

// Places follow the numbers that are compared, which are the second operand here. Digits of packed items
// are above the places.
func.func @long(%arg0: memref<300x3xi64>, %arg1: memref<300x3xf32>) {
  tm_tensor.sort dimension(0) outs(%arg0, %arg1 : memref<300x3xi64>, memref<300x3xf32>) {
  ^bb0(%i: i64, %j: i64, %a: f32, %b: f32):
    %0 = arith.cmpf ole, %a, %b : f32
    %1 = arith.cmpf uno, %b, %b : f32
    %2 = arith.ori %0, %1 : i1
    tm_tensor.yield %2 : i1
  }
  return
}
// CHECK-LABEL: func.func @long
// CHECK:         %[[ITEMS:.*]] = memref.alloc() : memref<600xi64>
// CHECK:         %[[COUNTS:.*]] = memref.alloc() : memref<4x256xindex>
// CHECK:         scf.parallel (%[[COLUMN:.*]]) =
// CHECK:           scf.for
// CHECK:             memref.load %arg1[%{{.*}}, %[[COLUMN]]]
// CHECK:             arith.bitcast
// CHECK:             arith.shli
// CHECK:             memref.store %{{.*}}, %[[ITEMS]]
// CHECK:           %[[START:.*]] = scf.for %{{.*}} iter_args(%[[FROM:.*]] = %{{.*}})
// CHECK:             scf.if
// CHECK-NEXT:          scf.yield %[[FROM]]
// CHECK:           arith.addi %[[START]]
// CHECK:           memref.store %{{.*}}, %arg0[%{{.*}}, %[[COLUMN]]]
// CHECK:           arith.addi %[[START]]
// CHECK:           memref.store %{{.*}}, %arg1[%{{.*}}, %[[COLUMN]]]
// CHECK-COUNT-4: memref.dealloc
// CHECK-NOT:     tm_tensor

// Keys of 64 bits are not packed.
func.func @long_numbers(%arg0: memref<300xi64>) {
  tm_tensor.sort dimension(0) outs(%arg0 : memref<300xi64>) {
  ^bb0(%a: i64, %b: i64):
    %0 = arith.cmpi uge, %a, %b : i64
    tm_tensor.yield %0 : i1
  }
  return
}
// CHECK-LABEL: func.func @long_numbers
// CHECK:         memref.alloc() : memref<600xi64>
// CHECK:         memref.alloc() : memref<600xi32>
// CHECK:         memref.alloc() : memref<8x256xindex>
// CHECK-NOT:     scf.parallel
// CHECK-NOT:     tm_tensor

// Short rows are ranked, in memory on the stack.
func.func @short(%arg0: memref<5x9xbf16>) {
  tm_tensor.sort dimension(1) outs(%arg0 : memref<5x9xbf16>) {
  ^bb0(%a: bf16, %b: bf16):
    %0 = arith.cmpf oge, %a, %b : bf16
    %1 = arith.cmpf uno, %a, %a : bf16
    %2 = arith.ori %1, %0 : i1
    tm_tensor.yield %2 : i1
  }
  return
}
// CHECK-LABEL: func.func @short
// CHECK-NOT:     memref.alloc()
// CHECK:         %[[KEYS:.*]] = memref.alloca() {alignment = 64 : i64} : memref<16xi16>
// CHECK:         %[[RANKS:.*]] = memref.alloca() {alignment = 64 : i64} : memref<16xi16>
// CHECK:         scf.parallel (%[[ROW:.*]]) =
// CHECK:           vector.load %[[KEYS]]
// CHECK-COUNT-3:   scf.for
// CHECK:           vector.store %{{.*}}, %[[RANKS]]
// CHECK:           %[[NUMBER:.*]] = memref.load %[[RANKS]]
// CHECK:           %[[RANK:.*]] = arith.index_castui %[[NUMBER]]
// CHECK:           memref.store %{{.*}}, %arg0[%[[ROW]], %[[RANK]]]
// CHECK-NOT:     tm_tensor

// A row of one element is sorted.
func.func @one(%arg0: memref<5x1xi32>) {
  tm_tensor.sort dimension(1) outs(%arg0 : memref<5x1xi32>) {
  ^bb0(%a: i32, %b: i32):
    %0 = arith.cmpi sle, %a, %b : i32
    tm_tensor.yield %0 : i1
  }
  return
}
// CHECK-LABEL: func.func @one
// CHECK-NEXT:    return

// Others stay: NaN compares as no key does, equal elements would be swapped, two numbers are compared.
func.func @others(%arg0: memref<50xf32>, %arg1: memref<50xi32>, %arg2: memref<50xi32>) {
  tm_tensor.sort dimension(0) outs(%arg0 : memref<50xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.cmpf ole, %a, %b : f32
    tm_tensor.yield %0 : i1
  }
  tm_tensor.sort dimension(0) outs(%arg1 : memref<50xi32>) {
  ^bb0(%a: i32, %b: i32):
    %0 = arith.cmpi slt, %a, %b : i32
    tm_tensor.yield %0 : i1
  }
  tm_tensor.sort dimension(0) outs(%arg1, %arg2 : memref<50xi32>, memref<50xi32>) {
  ^bb0(%a: i32, %b: i32, %c: i32, %d: i32):
    %0 = arith.cmpi sle, %a, %d : i32
    tm_tensor.yield %0 : i1
  }
  tm_tensor.sort dimension(0) outs(%arg0 : memref<50xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.cmpf ole, %a, %b : f32
    %1 = arith.cmpf uno, %a, %a : f32
    %2 = arith.ori %0, %1 : i1
    tm_tensor.yield %2 : i1
  }
  return
}
// CHECK-LABEL: func.func @others
// CHECK-COUNT-4: tm_tensor.sort

// The first elements are selected by another pass.
func.func @first_two(%arg0: memref<3x50xi32>, %arg1: memref<3x2xi32>) {
  %0 = memref.alloc() : memref<3x50xi32>
  memref.copy %arg0, %0 : memref<3x50xi32> to memref<3x50xi32>
  tm_tensor.sort dimension(1) outs(%0 : memref<3x50xi32>) {
  ^bb0(%a: i32, %b: i32):
    %1 = arith.cmpi sle, %a, %b : i32
    tm_tensor.yield %1 : i1
  }
  %2 = memref.subview %0[0, 0] [3, 2] [1, 1] : memref<3x50xi32> to memref<3x2xi32, strided<[50, 1]>>
  memref.copy %2, %arg1 : memref<3x2xi32, strided<[50, 1]>> to memref<3x2xi32>
  memref.dealloc %0 : memref<3x50xi32>
  return
}
// CHECK-LABEL: func.func @first_two
// CHECK:         tm_tensor.sort
