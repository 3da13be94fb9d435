// The exported library, written by `make library`. Do not edit: change the Python.
func.func private @__torch__.torch_refine.abstract_interp_lib.families.batch_normalization.batch_norm(%arg0: !torch.list<int>, %arg1: !torch.optional<list<int>>, %arg2: !torch.optional<list<int>>, %arg3: !torch.optional<list<int>>, %arg4: !torch.optional<list<int>>, %arg5: !torch.bool) -> !torch.list<int> {
  %true = torch.constant.bool true
  %none = torch.constant.none
  %false = torch.constant.bool false
  %str = torch.constant.str "AssertionError: running_mean and running_var must be given in evaluation, got None"
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.batch_normalization.check_batch_norm(%arg0, %arg1, %arg2, %arg3, %arg4) : (!torch.list<int>, !torch.optional<list<int>>, !torch.optional<list<int>>, !torch.optional<list<int>>, !torch.optional<list<int>>) -> !torch.none
  %1 = torch.prim.If %arg5 -> (!torch.bool) {
    torch.prim.If.yield %true : !torch.bool
  } else {
    %2 = torch.aten.__isnot__ %arg3, %none : !torch.optional<list<int>>, !torch.none -> !torch.bool
    %3 = torch.prim.If %2 -> (!torch.bool) {
      %4 = torch.aten.__isnot__ %arg4, %none : !torch.optional<list<int>>, !torch.none -> !torch.bool
      torch.prim.If.yield %4 : !torch.bool
    } else {
      torch.prim.If.yield %false : !torch.bool
    }
    torch.prim.If.yield %3 : !torch.bool
  }
  torch.prim.If %1 -> () {
    torch.prim.If.yield
  } else {
    torch.prim.RaiseException %str, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  return %arg0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.batch_normalization.batch_norm_dtype(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %int1 = torch.constant.int 1
  %0 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.batch_normalization.batch_norm_in_evaluation(%arg0: !torch.list<int>, %arg1: !torch.optional<list<int>>, %arg2: !torch.optional<list<int>>, %arg3: !torch.list<int>, %arg4: !torch.list<int>) -> !torch.tuple<list<int>, list<int>, list<int>> {
  %false = torch.constant.bool false
  %0 = torch.derefine %arg3 : !torch.list<int> to !torch.optional<list<int>>
  %1 = torch.derefine %arg4 : !torch.list<int> to !torch.optional<list<int>>
  %2 = call @__torch__.torch_refine.abstract_interp_lib.families.batch_normalization.native_batch_norm(%arg0, %arg1, %arg2, %0, %1, %false) : (!torch.list<int>, !torch.optional<list<int>>, !torch.optional<list<int>>, !torch.optional<list<int>>, !torch.optional<list<int>>, !torch.bool) -> !torch.tuple<list<int>, list<int>, list<int>>
  return %2 : !torch.tuple<list<int>, list<int>, list<int>>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.batch_normalization.batch_norm_with_running(%arg0: !torch.list<int>, %arg1: !torch.optional<list<int>>, %arg2: !torch.optional<list<int>>, %arg3: !torch.list<int>, %arg4: !torch.list<int>, %arg5: !torch.bool) -> !torch.tuple<list<int>, list<int>, list<int>> {
  %0 = torch.derefine %arg3 : !torch.list<int> to !torch.optional<list<int>>
  %1 = torch.derefine %arg4 : !torch.list<int> to !torch.optional<list<int>>
  %2 = call @__torch__.torch_refine.abstract_interp_lib.families.batch_normalization.native_batch_norm(%arg0, %arg1, %arg2, %0, %1, %arg5) : (!torch.list<int>, !torch.optional<list<int>>, !torch.optional<list<int>>, !torch.optional<list<int>>, !torch.optional<list<int>>, !torch.bool) -> !torch.tuple<list<int>, list<int>, list<int>>
  return %2 : !torch.tuple<list<int>, list<int>, list<int>>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.batch_normalization.batch_norm_with_running_dtype(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<tuple<int, int>>, %arg2: !torch.optional<tuple<int, int>>, %arg3: !torch.tuple<int, int>, %arg4: !torch.tuple<int, int>) -> !torch.tuple<int, int, int> {
  %0 = torch.derefine %arg3 : !torch.tuple<int, int> to !torch.optional<tuple<int, int>>
  %1 = torch.derefine %arg4 : !torch.tuple<int, int> to !torch.optional<tuple<int, int>>
  %2 = call @__torch__.torch_refine.abstract_interp_lib.families.batch_normalization.native_batch_norm_dtype(%arg0, %arg1, %arg2, %0, %1) : (!torch.tuple<int, int>, !torch.optional<tuple<int, int>>, !torch.optional<tuple<int, int>>, !torch.optional<tuple<int, int>>, !torch.optional<tuple<int, int>>) -> !torch.tuple<int, int, int>
  return %2 : !torch.tuple<int, int, int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.batch_normalization.batch_norm_with_update(%arg0: !torch.list<int>, %arg1: !torch.optional<list<int>>, %arg2: !torch.optional<list<int>>, %arg3: !torch.list<int>, %arg4: !torch.list<int>) -> !torch.tuple<list<int>, list<int>, list<int>, list<int>> {
  %true = torch.constant.bool true
  %0 = torch.derefine %arg3 : !torch.list<int> to !torch.optional<list<int>>
  %1 = torch.derefine %arg4 : !torch.list<int> to !torch.optional<list<int>>
  %2 = call @__torch__.torch_refine.abstract_interp_lib.families.batch_normalization.native_batch_norm(%arg0, %arg1, %arg2, %0, %1, %true) : (!torch.list<int>, !torch.optional<list<int>>, !torch.optional<list<int>>, !torch.optional<list<int>>, !torch.optional<list<int>>, !torch.bool) -> !torch.tuple<list<int>, list<int>, list<int>>
  %3:3 = torch.prim.TupleUnpack %2 : !torch.tuple<list<int>, list<int>, list<int>> -> !torch.list<int>, !torch.list<int>, !torch.list<int>
  %4 = torch.operator "torch_refine.unknown_size"() : () -> !torch.int 
  %5 = torch.prim.ListConstruct %4 : (!torch.int) -> !torch.list<int>
  %6 = torch.prim.TupleConstruct %3#0, %3#1, %3#2, %5 : !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int> -> !torch.tuple<list<int>, list<int>, list<int>, list<int>>
  return %6 : !torch.tuple<list<int>, list<int>, list<int>, list<int>>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.batch_normalization.batch_norm_with_update_dtype(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<tuple<int, int>>, %arg2: !torch.optional<tuple<int, int>>, %arg3: !torch.tuple<int, int>, %arg4: !torch.tuple<int, int>) -> !torch.tuple<int, int, int, int> {
  %int0 = torch.constant.int 0
  %0 = torch.derefine %arg3 : !torch.tuple<int, int> to !torch.optional<tuple<int, int>>
  %1 = torch.derefine %arg4 : !torch.tuple<int, int> to !torch.optional<tuple<int, int>>
  %2 = call @__torch__.torch_refine.abstract_interp_lib.families.batch_normalization.native_batch_norm_dtype(%arg0, %arg1, %arg2, %0, %1) : (!torch.tuple<int, int>, !torch.optional<tuple<int, int>>, !torch.optional<tuple<int, int>>, !torch.optional<tuple<int, int>>, !torch.optional<tuple<int, int>>) -> !torch.tuple<int, int, int>
  %3:3 = torch.prim.TupleUnpack %2 : !torch.tuple<int, int, int> -> !torch.int, !torch.int, !torch.int
  %4 = torch.prim.TupleConstruct %3#0, %3#1, %3#2, %int0 : !torch.int, !torch.int, !torch.int, !torch.int -> !torch.tuple<int, int, int, int>
  return %4 : !torch.tuple<int, int, int, int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.batch_normalization.batch_norm_without_running(%arg0: !torch.list<int>, %arg1: !torch.optional<list<int>>, %arg2: !torch.optional<list<int>>, %arg3: !torch.bool) -> !torch.tuple<list<int>, list<int>, list<int>> {
  %none = torch.constant.none
  %0 = torch.derefine %none : !torch.none to !torch.optional<list<int>>
  %1 = torch.derefine %none : !torch.none to !torch.optional<list<int>>
  %2 = call @__torch__.torch_refine.abstract_interp_lib.families.batch_normalization.native_batch_norm(%arg0, %arg1, %arg2, %0, %1, %arg3) : (!torch.list<int>, !torch.optional<list<int>>, !torch.optional<list<int>>, !torch.optional<list<int>>, !torch.optional<list<int>>, !torch.bool) -> !torch.tuple<list<int>, list<int>, list<int>>
  return %2 : !torch.tuple<list<int>, list<int>, list<int>>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.batch_normalization.batch_norm_without_running_dtype(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<tuple<int, int>>, %arg2: !torch.optional<tuple<int, int>>) -> !torch.tuple<int, int, int> {
  %none = torch.constant.none
  %0 = torch.derefine %none : !torch.none to !torch.optional<tuple<int, int>>
  %1 = torch.derefine %none : !torch.none to !torch.optional<tuple<int, int>>
  %2 = call @__torch__.torch_refine.abstract_interp_lib.families.batch_normalization.native_batch_norm_dtype(%arg0, %arg1, %arg2, %0, %1) : (!torch.tuple<int, int>, !torch.optional<tuple<int, int>>, !torch.optional<tuple<int, int>>, !torch.optional<tuple<int, int>>, !torch.optional<tuple<int, int>>) -> !torch.tuple<int, int, int>
  return %2 : !torch.tuple<int, int, int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.batch_normalization.check_batch_norm(%arg0: !torch.list<int>, %arg1: !torch.optional<list<int>>, %arg2: !torch.optional<list<int>>, %arg3: !torch.optional<list<int>>, %arg4: !torch.optional<list<int>>) -> !torch.none {
  %str = torch.constant.str "weight"
  %str_0 = torch.constant.str "bias"
  %str_1 = torch.constant.str "running_mean"
  %str_2 = torch.constant.str "running_var"
  %none = torch.constant.none
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.normalization.channels_of(%arg0) : (!torch.list<int>) -> !torch.int
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.normalization.check_features(%arg1, %0, %str) : (!torch.optional<list<int>>, !torch.int, !torch.str) -> !torch.none
  %2 = call @__torch__.torch_refine.abstract_interp_lib.rules.normalization.check_features(%arg2, %0, %str_0) : (!torch.optional<list<int>>, !torch.int, !torch.str) -> !torch.none
  %3 = call @__torch__.torch_refine.abstract_interp_lib.rules.normalization.check_features(%arg3, %0, %str_1) : (!torch.optional<list<int>>, !torch.int, !torch.str) -> !torch.none
  %4 = call @__torch__.torch_refine.abstract_interp_lib.rules.normalization.check_features(%arg4, %0, %str_2) : (!torch.optional<list<int>>, !torch.int, !torch.str) -> !torch.none
  return %none : !torch.none
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.batch_normalization.functional_batch_norm(%arg0: !torch.list<int>, %arg1: !torch.optional<list<int>>, %arg2: !torch.optional<list<int>>, %arg3: !torch.list<int>, %arg4: !torch.list<int>, %arg5: !torch.bool) -> !torch.tuple<list<int>, list<int>, list<int>, list<int>, list<int>> {
  %0 = torch.derefine %arg3 : !torch.list<int> to !torch.optional<list<int>>
  %1 = torch.derefine %arg4 : !torch.list<int> to !torch.optional<list<int>>
  %2 = call @__torch__.torch_refine.abstract_interp_lib.families.batch_normalization.native_batch_norm(%arg0, %arg1, %arg2, %0, %1, %arg5) : (!torch.list<int>, !torch.optional<list<int>>, !torch.optional<list<int>>, !torch.optional<list<int>>, !torch.optional<list<int>>, !torch.bool) -> !torch.tuple<list<int>, list<int>, list<int>>
  %3:3 = torch.prim.TupleUnpack %2 : !torch.tuple<list<int>, list<int>, list<int>> -> !torch.list<int>, !torch.list<int>, !torch.list<int>
  %4 = torch.prim.TupleConstruct %3#0, %3#1, %3#2, %arg3, %arg4 : !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int> -> !torch.tuple<list<int>, list<int>, list<int>, list<int>, list<int>>
  return %4 : !torch.tuple<list<int>, list<int>, list<int>, list<int>, list<int>>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.batch_normalization.functional_batch_norm_dtype(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<tuple<int, int>>, %arg2: !torch.optional<tuple<int, int>>, %arg3: !torch.tuple<int, int>, %arg4: !torch.tuple<int, int>) -> !torch.tuple<int, int, int, int, int> {
  %int1 = torch.constant.int 1
  %0 = torch.derefine %arg3 : !torch.tuple<int, int> to !torch.optional<tuple<int, int>>
  %1 = torch.derefine %arg4 : !torch.tuple<int, int> to !torch.optional<tuple<int, int>>
  %2 = call @__torch__.torch_refine.abstract_interp_lib.families.batch_normalization.native_batch_norm_dtype(%arg0, %arg1, %arg2, %0, %1) : (!torch.tuple<int, int>, !torch.optional<tuple<int, int>>, !torch.optional<tuple<int, int>>, !torch.optional<tuple<int, int>>, !torch.optional<tuple<int, int>>) -> !torch.tuple<int, int, int>
  %3:3 = torch.prim.TupleUnpack %2 : !torch.tuple<int, int, int> -> !torch.int, !torch.int, !torch.int
  %4 = torch.prim.TupleIndex %arg3, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %5 = torch.prim.TupleIndex %arg4, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %6 = torch.prim.TupleConstruct %3#0, %3#1, %3#2, %4, %5 : !torch.int, !torch.int, !torch.int, !torch.int, !torch.int -> !torch.tuple<int, int, int, int, int>
  return %6 : !torch.tuple<int, int, int, int, int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.batch_normalization.functional_batch_norm_with_update(%arg0: !torch.list<int>, %arg1: !torch.optional<list<int>>, %arg2: !torch.optional<list<int>>, %arg3: !torch.list<int>, %arg4: !torch.list<int>) -> !torch.tuple<list<int>, list<int>, list<int>, list<int>, list<int>, list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.batch_normalization.batch_norm_with_update(%arg0, %arg1, %arg2, %arg3, %arg4) : (!torch.list<int>, !torch.optional<list<int>>, !torch.optional<list<int>>, !torch.list<int>, !torch.list<int>) -> !torch.tuple<list<int>, list<int>, list<int>, list<int>>
  %1:4 = torch.prim.TupleUnpack %0 : !torch.tuple<list<int>, list<int>, list<int>, list<int>> -> !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>
  %2 = torch.prim.TupleConstruct %1#0, %1#1, %1#2, %1#3, %arg3, %arg4 : !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int> -> !torch.tuple<list<int>, list<int>, list<int>, list<int>, list<int>, list<int>>
  return %2 : !torch.tuple<list<int>, list<int>, list<int>, list<int>, list<int>, list<int>>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.batch_normalization.functional_batch_norm_with_update_dtype(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<tuple<int, int>>, %arg2: !torch.optional<tuple<int, int>>, %arg3: !torch.tuple<int, int>, %arg4: !torch.tuple<int, int>) -> !torch.tuple<int, int, int, int, int, int> {
  %int1 = torch.constant.int 1
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.batch_normalization.batch_norm_with_update_dtype(%arg0, %arg1, %arg2, %arg3, %arg4) : (!torch.tuple<int, int>, !torch.optional<tuple<int, int>>, !torch.optional<tuple<int, int>>, !torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.tuple<int, int, int, int>
  %1:4 = torch.prim.TupleUnpack %0 : !torch.tuple<int, int, int, int> -> !torch.int, !torch.int, !torch.int, !torch.int
  %2 = torch.prim.TupleIndex %arg3, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %3 = torch.prim.TupleIndex %arg4, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %4 = torch.prim.TupleConstruct %1#0, %1#1, %1#2, %1#3, %2, %3 : !torch.int, !torch.int, !torch.int, !torch.int, !torch.int, !torch.int -> !torch.tuple<int, int, int, int, int, int>
  return %4 : !torch.tuple<int, int, int, int, int, int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.batch_normalization.instance_norm(%arg0: !torch.list<int>, %arg1: !torch.optional<list<int>>, %arg2: !torch.optional<list<int>>, %arg3: !torch.bool) -> !torch.list<int> {
  %true = torch.constant.bool true
  %none = torch.constant.none
  %false = torch.constant.bool false
  %str = torch.constant.str "AssertionError: running_mean and running_var must be given where the input's are not used, got None"
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.normalization.channels_of(%arg0) : (!torch.list<int>) -> !torch.int
  %1 = torch.prim.If %arg3 -> (!torch.bool) {
    torch.prim.If.yield %true : !torch.bool
  } else {
    %2 = torch.aten.__isnot__ %arg1, %none : !torch.optional<list<int>>, !torch.none -> !torch.bool
    %3 = torch.prim.If %2 -> (!torch.bool) {
      %4 = torch.aten.__isnot__ %arg2, %none : !torch.optional<list<int>>, !torch.none -> !torch.bool
      torch.prim.If.yield %4 : !torch.bool
    } else {
      torch.prim.If.yield %false : !torch.bool
    }
    torch.prim.If.yield %3 : !torch.bool
  }
  torch.prim.If %1 -> () {
    torch.prim.If.yield
  } else {
    torch.prim.RaiseException %str, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  return %arg0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.batch_normalization.native_batch_norm(%arg0: !torch.list<int>, %arg1: !torch.optional<list<int>>, %arg2: !torch.optional<list<int>>, %arg3: !torch.optional<list<int>>, %arg4: !torch.optional<list<int>>, %arg5: !torch.bool) -> !torch.tuple<list<int>, list<int>, list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.batch_normalization.batch_norm(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5) : (!torch.list<int>, !torch.optional<list<int>>, !torch.optional<list<int>>, !torch.optional<list<int>>, !torch.optional<list<int>>, !torch.bool) -> !torch.list<int>
  %1 = call @__torch__.torch_refine.abstract_interp_lib.families.batch_normalization.saved_shape(%arg0, %arg5) : (!torch.list<int>, !torch.bool) -> !torch.list<int>
  %2 = call @__torch__.torch_refine.abstract_interp_lib.families.batch_normalization.saved_shape(%arg0, %arg5) : (!torch.list<int>, !torch.bool) -> !torch.list<int>
  %3 = torch.prim.TupleConstruct %0, %1, %2 : !torch.list<int>, !torch.list<int>, !torch.list<int> -> !torch.tuple<list<int>, list<int>, list<int>>
  return %3 : !torch.tuple<list<int>, list<int>, list<int>>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.batch_normalization.native_batch_norm_dtype(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<tuple<int, int>>, %arg2: !torch.optional<tuple<int, int>>, %arg3: !torch.optional<tuple<int, int>>, %arg4: !torch.optional<tuple<int, int>>) -> !torch.tuple<int, int, int> {
  %int1 = torch.constant.int 1
  %0 = torch.prim.ListConstruct %arg1, %arg2, %arg3, %arg4 : (!torch.optional<tuple<int, int>>, !torch.optional<tuple<int, int>>, !torch.optional<tuple<int, int>>, !torch.optional<tuple<int, int>>) -> !torch.list<optional<tuple<int, int>>>
  %1 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %2 = call @__torch__.torch_refine.abstract_interp_lib.rules.normalization.statistics_dtype(%1, %0) : (!torch.int, !torch.list<optional<tuple<int, int>>>) -> !torch.int
  %3 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %4 = torch.prim.TupleConstruct %3, %2, %2 : !torch.int, !torch.int, !torch.int -> !torch.tuple<int, int, int>
  return %4 : !torch.tuple<int, int, int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.batch_normalization.saved_shape(%arg0: !torch.list<int>, %arg1: !torch.bool) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.normalization.channels_of(%arg0) : (!torch.list<int>) -> !torch.int
  %1 = torch.aten.__not__ %arg1 : !torch.bool -> !torch.bool
  %2 = torch.prim.If %1 -> (!torch.int) {
    %4 = torch.operator "torch_refine.unknown_size"() : () -> !torch.int 
    torch.prim.If.yield %4 : !torch.int
  } else {
    torch.prim.If.yield %0 : !torch.int
  }
  %3 = torch.prim.ListConstruct %2 : (!torch.int) -> !torch.list<int>
  return %3 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.comparison.same_as_elements(%arg0: !torch.list<int>) -> !torch.list<int> {
  return %arg0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.comparison.zero_dim() -> !torch.list<int> {
  %0 = torch.prim.ListConstruct  : () -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.complex_views.element_size(%arg0: !torch.int) -> !torch.int {
  %true = torch.constant.bool true
  %false = torch.constant.bool false
  %int1 = torch.constant.int 1
  %int2 = torch.constant.int 2
  %int4 = torch.constant.int 4
  %int8 = torch.constant.int 8
  %int16 = torch.constant.int 16
  %int10 = torch.constant.int 10
  %int29 = torch.constant.int 29
  %int7 = torch.constant.int 7
  %int9 = torch.constant.int 9
  %int3 = torch.constant.int 3
  %int28 = torch.constant.int 28
  %int6 = torch.constant.int 6
  %int14 = torch.constant.int 14
  %int27 = torch.constant.int 27
  %int5 = torch.constant.int 5
  %int15 = torch.constant.int 15
  %int22 = torch.constant.int 22
  %0 = torch.prim.Uninitialized : !torch.int
  %1 = torch.aten.eq.int %arg0, %int10 : !torch.int, !torch.int -> !torch.bool
  %2:2 = torch.prim.If %1 -> (!torch.bool, !torch.int) {
    torch.prim.If.yield %true, %int16 : !torch.bool, !torch.int
  } else {
    %4 = torch.prim.ListConstruct %int4, %int29, %int7, %int9 : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
    %5 = torch.aten.__contains__.int_list %4, %arg0 : !torch.list<int>, !torch.int -> !torch.bool
    %6:2 = torch.prim.If %5 -> (!torch.bool, !torch.int) {
      torch.prim.If.yield %true, %int8 : !torch.bool, !torch.int
    } else {
      %7 = torch.prim.ListConstruct %int3, %int28, %int6, %int8, %int14 : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
      %8 = torch.aten.__contains__.int_list %7, %arg0 : !torch.list<int>, !torch.int -> !torch.bool
      %9:2 = torch.prim.If %8 -> (!torch.bool, !torch.int) {
        torch.prim.If.yield %true, %int4 : !torch.bool, !torch.int
      } else {
        %10 = torch.prim.ListConstruct %int2, %int27, %int5, %int15, %int22 : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
        %11 = torch.aten.__contains__.int_list %10, %arg0 : !torch.list<int>, !torch.int -> !torch.bool
        %12:2 = torch.prim.If %11 -> (!torch.bool, !torch.int) {
          torch.prim.If.yield %true, %int2 : !torch.bool, !torch.int
        } else {
          torch.prim.If.yield %false, %0 : !torch.bool, !torch.int
        }
        torch.prim.If.yield %12#0, %12#1 : !torch.bool, !torch.int
      }
      torch.prim.If.yield %9#0, %9#1 : !torch.bool, !torch.int
    }
    torch.prim.If.yield %6#0, %6#1 : !torch.bool, !torch.int
  }
  %3 = torch.prim.If %2#0 -> (!torch.int) {
    torch.prim.If.yield %2#1 : !torch.int
  } else {
    torch.prim.If.yield %int1 : !torch.int
  }
  return %3 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.complex_views.imag_dtype_rule(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %int1 = torch.constant.int 1
  %str = torch.constant.str "only complex tensors have imaginary parts, got dtype {}"
  %none = torch.constant.none
  %0 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.complex.real_dtype(%0) : (!torch.int) -> !torch.int
  %2 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %3 = torch.aten.ne.int %1, %2 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %3 -> () {
    torch.prim.If.yield
  } else {
    %4 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %5 = torch.aten.format(%str, %4) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %5, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  return %1 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.complex_views.real_dtype_rule(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %int1 = torch.constant.int 1
  %0 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.complex.real_dtype(%0) : (!torch.int) -> !torch.int
  return %1 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.complex_views.view_as_complex_dtype_rule(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %true = torch.constant.bool true
  %false = torch.constant.bool false
  %int1 = torch.constant.int 1
  %int5 = torch.constant.int 5
  %int6 = torch.constant.int 6
  %int7 = torch.constant.int 7
  %str = torch.constant.str "only float16, float32 and float64 tensors can be viewed as complex, got dtype {}"
  %none = torch.constant.none
  %int8 = torch.constant.int 8
  %int9 = torch.constant.int 9
  %int10 = torch.constant.int 10
  %0 = torch.prim.Uninitialized : !torch.int
  %1 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %2 = torch.prim.ListConstruct %int5, %int6, %int7 : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %3 = torch.aten.__contains__.int_list %2, %1 : !torch.list<int>, !torch.int -> !torch.bool
  torch.prim.If %3 -> () {
    torch.prim.If.yield
  } else {
    %8 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %9 = torch.aten.format(%str, %8) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %9, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %4 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %5 = torch.aten.eq.int %4, %int5 : !torch.int, !torch.int -> !torch.bool
  %6:2 = torch.prim.If %5 -> (!torch.bool, !torch.int) {
    torch.prim.If.yield %true, %int8 : !torch.bool, !torch.int
  } else {
    %8 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %9 = torch.aten.eq.int %8, %int6 : !torch.int, !torch.int -> !torch.bool
    %10:2 = torch.prim.If %9 -> (!torch.bool, !torch.int) {
      torch.prim.If.yield %true, %int9 : !torch.bool, !torch.int
    } else {
      torch.prim.If.yield %false, %0 : !torch.bool, !torch.int
    }
    torch.prim.If.yield %10#0, %10#1 : !torch.bool, !torch.int
  }
  %7 = torch.prim.If %6#0 -> (!torch.int) {
    torch.prim.If.yield %6#1 : !torch.int
  } else {
    torch.prim.If.yield %int10 : !torch.int
  }
  return %7 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.complex_views.view_as_complex_rule(%arg0: !torch.list<int>) -> !torch.list<int> {
  %int2 = torch.constant.int 2
  %int1 = torch.constant.int 1
  %int0 = torch.constant.int 0
  %str = torch.constant.str "self must have a last dimension of size 2, got rank {}"
  %none = torch.constant.none
  %str_0 = torch.constant.str "the last dimension of self must have size 2, got {}"
  %int-1 = torch.constant.int -1
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = torch.aten.gt.int %0, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %1 -> () {
    torch.prim.If.yield
  } else {
    %7 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
    %8 = torch.aten.format(%str, %7) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %8, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %2 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %3 = torch.aten.sub.int %2, %int1 : !torch.int, !torch.int -> !torch.int
  %4 = torch.aten.__getitem__.t %arg0, %3 : !torch.list<int>, !torch.int -> !torch.int
  %5 = torch.aten.eq.int %4, %int2 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %5 -> () {
    torch.prim.If.yield
  } else {
    %7 = torch.aten.format(%str_0, %4) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %7, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %6 = torch.aten.slice.t %arg0, %none, %int-1, %int1 : !torch.list<int>, !torch.none, !torch.int, !torch.int -> !torch.list<int>
  return %6 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.complex_views.view_as_real_rule(%arg0: !torch.list<int>) -> !torch.list<int> {
  %int2 = torch.constant.int 2
  %0 = torch.prim.ListConstruct %int2 : (!torch.int) -> !torch.list<int>
  %1 = torch.aten.add.t %arg0, %0 : !torch.list<int>, !torch.list<int> -> !torch.list<int>
  return %1 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.complex_views.view_dtype_dtype_rule(%arg0: !torch.int) -> !torch.int {
  return %arg0 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.complex_views.view_dtype_rule(%arg0: !torch.tuple<list<int>, int>, %arg1: !torch.int) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %int0 = torch.constant.int 0
  %str = torch.constant.str "a zero-dim tensor of {} bytes cannot be viewed as elements of {} bytes"
  %none = torch.constant.none
  %str_0 = torch.constant.str "{} bytes in the last dimension are no multiple of {}"
  %int-1 = torch.constant.int -1
  %0:2 = torch.prim.TupleUnpack %arg0 : !torch.tuple<list<int>, int> -> !torch.list<int>, !torch.int
  %1 = call @__torch__.torch_refine.abstract_interp_lib.families.complex_views.element_size(%0#1) : (!torch.int) -> !torch.int
  %2 = call @__torch__.torch_refine.abstract_interp_lib.families.complex_views.element_size(%arg1) : (!torch.int) -> !torch.int
  %3 = torch.aten.eq.int %1, %2 : !torch.int, !torch.int -> !torch.bool
  %4 = torch.prim.If %3 -> (!torch.list<int>) {
    torch.prim.If.yield %0#0 : !torch.list<int>
  } else {
    %5 = torch.aten.len.t %0#0 : !torch.list<int> -> !torch.int
    %6 = torch.aten.gt.int %5, %int0 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If %6 -> () {
      torch.prim.If.yield
    } else {
      %17 = torch.aten.format(%str, %1, %2) : !torch.str, !torch.int, !torch.int -> !torch.str
      torch.prim.RaiseException %17, %none : !torch.str, !torch.none
      torch.prim.If.yield
    }
    %7 = torch.aten.len.t %0#0 : !torch.list<int> -> !torch.int
    %8 = torch.aten.sub.int %7, %int1 : !torch.int, !torch.int -> !torch.int
    %9 = torch.aten.__getitem__.t %0#0, %8 : !torch.list<int>, !torch.int -> !torch.int
    %10 = torch.aten.mul.int %9, %1 : !torch.int, !torch.int -> !torch.int
    %11 = torch.aten.remainder.int %10, %2 : !torch.int, !torch.int -> !torch.int
    %12 = torch.aten.eq.int %11, %int0 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If %12 -> () {
      torch.prim.If.yield
    } else {
      %17 = torch.aten.format(%str_0, %10, %2) : !torch.str, !torch.int, !torch.int -> !torch.str
      torch.prim.RaiseException %17, %none : !torch.str, !torch.none
      torch.prim.If.yield
    }
    %13 = torch.aten.slice.t %0#0, %none, %int-1, %int1 : !torch.list<int>, !torch.none, !torch.int, !torch.int -> !torch.list<int>
    %14 = torch.aten.floordiv.int %10, %2 : !torch.int, !torch.int -> !torch.int
    %15 = torch.prim.ListConstruct %14 : (!torch.int) -> !torch.list<int>
    %16 = torch.aten.add.t %13, %15 : !torch.list<int>, !torch.list<int> -> !torch.list<int>
    torch.prim.If.yield %16 : !torch.list<int>
  }
  return %4 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.conversion.copied(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.matmul.check_expands(%arg1, %arg0) : (!torch.list<int>, !torch.list<int>) -> !torch.none
  return %arg0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.conversion.filled(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %int0 = torch.constant.int 0
  %str = torch.constant.str "aten::fill: value must be zero-dim, got shape {}"
  %none = torch.constant.none
  %0 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
  %1 = torch.aten.eq.int %0, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %1 -> () {
    torch.prim.If.yield
  } else {
    %2 = torch.aten.format(%str, %arg1) : !torch.str, !torch.list<int> -> !torch.str
    torch.prim.RaiseException %2, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  return %arg0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.conversion.given_dtype(%arg0: !torch.int) -> !torch.int {
  return %arg0 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.convolution.conv(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.optional<list<int>>, %arg3: !torch.list<int>, %arg4: !torch.list<int>, %arg5: !torch.list<int>, %arg6: !torch.int) -> !torch.list<int> {
  %int0 = torch.constant.int 0
  %false = torch.constant.bool false
  %0 = torch.prim.ListConstruct %int0 : (!torch.int) -> !torch.list<int>
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.convolution.convolution_of_any_batch(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %false, %0, %arg6) : (!torch.list<int>, !torch.list<int>, !torch.optional<list<int>>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.list<int>, !torch.int) -> !torch.list<int>
  return %1 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.convolution.conv_padded_by_name(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.optional<list<int>>, %arg3: !torch.list<int>, %arg4: !torch.str, %arg5: !torch.list<int>, %arg6: !torch.int) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %int2 = torch.constant.int 2
  %int0 = torch.constant.int 0
  %str = torch.constant.str "valid"
  %true = torch.constant.bool true
  %str_0 = torch.constant.str "same"
  %str_1 = torch.constant.str "padding must be 'valid' or 'same', got '{}'"
  %none = torch.constant.none
  %str_2 = torch.constant.str "weight must have at least 3 dimensions, got shape {}"
  %str_3 = torch.constant.str "padding 'same' needs strides of 1, got {}"
  %false = torch.constant.bool false
  %0 = torch.aten.eq.str %arg4, %str : !torch.str, !torch.str -> !torch.bool
  %1 = torch.prim.If %0 -> (!torch.bool) {
    torch.prim.If.yield %true : !torch.bool
  } else {
    %4 = torch.aten.eq.str %arg4, %str_0 : !torch.str, !torch.str -> !torch.bool
    torch.prim.If.yield %4 : !torch.bool
  }
  torch.prim.If %1 -> () {
    torch.prim.If.yield
  } else {
    %4 = torch.aten.format(%str_1, %arg4) : !torch.str, !torch.str -> !torch.str
    torch.prim.RaiseException %4, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %2 = torch.aten.eq.str %arg4, %str : !torch.str, !torch.str -> !torch.bool
  %3 = torch.prim.If %2 -> (!torch.list<int>) {
    %4 = torch.prim.ListConstruct %int0 : (!torch.int) -> !torch.list<int>
    %5 = func.call @__torch__.torch_refine.abstract_interp_lib.families.convolution.conv(%arg0, %arg1, %arg2, %arg3, %4, %arg5, %arg6) : (!torch.list<int>, !torch.list<int>, !torch.optional<list<int>>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.int) -> !torch.list<int>
    torch.prim.If.yield %5 : !torch.list<int>
  } else {
    %4 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
    %5 = torch.aten.sub.int %4, %int2 : !torch.int, !torch.int -> !torch.int
    %6 = torch.aten.gt.int %5, %int0 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If %6 -> () {
      torch.prim.If.yield
    } else {
      %22 = torch.aten.format(%str_2, %arg1) : !torch.str, !torch.list<int> -> !torch.str
      torch.prim.RaiseException %22, %none : !torch.str, !torch.none
      torch.prim.If.yield
    }
    %7 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.windows.check_batched_or_not(%arg0, %5) : (!torch.list<int>, !torch.int) -> !torch.none
    %8 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.windows.per_dimension(%arg3, %5) : (!torch.list<int>, !torch.int) -> !torch.list<int>
    %9 = torch.aten.len.t %8 : !torch.list<int> -> !torch.int
    torch.prim.Loop %9, %true, init() {
    ^bb0(%arg7: !torch.int):
      %22 = torch.aten.__getitem__.t %8, %arg7 : !torch.list<int>, !torch.int -> !torch.int
      %23 = torch.aten.eq.int %22, %int1 : !torch.int, !torch.int -> !torch.bool
      torch.prim.If %23 -> () {
        torch.prim.If.yield
      } else {
        %24 = torch.aten.format(%str_3, %arg3) : !torch.str, !torch.list<int> -> !torch.str
        torch.prim.RaiseException %24, %none : !torch.str, !torch.none
        torch.prim.If.yield
      }
      torch.prim.Loop.condition %true, iter()
    } : (!torch.int, !torch.bool) -> ()
    %10 = torch.aten.neg.int %5 : !torch.int -> !torch.int
    %11 = torch.aten.sub.int %10, %int1 : !torch.int, !torch.int -> !torch.int
    %12 = torch.aten.__getitem__.t %arg0, %11 : !torch.list<int>, !torch.int -> !torch.int
    %13 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.convolution.output_channels(%12, %arg1, %arg2, %false, %arg6) : (!torch.int, !torch.list<int>, !torch.optional<list<int>>, !torch.bool, !torch.int) -> !torch.int
    %14 = torch.aten.neg.int %5 : !torch.int -> !torch.int
    %15 = torch.aten.sub.int %14, %int1 : !torch.int, !torch.int -> !torch.int
    %16 = torch.aten.slice.t %arg0, %none, %15, %int1 : !torch.list<int>, !torch.none, !torch.int, !torch.int -> !torch.list<int>
    %17 = torch.prim.ListConstruct %13 : (!torch.int) -> !torch.list<int>
    %18 = torch.aten.add.t %16, %17 : !torch.list<int>, !torch.list<int> -> !torch.list<int>
    %19 = torch.aten.neg.int %5 : !torch.int -> !torch.int
    %20 = torch.aten.slice.t %arg0, %19, %none, %int1 : !torch.list<int>, !torch.int, !torch.none, !torch.int -> !torch.list<int>
    %21 = torch.aten.add.t %18, %20 : !torch.list<int>, !torch.list<int> -> !torch.list<int>
    torch.prim.If.yield %21 : !torch.list<int>
  }
  return %3 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.convolution.conv_transpose(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.optional<list<int>>, %arg3: !torch.list<int>, %arg4: !torch.list<int>, %arg5: !torch.list<int>, %arg6: !torch.int, %arg7: !torch.list<int>) -> !torch.list<int> {
  %true = torch.constant.bool true
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.convolution.convolution_of_any_batch(%arg0, %arg1, %arg2, %arg3, %arg4, %arg7, %true, %arg5, %arg6) : (!torch.list<int>, !torch.list<int>, !torch.optional<list<int>>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.list<int>, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.convolution.convolution_dtype(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %int1 = torch.constant.int 1
  %str = torch.constant.str "dtypes must match, got {} and {}"
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
func.func private @__torch__.torch_refine.abstract_interp_lib.families.extrema.both_dtype_of_self(%arg0: !torch.tuple<int, int>) -> !torch.tuple<int, int> {
  %int1 = torch.constant.int 1
  %0 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %1 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %2 = torch.prim.TupleConstruct %0, %1 : !torch.int, !torch.int -> !torch.tuple<int, int>
  return %2 : !torch.tuple<int, int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.extrema.extrema_rule(%arg0: !torch.list<int>, %arg1: !torch.optional<int>, %arg2: !torch.bool) -> !torch.tuple<list<int>, list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.extrema.extremum_index_rule(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.optional<int>, !torch.bool) -> !torch.list<int>
  %1 = torch.prim.TupleConstruct %0, %0 : !torch.list<int>, !torch.list<int> -> !torch.tuple<list<int>, list<int>>
  return %1 : !torch.tuple<list<int>, list<int>>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.extrema.extremum_and_index_rule(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.bool) -> !torch.tuple<list<int>, list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.extrema.reduce_nonempty_dim(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.int, !torch.bool) -> !torch.list<int>
  %1 = torch.prim.TupleConstruct %0, %0 : !torch.list<int>, !torch.list<int> -> !torch.tuple<list<int>, list<int>>
  return %1 : !torch.tuple<list<int>, list<int>>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.extrema.extremum_dims_rule(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.bool) -> !torch.list<int> {
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = torch.derefine %arg1 : !torch.list<int> to !torch.optional<list<int>>
  %2 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.dims_or_all(%1, %0) : (!torch.optional<list<int>>, !torch.int) -> !torch.list<int>
  %3 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.check_not_empty(%arg0, %2) : (!torch.list<int>, !torch.list<int>) -> !torch.none
  %4 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.remove_dims(%arg0, %2, %arg2) : (!torch.list<int>, !torch.list<int>, !torch.bool) -> !torch.list<int>
  return %4 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.extrema.extremum_index_rule(%arg0: !torch.list<int>, %arg1: !torch.optional<int>, %arg2: !torch.bool) -> !torch.list<int> {
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.dim_or_all(%arg1, %0) : (!torch.optional<int>, !torch.int) -> !torch.list<int>
  %2 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.check_not_empty(%arg0, %1) : (!torch.list<int>, !torch.list<int>) -> !torch.none
  %3 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.remove_dims(%arg0, %1, %arg2) : (!torch.list<int>, !torch.list<int>, !torch.bool) -> !torch.list<int>
  return %3 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.extrema.extremum_rule(%arg0: !torch.list<int>) -> !torch.list<int> {
  %int0 = torch.constant.int 0
  %str = torch.constant.str "a tensor without elements has no extremum, got shape {}"
  %none = torch.constant.none
  %0 = torch.aten.__contains__.int_list %arg0, %int0 : !torch.list<int>, !torch.int -> !torch.bool
  %1 = torch.aten.__not__ %0 : !torch.bool -> !torch.bool
  torch.prim.If %1 -> () {
    torch.prim.If.yield
  } else {
    %3 = torch.aten.format(%str, %arg0) : !torch.str, !torch.list<int> -> !torch.str
    torch.prim.RaiseException %3, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %2 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.reduce_all(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %2 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.extrema.reduce_nonempty_dim(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.bool) -> !torch.list<int> {
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.wrap_dim(%arg1, %0) : (!torch.int, !torch.int) -> !torch.int
  %2 = torch.prim.ListConstruct %1 : (!torch.int) -> !torch.list<int>
  %3 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.check_not_empty(%arg0, %2) : (!torch.list<int>, !torch.list<int>) -> !torch.none
  %4 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.remove_dims(%arg0, %2, %arg2) : (!torch.list<int>, !torch.list<int>, !torch.bool) -> !torch.list<int>
  return %4 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.factories.arange(%arg0: !torch.number, %arg1: !torch.optional<int>) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %int0 = torch.constant.int 0
  %0 = torch.derefine %int0 : !torch.int to !torch.number
  %1 = torch.derefine %int1 : !torch.int to !torch.number
  %2 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.range_size(%0, %arg0, %1, %arg1) : (!torch.number, !torch.number, !torch.number, !torch.optional<int>) -> !torch.int
  %3 = torch.prim.ListConstruct %2 : (!torch.int) -> !torch.list<int>
  return %3 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.factories.arange_dtype(%arg0: !torch.number, %arg1: !torch.optional<int>) -> !torch.int {
  %int1 = torch.constant.int 1
  %int0 = torch.constant.int 0
  %0 = torch.derefine %int0 : !torch.int to !torch.number
  %1 = torch.derefine %int1 : !torch.int to !torch.number
  %2 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.range_dtype(%0, %arg0, %1, %arg1) : (!torch.number, !torch.number, !torch.number, !torch.optional<int>) -> !torch.int
  return %2 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.factories.arange_start(%arg0: !torch.number, %arg1: !torch.number, %arg2: !torch.optional<int>) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %0 = torch.derefine %int1 : !torch.int to !torch.number
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.range_size(%arg0, %arg1, %0, %arg2) : (!torch.number, !torch.number, !torch.number, !torch.optional<int>) -> !torch.int
  %2 = torch.prim.ListConstruct %1 : (!torch.int) -> !torch.list<int>
  return %2 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.factories.arange_start_dtype(%arg0: !torch.number, %arg1: !torch.number, %arg2: !torch.optional<int>) -> !torch.int {
  %int1 = torch.constant.int 1
  %0 = torch.derefine %int1 : !torch.int to !torch.number
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.range_dtype(%arg0, %arg1, %0, %arg2) : (!torch.number, !torch.number, !torch.number, !torch.optional<int>) -> !torch.int
  return %1 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.factories.arange_start_step(%arg0: !torch.number, %arg1: !torch.number, %arg2: !torch.number, %arg3: !torch.optional<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.range_size(%arg0, %arg1, %arg2, %arg3) : (!torch.number, !torch.number, !torch.number, !torch.optional<int>) -> !torch.int
  %1 = torch.prim.ListConstruct %0 : (!torch.int) -> !torch.list<int>
  return %1 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.factories.eye(%arg0: !torch.int) -> !torch.list<int> {
  %int0 = torch.constant.int 0
  %str = torch.constant.str "aten::eye: n must not be negative, got {}"
  %none = torch.constant.none
  %0 = torch.aten.ge.int %arg0, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %0 -> () {
    torch.prim.If.yield
  } else {
    %2 = torch.aten.format(%str, %arg0) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %2, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %1 = torch.prim.ListConstruct %arg0, %arg0 : (!torch.int, !torch.int) -> !torch.list<int>
  return %1 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.factories.eye_m(%arg0: !torch.int, %arg1: !torch.int) -> !torch.list<int> {
  %int0 = torch.constant.int 0
  %false = torch.constant.bool false
  %str = torch.constant.str "aten::eye: n and m must not be negative, got {} and {}"
  %none = torch.constant.none
  %0 = torch.aten.ge.int %arg0, %int0 : !torch.int, !torch.int -> !torch.bool
  %1 = torch.prim.If %0 -> (!torch.bool) {
    %3 = torch.aten.ge.int %arg1, %int0 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If.yield %3 : !torch.bool
  } else {
    torch.prim.If.yield %false : !torch.bool
  }
  torch.prim.If %1 -> () {
    torch.prim.If.yield
  } else {
    %3 = torch.aten.format(%str, %arg0, %arg1) : !torch.str, !torch.int, !torch.int -> !torch.str
    torch.prim.RaiseException %3, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %2 = torch.prim.ListConstruct %arg0, %arg1 : (!torch.int, !torch.int) -> !torch.list<int>
  return %2 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.factories.steps(%arg0: !torch.int) -> !torch.list<int> {
  %int0 = torch.constant.int 0
  %str = torch.constant.str "the number of steps must not be negative, got {}"
  %none = torch.constant.none
  %0 = torch.aten.ge.int %arg0, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %0 -> () {
    torch.prim.If.yield
  } else {
    %2 = torch.aten.format(%str, %arg0) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %2, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %1 = torch.prim.ListConstruct %arg0 : (!torch.int) -> !torch.list<int>
  return %1 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.factories.steps_between_tensors(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.int) -> !torch.list<int> {
  %int0 = torch.constant.int 0
  %str = torch.constant.str "start must be zero-dim, got shape {}"
  %none = torch.constant.none
  %str_0 = torch.constant.str "end must be zero-dim, got shape {}"
  %str_1 = torch.constant.str "the number of steps must not be negative, got {}"
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = torch.aten.eq.int %0, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %1 -> () {
    torch.prim.If.yield
  } else {
    %6 = torch.aten.format(%str, %arg0) : !torch.str, !torch.list<int> -> !torch.str
    torch.prim.RaiseException %6, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %2 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
  %3 = torch.aten.eq.int %2, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %3 -> () {
    torch.prim.If.yield
  } else {
    %6 = torch.aten.format(%str_0, %arg1) : !torch.str, !torch.list<int> -> !torch.str
    torch.prim.RaiseException %6, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %4 = torch.aten.ge.int %arg2, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %4 -> () {
    torch.prim.If.yield
  } else {
    %6 = torch.aten.format(%str_1, %arg2) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %6, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %5 = torch.prim.ListConstruct %arg2 : (!torch.int) -> !torch.list<int>
  return %5 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.factories.steps_between_tensors_dtype(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>, %arg2: !torch.optional<int>) -> !torch.int {
  %int1 = torch.constant.int 1
  %0 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %1 = torch.prim.TupleIndex %arg1, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %2 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.dtype_or_float(%0, %1, %arg2) : (!torch.int, !torch.int, !torch.optional<int>) -> !torch.int
  return %2 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.factories.steps_dtype(%arg0: !torch.number, %arg1: !torch.number, %arg2: !torch.optional<int>) -> !torch.int {
  %0 = torch.operator "torch_refine.dtype_of_number"(%arg0) : (!torch.number) -> !torch.int 
  %1 = torch.operator "torch_refine.dtype_of_number"(%arg1) : (!torch.number) -> !torch.int 
  %2 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.dtype_or_float(%0, %1, %arg2) : (!torch.int, !torch.int, !torch.optional<int>) -> !torch.int
  return %2 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.factories.steps_from_tensor(%arg0: !torch.list<int>, %arg1: !torch.int) -> !torch.list<int> {
  %int0 = torch.constant.int 0
  %str = torch.constant.str "start must be zero-dim, got shape {}"
  %none = torch.constant.none
  %str_0 = torch.constant.str "the number of steps must not be negative, got {}"
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = torch.aten.eq.int %0, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %1 -> () {
    torch.prim.If.yield
  } else {
    %4 = torch.aten.format(%str, %arg0) : !torch.str, !torch.list<int> -> !torch.str
    torch.prim.RaiseException %4, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %2 = torch.aten.ge.int %arg1, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %2 -> () {
    torch.prim.If.yield
  } else {
    %4 = torch.aten.format(%str_0, %arg1) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %4, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %3 = torch.prim.ListConstruct %arg1 : (!torch.int) -> !torch.list<int>
  return %3 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.factories.steps_from_tensor_dtype(%arg0: !torch.tuple<int, int>, %arg1: !torch.number, %arg2: !torch.optional<int>) -> !torch.int {
  %int1 = torch.constant.int 1
  %0 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %1 = torch.operator "torch_refine.dtype_of_number"(%arg1) : (!torch.number) -> !torch.int 
  %2 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.dtype_or_float(%0, %1, %arg2) : (!torch.int, !torch.int, !torch.optional<int>) -> !torch.int
  return %2 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.factories.steps_to_tensor(%arg0: !torch.list<int>, %arg1: !torch.int) -> !torch.list<int> {
  %int0 = torch.constant.int 0
  %str = torch.constant.str "end must be zero-dim, got shape {}"
  %none = torch.constant.none
  %str_0 = torch.constant.str "the number of steps must not be negative, got {}"
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = torch.aten.eq.int %0, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %1 -> () {
    torch.prim.If.yield
  } else {
    %4 = torch.aten.format(%str, %arg0) : !torch.str, !torch.list<int> -> !torch.str
    torch.prim.RaiseException %4, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %2 = torch.aten.ge.int %arg1, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %2 -> () {
    torch.prim.If.yield
  } else {
    %4 = torch.aten.format(%str_0, %arg1) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %4, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %3 = torch.prim.ListConstruct %arg1 : (!torch.int) -> !torch.list<int>
  return %3 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.factories.steps_to_tensor_dtype(%arg0: !torch.number, %arg1: !torch.tuple<int, int>, %arg2: !torch.optional<int>) -> !torch.int {
  %int1 = torch.constant.int 1
  %0 = torch.operator "torch_refine.dtype_of_number"(%arg0) : (!torch.number) -> !torch.int 
  %1 = torch.prim.TupleIndex %arg1, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %2 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.dtype_or_float(%0, %1, %arg2) : (!torch.int, !torch.int, !torch.optional<int>) -> !torch.int
  return %2 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.factories.strided(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %str = torch.constant.str "as many strides as sizes are needed, got {} and {}"
  %none = torch.constant.none
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
  %2 = torch.aten.eq.int %0, %1 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %2 -> () {
    torch.prim.If.yield
  } else {
    %4 = torch.aten.format(%str, %arg0, %arg1) : !torch.str, !torch.list<int>, !torch.list<int> -> !torch.str
    torch.prim.RaiseException %4, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %3 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.given_size(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %3 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.factories.window(%arg0: !torch.int) -> !torch.list<int> {
  %int0 = torch.constant.int 0
  %str = torch.constant.str "a window's length must not be negative, got {}"
  %none = torch.constant.none
  %0 = torch.aten.ge.int %arg0, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %0 -> () {
    torch.prim.If.yield
  } else {
    %2 = torch.aten.format(%str, %arg0) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %2, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %1 = torch.prim.ListConstruct %arg0 : (!torch.int) -> !torch.list<int>
  return %1 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.factories.zero_dim() -> !torch.list<int> {
  %0 = torch.prim.ListConstruct  : () -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.joining.all_at_least_1d(%arg0: !torch.list<list<int>>) -> !torch.list<list<int>> {
  %true = torch.constant.bool true
  %0 = torch.prim.ListConstruct  : () -> !torch.list<list<int>>
  %1 = torch.aten.len.t %arg0 : !torch.list<list<int>> -> !torch.int
  torch.prim.Loop %1, %true, init() {
  ^bb0(%arg1: !torch.int):
    %2 = torch.aten.__getitem__.t %arg0, %arg1 : !torch.list<list<int>>, !torch.int -> !torch.list<int>
    %3 = func.call @__torch__.torch_refine.abstract_interp_lib.families.joining.at_least_1d(%2) : (!torch.list<int>) -> !torch.list<int>
    %4 = torch.aten.append.t %0, %3 : !torch.list<list<int>>, !torch.list<int> -> !torch.list<list<int>>
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  return %0 : !torch.list<list<int>>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.joining.all_at_least_2d(%arg0: !torch.list<list<int>>) -> !torch.list<list<int>> {
  %true = torch.constant.bool true
  %0 = torch.prim.ListConstruct  : () -> !torch.list<list<int>>
  %1 = torch.aten.len.t %arg0 : !torch.list<list<int>> -> !torch.int
  torch.prim.Loop %1, %true, init() {
  ^bb0(%arg1: !torch.int):
    %2 = torch.aten.__getitem__.t %arg0, %arg1 : !torch.list<list<int>>, !torch.int -> !torch.list<int>
    %3 = func.call @__torch__.torch_refine.abstract_interp_lib.families.joining.at_least_2d(%2) : (!torch.list<int>) -> !torch.list<int>
    %4 = torch.aten.append.t %0, %3 : !torch.list<list<int>>, !torch.list<int> -> !torch.list<list<int>>
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  return %0 : !torch.list<list<int>>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.joining.all_at_least_3d(%arg0: !torch.list<list<int>>) -> !torch.list<list<int>> {
  %true = torch.constant.bool true
  %0 = torch.prim.ListConstruct  : () -> !torch.list<list<int>>
  %1 = torch.aten.len.t %arg0 : !torch.list<list<int>> -> !torch.int
  torch.prim.Loop %1, %true, init() {
  ^bb0(%arg1: !torch.int):
    %2 = torch.aten.__getitem__.t %arg0, %arg1 : !torch.list<list<int>>, !torch.int -> !torch.list<int>
    %3 = func.call @__torch__.torch_refine.abstract_interp_lib.families.joining.at_least_3d(%2) : (!torch.list<int>) -> !torch.list<int>
    %4 = torch.aten.append.t %0, %3 : !torch.list<list<int>>, !torch.list<int> -> !torch.list<list<int>>
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  return %0 : !torch.list<list<int>>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.joining.as_columns(%arg0: !torch.list<int>) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %int2 = torch.constant.int 2
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = torch.aten.lt.int %0, %int2 : !torch.int, !torch.int -> !torch.bool
  %2 = torch.prim.If %1 -> (!torch.list<int>) {
    %3 = func.call @__torch__.torch_refine.abstract_interp_lib.families.joining.at_least_1d(%arg0) : (!torch.list<int>) -> !torch.list<int>
    %4 = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
    %5 = torch.aten.add.t %3, %4 : !torch.list<int>, !torch.list<int> -> !torch.list<int>
    torch.prim.If.yield %5 : !torch.list<int>
  } else {
    torch.prim.If.yield %arg0 : !torch.list<int>
  }
  return %2 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.joining.at_least_1d(%arg0: !torch.list<int>) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %int0 = torch.constant.int 0
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = torch.aten.eq.int %0, %int0 : !torch.int, !torch.int -> !torch.bool
  %2 = torch.prim.If %1 -> (!torch.list<int>) {
    %3 = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
    torch.prim.If.yield %3 : !torch.list<int>
  } else {
    torch.prim.If.yield %arg0 : !torch.list<int>
  }
  return %2 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.joining.at_least_2d(%arg0: !torch.list<int>) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %int2 = torch.constant.int 2
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = torch.aten.lt.int %0, %int2 : !torch.int, !torch.int -> !torch.bool
  %2 = torch.prim.If %1 -> (!torch.list<int>) {
    %3 = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
    %4 = func.call @__torch__.torch_refine.abstract_interp_lib.families.joining.at_least_1d(%arg0) : (!torch.list<int>) -> !torch.list<int>
    %5 = torch.aten.add.t %3, %4 : !torch.list<int>, !torch.list<int> -> !torch.list<int>
    torch.prim.If.yield %5 : !torch.list<int>
  } else {
    torch.prim.If.yield %arg0 : !torch.list<int>
  }
  return %2 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.joining.at_least_3d(%arg0: !torch.list<int>) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %int3 = torch.constant.int 3
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = torch.aten.lt.int %0, %int3 : !torch.int, !torch.int -> !torch.bool
  %2 = torch.prim.If %1 -> (!torch.list<int>) {
    %3 = func.call @__torch__.torch_refine.abstract_interp_lib.families.joining.at_least_2d(%arg0) : (!torch.list<int>) -> !torch.list<int>
    %4 = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
    %5 = torch.aten.add.t %3, %4 : !torch.list<int>, !torch.list<int> -> !torch.list<int>
    torch.prim.If.yield %5 : !torch.list<int>
  } else {
    torch.prim.If.yield %arg0 : !torch.list<int>
  }
  return %2 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.joining.broadcast_tensors_rule(%arg0: !torch.list<list<int>>) -> !torch.list<list<int>> {
  %true = torch.constant.bool true
  %0 = torch.prim.ListConstruct  : () -> !torch.list<int>
  %1 = torch.aten.len.t %arg0 : !torch.list<list<int>> -> !torch.int
  %2 = torch.prim.Loop %1, %true, init(%0) {
  ^bb0(%arg1: !torch.int, %arg2: !torch.list<int>):
    %5 = torch.aten.__getitem__.t %arg0, %arg1 : !torch.list<list<int>>, !torch.int -> !torch.list<int>
    %6 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.broadcast.broadcast_two(%arg2, %5) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
    torch.prim.Loop.condition %true, iter(%6 : !torch.list<int>)
  } : (!torch.int, !torch.bool, !torch.list<int>) -> !torch.list<int>
  %3 = torch.prim.ListConstruct  : () -> !torch.list<list<int>>
  %4 = torch.aten.len.t %arg0 : !torch.list<list<int>> -> !torch.int
  torch.prim.Loop %4, %true, init() {
  ^bb0(%arg1: !torch.int):
    %5 = torch.aten.append.t %3, %2 : !torch.list<list<int>>, !torch.list<int> -> !torch.list<list<int>>
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  return %3 : !torch.list<list<int>>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.joining.cat_rank(%arg0: !torch.list<list<int>>) -> !torch.int {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %true = torch.constant.bool true
  %str = torch.constant.str "zero-dim tensors cannot be joined, got shapes {}"
  %none = torch.constant.none
  %0 = torch.aten.len.t %arg0 : !torch.list<list<int>> -> !torch.int
  %1 = torch.prim.Loop %0, %true, init(%int1) {
  ^bb0(%arg1: !torch.int, %arg2: !torch.int):
    %2 = torch.aten.__getitem__.t %arg0, %arg1 : !torch.list<list<int>>, !torch.int -> !torch.list<int>
    %3 = torch.aten.len.t %2 : !torch.list<int> -> !torch.int
    %4 = torch.aten.gt.int %3, %int0 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If %4 -> () {
      torch.prim.If.yield
    } else {
      %7 = torch.aten.format(%str, %arg0) : !torch.str, !torch.list<list<int>> -> !torch.str
      torch.prim.RaiseException %7, %none : !torch.str, !torch.none
      torch.prim.If.yield
    }
    %5 = torch.aten.eq.int %arg2, %int1 : !torch.int, !torch.int -> !torch.bool
    %6 = torch.prim.If %5 -> (!torch.int) {
      %7 = torch.aten.len.t %2 : !torch.list<int> -> !torch.int
      torch.prim.If.yield %7 : !torch.int
    } else {
      torch.prim.If.yield %arg2 : !torch.int
    }
    torch.prim.Loop.condition %true, iter(%6 : !torch.int)
  } : (!torch.int, !torch.bool, !torch.int) -> !torch.int
  return %1 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.joining.cat_ranked(%arg0: !torch.list<list<int>>, %arg1: !torch.int, %arg2: !torch.int) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %int0 = torch.constant.int 0
  %true = torch.constant.bool true
  %str = torch.constant.str "a vector of rank 1 cannot join tensors of rank {}"
  %none = torch.constant.none
  %str_0 = torch.constant.str "ranks must match, got {} and {}"
  %0 = torch.prim.ListConstruct  : () -> !torch.list<int>
  %1 = torch.aten.len.t %arg0 : !torch.list<list<int>> -> !torch.int
  %2:2 = torch.prim.Loop %1, %true, init(%0, %int0) {
  ^bb0(%arg3: !torch.int, %arg4: !torch.list<int>, %arg5: !torch.int):
    %4 = torch.aten.__getitem__.t %arg0, %arg3 : !torch.list<list<int>>, !torch.int -> !torch.list<int>
    %5 = torch.aten.len.t %4 : !torch.list<int> -> !torch.int
    %6 = torch.aten.eq.int %5, %int1 : !torch.int, !torch.int -> !torch.bool
    %7:2 = torch.prim.If %6 -> (!torch.list<int>, !torch.int) {
      %8 = torch.aten.__getitem__.t %4, %int0 : !torch.list<int>, !torch.int -> !torch.int
      %9 = torch.aten.eq.int %8, %int0 : !torch.int, !torch.int -> !torch.bool
      torch.prim.If %9 -> () {
        torch.prim.If.yield
      } else {
        %10 = torch.aten.format(%str, %arg2) : !torch.str, !torch.int -> !torch.str
        torch.prim.RaiseException %10, %none : !torch.str, !torch.none
        torch.prim.If.yield
      }
      torch.prim.If.yield %arg4, %arg5 : !torch.list<int>, !torch.int
    } else {
      %8 = torch.aten.len.t %4 : !torch.list<int> -> !torch.int
      %9 = torch.aten.eq.int %8, %arg2 : !torch.int, !torch.int -> !torch.bool
      torch.prim.If %9 -> () {
        torch.prim.If.yield
      } else {
        %16 = torch.aten.len.t %4 : !torch.list<int> -> !torch.int
        %17 = torch.aten.format(%str_0, %16, %arg2) : !torch.str, !torch.int, !torch.int -> !torch.str
        torch.prim.RaiseException %17, %none : !torch.str, !torch.none
        torch.prim.If.yield
      }
      %10 = torch.aten.__getitem__.t %4, %arg1 : !torch.list<int>, !torch.int -> !torch.int
      %11 = torch.aten.add.int %arg5, %10 : !torch.int, !torch.int -> !torch.int
      %12 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.replace_size(%4, %arg1, %int0) : (!torch.list<int>, !torch.int, !torch.int) -> !torch.list<int>
      %13 = torch.aten.len.t %arg4 : !torch.list<int> -> !torch.int
      %14 = torch.aten.eq.int %13, %int0 : !torch.int, !torch.int -> !torch.bool
      %15 = torch.prim.If %14 -> (!torch.list<int>) {
        torch.prim.If.yield %12 : !torch.list<int>
      } else {
        %16 = func.call @__torch__.torch_refine.abstract_interp_lib.families.joining.equal_sizes(%arg4, %12) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
        torch.prim.If.yield %16 : !torch.list<int>
      }
      torch.prim.If.yield %15, %11 : !torch.list<int>, !torch.int
    }
    torch.prim.Loop.condition %true, iter(%7#0, %7#1 : !torch.list<int>, !torch.int)
  } : (!torch.int, !torch.bool, !torch.list<int>, !torch.int) -> (!torch.list<int>, !torch.int)
  %3 = call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.replace_size(%2#0, %arg1, %2#1) : (!torch.list<int>, !torch.int, !torch.int) -> !torch.list<int>
  return %3 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.joining.cat_rule(%arg0: !torch.list<list<int>>, %arg1: !torch.int) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %int0 = torch.constant.int 0
  %str = torch.constant.str "there must be tensors to join, got {}"
  %none = torch.constant.none
  %0 = torch.aten.len.t %arg0 : !torch.list<list<int>> -> !torch.int
  %1 = torch.aten.gt.int %0, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %1 -> () {
    torch.prim.If.yield
  } else {
    %5 = torch.aten.len.t %arg0 : !torch.list<list<int>> -> !torch.int
    %6 = torch.aten.format(%str, %5) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %6, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %2 = call @__torch__.torch_refine.abstract_interp_lib.families.joining.cat_rank(%arg0) : (!torch.list<list<int>>) -> !torch.int
  %3 = torch.aten.eq.int %2, %int1 : !torch.int, !torch.int -> !torch.bool
  %4 = torch.prim.If %3 -> (!torch.list<int>) {
    %5 = func.call @__torch__.torch_refine.abstract_interp_lib.families.joining.cat_vectors(%arg0, %arg1) : (!torch.list<list<int>>, !torch.int) -> !torch.list<int>
    torch.prim.If.yield %5 : !torch.list<int>
  } else {
    %5 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.dims.wrap_dim(%arg1, %2) : (!torch.int, !torch.int) -> !torch.int
    %6 = func.call @__torch__.torch_refine.abstract_interp_lib.families.joining.cat_ranked(%arg0, %5, %2) : (!torch.list<list<int>>, !torch.int, !torch.int) -> !torch.list<int>
    torch.prim.If.yield %6 : !torch.list<int>
  }
  return %4 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.joining.cat_vectors(%arg0: !torch.list<list<int>>, %arg1: !torch.int) -> !torch.list<int> {
  %int0 = torch.constant.int 0
  %true = torch.constant.bool true
  %int-1 = torch.constant.int -1
  %str = torch.constant.str "dimension {} is out of range for vectors"
  %none = torch.constant.none
  %0 = torch.aten.len.t %arg0 : !torch.list<list<int>> -> !torch.int
  %1 = torch.prim.Loop %0, %true, init(%int0) {
  ^bb0(%arg2: !torch.int, %arg3: !torch.int):
    %6 = torch.aten.__getitem__.t %arg0, %arg2 : !torch.list<list<int>>, !torch.int -> !torch.list<int>
    %7 = torch.aten.__getitem__.t %6, %int0 : !torch.list<int>, !torch.int -> !torch.int
    %8 = torch.aten.add.int %arg3, %7 : !torch.int, !torch.int -> !torch.int
    torch.prim.Loop.condition %true, iter(%8 : !torch.int)
  } : (!torch.int, !torch.bool, !torch.int) -> !torch.int
  %2 = torch.aten.eq.int %arg1, %int0 : !torch.int, !torch.int -> !torch.bool
  %3 = torch.prim.If %2 -> (!torch.bool) {
    torch.prim.If.yield %true : !torch.bool
  } else {
    %6 = torch.aten.eq.int %arg1, %int-1 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If.yield %6 : !torch.bool
  }
  %4 = torch.prim.If %3 -> (!torch.bool) {
    torch.prim.If.yield %true : !torch.bool
  } else {
    %6 = torch.aten.eq.int %1, %int0 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If.yield %6 : !torch.bool
  }
  torch.prim.If %4 -> () {
    torch.prim.If.yield
  } else {
    %6 = torch.aten.format(%str, %arg1) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %6, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %5 = torch.prim.ListConstruct %1 : (!torch.int) -> !torch.list<int>
  return %5 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.joining.column_stack_rule(%arg0: !torch.list<list<int>>) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %true = torch.constant.bool true
  %0 = torch.prim.ListConstruct  : () -> !torch.list<list<int>>
  %1 = torch.aten.len.t %arg0 : !torch.list<list<int>> -> !torch.int
  torch.prim.Loop %1, %true, init() {
  ^bb0(%arg1: !torch.int):
    %3 = torch.aten.__getitem__.t %arg0, %arg1 : !torch.list<list<int>>, !torch.int -> !torch.list<int>
    %4 = func.call @__torch__.torch_refine.abstract_interp_lib.families.joining.as_columns(%3) : (!torch.list<int>) -> !torch.list<int>
    %5 = torch.aten.append.t %0, %4 : !torch.list<list<int>>, !torch.list<int> -> !torch.list<list<int>>
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  %2 = call @__torch__.torch_refine.abstract_interp_lib.families.joining.cat_rule(%0, %int1) : (!torch.list<list<int>>, !torch.int) -> !torch.list<int>
  return %2 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.joining.dstack_rule(%arg0: !torch.list<list<int>>) -> !torch.list<int> {
  %int2 = torch.constant.int 2
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.joining.all_at_least_3d(%arg0) : (!torch.list<list<int>>) -> !torch.list<list<int>>
  %1 = call @__torch__.torch_refine.abstract_interp_lib.families.joining.cat_rule(%0, %int2) : (!torch.list<list<int>>, !torch.int) -> !torch.list<int>
  return %1 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.joining.dtypes_of_tensors(%arg0: !torch.list<tuple<int, int>>) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %true = torch.constant.bool true
  %0 = torch.prim.ListConstruct  : () -> !torch.list<int>
  %1 = torch.aten.len.t %arg0 : !torch.list<tuple<int, int>> -> !torch.int
  torch.prim.Loop %1, %true, init() {
  ^bb0(%arg1: !torch.int):
    %2 = torch.aten.__getitem__.t %arg0, %arg1 : !torch.list<tuple<int, int>>, !torch.int -> !torch.tuple<int, int>
    %3 = torch.prim.TupleIndex %2, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %4 = torch.aten.append.t %0, %3 : !torch.list<int>, !torch.int -> !torch.list<int>
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  return %0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.joining.equal_sizes(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %str = torch.constant.str "ranks must match, got shapes {} and {}"
  %none = torch.constant.none
  %true = torch.constant.bool true
  %str_0 = torch.constant.str "sizes must match, got shapes {} and {}"
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
  %2 = torch.aten.eq.int %0, %1 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %2 -> () {
    torch.prim.If.yield
  } else {
    %5 = torch.aten.format(%str, %arg0, %arg1) : !torch.str, !torch.list<int>, !torch.list<int> -> !torch.str
    torch.prim.RaiseException %5, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %3 = torch.prim.ListConstruct  : () -> !torch.list<int>
  %4 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  torch.prim.Loop %4, %true, init() {
  ^bb0(%arg2: !torch.int):
    %5 = torch.aten.__getitem__.t %arg0, %arg2 : !torch.list<int>, !torch.int -> !torch.int
    %6 = torch.aten.__getitem__.t %arg1, %arg2 : !torch.list<int>, !torch.int -> !torch.int
    %7 = torch.aten.eq.int %5, %6 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If %7 -> () {
      torch.prim.If.yield
    } else {
      %9 = torch.aten.format(%str_0, %arg0, %arg1) : !torch.str, !torch.list<int>, !torch.list<int> -> !torch.str
      torch.prim.RaiseException %9, %none : !torch.str, !torch.none
      torch.prim.If.yield
    }
    %8 = torch.aten.append.t %3, %5 : !torch.list<int>, !torch.int -> !torch.list<int>
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  return %3 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.joining.grid_dtypes(%arg0: !torch.list<tuple<int, int>>) -> !torch.list<int> {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %true = torch.constant.bool true
  %str = torch.constant.str "all vectors must have one dtype, got {} and {}"
  %none = torch.constant.none
  %0 = torch.aten.len.t %arg0 : !torch.list<tuple<int, int>> -> !torch.int
  torch.prim.Loop %0, %true, init() {
  ^bb0(%arg1: !torch.int):
    %3 = torch.aten.__getitem__.t %arg0, %arg1 : !torch.list<tuple<int, int>>, !torch.int -> !torch.tuple<int, int>
    %4 = torch.prim.TupleIndex %3, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %5 = torch.aten.__getitem__.t %arg0, %int0 : !torch.list<tuple<int, int>>, !torch.int -> !torch.tuple<int, int>
    %6 = torch.prim.TupleIndex %5, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %7 = torch.aten.eq.int %4, %6 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If %7 -> () {
      torch.prim.If.yield
    } else {
      %8 = torch.prim.TupleIndex %3, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
      %9 = torch.aten.__getitem__.t %arg0, %int0 : !torch.list<tuple<int, int>>, !torch.int -> !torch.tuple<int, int>
      %10 = torch.prim.TupleIndex %9, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
      %11 = torch.aten.format(%str, %8, %10) : !torch.str, !torch.int, !torch.int -> !torch.str
      torch.prim.RaiseException %11, %none : !torch.str, !torch.none
      torch.prim.If.yield
    }
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  %1 = torch.prim.ListConstruct  : () -> !torch.list<int>
  %2 = torch.aten.len.t %arg0 : !torch.list<tuple<int, int>> -> !torch.int
  torch.prim.Loop %2, %true, init() {
  ^bb0(%arg1: !torch.int):
    %3 = torch.aten.__getitem__.t %arg0, %arg1 : !torch.list<tuple<int, int>>, !torch.int -> !torch.tuple<int, int>
    %4 = torch.prim.TupleIndex %3, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %5 = torch.aten.append.t %1, %4 : !torch.list<int>, !torch.int -> !torch.list<int>
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  return %1 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.joining.grid_sizes(%arg0: !torch.list<list<int>>) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %int0 = torch.constant.int 0
  %str = torch.constant.str "there must be vectors to make a grid of, got {}"
  %none = torch.constant.none
  %true = torch.constant.bool true
  %str_0 = torch.constant.str "a grid is made of vectors, got shape {}"
  %0 = torch.aten.len.t %arg0 : !torch.list<list<int>> -> !torch.int
  %1 = torch.aten.gt.int %0, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %1 -> () {
    torch.prim.If.yield
  } else {
    %4 = torch.aten.len.t %arg0 : !torch.list<list<int>> -> !torch.int
    %5 = torch.aten.format(%str, %4) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %5, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %2 = torch.prim.ListConstruct  : () -> !torch.list<int>
  %3 = torch.aten.len.t %arg0 : !torch.list<list<int>> -> !torch.int
  torch.prim.Loop %3, %true, init() {
  ^bb0(%arg1: !torch.int):
    %4 = torch.aten.__getitem__.t %arg0, %arg1 : !torch.list<list<int>>, !torch.int -> !torch.list<int>
    %5 = torch.aten.len.t %4 : !torch.list<int> -> !torch.int
    %6 = torch.aten.le.int %5, %int1 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If %6 -> () {
      torch.prim.If.yield
    } else {
      %9 = torch.aten.format(%str_0, %4) : !torch.str, !torch.list<int> -> !torch.str
      torch.prim.RaiseException %9, %none : !torch.str, !torch.none
      torch.prim.If.yield
    }
    %7 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.product(%4) : (!torch.list<int>) -> !torch.int
    %8 = torch.aten.append.t %2, %7 : !torch.list<int>, !torch.int -> !torch.list<int>
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  return %2 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.joining.hstack_rule(%arg0: !torch.list<list<int>>) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %int0 = torch.constant.int 0
  %str = torch.constant.str "there must be tensors to join, got {}"
  %none = torch.constant.none
  %0 = torch.aten.len.t %arg0 : !torch.list<list<int>> -> !torch.int
  %1 = torch.aten.gt.int %0, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %1 -> () {
    torch.prim.If.yield
  } else {
    %8 = torch.aten.len.t %arg0 : !torch.list<list<int>> -> !torch.int
    %9 = torch.aten.format(%str, %8) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %9, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %2 = call @__torch__.torch_refine.abstract_interp_lib.families.joining.all_at_least_1d(%arg0) : (!torch.list<list<int>>) -> !torch.list<list<int>>
  %3 = torch.aten.__getitem__.t %2, %int0 : !torch.list<list<int>>, !torch.int -> !torch.list<int>
  %4 = torch.aten.len.t %3 : !torch.list<int> -> !torch.int
  %5 = torch.aten.eq.int %4, %int1 : !torch.int, !torch.int -> !torch.bool
  %6 = torch.prim.If %5 -> (!torch.int) {
    torch.prim.If.yield %int0 : !torch.int
  } else {
    torch.prim.If.yield %int1 : !torch.int
  }
  %7 = call @__torch__.torch_refine.abstract_interp_lib.families.joining.cat_rule(%2, %6) : (!torch.list<list<int>>, !torch.int) -> !torch.list<int>
  return %7 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.joining.joined_dtype(%arg0: !torch.list<tuple<int, int>>) -> !torch.int {
  %int1 = torch.constant.int 1
  %int0 = torch.constant.int 0
  %str = torch.constant.str "there must be tensors to join, got {}"
  %none = torch.constant.none
  %true = torch.constant.bool true
  %0 = torch.aten.len.t %arg0 : !torch.list<tuple<int, int>> -> !torch.int
  %1 = torch.aten.gt.int %0, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %1 -> () {
    torch.prim.If.yield
  } else {
    %6 = torch.aten.len.t %arg0 : !torch.list<tuple<int, int>> -> !torch.int
    %7 = torch.aten.format(%str, %6) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %7, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %2 = torch.prim.ListConstruct  : () -> !torch.list<optional<int>>
  %3 = torch.prim.ListConstruct  : () -> !torch.list<int>
  %4 = torch.aten.len.t %arg0 : !torch.list<tuple<int, int>> -> !torch.int
  torch.prim.Loop %4, %true, init() {
  ^bb0(%arg1: !torch.int):
    %6 = torch.aten.__getitem__.t %arg0, %arg1 : !torch.list<tuple<int, int>>, !torch.int -> !torch.tuple<int, int>
    %7 = torch.derefine %int1 : !torch.int to !torch.optional<int>
    %8 = torch.aten.append.t %2, %7 : !torch.list<optional<int>>, !torch.optional<int> -> !torch.list<optional<int>>
    %9 = torch.prim.TupleIndex %6, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %10 = torch.aten.append.t %3, %9 : !torch.list<int>, !torch.int -> !torch.list<int>
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  %5 = torch.promote_dtypes %2, %3 : (!torch.list<optional<int>>, !torch.list<int>) -> !torch.int
  return %5 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.joining.meshgrid_indexing_rule(%arg0: !torch.list<list<int>>, %arg1: !torch.str) -> !torch.list<list<int>> {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %int2 = torch.constant.int 2
  %str = torch.constant.str "ij"
  %true = torch.constant.bool true
  %str_0 = torch.constant.str "xy"
  %str_1 = torch.constant.str "indexing must be \22ij\22 or \22xy\22, got {}"
  %none = torch.constant.none
  %false = torch.constant.bool false
  %0 = torch.aten.eq.str %arg1, %str : !torch.str, !torch.str -> !torch.bool
  %1 = torch.prim.If %0 -> (!torch.bool) {
    torch.prim.If.yield %true : !torch.bool
  } else {
    %8 = torch.aten.eq.str %arg1, %str_0 : !torch.str, !torch.str -> !torch.bool
    torch.prim.If.yield %8 : !torch.bool
  }
  torch.prim.If %1 -> () {
    torch.prim.If.yield
  } else {
    %8 = torch.aten.format(%str_1, %arg1) : !torch.str, !torch.str -> !torch.str
    torch.prim.RaiseException %8, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %2 = call @__torch__.torch_refine.abstract_interp_lib.families.joining.grid_sizes(%arg0) : (!torch.list<list<int>>) -> !torch.list<int>
  %3 = torch.aten.eq.str %arg1, %str_0 : !torch.str, !torch.str -> !torch.bool
  %4 = torch.prim.If %3 -> (!torch.bool) {
    %8 = torch.aten.len.t %2 : !torch.list<int> -> !torch.int
    %9 = torch.aten.ge.int %8, %int2 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If.yield %9 : !torch.bool
  } else {
    torch.prim.If.yield %false : !torch.bool
  }
  %5 = torch.prim.If %4 -> (!torch.list<int>) {
    %8 = torch.aten.__getitem__.t %2, %int1 : !torch.list<int>, !torch.int -> !torch.int
    %9 = torch.aten.__getitem__.t %2, %int0 : !torch.list<int>, !torch.int -> !torch.int
    %10 = torch.prim.ListConstruct %8, %9 : (!torch.int, !torch.int) -> !torch.list<int>
    %11 = torch.aten.slice.t %2, %int2, %none, %int1 : !torch.list<int>, !torch.int, !torch.none, !torch.int -> !torch.list<int>
    %12 = torch.aten.add.t %10, %11 : !torch.list<int>, !torch.list<int> -> !torch.list<int>
    torch.prim.If.yield %12 : !torch.list<int>
  } else {
    torch.prim.If.yield %2 : !torch.list<int>
  }
  %6 = torch.prim.ListConstruct  : () -> !torch.list<list<int>>
  %7 = torch.aten.len.t %arg0 : !torch.list<list<int>> -> !torch.int
  torch.prim.Loop %7, %true, init() {
  ^bb0(%arg2: !torch.int):
    %8 = torch.aten.append.t %6, %5 : !torch.list<list<int>>, !torch.list<int> -> !torch.list<list<int>>
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  return %6 : !torch.list<list<int>>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.joining.meshgrid_rule(%arg0: !torch.list<list<int>>) -> !torch.list<list<int>> {
  %true = torch.constant.bool true
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.joining.grid_sizes(%arg0) : (!torch.list<list<int>>) -> !torch.list<int>
  %1 = torch.prim.ListConstruct  : () -> !torch.list<list<int>>
  %2 = torch.aten.len.t %arg0 : !torch.list<list<int>> -> !torch.int
  torch.prim.Loop %2, %true, init() {
  ^bb0(%arg1: !torch.int):
    %3 = torch.aten.append.t %1, %0 : !torch.list<list<int>>, !torch.list<int> -> !torch.list<list<int>>
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  return %1 : !torch.list<list<int>>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.joining.stack_rule(%arg0: !torch.list<list<int>>, %arg1: !torch.int) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %int0 = torch.constant.int 0
  %str = torch.constant.str "there must be tensors to join, got {}"
  %none = torch.constant.none
  %true = torch.constant.bool true
  %0 = torch.aten.len.t %arg0 : !torch.list<list<int>> -> !torch.int
  %1 = torch.aten.gt.int %0, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %1 -> () {
    torch.prim.If.yield
  } else {
    %15 = torch.aten.len.t %arg0 : !torch.list<list<int>> -> !torch.int
    %16 = torch.aten.format(%str, %15) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %16, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %2 = torch.aten.__getitem__.t %arg0, %int0 : !torch.list<list<int>>, !torch.int -> !torch.list<int>
  %3 = torch.aten.slice.t %arg0, %int1, %none, %int1 : !torch.list<list<int>>, !torch.int, !torch.none, !torch.int -> !torch.list<list<int>>
  %4 = torch.aten.len.t %3 : !torch.list<list<int>> -> !torch.int
  %5 = torch.prim.Loop %4, %true, init(%2) {
  ^bb0(%arg2: !torch.int, %arg3: !torch.list<int>):
    %15 = torch.aten.__getitem__.t %3, %arg2 : !torch.list<list<int>>, !torch.int -> !torch.list<int>
    %16 = func.call @__torch__.torch_refine.abstract_interp_lib.families.joining.equal_sizes(%arg3, %15) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
    torch.prim.Loop.condition %true, iter(%16 : !torch.list<int>)
  } : (!torch.int, !torch.bool, !torch.list<int>) -> !torch.list<int>
  %6 = torch.aten.len.t %5 : !torch.list<int> -> !torch.int
  %7 = torch.aten.add.int %6, %int1 : !torch.int, !torch.int -> !torch.int
  %8 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.wrap_dim(%arg1, %7) : (!torch.int, !torch.int) -> !torch.int
  %9 = torch.aten.slice.t %5, %none, %8, %int1 : !torch.list<int>, !torch.none, !torch.int, !torch.int -> !torch.list<int>
  %10 = torch.aten.len.t %arg0 : !torch.list<list<int>> -> !torch.int
  %11 = torch.prim.ListConstruct %10 : (!torch.int) -> !torch.list<int>
  %12 = torch.aten.add.t %9, %11 : !torch.list<int>, !torch.list<int> -> !torch.list<int>
  %13 = torch.aten.slice.t %5, %8, %none, %int1 : !torch.list<int>, !torch.int, !torch.none, !torch.int -> !torch.list<int>
  %14 = torch.aten.add.t %12, %13 : !torch.list<int>, !torch.list<int> -> !torch.list<int>
  return %14 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.joining.vstack_rule(%arg0: !torch.list<list<int>>) -> !torch.list<int> {
  %int0 = torch.constant.int 0
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.joining.all_at_least_2d(%arg0) : (!torch.list<list<int>>) -> !torch.list<list<int>>
  %1 = call @__torch__.torch_refine.abstract_interp_lib.families.joining.cat_rule(%0, %int0) : (!torch.list<list<int>>, !torch.int) -> !torch.list<int>
  return %1 : !torch.list<int>
}
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
func.func private @__torch__.torch_refine.abstract_interp_lib.families.normalization.check_groups(%arg0: !torch.int, %arg1: !torch.int, %arg2: !torch.optional<list<int>>, %arg3: !torch.optional<list<int>>) -> !torch.none {
  %int1 = torch.constant.int 1
  %int0 = torch.constant.int 0
  %str = torch.constant.str "the number of groups must be positive, got {}"
  %none = torch.constant.none
  %str_0 = torch.constant.str "{} groups do not divide {} channels"
  %str_1 = torch.constant.str "weight must be a vector, got shape {}"
  %str_2 = torch.constant.str "weight"
  %str_3 = torch.constant.str "bias must be a vector, got shape {}"
  %str_4 = torch.constant.str "bias"
  %0 = torch.aten.gt.int %arg1, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %0 -> () {
    torch.prim.If.yield
  } else {
    %5 = torch.aten.format(%str, %arg1) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %5, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %1 = torch.aten.remainder.int %arg0, %arg1 : !torch.int, !torch.int -> !torch.int
  %2 = torch.aten.eq.int %1, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %2 -> () {
    torch.prim.If.yield
  } else {
    %5 = torch.aten.format(%str_0, %arg1, %arg0) : !torch.str, !torch.int, !torch.int -> !torch.str
    torch.prim.RaiseException %5, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %3 = torch.aten.__isnot__ %arg2, %none : !torch.optional<list<int>>, !torch.none -> !torch.bool
  torch.prim.If %3 -> () {
    %5 = torch.prim.unchecked_cast %arg2 : !torch.optional<list<int>> -> !torch.list<int>
    %6 = torch.aten.len.t %5 : !torch.list<int> -> !torch.int
    %7 = torch.aten.eq.int %6, %int1 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If %7 -> () {
      torch.prim.If.yield
    } else {
      %10 = torch.aten.format(%str_1, %5) : !torch.str, !torch.list<int> -> !torch.str
      torch.prim.RaiseException %10, %none : !torch.str, !torch.none
      torch.prim.If.yield
    }
    %8 = torch.derefine %5 : !torch.list<int> to !torch.optional<list<int>>
    %9 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.normalization.check_features(%8, %arg0, %str_2) : (!torch.optional<list<int>>, !torch.int, !torch.str) -> !torch.none
    torch.prim.If.yield
  } else {
    torch.prim.If.yield
  }
  %4 = torch.aten.__isnot__ %arg3, %none : !torch.optional<list<int>>, !torch.none -> !torch.bool
  torch.prim.If %4 -> () {
    %5 = torch.prim.unchecked_cast %arg3 : !torch.optional<list<int>> -> !torch.list<int>
    %6 = torch.aten.len.t %5 : !torch.list<int> -> !torch.int
    %7 = torch.aten.eq.int %6, %int1 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If %7 -> () {
      torch.prim.If.yield
    } else {
      %10 = torch.aten.format(%str_3, %5) : !torch.str, !torch.list<int> -> !torch.str
      torch.prim.RaiseException %10, %none : !torch.str, !torch.none
      torch.prim.If.yield
    }
    %8 = torch.derefine %5 : !torch.list<int> to !torch.optional<list<int>>
    %9 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.normalization.check_features(%8, %arg0, %str_4) : (!torch.optional<list<int>>, !torch.int, !torch.str) -> !torch.none
    torch.prim.If.yield
  } else {
    torch.prim.If.yield
  }
  return %none : !torch.none
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.normalization.input_dtype(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %int1 = torch.constant.int 1
  %0 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.padding.reflection_pad1d(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.padding.spatially_padded(%arg0, %arg1, %int1) : (!torch.list<int>, !torch.list<int>, !torch.int) -> !torch.list<int>
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.padding.check_wraps(%arg0, %arg1, %int1) : (!torch.list<int>, !torch.list<int>, !torch.int) -> !torch.none
  return %0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.padding.reflection_pad2d(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %int2 = torch.constant.int 2
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.padding.spatially_padded(%arg0, %arg1, %int2) : (!torch.list<int>, !torch.list<int>, !torch.int) -> !torch.list<int>
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.padding.check_wraps(%arg0, %arg1, %int1) : (!torch.list<int>, !torch.list<int>, !torch.int) -> !torch.none
  return %0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.padding.reflection_pad3d(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %int3 = torch.constant.int 3
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.padding.spatially_padded(%arg0, %arg1, %int3) : (!torch.list<int>, !torch.list<int>, !torch.int) -> !torch.list<int>
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.padding.check_wraps(%arg0, %arg1, %int1) : (!torch.list<int>, !torch.list<int>, !torch.int) -> !torch.none
  return %0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.padding.replication_pad1d(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.padding.spatially_padded(%arg0, %arg1, %int1) : (!torch.list<int>, !torch.list<int>, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.padding.replication_pad2d(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %int2 = torch.constant.int 2
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.padding.spatially_padded(%arg0, %arg1, %int2) : (!torch.list<int>, !torch.list<int>, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.padding.replication_pad3d(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %int3 = torch.constant.int 3
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.padding.spatially_padded(%arg0, %arg1, %int3) : (!torch.list<int>, !torch.list<int>, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.permutations.diagonal_rule(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.int, %arg3: !torch.int) -> !torch.list<int> {
  %int0 = torch.constant.int 0
  %str = torch.constant.str "a diagonal needs two dimensions, got {} and {}"
  %none = torch.constant.none
  %true = torch.constant.bool true
  %false = torch.constant.bool false
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.wrap_dim(%arg2, %0) : (!torch.int, !torch.int) -> !torch.int
  %2 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %3 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.wrap_dim(%arg3, %2) : (!torch.int, !torch.int) -> !torch.int
  %4 = torch.aten.ne.int %1, %3 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %4 -> () {
    torch.prim.If.yield
  } else {
    %16 = torch.aten.format(%str, %arg2, %arg3) : !torch.str, !torch.int, !torch.int -> !torch.str
    torch.prim.RaiseException %16, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %5 = torch.aten.__getitem__.t %arg0, %1 : !torch.list<int>, !torch.int -> !torch.int
  %6 = torch.prim.min.int %arg1, %int0 : !torch.int, !torch.int -> !torch.int
  %7 = torch.aten.add.int %5, %6 : !torch.int, !torch.int -> !torch.int
  %8 = torch.aten.__getitem__.t %arg0, %3 : !torch.list<int>, !torch.int -> !torch.int
  %9 = torch.prim.max.int %arg1, %int0 : !torch.int, !torch.int -> !torch.int
  %10 = torch.aten.sub.int %8, %9 : !torch.int, !torch.int -> !torch.int
  %11 = torch.prim.ListConstruct  : () -> !torch.list<int>
  %12 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  torch.prim.Loop %12, %true, init() {
  ^bb0(%arg4: !torch.int):
    %16 = torch.aten.ne.int %arg4, %1 : !torch.int, !torch.int -> !torch.bool
    %17 = torch.prim.If %16 -> (!torch.bool) {
      %18 = torch.aten.ne.int %arg4, %3 : !torch.int, !torch.int -> !torch.bool
      torch.prim.If.yield %18 : !torch.bool
    } else {
      torch.prim.If.yield %false : !torch.bool
    }
    torch.prim.If %17 -> () {
      %18 = torch.aten.__getitem__.t %arg0, %arg4 : !torch.list<int>, !torch.int -> !torch.int
      %19 = torch.aten.append.t %11, %18 : !torch.list<int>, !torch.int -> !torch.list<int>
      torch.prim.If.yield
    } else {
      torch.prim.If.yield
    }
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  %13 = torch.prim.min.int %7, %10 : !torch.int, !torch.int -> !torch.int
  %14 = torch.prim.max.int %13, %int0 : !torch.int, !torch.int -> !torch.int
  %15 = torch.aten.append.t %11, %14 : !torch.list<int>, !torch.int -> !torch.list<int>
  return %11 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.permutations.matrix_transpose_rule(%arg0: !torch.list<int>) -> !torch.list<int> {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %str = torch.constant.str "self must be a matrix or a batch of matrices, got rank {}"
  %none = torch.constant.none
  %int-2 = torch.constant.int -2
  %int-1 = torch.constant.int -1
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = torch.aten.ne.int %0, %int1 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %1 -> () {
    torch.prim.If.yield
  } else {
    %5 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
    %6 = torch.aten.format(%str, %5) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %6, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %2 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %3 = torch.aten.gt.int %2, %int0 : !torch.int, !torch.int -> !torch.bool
  %4 = torch.prim.If %3 -> (!torch.list<int>) {
    %5 = func.call @__torch__.torch_refine.abstract_interp_lib.families.permutations.transpose_rule(%arg0, %int-2, %int-1) : (!torch.list<int>, !torch.int, !torch.int) -> !torch.list<int>
    torch.prim.If.yield %5 : !torch.list<int>
  } else {
    torch.prim.If.yield %arg0 : !torch.list<int>
  }
  return %4 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.permutations.movedim_int_rule(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.int) -> !torch.list<int> {
  %0 = torch.prim.ListConstruct %arg1 : (!torch.int) -> !torch.list<int>
  %1 = torch.prim.ListConstruct %arg2 : (!torch.int) -> !torch.list<int>
  %2 = call @__torch__.torch_refine.abstract_interp_lib.families.permutations.movedim_rule(%arg0, %0, %1) : (!torch.list<int>, !torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %2 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.permutations.movedim_rule(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %int0 = torch.constant.int 0
  %str = torch.constant.str "as many dimensions must be named as places, got {} and {}"
  %none = torch.constant.none
  %true = torch.constant.bool true
  %0 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
  %1 = torch.aten.len.t %arg2 : !torch.list<int> -> !torch.int
  %2 = torch.aten.eq.int %0, %1 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %2 -> () {
    torch.prim.If.yield
  } else {
    %12 = torch.aten.format(%str, %arg1, %arg2) : !torch.str, !torch.list<int>, !torch.list<int> -> !torch.str
    torch.prim.RaiseException %12, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %3 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %4 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.wrap_dims(%arg1, %3) : (!torch.list<int>, !torch.int) -> !torch.list<int>
  %5 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %6 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.wrap_dims(%arg2, %5) : (!torch.list<int>, !torch.int) -> !torch.list<int>
  %7 = torch.prim.ListConstruct  : () -> !torch.list<int>
  %8 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  torch.prim.Loop %8, %true, init() {
  ^bb0(%arg3: !torch.int):
    %12 = torch.aten.__contains__.int_list %4, %arg3 : !torch.list<int>, !torch.int -> !torch.bool
    %13 = torch.aten.__not__ %12 : !torch.bool -> !torch.bool
    torch.prim.If %13 -> () {
      %14 = torch.aten.append.t %7, %arg3 : !torch.list<int>, !torch.int -> !torch.list<int>
      torch.prim.If.yield
    } else {
      torch.prim.If.yield
    }
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  %9 = torch.prim.ListConstruct  : () -> !torch.list<int>
  %10 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %11 = torch.prim.Loop %10, %true, init(%int0) {
  ^bb0(%arg3: !torch.int, %arg4: !torch.int):
    %12 = torch.aten.__contains__.int_list %6, %arg3 : !torch.list<int>, !torch.int -> !torch.bool
    %13 = torch.prim.If %12 -> (!torch.int) {
      %14 = torch.operator "torch.aten.index.list_int"(%6, %arg3) : (!torch.list<int>, !torch.int) -> !torch.int 
      %15 = torch.aten.__getitem__.t %4, %14 : !torch.list<int>, !torch.int -> !torch.int
      %16 = torch.aten.__getitem__.t %arg0, %15 : !torch.list<int>, !torch.int -> !torch.int
      %17 = torch.aten.append.t %9, %16 : !torch.list<int>, !torch.int -> !torch.list<int>
      torch.prim.If.yield %arg4 : !torch.int
    } else {
      %14 = torch.aten.__getitem__.t %7, %arg4 : !torch.list<int>, !torch.int -> !torch.int
      %15 = torch.aten.__getitem__.t %arg0, %14 : !torch.list<int>, !torch.int -> !torch.int
      %16 = torch.aten.append.t %9, %15 : !torch.list<int>, !torch.int -> !torch.list<int>
      %17 = torch.aten.add.int %arg4, %int1 : !torch.int, !torch.int -> !torch.int
      torch.prim.If.yield %17 : !torch.int
    }
    torch.prim.Loop.condition %true, iter(%13 : !torch.int)
  } : (!torch.int, !torch.bool, !torch.int) -> !torch.int
  return %9 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.permutations.numpy_t_rule(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.permutations.reverse(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.permutations.permute_rule(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %str = torch.constant.str "dims must name all {} dimensions, got {}"
  %none = torch.constant.none
  %true = torch.constant.bool true
  %0 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
  %1 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %2 = torch.aten.eq.int %0, %1 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %2 -> () {
    torch.prim.If.yield
  } else {
    %7 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
    %8 = torch.aten.format(%str, %7, %arg1) : !torch.str, !torch.int, !torch.list<int> -> !torch.str
    torch.prim.RaiseException %8, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %3 = torch.prim.ListConstruct  : () -> !torch.list<int>
  %4 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %5 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.wrap_dims(%arg1, %4) : (!torch.list<int>, !torch.int) -> !torch.list<int>
  %6 = torch.aten.len.t %5 : !torch.list<int> -> !torch.int
  torch.prim.Loop %6, %true, init() {
  ^bb0(%arg2: !torch.int):
    %7 = torch.aten.__getitem__.t %5, %arg2 : !torch.list<int>, !torch.int -> !torch.int
    %8 = torch.aten.__getitem__.t %arg0, %7 : !torch.list<int>, !torch.int -> !torch.int
    %9 = torch.aten.append.t %3, %8 : !torch.list<int>, !torch.int -> !torch.list<int>
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  return %3 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.permutations.reverse(%arg0: !torch.list<int>) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %true = torch.constant.bool true
  %0 = torch.prim.ListConstruct  : () -> !torch.list<int>
  %1 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  torch.prim.Loop %1, %true, init() {
  ^bb0(%arg1: !torch.int):
    %2 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
    %3 = torch.aten.sub.int %2, %int1 : !torch.int, !torch.int -> !torch.int
    %4 = torch.aten.sub.int %3, %arg1 : !torch.int, !torch.int -> !torch.int
    %5 = torch.aten.__getitem__.t %arg0, %4 : !torch.list<int>, !torch.int -> !torch.int
    %6 = torch.aten.append.t %0, %5 : !torch.list<int>, !torch.int -> !torch.list<int>
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  return %0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.permutations.swap(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.int) -> !torch.list<int> {
  %0 = torch.aten.list.t %arg0 : !torch.list<int> -> !torch.list<int>
  %1 = torch.aten.__getitem__.t %arg0, %arg2 : !torch.list<int>, !torch.int -> !torch.int
  %2 = torch.aten._set_item.t %0, %arg1, %1 : !torch.list<int>, !torch.int, !torch.int -> !torch.list<int>
  %3 = torch.aten.__getitem__.t %arg0, %arg1 : !torch.list<int>, !torch.int -> !torch.int
  %4 = torch.aten._set_item.t %0, %arg2, %3 : !torch.list<int>, !torch.int, !torch.int -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.permutations.swapaxes_rule(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.permutations.transpose_rule(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.int, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.permutations.t_rule(%arg0: !torch.list<int>) -> !torch.list<int> {
  %int2 = torch.constant.int 2
  %str = torch.constant.str "self must have at most 2 dimensions, got {}"
  %none = torch.constant.none
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = torch.aten.le.int %0, %int2 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %1 -> () {
    torch.prim.If.yield
  } else {
    %3 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
    %4 = torch.aten.format(%str, %3) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %4, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %2 = call @__torch__.torch_refine.abstract_interp_lib.families.permutations.reverse(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %2 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.permutations.transpose_rule(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.int) -> !torch.list<int> {
  %int0 = torch.constant.int 0
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.wrap_dim(%arg1, %0) : (!torch.int, !torch.int) -> !torch.int
  %2 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %3 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.wrap_dim(%arg2, %2) : (!torch.int, !torch.int) -> !torch.int
  %4 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %5 = torch.aten.eq.int %4, %int0 : !torch.int, !torch.int -> !torch.bool
  %6 = torch.prim.If %5 -> (!torch.list<int>) {
    torch.prim.If.yield %arg0 : !torch.list<int>
  } else {
    %7 = func.call @__torch__.torch_refine.abstract_interp_lib.families.permutations.swap(%arg0, %1, %3) : (!torch.list<int>, !torch.int, !torch.int) -> !torch.list<int>
    torch.prim.If.yield %7 : !torch.list<int>
  }
  return %6 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.permutations.unfold_rule(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.int, %arg3: !torch.int) -> !torch.list<int> {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %str = torch.constant.str "the size of a window cannot be negative, got {}"
  %none = torch.constant.none
  %str_0 = torch.constant.str "a window of {} does not fit a dimension of size {}"
  %str_1 = torch.constant.str "windows must be a positive step apart, got {}"
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.wrap_dim(%arg1, %0) : (!torch.int, !torch.int) -> !torch.int
  %2 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %3 = torch.aten.gt.int %2, %int0 : !torch.int, !torch.int -> !torch.bool
  %4 = torch.prim.If %3 -> (!torch.int) {
    %11 = torch.aten.__getitem__.t %arg0, %1 : !torch.list<int>, !torch.int -> !torch.int
    torch.prim.If.yield %11 : !torch.int
  } else {
    torch.prim.If.yield %int1 : !torch.int
  }
  %5 = torch.aten.ge.int %arg2, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %5 -> () {
    torch.prim.If.yield
  } else {
    %11 = torch.aten.format(%str, %arg2) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %11, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %6 = torch.aten.le.int %arg2, %4 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %6 -> () {
    torch.prim.If.yield
  } else {
    %11 = torch.aten.format(%str_0, %arg2, %4) : !torch.str, !torch.int, !torch.int -> !torch.str
    torch.prim.RaiseException %11, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %7 = torch.aten.gt.int %arg3, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %7 -> () {
    torch.prim.If.yield
  } else {
    %11 = torch.aten.format(%str_1, %arg3) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %11, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %8 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %9 = torch.aten.eq.int %8, %int0 : !torch.int, !torch.int -> !torch.bool
  %10 = torch.prim.If %9 -> (!torch.list<int>) {
    %11 = torch.prim.ListConstruct %arg2 : (!torch.int) -> !torch.list<int>
    torch.prim.If.yield %11 : !torch.list<int>
  } else {
    %11 = torch.aten.sub.int %4, %arg2 : !torch.int, !torch.int -> !torch.int
    %12 = torch.aten.floordiv.int %11, %arg3 : !torch.int, !torch.int -> !torch.int
    %13 = torch.aten.add.int %12, %int1 : !torch.int, !torch.int -> !torch.int
    %14 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.replace_size(%arg0, %1, %13) : (!torch.list<int>, !torch.int, !torch.int) -> !torch.list<int>
    %15 = torch.prim.ListConstruct %arg2 : (!torch.int) -> !torch.list<int>
    %16 = torch.aten.add.t %14, %15 : !torch.list<int>, !torch.list<int> -> !torch.list<int>
    torch.prim.If.yield %16 : !torch.list<int>
  }
  return %10 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.pointwise_binary.check_rounding_mode(%arg0: !torch.optional<str>) -> !torch.none {
  %none = torch.constant.none
  %str = torch.constant.str "floor"
  %true = torch.constant.bool true
  %str_0 = torch.constant.str "trunc"
  %str_1 = torch.constant.str "rounding_mode must be None, 'floor' or 'trunc', got {}"
  %0 = torch.aten.__isnot__ %arg0, %none : !torch.optional<str>, !torch.none -> !torch.bool
  torch.prim.If %0 -> () {
    %1 = torch.prim.unchecked_cast %arg0 : !torch.optional<str> -> !torch.str
    %2 = torch.aten.eq.str %1, %str : !torch.str, !torch.str -> !torch.bool
    %3 = torch.prim.If %2 -> (!torch.bool) {
      torch.prim.If.yield %true : !torch.bool
    } else {
      %4 = torch.aten.eq.str %1, %str_0 : !torch.str, !torch.str -> !torch.bool
      torch.prim.If.yield %4 : !torch.bool
    }
    torch.prim.If %3 -> () {
      torch.prim.If.yield
    } else {
      %4 = torch.aten.format(%str_1, %1) : !torch.str, !torch.str -> !torch.str
      torch.prim.RaiseException %4, %none : !torch.str, !torch.none
      torch.prim.If.yield
    }
    torch.prim.If.yield
  } else {
    torch.prim.If.yield
  }
  return %none : !torch.none
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.pointwise_binary.difference_dtype(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %int1 = torch.constant.int 1
  %int11 = torch.constant.int 11
  %true = torch.constant.bool true
  %str = torch.constant.str "two bool tensors have no difference, got dtypes {} and {}"
  %none = torch.constant.none
  %0 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %1 = torch.aten.ne.int %0, %int11 : !torch.int, !torch.int -> !torch.bool
  %2 = torch.prim.If %1 -> (!torch.bool) {
    torch.prim.If.yield %true : !torch.bool
  } else {
    %4 = torch.prim.TupleIndex %arg1, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %5 = torch.aten.ne.int %4, %int11 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If.yield %5 : !torch.bool
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
  %3 = call @__torch__.torch_refine.abstract_interp_lib.rules.promotion.promote_two(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %3 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.pointwise_binary.power(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.broadcast.broadcast_two(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.pointwise_binary.power_dtype(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.promotion.promote_two(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.pointwise_binary.power_of_number(%arg0: !torch.list<int>) -> !torch.list<int> {
  return %arg0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.pointwise_binary.power_of_number_dtype(%arg0: !torch.number, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.promotion.promote_with_number(%arg1, %arg0) : (!torch.tuple<int, int>, !torch.number) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.pointwise_binary.power_with_number_dtype(%arg0: !torch.tuple<int, int>, %arg1: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.promotion.promote_with_number(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.number) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.pointwise_binary.quotient_dtype(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>, %arg2: !torch.optional<str>) -> !torch.int {
  %none = torch.constant.none
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pointwise_binary.check_rounding_mode(%arg2) : (!torch.optional<str>) -> !torch.none
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.promotion.promote_two(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  %2 = torch.aten.__is__ %arg2, %none : !torch.optional<str>, !torch.none -> !torch.bool
  %3 = torch.prim.If %2 -> (!torch.int) {
    %4 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.promotion.int_to_float(%1) : (!torch.int) -> !torch.int
    torch.prim.If.yield %4 : !torch.int
  } else {
    torch.prim.If.yield %1 : !torch.int
  }
  return %3 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.pointwise_binary.quotient_with_number_dtype(%arg0: !torch.tuple<int, int>, %arg1: !torch.number, %arg2: !torch.optional<str>) -> !torch.int {
  %none = torch.constant.none
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pointwise_binary.check_rounding_mode(%arg2) : (!torch.optional<str>) -> !torch.none
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.promotion.promote_with_number(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.number) -> !torch.int
  %2 = torch.aten.__is__ %arg2, %none : !torch.optional<str>, !torch.none -> !torch.bool
  %3 = torch.prim.If %2 -> (!torch.int) {
    %4 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.promotion.int_to_float(%1) : (!torch.int) -> !torch.int
    torch.prim.If.yield %4 : !torch.int
  } else {
    torch.prim.If.yield %1 : !torch.int
  }
  return %3 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.pointwise_binary.wide(%arg0: !torch.int, %arg1: !torch.int) -> !torch.int {
  %true = torch.constant.bool true
  %int10 = torch.constant.int 10
  %int7 = torch.constant.int 7
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.promotion.is_complex(%arg0) : (!torch.int) -> !torch.bool
  %1 = torch.prim.If %0 -> (!torch.bool) {
    torch.prim.If.yield %true : !torch.bool
  } else {
    %3 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.promotion.is_complex(%arg1) : (!torch.int) -> !torch.bool
    torch.prim.If.yield %3 : !torch.bool
  }
  %2 = torch.prim.If %1 -> (!torch.int) {
    torch.prim.If.yield %int10 : !torch.int
  } else {
    torch.prim.If.yield %int7 : !torch.int
  }
  return %2 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.pointwise_binary.wide_power_dtype(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %int1 = torch.constant.int 1
  %0 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %1 = torch.prim.TupleIndex %arg1, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %2 = call @__torch__.torch_refine.abstract_interp_lib.families.pointwise_binary.wide(%0, %1) : (!torch.int, !torch.int) -> !torch.int
  return %2 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.pointwise_binary.wide_power_of_number_dtype(%arg0: !torch.number, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %int1 = torch.constant.int 1
  %0 = torch.operator "torch_refine.dtype_of_number"(%arg0) : (!torch.number) -> !torch.int 
  %1 = torch.prim.TupleIndex %arg1, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %2 = call @__torch__.torch_refine.abstract_interp_lib.families.pointwise_binary.wide(%0, %1) : (!torch.int, !torch.int) -> !torch.int
  return %2 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.pointwise_binary.wide_power_with_number_dtype(%arg0: !torch.tuple<int, int>, %arg1: !torch.number) -> !torch.int {
  %int1 = torch.constant.int 1
  %0 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %1 = torch.operator "torch_refine.dtype_of_number"(%arg1) : (!torch.number) -> !torch.int 
  %2 = call @__torch__.torch_refine.abstract_interp_lib.families.pointwise_binary.wide(%0, %1) : (!torch.int, !torch.int) -> !torch.int
  return %2 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.pointwise_unary.float_of_x(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %int1 = torch.constant.int 1
  %0 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.promotion.int_to_float(%0) : (!torch.int) -> !torch.int
  return %1 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.pointwise_unary.mvlgamma(%arg0: !torch.list<int>, %arg1: !torch.int) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %str = torch.constant.str "the dimension must be at least 1, got {}"
  %none = torch.constant.none
  %0 = torch.aten.ge.int %arg1, %int1 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %0 -> () {
    torch.prim.If.yield
  } else {
    %1 = torch.aten.format(%str, %arg1) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %1, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  return %arg0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.pointwise_unary.negated_dtype(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %int1 = torch.constant.int 1
  %int11 = torch.constant.int 11
  %str = torch.constant.str "a bool tensor has no sign, got dtype {}"
  %none = torch.constant.none
  %0 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %1 = torch.aten.ne.int %0, %int11 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %1 -> () {
    torch.prim.If.yield
  } else {
    %3 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %4 = torch.aten.format(%str, %3) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %4, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %2 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  return %2 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.pointwise_unary.polygamma(%arg0: !torch.int, %arg1: !torch.list<int>) -> !torch.list<int> {
  %int0 = torch.constant.int 0
  %str = torch.constant.str "the order of a derivative must not be negative, got {}"
  %none = torch.constant.none
  %0 = torch.aten.ge.int %arg0, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %0 -> () {
    torch.prim.If.yield
  } else {
    %1 = torch.aten.format(%str, %arg0) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %1, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  return %arg1 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.pointwise_unary.same_as_x(%arg0: !torch.list<int>) -> !torch.list<int> {
  return %arg0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.pooling.adaptive_avg_pool1d(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.windows.check_batched_or_not(%arg0, %int1) : (!torch.list<int>, !torch.int) -> !torch.none
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.pooling.resized(%arg0, %int1, %arg1) : (!torch.list<int>, !torch.int, !torch.list<int>) -> !torch.list<int>
  return %1 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.pooling.adaptive_avg_pool2d(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %int2 = torch.constant.int 2
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pooling.resized(%arg0, %int2, %arg1) : (!torch.list<int>, !torch.int, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.pooling.adaptive_avg_pool3d(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %int3 = torch.constant.int 3
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pooling.resized(%arg0, %int3, %arg1) : (!torch.list<int>, !torch.int, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.pooling.adaptive_max_pool1d(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.tuple<list<int>, list<int>> {
  %int1 = torch.constant.int 1
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.windows.check_batched_or_not(%arg0, %int1) : (!torch.list<int>, !torch.int) -> !torch.none
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.pooling.resized(%arg0, %int1, %arg1) : (!torch.list<int>, !torch.int, !torch.list<int>) -> !torch.list<int>
  %2 = torch.aten.list.t %1 : !torch.list<int> -> !torch.list<int>
  %3 = torch.prim.TupleConstruct %1, %2 : !torch.list<int>, !torch.list<int> -> !torch.tuple<list<int>, list<int>>
  return %3 : !torch.tuple<list<int>, list<int>>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.pooling.adaptive_max_pool2d(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.tuple<list<int>, list<int>> {
  %int2 = torch.constant.int 2
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.windows.check_batched_or_not(%arg0, %int2) : (!torch.list<int>, !torch.int) -> !torch.none
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.pooling.resized(%arg0, %int2, %arg1) : (!torch.list<int>, !torch.int, !torch.list<int>) -> !torch.list<int>
  %2 = torch.aten.list.t %1 : !torch.list<int> -> !torch.list<int>
  %3 = torch.prim.TupleConstruct %1, %2 : !torch.list<int>, !torch.list<int> -> !torch.tuple<list<int>, list<int>>
  return %3 : !torch.tuple<list<int>, list<int>>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.pooling.adaptive_max_pool3d(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.tuple<list<int>, list<int>> {
  %int3 = torch.constant.int 3
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.windows.check_batched_or_not(%arg0, %int3) : (!torch.list<int>, !torch.int) -> !torch.none
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.pooling.resized(%arg0, %int3, %arg1) : (!torch.list<int>, !torch.int, !torch.list<int>) -> !torch.list<int>
  %2 = torch.aten.list.t %1 : !torch.list<int> -> !torch.list<int>
  %3 = torch.prim.TupleConstruct %1, %2 : !torch.list<int>, !torch.list<int> -> !torch.tuple<list<int>, list<int>>
  return %3 : !torch.tuple<list<int>, list<int>>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.pooling.avg_pool1d(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>, %arg3: !torch.list<int>, %arg4: !torch.bool) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %0 = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.pooling.pooled(%arg0, %int1, %arg1, %arg2, %arg3, %0, %arg4) : (!torch.list<int>, !torch.int, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool) -> !torch.list<int>
  return %1 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.pooling.avg_pool2d(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>, %arg3: !torch.list<int>, %arg4: !torch.bool) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %int2 = torch.constant.int 2
  %0 = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.pooling.pooled(%arg0, %int2, %arg1, %arg2, %arg3, %0, %arg4) : (!torch.list<int>, !torch.int, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool) -> !torch.list<int>
  return %1 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.pooling.avg_pool3d(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>, %arg3: !torch.list<int>, %arg4: !torch.bool) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %int3 = torch.constant.int 3
  %0 = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.pooling.pooled(%arg0, %int3, %arg1, %arg2, %arg3, %0, %arg4) : (!torch.list<int>, !torch.int, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool) -> !torch.list<int>
  return %1 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.pooling.fractional_max_pool2d(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.tuple<list<int>, list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pooling.adaptive_max_pool2d(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.tuple<list<int>, list<int>>
  return %0 : !torch.tuple<list<int>, list<int>>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.pooling.fractional_max_pool3d(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.tuple<list<int>, list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pooling.adaptive_max_pool3d(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.tuple<list<int>, list<int>>
  return %0 : !torch.tuple<list<int>, list<int>>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.pooling.max_pool1d(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>, %arg3: !torch.list<int>, %arg4: !torch.list<int>, %arg5: !torch.bool) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pooling.pooled(%arg0, %int1, %arg1, %arg2, %arg3, %arg4, %arg5) : (!torch.list<int>, !torch.int, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.pooling.max_pool1d_with_indices(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>, %arg3: !torch.list<int>, %arg4: !torch.list<int>, %arg5: !torch.bool) -> !torch.tuple<list<int>, list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pooling.max_pool1d(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5) : (!torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool) -> !torch.list<int>
  %1 = torch.aten.list.t %0 : !torch.list<int> -> !torch.list<int>
  %2 = torch.prim.TupleConstruct %0, %1 : !torch.list<int>, !torch.list<int> -> !torch.tuple<list<int>, list<int>>
  return %2 : !torch.tuple<list<int>, list<int>>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.pooling.max_pool2d(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>, %arg3: !torch.list<int>, %arg4: !torch.list<int>, %arg5: !torch.bool) -> !torch.list<int> {
  %int2 = torch.constant.int 2
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pooling.pooled(%arg0, %int2, %arg1, %arg2, %arg3, %arg4, %arg5) : (!torch.list<int>, !torch.int, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.pooling.max_pool2d_with_indices(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>, %arg3: !torch.list<int>, %arg4: !torch.list<int>, %arg5: !torch.bool) -> !torch.tuple<list<int>, list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pooling.max_pool2d(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5) : (!torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool) -> !torch.list<int>
  %1 = torch.aten.list.t %0 : !torch.list<int> -> !torch.list<int>
  %2 = torch.prim.TupleConstruct %0, %1 : !torch.list<int>, !torch.list<int> -> !torch.tuple<list<int>, list<int>>
  return %2 : !torch.tuple<list<int>, list<int>>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.pooling.max_pool3d(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>, %arg3: !torch.list<int>, %arg4: !torch.list<int>, %arg5: !torch.bool) -> !torch.list<int> {
  %int3 = torch.constant.int 3
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pooling.pooled(%arg0, %int3, %arg1, %arg2, %arg3, %arg4, %arg5) : (!torch.list<int>, !torch.int, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.pooling.max_pool3d_with_indices(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>, %arg3: !torch.list<int>, %arg4: !torch.list<int>, %arg5: !torch.bool) -> !torch.tuple<list<int>, list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pooling.max_pool3d(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5) : (!torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool) -> !torch.list<int>
  %1 = torch.aten.list.t %0 : !torch.list<int> -> !torch.list<int>
  %2 = torch.prim.TupleConstruct %0, %1 : !torch.list<int>, !torch.list<int> -> !torch.tuple<list<int>, list<int>>
  return %2 : !torch.tuple<list<int>, list<int>>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.pooling.max_unpool2d(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>) -> !torch.list<int> {
  %int2 = torch.constant.int 2
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pooling.unpooled(%arg0, %arg1, %int2, %arg2) : (!torch.list<int>, !torch.list<int>, !torch.int, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.pooling.max_unpool3d(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>) -> !torch.list<int> {
  %int3 = torch.constant.int 3
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pooling.unpooled(%arg0, %arg1, %int3, %arg2) : (!torch.list<int>, !torch.list<int>, !torch.int, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.pooling.pooled_dtype_and_indices(%arg0: !torch.tuple<int, int>) -> !torch.tuple<int, int> {
  %int1 = torch.constant.int 1
  %int4 = torch.constant.int 4
  %0 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %1 = torch.prim.TupleConstruct %0, %int4 : !torch.int, !torch.int -> !torch.tuple<int, int>
  return %1 : !torch.tuple<int, int>
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
func.func private @__torch__.torch_refine.abstract_interp_lib.families.random.bernoulli_tensor(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.matmul.check_expands(%arg1, %arg0) : (!torch.list<int>, !torch.list<int>) -> !torch.none
  return %arg0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.random.native_dropout(%arg0: !torch.list<int>) -> !torch.tuple<list<int>, list<int>> {
  %0 = torch.prim.TupleConstruct %arg0, %arg0 : !torch.list<int>, !torch.list<int> -> !torch.tuple<list<int>, list<int>>
  return %0 : !torch.tuple<list<int>, list<int>>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.random.native_dropout_dtype(%arg0: !torch.tuple<int, int>) -> !torch.tuple<int, int> {
  %int1 = torch.constant.int 1
  %int11 = torch.constant.int 11
  %0 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %1 = torch.prim.TupleConstruct %0, %int11 : !torch.int, !torch.int -> !torch.tuple<int, int>
  return %1 : !torch.tuple<int, int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.random.permutation(%arg0: !torch.int) -> !torch.list<int> {
  %int0 = torch.constant.int 0
  %str = torch.constant.str "aten::randperm: n must not be negative, got {}"
  %none = torch.constant.none
  %0 = torch.aten.ge.int %arg0, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %0 -> () {
    torch.prim.If.yield
  } else {
    %2 = torch.aten.format(%str, %arg0) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %2, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %1 = torch.prim.ListConstruct %arg0 : (!torch.int) -> !torch.list<int>
  return %1 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.rearranging.channel_shuffle_rule(%arg0: !torch.list<int>, %arg1: !torch.int) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %int0 = torch.constant.int 0
  %int2 = torch.constant.int 2
  %str = torch.constant.str "self must have more than 2 dimensions, got {}"
  %none = torch.constant.none
  %str_0 = torch.constant.str "the number of groups must be positive, got {}"
  %str_1 = torch.constant.str "{} channels do not divide in {} groups"
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = torch.aten.gt.int %0, %int2 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %1 -> () {
    torch.prim.If.yield
  } else {
    %6 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
    %7 = torch.aten.format(%str, %6) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %7, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %2 = torch.aten.gt.int %arg1, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %2 -> () {
    torch.prim.If.yield
  } else {
    %6 = torch.aten.format(%str_0, %arg1) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %6, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %3 = torch.aten.__getitem__.t %arg0, %int1 : !torch.list<int>, !torch.int -> !torch.int
  %4 = torch.aten.remainder.int %3, %arg1 : !torch.int, !torch.int -> !torch.int
  %5 = torch.aten.eq.int %4, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %5 -> () {
    torch.prim.If.yield
  } else {
    %6 = torch.aten.__getitem__.t %arg0, %int1 : !torch.list<int>, !torch.int -> !torch.int
    %7 = torch.aten.format(%str_1, %6, %arg1) : !torch.str, !torch.int, !torch.int -> !torch.str
    torch.prim.RaiseException %7, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  return %arg0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.rearranging.flip_rule(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.wrap_dims(%arg1, %0) : (!torch.list<int>, !torch.int) -> !torch.list<int>
  return %arg0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.rearranging.repeat_rule(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %int0 = torch.constant.int 0
  %str = torch.constant.str "each of {} dimensions needs a number of repeats, got {}"
  %none = torch.constant.none
  %true = torch.constant.bool true
  %str_0 = torch.constant.str "a number of repeats cannot be negative, got {}"
  %int1 = torch.constant.int 1
  %0 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
  %1 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %2 = torch.aten.sub.int %0, %1 : !torch.int, !torch.int -> !torch.int
  %3 = torch.aten.ge.int %2, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %3 -> () {
    torch.prim.If.yield
  } else {
    %7 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
    %8 = torch.aten.format(%str, %7, %arg1) : !torch.str, !torch.int, !torch.list<int> -> !torch.str
    torch.prim.RaiseException %8, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %4 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
  torch.prim.Loop %4, %true, init() {
  ^bb0(%arg2: !torch.int):
    %7 = torch.aten.__getitem__.t %arg1, %arg2 : !torch.list<int>, !torch.int -> !torch.int
    %8 = torch.aten.ge.int %7, %int0 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If %8 -> () {
      torch.prim.If.yield
    } else {
      %9 = torch.aten.format(%str_0, %arg1) : !torch.str, !torch.list<int> -> !torch.str
      torch.prim.RaiseException %9, %none : !torch.str, !torch.none
      torch.prim.If.yield
    }
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  %5 = torch.aten.slice.t %arg1, %none, %2, %int1 : !torch.list<int>, !torch.none, !torch.int, !torch.int -> !torch.list<int>
  %6 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  torch.prim.Loop %6, %true, init() {
  ^bb0(%arg2: !torch.int):
    %7 = torch.aten.__getitem__.t %arg0, %arg2 : !torch.list<int>, !torch.int -> !torch.int
    %8 = torch.aten.add.int %2, %arg2 : !torch.int, !torch.int -> !torch.int
    %9 = torch.aten.__getitem__.t %arg1, %8 : !torch.list<int>, !torch.int -> !torch.int
    %10 = torch.aten.mul.int %7, %9 : !torch.int, !torch.int -> !torch.int
    %11 = torch.aten.append.t %5, %10 : !torch.list<int>, !torch.int -> !torch.list<int>
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  return %5 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.rearranging.repeated_size(%arg0: !torch.int, %arg1: !torch.optional<int>) -> !torch.int {
  %int0 = torch.constant.int 0
  %none = torch.constant.none
  %0 = torch.aten.ne.int %arg0, %int0 : !torch.int, !torch.int -> !torch.bool
  %1 = torch.prim.If %0 -> (!torch.int) {
    %2 = torch.aten.__is__ %arg1, %none : !torch.optional<int>, !torch.none -> !torch.bool
    %3 = torch.prim.If %2 -> (!torch.int) {
      %4 = torch.operator "torch_refine.unknown_size"() : () -> !torch.int 
      torch.prim.If.yield %4 : !torch.int
    } else {
      %4 = torch.prim.unchecked_cast %arg1 : !torch.optional<int> -> !torch.int
      torch.prim.If.yield %4 : !torch.int
    }
    torch.prim.If.yield %3 : !torch.int
  } else {
    torch.prim.If.yield %int0 : !torch.int
  }
  return %1 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.rearranging.roll_rule(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %int0 = torch.constant.int 0
  %true = torch.constant.bool true
  %false = torch.constant.bool false
  %str = torch.constant.str "shifts and dims must match, got {} and {}"
  %none = torch.constant.none
  %0 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
  %1 = torch.aten.gt.int %0, %int0 : !torch.int, !torch.int -> !torch.bool
  %2 = torch.prim.If %1 -> (!torch.bool) {
    %4 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
    %5 = torch.aten.len.t %arg2 : !torch.list<int> -> !torch.int
    %6 = torch.aten.eq.int %4, %5 : !torch.int, !torch.int -> !torch.bool
    %7 = torch.prim.If %6 -> (!torch.bool) {
      torch.prim.If.yield %true : !torch.bool
    } else {
      %8 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
      %9 = torch.aten.len.t %arg2 : !torch.list<int> -> !torch.int
      %10 = torch.aten.add.int %8, %9 : !torch.int, !torch.int -> !torch.int
      %11 = torch.aten.eq.int %10, %int1 : !torch.int, !torch.int -> !torch.bool
      torch.prim.If.yield %11 : !torch.bool
    }
    torch.prim.If.yield %7 : !torch.bool
  } else {
    torch.prim.If.yield %false : !torch.bool
  }
  %3 = torch.prim.If %2 -> (!torch.bool) {
    torch.prim.If.yield %true : !torch.bool
  } else {
    %4 = torch.aten.__contains__.int_list %arg0, %int0 : !torch.list<int>, !torch.int -> !torch.bool
    torch.prim.If.yield %4 : !torch.bool
  }
  torch.prim.If %3 -> () {
    torch.prim.If.yield
  } else {
    %4 = torch.aten.format(%str, %arg1, %arg2) : !torch.str, !torch.list<int>, !torch.list<int> -> !torch.str
    torch.prim.RaiseException %4, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  return %arg0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.rearranging.rot90_rule(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.list<int>) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %int0 = torch.constant.int 0
  %int2 = torch.constant.int 2
  %str = torch.constant.str "a rotation needs two dimensions, got {}"
  %none = torch.constant.none
  %0 = torch.aten.len.t %arg2 : !torch.list<int> -> !torch.int
  %1 = torch.aten.eq.int %0, %int2 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %1 -> () {
    torch.prim.If.yield
  } else {
    %11 = torch.aten.format(%str, %arg2) : !torch.str, !torch.list<int> -> !torch.str
    torch.prim.RaiseException %11, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %2 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %3 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.wrap_dims(%arg2, %2) : (!torch.list<int>, !torch.int) -> !torch.list<int>
  %4 = torch.aten.__getitem__.t %3, %int0 : !torch.list<int>, !torch.int -> !torch.int
  %5 = torch.aten.__getitem__.t %arg0, %4 : !torch.list<int>, !torch.int -> !torch.int
  %6 = torch.aten.__getitem__.t %3, %int1 : !torch.list<int>, !torch.int -> !torch.int
  %7 = torch.aten.__getitem__.t %arg0, %6 : !torch.list<int>, !torch.int -> !torch.int
  %8 = torch.aten.remainder.int %arg1, %int2 : !torch.int, !torch.int -> !torch.int
  %9 = torch.aten.eq.int %8, %int1 : !torch.int, !torch.int -> !torch.bool
  %10 = torch.prim.If %9 -> (!torch.list<int>) {
    %11 = torch.aten.__getitem__.t %3, %int0 : !torch.list<int>, !torch.int -> !torch.int
    %12 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.replace_size(%arg0, %11, %7) : (!torch.list<int>, !torch.int, !torch.int) -> !torch.list<int>
    %13 = torch.aten.__getitem__.t %3, %int1 : !torch.list<int>, !torch.int -> !torch.int
    %14 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.replace_size(%12, %13, %5) : (!torch.list<int>, !torch.int, !torch.int) -> !torch.list<int>
    torch.prim.If.yield %14 : !torch.list<int>
  } else {
    torch.prim.If.yield %arg0 : !torch.list<int>
  }
  return %10 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.rearranging.tile_rule(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %true = torch.constant.bool true
  %0 = torch.prim.ListConstruct  : () -> !torch.list<int>
  %1 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %2 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
  %3 = torch.aten.sub.int %1, %2 : !torch.int, !torch.int -> !torch.int
  torch.prim.Loop %3, %true, init() {
  ^bb0(%arg2: !torch.int):
    %6 = torch.aten.append.t %0, %int1 : !torch.list<int>, !torch.int -> !torch.list<int>
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  %4 = torch.aten.add.t %0, %arg1 : !torch.list<int>, !torch.list<int> -> !torch.list<int>
  %5 = call @__torch__.torch_refine.abstract_interp_lib.families.rearranging.repeat_rule(%arg0, %4) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %5 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.rearranging.triangle_rule(%arg0: !torch.list<int>) -> !torch.list<int> {
  %int2 = torch.constant.int 2
  %str = torch.constant.str "self must have at least 2 dimensions, got {}"
  %none = torch.constant.none
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = torch.aten.ge.int %0, %int2 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %1 -> () {
    torch.prim.If.yield
  } else {
    %2 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
    %3 = torch.aten.format(%str, %2) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %3, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  return %arg0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.reductions.count_nonzero_dims_rule(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %false = torch.constant.bool false
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.reduce_dims(%arg0, %arg1, %false) : (!torch.list<int>, !torch.list<int>, !torch.bool) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.reductions.count_nonzero_rule(%arg0: !torch.list<int>, %arg1: !torch.optional<int>) -> !torch.list<int> {
  %false = torch.constant.bool false
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.dim_or_all(%arg1, %0) : (!torch.optional<int>, !torch.int) -> !torch.list<int>
  %2 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.remove_dims(%arg0, %1, %false) : (!torch.list<int>, !torch.list<int>, !torch.bool) -> !torch.list<int>
  return %2 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.reductions.reduce_all_twice(%arg0: !torch.list<int>) -> !torch.tuple<list<int>, list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.reduce_all(%arg0) : (!torch.list<int>) -> !torch.list<int>
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.reduce_all(%arg0) : (!torch.list<int>) -> !torch.list<int>
  %2 = torch.prim.TupleConstruct %0, %1 : !torch.list<int>, !torch.list<int> -> !torch.tuple<list<int>, list<int>>
  return %2 : !torch.tuple<list<int>, list<int>>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.reductions.reduce_dims_twice(%arg0: !torch.list<int>, %arg1: !torch.optional<list<int>>, %arg2: !torch.bool) -> !torch.tuple<list<int>, list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.reduce_optional_dims(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.optional<list<int>>, !torch.bool) -> !torch.list<int>
  %1 = torch.prim.TupleConstruct %0, %0 : !torch.list<int>, !torch.list<int> -> !torch.tuple<list<int>, list<int>>
  return %1 : !torch.tuple<list<int>, list<int>>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.reductions.trace_dtype(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %none = torch.constant.none
  %0 = torch.derefine %none : !torch.none to !torch.optional<int>
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.sum_dtype(%arg0, %0) : (!torch.tuple<int, int>, !torch.optional<int>) -> !torch.int
  return %1 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.reductions.truth_dims_rule(%arg0: !torch.list<int>, %arg1: !torch.optional<list<int>>, %arg2: !torch.bool) -> !torch.list<int> {
  %none = torch.constant.none
  %0 = torch.aten.__is__ %arg1, %none : !torch.optional<list<int>>, !torch.none -> !torch.bool
  %1 = torch.prim.If %0 -> (!torch.list<int>) {
    %2 = torch.derefine %none : !torch.none to !torch.optional<list<int>>
    %3 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.reduce_optional_dims(%arg0, %2, %arg2) : (!torch.list<int>, !torch.optional<list<int>>, !torch.bool) -> !torch.list<int>
    torch.prim.If.yield %3 : !torch.list<int>
  } else {
    %2 = torch.prim.unchecked_cast %arg1 : !torch.optional<list<int>> -> !torch.list<int>
    %3 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
    %4 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.dims.wrap_dims(%2, %3) : (!torch.list<int>, !torch.int) -> !torch.list<int>
    %5 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.remove_dims(%arg0, %4, %arg2) : (!torch.list<int>, !torch.list<int>, !torch.bool) -> !torch.list<int>
    torch.prim.If.yield %5 : !torch.list<int>
  }
  return %1 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.scans.length_along(%arg0: !torch.optional<list<int>>, %arg1: !torch.list<int>, %arg2: !torch.int) -> !torch.int {
  %int0 = torch.constant.int 0
  %none = torch.constant.none
  %str = torch.constant.str "ranks must match, got {} and {}"
  %true = torch.constant.bool true
  %str_0 = torch.constant.str "sizes must match apart from dimension {}, got {} and {}"
  %0 = torch.aten.__isnot__ %arg0, %none : !torch.optional<list<int>>, !torch.none -> !torch.bool
  %1 = torch.prim.If %0 -> (!torch.int) {
    %2 = torch.prim.unchecked_cast %arg0 : !torch.optional<list<int>> -> !torch.list<int>
    %3 = torch.aten.len.t %2 : !torch.list<int> -> !torch.int
    %4 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
    %5 = torch.aten.eq.int %3, %4 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If %5 -> () {
      torch.prim.If.yield
    } else {
      %8 = torch.aten.len.t %2 : !torch.list<int> -> !torch.int
      %9 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
      %10 = torch.aten.format(%str, %8, %9) : !torch.str, !torch.int, !torch.int -> !torch.str
      torch.prim.RaiseException %10, %none : !torch.str, !torch.none
      torch.prim.If.yield
    }
    %6 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
    torch.prim.Loop %6, %true, init() {
    ^bb0(%arg3: !torch.int):
      %8 = torch.aten.eq.int %arg3, %arg2 : !torch.int, !torch.int -> !torch.bool
      %9 = torch.prim.If %8 -> (!torch.bool) {
        torch.prim.If.yield %true : !torch.bool
      } else {
        %10 = torch.aten.__getitem__.t %2, %arg3 : !torch.list<int>, !torch.int -> !torch.int
        %11 = torch.aten.__getitem__.t %arg1, %arg3 : !torch.list<int>, !torch.int -> !torch.int
        %12 = torch.aten.eq.int %10, %11 : !torch.int, !torch.int -> !torch.bool
        torch.prim.If.yield %12 : !torch.bool
      }
      torch.prim.If %9 -> () {
        torch.prim.If.yield
      } else {
        %10 = torch.aten.format(%str_0, %arg2, %2, %arg1) : !torch.str, !torch.int, !torch.list<int>, !torch.list<int> -> !torch.str
        torch.prim.RaiseException %10, %none : !torch.str, !torch.none
        torch.prim.If.yield
      }
      torch.prim.Loop.condition %true, iter()
    } : (!torch.int, !torch.bool) -> ()
    %7 = torch.aten.__getitem__.t %2, %arg2 : !torch.list<int>, !torch.int -> !torch.int
    torch.prim.If.yield %7 : !torch.int
  } else {
    torch.prim.If.yield %int0 : !torch.int
  }
  return %1 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.scans.scan_rule(%arg0: !torch.list<int>, %arg1: !torch.int) -> !torch.list<int> {
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.wrap_dim(%arg1, %0) : (!torch.int, !torch.int) -> !torch.int
  return %arg0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.scans.scan_with_index_rule(%arg0: !torch.list<int>, %arg1: !torch.int) -> !torch.tuple<list<int>, list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.scans.scan_rule(%arg0, %arg1) : (!torch.list<int>, !torch.int) -> !torch.list<int>
  %1 = torch.prim.TupleConstruct %0, %0 : !torch.list<int>, !torch.list<int> -> !torch.tuple<list<int>, list<int>>
  return %1 : !torch.tuple<list<int>, list<int>>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.scans.softmax_dtype(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<int>) -> !torch.int {
  %int1 = torch.constant.int 1
  %none = torch.constant.none
  %0 = torch.aten.__is__ %arg1, %none : !torch.optional<int>, !torch.none -> !torch.bool
  %1 = torch.prim.If %0 -> (!torch.int) {
    %2 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    torch.prim.If.yield %2 : !torch.int
  } else {
    %2 = torch.prim.unchecked_cast %arg1 : !torch.optional<int> -> !torch.int
    torch.prim.If.yield %2 : !torch.int
  }
  return %1 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.scans.softmax_primitive_dtype(%arg0: !torch.tuple<int, int>, %arg1: !torch.bool) -> !torch.int {
  %int1 = torch.constant.int 1
  %int6 = torch.constant.int 6
  %0 = torch.prim.If %arg1 -> (!torch.int) {
    torch.prim.If.yield %int6 : !torch.int
  } else {
    %1 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    torch.prim.If.yield %1 : !torch.int
  }
  return %0 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.slicing.check_part(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.none {
  %str = torch.constant.str "src must have the shape {} of what it replaces, got {}"
  %none = torch.constant.none
  %0 = torch.aten.eq.int_list %arg0, %arg1 : !torch.list<int>, !torch.list<int> -> !torch.bool
  torch.prim.If %0 -> () {
    torch.prim.If.yield
  } else {
    %1 = torch.aten.format(%str, %arg0, %arg1) : !torch.str, !torch.list<int>, !torch.list<int> -> !torch.str
    torch.prim.RaiseException %1, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  return %none : !torch.none
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.slicing.chunk_rule(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.int) -> !torch.list<list<int>> {
  %int0 = torch.constant.int 0
  %str = torch.constant.str "the number of chunks must be positive, got {}"
  %none = torch.constant.none
  %true = torch.constant.bool true
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.wrap_existing(%arg2, %0) : (!torch.int, !torch.int) -> !torch.int
  %2 = torch.aten.gt.int %arg1, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %2 -> () {
    torch.prim.If.yield
  } else {
    %6 = torch.aten.format(%str, %arg1) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %6, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %3 = torch.aten.__getitem__.t %arg0, %1 : !torch.list<int>, !torch.int -> !torch.int
  %4 = torch.aten.eq.int %3, %int0 : !torch.int, !torch.int -> !torch.bool
  %5 = torch.prim.If %4 -> (!torch.list<list<int>>) {
    %6 = torch.prim.ListConstruct  : () -> !torch.list<list<int>>
    torch.prim.Loop %arg1, %true, init() {
    ^bb0(%arg3: !torch.int):
      %7 = torch.aten.append.t %6, %arg0 : !torch.list<list<int>>, !torch.list<int> -> !torch.list<list<int>>
      torch.prim.Loop.condition %true, iter()
    } : (!torch.int, !torch.bool) -> ()
    torch.prim.If.yield %6 : !torch.list<list<int>>
  } else {
    %6 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.ceil_divide(%3, %arg1) : (!torch.int, !torch.int) -> !torch.int
    %7 = func.call @__torch__.torch_refine.abstract_interp_lib.families.slicing.split_in_pieces(%arg0, %6, %1) : (!torch.list<int>, !torch.int, !torch.int) -> !torch.list<list<int>>
    torch.prim.If.yield %7 : !torch.list<list<int>>
  }
  return %5 : !torch.list<list<int>>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.slicing.diagonal_scatter_rule(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.int, %arg3: !torch.int, %arg4: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.permutations.diagonal_rule(%arg0, %arg2, %arg3, %arg4) : (!torch.list<int>, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %1 = call @__torch__.torch_refine.abstract_interp_lib.families.slicing.check_part(%0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.none
  return %arg0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.slicing.dtype_of_indices(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %true = torch.constant.bool true
  %0 = torch.prim.ListConstruct  : () -> !torch.list<int>
  %1 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
  %2 = torch.aten.add.int %1, %int1 : !torch.int, !torch.int -> !torch.int
  torch.prim.Loop %2, %true, init() {
  ^bb0(%arg2: !torch.int):
    %3 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %4 = torch.aten.append.t %0, %3 : !torch.list<int>, !torch.int -> !torch.list<int>
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  return %0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.slicing.dtype_of_pieces(%arg0: !torch.tuple<int, int>) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %0 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %1 = torch.prim.ListConstruct %0 : (!torch.int) -> !torch.list<int>
  return %1 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.slicing.dtype_of_sections(%arg0: !torch.tuple<int, int>, %arg1: !torch.int) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %true = torch.constant.bool true
  %0 = torch.prim.ListConstruct  : () -> !torch.list<int>
  torch.prim.Loop %arg1, %true, init() {
  ^bb0(%arg2: !torch.int):
    %1 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %2 = torch.aten.append.t %0, %1 : !torch.list<int>, !torch.int -> !torch.list<int>
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  return %0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.slicing.dtype_of_split_sizes(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %true = torch.constant.bool true
  %0 = torch.prim.ListConstruct  : () -> !torch.list<int>
  %1 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
  torch.prim.Loop %1, %true, init() {
  ^bb0(%arg2: !torch.int):
    %2 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %3 = torch.aten.append.t %0, %2 : !torch.list<int>, !torch.int -> !torch.list<int>
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  return %0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.slicing.dtype_of_split_with_sizes(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %true = torch.constant.bool true
  %0 = torch.prim.ListConstruct  : () -> !torch.list<int>
  %1 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
  torch.prim.Loop %1, %true, init() {
  ^bb0(%arg2: !torch.int):
    %2 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %3 = torch.aten.append.t %0, %2 : !torch.list<int>, !torch.int -> !torch.list<int>
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  return %0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.slicing.indices_rule(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.int) -> !torch.list<list<int>> {
  %int1 = torch.constant.int 1
  %int0 = torch.constant.int 0
  %true = torch.constant.bool true
  %none = torch.constant.none
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.wrap_existing(%arg2, %0) : (!torch.int, !torch.int) -> !torch.int
  %2 = torch.prim.ListConstruct  : () -> !torch.list<list<int>>
  %3 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
  %4 = torch.prim.Loop %3, %true, init(%int0) {
  ^bb0(%arg3: !torch.int, %arg4: !torch.int):
    %11 = torch.aten.__getitem__.t %arg1, %arg3 : !torch.list<int>, !torch.int -> !torch.int
    %12 = torch.aten.__getitem__.t %arg0, %1 : !torch.list<int>, !torch.int -> !torch.int
    %13 = torch.derefine %arg4 : !torch.int to !torch.optional<int>
    %14 = torch.derefine %11 : !torch.int to !torch.optional<int>
    %15 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.slice_length(%12, %13, %14, %int1) : (!torch.int, !torch.optional<int>, !torch.optional<int>, !torch.int) -> !torch.int
    %16 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.replace_size(%arg0, %1, %15) : (!torch.list<int>, !torch.int, !torch.int) -> !torch.list<int>
    %17 = torch.aten.append.t %2, %16 : !torch.list<list<int>>, !torch.list<int> -> !torch.list<list<int>>
    torch.prim.Loop.condition %true, iter(%11 : !torch.int)
  } : (!torch.int, !torch.bool, !torch.int) -> !torch.int
  %5 = torch.aten.__getitem__.t %arg0, %1 : !torch.list<int>, !torch.int -> !torch.int
  %6 = torch.derefine %4 : !torch.int to !torch.optional<int>
  %7 = torch.derefine %none : !torch.none to !torch.optional<int>
  %8 = call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.slice_length(%5, %6, %7, %int1) : (!torch.int, !torch.optional<int>, !torch.optional<int>, !torch.int) -> !torch.int
  %9 = call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.replace_size(%arg0, %1, %8) : (!torch.list<int>, !torch.int, !torch.int) -> !torch.list<int>
  %10 = torch.aten.append.t %2, %9 : !torch.list<list<int>>, !torch.list<int> -> !torch.list<list<int>>
  return %2 : !torch.list<list<int>>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.slicing.narrow_rule(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.int, %arg3: !torch.int) -> !torch.list<int> {
  %int0 = torch.constant.int 0
  %false = torch.constant.bool false
  %str = torch.constant.str "start {} is out of range for size {}"
  %none = torch.constant.none
  %str_0 = torch.constant.str "length cannot be negative, got {}"
  %str_1 = torch.constant.str "{} entries from {} on exceed the size {}"
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.wrap_existing(%arg1, %0) : (!torch.int, !torch.int) -> !torch.int
  %2 = torch.aten.__getitem__.t %arg0, %1 : !torch.list<int>, !torch.int -> !torch.int
  %3 = torch.aten.neg.int %2 : !torch.int -> !torch.int
  %4 = torch.aten.le.int %3, %arg2 : !torch.int, !torch.int -> !torch.bool
  %5 = torch.prim.If %4 -> (!torch.bool) {
    %12 = torch.aten.le.int %arg2, %2 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If.yield %12 : !torch.bool
  } else {
    torch.prim.If.yield %false : !torch.bool
  }
  torch.prim.If %5 -> () {
    torch.prim.If.yield
  } else {
    %12 = torch.aten.format(%str, %arg2, %2) : !torch.str, !torch.int, !torch.int -> !torch.str
    torch.prim.RaiseException %12, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %6 = torch.aten.ge.int %arg3, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %6 -> () {
    torch.prim.If.yield
  } else {
    %12 = torch.aten.format(%str_0, %arg3) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %12, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %7 = torch.aten.lt.int %arg2, %int0 : !torch.int, !torch.int -> !torch.bool
  %8 = torch.prim.If %7 -> (!torch.int) {
    %12 = torch.aten.add.int %arg2, %2 : !torch.int, !torch.int -> !torch.int
    torch.prim.If.yield %12 : !torch.int
  } else {
    torch.prim.If.yield %arg2 : !torch.int
  }
  %9 = torch.aten.add.int %8, %arg3 : !torch.int, !torch.int -> !torch.int
  %10 = torch.aten.le.int %9, %2 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %10 -> () {
    torch.prim.If.yield
  } else {
    %12 = torch.aten.format(%str_1, %arg3, %arg2, %2) : !torch.str, !torch.int, !torch.int, !torch.int -> !torch.str
    torch.prim.RaiseException %12, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %11 = call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.replace_size(%arg0, %1, %arg3) : (!torch.list<int>, !torch.int, !torch.int) -> !torch.list<int>
  return %11 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.slicing.narrow_tensor_rule(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.int) -> !torch.list<int> {
  %int0 = torch.constant.int 0
  %false = torch.constant.bool false
  %str = torch.constant.str "{} entries exceed the size {}"
  %none = torch.constant.none
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.wrap_existing(%arg1, %0) : (!torch.int, !torch.int) -> !torch.int
  %2 = torch.aten.ge.int %arg2, %int0 : !torch.int, !torch.int -> !torch.bool
  %3 = torch.prim.If %2 -> (!torch.bool) {
    %5 = torch.aten.__getitem__.t %arg0, %1 : !torch.list<int>, !torch.int -> !torch.int
    %6 = torch.aten.le.int %arg2, %5 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If.yield %6 : !torch.bool
  } else {
    torch.prim.If.yield %false : !torch.bool
  }
  torch.prim.If %3 -> () {
    torch.prim.If.yield
  } else {
    %5 = torch.aten.__getitem__.t %arg0, %1 : !torch.list<int>, !torch.int -> !torch.int
    %6 = torch.aten.format(%str, %arg2, %5) : !torch.str, !torch.int, !torch.int -> !torch.str
    torch.prim.RaiseException %6, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %4 = call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.replace_size(%arg0, %1, %arg2) : (!torch.list<int>, !torch.int, !torch.int) -> !torch.list<int>
  return %4 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.slicing.sections_rule(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.int) -> !torch.list<list<int>> {
  %int1 = torch.constant.int 1
  %int0 = torch.constant.int 0
  %str = torch.constant.str "the number of sections must be positive, got {}"
  %none = torch.constant.none
  %true = torch.constant.bool true
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.wrap_existing(%arg2, %0) : (!torch.int, !torch.int) -> !torch.int
  %2 = torch.aten.gt.int %arg1, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %2 -> () {
    torch.prim.If.yield
  } else {
    %5 = torch.aten.format(%str, %arg1) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %5, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %3 = torch.aten.__getitem__.t %arg0, %1 : !torch.list<int>, !torch.int -> !torch.int
  %4 = torch.prim.ListConstruct  : () -> !torch.list<list<int>>
  torch.prim.Loop %arg1, %true, init() {
  ^bb0(%arg3: !torch.int):
    %5 = torch.aten.add.int %3, %arg1 : !torch.int, !torch.int -> !torch.int
    %6 = torch.aten.sub.int %5, %int1 : !torch.int, !torch.int -> !torch.int
    %7 = torch.aten.sub.int %6, %arg3 : !torch.int, !torch.int -> !torch.int
    %8 = torch.aten.floordiv.int %7, %arg1 : !torch.int, !torch.int -> !torch.int
    %9 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.replace_size(%arg0, %1, %8) : (!torch.list<int>, !torch.int, !torch.int) -> !torch.list<int>
    %10 = torch.aten.append.t %4, %9 : !torch.list<list<int>>, !torch.list<int> -> !torch.list<list<int>>
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  return %4 : !torch.list<list<int>>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.slicing.select_rule(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.int) -> !torch.list<int> {
  %false = torch.constant.bool false
  %str = torch.constant.str "index {} is out of range for size {}"
  %none = torch.constant.none
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.wrap_existing(%arg1, %0) : (!torch.int, !torch.int) -> !torch.int
  %2 = torch.aten.__getitem__.t %arg0, %1 : !torch.list<int>, !torch.int -> !torch.int
  %3 = torch.aten.neg.int %2 : !torch.int -> !torch.int
  %4 = torch.aten.le.int %3, %arg2 : !torch.int, !torch.int -> !torch.bool
  %5 = torch.prim.If %4 -> (!torch.bool) {
    %7 = torch.aten.lt.int %arg2, %2 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If.yield %7 : !torch.bool
  } else {
    torch.prim.If.yield %false : !torch.bool
  }
  torch.prim.If %5 -> () {
    torch.prim.If.yield
  } else {
    %7 = torch.aten.format(%str, %arg2, %2) : !torch.str, !torch.int, !torch.int -> !torch.str
    torch.prim.RaiseException %7, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %6 = call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.remove_size(%arg0, %1) : (!torch.list<int>, !torch.int) -> !torch.list<int>
  return %6 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.slicing.select_scatter_rule(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.int, %arg3: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.slicing.select_rule(%arg0, %arg2, %arg3) : (!torch.list<int>, !torch.int, !torch.int) -> !torch.list<int>
  %1 = call @__torch__.torch_refine.abstract_interp_lib.families.slicing.check_part(%0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.none
  return %arg0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.slicing.slice_rule(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.optional<int>, %arg3: !torch.optional<int>, %arg4: !torch.int) -> !torch.list<int> {
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.wrap_existing(%arg1, %0) : (!torch.int, !torch.int) -> !torch.int
  %2 = torch.aten.__getitem__.t %arg0, %1 : !torch.list<int>, !torch.int -> !torch.int
  %3 = call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.slice_length(%2, %arg2, %arg3, %arg4) : (!torch.int, !torch.optional<int>, !torch.optional<int>, !torch.int) -> !torch.int
  %4 = call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.replace_size(%arg0, %1, %3) : (!torch.list<int>, !torch.int, !torch.int) -> !torch.list<int>
  return %4 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.slicing.slice_scatter_rule(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.int, %arg3: !torch.optional<int>, %arg4: !torch.optional<int>, %arg5: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.slicing.slice_rule(%arg0, %arg2, %arg3, %arg4, %arg5) : (!torch.list<int>, !torch.int, !torch.optional<int>, !torch.optional<int>, !torch.int) -> !torch.list<int>
  %1 = call @__torch__.torch_refine.abstract_interp_lib.families.slicing.check_part(%0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.none
  return %arg0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.slicing.split_in_pieces(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.int) -> !torch.list<list<int>> {
  %int1 = torch.constant.int 1
  %true = torch.constant.bool true
  %0 = torch.aten.__getitem__.t %arg0, %arg2 : !torch.list<int>, !torch.int -> !torch.int
  %1 = torch.prim.ListConstruct  : () -> !torch.list<list<int>>
  %2 = torch.prim.max.int %arg1, %int1 : !torch.int, !torch.int -> !torch.int
  %3 = call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.ceil_divide(%0, %2) : (!torch.int, !torch.int) -> !torch.int
  %4 = torch.prim.max.int %3, %int1 : !torch.int, !torch.int -> !torch.int
  torch.prim.Loop %4, %true, init() {
  ^bb0(%arg3: !torch.int):
    %5 = torch.aten.mul.int %arg3, %arg1 : !torch.int, !torch.int -> !torch.int
    %6 = torch.aten.sub.int %0, %5 : !torch.int, !torch.int -> !torch.int
    %7 = torch.prim.min.int %arg1, %6 : !torch.int, !torch.int -> !torch.int
    %8 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.replace_size(%arg0, %arg2, %7) : (!torch.list<int>, !torch.int, !torch.int) -> !torch.list<int>
    %9 = torch.aten.append.t %1, %8 : !torch.list<list<int>>, !torch.list<int> -> !torch.list<list<int>>
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  return %1 : !torch.list<list<int>>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.slicing.split_rule(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.int) -> !torch.list<list<int>> {
  %int0 = torch.constant.int 0
  %str = torch.constant.str "split_size cannot be negative, got {}"
  %none = torch.constant.none
  %true = torch.constant.bool true
  %str_0 = torch.constant.str "pieces of size 0 never add up to {}"
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.wrap_existing(%arg2, %0) : (!torch.int, !torch.int) -> !torch.int
  %2 = torch.aten.__getitem__.t %arg0, %1 : !torch.list<int>, !torch.int -> !torch.int
  %3 = torch.aten.ge.int %arg1, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %3 -> () {
    torch.prim.If.yield
  } else {
    %7 = torch.aten.format(%str, %arg1) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %7, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %4 = torch.aten.gt.int %arg1, %int0 : !torch.int, !torch.int -> !torch.bool
  %5 = torch.prim.If %4 -> (!torch.bool) {
    torch.prim.If.yield %true : !torch.bool
  } else {
    %7 = torch.aten.eq.int %2, %int0 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If.yield %7 : !torch.bool
  }
  torch.prim.If %5 -> () {
    torch.prim.If.yield
  } else {
    %7 = torch.aten.format(%str_0, %2) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %7, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %6 = call @__torch__.torch_refine.abstract_interp_lib.families.slicing.split_in_pieces(%arg0, %arg1, %1) : (!torch.list<int>, !torch.int, !torch.int) -> !torch.list<list<int>>
  return %6 : !torch.list<list<int>>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.slicing.split_sizes_rule(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.int) -> !torch.list<list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.slicing.split_with_sizes_rule(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.list<int>, !torch.int) -> !torch.list<list<int>>
  return %0 : !torch.list<list<int>>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.slicing.split_with_sizes_rule(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.int) -> !torch.list<list<int>> {
  %int0 = torch.constant.int 0
  %true = torch.constant.bool true
  %str = torch.constant.str "a piece cannot have a negative size, got {}"
  %none = torch.constant.none
  %str_0 = torch.constant.str "sizes {} do not add up to {}"
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.wrap_existing(%arg2, %0) : (!torch.int, !torch.int) -> !torch.int
  %2 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
  %3 = torch.prim.Loop %2, %true, init(%int0) {
  ^bb0(%arg3: !torch.int, %arg4: !torch.int):
    %8 = torch.aten.__getitem__.t %arg1, %arg3 : !torch.list<int>, !torch.int -> !torch.int
    %9 = torch.aten.ge.int %8, %int0 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If %9 -> () {
      torch.prim.If.yield
    } else {
      %11 = torch.aten.format(%str, %arg1) : !torch.str, !torch.list<int> -> !torch.str
      torch.prim.RaiseException %11, %none : !torch.str, !torch.none
      torch.prim.If.yield
    }
    %10 = torch.aten.add.int %arg4, %8 : !torch.int, !torch.int -> !torch.int
    torch.prim.Loop.condition %true, iter(%10 : !torch.int)
  } : (!torch.int, !torch.bool, !torch.int) -> !torch.int
  %4 = torch.aten.__getitem__.t %arg0, %1 : !torch.list<int>, !torch.int -> !torch.int
  %5 = torch.aten.eq.int %3, %4 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %5 -> () {
    torch.prim.If.yield
  } else {
    %8 = torch.aten.__getitem__.t %arg0, %1 : !torch.list<int>, !torch.int -> !torch.int
    %9 = torch.aten.format(%str_0, %arg1, %8) : !torch.str, !torch.list<int>, !torch.int -> !torch.str
    torch.prim.RaiseException %9, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %6 = torch.prim.ListConstruct  : () -> !torch.list<list<int>>
  %7 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
  torch.prim.Loop %7, %true, init() {
  ^bb0(%arg3: !torch.int):
    %8 = torch.aten.__getitem__.t %arg1, %arg3 : !torch.list<int>, !torch.int -> !torch.int
    %9 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.replace_size(%arg0, %1, %8) : (!torch.list<int>, !torch.int, !torch.int) -> !torch.list<int>
    %10 = torch.aten.append.t %6, %9 : !torch.list<list<int>>, !torch.list<int> -> !torch.list<list<int>>
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  return %6 : !torch.list<list<int>>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.slicing.unbind_rule(%arg0: !torch.list<int>, %arg1: !torch.int) -> !torch.list<list<int>> {
  %true = torch.constant.bool true
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.wrap_existing(%arg1, %0) : (!torch.int, !torch.int) -> !torch.int
  %2 = torch.prim.ListConstruct  : () -> !torch.list<list<int>>
  %3 = torch.aten.__getitem__.t %arg0, %1 : !torch.list<int>, !torch.int -> !torch.int
  torch.prim.Loop %3, %true, init() {
  ^bb0(%arg2: !torch.int):
    %4 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.remove_size(%arg0, %1) : (!torch.list<int>, !torch.int) -> !torch.list<int>
    %5 = torch.aten.append.t %2, %4 : !torch.list<list<int>>, !torch.list<int> -> !torch.list<list<int>>
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  return %2 : !torch.list<list<int>>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.sorting.argsort_rule(%arg0: !torch.list<int>, %arg1: !torch.int) -> !torch.list<int> {
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.wrap_dim(%arg1, %0) : (!torch.int, !torch.int) -> !torch.int
  return %arg0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.sorting.bucketize_rule(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %str = torch.constant.str "boundaries must be a vector, got {} dimensions"
  %none = torch.constant.none
  %0 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
  %1 = torch.aten.eq.int %0, %int1 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %1 -> () {
    torch.prim.If.yield
  } else {
    %2 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
    %3 = torch.aten.format(%str, %2) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %3, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  return %arg0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.sorting.bucketize_scalar_rule(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = torch.prim.ListConstruct  : () -> !torch.list<int>
  %1 = call @__torch__.torch_refine.abstract_interp_lib.families.sorting.bucketize_rule(%0, %arg0) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %1 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.sorting.check_sorter(%arg0: !torch.list<int>, %arg1: !torch.optional<list<int>>) -> !torch.none {
  %none = torch.constant.none
  %str = torch.constant.str "sorter must have the shape {} of the sequence, got {}"
  %0 = torch.aten.__isnot__ %arg1, %none : !torch.optional<list<int>>, !torch.none -> !torch.bool
  torch.prim.If %0 -> () {
    %1 = torch.prim.unchecked_cast %arg1 : !torch.optional<list<int>> -> !torch.list<int>
    %2 = torch.aten.eq.int_list %1, %arg0 : !torch.list<int>, !torch.list<int> -> !torch.bool
    torch.prim.If %2 -> () {
      torch.prim.If.yield
    } else {
      %3 = torch.aten.format(%str, %arg0, %1) : !torch.str, !torch.list<int>, !torch.list<int> -> !torch.str
      torch.prim.RaiseException %3, %none : !torch.str, !torch.none
      torch.prim.If.yield
    }
    torch.prim.If.yield
  } else {
    torch.prim.If.yield
  }
  return %none : !torch.none
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.sorting.kthvalue_rule(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.int, %arg3: !torch.bool) -> !torch.tuple<list<int>, list<int>> {
  %int1 = torch.constant.int 1
  %int0 = torch.constant.int 0
  %false = torch.constant.bool false
  %str = torch.constant.str "k must be from 1 to the size {}, got {}"
  %none = torch.constant.none
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.wrap_dim(%arg2, %0) : (!torch.int, !torch.int) -> !torch.int
  %2 = torch.prim.ListConstruct %1 : (!torch.int) -> !torch.list<int>
  %3 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.check_not_empty(%arg0, %2) : (!torch.list<int>, !torch.list<int>) -> !torch.none
  %4 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %5 = torch.aten.eq.int %4, %int0 : !torch.int, !torch.int -> !torch.bool
  %6 = torch.prim.If %5 -> (!torch.int) {
    torch.prim.If.yield %int1 : !torch.int
  } else {
    %12 = torch.aten.__getitem__.t %arg0, %1 : !torch.list<int>, !torch.int -> !torch.int
    torch.prim.If.yield %12 : !torch.int
  }
  %7 = torch.aten.ge.int %arg1, %int1 : !torch.int, !torch.int -> !torch.bool
  %8 = torch.prim.If %7 -> (!torch.bool) {
    %12 = torch.aten.le.int %arg1, %6 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If.yield %12 : !torch.bool
  } else {
    torch.prim.If.yield %false : !torch.bool
  }
  torch.prim.If %8 -> () {
    torch.prim.If.yield
  } else {
    %12 = torch.aten.format(%str, %6, %arg1) : !torch.str, !torch.int, !torch.int -> !torch.str
    torch.prim.RaiseException %12, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %9 = torch.prim.ListConstruct %1 : (!torch.int) -> !torch.list<int>
  %10 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.remove_dims(%arg0, %9, %arg3) : (!torch.list<int>, !torch.list<int>, !torch.bool) -> !torch.list<int>
  %11 = torch.prim.TupleConstruct %10, %10 : !torch.list<int>, !torch.list<int> -> !torch.tuple<list<int>, list<int>>
  return %11 : !torch.tuple<list<int>, list<int>>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.sorting.position_dtype(%arg0: !torch.bool) -> !torch.int {
  %int3 = torch.constant.int 3
  %int4 = torch.constant.int 4
  %0 = torch.prim.If %arg0 -> (!torch.int) {
    torch.prim.If.yield %int3 : !torch.int
  } else {
    torch.prim.If.yield %int4 : !torch.int
  }
  return %0 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.sorting.searchsorted_rule(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.optional<list<int>>) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %true = torch.constant.bool true
  %false = torch.constant.bool false
  %int-1 = torch.constant.int -1
  %none = torch.constant.none
  %str = torch.constant.str "there must be one sequence, or one for each row of {}, got {}"
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = torch.aten.eq.int %0, %int1 : !torch.int, !torch.int -> !torch.bool
  %2 = torch.prim.If %1 -> (!torch.bool) {
    torch.prim.If.yield %true : !torch.bool
  } else {
    %4 = torch.aten.gt.int %0, %int1 : !torch.int, !torch.int -> !torch.bool
    %5 = torch.prim.If %4 -> (!torch.bool) {
      %7 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
      %8 = torch.aten.eq.int %0, %7 : !torch.int, !torch.int -> !torch.bool
      torch.prim.If.yield %8 : !torch.bool
    } else {
      torch.prim.If.yield %false : !torch.bool
    }
    %6 = torch.prim.If %5 -> (!torch.bool) {
      %7 = torch.aten.slice.t %arg0, %none, %int-1, %int1 : !torch.list<int>, !torch.none, !torch.int, !torch.int -> !torch.list<int>
      %8 = torch.aten.sub.int %0, %int1 : !torch.int, !torch.int -> !torch.int
      %9 = torch.aten.slice.t %arg1, %none, %8, %int1 : !torch.list<int>, !torch.none, !torch.int, !torch.int -> !torch.list<int>
      %10 = torch.aten.eq.int_list %7, %9 : !torch.list<int>, !torch.list<int> -> !torch.bool
      torch.prim.If.yield %10 : !torch.bool
    } else {
      torch.prim.If.yield %false : !torch.bool
    }
    torch.prim.If.yield %6 : !torch.bool
  }
  torch.prim.If %2 -> () {
    torch.prim.If.yield
  } else {
    %4 = torch.aten.format(%str, %arg1, %arg0) : !torch.str, !torch.list<int>, !torch.list<int> -> !torch.str
    torch.prim.RaiseException %4, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %3 = call @__torch__.torch_refine.abstract_interp_lib.families.sorting.check_sorter(%arg0, %arg2) : (!torch.list<int>, !torch.optional<list<int>>) -> !torch.none
  return %arg1 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.sorting.searchsorted_scalar_rule(%arg0: !torch.list<int>, %arg1: !torch.optional<list<int>>) -> !torch.list<int> {
  %0 = torch.prim.ListConstruct  : () -> !torch.list<int>
  %1 = call @__torch__.torch_refine.abstract_interp_lib.families.sorting.searchsorted_rule(%arg0, %0, %arg1) : (!torch.list<int>, !torch.list<int>, !torch.optional<list<int>>) -> !torch.list<int>
  return %1 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.sorting.sort_rule(%arg0: !torch.list<int>, %arg1: !torch.int) -> !torch.tuple<list<int>, list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.sorting.argsort_rule(%arg0, %arg1) : (!torch.list<int>, !torch.int) -> !torch.list<int>
  %1 = torch.prim.TupleConstruct %0, %0 : !torch.list<int>, !torch.list<int> -> !torch.tuple<list<int>, list<int>>
  return %1 : !torch.tuple<list<int>, list<int>>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.sorting.topk_rule(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.int) -> !torch.tuple<list<int>, list<int>> {
  %int1 = torch.constant.int 1
  %int0 = torch.constant.int 0
  %false = torch.constant.bool false
  %str = torch.constant.str "k must be from 0 to the size {}, got {}"
  %none = torch.constant.none
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.wrap_dim(%arg2, %0) : (!torch.int, !torch.int) -> !torch.int
  %2 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %3 = torch.aten.eq.int %2, %int0 : !torch.int, !torch.int -> !torch.bool
  %4 = torch.prim.If %3 -> (!torch.int) {
    torch.prim.If.yield %int1 : !torch.int
  } else {
    %11 = torch.aten.__getitem__.t %arg0, %1 : !torch.list<int>, !torch.int -> !torch.int
    torch.prim.If.yield %11 : !torch.int
  }
  %5 = torch.aten.ge.int %arg1, %int0 : !torch.int, !torch.int -> !torch.bool
  %6 = torch.prim.If %5 -> (!torch.bool) {
    %11 = torch.aten.le.int %arg1, %4 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If.yield %11 : !torch.bool
  } else {
    torch.prim.If.yield %false : !torch.bool
  }
  torch.prim.If %6 -> () {
    torch.prim.If.yield
  } else {
    %11 = torch.aten.format(%str, %4, %arg1) : !torch.str, !torch.int, !torch.int -> !torch.str
    torch.prim.RaiseException %11, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %7 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %8 = torch.aten.eq.int %7, %int0 : !torch.int, !torch.int -> !torch.bool
  %9 = torch.prim.If %8 -> (!torch.list<int>) {
    torch.prim.If.yield %arg0 : !torch.list<int>
  } else {
    %11 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.replace_size(%arg0, %1, %arg1) : (!torch.list<int>, !torch.int, !torch.int) -> !torch.list<int>
    torch.prim.If.yield %11 : !torch.list<int>
  }
  %10 = torch.prim.TupleConstruct %9, %9 : !torch.list<int>, !torch.list<int> -> !torch.tuple<list<int>, list<int>>
  return %10 : !torch.tuple<list<int>, list<int>>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.ternary.addcdiv_dtype(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>, %arg2: !torch.tuple<int, int>) -> !torch.int {
  %int1 = torch.constant.int 1
  %true = torch.constant.bool true
  %str = torch.constant.str "aten::addcdiv: integers are not divided, got dtypes {} and {}"
  %none = torch.constant.none
  %0 = torch.prim.TupleIndex %arg1, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.promotion.is_integral(%0) : (!torch.int) -> !torch.bool
  %2 = torch.aten.__not__ %1 : !torch.bool -> !torch.bool
  %3 = torch.prim.If %2 -> (!torch.bool) {
    torch.prim.If.yield %true : !torch.bool
  } else {
    %6 = torch.prim.TupleIndex %arg2, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %7 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.promotion.is_integral(%6) : (!torch.int) -> !torch.bool
    %8 = torch.aten.__not__ %7 : !torch.bool -> !torch.bool
    torch.prim.If.yield %8 : !torch.bool
  }
  torch.prim.If %3 -> () {
    torch.prim.If.yield
  } else {
    %6 = torch.prim.TupleIndex %arg1, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %7 = torch.prim.TupleIndex %arg2, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %8 = torch.aten.format(%str, %6, %7) : !torch.str, !torch.int, !torch.int -> !torch.str
    torch.prim.RaiseException %8, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %4 = torch.prim.ListConstruct %arg0, %arg1, %arg2 : (!torch.tuple<int, int>, !torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.list<tuple<int, int>>
  %5 = call @__torch__.torch_refine.abstract_interp_lib.rules.promotion.promote_list(%4) : (!torch.list<tuple<int, int>>) -> !torch.int
  return %5 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.ternary.addcmul_dtype(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>, %arg2: !torch.tuple<int, int>) -> !torch.int {
  %0 = torch.prim.ListConstruct %arg0, %arg1, %arg2 : (!torch.tuple<int, int>, !torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.list<tuple<int, int>>
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.promotion.promote_list(%0) : (!torch.list<tuple<int, int>>) -> !torch.int
  return %1 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.ternary.check_condition(%arg0: !torch.tuple<int, int>) -> !torch.none {
  %int1 = torch.constant.int 1
  %int11 = torch.constant.int 11
  %true = torch.constant.bool true
  %int0 = torch.constant.int 0
  %str = torch.constant.str "aten::where: condition must be of dtype bool, got dtype {}"
  %none = torch.constant.none
  %0 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %1 = torch.aten.eq.int %0, %int11 : !torch.int, !torch.int -> !torch.bool
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
  return %none : !torch.none
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.ternary.check_mask(%arg0: !torch.tuple<int, int>) -> !torch.none {
  %int1 = torch.constant.int 1
  %int11 = torch.constant.int 11
  %str = torch.constant.str "aten::masked_fill: mask must be of dtype bool, got dtype {}"
  %none = torch.constant.none
  %0 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %1 = torch.aten.eq.int %0, %int11 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %1 -> () {
    torch.prim.If.yield
  } else {
    %2 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %3 = torch.aten.format(%str, %2) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %3, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  return %none : !torch.none
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.ternary.clamp(%arg0: !torch.list<int>, %arg1: !torch.optional<number>, %arg2: !torch.optional<number>) -> !torch.list<int> {
  %none = torch.constant.none
  %true = torch.constant.bool true
  %str = torch.constant.str "AssertionError: min or max must be given, got None for both"
  %0 = torch.aten.__isnot__ %arg1, %none : !torch.optional<number>, !torch.none -> !torch.bool
  %1 = torch.prim.If %0 -> (!torch.bool) {
    torch.prim.If.yield %true : !torch.bool
  } else {
    %2 = torch.aten.__isnot__ %arg2, %none : !torch.optional<number>, !torch.none -> !torch.bool
    torch.prim.If.yield %2 : !torch.bool
  }
  torch.prim.If %1 -> () {
    torch.prim.If.yield
  } else {
    torch.prim.RaiseException %str, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  return %arg0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.ternary.clamp_dtype(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<number>, %arg2: !torch.optional<number>) -> !torch.int {
  %int1 = torch.constant.int 1
  %int0 = torch.constant.int 0
  %none = torch.constant.none
  %0 = torch.prim.TupleIndex %arg0, %int0 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %1 = torch.derefine %0 : !torch.int to !torch.optional<int>
  %2 = torch.prim.ListConstruct %1 : (!torch.optional<int>) -> !torch.list<optional<int>>
  %3 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %4 = torch.prim.ListConstruct %3 : (!torch.int) -> !torch.list<int>
  %5 = torch.aten.__isnot__ %arg1, %none : !torch.optional<number>, !torch.none -> !torch.bool
  torch.prim.If %5 -> () {
    %8 = torch.prim.unchecked_cast %arg1 : !torch.optional<number> -> !torch.number
    %9 = torch.derefine %none : !torch.none to !torch.optional<int>
    %10 = torch.aten.append.t %2, %9 : !torch.list<optional<int>>, !torch.optional<int> -> !torch.list<optional<int>>
    %11 = torch.operator "torch_refine.dtype_of_number"(%8) : (!torch.number) -> !torch.int 
    %12 = torch.aten.append.t %4, %11 : !torch.list<int>, !torch.int -> !torch.list<int>
    torch.prim.If.yield
  } else {
    torch.prim.If.yield
  }
  %6 = torch.aten.__isnot__ %arg2, %none : !torch.optional<number>, !torch.none -> !torch.bool
  torch.prim.If %6 -> () {
    %8 = torch.prim.unchecked_cast %arg2 : !torch.optional<number> -> !torch.number
    %9 = torch.derefine %none : !torch.none to !torch.optional<int>
    %10 = torch.aten.append.t %2, %9 : !torch.list<optional<int>>, !torch.optional<int> -> !torch.list<optional<int>>
    %11 = torch.operator "torch_refine.dtype_of_number"(%8) : (!torch.number) -> !torch.int 
    %12 = torch.aten.append.t %4, %11 : !torch.list<int>, !torch.int -> !torch.list<int>
    torch.prim.If.yield
  } else {
    torch.prim.If.yield
  }
  %7 = torch.promote_dtypes %2, %4 : (!torch.list<optional<int>>, !torch.list<int>) -> !torch.int
  return %7 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.ternary.clamp_max(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.broadcast.broadcast_two(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.ternary.clamp_max_dtype(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.promotion.promote_two(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.ternary.clamp_max_number_dtype(%arg0: !torch.tuple<int, int>, %arg1: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.promotion.promote_with_number(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.number) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.ternary.clamp_min(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.broadcast.broadcast_two(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.ternary.clamp_min_dtype(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.promotion.promote_two(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.ternary.clamp_min_number_dtype(%arg0: !torch.tuple<int, int>, %arg1: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.promotion.promote_with_number(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.number) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.ternary.clamp_tensor(%arg0: !torch.list<int>, %arg1: !torch.optional<list<int>>, %arg2: !torch.optional<list<int>>) -> !torch.list<int> {
  %none = torch.constant.none
  %true = torch.constant.bool true
  %str = torch.constant.str "AssertionError: min or max must be given, got None for both"
  %0 = torch.aten.__isnot__ %arg1, %none : !torch.optional<list<int>>, !torch.none -> !torch.bool
  %1:2 = torch.prim.If %0 -> (!torch.bool, !torch.optional<list<int>>) {
    %6 = torch.prim.unchecked_cast %arg1 : !torch.optional<list<int>> -> !torch.list<int>
    %7 = torch.derefine %6 : !torch.list<int> to !torch.optional<list<int>>
    torch.prim.If.yield %true, %7 : !torch.bool, !torch.optional<list<int>>
  } else {
    %6 = torch.aten.__isnot__ %arg2, %none : !torch.optional<list<int>>, !torch.none -> !torch.bool
    torch.prim.If.yield %6, %arg1 : !torch.bool, !torch.optional<list<int>>
  }
  torch.prim.If %1#0 -> () {
    torch.prim.If.yield
  } else {
    torch.prim.RaiseException %str, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %2 = torch.aten.__isnot__ %1#1, %none : !torch.optional<list<int>>, !torch.none -> !torch.bool
  %3 = torch.prim.If %2 -> (!torch.list<int>) {
    %6 = torch.prim.unchecked_cast %1#1 : !torch.optional<list<int>> -> !torch.list<int>
    %7 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.broadcast.broadcast_two(%arg0, %6) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
    torch.prim.If.yield %7 : !torch.list<int>
  } else {
    torch.prim.If.yield %arg0 : !torch.list<int>
  }
  %4 = torch.aten.__isnot__ %arg2, %none : !torch.optional<list<int>>, !torch.none -> !torch.bool
  %5 = torch.prim.If %4 -> (!torch.list<int>) {
    %6 = torch.prim.unchecked_cast %arg2 : !torch.optional<list<int>> -> !torch.list<int>
    %7 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.broadcast.broadcast_two(%3, %6) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
    torch.prim.If.yield %7 : !torch.list<int>
  } else {
    torch.prim.If.yield %3 : !torch.list<int>
  }
  return %5 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.ternary.clamp_tensor_dtype(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<tuple<int, int>>, %arg2: !torch.optional<tuple<int, int>>) -> !torch.int {
  %none = torch.constant.none
  %0 = torch.prim.ListConstruct %arg0 : (!torch.tuple<int, int>) -> !torch.list<tuple<int, int>>
  %1 = torch.aten.__isnot__ %arg1, %none : !torch.optional<tuple<int, int>>, !torch.none -> !torch.bool
  torch.prim.If %1 -> () {
    %4 = torch.prim.unchecked_cast %arg1 : !torch.optional<tuple<int, int>> -> !torch.tuple<int, int>
    %5 = torch.aten.append.t %0, %4 : !torch.list<tuple<int, int>>, !torch.tuple<int, int> -> !torch.list<tuple<int, int>>
    torch.prim.If.yield
  } else {
    torch.prim.If.yield
  }
  %2 = torch.aten.__isnot__ %arg2, %none : !torch.optional<tuple<int, int>>, !torch.none -> !torch.bool
  torch.prim.If %2 -> () {
    %4 = torch.prim.unchecked_cast %arg2 : !torch.optional<tuple<int, int>> -> !torch.tuple<int, int>
    %5 = torch.aten.append.t %0, %4 : !torch.list<tuple<int, int>>, !torch.tuple<int, int> -> !torch.list<tuple<int, int>>
    torch.prim.If.yield
  } else {
    torch.prim.If.yield
  }
  %3 = call @__torch__.torch_refine.abstract_interp_lib.rules.promotion.promote_list(%0) : (!torch.list<tuple<int, int>>) -> !torch.int
  return %3 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.ternary.fused(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.broadcast.broadcast_three(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.ternary.lerp_dtype(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %int1 = torch.constant.int 1
  %str = torch.constant.str "aten::lerp: dtypes must match, got {} and {}"
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
func.func private @__torch__.torch_refine.abstract_interp_lib.families.ternary.lerp_number(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.broadcast.broadcast_two(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.ternary.lerp_tensor(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.broadcast.broadcast_three(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.views.as_strided_rule(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %int0 = torch.constant.int 0
  %str = torch.constant.str "there must be a stride for each size of {}, got {}"
  %none = torch.constant.none
  %true = torch.constant.bool true
  %str_0 = torch.constant.str "a size cannot be negative, got {}"
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
  %2 = torch.aten.eq.int %0, %1 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %2 -> () {
    torch.prim.If.yield
  } else {
    %4 = torch.aten.format(%str, %arg0, %arg1) : !torch.str, !torch.list<int>, !torch.list<int> -> !torch.str
    torch.prim.RaiseException %4, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %3 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  torch.prim.Loop %3, %true, init() {
  ^bb0(%arg2: !torch.int):
    %4 = torch.aten.__getitem__.t %arg0, %arg2 : !torch.list<int>, !torch.int -> !torch.int
    %5 = torch.aten.ge.int %4, %int0 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If %5 -> () {
      torch.prim.If.yield
    } else {
      %6 = torch.aten.format(%str_0, %arg0) : !torch.str, !torch.list<int> -> !torch.str
      torch.prim.RaiseException %6, %none : !torch.str, !torch.none
      torch.prim.If.yield
    }
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  return %arg0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.views.expand_as_rule(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.expand_sizes(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.views.ravel_rule(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.product(%arg0) : (!torch.list<int>) -> !torch.int
  %1 = torch.prim.ListConstruct %0 : (!torch.int) -> !torch.list<int>
  return %1 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.views.reshape_rule(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.view_sizes(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.views.squeeze_dim_rule(%arg0: !torch.list<int>, %arg1: !torch.int) -> !torch.list<int> {
  %0 = torch.prim.ListConstruct %arg1 : (!torch.int) -> !torch.list<int>
  %1 = call @__torch__.torch_refine.abstract_interp_lib.families.views.squeeze_dims_rule(%arg0, %0) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %1 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.views.squeeze_dims_rule(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %true = torch.constant.bool true
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.wrap_dims(%arg1, %0) : (!torch.list<int>, !torch.int) -> !torch.list<int>
  %2 = torch.prim.ListConstruct  : () -> !torch.list<int>
  %3 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  torch.prim.Loop %3, %true, init() {
  ^bb0(%arg2: !torch.int):
    %4 = torch.aten.__contains__.int_list %1, %arg2 : !torch.list<int>, !torch.int -> !torch.bool
    %5 = torch.aten.__not__ %4 : !torch.bool -> !torch.bool
    %6 = torch.prim.If %5 -> (!torch.bool) {
      torch.prim.If.yield %true : !torch.bool
    } else {
      %7 = torch.aten.__getitem__.t %arg0, %arg2 : !torch.list<int>, !torch.int -> !torch.int
      %8 = torch.aten.ne.int %7, %int1 : !torch.int, !torch.int -> !torch.bool
      torch.prim.If.yield %8 : !torch.bool
    }
    torch.prim.If %6 -> () {
      %7 = torch.aten.__getitem__.t %arg0, %arg2 : !torch.list<int>, !torch.int -> !torch.int
      %8 = torch.aten.append.t %2, %7 : !torch.list<int>, !torch.int -> !torch.list<int>
      torch.prim.If.yield
    } else {
      torch.prim.If.yield
    }
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  return %2 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.views.squeeze_rule(%arg0: !torch.list<int>) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %true = torch.constant.bool true
  %0 = torch.prim.ListConstruct  : () -> !torch.list<int>
  %1 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  torch.prim.Loop %1, %true, init() {
  ^bb0(%arg1: !torch.int):
    %2 = torch.aten.__getitem__.t %arg0, %arg1 : !torch.list<int>, !torch.int -> !torch.int
    %3 = torch.aten.ne.int %2, %int1 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If %3 -> () {
      %4 = torch.aten.append.t %0, %2 : !torch.list<int>, !torch.int -> !torch.list<int>
      torch.prim.If.yield
    } else {
      torch.prim.If.yield
    }
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  return %0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.views.unsqueeze_rule(%arg0: !torch.list<int>, %arg1: !torch.int) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %none = torch.constant.none
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = torch.aten.add.int %0, %int1 : !torch.int, !torch.int -> !torch.int
  %2 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.wrap_dim(%arg1, %1) : (!torch.int, !torch.int) -> !torch.int
  %3 = torch.aten.slice.t %arg0, %none, %2, %int1 : !torch.list<int>, !torch.none, !torch.int, !torch.int -> !torch.list<int>
  %4 = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
  %5 = torch.aten.add.t %3, %4 : !torch.list<int>, !torch.list<int> -> !torch.list<int>
  %6 = torch.aten.slice.t %arg0, %2, %none, %int1 : !torch.list<int>, !torch.int, !torch.none, !torch.int -> !torch.list<int>
  %7 = torch.aten.add.t %5, %6 : !torch.list<int>, !torch.list<int> -> !torch.list<int>
  return %7 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.families.views.view_as_rule(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %str = torch.constant.str "shape {} cannot be viewed as {}"
  %none = torch.constant.none
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.product(%arg0) : (!torch.list<int>) -> !torch.int
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.product(%arg1) : (!torch.list<int>) -> !torch.int
  %2 = torch.aten.eq.int %0, %1 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %2 -> () {
    torch.prim.If.yield
  } else {
    %3 = torch.aten.format(%str, %arg0, %arg1) : !torch.str, !torch.list<int>, !torch.list<int> -> !torch.str
    torch.prim.RaiseException %3, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  return %arg1 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.broadcast.broadcast_three(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.broadcast.broadcast_two(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.broadcast.broadcast_two(%0, %arg2) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %1 : !torch.list<int>
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
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.complex.real_dtype(%arg0: !torch.int) -> !torch.int {
  %true = torch.constant.bool true
  %false = torch.constant.bool false
  %int9 = torch.constant.int 9
  %int6 = torch.constant.int 6
  %int10 = torch.constant.int 10
  %int7 = torch.constant.int 7
  %int8 = torch.constant.int 8
  %int5 = torch.constant.int 5
  %0 = torch.prim.Uninitialized : !torch.int
  %1 = torch.aten.eq.int %arg0, %int9 : !torch.int, !torch.int -> !torch.bool
  %2:2 = torch.prim.If %1 -> (!torch.bool, !torch.int) {
    torch.prim.If.yield %true, %int6 : !torch.bool, !torch.int
  } else {
    %4 = torch.aten.eq.int %arg0, %int10 : !torch.int, !torch.int -> !torch.bool
    %5:2 = torch.prim.If %4 -> (!torch.bool, !torch.int) {
      torch.prim.If.yield %true, %int7 : !torch.bool, !torch.int
    } else {
      %6 = torch.aten.eq.int %arg0, %int8 : !torch.int, !torch.int -> !torch.bool
      %7:2 = torch.prim.If %6 -> (!torch.bool, !torch.int) {
        torch.prim.If.yield %true, %int5 : !torch.bool, !torch.int
      } else {
        torch.prim.If.yield %false, %0 : !torch.bool, !torch.int
      }
      torch.prim.If.yield %7#0, %7#1 : !torch.bool, !torch.int
    }
    torch.prim.If.yield %5#0, %5#1 : !torch.bool, !torch.int
  }
  %3 = torch.prim.If %2#0 -> (!torch.int) {
    torch.prim.If.yield %2#1 : !torch.int
  } else {
    torch.prim.If.yield %arg0 : !torch.int
  }
  return %3 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.convolution.convolution(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.optional<list<int>>, %arg3: !torch.list<int>, %arg4: !torch.list<int>, %arg5: !torch.list<int>, %arg6: !torch.bool, %arg7: !torch.list<int>, %arg8: !torch.int) -> !torch.list<int> {
  %str = torch.constant.str "input must have {} dimensions like weight, got shape {}"
  %none = torch.constant.none
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
  %2 = torch.aten.eq.int %0, %1 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %2 -> () {
    torch.prim.If.yield
  } else {
    %4 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
    %5 = torch.aten.format(%str, %4, %arg0) : !torch.str, !torch.int, !torch.list<int> -> !torch.str
    torch.prim.RaiseException %5, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %3 = call @__torch__.torch_refine.abstract_interp_lib.rules.convolution.convolution_of_any_batch(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7, %arg8) : (!torch.list<int>, !torch.list<int>, !torch.optional<list<int>>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.list<int>, !torch.int) -> !torch.list<int>
  return %3 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.convolution.convolution_of_any_batch(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.optional<list<int>>, %arg3: !torch.list<int>, %arg4: !torch.list<int>, %arg5: !torch.list<int>, %arg6: !torch.bool, %arg7: !torch.list<int>, %arg8: !torch.int) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %int0 = torch.constant.int 0
  %int2 = torch.constant.int 2
  %str = torch.constant.str "weight must have at least 3 dimensions, got shape {}"
  %none = torch.constant.none
  %true = torch.constant.bool true
  %0 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
  %1 = torch.aten.sub.int %0, %int2 : !torch.int, !torch.int -> !torch.int
  %2 = torch.aten.gt.int %1, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %2 -> () {
    torch.prim.If.yield
  } else {
    %19 = torch.aten.format(%str, %arg1) : !torch.str, !torch.list<int> -> !torch.str
    torch.prim.RaiseException %19, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %3 = call @__torch__.torch_refine.abstract_interp_lib.rules.windows.check_batched_or_not(%arg0, %1) : (!torch.list<int>, !torch.int) -> !torch.none
  %4 = torch.aten.neg.int %1 : !torch.int -> !torch.int
  %5 = torch.aten.sub.int %4, %int1 : !torch.int, !torch.int -> !torch.int
  %6 = torch.aten.__getitem__.t %arg0, %5 : !torch.list<int>, !torch.int -> !torch.int
  %7 = call @__torch__.torch_refine.abstract_interp_lib.rules.convolution.output_channels(%6, %arg1, %arg2, %arg6, %arg8) : (!torch.int, !torch.list<int>, !torch.optional<list<int>>, !torch.bool, !torch.int) -> !torch.int
  %8 = call @__torch__.torch_refine.abstract_interp_lib.rules.windows.per_dimension(%arg3, %1) : (!torch.list<int>, !torch.int) -> !torch.list<int>
  %9 = call @__torch__.torch_refine.abstract_interp_lib.rules.windows.per_dimension(%arg4, %1) : (!torch.list<int>, !torch.int) -> !torch.list<int>
  %10 = call @__torch__.torch_refine.abstract_interp_lib.rules.windows.per_dimension(%arg5, %1) : (!torch.list<int>, !torch.int) -> !torch.list<int>
  %11 = torch.aten.neg.int %1 : !torch.int -> !torch.int
  %12 = torch.aten.slice.t %arg0, %11, %none, %int1 : !torch.list<int>, !torch.int, !torch.none, !torch.int -> !torch.list<int>
  %13 = torch.aten.slice.t %arg1, %int2, %none, %int1 : !torch.list<int>, !torch.int, !torch.none, !torch.int -> !torch.list<int>
  %14 = torch.aten.neg.int %1 : !torch.int -> !torch.int
  %15 = torch.aten.sub.int %14, %int1 : !torch.int, !torch.int -> !torch.int
  %16 = torch.aten.slice.t %arg0, %none, %15, %int1 : !torch.list<int>, !torch.none, !torch.int, !torch.int -> !torch.list<int>
  %17 = torch.prim.ListConstruct %7 : (!torch.int) -> !torch.list<int>
  %18 = torch.aten.add.t %16, %17 : !torch.list<int>, !torch.list<int> -> !torch.list<int>
  torch.prim.If %arg6 -> () {
    %19 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.windows.per_dimension(%arg7, %1) : (!torch.list<int>, !torch.int) -> !torch.list<int>
    torch.prim.Loop %1, %true, init() {
    ^bb0(%arg9: !torch.int):
      %20 = torch.aten.__getitem__.t %12, %arg9 : !torch.list<int>, !torch.int -> !torch.int
      %21 = torch.aten.__getitem__.t %13, %arg9 : !torch.list<int>, !torch.int -> !torch.int
      %22 = torch.aten.__getitem__.t %8, %arg9 : !torch.list<int>, !torch.int -> !torch.int
      %23 = torch.aten.__getitem__.t %9, %arg9 : !torch.list<int>, !torch.int -> !torch.int
      %24 = torch.aten.__getitem__.t %10, %arg9 : !torch.list<int>, !torch.int -> !torch.int
      %25 = torch.aten.__getitem__.t %19, %arg9 : !torch.list<int>, !torch.int -> !torch.int
      %26 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.convolution.transposed_size(%20, %21, %22, %23, %24, %25) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.int
      %27 = torch.aten.append.t %18, %26 : !torch.list<int>, !torch.int -> !torch.list<int>
      torch.prim.Loop.condition %true, iter()
    } : (!torch.int, !torch.bool) -> ()
    torch.prim.If.yield
  } else {
    torch.prim.Loop %1, %true, init() {
    ^bb0(%arg9: !torch.int):
      %19 = torch.aten.__getitem__.t %12, %arg9 : !torch.list<int>, !torch.int -> !torch.int
      %20 = torch.aten.__getitem__.t %13, %arg9 : !torch.list<int>, !torch.int -> !torch.int
      %21 = torch.aten.__getitem__.t %8, %arg9 : !torch.list<int>, !torch.int -> !torch.int
      %22 = torch.aten.__getitem__.t %9, %arg9 : !torch.list<int>, !torch.int -> !torch.int
      %23 = torch.aten.__getitem__.t %10, %arg9 : !torch.list<int>, !torch.int -> !torch.int
      %24 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.convolution.convolved_size(%19, %20, %21, %22, %23) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.int
      %25 = torch.aten.append.t %18, %24 : !torch.list<int>, !torch.int -> !torch.list<int>
      torch.prim.Loop.condition %true, iter()
    } : (!torch.int, !torch.bool) -> ()
    torch.prim.If.yield
  }
  return %18 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.convolution.convolved_size(%arg0: !torch.int, %arg1: !torch.int, %arg2: !torch.int, %arg3: !torch.int, %arg4: !torch.int) -> !torch.int {
  %int2 = torch.constant.int 2
  %int1 = torch.constant.int 1
  %int0 = torch.constant.int 0
  %str = torch.constant.str "stride must be positive, got {}"
  %none = torch.constant.none
  %str_0 = torch.constant.str "padding must not be negative, got {}"
  %str_1 = torch.constant.str "dilation must be positive, got {}"
  %str_2 = torch.constant.str "a kernel that spans {} does not fit a padded size of {}"
  %0 = torch.aten.gt.int %arg2, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %0 -> () {
    torch.prim.If.yield
  } else {
    %12 = torch.aten.format(%str, %arg2) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %12, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %1 = torch.aten.ge.int %arg3, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %1 -> () {
    torch.prim.If.yield
  } else {
    %12 = torch.aten.format(%str_0, %arg3) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %12, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %2 = torch.aten.gt.int %arg4, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %2 -> () {
    torch.prim.If.yield
  } else {
    %12 = torch.aten.format(%str_1, %arg4) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %12, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %3 = torch.aten.sub.int %arg1, %int1 : !torch.int, !torch.int -> !torch.int
  %4 = torch.aten.mul.int %arg4, %3 : !torch.int, !torch.int -> !torch.int
  %5 = torch.aten.add.int %4, %int1 : !torch.int, !torch.int -> !torch.int
  %6 = torch.aten.mul.int %int2, %arg3 : !torch.int, !torch.int -> !torch.int
  %7 = torch.aten.add.int %arg0, %6 : !torch.int, !torch.int -> !torch.int
  %8 = torch.aten.le.int %5, %7 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %8 -> () {
    torch.prim.If.yield
  } else {
    %12 = torch.aten.format(%str_2, %5, %7) : !torch.str, !torch.int, !torch.int -> !torch.str
    torch.prim.RaiseException %12, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %9 = torch.aten.sub.int %7, %5 : !torch.int, !torch.int -> !torch.int
  %10 = torch.aten.floordiv.int %9, %arg2 : !torch.int, !torch.int -> !torch.int
  %11 = torch.aten.add.int %10, %int1 : !torch.int, !torch.int -> !torch.int
  return %11 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.convolution.output_channels(%arg0: !torch.int, %arg1: !torch.list<int>, %arg2: !torch.optional<list<int>>, %arg3: !torch.bool, %arg4: !torch.int) -> !torch.int {
  %int1 = torch.constant.int 1
  %int0 = torch.constant.int 0
  %str = torch.constant.str "groups must be positive, got {}"
  %none = torch.constant.none
  %str_0 = torch.constant.str "{} groups do not divide the {} of {}"
  %str_1 = torch.constant.str "weight {} takes {} channels, got {}"
  %str_2 = torch.constant.str "bias must be a vector, got shape {}"
  %str_3 = torch.constant.str "bias needs {} entries, got {}"
  %0 = torch.aten.gt.int %arg4, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %0 -> () {
    torch.prim.If.yield
  } else {
    %10 = torch.aten.format(%str, %arg4) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %10, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %1 = torch.aten.__getitem__.t %arg1, %int0 : !torch.list<int>, !torch.int -> !torch.int
  %2 = torch.aten.remainder.int %1, %arg4 : !torch.int, !torch.int -> !torch.int
  %3 = torch.aten.eq.int %2, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %3 -> () {
    torch.prim.If.yield
  } else {
    %10 = torch.aten.__getitem__.t %arg1, %int0 : !torch.list<int>, !torch.int -> !torch.int
    %11 = torch.aten.format(%str_0, %arg4, %10, %arg1) : !torch.str, !torch.int, !torch.int, !torch.list<int> -> !torch.str
    torch.prim.RaiseException %11, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %4:2 = torch.prim.If %arg3 -> (!torch.int, !torch.int) {
    %10 = torch.aten.__getitem__.t %arg1, %int0 : !torch.list<int>, !torch.int -> !torch.int
    %11 = torch.aten.__getitem__.t %arg1, %int1 : !torch.list<int>, !torch.int -> !torch.int
    %12 = torch.aten.mul.int %11, %arg4 : !torch.int, !torch.int -> !torch.int
    torch.prim.If.yield %10, %12 : !torch.int, !torch.int
  } else {
    %10 = torch.aten.__getitem__.t %arg1, %int1 : !torch.list<int>, !torch.int -> !torch.int
    %11 = torch.aten.mul.int %10, %arg4 : !torch.int, !torch.int -> !torch.int
    %12 = torch.aten.__getitem__.t %arg1, %int0 : !torch.list<int>, !torch.int -> !torch.int
    torch.prim.If.yield %11, %12 : !torch.int, !torch.int
  }
  %5 = torch.aten.eq.int %arg0, %4#0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %5 -> () {
    torch.prim.If.yield
  } else {
    %10 = torch.aten.format(%str_1, %arg1, %4#0, %arg0) : !torch.str, !torch.list<int>, !torch.int, !torch.int -> !torch.str
    torch.prim.RaiseException %10, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %6 = torch.aten.__isnot__ %arg2, %none : !torch.optional<list<int>>, !torch.none -> !torch.bool
  torch.prim.If %6 -> () {
    %10 = torch.prim.unchecked_cast %arg2 : !torch.optional<list<int>> -> !torch.list<int>
    %11 = torch.aten.len.t %10 : !torch.list<int> -> !torch.int
    %12 = torch.aten.eq.int %11, %int1 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If %12 -> () {
      torch.prim.If.yield
    } else {
      %15 = torch.aten.format(%str_2, %10) : !torch.str, !torch.list<int> -> !torch.str
      torch.prim.RaiseException %15, %none : !torch.str, !torch.none
      torch.prim.If.yield
    }
    %13 = torch.aten.__getitem__.t %10, %int0 : !torch.list<int>, !torch.int -> !torch.int
    %14 = torch.aten.eq.int %13, %4#1 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If %14 -> () {
      torch.prim.If.yield
    } else {
      %15 = torch.aten.__getitem__.t %10, %int0 : !torch.list<int>, !torch.int -> !torch.int
      %16 = torch.aten.format(%str_3, %4#1, %15) : !torch.str, !torch.int, !torch.int -> !torch.str
      torch.prim.RaiseException %16, %none : !torch.str, !torch.none
      torch.prim.If.yield
    }
    torch.prim.If.yield
  } else {
    torch.prim.If.yield
  }
  %7 = torch.aten.__getitem__.t %arg1, %int1 : !torch.list<int>, !torch.int -> !torch.int
  %8 = torch.aten.eq.int %7, %int0 : !torch.int, !torch.int -> !torch.bool
  %9 = torch.prim.If %8 -> (!torch.int) {
    torch.prim.If.yield %int0 : !torch.int
  } else {
    torch.prim.If.yield %4#1 : !torch.int
  }
  return %9 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.convolution.transposed_size(%arg0: !torch.int, %arg1: !torch.int, %arg2: !torch.int, %arg3: !torch.int, %arg4: !torch.int, %arg5: !torch.int) -> !torch.int {
  %int2 = torch.constant.int 2
  %int1 = torch.constant.int 1
  %int0 = torch.constant.int 0
  %str = torch.constant.str "stride must be positive, got {}"
  %none = torch.constant.none
  %str_0 = torch.constant.str "padding must not be negative, got {}"
  %str_1 = torch.constant.str "dilation must be positive, got {}"
  %str_2 = torch.constant.str "output_padding must not be negative, got {}"
  %0 = torch.aten.gt.int %arg2, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %0 -> () {
    torch.prim.If.yield
  } else {
    %13 = torch.aten.format(%str, %arg2) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %13, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %1 = torch.aten.ge.int %arg3, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %1 -> () {
    torch.prim.If.yield
  } else {
    %13 = torch.aten.format(%str_0, %arg3) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %13, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %2 = torch.aten.gt.int %arg4, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %2 -> () {
    torch.prim.If.yield
  } else {
    %13 = torch.aten.format(%str_1, %arg4) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %13, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %3 = torch.aten.ge.int %arg5, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %3 -> () {
    torch.prim.If.yield
  } else {
    %13 = torch.aten.format(%str_2, %arg5) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %13, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %4 = torch.aten.sub.int %arg0, %int1 : !torch.int, !torch.int -> !torch.int
  %5 = torch.aten.mul.int %4, %arg2 : !torch.int, !torch.int -> !torch.int
  %6 = torch.aten.mul.int %int2, %arg3 : !torch.int, !torch.int -> !torch.int
  %7 = torch.aten.sub.int %5, %6 : !torch.int, !torch.int -> !torch.int
  %8 = torch.aten.sub.int %arg1, %int1 : !torch.int, !torch.int -> !torch.int
  %9 = torch.aten.mul.int %arg4, %8 : !torch.int, !torch.int -> !torch.int
  %10 = torch.aten.add.int %7, %9 : !torch.int, !torch.int -> !torch.int
  %11 = torch.aten.add.int %10, %arg5 : !torch.int, !torch.int -> !torch.int
  %12 = torch.aten.add.int %11, %int1 : !torch.int, !torch.int -> !torch.int
  return %12 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %int1 = torch.constant.int 1
  %0 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0: !torch.list<int>) -> !torch.list<int> {
  return %arg0 : !torch.list<int>
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
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.dims.wrap_dims(%arg0: !torch.list<int>, %arg1: !torch.int) -> !torch.list<int> {
  %true = torch.constant.bool true
  %str = torch.constant.str "dimension {} is named twice in {}"
  %none = torch.constant.none
  %0 = torch.prim.ListConstruct  : () -> !torch.list<int>
  %1 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  torch.prim.Loop %1, %true, init() {
  ^bb0(%arg2: !torch.int):
    %2 = torch.aten.__getitem__.t %arg0, %arg2 : !torch.list<int>, !torch.int -> !torch.int
    %3 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.dims.wrap_dim(%2, %arg1) : (!torch.int, !torch.int) -> !torch.int
    %4 = torch.aten.__contains__.int_list %0, %3 : !torch.list<int>, !torch.int -> !torch.bool
    %5 = torch.aten.__not__ %4 : !torch.bool -> !torch.bool
    torch.prim.If %5 -> () {
      torch.prim.If.yield
    } else {
      %7 = torch.aten.format(%str, %3, %arg0) : !torch.str, !torch.int, !torch.list<int> -> !torch.str
      torch.prim.RaiseException %7, %none : !torch.str, !torch.none
      torch.prim.If.yield
    }
    %6 = torch.aten.append.t %0, %3 : !torch.list<int>, !torch.int -> !torch.list<int>
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  return %0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.factories.default_dtype(%arg0: !torch.int) -> !torch.int {
  %int7 = torch.constant.int 7
  %int6 = torch.constant.int 6
  %int10 = torch.constant.int 10
  %int9 = torch.constant.int 9
  %0 = torch.aten.eq.int %arg0, %int7 : !torch.int, !torch.int -> !torch.bool
  %1 = torch.prim.If %0 -> (!torch.int) {
    torch.prim.If.yield %int6 : !torch.int
  } else {
    %2 = torch.aten.eq.int %arg0, %int10 : !torch.int, !torch.int -> !torch.bool
    %3 = torch.prim.If %2 -> (!torch.int) {
      torch.prim.If.yield %int9 : !torch.int
    } else {
      torch.prim.If.yield %arg0 : !torch.int
    }
    torch.prim.If.yield %3 : !torch.int
  }
  return %1 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.factories.dtype_or_default(%arg0: !torch.optional<int>) -> !torch.int {
  %none = torch.constant.none
  %int6 = torch.constant.int 6
  %0 = torch.aten.__is__ %arg0, %none : !torch.optional<int>, !torch.none -> !torch.bool
  %1 = torch.prim.If %0 -> (!torch.int) {
    torch.prim.If.yield %int6 : !torch.int
  } else {
    %2 = torch.prim.unchecked_cast %arg0 : !torch.optional<int> -> !torch.int
    torch.prim.If.yield %2 : !torch.int
  }
  return %1 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.factories.dtype_or_fill_value(%arg0: !torch.number, %arg1: !torch.optional<int>) -> !torch.int {
  %none = torch.constant.none
  %0 = torch.aten.__isnot__ %arg1, %none : !torch.optional<int>, !torch.none -> !torch.bool
  %1 = torch.prim.If %0 -> (!torch.int) {
    %2 = torch.prim.unchecked_cast %arg1 : !torch.optional<int> -> !torch.int
    torch.prim.If.yield %2 : !torch.int
  } else {
    %2 = torch.operator "torch_refine.dtype_of_number"(%arg0) : (!torch.number) -> !torch.int 
    %3 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.factories.default_dtype(%2) : (!torch.int) -> !torch.int
    torch.prim.If.yield %3 : !torch.int
  }
  return %1 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.factories.dtype_or_float(%arg0: !torch.int, %arg1: !torch.int, %arg2: !torch.optional<int>) -> !torch.int {
  %none = torch.constant.none
  %true = torch.constant.bool true
  %int9 = torch.constant.int 9
  %int6 = torch.constant.int 6
  %0 = torch.aten.__isnot__ %arg2, %none : !torch.optional<int>, !torch.none -> !torch.bool
  %1 = torch.prim.If %0 -> (!torch.int) {
    %2 = torch.prim.unchecked_cast %arg2 : !torch.optional<int> -> !torch.int
    torch.prim.If.yield %2 : !torch.int
  } else {
    %2 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.promotion.is_complex(%arg0) : (!torch.int) -> !torch.bool
    %3 = torch.prim.If %2 -> (!torch.bool) {
      torch.prim.If.yield %true : !torch.bool
    } else {
      %5 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.promotion.is_complex(%arg1) : (!torch.int) -> !torch.bool
      torch.prim.If.yield %5 : !torch.bool
    }
    %4 = torch.prim.If %3 -> (!torch.int) {
      torch.prim.If.yield %int9 : !torch.int
    } else {
      torch.prim.If.yield %int6 : !torch.int
    }
    torch.prim.If.yield %4 : !torch.int
  }
  return %1 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.factories.dtype_or_int64(%arg0: !torch.optional<int>) -> !torch.int {
  %none = torch.constant.none
  %int4 = torch.constant.int 4
  %0 = torch.aten.__is__ %arg0, %none : !torch.optional<int>, !torch.none -> !torch.bool
  %1 = torch.prim.If %0 -> (!torch.int) {
    torch.prim.If.yield %int4 : !torch.int
  } else {
    %2 = torch.prim.unchecked_cast %arg0 : !torch.optional<int> -> !torch.int
    torch.prim.If.yield %2 : !torch.int
  }
  return %1 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.factories.dtype_or_same(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<int>) -> !torch.int {
  %int1 = torch.constant.int 1
  %none = torch.constant.none
  %0 = torch.aten.__is__ %arg1, %none : !torch.optional<int>, !torch.none -> !torch.bool
  %1 = torch.prim.If %0 -> (!torch.int) {
    %2 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    torch.prim.If.yield %2 : !torch.int
  } else {
    %2 = torch.prim.unchecked_cast %arg1 : !torch.optional<int> -> !torch.int
    torch.prim.If.yield %2 : !torch.int
  }
  return %1 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.factories.float_range_size(%arg0: !torch.float, %arg1: !torch.float, %arg2: !torch.float) -> !torch.int {
  %float9.000000e18 = torch.constant.float 9.000000e+18
  %float0.000000e00 = torch.constant.float 0.000000e+00
  %str = torch.constant.str "the step of a range must not be 0, got {}"
  %none = torch.constant.none
  %false = torch.constant.bool false
  %str_0 = torch.constant.str "a range from {} to {} has no steps of {}"
  %0 = torch.operator "torch.aten.ne.float"(%arg2, %float0.000000e00) : (!torch.float, !torch.float) -> !torch.bool 
  torch.prim.If %0 -> () {
    torch.prim.If.yield
  } else {
    %6 = torch.aten.format(%str, %arg2) : !torch.str, !torch.float -> !torch.str
    torch.prim.RaiseException %6, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %1 = torch.aten.sub.float %arg1, %arg0 : !torch.float, !torch.float -> !torch.float
  %2 = torch.aten.div.float %1, %arg2 : !torch.float, !torch.float -> !torch.float
  %3 = torch.aten.ge.float %2, %float0.000000e00 : !torch.float, !torch.float -> !torch.bool
  %4 = torch.prim.If %3 -> (!torch.bool) {
    %6 = torch.aten.lt.float %2, %float9.000000e18 : !torch.float, !torch.float -> !torch.bool
    torch.prim.If.yield %6 : !torch.bool
  } else {
    torch.prim.If.yield %false : !torch.bool
  }
  torch.prim.If %4 -> () {
    torch.prim.If.yield
  } else {
    %6 = torch.aten.format(%str_0, %arg0, %arg1, %arg2) : !torch.str, !torch.float, !torch.float, !torch.float -> !torch.str
    torch.prim.RaiseException %6, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %5 = torch.aten.ceil.float %2 : !torch.float -> !torch.int
  return %5 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.factories.given_size(%arg0: !torch.list<int>) -> !torch.list<int> {
  %int0 = torch.constant.int 0
  %true = torch.constant.bool true
  %str = torch.constant.str "sizes must not be negative, got {}"
  %none = torch.constant.none
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  torch.prim.Loop %0, %true, init() {
  ^bb0(%arg1: !torch.int):
    %1 = torch.aten.__getitem__.t %arg0, %arg1 : !torch.list<int>, !torch.int -> !torch.int
    %2 = torch.aten.ge.int %1, %int0 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If %2 -> () {
      torch.prim.If.yield
    } else {
      %3 = torch.aten.format(%str, %arg0) : !torch.str, !torch.list<int> -> !torch.str
      torch.prim.RaiseException %3, %none : !torch.str, !torch.none
      torch.prim.If.yield
    }
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  return %arg0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.factories.integer_range_size(%arg0: !torch.int, %arg1: !torch.int, %arg2: !torch.int) -> !torch.int {
  %int1 = torch.constant.int 1
  %int0 = torch.constant.int 0
  %str = torch.constant.str "the step of a range must not be 0, got {}"
  %none = torch.constant.none
  %str_0 = torch.constant.str "a range from {} to {} has no steps of {}"
  %0 = torch.aten.ne.int %arg2, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %0 -> () {
    torch.prim.If.yield
  } else {
    %8 = torch.aten.format(%str, %arg2) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %8, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %1 = torch.aten.ne.int %arg0, %int0 : !torch.int, !torch.int -> !torch.bool
  %2 = torch.prim.If %1 -> (!torch.int) {
    %8 = torch.aten.sub.int %arg1, %arg0 : !torch.int, !torch.int -> !torch.int
    torch.prim.If.yield %8 : !torch.int
  } else {
    torch.prim.If.yield %arg1 : !torch.int
  }
  %3 = torch.aten.lt.int %arg2, %int0 : !torch.int, !torch.int -> !torch.bool
  %4 = torch.prim.If %3 -> (!torch.int) {
    %8 = torch.aten.neg.int %2 : !torch.int -> !torch.int
    torch.prim.If.yield %8 : !torch.int
  } else {
    torch.prim.If.yield %2 : !torch.int
  }
  %5 = torch.aten.ge.int %4, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %5 -> () {
    torch.prim.If.yield
  } else {
    %8 = torch.aten.format(%str_0, %arg0, %arg1, %arg2) : !torch.str, !torch.int, !torch.int, !torch.int -> !torch.str
    torch.prim.RaiseException %8, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %6 = torch.aten.ne.int %arg2, %int1 : !torch.int, !torch.int -> !torch.bool
  %7 = torch.prim.If %6 -> (!torch.int) {
    %8 = torch.operator "torch.prim.abs.int"(%arg2) : (!torch.int) -> !torch.int 
    %9 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.ceil_divide(%4, %8) : (!torch.int, !torch.int) -> !torch.int
    torch.prim.If.yield %9 : !torch.int
  } else {
    torch.prim.If.yield %4 : !torch.int
  }
  return %7 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.factories.range_dtype(%arg0: !torch.number, %arg1: !torch.number, %arg2: !torch.number, %arg3: !torch.optional<int>) -> !torch.int {
  %none = torch.constant.none
  %int10 = torch.constant.int 10
  %str = torch.constant.str "AssertionError: the numbers of a range must be real"
  %int7 = torch.constant.int 7
  %int6 = torch.constant.int 6
  %int4 = torch.constant.int 4
  %0 = torch.aten.__isnot__ %arg3, %none : !torch.optional<int>, !torch.none -> !torch.bool
  %1 = torch.prim.If %0 -> (!torch.int) {
    %2 = torch.prim.unchecked_cast %arg3 : !torch.optional<int> -> !torch.int
    torch.prim.If.yield %2 : !torch.int
  } else {
    %2 = torch.operator "torch_refine.dtype_of_number"(%arg0) : (!torch.number) -> !torch.int 
    %3 = torch.operator "torch_refine.dtype_of_number"(%arg1) : (!torch.number) -> !torch.int 
    %4 = torch.operator "torch_refine.dtype_of_number"(%arg2) : (!torch.number) -> !torch.int 
    %5 = torch.prim.ListConstruct %2, %3, %4 : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
    %6 = torch.aten.__contains__.int_list %5, %int10 : !torch.list<int>, !torch.int -> !torch.bool
    %7 = torch.aten.__not__ %6 : !torch.bool -> !torch.bool
    torch.prim.If %7 -> () {
      torch.prim.If.yield
    } else {
      torch.prim.RaiseException %str, %none : !torch.str, !torch.none
      torch.prim.If.yield
    }
    %8 = torch.aten.__contains__.int_list %5, %int7 : !torch.list<int>, !torch.int -> !torch.bool
    %9 = torch.prim.If %8 -> (!torch.int) {
      torch.prim.If.yield %int6 : !torch.int
    } else {
      torch.prim.If.yield %int4 : !torch.int
    }
    torch.prim.If.yield %9 : !torch.int
  }
  return %1 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.factories.range_size(%arg0: !torch.number, %arg1: !torch.number, %arg2: !torch.number, %arg3: !torch.optional<int>) -> !torch.int {
  %str = torch.constant.str "int"
  %false = torch.constant.bool false
  %none = torch.constant.none
  %int4 = torch.constant.int 4
  %0 = torch.operator "torch_refine.isinstance"(%arg0, %str) : (!torch.number, !torch.str) -> !torch.bool 
  %1:2 = torch.prim.If %0 -> (!torch.bool, !torch.number) {
    %4 = torch.prim.unchecked_cast %arg0 : !torch.number -> !torch.int
    %5 = torch.operator "torch_refine.isinstance"(%arg1, %str) : (!torch.number, !torch.str) -> !torch.bool 
    %6 = torch.derefine %4 : !torch.int to !torch.number
    torch.prim.If.yield %5, %6 : !torch.bool, !torch.number
  } else {
    %4 = torch.prim.unchecked_cast %arg0 : !torch.number -> !torch.number
    torch.prim.If.yield %false, %4 : !torch.bool, !torch.number
  }
  %2:3 = torch.prim.If %1#0 -> (!torch.bool, !torch.number, !torch.number) {
    %4 = torch.prim.unchecked_cast %1#1 : !torch.number -> !torch.int
    %5 = torch.prim.unchecked_cast %arg1 : !torch.number -> !torch.int
    %6 = torch.operator "torch_refine.isinstance"(%arg2, %str) : (!torch.number, !torch.str) -> !torch.bool 
    %7 = torch.derefine %4 : !torch.int to !torch.number
    %8 = torch.derefine %5 : !torch.int to !torch.number
    torch.prim.If.yield %6, %7, %8 : !torch.bool, !torch.number, !torch.number
  } else {
    torch.prim.If.yield %false, %1#1, %arg1 : !torch.bool, !torch.number, !torch.number
  }
  %3 = torch.prim.If %2#0 -> (!torch.int) {
    %4 = torch.prim.unchecked_cast %2#1 : !torch.number -> !torch.int
    %5 = torch.prim.unchecked_cast %2#2 : !torch.number -> !torch.int
    %6 = torch.prim.unchecked_cast %arg2 : !torch.number -> !torch.int
    %7 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.factories.integer_range_size(%4, %5, %6) : (!torch.int, !torch.int, !torch.int) -> !torch.int
    torch.prim.If.yield %7 : !torch.int
  } else {
    %4 = torch.aten.__isnot__ %arg3, %none : !torch.optional<int>, !torch.none -> !torch.bool
    %5 = torch.prim.If %4 -> (!torch.bool) {
      %7 = torch.prim.unchecked_cast %arg3 : !torch.optional<int> -> !torch.int
      %8 = torch.aten.eq.int %7, %int4 : !torch.int, !torch.int -> !torch.bool
      torch.prim.If.yield %8 : !torch.bool
    } else {
      torch.prim.If.yield %false : !torch.bool
    }
    %6 = torch.prim.If %5 -> (!torch.int) {
      %7 = torch.aten.Int.Scalar %2#1 : !torch.number -> !torch.int
      %8 = torch.aten.Int.Scalar %2#2 : !torch.number -> !torch.int
      %9 = torch.aten.Int.Scalar %arg2 : !torch.number -> !torch.int
      %10 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.factories.integer_range_size(%7, %8, %9) : (!torch.int, !torch.int, !torch.int) -> !torch.int
      torch.prim.If.yield %10 : !torch.int
    } else {
      %7 = torch.aten.Float.Scalar %2#1 : !torch.number -> !torch.float
      %8 = torch.aten.Float.Scalar %2#2 : !torch.number -> !torch.float
      %9 = torch.aten.Float.Scalar %arg2 : !torch.number -> !torch.float
      %10 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.factories.float_range_size(%7, %8, %9) : (!torch.float, !torch.float, !torch.float) -> !torch.int
      torch.prim.If.yield %10 : !torch.int
    }
    torch.prim.If.yield %6 : !torch.int
  }
  return %3 : !torch.int
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
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.normalization.channels_of(%arg0: !torch.list<int>) -> !torch.int {
  %int1 = torch.constant.int 1
  %int2 = torch.constant.int 2
  %str = torch.constant.str "the input must have a batch and channels, got shape {}"
  %none = torch.constant.none
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = torch.aten.ge.int %0, %int2 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %1 -> () {
    torch.prim.If.yield
  } else {
    %3 = torch.aten.format(%str, %arg0) : !torch.str, !torch.list<int> -> !torch.str
    torch.prim.RaiseException %3, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %2 = torch.aten.__getitem__.t %arg0, %int1 : !torch.list<int>, !torch.int -> !torch.int
  return %2 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.normalization.check_features(%arg0: !torch.optional<list<int>>, %arg1: !torch.int, %arg2: !torch.str) -> !torch.none {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %none = torch.constant.none
  %false = torch.constant.bool false
  %str = torch.constant.str "{} must have an entry for each of {} channels, got {}"
  %0 = torch.aten.__isnot__ %arg0, %none : !torch.optional<list<int>>, !torch.none -> !torch.bool
  %1:2 = torch.prim.If %0 -> (!torch.bool, !torch.optional<list<int>>) {
    %2 = torch.prim.unchecked_cast %arg0 : !torch.optional<list<int>> -> !torch.list<int>
    %3 = torch.aten.len.t %2 : !torch.list<int> -> !torch.int
    %4 = torch.aten.eq.int %3, %int1 : !torch.int, !torch.int -> !torch.bool
    %5 = torch.derefine %2 : !torch.list<int> to !torch.optional<list<int>>
    torch.prim.If.yield %4, %5 : !torch.bool, !torch.optional<list<int>>
  } else {
    torch.prim.If.yield %false, %arg0 : !torch.bool, !torch.optional<list<int>>
  }
  torch.prim.If %1#0 -> () {
    %2 = torch.prim.unchecked_cast %1#1 : !torch.optional<list<int>> -> !torch.list<int>
    %3 = torch.aten.__getitem__.t %2, %int0 : !torch.list<int>, !torch.int -> !torch.int
    %4 = torch.aten.eq.int %3, %arg1 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If %4 -> () {
      torch.prim.If.yield
    } else {
      %5 = torch.aten.__getitem__.t %2, %int0 : !torch.list<int>, !torch.int -> !torch.int
      %6 = torch.aten.format(%str, %arg2, %arg1, %5) : !torch.str, !torch.str, !torch.int, !torch.int -> !torch.str
      torch.prim.RaiseException %6, %none : !torch.str, !torch.none
      torch.prim.If.yield
    }
    torch.prim.If.yield
  } else {
    torch.prim.If.yield
  }
  return %none : !torch.none
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.normalization.check_normalized(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.optional<list<int>>, %arg3: !torch.optional<list<int>>) -> !torch.none {
  %int0 = torch.constant.int 0
  %str = torch.constant.str "normalized_shape must name a dimension, got {}"
  %none = torch.constant.none
  %str_0 = torch.constant.str "normalized_shape {} is longer than {}"
  %int1 = torch.constant.int 1
  %str_1 = torch.constant.str "the end of the input"
  %str_2 = torch.constant.str "weight"
  %str_3 = torch.constant.str "bias"
  %0 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
  %1 = torch.aten.gt.int %0, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %1 -> () {
    torch.prim.If.yield
  } else {
    %10 = torch.aten.format(%str, %arg1) : !torch.str, !torch.list<int> -> !torch.str
    torch.prim.RaiseException %10, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %2 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %3 = torch.aten.le.int %0, %2 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %3 -> () {
    torch.prim.If.yield
  } else {
    %10 = torch.aten.format(%str_0, %arg1, %arg0) : !torch.str, !torch.list<int>, !torch.list<int> -> !torch.str
    torch.prim.RaiseException %10, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %4 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %5 = torch.aten.sub.int %4, %0 : !torch.int, !torch.int -> !torch.int
  %6 = torch.aten.slice.t %arg0, %5, %none, %int1 : !torch.list<int>, !torch.int, !torch.none, !torch.int -> !torch.list<int>
  %7 = call @__torch__.torch_refine.abstract_interp_lib.rules.normalization.check_same(%6, %arg1, %str_1) : (!torch.list<int>, !torch.list<int>, !torch.str) -> !torch.none
  %8 = torch.aten.__isnot__ %arg2, %none : !torch.optional<list<int>>, !torch.none -> !torch.bool
  torch.prim.If %8 -> () {
    %10 = torch.prim.unchecked_cast %arg2 : !torch.optional<list<int>> -> !torch.list<int>
    %11 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.normalization.check_same(%10, %arg1, %str_2) : (!torch.list<int>, !torch.list<int>, !torch.str) -> !torch.none
    torch.prim.If.yield
  } else {
    torch.prim.If.yield
  }
  %9 = torch.aten.__isnot__ %arg3, %none : !torch.optional<list<int>>, !torch.none -> !torch.bool
  torch.prim.If %9 -> () {
    %10 = torch.prim.unchecked_cast %arg3 : !torch.optional<list<int>> -> !torch.list<int>
    %11 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.normalization.check_same(%10, %arg1, %str_3) : (!torch.list<int>, !torch.list<int>, !torch.str) -> !torch.none
    torch.prim.If.yield
  } else {
    torch.prim.If.yield
  }
  return %none : !torch.none
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.normalization.check_same(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.str) -> !torch.none {
  %str = torch.constant.str "{} must have shape {}, got {}"
  %none = torch.constant.none
  %true = torch.constant.bool true
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
  %2 = torch.aten.eq.int %0, %1 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %2 -> () {
    torch.prim.If.yield
  } else {
    %4 = torch.aten.format(%str, %arg2, %arg1, %arg0) : !torch.str, !torch.str, !torch.list<int>, !torch.list<int> -> !torch.str
    torch.prim.RaiseException %4, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %3 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  torch.prim.Loop %3, %true, init() {
  ^bb0(%arg3: !torch.int):
    %4 = torch.aten.__getitem__.t %arg0, %arg3 : !torch.list<int>, !torch.int -> !torch.int
    %5 = torch.aten.__getitem__.t %arg1, %arg3 : !torch.list<int>, !torch.int -> !torch.int
    %6 = torch.aten.eq.int %4, %5 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If %6 -> () {
      torch.prim.If.yield
    } else {
      %7 = torch.aten.format(%str, %arg2, %arg1, %arg0) : !torch.str, !torch.str, !torch.list<int>, !torch.list<int> -> !torch.str
      torch.prim.RaiseException %7, %none : !torch.str, !torch.none
      torch.prim.If.yield
    }
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  return %none : !torch.none
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.normalization.is_half(%arg0: !torch.int) -> !torch.bool {
  %int5 = torch.constant.int 5
  %true = torch.constant.bool true
  %int15 = torch.constant.int 15
  %0 = torch.aten.eq.int %arg0, %int5 : !torch.int, !torch.int -> !torch.bool
  %1 = torch.prim.If %0 -> (!torch.bool) {
    torch.prim.If.yield %true : !torch.bool
  } else {
    %2 = torch.aten.eq.int %arg0, %int15 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If.yield %2 : !torch.bool
  }
  return %1 : !torch.bool
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.normalization.statistics_dtype(%arg0: !torch.int, %arg1: !torch.list<optional<tuple<int, int>>>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.normalization.wider_dtype(%arg0, %arg1) : (!torch.int, !torch.list<optional<tuple<int, int>>>) -> !torch.int
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.normalization.is_half(%0) : (!torch.int) -> !torch.bool
  %2 = torch.prim.If %1 -> (!torch.int) {
    %3 = torch.operator "torch_refine.unknown_size"() : () -> !torch.int 
    torch.prim.If.yield %3 : !torch.int
  } else {
    torch.prim.If.yield %0 : !torch.int
  }
  return %2 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.normalization.statistics_shape(%arg0: !torch.list<int>, %arg1: !torch.int) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %none = torch.constant.none
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = torch.aten.sub.int %0, %arg1 : !torch.int, !torch.int -> !torch.int
  %2 = torch.aten.slice.t %arg0, %none, %1, %int1 : !torch.list<int>, !torch.none, !torch.int, !torch.int -> !torch.list<int>
  %3 = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
  %4 = torch.aten.mul.left_t %3, %arg1 : !torch.list<int>, !torch.int -> !torch.list<int>
  %5 = torch.aten.add.t %2, %4 : !torch.list<int>, !torch.list<int> -> !torch.list<int>
  return %5 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.normalization.wider_dtype(%arg0: !torch.int, %arg1: !torch.list<optional<tuple<int, int>>>) -> !torch.int {
  %int1 = torch.constant.int 1
  %true = torch.constant.bool true
  %none = torch.constant.none
  %false = torch.constant.bool false
  %0 = torch.aten.len.t %arg1 : !torch.list<optional<tuple<int, int>>> -> !torch.int
  %1 = torch.prim.Loop %0, %true, init(%arg0) {
  ^bb0(%arg2: !torch.int, %arg3: !torch.int):
    %2 = torch.aten.__getitem__.t %arg1, %arg2 : !torch.list<optional<tuple<int, int>>>, !torch.int -> !torch.optional<tuple<int, int>>
    %3 = torch.aten.__isnot__ %2, %none : !torch.optional<tuple<int, int>>, !torch.none -> !torch.bool
    %4:2 = torch.prim.If %3 -> (!torch.bool, !torch.optional<tuple<int, int>>) {
      %6 = torch.prim.unchecked_cast %2 : !torch.optional<tuple<int, int>> -> !torch.tuple<int, int>
      %7 = torch.prim.TupleIndex %6, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
      %8 = torch.aten.ne.int %7, %arg0 : !torch.int, !torch.int -> !torch.bool
      %9 = torch.derefine %6 : !torch.tuple<int, int> to !torch.optional<tuple<int, int>>
      torch.prim.If.yield %8, %9 : !torch.bool, !torch.optional<tuple<int, int>>
    } else {
      torch.prim.If.yield %false, %2 : !torch.bool, !torch.optional<tuple<int, int>>
    }
    %5 = torch.prim.If %4#0 -> (!torch.int) {
      %6 = torch.prim.unchecked_cast %4#1 : !torch.optional<tuple<int, int>> -> !torch.tuple<int, int>
      %7 = torch.prim.TupleIndex %6, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
      torch.prim.If.yield %7 : !torch.int
    } else {
      torch.prim.If.yield %arg3 : !torch.int
    }
    torch.prim.Loop.condition %true, iter(%5 : !torch.int)
  } : (!torch.int, !torch.bool, !torch.int) -> !torch.int
  return %1 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.padding.check_wraps(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.int) -> !torch.none {
  %int1 = torch.constant.int 1
  %int2 = torch.constant.int 2
  %true = torch.constant.bool true
  %str = torch.constant.str "padding must come from the input: at most {} of size {}, got {}"
  %none = torch.constant.none
  %0 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
  %1 = torch.aten.floordiv.int %0, %int2 : !torch.int, !torch.int -> !torch.int
  %2 = call @__torch__.torch_refine.abstract_interp_lib.rules.windows.check_batched_or_not(%arg0, %1) : (!torch.list<int>, !torch.int) -> !torch.none
  %3 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
  torch.prim.Loop %3, %true, init() {
  ^bb0(%arg3: !torch.int):
    %4 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
    %5 = torch.aten.sub.int %4, %int1 : !torch.int, !torch.int -> !torch.int
    %6 = torch.aten.floordiv.int %arg3, %int2 : !torch.int, !torch.int -> !torch.int
    %7 = torch.aten.sub.int %5, %6 : !torch.int, !torch.int -> !torch.int
    %8 = torch.aten.__getitem__.t %arg0, %7 : !torch.list<int>, !torch.int -> !torch.int
    %9 = torch.aten.__getitem__.t %arg1, %arg3 : !torch.list<int>, !torch.int -> !torch.int
    %10 = torch.aten.sub.int %8, %arg2 : !torch.int, !torch.int -> !torch.int
    %11 = torch.aten.le.int %9, %10 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If %11 -> () {
      torch.prim.If.yield
    } else {
      %12 = torch.aten.sub.int %8, %arg2 : !torch.int, !torch.int -> !torch.int
      %13 = torch.aten.format(%str, %12, %8, %arg1) : !torch.str, !torch.int, !torch.int, !torch.list<int> -> !torch.str
      torch.prim.RaiseException %13, %none : !torch.str, !torch.none
      torch.prim.If.yield
    }
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  return %none : !torch.none
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.padding.padded(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %int0 = torch.constant.int 0
  %int2 = torch.constant.int 2
  %str = torch.constant.str "pad must hold pairs, got {}"
  %none = torch.constant.none
  %str_0 = torch.constant.str "pad {} is for {} dimensions, more than shape {} has"
  %true = torch.constant.bool true
  %str_1 = torch.constant.str "pad {} leaves less than nothing of shape {}"
  %0 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
  %1 = torch.aten.floordiv.int %0, %int2 : !torch.int, !torch.int -> !torch.int
  %2 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
  %3 = torch.aten.mul.int %int2, %1 : !torch.int, !torch.int -> !torch.int
  %4 = torch.aten.eq.int %2, %3 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %4 -> () {
    torch.prim.If.yield
  } else {
    %9 = torch.aten.format(%str, %arg1) : !torch.str, !torch.list<int> -> !torch.str
    torch.prim.RaiseException %9, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %5 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %6 = torch.aten.sub.int %5, %1 : !torch.int, !torch.int -> !torch.int
  %7 = torch.aten.ge.int %6, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %7 -> () {
    torch.prim.If.yield
  } else {
    %9 = torch.aten.format(%str_0, %arg1, %1, %arg0) : !torch.str, !torch.list<int>, !torch.int, !torch.list<int> -> !torch.str
    torch.prim.RaiseException %9, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %8 = torch.aten.slice.t %arg0, %none, %6, %int1 : !torch.list<int>, !torch.none, !torch.int, !torch.int -> !torch.list<int>
  torch.prim.Loop %1, %true, init() {
  ^bb0(%arg2: !torch.int):
    %9 = torch.aten.sub.int %1, %int1 : !torch.int, !torch.int -> !torch.int
    %10 = torch.aten.sub.int %9, %arg2 : !torch.int, !torch.int -> !torch.int
    %11 = torch.aten.mul.int %int2, %10 : !torch.int, !torch.int -> !torch.int
    %12 = torch.aten.add.int %6, %arg2 : !torch.int, !torch.int -> !torch.int
    %13 = torch.aten.__getitem__.t %arg0, %12 : !torch.list<int>, !torch.int -> !torch.int
    %14 = torch.aten.__getitem__.t %arg1, %11 : !torch.list<int>, !torch.int -> !torch.int
    %15 = torch.aten.add.int %13, %14 : !torch.int, !torch.int -> !torch.int
    %16 = torch.aten.add.int %11, %int1 : !torch.int, !torch.int -> !torch.int
    %17 = torch.aten.__getitem__.t %arg1, %16 : !torch.list<int>, !torch.int -> !torch.int
    %18 = torch.aten.add.int %15, %17 : !torch.int, !torch.int -> !torch.int
    %19 = torch.aten.ge.int %18, %int0 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If %19 -> () {
      torch.prim.If.yield
    } else {
      %21 = torch.aten.format(%str_1, %arg1, %arg0) : !torch.str, !torch.list<int>, !torch.list<int> -> !torch.str
      torch.prim.RaiseException %21, %none : !torch.str, !torch.none
      torch.prim.If.yield
    }
    %20 = torch.aten.append.t %8, %18 : !torch.list<int>, !torch.int -> !torch.list<int>
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  return %8 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.padding.spatially_padded(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.int) -> !torch.list<int> {
  %int2 = torch.constant.int 2
  %str = torch.constant.str "padding must have {} entries, got {}"
  %none = torch.constant.none
  %0 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
  %1 = torch.aten.mul.int %int2, %arg2 : !torch.int, !torch.int -> !torch.int
  %2 = torch.aten.eq.int %0, %1 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %2 -> () {
    torch.prim.If.yield
  } else {
    %5 = torch.aten.mul.int %int2, %arg2 : !torch.int, !torch.int -> !torch.int
    %6 = torch.aten.format(%str, %5, %arg1) : !torch.str, !torch.int, !torch.list<int> -> !torch.str
    torch.prim.RaiseException %6, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %3 = call @__torch__.torch_refine.abstract_interp_lib.rules.windows.check_batched_or_not(%arg0, %arg2) : (!torch.list<int>, !torch.int) -> !torch.none
  %4 = call @__torch__.torch_refine.abstract_interp_lib.rules.padding.padded(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %4 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.always_bool() -> !torch.int {
  %int11 = torch.constant.int 11
  return %int11 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.broadcast.broadcast_two(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.dtype_of_input(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %int1 = torch.constant.int 1
  %0 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.dtype_of_other(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %int1 = torch.constant.int 1
  %0 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_number_tensor(%arg0: !torch.number, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.promotion.promote_with_number(%arg1, %arg0) : (!torch.tuple<int, int>, !torch.number) -> !torch.int
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.promotion.int_to_float(%0) : (!torch.int) -> !torch.int
  return %1 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %int1 = torch.constant.int 1
  %0 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.promotion.int_to_float(%0) : (!torch.int) -> !torch.int
  return %1 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_tensor_number(%arg0: !torch.tuple<int, int>, %arg1: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.promotion.promote_with_number(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.number) -> !torch.int
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.promotion.int_to_float(%0) : (!torch.int) -> !torch.int
  return %1 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_tensors(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.promotion.promote_two(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.promotion.int_to_float(%0) : (!torch.int) -> !torch.int
  return %1 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.promote_number_tensor(%arg0: !torch.number, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.promotion.promote_with_number(%arg1, %arg0) : (!torch.tuple<int, int>, !torch.number) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.promote_tensor_number(%arg0: !torch.tuple<int, int>, %arg1: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.promotion.promote_with_number(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.number) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.promote_tensors(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.promotion.promote_two(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.real_of_self(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %int1 = torch.constant.int 1
  %0 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.complex.real_dtype(%0) : (!torch.int) -> !torch.int
  return %1 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.same_as_input(%arg0: !torch.list<int>) -> !torch.list<int> {
  return %arg0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.same_as_other(%arg0: !torch.list<int>) -> !torch.list<int> {
  return %arg0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.pooling.pooled(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.list<int>, %arg3: !torch.list<int>, %arg4: !torch.list<int>, %arg5: !torch.list<int>, %arg6: !torch.bool) -> !torch.list<int> {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %none = torch.constant.none
  %true = torch.constant.bool true
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.windows.check_batched_or_not(%arg0, %arg1) : (!torch.list<int>, !torch.int) -> !torch.none
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.windows.per_dimension(%arg2, %arg1) : (!torch.list<int>, !torch.int) -> !torch.list<int>
  %2 = torch.aten.len.t %arg3 : !torch.list<int> -> !torch.int
  %3 = torch.aten.gt.int %2, %int0 : !torch.int, !torch.int -> !torch.bool
  %4 = torch.prim.If %3 -> (!torch.list<int>) {
    torch.prim.If.yield %arg3 : !torch.list<int>
  } else {
    torch.prim.If.yield %arg2 : !torch.list<int>
  }
  %5 = call @__torch__.torch_refine.abstract_interp_lib.rules.windows.per_dimension(%4, %arg1) : (!torch.list<int>, !torch.int) -> !torch.list<int>
  %6 = call @__torch__.torch_refine.abstract_interp_lib.rules.windows.per_dimension(%arg4, %arg1) : (!torch.list<int>, !torch.int) -> !torch.list<int>
  %7 = call @__torch__.torch_refine.abstract_interp_lib.rules.windows.per_dimension(%arg5, %arg1) : (!torch.list<int>, !torch.int) -> !torch.list<int>
  %8 = torch.aten.neg.int %arg1 : !torch.int -> !torch.int
  %9 = torch.aten.slice.t %arg0, %8, %none, %int1 : !torch.list<int>, !torch.int, !torch.none, !torch.int -> !torch.list<int>
  %10 = torch.aten.neg.int %arg1 : !torch.int -> !torch.int
  %11 = torch.aten.slice.t %arg0, %none, %10, %int1 : !torch.list<int>, !torch.none, !torch.int, !torch.int -> !torch.list<int>
  torch.prim.Loop %arg1, %true, init() {
  ^bb0(%arg7: !torch.int):
    %12 = torch.aten.__getitem__.t %9, %arg7 : !torch.list<int>, !torch.int -> !torch.int
    %13 = torch.aten.__getitem__.t %1, %arg7 : !torch.list<int>, !torch.int -> !torch.int
    %14 = torch.aten.__getitem__.t %5, %arg7 : !torch.list<int>, !torch.int -> !torch.int
    %15 = torch.aten.__getitem__.t %6, %arg7 : !torch.list<int>, !torch.int -> !torch.int
    %16 = torch.aten.__getitem__.t %7, %arg7 : !torch.list<int>, !torch.int -> !torch.int
    %17 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.pooling.pooled_size(%12, %13, %14, %15, %16, %arg6) : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int, !torch.bool) -> !torch.int
    %18 = torch.aten.append.t %11, %17 : !torch.list<int>, !torch.int -> !torch.list<int>
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  return %11 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.pooling.pooled_size(%arg0: !torch.int, %arg1: !torch.int, %arg2: !torch.int, %arg3: !torch.int, %arg4: !torch.int, %arg5: !torch.bool) -> !torch.int {
  %int1 = torch.constant.int 1
  %int2 = torch.constant.int 2
  %int0 = torch.constant.int 0
  %str = torch.constant.str "kernel_size must be positive, got {}"
  %none = torch.constant.none
  %str_0 = torch.constant.str "stride must be positive, got {}"
  %str_1 = torch.constant.str "dilation must be positive, got {}"
  %false = torch.constant.bool false
  %str_2 = torch.constant.str "padding must lie between 0 and half of kernel_size {}, got {}"
  %str_3 = torch.constant.str "a window that spans {} does not fit a size of {}"
  %0 = torch.aten.gt.int %arg1, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %0 -> () {
    torch.prim.If.yield
  } else {
    %13 = torch.aten.format(%str, %arg1) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %13, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %1 = torch.aten.gt.int %arg2, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %1 -> () {
    torch.prim.If.yield
  } else {
    %13 = torch.aten.format(%str_0, %arg2) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %13, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %2 = torch.aten.gt.int %arg4, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %2 -> () {
    torch.prim.If.yield
  } else {
    %13 = torch.aten.format(%str_1, %arg4) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %13, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %3 = torch.aten.ge.int %arg3, %int0 : !torch.int, !torch.int -> !torch.bool
  %4 = torch.prim.If %3 -> (!torch.bool) {
    %13 = torch.aten.mul.int %int2, %arg3 : !torch.int, !torch.int -> !torch.int
    %14 = torch.aten.le.int %13, %arg1 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If.yield %14 : !torch.bool
  } else {
    torch.prim.If.yield %false : !torch.bool
  }
  torch.prim.If %4 -> () {
    torch.prim.If.yield
  } else {
    %13 = torch.aten.format(%str_2, %arg1, %arg3) : !torch.str, !torch.int, !torch.int -> !torch.str
    torch.prim.RaiseException %13, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %5 = torch.aten.sub.int %arg1, %int1 : !torch.int, !torch.int -> !torch.int
  %6 = torch.aten.mul.int %arg4, %5 : !torch.int, !torch.int -> !torch.int
  %7 = torch.aten.add.int %6, %int1 : !torch.int, !torch.int -> !torch.int
  %8 = torch.aten.mul.int %int2, %arg3 : !torch.int, !torch.int -> !torch.int
  %9 = torch.aten.add.int %arg0, %8 : !torch.int, !torch.int -> !torch.int
  %10 = torch.aten.sub.int %9, %7 : !torch.int, !torch.int -> !torch.int
  %11 = torch.prim.If %arg5 -> (!torch.int) {
    %13 = torch.aten.add.int %10, %arg2 : !torch.int, !torch.int -> !torch.int
    %14 = torch.aten.sub.int %13, %int1 : !torch.int, !torch.int -> !torch.int
    %15 = torch.aten.floordiv.int %14, %arg2 : !torch.int, !torch.int -> !torch.int
    %16 = torch.aten.add.int %arg0, %arg3 : !torch.int, !torch.int -> !torch.int
    %17 = torch.aten.sub.int %16, %int1 : !torch.int, !torch.int -> !torch.int
    %18 = torch.aten.floordiv.int %17, %arg2 : !torch.int, !torch.int -> !torch.int
    %19 = torch.prim.min.int %15, %18 : !torch.int, !torch.int -> !torch.int
    %20 = torch.aten.add.int %19, %int1 : !torch.int, !torch.int -> !torch.int
    torch.prim.If.yield %20 : !torch.int
  } else {
    %13 = torch.aten.floordiv.int %10, %arg2 : !torch.int, !torch.int -> !torch.int
    %14 = torch.aten.add.int %13, %int1 : !torch.int, !torch.int -> !torch.int
    torch.prim.If.yield %14 : !torch.int
  }
  %12 = torch.aten.gt.int %11, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %12 -> () {
    torch.prim.If.yield
  } else {
    %13 = torch.aten.format(%str_3, %7, %arg0) : !torch.str, !torch.int, !torch.int -> !torch.str
    torch.prim.RaiseException %13, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  return %11 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.pooling.resized(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.list<int>) -> !torch.list<int> {
  %int0 = torch.constant.int 0
  %str = torch.constant.str "the input needs at least {} dimensions, got shape {}"
  %none = torch.constant.none
  %str_0 = torch.constant.str "output_size must have {} entries, got {}"
  %true = torch.constant.bool true
  %str_1 = torch.constant.str "output_size must not be negative, got {}"
  %int1 = torch.constant.int 1
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = torch.aten.ge.int %0, %arg1 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %1 -> () {
    torch.prim.If.yield
  } else {
    %8 = torch.aten.format(%str, %arg1, %arg0) : !torch.str, !torch.int, !torch.list<int> -> !torch.str
    torch.prim.RaiseException %8, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %2 = torch.aten.len.t %arg2 : !torch.list<int> -> !torch.int
  %3 = torch.aten.eq.int %2, %arg1 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %3 -> () {
    torch.prim.If.yield
  } else {
    %8 = torch.aten.format(%str_0, %arg1, %arg2) : !torch.str, !torch.int, !torch.list<int> -> !torch.str
    torch.prim.RaiseException %8, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %4 = torch.aten.len.t %arg2 : !torch.list<int> -> !torch.int
  torch.prim.Loop %4, %true, init() {
  ^bb0(%arg3: !torch.int):
    %8 = torch.aten.__getitem__.t %arg2, %arg3 : !torch.list<int>, !torch.int -> !torch.int
    %9 = torch.aten.ge.int %8, %int0 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If %9 -> () {
      torch.prim.If.yield
    } else {
      %10 = torch.aten.format(%str_1, %arg2) : !torch.str, !torch.list<int> -> !torch.str
      torch.prim.RaiseException %10, %none : !torch.str, !torch.none
      torch.prim.If.yield
    }
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  %5 = torch.aten.neg.int %arg1 : !torch.int -> !torch.int
  %6 = torch.aten.slice.t %arg0, %none, %5, %int1 : !torch.list<int>, !torch.none, !torch.int, !torch.int -> !torch.list<int>
  %7 = torch.aten.add.t %6, %arg2 : !torch.list<int>, !torch.list<int> -> !torch.list<int>
  return %7 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.pooling.unpooled(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.int, %arg3: !torch.list<int>) -> !torch.list<int> {
  %str = torch.constant.str "indices {} must have the shape of the input {}"
  %none = torch.constant.none
  %true = torch.constant.bool true
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.windows.check_batched_or_not(%arg0, %arg2) : (!torch.list<int>, !torch.int) -> !torch.none
  %1 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %2 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
  %3 = torch.aten.eq.int %1, %2 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %3 -> () {
    torch.prim.If.yield
  } else {
    %6 = torch.aten.format(%str, %arg1, %arg0) : !torch.str, !torch.list<int>, !torch.list<int> -> !torch.str
    torch.prim.RaiseException %6, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %4 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  torch.prim.Loop %4, %true, init() {
  ^bb0(%arg4: !torch.int):
    %6 = torch.aten.__getitem__.t %arg0, %arg4 : !torch.list<int>, !torch.int -> !torch.int
    %7 = torch.aten.__getitem__.t %arg1, %arg4 : !torch.list<int>, !torch.int -> !torch.int
    %8 = torch.aten.eq.int %6, %7 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If %8 -> () {
      torch.prim.If.yield
    } else {
      %9 = torch.aten.format(%str, %arg1, %arg0) : !torch.str, !torch.list<int>, !torch.list<int> -> !torch.str
      torch.prim.RaiseException %9, %none : !torch.str, !torch.none
      torch.prim.If.yield
    }
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  %5 = call @__torch__.torch_refine.abstract_interp_lib.rules.pooling.resized(%arg0, %arg2, %arg3) : (!torch.list<int>, !torch.int, !torch.list<int>) -> !torch.list<int>
  return %5 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.promotion.bool_to_int(%arg0: !torch.int) -> !torch.int {
  %int4 = torch.constant.int 4
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.promotion.is_integral(%arg0) : (!torch.int) -> !torch.bool
  %1 = torch.prim.If %0 -> (!torch.int) {
    torch.prim.If.yield %int4 : !torch.int
  } else {
    torch.prim.If.yield %arg0 : !torch.int
  }
  return %1 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.promotion.int_to_float(%arg0: !torch.int) -> !torch.int {
  %int6 = torch.constant.int 6
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.promotion.is_integral(%arg0) : (!torch.int) -> !torch.bool
  %1 = torch.prim.If %0 -> (!torch.int) {
    torch.prim.If.yield %int6 : !torch.int
  } else {
    torch.prim.If.yield %arg0 : !torch.int
  }
  return %1 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.promotion.is_complex(%arg0: !torch.int) -> !torch.bool {
  %int8 = torch.constant.int 8
  %int9 = torch.constant.int 9
  %int10 = torch.constant.int 10
  %0 = torch.prim.ListConstruct %int8, %int9, %int10 : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %1 = torch.aten.__contains__.int_list %0, %arg0 : !torch.list<int>, !torch.int -> !torch.bool
  return %1 : !torch.bool
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.promotion.is_integral(%arg0: !torch.int) -> !torch.bool {
  %int11 = torch.constant.int 11
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %int2 = torch.constant.int 2
  %int3 = torch.constant.int 3
  %int4 = torch.constant.int 4
  %int27 = torch.constant.int 27
  %int28 = torch.constant.int 28
  %int29 = torch.constant.int 29
  %0 = torch.prim.ListConstruct %int11, %int0, %int1, %int2, %int3, %int4, %int27, %int28, %int29 : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %1 = torch.aten.__contains__.int_list %0, %arg0 : !torch.list<int>, !torch.int -> !torch.bool
  return %1 : !torch.bool
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.promotion.promote_list(%arg0: !torch.list<tuple<int, int>>) -> !torch.int {
  %int1 = torch.constant.int 1
  %int0 = torch.constant.int 0
  %true = torch.constant.bool true
  %0 = torch.prim.ListConstruct  : () -> !torch.list<optional<int>>
  %1 = torch.prim.ListConstruct  : () -> !torch.list<int>
  %2 = torch.aten.len.t %arg0 : !torch.list<tuple<int, int>> -> !torch.int
  torch.prim.Loop %2, %true, init() {
  ^bb0(%arg1: !torch.int):
    %4 = torch.aten.__getitem__.t %arg0, %arg1 : !torch.list<tuple<int, int>>, !torch.int -> !torch.tuple<int, int>
    %5 = torch.prim.TupleIndex %4, %int0 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %6 = torch.derefine %5 : !torch.int to !torch.optional<int>
    %7 = torch.aten.append.t %0, %6 : !torch.list<optional<int>>, !torch.optional<int> -> !torch.list<optional<int>>
    %8 = torch.prim.TupleIndex %4, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %9 = torch.aten.append.t %1, %8 : !torch.list<int>, !torch.int -> !torch.list<int>
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  %3 = torch.promote_dtypes %0, %1 : (!torch.list<optional<int>>, !torch.list<int>) -> !torch.int
  return %3 : !torch.int
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
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.promotion.promote_with_number(%arg0: !torch.tuple<int, int>, %arg1: !torch.number) -> !torch.int {
  %int1 = torch.constant.int 1
  %int0 = torch.constant.int 0
  %none = torch.constant.none
  %0 = torch.prim.TupleIndex %arg0, %int0 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %1 = torch.derefine %0 : !torch.int to !torch.optional<int>
  %2 = torch.derefine %none : !torch.none to !torch.optional<int>
  %3 = torch.prim.ListConstruct %1, %2 : (!torch.optional<int>, !torch.optional<int>) -> !torch.list<optional<int>>
  %4 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %5 = torch.operator "torch_refine.dtype_of_number"(%arg1) : (!torch.number) -> !torch.int 
  %6 = torch.prim.ListConstruct %4, %5 : (!torch.int, !torch.int) -> !torch.list<int>
  %7 = torch.promote_dtypes %3, %6 : (!torch.list<optional<int>>, !torch.list<int>) -> !torch.int
  return %7 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.reduction.check_not_empty(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.none {
  %int0 = torch.constant.int 0
  %true = torch.constant.bool true
  %str = torch.constant.str "nothing can be taken out of dimension {} of size 0 of shape {}"
  %none = torch.constant.none
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  torch.prim.Loop %0, %true, init() {
  ^bb0(%arg2: !torch.int):
    %1 = torch.aten.__contains__.int_list %arg1, %arg2 : !torch.list<int>, !torch.int -> !torch.bool
    %2 = torch.aten.__not__ %1 : !torch.bool -> !torch.bool
    %3 = torch.prim.If %2 -> (!torch.bool) {
      torch.prim.If.yield %true : !torch.bool
    } else {
      %4 = torch.aten.__getitem__.t %arg0, %arg2 : !torch.list<int>, !torch.int -> !torch.int
      %5 = torch.aten.ne.int %4, %int0 : !torch.int, !torch.int -> !torch.bool
      torch.prim.If.yield %5 : !torch.bool
    }
    torch.prim.If %3 -> () {
      torch.prim.If.yield
    } else {
      %4 = torch.aten.format(%str, %arg2, %arg0) : !torch.str, !torch.int, !torch.list<int> -> !torch.str
      torch.prim.RaiseException %4, %none : !torch.str, !torch.none
      torch.prim.If.yield
    }
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  return %none : !torch.none
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.reduction.dim_or_all(%arg0: !torch.optional<int>, %arg1: !torch.int) -> !torch.list<int> {
  %none = torch.constant.none
  %true = torch.constant.bool true
  %0 = torch.aten.__is__ %arg0, %none : !torch.optional<int>, !torch.none -> !torch.bool
  %1 = torch.prim.If %0 -> (!torch.list<int>) {
    %2 = torch.prim.ListConstruct  : () -> !torch.list<int>
    torch.prim.Loop %arg1, %true, init() {
    ^bb0(%arg2: !torch.int):
      %3 = torch.aten.append.t %2, %arg2 : !torch.list<int>, !torch.int -> !torch.list<int>
      torch.prim.Loop.condition %true, iter()
    } : (!torch.int, !torch.bool) -> ()
    torch.prim.If.yield %2 : !torch.list<int>
  } else {
    %2 = torch.prim.unchecked_cast %arg0 : !torch.optional<int> -> !torch.int
    %3 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.dims.wrap_dim(%2, %arg1) : (!torch.int, !torch.int) -> !torch.int
    %4 = torch.prim.ListConstruct %3 : (!torch.int) -> !torch.list<int>
    torch.prim.If.yield %4 : !torch.list<int>
  }
  return %1 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.reduction.dims_or_all(%arg0: !torch.optional<list<int>>, %arg1: !torch.int) -> !torch.list<int> {
  %int0 = torch.constant.int 0
  %none = torch.constant.none
  %true = torch.constant.bool true
  %0 = torch.prim.ListConstruct  : () -> !torch.list<int>
  %1 = torch.aten.__isnot__ %arg0, %none : !torch.optional<list<int>>, !torch.none -> !torch.bool
  %2 = torch.prim.If %1 -> (!torch.list<int>) {
    %6 = torch.prim.unchecked_cast %arg0 : !torch.optional<list<int>> -> !torch.list<int>
    torch.prim.If.yield %6 : !torch.list<int>
  } else {
    torch.prim.If.yield %0 : !torch.list<int>
  }
  %3 = torch.aten.len.t %2 : !torch.list<int> -> !torch.int
  %4 = torch.aten.eq.int %3, %int0 : !torch.int, !torch.int -> !torch.bool
  %5 = torch.prim.If %4 -> (!torch.list<int>) {
    %6 = torch.prim.ListConstruct  : () -> !torch.list<int>
    torch.prim.Loop %arg1, %true, init() {
    ^bb0(%arg2: !torch.int):
      %7 = torch.aten.append.t %6, %arg2 : !torch.list<int>, !torch.int -> !torch.list<int>
      torch.prim.Loop.condition %true, iter()
    } : (!torch.int, !torch.bool) -> ()
    torch.prim.If.yield %6 : !torch.list<int>
  } else {
    %6 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.dims.wrap_dims(%2, %arg1) : (!torch.list<int>, !torch.int) -> !torch.list<int>
    torch.prim.If.yield %6 : !torch.list<int>
  }
  return %5 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.reduction.dtype_and_index(%arg0: !torch.tuple<int, int>) -> !torch.tuple<int, int> {
  %int1 = torch.constant.int 1
  %int4 = torch.constant.int 4
  %0 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %1 = torch.prim.TupleConstruct %0, %int4 : !torch.int, !torch.int -> !torch.tuple<int, int>
  return %1 : !torch.tuple<int, int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.reduction.float_dtype(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %int1 = torch.constant.int 1
  %0 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.promotion.int_to_float(%0) : (!torch.int) -> !torch.int
  return %1 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.reduction.int64_dtype(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %int4 = torch.constant.int 4
  return %int4 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.reduction.mean_dtype(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<int>) -> !torch.int {
  %int1 = torch.constant.int 1
  %none = torch.constant.none
  %str = torch.constant.str "a mean needs a floating or complex dtype, got {}"
  %0 = torch.aten.__is__ %arg1, %none : !torch.optional<int>, !torch.none -> !torch.bool
  %1 = torch.prim.If %0 -> (!torch.int) {
    %4 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    torch.prim.If.yield %4 : !torch.int
  } else {
    %4 = torch.prim.unchecked_cast %arg1 : !torch.optional<int> -> !torch.int
    torch.prim.If.yield %4 : !torch.int
  }
  %2 = call @__torch__.torch_refine.abstract_interp_lib.rules.promotion.is_integral(%1) : (!torch.int) -> !torch.bool
  %3 = torch.aten.__not__ %2 : !torch.bool -> !torch.bool
  torch.prim.If %3 -> () {
    torch.prim.If.yield
  } else {
    %4 = torch.aten.format(%str, %1) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %4, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  return %1 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.reduction.norm_dtype(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %int1 = torch.constant.int 1
  %str = torch.constant.str "a norm needs a floating or complex tensor, got dtype {}"
  %none = torch.constant.none
  %0 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.promotion.is_integral(%0) : (!torch.int) -> !torch.bool
  %2 = torch.aten.__not__ %1 : !torch.bool -> !torch.bool
  torch.prim.If %2 -> () {
    torch.prim.If.yield
  } else {
    %5 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %6 = torch.aten.format(%str, %5) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %6, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %3 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %4 = call @__torch__.torch_refine.abstract_interp_lib.rules.complex.real_dtype(%3) : (!torch.int) -> !torch.int
  return %4 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.reduction.norm_dtype_as(%arg0: !torch.tuple<int, int>, %arg1: !torch.int) -> !torch.int {
  %int1 = torch.constant.int 1
  %false = torch.constant.bool false
  %str = torch.constant.str "a norm needs floating or complex dtypes, got {} and {}"
  %none = torch.constant.none
  %str_0 = torch.constant.str "dtypes must both be complex or both be real, got {} and {}"
  %0 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.promotion.is_integral(%0) : (!torch.int) -> !torch.bool
  %2 = torch.aten.__not__ %1 : !torch.bool -> !torch.bool
  %3 = torch.prim.If %2 -> (!torch.bool) {
    %9 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.promotion.is_integral(%arg1) : (!torch.int) -> !torch.bool
    %10 = torch.aten.__not__ %9 : !torch.bool -> !torch.bool
    torch.prim.If.yield %10 : !torch.bool
  } else {
    torch.prim.If.yield %false : !torch.bool
  }
  torch.prim.If %3 -> () {
    torch.prim.If.yield
  } else {
    %9 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %10 = torch.aten.format(%str, %9, %arg1) : !torch.str, !torch.int, !torch.int -> !torch.str
    torch.prim.RaiseException %10, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %4 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %5 = call @__torch__.torch_refine.abstract_interp_lib.rules.promotion.is_complex(%4) : (!torch.int) -> !torch.bool
  %6 = call @__torch__.torch_refine.abstract_interp_lib.rules.promotion.is_complex(%arg1) : (!torch.int) -> !torch.bool
  %7 = torch.aten.eq.bool %5, %6 : !torch.bool, !torch.bool -> !torch.bool
  torch.prim.If %7 -> () {
    torch.prim.If.yield
  } else {
    %9 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %10 = torch.aten.format(%str_0, %9, %arg1) : !torch.str, !torch.int, !torch.int -> !torch.str
    torch.prim.RaiseException %10, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %8 = call @__torch__.torch_refine.abstract_interp_lib.rules.complex.real_dtype(%arg1) : (!torch.int) -> !torch.int
  return %8 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.reduction.norm_dtype_in(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<int>) -> !torch.int {
  %none = torch.constant.none
  %0 = torch.aten.__is__ %arg1, %none : !torch.optional<int>, !torch.none -> !torch.bool
  %1 = torch.prim.If %0 -> (!torch.int) {
    %2 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.norm_dtype(%arg0) : (!torch.tuple<int, int>) -> !torch.int
    torch.prim.If.yield %2 : !torch.int
  } else {
    %2 = torch.prim.unchecked_cast %arg1 : !torch.optional<int> -> !torch.int
    %3 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.norm_dtype_as(%arg0, %2) : (!torch.tuple<int, int>, !torch.int) -> !torch.int
    torch.prim.If.yield %3 : !torch.int
  }
  return %1 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.reduction.reduce_all(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = torch.prim.ListConstruct  : () -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.reduction.reduce_dim(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.bool) -> !torch.list<int> {
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.wrap_dim(%arg1, %0) : (!torch.int, !torch.int) -> !torch.int
  %2 = torch.prim.ListConstruct %1 : (!torch.int) -> !torch.list<int>
  %3 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.remove_dims(%arg0, %2, %arg2) : (!torch.list<int>, !torch.list<int>, !torch.bool) -> !torch.list<int>
  return %3 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.reduction.reduce_dims(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.bool) -> !torch.list<int> {
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = torch.derefine %arg1 : !torch.list<int> to !torch.optional<list<int>>
  %2 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.dims_or_all(%1, %0) : (!torch.optional<list<int>>, !torch.int) -> !torch.list<int>
  %3 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.remove_dims(%arg0, %2, %arg2) : (!torch.list<int>, !torch.list<int>, !torch.bool) -> !torch.list<int>
  return %3 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.reduction.reduce_optional_dims(%arg0: !torch.list<int>, %arg1: !torch.optional<list<int>>, %arg2: !torch.bool) -> !torch.list<int> {
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.dims_or_all(%arg1, %0) : (!torch.optional<list<int>>, !torch.int) -> !torch.list<int>
  %2 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.remove_dims(%arg0, %1, %arg2) : (!torch.list<int>, !torch.list<int>, !torch.bool) -> !torch.list<int>
  return %2 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.reduction.remove_dims(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.bool) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %true = torch.constant.bool true
  %0 = torch.prim.If %arg2 -> (!torch.list<int>) {
    %1 = torch.prim.ListConstruct  : () -> !torch.list<int>
    %2 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
    torch.prim.Loop %2, %true, init() {
    ^bb0(%arg3: !torch.int):
      %3 = torch.aten.__contains__.int_list %arg1, %arg3 : !torch.list<int>, !torch.int -> !torch.bool
      %4 = torch.prim.If %3 -> (!torch.int) {
        torch.prim.If.yield %int1 : !torch.int
      } else {
        %6 = torch.aten.__getitem__.t %arg0, %arg3 : !torch.list<int>, !torch.int -> !torch.int
        torch.prim.If.yield %6 : !torch.int
      }
      %5 = torch.aten.append.t %1, %4 : !torch.list<int>, !torch.int -> !torch.list<int>
      torch.prim.Loop.condition %true, iter()
    } : (!torch.int, !torch.bool) -> ()
    torch.prim.If.yield %1 : !torch.list<int>
  } else {
    %1 = torch.prim.ListConstruct  : () -> !torch.list<int>
    %2 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
    torch.prim.Loop %2, %true, init() {
    ^bb0(%arg3: !torch.int):
      %3 = torch.aten.__contains__.int_list %arg1, %arg3 : !torch.list<int>, !torch.int -> !torch.bool
      %4 = torch.aten.__not__ %3 : !torch.bool -> !torch.bool
      torch.prim.If %4 -> () {
        %5 = torch.aten.__getitem__.t %arg0, %arg3 : !torch.list<int>, !torch.int -> !torch.int
        %6 = torch.aten.append.t %1, %5 : !torch.list<int>, !torch.int -> !torch.list<int>
        torch.prim.If.yield
      } else {
        torch.prim.If.yield
      }
      torch.prim.Loop.condition %true, iter()
    } : (!torch.int, !torch.bool) -> ()
    torch.prim.If.yield %1 : !torch.list<int>
  }
  return %0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.reduction.sum_dtype(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<int>) -> !torch.int {
  %int1 = torch.constant.int 1
  %none = torch.constant.none
  %0 = torch.aten.__is__ %arg1, %none : !torch.optional<int>, !torch.none -> !torch.bool
  %1 = torch.prim.If %0 -> (!torch.int) {
    %2 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %3 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.promotion.bool_to_int(%2) : (!torch.int) -> !torch.int
    torch.prim.If.yield %3 : !torch.int
  } else {
    %2 = torch.prim.unchecked_cast %arg1 : !torch.optional<int> -> !torch.int
    torch.prim.If.yield %2 : !torch.int
  }
  return %1 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.reduction.truth_dtype(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %int1 = torch.constant.int 1
  %int0 = torch.constant.int 0
  %int11 = torch.constant.int 11
  %0 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %1 = torch.aten.eq.int %0, %int0 : !torch.int, !torch.int -> !torch.bool
  %2 = torch.prim.If %1 -> (!torch.int) {
    torch.prim.If.yield %int0 : !torch.int
  } else {
    torch.prim.If.yield %int11 : !torch.int
  }
  return %2 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.reduction.variance_and_mean_dtype(%arg0: !torch.tuple<int, int>) -> !torch.tuple<int, int> {
  %int1 = torch.constant.int 1
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.variance_dtype(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  %1 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %2 = torch.prim.TupleConstruct %0, %1 : !torch.int, !torch.int -> !torch.tuple<int, int>
  return %2 : !torch.tuple<int, int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.reduction.variance_dtype(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %int1 = torch.constant.int 1
  %str = torch.constant.str "a variance needs a floating or complex tensor, got dtype {}"
  %none = torch.constant.none
  %0 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.promotion.is_integral(%0) : (!torch.int) -> !torch.bool
  %2 = torch.aten.__not__ %1 : !torch.bool -> !torch.bool
  torch.prim.If %2 -> () {
    torch.prim.If.yield
  } else {
    %5 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %6 = torch.aten.format(%str, %5) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %6, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %3 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %4 = call @__torch__.torch_refine.abstract_interp_lib.rules.complex.real_dtype(%3) : (!torch.int) -> !torch.int
  return %4 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.sizes.ceil_divide(%arg0: !torch.int, %arg1: !torch.int) -> !torch.int {
  %int1 = torch.constant.int 1
  %0 = torch.aten.add.int %arg0, %arg1 : !torch.int, !torch.int -> !torch.int
  %1 = torch.aten.sub.int %0, %int1 : !torch.int, !torch.int -> !torch.int
  %2 = torch.aten.floordiv.int %1, %arg1 : !torch.int, !torch.int -> !torch.int
  return %2 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.sizes.clamp_bound(%arg0: !torch.int, %arg1: !torch.int) -> !torch.int {
  %int0 = torch.constant.int 0
  %0 = torch.aten.lt.int %arg0, %int0 : !torch.int, !torch.int -> !torch.bool
  %1 = torch.prim.If %0 -> (!torch.int) {
    %2 = torch.aten.add.int %arg0, %arg1 : !torch.int, !torch.int -> !torch.int
    %3 = torch.prim.max.int %2, %int0 : !torch.int, !torch.int -> !torch.int
    torch.prim.If.yield %3 : !torch.int
  } else {
    %2 = torch.prim.min.int %arg0, %arg1 : !torch.int, !torch.int -> !torch.int
    torch.prim.If.yield %2 : !torch.int
  }
  return %1 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.sizes.expand_size(%arg0: !torch.int, %arg1: !torch.int) -> !torch.int {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %int-1 = torch.constant.int -1
  %str = torch.constant.str "a size cannot be negative, apart from -1, got {}"
  %none = torch.constant.none
  %true = torch.constant.bool true
  %str_0 = torch.constant.str "a dimension of size {} cannot expand to {}"
  %0 = torch.aten.eq.int %arg1, %int-1 : !torch.int, !torch.int -> !torch.bool
  %1 = torch.prim.If %0 -> (!torch.int) {
    torch.prim.If.yield %arg0 : !torch.int
  } else {
    %2 = torch.aten.ge.int %arg1, %int0 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If %2 -> () {
      torch.prim.If.yield
    } else {
      %5 = torch.aten.format(%str, %arg1) : !torch.str, !torch.int -> !torch.str
      torch.prim.RaiseException %5, %none : !torch.str, !torch.none
      torch.prim.If.yield
    }
    %3 = torch.aten.eq.int %arg0, %int1 : !torch.int, !torch.int -> !torch.bool
    %4 = torch.prim.If %3 -> (!torch.bool) {
      torch.prim.If.yield %true : !torch.bool
    } else {
      %5 = torch.aten.eq.int %arg0, %arg1 : !torch.int, !torch.int -> !torch.bool
      torch.prim.If.yield %5 : !torch.bool
    }
    torch.prim.If %4 -> () {
      torch.prim.If.yield
    } else {
      %5 = torch.aten.format(%str_0, %arg0, %arg1) : !torch.str, !torch.int, !torch.int -> !torch.str
      torch.prim.RaiseException %5, %none : !torch.str, !torch.none
      torch.prim.If.yield
    }
    torch.prim.If.yield %arg1 : !torch.int
  }
  return %1 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.sizes.expand_sizes(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %int0 = torch.constant.int 0
  %str = torch.constant.str "shape {} cannot expand to the fewer dimensions of {}"
  %none = torch.constant.none
  %int1 = torch.constant.int 1
  %true = torch.constant.bool true
  %str_0 = torch.constant.str "a new dimension needs a size that is not negative, got {}"
  %0 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
  %1 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %2 = torch.aten.sub.int %0, %1 : !torch.int, !torch.int -> !torch.int
  %3 = torch.aten.ge.int %2, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %3 -> () {
    torch.prim.If.yield
  } else {
    %8 = torch.aten.format(%str, %arg0, %arg1) : !torch.str, !torch.list<int>, !torch.list<int> -> !torch.str
    torch.prim.RaiseException %8, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %4 = torch.aten.slice.t %arg1, %none, %2, %int1 : !torch.list<int>, !torch.none, !torch.int, !torch.int -> !torch.list<int>
  %5 = torch.aten.len.t %4 : !torch.list<int> -> !torch.int
  torch.prim.Loop %5, %true, init() {
  ^bb0(%arg2: !torch.int):
    %8 = torch.aten.__getitem__.t %4, %arg2 : !torch.list<int>, !torch.int -> !torch.int
    %9 = torch.aten.ge.int %8, %int0 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If %9 -> () {
      torch.prim.If.yield
    } else {
      %10 = torch.aten.format(%str_0, %arg1) : !torch.str, !torch.list<int> -> !torch.str
      torch.prim.RaiseException %10, %none : !torch.str, !torch.none
      torch.prim.If.yield
    }
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  %6 = torch.aten.slice.t %arg1, %none, %2, %int1 : !torch.list<int>, !torch.none, !torch.int, !torch.int -> !torch.list<int>
  %7 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  torch.prim.Loop %7, %true, init() {
  ^bb0(%arg2: !torch.int):
    %8 = torch.aten.__getitem__.t %arg0, %arg2 : !torch.list<int>, !torch.int -> !torch.int
    %9 = torch.aten.add.int %2, %arg2 : !torch.int, !torch.int -> !torch.int
    %10 = torch.aten.__getitem__.t %arg1, %9 : !torch.list<int>, !torch.int -> !torch.int
    %11 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.expand_size(%8, %10) : (!torch.int, !torch.int) -> !torch.int
    %12 = torch.aten.append.t %6, %11 : !torch.list<int>, !torch.int -> !torch.list<int>
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  return %6 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.sizes.missing_size(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.int {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %none = torch.constant.none
  %true = torch.constant.bool true
  %str = torch.constant.str "-1 could be anything beside a size of 0, got {}"
  %int-1 = torch.constant.int -1
  %str_0 = torch.constant.str "shape {} cannot be viewed as {}"
  %0 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
  %1 = torch.aten.slice.t %arg0, %0, %none, %int1 : !torch.list<int>, !torch.int, !torch.none, !torch.int -> !torch.list<int>
  %2 = call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.product(%1) : (!torch.list<int>) -> !torch.int
  %3 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
  %4:2 = torch.prim.Loop %3, %true, init(%2, %int1) {
  ^bb0(%arg2: !torch.int, %arg3: !torch.int, %arg4: !torch.int):
    %8 = torch.aten.__getitem__.t %arg1, %arg2 : !torch.list<int>, !torch.int -> !torch.int
    %9 = torch.aten.ne.int %8, %int0 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If %9 -> () {
      torch.prim.If.yield
    } else {
      %15 = torch.aten.format(%str, %arg1) : !torch.str, !torch.list<int> -> !torch.str
      torch.prim.RaiseException %15, %none : !torch.str, !torch.none
      torch.prim.If.yield
    }
    %10 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
    %11 = torch.aten.lt.int %arg2, %10 : !torch.int, !torch.int -> !torch.bool
    %12 = torch.prim.If %11 -> (!torch.int) {
      %15 = torch.aten.__getitem__.t %arg0, %arg2 : !torch.list<int>, !torch.int -> !torch.int
      torch.prim.If.yield %15 : !torch.int
    } else {
      torch.prim.If.yield %int1 : !torch.int
    }
    %13 = torch.aten.eq.int %8, %int-1 : !torch.int, !torch.int -> !torch.bool
    %14:2 = torch.prim.If %13 -> (!torch.int, !torch.int) {
      %15 = torch.aten.mul.int %arg3, %12 : !torch.int, !torch.int -> !torch.int
      torch.prim.If.yield %15, %arg4 : !torch.int, !torch.int
    } else {
      %15 = torch.aten.ne.int %8, %12 : !torch.int, !torch.int -> !torch.bool
      %16:2 = torch.prim.If %15 -> (!torch.int, !torch.int) {
        %17 = torch.aten.mul.int %arg3, %12 : !torch.int, !torch.int -> !torch.int
        %18 = torch.aten.mul.int %arg4, %8 : !torch.int, !torch.int -> !torch.int
        torch.prim.If.yield %17, %18 : !torch.int, !torch.int
      } else {
        torch.prim.If.yield %arg3, %arg4 : !torch.int, !torch.int
      }
      torch.prim.If.yield %16#0, %16#1 : !torch.int, !torch.int
    }
    torch.prim.Loop.condition %true, iter(%14#0, %14#1 : !torch.int, !torch.int)
  } : (!torch.int, !torch.bool, !torch.int, !torch.int) -> (!torch.int, !torch.int)
  %5 = torch.aten.remainder.int %4#0, %4#1 : !torch.int, !torch.int -> !torch.int
  %6 = torch.aten.eq.int %5, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %6 -> () {
    torch.prim.If.yield
  } else {
    %8 = torch.aten.format(%str_0, %arg0, %arg1) : !torch.str, !torch.list<int>, !torch.list<int> -> !torch.str
    torch.prim.RaiseException %8, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %7 = torch.aten.floordiv.int %4#0, %4#1 : !torch.int, !torch.int -> !torch.int
  return %7 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.sizes.product(%arg0: !torch.list<int>) -> !torch.int {
  %int1 = torch.constant.int 1
  %true = torch.constant.bool true
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = torch.prim.Loop %0, %true, init(%int1) {
  ^bb0(%arg1: !torch.int, %arg2: !torch.int):
    %2 = torch.aten.__getitem__.t %arg0, %arg1 : !torch.list<int>, !torch.int -> !torch.int
    %3 = torch.aten.mul.int %arg2, %2 : !torch.int, !torch.int -> !torch.int
    torch.prim.Loop.condition %true, iter(%3 : !torch.int)
  } : (!torch.int, !torch.bool, !torch.int) -> !torch.int
  return %1 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.sizes.put_for_missing(%arg0: !torch.list<int>, %arg1: !torch.int) -> !torch.list<int> {
  %true = torch.constant.bool true
  %int-1 = torch.constant.int -1
  %0 = torch.prim.ListConstruct  : () -> !torch.list<int>
  %1 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  torch.prim.Loop %1, %true, init() {
  ^bb0(%arg2: !torch.int):
    %2 = torch.aten.__getitem__.t %arg0, %arg2 : !torch.list<int>, !torch.int -> !torch.int
    %3 = torch.aten.eq.int %2, %int-1 : !torch.int, !torch.int -> !torch.bool
    %4 = torch.prim.If %3 -> (!torch.int) {
      torch.prim.If.yield %arg1 : !torch.int
    } else {
      torch.prim.If.yield %2 : !torch.int
    }
    %5 = torch.aten.append.t %0, %4 : !torch.list<int>, !torch.int -> !torch.list<int>
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  return %0 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.sizes.remove_size(%arg0: !torch.list<int>, %arg1: !torch.int) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %none = torch.constant.none
  %0 = torch.aten.slice.t %arg0, %none, %arg1, %int1 : !torch.list<int>, !torch.none, !torch.int, !torch.int -> !torch.list<int>
  %1 = torch.aten.add.int %arg1, %int1 : !torch.int, !torch.int -> !torch.int
  %2 = torch.aten.slice.t %arg0, %1, %none, %int1 : !torch.list<int>, !torch.int, !torch.none, !torch.int -> !torch.list<int>
  %3 = torch.aten.add.t %0, %2 : !torch.list<int>, !torch.list<int> -> !torch.list<int>
  return %3 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.sizes.replace_size(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.int) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %none = torch.constant.none
  %0 = torch.aten.slice.t %arg0, %none, %arg1, %int1 : !torch.list<int>, !torch.none, !torch.int, !torch.int -> !torch.list<int>
  %1 = torch.prim.ListConstruct %arg2 : (!torch.int) -> !torch.list<int>
  %2 = torch.aten.add.t %0, %1 : !torch.list<int>, !torch.list<int> -> !torch.list<int>
  %3 = torch.aten.add.int %arg1, %int1 : !torch.int, !torch.int -> !torch.int
  %4 = torch.aten.slice.t %arg0, %3, %none, %int1 : !torch.list<int>, !torch.int, !torch.none, !torch.int -> !torch.list<int>
  %5 = torch.aten.add.t %2, %4 : !torch.list<int>, !torch.list<int> -> !torch.list<int>
  return %5 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.sizes.slice_length(%arg0: !torch.int, %arg1: !torch.optional<int>, %arg2: !torch.optional<int>, %arg3: !torch.int) -> !torch.int {
  %int1 = torch.constant.int 1
  %int9223372036854775807 = torch.constant.int 9223372036854775807
  %int0 = torch.constant.int 0
  %str = torch.constant.str "the step of a slice must be positive, got {}"
  %none = torch.constant.none
  %false = torch.constant.bool false
  %0 = torch.aten.gt.int %arg3, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %0 -> () {
    torch.prim.If.yield
  } else {
    %11 = torch.aten.format(%str, %arg3) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %11, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %1 = torch.aten.__isnot__ %arg1, %none : !torch.optional<int>, !torch.none -> !torch.bool
  %2:2 = torch.prim.If %1 -> (!torch.bool, !torch.optional<int>) {
    %11 = torch.prim.unchecked_cast %arg1 : !torch.optional<int> -> !torch.int
    %12 = torch.aten.ne.int %11, %int0 : !torch.int, !torch.int -> !torch.bool
    %13 = torch.derefine %11 : !torch.int to !torch.optional<int>
    torch.prim.If.yield %12, %13 : !torch.bool, !torch.optional<int>
  } else {
    torch.prim.If.yield %false, %arg1 : !torch.bool, !torch.optional<int>
  }
  %3 = torch.prim.If %2#0 -> (!torch.int) {
    %11 = torch.prim.unchecked_cast %2#1 : !torch.optional<int> -> !torch.int
    %12 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.clamp_bound(%11, %arg0) : (!torch.int, !torch.int) -> !torch.int
    torch.prim.If.yield %12 : !torch.int
  } else {
    torch.prim.If.yield %int0 : !torch.int
  }
  %4 = torch.aten.__isnot__ %arg2, %none : !torch.optional<int>, !torch.none -> !torch.bool
  %5:2 = torch.prim.If %4 -> (!torch.bool, !torch.optional<int>) {
    %11 = torch.prim.unchecked_cast %arg2 : !torch.optional<int> -> !torch.int
    %12 = torch.aten.lt.int %11, %int9223372036854775807 : !torch.int, !torch.int -> !torch.bool
    %13 = torch.derefine %11 : !torch.int to !torch.optional<int>
    torch.prim.If.yield %12, %13 : !torch.bool, !torch.optional<int>
  } else {
    torch.prim.If.yield %false, %arg2 : !torch.bool, !torch.optional<int>
  }
  %6 = torch.prim.If %5#0 -> (!torch.int) {
    %11 = torch.prim.unchecked_cast %5#1 : !torch.optional<int> -> !torch.int
    %12 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.clamp_bound(%11, %arg0) : (!torch.int, !torch.int) -> !torch.int
    torch.prim.If.yield %12 : !torch.int
  } else {
    torch.prim.If.yield %arg0 : !torch.int
  }
  %7 = torch.aten.ne.int %3, %int0 : !torch.int, !torch.int -> !torch.bool
  %8 = torch.prim.If %7 -> (!torch.int) {
    %11 = torch.aten.sub.int %6, %3 : !torch.int, !torch.int -> !torch.int
    %12 = torch.prim.max.int %11, %int0 : !torch.int, !torch.int -> !torch.int
    torch.prim.If.yield %12 : !torch.int
  } else {
    torch.prim.If.yield %6 : !torch.int
  }
  %9 = torch.aten.ne.int %arg3, %int1 : !torch.int, !torch.int -> !torch.bool
  %10 = torch.prim.If %9 -> (!torch.int) {
    %11 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.ceil_divide(%8, %arg3) : (!torch.int, !torch.int) -> !torch.int
    torch.prim.If.yield %11 : !torch.int
  } else {
    torch.prim.If.yield %8 : !torch.int
  }
  return %10 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.sizes.view_sizes(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %int0 = torch.constant.int 0
  %true = torch.constant.bool true
  %int-1 = torch.constant.int -1
  %str = torch.constant.str "a size cannot be negative, apart from one -1, got {}"
  %none = torch.constant.none
  %str_0 = torch.constant.str "only one size can be -1, got {}"
  %str_1 = torch.constant.str "shape {} cannot be viewed as {}"
  %0 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
  %1 = torch.prim.Loop %0, %true, init(%int0) {
  ^bb0(%arg2: !torch.int, %arg3: !torch.int):
    %5 = torch.aten.__getitem__.t %arg1, %arg2 : !torch.list<int>, !torch.int -> !torch.int
    %6 = torch.aten.ge.int %5, %int-1 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If %6 -> () {
      torch.prim.If.yield
    } else {
      %9 = torch.aten.format(%str, %arg1) : !torch.str, !torch.list<int> -> !torch.str
      torch.prim.RaiseException %9, %none : !torch.str, !torch.none
      torch.prim.If.yield
    }
    %7 = torch.aten.eq.int %5, %int-1 : !torch.int, !torch.int -> !torch.bool
    %8 = torch.prim.If %7 -> (!torch.int) {
      %9 = torch.aten.add.int %arg3, %int1 : !torch.int, !torch.int -> !torch.int
      torch.prim.If.yield %9 : !torch.int
    } else {
      torch.prim.If.yield %arg3 : !torch.int
    }
    torch.prim.Loop.condition %true, iter(%8 : !torch.int)
  } : (!torch.int, !torch.bool, !torch.int) -> !torch.int
  %2 = torch.aten.le.int %1, %int1 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %2 -> () {
    torch.prim.If.yield
  } else {
    %5 = torch.aten.format(%str_0, %arg1) : !torch.str, !torch.list<int> -> !torch.str
    torch.prim.RaiseException %5, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %3 = torch.aten.eq.int %1, %int0 : !torch.int, !torch.int -> !torch.bool
  %4 = torch.prim.If %3 -> (!torch.list<int>) {
    %5 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.product(%arg0) : (!torch.list<int>) -> !torch.int
    %6 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.product(%arg1) : (!torch.list<int>) -> !torch.int
    %7 = torch.aten.eq.int %5, %6 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If %7 -> () {
      torch.prim.If.yield
    } else {
      %8 = torch.aten.format(%str_1, %arg0, %arg1) : !torch.str, !torch.list<int>, !torch.list<int> -> !torch.str
      torch.prim.RaiseException %8, %none : !torch.str, !torch.none
      torch.prim.If.yield
    }
    torch.prim.If.yield %arg1 : !torch.list<int>
  } else {
    %5 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.missing_size(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.int
    %6 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.put_for_missing(%arg1, %5) : (!torch.list<int>, !torch.int) -> !torch.list<int>
    torch.prim.If.yield %6 : !torch.list<int>
  }
  return %4 : !torch.list<int>
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.sizes.wrap_existing(%arg0: !torch.int, %arg1: !torch.int) -> !torch.int {
  %int0 = torch.constant.int 0
  %str = torch.constant.str "a zero-dim tensor has no dimension {}"
  %none = torch.constant.none
  %false = torch.constant.bool false
  %str_0 = torch.constant.str "dimension {} is out of range for rank {}"
  %0 = torch.aten.gt.int %arg1, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %0 -> () {
    torch.prim.If.yield
  } else {
    %5 = torch.aten.format(%str, %arg0) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %5, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %1 = torch.aten.neg.int %arg1 : !torch.int -> !torch.int
  %2 = torch.aten.le.int %1, %arg0 : !torch.int, !torch.int -> !torch.bool
  %3 = torch.prim.If %2 -> (!torch.bool) {
    %5 = torch.aten.lt.int %arg0, %arg1 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If.yield %5 : !torch.bool
  } else {
    torch.prim.If.yield %false : !torch.bool
  }
  torch.prim.If %3 -> () {
    torch.prim.If.yield
  } else {
    %5 = torch.aten.format(%str_0, %arg0, %arg1) : !torch.str, !torch.int, !torch.int -> !torch.str
    torch.prim.RaiseException %5, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %4 = torch.aten.remainder.int %arg0, %arg1 : !torch.int, !torch.int -> !torch.int
  return %4 : !torch.int
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.windows.check_batched_or_not(%arg0: !torch.list<int>, %arg1: !torch.int) -> !torch.none {
  %int2 = torch.constant.int 2
  %int1 = torch.constant.int 1
  %true = torch.constant.bool true
  %str = torch.constant.str "the input must have {} (unbatched) or {} (batched) dimensions, got shape {}"
  %none = torch.constant.none
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = torch.aten.add.int %arg1, %int1 : !torch.int, !torch.int -> !torch.int
  %2 = torch.aten.eq.int %0, %1 : !torch.int, !torch.int -> !torch.bool
  %3 = torch.prim.If %2 -> (!torch.bool) {
    torch.prim.If.yield %true : !torch.bool
  } else {
    %4 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
    %5 = torch.aten.add.int %arg1, %int2 : !torch.int, !torch.int -> !torch.int
    %6 = torch.aten.eq.int %4, %5 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If.yield %6 : !torch.bool
  }
  torch.prim.If %3 -> () {
    torch.prim.If.yield
  } else {
    %4 = torch.aten.add.int %arg1, %int1 : !torch.int, !torch.int -> !torch.int
    %5 = torch.aten.add.int %arg1, %int2 : !torch.int, !torch.int -> !torch.int
    %6 = torch.aten.format(%str, %4, %5, %arg0) : !torch.str, !torch.int, !torch.int, !torch.list<int> -> !torch.str
    torch.prim.RaiseException %6, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  return %none : !torch.none
}
func.func private @__torch__.torch_refine.abstract_interp_lib.rules.windows.per_dimension(%arg0: !torch.list<int>, %arg1: !torch.int) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %true = torch.constant.bool true
  %str = torch.constant.str "{} must have 1 entry, or one for each of {} spatial dimensions"
  %none = torch.constant.none
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = torch.aten.eq.int %0, %int1 : !torch.int, !torch.int -> !torch.bool
  %2 = torch.prim.If %1 -> (!torch.bool) {
    torch.prim.If.yield %true : !torch.bool
  } else {
    %6 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
    %7 = torch.aten.eq.int %6, %arg1 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If.yield %7 : !torch.bool
  }
  torch.prim.If %2 -> () {
    torch.prim.If.yield
  } else {
    %6 = torch.aten.format(%str, %arg0, %arg1) : !torch.str, !torch.list<int>, !torch.int -> !torch.str
    torch.prim.RaiseException %6, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %3 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %4 = torch.aten.eq.int %3, %int1 : !torch.int, !torch.int -> !torch.bool
  %5 = torch.prim.If %4 -> (!torch.list<int>) {
    %6 = torch.aten.mul.left_t %arg0, %arg1 : !torch.list<int>, !torch.int -> !torch.list<int>
    torch.prim.If.yield %6 : !torch.list<int>
  } else {
    torch.prim.If.yield %arg0 : !torch.list<int>
  }
  return %5 : !torch.list<int>
}
func.func private @__torch_mlir_dtype_fn.aten.__and__.Scalar(%arg0: !torch.tuple<int, int>, %arg1: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.promote_tensor_number(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.number) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.__and__.Tensor(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.promote_tensors(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.__lshift__.Scalar(%arg0: !torch.tuple<int, int>, %arg1: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.promote_tensor_number(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.number) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.__lshift__.Tensor(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.promote_tensors(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.__or__.Scalar(%arg0: !torch.tuple<int, int>, %arg1: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.promote_tensor_number(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.number) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.__or__.Tensor(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.promote_tensors(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.__rshift__.Scalar(%arg0: !torch.tuple<int, int>, %arg1: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.promote_tensor_number(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.number) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.__rshift__.Tensor(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.promote_tensors(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.__xor__.Scalar(%arg0: !torch.tuple<int, int>, %arg1: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.promote_tensor_number(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.number) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.__xor__.Tensor(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.promote_tensors(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten._adaptive_avg_pool2d(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten._adaptive_avg_pool3d(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten._addmm_activation(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>, %arg2: !torch.tuple<int, int>, %arg3: !torch.number, %arg4: !torch.number, %arg5: !torch.bool) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.matmul.addmm_dtype_rule(%arg0, %arg1, %arg2) : (!torch.tuple<int, int>, !torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten._batch_norm_with_update(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<tuple<int, int>>, %arg2: !torch.optional<tuple<int, int>>, %arg3: !torch.tuple<int, int>, %arg4: !torch.tuple<int, int>, %arg5: !torch.float, %arg6: !torch.float) -> !torch.tuple<int, int, int, int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.batch_normalization.batch_norm_with_update_dtype(%arg0, %arg1, %arg2, %arg3, %arg4) : (!torch.tuple<int, int>, !torch.optional<tuple<int, int>>, !torch.optional<tuple<int, int>>, !torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.tuple<int, int, int, int>
  return %0 : !torch.tuple<int, int, int, int>
}
func.func private @__torch_mlir_dtype_fn.aten._batch_norm_with_update_functional(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<tuple<int, int>>, %arg2: !torch.optional<tuple<int, int>>, %arg3: !torch.tuple<int, int>, %arg4: !torch.tuple<int, int>, %arg5: !torch.float, %arg6: !torch.float) -> !torch.tuple<int, int, int, int, int, int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.batch_normalization.functional_batch_norm_with_update_dtype(%arg0, %arg1, %arg2, %arg3, %arg4) : (!torch.tuple<int, int>, !torch.optional<tuple<int, int>>, !torch.optional<tuple<int, int>>, !torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.tuple<int, int, int, int, int, int>
  return %0 : !torch.tuple<int, int, int, int, int, int>
}
func.func private @__torch_mlir_dtype_fn.aten._conj_physical(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten._convolution(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>, %arg2: !torch.optional<tuple<int, int>>, %arg3: !torch.list<int>, %arg4: !torch.list<int>, %arg5: !torch.list<int>, %arg6: !torch.bool, %arg7: !torch.list<int>, %arg8: !torch.int, %arg9: !torch.bool, %arg10: !torch.bool, %arg11: !torch.bool, %arg12: !torch.bool) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.convolution.convolution_dtype(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten._convolution.deprecated(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>, %arg2: !torch.optional<tuple<int, int>>, %arg3: !torch.list<int>, %arg4: !torch.list<int>, %arg5: !torch.list<int>, %arg6: !torch.bool, %arg7: !torch.list<int>, %arg8: !torch.int, %arg9: !torch.bool, %arg10: !torch.bool, %arg11: !torch.bool) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.convolution.convolution_dtype(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten._convolution_mode(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>, %arg2: !torch.optional<tuple<int, int>>, %arg3: !torch.list<int>, %arg4: !torch.str, %arg5: !torch.list<int>, %arg6: !torch.int) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.convolution.convolution_dtype(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten._fused_rms_norm(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>, %arg2: !torch.optional<tuple<int, int>>, %arg3: !torch.optional<float>) -> !torch.tuple<int, int> {
  %int1 = torch.constant.int 1
  %int6 = torch.constant.int 6
  %0 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %1 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %2 = call @__torch__.torch_refine.abstract_interp_lib.rules.normalization.is_half(%1) : (!torch.int) -> !torch.bool
  %3 = torch.prim.If %2 -> (!torch.int) {
    torch.prim.If.yield %int6 : !torch.int
  } else {
    %5 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    torch.prim.If.yield %5 : !torch.int
  }
  %4 = torch.prim.TupleConstruct %0, %3 : !torch.int, !torch.int -> !torch.tuple<int, int>
  return %4 : !torch.tuple<int, int>
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
func.func private @__torch_mlir_dtype_fn.aten._log_softmax(%arg0: !torch.tuple<int, int>, %arg1: !torch.int, %arg2: !torch.bool) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.scans.softmax_primitive_dtype(%arg0, %arg2) : (!torch.tuple<int, int>, !torch.bool) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten._native_batch_norm_legit(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<tuple<int, int>>, %arg2: !torch.optional<tuple<int, int>>, %arg3: !torch.tuple<int, int>, %arg4: !torch.tuple<int, int>, %arg5: !torch.bool, %arg6: !torch.float, %arg7: !torch.float) -> !torch.tuple<int, int, int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.batch_normalization.batch_norm_with_running_dtype(%arg0, %arg1, %arg2, %arg3, %arg4) : (!torch.tuple<int, int>, !torch.optional<tuple<int, int>>, !torch.optional<tuple<int, int>>, !torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.tuple<int, int, int>
  return %0 : !torch.tuple<int, int, int>
}
func.func private @__torch_mlir_dtype_fn.aten._native_batch_norm_legit.no_stats(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<tuple<int, int>>, %arg2: !torch.optional<tuple<int, int>>, %arg3: !torch.bool, %arg4: !torch.float, %arg5: !torch.float) -> !torch.tuple<int, int, int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.batch_normalization.batch_norm_without_running_dtype(%arg0, %arg1, %arg2) : (!torch.tuple<int, int>, !torch.optional<tuple<int, int>>, !torch.optional<tuple<int, int>>) -> !torch.tuple<int, int, int>
  return %0 : !torch.tuple<int, int, int>
}
func.func private @__torch_mlir_dtype_fn.aten._native_batch_norm_legit_functional(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<tuple<int, int>>, %arg2: !torch.optional<tuple<int, int>>, %arg3: !torch.tuple<int, int>, %arg4: !torch.tuple<int, int>, %arg5: !torch.bool, %arg6: !torch.float, %arg7: !torch.float) -> !torch.tuple<int, int, int, int, int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.batch_normalization.functional_batch_norm_dtype(%arg0, %arg1, %arg2, %arg3, %arg4) : (!torch.tuple<int, int>, !torch.optional<tuple<int, int>>, !torch.optional<tuple<int, int>>, !torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.tuple<int, int, int, int, int>
  return %0 : !torch.tuple<int, int, int, int, int>
}
func.func private @__torch_mlir_dtype_fn.aten._native_batch_norm_legit_no_training(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<tuple<int, int>>, %arg2: !torch.optional<tuple<int, int>>, %arg3: !torch.tuple<int, int>, %arg4: !torch.tuple<int, int>, %arg5: !torch.float, %arg6: !torch.float) -> !torch.tuple<int, int, int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.batch_normalization.batch_norm_with_running_dtype(%arg0, %arg1, %arg2, %arg3, %arg4) : (!torch.tuple<int, int>, !torch.optional<tuple<int, int>>, !torch.optional<tuple<int, int>>, !torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.tuple<int, int, int>
  return %0 : !torch.tuple<int, int, int>
}
func.func private @__torch_mlir_dtype_fn.aten._pad_circular(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten._reshape_copy(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten._softmax(%arg0: !torch.tuple<int, int>, %arg1: !torch.int, %arg2: !torch.bool) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.scans.softmax_primitive_dtype(%arg0, %arg2) : (!torch.tuple<int, int>, !torch.bool) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten._to_copy(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<int>, %arg2: !torch.optional<int>, %arg3: !torch.optional<Device>, %arg4: !torch.optional<bool>, %arg5: !torch.bool, %arg6: !torch.optional<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.dtype_or_same(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten._unsafe_view(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.abs(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.real_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.absolute(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.real_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.acos(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.acosh(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.adaptive_avg_pool1d(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.adaptive_avg_pool2d(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.adaptive_avg_pool3d(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.adaptive_max_pool1d(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>) -> !torch.tuple<int, int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pooling.pooled_dtype_and_indices(%arg0) : (!torch.tuple<int, int>) -> !torch.tuple<int, int>
  return %0 : !torch.tuple<int, int>
}
func.func private @__torch_mlir_dtype_fn.aten.adaptive_max_pool2d(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>) -> !torch.tuple<int, int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pooling.pooled_dtype_and_indices(%arg0) : (!torch.tuple<int, int>) -> !torch.tuple<int, int>
  return %0 : !torch.tuple<int, int>
}
func.func private @__torch_mlir_dtype_fn.aten.adaptive_max_pool3d(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>) -> !torch.tuple<int, int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pooling.pooled_dtype_and_indices(%arg0) : (!torch.tuple<int, int>) -> !torch.tuple<int, int>
  return %0 : !torch.tuple<int, int>
}
func.func private @__torch_mlir_dtype_fn.aten.add.Scalar(%arg0: !torch.tuple<int, int>, %arg1: !torch.number, %arg2: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.promote_tensor_number(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.number) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.add.Tensor(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>, %arg2: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.promote_tensors(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.addbmm(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>, %arg2: !torch.tuple<int, int>, %arg3: !torch.number, %arg4: !torch.number) -> !torch.int {
  %int1 = torch.constant.int 1
  %0 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.addcdiv(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>, %arg2: !torch.tuple<int, int>, %arg3: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.ternary.addcdiv_dtype(%arg0, %arg1, %arg2) : (!torch.tuple<int, int>, !torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.addcmul(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>, %arg2: !torch.tuple<int, int>, %arg3: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.ternary.addcmul_dtype(%arg0, %arg1, %arg2) : (!torch.tuple<int, int>, !torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
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
func.func private @__torch_mlir_dtype_fn.aten.adjoint(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.alias(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.alias_copy(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.all(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.truth_dtype(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.all.dim(%arg0: !torch.tuple<int, int>, %arg1: !torch.int, %arg2: !torch.bool) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.truth_dtype(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.all.dims(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<list<int>>, %arg2: !torch.bool) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.truth_dtype(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.alpha_dropout(%arg0: !torch.tuple<int, int>, %arg1: !torch.float, %arg2: !torch.bool) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.dtype_of_input(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.amax(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>, %arg2: !torch.bool) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.amin(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>, %arg2: !torch.bool) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.aminmax(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<int>, %arg2: !torch.bool) -> !torch.tuple<int, int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.extrema.both_dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.tuple<int, int>
  return %0 : !torch.tuple<int, int>
}
func.func private @__torch_mlir_dtype_fn.aten.angle(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %int1 = torch.constant.int 1
  %0 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.promotion.int_to_float(%0) : (!torch.int) -> !torch.int
  %2 = call @__torch__.torch_refine.abstract_interp_lib.rules.complex.real_dtype(%1) : (!torch.int) -> !torch.int
  return %2 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.any(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.truth_dtype(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.any.dim(%arg0: !torch.tuple<int, int>, %arg1: !torch.int, %arg2: !torch.bool) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.truth_dtype(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.any.dims(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<list<int>>, %arg2: !torch.bool) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.truth_dtype(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.arange(%arg0: !torch.number, %arg1: !torch.optional<int>, %arg2: !torch.optional<int>, %arg3: !torch.optional<Device>, %arg4: !torch.optional<bool>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.factories.arange_dtype(%arg0, %arg1) : (!torch.number, !torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.arange.start(%arg0: !torch.number, %arg1: !torch.number, %arg2: !torch.optional<int>, %arg3: !torch.optional<int>, %arg4: !torch.optional<Device>, %arg5: !torch.optional<bool>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.factories.arange_start_dtype(%arg0, %arg1, %arg2) : (!torch.number, !torch.number, !torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.arange.start_step(%arg0: !torch.number, %arg1: !torch.number, %arg2: !torch.number, %arg3: !torch.optional<int>, %arg4: !torch.optional<int>, %arg5: !torch.optional<Device>, %arg6: !torch.optional<bool>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.range_dtype(%arg0, %arg1, %arg2, %arg3) : (!torch.number, !torch.number, !torch.number, !torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.arccos(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.arccosh(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.arcsin(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.arcsinh(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.arctan(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.arctan2(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_tensors(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.arctanh(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.argmax(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<int>, %arg2: !torch.bool) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.int64_dtype(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.argmin(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<int>, %arg2: !torch.bool) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.int64_dtype(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.argsort(%arg0: !torch.tuple<int, int>, %arg1: !torch.int, %arg2: !torch.bool) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.int64_dtype(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.argsort.stable(%arg0: !torch.tuple<int, int>, %arg1: !torch.bool, %arg2: !torch.int, %arg3: !torch.bool) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.int64_dtype(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.as_strided(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>, %arg3: !torch.optional<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.as_strided_copy(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>, %arg3: !torch.optional<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.asin(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.asinh(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.atan(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.atan2(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_tensors(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.atanh(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.atleast_1d(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.atleast_1d.Sequence(%arg0: !torch.list<tuple<int, int>>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.joining.dtypes_of_tensors(%arg0) : (!torch.list<tuple<int, int>>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_dtype_fn.aten.atleast_2d(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.atleast_2d.Sequence(%arg0: !torch.list<tuple<int, int>>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.joining.dtypes_of_tensors(%arg0) : (!torch.list<tuple<int, int>>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_dtype_fn.aten.atleast_3d(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.atleast_3d.Sequence(%arg0: !torch.list<tuple<int, int>>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.joining.dtypes_of_tensors(%arg0) : (!torch.list<tuple<int, int>>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_dtype_fn.aten.avg_pool1d(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>, %arg3: !torch.list<int>, %arg4: !torch.bool, %arg5: !torch.bool) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.avg_pool2d(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>, %arg3: !torch.list<int>, %arg4: !torch.bool, %arg5: !torch.bool, %arg6: !torch.optional<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.avg_pool3d(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>, %arg3: !torch.list<int>, %arg4: !torch.bool, %arg5: !torch.bool, %arg6: !torch.optional<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
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
func.func private @__torch_mlir_dtype_fn.aten.bartlett_window(%arg0: !torch.int, %arg1: !torch.optional<int>, %arg2: !torch.optional<int>, %arg3: !torch.optional<Device>, %arg4: !torch.optional<bool>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.dtype_or_default(%arg1) : (!torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.bartlett_window.periodic(%arg0: !torch.int, %arg1: !torch.bool, %arg2: !torch.optional<int>, %arg3: !torch.optional<int>, %arg4: !torch.optional<Device>, %arg5: !torch.optional<bool>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.dtype_or_default(%arg2) : (!torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.batch_norm(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<tuple<int, int>>, %arg2: !torch.optional<tuple<int, int>>, %arg3: !torch.optional<tuple<int, int>>, %arg4: !torch.optional<tuple<int, int>>, %arg5: !torch.bool, %arg6: !torch.float, %arg7: !torch.float, %arg8: !torch.bool) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.batch_normalization.batch_norm_dtype(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.bernoulli(%arg0: !torch.tuple<int, int>, %arg1: !torch.any) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.bernoulli.Tensor(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>, %arg2: !torch.any) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.bernoulli.p(%arg0: !torch.tuple<int, int>, %arg1: !torch.float, %arg2: !torch.any) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
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
func.func private @__torch_mlir_dtype_fn.aten.bitwise_and.Scalar(%arg0: !torch.tuple<int, int>, %arg1: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.promote_tensor_number(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.number) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.bitwise_and.Scalar_Tensor(%arg0: !torch.number, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.promote_number_tensor(%arg0, %arg1) : (!torch.number, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.bitwise_and.Tensor(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.promote_tensors(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.bitwise_left_shift.Scalar_Tensor(%arg0: !torch.number, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.promote_number_tensor(%arg0, %arg1) : (!torch.number, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.bitwise_left_shift.Tensor(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.promote_tensors(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.bitwise_left_shift.Tensor_Scalar(%arg0: !torch.tuple<int, int>, %arg1: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.promote_tensor_number(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.number) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.bitwise_not(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.bitwise_or.Scalar(%arg0: !torch.tuple<int, int>, %arg1: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.promote_tensor_number(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.number) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.bitwise_or.Scalar_Tensor(%arg0: !torch.number, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.promote_number_tensor(%arg0, %arg1) : (!torch.number, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.bitwise_or.Tensor(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.promote_tensors(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.bitwise_right_shift.Scalar_Tensor(%arg0: !torch.number, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.promote_number_tensor(%arg0, %arg1) : (!torch.number, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.bitwise_right_shift.Tensor(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.promote_tensors(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.bitwise_right_shift.Tensor_Scalar(%arg0: !torch.tuple<int, int>, %arg1: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.promote_tensor_number(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.number) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.bitwise_xor.Scalar(%arg0: !torch.tuple<int, int>, %arg1: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.promote_tensor_number(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.number) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.bitwise_xor.Scalar_Tensor(%arg0: !torch.number, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.promote_number_tensor(%arg0, %arg1) : (!torch.number, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.bitwise_xor.Tensor(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.promote_tensors(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.blackman_window(%arg0: !torch.int, %arg1: !torch.optional<int>, %arg2: !torch.optional<int>, %arg3: !torch.optional<Device>, %arg4: !torch.optional<bool>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.dtype_or_default(%arg1) : (!torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.blackman_window.periodic(%arg0: !torch.int, %arg1: !torch.bool, %arg2: !torch.optional<int>, %arg3: !torch.optional<int>, %arg4: !torch.optional<Device>, %arg5: !torch.optional<bool>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.dtype_or_default(%arg2) : (!torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.bmm(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %int1 = torch.constant.int 1
  %0 = torch.prim.TupleIndex %arg1, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.broadcast_tensors(%arg0: !torch.list<tuple<int, int>>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.joining.dtypes_of_tensors(%arg0) : (!torch.list<tuple<int, int>>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_dtype_fn.aten.broadcast_to(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.bucketize.Scalar(%arg0: !torch.number, %arg1: !torch.tuple<int, int>, %arg2: !torch.bool, %arg3: !torch.bool) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.sorting.position_dtype(%arg2) : (!torch.bool) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.bucketize.Tensor(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>, %arg2: !torch.bool, %arg3: !torch.bool) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.sorting.position_dtype(%arg2) : (!torch.bool) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.cat(%arg0: !torch.list<tuple<int, int>>, %arg1: !torch.int) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.joining.joined_dtype(%arg0) : (!torch.list<tuple<int, int>>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.cauchy(%arg0: !torch.tuple<int, int>, %arg1: !torch.float, %arg2: !torch.float, %arg3: !torch.any) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.ceil(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.celu(%arg0: !torch.tuple<int, int>, %arg1: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.channel_shuffle(%arg0: !torch.tuple<int, int>, %arg1: !torch.int) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.chunk(%arg0: !torch.tuple<int, int>, %arg1: !torch.int, %arg2: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.slicing.dtype_of_pieces(%arg0) : (!torch.tuple<int, int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_dtype_fn.aten.clamp(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<number>, %arg2: !torch.optional<number>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.ternary.clamp_dtype(%arg0, %arg1, %arg2) : (!torch.tuple<int, int>, !torch.optional<number>, !torch.optional<number>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.clamp.Tensor(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<tuple<int, int>>, %arg2: !torch.optional<tuple<int, int>>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.ternary.clamp_tensor_dtype(%arg0, %arg1, %arg2) : (!torch.tuple<int, int>, !torch.optional<tuple<int, int>>, !torch.optional<tuple<int, int>>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.clamp_max(%arg0: !torch.tuple<int, int>, %arg1: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.ternary.clamp_max_number_dtype(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.number) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.clamp_max.Tensor(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.ternary.clamp_max_dtype(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.clamp_min(%arg0: !torch.tuple<int, int>, %arg1: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.ternary.clamp_min_number_dtype(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.number) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.clamp_min.Tensor(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.ternary.clamp_min_dtype(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.clip(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<number>, %arg2: !torch.optional<number>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.ternary.clamp_dtype(%arg0, %arg1, %arg2) : (!torch.tuple<int, int>, !torch.optional<number>, !torch.optional<number>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.clip.Tensor(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<tuple<int, int>>, %arg2: !torch.optional<tuple<int, int>>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.ternary.clamp_tensor_dtype(%arg0, %arg1, %arg2) : (!torch.tuple<int, int>, !torch.optional<tuple<int, int>>, !torch.optional<tuple<int, int>>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.clone(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.column_stack(%arg0: !torch.list<tuple<int, int>>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.joining.joined_dtype(%arg0) : (!torch.list<tuple<int, int>>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.concat(%arg0: !torch.list<tuple<int, int>>, %arg1: !torch.int) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.joining.joined_dtype(%arg0) : (!torch.list<tuple<int, int>>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.conj(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.conj_physical(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.constant_pad_nd(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>, %arg2: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.contiguous(%arg0: !torch.tuple<int, int>, %arg1: !torch.int) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.conv1d(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>, %arg2: !torch.optional<tuple<int, int>>, %arg3: !torch.list<int>, %arg4: !torch.list<int>, %arg5: !torch.list<int>, %arg6: !torch.int) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.convolution.convolution_dtype(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.conv1d.padding(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>, %arg2: !torch.optional<tuple<int, int>>, %arg3: !torch.list<int>, %arg4: !torch.str, %arg5: !torch.list<int>, %arg6: !torch.int) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.convolution.convolution_dtype(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.conv2d(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>, %arg2: !torch.optional<tuple<int, int>>, %arg3: !torch.list<int>, %arg4: !torch.list<int>, %arg5: !torch.list<int>, %arg6: !torch.int) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.convolution.convolution_dtype(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.conv2d.padding(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>, %arg2: !torch.optional<tuple<int, int>>, %arg3: !torch.list<int>, %arg4: !torch.str, %arg5: !torch.list<int>, %arg6: !torch.int) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.convolution.convolution_dtype(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.conv3d(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>, %arg2: !torch.optional<tuple<int, int>>, %arg3: !torch.list<int>, %arg4: !torch.list<int>, %arg5: !torch.list<int>, %arg6: !torch.int) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.convolution.convolution_dtype(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.conv3d.padding(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>, %arg2: !torch.optional<tuple<int, int>>, %arg3: !torch.list<int>, %arg4: !torch.str, %arg5: !torch.list<int>, %arg6: !torch.int) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.convolution.convolution_dtype(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.conv_transpose1d(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>, %arg2: !torch.optional<tuple<int, int>>, %arg3: !torch.list<int>, %arg4: !torch.list<int>, %arg5: !torch.list<int>, %arg6: !torch.int, %arg7: !torch.list<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.convolution.convolution_dtype(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.conv_transpose2d.input(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>, %arg2: !torch.optional<tuple<int, int>>, %arg3: !torch.list<int>, %arg4: !torch.list<int>, %arg5: !torch.list<int>, %arg6: !torch.int, %arg7: !torch.list<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.convolution.convolution_dtype(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.conv_transpose3d.input(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>, %arg2: !torch.optional<tuple<int, int>>, %arg3: !torch.list<int>, %arg4: !torch.list<int>, %arg5: !torch.list<int>, %arg6: !torch.int, %arg7: !torch.list<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.convolution.convolution_dtype(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.convolution(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>, %arg2: !torch.optional<tuple<int, int>>, %arg3: !torch.list<int>, %arg4: !torch.list<int>, %arg5: !torch.list<int>, %arg6: !torch.bool, %arg7: !torch.list<int>, %arg8: !torch.int) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.convolution.convolution_dtype(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.copy(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>, %arg2: !torch.bool) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.copysign.Scalar(%arg0: !torch.tuple<int, int>, %arg1: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_tensor_number(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.number) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.copysign.Tensor(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_tensors(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.cos(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.cosh(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.count_nonzero(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.int64_dtype(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.count_nonzero.dim_IntList(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.int64_dtype(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.cummax(%arg0: !torch.tuple<int, int>, %arg1: !torch.int) -> !torch.tuple<int, int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.dtype_and_index(%arg0) : (!torch.tuple<int, int>) -> !torch.tuple<int, int>
  return %0 : !torch.tuple<int, int>
}
func.func private @__torch_mlir_dtype_fn.aten.cummin(%arg0: !torch.tuple<int, int>, %arg1: !torch.int) -> !torch.tuple<int, int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.dtype_and_index(%arg0) : (!torch.tuple<int, int>) -> !torch.tuple<int, int>
  return %0 : !torch.tuple<int, int>
}
func.func private @__torch_mlir_dtype_fn.aten.cumprod(%arg0: !torch.tuple<int, int>, %arg1: !torch.int, %arg2: !torch.optional<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.sum_dtype(%arg0, %arg2) : (!torch.tuple<int, int>, !torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.cumsum(%arg0: !torch.tuple<int, int>, %arg1: !torch.int, %arg2: !torch.optional<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.sum_dtype(%arg0, %arg2) : (!torch.tuple<int, int>, !torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.deg2rad(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.detach(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.detach_copy(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.diagonal(%arg0: !torch.tuple<int, int>, %arg1: !torch.int, %arg2: !torch.int, %arg3: !torch.int) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.diagonal_copy(%arg0: !torch.tuple<int, int>, %arg1: !torch.int, %arg2: !torch.int, %arg3: !torch.int) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.diagonal_scatter(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>, %arg2: !torch.int, %arg3: !torch.int, %arg4: !torch.int) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.diff(%arg0: !torch.tuple<int, int>, %arg1: !torch.int, %arg2: !torch.int, %arg3: !torch.optional<tuple<int, int>>, %arg4: !torch.optional<tuple<int, int>>) -> !torch.int {
  %int1 = torch.constant.int 1
  %int0 = torch.constant.int 0
  %none = torch.constant.none
  %0 = torch.prim.ListConstruct %arg0 : (!torch.tuple<int, int>) -> !torch.list<tuple<int, int>>
  %1 = torch.aten.__isnot__ %arg3, %none : !torch.optional<tuple<int, int>>, !torch.none -> !torch.bool
  torch.prim.If %1 -> () {
    %5 = torch.prim.unchecked_cast %arg3 : !torch.optional<tuple<int, int>> -> !torch.tuple<int, int>
    %6 = torch.aten.append.t %0, %5 : !torch.list<tuple<int, int>>, !torch.tuple<int, int> -> !torch.list<tuple<int, int>>
    torch.prim.If.yield
  } else {
    torch.prim.If.yield
  }
  %2 = torch.aten.__isnot__ %arg4, %none : !torch.optional<tuple<int, int>>, !torch.none -> !torch.bool
  torch.prim.If %2 -> () {
    %5 = torch.prim.unchecked_cast %arg4 : !torch.optional<tuple<int, int>> -> !torch.tuple<int, int>
    %6 = torch.aten.append.t %0, %5 : !torch.list<tuple<int, int>>, !torch.tuple<int, int> -> !torch.list<tuple<int, int>>
    torch.prim.If.yield
  } else {
    torch.prim.If.yield
  }
  %3 = torch.aten.eq.int %arg1, %int0 : !torch.int, !torch.int -> !torch.bool
  %4 = torch.prim.If %3 -> (!torch.int) {
    %5 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    torch.prim.If.yield %5 : !torch.int
  } else {
    %5 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.promotion.promote_list(%0) : (!torch.list<tuple<int, int>>) -> !torch.int
    torch.prim.If.yield %5 : !torch.int
  }
  return %4 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.digamma(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.div.Scalar(%arg0: !torch.tuple<int, int>, %arg1: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_tensor_number(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.number) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.div.Scalar_mode(%arg0: !torch.tuple<int, int>, %arg1: !torch.number, %arg2: !torch.optional<str>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pointwise_binary.quotient_with_number_dtype(%arg0, %arg1, %arg2) : (!torch.tuple<int, int>, !torch.number, !torch.optional<str>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.div.Tensor(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_tensors(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.div.Tensor_mode(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>, %arg2: !torch.optional<str>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pointwise_binary.quotient_dtype(%arg0, %arg1, %arg2) : (!torch.tuple<int, int>, !torch.tuple<int, int>, !torch.optional<str>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.divide.Scalar(%arg0: !torch.tuple<int, int>, %arg1: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_tensor_number(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.number) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.divide.Scalar_mode(%arg0: !torch.tuple<int, int>, %arg1: !torch.number, %arg2: !torch.optional<str>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pointwise_binary.quotient_with_number_dtype(%arg0, %arg1, %arg2) : (!torch.tuple<int, int>, !torch.number, !torch.optional<str>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.divide.Tensor(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_tensors(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.divide.Tensor_mode(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>, %arg2: !torch.optional<str>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pointwise_binary.quotient_dtype(%arg0, %arg1, %arg2) : (!torch.tuple<int, int>, !torch.tuple<int, int>, !torch.optional<str>) -> !torch.int
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
func.func private @__torch_mlir_dtype_fn.aten.dropout(%arg0: !torch.tuple<int, int>, %arg1: !torch.float, %arg2: !torch.bool) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.dtype_of_input(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.dstack(%arg0: !torch.list<tuple<int, int>>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.joining.joined_dtype(%arg0) : (!torch.list<tuple<int, int>>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.elu(%arg0: !torch.tuple<int, int>, %arg1: !torch.number, %arg2: !torch.number, %arg3: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.empty.memory_format(%arg0: !torch.list<int>, %arg1: !torch.optional<int>, %arg2: !torch.optional<int>, %arg3: !torch.optional<Device>, %arg4: !torch.optional<bool>, %arg5: !torch.optional<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.dtype_or_default(%arg1) : (!torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.empty_like(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<int>, %arg2: !torch.optional<int>, %arg3: !torch.optional<Device>, %arg4: !torch.optional<bool>, %arg5: !torch.optional<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.dtype_or_same(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.empty_strided(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.optional<int>, %arg3: !torch.optional<int>, %arg4: !torch.optional<Device>, %arg5: !torch.optional<bool>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.dtype_or_default(%arg2) : (!torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.eq.Scalar(%arg0: !torch.tuple<int, int>, %arg1: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.always_bool() : () -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.eq.Tensor(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.always_bool() : () -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.erf(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.erfc(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.erfinv(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.exp(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.exp2(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.expand(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>, %arg2: !torch.bool) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.expand_as(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.expand_copy(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>, %arg2: !torch.bool) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.expm1(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.exponential(%arg0: !torch.tuple<int, int>, %arg1: !torch.float, %arg2: !torch.any) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.eye(%arg0: !torch.int, %arg1: !torch.optional<int>, %arg2: !torch.optional<int>, %arg3: !torch.optional<Device>, %arg4: !torch.optional<bool>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.dtype_or_default(%arg1) : (!torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.eye.m(%arg0: !torch.int, %arg1: !torch.int, %arg2: !torch.optional<int>, %arg3: !torch.optional<int>, %arg4: !torch.optional<Device>, %arg5: !torch.optional<bool>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.dtype_or_default(%arg2) : (!torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.feature_alpha_dropout(%arg0: !torch.tuple<int, int>, %arg1: !torch.float, %arg2: !torch.bool) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.dtype_of_input(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.feature_dropout(%arg0: !torch.tuple<int, int>, %arg1: !torch.float, %arg2: !torch.bool) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.dtype_of_input(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.fill.Scalar(%arg0: !torch.tuple<int, int>, %arg1: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.fill.Tensor(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.fix(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.flatten.using_ints(%arg0: !torch.tuple<int, int>, %arg1: !torch.int, %arg2: !torch.int) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.flip(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.fliplr(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.flipud(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.float_power.Scalar(%arg0: !torch.number, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pointwise_binary.wide_power_of_number_dtype(%arg0, %arg1) : (!torch.number, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.float_power.Tensor_Scalar(%arg0: !torch.tuple<int, int>, %arg1: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pointwise_binary.wide_power_with_number_dtype(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.number) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.float_power.Tensor_Tensor(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pointwise_binary.wide_power_dtype(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.floor(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.floor_divide(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.promote_tensors(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.floor_divide.Scalar(%arg0: !torch.tuple<int, int>, %arg1: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.promote_tensor_number(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.number) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.fmax(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.promote_tensors(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.fmin(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.promote_tensors(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.fmod.Scalar(%arg0: !torch.tuple<int, int>, %arg1: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.promote_tensor_number(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.number) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.fmod.Tensor(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.promote_tensors(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.frac(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.fractional_max_pool2d(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>, %arg3: !torch.tuple<int, int>) -> !torch.tuple<int, int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pooling.pooled_dtype_and_indices(%arg0) : (!torch.tuple<int, int>) -> !torch.tuple<int, int>
  return %0 : !torch.tuple<int, int>
}
func.func private @__torch_mlir_dtype_fn.aten.fractional_max_pool3d(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>, %arg3: !torch.tuple<int, int>) -> !torch.tuple<int, int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pooling.pooled_dtype_and_indices(%arg0) : (!torch.tuple<int, int>) -> !torch.tuple<int, int>
  return %0 : !torch.tuple<int, int>
}
func.func private @__torch_mlir_dtype_fn.aten.full(%arg0: !torch.list<int>, %arg1: !torch.number, %arg2: !torch.optional<int>, %arg3: !torch.optional<int>, %arg4: !torch.optional<Device>, %arg5: !torch.optional<bool>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.dtype_or_fill_value(%arg1, %arg2) : (!torch.number, !torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.full_like(%arg0: !torch.tuple<int, int>, %arg1: !torch.number, %arg2: !torch.optional<int>, %arg3: !torch.optional<int>, %arg4: !torch.optional<Device>, %arg5: !torch.optional<bool>, %arg6: !torch.optional<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.dtype_or_same(%arg0, %arg2) : (!torch.tuple<int, int>, !torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.gcd(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.promote_tensors(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.ge.Scalar(%arg0: !torch.tuple<int, int>, %arg1: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.always_bool() : () -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.ge.Tensor(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.always_bool() : () -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.gelu(%arg0: !torch.tuple<int, int>, %arg1: !torch.str) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.geometric(%arg0: !torch.tuple<int, int>, %arg1: !torch.float, %arg2: !torch.any) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.ger(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.products.outer_dtype_rule(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.glu(%arg0: !torch.tuple<int, int>, %arg1: !torch.int) -> !torch.int {
  %int1 = torch.constant.int 1
  %0 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.greater.Scalar(%arg0: !torch.tuple<int, int>, %arg1: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.always_bool() : () -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.greater.Tensor(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.always_bool() : () -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.greater_equal.Scalar(%arg0: !torch.tuple<int, int>, %arg1: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.always_bool() : () -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.greater_equal.Tensor(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.always_bool() : () -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.group_norm(%arg0: !torch.tuple<int, int>, %arg1: !torch.int, %arg2: !torch.optional<tuple<int, int>>, %arg3: !torch.optional<tuple<int, int>>, %arg4: !torch.float, %arg5: !torch.bool) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.normalization.input_dtype(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.gt.Scalar(%arg0: !torch.tuple<int, int>, %arg1: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.always_bool() : () -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.gt.Tensor(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.always_bool() : () -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.hamming_window(%arg0: !torch.int, %arg1: !torch.optional<int>, %arg2: !torch.optional<int>, %arg3: !torch.optional<Device>, %arg4: !torch.optional<bool>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.dtype_or_default(%arg1) : (!torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.hamming_window.periodic(%arg0: !torch.int, %arg1: !torch.bool, %arg2: !torch.optional<int>, %arg3: !torch.optional<int>, %arg4: !torch.optional<Device>, %arg5: !torch.optional<bool>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.dtype_or_default(%arg2) : (!torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.hann_window(%arg0: !torch.int, %arg1: !torch.optional<int>, %arg2: !torch.optional<int>, %arg3: !torch.optional<Device>, %arg4: !torch.optional<bool>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.dtype_or_default(%arg1) : (!torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.hann_window.periodic(%arg0: !torch.int, %arg1: !torch.bool, %arg2: !torch.optional<int>, %arg3: !torch.optional<int>, %arg4: !torch.optional<Device>, %arg5: !torch.optional<bool>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.dtype_or_default(%arg2) : (!torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.hardshrink(%arg0: !torch.tuple<int, int>, %arg1: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.hardsigmoid(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.hardswish(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.hardtanh(%arg0: !torch.tuple<int, int>, %arg1: !torch.number, %arg2: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.heaviside(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.promotion.promote_two(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.hstack(%arg0: !torch.list<tuple<int, int>>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.joining.joined_dtype(%arg0) : (!torch.list<tuple<int, int>>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.hypot(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.promote_tensors(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.i0(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.igamma(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_tensors(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.igammac(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_tensors(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.imag(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.complex_views.imag_dtype_rule(%arg0) : (!torch.tuple<int, int>) -> !torch.int
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
func.func private @__torch_mlir_dtype_fn.aten.instance_norm(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<tuple<int, int>>, %arg2: !torch.optional<tuple<int, int>>, %arg3: !torch.optional<tuple<int, int>>, %arg4: !torch.optional<tuple<int, int>>, %arg5: !torch.bool, %arg6: !torch.float, %arg7: !torch.float, %arg8: !torch.bool) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.batch_normalization.batch_norm_dtype(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.isclose(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>, %arg2: !torch.float, %arg3: !torch.float, %arg4: !torch.bool) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.always_bool() : () -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.isfinite(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.always_bool() : () -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.isin.Scalar_Tensor(%arg0: !torch.number, %arg1: !torch.tuple<int, int>, %arg2: !torch.bool, %arg3: !torch.bool) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.always_bool() : () -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.isin.Tensor_Scalar(%arg0: !torch.tuple<int, int>, %arg1: !torch.number, %arg2: !torch.bool, %arg3: !torch.bool) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.always_bool() : () -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.isin.Tensor_Tensor(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>, %arg2: !torch.bool, %arg3: !torch.bool) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.always_bool() : () -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.isinf(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.always_bool() : () -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.isnan(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.always_bool() : () -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.isneginf(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.always_bool() : () -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.isposinf(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.always_bool() : () -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.isreal(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.always_bool() : () -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.kaiser_window(%arg0: !torch.int, %arg1: !torch.optional<int>, %arg2: !torch.optional<int>, %arg3: !torch.optional<Device>, %arg4: !torch.optional<bool>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.dtype_or_default(%arg1) : (!torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.kaiser_window.periodic(%arg0: !torch.int, %arg1: !torch.bool, %arg2: !torch.optional<int>, %arg3: !torch.optional<int>, %arg4: !torch.optional<Device>, %arg5: !torch.optional<bool>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.dtype_or_default(%arg2) : (!torch.optional<int>) -> !torch.int
  return %0 : !torch.int
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
func.func private @__torch_mlir_dtype_fn.aten.kthvalue(%arg0: !torch.tuple<int, int>, %arg1: !torch.int, %arg2: !torch.int, %arg3: !torch.bool) -> !torch.tuple<int, int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.dtype_and_index(%arg0) : (!torch.tuple<int, int>) -> !torch.tuple<int, int>
  return %0 : !torch.tuple<int, int>
}
func.func private @__torch_mlir_dtype_fn.aten.layer_norm(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>, %arg2: !torch.optional<tuple<int, int>>, %arg3: !torch.optional<tuple<int, int>>, %arg4: !torch.float, %arg5: !torch.bool) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.normalization.input_dtype(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.lcm(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.promote_tensors(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.ldexp.Tensor(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_tensors(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.le.Scalar(%arg0: !torch.tuple<int, int>, %arg1: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.always_bool() : () -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.le.Tensor(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.always_bool() : () -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.leaky_relu(%arg0: !torch.tuple<int, int>, %arg1: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.lerp.Scalar(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>, %arg2: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.ternary.lerp_dtype(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.lerp.Tensor(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>, %arg2: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.ternary.lerp_dtype(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.less.Scalar(%arg0: !torch.tuple<int, int>, %arg1: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.always_bool() : () -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.less.Tensor(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.always_bool() : () -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.less_equal.Scalar(%arg0: !torch.tuple<int, int>, %arg1: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.always_bool() : () -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.less_equal.Tensor(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.always_bool() : () -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.lgamma(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.lift(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.lift_fresh(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.lift_fresh_copy(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.linalg_vector_norm(%arg0: !torch.tuple<int, int>, %arg1: !torch.number, %arg2: !torch.optional<list<int>>, %arg3: !torch.bool, %arg4: !torch.optional<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.norm_dtype_in(%arg0, %arg4) : (!torch.tuple<int, int>, !torch.optional<int>) -> !torch.int
  return %0 : !torch.int
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
func.func private @__torch_mlir_dtype_fn.aten.linspace(%arg0: !torch.number, %arg1: !torch.number, %arg2: !torch.int, %arg3: !torch.optional<int>, %arg4: !torch.optional<int>, %arg5: !torch.optional<Device>, %arg6: !torch.optional<bool>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.factories.steps_dtype(%arg0, %arg1, %arg3) : (!torch.number, !torch.number, !torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.linspace.Scalar_Tensor(%arg0: !torch.number, %arg1: !torch.tuple<int, int>, %arg2: !torch.int, %arg3: !torch.optional<int>, %arg4: !torch.optional<int>, %arg5: !torch.optional<Device>, %arg6: !torch.optional<bool>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.factories.steps_to_tensor_dtype(%arg0, %arg1, %arg3) : (!torch.number, !torch.tuple<int, int>, !torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.linspace.Tensor_Scalar(%arg0: !torch.tuple<int, int>, %arg1: !torch.number, %arg2: !torch.int, %arg3: !torch.optional<int>, %arg4: !torch.optional<int>, %arg5: !torch.optional<Device>, %arg6: !torch.optional<bool>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.factories.steps_from_tensor_dtype(%arg0, %arg1, %arg3) : (!torch.tuple<int, int>, !torch.number, !torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.linspace.Tensor_Tensor(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>, %arg2: !torch.int, %arg3: !torch.optional<int>, %arg4: !torch.optional<int>, %arg5: !torch.optional<Device>, %arg6: !torch.optional<bool>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.factories.steps_between_tensors_dtype(%arg0, %arg1, %arg3) : (!torch.tuple<int, int>, !torch.tuple<int, int>, !torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.log(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.log10(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.log1p(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.log2(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.log_normal(%arg0: !torch.tuple<int, int>, %arg1: !torch.float, %arg2: !torch.float, %arg3: !torch.any) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.log_sigmoid(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.log_softmax.int(%arg0: !torch.tuple<int, int>, %arg1: !torch.int, %arg2: !torch.optional<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.scans.softmax_dtype(%arg0, %arg2) : (!torch.tuple<int, int>, !torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.logaddexp(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.promote_tensors(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.logaddexp2(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.promote_tensors(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.logcumsumexp(%arg0: !torch.tuple<int, int>, %arg1: !torch.int) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.logical_and(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.always_bool() : () -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.logical_not(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.always_bool() : () -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.logical_or(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.always_bool() : () -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.logical_xor(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.always_bool() : () -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.logit(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<float>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.logspace(%arg0: !torch.number, %arg1: !torch.number, %arg2: !torch.int, %arg3: !torch.float, %arg4: !torch.optional<int>, %arg5: !torch.optional<int>, %arg6: !torch.optional<Device>, %arg7: !torch.optional<bool>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.factories.steps_dtype(%arg0, %arg1, %arg4) : (!torch.number, !torch.number, !torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.logspace.Scalar_Tensor(%arg0: !torch.number, %arg1: !torch.tuple<int, int>, %arg2: !torch.int, %arg3: !torch.float, %arg4: !torch.optional<int>, %arg5: !torch.optional<int>, %arg6: !torch.optional<Device>, %arg7: !torch.optional<bool>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.factories.steps_to_tensor_dtype(%arg0, %arg1, %arg4) : (!torch.number, !torch.tuple<int, int>, !torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.logspace.Tensor_Scalar(%arg0: !torch.tuple<int, int>, %arg1: !torch.number, %arg2: !torch.int, %arg3: !torch.float, %arg4: !torch.optional<int>, %arg5: !torch.optional<int>, %arg6: !torch.optional<Device>, %arg7: !torch.optional<bool>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.factories.steps_from_tensor_dtype(%arg0, %arg1, %arg4) : (!torch.tuple<int, int>, !torch.number, !torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.logspace.Tensor_Tensor(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>, %arg2: !torch.int, %arg3: !torch.float, %arg4: !torch.optional<int>, %arg5: !torch.optional<int>, %arg6: !torch.optional<Device>, %arg7: !torch.optional<bool>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.factories.steps_between_tensors_dtype(%arg0, %arg1, %arg4) : (!torch.tuple<int, int>, !torch.tuple<int, int>, !torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.logsumexp(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>, %arg2: !torch.bool) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.float_dtype(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.lt.Scalar(%arg0: !torch.tuple<int, int>, %arg1: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.always_bool() : () -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.lt.Tensor(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.always_bool() : () -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.mH(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.mH.a(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.mT(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.mT.a(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.masked_fill.Scalar(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>, %arg2: !torch.number) -> !torch.int {
  %int1 = torch.constant.int 1
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.ternary.check_mask(%arg1) : (!torch.tuple<int, int>) -> !torch.none
  %1 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  return %1 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.masked_fill.Tensor(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>, %arg2: !torch.tuple<int, int>) -> !torch.int {
  %int1 = torch.constant.int 1
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.ternary.check_mask(%arg1) : (!torch.tuple<int, int>) -> !torch.none
  %1 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  return %1 : !torch.int
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
func.func private @__torch_mlir_dtype_fn.aten.max(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.max.dim(%arg0: !torch.tuple<int, int>, %arg1: !torch.int, %arg2: !torch.bool) -> !torch.tuple<int, int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.dtype_and_index(%arg0) : (!torch.tuple<int, int>) -> !torch.tuple<int, int>
  return %0 : !torch.tuple<int, int>
}
func.func private @__torch_mlir_dtype_fn.aten.max.other(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.promote_tensors(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.max_pool1d(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>, %arg3: !torch.list<int>, %arg4: !torch.list<int>, %arg5: !torch.bool) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.max_pool1d_with_indices(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>, %arg3: !torch.list<int>, %arg4: !torch.list<int>, %arg5: !torch.bool) -> !torch.tuple<int, int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pooling.pooled_dtype_and_indices(%arg0) : (!torch.tuple<int, int>) -> !torch.tuple<int, int>
  return %0 : !torch.tuple<int, int>
}
func.func private @__torch_mlir_dtype_fn.aten.max_pool2d(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>, %arg3: !torch.list<int>, %arg4: !torch.list<int>, %arg5: !torch.bool) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.max_pool2d_with_indices(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>, %arg3: !torch.list<int>, %arg4: !torch.list<int>, %arg5: !torch.bool) -> !torch.tuple<int, int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pooling.pooled_dtype_and_indices(%arg0) : (!torch.tuple<int, int>) -> !torch.tuple<int, int>
  return %0 : !torch.tuple<int, int>
}
func.func private @__torch_mlir_dtype_fn.aten.max_pool3d(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>, %arg3: !torch.list<int>, %arg4: !torch.list<int>, %arg5: !torch.bool) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.max_pool3d_with_indices(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>, %arg3: !torch.list<int>, %arg4: !torch.list<int>, %arg5: !torch.bool) -> !torch.tuple<int, int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pooling.pooled_dtype_and_indices(%arg0) : (!torch.tuple<int, int>) -> !torch.tuple<int, int>
  return %0 : !torch.tuple<int, int>
}
func.func private @__torch_mlir_dtype_fn.aten.max_unpool2d(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>, %arg2: !torch.list<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.max_unpool3d(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>, %arg2: !torch.list<int>, %arg3: !torch.list<int>, %arg4: !torch.list<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.maximum(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.promote_tensors(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.mean(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.mean_dtype(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.mean.dim(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<list<int>>, %arg2: !torch.bool, %arg3: !torch.optional<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.mean_dtype(%arg0, %arg3) : (!torch.tuple<int, int>, !torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.median(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.median.dim(%arg0: !torch.tuple<int, int>, %arg1: !torch.int, %arg2: !torch.bool) -> !torch.tuple<int, int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.dtype_and_index(%arg0) : (!torch.tuple<int, int>) -> !torch.tuple<int, int>
  return %0 : !torch.tuple<int, int>
}
func.func private @__torch_mlir_dtype_fn.aten.meshgrid(%arg0: !torch.list<tuple<int, int>>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.joining.grid_dtypes(%arg0) : (!torch.list<tuple<int, int>>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_dtype_fn.aten.meshgrid.indexing(%arg0: !torch.list<tuple<int, int>>, %arg1: !torch.str) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.joining.grid_dtypes(%arg0) : (!torch.list<tuple<int, int>>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_dtype_fn.aten.min(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.min.dim(%arg0: !torch.tuple<int, int>, %arg1: !torch.int, %arg2: !torch.bool) -> !torch.tuple<int, int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.dtype_and_index(%arg0) : (!torch.tuple<int, int>) -> !torch.tuple<int, int>
  return %0 : !torch.tuple<int, int>
}
func.func private @__torch_mlir_dtype_fn.aten.min.other(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.promote_tensors(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.minimum(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.promote_tensors(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.mish(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
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
func.func private @__torch_mlir_dtype_fn.aten.mode(%arg0: !torch.tuple<int, int>, %arg1: !torch.int, %arg2: !torch.bool) -> !torch.tuple<int, int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.dtype_and_index(%arg0) : (!torch.tuple<int, int>) -> !torch.tuple<int, int>
  return %0 : !torch.tuple<int, int>
}
func.func private @__torch_mlir_dtype_fn.aten.moveaxis.int(%arg0: !torch.tuple<int, int>, %arg1: !torch.int, %arg2: !torch.int) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.moveaxis.intlist(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.movedim.int(%arg0: !torch.tuple<int, int>, %arg1: !torch.int, %arg2: !torch.int) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.movedim.intlist(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.msort(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.mul.Scalar(%arg0: !torch.tuple<int, int>, %arg1: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.promote_tensor_number(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.number) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.mul.Tensor(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.promote_tensors(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.multiply.Scalar(%arg0: !torch.tuple<int, int>, %arg1: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.promote_tensor_number(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.number) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.multiply.Tensor(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.promote_tensors(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
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
func.func private @__torch_mlir_dtype_fn.aten.mvlgamma(%arg0: !torch.tuple<int, int>, %arg1: !torch.int) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.nan_to_num(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<float>, %arg2: !torch.optional<float>, %arg3: !torch.optional<float>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.nanmean(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<list<int>>, %arg2: !torch.bool, %arg3: !torch.optional<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.mean_dtype(%arg0, %arg3) : (!torch.tuple<int, int>, !torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.nanmedian(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.nanmedian.dim(%arg0: !torch.tuple<int, int>, %arg1: !torch.int, %arg2: !torch.bool) -> !torch.tuple<int, int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.dtype_and_index(%arg0) : (!torch.tuple<int, int>) -> !torch.tuple<int, int>
  return %0 : !torch.tuple<int, int>
}
func.func private @__torch_mlir_dtype_fn.aten.nansum(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<list<int>>, %arg2: !torch.bool, %arg3: !torch.optional<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.sum_dtype(%arg0, %arg3) : (!torch.tuple<int, int>, !torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.narrow(%arg0: !torch.tuple<int, int>, %arg1: !torch.int, %arg2: !torch.int, %arg3: !torch.int) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.narrow.Tensor(%arg0: !torch.tuple<int, int>, %arg1: !torch.int, %arg2: !torch.tuple<int, int>, %arg3: !torch.int) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.narrow_copy(%arg0: !torch.tuple<int, int>, %arg1: !torch.int, %arg2: !torch.int, %arg3: !torch.int) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.native_batch_norm(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<tuple<int, int>>, %arg2: !torch.optional<tuple<int, int>>, %arg3: !torch.optional<tuple<int, int>>, %arg4: !torch.optional<tuple<int, int>>, %arg5: !torch.bool, %arg6: !torch.float, %arg7: !torch.float) -> !torch.tuple<int, int, int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.batch_normalization.native_batch_norm_dtype(%arg0, %arg1, %arg2, %arg3, %arg4) : (!torch.tuple<int, int>, !torch.optional<tuple<int, int>>, !torch.optional<tuple<int, int>>, !torch.optional<tuple<int, int>>, !torch.optional<tuple<int, int>>) -> !torch.tuple<int, int, int>
  return %0 : !torch.tuple<int, int, int>
}
func.func private @__torch_mlir_dtype_fn.aten.native_dropout(%arg0: !torch.tuple<int, int>, %arg1: !torch.float, %arg2: !torch.optional<bool>) -> !torch.tuple<int, int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.random.native_dropout_dtype(%arg0) : (!torch.tuple<int, int>) -> !torch.tuple<int, int>
  return %0 : !torch.tuple<int, int>
}
func.func private @__torch_mlir_dtype_fn.aten.native_group_norm(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<tuple<int, int>>, %arg2: !torch.optional<tuple<int, int>>, %arg3: !torch.int, %arg4: !torch.int, %arg5: !torch.int, %arg6: !torch.int, %arg7: !torch.float) -> !torch.tuple<int, int, int> {
  %int1 = torch.constant.int 1
  %0 = torch.prim.ListConstruct %arg1, %arg2 : (!torch.optional<tuple<int, int>>, !torch.optional<tuple<int, int>>) -> !torch.list<optional<tuple<int, int>>>
  %1 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %2 = call @__torch__.torch_refine.abstract_interp_lib.rules.normalization.wider_dtype(%1, %0) : (!torch.int, !torch.list<optional<tuple<int, int>>>) -> !torch.int
  %3 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %4 = torch.prim.TupleConstruct %3, %2, %2 : !torch.int, !torch.int, !torch.int -> !torch.tuple<int, int, int>
  return %4 : !torch.tuple<int, int, int>
}
func.func private @__torch_mlir_dtype_fn.aten.native_layer_norm(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>, %arg2: !torch.optional<tuple<int, int>>, %arg3: !torch.optional<tuple<int, int>>, %arg4: !torch.float) -> !torch.tuple<int, int, int> {
  %int1 = torch.constant.int 1
  %0 = torch.prim.ListConstruct %arg2, %arg3 : (!torch.optional<tuple<int, int>>, !torch.optional<tuple<int, int>>) -> !torch.list<optional<tuple<int, int>>>
  %1 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %2 = call @__torch__.torch_refine.abstract_interp_lib.rules.normalization.statistics_dtype(%1, %0) : (!torch.int, !torch.list<optional<tuple<int, int>>>) -> !torch.int
  %3 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %4 = torch.prim.TupleConstruct %3, %2, %2 : !torch.int, !torch.int, !torch.int -> !torch.tuple<int, int, int>
  return %4 : !torch.tuple<int, int, int>
}
func.func private @__torch_mlir_dtype_fn.aten.ne.Scalar(%arg0: !torch.tuple<int, int>, %arg1: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.always_bool() : () -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.ne.Tensor(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.always_bool() : () -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.neg(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pointwise_unary.negated_dtype(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.negative(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pointwise_unary.negated_dtype(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.new_empty(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>, %arg2: !torch.optional<int>, %arg3: !torch.optional<int>, %arg4: !torch.optional<Device>, %arg5: !torch.optional<bool>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.dtype_or_same(%arg0, %arg2) : (!torch.tuple<int, int>, !torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.new_empty_strided(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>, %arg3: !torch.optional<int>, %arg4: !torch.optional<int>, %arg5: !torch.optional<Device>, %arg6: !torch.optional<bool>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.dtype_or_same(%arg0, %arg3) : (!torch.tuple<int, int>, !torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.new_full(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>, %arg2: !torch.number, %arg3: !torch.optional<int>, %arg4: !torch.optional<int>, %arg5: !torch.optional<Device>, %arg6: !torch.optional<bool>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.dtype_or_same(%arg0, %arg3) : (!torch.tuple<int, int>, !torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.new_ones(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>, %arg2: !torch.optional<int>, %arg3: !torch.optional<int>, %arg4: !torch.optional<Device>, %arg5: !torch.optional<bool>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.dtype_or_same(%arg0, %arg2) : (!torch.tuple<int, int>, !torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.new_zeros(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>, %arg2: !torch.optional<int>, %arg3: !torch.optional<int>, %arg4: !torch.optional<Device>, %arg5: !torch.optional<bool>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.dtype_or_same(%arg0, %arg2) : (!torch.tuple<int, int>, !torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.nextafter(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.promote_tensors(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.norm.Scalar(%arg0: !torch.tuple<int, int>, %arg1: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.norm_dtype(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.normal.float_float(%arg0: !torch.float, %arg1: !torch.float, %arg2: !torch.list<int>, %arg3: !torch.any, %arg4: !torch.optional<int>, %arg5: !torch.optional<int>, %arg6: !torch.optional<Device>, %arg7: !torch.optional<bool>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.dtype_or_default(%arg4) : (!torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.normal_functional(%arg0: !torch.tuple<int, int>, %arg1: !torch.float, %arg2: !torch.float, %arg3: !torch.any) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.not_equal.Scalar(%arg0: !torch.tuple<int, int>, %arg1: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.always_bool() : () -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.not_equal.Tensor(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.always_bool() : () -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.numpy_T(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.numpy_T.a(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.ones(%arg0: !torch.list<int>, %arg1: !torch.optional<int>, %arg2: !torch.optional<int>, %arg3: !torch.optional<Device>, %arg4: !torch.optional<bool>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.dtype_or_default(%arg1) : (!torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.ones_like(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<int>, %arg2: !torch.optional<int>, %arg3: !torch.optional<Device>, %arg4: !torch.optional<bool>, %arg5: !torch.optional<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.dtype_or_same(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.outer(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.products.outer_dtype_rule(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.pad(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>, %arg2: !torch.str, %arg3: !torch.optional<float>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.permute(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.permute_copy(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.pixel_shuffle(%arg0: !torch.tuple<int, int>, %arg1: !torch.int) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.pixel_unshuffle(%arg0: !torch.tuple<int, int>, %arg1: !torch.int) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.polygamma(%arg0: !torch.int, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg1) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.positive(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pointwise_unary.negated_dtype(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.pow.Scalar(%arg0: !torch.number, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pointwise_binary.power_of_number_dtype(%arg0, %arg1) : (!torch.number, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.pow.Tensor_Scalar(%arg0: !torch.tuple<int, int>, %arg1: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pointwise_binary.power_with_number_dtype(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.number) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.pow.Tensor_Tensor(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pointwise_binary.power_dtype(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.prelu(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %int1 = torch.constant.int 1
  %str = torch.constant.str "aten::prelu: dtypes must match, got {} and {}"
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
func.func private @__torch_mlir_dtype_fn.aten.prod(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.sum_dtype(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.prod.dim_int(%arg0: !torch.tuple<int, int>, %arg1: !torch.int, %arg2: !torch.bool, %arg3: !torch.optional<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.sum_dtype(%arg0, %arg3) : (!torch.tuple<int, int>, !torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.rad2deg(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.rand(%arg0: !torch.list<int>, %arg1: !torch.optional<int>, %arg2: !torch.optional<int>, %arg3: !torch.optional<Device>, %arg4: !torch.optional<bool>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.dtype_or_default(%arg1) : (!torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.rand.generator(%arg0: !torch.list<int>, %arg1: !torch.any, %arg2: !torch.optional<int>, %arg3: !torch.optional<int>, %arg4: !torch.optional<Device>, %arg5: !torch.optional<bool>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.dtype_or_default(%arg2) : (!torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.rand_like(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<int>, %arg2: !torch.optional<int>, %arg3: !torch.optional<Device>, %arg4: !torch.optional<bool>, %arg5: !torch.optional<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.dtype_or_same(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.rand_like.generator(%arg0: !torch.tuple<int, int>, %arg1: !torch.any, %arg2: !torch.optional<int>, %arg3: !torch.optional<int>, %arg4: !torch.optional<Device>, %arg5: !torch.optional<bool>, %arg6: !torch.optional<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.dtype_or_same(%arg0, %arg2) : (!torch.tuple<int, int>, !torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.randint(%arg0: !torch.int, %arg1: !torch.list<int>, %arg2: !torch.optional<int>, %arg3: !torch.optional<int>, %arg4: !torch.optional<Device>, %arg5: !torch.optional<bool>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.dtype_or_default(%arg2) : (!torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.randint.low(%arg0: !torch.int, %arg1: !torch.int, %arg2: !torch.list<int>, %arg3: !torch.optional<int>, %arg4: !torch.optional<int>, %arg5: !torch.optional<Device>, %arg6: !torch.optional<bool>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.dtype_or_default(%arg3) : (!torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.randint_like(%arg0: !torch.tuple<int, int>, %arg1: !torch.int, %arg2: !torch.optional<int>, %arg3: !torch.optional<int>, %arg4: !torch.optional<Device>, %arg5: !torch.optional<bool>, %arg6: !torch.optional<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.dtype_or_same(%arg0, %arg2) : (!torch.tuple<int, int>, !torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.randint_like.low_dtype(%arg0: !torch.tuple<int, int>, %arg1: !torch.int, %arg2: !torch.int, %arg3: !torch.optional<int>, %arg4: !torch.optional<int>, %arg5: !torch.optional<Device>, %arg6: !torch.optional<bool>, %arg7: !torch.optional<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.dtype_or_same(%arg0, %arg3) : (!torch.tuple<int, int>, !torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.randn(%arg0: !torch.list<int>, %arg1: !torch.optional<int>, %arg2: !torch.optional<int>, %arg3: !torch.optional<Device>, %arg4: !torch.optional<bool>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.dtype_or_default(%arg1) : (!torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.randn.generator(%arg0: !torch.list<int>, %arg1: !torch.any, %arg2: !torch.optional<int>, %arg3: !torch.optional<int>, %arg4: !torch.optional<Device>, %arg5: !torch.optional<bool>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.dtype_or_default(%arg2) : (!torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.randn_like(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<int>, %arg2: !torch.optional<int>, %arg3: !torch.optional<Device>, %arg4: !torch.optional<bool>, %arg5: !torch.optional<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.dtype_or_same(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.randn_like.generator(%arg0: !torch.tuple<int, int>, %arg1: !torch.any, %arg2: !torch.optional<int>, %arg3: !torch.optional<int>, %arg4: !torch.optional<Device>, %arg5: !torch.optional<bool>, %arg6: !torch.optional<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.dtype_or_same(%arg0, %arg2) : (!torch.tuple<int, int>, !torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.random(%arg0: !torch.tuple<int, int>, %arg1: !torch.any) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.random.from(%arg0: !torch.tuple<int, int>, %arg1: !torch.int, %arg2: !torch.optional<int>, %arg3: !torch.any) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.random.to(%arg0: !torch.tuple<int, int>, %arg1: !torch.int, %arg2: !torch.any) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.randperm(%arg0: !torch.int, %arg1: !torch.optional<int>, %arg2: !torch.optional<int>, %arg3: !torch.optional<Device>, %arg4: !torch.optional<bool>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.dtype_or_int64(%arg1) : (!torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.ravel(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.real(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.complex_views.real_dtype_rule(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.reciprocal(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.reflection_pad1d(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.reflection_pad2d(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.reflection_pad3d(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.relu(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.relu6(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.remainder.Scalar(%arg0: !torch.tuple<int, int>, %arg1: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.promote_tensor_number(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.number) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.remainder.Scalar_Tensor(%arg0: !torch.number, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.promote_number_tensor(%arg0, %arg1) : (!torch.number, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.remainder.Tensor(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.promote_tensors(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.repeat(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.repeat_interleave.Tensor(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<int>) -> !torch.int {
  %int1 = torch.constant.int 1
  %int4 = torch.constant.int 4
  %true = torch.constant.bool true
  %int3 = torch.constant.int 3
  %str = torch.constant.str "aten::repeat_interleave: repeats must be int64 or int32, got dtype {}"
  %none = torch.constant.none
  %0 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  %1 = torch.aten.eq.int %0, %int4 : !torch.int, !torch.int -> !torch.bool
  %2 = torch.prim.If %1 -> (!torch.bool) {
    torch.prim.If.yield %true : !torch.bool
  } else {
    %4 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %5 = torch.aten.eq.int %4, %int3 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If.yield %5 : !torch.bool
  }
  torch.prim.If %2 -> () {
    torch.prim.If.yield
  } else {
    %4 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
    %5 = torch.aten.format(%str, %4) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %5, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %3 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  return %3 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.repeat_interleave.self_Tensor(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>, %arg2: !torch.optional<int>, %arg3: !torch.optional<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.repeat_interleave.self_int(%arg0: !torch.tuple<int, int>, %arg1: !torch.int, %arg2: !torch.optional<int>, %arg3: !torch.optional<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.replication_pad1d(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.replication_pad2d(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.replication_pad3d(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.reshape(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.reshape_as(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.resolve_conj(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.resolve_neg(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.rms_norm(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>, %arg2: !torch.optional<tuple<int, int>>, %arg3: !torch.optional<float>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.normalization.input_dtype(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.roll(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.rot90(%arg0: !torch.tuple<int, int>, %arg1: !torch.int, %arg2: !torch.list<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.round(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.round.decimals(%arg0: !torch.tuple<int, int>, %arg1: !torch.int) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.rrelu(%arg0: !torch.tuple<int, int>, %arg1: !torch.number, %arg2: !torch.number, %arg3: !torch.bool, %arg4: !torch.any) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.rsqrt(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.rsub.Scalar(%arg0: !torch.tuple<int, int>, %arg1: !torch.number, %arg2: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.promote_tensor_number(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.number) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.rsub.Tensor(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>, %arg2: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pointwise_binary.difference_dtype(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.scalar_tensor(%arg0: !torch.number, %arg1: !torch.optional<int>, %arg2: !torch.optional<int>, %arg3: !torch.optional<Device>, %arg4: !torch.optional<bool>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.dtype_or_default(%arg1) : (!torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.searchsorted.Scalar(%arg0: !torch.tuple<int, int>, %arg1: !torch.number, %arg2: !torch.bool, %arg3: !torch.bool, %arg4: !torch.optional<str>, %arg5: !torch.optional<tuple<int, int>>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.sorting.position_dtype(%arg2) : (!torch.bool) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.searchsorted.Tensor(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>, %arg2: !torch.bool, %arg3: !torch.bool, %arg4: !torch.optional<str>, %arg5: !torch.optional<tuple<int, int>>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.sorting.position_dtype(%arg2) : (!torch.bool) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.select.int(%arg0: !torch.tuple<int, int>, %arg1: !torch.int, %arg2: !torch.int) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.select_copy.int(%arg0: !torch.tuple<int, int>, %arg1: !torch.int, %arg2: !torch.int) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.select_scatter(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>, %arg2: !torch.int, %arg3: !torch.int) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.selu(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.sgn(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.sigmoid(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.sign(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.signbit(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.always_bool() : () -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.silu(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.sin(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.sinc(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.sinh(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.slice.Tensor(%arg0: !torch.tuple<int, int>, %arg1: !torch.int, %arg2: !torch.optional<int>, %arg3: !torch.optional<int>, %arg4: !torch.int) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.slice_copy.Tensor(%arg0: !torch.tuple<int, int>, %arg1: !torch.int, %arg2: !torch.optional<int>, %arg3: !torch.optional<int>, %arg4: !torch.int) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.slice_scatter(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>, %arg2: !torch.int, %arg3: !torch.optional<int>, %arg4: !torch.optional<int>, %arg5: !torch.int) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.softmax.int(%arg0: !torch.tuple<int, int>, %arg1: !torch.int, %arg2: !torch.optional<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.scans.softmax_dtype(%arg0, %arg2) : (!torch.tuple<int, int>, !torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.softplus(%arg0: !torch.tuple<int, int>, %arg1: !torch.number, %arg2: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.softshrink(%arg0: !torch.tuple<int, int>, %arg1: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.sort(%arg0: !torch.tuple<int, int>, %arg1: !torch.int, %arg2: !torch.bool) -> !torch.tuple<int, int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.dtype_and_index(%arg0) : (!torch.tuple<int, int>) -> !torch.tuple<int, int>
  return %0 : !torch.tuple<int, int>
}
func.func private @__torch_mlir_dtype_fn.aten.sort.stable(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<bool>, %arg2: !torch.int, %arg3: !torch.bool) -> !torch.tuple<int, int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.dtype_and_index(%arg0) : (!torch.tuple<int, int>) -> !torch.tuple<int, int>
  return %0 : !torch.tuple<int, int>
}
func.func private @__torch_mlir_dtype_fn.aten.special_airy_ai(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pointwise_unary.float_of_x(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.special_bessel_j0(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.special_bessel_j1(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.special_bessel_y0(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.special_bessel_y1(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.special_digamma(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.special_entr(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.special_erf(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.special_erfc(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.special_erfcx(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.special_erfinv(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.special_exp2(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.special_expit(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.special_expm1(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.special_gammainc(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_tensors(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.special_gammaincc(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_tensors(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.special_gammaln(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.special_i0(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.special_i0e(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.special_i1(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.special_i1e(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.special_log1p(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.special_log_ndtr(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.special_log_softmax(%arg0: !torch.tuple<int, int>, %arg1: !torch.int, %arg2: !torch.optional<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.scans.softmax_dtype(%arg0, %arg2) : (!torch.tuple<int, int>, !torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.special_logit(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<float>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.special_logsumexp(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>, %arg2: !torch.bool) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.float_dtype(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.special_modified_bessel_i0(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.special_modified_bessel_i1(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.special_modified_bessel_k0(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.special_modified_bessel_k1(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.special_multigammaln(%arg0: !torch.tuple<int, int>, %arg1: !torch.int) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.special_ndtr(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.special_ndtri(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.special_polygamma(%arg0: !torch.int, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg1) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.special_psi(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.special_round(%arg0: !torch.tuple<int, int>, %arg1: !torch.int) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.special_scaled_modified_bessel_k0(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pointwise_unary.float_of_x(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.special_scaled_modified_bessel_k1(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pointwise_unary.float_of_x(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.special_sinc(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.special_softmax(%arg0: !torch.tuple<int, int>, %arg1: !torch.int, %arg2: !torch.optional<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.scans.softmax_dtype(%arg0, %arg2) : (!torch.tuple<int, int>, !torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.special_spherical_bessel_j0(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pointwise_unary.float_of_x(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.special_xlog1py(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_tensors(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.special_xlog1py.other_scalar(%arg0: !torch.tuple<int, int>, %arg1: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_tensor_number(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.number) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.special_xlog1py.self_scalar(%arg0: !torch.number, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_number_tensor(%arg0, %arg1) : (!torch.number, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.special_xlogy(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_tensors(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.special_xlogy.other_scalar(%arg0: !torch.tuple<int, int>, %arg1: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_tensor_number(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.number) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.special_xlogy.self_scalar(%arg0: !torch.number, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_number_tensor(%arg0, %arg1) : (!torch.number, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.special_zeta(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_tensors(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.special_zeta.other_scalar(%arg0: !torch.tuple<int, int>, %arg1: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_tensor_number(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.number) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.special_zeta.self_scalar(%arg0: !torch.number, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_number_tensor(%arg0, %arg1) : (!torch.number, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.split.Tensor(%arg0: !torch.tuple<int, int>, %arg1: !torch.int, %arg2: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.slicing.dtype_of_pieces(%arg0) : (!torch.tuple<int, int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_dtype_fn.aten.split.sizes(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>, %arg2: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.slicing.dtype_of_split_sizes(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_dtype_fn.aten.split_copy.Tensor(%arg0: !torch.tuple<int, int>, %arg1: !torch.int, %arg2: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.slicing.dtype_of_pieces(%arg0) : (!torch.tuple<int, int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_dtype_fn.aten.split_with_sizes(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>, %arg2: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.slicing.dtype_of_split_with_sizes(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_dtype_fn.aten.split_with_sizes_copy(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>, %arg2: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.slicing.dtype_of_split_with_sizes(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_dtype_fn.aten.sqrt(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.square(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %int2 = torch.constant.int 2
  %0 = torch.derefine %int2 : !torch.int to !torch.number
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.promotion.promote_with_number(%arg0, %0) : (!torch.tuple<int, int>, !torch.number) -> !torch.int
  return %1 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.squeeze(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.squeeze.dim(%arg0: !torch.tuple<int, int>, %arg1: !torch.int) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.squeeze.dims(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.squeeze_copy(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.squeeze_copy.dim(%arg0: !torch.tuple<int, int>, %arg1: !torch.int) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.squeeze_copy.dims(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.stack(%arg0: !torch.list<tuple<int, int>>, %arg1: !torch.int) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.joining.joined_dtype(%arg0) : (!torch.list<tuple<int, int>>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.std(%arg0: !torch.tuple<int, int>, %arg1: !torch.bool) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.variance_dtype(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.std.dim(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<list<int>>, %arg2: !torch.bool, %arg3: !torch.bool) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.variance_dtype(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.std_mean(%arg0: !torch.tuple<int, int>, %arg1: !torch.bool) -> !torch.tuple<int, int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.variance_and_mean_dtype(%arg0) : (!torch.tuple<int, int>) -> !torch.tuple<int, int>
  return %0 : !torch.tuple<int, int>
}
func.func private @__torch_mlir_dtype_fn.aten.std_mean.dim(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<list<int>>, %arg2: !torch.bool, %arg3: !torch.bool) -> !torch.tuple<int, int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.variance_and_mean_dtype(%arg0) : (!torch.tuple<int, int>) -> !torch.tuple<int, int>
  return %0 : !torch.tuple<int, int>
}
func.func private @__torch_mlir_dtype_fn.aten.sub.Scalar(%arg0: !torch.tuple<int, int>, %arg1: !torch.number, %arg2: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.promote_tensor_number(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.number) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.sub.Tensor(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>, %arg2: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pointwise_binary.difference_dtype(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.subtract.Scalar(%arg0: !torch.tuple<int, int>, %arg1: !torch.number, %arg2: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.promote_tensor_number(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.number) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.subtract.Tensor(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>, %arg2: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pointwise_binary.difference_dtype(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.sum(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.sum_dtype(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.sum.dim_IntList(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<list<int>>, %arg2: !torch.bool, %arg3: !torch.optional<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.sum_dtype(%arg0, %arg3) : (!torch.tuple<int, int>, !torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.swapaxes(%arg0: !torch.tuple<int, int>, %arg1: !torch.int, %arg2: !torch.int) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.swapdims(%arg0: !torch.tuple<int, int>, %arg1: !torch.int, %arg2: !torch.int) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.t(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.t_copy(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.tan(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.tanh(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.tensor_split.indices(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>, %arg2: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.slicing.dtype_of_indices(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_dtype_fn.aten.tensor_split.sections(%arg0: !torch.tuple<int, int>, %arg1: !torch.int, %arg2: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.slicing.dtype_of_sections(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
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
func.func private @__torch_mlir_dtype_fn.aten.threshold(%arg0: !torch.tuple<int, int>, %arg1: !torch.number, %arg2: !torch.number) -> !torch.int {
  %int1 = torch.constant.int 1
  %0 = torch.prim.TupleIndex %arg0, %int1 : !torch.tuple<int, int>, !torch.int -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.tile(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.to.device(%arg0: !torch.tuple<int, int>, %arg1: !torch.Device, %arg2: !torch.int, %arg3: !torch.bool, %arg4: !torch.bool, %arg5: !torch.optional<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.conversion.given_dtype(%arg2) : (!torch.int) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.to.dtype(%arg0: !torch.tuple<int, int>, %arg1: !torch.int, %arg2: !torch.bool, %arg3: !torch.bool, %arg4: !torch.optional<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.conversion.given_dtype(%arg1) : (!torch.int) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.to.dtype_layout(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<int>, %arg2: !torch.optional<int>, %arg3: !torch.optional<Device>, %arg4: !torch.optional<bool>, %arg5: !torch.bool, %arg6: !torch.bool, %arg7: !torch.optional<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.dtype_or_same(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.to.other(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>, %arg2: !torch.bool, %arg3: !torch.bool, %arg4: !torch.optional<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.dtype_of_other(%arg1) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.to.prim_Device(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<Device>, %arg2: !torch.optional<int>, %arg3: !torch.bool, %arg4: !torch.bool) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.dtype_or_same(%arg0, %arg2) : (!torch.tuple<int, int>, !torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.to.prim_dtype(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<int>, %arg2: !torch.bool, %arg3: !torch.bool) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.dtype_or_same(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.to.prim_other(%arg0: !torch.tuple<int, int>, %arg1: !torch.bool, %arg2: !torch.bool) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.topk(%arg0: !torch.tuple<int, int>, %arg1: !torch.int, %arg2: !torch.int, %arg3: !torch.bool, %arg4: !torch.bool) -> !torch.tuple<int, int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.dtype_and_index(%arg0) : (!torch.tuple<int, int>) -> !torch.tuple<int, int>
  return %0 : !torch.tuple<int, int>
}
func.func private @__torch_mlir_dtype_fn.aten.trace(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.reductions.trace_dtype(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.transpose.int(%arg0: !torch.tuple<int, int>, %arg1: !torch.int, %arg2: !torch.int) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.transpose_copy.int(%arg0: !torch.tuple<int, int>, %arg1: !torch.int, %arg2: !torch.int) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.tril(%arg0: !torch.tuple<int, int>, %arg1: !torch.int) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.triu(%arg0: !torch.tuple<int, int>, %arg1: !torch.int) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.true_divide.Scalar(%arg0: !torch.tuple<int, int>, %arg1: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_tensor_number(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.number) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.true_divide.Tensor(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_tensors(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.trunc(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.type_as(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.dtype_of_other(%arg1) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.unbind.int(%arg0: !torch.tuple<int, int>, %arg1: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.slicing.dtype_of_pieces(%arg0) : (!torch.tuple<int, int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_dtype_fn.aten.unbind_copy.int(%arg0: !torch.tuple<int, int>, %arg1: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.slicing.dtype_of_pieces(%arg0) : (!torch.tuple<int, int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_dtype_fn.aten.unflatten.int(%arg0: !torch.tuple<int, int>, %arg1: !torch.int, %arg2: !torch.list<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.unfold(%arg0: !torch.tuple<int, int>, %arg1: !torch.int, %arg2: !torch.int, %arg3: !torch.int) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.unfold_copy(%arg0: !torch.tuple<int, int>, %arg1: !torch.int, %arg2: !torch.int, %arg3: !torch.int) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.uniform(%arg0: !torch.tuple<int, int>, %arg1: !torch.float, %arg2: !torch.float, %arg3: !torch.any) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.unsafe_chunk(%arg0: !torch.tuple<int, int>, %arg1: !torch.int, %arg2: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.slicing.dtype_of_pieces(%arg0) : (!torch.tuple<int, int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_dtype_fn.aten.unsafe_split.Tensor(%arg0: !torch.tuple<int, int>, %arg1: !torch.int, %arg2: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.slicing.dtype_of_pieces(%arg0) : (!torch.tuple<int, int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_dtype_fn.aten.unsafe_split_with_sizes(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>, %arg2: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.slicing.dtype_of_split_with_sizes(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_dtype_fn.aten.unsqueeze(%arg0: !torch.tuple<int, int>, %arg1: !torch.int) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.unsqueeze_copy(%arg0: !torch.tuple<int, int>, %arg1: !torch.int) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.var(%arg0: !torch.tuple<int, int>, %arg1: !torch.bool) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.variance_dtype(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.var.dim(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<list<int>>, %arg2: !torch.bool, %arg3: !torch.bool) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.variance_dtype(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.var_mean(%arg0: !torch.tuple<int, int>, %arg1: !torch.bool) -> !torch.tuple<int, int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.variance_and_mean_dtype(%arg0) : (!torch.tuple<int, int>) -> !torch.tuple<int, int>
  return %0 : !torch.tuple<int, int>
}
func.func private @__torch_mlir_dtype_fn.aten.var_mean.dim(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<list<int>>, %arg2: !torch.bool, %arg3: !torch.bool) -> !torch.tuple<int, int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.variance_and_mean_dtype(%arg0) : (!torch.tuple<int, int>) -> !torch.tuple<int, int>
  return %0 : !torch.tuple<int, int>
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
func.func private @__torch_mlir_dtype_fn.aten.view(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.view.dtype(%arg0: !torch.tuple<int, int>, %arg1: !torch.int) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.complex_views.view_dtype_dtype_rule(%arg1) : (!torch.int) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.view_as(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.view_as_complex(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.complex_views.view_as_complex_dtype_rule(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.view_as_complex_copy(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.complex_views.view_as_complex_dtype_rule(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.view_as_real(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.complex_views.imag_dtype_rule(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.view_as_real_copy(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.complex_views.imag_dtype_rule(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.view_copy(%arg0: !torch.tuple<int, int>, %arg1: !torch.list<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.view_copy.dtype(%arg0: !torch.tuple<int, int>, %arg1: !torch.int) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.complex_views.view_dtype_dtype_rule(%arg1) : (!torch.int) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.vstack(%arg0: !torch.list<tuple<int, int>>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.joining.joined_dtype(%arg0) : (!torch.list<tuple<int, int>>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.where.Scalar(%arg0: !torch.tuple<int, int>, %arg1: !torch.number, %arg2: !torch.number) -> !torch.int {
  %none = torch.constant.none
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.ternary.check_condition(%arg0) : (!torch.tuple<int, int>) -> !torch.none
  %1 = torch.derefine %none : !torch.none to !torch.optional<int>
  %2 = torch.derefine %none : !torch.none to !torch.optional<int>
  %3 = torch.prim.ListConstruct %1, %2 : (!torch.optional<int>, !torch.optional<int>) -> !torch.list<optional<int>>
  %4 = torch.operator "torch_refine.dtype_of_number"(%arg1) : (!torch.number) -> !torch.int 
  %5 = torch.operator "torch_refine.dtype_of_number"(%arg2) : (!torch.number) -> !torch.int 
  %6 = torch.prim.ListConstruct %4, %5 : (!torch.int, !torch.int) -> !torch.list<int>
  %7 = torch.promote_dtypes %3, %6 : (!torch.list<optional<int>>, !torch.list<int>) -> !torch.int
  return %7 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.where.ScalarOther(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>, %arg2: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.ternary.check_condition(%arg0) : (!torch.tuple<int, int>) -> !torch.none
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.promotion.promote_with_number(%arg1, %arg2) : (!torch.tuple<int, int>, !torch.number) -> !torch.int
  return %1 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.where.ScalarSelf(%arg0: !torch.tuple<int, int>, %arg1: !torch.number, %arg2: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.ternary.check_condition(%arg0) : (!torch.tuple<int, int>) -> !torch.none
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.promotion.promote_with_number(%arg2, %arg1) : (!torch.tuple<int, int>, !torch.number) -> !torch.int
  return %1 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.where.self(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>, %arg2: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.ternary.check_condition(%arg0) : (!torch.tuple<int, int>) -> !torch.none
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.promotion.promote_two(%arg1, %arg2) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %1 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.xlogy.Scalar_Other(%arg0: !torch.tuple<int, int>, %arg1: !torch.number) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_tensor_number(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.number) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.xlogy.Scalar_Self(%arg0: !torch.number, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_number_tensor(%arg0, %arg1) : (!torch.number, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.xlogy.Tensor(%arg0: !torch.tuple<int, int>, %arg1: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.float_of_tensors(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.zero(%arg0: !torch.tuple<int, int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.dtype_of_self(%arg0) : (!torch.tuple<int, int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.zeros(%arg0: !torch.list<int>, %arg1: !torch.optional<int>, %arg2: !torch.optional<int>, %arg3: !torch.optional<Device>, %arg4: !torch.optional<bool>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.dtype_or_default(%arg1) : (!torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_dtype_fn.aten.zeros_like(%arg0: !torch.tuple<int, int>, %arg1: !torch.optional<int>, %arg2: !torch.optional<int>, %arg3: !torch.optional<Device>, %arg4: !torch.optional<bool>, %arg5: !torch.optional<int>) -> !torch.int {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.dtype_or_same(%arg0, %arg1) : (!torch.tuple<int, int>, !torch.optional<int>) -> !torch.int
  return %0 : !torch.int
}
func.func private @__torch_mlir_shape_fn.aten.__and__.Scalar(%arg0: !torch.list<int>, %arg1: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.__and__.Tensor(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.__lshift__.Scalar(%arg0: !torch.list<int>, %arg1: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.__lshift__.Tensor(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.__or__.Scalar(%arg0: !torch.list<int>, %arg1: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.__or__.Tensor(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.__rshift__.Scalar(%arg0: !torch.list<int>, %arg1: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.__rshift__.Tensor(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.__xor__.Scalar(%arg0: !torch.list<int>, %arg1: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.__xor__.Tensor(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten._adaptive_avg_pool2d(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pooling.adaptive_avg_pool2d(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten._adaptive_avg_pool3d(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pooling.adaptive_avg_pool3d(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten._addmm_activation(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>, %arg3: !torch.float, %arg4: !torch.float, %arg5: !torch.bool) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.matmul.addmm_rule(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten._batch_norm_with_update(%arg0: !torch.list<int>, %arg1: !torch.optional<list<int>>, %arg2: !torch.optional<list<int>>, %arg3: !torch.list<int>, %arg4: !torch.list<int>, %arg5: !torch.float, %arg6: !torch.float) -> !torch.tuple<list<int>, list<int>, list<int>, list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.batch_normalization.batch_norm_with_update(%arg0, %arg1, %arg2, %arg3, %arg4) : (!torch.list<int>, !torch.optional<list<int>>, !torch.optional<list<int>>, !torch.list<int>, !torch.list<int>) -> !torch.tuple<list<int>, list<int>, list<int>, list<int>>
  return %0 : !torch.tuple<list<int>, list<int>, list<int>, list<int>>
}
func.func private @__torch_mlir_shape_fn.aten._batch_norm_with_update_functional(%arg0: !torch.list<int>, %arg1: !torch.optional<list<int>>, %arg2: !torch.optional<list<int>>, %arg3: !torch.list<int>, %arg4: !torch.list<int>, %arg5: !torch.float, %arg6: !torch.float) -> !torch.tuple<list<int>, list<int>, list<int>, list<int>, list<int>, list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.batch_normalization.functional_batch_norm_with_update(%arg0, %arg1, %arg2, %arg3, %arg4) : (!torch.list<int>, !torch.optional<list<int>>, !torch.optional<list<int>>, !torch.list<int>, !torch.list<int>) -> !torch.tuple<list<int>, list<int>, list<int>, list<int>, list<int>, list<int>>
  return %0 : !torch.tuple<list<int>, list<int>, list<int>, list<int>, list<int>, list<int>>
}
func.func private @__torch_mlir_shape_fn.aten._conj_physical(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten._convolution(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.optional<list<int>>, %arg3: !torch.list<int>, %arg4: !torch.list<int>, %arg5: !torch.list<int>, %arg6: !torch.bool, %arg7: !torch.list<int>, %arg8: !torch.int, %arg9: !torch.bool, %arg10: !torch.bool, %arg11: !torch.bool, %arg12: !torch.bool) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.convolution.convolution(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7, %arg8) : (!torch.list<int>, !torch.list<int>, !torch.optional<list<int>>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.list<int>, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten._convolution.deprecated(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.optional<list<int>>, %arg3: !torch.list<int>, %arg4: !torch.list<int>, %arg5: !torch.list<int>, %arg6: !torch.bool, %arg7: !torch.list<int>, %arg8: !torch.int, %arg9: !torch.bool, %arg10: !torch.bool, %arg11: !torch.bool) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.convolution.convolution(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7, %arg8) : (!torch.list<int>, !torch.list<int>, !torch.optional<list<int>>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.list<int>, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten._convolution_mode(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.optional<list<int>>, %arg3: !torch.list<int>, %arg4: !torch.str, %arg5: !torch.list<int>, %arg6: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.convolution.conv_padded_by_name(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6) : (!torch.list<int>, !torch.list<int>, !torch.optional<list<int>>, !torch.list<int>, !torch.str, !torch.list<int>, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten._fused_rms_norm(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.optional<list<int>>, %arg3: !torch.optional<float>) -> !torch.tuple<list<int>, list<int>> {
  %int0 = torch.constant.int 0
  %str = torch.constant.str "aten::_fused_rms_norm: normalized_shape {} is longer than {}"
  %none = torch.constant.none
  %0 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
  %1 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %2 = torch.aten.le.int %0, %1 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %2 -> () {
    torch.prim.If.yield
  } else {
    %9 = torch.aten.format(%str, %arg1, %arg0) : !torch.str, !torch.list<int>, !torch.list<int> -> !torch.str
    torch.prim.RaiseException %9, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %3 = torch.aten.eq.int %0, %int0 : !torch.int, !torch.int -> !torch.bool
  %4 = torch.prim.If %3 -> (!torch.int) {
    %9 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
    torch.prim.If.yield %9 : !torch.int
  } else {
    torch.prim.If.yield %0 : !torch.int
  }
  %5 = torch.aten.__isnot__ %arg2, %none : !torch.optional<list<int>>, !torch.none -> !torch.bool
  %6 = torch.prim.If %5 -> (!torch.list<int>) {
    %9 = torch.prim.unchecked_cast %arg2 : !torch.optional<list<int>> -> !torch.list<int>
    %10 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.broadcast.broadcast_two(%arg0, %9) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
    torch.prim.If.yield %10 : !torch.list<int>
  } else {
    torch.prim.If.yield %arg0 : !torch.list<int>
  }
  %7 = call @__torch__.torch_refine.abstract_interp_lib.rules.normalization.statistics_shape(%arg0, %4) : (!torch.list<int>, !torch.int) -> !torch.list<int>
  %8 = torch.prim.TupleConstruct %6, %7 : !torch.list<int>, !torch.list<int> -> !torch.tuple<list<int>, list<int>>
  return %8 : !torch.tuple<list<int>, list<int>>
}
func.func private @__torch_mlir_shape_fn.aten._int_mm(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.matmul.matrix_product(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten._log_softmax(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.bool) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.scans.scan_rule(%arg0, %arg1) : (!torch.list<int>, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten._native_batch_norm_legit(%arg0: !torch.list<int>, %arg1: !torch.optional<list<int>>, %arg2: !torch.optional<list<int>>, %arg3: !torch.list<int>, %arg4: !torch.list<int>, %arg5: !torch.bool, %arg6: !torch.float, %arg7: !torch.float) -> !torch.tuple<list<int>, list<int>, list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.batch_normalization.batch_norm_with_running(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5) : (!torch.list<int>, !torch.optional<list<int>>, !torch.optional<list<int>>, !torch.list<int>, !torch.list<int>, !torch.bool) -> !torch.tuple<list<int>, list<int>, list<int>>
  return %0 : !torch.tuple<list<int>, list<int>, list<int>>
}
func.func private @__torch_mlir_shape_fn.aten._native_batch_norm_legit.no_stats(%arg0: !torch.list<int>, %arg1: !torch.optional<list<int>>, %arg2: !torch.optional<list<int>>, %arg3: !torch.bool, %arg4: !torch.float, %arg5: !torch.float) -> !torch.tuple<list<int>, list<int>, list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.batch_normalization.batch_norm_without_running(%arg0, %arg1, %arg2, %arg3) : (!torch.list<int>, !torch.optional<list<int>>, !torch.optional<list<int>>, !torch.bool) -> !torch.tuple<list<int>, list<int>, list<int>>
  return %0 : !torch.tuple<list<int>, list<int>, list<int>>
}
func.func private @__torch_mlir_shape_fn.aten._native_batch_norm_legit_functional(%arg0: !torch.list<int>, %arg1: !torch.optional<list<int>>, %arg2: !torch.optional<list<int>>, %arg3: !torch.list<int>, %arg4: !torch.list<int>, %arg5: !torch.bool, %arg6: !torch.float, %arg7: !torch.float) -> !torch.tuple<list<int>, list<int>, list<int>, list<int>, list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.batch_normalization.functional_batch_norm(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5) : (!torch.list<int>, !torch.optional<list<int>>, !torch.optional<list<int>>, !torch.list<int>, !torch.list<int>, !torch.bool) -> !torch.tuple<list<int>, list<int>, list<int>, list<int>, list<int>>
  return %0 : !torch.tuple<list<int>, list<int>, list<int>, list<int>, list<int>>
}
func.func private @__torch_mlir_shape_fn.aten._native_batch_norm_legit_no_training(%arg0: !torch.list<int>, %arg1: !torch.optional<list<int>>, %arg2: !torch.optional<list<int>>, %arg3: !torch.list<int>, %arg4: !torch.list<int>, %arg5: !torch.float, %arg6: !torch.float) -> !torch.tuple<list<int>, list<int>, list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.batch_normalization.batch_norm_in_evaluation(%arg0, %arg1, %arg2, %arg3, %arg4) : (!torch.list<int>, !torch.optional<list<int>>, !torch.optional<list<int>>, !torch.list<int>, !torch.list<int>) -> !torch.tuple<list<int>, list<int>, list<int>>
  return %0 : !torch.tuple<list<int>, list<int>, list<int>>
}
func.func private @__torch_mlir_shape_fn.aten._pad_circular(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %int0 = torch.constant.int 0
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.padding.check_wraps(%arg0, %arg1, %int0) : (!torch.list<int>, !torch.list<int>, !torch.int) -> !torch.none
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.padding.padded(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %1 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten._reshape_copy(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.view_sizes(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten._softmax(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.bool) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.scans.scan_rule(%arg0, %arg1) : (!torch.list<int>, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten._to_copy(%arg0: !torch.list<int>, %arg1: !torch.optional<int>, %arg2: !torch.optional<int>, %arg3: !torch.optional<Device>, %arg4: !torch.optional<bool>, %arg5: !torch.bool, %arg6: !torch.optional<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten._unsafe_view(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.view_sizes(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.abs(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.absolute(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.acos(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.acosh(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.adaptive_avg_pool1d(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pooling.adaptive_avg_pool1d(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.adaptive_avg_pool2d(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pooling.adaptive_avg_pool2d(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.adaptive_avg_pool3d(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pooling.adaptive_avg_pool3d(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.adaptive_max_pool1d(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.tuple<list<int>, list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pooling.adaptive_max_pool1d(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.tuple<list<int>, list<int>>
  return %0 : !torch.tuple<list<int>, list<int>>
}
func.func private @__torch_mlir_shape_fn.aten.adaptive_max_pool2d(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.tuple<list<int>, list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pooling.adaptive_max_pool2d(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.tuple<list<int>, list<int>>
  return %0 : !torch.tuple<list<int>, list<int>>
}
func.func private @__torch_mlir_shape_fn.aten.adaptive_max_pool3d(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.tuple<list<int>, list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pooling.adaptive_max_pool3d(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.tuple<list<int>, list<int>>
  return %0 : !torch.tuple<list<int>, list<int>>
}
func.func private @__torch_mlir_shape_fn.aten.add.Scalar(%arg0: !torch.list<int>, %arg1: !torch.float, %arg2: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.add.Tensor(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
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
func.func private @__torch_mlir_shape_fn.aten.addcdiv(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>, %arg3: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.ternary.fused(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.addcmul(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>, %arg3: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.ternary.fused(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
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
func.func private @__torch_mlir_shape_fn.aten.adjoint(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.permutations.matrix_transpose_rule(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.alias(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.alias_copy(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.all(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.reduce_all(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.all.dim(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.bool) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.reduce_dim(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.int, !torch.bool) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.all.dims(%arg0: !torch.list<int>, %arg1: !torch.optional<list<int>>, %arg2: !torch.bool) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.reductions.truth_dims_rule(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.optional<list<int>>, !torch.bool) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.alpha_dropout(%arg0: !torch.list<int>, %arg1: !torch.float, %arg2: !torch.bool) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.same_as_input(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.amax(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.bool) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.extrema.extremum_dims_rule(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.list<int>, !torch.bool) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.amin(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.bool) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.extrema.extremum_dims_rule(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.list<int>, !torch.bool) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.aminmax(%arg0: !torch.list<int>, %arg1: !torch.optional<int>, %arg2: !torch.bool) -> !torch.tuple<list<int>, list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.extrema.extrema_rule(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.optional<int>, !torch.bool) -> !torch.tuple<list<int>, list<int>>
  return %0 : !torch.tuple<list<int>, list<int>>
}
func.func private @__torch_mlir_shape_fn.aten.angle(%arg0: !torch.list<int>) -> !torch.list<int> {
  return %arg0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.any(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.reduce_all(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.any.dim(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.bool) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.reduce_dim(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.int, !torch.bool) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.any.dims(%arg0: !torch.list<int>, %arg1: !torch.optional<list<int>>, %arg2: !torch.bool) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.reductions.truth_dims_rule(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.optional<list<int>>, !torch.bool) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.arange(%arg0: !torch.number, %arg1: !torch.optional<int>, %arg2: !torch.optional<int>, %arg3: !torch.optional<Device>, %arg4: !torch.optional<bool>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.factories.arange(%arg0, %arg1) : (!torch.number, !torch.optional<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.arange.start(%arg0: !torch.number, %arg1: !torch.number, %arg2: !torch.optional<int>, %arg3: !torch.optional<int>, %arg4: !torch.optional<Device>, %arg5: !torch.optional<bool>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.factories.arange_start(%arg0, %arg1, %arg2) : (!torch.number, !torch.number, !torch.optional<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.arange.start_step(%arg0: !torch.number, %arg1: !torch.number, %arg2: !torch.number, %arg3: !torch.optional<int>, %arg4: !torch.optional<int>, %arg5: !torch.optional<Device>, %arg6: !torch.optional<bool>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.factories.arange_start_step(%arg0, %arg1, %arg2, %arg3) : (!torch.number, !torch.number, !torch.number, !torch.optional<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.arccos(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.arccosh(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.arcsin(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.arcsinh(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.arctan(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.arctan2(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.arctanh(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.argmax(%arg0: !torch.list<int>, %arg1: !torch.optional<int>, %arg2: !torch.bool) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.extrema.extremum_index_rule(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.optional<int>, !torch.bool) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.argmin(%arg0: !torch.list<int>, %arg1: !torch.optional<int>, %arg2: !torch.bool) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.extrema.extremum_index_rule(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.optional<int>, !torch.bool) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.argsort(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.bool) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.sorting.argsort_rule(%arg0, %arg1) : (!torch.list<int>, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.argsort.stable(%arg0: !torch.list<int>, %arg1: !torch.bool, %arg2: !torch.int, %arg3: !torch.bool) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.sorting.argsort_rule(%arg0, %arg2) : (!torch.list<int>, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.as_strided(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>, %arg3: !torch.optional<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.views.as_strided_rule(%arg1, %arg2) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.as_strided_copy(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>, %arg3: !torch.optional<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.views.as_strided_rule(%arg1, %arg2) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.asin(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.asinh(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.atan(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.atan2(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.atanh(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.atleast_1d(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.joining.at_least_1d(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.atleast_1d.Sequence(%arg0: !torch.list<list<int>>) -> !torch.list<list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.joining.all_at_least_1d(%arg0) : (!torch.list<list<int>>) -> !torch.list<list<int>>
  return %0 : !torch.list<list<int>>
}
func.func private @__torch_mlir_shape_fn.aten.atleast_2d(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.joining.at_least_2d(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.atleast_2d.Sequence(%arg0: !torch.list<list<int>>) -> !torch.list<list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.joining.all_at_least_2d(%arg0) : (!torch.list<list<int>>) -> !torch.list<list<int>>
  return %0 : !torch.list<list<int>>
}
func.func private @__torch_mlir_shape_fn.aten.atleast_3d(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.joining.at_least_3d(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.atleast_3d.Sequence(%arg0: !torch.list<list<int>>) -> !torch.list<list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.joining.all_at_least_3d(%arg0) : (!torch.list<list<int>>) -> !torch.list<list<int>>
  return %0 : !torch.list<list<int>>
}
func.func private @__torch_mlir_shape_fn.aten.avg_pool1d(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>, %arg3: !torch.list<int>, %arg4: !torch.bool, %arg5: !torch.bool) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pooling.avg_pool1d(%arg0, %arg1, %arg2, %arg3, %arg4) : (!torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.avg_pool2d(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>, %arg3: !torch.list<int>, %arg4: !torch.bool, %arg5: !torch.bool, %arg6: !torch.optional<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pooling.avg_pool2d(%arg0, %arg1, %arg2, %arg3, %arg4) : (!torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.avg_pool3d(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>, %arg3: !torch.list<int>, %arg4: !torch.bool, %arg5: !torch.bool, %arg6: !torch.optional<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pooling.avg_pool3d(%arg0, %arg1, %arg2, %arg3, %arg4) : (!torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.baddbmm(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>, %arg3: !torch.float, %arg4: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.matmul.batched_product(%arg1, %arg2) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.matmul.check_expands(%arg0, %0) : (!torch.list<int>, !torch.list<int>) -> !torch.none
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.bartlett_window(%arg0: !torch.int, %arg1: !torch.optional<int>, %arg2: !torch.optional<int>, %arg3: !torch.optional<Device>, %arg4: !torch.optional<bool>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.factories.window(%arg0) : (!torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.bartlett_window.periodic(%arg0: !torch.int, %arg1: !torch.bool, %arg2: !torch.optional<int>, %arg3: !torch.optional<int>, %arg4: !torch.optional<Device>, %arg5: !torch.optional<bool>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.factories.window(%arg0) : (!torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.batch_norm(%arg0: !torch.list<int>, %arg1: !torch.optional<list<int>>, %arg2: !torch.optional<list<int>>, %arg3: !torch.optional<list<int>>, %arg4: !torch.optional<list<int>>, %arg5: !torch.bool, %arg6: !torch.float, %arg7: !torch.float, %arg8: !torch.bool) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.batch_normalization.batch_norm(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5) : (!torch.list<int>, !torch.optional<list<int>>, !torch.optional<list<int>>, !torch.optional<list<int>>, !torch.optional<list<int>>, !torch.bool) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.bernoulli(%arg0: !torch.list<int>, %arg1: !torch.any) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.bernoulli.Tensor(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.any) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.random.bernoulli_tensor(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.bernoulli.p(%arg0: !torch.list<int>, %arg1: !torch.float, %arg2: !torch.any) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
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
func.func private @__torch_mlir_shape_fn.aten.bitwise_and.Scalar(%arg0: !torch.list<int>, %arg1: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.bitwise_and.Scalar_Tensor(%arg0: !torch.float, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.same_as_other(%arg1) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.bitwise_and.Tensor(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.bitwise_left_shift.Scalar_Tensor(%arg0: !torch.float, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.same_as_other(%arg1) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.bitwise_left_shift.Tensor(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.bitwise_left_shift.Tensor_Scalar(%arg0: !torch.list<int>, %arg1: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.bitwise_not(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.bitwise_or.Scalar(%arg0: !torch.list<int>, %arg1: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.bitwise_or.Scalar_Tensor(%arg0: !torch.float, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.same_as_other(%arg1) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.bitwise_or.Tensor(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.bitwise_right_shift.Scalar_Tensor(%arg0: !torch.float, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.same_as_other(%arg1) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.bitwise_right_shift.Tensor(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.bitwise_right_shift.Tensor_Scalar(%arg0: !torch.list<int>, %arg1: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.bitwise_xor.Scalar(%arg0: !torch.list<int>, %arg1: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.bitwise_xor.Scalar_Tensor(%arg0: !torch.float, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.same_as_other(%arg1) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.bitwise_xor.Tensor(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.blackman_window(%arg0: !torch.int, %arg1: !torch.optional<int>, %arg2: !torch.optional<int>, %arg3: !torch.optional<Device>, %arg4: !torch.optional<bool>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.factories.window(%arg0) : (!torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.blackman_window.periodic(%arg0: !torch.int, %arg1: !torch.bool, %arg2: !torch.optional<int>, %arg3: !torch.optional<int>, %arg4: !torch.optional<Device>, %arg5: !torch.optional<bool>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.factories.window(%arg0) : (!torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.bmm(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.matmul.batched_product(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.broadcast_tensors(%arg0: !torch.list<list<int>>) -> !torch.list<list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.joining.broadcast_tensors_rule(%arg0) : (!torch.list<list<int>>) -> !torch.list<list<int>>
  return %0 : !torch.list<list<int>>
}
func.func private @__torch_mlir_shape_fn.aten.broadcast_to(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.expand_sizes(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.bucketize.Scalar(%arg0: !torch.float, %arg1: !torch.list<int>, %arg2: !torch.bool, %arg3: !torch.bool) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.sorting.bucketize_scalar_rule(%arg1) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.bucketize.Tensor(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.bool, %arg3: !torch.bool) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.sorting.bucketize_rule(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.cat(%arg0: !torch.list<list<int>>, %arg1: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.joining.cat_rule(%arg0, %arg1) : (!torch.list<list<int>>, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.cauchy(%arg0: !torch.list<int>, %arg1: !torch.float, %arg2: !torch.float, %arg3: !torch.any) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.ceil(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.celu(%arg0: !torch.list<int>, %arg1: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.channel_shuffle(%arg0: !torch.list<int>, %arg1: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.rearranging.channel_shuffle_rule(%arg0, %arg1) : (!torch.list<int>, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.chunk(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.int) -> !torch.list<list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.slicing.chunk_rule(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.int, !torch.int) -> !torch.list<list<int>>
  return %0 : !torch.list<list<int>>
}
func.func private @__torch_mlir_shape_fn.aten.clamp(%arg0: !torch.list<int>, %arg1: !torch.optional<number>, %arg2: !torch.optional<number>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.ternary.clamp(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.optional<number>, !torch.optional<number>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.clamp.Tensor(%arg0: !torch.list<int>, %arg1: !torch.optional<list<int>>, %arg2: !torch.optional<list<int>>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.ternary.clamp_tensor(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.optional<list<int>>, !torch.optional<list<int>>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.clamp_max(%arg0: !torch.list<int>, %arg1: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.clamp_max.Tensor(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.ternary.clamp_max(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.clamp_min(%arg0: !torch.list<int>, %arg1: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.clamp_min.Tensor(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.ternary.clamp_min(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.clip(%arg0: !torch.list<int>, %arg1: !torch.optional<number>, %arg2: !torch.optional<number>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.ternary.clamp(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.optional<number>, !torch.optional<number>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.clip.Tensor(%arg0: !torch.list<int>, %arg1: !torch.optional<list<int>>, %arg2: !torch.optional<list<int>>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.ternary.clamp_tensor(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.optional<list<int>>, !torch.optional<list<int>>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.clone(%arg0: !torch.list<int>, %arg1: !torch.optional<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.column_stack(%arg0: !torch.list<list<int>>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.joining.column_stack_rule(%arg0) : (!torch.list<list<int>>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.concat(%arg0: !torch.list<list<int>>, %arg1: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.joining.cat_rule(%arg0, %arg1) : (!torch.list<list<int>>, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.conj(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.conj_physical(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.constant_pad_nd(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.padding.padded(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.contiguous(%arg0: !torch.list<int>, %arg1: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.conv1d(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.optional<list<int>>, %arg3: !torch.list<int>, %arg4: !torch.list<int>, %arg5: !torch.list<int>, %arg6: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.convolution.conv(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6) : (!torch.list<int>, !torch.list<int>, !torch.optional<list<int>>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.conv1d.padding(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.optional<list<int>>, %arg3: !torch.list<int>, %arg4: !torch.str, %arg5: !torch.list<int>, %arg6: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.convolution.conv_padded_by_name(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6) : (!torch.list<int>, !torch.list<int>, !torch.optional<list<int>>, !torch.list<int>, !torch.str, !torch.list<int>, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.conv2d(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.optional<list<int>>, %arg3: !torch.list<int>, %arg4: !torch.list<int>, %arg5: !torch.list<int>, %arg6: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.convolution.conv(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6) : (!torch.list<int>, !torch.list<int>, !torch.optional<list<int>>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.conv2d.padding(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.optional<list<int>>, %arg3: !torch.list<int>, %arg4: !torch.str, %arg5: !torch.list<int>, %arg6: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.convolution.conv_padded_by_name(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6) : (!torch.list<int>, !torch.list<int>, !torch.optional<list<int>>, !torch.list<int>, !torch.str, !torch.list<int>, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.conv3d(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.optional<list<int>>, %arg3: !torch.list<int>, %arg4: !torch.list<int>, %arg5: !torch.list<int>, %arg6: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.convolution.conv(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6) : (!torch.list<int>, !torch.list<int>, !torch.optional<list<int>>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.conv3d.padding(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.optional<list<int>>, %arg3: !torch.list<int>, %arg4: !torch.str, %arg5: !torch.list<int>, %arg6: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.convolution.conv_padded_by_name(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6) : (!torch.list<int>, !torch.list<int>, !torch.optional<list<int>>, !torch.list<int>, !torch.str, !torch.list<int>, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.conv_transpose1d(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.optional<list<int>>, %arg3: !torch.list<int>, %arg4: !torch.list<int>, %arg5: !torch.list<int>, %arg6: !torch.int, %arg7: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.convolution.conv_transpose(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7) : (!torch.list<int>, !torch.list<int>, !torch.optional<list<int>>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.int, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.conv_transpose2d.input(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.optional<list<int>>, %arg3: !torch.list<int>, %arg4: !torch.list<int>, %arg5: !torch.list<int>, %arg6: !torch.int, %arg7: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.convolution.conv_transpose(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7) : (!torch.list<int>, !torch.list<int>, !torch.optional<list<int>>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.int, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.conv_transpose3d.input(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.optional<list<int>>, %arg3: !torch.list<int>, %arg4: !torch.list<int>, %arg5: !torch.list<int>, %arg6: !torch.int, %arg7: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.convolution.conv_transpose(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7) : (!torch.list<int>, !torch.list<int>, !torch.optional<list<int>>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.int, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.convolution(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.optional<list<int>>, %arg3: !torch.list<int>, %arg4: !torch.list<int>, %arg5: !torch.list<int>, %arg6: !torch.bool, %arg7: !torch.list<int>, %arg8: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.convolution.convolution(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7, %arg8) : (!torch.list<int>, !torch.list<int>, !torch.optional<list<int>>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.list<int>, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.copy(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.bool) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.conversion.copied(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.copysign.Scalar(%arg0: !torch.list<int>, %arg1: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.copysign.Tensor(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.cos(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.cosh(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.count_nonzero(%arg0: !torch.list<int>, %arg1: !torch.optional<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.reductions.count_nonzero_rule(%arg0, %arg1) : (!torch.list<int>, !torch.optional<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.count_nonzero.dim_IntList(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.reductions.count_nonzero_dims_rule(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.cummax(%arg0: !torch.list<int>, %arg1: !torch.int) -> !torch.tuple<list<int>, list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.scans.scan_with_index_rule(%arg0, %arg1) : (!torch.list<int>, !torch.int) -> !torch.tuple<list<int>, list<int>>
  return %0 : !torch.tuple<list<int>, list<int>>
}
func.func private @__torch_mlir_shape_fn.aten.cummin(%arg0: !torch.list<int>, %arg1: !torch.int) -> !torch.tuple<list<int>, list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.scans.scan_with_index_rule(%arg0, %arg1) : (!torch.list<int>, !torch.int) -> !torch.tuple<list<int>, list<int>>
  return %0 : !torch.tuple<list<int>, list<int>>
}
func.func private @__torch_mlir_shape_fn.aten.cumprod(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.optional<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.scans.scan_rule(%arg0, %arg1) : (!torch.list<int>, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.cumsum(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.optional<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.scans.scan_rule(%arg0, %arg1) : (!torch.list<int>, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.deg2rad(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.detach(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.detach_copy(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.diagonal(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.int, %arg3: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.permutations.diagonal_rule(%arg0, %arg1, %arg2, %arg3) : (!torch.list<int>, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.diagonal_copy(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.int, %arg3: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.permutations.diagonal_rule(%arg0, %arg1, %arg2, %arg3) : (!torch.list<int>, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.diagonal_scatter(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.int, %arg3: !torch.int, %arg4: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.slicing.diagonal_scatter_rule(%arg0, %arg1, %arg2, %arg3, %arg4) : (!torch.list<int>, !torch.list<int>, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.diff(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.int, %arg3: !torch.optional<list<int>>, %arg4: !torch.optional<list<int>>) -> !torch.list<int> {
  %int0 = torch.constant.int 0
  %str = torch.constant.str "aten::diff: self must have a dimension, got rank {}"
  %none = torch.constant.none
  %str_0 = torch.constant.str "aten::diff: n cannot be negative, got {}"
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = torch.aten.gt.int %0, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %1 -> () {
    torch.prim.If.yield
  } else {
    %10 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
    %11 = torch.aten.format(%str, %10) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %11, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %2 = torch.aten.ge.int %arg1, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %2 -> () {
    torch.prim.If.yield
  } else {
    %10 = torch.aten.format(%str_0, %arg1) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %10, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %3 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %4 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.wrap_dim(%arg2, %3) : (!torch.int, !torch.int) -> !torch.int
  %5 = call @__torch__.torch_refine.abstract_interp_lib.families.scans.length_along(%arg3, %arg0, %4) : (!torch.optional<list<int>>, !torch.list<int>, !torch.int) -> !torch.int
  %6 = call @__torch__.torch_refine.abstract_interp_lib.families.scans.length_along(%arg4, %arg0, %4) : (!torch.optional<list<int>>, !torch.list<int>, !torch.int) -> !torch.int
  %7 = torch.aten.add.int %5, %6 : !torch.int, !torch.int -> !torch.int
  %8 = torch.aten.eq.int %arg1, %int0 : !torch.int, !torch.int -> !torch.bool
  %9 = torch.prim.If %8 -> (!torch.list<int>) {
    torch.prim.If.yield %arg0 : !torch.list<int>
  } else {
    %10 = torch.aten.__getitem__.t %arg0, %4 : !torch.list<int>, !torch.int -> !torch.int
    %11 = torch.aten.add.int %10, %7 : !torch.int, !torch.int -> !torch.int
    %12 = torch.aten.sub.int %11, %arg1 : !torch.int, !torch.int -> !torch.int
    %13 = torch.prim.max.int %12, %int0 : !torch.int, !torch.int -> !torch.int
    %14 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.replace_size(%arg0, %4, %13) : (!torch.list<int>, !torch.int, !torch.int) -> !torch.list<int>
    torch.prim.If.yield %14 : !torch.list<int>
  }
  return %9 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.digamma(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.div.Scalar(%arg0: !torch.list<int>, %arg1: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.div.Scalar_mode(%arg0: !torch.list<int>, %arg1: !torch.float, %arg2: !torch.optional<str>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.div.Tensor(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.div.Tensor_mode(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.optional<str>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.divide.Scalar(%arg0: !torch.list<int>, %arg1: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.divide.Scalar_mode(%arg0: !torch.list<int>, %arg1: !torch.float, %arg2: !torch.optional<str>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.divide.Tensor(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.divide.Tensor_mode(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.optional<str>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
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
func.func private @__torch_mlir_shape_fn.aten.dropout(%arg0: !torch.list<int>, %arg1: !torch.float, %arg2: !torch.bool) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.same_as_input(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.dstack(%arg0: !torch.list<list<int>>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.joining.dstack_rule(%arg0) : (!torch.list<list<int>>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.elu(%arg0: !torch.list<int>, %arg1: !torch.float, %arg2: !torch.float, %arg3: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.empty.memory_format(%arg0: !torch.list<int>, %arg1: !torch.optional<int>, %arg2: !torch.optional<int>, %arg3: !torch.optional<Device>, %arg4: !torch.optional<bool>, %arg5: !torch.optional<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.given_size(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.empty_like(%arg0: !torch.list<int>, %arg1: !torch.optional<int>, %arg2: !torch.optional<int>, %arg3: !torch.optional<Device>, %arg4: !torch.optional<bool>, %arg5: !torch.optional<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.empty_strided(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.optional<int>, %arg3: !torch.optional<int>, %arg4: !torch.optional<Device>, %arg5: !torch.optional<bool>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.factories.strided(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.eq.Scalar(%arg0: !torch.list<int>, %arg1: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.eq.Tensor(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.erf(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.erfc(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.erfinv(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.exp(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.exp2(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.expand(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.bool) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.expand_sizes(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.expand_as(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.views.expand_as_rule(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.expand_copy(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.bool) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.expand_sizes(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.expm1(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.exponential(%arg0: !torch.list<int>, %arg1: !torch.float, %arg2: !torch.any) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.eye(%arg0: !torch.int, %arg1: !torch.optional<int>, %arg2: !torch.optional<int>, %arg3: !torch.optional<Device>, %arg4: !torch.optional<bool>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.factories.eye(%arg0) : (!torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.eye.m(%arg0: !torch.int, %arg1: !torch.int, %arg2: !torch.optional<int>, %arg3: !torch.optional<int>, %arg4: !torch.optional<Device>, %arg5: !torch.optional<bool>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.factories.eye_m(%arg0, %arg1) : (!torch.int, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.feature_alpha_dropout(%arg0: !torch.list<int>, %arg1: !torch.float, %arg2: !torch.bool) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.same_as_input(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.feature_dropout(%arg0: !torch.list<int>, %arg1: !torch.float, %arg2: !torch.bool) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.same_as_input(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.fill.Scalar(%arg0: !torch.list<int>, %arg1: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.fill.Tensor(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.conversion.filled(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.fix(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.flatten.using_ints(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.int) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %str = torch.constant.str "aten::flatten: start_dim cannot come after end_dim, got {} and {}"
  %none = torch.constant.none
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.wrap_dim(%arg1, %0) : (!torch.int, !torch.int) -> !torch.int
  %2 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %3 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.wrap_dim(%arg2, %2) : (!torch.int, !torch.int) -> !torch.int
  %4 = torch.aten.le.int %1, %3 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %4 -> () {
    torch.prim.If.yield
  } else {
    %14 = torch.aten.format(%str, %arg1, %arg2) : !torch.str, !torch.int, !torch.int -> !torch.str
    torch.prim.RaiseException %14, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %5 = torch.aten.slice.t %arg0, %none, %1, %int1 : !torch.list<int>, !torch.none, !torch.int, !torch.int -> !torch.list<int>
  %6 = torch.aten.add.int %3, %int1 : !torch.int, !torch.int -> !torch.int
  %7 = torch.aten.slice.t %arg0, %1, %6, %int1 : !torch.list<int>, !torch.int, !torch.int, !torch.int -> !torch.list<int>
  %8 = call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.product(%7) : (!torch.list<int>) -> !torch.int
  %9 = torch.prim.ListConstruct %8 : (!torch.int) -> !torch.list<int>
  %10 = torch.aten.add.t %5, %9 : !torch.list<int>, !torch.list<int> -> !torch.list<int>
  %11 = torch.aten.add.int %3, %int1 : !torch.int, !torch.int -> !torch.int
  %12 = torch.aten.slice.t %arg0, %11, %none, %int1 : !torch.list<int>, !torch.int, !torch.none, !torch.int -> !torch.list<int>
  %13 = torch.aten.add.t %10, %12 : !torch.list<int>, !torch.list<int> -> !torch.list<int>
  return %13 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.flip(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.rearranging.flip_rule(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.fliplr(%arg0: !torch.list<int>) -> !torch.list<int> {
  %int2 = torch.constant.int 2
  %str = torch.constant.str "aten::fliplr: self must have 2 or more dimensions, got {}"
  %none = torch.constant.none
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = torch.aten.ge.int %0, %int2 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %1 -> () {
    torch.prim.If.yield
  } else {
    %2 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
    %3 = torch.aten.format(%str, %2) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %3, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  return %arg0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.flipud(%arg0: !torch.list<int>) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %str = torch.constant.str "aten::flipud: self must have a dimension, got {}"
  %none = torch.constant.none
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = torch.aten.ge.int %0, %int1 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %1 -> () {
    torch.prim.If.yield
  } else {
    %2 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
    %3 = torch.aten.format(%str, %2) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %3, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  return %arg0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.float_power.Scalar(%arg0: !torch.float, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pointwise_binary.power_of_number(%arg1) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.float_power.Tensor_Scalar(%arg0: !torch.list<int>, %arg1: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.float_power.Tensor_Tensor(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pointwise_binary.power(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.floor(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.floor_divide(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.floor_divide.Scalar(%arg0: !torch.list<int>, %arg1: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.fmax(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.fmin(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.fmod.Scalar(%arg0: !torch.list<int>, %arg1: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.fmod.Tensor(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.frac(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.fractional_max_pool2d(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>, %arg3: !torch.list<int>) -> !torch.tuple<list<int>, list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pooling.fractional_max_pool2d(%arg0, %arg2) : (!torch.list<int>, !torch.list<int>) -> !torch.tuple<list<int>, list<int>>
  return %0 : !torch.tuple<list<int>, list<int>>
}
func.func private @__torch_mlir_shape_fn.aten.fractional_max_pool3d(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>, %arg3: !torch.list<int>) -> !torch.tuple<list<int>, list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pooling.fractional_max_pool3d(%arg0, %arg2) : (!torch.list<int>, !torch.list<int>) -> !torch.tuple<list<int>, list<int>>
  return %0 : !torch.tuple<list<int>, list<int>>
}
func.func private @__torch_mlir_shape_fn.aten.full(%arg0: !torch.list<int>, %arg1: !torch.float, %arg2: !torch.optional<int>, %arg3: !torch.optional<int>, %arg4: !torch.optional<Device>, %arg5: !torch.optional<bool>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.given_size(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.full_like(%arg0: !torch.list<int>, %arg1: !torch.float, %arg2: !torch.optional<int>, %arg3: !torch.optional<int>, %arg4: !torch.optional<Device>, %arg5: !torch.optional<bool>, %arg6: !torch.optional<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.gcd(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.ge.Scalar(%arg0: !torch.list<int>, %arg1: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.ge.Tensor(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.gelu(%arg0: !torch.list<int>, %arg1: !torch.str) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.geometric(%arg0: !torch.list<int>, %arg1: !torch.float, %arg2: !torch.any) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.ger(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.products.outer_rule(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.glu(%arg0: !torch.list<int>, %arg1: !torch.int) -> !torch.list<int> {
  %int2 = torch.constant.int 2
  %int0 = torch.constant.int 0
  %str = torch.constant.str "aten::glu: needs a dimension to halve, got shape {}"
  %none = torch.constant.none
  %str_0 = torch.constant.str "aten::glu: dimension {} must have an even size, got {}"
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = torch.aten.gt.int %0, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %1 -> () {
    torch.prim.If.yield
  } else {
    %10 = torch.aten.format(%str, %arg0) : !torch.str, !torch.list<int> -> !torch.str
    torch.prim.RaiseException %10, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %2 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %3 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.wrap_dim(%arg1, %2) : (!torch.int, !torch.int) -> !torch.int
  %4 = torch.aten.__getitem__.t %arg0, %3 : !torch.list<int>, !torch.int -> !torch.int
  %5 = torch.aten.remainder.int %4, %int2 : !torch.int, !torch.int -> !torch.int
  %6 = torch.aten.eq.int %5, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %6 -> () {
    torch.prim.If.yield
  } else {
    %10 = torch.aten.__getitem__.t %arg0, %3 : !torch.list<int>, !torch.int -> !torch.int
    %11 = torch.aten.format(%str_0, %3, %10) : !torch.str, !torch.int, !torch.int -> !torch.str
    torch.prim.RaiseException %11, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %7 = torch.aten.__getitem__.t %arg0, %3 : !torch.list<int>, !torch.int -> !torch.int
  %8 = torch.aten.floordiv.int %7, %int2 : !torch.int, !torch.int -> !torch.int
  %9 = call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.replace_size(%arg0, %3, %8) : (!torch.list<int>, !torch.int, !torch.int) -> !torch.list<int>
  return %9 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.greater.Scalar(%arg0: !torch.list<int>, %arg1: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.greater.Tensor(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.greater_equal.Scalar(%arg0: !torch.list<int>, %arg1: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.greater_equal.Tensor(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.group_norm(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.optional<list<int>>, %arg3: !torch.optional<list<int>>, %arg4: !torch.float, %arg5: !torch.bool) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.normalization.channels_of(%arg0) : (!torch.list<int>) -> !torch.int
  %1 = call @__torch__.torch_refine.abstract_interp_lib.families.normalization.check_groups(%0, %arg1, %arg2, %arg3) : (!torch.int, !torch.int, !torch.optional<list<int>>, !torch.optional<list<int>>) -> !torch.none
  return %arg0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.gt.Scalar(%arg0: !torch.list<int>, %arg1: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.gt.Tensor(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.hamming_window(%arg0: !torch.int, %arg1: !torch.optional<int>, %arg2: !torch.optional<int>, %arg3: !torch.optional<Device>, %arg4: !torch.optional<bool>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.factories.window(%arg0) : (!torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.hamming_window.periodic(%arg0: !torch.int, %arg1: !torch.bool, %arg2: !torch.optional<int>, %arg3: !torch.optional<int>, %arg4: !torch.optional<Device>, %arg5: !torch.optional<bool>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.factories.window(%arg0) : (!torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.hann_window(%arg0: !torch.int, %arg1: !torch.optional<int>, %arg2: !torch.optional<int>, %arg3: !torch.optional<Device>, %arg4: !torch.optional<bool>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.factories.window(%arg0) : (!torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.hann_window.periodic(%arg0: !torch.int, %arg1: !torch.bool, %arg2: !torch.optional<int>, %arg3: !torch.optional<int>, %arg4: !torch.optional<Device>, %arg5: !torch.optional<bool>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.factories.window(%arg0) : (!torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.hardshrink(%arg0: !torch.list<int>, %arg1: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.hardsigmoid(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.hardswish(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.hardtanh(%arg0: !torch.list<int>, %arg1: !torch.float, %arg2: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.heaviside(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.broadcast.broadcast_two(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.hstack(%arg0: !torch.list<list<int>>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.joining.hstack_rule(%arg0) : (!torch.list<list<int>>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.hypot(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.i0(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.igamma(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.igammac(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.imag(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
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
func.func private @__torch_mlir_shape_fn.aten.instance_norm(%arg0: !torch.list<int>, %arg1: !torch.optional<list<int>>, %arg2: !torch.optional<list<int>>, %arg3: !torch.optional<list<int>>, %arg4: !torch.optional<list<int>>, %arg5: !torch.bool, %arg6: !torch.float, %arg7: !torch.float, %arg8: !torch.bool) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.batch_normalization.instance_norm(%arg0, %arg3, %arg4, %arg5) : (!torch.list<int>, !torch.optional<list<int>>, !torch.optional<list<int>>, !torch.bool) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.isclose(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.float, %arg3: !torch.float, %arg4: !torch.bool) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.isfinite(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.isin.Scalar_Tensor(%arg0: !torch.float, %arg1: !torch.list<int>, %arg2: !torch.bool, %arg3: !torch.bool) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.comparison.zero_dim() : () -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.isin.Tensor_Scalar(%arg0: !torch.list<int>, %arg1: !torch.float, %arg2: !torch.bool, %arg3: !torch.bool) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.comparison.same_as_elements(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.isin.Tensor_Tensor(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.bool, %arg3: !torch.bool) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.comparison.same_as_elements(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.isinf(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.isnan(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.isneginf(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.isposinf(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.isreal(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.kaiser_window(%arg0: !torch.int, %arg1: !torch.optional<int>, %arg2: !torch.optional<int>, %arg3: !torch.optional<Device>, %arg4: !torch.optional<bool>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.factories.window(%arg0) : (!torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.kaiser_window.periodic(%arg0: !torch.int, %arg1: !torch.bool, %arg2: !torch.optional<int>, %arg3: !torch.optional<int>, %arg4: !torch.optional<Device>, %arg5: !torch.optional<bool>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.factories.window(%arg0) : (!torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
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
func.func private @__torch_mlir_shape_fn.aten.kthvalue(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.int, %arg3: !torch.bool) -> !torch.tuple<list<int>, list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.sorting.kthvalue_rule(%arg0, %arg1, %arg2, %arg3) : (!torch.list<int>, !torch.int, !torch.int, !torch.bool) -> !torch.tuple<list<int>, list<int>>
  return %0 : !torch.tuple<list<int>, list<int>>
}
func.func private @__torch_mlir_shape_fn.aten.layer_norm(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.optional<list<int>>, %arg3: !torch.optional<list<int>>, %arg4: !torch.float, %arg5: !torch.bool) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.normalization.check_normalized(%arg0, %arg1, %arg2, %arg3) : (!torch.list<int>, !torch.list<int>, !torch.optional<list<int>>, !torch.optional<list<int>>) -> !torch.none
  return %arg0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.lcm(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.ldexp.Tensor(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.le.Scalar(%arg0: !torch.list<int>, %arg1: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.le.Tensor(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.leaky_relu(%arg0: !torch.list<int>, %arg1: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.lerp.Scalar(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.ternary.lerp_number(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.lerp.Tensor(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.ternary.lerp_tensor(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.less.Scalar(%arg0: !torch.list<int>, %arg1: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.less.Tensor(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.less_equal.Scalar(%arg0: !torch.list<int>, %arg1: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.less_equal.Tensor(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.lgamma(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.lift(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.lift_fresh(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.lift_fresh_copy(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.linalg_vector_norm(%arg0: !torch.list<int>, %arg1: !torch.float, %arg2: !torch.optional<list<int>>, %arg3: !torch.bool, %arg4: !torch.optional<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.reduce_optional_dims(%arg0, %arg2, %arg3) : (!torch.list<int>, !torch.optional<list<int>>, !torch.bool) -> !torch.list<int>
  return %0 : !torch.list<int>
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
func.func private @__torch_mlir_shape_fn.aten.linspace(%arg0: !torch.float, %arg1: !torch.float, %arg2: !torch.int, %arg3: !torch.optional<int>, %arg4: !torch.optional<int>, %arg5: !torch.optional<Device>, %arg6: !torch.optional<bool>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.factories.steps(%arg2) : (!torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.linspace.Scalar_Tensor(%arg0: !torch.float, %arg1: !torch.list<int>, %arg2: !torch.int, %arg3: !torch.optional<int>, %arg4: !torch.optional<int>, %arg5: !torch.optional<Device>, %arg6: !torch.optional<bool>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.factories.steps_to_tensor(%arg1, %arg2) : (!torch.list<int>, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.linspace.Tensor_Scalar(%arg0: !torch.list<int>, %arg1: !torch.float, %arg2: !torch.int, %arg3: !torch.optional<int>, %arg4: !torch.optional<int>, %arg5: !torch.optional<Device>, %arg6: !torch.optional<bool>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.factories.steps_from_tensor(%arg0, %arg2) : (!torch.list<int>, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.linspace.Tensor_Tensor(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.int, %arg3: !torch.optional<int>, %arg4: !torch.optional<int>, %arg5: !torch.optional<Device>, %arg6: !torch.optional<bool>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.factories.steps_between_tensors(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.list<int>, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.log(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.log10(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.log1p(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.log2(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.log_normal(%arg0: !torch.list<int>, %arg1: !torch.float, %arg2: !torch.float, %arg3: !torch.any) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.log_sigmoid(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.log_softmax.int(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.optional<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.scans.scan_rule(%arg0, %arg1) : (!torch.list<int>, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.logaddexp(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.logaddexp2(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.logcumsumexp(%arg0: !torch.list<int>, %arg1: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.scans.scan_rule(%arg0, %arg1) : (!torch.list<int>, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.logical_and(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.logical_not(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.logical_or(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.logical_xor(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.logit(%arg0: !torch.list<int>, %arg1: !torch.optional<float>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.logspace(%arg0: !torch.float, %arg1: !torch.float, %arg2: !torch.int, %arg3: !torch.float, %arg4: !torch.optional<int>, %arg5: !torch.optional<int>, %arg6: !torch.optional<Device>, %arg7: !torch.optional<bool>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.factories.steps(%arg2) : (!torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.logspace.Scalar_Tensor(%arg0: !torch.float, %arg1: !torch.list<int>, %arg2: !torch.int, %arg3: !torch.float, %arg4: !torch.optional<int>, %arg5: !torch.optional<int>, %arg6: !torch.optional<Device>, %arg7: !torch.optional<bool>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.factories.steps_to_tensor(%arg1, %arg2) : (!torch.list<int>, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.logspace.Tensor_Scalar(%arg0: !torch.list<int>, %arg1: !torch.float, %arg2: !torch.int, %arg3: !torch.float, %arg4: !torch.optional<int>, %arg5: !torch.optional<int>, %arg6: !torch.optional<Device>, %arg7: !torch.optional<bool>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.factories.steps_from_tensor(%arg0, %arg2) : (!torch.list<int>, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.logspace.Tensor_Tensor(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.int, %arg3: !torch.float, %arg4: !torch.optional<int>, %arg5: !torch.optional<int>, %arg6: !torch.optional<Device>, %arg7: !torch.optional<bool>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.factories.steps_between_tensors(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.list<int>, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.logsumexp(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.bool) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.reduce_dims(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.list<int>, !torch.bool) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.lt.Scalar(%arg0: !torch.list<int>, %arg1: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.lt.Tensor(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.mH(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.permutations.matrix_transpose_rule(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.mH.a(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.permutations.matrix_transpose_rule(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.mT(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.permutations.matrix_transpose_rule(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.mT.a(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.permutations.matrix_transpose_rule(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.masked_fill.Scalar(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.number) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.broadcast.broadcast_two(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.masked_fill.Tensor(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>) -> !torch.list<int> {
  %int0 = torch.constant.int 0
  %str = torch.constant.str "aten::masked_fill: value must be zero-dim, got shape {}"
  %none = torch.constant.none
  %0 = torch.aten.len.t %arg2 : !torch.list<int> -> !torch.int
  %1 = torch.aten.eq.int %0, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %1 -> () {
    torch.prim.If.yield
  } else {
    %3 = torch.aten.format(%str, %arg2) : !torch.str, !torch.list<int> -> !torch.str
    torch.prim.RaiseException %3, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %2 = call @__torch__.torch_refine.abstract_interp_lib.rules.broadcast.broadcast_two(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %2 : !torch.list<int>
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
func.func private @__torch_mlir_shape_fn.aten.max(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.extrema.extremum_rule(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.max.dim(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.bool) -> !torch.tuple<list<int>, list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.extrema.extremum_and_index_rule(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.int, !torch.bool) -> !torch.tuple<list<int>, list<int>>
  return %0 : !torch.tuple<list<int>, list<int>>
}
func.func private @__torch_mlir_shape_fn.aten.max.other(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.max_pool1d(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>, %arg3: !torch.list<int>, %arg4: !torch.list<int>, %arg5: !torch.bool) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pooling.max_pool1d(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5) : (!torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.max_pool1d_with_indices(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>, %arg3: !torch.list<int>, %arg4: !torch.list<int>, %arg5: !torch.bool) -> !torch.tuple<list<int>, list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pooling.max_pool1d_with_indices(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5) : (!torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool) -> !torch.tuple<list<int>, list<int>>
  return %0 : !torch.tuple<list<int>, list<int>>
}
func.func private @__torch_mlir_shape_fn.aten.max_pool2d(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>, %arg3: !torch.list<int>, %arg4: !torch.list<int>, %arg5: !torch.bool) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pooling.max_pool2d(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5) : (!torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.max_pool2d_with_indices(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>, %arg3: !torch.list<int>, %arg4: !torch.list<int>, %arg5: !torch.bool) -> !torch.tuple<list<int>, list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pooling.max_pool2d_with_indices(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5) : (!torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool) -> !torch.tuple<list<int>, list<int>>
  return %0 : !torch.tuple<list<int>, list<int>>
}
func.func private @__torch_mlir_shape_fn.aten.max_pool3d(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>, %arg3: !torch.list<int>, %arg4: !torch.list<int>, %arg5: !torch.bool) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pooling.max_pool3d(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5) : (!torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.max_pool3d_with_indices(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>, %arg3: !torch.list<int>, %arg4: !torch.list<int>, %arg5: !torch.bool) -> !torch.tuple<list<int>, list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pooling.max_pool3d_with_indices(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5) : (!torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool) -> !torch.tuple<list<int>, list<int>>
  return %0 : !torch.tuple<list<int>, list<int>>
}
func.func private @__torch_mlir_shape_fn.aten.max_unpool2d(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pooling.max_unpool2d(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.max_unpool3d(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>, %arg3: !torch.list<int>, %arg4: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pooling.max_unpool3d(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.maximum(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.mean(%arg0: !torch.list<int>, %arg1: !torch.optional<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.reduce_all(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.mean.dim(%arg0: !torch.list<int>, %arg1: !torch.optional<list<int>>, %arg2: !torch.bool, %arg3: !torch.optional<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.reduce_optional_dims(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.optional<list<int>>, !torch.bool) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.median(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.reduce_all(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.median.dim(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.bool) -> !torch.tuple<list<int>, list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.extrema.extremum_and_index_rule(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.int, !torch.bool) -> !torch.tuple<list<int>, list<int>>
  return %0 : !torch.tuple<list<int>, list<int>>
}
func.func private @__torch_mlir_shape_fn.aten.meshgrid(%arg0: !torch.list<list<int>>) -> !torch.list<list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.joining.meshgrid_rule(%arg0) : (!torch.list<list<int>>) -> !torch.list<list<int>>
  return %0 : !torch.list<list<int>>
}
func.func private @__torch_mlir_shape_fn.aten.meshgrid.indexing(%arg0: !torch.list<list<int>>, %arg1: !torch.str) -> !torch.list<list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.joining.meshgrid_indexing_rule(%arg0, %arg1) : (!torch.list<list<int>>, !torch.str) -> !torch.list<list<int>>
  return %0 : !torch.list<list<int>>
}
func.func private @__torch_mlir_shape_fn.aten.min(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.extrema.extremum_rule(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.min.dim(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.bool) -> !torch.tuple<list<int>, list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.extrema.extremum_and_index_rule(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.int, !torch.bool) -> !torch.tuple<list<int>, list<int>>
  return %0 : !torch.tuple<list<int>, list<int>>
}
func.func private @__torch_mlir_shape_fn.aten.min.other(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.minimum(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.mish(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.mm(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.matmul.matrix_product(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.mode(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.bool) -> !torch.tuple<list<int>, list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.extrema.extremum_and_index_rule(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.int, !torch.bool) -> !torch.tuple<list<int>, list<int>>
  return %0 : !torch.tuple<list<int>, list<int>>
}
func.func private @__torch_mlir_shape_fn.aten.moveaxis.int(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.permutations.movedim_int_rule(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.int, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.moveaxis.intlist(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.permutations.movedim_rule(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.movedim.int(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.permutations.movedim_int_rule(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.int, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.movedim.intlist(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.permutations.movedim_rule(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.msort(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.mul.Scalar(%arg0: !torch.list<int>, %arg1: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.mul.Tensor(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.multiply.Scalar(%arg0: !torch.list<int>, %arg1: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.multiply.Tensor(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.mv(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.matmul.matrix_vector_product(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.mvlgamma(%arg0: !torch.list<int>, %arg1: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pointwise_unary.mvlgamma(%arg0, %arg1) : (!torch.list<int>, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.nan_to_num(%arg0: !torch.list<int>, %arg1: !torch.optional<float>, %arg2: !torch.optional<float>, %arg3: !torch.optional<float>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.nanmean(%arg0: !torch.list<int>, %arg1: !torch.optional<list<int>>, %arg2: !torch.bool, %arg3: !torch.optional<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.reduce_optional_dims(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.optional<list<int>>, !torch.bool) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.nanmedian(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.reduce_all(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.nanmedian.dim(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.bool) -> !torch.tuple<list<int>, list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.extrema.extremum_and_index_rule(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.int, !torch.bool) -> !torch.tuple<list<int>, list<int>>
  return %0 : !torch.tuple<list<int>, list<int>>
}
func.func private @__torch_mlir_shape_fn.aten.nansum(%arg0: !torch.list<int>, %arg1: !torch.optional<list<int>>, %arg2: !torch.bool, %arg3: !torch.optional<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.reduce_optional_dims(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.optional<list<int>>, !torch.bool) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.narrow(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.int, %arg3: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.slicing.narrow_rule(%arg0, %arg1, %arg2, %arg3) : (!torch.list<int>, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.narrow.Tensor(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.list<int>, %arg3: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.slicing.narrow_tensor_rule(%arg0, %arg1, %arg3) : (!torch.list<int>, !torch.int, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.narrow_copy(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.int, %arg3: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.slicing.narrow_rule(%arg0, %arg1, %arg2, %arg3) : (!torch.list<int>, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.native_batch_norm(%arg0: !torch.list<int>, %arg1: !torch.optional<list<int>>, %arg2: !torch.optional<list<int>>, %arg3: !torch.optional<list<int>>, %arg4: !torch.optional<list<int>>, %arg5: !torch.bool, %arg6: !torch.float, %arg7: !torch.float) -> !torch.tuple<list<int>, list<int>, list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.batch_normalization.native_batch_norm(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5) : (!torch.list<int>, !torch.optional<list<int>>, !torch.optional<list<int>>, !torch.optional<list<int>>, !torch.optional<list<int>>, !torch.bool) -> !torch.tuple<list<int>, list<int>, list<int>>
  return %0 : !torch.tuple<list<int>, list<int>, list<int>>
}
func.func private @__torch_mlir_shape_fn.aten.native_dropout(%arg0: !torch.list<int>, %arg1: !torch.float, %arg2: !torch.optional<bool>) -> !torch.tuple<list<int>, list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.random.native_dropout(%arg0) : (!torch.list<int>) -> !torch.tuple<list<int>, list<int>>
  return %0 : !torch.tuple<list<int>, list<int>>
}
func.func private @__torch_mlir_shape_fn.aten.native_group_norm(%arg0: !torch.list<int>, %arg1: !torch.optional<list<int>>, %arg2: !torch.optional<list<int>>, %arg3: !torch.int, %arg4: !torch.int, %arg5: !torch.int, %arg6: !torch.int, %arg7: !torch.float) -> !torch.tuple<list<int>, list<int>, list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.normalization.check_groups(%arg4, %arg6, %arg1, %arg2) : (!torch.int, !torch.int, !torch.optional<list<int>>, !torch.optional<list<int>>) -> !torch.none
  %1 = torch.prim.ListConstruct %arg3, %arg6 : (!torch.int, !torch.int) -> !torch.list<int>
  %2 = torch.prim.ListConstruct %arg3, %arg6 : (!torch.int, !torch.int) -> !torch.list<int>
  %3 = torch.prim.TupleConstruct %arg0, %1, %2 : !torch.list<int>, !torch.list<int>, !torch.list<int> -> !torch.tuple<list<int>, list<int>, list<int>>
  return %3 : !torch.tuple<list<int>, list<int>, list<int>>
}
func.func private @__torch_mlir_shape_fn.aten.native_layer_norm(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.optional<list<int>>, %arg3: !torch.optional<list<int>>, %arg4: !torch.float) -> !torch.tuple<list<int>, list<int>, list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.normalization.check_normalized(%arg0, %arg1, %arg2, %arg3) : (!torch.list<int>, !torch.list<int>, !torch.optional<list<int>>, !torch.optional<list<int>>) -> !torch.none
  %1 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
  %2 = call @__torch__.torch_refine.abstract_interp_lib.rules.normalization.statistics_shape(%arg0, %1) : (!torch.list<int>, !torch.int) -> !torch.list<int>
  %3 = call @__torch__.torch_refine.abstract_interp_lib.rules.normalization.statistics_shape(%arg0, %1) : (!torch.list<int>, !torch.int) -> !torch.list<int>
  %4 = torch.prim.TupleConstruct %arg0, %2, %3 : !torch.list<int>, !torch.list<int>, !torch.list<int> -> !torch.tuple<list<int>, list<int>, list<int>>
  return %4 : !torch.tuple<list<int>, list<int>, list<int>>
}
func.func private @__torch_mlir_shape_fn.aten.ne.Scalar(%arg0: !torch.list<int>, %arg1: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.ne.Tensor(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.neg(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.negative(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.new_empty(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.optional<int>, %arg3: !torch.optional<int>, %arg4: !torch.optional<Device>, %arg5: !torch.optional<bool>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.given_size(%arg1) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.new_empty_strided(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>, %arg3: !torch.optional<int>, %arg4: !torch.optional<int>, %arg5: !torch.optional<Device>, %arg6: !torch.optional<bool>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.factories.strided(%arg1, %arg2) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.new_full(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.float, %arg3: !torch.optional<int>, %arg4: !torch.optional<int>, %arg5: !torch.optional<Device>, %arg6: !torch.optional<bool>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.given_size(%arg1) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.new_ones(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.optional<int>, %arg3: !torch.optional<int>, %arg4: !torch.optional<Device>, %arg5: !torch.optional<bool>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.given_size(%arg1) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.new_zeros(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.optional<int>, %arg3: !torch.optional<int>, %arg4: !torch.optional<Device>, %arg5: !torch.optional<bool>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.given_size(%arg1) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.nextafter(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.norm.Scalar(%arg0: !torch.list<int>, %arg1: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.reduce_all(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.norm.ScalarOpt_dim(%arg0: !torch.list<int>, %arg1: !torch.optional<float>, %arg2: !torch.list<int>, %arg3: !torch.bool) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.reduce_dims(%arg0, %arg2, %arg3) : (!torch.list<int>, !torch.list<int>, !torch.bool) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.norm.ScalarOpt_dim_dtype(%arg0: !torch.list<int>, %arg1: !torch.optional<float>, %arg2: !torch.list<int>, %arg3: !torch.bool, %arg4: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.reduce_dims(%arg0, %arg2, %arg3) : (!torch.list<int>, !torch.list<int>, !torch.bool) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.norm.ScalarOpt_dtype(%arg0: !torch.list<int>, %arg1: !torch.optional<float>, %arg2: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.reduce_all(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.normal.float_float(%arg0: !torch.float, %arg1: !torch.float, %arg2: !torch.list<int>, %arg3: !torch.any, %arg4: !torch.optional<int>, %arg5: !torch.optional<int>, %arg6: !torch.optional<Device>, %arg7: !torch.optional<bool>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.given_size(%arg2) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.normal_functional(%arg0: !torch.list<int>, %arg1: !torch.float, %arg2: !torch.float, %arg3: !torch.any) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.not_equal.Scalar(%arg0: !torch.list<int>, %arg1: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.not_equal.Tensor(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.numpy_T(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.permutations.numpy_t_rule(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.numpy_T.a(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.permutations.numpy_t_rule(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.ones(%arg0: !torch.list<int>, %arg1: !torch.optional<int>, %arg2: !torch.optional<int>, %arg3: !torch.optional<Device>, %arg4: !torch.optional<bool>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.given_size(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.ones_like(%arg0: !torch.list<int>, %arg1: !torch.optional<int>, %arg2: !torch.optional<int>, %arg3: !torch.optional<Device>, %arg4: !torch.optional<bool>, %arg5: !torch.optional<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.outer(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.products.outer_rule(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.pad(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.str, %arg3: !torch.optional<float>) -> !torch.list<int> {
  %float0.000000e00 = torch.constant.float 0.000000e+00
  %int2 = torch.constant.int 2
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %str = torch.constant.str "reflect"
  %str_0 = torch.constant.str "circular"
  %str_1 = torch.constant.str "replicate"
  %str_2 = torch.constant.str "constant"
  %str_3 = torch.constant.str "aten::pad: there is no mode '{}'"
  %none = torch.constant.none
  %true = torch.constant.bool true
  %str_4 = torch.constant.str "aten::pad: mode '{}' takes no value, got {}"
  %0 = torch.aten.eq.str %arg2, %str : !torch.str, !torch.str -> !torch.bool
  torch.prim.If %0 -> () {
    %3 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.padding.check_wraps(%arg0, %arg1, %int1) : (!torch.list<int>, !torch.list<int>, !torch.int) -> !torch.none
    torch.prim.If.yield
  } else {
    %3 = torch.aten.eq.str %arg2, %str_0 : !torch.str, !torch.str -> !torch.bool
    torch.prim.If %3 -> () {
      %4 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.padding.check_wraps(%arg0, %arg1, %int0) : (!torch.list<int>, !torch.list<int>, !torch.int) -> !torch.none
      torch.prim.If.yield
    } else {
      %4 = torch.aten.eq.str %arg2, %str_1 : !torch.str, !torch.str -> !torch.bool
      torch.prim.If %4 -> () {
        %5 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
        %6 = torch.aten.floordiv.int %5, %int2 : !torch.int, !torch.int -> !torch.int
        %7 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.windows.check_batched_or_not(%arg0, %6) : (!torch.list<int>, !torch.int) -> !torch.none
        torch.prim.If.yield
      } else {
        %5 = torch.aten.eq.str %arg2, %str_2 : !torch.str, !torch.str -> !torch.bool
        torch.prim.If %5 -> () {
          torch.prim.If.yield
        } else {
          %6 = torch.aten.format(%str_3, %arg2) : !torch.str, !torch.str -> !torch.str
          torch.prim.RaiseException %6, %none : !torch.str, !torch.none
          torch.prim.If.yield
        }
        torch.prim.If.yield
      }
      torch.prim.If.yield
    }
    torch.prim.If.yield
  }
  %1 = torch.aten.__isnot__ %arg3, %none : !torch.optional<float>, !torch.none -> !torch.bool
  torch.prim.If %1 -> () {
    %3 = torch.prim.unchecked_cast %arg3 : !torch.optional<float> -> !torch.float
    %4 = torch.aten.eq.float %3, %float0.000000e00 : !torch.float, !torch.float -> !torch.bool
    %5 = torch.prim.If %4 -> (!torch.bool) {
      torch.prim.If.yield %true : !torch.bool
    } else {
      %6 = torch.aten.eq.str %arg2, %str_2 : !torch.str, !torch.str -> !torch.bool
      torch.prim.If.yield %6 : !torch.bool
    }
    torch.prim.If %5 -> () {
      torch.prim.If.yield
    } else {
      %6 = torch.aten.format(%str_4, %arg2, %3) : !torch.str, !torch.str, !torch.float -> !torch.str
      torch.prim.RaiseException %6, %none : !torch.str, !torch.none
      torch.prim.If.yield
    }
    torch.prim.If.yield
  } else {
    torch.prim.If.yield
  }
  %2 = call @__torch__.torch_refine.abstract_interp_lib.rules.padding.padded(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %2 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.permute(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.permutations.permute_rule(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.permute_copy(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.permutations.permute_rule(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.pixel_shuffle(%arg0: !torch.list<int>, %arg1: !torch.int) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %int2 = torch.constant.int 2
  %int0 = torch.constant.int 0
  %int3 = torch.constant.int 3
  %str = torch.constant.str "aten::pixel_shuffle: self must have at least 3 dimensions, got {}"
  %none = torch.constant.none
  %str_0 = torch.constant.str "aten::pixel_shuffle: upscale_factor must be positive, got {}"
  %str_1 = torch.constant.str "aten::pixel_shuffle: channels must divide by {} squared, got {}"
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = torch.aten.ge.int %0, %int3 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %1 -> () {
    torch.prim.If.yield
  } else {
    %20 = torch.aten.format(%str, %0) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %20, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %2 = torch.aten.gt.int %arg1, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %2 -> () {
    torch.prim.If.yield
  } else {
    %20 = torch.aten.format(%str_0, %arg1) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %20, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %3 = torch.aten.sub.int %0, %int3 : !torch.int, !torch.int -> !torch.int
  %4 = torch.aten.__getitem__.t %arg0, %3 : !torch.list<int>, !torch.int -> !torch.int
  %5 = torch.aten.mul.int %arg1, %arg1 : !torch.int, !torch.int -> !torch.int
  %6 = torch.aten.remainder.int %4, %5 : !torch.int, !torch.int -> !torch.int
  %7 = torch.aten.eq.int %6, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %7 -> () {
    torch.prim.If.yield
  } else {
    %20 = torch.aten.format(%str_1, %arg1, %4) : !torch.str, !torch.int, !torch.int -> !torch.str
    torch.prim.RaiseException %20, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %8 = torch.aten.mul.int %arg1, %arg1 : !torch.int, !torch.int -> !torch.int
  %9 = torch.aten.floordiv.int %4, %8 : !torch.int, !torch.int -> !torch.int
  %10 = torch.aten.sub.int %0, %int2 : !torch.int, !torch.int -> !torch.int
  %11 = torch.aten.__getitem__.t %arg0, %10 : !torch.list<int>, !torch.int -> !torch.int
  %12 = torch.aten.mul.int %11, %arg1 : !torch.int, !torch.int -> !torch.int
  %13 = torch.aten.sub.int %0, %int1 : !torch.int, !torch.int -> !torch.int
  %14 = torch.aten.__getitem__.t %arg0, %13 : !torch.list<int>, !torch.int -> !torch.int
  %15 = torch.aten.mul.int %14, %arg1 : !torch.int, !torch.int -> !torch.int
  %16 = torch.prim.ListConstruct %9, %12, %15 : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %17 = torch.aten.sub.int %0, %int3 : !torch.int, !torch.int -> !torch.int
  %18 = torch.aten.slice.t %arg0, %none, %17, %int1 : !torch.list<int>, !torch.none, !torch.int, !torch.int -> !torch.list<int>
  %19 = torch.aten.add.t %18, %16 : !torch.list<int>, !torch.list<int> -> !torch.list<int>
  return %19 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.pixel_unshuffle(%arg0: !torch.list<int>, %arg1: !torch.int) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %int2 = torch.constant.int 2
  %int0 = torch.constant.int 0
  %int3 = torch.constant.int 3
  %str = torch.constant.str "aten::pixel_unshuffle: self must have at least 3 dimensions, got {}"
  %none = torch.constant.none
  %str_0 = torch.constant.str "aten::pixel_unshuffle: downscale_factor must be positive, got {}"
  %false = torch.constant.bool false
  %str_1 = torch.constant.str "aten::pixel_unshuffle: sizes must divide by {}, got {} and {}"
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = torch.aten.ge.int %0, %int3 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %1 -> () {
    torch.prim.If.yield
  } else {
    %13 = torch.aten.format(%str, %0) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %13, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %2 = torch.aten.gt.int %arg1, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %2 -> () {
    torch.prim.If.yield
  } else {
    %13 = torch.aten.format(%str_0, %arg1) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %13, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %3 = torch.aten.sub.int %0, %int2 : !torch.int, !torch.int -> !torch.int
  %4 = torch.aten.__getitem__.t %arg0, %3 : !torch.list<int>, !torch.int -> !torch.int
  %5 = torch.aten.sub.int %0, %int1 : !torch.int, !torch.int -> !torch.int
  %6 = torch.aten.__getitem__.t %arg0, %5 : !torch.list<int>, !torch.int -> !torch.int
  %7 = torch.aten.__contains__.int_list %arg0, %int0 : !torch.list<int>, !torch.int -> !torch.bool
  %8 = torch.prim.If %7 -> (!torch.bool) {
    %13 = torch.aten.ne.int %arg1, %int1 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If.yield %13 : !torch.bool
  } else {
    torch.prim.If.yield %false : !torch.bool
  }
  %9 = torch.prim.If %8 -> (!torch.list<int>) {
    %13 = torch.operator "torch_refine.unknown_size"() : () -> !torch.int 
    %14 = torch.operator "torch_refine.unknown_size"() : () -> !torch.int 
    %15 = torch.operator "torch_refine.unknown_size"() : () -> !torch.int 
    %16 = torch.prim.ListConstruct %13, %14, %15 : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
    torch.prim.If.yield %16 : !torch.list<int>
  } else {
    %13 = torch.aten.remainder.int %4, %arg1 : !torch.int, !torch.int -> !torch.int
    %14 = torch.aten.eq.int %13, %int0 : !torch.int, !torch.int -> !torch.bool
    %15 = torch.prim.If %14 -> (!torch.bool) {
      %23 = torch.aten.remainder.int %6, %arg1 : !torch.int, !torch.int -> !torch.int
      %24 = torch.aten.eq.int %23, %int0 : !torch.int, !torch.int -> !torch.bool
      torch.prim.If.yield %24 : !torch.bool
    } else {
      torch.prim.If.yield %false : !torch.bool
    }
    torch.prim.If %15 -> () {
      torch.prim.If.yield
    } else {
      %23 = torch.aten.format(%str_1, %arg1, %4, %6) : !torch.str, !torch.int, !torch.int, !torch.int -> !torch.str
      torch.prim.RaiseException %23, %none : !torch.str, !torch.none
      torch.prim.If.yield
    }
    %16 = torch.aten.sub.int %0, %int3 : !torch.int, !torch.int -> !torch.int
    %17 = torch.aten.__getitem__.t %arg0, %16 : !torch.list<int>, !torch.int -> !torch.int
    %18 = torch.aten.mul.int %17, %arg1 : !torch.int, !torch.int -> !torch.int
    %19 = torch.aten.mul.int %18, %arg1 : !torch.int, !torch.int -> !torch.int
    %20 = torch.aten.floordiv.int %4, %arg1 : !torch.int, !torch.int -> !torch.int
    %21 = torch.aten.floordiv.int %6, %arg1 : !torch.int, !torch.int -> !torch.int
    %22 = torch.prim.ListConstruct %19, %20, %21 : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
    torch.prim.If.yield %22 : !torch.list<int>
  }
  %10 = torch.aten.sub.int %0, %int3 : !torch.int, !torch.int -> !torch.int
  %11 = torch.aten.slice.t %arg0, %none, %10, %int1 : !torch.list<int>, !torch.none, !torch.int, !torch.int -> !torch.list<int>
  %12 = torch.aten.add.t %11, %9 : !torch.list<int>, !torch.list<int> -> !torch.list<int>
  return %12 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.polygamma(%arg0: !torch.int, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pointwise_unary.polygamma(%arg0, %arg1) : (!torch.int, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.positive(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.pow.Scalar(%arg0: !torch.float, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pointwise_binary.power_of_number(%arg1) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.pow.Tensor_Scalar(%arg0: !torch.list<int>, %arg1: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.pow.Tensor_Tensor(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pointwise_binary.power(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.prelu(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %str = torch.constant.str "aten::prelu: weight has at most one dimension, got shape {}"
  %none = torch.constant.none
  %true = torch.constant.bool true
  %str_0 = torch.constant.str "aten::prelu: needs 1 or {} slopes, got {}"
  %0 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
  %1 = torch.aten.le.int %0, %int1 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %1 -> () {
    torch.prim.If.yield
  } else {
    %7 = torch.aten.format(%str, %arg1) : !torch.str, !torch.list<int> -> !torch.str
    torch.prim.RaiseException %7, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %2 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %3 = torch.aten.gt.int %2, %int1 : !torch.int, !torch.int -> !torch.bool
  %4 = torch.prim.If %3 -> (!torch.int) {
    %7 = torch.aten.__getitem__.t %arg0, %int1 : !torch.list<int>, !torch.int -> !torch.int
    torch.prim.If.yield %7 : !torch.int
  } else {
    torch.prim.If.yield %int1 : !torch.int
  }
  %5 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
  %6 = torch.aten.eq.int %5, %int1 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %6 -> () {
    %7 = torch.aten.__getitem__.t %arg1, %int0 : !torch.list<int>, !torch.int -> !torch.int
    %8 = torch.aten.eq.int %7, %int1 : !torch.int, !torch.int -> !torch.bool
    %9 = torch.prim.If %8 -> (!torch.bool) {
      torch.prim.If.yield %true : !torch.bool
    } else {
      %10 = torch.aten.__getitem__.t %arg1, %int0 : !torch.list<int>, !torch.int -> !torch.int
      %11 = torch.aten.eq.int %10, %4 : !torch.int, !torch.int -> !torch.bool
      torch.prim.If.yield %11 : !torch.bool
    }
    torch.prim.If %9 -> () {
      torch.prim.If.yield
    } else {
      %10 = torch.aten.__getitem__.t %arg1, %int0 : !torch.list<int>, !torch.int -> !torch.int
      %11 = torch.aten.format(%str_0, %4, %10) : !torch.str, !torch.int, !torch.int -> !torch.str
      torch.prim.RaiseException %11, %none : !torch.str, !torch.none
      torch.prim.If.yield
    }
    torch.prim.If.yield
  } else {
    torch.prim.If.yield
  }
  return %arg0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.prod(%arg0: !torch.list<int>, %arg1: !torch.optional<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.reduce_all(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.prod.dim_int(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.bool, %arg3: !torch.optional<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.reduce_dim(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.int, !torch.bool) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.rad2deg(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.rand(%arg0: !torch.list<int>, %arg1: !torch.optional<int>, %arg2: !torch.optional<int>, %arg3: !torch.optional<Device>, %arg4: !torch.optional<bool>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.given_size(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.rand.generator(%arg0: !torch.list<int>, %arg1: !torch.any, %arg2: !torch.optional<int>, %arg3: !torch.optional<int>, %arg4: !torch.optional<Device>, %arg5: !torch.optional<bool>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.given_size(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.rand_like(%arg0: !torch.list<int>, %arg1: !torch.optional<int>, %arg2: !torch.optional<int>, %arg3: !torch.optional<Device>, %arg4: !torch.optional<bool>, %arg5: !torch.optional<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.rand_like.generator(%arg0: !torch.list<int>, %arg1: !torch.any, %arg2: !torch.optional<int>, %arg3: !torch.optional<int>, %arg4: !torch.optional<Device>, %arg5: !torch.optional<bool>, %arg6: !torch.optional<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.randint(%arg0: !torch.int, %arg1: !torch.list<int>, %arg2: !torch.optional<int>, %arg3: !torch.optional<int>, %arg4: !torch.optional<Device>, %arg5: !torch.optional<bool>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.given_size(%arg1) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.randint.low(%arg0: !torch.int, %arg1: !torch.int, %arg2: !torch.list<int>, %arg3: !torch.optional<int>, %arg4: !torch.optional<int>, %arg5: !torch.optional<Device>, %arg6: !torch.optional<bool>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.given_size(%arg2) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.randint_like(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.optional<int>, %arg3: !torch.optional<int>, %arg4: !torch.optional<Device>, %arg5: !torch.optional<bool>, %arg6: !torch.optional<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.randint_like.low_dtype(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.int, %arg3: !torch.optional<int>, %arg4: !torch.optional<int>, %arg5: !torch.optional<Device>, %arg6: !torch.optional<bool>, %arg7: !torch.optional<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.randn(%arg0: !torch.list<int>, %arg1: !torch.optional<int>, %arg2: !torch.optional<int>, %arg3: !torch.optional<Device>, %arg4: !torch.optional<bool>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.given_size(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.randn.generator(%arg0: !torch.list<int>, %arg1: !torch.any, %arg2: !torch.optional<int>, %arg3: !torch.optional<int>, %arg4: !torch.optional<Device>, %arg5: !torch.optional<bool>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.given_size(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.randn_like(%arg0: !torch.list<int>, %arg1: !torch.optional<int>, %arg2: !torch.optional<int>, %arg3: !torch.optional<Device>, %arg4: !torch.optional<bool>, %arg5: !torch.optional<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.randn_like.generator(%arg0: !torch.list<int>, %arg1: !torch.any, %arg2: !torch.optional<int>, %arg3: !torch.optional<int>, %arg4: !torch.optional<Device>, %arg5: !torch.optional<bool>, %arg6: !torch.optional<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.random(%arg0: !torch.list<int>, %arg1: !torch.any) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.random.from(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.optional<int>, %arg3: !torch.any) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.random.to(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.any) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.randperm(%arg0: !torch.int, %arg1: !torch.optional<int>, %arg2: !torch.optional<int>, %arg3: !torch.optional<Device>, %arg4: !torch.optional<bool>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.random.permutation(%arg0) : (!torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.ravel(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.views.ravel_rule(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.real(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.reciprocal(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.reflection_pad1d(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.padding.reflection_pad1d(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.reflection_pad2d(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.padding.reflection_pad2d(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.reflection_pad3d(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.padding.reflection_pad3d(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.relu(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.relu6(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.remainder.Scalar(%arg0: !torch.list<int>, %arg1: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.remainder.Scalar_Tensor(%arg0: !torch.float, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.same_as_other(%arg1) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.remainder.Tensor(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.repeat(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.rearranging.repeat_rule(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.repeat_interleave.Tensor(%arg0: !torch.list<int>, %arg1: !torch.optional<int>) -> !torch.list<int> {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %str = torch.constant.str "aten::repeat_interleave: repeats must be a vector, got {} dimensions"
  %none = torch.constant.none
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = torch.aten.eq.int %0, %int1 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %1 -> () {
    torch.prim.If.yield
  } else {
    %5 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
    %6 = torch.aten.format(%str, %5) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %6, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %2 = torch.aten.__getitem__.t %arg0, %int0 : !torch.list<int>, !torch.int -> !torch.int
  %3 = call @__torch__.torch_refine.abstract_interp_lib.families.rearranging.repeated_size(%2, %arg1) : (!torch.int, !torch.optional<int>) -> !torch.int
  %4 = torch.prim.ListConstruct %3 : (!torch.int) -> !torch.list<int>
  return %4 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.repeat_interleave.self_Tensor(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.optional<int>, %arg3: !torch.optional<int>) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %int0 = torch.constant.int 0
  %none = torch.constant.none
  %str = torch.constant.str "aten::repeat_interleave: repeats must be a vector, got {} dimensions"
  %true = torch.constant.bool true
  %str_0 = torch.constant.str "aten::repeat_interleave: {} entries need as many repeats, or one, got {}"
  %0 = torch.aten.__is__ %arg2, %none : !torch.optional<int>, !torch.none -> !torch.bool
  %1:2 = torch.prim.If %0 -> (!torch.optional<int>, !torch.list<int>) {
    %13 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.product(%arg0) : (!torch.list<int>) -> !torch.int
    %14 = torch.prim.ListConstruct %13 : (!torch.int) -> !torch.list<int>
    torch.prim.If.yield %arg2, %14 : !torch.optional<int>, !torch.list<int>
  } else {
    %13 = torch.prim.unchecked_cast %arg2 : !torch.optional<int> -> !torch.int
    %14 = torch.derefine %13 : !torch.int to !torch.optional<int>
    torch.prim.If.yield %14, %arg0 : !torch.optional<int>, !torch.list<int>
  }
  %2 = torch.aten.__is__ %1#0, %none : !torch.optional<int>, !torch.none -> !torch.bool
  %3 = torch.prim.If %2 -> (!torch.int) {
    torch.prim.If.yield %int0 : !torch.int
  } else {
    %13 = torch.prim.unchecked_cast %1#0 : !torch.optional<int> -> !torch.int
    %14 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
    %15 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.wrap_existing(%13, %14) : (!torch.int, !torch.int) -> !torch.int
    torch.prim.If.yield %15 : !torch.int
  }
  %4 = torch.aten.__getitem__.t %1#1, %3 : !torch.list<int>, !torch.int -> !torch.int
  %5 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
  %6 = torch.aten.le.int %5, %int1 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %6 -> () {
    torch.prim.If.yield
  } else {
    %13 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
    %14 = torch.aten.format(%str, %13) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %14, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %7 = torch.aten.len.t %arg1 : !torch.list<int> -> !torch.int
  %8 = torch.aten.eq.int %7, %int0 : !torch.int, !torch.int -> !torch.bool
  %9 = torch.prim.If %8 -> (!torch.bool) {
    torch.prim.If.yield %true : !torch.bool
  } else {
    %13 = torch.aten.__getitem__.t %arg1, %int0 : !torch.list<int>, !torch.int -> !torch.int
    %14 = torch.aten.eq.int %13, %int1 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If.yield %14 : !torch.bool
  }
  %10 = torch.prim.If %9 -> (!torch.bool) {
    torch.prim.If.yield %true : !torch.bool
  } else {
    %13 = torch.aten.__getitem__.t %arg1, %int0 : !torch.list<int>, !torch.int -> !torch.int
    %14 = torch.aten.eq.int %13, %4 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If.yield %14 : !torch.bool
  }
  torch.prim.If %10 -> () {
    torch.prim.If.yield
  } else {
    %13 = torch.aten.format(%str_0, %4, %arg1) : !torch.str, !torch.int, !torch.list<int> -> !torch.str
    torch.prim.RaiseException %13, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %11 = call @__torch__.torch_refine.abstract_interp_lib.families.rearranging.repeated_size(%4, %arg3) : (!torch.int, !torch.optional<int>) -> !torch.int
  %12 = call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.replace_size(%1#1, %3, %11) : (!torch.list<int>, !torch.int, !torch.int) -> !torch.list<int>
  return %12 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.repeat_interleave.self_int(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.optional<int>, %arg3: !torch.optional<int>) -> !torch.list<int> {
  %int0 = torch.constant.int 0
  %str = torch.constant.str "aten::repeat_interleave: a number of repeats cannot be negative, got {}"
  %none = torch.constant.none
  %str_0 = torch.constant.str "aten::repeat_interleave: output_size must be {}, got {}"
  %0 = torch.aten.ge.int %arg1, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %0 -> () {
    torch.prim.If.yield
  } else {
    %9 = torch.aten.format(%str, %arg1) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %9, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %1 = torch.aten.__is__ %arg2, %none : !torch.optional<int>, !torch.none -> !torch.bool
  %2:2 = torch.prim.If %1 -> (!torch.optional<int>, !torch.list<int>) {
    %9 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.product(%arg0) : (!torch.list<int>) -> !torch.int
    %10 = torch.prim.ListConstruct %9 : (!torch.int) -> !torch.list<int>
    torch.prim.If.yield %arg2, %10 : !torch.optional<int>, !torch.list<int>
  } else {
    %9 = torch.prim.unchecked_cast %arg2 : !torch.optional<int> -> !torch.int
    %10 = torch.derefine %9 : !torch.int to !torch.optional<int>
    torch.prim.If.yield %10, %arg0 : !torch.optional<int>, !torch.list<int>
  }
  %3 = torch.aten.__is__ %2#0, %none : !torch.optional<int>, !torch.none -> !torch.bool
  %4 = torch.prim.If %3 -> (!torch.int) {
    torch.prim.If.yield %int0 : !torch.int
  } else {
    %9 = torch.prim.unchecked_cast %2#0 : !torch.optional<int> -> !torch.int
    %10 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
    %11 = func.call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.wrap_existing(%9, %10) : (!torch.int, !torch.int) -> !torch.int
    torch.prim.If.yield %11 : !torch.int
  }
  %5 = torch.aten.__getitem__.t %2#1, %4 : !torch.list<int>, !torch.int -> !torch.int
  %6 = torch.aten.mul.int %5, %arg1 : !torch.int, !torch.int -> !torch.int
  %7 = torch.aten.__isnot__ %arg3, %none : !torch.optional<int>, !torch.none -> !torch.bool
  torch.prim.If %7 -> () {
    %9 = torch.prim.unchecked_cast %arg3 : !torch.optional<int> -> !torch.int
    %10 = torch.aten.eq.int %9, %6 : !torch.int, !torch.int -> !torch.bool
    torch.prim.If %10 -> () {
      torch.prim.If.yield
    } else {
      %11 = torch.aten.format(%str_0, %6, %9) : !torch.str, !torch.int, !torch.int -> !torch.str
      torch.prim.RaiseException %11, %none : !torch.str, !torch.none
      torch.prim.If.yield
    }
    torch.prim.If.yield
  } else {
    torch.prim.If.yield
  }
  %8 = call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.replace_size(%2#1, %4, %6) : (!torch.list<int>, !torch.int, !torch.int) -> !torch.list<int>
  return %8 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.replication_pad1d(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.padding.replication_pad1d(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.replication_pad2d(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.padding.replication_pad2d(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.replication_pad3d(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.padding.replication_pad3d(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.reshape(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.views.reshape_rule(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.reshape_as(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.views.view_as_rule(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.resolve_conj(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.resolve_neg(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.rms_norm(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.optional<list<int>>, %arg3: !torch.optional<float>) -> !torch.list<int> {
  %none = torch.constant.none
  %0 = torch.derefine %none : !torch.none to !torch.optional<list<int>>
  %1 = call @__torch__.torch_refine.abstract_interp_lib.rules.normalization.check_normalized(%arg0, %arg1, %arg2, %0) : (!torch.list<int>, !torch.list<int>, !torch.optional<list<int>>, !torch.optional<list<int>>) -> !torch.none
  return %arg0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.roll(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.rearranging.roll_rule(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.rot90(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.rearranging.rot90_rule(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.int, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.round(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.round.decimals(%arg0: !torch.list<int>, %arg1: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.rrelu(%arg0: !torch.list<int>, %arg1: !torch.float, %arg2: !torch.float, %arg3: !torch.bool, %arg4: !torch.any) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.rsqrt(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.rsub.Scalar(%arg0: !torch.list<int>, %arg1: !torch.float, %arg2: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.rsub.Tensor(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.scalar_tensor(%arg0: !torch.float, %arg1: !torch.optional<int>, %arg2: !torch.optional<int>, %arg3: !torch.optional<Device>, %arg4: !torch.optional<bool>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.factories.zero_dim() : () -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.searchsorted.Scalar(%arg0: !torch.list<int>, %arg1: !torch.float, %arg2: !torch.bool, %arg3: !torch.bool, %arg4: !torch.optional<str>, %arg5: !torch.optional<list<int>>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.sorting.searchsorted_scalar_rule(%arg0, %arg5) : (!torch.list<int>, !torch.optional<list<int>>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.searchsorted.Tensor(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.bool, %arg3: !torch.bool, %arg4: !torch.optional<str>, %arg5: !torch.optional<list<int>>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.sorting.searchsorted_rule(%arg0, %arg1, %arg5) : (!torch.list<int>, !torch.list<int>, !torch.optional<list<int>>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.select.int(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.slicing.select_rule(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.int, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.select_copy.int(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.slicing.select_rule(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.int, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.select_scatter(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.int, %arg3: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.slicing.select_scatter_rule(%arg0, %arg1, %arg2, %arg3) : (!torch.list<int>, !torch.list<int>, !torch.int, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.selu(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.sgn(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.sigmoid(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.sign(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.signbit(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.silu(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.sin(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.sinc(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.sinh(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.slice.Tensor(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.optional<int>, %arg3: !torch.optional<int>, %arg4: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.slicing.slice_rule(%arg0, %arg1, %arg2, %arg3, %arg4) : (!torch.list<int>, !torch.int, !torch.optional<int>, !torch.optional<int>, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.slice_copy.Tensor(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.optional<int>, %arg3: !torch.optional<int>, %arg4: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.slicing.slice_rule(%arg0, %arg1, %arg2, %arg3, %arg4) : (!torch.list<int>, !torch.int, !torch.optional<int>, !torch.optional<int>, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.slice_scatter(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.int, %arg3: !torch.optional<int>, %arg4: !torch.optional<int>, %arg5: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.slicing.slice_scatter_rule(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5) : (!torch.list<int>, !torch.list<int>, !torch.int, !torch.optional<int>, !torch.optional<int>, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.softmax.int(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.optional<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.scans.scan_rule(%arg0, %arg1) : (!torch.list<int>, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.softplus(%arg0: !torch.list<int>, %arg1: !torch.float, %arg2: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.softshrink(%arg0: !torch.list<int>, %arg1: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.sort(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.bool) -> !torch.tuple<list<int>, list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.sorting.sort_rule(%arg0, %arg1) : (!torch.list<int>, !torch.int) -> !torch.tuple<list<int>, list<int>>
  return %0 : !torch.tuple<list<int>, list<int>>
}
func.func private @__torch_mlir_shape_fn.aten.sort.stable(%arg0: !torch.list<int>, %arg1: !torch.optional<bool>, %arg2: !torch.int, %arg3: !torch.bool) -> !torch.tuple<list<int>, list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.sorting.sort_rule(%arg0, %arg2) : (!torch.list<int>, !torch.int) -> !torch.tuple<list<int>, list<int>>
  return %0 : !torch.tuple<list<int>, list<int>>
}
func.func private @__torch_mlir_shape_fn.aten.special_airy_ai(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pointwise_unary.same_as_x(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.special_bessel_j0(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.special_bessel_j1(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.special_bessel_y0(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.special_bessel_y1(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.special_digamma(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.special_entr(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.special_erf(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.special_erfc(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.special_erfcx(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.special_erfinv(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.special_exp2(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.special_expit(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.special_expm1(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.special_gammainc(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.special_gammaincc(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.special_gammaln(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.special_i0(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.special_i0e(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.special_i1(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.special_i1e(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.special_log1p(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.special_log_ndtr(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.special_log_softmax(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.optional<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.scans.scan_rule(%arg0, %arg1) : (!torch.list<int>, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.special_logit(%arg0: !torch.list<int>, %arg1: !torch.optional<float>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.special_logsumexp(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.bool) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.reduce_dims(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.list<int>, !torch.bool) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.special_modified_bessel_i0(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.special_modified_bessel_i1(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.special_modified_bessel_k0(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.special_modified_bessel_k1(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.special_multigammaln(%arg0: !torch.list<int>, %arg1: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pointwise_unary.mvlgamma(%arg0, %arg1) : (!torch.list<int>, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.special_ndtr(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.special_ndtri(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.special_polygamma(%arg0: !torch.int, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pointwise_unary.polygamma(%arg0, %arg1) : (!torch.int, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.special_psi(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.special_round(%arg0: !torch.list<int>, %arg1: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.special_scaled_modified_bessel_k0(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pointwise_unary.same_as_x(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.special_scaled_modified_bessel_k1(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pointwise_unary.same_as_x(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.special_sinc(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.special_softmax(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.optional<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.scans.scan_rule(%arg0, %arg1) : (!torch.list<int>, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.special_spherical_bessel_j0(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.pointwise_unary.same_as_x(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.special_xlog1py(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.special_xlog1py.other_scalar(%arg0: !torch.list<int>, %arg1: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.special_xlog1py.self_scalar(%arg0: !torch.float, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.same_as_other(%arg1) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.special_xlogy(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.special_xlogy.other_scalar(%arg0: !torch.list<int>, %arg1: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.special_xlogy.self_scalar(%arg0: !torch.float, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.same_as_other(%arg1) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.special_zeta(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.special_zeta.other_scalar(%arg0: !torch.list<int>, %arg1: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.special_zeta.self_scalar(%arg0: !torch.float, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.same_as_other(%arg1) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.split.Tensor(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.int) -> !torch.list<list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.slicing.split_rule(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.int, !torch.int) -> !torch.list<list<int>>
  return %0 : !torch.list<list<int>>
}
func.func private @__torch_mlir_shape_fn.aten.split.sizes(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.int) -> !torch.list<list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.slicing.split_sizes_rule(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.list<int>, !torch.int) -> !torch.list<list<int>>
  return %0 : !torch.list<list<int>>
}
func.func private @__torch_mlir_shape_fn.aten.split_copy.Tensor(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.int) -> !torch.list<list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.slicing.split_rule(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.int, !torch.int) -> !torch.list<list<int>>
  return %0 : !torch.list<list<int>>
}
func.func private @__torch_mlir_shape_fn.aten.split_with_sizes(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.int) -> !torch.list<list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.slicing.split_with_sizes_rule(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.list<int>, !torch.int) -> !torch.list<list<int>>
  return %0 : !torch.list<list<int>>
}
func.func private @__torch_mlir_shape_fn.aten.split_with_sizes_copy(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.int) -> !torch.list<list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.slicing.split_with_sizes_rule(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.list<int>, !torch.int) -> !torch.list<list<int>>
  return %0 : !torch.list<list<int>>
}
func.func private @__torch_mlir_shape_fn.aten.sqrt(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.square(%arg0: !torch.list<int>) -> !torch.list<int> {
  return %arg0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.squeeze(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.views.squeeze_rule(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.squeeze.dim(%arg0: !torch.list<int>, %arg1: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.views.squeeze_dim_rule(%arg0, %arg1) : (!torch.list<int>, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.squeeze.dims(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.views.squeeze_dims_rule(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.squeeze_copy(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.views.squeeze_rule(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.squeeze_copy.dim(%arg0: !torch.list<int>, %arg1: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.views.squeeze_dim_rule(%arg0, %arg1) : (!torch.list<int>, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.squeeze_copy.dims(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.views.squeeze_dims_rule(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.stack(%arg0: !torch.list<list<int>>, %arg1: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.joining.stack_rule(%arg0, %arg1) : (!torch.list<list<int>>, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.std(%arg0: !torch.list<int>, %arg1: !torch.bool) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.reduce_all(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.std.correction(%arg0: !torch.list<int>, %arg1: !torch.optional<list<int>>, %arg2: !torch.optional<float>, %arg3: !torch.bool) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.reduce_optional_dims(%arg0, %arg1, %arg3) : (!torch.list<int>, !torch.optional<list<int>>, !torch.bool) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.std.dim(%arg0: !torch.list<int>, %arg1: !torch.optional<list<int>>, %arg2: !torch.bool, %arg3: !torch.bool) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.reduce_optional_dims(%arg0, %arg1, %arg3) : (!torch.list<int>, !torch.optional<list<int>>, !torch.bool) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.std_mean(%arg0: !torch.list<int>, %arg1: !torch.bool) -> !torch.tuple<list<int>, list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.reductions.reduce_all_twice(%arg0) : (!torch.list<int>) -> !torch.tuple<list<int>, list<int>>
  return %0 : !torch.tuple<list<int>, list<int>>
}
func.func private @__torch_mlir_shape_fn.aten.std_mean.correction(%arg0: !torch.list<int>, %arg1: !torch.optional<list<int>>, %arg2: !torch.optional<float>, %arg3: !torch.bool) -> !torch.tuple<list<int>, list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.reductions.reduce_dims_twice(%arg0, %arg1, %arg3) : (!torch.list<int>, !torch.optional<list<int>>, !torch.bool) -> !torch.tuple<list<int>, list<int>>
  return %0 : !torch.tuple<list<int>, list<int>>
}
func.func private @__torch_mlir_shape_fn.aten.std_mean.dim(%arg0: !torch.list<int>, %arg1: !torch.optional<list<int>>, %arg2: !torch.bool, %arg3: !torch.bool) -> !torch.tuple<list<int>, list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.reductions.reduce_dims_twice(%arg0, %arg1, %arg3) : (!torch.list<int>, !torch.optional<list<int>>, !torch.bool) -> !torch.tuple<list<int>, list<int>>
  return %0 : !torch.tuple<list<int>, list<int>>
}
func.func private @__torch_mlir_shape_fn.aten.sub.Scalar(%arg0: !torch.list<int>, %arg1: !torch.float, %arg2: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.sub.Tensor(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.subtract.Scalar(%arg0: !torch.list<int>, %arg1: !torch.float, %arg2: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.subtract.Tensor(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.sum(%arg0: !torch.list<int>, %arg1: !torch.optional<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.reduce_all(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.sum.dim_IntList(%arg0: !torch.list<int>, %arg1: !torch.optional<list<int>>, %arg2: !torch.bool, %arg3: !torch.optional<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.reduce_optional_dims(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.optional<list<int>>, !torch.bool) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.swapaxes(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.permutations.swapaxes_rule(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.int, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.swapdims(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.permutations.transpose_rule(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.int, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.t(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.permutations.t_rule(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.t_copy(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.permutations.t_rule(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.tan(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.tanh(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.tensor_split.indices(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.int) -> !torch.list<list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.slicing.indices_rule(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.list<int>, !torch.int) -> !torch.list<list<int>>
  return %0 : !torch.list<list<int>>
}
func.func private @__torch_mlir_shape_fn.aten.tensor_split.sections(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.int) -> !torch.list<list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.slicing.sections_rule(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.int, !torch.int) -> !torch.list<list<int>>
  return %0 : !torch.list<list<int>>
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
func.func private @__torch_mlir_shape_fn.aten.threshold(%arg0: !torch.list<int>, %arg1: !torch.number, %arg2: !torch.number) -> !torch.list<int> {
  return %arg0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.tile(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.rearranging.tile_rule(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.to.device(%arg0: !torch.list<int>, %arg1: !torch.Device, %arg2: !torch.int, %arg3: !torch.bool, %arg4: !torch.bool, %arg5: !torch.optional<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.to.dtype(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.bool, %arg3: !torch.bool, %arg4: !torch.optional<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.to.dtype_layout(%arg0: !torch.list<int>, %arg1: !torch.optional<int>, %arg2: !torch.optional<int>, %arg3: !torch.optional<Device>, %arg4: !torch.optional<bool>, %arg5: !torch.bool, %arg6: !torch.bool, %arg7: !torch.optional<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.to.other(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.bool, %arg3: !torch.bool, %arg4: !torch.optional<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.to.prim_Device(%arg0: !torch.list<int>, %arg1: !torch.optional<Device>, %arg2: !torch.optional<int>, %arg3: !torch.bool, %arg4: !torch.bool) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.to.prim_dtype(%arg0: !torch.list<int>, %arg1: !torch.optional<int>, %arg2: !torch.bool, %arg3: !torch.bool) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.to.prim_other(%arg0: !torch.list<int>, %arg1: !torch.bool, %arg2: !torch.bool) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.topk(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.int, %arg3: !torch.bool, %arg4: !torch.bool) -> !torch.tuple<list<int>, list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.sorting.topk_rule(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.int, !torch.int) -> !torch.tuple<list<int>, list<int>>
  return %0 : !torch.tuple<list<int>, list<int>>
}
func.func private @__torch_mlir_shape_fn.aten.trace(%arg0: !torch.list<int>) -> !torch.list<int> {
  %int2 = torch.constant.int 2
  %str = torch.constant.str "aten::trace: self must be a matrix, got {} dimensions"
  %none = torch.constant.none
  %0 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %1 = torch.aten.eq.int %0, %int2 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %1 -> () {
    torch.prim.If.yield
  } else {
    %3 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
    %4 = torch.aten.format(%str, %3) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %4, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %2 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.reduce_all(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %2 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.transpose.int(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.permutations.transpose_rule(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.int, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.transpose_copy.int(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.permutations.transpose_rule(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.int, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.tril(%arg0: !torch.list<int>, %arg1: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.rearranging.triangle_rule(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.triu(%arg0: !torch.list<int>, %arg1: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.rearranging.triangle_rule(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.true_divide.Scalar(%arg0: !torch.list<int>, %arg1: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.true_divide.Tensor(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.trunc(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.type_as(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.unbind.int(%arg0: !torch.list<int>, %arg1: !torch.int) -> !torch.list<list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.slicing.unbind_rule(%arg0, %arg1) : (!torch.list<int>, !torch.int) -> !torch.list<list<int>>
  return %0 : !torch.list<list<int>>
}
func.func private @__torch_mlir_shape_fn.aten.unbind_copy.int(%arg0: !torch.list<int>, %arg1: !torch.int) -> !torch.list<list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.slicing.unbind_rule(%arg0, %arg1) : (!torch.list<int>, !torch.int) -> !torch.list<list<int>>
  return %0 : !torch.list<list<int>>
}
func.func private @__torch_mlir_shape_fn.aten.unflatten.int(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.list<int>) -> !torch.list<int> {
  %int1 = torch.constant.int 1
  %int0 = torch.constant.int 0
  %str = torch.constant.str "aten::unflatten: sizes must not be empty, got {}"
  %none = torch.constant.none
  %str_0 = torch.constant.str "aten::unflatten: self must have a dimension, got rank {}"
  %0 = torch.aten.len.t %arg2 : !torch.list<int> -> !torch.int
  %1 = torch.aten.gt.int %0, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %1 -> () {
    torch.prim.If.yield
  } else {
    %14 = torch.aten.format(%str, %arg2) : !torch.str, !torch.list<int> -> !torch.str
    torch.prim.RaiseException %14, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %2 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %3 = torch.aten.gt.int %2, %int0 : !torch.int, !torch.int -> !torch.bool
  torch.prim.If %3 -> () {
    torch.prim.If.yield
  } else {
    %14 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
    %15 = torch.aten.format(%str_0, %14) : !torch.str, !torch.int -> !torch.str
    torch.prim.RaiseException %15, %none : !torch.str, !torch.none
    torch.prim.If.yield
  }
  %4 = torch.aten.len.t %arg0 : !torch.list<int> -> !torch.int
  %5 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.wrap_dim(%arg1, %4) : (!torch.int, !torch.int) -> !torch.int
  %6 = torch.aten.slice.t %arg0, %none, %5, %int1 : !torch.list<int>, !torch.none, !torch.int, !torch.int -> !torch.list<int>
  %7 = torch.aten.__getitem__.t %arg0, %5 : !torch.list<int>, !torch.int -> !torch.int
  %8 = torch.prim.ListConstruct %7 : (!torch.int) -> !torch.list<int>
  %9 = call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.view_sizes(%8, %arg2) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  %10 = torch.aten.add.t %6, %9 : !torch.list<int>, !torch.list<int> -> !torch.list<int>
  %11 = torch.aten.add.int %5, %int1 : !torch.int, !torch.int -> !torch.int
  %12 = torch.aten.slice.t %arg0, %11, %none, %int1 : !torch.list<int>, !torch.int, !torch.none, !torch.int -> !torch.list<int>
  %13 = torch.aten.add.t %10, %12 : !torch.list<int>, !torch.list<int> -> !torch.list<int>
  return %13 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.unfold(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.int, %arg3: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.permutations.unfold_rule(%arg0, %arg1, %arg2, %arg3) : (!torch.list<int>, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.unfold_copy(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.int, %arg3: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.permutations.unfold_rule(%arg0, %arg1, %arg2, %arg3) : (!torch.list<int>, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.uniform(%arg0: !torch.list<int>, %arg1: !torch.float, %arg2: !torch.float, %arg3: !torch.any) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.unsafe_chunk(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.int) -> !torch.list<list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.slicing.chunk_rule(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.int, !torch.int) -> !torch.list<list<int>>
  return %0 : !torch.list<list<int>>
}
func.func private @__torch_mlir_shape_fn.aten.unsafe_split.Tensor(%arg0: !torch.list<int>, %arg1: !torch.int, %arg2: !torch.int) -> !torch.list<list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.slicing.split_rule(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.int, !torch.int) -> !torch.list<list<int>>
  return %0 : !torch.list<list<int>>
}
func.func private @__torch_mlir_shape_fn.aten.unsafe_split_with_sizes(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.int) -> !torch.list<list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.slicing.split_with_sizes_rule(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.list<int>, !torch.int) -> !torch.list<list<int>>
  return %0 : !torch.list<list<int>>
}
func.func private @__torch_mlir_shape_fn.aten.unsqueeze(%arg0: !torch.list<int>, %arg1: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.views.unsqueeze_rule(%arg0, %arg1) : (!torch.list<int>, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.unsqueeze_copy(%arg0: !torch.list<int>, %arg1: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.views.unsqueeze_rule(%arg0, %arg1) : (!torch.list<int>, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.var(%arg0: !torch.list<int>, %arg1: !torch.bool) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.reduce_all(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.var.correction(%arg0: !torch.list<int>, %arg1: !torch.optional<list<int>>, %arg2: !torch.optional<float>, %arg3: !torch.bool) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.reduce_optional_dims(%arg0, %arg1, %arg3) : (!torch.list<int>, !torch.optional<list<int>>, !torch.bool) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.var.dim(%arg0: !torch.list<int>, %arg1: !torch.optional<list<int>>, %arg2: !torch.bool, %arg3: !torch.bool) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.reduction.reduce_optional_dims(%arg0, %arg1, %arg3) : (!torch.list<int>, !torch.optional<list<int>>, !torch.bool) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.var_mean(%arg0: !torch.list<int>, %arg1: !torch.bool) -> !torch.tuple<list<int>, list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.reductions.reduce_all_twice(%arg0) : (!torch.list<int>) -> !torch.tuple<list<int>, list<int>>
  return %0 : !torch.tuple<list<int>, list<int>>
}
func.func private @__torch_mlir_shape_fn.aten.var_mean.correction(%arg0: !torch.list<int>, %arg1: !torch.optional<list<int>>, %arg2: !torch.optional<float>, %arg3: !torch.bool) -> !torch.tuple<list<int>, list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.reductions.reduce_dims_twice(%arg0, %arg1, %arg3) : (!torch.list<int>, !torch.optional<list<int>>, !torch.bool) -> !torch.tuple<list<int>, list<int>>
  return %0 : !torch.tuple<list<int>, list<int>>
}
func.func private @__torch_mlir_shape_fn.aten.var_mean.dim(%arg0: !torch.list<int>, %arg1: !torch.optional<list<int>>, %arg2: !torch.bool, %arg3: !torch.bool) -> !torch.tuple<list<int>, list<int>> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.reductions.reduce_dims_twice(%arg0, %arg1, %arg3) : (!torch.list<int>, !torch.optional<list<int>>, !torch.bool) -> !torch.tuple<list<int>, list<int>>
  return %0 : !torch.tuple<list<int>, list<int>>
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
func.func private @__torch_mlir_shape_fn.aten.view(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.view_sizes(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.view.dtype(%arg0: !torch.tuple<list<int>, int>, %arg1: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.complex_views.view_dtype_rule(%arg0, %arg1) : (!torch.tuple<list<int>, int>, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.view_as(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.views.view_as_rule(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.view_as_complex(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.complex_views.view_as_complex_rule(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.view_as_complex_copy(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.complex_views.view_as_complex_rule(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.view_as_real(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.complex_views.view_as_real_rule(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.view_as_real_copy(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.complex_views.view_as_real_rule(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.view_copy(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.sizes.view_sizes(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.view_copy.dtype(%arg0: !torch.tuple<list<int>, int>, %arg1: !torch.int) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.complex_views.view_dtype_rule(%arg0, %arg1) : (!torch.tuple<list<int>, int>, !torch.int) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.vstack(%arg0: !torch.list<list<int>>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.families.joining.vstack_rule(%arg0) : (!torch.list<list<int>>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.where.Scalar(%arg0: !torch.list<int>, %arg1: !torch.number, %arg2: !torch.number) -> !torch.list<int> {
  return %arg0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.where.ScalarOther(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.number) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.broadcast.broadcast_two(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.where.ScalarSelf(%arg0: !torch.list<int>, %arg1: !torch.number, %arg2: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.broadcast.broadcast_two(%arg0, %arg2) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.where.self(%arg0: !torch.list<int>, %arg1: !torch.list<int>, %arg2: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.broadcast.broadcast_three(%arg0, %arg1, %arg2) : (!torch.list<int>, !torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.xlogy.Scalar_Other(%arg0: !torch.list<int>, %arg1: !torch.float) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.xlogy.Scalar_Self(%arg0: !torch.float, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.same_as_other(%arg1) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.xlogy.Tensor(%arg0: !torch.list<int>, %arg1: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.pointwise.broadcast_self_other(%arg0, %arg1) : (!torch.list<int>, !torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.zero(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.zeros(%arg0: !torch.list<int>, %arg1: !torch.optional<int>, %arg2: !torch.optional<int>, %arg3: !torch.optional<Device>, %arg4: !torch.optional<bool>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.factories.given_size(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
func.func private @__torch_mlir_shape_fn.aten.zeros_like(%arg0: !torch.list<int>, %arg1: !torch.optional<int>, %arg2: !torch.optional<int>, %arg3: !torch.optional<Device>, %arg4: !torch.optional<bool>, %arg5: !torch.optional<int>) -> !torch.list<int> {
  %0 = call @__torch__.torch_refine.abstract_interp_lib.rules.dims.same_as_self(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}
