"""Cut off what a negative padding takes away before anything is added."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.building import (
    Number,
    add,
    assert_that,
    at_least,
    at_least_zero,
    index_type,
    number_of,
    subtract,
    value_of,
)
from torch_refine.passes.lowering.images.order import type_of

_PAD = "tensor.pad"


@dataclass
class CropBeforePadding(Pass):
    """Cut off what a negative padding takes away before anything is added.

    The wheel lowers padding to a copy of all of the operand into a larger result. Where the padding
    is negative the result is smaller, and the copy would write behind its end. An amount that is
    only known when the program runs is asserted not to be negative.

    Before:

    ```mlir
    func.func @f(%arg0: tensor<4x9xf32>, %arg1: f32) -> tensor<5x6xf32> {
      %0 = tensor.pad %arg0 low[0, -1] high[1, -2] {
      ^bb0(%i: index, %j: index):
        tensor.yield %arg1 : f32
      } : tensor<4x9xf32> to tensor<5x6xf32>
      return %0 : tensor<5x6xf32>
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: tensor<4x9xf32>, %arg1: f32) -> tensor<5x6xf32> {
      %extracted_slice = tensor.extract_slice %arg0[0, 1] [4, 6] [1, 1] : tensor<4x9xf32> to \
tensor<4x6xf32>
      %padded = tensor.pad %extracted_slice low[0, 0] high[1, 0] {
      ^bb0(%arg2: index, %arg3: index):
        tensor.yield %arg1 : f32
      } : tensor<4x6xf32> to tensor<5x6xf32>
      return %padded : tensor<5x6xf32>
    }
    ```
    """

    name: ClassVar[str] = "crop-before-padding"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite in a module, or in one function."""
        for each in [each for each in walk(op) if each.name == _PAD]:
            with ir.InsertionPoint(each), each.location:
                if _rewrite(each):
                    state.count(self.name, "paddings")


def _rewrite(pad: ir.Operation) -> bool:
    """Crop the operand of a padding; whether there may be anything to crop."""
    low, high = _amounts(pad)
    if not any(_may_be_negative(amount) for amount in (*low, *high)):
        return False
    source = _cropped(pad.operands[0], list(map(_taken, low)), list(map(_taken, high)))
    added = [list(map(_added, amounts)) for amounts in (low, high)]
    unknown = [[each for each in amounts if isinstance(each, ir.Value)] for amounts in added]
    new = ir.Operation.create(
        _PAD,
        results=[pad.results[0].type],
        operands=[source, *unknown[0], *unknown[1]],
        attributes={
            **{name: pad.attributes[name] for name in pad.attributes if name == "nofold"},
            "operandSegmentSizes": ir.DenseI32ArrayAttr.get([1, *map(len, unknown)]),
            "static_low": _static(added[0]),
            "static_high": _static(added[1]),
        },
        regions=1,
    )
    pad.regions[0].blocks[0].append_to(new.regions[0])
    pad.results[0].replace_all_uses_with(new.results[0])
    pad.erase()
    return True


def _amounts(pad: ir.Operation) -> tuple[list[Number], list[Number]]:
    """What a padding adds in front of each dimension, and behind."""
    given = iter(list(pad.operands)[1:])
    dynamic = ir.ShapedType.get_dynamic_size()
    low, high = (
        [
            number_of(next(given)) if amount == dynamic else int(amount)
            for amount in ir.DenseI64ArrayAttr(pad.attributes[name])
        ]
        for name in ("static_low", "static_high")
    )
    return low, high


def _may_be_negative(amount: Number) -> bool:
    if isinstance(amount, int):
        return amount < 0
    # What this pass made of an amount before.
    return isinstance(amount.owner, ir.Block) or amount.owner.operation.name != "arith.maxsi"


def _taken(amount: Number) -> Number:
    return at_least_zero(subtract(0, amount)) if _may_be_negative(amount) else 0


def _added(amount: Number) -> Number:
    return at_least_zero(amount) if _may_be_negative(amount) else amount


def _static(numbers: list[Number]) -> ir.Attribute:
    """Numbers as an attribute; those that are values are dynamic there."""
    dynamic = ir.ShapedType.get_dynamic_size()
    return ir.DenseI64ArrayAttr.get(
        [each if isinstance(each, int) else dynamic for each in numbers]
    )


def _cropped(source: ir.Value, before: list[Number], after: list[Number]) -> ir.Value:
    """A tensor without what is taken from the front and the back of each dimension."""
    type = type_of(source)
    sizes = [_size_left(source, dim, add(before[dim], after[dim])) for dim in range(type.rank)]
    # Upstream's verifier wants the offset of an empty slice to be inside.
    before = [0 if size == 0 else each for each, size in zip(before, sizes, strict=True)]
    offsets = [each for each in before if isinstance(each, ir.Value)]
    unknown = [each for each in sizes if isinstance(each, ir.Value)]
    dynamic = ir.ShapedType.get_dynamic_size()
    shape = [each if isinstance(each, int) else dynamic for each in sizes]
    return ir.Operation.create(
        "tensor.extract_slice",
        results=[ir.RankedTensorType.get(shape, type.element_type)],
        operands=[source, *offsets, *unknown],
        attributes={
            "operandSegmentSizes": ir.DenseI32ArrayAttr.get([1, len(offsets), len(unknown), 0]),
            "static_offsets": _static(before),
            "static_sizes": _static(sizes),
            "static_strides": ir.DenseI64ArrayAttr.get([1] * type.rank),
        },
    ).result


def _size_left(source: ir.Value, dim: int, taken: Number) -> Number:
    """How much of a dimension is left; asserted not to be less than nothing."""
    size: Number = type_of(source).shape[dim]
    if size == ir.ShapedType.get_dynamic_size():
        size = ir.Operation.create(
            "tensor.dim", results=[index_type()], operands=[source, value_of(dim)]
        ).result
    if taken == 0:
        return size
    left = subtract(size, taken)
    if not isinstance(left, int) or left < 0:
        assert_that(at_least(left, 0), "a negative padding takes more than there is")
    return left if not isinstance(left, int) else max(left, 0)
