// Functions that no op of their operators fits.
module {
  func.func @__torch_mlir_shape_fn.my.double(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.int) -> !torch.list<int> {
    return %arg0 : !torch.list<int>
  }
  func.func @__torch_mlir_dtype_fn.my.double(%arg0: !torch.int) -> !torch.int {
    return %arg0 : !torch.int
  }
  func.func @__torch_mlir_shape_fn.aten.tanh(%arg0: !torch.list<int>) -> !torch.tuple<list<int>, list<int>> {
    %0 = torch.prim.TupleConstruct %arg0, %arg0 : !torch.list<int>, !torch.list<int> -> !torch.tuple<list<int>, list<int>>
    return %0 : !torch.tuple<list<int>, list<int>>
  }
}
