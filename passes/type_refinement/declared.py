"""Conversions between lattice values and declared types, and their meet."""

from __future__ import annotations

from dataclasses import replace

from torch_refine.abstract_interpreter.lattice import Anything, Lattice, LatticeValue, Tensor
from torch_refine.abstract_interpreter.numbers.expressions import (
    Expression,
    Number,
    dimension,
    fresh,
)
from torch_refine.dialect.bindings import ir
from torch_refine.dialect.element_types import dtype_of_element, element_of_dtype
from torch_refine.dialect.tensor_type import Contradiction, TensorType, Types


class Declared:
    """Converts types to lattice values, and lattice values to types."""

    def __init__(self, types: Types, lattice: Lattice) -> None:
        self.types = types
        self.lattice = lattice
        self._kinds: dict[ir.Type, str] = {}

    def kind(self, type: ir.Type) -> str:
        """A type's text without `!torch.`."""
        kind = self._kinds.get(type)
        if kind is None:
            kind = self._kinds[type] = self.types.text(type).removeprefix("!torch.")
        return kind

    def lattice_value(self, type: ir.Type) -> LatticeValue:
        """The lattice value of a type; every unknown size, and an int, is a fresh symbol."""
        tensor = self.types.tensor(type)
        if tensor is None:
            kind = self.kind(type)
            return self.lattice.integer(fresh()) if kind == "int" else self.lattice.anything(kind)
        sizes: tuple[Number, ...] | None = None
        if tensor.sizes is not None:
            sizes = tuple(dimension() if size is None else size for size in tensor.sizes)
        dtype = None if tensor.element is None else dtype_of_element(tensor.element)
        return self.lattice.tensor(sizes, dtype)

    def meet(self, lattice_value: LatticeValue, type: ir.Type) -> LatticeValue:
        """The meet of a lattice value and a declared type; raises Contradiction."""
        tensor = self.types.tensor(type)
        if isinstance(lattice_value, Anything):
            return lattice_value if tensor is None else self.lattice_value(type)
        if tensor is None or not isinstance(lattice_value, Tensor):
            return lattice_value
        if tensor.sizes is None and tensor.element is None:
            return lattice_value
        tensor.meet(self.tensor_type(lattice_value, tensor))
        sizes = lattice_value.sizes
        if tensor.sizes is not None and sizes is None:
            sizes = tuple(dimension() if size is None else size for size in tensor.sizes)
        elif tensor.sizes is not None and sizes is not None:
            pairs = zip(sizes, tensor.sizes, strict=True)
            sizes = tuple(one if other is None else other for one, other in pairs)
        dtype = lattice_value.dtype
        if dtype is None and tensor.element is not None:
            dtype = dtype_of_element(tensor.element)
        return self.lattice.tensor(sizes, dtype, lattice_value.elements)

    def tensor_type(self, lattice_value: Tensor, like: TensorType) -> TensorType:
        """A lattice value as a type with the semantics of `like`."""
        sizes = lattice_value.sizes
        known = None
        if sizes is not None:
            known = tuple(None if isinstance(size, Expression) else size for size in sizes)
        element = None if lattice_value.dtype is None else element_of_dtype(lattice_value.dtype)
        return replace(like, sizes=known, element=element, encoding=None)

    def refined(self, lattice_value: LatticeValue, type: ir.Type) -> ir.Type:
        """The type of a value with this lattice value, at least as precise as `type`.

        The lattice value must not contradict the type.
        """
        tensor = self.types.tensor(type)
        if tensor is None or not isinstance(lattice_value, Tensor):
            return type
        met = tensor.meet(self.tensor_type(lattice_value, tensor))
        return type if met == tensor else self.types.parse(met)


__all__ = ["Contradiction", "Declared"]
