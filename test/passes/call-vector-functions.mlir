// RUN: torch-refine-opt %s --call-vector-functions --split-input-file | filecheck %s
// RUN: torch-refine-opt %s --call-vector-functions --call-vector-functions --split-input-file | filecheck %s

// A variant takes the slow case if any element does. The default target has vectors of 256 bits.

// CHECK-LABEL: func.func @math_cos_f64x2(
// CHECK-LABEL: func.func @math_cos_f64x4(
// CHECK:       %[[ANY:.+]] = vector.reduction <or>, %[[FAR:.+]] : vector<4xi1> into i1
// CHECK:       scf.if %[[ANY]] -> (vector<4xf64>)
// CHECK-NEXT:    %[[ALL:.+]] = math.cos %{{.+}} {torch_refine.far} : vector<4xf64>
// CHECK-NEXT:    arith.select %[[FAR]], %[[ALL]], %{{.+}} : vector<4xi1>, vector<4xf64>
// CHECK-LABEL: func.func @math_cos_f64(
// CHECK-SAME:  ["vector-function-abi-variant", "_ZGV_LLVM_N4v_math_cos_f64(math_cos_f64x4),_ZGV_LLVM_N2v_math_cos_f64(math_cos_f64x2)"]
// CHECK:       scf.if %{{.+}} -> (f64)
// CHECK-LABEL: func.func @math_sin_f32x4(
// CHECK-LABEL: func.func @math_sin_f32x8(
// CHECK-LABEL: func.func @math_sin_f32(

func.func @elements(%arg0: f32, %arg1: f64) -> (f32, f64, f32) {
  %0 = math.sin %arg0 : f32
  %1 = math.cos %arg1 : f64
  %2 = math.sin %0 : f32
  return %0, %1, %2 : f32, f64, f32
}

// CHECK-LABEL: func.func @elements(
// CHECK:       call @math_sin_f32(
// CHECK:       call @math_cos_f64(
// CHECK:       call @math_sin_f32(

// Of vectors only those that have a variant.

func.func @vectors(%arg0: vector<8xf32>, %arg1: vector<3xf32>) -> (vector<8xf32>, vector<3xf32>) {
  %0 = math.sin %arg0 : vector<8xf32>
  %1 = math.sin %arg1 : vector<3xf32>
  return %0, %1 : vector<8xf32>, vector<3xf32>
}

// CHECK-LABEL: func.func @vectors(
// CHECK:       call @math_sin_f32x8(
// CHECK:       math.sin %{{.+}} : vector<3xf32>

// Others have no slow case.

func.func @others(%arg0: f64, %arg1: f32) -> (f64, f32) {
  %0 = math.tan %arg0 : f64
  %1 = math.exp %arg1 : f32
  return %0, %1 : f64, f32
}

// CHECK-LABEL: func.func @others(
// CHECK:       math.tan
// CHECK:       math.exp

// Names of the program are not taken.

// -----

func.func private @math_tan_f32x8(f32) -> f32

func.func @named(%arg0: f32) -> f32 {
  %0 = call @math_tan_f32x8(%arg0) : (f32) -> f32
  %1 = math.tan %0 : f32
  return %1 : f32
}

// CHECK-LABEL: func.func @math_tan_f32_1x4(
// CHECK-LABEL: func.func @math_tan_f32_1x8(
// CHECK-LABEL: func.func @math_tan_f32_1(
// CHECK-LABEL: func.func @named(
// CHECK:       call @math_tan_f32x8(
// CHECK:       call @math_tan_f32_1(
