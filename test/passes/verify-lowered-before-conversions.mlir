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
