// RUN: torch-refine-opt %s --torch-fold-empty-tensors | filecheck %s

// An unknown size may be 0 or not, and the indices of a maximum are as empty as its values.

func.func @f(%arg0: !torch.vtensor<[0,?],si64>, %arg1: !torch.vtensor<[3,0],ui8>)
    -> (!torch.vtensor<[0,?],si64>, !torch.vtensor<[0],ui8>, !torch.vtensor<[0],si64>) {
  %int0 = torch.constant.int 0
  %false = torch.constant.bool false
  %0 = torch.aten.neg %arg0 : !torch.vtensor<[0,?],si64> -> !torch.vtensor<[0,?],si64>
  %values, %indices = torch.aten.max.dim %arg1, %int0, %false : !torch.vtensor<[3,0],ui8>, !torch.int, !torch.bool -> !torch.vtensor<[0],ui8>, !torch.vtensor<[0],si64>
  return %0, %values, %indices : !torch.vtensor<[0,?],si64>, !torch.vtensor<[0],ui8>, !torch.vtensor<[0],si64>
}

// CHECK-LABEL: func.func @f
// CHECK:         torch.aten.neg
// CHECK-NOT:     torch.aten.max
// CHECK-DAG:     torch.vtensor.literal(dense<> : tensor<0xui8>) : !torch.vtensor<[0],ui8>
// CHECK-DAG:     torch.vtensor.literal(dense<> : tensor<0xsi64>) : !torch.vtensor<[0],si64>
// CHECK:         return

// What is written to has no elements, though not all of its sizes are known.
func.func @written(%arg0: !torch.vtensor<[0,?],f32>, %arg1: !torch.vtensor<[?,?],si64>, %arg2: !torch.vtensor<[?,?],f32>) -> !torch.vtensor<[0,?],f32> {
  %int0 = torch.constant.int 0
  %0 = torch.aten.scatter.src %arg0, %int0, %arg1, %arg2 : !torch.vtensor<[0,?],f32>, !torch.int, !torch.vtensor<[?,?],si64>, !torch.vtensor<[?,?],f32> -> !torch.vtensor<[0,?],f32>
  return %0 : !torch.vtensor<[0,?],f32>
}
// CHECK-LABEL: func.func @written
// CHECK-NOT:     torch.aten.scatter
// CHECK:         return %arg0

// A size that may be 0 is no reason.
func.func @any(%arg0: !torch.vtensor<[?,?],f32>, %arg1: !torch.vtensor<[?,?],si64>, %arg2: !torch.vtensor<[?,?],f32>) -> !torch.vtensor<[?,?],f32> {
  %int0 = torch.constant.int 0
  %0 = torch.aten.scatter.src %arg0, %int0, %arg1, %arg2 : !torch.vtensor<[?,?],f32>, !torch.int, !torch.vtensor<[?,?],si64>, !torch.vtensor<[?,?],f32> -> !torch.vtensor<[?,?],f32>
  return %0 : !torch.vtensor<[?,?],f32>
}
// CHECK-LABEL: func.func @any
// CHECK:         torch.aten.scatter.src

// What is written to at no place stays as it is.

func.func @at_no_place(%arg0: !torch.vtensor<[3],f32>, %arg1: !torch.vtensor<[0],si64>, %arg2: !torch.vtensor<[1],f32>) -> !torch.vtensor<[3],f32> {
  %false = torch.constant.bool false
  %0 = torch.prim.ListConstruct %arg1 : (!torch.vtensor<[0],si64>) -> !torch.list<vtensor>
  %1 = torch.aten.index_put.hacked_twin %arg0, %0, %arg2, %false : !torch.vtensor<[3],f32>, !torch.list<vtensor>, !torch.vtensor<[1],f32>, !torch.bool -> !torch.vtensor<[3],f32>
  return %1 : !torch.vtensor<[3],f32>
}

// CHECK-LABEL: func.func @at_no_place(
// CHECK-NOT:     index_put
// CHECK:         return %arg0

// What is concatenated along a size of 0 is the first of the tensors.

