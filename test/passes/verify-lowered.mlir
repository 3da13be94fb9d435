// RUN: torch-refine-opt %s --torch-verify-lowered | filecheck %s

// Constants are converted with the types, later.

func.func @f() -> !torch.vtensor<[],f32> {
  %0 = torch.vtensor.literal(dense<1.0> : tensor<f32>) : !torch.vtensor<[],f32>
  return %0 : !torch.vtensor<[],f32>
}

// CHECK-LABEL: func.func @f
// CHECK-NEXT:  torch.vtensor.literal
