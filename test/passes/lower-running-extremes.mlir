// RUN: torch-refine-opt %s --torch-lower-running-extremes | filecheck %s

// The last of equal elements is taken, and NaN; the index is the largest one of those taken.
// CHECK-LABEL: func.func @rows
// CHECK:         %[[SIZE:.*]] = tensor.dim %[[X:.*]], %c0
// CHECK:         tensor.empty(%[[SIZE]]) : tensor<?x3xf64>
// CHECK:         tensor.empty(%[[SIZE]]) : tensor<?xf64>
// CHECK:         %[[EXTREMES:.*]]:2 = tm_tensor.scan dimension(1) inclusive(true)
// CHECK:         ^bb0(%[[BEFORE:.*]]: f64, %[[OWN:.*]]: f64):
// CHECK-NEXT:      %[[LATER:.*]] = arith.cmpf ole, %[[OWN]], %[[BEFORE]]
// CHECK-NEXT:      %[[NAN:.*]] = arith.cmpf uno, %[[OWN]], %[[OWN]]
// CHECK-NEXT:      %[[TAKEN:.*]] = arith.ori %[[LATER]], %[[NAN]]
// CHECK-NEXT:      arith.select %[[TAKEN]], %[[OWN]], %[[BEFORE]]
// CHECK:         %[[PLACES:.*]] = linalg.generic {{.*}} ins(%[[X]], %[[EXTREMES]]#0
// CHECK:           arith.cmpf oeq
// CHECK:           linalg.index 1
// CHECK:         tm_tensor.scan dimension(1) inclusive(true) ins(%[[PLACES]] : tensor<?x3xi64>)
// CHECK:           arith.maxsi
func.func @rows(%arg0: !torch.vtensor<[?,3],f64>) -> (!torch.vtensor<[?,3],f64>, !torch.vtensor<[?,3],si64>) {
  %int-1 = torch.constant.int -1
  %0:2 = torch.operator "torch.aten.cummin"(%arg0, %int-1) : (!torch.vtensor<[?,3],f64>, !torch.int) -> (!torch.vtensor<[?,3],f64>, !torch.vtensor<[?,3],si64>)
  return %0#0, %0#1 : !torch.vtensor<[?,3],f64>, !torch.vtensor<[?,3],si64>
}

// CHECK-LABEL: func.func @unsigned
// CHECK:         arith.cmpi uge
// CHECK:         arith.cmpi uge
func.func @unsigned(%arg0: !torch.vtensor<[4],ui8>, %arg1: !torch.vtensor<[4],i1>) -> (!torch.vtensor<[4],ui8>, !torch.vtensor<[4],i1>) {
  %int0 = torch.constant.int 0
  %0:2 = torch.operator "torch.aten.cummax"(%arg0, %int0) : (!torch.vtensor<[4],ui8>, !torch.int) -> (!torch.vtensor<[4],ui8>, !torch.vtensor<[4],si64>)
  %1:2 = torch.operator "torch.aten.cummax"(%arg1, %int0) : (!torch.vtensor<[4],i1>, !torch.int) -> (!torch.vtensor<[4],i1>, !torch.vtensor<[4],si64>)
  return %0#0, %1#0 : !torch.vtensor<[4],ui8>, !torch.vtensor<[4],i1>
}

// CHECK-LABEL: func.func @number
// CHECK-NOT:     tm_tensor.scan
// CHECK:         arith.constant dense<0> : tensor<i64>
// CHECK:         return
func.func @number(%arg0: !torch.vtensor<[],f32>) -> (!torch.vtensor<[],f32>, !torch.vtensor<[],si64>) {
  %int0 = torch.constant.int 0
  %0:2 = torch.operator "torch.aten.cummax"(%arg0, %int0) : (!torch.vtensor<[],f32>, !torch.int) -> (!torch.vtensor<[],f32>, !torch.vtensor<[],si64>)
  return %0#0, %0#1 : !torch.vtensor<[],f32>, !torch.vtensor<[],si64>
}
