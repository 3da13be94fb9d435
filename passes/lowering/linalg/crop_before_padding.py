"""Crop by negative paddings before padding."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.ir_builder import (
    Number,
    add,
    as_fold_result,
    assert_that,
    at_least,
    at_least_zero,
    create_op,
    create_value,
    index_type,
    index_value,
    subtract,
)
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.fusion.images.order import type_of

_PAD = "tensor.pad"


@dataclass
class CropBeforePadding(Pass):
    """Crop by negative paddings before padding.

    The wheel lowers padding to a copy of the whole operand into a larger result. With negative
    padding the result is smaller, and the copy would write out of bounds. A dynamic amount is
    asserted not to be negative.

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
    """Crop the operand of a padding; whether an amount may be negative."""
    low, high = _amounts(pad)
    if not any(_may_be_negative(amount) for amount in (*low, *high)):
        return False
    source = _cropped(pad.operands[0], list(map(_taken, low)), list(map(_taken, high)))
    added = [list(map(_added, amounts)) for amounts in (low, high)]
    unknown = [[each for each in amounts if isinstance(each, ir.Value)] for amounts in added]
    new = create_op(
        _PAD,
        [source, *unknown[0], *unknown[1]],
        {
            **{name: pad.attributes[name] for name in pad.attributes if name == "nofold"},
            "operandSegmentSizes": ir.DenseI32ArrayAttr.get([1, *map(len, unknown)]),
            "static_low": _static(added[0]),
            "static_high": _static(added[1]),
        },
        results=[pad.results[0].type],
        regions=1,
    )
    pad.regions[0].blocks[0].append_to(new.regions[0])
    pad.results[0].replace_all_uses_with(new.results[0])
    pad.erase()
    return True


def _amounts(pad: ir.Operation) -> tuple[list[Number], list[Number]]:
    """The amounts of padding before and after each dimension."""
    given = iter(list(pad.operands)[1:])
    dynamic = ir.ShapedType.get_dynamic_size()
    low, high = (
        [
            as_fold_result(next(given)) if amount == dynamic else int(amount)
            for amount in ir.DenseI64ArrayAttr(pad.attributes[name])
        ]
        for name in ("static_low", "static_high")
    )
    return low, high


def _may_be_negative(amount: Number) -> bool:
    if isinstance(amount, int):
        return amount < 0
    # An amount that this pass clamped before.
    return isinstance(amount.owner, ir.Block) or amount.owner.operation.name != "arith.maxsi"


def _taken(amount: Number) -> Number:
    return at_least_zero(subtract(0, amount)) if _may_be_negative(amount) else 0


def _added(amount: Number) -> Number:
    return at_least_zero(amount) if _may_be_negative(amount) else amount


def _static(numbers: list[Number]) -> ir.Attribute:
    """Integers as an attribute; SSA values are dynamic."""
    dynamic = ir.ShapedType.get_dynamic_size()
    return ir.DenseI64ArrayAttr.get(
        [each if isinstance(each, int) else dynamic for each in numbers]
    )


def _cropped(source: ir.Value, before: list[Number], after: list[Number]) -> ir.Value:
    """A tensor cropped at the front and the back of each dimension."""
    type = type_of(source)
    sizes = [_size_left(source, dim, add(before[dim], after[dim])) for dim in range(type.rank)]
    # Upstream's verifier requires offsets in bounds, also those of empty slices.
    before = [0 if size == 0 else each for each, size in zip(before, sizes, strict=True)]
    offsets = [each for each in before if isinstance(each, ir.Value)]
    unknown = [each for each in sizes if isinstance(each, ir.Value)]
    dynamic = ir.ShapedType.get_dynamic_size()
    shape = [each if isinstance(each, int) else dynamic for each in sizes]
    cropped = ir.RankedTensorType.get(shape, type.element_type)
    if 0 in type.shape:
        return create_value("tensor.empty", cropped, unknown)
    return create_value(
        "tensor.extract_slice",
        cropped,
        [source, *offsets, *unknown],
        {
            "operandSegmentSizes": ir.DenseI32ArrayAttr.get([1, len(offsets), len(unknown), 0]),
            "static_offsets": _static(before),
            "static_sizes": _static(sizes),
            "static_strides": ir.DenseI64ArrayAttr.get([1] * type.rank),
        },
    )


def _size_left(source: ir.Value, dim: int, taken: Number) -> Number:
    """The remaining size of a dimension, asserted not to be negative."""
    size: Number = type_of(source).shape[dim]
    if size == ir.ShapedType.get_dynamic_size():
        size = create_value("tensor.dim", index_type(), [source, index_value(dim)])
    if taken == 0:
        return size
    left = subtract(size, taken)
    if not isinstance(left, int) or left < 0:
        assert_that(
            at_least(left, 0), "a negative padding crops more than the size of the dimension"
        )
    return left if not isinstance(left, int) else max(left, 0)
