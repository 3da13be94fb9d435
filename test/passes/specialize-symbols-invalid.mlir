// RUN: torch-refine-opt %s --split-input-file --torch-specialize-symbols="batch=7" --verify-diagnostics
// RUN: not torch-refine-opt %s --torch-specialize-symbols="batch=x" 2>&1 | filecheck %s --check-prefix=NUMBER
// RUN: not torch-refine-opt %s --torch-specialize-symbols="batch=1 batch=2" 2>&1 | filecheck %s --check-prefix=TWO
// RUN: not torch-refine-opt %s --torch-specialize-symbols 2>&1 | filecheck %s --check-prefix=NONE
// RUN: not torch-refine-opt %s --torch-specialize-symbols="0batch=2" 2>&1 | filecheck %s --check-prefix=NAME

// NUMBER: expected a number for batch, as in batch=8, not 'x'
// TWO: batch cannot be 1 and 2
// NONE: expected the numbers of symbols, such as batch=8
// NAME: torch-specialize-symbols has no option '0batch'

func.func @bounds(%arg0: !torch.vtensor<[?],f32>) {
  // expected-error @below {{torch-specialize-symbols: batch=7 contradicts batch <= 6}}
  %0 = torch.symbolic_int "batch" {min_val = 2, max_val = 6} : !torch.int
  torch.bind_symbolic_shape %arg0, [%0], affine_map<()[s0] -> (s0)> : !torch.vtensor<[?],f32>
  return
}

// -----

func.func @multiple(%arg0: !torch.vtensor<[?],f32>) {
  // expected-error @below {{torch-specialize-symbols: batch is a multiple of 2}}
  %0 = torch.symbolic_int "_batch" {min_val = 2, max_val = 6} : !torch.int
  torch.bind_symbolic_shape %arg0, [%0], affine_map<()[s0] -> (s0 * 2)> : !torch.vtensor<[?],f32>
  return
}

// -----

func.func @contradiction(%arg0: !torch.vtensor<[3],f32>) {
  %0 = torch.symbolic_int "batch" {min_val = 2, max_val = 9} : !torch.int
  // expected-error @below {{torch-specialize-symbols: size 3 against 7}}
  torch.bind_symbolic_shape %arg0, [%0], affine_map<()[s0] -> (s0)> : !torch.vtensor<[3],f32>
  return
}

// -----

// expected-error @below {{torch-specialize-symbols: no function declares batch; declared are: seq}}
module {
  func.func @other(%arg0: !torch.vtensor<[?],f32>) {
    %0 = torch.symbolic_int "seq" {min_val = 2, max_val = 9} : !torch.int
    torch.bind_symbolic_shape %arg0, [%0], affine_map<()[s0] -> (s0)> : !torch.vtensor<[?],f32>
    return
  }
}

// -----

// expected-error @below {{torch-specialize-symbols: called is called, so that its types must stay}}
func.func @called(%arg0: !torch.vtensor<[?],f32>) {
  %0 = torch.symbolic_int "batch" {min_val = 2, max_val = 9} : !torch.int
  torch.bind_symbolic_shape %arg0, [%0], affine_map<()[s0] -> (s0)> : !torch.vtensor<[?],f32>
  return
}

func.func @caller(%arg0: !torch.vtensor<[?],f32>) {
  call @called(%arg0) : (!torch.vtensor<[?],f32>) -> ()
  return
}
