// RUN: torch-refine-opt %s --torch-verify-lowerable | filecheck %s

// What only moves complex numbers is lowered, and so is a cast of unsigned ones.

func.func @f(%arg0: !torch.vtensor<[2,3],complex<f32>>, %arg1: !torch.vtensor<[2],ui8>)
    -> (!torch.vtensor<[3,2],complex<f32>>, !torch.vtensor<[2],f32>) {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %int6 = torch.constant.int 6
  %false = torch.constant.bool false
  %none = torch.constant.none
  %0 = torch.aten.transpose.int %arg0, %int0, %int1 : !torch.vtensor<[2,3],complex<f32>>, !torch.int, !torch.int -> !torch.vtensor<[3,2],complex<f32>>
  %1 = torch.aten.to.dtype %arg1, %int6, %false, %false, %none : !torch.vtensor<[2],ui8>, !torch.int, !torch.bool, !torch.bool, !torch.none -> !torch.vtensor<[2],f32>
  return %0, %1 : !torch.vtensor<[3,2],complex<f32>>, !torch.vtensor<[2],f32>
}

// CHECK-LABEL: func.func @f
// CHECK:         torch.aten.transpose.int
// CHECK:         torch.aten.to.dtype

// As many elements as 64 bits can address, however many dimensions are of size 1.

func.func @largest(%arg0: !torch.vtensor<[1,1,576460752303423487],ui8>) -> !torch.vtensor<[1,1,576460752303423487],ui8> {
  return %arg0 : !torch.vtensor<[1,1,576460752303423487],ui8>
}

// CHECK-LABEL: func.func @largest
