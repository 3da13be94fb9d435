// RUN: torch-refine-opt %s --scalarize-math | filecheck %s

func.func @f(%arg0: vector<2xf32>, %arg1: f32) -> (vector<2xf32>, f32) {
  %0 = math.powf %arg0, %arg0 : vector<2xf32>
  %1 = math.exp %arg1 : f32
  return %0, %1 : vector<2xf32>, f32
}
// CHECK-LABEL: func.func @f
// CHECK:         %[[A:.*]] = vector.extract %arg0[0]
// CHECK:         %[[B:.*]] = vector.extract %arg0[0]
// CHECK:         %[[P:.*]] = math.powf %[[A]], %[[B]] : f32
// CHECK:         %[[V:.*]] = vector.insert %[[P]], %{{.*}} [0]
// CHECK:         math.powf {{.*}} : f32
// CHECK:         vector.insert %{{.*}}, %[[V]] [1]
// CHECK:         math.exp %arg1 : f32
