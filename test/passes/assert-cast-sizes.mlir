// RUN: torch-refine-opt %s --torch-assert-cast-sizes | filecheck %s

// Only dynamic sizes that become static; a second run adds nothing.
// CHECK-LABEL: func.func @some
// CHECK:         %[[DIM:.*]] = torch.constant.int 1
// CHECK:         torch.aten.size.int %arg0, %[[DIM]]
// CHECK:         %[[HELD:.*]] = arith.cmpi eq
// CHECK-NEXT:    cf.assert %[[HELD]], "size 1 of a tensor was assumed to be 2"
// CHECK-NOT:     cf.assert
// CHECK:         torch.tensor_static_info_cast %arg0 {torch_refine.checked}
func.func @some(%arg0: !torch.vtensor<[3,?,?],f32>) -> !torch.vtensor<[3,2,?],f32> {
  %0 = torch.tensor_static_info_cast %arg0 : !torch.vtensor<[3,?,?],f32> to !torch.vtensor<[3,2,?],f32>
  return %0 : !torch.vtensor<[3,2,?],f32>
}

// CHECK-LABEL: func.func @fewer
// CHECK-NOT:     cf.assert
// CHECK:         return
func.func @fewer(%arg0: !torch.vtensor<[3],f32>) -> !torch.vtensor<[?],f32> {
  %0 = torch.tensor_static_info_cast %arg0 : !torch.vtensor<[3],f32> to !torch.vtensor<[?],f32>
  return %0 : !torch.vtensor<[?],f32>
}
