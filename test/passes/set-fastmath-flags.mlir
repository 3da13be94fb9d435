// RUN: torch-refine-opt %s --set-fastmath-flags | filecheck %s
// RUN: torch-refine-opt %s --set-fastmath-flags=fast-math | filecheck %s --check-prefix=FAST

// What is added to memory may be added in any order; other sums may not.

func.func @f(%arg0: memref<f32>, %arg1: f32, %arg2: f32) -> f32 {
  %0 = memref.load %arg0[] : memref<f32>
  %1 = arith.addf %0, %arg1 : f32
  memref.store %1, %arg0[] : memref<f32>
  %2 = arith.addf %arg1, %arg2 : f32
  %3 = arith.divf %2, %arg2 : f32
  return %3 : f32
}

// CHECK:      arith.addf %{{.*}}, %arg1 fastmath<reassoc,contract>
// CHECK:      arith.addf %arg1, %arg2 fastmath<contract>
// CHECK-NEXT: arith.divf %{{.*}}, %arg2 : f32

// FAST:       arith.addf %{{.*}}, %arg1 fastmath<reassoc,nsz,arcp,contract,afn>
// FAST:       arith.divf %{{.*}}, %arg2 fastmath<reassoc,nsz,arcp,contract,afn> : f32
