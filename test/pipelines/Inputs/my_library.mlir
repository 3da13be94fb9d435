// Functions for an operator of the user's own, and another rule for tanh.
module {
  func.func @__torch_mlir_shape_fn.my.double(%arg0: !torch.list<int>) -> !torch.list<int> {
    %0 = torch.aten.add.t %arg0, %arg0 : !torch.list<int>, !torch.list<int> -> !torch.list<int>
    return %0 : !torch.list<int>
  }
  func.func @__torch_mlir_dtype_fn.my.double(%arg0: !torch.tuple<int, int>) -> !torch.int {
    %0:2 = torch.prim.TupleUnpack %arg0 : !torch.tuple<int, int> -> !torch.int, !torch.int
    return %0#1 : !torch.int
  }
  func.func private @helper() -> !torch.list<int> {
    %int7 = torch.constant.int 7
    %0 = torch.prim.ListConstruct %int7 : (!torch.int) -> !torch.list<int>
    return %0 : !torch.list<int>
  }
  func.func @__torch_mlir_shape_fn.aten.tanh(%arg0: !torch.list<int>) -> !torch.list<int> {
    %0 = call @helper() : () -> !torch.list<int>
    return %0 : !torch.list<int>
  }
}
