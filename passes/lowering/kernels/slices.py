"""Slices of tensors: where they begin, how large they are, and their steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from torch_refine.dialect.bindings import ir
from torch_refine.passes.lowering.building import Number, made

EXTRACT, INSERT = "tensor.extract_slice", "tensor.insert_slice"
_NUMBERS = ("static_offsets", "static_sizes", "static_strides")
_UNKNOWN = ir.ShapedType.get_dynamic_size()


@dataclass(frozen=True)
class Slice:
    """Offsets, sizes and strides of a slice, one of each for a dimension of the whole tensor."""

    offsets: Sequence[Number]
    sizes: Sequence[Number]
    strides: Sequence[Number]

    @staticmethod
    def of(op: ir.Operation) -> Slice:
        """The slice that an op takes out of a tensor, or puts into one."""
        operands = list(op.operands)
        segments = list(ir.DenseI32ArrayAttr(op.attributes["operandSegmentSizes"]))
        end = len(operands) - sum(segments[-len(_NUMBERS) :])
        found: list[list[Number]] = []
        for name in _NUMBERS:
            given = iter(operands[end:])
            static = list(ir.DenseI64ArrayAttr(op.attributes[name]))
            found.append([next(given) if each == _UNKNOWN else each for each in static])
            end += static.count(_UNKNOWN)
        return Slice(*found)

    def extract(self, tensor: ir.Value, type: ir.RankedTensorType | None = None) -> ir.Value:
        """Take the slice out of a tensor, as a type that drops dimensions of size 1 or as it is."""
        element = ir.RankedTensorType(tensor.type).element_type
        with tensor.context, ir.Location.unknown():
            type = ir.RankedTensorType.get(self.shape, element) if type is None else type
        values, segments, attributes = self._operands()
        attributes["operandSegmentSizes"] = ir.DenseI32ArrayAttr.get([1, *segments], tensor.context)
        return made(EXTRACT, type, [tensor, *values], attributes)

    def insert(self, source: ir.Value, tensor: ir.Value) -> ir.Value:
        """Put a tensor of the slice's size, or without dimensions of size 1, into another one."""
        values, segments, attributes = self._operands()
        attributes["operandSegmentSizes"] = ir.DenseI32ArrayAttr.get(
            [1, 1, *segments], tensor.context
        )
        return made(INSERT, tensor.type, [source, tensor, *values], attributes)

    @property
    def shape(self) -> list[int]:
        """The sizes as a type has them."""
        return [each if isinstance(each, int) else _UNKNOWN for each in self.sizes]

    def _operands(self) -> tuple[list[ir.Value], list[int], dict[str, ir.Attribute]]:
        """The operands of an op on the slice, how many of each, and its attributes."""
        numbers = (self.offsets, self.sizes, self.strides)
        values = [[each for each in some if not isinstance(each, int)] for some in numbers]
        static = {
            name: ir.DenseI64ArrayAttr.get(
                [each if isinstance(each, int) else _UNKNOWN for each in some]
            )
            for name, some in zip(_NUMBERS, numbers, strict=True)
        }
        return [each for some in values for each in some], [len(some) for some in values], static
