// RUN: torch-refine-opt %s --torch-to-linalg-pipeline | filecheck %s

// CHECK-LABEL: @sorted
func.func @sorted(%arg0: !torch.vtensor<[4],i1>) -> (!torch.vtensor<[4],i1>, !torch.vtensor<[4],si64>) {
  %int0 = torch.constant.int 0
  %false = torch.constant.bool false
  // CHECK: tm_tensor.sort
  // CHECK: arith.cmpi ule
  %0, %1 = torch.aten.sort %arg0, %int0, %false : !torch.vtensor<[4],i1>, !torch.int, !torch.bool -> !torch.vtensor<[4],i1>, !torch.vtensor<[4],si64>
  return %0, %1 : !torch.vtensor<[4],i1>, !torch.vtensor<[4],si64>
}

// CHECK-LABEL: @added
func.func @added(%arg0: !torch.vtensor<[4],i1>, %arg1: !torch.vtensor<[3],si64>, %arg2: !torch.vtensor<[3],i1>) -> !torch.vtensor<[4],i1> {
  %int0 = torch.constant.int 0
  // CHECK: tm_tensor.scatter
  // CHECK: arith.ori %{{.*}} : i1
  %0 = torch.aten.scatter_add %arg0, %int0, %arg1, %arg2 : !torch.vtensor<[4],i1>, !torch.int, !torch.vtensor<[3],si64>, !torch.vtensor<[3],i1> -> !torch.vtensor<[4],i1>
  return %0 : !torch.vtensor<[4],i1>
}
