"""Tensor types as values: printing, parsing, meet and join."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from torch_refine.dialect.bindings import ir
from torch_refine.dialect.element_types import dtype_of_element, element_of_dtype
from torch_refine.dialect.tensor_type import Contradiction, TensorType, Types, parse_tensor_type

ELEMENTS = (
    *("f16", "bf16", "f32", "f64", "f8E5M2", "f8E4M3FN", "f8E5M2FNUZ", "f8E4M3FNUZ"),
    *("f8E4M3B11FNUZ", "f8E8M0FNU", "f4E2M1FN", "i1"),
    *("si4", "si8", "si16", "si32", "si64", "ui4", "ui8", "ui16", "ui32", "ui64"),
    *("complex<f16>", "complex<f32>", "complex<f64>"),
    *("!torch.qint8", "!torch.quint8", "!torch.qint16", "!torch.qint32"),
)

sizes = st.none() | st.lists(st.none() | st.integers(0, 4), max_size=4).map(tuple)
tensor_types = st.builds(
    TensorType, st.just(True), sizes, st.none() | st.sampled_from(["f32", "si64", "complex<f32>"])
)


@pytest.mark.parametrize("element", [*ELEMENTS, None])
@pytest.mark.parametrize("shape", [None, (), (2,), (None, 3)])
@pytest.mark.parametrize("value_semantics", [True, False])
def test_prints_as_the_dialect_does(context, element, shape, value_semantics):
    type = TensorType(value_semantics, shape, element)
    assert str(ir.Type.parse(str(type), context)) == str(type)
    assert parse_tensor_type(str(type)) == type


def test_encodings_are_kept(context):
    text = (
        "!torch.vtensor<[2,3],f32,#sparse_tensor.encoding<{ map = (d0, d1) -> "
        "(d0 : dense, d1 : compressed) }>>"
    )
    types = Types(context)
    type = types.tensor(types.parse(text))
    assert type.encoding.startswith("#sparse_tensor") and str(type) == text


@pytest.mark.parametrize(
    "text", ["!torch.int", "!torch.list<vtensor<[2],f32>>", "tensor<2xf32>", "!torch.optional<int>"]
)
def test_other_types_are_no_tensors(context, text):
    types = Types(context)
    assert types.tensor(types.parse(text)) is None


@given(tensor_types, tensor_types)
def test_meet_is_commutative_and_below_both(left, right):
    try:
        met = left.meet(right)
    except Contradiction:
        with pytest.raises(Contradiction):
            right.meet(left)
        return
    assert met == right.meet(left)
    assert met.refines(left) and met.refines(right)


@given(tensor_types, tensor_types)
def test_join_is_commutative_and_above_both(left, right):
    joined = left.join(right)
    assert joined == right.join(left)
    assert left.refines(joined) and right.refines(joined)


@given(tensor_types, tensor_types, tensor_types)
def test_join_and_meet_are_associative(a, b, c):
    assert a.join(b).join(c) == a.join(b.join(c))

    def all_of(first, second, third):
        try:
            return first.meet(second).meet(third)
        except Contradiction:
            return None

    assert len({all_of(*order) for order in itertools.permutations((a, b, c))}) == 1


@given(tensor_types)
def test_meet_and_join_with_itself(type):
    assert type.meet(type) == type and type.join(type) == type


def test_contradictions_say_what_differs():
    with pytest.raises(Contradiction, match="size 2 against 3"):
        TensorType(sizes=(2,)).meet(TensorType(sizes=(3,)))
    with pytest.raises(Contradiction, match="rank 1 against rank 2"):
        TensorType(sizes=(2,)).meet(TensorType(sizes=(2, 2)))
    with pytest.raises(Contradiction, match="dtype f32 against si64"):
        TensorType(element="f32").meet(TensorType(element="si64"))


def test_dtypes_have_the_numbers_of_pytorch(context):
    import torch
    from torch_refine.abstract_interp_lib.scalar_types import NAMES

    @torch.jit.script
    def number(tensor: torch.Tensor) -> int:
        return tensor.dtype

    spelt = 0
    for index, name in enumerate(NAMES):
        assert number(torch.empty((), dtype=getattr(torch, name), device="meta")) == index
        element = element_of_dtype(index)
        if element is not None:
            spelt += 1
            assert dtype_of_element(element) == index
            ir.Type.parse(str(TensorType(sizes=(1,), element=element)), context)
    assert spelt == 26
