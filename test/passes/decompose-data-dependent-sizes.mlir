// RUN: torch-refine-opt %s --torch-decompose-data-dependent-sizes | filecheck %s

// A mask stands for as many dimensions as it has: they become one, of which positions are picked.
func.func @mask(%arg0: !torch.vtensor<[2,3,4],f32>, %arg1: !torch.vtensor<[2,3],i1>) -> !torch.vtensor<[?,4],f32> {
  %0 = torch.prim.ListConstruct %arg1 : (!torch.vtensor<[2,3],i1>) -> !torch.list<optional<vtensor>>
  %1 = torch.aten.index.Tensor %arg0, %0 : !torch.vtensor<[2,3,4],f32>, !torch.list<optional<vtensor>> -> !torch.vtensor<[?,4],f32>
  return %1 : !torch.vtensor<[?,4],f32>
}
// CHECK-LABEL: func.func @mask
// CHECK:         %[[ROWS:.*]] = torch.aten.view %arg0, {{.*}} -> !torch.vtensor<[6,4],f32>
// CHECK:         %[[FLAT:.*]] = torch.aten.view %arg1, {{.*}} -> !torch.vtensor<[6],i1>
// CHECK:         %[[FOUND:.*]] = torch.aten.nonzero %[[FLAT]] : !torch.vtensor<[6],i1> -> !torch.vtensor<[?,1],si64>
// CHECK:         %[[PLACES:.*]] = torch.aten.squeeze.dim %[[FOUND]]
// CHECK:         torch.aten.index_select %[[ROWS]], %{{.*}}, %[[PLACES]]

// Sizes of a mask that are unknown must be those of the tensor.
func.func @unknown(%arg0: !torch.vtensor<[?],f32>, %arg1: !torch.vtensor<[?],ui8>) -> !torch.vtensor<[?],f32> {
  %0 = torch.prim.ListConstruct %arg1 : (!torch.vtensor<[?],ui8>) -> !torch.list<optional<vtensor>>
  %1 = torch.aten.index.Tensor %arg0, %0 : !torch.vtensor<[?],f32>, !torch.list<optional<vtensor>> -> !torch.vtensor<[?],f32>
  return %1 : !torch.vtensor<[?],f32>
}
// CHECK-LABEL: func.func @unknown
// CHECK:         torch.aten.ne.Scalar %arg1
// CHECK:         torch.runtime.assert %{{.*}}, "the shape of a mask does not match that of the indexed tensor at dimension 0"
// CHECK:         torch.aten.nonzero

// Beside indices, a mask becomes its own indices, one vector for each dimension.
func.func @mixed(%arg0: !torch.vtensor<[2,3,4],f32>, %arg1: !torch.vtensor<[2,3],i1>, %arg2: !torch.vtensor<[1],si64>) -> !torch.vtensor<[?],f32> {
  %0 = torch.prim.ListConstruct %arg1, %arg2 : (!torch.vtensor<[2,3],i1>, !torch.vtensor<[1],si64>) -> !torch.list<optional<vtensor>>
  %1 = torch.aten.index.Tensor %arg0, %0 : !torch.vtensor<[2,3,4],f32>, !torch.list<optional<vtensor>> -> !torch.vtensor<[?],f32>
  return %1 : !torch.vtensor<[?],f32>
}
// CHECK-LABEL: func.func @mixed
// CHECK:         torch.aten.nonzero %arg1 : !torch.vtensor<[2,3],i1> -> !torch.vtensor<[?,2],si64>
// CHECK:         %[[ROW:.*]] = torch.aten.select.int
// CHECK:         %[[COLUMN:.*]] = torch.aten.select.int
// CHECK:         torch.prim.ListConstruct %[[ROW]], %[[COLUMN]], %arg2
// CHECK:         torch.aten.index.Tensor

// The same value wherever a mask is true is a choice.
func.func @fill(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[2],i1>, %arg2: !torch.vtensor<[3],f32>) -> !torch.vtensor<[2,3],f32> {
  %false = torch.constant.bool false
  %0 = torch.prim.ListConstruct %arg1 : (!torch.vtensor<[2],i1>) -> !torch.list<optional<vtensor>>
  %1 = torch.aten.index_put %arg0, %0, %arg2, %false : !torch.vtensor<[2,3],f32>, !torch.list<optional<vtensor>>, !torch.vtensor<[3],f32>, !torch.bool -> !torch.vtensor<[2,3],f32>
  return %1 : !torch.vtensor<[2,3],f32>
}
// CHECK-LABEL: func.func @fill
// CHECK:         %[[MASK:.*]] = torch.aten.unsqueeze %arg1
// CHECK:         torch.aten.where.self %[[MASK]], %arg2, %arg0

// Distinct values are sorted, compared with what is in front, and counted.
func.func @distinct(%arg0: !torch.vtensor<[4],f32>) -> (!torch.vtensor<[?],f32>, !torch.vtensor<[4],si64>, !torch.vtensor<[0],si64>) {
  %true = torch.constant.bool true
  %false = torch.constant.bool false
  %0:3 = torch.operator "torch.aten._unique2"(%arg0, %true, %true, %false) : (!torch.vtensor<[4],f32>, !torch.bool, !torch.bool, !torch.bool) -> (!torch.vtensor<[?],f32>, !torch.vtensor<[4],si64>, !torch.vtensor<[0],si64>)
  return %0#0, %0#1, %0#2 : !torch.vtensor<[?],f32>, !torch.vtensor<[4],si64>, !torch.vtensor<[0],si64>
}
// CHECK-LABEL: func.func @distinct
// CHECK:         %[[VALUES:.*]], %[[ORDER:.*]] = torch.aten.sort %arg0
// CHECK:         %[[DIFFERS:.*]] = torch.aten.logical_or
// CHECK:         torch.aten.cumsum
// CHECK:         torch.aten.nonzero %[[DIFFERS]]
// CHECK:         torch.aten.index_select %[[VALUES]]
// CHECK:         torch.aten.index_put

// Without a mask nothing changes.
func.func @places(%arg0: !torch.vtensor<[4],f32>, %arg1: !torch.vtensor<[2],si64>) -> !torch.vtensor<[2],f32> {
  %0 = torch.prim.ListConstruct %arg1 : (!torch.vtensor<[2],si64>) -> !torch.list<optional<vtensor>>
  %1 = torch.aten.index.Tensor %arg0, %0 : !torch.vtensor<[4],f32>, !torch.list<optional<vtensor>> -> !torch.vtensor<[2],f32>
  return %1 : !torch.vtensor<[2],f32>
}
// CHECK-LABEL: func.func @places
// CHECK:         torch.aten.index.Tensor %arg0
