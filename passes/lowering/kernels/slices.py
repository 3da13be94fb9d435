"""Slices of tensors: where they begin, how large they are, and their steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from torch_refine.dialect.bindings import ir
from torch_refine.passes.lowering.building import Number

EXTRACT, INSERT = "tensor.extract_slice", "tensor.insert_slice"
_IN_PARALLEL = "tensor.parallel_insert_slice"
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
        return self._made(EXTRACT, [tensor], [type]).result

    def insert(self, source: ir.Value, tensor: ir.Value) -> ir.Value:
        """Put a tensor of the slice's size, or without dimensions of size 1, into another one."""
        return self._made(INSERT, [source, tensor], [tensor.type]).result

    def insert_in_parallel(self, source: ir.Value, tensor: ir.Value) -> None:
        """The same by one of several threads, at the end of an `scf.forall`."""
        self._made(_IN_PARALLEL, [source, tensor], [])

    @property
    def shape(self) -> list[int]:
        """The sizes as a type has them."""
        return [each if isinstance(each, int) else _UNKNOWN for each in self.sizes]

    def kept(self, shape: Sequence[int]) -> list[int]:
        """The dimensions that a tensor of a shape has; others are of size 1, and dropped."""
        surplus = len(self.sizes) - len(shape)
        found: list[int] = []
        for dim, size in enumerate(self.sizes):
            # As upstream does it: the first that can be dropped is.
            wanted = shape[len(found)] if len(found) < len(shape) else None
            if surplus and isinstance(size, int) and size == 1 and wanted != 1:
                surplus -= 1
            else:
                found.append(dim)
        return found

    def _made(
        self, name: str, tensors: Sequence[ir.Value], results: Sequence[ir.Type]
    ) -> ir.Operation:
        """An op on the slice."""
        numbers = (self.offsets, self.sizes, self.strides)
        values = [[each for each in some if not isinstance(each, int)] for some in numbers]
        context = tensors[0].context
        attributes: dict[str, ir.Attribute] = {
            attribute: ir.DenseI64ArrayAttr.get(
                [each if isinstance(each, int) else _UNKNOWN for each in some], context
            )
            for attribute, some in zip(_NUMBERS, numbers, strict=True)
        }
        segments = [*[1] * len(tensors), *map(len, values)]
        attributes["operandSegmentSizes"] = ir.DenseI32ArrayAttr.get(segments, context)
        operands = [*tensors, *(each for some in values for each in some)]
        return ir.Operation.create(
            name, results=list(results), operands=operands, attributes=attributes
        )
