"""Assumptions on named sizes: what follows from them, and which a result needs."""

import pytest
import torch_refine
from hypothesis import given, settings, strategies
from torch_refine import InferenceError, TensorSpec, infer
from torch_refine.abstract_interpreter.calling import RejectionError


@pytest.mark.parametrize(
    ("call", "assuming", "sizes", "assumed"),
    [
        # A size that is at least 2 is not broadcast: the other one is 1, or equal.
        (("aten::add.Tensor", ["n"], ["m"]), ["n >= 2"], ("n",), ("n >= 2",)),
        (("aten::add.Tensor", ["n"], ["m"]), ["n == m"], ("n",), ("n == m",)),
        (("aten::add.Tensor", ["n"], ["m"]), ["m == 1", "n >= 0"], ("n",), ("m == 1",)),
        (("aten::squeeze.dim", ["n", 3], 0), ["n != 1"], ("n", 3), ("n != 1",)),
        (("aten::slice.Tensor", ["n"], 0, 1, 5, 1), ["n >= 9"], (4,), ("n >= 9",)),
        # Divisors.
        (("aten::view", ["n", 4], [-1, 8]), ["n % 8 == 0"], ("(n // 2)", 8), ("n % 8 == 0",)),
        (("aten::view", ["n", 3], [8, -1]), ["n % 8 == 0"], (8, "3*(n // 8)"), ("n % 8 == 0",)),
        (("aten::view", ["n", 8], [-1, 4]), ["n % 8 == 0"], ("2*n", 4), ()),
        (
            ("aten::max_pool2d", [1, 3, "n", 8], [2, 2]),
            ["n % 2 == 0", "n >= 2"],
            (1, 3, "(n // 2)", 4),
            (),
        ),
    ],
)
def test_results_follow_from_assumptions(call, assuming, sizes, assumed):
    operator, *arguments = call
    # Only the first list, and that of a second operand, are tensors.
    places = 2 if operator == "aten::add.Tensor" else 1
    specs = [TensorSpec(each) if n < places else each for n, each in enumerate(arguments)]
    found = infer(operator, *specs, assuming=assuming)
    assert (found.sizes, found.assumed) == (sizes, assumed)


def test_a_result_says_what_it_assumes():
    """Equality is that of sizes and dtype; the text lists the assumptions."""
    found = infer("aten::add.Tensor", TensorSpec(["n"]), TensorSpec(["m"]), assuming="n == m")
    assert str(found) == "float32[n], assuming n == m"
    assert found == TensorSpec(["n"])


@pytest.mark.parametrize(
    ("assuming", "message"),
    [
        (["k >= 1"], "the assumption 'k >= 1': k is not a number; the names are: n"),
        (["n >= 3", "n <= 2"], "the assumption 'n <= 2' contradicts those before it"),
        (["n"], "the assumption 'n': n is not a condition"),
        (["n >="], "the assumption 'n >=': invalid syntax"),
        (["n < 0"], "the assumption 'n < 0' contradicts those before it"),
        (["n % 0 == 1"], "the assumption 'n % 0 == 1'"),
        (["n >= 2"] * 65, "at most 64 assumptions are taken, not 65"),
        (["n.__class__ == 2"], "the assumption"),
    ],
)
def test_wrong_assumptions_are_errors(assuming, message):
    with pytest.raises(InferenceError) as error:
        infer("aten::relu", TensorSpec(["n"]), assuming=assuming)
    assert message in str(error.value)


def test_a_call_that_assumptions_exclude_is_rejected():
    with pytest.raises(RejectionError) as error:
        infer("aten::mm", TensorSpec(["n", 3]), TensorSpec(["m", 3]), assuming=["m >= 4"])
    assert str(error.value).endswith("assuming m >= 4")


_SIZES = strategies.integers(0, 12)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(
    strategies.sampled_from(["aten::add.Tensor", "aten::mm", "aten::view", "aten::slice.Tensor"]),
    strategies.tuples(_SIZES, _SIZES, _SIZES),
    strategies.lists(strategies.integers(0, 4), max_size=3),
    strategies.integers(2, 4),
)
def test_results_hold_for_all_sizes_that_are_assumed(operator, sizes, kinds, divisor):
    """Assumptions that hold for concrete sizes: names evaluate to what these sizes give."""
    names = dict(zip("abc", sizes, strict=True))
    conditions = [
        f"a >= {max(sizes[0] - 1, 0)}",
        f"b <= {sizes[1] + 1}",
        "a == b" if sizes[0] == sizes[1] else "a != b",
        f"c % {divisor} == {sizes[2] % divisor}",
        f"a % {divisor} == {sizes[0] % divisor}",
    ]
    assuming = [conditions[kind] for kind in kinds]

    def call(a, b, c, **options):
        if operator == "aten::view":
            return infer(operator, TensorSpec([a, b, c]), [-1, divisor], **options)
        if operator == "aten::slice.Tensor":
            return infer(operator, TensorSpec([a, b, c]), 0, 1, None, divisor, **options)
        return infer(operator, TensorSpec([a, b]), TensorSpec([b, c]), **options)

    try:
        exact = call(*sizes)
    except RejectionError:
        return
    found = call(*"abc", assuming=assuming)
    if found.sizes is None:
        return
    values = [
        eval(size, {"min": min, "max": max}, dict(names)) if isinstance(size, str) else size
        for size in found.sizes
    ]
    for size, value in zip(exact.sizes, values, strict=True):
        assert value in (None, size), (operator, names, assuming, found)


def test_the_module_is_refined_with_symbols():
    """`refine` names inputs, writes symbolic shapes, and `specialize_symbols` pins them."""
    from torch_refine.dialect.bindings import ir, new_context

    x, w = "!torch.vtensor<[?,?],f32>", "!torch.vtensor<[?,16],f32>"
    text = f"""
    func.func @main(%x: {x}, %w: {w}) -> !torch.vtensor {{
      %0 = torch.aten.mm %x, %w : {x}, {w} -> !torch.vtensor
      return %0 : !torch.vtensor
    }}
    """
    module = ir.Module.parse(text, new_context())
    torch_refine.refine(
        module, symbolic_inputs="main:0=[batch,seq%8];main:1=[seq%8,?]", symbolic_shapes="results"
    )
    assert 'torch.symbolic_int "batch"' in str(module)
    torch_refine.specialize_symbols(module, {"batch": 4, "seq": 24})
    assert "@main(%arg0: !torch.vtensor<[4,24],f32>" in str(module)
    assert "-> !torch.vtensor<[4,16],f32>" in str(module)
    with pytest.raises(torch_refine.RefineError, match="no function declares batch"):
        torch_refine.specialize_symbols(module, {"batch": 4})
    with pytest.raises(TypeError, match="expected names and ints"):
        torch_refine.specialize_symbols(module, {"batch": "4"})
    with pytest.raises(torch_refine.RefineError, match="expected an entry"):
        torch_refine.refine(module, symbolic_inputs="main=[x]")
