// RUN: not torch-refine-opt %s --torch-lower-grouped-mm --split-input-file 2>&1 | filecheck %s

func.func @groups_of_columns(%arg0: !torch.vtensor<[6,4],f32>, %arg1: !torch.vtensor<[4,5],f32>, %arg2: !torch.vtensor<[3],si32>) -> !torch.vtensor<[3,6,5],f32> {
  %none = torch.constant.none
  // CHECK: error: torch.aten._grouped_mm is not lowered: unless rows are multiplied by matrices, with an offset for each
  %0 = torch.operator "torch.aten._grouped_mm"(%arg0, %arg1, %arg2, %none, %none) : (!torch.vtensor<[6,4],f32>, !torch.vtensor<[4,5],f32>, !torch.vtensor<[3],si32>, !torch.none, !torch.none) -> !torch.vtensor<[3,6,5],f32>
  return %0 : !torch.vtensor<[3,6,5],f32>
}

// -----

func.func @bias(%arg0: !torch.vtensor<[6,4],f32>, %arg1: !torch.vtensor<[3,4,5],f32>, %arg2: !torch.vtensor<[3],si32>, %arg3: !torch.vtensor<[5],f32>) -> !torch.vtensor<[6,5],f32> {
  %none = torch.constant.none
  // CHECK: error: torch.aten._grouped_mm is not lowered: with a bias, or for another dtype
  %0 = torch.operator "torch.aten._grouped_mm"(%arg0, %arg1, %arg2, %arg3, %none) : (!torch.vtensor<[6,4],f32>, !torch.vtensor<[3,4,5],f32>, !torch.vtensor<[3],si32>, !torch.vtensor<[5],f32>, !torch.none) -> !torch.vtensor<[6,5],f32>
  return %0 : !torch.vtensor<[6,5],f32>
}

// -----

func.func @offsets(%arg0: !torch.vtensor<[6,4],f32>, %arg1: !torch.vtensor<[3,4,5],f32>) -> !torch.vtensor<[6,5],f32> {
  // CHECK: error: torch.aten._grouped_mm is not lowered: without offsets
  %0 = torch.operator "torch.aten._grouped_mm"(%arg0, %arg1) : (!torch.vtensor<[6,4],f32>, !torch.vtensor<[3,4,5],f32>) -> !torch.vtensor<[6,5],f32>
  return %0 : !torch.vtensor<[6,5],f32>
}

// -----

func.func @integers(%arg0: !torch.vtensor<[6,4],si32>, %arg1: !torch.vtensor<[3,4,5],si32>, %arg2: !torch.vtensor<[3],si32>) -> !torch.vtensor<[6,5],si32> {
  // CHECK: error: torch.transformers.grouped_mm_fallback is not lowered: for rows of si32, matrices of si32 and offsets of si32
  %0 = torch.operator "torch.transformers.grouped_mm_fallback"(%arg0, %arg1, %arg2) : (!torch.vtensor<[6,4],si32>, !torch.vtensor<[3,4,5],si32>, !torch.vtensor<[3],si32>) -> !torch.vtensor<[6,5],si32>
  return %0 : !torch.vtensor<[6,5],si32>
}
