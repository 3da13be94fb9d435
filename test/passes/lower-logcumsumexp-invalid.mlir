// RUN: not torch-refine-opt %s --torch-lower-logcumsumexp --split-input-file 2>&1 | filecheck %s

func.func @complex(%arg0: !torch.vtensor<[2],complex<f32>>) -> !torch.vtensor<[2],complex<f32>> {
  %int0 = torch.constant.int 0
  // CHECK: error: torch.aten.logcumsumexp is not lowered: for elements of type complex<f32>
  %0 = torch.aten.logcumsumexp %arg0, %int0 : !torch.vtensor<[2],complex<f32>>, !torch.int -> !torch.vtensor<[2],complex<f32>>
  return %0 : !torch.vtensor<[2],complex<f32>>
}

// -----

func.func @any_dimension(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.int) -> !torch.vtensor<[2,3],f32> {
  // CHECK: error: torch.aten.logcumsumexp is not lowered: unless the dimension is a known one
  %0 = torch.aten.logcumsumexp %arg0, %arg1 : !torch.vtensor<[2,3],f32>, !torch.int -> !torch.vtensor<[2,3],f32>
  return %0 : !torch.vtensor<[2,3],f32>
}

// -----

func.func @unknown(%arg0: !torch.vtensor<*,f32>) -> !torch.vtensor<*,f32> {
  %int0 = torch.constant.int 0
  // CHECK: error: torch.aten.logcumsumexp is not lowered: its type is unknown
  %0 = torch.aten.logcumsumexp %arg0, %int0 : !torch.vtensor<*,f32>, !torch.int -> !torch.vtensor<*,f32>
  return %0 : !torch.vtensor<*,f32>
}
