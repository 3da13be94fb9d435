// The exported library, written by `make library`. Do not edit: change the Python.
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.promotion.promote_two(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %int1 = torch.constant.int 1
  %int0 = torch.constant.int 0
  %0 = torch.prim.TupleIndex %arg0, %int0 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %1 = torch.prim.TupleIndex %arg1, %int0 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %2 = torch.derefine %0 : !torch.int to !torch.optional<int>
  %3 = torch.derefine %1 : !torch.int to !torch.optional<int>
  %4 = torch.prim.ListConstruct %2, %3 : (!torch.optional<int>, !torch.optional<int>) -> !torch.list<optional<int>>
  %5 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %6 = torch.prim.TupleIndex %arg1, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %7 = torch.prim.ListConstruct %5, %6 : (!torch.int, !torch.int) -> !torch.list<int>
  %8 = torch.promote_dtypes %4, %7 : (!torch.list<optional<int>>, !torch.list<int>) -> !torch.int
  return %8 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.bmm(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.promotion.promote_two(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.mm(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %int1 = torch.constant.int 1
  %str = torch.constant.str "aten::mm: dtypes must match, got {} and {}"
  %str_0 = torch.constant.str "AssertionError: "
  %none = torch.constant.none
  %0 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %1 = torch.prim.TupleIndex %arg1, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %2 = torch.aten.eq.int %0, %1 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %2 -> () {
    torch.prim.If.yield
  } else {
    %4 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %5 = torch.prim.TupleIndex %arg1, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %6 = torch.aten.format(%str, %4, %5) : !torch.str, !torch.int, !torch.int -> !torch.str
    %7 = torch.aten.add.str %str_0, %6 : !torch.str, !torch.str -> !torch.str
    %8 = torch.derefine %none : !torch.none to !torch.optional<str>
    torch.prim.RaiseException %7, %8 : !torch.str, !torch.optional<str>
    torch.prim.If.yield
  }
  %3 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  return %3 : !torch.int
}
func.func private @__torch_mlir_shape_fn.aten.bmm(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %int2 = torch.constant.int 2
  %int0 = torch.constant.int 0
  %int3 = torch.constant.int 3
  %false = torch.constant.bool false
  %str = torch.constant.str "aten::bmm: both must be batches of matrices, got ranks {} and {}"
  %str_0 = torch.constant.str "AssertionError: "
  %none = torch.constant.none
  %str_1 = torch.constant.str "aten::bmm: batch sizes must match, got {} and {}"
  %str_2 = torch.constant.str "aten::bmm: inner dimensions must match, got {} and {}"
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = torch.aten.eq.int %0, %int3 : !torch.int, !torch.int -> !torch.bool
  %2 = torch.prim.If %1 -> (!torch.bool) {
    %13 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
    %14 = torch.aten.eq.int %13, %int3 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If.yield %14 : !torch.bool
  } else {
    torch.prim.If.yield %false : !torch.bool
  }
  torch.prim.If %2 -> () {
    torch.prim.If.yield
  } else {
    %13 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
    %14 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
    %15 = torch.aten.format(%str, %13, %14) : !torch.str, !torch.int, !torch.int -> !torch.str
    %16 = torch.aten.add.str %str_0, %15 : !torch.str, !torch.str -> !torch.str
    %17 = torch.derefine %none : !torch.none to !torch.optional<str>
    torch.prim.RaiseException %16, %17 : !torch.str, !torch.optional<str>
    torch.prim.If.yield
  }
  %3 = torch.aten.__getitem__.t %arg0, %int0 : !torch.list<int>, !torch.int -> !torch.int
  %4 = torch.aten.__getitem__.t %arg1, %int0 : !torch.list<int>, !torch.int -> !torch.int
  %5 = torch.aten.eq.int %3, %4 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %5 -> () {
    torch.prim.If.yield
  } else {
    %13 = torch.aten.__getitem__.t %arg0, %int0 : !torch.list<int>, !torch.int -> !torch.int
    %14 = torch.aten.__getitem__.t %arg1, %int0 : !torch.list<int>, !torch.int -> !torch.int
    %15 = torch.aten.format(%str_1, %13, %14) : !torch.str, !torch.int, !torch.int -> !torch.str
    %16 = torch.aten.add.str %str_0, %15 : !torch.str, !torch.str -> !torch.str
    %17 = torch.derefine %none : !torch.none to !torch.optional<str>
    torch.prim.RaiseException %16, %17 : !torch.str, !torch.optional<str>
    torch.prim.If.yield
  }
  %6 = torch.aten.__getitem__.t %arg0, %int2 : !torch.list<int>, !torch.int -> !torch.int
  %7 = torch.aten.__getitem__.t %arg1, %int1 : !torch.list<int>, !torch.int -> !torch.int
  %8 = torch.aten.eq.int %6, %7 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %8 -> () {
    torch.prim.If.yield
  } else {
    %13 = torch.aten.__getitem__.t %arg0, %int2 : !torch.list<int>, !torch.int -> !torch.int
    %14 = torch.aten.__getitem__.t %arg1, %int1 : !torch.list<int>, !torch.int -> !torch.int
    %15 = torch.aten.format(%str_2, %13, %14) : !torch.str, !torch.int, !torch.int -> !torch.str
    %16 = torch.aten.add.str %str_0, %15 : !torch.str, !torch.str -> !torch.str
    %17 = torch.derefine %none : !torch.none to !torch.optional<str>
    torch.prim.RaiseException %16, %17 : !torch.str, !torch.optional<str>
    torch.prim.If.yield
  }
  %9 = torch.aten.__getitem__.t %arg0, %int0 : !torch.list<int>, !torch.int -> !torch.int
  %10 = torch.aten.__getitem__.t %arg0, %int1 : !torch.list<int>, !torch.int -> !torch.int
  %11 = torch.aten.__getitem__.t %arg1, %int2 : !torch.list<int>, !torch.int -> !torch.int
  %12 = torch.prim.ListConstruct %9, %10, %11 : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  return %12 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.mm(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %int2 = torch.constant.int 2
  %str = torch.constant.str "aten::mm: self must be a matrix, got {} dimensions"
  %str_0 = torch.constant.str "AssertionError: "
  %none = torch.constant.none
  %str_1 = torch.constant.str "aten::mm: mat2 must be a matrix, got {} dimensions"
  %str_2 = torch.constant.str "aten::mm: inner dimensions must match, got {} and {}"
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = torch.aten.eq.int %0, %int2 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %1 -> () {
    torch.prim.If.yield
  } else {
    %10 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
    %11 = torch.aten.format(%str, %10) : !torch.str, !torch.int -> !torch.str
    %12 = torch.aten.add.str %str_0, %11 : !torch.str, !torch.str -> !torch.str
    %13 = torch.derefine %none : !torch.none to !torch.optional<str>
    torch.prim.RaiseException %12, %13 : !torch.str, !torch.optional<str>
    torch.prim.If.yield
  }
  %2 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
  %3 = torch.aten.eq.int %2, %int2 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %3 -> () {
    torch.prim.If.yield
  } else {
    %10 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
    %11 = torch.aten.format(%str_1, %10) : !torch.str, !torch.int -> !torch.str
    %12 = torch.aten.add.str %str_0, %11 : !torch.str, !torch.str -> !torch.str
    %13 = torch.derefine %none : !torch.none to !torch.optional<str>
    torch.prim.RaiseException %12, %13 : !torch.str, !torch.optional<str>
    torch.prim.If.yield
  }
  %4 = torch.aten.__getitem__.t %arg0, %int1 : !torch.list<int>, !torch.int -> !torch.int
  %5 = torch.aten.__getitem__.t %arg1, %int0 : !torch.list<int>, !torch.int -> !torch.int
  %6 = torch.aten.eq.int %4, %5 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %6 -> () {
    torch.prim.If.yield
  } else {
    %10 = torch.aten.__getitem__.t %arg0, %int1 : !torch.list<int>, !torch.int -> !torch.int
    %11 = torch.aten.__getitem__.t %arg1, %int0 : !torch.list<int>, !torch.int -> !torch.int
    %12 = torch.aten.format(%str_2, %10, %11) : !torch.str, !torch.int, !torch.int -> !torch.str
    %13 = torch.aten.add.str %str_0, %12 : !torch.str, !torch.str -> !torch.str
    %14 = torch.derefine %none : !torch.none to !torch.optional<str>
    torch.prim.RaiseException %13, %14 : !torch.str, !torch.optional<str>
    torch.prim.If.yield
  }
  %7 = torch.aten.__getitem__.t %arg0, %int0 : !torch.list<int>, !torch.int -> !torch.int
  %8 = torch.aten.__getitem__.t %arg1, %int1 : !torch.list<int>, !torch.int -> !torch.int
  %9 = torch.prim.ListConstruct %7, %8 : (!torch.int, !torch.int) -> !torch.list<int>
  return %9 : !torch.list<int>
}
