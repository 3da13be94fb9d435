// RUN: not torch-refine-opt %s --torch-lower-index-reduce --split-input-file 2>&1 | filecheck %s

func.func @mean(%arg0: !torch.vtensor<[3],f32>, %arg1: !torch.vtensor<[5],si64>, %arg2: !torch.vtensor<[5],f32>) -> !torch.vtensor<[3],f32> {
  %int0 = torch.constant.int 0
  %str = torch.constant.str "mean"
  %true = torch.constant.bool true
  // CHECK: error: torch.aten.index_reduce is not lowered: by mean
  %0 = torch.operator "torch.aten.index_reduce"(%arg0, %int0, %arg1, %arg2, %str, %true) : (!torch.vtensor<[3],f32>, !torch.int, !torch.vtensor<[5],si64>, !torch.vtensor<[5],f32>, !torch.str, !torch.bool) -> !torch.vtensor<[3],f32>
  return %0 : !torch.vtensor<[3],f32>
}

// -----

func.func @other_dimension(%arg0: !torch.vtensor<[3,4],f32>, %arg1: !torch.vtensor<[5],si64>, %arg2: !torch.vtensor<[3,5],f32>) -> !torch.vtensor<[3,4],f32> {
  %int1 = torch.constant.int 1
  %str = torch.constant.str "prod"
  %true = torch.constant.bool true
  // CHECK: error: torch.aten.index_reduce is not lowered: unless slices of dimension 0 are combined with those that are there
  %0 = torch.operator "torch.aten.index_reduce"(%arg0, %int1, %arg1, %arg2, %str, %true) : (!torch.vtensor<[3,4],f32>, !torch.int, !torch.vtensor<[5],si64>, !torch.vtensor<[3,5],f32>, !torch.str, !torch.bool) -> !torch.vtensor<[3,4],f32>
  return %0 : !torch.vtensor<[3,4],f32>
}

// -----

func.func @halves(%arg0: !torch.vtensor<[3],f16>, %arg1: !torch.vtensor<[5],si64>, %arg2: !torch.vtensor<[5],f16>) -> !torch.vtensor<[3],f16> {
  %int0 = torch.constant.int 0
  %str = torch.constant.str "prod"
  %true = torch.constant.bool true
  // CHECK: error: torch.aten.index_reduce is not lowered: for elements of type f16
  %0 = torch.operator "torch.aten.index_reduce"(%arg0, %int0, %arg1, %arg2, %str, %true) : (!torch.vtensor<[3],f16>, !torch.int, !torch.vtensor<[5],si64>, !torch.vtensor<[5],f16>, !torch.str, !torch.bool) -> !torch.vtensor<[3],f16>
  return %0 : !torch.vtensor<[3],f16>
}

// -----

func.func @narrow_index(%arg0: !torch.vtensor<[3],f32>, %arg1: !torch.vtensor<[5],si32>, %arg2: !torch.vtensor<[5],f32>) -> !torch.vtensor<[3],f32> {
  %int0 = torch.constant.int 0
  %str = torch.constant.str "prod"
  %true = torch.constant.bool true
  // CHECK: error: torch.aten.index_reduce is not lowered: unless there is an index of 64 bits for each slice
  %0 = torch.operator "torch.aten.index_reduce"(%arg0, %int0, %arg1, %arg2, %str, %true) : (!torch.vtensor<[3],f32>, !torch.int, !torch.vtensor<[5],si32>, !torch.vtensor<[5],f32>, !torch.str, !torch.bool) -> !torch.vtensor<[3],f32>
  return %0 : !torch.vtensor<[3],f32>
}

// -----

func.func @unknown(%arg0: !torch.vtensor<*,f32>, %arg1: !torch.vtensor<[5],si64>, %arg2: !torch.vtensor<[5],f32>) -> !torch.vtensor<*,f32> {
  %int0 = torch.constant.int 0
  %str = torch.constant.str "prod"
  %true = torch.constant.bool true
  // CHECK: error: torch.aten.index_reduce is not lowered: its types are unknown
  %0 = torch.operator "torch.aten.index_reduce"(%arg0, %int0, %arg1, %arg2, %str, %true) : (!torch.vtensor<*,f32>, !torch.int, !torch.vtensor<[5],si64>, !torch.vtensor<[5],f32>, !torch.str, !torch.bool) -> !torch.vtensor<*,f32>
  return %0 : !torch.vtensor<*,f32>
}
