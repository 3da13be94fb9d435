"""Ints, floats, bools, strings and lists of ints that a program computes: sizes and arithmetic on
them, by the operations that calculations are made of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch_refine.abstract_interpreter.facts import (
    Anything,
    BoolOrInt,
    Fact,
    Facts,
    Integer,
    Scalar,
    Sequence,
    Tensor,
)
from torch_refine.abstract_interpreter.numbers.expressions import Expression, Number, multiply
from torch_refine.abstract_interpreter.running import folding
from torch_refine.abstract_interpreter.running.errors import GivenUp, Raised
from torch_refine.abstract_interpreter.running.evaluator import OPERATIONS, Evaluator
from torch_refine.abstract_interpreter.values import ListObject, unknown
from torch_refine.dialect.kinds import element_kind

_SCALAR_KINDS = {"int", "float", "bool", "str", "none", "number", "list<int>", "list<bool>"}


def is_scalar_operation(name: str, kinds: list[str]) -> bool:
    """Whether an op computes a scalar, or a list of ints, from such values."""
    return (name in OPERATIONS or name in folding.FOLDS) and all(k in _SCALAR_KINDS for k in kinds)


def compute(facts: Facts, name: str, operands: tuple[Fact, ...], kind: str) -> Fact:
    """What a scalar operation gives; raises Raised where it always raises."""
    evaluator = Evaluator(lambda symbol: None)
    try:
        value = evaluator.apply(name, [_value(operand) for operand in operands], kind)
    except GivenUp:
        return facts.anything(kind)
    if isinstance(value, Expression):
        value = evaluator.assumptions.resolve(value)
    return _fact(facts, value, kind)


def _value(fact: Fact) -> Any:
    """A fact as operations take it."""
    if isinstance(fact, Scalar):
        return fact.value
    if isinstance(fact, Integer):
        return fact.expression
    if isinstance(fact, BoolOrInt):
        return _value(fact.value)
    if isinstance(fact, Sequence):
        if fact.items is None:
            return ListObject(fact.kind, None, frozen=True)
        items = [_value(item) for item in fact.items]
        return tuple(items) if fact.kind.startswith("tuple<") else ListObject(fact.kind, items)
    return unknown(fact.kind if isinstance(fact, Anything) else "any")


def _fact(facts: Facts, value: Any, kind: str) -> Fact:
    """A value of an operation as a fact."""
    if isinstance(value, Expression):
        return facts.integer(value)
    if value is None or type(value) in (int, float, bool, str):
        return facts.scalar(value)
    if isinstance(value, ListObject) and value.items is not None:
        items = tuple(_fact(facts, item, element_kind(value.kind)) for item in value.items)
        return facts.sequence(value.kind, items)
    return facts.anything(kind)


# What a program asks of a tensor.


def _size_of(facts: Facts, tensor: Tensor, dim: Fact) -> Fact | None:
    index = dim.value if isinstance(dim, Scalar) else None
    if tensor.sizes is None or type(index) is not int:
        return None
    if not -len(tensor.sizes) <= index < len(tensor.sizes):
        raise Raised(f"dimension {index} is out of range for a tensor of rank {len(tensor.sizes)}")
    return facts.integer(tensor.sizes[index])


def _sizes_of(facts: Facts, tensor: Tensor) -> Fact | None:
    if tensor.sizes is None:
        return None
    return facts.sequence("list<int>", tuple(facts.integer(size) for size in tensor.sizes))


def _rank_of(facts: Facts, tensor: Tensor) -> Fact | None:
    return None if tensor.sizes is None else facts.scalar(len(tensor.sizes))


def _dtype_of(facts: Facts, tensor: Tensor) -> Fact | None:
    return None if tensor.dtype is None else facts.scalar(tensor.dtype)


def _count_of(facts: Facts, tensor: Tensor) -> Fact | None:
    if tensor.sizes is None:
        return None
    count: Number = 1
    for size in tensor.sizes:
        count = multiply(count, size)
    return facts.integer(count)


def _first_size_of(facts: Facts, tensor: Tensor) -> Fact | None:
    if not tensor.sizes:
        return None
    return facts.integer(tensor.sizes[0])


def _element_of(facts: Facts, tensor: Tensor) -> Fact | None:
    if tensor.elements is None or len(tensor.elements) != 1:
        return None
    return facts.integer(tensor.elements[0])


TENSOR_QUESTIONS: dict[str, Callable[..., Fact | None]] = {
    "torch.aten.size.int": _size_of,
    "torch.aten.sym_size.int": _size_of,
    "torch.aten.size": _sizes_of,
    "torch.aten.dim": _rank_of,
    "torch.prim.dtype": _dtype_of,
    "torch.aten.numel": _count_of,
    "torch.aten.sym_numel": _count_of,
    "torch.aten.len.Tensor": _first_size_of,
    "torch.aten.Int.Tensor": _element_of,
    "torch.aten.item": _element_of,
    "torch.aten._local_scalar_dense": _element_of,
    "torch.aten.IntImplicit": _element_of,
}
