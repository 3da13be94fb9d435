// RUN: not torch-refine-opt %s --torch-lower-element-functions --split-input-file 2>&1 | filecheck %s

func.func @floats(%arg0: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  // CHECK: error: torch.aten.gcd is not lowered: for a result of f32
  %0 = torch.operator "torch.aten.gcd"(%arg0, %arg0) : (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
  return %0 : !torch.vtensor<[2],f32>
}

// -----

func.func @complex(%arg0: !torch.vtensor<[2],complex<f32>>, %arg1: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  // CHECK: error: torch.aten.igamma is not lowered: for an operand of type !torch.vtensor<[2],complex<f32>>
  %0 = torch.operator "torch.aten.igamma"(%arg0, %arg1) : (!torch.vtensor<[2],complex<f32>>, !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
  return %0 : !torch.vtensor<[2],f32>
}

// -----

func.func @sizes(%arg0: !torch.vtensor<[2],f32>) -> !torch.vtensor<[3],f32> {
  // CHECK: error: torch.aten.igamma is not lowered: for an operand of type !torch.vtensor<[2],f32> and a result of type !torch.vtensor<[3],f32>
  %0 = torch.operator "torch.aten.igamma"(%arg0, %arg0) : (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>) -> !torch.vtensor<[3],f32>
  return %0 : !torch.vtensor<[3],f32>
}

// -----

func.func @unknown(%arg0: !torch.vtensor<[2],f32>) -> !torch.vtensor {
  // CHECK: error: torch.aten.igamma is not lowered: the type of its result is unknown
  %0 = torch.operator "torch.aten.igamma"(%arg0, %arg0) : (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>) -> !torch.vtensor
  return %0 : !torch.vtensor
}
