// RUN: torch-refine-opt %s --torch-verify-lowered=before-conversions=true | filecheck %s

// What is converted as PyTorch computes it is left, and so are numbers.

func.func @g(%arg0: !torch.vtensor<[?],f32>) -> (!torch.vtensor<[?],f32>, !torch.int) {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %0 = torch.aten.exp %arg0 : !torch.vtensor<[?],f32> -> !torch.vtensor<[?],f32>
  %1 = torch.aten.size.int %arg0, %int0 : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
  %2 = torch.aten.add.int %1, %int1 : !torch.int, !torch.int -> !torch.int
  return %0, %2 : !torch.vtensor<[?],f32>, !torch.int
}

// CHECK-LABEL: func.func @g
// CHECK:         torch.aten.exp
// CHECK:         torch.aten.add.int

func.func @cast(%arg0: !torch.vtensor<[?],f32>) -> !torch.vtensor<[4],f32> {
  %0 = torch.tensor_static_info_cast %arg0 : !torch.vtensor<[?],f32> to !torch.vtensor<[4],f32>
  return %0 : !torch.vtensor<[4],f32>
}

// CHECK-LABEL: func.func @cast
// CHECK:         torch.tensor_static_info_cast

func.func @list(%arg0: !torch.vtensor<[4],f32>, %arg1: !torch.int) -> !torch.vtensor<[4],f32> {
  %0 = torch.prim.ListConstruct %arg0, %arg0 : (!torch.vtensor<[4],f32>, !torch.vtensor<[4],f32>) -> !torch.list<vtensor<[4],f32>>
  %1 = torch.aten.__getitem__.t %0, %arg1 : !torch.list<vtensor<[4],f32>>, !torch.int -> !torch.vtensor<[4],f32>
  return %1 : !torch.vtensor<[4],f32>
}

// CHECK-LABEL: func.func @list
// CHECK:         torch.aten.__getitem__.t
