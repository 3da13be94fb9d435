// RUN: not torch-refine-opt %s --torch-lower-linear-algebra --split-input-file 2>&1 | filecheck %s

func.func @halves(%arg0: !torch.vtensor<[3,3],f16>) -> (!torch.vtensor<[3,3],f16>, !torch.vtensor<[3],f16>) {
  // CHECK: error: torch.aten.geqrf is not lowered: for elements of type f16
  %0:2 = torch.operator "torch.aten.geqrf"(%arg0) : (!torch.vtensor<[3,3],f16>) -> (!torch.vtensor<[3,3],f16>, !torch.vtensor<[3],f16>)
  return %0#0, %0#1 : !torch.vtensor<[3,3],f16>, !torch.vtensor<[3],f16>
}

// -----

func.func @unknown_rank(%arg0: !torch.vtensor<*,f32>) -> (!torch.vtensor<*,f32>, !torch.vtensor<*,f32>) {
  // CHECK: error: torch.aten.geqrf is not lowered: for tensors of unknown ranks or dtypes
  %0:2 = torch.operator "torch.aten.geqrf"(%arg0) : (!torch.vtensor<*,f32>) -> (!torch.vtensor<*,f32>, !torch.vtensor<*,f32>)
  return %0#0, %0#1 : !torch.vtensor<*,f32>, !torch.vtensor<*,f32>
}

// -----

func.func @option(%arg0: !torch.vtensor<[3,3],f32>, %arg1: !torch.bool) -> !torch.vtensor<[3,3],f32> {
  %false = torch.constant.bool false
  // CHECK: error: torch.aten.linalg_cholesky_ex is not lowered: for options that are not constant
  %0:2 = torch.operator "torch.aten.linalg_cholesky_ex"(%arg0, %arg1, %false) : (!torch.vtensor<[3,3],f32>, !torch.bool, !torch.bool) -> (!torch.vtensor<[3,3],f32>, !torch.vtensor<[],si32>)
  return %0#0 : !torch.vtensor<[3,3],f32>
}

// -----

func.func @pivoting(%arg0: !torch.vtensor<[3,3],f32>) -> !torch.vtensor<[3,3],f32> {
  %false = torch.constant.bool false
  // CHECK: error: torch.aten.linalg_lu_factor_ex is not lowered: without pivoting
  %0:3 = torch.operator "torch.aten.linalg_lu_factor_ex"(%arg0, %false, %false) : (!torch.vtensor<[3,3],f32>, !torch.bool, !torch.bool) -> (!torch.vtensor<[3,3],f32>, !torch.vtensor<[3],si32>, !torch.vtensor<[],si32>)
  return %0#0 : !torch.vtensor<[3,3],f32>
}
