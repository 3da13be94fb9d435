// RUN: torch-refine-opt %s --split-input-file --torch-extract-shape-functions=peak=true --verify-diagnostics

func.func @elements(%arg0: !torch.vtensor<[?],f32>) -> !torch.vtensor {
  // expected-warning @below {{no shape function of @elements: no argument determines size 0 of result 0}}
  %0 = torch.aten.nonzero %arg0 : !torch.vtensor<[?],f32> -> !torch.vtensor
  %1 = torch.aten.neg %0 : !torch.vtensor -> !torch.vtensor
  return %1 : !torch.vtensor
}

// -----

// expected-warning @below {{no shape function of @rank: the rank of result 0 is unknown}}
func.func @rank(%arg0: !torch.vtensor<*,f32>) -> !torch.vtensor<*,f32> {
  return %arg0 : !torch.vtensor<*,f32>
}

// -----

// The sizes of the result are known, but not how many bytes are live before.

func.func @peak(%arg0: !torch.vtensor<[?],f32>) -> !torch.vtensor {
  %none = torch.constant.none
  // expected-warning @below {{no shape function of @peak: the peak of live bytes is unknown: no argument determines a size that aten::nonzero returns}}
  %0 = torch.aten.nonzero %arg0 : !torch.vtensor<[?],f32> -> !torch.vtensor
  %1 = torch.aten.sum %0, %none : !torch.vtensor, !torch.none -> !torch.vtensor
  return %1 : !torch.vtensor
}

// -----

func.func @loop(%arg0: !torch.vtensor<[?],f32>, %arg1: !torch.int) -> !torch.vtensor<[?],f32> {
  %true = torch.constant.bool true
  // expected-warning @below {{no shape function of @loop: the peak of live bytes is unknown: torch.prim.Loop is not supported}}
  torch.prim.Loop %arg1, %true, init() {
  ^bb0(%arg2: !torch.int):
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  return %arg0 : !torch.vtensor<[?],f32>
}

// -----

func.func @impossible(%arg0: !torch.vtensor<[?,3],f32>, %arg1: !torch.vtensor<[4,?],f32>) -> !torch.vtensor {
  // expected-error @below {{aten.mm always raises}}
  %0 = torch.aten.mm %arg0, %arg1 : !torch.vtensor<[?,3],f32>, !torch.vtensor<[4,?],f32> -> !torch.vtensor
  return %0 : !torch.vtensor
}

// -----

// The second product contradicts what the first one requires.

func.func @contradictory(%arg0: !torch.vtensor<[2,?],f32>, %arg1: !torch.vtensor<[3,2],f32>, %arg2: !torch.vtensor<[4,2],f32>) -> !torch.vtensor {
  %0 = torch.aten.mm %arg0, %arg1 : !torch.vtensor<[2,?],f32>, !torch.vtensor<[3,2],f32> -> !torch.vtensor
  // expected-error @below {{torch.aten.mm always raises behind the guards before it: aten::mm: inner dimensions must match}}
  %1 = torch.aten.mm %arg0, %arg2 : !torch.vtensor<[2,?],f32>, !torch.vtensor<[4,2],f32> -> !torch.vtensor
  return %1 : !torch.vtensor
}

// -----

// expected-error @below {{torch_refine.guards is not a list of conditions and messages}}
func.func @guards(%arg0: !torch.vtensor<[?],f32>) attributes {torch_refine.guards = [1]} {
  return
}