func.func @nothing_beside_nothing(%arg0: !torch.vtensor<[?,0],f32>, %arg1: !torch.vtensor<[?,0],f32>, %arg2: !torch.vtensor<[?,?],f32>)
    -> (!torch.vtensor<[?,0],f32>, !torch.vtensor<[?,?],f32>, !torch.vtensor<[?,0],f32>) {
  %int0 = torch.constant.int 0
  %int-1 = torch.constant.int -1
  %0 = torch.prim.ListConstruct %arg0, %arg1 : (!torch.vtensor<[?,0],f32>, !torch.vtensor<[?,0],f32>) -> !torch.list<vtensor>
  %1 = torch.aten.cat %0, %int-1 : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[?,0],f32>
  %2 = torch.prim.ListConstruct %arg0, %arg2 : (!torch.vtensor<[?,0],f32>, !torch.vtensor<[?,?],f32>) -> !torch.list<vtensor>
  %3 = torch.aten.cat %2, %int-1 : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[?,?],f32>
  %4 = torch.prim.ListConstruct %arg0, %arg1 : (!torch.vtensor<[?,0],f32>, !torch.vtensor<[?,0],f32>) -> !torch.list<vtensor>
  %5 = torch.aten.cat %4, %int0 : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[?,0],f32>
  return %1, %3, %5 : !torch.vtensor<[?,0],f32>, !torch.vtensor<[?,?],f32>, !torch.vtensor<[?,0],f32>
}

// CHECK-LABEL: func.func @nothing_beside_nothing(
// CHECK:         %[[BESIDE:.+]] = torch.aten.cat
// CHECK:         %[[BELOW:.+]] = torch.aten.cat
// CHECK:         return %arg0, %[[BESIDE]], %[[BELOW]]

// An empty constant of complex elements is one of pairs.

func.func @complex(%arg0: !torch.vtensor<[0,3],complex<f32>>) -> !torch.vtensor<[0,3],complex<f32>> {
  %0 = torch.aten.exp %arg0 : !torch.vtensor<[0,3],complex<f32>> -> !torch.vtensor<[0,3],complex<f32>>
  return %0 : !torch.vtensor<[0,3],complex<f32>>
}

// CHECK-LABEL: func.func @complex(
// CHECK:         %[[PAIRS:.+]] = torch.vtensor.literal(dense<> : tensor<0x3x2xf32>)
// CHECK:         %[[NONE:.+]] = torch.aten.view_as_complex %[[PAIRS]]
// CHECK:         return %[[NONE]]

// -----

// Nothing can be written to a dimension of size 0; the second one writes nothing.

func.func @no_place(%arg0: !torch.vtensor<[0,3],f32>, %arg1: !torch.vtensor<[2,3],si64>, %arg2: !torch.vtensor<[2,3],f32>, %arg3: !torch.vtensor<[0,3],si64>) -> (!torch.vtensor<[0,3],f32>, !torch.vtensor<[0,3],f32>) {
  %int0 = torch.constant.int 0
  %0 = torch.aten.scatter.src %arg0, %int0, %arg1, %arg2 : !torch.vtensor<[0,3],f32>, !torch.int, !torch.vtensor<[2,3],si64>, !torch.vtensor<[2,3],f32> -> !torch.vtensor<[0,3],f32>
  %1 = torch.aten.scatter.src %arg0, %int0, %arg3, %arg2 : !torch.vtensor<[0,3],f32>, !torch.int, !torch.vtensor<[0,3],si64>, !torch.vtensor<[2,3],f32> -> !torch.vtensor<[0,3],f32>
  return %0, %1 : !torch.vtensor<[0,3],f32>, !torch.vtensor<[0,3],f32>
}

// CHECK-LABEL: func.func @no_place
// CHECK:         %[[NEVER:.*]] = torch.constant.bool false
// CHECK-NEXT:    torch.runtime.assert %[[NEVER]], "index is out of bounds for a dimension of size 0"
// CHECK-NOT:     torch.runtime.assert
// CHECK:         return
