// Functions of operators that return lists of tensors.
module {
  func.func @__torch_mlir_shape_fn.my.parts_and_rest(%arg0: !torch.list<int>) -> !torch.tuple<list<list<int>>, list<int>> {
    %0 = torch.prim.ListConstruct %arg0 : (!torch.list<int>) -> !torch.list<list<int>>
    %1 = torch.prim.TupleConstruct %0, %arg0 : !torch.list<list<int>>, !torch.list<int> -> !torch.tuple<list<list<int>>, list<int>>
    return %1 : !torch.tuple<list<list<int>>, list<int>>
  }
  func.func @__torch_mlir_shape_fn.my.two_lists(%arg0: !torch.list<int>) -> !torch.list<list<int>> {
    %0 = torch.prim.ListConstruct %arg0 : (!torch.list<int>) -> !torch.list<list<int>>
    return %0 : !torch.list<list<int>>
  }
}
