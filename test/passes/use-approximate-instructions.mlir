// RUN: torch-refine-opt %s --use-approximate-instructions | filecheck %s

func.func @functions(%arg0: f32) -> (f32, f32, f32, f32) {
  %0 = math.exp %arg0 fastmath<afn> : f32
  %1 = math.exp2 %arg0 fastmath<afn> : f32
  %2 = math.tanh %arg0 fastmath<afn> : f32
  %3 = math.exp %arg0 : f32
  return %0, %1, %2, %3 : f32, f32, f32, f32
}
// CHECK-LABEL: func.func @functions
// CHECK:         %[[POWER:.*]] = arith.mulf %arg0, %{{.*}} : f32
// CHECK:         %[[E:.*]] = llvm.inline_asm asm_dialect = att "ex2.approx.f32 $0, $1;", "=f,f" %[[POWER]]
// CHECK:         %[[E2:.*]] = llvm.inline_asm asm_dialect = att "ex2.approx.f32 $0, $1;", "=f,f" %arg0
// CHECK-NOT:     math.tanh
// CHECK:         rcp.approx.f32
// CHECK:         %[[EXACT:.*]] = math.exp %arg0 : f32
// CHECK:         return %[[E]], %[[E2]], %{{.*}}, %[[EXACT]]

func.func @divisions(%arg0: f32, %arg1: f32) -> (f32, f32) {
  %one = arith.constant 1.0 : f32
  %0 = arith.divf %arg0, %arg1 fastmath<afn> : f32
  %1 = arith.divf %one, %arg0 fastmath<afn> : f32
  return %0, %1 : f32, f32
}
// CHECK-LABEL: func.func @divisions
// CHECK:         llvm.inline_asm asm_dialect = att "div.full.f32 $0, $1, $2;", "=f,f,f" %arg0, %arg1
// CHECK:         llvm.inline_asm asm_dialect = att "rcp.approx.f32 $0, $1;", "=f,f" %arg0

// Three divisions multiply by one reciprocal, of a divisor that is scaled to be near 1.
func.func @shared(%arg0: f32, %arg1: f32, %arg2: f32, %arg3: f32) -> (f32, f32, f32) {
  %0 = arith.divf %arg0, %arg3 fastmath<afn> : f32
  %1 = arith.divf %arg1, %arg3 fastmath<afn> : f32
  %2 = arith.divf %arg2, %arg3 fastmath<afn> : f32
  return %0, %1, %2 : f32, f32, f32
}
// CHECK-LABEL: func.func @shared
// CHECK:         %[[SCALE:.*]] = arith.select
// CHECK:         %[[SCALE2:.*]] = arith.select %{{.*}}, %{{.*}}, %[[SCALE]]
// CHECK:         %[[SCALED:.*]] = arith.mulf %arg3, %[[SCALE2]]
// CHECK:         %[[R:.*]] = llvm.inline_asm asm_dialect = att "rcp.approx.f32 $0, $1;", "=f,f" %[[SCALED]]
// CHECK:         %[[A:.*]] = arith.mulf %arg0, %[[SCALE2]]
// CHECK:         arith.mulf %[[A]], %[[R]]
// CHECK:         arith.mulf %arg1, %[[SCALE2]]
// CHECK:         arith.mulf %arg2, %[[SCALE2]]
// CHECK-NOT:     div
