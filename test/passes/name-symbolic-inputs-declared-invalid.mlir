// RUN: torch-refine-opt %s "--torch-name-symbolic-inputs=inputs=main:0=[m>=3,4]" --verify-diagnostics

// expected-error @below {{torch-name-symbolic-inputs: torch.symbolic_int declares m from 2 to 9}}
module {
  func.func @main(%arg0: !torch.vtensor<[?,4],f32>, %arg1: !torch.vtensor<[?],f32>) {
    %0 = torch.symbolic_int "m" {min_val = 2, max_val = 9} : !torch.int
    torch.bind_symbolic_shape %arg1, [%0], affine_map<()[s0] -> (s0)> : !torch.vtensor<[?],f32>
    return
  }
}
