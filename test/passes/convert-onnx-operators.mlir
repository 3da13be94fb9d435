// RUN: torch-refine-opt --torch-convert-onnx-operators --split-input-file %s | filecheck %s

// What cannot be converted stays, and so do its place and its name.
// CHECK-LABEL: func.func @others_are_converted
// CHECK: torch.aten.relu
// CHECK: torch.operator "onnx.NoSuchOperator"
// CHECK: torch.aten.tanh
func.func @others_are_converted(%a: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 20 : si64} {
  %0 = torch.operator "onnx.Relu"(%a) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  %1 = torch.operator "onnx.NoSuchOperator"(%0) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  %2 = torch.operator "onnx.Tanh"(%1) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %2 : !torch.vtensor<[2,3],f32>
}

// -----

// The wheel's conversion asks for ranks, which follow from those of the operands.
// CHECK-LABEL: func.func @ranks_follow
// CHECK-SAME: -> !torch.vtensor<[?,?],f32>
// CHECK: torch.aten.matmul {{.*}} -> !torch.vtensor<[?,?],unk>
// CHECK: torch.aten.sigmoid {{.*}} -> !torch.vtensor<[?,?],f32>
func.func @ranks_follow(%a: !torch.vtensor<[2,3],f32>, %b: !torch.vtensor<[3,4],f32>) -> !torch.vtensor<*,f32> attributes {torch.onnx_meta.opset_version = 20 : si64} {
  %0 = torch.operator "onnx.MatMul"(%a, %b) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[3,4],f32>) -> !torch.vtensor
  %1 = torch.operator "onnx.Sigmoid"(%0) : (!torch.vtensor) -> !torch.vtensor<*,f32>
  return %1 : !torch.vtensor<*,f32>
}

// -----

