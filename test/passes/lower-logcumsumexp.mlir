// RUN: torch-refine-opt %s --torch-lower-logcumsumexp | filecheck %s

func.func @rows(%arg0: !torch.vtensor<[?,3],f64>) -> !torch.vtensor<[?,3],f64> {
  %int-1 = torch.constant.int -1
  %0 = torch.aten.logcumsumexp %arg0, %int-1 : !torch.vtensor<[?,3],f64>, !torch.int -> !torch.vtensor<[?,3],f64>
  return %0 : !torch.vtensor<[?,3],f64>
}
// CHECK-LABEL: func.func @rows
// CHECK:         %[[SIZE:.*]] = tensor.dim %{{.*}}, %c0
// CHECK:         tensor.empty(%[[SIZE]]) : tensor<?x3xf64>
// CHECK:         tensor.empty(%[[SIZE]]) : tensor<?xf64>
// CHECK:         tm_tensor.scan dimension(1) inclusive(true)
// CHECK:           math.log1p

func.func @number(%arg0: !torch.vtensor<[],f32>) -> !torch.vtensor<[],f32> {
  %int0 = torch.constant.int 0
  %0 = torch.aten.logcumsumexp %arg0, %int0 : !torch.vtensor<[],f32>, !torch.int -> !torch.vtensor<[],f32>
  return %0 : !torch.vtensor<[],f32>
}
// CHECK-LABEL: func.func @number
// CHECK-NOT:     tm_tensor.scan
// CHECK:         return
