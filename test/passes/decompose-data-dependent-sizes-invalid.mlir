// RUN: not torch-refine-opt %s --torch-decompose-data-dependent-sizes --split-input-file 2>&1 | filecheck %s

func.func @size(%arg0: !torch.vtensor<[4],i1>, %arg1: !torch.int) -> !torch.vtensor<[?,1],si64> {
  %int-1 = torch.constant.int -1
  // CHECK: error: torch.aten.nonzero_static is not lowered: for operands that are not constant
  %0 = torch.aten.nonzero_static %arg0, %arg1, %int-1 : !torch.vtensor<[4],i1>, !torch.int, !torch.int -> !torch.vtensor<[?,1],si64>
  return %0 : !torch.vtensor<[?,1],si64>
}
