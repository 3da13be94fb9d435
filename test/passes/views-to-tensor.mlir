// RUN: torch-refine-opt %s --torch-views-to-tensor | filecheck %s

// Which of the first two sizes is which in the result, nobody can know; the last ones belong together.
func.func @heads(%arg0: !torch.vtensor<[?,?,12],f32>, %a: !torch.int, %b: !torch.int) -> !torch.vtensor<[?,?,3,4],f32> {
  %three = torch.constant.int 3
  %four = torch.constant.int 4
  %0 = torch.prim.ListConstruct %a, %b, %three, %four : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %1 = torch.aten.view %arg0, %0 : !torch.vtensor<[?,?,12],f32>, !torch.list<int> -> !torch.vtensor<[?,?,3,4],f32>
  return %1 : !torch.vtensor<[?,?,3,4],f32>
}
// CHECK-LABEL: func.func @heads
// CHECK-COUNT-2: cf.assert {{.*}} "a size of a view is negative"
// CHECK:         cf.assert {{.*}} "a view has another number of elements"
// CHECK:         tensor.collapse_shape {{.*}} {{\[\[}}0, 1], [2]] : tensor<?x?x12xf32> into tensor<?x12xf32>
// CHECK:         tensor.expand_shape {{.*}} {{\[\[}}0, 1], [2, 3]] output_shape [%{{.*}}, %{{.*}}, 3, 4]

// What is inferred is what is left; whole numbers have no sign.
func.func @inferred(%arg0: !torch.vtensor<[?,4,?],si32>) -> !torch.vtensor<[2,?],si32> {
  %two = torch.constant.int 2
  %rest = torch.constant.int -1
  %0 = torch.prim.ListConstruct %two, %rest : (!torch.int, !torch.int) -> !torch.list<int>
  %1 = torch.aten.reshape %arg0, %0 : !torch.vtensor<[?,4,?],si32>, !torch.list<int> -> !torch.vtensor<[2,?],si32>
  return %1 : !torch.vtensor<[2,?],si32>
}
// CHECK-LABEL: func.func @inferred
// CHECK:         arith.maxui
// CHECK:         %[[REST:.*]] = arith.divui
// CHECK:         cf.assert
// CHECK:         tensor.collapse_shape {{.*}} {{\[\[}}0, 1, 2]] : tensor<?x4x?xi32> into tensor<?xi32>
// CHECK:         tensor.expand_shape {{.*}} {{\[\[}}0, 1]] output_shape [2, %[[REST]]]

// All is known.
func.func @known(%arg0: !torch.vtensor<[2,6],f32>) -> !torch.vtensor<[3,4],f32> {
  %three = torch.constant.int 3
  %four = torch.constant.int 4
  %0 = torch.prim.ListConstruct %three, %four : (!torch.int, !torch.int) -> !torch.list<int>
  %1 = torch.aten.view %arg0, %0 : !torch.vtensor<[2,6],f32>, !torch.list<int> -> !torch.vtensor<[3,4],f32>
  return %1 : !torch.vtensor<[3,4],f32>
}
// CHECK-LABEL: func.func @known
// CHECK:         torch.aten.view
