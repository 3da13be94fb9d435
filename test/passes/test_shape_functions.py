"""Shape functions of small programs: what they accept, what they refuse, and what is live."""

import pytest
import torch_refine
from torch_refine.abstract_interpreter.numbers.expressions import (
    add,
    extreme,
    floor_divide,
    fresh,
    multiply,
    of_atom,
    remainder,
    single_atom,
    substitute,
)
from torch_refine.dialect.bindings import ir, new_context
from torch_refine.dialect.element_types import bits_of_element
from torch_refine.dialect.schemas import add_schema, aliases
from torch_refine.passes.shape_functions.calculation import Calculation

PROGRAM = """
func.func @main(%arg0: !torch.vtensor<[?,?],f32>, %arg1: !torch.vtensor<[?,?],f32>,
                %arg2: !torch.int, %arg3: !torch.float) -> (!torch.vtensor, !torch.vtensor) {
  %seq = torch.symbolic_int "_seq" {min_val = 1, max_val = 64} : !torch.int
  %b = torch.symbolic_int "b" {min_val = 2, max_val = 64} : !torch.int
  torch.bind_symbolic_shape %arg0, [%b, %seq], affine_map<()[s0, s1] -> (s0, s1 * 8)> : !torch.vtensor<[?,?],f32>
  torch.bind_symbolic_shape %arg1, [%b, %seq], affine_map<()[s0, s1] -> (s1 * 8, s0)> : !torch.vtensor<[?,?],f32>
  %int0 = torch.constant.int 0
  %int2 = torch.constant.int 2
  %0 = torch.aten.mm %arg0, %arg1 : !torch.vtensor<[?,?],f32>, !torch.vtensor<[?,?],f32> -> !torch.vtensor
  %1 = torch.aten.narrow %arg1, %int0, %arg2, %int2 : !torch.vtensor<[?,?],f32>, !torch.int, !torch.int, !torch.int -> !torch.vtensor
  return %0, %1 : !torch.vtensor, !torch.vtensor
}
"""


def shape_function(text, **options):
    return torch_refine.shape_function(ir.Module.parse(text, new_context()), **options)


def test_both_forms_of_a_call():
    found = shape_function(PROGRAM)
    assert found([4, 24], [24, 4], 3, 0.5) == ((4, 4), (2, 4))
    assert found(b=4, _seq=3, arg2=3) == found(b=4, seq=24, arg2=3) == ((4, 4), (2, 4))
    assert [str(each) for each in found.symbols[:2]] == [
        "b = arg0.size(0), from 2 to 64",
        "_seq = (arg0.size(1) // 8), from 1 to 64",
    ]
    assert [each.sizes for each in found.inputs] == [("b", "8*_seq"), ("8*_seq", "b"), None, None]
    assert [each.dtype for each in found.inputs] == ["float32", "float32", "int", "float"]
    assert [each.sizes for each in found.results] == [("b", "b"), ("2", "b")]
    assert found.unknown == found.unchecked == ()


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        (([4, 25], [24, 4], 0, 0.5), r"arg0.size\(1\) must be a multiple of 8, got 25"),
        (([4, 24], [32, 4], 0, 0.5), r"arg1.size\(0\) must be 8\*_seq = 24, got 32"),
        (([4, 24], [24, 5], 0, 0.5), r"arg1.size\(1\) must be b = 4, got 5"),
        (([1, 24], [24, 1], 0, 0.5), "b must be >= 2, got 1"),
        (([4, 1024], [1024, 4], 0, 0.5), "_seq must be <= 64, got 128"),
        (([4, 24, 1], [24, 4], 0, 0.5), "argument 0 has 2 sizes, got 3"),
        (([4, -24], [24, 4], 0, 0.5), "argument 0 has a size that is no size: -24"),
        (([4, 24.0], [24, 4], 0, 0.5), "argument 0 has a size that is no size: 24.0"),
        (([4, True], [24, 4], 0, 0.5), "argument 0 has a size that is no size: True"),
        ((4, [24, 4], 0, 0.5), "expected the sizes of argument 0, got 4"),
        (([4, 24], [24, 4], [3], 0.5), r"argument 2 is an int, got \[3\]"),
        (([4, 24], [24, 4]), "expected the sizes of 4 arguments, got 2"),
        ((), "expected the sizes of 4 arguments, got 0.*by name: b, _seq, arg2"),
    ],
)
def test_sizes_that_are_none_of_the_arguments(sizes, message):
    with pytest.raises(torch_refine.ShapeError, match=message):
        shape_function(PROGRAM)(*sizes)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"b": 4}, "no value is given for _seq, arg2"),
        ({"b": 4, "c": 3}, "no symbol has the name c; there are: b, _seq, arg2"),
        ({"b": 4, "seq": 25}, "seq must be a multiple of 8, got 25"),
        ({"b": 65, "_seq": 1, "arg2": 0}, "b must be <= 64, got 65"),
        ({"_seq": 1, "seq": 16}, "seq and _seq are given, and differ"),
    ],
)
def test_values_that_no_symbol_has(values, message):
    with pytest.raises(torch_refine.ShapeError, match=message):
        shape_function(PROGRAM)(**values)


