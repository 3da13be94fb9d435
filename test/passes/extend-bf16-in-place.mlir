// RUN: torch-refine-opt %s --extend-bf16-in-place | filecheck %s

func.func @f(%arg0: memref<4xbf16>, %arg1: index) -> (f32, f32) {
  %0 = vector.load %arg0[%arg1] : memref<4xbf16>, vector<4xbf16>
  %1 = vector.extract %0[2] : bf16 from vector<4xbf16>
  %2 = arith.extf %1 : bf16 to f32
  %3 = vector.extract %0[3] : bf16 from vector<4xbf16>
  %4 = arith.extf %3 : bf16 to f32
  return %2, %4 : f32, f32
}
// CHECK-LABEL: func.func @f
// CHECK:         %[[WORDS:.*]] = vector.bitcast %{{.*}} : vector<4xbf16> to vector<2xi32>
// CHECK:         %[[W0:.*]] = vector.extract %[[WORDS]][1]
// CHECK:         %[[C16:.*]] = arith.constant 16 : i32
// CHECK:         %[[LOW:.*]] = arith.shli %[[W0]], %[[C16]]
// CHECK:         %[[A:.*]] = arith.bitcast %[[LOW]] : i32 to f32
// CHECK:         %[[MASK:.*]] = arith.constant -65536 : i32
// CHECK:         %[[HIGH:.*]] = arith.andi %{{.*}}, %[[MASK]]
// CHECK:         %[[B:.*]] = arith.bitcast %[[HIGH]] : i32 to f32
// CHECK:         return %[[A]], %[[B]]

// Not a whole number of words; another type; a vector that is no load.
func.func @others(%arg0: memref<4xbf16>, %arg1: memref<4xf16>, %arg2: vector<4xbf16>, %arg3: index) -> (f32, f32, f32) {
  %0 = vector.load %arg0[%arg3] : memref<4xbf16>, vector<3xbf16>
  %1 = vector.extract %0[2] : bf16 from vector<3xbf16>
  %2 = arith.extf %1 : bf16 to f32
  %3 = vector.load %arg1[%arg3] : memref<4xf16>, vector<4xf16>
  %4 = vector.extract %3[2] : f16 from vector<4xf16>
  %5 = arith.extf %4 : f16 to f32
  %6 = vector.extract %arg2[2] : bf16 from vector<4xbf16>
  %7 = arith.extf %6 : bf16 to f32
  return %2, %5, %7 : f32, f32, f32
}
// CHECK-LABEL: func.func @others
// CHECK-NOT:     bitcast
// CHECK-COUNT-3: arith.extf
