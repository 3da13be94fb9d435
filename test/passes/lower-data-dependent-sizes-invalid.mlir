// RUN: not torch-refine-opt %s --torch-lower-data-dependent-sizes --split-input-file 2>&1 | filecheck %s

func.func @floats(%arg0: !torch.vtensor<[4],f32>) -> !torch.vtensor<[?,1],si64> {
  // CHECK: error: torch.aten.nonzero is not lowered: for f32 in 1 dimensions
  %0 = torch.aten.nonzero %arg0 : !torch.vtensor<[4],f32> -> !torch.vtensor<[?,1],si64>
  return %0 : !torch.vtensor<[?,1],si64>
}

// -----

func.func @mask(%arg0: !torch.vtensor<[4],f32>, %arg1: !torch.vtensor<[4],i1>) -> !torch.vtensor<[?],f32> {
  %0 = torch.prim.ListConstruct %arg1 : (!torch.vtensor<[4],i1>) -> !torch.list<optional<vtensor>>
  // CHECK: error: torch.aten.index.Tensor is not lowered: for a mask among its indices
  %1 = torch.aten.index.Tensor %arg0, %0 : !torch.vtensor<[4],f32>, !torch.list<optional<vtensor>> -> !torch.vtensor<[?],f32>
  return %1 : !torch.vtensor<[?],f32>
}