def test_calls_of_the_wrong_form():
    found = shape_function(PROGRAM)
    with pytest.raises(TypeError, match="or the values of symbols by name"):
        found([4, 24], b=4)
    with pytest.raises(TypeError, match="expected an int for b, not '4'"):
        found(b="4")
    with pytest.raises(ValueError, match="peak=True"):
        found.peak_bytes(b=4, _seq=3, arg2=3)


def test_preconditions_have_their_messages():
    with pytest.raises(torch_refine.ShapeError) as caught:
        shape_function(PROGRAM)(b=4, _seq=3, arg2=23)
    error = caught.value
    assert error.reason == "aten::narrow: start + length must be at most 24, got 23 + 2"
    assert "arg2" in error.guard
    assert error.location.startswith("line")


def test_assertions_and_guards_of_the_export_are_checked():
    found = shape_function("""
    func.func @main(%arg0: !torch.vtensor<[?],f32>, %arg1: !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32>
        attributes {torch_refine.guards = [{condition = "arg0.size(0) > arg1.size(0)", message = "m"}]} {
      %int0 = torch.constant.int 0
      %int9 = torch.constant.int 9
      %0 = torch.aten.size.int %arg0, %int0 : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
      %1 = torch.aten.le.int %0, %int9 : !torch.int, !torch.int -> !torch.bool
      torch.runtime.assert %1, "no more than 9"
      return %arg0 : !torch.vtensor<[?],f32>
    }
    """)
    assert found([9], [8]) == ((9,),)
    with pytest.raises(torch_refine.ShapeError, match=r"exported for m .*; it requires arg1"):
        found([8], [8])
    with pytest.raises(torch_refine.ShapeError, match="no more than 9"):
        found([10], [8])


def test_sizes_that_depend_on_data():
    found = shape_function("""
    func.func @main(%arg0: !torch.vtensor<[?,3],f32>, %arg1: !torch.vtensor) -> (!torch.vtensor, !torch.vtensor) {
      %0 = torch.aten.nonzero %arg0 : !torch.vtensor<[?,3],f32> -> !torch.vtensor
      return %0, %arg1 : !torch.vtensor, !torch.vtensor
    }
    """)
    assert found([5, 3], None) == ((None, 2), None)
    assert [(each.result, each.dim, each.operator) for each in found.unknown] == [
        (0, 0, "aten::nonzero"),
        (1, None, None),
    ]
    assert "size 0 of result 0 is decided by aten::nonzero at line" in str(found.unknown[0])


def test_a_size_equal_to_that_of_an_argument_is_known():
    """The product requires that as many elements are selected as the argument has."""
    found = shape_function("""
    func.func @main(%arg0: !torch.vtensor<[9],f32>, %arg1: !torch.vtensor<[9],i1>, %arg2: !torch.vtensor<[?],f32>) -> (!torch.vtensor, !torch.vtensor) {
      %0 = torch.aten.masked_select %arg0, %arg1 : !torch.vtensor<[9],f32>, !torch.vtensor<[9],i1> -> !torch.vtensor
      %1 = torch.aten.dot %0, %arg2 : !torch.vtensor, !torch.vtensor<[?],f32> -> !torch.vtensor
      return %0, %1 : !torch.vtensor, !torch.vtensor
    }
    """)
    assert found([9], [9], [4]) == ((4,), ())
    assert found.unknown == ()
    assert [each.partition(" at ")[0] for each in found.unchecked] == ["aten::dot"]


@pytest.mark.parametrize(
    ("body", "tensors"),
    [
        # A view keeps its storage: the operand, the sum, and nothing for the view.
        ("%1 = torch.aten.t %0 : !torch.vtensor -> !torch.vtensor", 16),
        # A copy behind a transposition.
        (
            """%t = torch.aten.t %0 : !torch.vtensor -> !torch.vtensor
            %1 = torch.aten.contiguous %t, %int0 : !torch.vtensor, !torch.int -> !torch.vtensor""",
            32,
        ),
        ("%1 = torch.aten.contiguous %0, %int0 : !torch.vtensor, !torch.int -> !torch.vtensor", 16),
        # A conversion to float64, which is twice as large, and one to the same dtype.
        (
            """%1 = torch.aten.to.dtype %0, %int7, %false, %false, %none
            : !torch.vtensor, !torch.int, !torch.bool, !torch.bool, !torch.none -> !torch.vtensor""",
            48,
        ),
        (
            """%1 = torch.aten.to.dtype %0, %int6, %false, %false, %none
            : !torch.vtensor, !torch.int, !torch.bool, !torch.bool, !torch.none -> !torch.vtensor""",
            16,
        ),
    ],
)
def test_live_bytes_of_views(body, tensors):
    found = shape_function(
        f"""
    func.func @main(%arg0: !torch.vtensor<[?,2],f32>) -> !torch.vtensor {{
      %int0 = torch.constant.int 0
      %int6 = torch.constant.int 6
      %int7 = torch.constant.int 7
      %false = torch.constant.bool false
      %none = torch.constant.none
      %0 = torch.aten.tanh %arg0 : !torch.vtensor<[?,2],f32> -> !torch.vtensor
      {body}
      return %1 : !torch.vtensor
    }}
    """,
        peak=True,
    )
    live = found.live_bytes([2, 2])
    assert (live.inputs, live.weights, live.tensors) == (16, 0, tensors)
    assert found.peak_bytes([2, 2]) == live.total == 16 + tensors


