// RUN: torch-refine-opt %s --torch-lower-data-dependent-sizes | filecheck %s

// What is true is counted, and as much is allocated; places never leave it.
func.func @mask(%arg0: !torch.vtensor<[?],i1>) -> !torch.vtensor<[?,1],si64> {
  %0 = torch.aten.nonzero %arg0 : !torch.vtensor<[?],i1> -> !torch.vtensor<[?,1],si64>
  return %0 : !torch.vtensor<[?,1],si64>
}
// CHECK-LABEL: func.func @mask
// CHECK:         linalg.generic {{.*}} iterator_types = ["reduction"]
// CHECK:         %[[COUNT:.*]] = arith.index_cast %{{.*}} : i64 to index
// CHECK:         tensor.empty(%[[COUNT]]) : tensor<?xi64>
// CHECK:         %[[LAST:.*]] = arith.subi %[[COUNT]]
// CHECK:         scf.for
// CHECK:           %[[PLACE:.*]] = arith.minui %{{.*}}, %[[LAST]]
// CHECK:           tensor.insert %{{.*}} into %{{.*}}[%[[PLACE]]]
// CHECK:         tensor.expand_shape

// Indices of several dimensions are made of the positions; no size that is divided by is 0.
func.func @matrix(%arg0: !torch.vtensor<[?,3],i1>) -> !torch.vtensor<[?,2],si64> {
  %0 = torch.aten.nonzero %arg0 : !torch.vtensor<[?,3],i1> -> !torch.vtensor<[?,2],si64>
  return %0 : !torch.vtensor<[?,2],si64>
}
// CHECK-LABEL: func.func @matrix
// CHECK:         tensor.collapse_shape {{.*}} {{\[\[}}0, 1]] : tensor<?x3xi1> into tensor<?xi1>
// CHECK:         scf.for
// CHECK:         arith.maxui
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
// CHECK:           arith.divui
// CHECK:           arith.remui
// CHECK:         tensor.cast %{{.*}} : tensor<?x?xi64> to tensor<?x2xi64>

// A size that the program states is compared with what was counted.
func.func @repeated(%arg0: !torch.vtensor<[3],si64>) -> !torch.vtensor<[6],si64> {
  %int6 = torch.constant.int 6
  %0 = torch.aten.repeat_interleave.Tensor %arg0, %int6 : !torch.vtensor<[3],si64>, !torch.int -> !torch.vtensor<[6],si64>
  return %0 : !torch.vtensor<[6],si64>
}
// CHECK-LABEL: func.func @repeated
// CHECK:         cf.assert %{{.*}}, "repeats can not be negative"
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:         cf.assert %{{.*}}, "a result has another size than the program states"

// Several tensors of unknown sizes index together; negative indices count from the back.
func.func @pairs(%arg0: !torch.vtensor<[3,4,5],f32>, %arg1: !torch.vtensor<[?],si64>, %arg2: !torch.vtensor<[?],si64>) -> !torch.vtensor<[?,5],f32> {
  %0 = torch.prim.ListConstruct %arg1, %arg2 : (!torch.vtensor<[?],si64>, !torch.vtensor<[?],si64>) -> !torch.list<vtensor>
  %1 = torch.aten.index.Tensor_hacked_twin %arg0, %0 : !torch.vtensor<[3,4,5],f32>, !torch.list<vtensor> -> !torch.vtensor<[?,5],f32>
  return %1 : !torch.vtensor<[?,5],f32>
}
// CHECK-LABEL: func.func @pairs
// CHECK:         cf.assert %{{.*}}, "shapes of indices do not broadcast"
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
// CHECK-COUNT-2:   arith.select
// CHECK:           tensor.extract %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] : tensor<3x4x5xf32>