// The wheel's importer declares a scalar where ONNX left the shape open.
// CHECK-LABEL: func.func @not_a_scalar
// CHECK: torch.aten.tanh {{.*}} -> !torch.vtensor<[?,?],f32>
// CHECK: torch.aten.add.Tensor {{.*}} -> !torch.vtensor<[?,?],f32>
func.func @not_a_scalar(%a: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[],f32> attributes {torch.onnx_meta.opset_version = 20 : si64} {
  %0 = torch.operator "onnx.Tanh"(%a) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[],f32>
  %1 = torch.operator "onnx.Add"(%0, %a) : (!torch.vtensor<[],f32>, !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[],f32>
  return %1 : !torch.vtensor<[],f32>
}

// -----

// CHECK-LABEL: func.func @a_scalar
// CHECK: torch.aten.tanh {{.*}} -> !torch.vtensor<[],f32>
func.func @a_scalar(%a: !torch.vtensor<[],f32>) -> !torch.vtensor<[],f32> attributes {torch.onnx_meta.opset_version = 20 : si64} {
  %0 = torch.operator "onnx.Tanh"(%a) : (!torch.vtensor<[],f32>) -> !torch.vtensor<[],f32>
  return %0 : !torch.vtensor<[],f32>
}

// -----

// How many dimensions are reduced is data: the operator stays.
// CHECK-LABEL: func.func @unknown_rank
// CHECK: torch.operator "onnx.ReduceSum"({{.*}} -> !torch.vtensor<*,f32>
func.func @unknown_rank(%a: !torch.vtensor<[2,3],f32>, %axes: !torch.vtensor<[?],si64>) -> !torch.vtensor<[],f32> attributes {torch.onnx_meta.opset_version = 20 : si64} {
  %0 = torch.operator "onnx.ReduceSum"(%a, %axes) {torch.onnx.keepdims = 0 : si64} : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[?],si64>) -> !torch.vtensor<[],f32>
  return %0 : !torch.vtensor<[],f32>
}

// -----

// The rank of a product follows from those of both operands only.
// CHECK-LABEL: func.func @unknown_operand
// CHECK: torch.operator "onnx.MatMul"({{.*}} -> !torch.vtensor<*,f32>
func.func @unknown_operand(%a: !torch.vtensor<*,f32>, %b: !torch.vtensor<[3,4],f32>) -> !torch.vtensor<[],f32> attributes {torch.onnx_meta.opset_version = 20 : si64} {
  %0 = torch.operator "onnx.MatMul"(%a, %b) : (!torch.vtensor<*,f32>, !torch.vtensor<[3,4],f32>) -> !torch.vtensor<[],f32>
  return %0 : !torch.vtensor<[],f32>
}

// -----

// Numbers of a list that is written in the program are constants, and no dimension is negative.
// CHECK-LABEL: func.func @dimensions
// CHECK-NOT: torch.aten.item
// CHECK: %[[D:.*]] = torch.constant.int 1
// CHECK: %[[L:.*]] = torch.prim.ListConstruct %[[D]]
// CHECK: torch.prims.squeeze %arg0, %[[L]] {{.*}} -> !torch.vtensor<[2,3],f32>
func.func @dimensions(%a: !torch.vtensor<[2,1,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 20 : si64} {
  %0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<-2> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  %1 = torch.operator "onnx.Squeeze"(%a, %0) : (!torch.vtensor<[2,1,3],f32>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[2,3],f32>
  return %1 : !torch.vtensor<[2,3],f32>
}

// -----

// A number that is selected has rank 0.
// CHECK-LABEL: func.func @selected
// CHECK: torch.aten.select.int %arg1, {{.*}} -> !torch.vtensor<[],si64>
// CHECK: torch.aten.reshape
func.func @selected(%a: !torch.vtensor<[6],f32>, %s: !torch.vtensor<[2],si64>) -> !torch.vtensor<[?,?],f32> attributes {torch.onnx_meta.opset_version = 20 : si64} {
  %0 = torch.operator "onnx.Reshape"(%a, %s) : (!torch.vtensor<[6],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[?,?],f32>
  return %0 : !torch.vtensor<[?,?],f32>
}

// -----

// CHECK-LABEL: func.func @integers_are_divided
// CHECK: %[[MODE:.*]] = torch.constant.str "trunc"
// CHECK: torch.aten.div.Tensor_mode %arg0, %arg1, %[[MODE]] {{.*}} -> !torch.vtensor<[4],si64>
// CHECK: torch.aten.div.Tensor %arg2, %arg2
func.func @integers_are_divided(%a: !torch.vtensor<[4],si64>, %b: !torch.vtensor<[4],si64>, %c: !torch.vtensor<[4],f32>) -> (!torch.vtensor<[4],si64>, !torch.vtensor<[4],f32>) attributes {torch.onnx_meta.opset_version = 20 : si64} {
  %0 = torch.operator "onnx.Div"(%a, %b) : (!torch.vtensor<[4],si64>, !torch.vtensor<[4],si64>) -> !torch.vtensor<[4],si64>
  %1 = torch.operator "onnx.Div"(%c, %c) : (!torch.vtensor<[4],f32>, !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32>
  return %0, %1 : !torch.vtensor<[4],si64>, !torch.vtensor<[4],f32>
}

// -----

// The steps of a slice are ones, as integers.
// CHECK-LABEL: func.func @filled
// CHECK: %[[SI64:.*]] = torch.constant.int 4
// CHECK: torch.aten.ones %{{.*}}, %[[SI64]], {{.*}} -> !torch.vtensor<[1],si64>
func.func @filled(%a: !torch.vtensor<[6],f32>, %s: !torch.vtensor<[1],si64>, %e: !torch.vtensor<[1],si64>) -> !torch.vtensor<[?],f32> attributes {torch.onnx_meta.opset_version = 20 : si64} {
  %0 = torch.operator "onnx.Slice"(%a, %s, %e) : (!torch.vtensor<[6],f32>, !torch.vtensor<[1],si64>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[?],f32>
  return %0 : !torch.vtensor<[?],f32>
}

// -----

// CHECK-LABEL: func.func @average
// CHECK: torch.prim.ListConstruct %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} :
// CHECK: %[[S:.*]] = torch.prim.ListConstruct %{{[^,]*}}, %{{[^,]*}} :
// CHECK-NEXT: torch.aten.avg_pool2d %arg0, %{{.*}}, %[[S]],
func.func @average(%a: !torch.vtensor<[1,3,8,8],f32>) -> !torch.vtensor<[1,3,7,7],f32> attributes {torch.onnx_meta.opset_version = 20 : si64} {
  %0 = torch.operator "onnx.AveragePool"(%a) {torch.onnx.kernel_shape = [2 : si64, 2 : si64]} : (!torch.vtensor<[1,3,8,8],f32>) -> !torch.vtensor<[1,3,7,7],f32>
  return %0 : !torch.vtensor<[1,3,7,7],f32>
}

// -----

// A program of PyTorch is left as it is.
// CHECK-LABEL: func.func @not_onnx
// CHECK: torch.aten.div.Tensor %arg0
func.func @not_onnx(%a: !torch.vtensor<[4],si64>) -> !torch.vtensor<[4],f32> {
  %0 = torch.aten.div.Tensor %a, %a : !torch.vtensor<[4],si64>, !torch.vtensor<[4],si64> -> !torch.vtensor<[4],f32>
  return %0 : !torch.vtensor<[4],f32>
}

// -----

// Without axes, a reduction is over all dimensions, or over none where an attribute says so; the
// number of elements is a scalar.
// CHECK-LABEL: func.func @without_axes
// CHECK-SAME: -> (!torch.vtensor<[],f32>, !torch.vtensor<[?,?],f32>, !torch.vtensor<[],si64>)
// CHECK: torch.aten.sum.dim_IntList %arg0, {{.*}} -> !torch.vtensor<[],f32>
// CHECK: torch.aten.tensor.int {{.*}} -> !torch.vtensor<[],si64>
func.func @without_axes(%a: !torch.vtensor<[2,3],f32>) -> (!torch.vtensor<*,f32>, !torch.vtensor<*,f32>, !torch.vtensor<*,si64>) attributes {torch.onnx_meta.opset_version = 20 : si64} {
  %0 = torch.operator "onnx.ReduceSum"(%a) {torch.onnx.keepdims = 0 : si64} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<*,f32>
  %1 = torch.operator "onnx.ReduceSum"(%a) {torch.onnx.keepdims = 0 : si64, torch.onnx.noop_with_empty_axes = 1 : si64} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<*,f32>
  %2 = torch.operator "onnx.Size"(%a) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<*,si64>
  return %0, %1, %2 : !torch.vtensor<*,f32>, !torch.vtensor<*,f32>, !torch.vtensor<*,si64>
}

// -----

// A number that is read from a list written in the program is a constant, and each negative
// dimension is counted from the end, whatever the others are.
// CHECK-LABEL: func.func @read_dimensions
// CHECK-NOT: torch.aten.item
// CHECK: %[[D:.*]] = torch.constant.int 1{{$}}
// CHECK-NEXT: %[[L:.*]] = torch.prim.ListConstruct %[[D]] :
// CHECK-NEXT: torch.prims.squeeze %arg0, %[[L]] {{.*}} -> !torch.vtensor<[2,3],f32>
// CHECK: %[[E:.*]] = torch.constant.int 1{{$}}
// CHECK-NEXT: %[[M:.*]] = torch.prim.ListConstruct %int0, %[[E]] :
// CHECK-NEXT: torch.prims.squeeze %arg1, %[[M]] {{.*}} -> !torch.vtensor<[3],f32>
func.func @read_dimensions(%a: !torch.vtensor<[2,1,3],f32>, %b: !torch.vtensor<[1,1,3],f32>) -> (!torch.vtensor<[2,3],f32>, !torch.vtensor<[3],f32>) attributes {torch.onnx_meta.opset_version = 20 : si64} {
  %int0 = torch.constant.int 0
  %int-1 = torch.constant.int -1
  %int-2 = torch.constant.int -2
  %0 = torch.vtensor.literal(dense<[5, -2]> : tensor<2xsi64>) : !torch.vtensor<[2],si64>
  %1 = torch.aten.select.int %0, %int0, %int-1 : !torch.vtensor<[2],si64>, !torch.int, !torch.int -> !torch.vtensor<[],si64>
  %2 = torch.aten.item %1 : !torch.vtensor<[],si64> -> !torch.int
  %3 = torch.prim.ListConstruct %2 : (!torch.int) -> !torch.list<int>
  %4 = torch.prims.squeeze %a, %3 : !torch.vtensor<[2,1,3],f32>, !torch.list<int> -> !torch.vtensor<[2,3],f32>
  %5 = torch.operator "onnx.Relu"(%4) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  %6 = torch.prim.ListConstruct %int0, %int-2 : (!torch.int, !torch.int) -> !torch.list<int>
  %7 = torch.prims.squeeze %b, %6 : !torch.vtensor<[1,1,3],f32>, !torch.list<int> -> !torch.vtensor<[3],f32>
  return %5, %7 : !torch.vtensor<[2,3],f32>, !torch.vtensor<[3],f32>
}
