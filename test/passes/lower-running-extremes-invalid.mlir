// RUN: not torch-refine-opt %s --torch-lower-running-extremes 2>&1 | filecheck %s

func.func @complex(%arg0: !torch.vtensor<[2],complex<f32>>) -> !torch.vtensor<[2],complex<f32>> {
  %int0 = torch.constant.int 0
  // CHECK: error: torch.aten.cummax is not lowered: for elements of type complex<f32>
  %0:2 = torch.operator "torch.aten.cummax"(%arg0, %int0) : (!torch.vtensor<[2],complex<f32>>, !torch.int) -> (!torch.vtensor<[2],complex<f32>>, !torch.vtensor<[2],si64>)
  return %0#0 : !torch.vtensor<[2],complex<f32>>
}