def test_the_peak_moves_with_the_sizes():
    found = shape_function(
        """
    func.func @main(%arg0: !torch.vtensor<[?,4],f32>, %arg1: !torch.vtensor<[?,4],f32>) -> (!torch.vtensor, !torch.vtensor) {
      %none = torch.constant.none
      %0 = torch.aten.tanh %arg0 : !torch.vtensor<[?,4],f32> -> !torch.vtensor
      %1 = torch.aten.sum %0, %none : !torch.vtensor, !torch.none -> !torch.vtensor
      %2 = torch.aten.exp %arg1 : !torch.vtensor<[?,4],f32> -> !torch.vtensor
      %3 = torch.aten.sum %2, %none : !torch.vtensor, !torch.none -> !torch.vtensor
      return %1, %3 : !torch.vtensor, !torch.vtensor
    }
    """,
        peak=True,
    )
    assert found.live_bytes([9, 4], [2, 4]).tensors == 9 * 16 + 4
    assert found.live_bytes([2, 4], [9, 4]).tensors == 9 * 16 + 4 + 4
    lines = [found.live_bytes([n, 4], [11 - n, 4]).location for n in (9, 2)]
    assert lines[0] != lines[1]


def test_which_function():
    two = "func.func @a() { return } func.func @b(%x: !torch.vtensor<[?],f32>) { return }"
    assert shape_function(two, function="b").inputs[0].sizes == ("s0",)
    assert shape_function(two, function="a")() == ()
    with pytest.raises(torch_refine.RefineError, match="one public function with a body, not 2"):
        shape_function(two)
    with pytest.raises(torch_refine.RefineError, match=r"no function c with a body.* a, b"):
        shape_function(two, function="c")
    with pytest.raises(TypeError, match=r"torch_refine\.load reads one"):
        torch_refine.shape_function("model.mlir")


def test_sizes_that_do_not_fit_into_64_bits():
    found = shape_function("""
    func.func @main(%arg0: !torch.vtensor<[?,?],f32>) -> !torch.vtensor {
      %int0 = torch.constant.int 0
      %int1 = torch.constant.int 1
      %0 = torch.aten.flatten.using_ints %arg0, %int0, %int1 : !torch.vtensor<[?,?],f32>, !torch.int, !torch.int -> !torch.vtensor
      return %0 : !torch.vtensor
    }
    """)
    assert found([2**31, 2**31]) == ((2**62,),)
    with pytest.raises(torch_refine.ShapeError, match="does not fit into 64 bits"):
        found([2**32, 2**32])


def test_a_calculation_is_substitution():
    n, m = fresh(0), fresh(0)
    numbers = [
        add(multiply(n, m), 3),
        floor_divide(add(n, 5), 3),
        remainder(m, add(n, 1)),
        extreme("max", n, add(m, -2)),
        multiply(extreme("min", n, m), -2),
        7,
    ]
    calculation = Calculation()
    places = [calculation.number(each) for each in numbers]
    for values in ((0, 0), (3, 8), (11, 2)):
        known = {single_atom(n): values[0], single_atom(m): values[1]}
        found = calculation.run(known)
        assert [found[place] for place in places] == [substitute(each, known) for each in numbers]
    unknown = calculation.run({single_atom(n): 2})
    assert [unknown[place] for place in places] == [None, 2, None, None, None, 7]
    assert of_atom(single_atom(n)) == n


def test_aliases_of_operators():
    assert aliases("aten::view") == ((0,),)
    assert aliases("aten::mm") == ((),)
    assert aliases("aten::split.Tensor") == ((0,),)
    assert aliases("aten::add_.Tensor") == ((0,),)
    add_schema("mine::both(Tensor(a) x, Tensor(b|c) y, *, int n=1) -> (Tensor(c), Tensor(a), int)")
    assert aliases("mine::both") == ((1,), (0,), ())
    with pytest.raises(KeyError):
        aliases("mine::none")


def test_bits_of_elements():
    names = ("f32", "i1", "bf16", "complex<f32>", "si64", "f8E4M3FN", "ui4", "!torch.qint8")
    assert [bits_of_element(name) for name in names] == [32, 8, 16, 64, 64, 8, 4, 8]
    with pytest.raises(ValueError, match="no element type"):
        bits_of_element("index")
