// RUN: torch-refine-opt %s --split-input-file --verify-diagnostics --torch-reify-shape-calculations --torch-simplify-shape-calculations

// A function that raises for these shapes is a warning at the operator, with its message.

func.func @raises(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[4,5],f32>) -> !torch.vtensor {
  // expected-warning @+1 {{torch.aten.mm always raises: inner dimensions must match, got 3 and 4 (operands: !torch.vtensor<[2,3],f32>, !torch.vtensor<[4,5],f32>)}}
  %0 = torch.aten.mm %arg0, %arg1 : !torch.vtensor<[2,3],f32>, !torch.vtensor<[4,5],f32> -> !torch.vtensor
  return %0 : !torch.vtensor
}

// -----

// What is not known of a message is a question mark.

func.func @raises_with_unknown(%arg0: !torch.vtensor<[2,?,3],f32>, %arg1: !torch.vtensor<[4,5],f32>) -> !torch.vtensor {
  // expected-warning @+1 {{the first operand must be a matrix, got shape [2, ?, 3]}}
  %0 = torch.aten.mm %arg0, %arg1 : !torch.vtensor<[2,?,3],f32>, !torch.vtensor<[4,5],f32> -> !torch.vtensor
  return %0 : !torch.vtensor
}

// -----

// A declared type that cannot be is an error.

func.func @contradiction(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,4],f32> {
  // expected-error @+1 {{torch.aten.tanh is declared !torch.vtensor<[2,4],f32>, but its shape function infers !torch.vtensor<[2,3],unk>: size 4 against 3}}
  %0 = torch.aten.tanh %arg0 : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,4],f32>
  return %0 : !torch.vtensor<[2,4],f32>
}

// -----

// A loop that does not end is given up.

func.func @endless(%arg0: !torch.vtensor<[2],f32>) -> !torch.vtensor {
  // expected-warning @+1 {{cannot infer the shape of torch.aten.tanh: it takes more than 200000 steps}}
  %0 = torch.shape.calculate {
    %1 = torch.aten.tanh %arg0 : !torch.vtensor<[2],f32> -> !torch.vtensor
    torch.shape.calculate.yield %1 : !torch.vtensor
  } shapes {
    %int1 = torch.constant.int 1
    %int9223372036854775807 = torch.constant.int 9223372036854775807
    %true = torch.constant.bool true
    %1 = torch.prim.ListConstruct  : () -> !torch.list<int>
    torch.prim.Loop %int9223372036854775807, %true, init() {
    ^bb0(%arg1: !torch.int):
      %2 = torch.aten.add.int %int1, %int1 : !torch.int, !torch.int -> !torch.int
      torch.prim.Loop.condition %true, iter()
    } : (!torch.int, !torch.bool) -> ()
    torch.shape.calculate.yield.shapes %1 : !torch.list<int>
  } : !torch.vtensor
  return %0 : !torch.vtensor
}

// -----

// So is a function that calls itself for ever.

func.func private @again(%arg0: !torch.list<int>) -> !torch.list<int> {
  %0 = call @again(%arg0) : (!torch.list<int>) -> !torch.list<int>
  return %0 : !torch.list<int>
}

func.func @recursive(%arg0: !torch.vtensor<[2],f32>) -> !torch.vtensor {
  // expected-warning @+1 {{cannot infer the shape of torch.aten.tanh: @again is recursive}}
  %0 = torch.shape.calculate {
    %1 = torch.aten.tanh %arg0 : !torch.vtensor<[2],f32> -> !torch.vtensor
    torch.shape.calculate.yield %1 : !torch.vtensor
  } shapes {
    %1 = torch.aten.size %arg0 : !torch.vtensor<[2],f32> -> !torch.list<int>
    %2 = func.call @again(%1) : (!torch.list<int>) -> !torch.list<int>
    torch.shape.calculate.yield.shapes %2 : !torch.list<int>
  } : !torch.vtensor
  return %0 : !torch.vtensor
}

