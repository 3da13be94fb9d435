"""Slices of tensors: offsets, sizes and strides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.ir_builder import Number, create_op

EXTRACT, INSERT = "tensor.extract_slice", "tensor.insert_slice"
_IN_PARALLEL = "tensor.parallel_insert_slice"
_NUMBERS = ("static_offsets", "static_sizes", "static_strides")
_UNKNOWN = ir.ShapedType.get_dynamic_size()


@dataclass(frozen=True)
class Slice:
    """Offsets, sizes and strides of a slice, one of each per dimension of the source tensor."""

    offsets: Sequence[Number]
    sizes: Sequence[Number]
    strides: Sequence[Number]

    @staticmethod
    def of(op: ir.Operation) -> Slice:
        """The slice of an extract or insert op."""
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
        """Extract the slice from a tensor, optionally as a rank-reduced type."""
        element = ir.RankedTensorType(tensor.type).element_type
        with tensor.context, ir.Location.unknown():
            type = ir.RankedTensorType.get(self.shape, element) if type is None else type
        return self._create(EXTRACT, [tensor], [type]).result

    def insert(self, source: ir.Value, tensor: ir.Value) -> ir.Value:
        """Insert a tensor of the slice's size, possibly rank-reduced, into another."""
        return self._create(INSERT, [source, tensor], [tensor.type]).result

    def insert_in_parallel(self, source: ir.Value, tensor: ir.Value) -> None:
        """Insert in parallel, at the end of an `scf.forall`."""
        self._create(_IN_PARALLEL, [source, tensor], [])

    @property
    def shape(self) -> list[int]:
        """The static shape, with dynamic sizes as in a type."""
        return [each if isinstance(each, int) else _UNKNOWN for each in self.sizes]

    def kept(self, shape: Sequence[int]) -> list[int]:
        """The dimensions that a rank-reduced type keeps; the dropped ones have size 1."""
        surplus = len(self.sizes) - len(shape)
        found: list[int] = []
        for dim, size in enumerate(self.sizes):
            # Like upstream: the first one that can be dropped is.
            wanted = shape[len(found)] if len(found) < len(shape) else None
            if surplus and isinstance(size, int) and size == 1 and wanted != 1:
                surplus -= 1
            else:
                found.append(dim)
        return found

    def _create(
        self, name: str, tensors: Sequence[ir.Value], results: Sequence[ir.Type]
    ) -> ir.Operation:
        """Create an op on the slice."""
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
        return create_op(name, operands, attributes, results=list(results))
