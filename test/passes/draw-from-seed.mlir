// RUN: torch-refine-opt %s --torch-draw-from-seed --canonicalize | filecheck %s

// Each operator has a stream of its own. Sizes are those of the operand, or of the list.
func.func @two(%arg0: !torch.vtensor<[?,5],f32>, %arg1: !torch.int) -> (!torch.vtensor<[?,5],f32>, !torch.vtensor<[?],si32>) {
  %zero = torch.constant.float 0.0
  %one = torch.constant.float 1.0
  %int3 = torch.constant.int 3
  %int9 = torch.constant.int 9
  %none = torch.constant.none
  %0 = torch.aten.uniform %arg0, %zero, %one, %none : !torch.vtensor<[?,5],f32>, !torch.float, !torch.float, !torch.none -> !torch.vtensor<[?,5],f32>
  %sizes = torch.prim.ListConstruct %arg1 : (!torch.int) -> !torch.list<int>
  %1 = torch.aten.randint.low %int3, %int9, %sizes, %int3, %none, %none, %none : !torch.int, !torch.int, !torch.list<int>, !torch.int, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[?],si32>
  return %0, %1 : !torch.vtensor<[?,5],f32>, !torch.vtensor<[?],si32>
}
// CHECK-LABEL: func.func @two
// CHECK-SAME:    %arg2: !torch.int)
// CHECK:         %[[SEED:.*]] = torch_c.to_i64 %arg2
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<?x5xf32>)
// CHECK:           %[[ROW:.*]] = linalg.index 0
// CHECK:           %[[COLUMN:.*]] = linalg.index 1
// CHECK:           %[[FIRST:.*]] = arith.muli %[[ROW]], %c5
// CHECK:           arith.addi %[[FIRST]], %[[COLUMN]]
// CHECK:           %[[UNIT:.*]] = arith.mulf %{{.*}}, %cst{{.*}} : f32
// CHECK:         cf.assert %{{.*}}, "a size of random numbers is negative"
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<?xi32>)
// CHECK:           %[[NUMBER:.*]] = arith.trunci %{{.*}} : i64 to i32
// CHECK-NEXT:      linalg.yield %[[NUMBER]] : i32

// What draws nothing takes no seed.
func.func @none(%arg0: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  return %arg0 : !torch.vtensor<[2],f32>
}
// CHECK-LABEL: func.func @none
// CHECK-SAME:    (%arg0: !torch.vtensor<[2],f32>) ->
