// RUN: torch-refine-opt %s --split-input-file --torch-refine-types --verify-diagnostics

// An operator that cannot run.

func.func @mm(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[4,5],f32>) -> !torch.vtensor {
  // expected-error @+1 {{torch.aten.mm always raises: inner dimensions must match, got 3 and 4 (operands: !torch.vtensor<[2,3],f32>, !torch.vtensor<[4,5],f32>)}}
  %0 = torch.aten.mm %arg0, %arg1 : !torch.vtensor<[2,3],f32>, !torch.vtensor<[4,5],f32> -> !torch.vtensor
  return %0 : !torch.vtensor
}

// -----

// One that no value of an unknown size saves.

func.func @add(%arg0: !torch.vtensor<[?,3],f32>, %arg1: !torch.vtensor<[2,4],f32>) {
  %int1 = torch.constant.int 1
  // expected-error @+1 {{torch.aten.add.Tensor always raises}}
  %0 = torch.aten.add.Tensor %arg0, %arg1, %int1 : !torch.vtensor<[?,3],f32>, !torch.vtensor<[2,4],f32>, !torch.int -> !torch.vtensor
  return
}

// -----

// A declared type that contradicts the inferred one.

func.func @declared(%arg0: !torch.vtensor<[2,3],f32>) {
  // expected-error @+1 {{torch.aten.tanh is declared !torch.vtensor<[2,4],f32>, but its functions infer !torch.vtensor<[2,3],f32>: size 4 against 3 (operands: !torch.vtensor<[2,3],f32>)}}
  %0 = torch.aten.tanh %arg0 : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,4],f32>
  return
}

// -----

// A branch that cannot be left does not make the program invalid.

func.func @branch(%arg0: !torch.bool, %arg1: !torch.vtensor<[2,3],f32>, %arg2: !torch.vtensor<[4,5],f32>) -> !torch.vtensor {
  %0 = torch.prim.If %arg0 -> (!torch.vtensor) {
    // expected-warning @+1 {{torch.aten.mm always raises: inner dimensions must match, got 3 and 4}}
    %1 = torch.aten.mm %arg1, %arg2 : !torch.vtensor<[2,3],f32>, !torch.vtensor<[4,5],f32> -> !torch.vtensor
    torch.prim.If.yield %1 : !torch.vtensor
  } else {
    %1 = torch.aten.tanh %arg1 : !torch.vtensor<[2,3],f32> -> !torch.vtensor
    torch.prim.If.yield %1 : !torch.vtensor
  }
  return %0 : !torch.vtensor
}

// -----

// Nor does a block that not every run comes by.

func.func @block(%arg0: i1, %arg1: !torch.vtensor<[2,3],f32>, %arg2: !torch.vtensor<[4,5],f32>) {
  cf.cond_br %arg0, ^bb1, ^bb2
^bb1:
  // expected-warning @+1 {{torch.aten.mm always raises: inner dimensions must match, got 3 and 4}}
  %0 = torch.aten.mm %arg1, %arg2 : !torch.vtensor<[2,3],f32>, !torch.vtensor<[4,5],f32> -> !torch.vtensor
  cf.br ^bb2
^bb2:
  return
}

// -----

// An element of a list that does not have it, and a dimension that a tensor does not have.

func.func @out_of_range(%arg0: !torch.vtensor<[2,3],f32>) {
  %int2 = torch.constant.int 2
  %0 = torch.prim.ListConstruct %arg0, %arg0 : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>) -> !torch.list<vtensor>
  // expected-error @+1 {{torch.aten.__getitem__.t: index 2 is out of range for 2 items}}
  %1 = torch.aten.__getitem__.t %0, %int2 : !torch.list<vtensor>, !torch.int -> !torch.vtensor
  // expected-error @+1 {{torch.aten.size.int always raises: dimension 2 is out of range for a tensor of rank 2}}
  %2 = torch.aten.size.int %arg0, %int2 : !torch.vtensor<[2,3],f32>, !torch.int -> !torch.int
  return
}

// -----

// A cast to what a tensor cannot be.

func.func @cast(%arg0: !torch.vtensor<[2,3],f32>) {
  %0 = torch.aten.tanh %arg0 : !torch.vtensor<[2,3],f32> -> !torch.vtensor
  // expected-error @+1 {{torch.tensor_static_info_cast is declared !torch.vtensor<[4,3],f32>, but its operand is !torch.vtensor<[2,3],f32>: size 4 against 2}}
  %1 = torch.tensor_static_info_cast %0 : !torch.vtensor to !torch.vtensor<[4,3],f32>
  return
}

// -----

// Dtypes in messages are names.

func.func @dtypes(%arg0: !torch.vtensor<[3],f32>, %arg1: !torch.vtensor<[3],f64>) -> !torch.vtensor {
  // expected-error @+1 {{torch.aten.dot always raises: aten::dot: dtypes must match, got float32 and float64}}
  %0 = torch.aten.dot %arg0, %arg1 : !torch.vtensor<[3],f32>, !torch.vtensor<[3],f64> -> !torch.vtensor
  return %0 : !torch.vtensor
}
