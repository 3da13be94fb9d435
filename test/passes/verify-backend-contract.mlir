// RUN: torch-refine-opt %s --split-input-file --torch-verify-backend-contract | filecheck %s

// Sizes may be unknown; ranks and dtypes may not.

func.func @dynamic(%arg0: !torch.vtensor<[2,?],f32>, %arg1: !torch.int) -> !torch.vtensor<[2,?],f32> {
  %0 = torch.aten.tanh %arg0 : !torch.vtensor<[2,?],f32> -> !torch.vtensor<[2,?],f32>
  return %0 : !torch.vtensor<[2,?],f32>
}

// CHECK-LABEL: func.func @dynamic
// CHECK:       torch.aten.tanh
