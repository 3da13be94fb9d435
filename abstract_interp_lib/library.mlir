// The exported library, written by `make library`. Do not edit: change the Python.
func.func private @__torch__.torch_refine.abstract_interp_lib.families.matmul.addmm_dtype_rule(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>, %arg2: !torch.tuple<int, int>) -> !torch.int {
  %int1 = torch.constant.int 1
  %false = torch.constant.bool false
  %str = torch.constant.str "dtypes must match, got {}, {} and {}"
  %none = torch.constant.none
  %0 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %1 = torch.prim.TupleIndex %arg1, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %2 = torch.aten.eq.int %0, %1 : !torch.int, !torch.int -> !torch.bool
  %3 = torch.prim.If %2 -> (!torch.bool) {
    %5 = torch.prim.TupleIndex %arg1, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %6 = torch.prim.TupleIndex %arg2, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %7 = torch.aten.eq.int %5, %6 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If.yield %7 : !torch.bool
  } else {
    torch.prim.If.yield %false : !torch.bool
  }
  torch.prim.If %3 -> () {
    torch.prim.If.yield
  } else {
    %5 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %6 = torch.prim.TupleIndex %arg1, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %7 = torch.prim.TupleIndex %arg2, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %8 = torch.aten.format(%str, %5, %6, %7) : !torch.str, !torch.int, !torch.int, !torch.int -> !torch.str
    torch.prim.RaiseException %8, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %4 = torch.prim.TupleIndex %arg1, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  return %4 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.matmul.addmm_rule(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.matmul.matrix_product(%arg1, %arg2) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.matmul.check_expands(%arg0, %0) : (!torch.list<int>, !torch.list<int>) -> !torch.none
  return %0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.products.check_vectors(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.none {
  %int1 = torch.constant.int 1
  %str = torch.constant.str "the first operand must be a vector, got shape {}"
  %none = torch.constant.none
  %str_0 = torch.constant.str "the second operand must be a vector, got shape {}"
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = torch.aten.eq.int %0, %int1 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %1 -> () {
    torch.prim.If.yield
  } else {
    %4 = torch.aten.format(%str, %arg0) : !torch.str, !torch.list<int> -> !torch.str
    torch.prim.RaiseException %4, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %2 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
  %3 = torch.aten.eq.int %2, %int1 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %3 -> () {
    torch.prim.If.yield
  } else {
    %4 = torch.aten.format(%str_0, %arg1) : !torch.str, !torch.list<int> -> !torch.str
    torch.prim.RaiseException %4, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  return %none : !torch.none
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.products.outer_dtype_rule(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.promotion.promote_two(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.products.outer_rule(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %int0 = torch.constant.int 0
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.products.check_vectors(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.none
  %1 = torch.aten.__getitem__.t %arg0, %int0 : !torch.list<int>, !torch.int -> !torch.int
  %2 = torch.aten.__getitem__.t %arg1, %int0 : !torch.list<int>, !torch.int -> !torch.int
  %3 = torch.prim.ListConstruct %1, %2 : (!torch.int, !torch.int) -> !torch.list<int>
  return %3 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.broadcast.broadcast_two(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %true = torch.constant.bool true
  %str = torch.constant.str "shapes {} and {} do not broadcast: {} and {} differ and neither is 1"
  %none = torch.constant.none
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
  %2 = torch.prim.max.int %0, %1 : !torch.int, !torch.int -> !torch.int
  %3 = torch.prim.ListConstruct  : () -> !torch.list<int>
  torch.prim.Loop %2, %true, init() {
  ^bb0(%arg2: !torch.int):
    %4 = torch.aten.sub.int %arg2, %2 : !torch.int, !torch.int -> !torch.int
    %5 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
    %6 = torch.aten.add.int %4, %5 : !torch.int, !torch.int -> !torch.int
    %7 = torch.aten.sub.int %arg2, %2 : !torch.int, !torch.int -> !torch.int
    %8 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
    %9 = torch.aten.add.int %7, %8 : !torch.int, !torch.int -> !torch.int
    %10 = torch.aten.ge.int %6, %int0 : !torch.int, !torch.int -> !torch.bool
    %11 = torch.prim.If %10 -> (!torch.int) {
      %15 = torch.aten.__getitem__.t %arg0, %6 : !torch.list<int>, !torch.int -> !torch.int
      torch.prim.If.yield %15 : !torch.int
    } else {
      torch.prim.If.yield %int1 : !torch.int
    }
    %12 = torch.aten.ge.int %9, %int0 : !torch.int, !torch.int -> !torch.bool
    %13 = torch.prim.If %12 -> (!torch.int) {
      %15 = torch.aten.__getitem__.t %arg1, %9 : !torch.list<int>, !torch.int -> !torch.int
      %16 = torch.aten.eq.int %11, %int1 : !torch.int, !torch.int -> !torch.bool
      %17 = torch.prim.If %16 -> (!torch.int) {
        torch.prim.If.yield %15 : !torch.int
      } else {
        %18 = torch.aten.eq.int %15, %int1 : !torch.int, !torch.int -> !torch.bool
        %19 = torch.prim.If %18 -> (!torch.bool) {
          torch.prim.If.yield %true : !torch.bool
        } else {
          %20 = torch.aten.eq.int %15, %11 : !torch.int, !torch.int -> !torch.bool
          torch.prim.If.yield %20 : !torch.bool
        }
        torch.prim.If %19 -> () {
          torch.prim.If.yield
        } else {
          %20 = torch.aten.format(%str, %arg0, %arg1, %11, %15) : !torch.str, !torch.list<int>, !torch.list<int>, !torch.int, !torch.int -> !torch.str
          torch.prim.RaiseException %20, %none : !torch.str, !torch.none
          torch.prim.If.yield
        }
        torch.prim.If.yield %11 : !torch.int
      }
      torch.prim.If.yield %17 : !torch.int
    } else {
      torch.prim.If.yield %11 : !torch.int
    }
    %14 = torch.aten.append.t %3, %13 : !torch.list<int>, !torch.int -> !torch.list<int>
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  return %3 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.dims.wrap_dim(%arg0: !torch.int, %arg1: !torch.int) -> !torch.int {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %false = torch.constant.bool false
  %str = torch.constant.str "dimension {} is out of range for a tensor of rank {}"
  %none = torch.constant.none
  %0 = torch.prim.max.int %arg1, %int1 : !torch.int, !torch.int -> !torch.int
  %1 = torch.aten.neg.int %0 : !torch.int -> !torch.int
  %2 = torch.aten.le.int %1, %arg0 : !torch.int, !torch.int -> !torch.bool
  %3 = torch.prim.If %2 -> (!torch.bool) {
    %6 = torch.aten.lt.int %arg0, %0 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If.yield %6 : !torch.bool
  } else {
    torch.prim.If.yield %false : !torch.bool
  }
  torch.prim.If %3 -> () {
    torch.prim.If.yield
  } else {
    %6 = torch.aten.format(%str, %arg0, %arg1) : !torch.str, !torch.int, !torch.int -> !torch.str
    torch.prim.RaiseException %6, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %4 = torch.aten.lt.int %arg0, %int0 : !torch.int, !torch.int -> !torch.bool
  %5 = torch.prim.If %4 -> (!torch.int) {
    %6 = torch.aten.add.int %arg0, %0 : !torch.int, !torch.int -> !torch.int
    torch.prim.If.yield %6 : !torch.int
  } else {
    torch.prim.If.yield %arg0 : !torch.int
  }
  return %5 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.matmul.batched_product(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %int2 = torch.constant.int 2
  %int0 = torch.constant.int 0
  %int3 = torch.constant.int 3
  %str = torch.constant.str "the first factor must be a batch of matrices, got shape {}"
  %none = torch.constant.none
  %str_0 = torch.constant.str "the second factor must be a batch of matrices, got shape {}"
  %str_1 = torch.constant.str "batch sizes must match, got {} and {}"
  %str_2 = torch.constant.str "inner dimensions must match, got {} and {}"
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = torch.aten.eq.int %0, %int3 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %1 -> () {
    torch.prim.If.yield
  } else {
    %14 = torch.aten.format(%str, %arg0) : !torch.str, !torch.list<int> -> !torch.str
    torch.prim.RaiseException %14, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %2 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
  %3 = torch.aten.eq.int %2, %int3 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %3 -> () {
    torch.prim.If.yield
  } else {
    %14 = torch.aten.format(%str_0, %arg1) : !torch.str, !torch.list<int> -> !torch.str
    torch.prim.RaiseException %14, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %4 = torch.aten.__getitem__.t %arg0, %int0 : !torch.list<int>, !torch.int -> !torch.int
  %5 = torch.aten.__getitem__.t %arg1, %int0 : !torch.list<int>, !torch.int -> !torch.int
  %6 = torch.aten.eq.int %4, %5 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %6 -> () {
    torch.prim.If.yield
  } else {
    %14 = torch.aten.__getitem__.t %arg0, %int0 : !torch.list<int>, !torch.int -> !torch.int
    %15 = torch.aten.__getitem__.t %arg1, %int0 : !torch.list<int>, !torch.int -> !torch.int
    %16 = torch.aten.format(%str_1, %14, %15) : !torch.str, !torch.int, !torch.int -> !torch.str
    torch.prim.RaiseException %16, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %7 = torch.aten.__getitem__.t %arg0, %int2 : !torch.list<int>, !torch.int -> !torch.int
  %8 = torch.aten.__getitem__.t %arg1, %int1 : !torch.list<int>, !torch.int -> !torch.int
  %9 = torch.aten.eq.int %7, %8 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %9 -> () {
    torch.prim.If.yield
  } else {
    %14 = torch.aten.__getitem__.t %arg0, %int2 : !torch.list<int>, !torch.int -> !torch.int
    %15 = torch.aten.__getitem__.t %arg1, %int1 : !torch.list<int>, !torch.int -> !torch.int
    %16 = torch.aten.format(%str_2, %14, %15) : !torch.str, !torch.int, !torch.int -> !torch.str
    torch.prim.RaiseException %16, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %10 = torch.aten.__getitem__.t %arg0, %int0 : !torch.list<int>, !torch.int -> !torch.int
  %11 = torch.aten.__getitem__.t %arg0, %int1 : !torch.list<int>, !torch.int -> !torch.int
  %12 = torch.aten.__getitem__.t %arg1, %int2 : !torch.list<int>, !torch.int -> !torch.int
  %13 = torch.prim.ListConstruct %10, %11, %12 : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  return %13 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.matmul.check_expands(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.none {
  %int1 = torch.constant.int 1
  %int0 = torch.constant.int 0
  %str = torch.constant.str "shape {} does not expand to the fewer dimensions of {}"
  %none = torch.constant.none
  %true = torch.constant.bool true
  %str_0 = torch.constant.str "shape {} does not expand to {}"
  %0 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
  %1 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %2 = torch.aten.sub.int %0, %1 : !torch.int, !torch.int -> !torch.int
  %3 = torch.aten.ge.int %2, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %3 -> () {
    torch.prim.If.yield
  } else {
    %5 = torch.aten.format(%str, %arg0, %arg1) : !torch.str, !torch.list<int>, !torch.list<int> -> !torch.str
    torch.prim.RaiseException %5, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %4 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  torch.prim.Loop %4, %true, init() {
  ^bb0(%arg2: !torch.int):
    %5 = torch.aten.__getitem__.t %arg0, %arg2 : !torch.list<int>, !torch.int -> !torch.int
    %6 = torch.aten.eq.int %5, %int1 : !torch.int, !torch.int -> !torch.bool
    %7 = torch.prim.If %6 -> (!torch.bool) {
      torch.prim.If.yield %true : !torch.bool
    } else {
      %8 = torch.aten.add.int %2, %arg2 : !torch.int, !torch.int -> !torch.int
      %9 = torch.aten.__getitem__.t %arg1, %8 : !torch.list<int>, !torch.int -> !torch.int
      %10 = torch.aten.eq.int %5, %9 : !torch.int, !torch.int -> !torch.bool
      torch.prim.If.yield %10 : !torch.bool
    }
    torch.prim.If %7 -> () {
      torch.prim.If.yield
    } else {
      %8 = torch.aten.format(%str_0, %arg0, %arg1) : !torch.str, !torch.list<int>, !torch.list<int> -> !torch.str
      torch.prim.RaiseException %8, %none : !torch.str, !torch.none
      torch.prim.If.yield
    }
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  return %none : !torch.none
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.matmul.matrix_product(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %int2 = torch.constant.int 2
  %str = torch.constant.str "the first factor must be a matrix, got shape {}"
  %none = torch.constant.none
  %str_0 = torch.constant.str "the second factor must be a matrix, got shape {}"
  %str_1 = torch.constant.str "inner dimensions must match, got {} and {}"
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = torch.aten.eq.int %0, %int2 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %1 -> () {
    torch.prim.If.yield
  } else {
    %10 = torch.aten.format(%str, %arg0) : !torch.str, !torch.list<int> -> !torch.str
    torch.prim.RaiseException %10, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %2 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
  %3 = torch.aten.eq.int %2, %int2 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %3 -> () {
    torch.prim.If.yield
  } else {
    %10 = torch.aten.format(%str_0, %arg1) : !torch.str, !torch.list<int> -> !torch.str
    torch.prim.RaiseException %10, %none : !torch.str, !torch.none
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
    %12 = torch.aten.format(%str_1, %10, %11) : !torch.str, !torch.int, !torch.int -> !torch.str
    torch.prim.RaiseException %12, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %7 = torch.aten.__getitem__.t %arg0, %int0 : !torch.list<int>, !torch.int -> !torch.int
  %8 = torch.aten.__getitem__.t %arg1, %int1 : !torch.list<int>, !torch.int -> !torch.int
  %9 = torch.prim.ListConstruct %7, %8 : (!torch.int, !torch.int) -> !torch.list<int>
  return %9 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.matmul.matrix_vector_product(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %int2 = torch.constant.int 2
  %str = torch.constant.str "the first factor must be a matrix, got shape {}"
  %none = torch.constant.none
  %str_0 = torch.constant.str "the second factor must be a vector, got shape {}"
  %str_1 = torch.constant.str "inner dimensions must match, got {} and {}"
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = torch.aten.eq.int %0, %int2 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %1 -> () {
    torch.prim.If.yield
  } else {
    %9 = torch.aten.format(%str, %arg0) : !torch.str, !torch.list<int> -> !torch.str
    torch.prim.RaiseException %9, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %2 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
  %3 = torch.aten.eq.int %2, %int1 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %3 -> () {
    torch.prim.If.yield
  } else {
    %9 = torch.aten.format(%str_0, %arg1) : !torch.str, !torch.list<int> -> !torch.str
    torch.prim.RaiseException %9, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %4 = torch.aten.__getitem__.t %arg0, %int1 : !torch.list<int>, !torch.int -> !torch.int
  %5 = torch.aten.__getitem__.t %arg1, %int0 : !torch.list<int>, !torch.int -> !torch.int
  %6 = torch.aten.eq.int %4, %5 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %6 -> () {
    torch.prim.If.yield
  } else {
    %9 = torch.aten.__getitem__.t %arg0, %int1 : !torch.list<int>, !torch.int -> !torch.int
    %10 = torch.aten.__getitem__.t %arg1, %int0 : !torch.list<int>, !torch.int -> !torch.int
    %11 = torch.aten.format(%str_1, %9, %10) : !torch.str, !torch.int, !torch.int -> !torch.str
    torch.prim.RaiseException %11, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %7 = torch.aten.__getitem__.t %arg0, %int0 : !torch.list<int>, !torch.int -> !torch.int
  %8 = torch.prim.ListConstruct %7 : (!torch.int) -> !torch.list<int>
  return %8 : !torch.list<int>
}
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
func.func private @__torch_mlir_dtype_fn.aten._addmm_activation(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>, %arg2: !torch.tuple<int, int>, %arg3: !torch.number, %arg4: !torch.number, %arg5: !torch.bool) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.matmul.addmm_dtype_rule(%arg0, %arg1, %arg2) : (!torch.tuple<int, int>, !torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten._int_mm(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %int1 = torch.constant.int 1
  %true = torch.constant.bool true
  %int0 = torch.constant.int 0
  %str = torch.constant.str "aten::_int_mm: self must be int8 or uint8, got dtype {}"
  %none = torch.constant.none
  %int3 = torch.constant.int 3
  %0 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %1 = torch.aten.eq.int %0, %int1 : !torch.int, !torch.int -> !torch.bool
  %2 = torch.prim.If %1 -> (!torch.bool) {
    torch.prim.If.yield %true : !torch.bool
  } else {
    %3 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %4 = torch.aten.eq.int %3, %int0 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If.yield %4 : !torch.bool
  }
  torch.prim.If %2 -> () {
    torch.prim.If.yield
  } else {
    %3 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %4 = torch.aten.format(%str, %3) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %4, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  return %int3 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.addbmm(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>, %arg2: !torch.tuple<int, int>, %arg3: !torch.number, %arg4: !torch.number) -> !torch.int {
  %int1 = torch.constant.int 1
  %0 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.addmm(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>, %arg2: !torch.tuple<int, int>, %arg3: !torch.number, %arg4: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.matmul.addmm_dtype_rule(%arg0, %arg1, %arg2) : (!torch.tuple<int, int>, !torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.addmv(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>, %arg2: !torch.tuple<int, int>, %arg3: !torch.number, %arg4: !torch.number) -> !torch.int {
  %int1 = torch.constant.int 1
  %false = torch.constant.bool false
  %str = torch.constant.str "aten::addmv: dtypes must match, got {}, {} and {}"
  %none = torch.constant.none
  %0 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %1 = torch.prim.TupleIndex %arg1, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %2 = torch.aten.eq.int %0, %1 : !torch.int, !torch.int -> !torch.bool
  %3 = torch.prim.If %2 -> (!torch.bool) {
    %5 = torch.prim.TupleIndex %arg1, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %6 = torch.prim.TupleIndex %arg2, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %7 = torch.aten.eq.int %5, %6 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If.yield %7 : !torch.bool
  } else {
    torch.prim.If.yield %false : !torch.bool
  }
  torch.prim.If %3 -> () {
    torch.prim.If.yield
  } else {
    %5 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %6 = torch.prim.TupleIndex %arg1, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %7 = torch.prim.TupleIndex %arg2, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %8 = torch.aten.format(%str, %5, %6, %7) : !torch.str, !torch.int, !torch.int, !torch.int -> !torch.str
    torch.prim.RaiseException %8, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %4 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  return %4 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.addr(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>, %arg2: !torch.tuple<int, int>, %arg3: !torch.number, %arg4: !torch.number) -> !torch.int {
  %int1 = torch.constant.int 1
  %int2 = torch.constant.int 2
  %0 = torch.derefine %int2 : !torch.int to !torch.optional<int>
  %1 = torch.derefine %int1 : !torch.int to !torch.optional<int>
  %2 = torch.derefine %int1 : !torch.int to !torch.optional<int>
  %3 = torch.prim.ListConstruct %0, %1, %2 : (!torch.optional<int>, !torch.optional<int>, !torch.optional<int>) -> !torch.list<optional<int>>
  %4 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %5 = torch.prim.TupleIndex %arg1, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %6 = torch.prim.TupleIndex %arg2, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %7 = torch.prim.ListConstruct %4, %5, %6 : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %8 = torch.promote_dtypes %3, %7 : (!torch.list<optional<int>>, !torch.list<int>) -> !torch.int
  return %8 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.baddbmm(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>, %arg2: !torch.tuple<int, int>, %arg3: !torch.number, %arg4: !torch.number) -> !torch.int {
  %int1 = torch.constant.int 1
  %str = torch.constant.str "aten::baddbmm: dtypes must match, got {} and {}"
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
    torch.prim.RaiseException %6, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %3 = torch.prim.TupleIndex %arg2, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  return %3 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.bilinear(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>, %arg2: !torch.tuple<int, int>, %arg3: !torch.optional<tuple<int, int>>) -> !torch.int {
  %int1 = torch.constant.int 1
  %false = torch.constant.bool false
  %str = torch.constant.str "aten::bilinear: dtypes must match, got {}, {} and {}"
  %none = torch.constant.none
  %0 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %1 = torch.prim.TupleIndex %arg1, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %2 = torch.aten.eq.int %0, %1 : !torch.int, !torch.int -> !torch.bool
  %3 = torch.prim.If %2 -> (!torch.bool) {
    %5 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %6 = torch.prim.TupleIndex %arg2, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %7 = torch.aten.eq.int %5, %6 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If.yield %7 : !torch.bool
  } else {
    torch.prim.If.yield %false : !torch.bool
  }
  torch.prim.If %3 -> () {
    torch.prim.If.yield
  } else {
    %5 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %6 = torch.prim.TupleIndex %arg1, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %7 = torch.prim.TupleIndex %arg2, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %8 = torch.aten.format(%str, %5, %6, %7) : !torch.str, !torch.int, !torch.int, !torch.int -> !torch.str
    torch.prim.RaiseException %8, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %4 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  return %4 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.bmm(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %int1 = torch.constant.int 1
  %0 = torch.prim.TupleIndex %arg1, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.dot(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %int1 = torch.constant.int 1
  %str = torch.constant.str "aten::dot: dtypes must match, got {} and {}"
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
    torch.prim.RaiseException %6, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %3 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  return %3 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.ger(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.products.outer_dtype_rule(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.inner(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %int1 = torch.constant.int 1
  %int0 = torch.constant.int 0
  %true = torch.constant.bool true
  %str = torch.constant.str "aten::inner: dtypes must match, got {} and {}"
  %none = torch.constant.none
  %0 = torch.prim.TupleIndex %arg0, %int0 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %1 = torch.aten.eq.int %0, %int0 : !torch.int, !torch.int -> !torch.bool
  %2 = torch.prim.If %1 -> (!torch.bool) {
    torch.prim.If.yield %true : !torch.bool
  } else {
    %5 = torch.prim.TupleIndex %arg1, %int0 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %6 = torch.aten.eq.int %5, %int0 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If.yield %6 : !torch.bool
  }
  %3 = torch.prim.If %2 -> (!torch.bool) {
    torch.prim.If.yield %true : !torch.bool
  } else {
    %5 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %6 = torch.prim.TupleIndex %arg1, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %7 = torch.aten.eq.int %5, %6 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If.yield %7 : !torch.bool
  }
  torch.prim.If %3 -> () {
    torch.prim.If.yield
  } else {
    %5 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %6 = torch.prim.TupleIndex %arg1, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %7 = torch.aten.format(%str, %5, %6) : !torch.str, !torch.int, !torch.int -> !torch.str
    torch.prim.RaiseException %7, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %4 = call @__torch__.torch_refine.abstract_interp_lib.rules.promotion.promote_two(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %4 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.kron(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %int1 = torch.constant.int 1
  %0 = torch.derefine %int1 : !torch.int to !torch.optional<int>
  %1 = torch.derefine %int1 : !torch.int to !torch.optional<int>
  %2 = torch.prim.ListConstruct %0, %1 : (!torch.optional<int>, !torch.optional<int>) -> !torch.list<optional<int>>
  %3 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %4 = torch.prim.TupleIndex %arg1, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %5 = torch.prim.ListConstruct %3, %4 : (!torch.int, !torch.int) -> !torch.list<int>
  %6 = torch.promote_dtypes %2, %5 : (!torch.list<optional<int>>, !torch.list<int>) -> !torch.int
  return %6 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.linear(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>, %arg2: !torch.optional<tuple<int, int>>) -> !torch.int {
  %int1 = torch.constant.int 1
  %int2 = torch.constant.int 2
  %int0 = torch.constant.int 0
  %true = torch.constant.bool true
  %str = torch.constant.str "aten::linear: dtypes must match, got {} and {}"
  %none = torch.constant.none
  %0 = torch.prim.TupleIndex %arg0, %int0 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %1 = torch.aten.gt.int %0, %int2 : !torch.int, !torch.int -> !torch.bool
  %2 = torch.prim.If %1 -> (!torch.bool) {
    torch.prim.If.yield %true : !torch.bool
  } else {
    %4 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %5 = torch.prim.TupleIndex %arg1, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %6 = torch.aten.eq.int %4, %5 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If.yield %6 : !torch.bool
  }
  torch.prim.If %2 -> () {
    torch.prim.If.yield
  } else {
    %4 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %5 = torch.prim.TupleIndex %arg1, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %6 = torch.aten.format(%str, %4, %5) : !torch.str, !torch.int, !torch.int -> !torch.str
    torch.prim.RaiseException %6, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %3 = torch.prim.TupleIndex %arg1, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  return %3 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.matmul(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %int1 = torch.constant.int 1
  %int2 = torch.constant.int 2
  %int0 = torch.constant.int 0
  %true = torch.constant.bool true
  %str = torch.constant.str "aten::matmul: dtypes must match, got {} and {}"
  %none = torch.constant.none
  %0 = torch.prim.TupleIndex %arg0, %int0 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %1 = torch.aten.gt.int %0, %int2 : !torch.int, !torch.int -> !torch.bool
  %2 = torch.prim.If %1 -> (!torch.bool) {
    torch.prim.If.yield %true : !torch.bool
  } else {
    %5 = torch.prim.TupleIndex %arg1, %int0 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %6 = torch.aten.gt.int %5, %int2 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If.yield %6 : !torch.bool
  }
  %3 = torch.prim.If %2 -> (!torch.bool) {
    torch.prim.If.yield %true : !torch.bool
  } else {
    %5 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %6 = torch.prim.TupleIndex %arg1, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %7 = torch.aten.eq.int %5, %6 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If.yield %7 : !torch.bool
  }
  torch.prim.If %3 -> () {
    torch.prim.If.yield
  } else {
    %5 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %6 = torch.prim.TupleIndex %arg1, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %7 = torch.aten.format(%str, %5, %6) : !torch.str, !torch.int, !torch.int -> !torch.str
    torch.prim.RaiseException %7, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %4 = torch.prim.TupleIndex %arg1, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  return %4 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.mm(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %int1 = torch.constant.int 1
  %str = torch.constant.str "aten::mm: dtypes must match, got {} and {}"
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
    torch.prim.RaiseException %6, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %3 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  return %3 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.mv(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %int1 = torch.constant.int 1
  %str = torch.constant.str "aten::mv: dtypes must match, got {} and {}"
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
    torch.prim.RaiseException %6, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %3 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  return %3 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.outer(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.products.outer_dtype_rule(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.tensordot(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>, %arg2: !torch.list<int>, %arg3: !torch.list<int>) -> !torch.int {
  %int1 = torch.constant.int 1
  %str = torch.constant.str "aten::tensordot: dtypes must match, got {} and {}"
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
    torch.prim.RaiseException %6, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %3 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  return %3 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.vdot(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %int1 = torch.constant.int 1
  %str = torch.constant.str "aten::vdot: dtypes must match, got {} and {}"
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
    torch.prim.RaiseException %6, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %3 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  return %3 : !torch.int
}
func.func private @__torch_mlir_shape_fn.aten._addmm_activation(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>, %arg3: !torch.float, %arg4: !torch.float, %arg5: !torch.bool) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.matmul.addmm_rule(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten._int_mm(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.matmul.matrix_product(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.addbmm(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>, %arg3: !torch.float, %arg4: !torch.float) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %none = torch.constant.none
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.matmul.batched_product(%arg1, %arg2) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  %1 = torch.aten.slice.t %0, %int1, %none, %int1 : !torch.list<int>, !torch.int, !torch.none, !torch.int -> !torch.list<int>
  %2 = call @__torch__.torch_refine.abstract_interp_lib.rules.matmul.check_expands(%arg0, %1) : (!torch.list<int>, !torch.list<int>) -> !torch.none
  return %1 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.addmm(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>, %arg3: !torch.float, %arg4: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.matmul.addmm_rule(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.addmv(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>, %arg3: !torch.float, %arg4: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.matmul.matrix_vector_product(%arg1, %arg2) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.matmul.check_expands(%arg0, %0) : (!torch.list<int>, !torch.list<int>) -> !torch.none
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.addr(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>, %arg3: !torch.float, %arg4: !torch.float) -> !torch.list<int> {
  %int0 = torch.constant.int 0
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.products.check_vectors(%arg1, %arg2) : (!torch.list<int>, !torch.list<int>) -> !torch.none
  %1 = torch.aten.__getitem__.t %arg1, %int0 : !torch.list<int>, !torch.int -> !torch.int
  %2 = torch.aten.__getitem__.t %arg2, %int0 : !torch.list<int>, !torch.int -> !torch.int
  %3 = torch.prim.ListConstruct %1, %2 : (!torch.int, !torch.int) -> !torch.list<int>
  %4 = call @__torch__.torch_refine.abstract_interp_lib.rules.matmul.check_expands(%arg0, %3) : (!torch.list<int>, !torch.list<int>) -> !torch.none
  return %3 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.baddbmm(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>, %arg3: !torch.float, %arg4: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.matmul.batched_product(%arg1, %arg2) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.matmul.check_expands(%arg0, %0) : (!torch.list<int>, !torch.list<int>) -> !torch.none
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.bilinear(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>, %arg3: !torch.optional<list<int>>) -> !torch.list<int> {
  %int2 = torch.constant.int 2
  %int1 = torch.constant.int 1
  %int3 = torch.constant.int 3
  %int0 = torch.constant.int 0
  %false = torch.constant.bool false
  %str = torch.constant.str "aten::bilinear: inputs need the same number of dimensions, got {} and {}"
  %none = torch.constant.none
  %str_0 = torch.constant.str "aten::bilinear: weight must have 3 dimensions, got shape {}"
  %true = torch.constant.bool true
  %str_1 = torch.constant.str "aten::bilinear: batch dimensions must match, got {} and {}"
  %int-1 = torch.constant.int -1
  %str_2 = torch.constant.str "aten::bilinear: weight {} does not fit {} and {} features"
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = torch.aten.gt.int %0, %int0 : !torch.int, !torch.int -> !torch.bool
  %2 = torch.prim.If %1 -> (!torch.bool) {
    %15 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
    %16 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
    %17 = torch.aten.eq.int %15, %16 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If.yield %17 : !torch.bool
  } else {
    torch.prim.If.yield %false : !torch.bool
  }
  torch.prim.If %2 -> () {
    torch.prim.If.yield
  } else {
    %15 = torch.aten.format(%str, %arg0, %arg1) : !torch.str, !torch.list<int>, !torch.list<int> -> !torch.str
    torch.prim.RaiseException %15, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %3 = torch.aten.len.t %arg2 : !torch.list<int> -> !torch.int
  %4 = torch.aten.eq.int %3, %int3 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %4 -> () {
    torch.prim.If.yield
  } else {
    %15 = torch.aten.format(%str_0, %arg2) : !torch.str, !torch.list<int> -> !torch.str
    torch.prim.RaiseException %15, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %5 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %6 = torch.aten.sub.int %5, %int1 : !torch.int, !torch.int -> !torch.int
  torch.prim.Loop %6, %true, init() {
  ^bb0(%arg4: !torch.int):
    %15 = torch.aten.__getitem__.t %arg0, %arg4 : !torch.list<int>, !torch.int -> !torch.int
    %16 = torch.aten.__getitem__.t %arg1, %arg4 : !torch.list<int>, !torch.int -> !torch.int
    %17 = torch.aten.eq.int %15, %16 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If %17 -> () {
      torch.prim.If.yield
    } else {
      %18 = torch.aten.format(%str_1, %arg0, %arg1) : !torch.str, !torch.list<int>, !torch.list<int> -> !torch.str
      torch.prim.RaiseException %18, %none : !torch.str, !torch.none
      torch.prim.If.yield
    }
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  %7 = torch.aten.__getitem__.t %arg0, %int-1 : !torch.list<int>, !torch.int -> !torch.int
  %8 = torch.aten.__getitem__.t %arg2, %int1 : !torch.list<int>, !torch.int -> !torch.int
  %9 = torch.aten.eq.int %7, %8 : !torch.int, !torch.int -> !torch.bool
  %10 = torch.prim.If %9 -> (!torch.bool) {
    %15 = torch.aten.__getitem__.t %arg1, %int-1 : !torch.list<int>, !torch.int -> !torch.int
    %16 = torch.aten.__getitem__.t %arg2, %int2 : !torch.list<int>, !torch.int -> !torch.int
    %17 = torch.aten.eq.int %15, %16 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If.yield %17 : !torch.bool
  } else {
    torch.prim.If.yield %false : !torch.bool
  }
  torch.prim.If %10 -> () {
    torch.prim.If.yield
  } else {
    %15 = torch.aten.__getitem__.t %arg0, %int-1 : !torch.list<int>, !torch.int -> !torch.int
    %16 = torch.aten.__getitem__.t %arg1, %int-1 : !torch.list<int>, !torch.int -> !torch.int
    %17 = torch.aten.format(%str_2, %arg2, %15, %16) : !torch.str, !torch.list<int>, !torch.int, !torch.int -> !torch.str
    torch.prim.RaiseException %17, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %11 = torch.aten.__isnot__ %arg3, %none : !torch.optional<list<int>>, !torch.none -> !torch.bool
  torch.prim.If %11 -> () {
    %15 = torch.prim.unchecked_cast %arg3 : !torch.optional<list<int>> -> !torch.list<int>
    %16 = torch.aten.__getitem__.t %arg2, %int0 : !torch.list<int>, !torch.int -> !torch.int
    %17 = torch.prim.ListConstruct %16 : (!torch.int) -> !torch.list<int>
    %18 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.matmul.check_expands(%15, %17) : (!torch.list<int>, !torch.list<int>) -> !torch.none
    torch.prim.If.yield
  } else {
    torch.prim.If.yield
  }
  %12 = torch.aten.slice.t %arg0, %none, %int-1, %int1 : !torch.list<int>, !torch.none, !torch.int, !torch.int -> !torch.list<int>
  %13 = torch.aten.slice.t %arg2, %none, %int1, %int1 : !torch.list<int>, !torch.none, !torch.int, !torch.int -> !torch.list<int>
  %14 = torch.aten.add.t %12, %13 : !torch.list<int>, !torch.list<int> -> !torch.list<int>
  return %14 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.bmm(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.matmul.batched_product(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.dot(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %int0 = torch.constant.int 0
  %str = torch.constant.str "aten::dot: sizes must match, got {} and {}"
  %none = torch.constant.none
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.products.check_vectors(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.none
  %1 = torch.aten.__getitem__.t %arg0, %int0 : !torch.list<int>, !torch.int -> !torch.int
  %2 = torch.aten.__getitem__.t %arg1, %int0 : !torch.list<int>, !torch.int -> !torch.int
  %3 = torch.aten.eq.int %1, %2 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %3 -> () {
    torch.prim.If.yield
  } else {
    %5 = torch.aten.__getitem__.t %arg0, %int0 : !torch.list<int>, !torch.int -> !torch.int
    %6 = torch.aten.__getitem__.t %arg1, %int0 : !torch.list<int>, !torch.int -> !torch.int
    %7 = torch.aten.format(%str, %5, %6) : !torch.str, !torch.int, !torch.int -> !torch.str
    torch.prim.RaiseException %7, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %4 = torch.prim.ListConstruct  : () -> !torch.list<int>
  return %4 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.ger(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.products.outer_rule(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.inner(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %int0 = torch.constant.int 0
  %true = torch.constant.bool true
  %int-1 = torch.constant.int -1
  %str = torch.constant.str "aten::inner: last dimensions must match, got {} and {}"
  %none = torch.constant.none
  %int1 = torch.constant.int 1
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = torch.aten.eq.int %0, %int0 : !torch.int, !torch.int -> !torch.bool
  %2 = torch.prim.If %1 -> (!torch.bool) {
    torch.prim.If.yield %true : !torch.bool
  } else {
    %4 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
    %5 = torch.aten.eq.int %4, %int0 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If.yield %5 : !torch.bool
  }
  %3 = torch.prim.If %2 -> (!torch.list<int>) {
    %4 = torch.aten.add.t %arg0, %arg1 : !torch.list<int>, !torch.list<int> -> !torch.list<int>
    torch.prim.If.yield %4 : !torch.list<int>
  } else {
    %4 = torch.aten.__getitem__.t %arg0, %int-1 : !torch.list<int>, !torch.int -> !torch.int
    %5 = torch.aten.__getitem__.t %arg1, %int-1 : !torch.list<int>, !torch.int -> !torch.int
    %6 = torch.aten.eq.int %4, %5 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If %6 -> () {
      torch.prim.If.yield
    } else {
      %10 = torch.aten.__getitem__.t %arg0, %int-1 : !torch.list<int>, !torch.int -> !torch.int
      %11 = torch.aten.__getitem__.t %arg1, %int-1 : !torch.list<int>, !torch.int -> !torch.int
      %12 = torch.aten.format(%str, %10, %11) : !torch.str, !torch.int, !torch.int -> !torch.str
      torch.prim.RaiseException %12, %none : !torch.str, !torch.none
      torch.prim.If.yield
    }
    %7 = torch.aten.slice.t %arg0, %none, %int-1, %int1 : !torch.list<int>, !torch.none, !torch.int, !torch.int -> !torch.list<int>
    %8 = torch.aten.slice.t %arg1, %none, %int-1, %int1 : !torch.list<int>, !torch.none, !torch.int, !torch.int -> !torch.list<int>
    %9 = torch.aten.add.t %7, %8 : !torch.list<int>, !torch.list<int> -> !torch.list<int>
    torch.prim.If.yield %9 : !torch.list<int>
  }
  return %3 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.kron(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %true = torch.constant.bool true
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
  %2 = torch.prim.max.int %0, %1 : !torch.int, !torch.int -> !torch.int
  %3 = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
  %4 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %5 = torch.aten.sub.int %2, %4 : !torch.int, !torch.int -> !torch.int
  %6 = torch.aten.mul.left_t %3, %5 : !torch.list<int>, !torch.int -> !torch.list<int>
  %7 = torch.aten.add.t %6, %arg0 : !torch.list<int>, !torch.list<int> -> !torch.list<int>
  %8 = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
  %9 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
  %10 = torch.aten.sub.int %2, %9 : !torch.int, !torch.int -> !torch.int
  %11 = torch.aten.mul.left_t %8, %10 : !torch.list<int>, !torch.int -> !torch.list<int>
  %12 = torch.aten.add.t %11, %arg1 : !torch.list<int>, !torch.list<int> -> !torch.list<int>
  %13 = torch.prim.ListConstruct  : () -> !torch.list<int>
  torch.prim.Loop %2, %true, init() {
  ^bb0(%arg2: !torch.int):
    %14 = torch.aten.__getitem__.t %7, %arg2 : !torch.list<int>, !torch.int -> !torch.int
    %15 = torch.aten.__getitem__.t %12, %arg2 : !torch.list<int>, !torch.int -> !torch.int
    %16 = torch.aten.mul.int %14, %15 : !torch.int, !torch.int -> !torch.int
    %17 = torch.aten.append.t %13, %16 : !torch.list<int>, !torch.int -> !torch.list<int>
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  return %13 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.linear(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.optional<list<int>>) -> !torch.list<int> {
  %int2 = torch.constant.int 2
  %int1 = torch.constant.int 1
  %int0 = torch.constant.int 0
  %str = torch.constant.str "aten::linear: input must have a dimension, got shape {}"
  %none = torch.constant.none
  %true = torch.constant.bool true
  %str_0 = torch.constant.str "aten::linear: weight must be a vector or a matrix, got shape {}"
  %int-1 = torch.constant.int -1
  %str_1 = torch.constant.str "aten::linear: input has {} features, weight expects {}"
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = torch.aten.gt.int %0, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %1 -> () {
    torch.prim.If.yield
  } else {
    %12 = torch.aten.format(%str, %arg0) : !torch.str, !torch.list<int> -> !torch.str
    torch.prim.RaiseException %12, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %2 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
  %3 = torch.aten.eq.int %2, %int1 : !torch.int, !torch.int -> !torch.bool
  %4 = torch.prim.If %3 -> (!torch.bool) {
    torch.prim.If.yield %true : !torch.bool
  } else {
    %12 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
    %13 = torch.aten.eq.int %12, %int2 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If.yield %13 : !torch.bool
  }
  torch.prim.If %4 -> () {
    torch.prim.If.yield
  } else {
    %12 = torch.aten.format(%str_0, %arg1) : !torch.str, !torch.list<int> -> !torch.str
    torch.prim.RaiseException %12, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %5 = torch.aten.__getitem__.t %arg0, %int-1 : !torch.list<int>, !torch.int -> !torch.int
  %6 = torch.aten.__getitem__.t %arg1, %int-1 : !torch.list<int>, !torch.int -> !torch.int
  %7 = torch.aten.eq.int %5, %6 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %7 -> () {
    torch.prim.If.yield
  } else {
    %12 = torch.aten.__getitem__.t %arg0, %int-1 : !torch.list<int>, !torch.int -> !torch.int
    %13 = torch.aten.__getitem__.t %arg1, %int-1 : !torch.list<int>, !torch.int -> !torch.int
    %14 = torch.aten.format(%str_1, %12, %13) : !torch.str, !torch.int, !torch.int -> !torch.str
    torch.prim.RaiseException %14, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %8 = torch.aten.slice.t %arg0, %none, %int-1, %int1 : !torch.list<int>, !torch.none, !torch.int, !torch.int -> !torch.list<int>
  %9 = torch.aten.slice.t %arg1, %none, %int-1, %int1 : !torch.list<int>, !torch.none, !torch.int, !torch.int -> !torch.list<int>
  %10 = torch.aten.add.t %8, %9 : !torch.list<int>, !torch.list<int> -> !torch.list<int>
  %11 = torch.aten.__isnot__ %arg2, %none : !torch.optional<list<int>>, !torch.none -> !torch.bool
  torch.prim.If %11 -> () {
    %12 = torch.prim.unchecked_cast %arg2 : !torch.optional<list<int>> -> !torch.list<int>
    %13 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.matmul.check_expands(%12, %10) : (!torch.list<int>, !torch.list<int>) -> !torch.none
    torch.prim.If.yield
  } else {
    torch.prim.If.yield
  }
  return %10 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.matmul(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %int0 = torch.constant.int 0
  %false = torch.constant.bool false
  %str = torch.constant.str "aten::matmul: a zero-dim tensor has no product, got shapes {} and {}"
  %none = torch.constant.none
  %int-2 = torch.constant.int -2
  %int-1 = torch.constant.int -1
  %str_0 = torch.constant.str "aten::matmul: inner dimensions must match, got {} and {}"
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = torch.aten.gt.int %0, %int0 : !torch.int, !torch.int -> !torch.bool
  %2 = torch.prim.If %1 -> (!torch.bool) {
    %14 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
    %15 = torch.aten.gt.int %14, %int0 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If.yield %15 : !torch.bool
  } else {
    torch.prim.If.yield %false : !torch.bool
  }
  torch.prim.If %2 -> () {
    torch.prim.If.yield
  } else {
    %14 = torch.aten.format(%str, %arg0, %arg1) : !torch.str, !torch.list<int>, !torch.list<int> -> !torch.str
    torch.prim.RaiseException %14, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %3 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
  %4 = torch.aten.eq.int %3, %int1 : !torch.int, !torch.int -> !torch.bool
  %5:2 = torch.prim.If %4 -> (!torch.int, !torch.list<int>) {
    %14 = torch.aten.__getitem__.t %arg1, %int0 : !torch.list<int>, !torch.int -> !torch.int
    %15 = torch.aten.slice.t %arg1, %int1, %none, %int1 : !torch.list<int>, !torch.int, !torch.none, !torch.int -> !torch.list<int>
    torch.prim.If.yield %14, %15 : !torch.int, !torch.list<int>
  } else {
    %14 = torch.aten.__getitem__.t %arg1, %int-2 : !torch.list<int>, !torch.int -> !torch.int
    %15 = torch.aten.slice.t %arg1, %int-1, %none, %int1 : !torch.list<int>, !torch.int, !torch.none, !torch.int -> !torch.list<int>
    torch.prim.If.yield %14, %15 : !torch.int, !torch.list<int>
  }
  %6 = torch.aten.__getitem__.t %arg0, %int-1 : !torch.list<int>, !torch.int -> !torch.int
  %7 = torch.aten.eq.int %6, %5#0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %7 -> () {
    torch.prim.If.yield
  } else {
    %14 = torch.aten.__getitem__.t %arg0, %int-1 : !torch.list<int>, !torch.int -> !torch.int
    %15 = torch.aten.format(%str_0, %14, %5#0) : !torch.str, !torch.int, !torch.int -> !torch.str
    torch.prim.RaiseException %15, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %8 = torch.aten.slice.t %arg0, %none, %int-2, %int1 : !torch.list<int>, !torch.none, !torch.int, !torch.int -> !torch.list<int>
  %9 = torch.aten.slice.t %arg1, %none, %int-2, %int1 : !torch.list<int>, !torch.none, !torch.int, !torch.int -> !torch.list<int>
  %10 = call @__torch__.torch_refine.abstract_interp_lib.rules.broadcast.broadcast_two(%8, %9) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  %11 = torch.aten.slice.t %arg0, %int-2, %int-1, %int1 : !torch.list<int>, !torch.int, !torch.int, !torch.int -> !torch.list<int>
  %12 = torch.aten.add.t %10, %11 : !torch.list<int>, !torch.list<int> -> !torch.list<int>
  %13 = torch.aten.add.t %12, %5#1 : !torch.list<int>, !torch.list<int> -> !torch.list<int>
  return %13 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.mm(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.matmul.matrix_product(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.mv(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.matmul.matrix_vector_product(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.outer(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.products.outer_rule(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.tensordot(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>, %arg3: !torch.list<int>) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %str = torch.constant.str "aten::tensordot: both need as many dimensions, got {} and {}"
  %none = torch.constant.none
  %true = torch.constant.bool true
  %str_0 = torch.constant.str "aten::tensordot: summed sizes must match or be 1, got {} and {}"
  %0 = torch.aten.len.t %arg2 : !torch.list<int> -> !torch.int
  %1 = torch.aten.len.t %arg3 : !torch.list<int> -> !torch.int
  %2 = torch.aten.eq.int %0, %1 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %2 -> () {
    torch.prim.If.yield
  } else {
    %11 = torch.aten.format(%str, %arg2, %arg3) : !torch.str, !torch.list<int>, !torch.list<int> -> !torch.str
    torch.prim.RaiseException %11, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %3 = torch.prim.ListConstruct  : () -> !torch.list<int>
  %4 = torch.aten.len.t %arg2 : !torch.list<int> -> !torch.int
  torch.prim.Loop %4, %true, init() {
  ^bb0(%arg4: !torch.int):
    %11 = torch.aten.__getitem__.t %arg2, %arg4 : !torch.list<int>, !torch.int -> !torch.int
    %12 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
    %13 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.dims.wrap_dim(%11, %12) : (!torch.int, !torch.int) -> !torch.int
    %14 = torch.aten.append.t %3, %13 : !torch.list<int>, !torch.int -> !torch.list<int>
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  %5 = torch.prim.ListConstruct  : () -> !torch.list<int>
  %6 = torch.aten.len.t %arg3 : !torch.list<int> -> !torch.int
  torch.prim.Loop %6, %true, init() {
  ^bb0(%arg4: !torch.int):
    %11 = torch.aten.__getitem__.t %arg3, %arg4 : !torch.list<int>, !torch.int -> !torch.int
    %12 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
    %13 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.dims.wrap_dim(%11, %12) : (!torch.int, !torch.int) -> !torch.int
    %14 = torch.aten.append.t %5, %13 : !torch.list<int>, !torch.int -> !torch.list<int>
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  %7 = torch.aten.len.t %3 : !torch.list<int> -> !torch.int
  torch.prim.Loop %7, %true, init() {
  ^bb0(%arg4: !torch.int):
    %11 = torch.aten.__getitem__.t %3, %arg4 : !torch.list<int>, !torch.int -> !torch.int
    %12 = torch.aten.__getitem__.t %arg0, %11 : !torch.list<int>, !torch.int -> !torch.int
    %13 = torch.aten.__getitem__.t %5, %arg4 : !torch.list<int>, !torch.int -> !torch.int
    %14 = torch.aten.__getitem__.t %arg1, %13 : !torch.list<int>, !torch.int -> !torch.int
    %15 = torch.aten.eq.int %12, %14 : !torch.int, !torch.int -> !torch.bool
    %16 = torch.prim.If %15 -> (!torch.bool) {
      torch.prim.If.yield %true : !torch.bool
    } else {
      %18 = torch.aten.eq.int %12, %int1 : !torch.int, !torch.int -> !torch.bool
      torch.prim.If.yield %18 : !torch.bool
    }
    %17 = torch.prim.If %16 -> (!torch.bool) {
      torch.prim.If.yield %true : !torch.bool
    } else {
      %18 = torch.aten.eq.int %14, %int1 : !torch.int, !torch.int -> !torch.bool
      torch.prim.If.yield %18 : !torch.bool
    }
    torch.prim.If %17 -> () {
      torch.prim.If.yield
    } else {
      %18 = torch.aten.format(%str_0, %12, %14) : !torch.str, !torch.int, !torch.int -> !torch.str
      torch.prim.RaiseException %18, %none : !torch.str, !torch.none
      torch.prim.If.yield
    }
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  %8 = torch.prim.ListConstruct  : () -> !torch.list<int>
  %9 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  torch.prim.Loop %9, %true, init() {
  ^bb0(%arg4: !torch.int):
    %11 = torch.aten.__contains__.int_list %3, %arg4 : !torch.list<int>, !torch.int -> !torch.bool
    %12 = torch.aten.__not__ %11 : !torch.bool -> !torch.bool
    torch.prim.If %12 -> () {
      %13 = torch.aten.__getitem__.t %arg0, %arg4 : !torch.list<int>, !torch.int -> !torch.int
      %14 = torch.aten.append.t %8, %13 : !torch.list<int>, !torch.int -> !torch.list<int>
      torch.prim.If.yield
    } else {
      torch.prim.If.yield
    }
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  %10 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
  torch.prim.Loop %10, %true, init() {
  ^bb0(%arg4: !torch.int):
    %11 = torch.aten.__contains__.int_list %5, %arg4 : !torch.list<int>, !torch.int -> !torch.bool
    %12 = torch.aten.__not__ %11 : !torch.bool -> !torch.bool
    torch.prim.If %12 -> () {
      %13 = torch.aten.__getitem__.t %arg1, %arg4 : !torch.list<int>, !torch.int -> !torch.int
      %14 = torch.aten.append.t %8, %13 : !torch.list<int>, !torch.int -> !torch.list<int>
      torch.prim.If.yield
    } else {
      torch.prim.If.yield
    }
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  return %8 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.vdot(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %int0 = torch.constant.int 0
  %str = torch.constant.str "aten::vdot: sizes must match, got {} and {}"
  %none = torch.constant.none
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.products.check_vectors(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.none
  %1 = torch.aten.__getitem__.t %arg0, %int0 : !torch.list<int>, !torch.int -> !torch.int
  %2 = torch.aten.__getitem__.t %arg1, %int0 : !torch.list<int>, !torch.int -> !torch.int
  %3 = torch.aten.eq.int %1, %2 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %3 -> () {
    torch.prim.If.yield
  } else {
    %5 = torch.aten.__getitem__.t %arg0, %int0 : !torch.list<int>, !torch.int -> !torch.int
    %6 = torch.aten.__getitem__.t %arg1, %int0 : !torch.list<int>, !torch.int -> !torch.int
    %7 = torch.aten.format(%str, %5, %6) : !torch.str, !torch.int, !torch.int -> !torch.str
    torch.prim.RaiseException %7, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %4 = torch.prim.ListConstruct  : () -> !torch.list<int>
  return %4 : !torch.list<int>
}
