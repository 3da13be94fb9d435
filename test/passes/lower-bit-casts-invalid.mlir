// RUN: not torch-refine-opt %s --torch-lower-bit-casts --split-input-file 2>&1 | filecheck %s

func.func @bools(%arg0: !torch.vtensor<[2],ui8>) -> !torch.vtensor<[2],i1> {
  %int11 = torch.constant.int 11
  // CHECK: error: torch.aten.view.dtype is not lowered: as a bool may be other than 0 or 1
  %0 = torch.aten.view.dtype %arg0, %int11 : !torch.vtensor<[2],ui8>, !torch.int -> !torch.vtensor<[2],i1>
  return %0 : !torch.vtensor<[2],i1>
}

// -----

func.func @quantized(%arg0: !torch.vtensor<[2],!torch.qint8>) -> !torch.vtensor<[2],si8> {
  %int1 = torch.constant.int 1
  // CHECK: error: torch.aten.view.dtype is not lowered: for elements of type !torch.qint8
  %0 = torch.aten.view.dtype %arg0, %int1 : !torch.vtensor<[2],!torch.qint8>, !torch.int -> !torch.vtensor<[2],si8>
  return %0 : !torch.vtensor<[2],si8>
}

// -----

func.func @rank(%arg0: !torch.vtensor<[],f32>) -> !torch.vtensor<[],f64> {
  %int7 = torch.constant.int 7
  // CHECK: error: torch.aten.view.dtype is not lowered: for a tensor of rank 0 and elements of another size
  %0 = torch.aten.view.dtype %arg0, %int7 : !torch.vtensor<[],f32>, !torch.int -> !torch.vtensor<[],f64>
  return %0 : !torch.vtensor<[],f64>
}

// -----

func.func @unknown(%arg0: !torch.vtensor) -> !torch.vtensor<[2],f64> {
  %int7 = torch.constant.int 7
  // CHECK: error: torch.aten.view.dtype is not lowered: a type is unknown
  %0 = torch.aten.view.dtype %arg0, %int7 : !torch.vtensor, !torch.int -> !torch.vtensor<[2],f64>
  return %0 : !torch.vtensor<[2],f64>
}
