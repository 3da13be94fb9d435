// RUN: torch-refine-opt %s --torch-lower-recurrences | filecheck %s

// The batch first, backwards: the last step first, and time is the second dimension. A projection
// is a second matmul.
func.func @lstm(%arg0: !torch.vtensor<[?,?,12],f32>, %arg1: !torch.vtensor<[2,12],f32>, %arg2: !torch.vtensor<[3,2],f32>, %arg3: !torch.vtensor<[?,2],f32>, %arg4: !torch.vtensor<[?,3],f32>) -> (!torch.vtensor<[?,?,2],f32>, !torch.vtensor<[?,2],f32>, !torch.vtensor<[?,3],f32>) {
  %int1 = torch.constant.int 1
  %true = torch.constant.bool true
  %0:3 = torch.operator "torch.torch_refine.projected_lstm_steps"(%arg0, %arg1, %arg2, %arg3, %arg4, %int1, %true) : (!torch.vtensor<[?,?,12],f32>, !torch.vtensor<[2,12],f32>, !torch.vtensor<[3,2],f32>, !torch.vtensor<[?,2],f32>, !torch.vtensor<[?,3],f32>, !torch.int, !torch.bool) -> (!torch.vtensor<[?,?,2],f32>, !torch.vtensor<[?,2],f32>, !torch.vtensor<[?,3],f32>)
  return %0#0, %0#1, %0#2 : !torch.vtensor<[?,?,2],f32>, !torch.vtensor<[?,2],f32>, !torch.vtensor<[?,3],f32>
}
// CHECK-LABEL: func.func @lstm
// CHECK:         %[[INPUTS:.*]] = torch_c.to_builtin_tensor %arg0
// CHECK:         %[[BATCH:.*]] = tensor.dim %[[INPUTS]]
// CHECK:         %[[STEPS:.*]] = tensor.dim %[[INPUTS]]
// CHECK:         cf.assert {{.*}}, "the batch sizes of a recurrent layer and its states differ"
// CHECK:         cf.assert {{.*}}, "the batch sizes of a recurrent layer and its states differ"
// CHECK:         cf.assert {{.*}}, "Expected sequence length to be larger than 0 in RNN"
// CHECK:         %[[OUTPUT:.*]] = tensor.empty(%[[BATCH]], %[[STEPS]]) : tensor<?x?x2xf32>
// CHECK:         scf.for %[[STEP:.*]] = {{.*}} to %[[STEPS]] step {{.*}} iter_args(%[[OUT:.*]] = %[[OUTPUT]], %[[H:.*]] = %{{.*}}, %[[C:.*]] = %{{.*}}) ->
// CHECK:           %[[AT:.*]] = arith.subi %{{.*}}, %[[STEP]]
// CHECK:           %[[SUMS:.*]] = linalg.matmul ins(%[[H]], %{{.*}} : tensor<?x2xf32>, tensor<2x12xf32>)
// CHECK:           tensor.extract_slice %[[INPUTS]][0, %[[AT]], 3] [%[[BATCH]], 1, 3] [1, 1, 1]
// CHECK:           tensor.extract_slice %[[SUMS]][0, 9] [%[[BATCH]], 3]
// CHECK:           %[[WHOLE:.*]]:2 = linalg.generic {{.*}} outs(%{{.*}}, %[[C]] :
// CHECK-COUNT-3:     math.exp
// CHECK:           %[[NEW:.*]] = linalg.matmul ins(%[[WHOLE]]#0, %{{.*}} : tensor<?x3xf32>, tensor<3x2xf32>)
// CHECK:           %[[WRITTEN:.*]] = tensor.insert_slice %[[NEW]] into %[[OUT]][0, %[[AT]], 0]
// CHECK:           scf.yield %[[WRITTEN]], %[[NEW]], %[[WHOLE]]#1

// 16-bit floats are summed in f32, and rounded once per step.
func.func @gru(%arg0: !torch.vtensor<[9,2,6],bf16>, %arg1: !torch.vtensor<[2,6],bf16>, %arg2: !torch.vtensor<[2],bf16>, %arg3: !torch.vtensor<[2,2],bf16>) -> !torch.vtensor<[9,2,2],bf16> {
  %int0 = torch.constant.int 0
  %false = torch.constant.bool false
  %0:2 = torch.operator "torch.torch_refine.gru_steps"(%arg0, %arg1, %arg2, %arg3, %int0, %false) : (!torch.vtensor<[9,2,6],bf16>, !torch.vtensor<[2,6],bf16>, !torch.vtensor<[2],bf16>, !torch.vtensor<[2,2],bf16>, !torch.int, !torch.bool) -> (!torch.vtensor<[9,2,2],bf16>, !torch.vtensor<[2,2],bf16>)
  return %0#0 : !torch.vtensor<[9,2,2],bf16>
}
// CHECK-LABEL: func.func @gru
// CHECK-NOT:     cf.assert
// CHECK:         scf.for
// CHECK:           linalg.matmul {{.*}} -> tensor<2x6xf32>
// CHECK:           linalg.generic
// CHECK:             arith.truncf %{{.*}} : f32 to bf16
// CHECK-NOT:         arith.truncf
// CHECK:             linalg.yield

// Few steps are unrolled.
func.func @relu(%arg0: !torch.vtensor<[2,2,3],f32>, %arg1: !torch.vtensor<[3,3],f32>, %arg2: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,2,3],f32> {
  %int0 = torch.constant.int 0
  %false = torch.constant.bool false
  %0:2 = torch.operator "torch.torch_refine.relu_steps"(%arg0, %arg1, %arg2, %int0, %false) : (!torch.vtensor<[2,2,3],f32>, !torch.vtensor<[3,3],f32>, !torch.vtensor<[2,3],f32>, !torch.int, !torch.bool) -> (!torch.vtensor<[2,2,3],f32>, !torch.vtensor<[2,3],f32>)
  return %0#0 : !torch.vtensor<[2,2,3],f32>
}
// CHECK-LABEL: func.func @relu
// CHECK-NOT:     scf.for
// CHECK-COUNT-2: arith.maximumf
// CHECK-NOT:     arith.maximumf
