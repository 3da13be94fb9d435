"""Facts and the types that a program declares: from one to the other, and both together."""

from __future__ import annotations

from dataclasses import replace

from torch_refine.abstract_interpreter.facts import Anything, Fact, Facts, Tensor
from torch_refine.abstract_interpreter.numbers.expressions import Expression, Number, dimension
from torch_refine.dialect.bindings import ir
from torch_refine.dialect.element_types import dtype_of_element, element_of_dtype
from torch_refine.dialect.tensor_type import Contradiction, TensorType, Types


class Declared:
    """Reads facts off types, and says which type a fact allows."""

    def __init__(self, types: Types, facts: Facts) -> None:
        self.types = types
        self.facts = facts
        self._kinds: dict[ir.Type, str] = {}

    def kind(self, type: ir.Type) -> str:
        """A type's text without `!torch.`."""
        kind = self._kinds.get(type)
        if kind is None:
            kind = self._kinds[type] = self.types.text(type).removeprefix("!torch.")
        return kind

    def fact(self, type: ir.Type) -> Fact:
        """What a type says of a value; every unknown size is a new symbol."""
        tensor = self.types.tensor(type)
        if tensor is None:
            return self.facts.anything(self.kind(type))
        sizes: tuple[Number, ...] | None = None
        if tensor.sizes is not None:
            sizes = tuple(dimension() if size is None else size for size in tensor.sizes)
        dtype = None if tensor.element is None else dtype_of_element(tensor.element)
        return self.facts.tensor(sizes, dtype)

    def meet(self, fact: Fact, type: ir.Type) -> Fact:
        """A fact and what its value is declared to be; raises Contradiction."""
        tensor = self.types.tensor(type)
        if isinstance(fact, Anything):
            return fact if tensor is None else self.fact(type)
        if tensor is None or not isinstance(fact, Tensor):
            return fact
        if tensor.sizes is None and tensor.element is None:
            return fact
        tensor.meet(self.tensor_type(fact, tensor))
        sizes = fact.sizes
        if tensor.sizes is not None and sizes is None:
            sizes = tuple(dimension() if size is None else size for size in tensor.sizes)
        elif tensor.sizes is not None and sizes is not None:
            pairs = zip(sizes, tensor.sizes, strict=True)
            sizes = tuple(one if other is None else other for one, other in pairs)
        dtype = fact.dtype
        if dtype is None and tensor.element is not None:
            dtype = dtype_of_element(tensor.element)
        return self.facts.tensor(sizes, dtype, fact.elements)

    def tensor_type(self, fact: Tensor, like: TensorType) -> TensorType:
        """What a fact says, as a type with the semantics of `like`."""
        sizes = fact.sizes
        known = None
        if sizes is not None:
            known = tuple(None if isinstance(size, Expression) else size for size in sizes)
        element = None if fact.dtype is None else element_of_dtype(fact.dtype)
        return replace(like, sizes=known, element=element, encoding=None)

    def refined(self, fact: Fact, type: ir.Type) -> ir.Type:
        """The type for a value of which a fact is known, at least as precise as `type`.

        The fact must not contradict the type.
        """
        tensor = self.types.tensor(type)
        if tensor is None or not isinstance(fact, Tensor):
            return type
        met = tensor.meet(self.tensor_type(fact, tensor))
        return type if met == tensor else self.types.parse(met)


__all__ = ["Contradiction", "Declared"]