// -----

// A calculation must not change a list that the program has.

func.func @changes_program(%arg0: !torch.vtensor<[2],f32>, %arg1: !torch.list<int>) -> !torch.vtensor {
  %int1 = torch.constant.int 1
  // expected-warning @+1 {{cannot infer the shape of torch.aten.tanh: it mutates a list that may be aliased}}
  %0 = torch.shape.calculate {
    %1 = torch.aten.tanh %arg0 : !torch.vtensor<[2],f32> -> !torch.vtensor
    torch.shape.calculate.yield %1 : !torch.vtensor
  } shapes {
    %1 = torch.aten.append.t %arg1, %int1 : !torch.list<int>, !torch.int -> !torch.list<int>
    torch.shape.calculate.yield.shapes %1 : !torch.list<int>
  } : !torch.vtensor
  return %0 : !torch.vtensor
}

// -----

// So is one that is one of two lists.

func.func @maybe_alias(%arg0: !torch.vtensor<[2,?,4],f32>) -> !torch.vtensor {
  // expected-warning @+1 {{cannot infer the shape of torch.aten.tanh: it mutates a list that may be aliased}}
  %0 = torch.shape.calculate {
    %1 = torch.aten.tanh %arg0 : !torch.vtensor<[2,?,4],f32> -> !torch.vtensor
    torch.shape.calculate.yield %1 : !torch.vtensor
  } shapes {
    %int0 = torch.constant.int 0
    %int1 = torch.constant.int 1
    %int2 = torch.constant.int 2
    %int8 = torch.constant.int 8
    %2 = torch.prim.ListConstruct %int8 : (!torch.int) -> !torch.list<int>
    %3 = torch.prim.ListConstruct %int8 : (!torch.int) -> !torch.list<int>
    %4 = torch.aten.size.int %arg0, %int1 : !torch.vtensor<[2,?,4],f32>, !torch.int -> !torch.int
    %5 = torch.aten.eq.int %4, %int2 : !torch.int, !torch.int -> !torch.bool
    %6 = torch.prim.If %5 -> (!torch.list<int>) {
      torch.prim.If.yield %2 : !torch.list<int>
    } else {
      torch.prim.If.yield %3 : !torch.list<int>
    }
    %7 = torch.aten.append.t %6, %int1 : !torch.list<int>, !torch.int -> !torch.list<int>
    %8 = torch.aten.len.t %2 : !torch.list<int> -> !torch.int
    %9 = torch.aten.len.t %6 : !torch.list<int> -> !torch.int
    %out = torch.prim.ListConstruct %8, %9 : (!torch.int, !torch.int) -> !torch.list<int>
    torch.shape.calculate.yield.shapes %out : !torch.list<int>
  } : !torch.vtensor
  return %0 : !torch.vtensor
}

// -----

// So is an element of a list at an index that only running tells.

func.func @nested_lists(%arg0: !torch.vtensor<[2,?,4],f32>) -> !torch.vtensor {
  // expected-warning @+1 {{cannot infer the shape of torch.aten.tanh: it mutates a list that may be aliased}}
  %0 = torch.shape.calculate {
    %1 = torch.aten.tanh %arg0 : !torch.vtensor<[2,?,4],f32> -> !torch.vtensor
    torch.shape.calculate.yield %1 : !torch.vtensor
  } shapes {
    %int1 = torch.constant.int 1
    %int8 = torch.constant.int 8
    %2 = torch.prim.ListConstruct %int8 : (!torch.int) -> !torch.list<int>
    %3 = torch.prim.ListConstruct %int8 : (!torch.int) -> !torch.list<int>
    %4 = torch.prim.ListConstruct %2, %3 : (!torch.list<int>, !torch.list<int>) -> !torch.list<list<int>>
    %5 = torch.aten.size.int %arg0, %int1 : !torch.vtensor<[2,?,4],f32>, !torch.int -> !torch.int
    %6 = torch.aten.__getitem__.t %4, %5 : !torch.list<list<int>>, !torch.int -> !torch.list<int>
    %7 = torch.aten.append.t %6, %int1 : !torch.list<int>, !torch.int -> !torch.list<int>
    %8 = torch.aten.len.t %2 : !torch.list<int> -> !torch.int
    %out = torch.prim.ListConstruct %8 : (!torch.int) -> !torch.list<int>
    torch.shape.calculate.yield.shapes %out : !torch.list<int>
  } : !torch.vtensor
  return %0 : !torch.vtensor
}

