// RUN: torch-refine-opt %s --torch-strip-symbolic-shapes | filecheck %s

// A size that is used for something else stays.

func.func @f(%arg0: !torch.vtensor<[?],f32>, %arg1: !torch.vtensor<[?],f32>) -> !torch.int {
  %0 = torch.symbolic_int "s0" {min_val = 1, max_val = 64} : !torch.int
  %1 = torch.symbolic_int "s1" {min_val = 1, max_val = 64} : !torch.int
  torch.bind_symbolic_shape %arg0, [%0], affine_map<()[s0] -> (s0)> : !torch.vtensor<[?],f32>
  torch.bind_symbolic_shape %arg1, [%1], affine_map<()[s0] -> (s0)> : !torch.vtensor<[?],f32>
  return %1 : !torch.int
}

// CHECK-LABEL: func.func @f
// CHECK-NEXT:  %[[SIZE:.*]] = torch.symbolic_int "s1"
// CHECK-NEXT:  return %[[SIZE]]
