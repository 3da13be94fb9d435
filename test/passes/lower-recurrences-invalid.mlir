// RUN: torch-refine-opt %s --torch-lower-recurrences --split-input-file --verify-diagnostics

func.func @integers(%arg0: !torch.vtensor<[5,2,3],si64>, %arg1: !torch.vtensor<[3,3],si64>, %arg2: !torch.vtensor<[2,3],si64>) -> !torch.vtensor<[5,2,3],si64> {
  %int0 = torch.constant.int 0
  %false = torch.constant.bool false
  // expected-error @below {{torch.torch_refine.tanh_steps is not lowered: for an operand of type !torch.vtensor<[5,2,3],si64>}}
  %0:2 = torch.operator "torch.torch_refine.tanh_steps"(%arg0, %arg1, %arg2, %int0, %false) : (!torch.vtensor<[5,2,3],si64>, !torch.vtensor<[3,3],si64>, !torch.vtensor<[2,3],si64>, !torch.int, !torch.bool) -> (!torch.vtensor<[5,2,3],si64>, !torch.vtensor<[2,3],si64>)
  return %0#0 : !torch.vtensor<[5,2,3],si64>
}

// -----

func.func @dtypes(%arg0: !torch.vtensor<[5,2,3],f32>, %arg1: !torch.vtensor<[3,3],f64>, %arg2: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[5,2,3],f32> {
  %int0 = torch.constant.int 0
  %false = torch.constant.bool false
  // expected-error @below {{torch.torch_refine.tanh_steps is not lowered: for operands of different dtypes}}
  %0:2 = torch.operator "torch.torch_refine.tanh_steps"(%arg0, %arg1, %arg2, %int0, %false) : (!torch.vtensor<[5,2,3],f32>, !torch.vtensor<[3,3],f64>, !torch.vtensor<[2,3],f32>, !torch.int, !torch.bool) -> (!torch.vtensor<[5,2,3],f32>, !torch.vtensor<[2,3],f32>)
  return %0#0 : !torch.vtensor<[5,2,3],f32>
}

// -----

func.func @sizes(%arg0: !torch.vtensor<[5,2,3],f32>, %arg1: !torch.vtensor<[4,3],f32>, %arg2: !torch.vtensor<[2,4],f32>) -> !torch.vtensor<[5,2,4],f32> {
  %int0 = torch.constant.int 0
  %false = torch.constant.bool false
  // expected-error @below {{torch.torch_refine.tanh_steps is not lowered: for operands of sizes [5, 2, 3], [4, 3], [2, 4]}}
  %0:2 = torch.operator "torch.torch_refine.tanh_steps"(%arg0, %arg1, %arg2, %int0, %false) : (!torch.vtensor<[5,2,3],f32>, !torch.vtensor<[4,3],f32>, !torch.vtensor<[2,4],f32>, !torch.int, !torch.bool) -> (!torch.vtensor<[5,2,4],f32>, !torch.vtensor<[2,4],f32>)
  return %0#0 : !torch.vtensor<[5,2,4],f32>
}

// -----

func.func @direction(%arg0: !torch.vtensor<[5,2,3],f32>, %arg1: !torch.vtensor<[3,3],f32>, %arg2: !torch.vtensor<[2,3],f32>, %arg3: !torch.bool) -> !torch.vtensor<[5,2,3],f32> {
  %int0 = torch.constant.int 0
  // expected-error @below {{torch.torch_refine.tanh_steps is not lowered: for a direction that is not constant}}
  %0:2 = torch.operator "torch.torch_refine.tanh_steps"(%arg0, %arg1, %arg2, %int0, %arg3) : (!torch.vtensor<[5,2,3],f32>, !torch.vtensor<[3,3],f32>, !torch.vtensor<[2,3],f32>, !torch.int, !torch.bool) -> (!torch.vtensor<[5,2,3],f32>, !torch.vtensor<[2,3],f32>)
  return %0#0 : !torch.vtensor<[5,2,3],f32>
}