// -----

// So is one that an If may hide in an optional.

func.func @optional_list(%arg0: !torch.vtensor<[2,?,4],f32>) -> !torch.vtensor {
  // expected-warning @+1 {{cannot infer the shape of torch.aten.tanh: it mutates a list that may be aliased}}
  %0 = torch.shape.calculate {
    %1 = torch.aten.tanh %arg0 : !torch.vtensor<[2,?,4],f32> -> !torch.vtensor
    torch.shape.calculate.yield %1 : !torch.vtensor
  } shapes {
    %int1 = torch.constant.int 1
    %int2 = torch.constant.int 2
    %int8 = torch.constant.int 8
    %none = torch.constant.none
    %2 = torch.prim.ListConstruct %int8 : (!torch.int) -> !torch.list<int>
    %3 = torch.aten.size.int %arg0, %int1 : !torch.vtensor<[2,?,4],f32>, !torch.int -> !torch.int
    %4 = torch.aten.eq.int %3, %int2 : !torch.int, !torch.int -> !torch.bool
    %5 = torch.prim.If %4 -> (!torch.optional<list<int>>) {
      %8 = torch.derefine %2 : !torch.list<int> to !torch.optional<list<int>>
      torch.prim.If.yield %8 : !torch.optional<list<int>>
    } else {
      %8 = torch.derefine %none : !torch.none to !torch.optional<list<int>>
      torch.prim.If.yield %8 : !torch.optional<list<int>>
    }
    %6 = torch.prim.unchecked_cast %5 : !torch.optional<list<int>> -> !torch.list<int>
    %7 = torch.aten.append.t %6, %int1 : !torch.list<int>, !torch.int -> !torch.list<int>
    %out = torch.aten.add.t %2, %2 : !torch.list<int>, !torch.list<int> -> !torch.list<int>
    torch.shape.calculate.yield.shapes %out : !torch.list<int>
  } : !torch.vtensor
  return %0 : !torch.vtensor
}

// -----

// A number that takes more than 64 bits is not written: the calculation stays as it is.

func.func @big(%arg0: !torch.vtensor<[2,?,4],f32>) -> !torch.vtensor {
  // expected-warning @+1 {{cannot infer the shape of torch.aten.tanh: 9223372036854775808 does not fit into 64 bits}}
  %0 = torch.shape.calculate {
    %1 = torch.aten.tanh %arg0 : !torch.vtensor<[2,?,4],f32> -> !torch.vtensor
    torch.shape.calculate.yield %1 : !torch.vtensor
  } shapes {
    %int1 = torch.constant.int 1
    %big = torch.constant.int 9223372036854775807
    %1 = torch.aten.size.int %arg0, %int1 : !torch.vtensor<[2,?,4],f32>, !torch.int -> !torch.int
    %2 = torch.aten.add.int %1, %big : !torch.int, !torch.int -> !torch.int
    %3 = torch.aten.add.int %2, %int1 : !torch.int, !torch.int -> !torch.int
    %4 = torch.prim.ListConstruct %3 : (!torch.int) -> !torch.list<int>
    torch.shape.calculate.yield.shapes %4 : !torch.list<int>
  } : !torch.vtensor
  return %0 : !torch.vtensor
}
