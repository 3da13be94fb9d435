"""Cut off what a negative padding takes away before anything is added."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.building import (
    assert_that,
    at_least,
    index_type,
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
            segments = list(ir.DenseI32ArrayAttr(each.attributes["operandSegmentSizes"]))
            for amount in list(each.operands)[1 : 1 + segments[1] + segments[2]]:
                _assert_not_negative(each, amount)
            low, high = (
                list(ir.DenseI64ArrayAttr(each.attributes[name]))
                for name in ("static_low", "static_high")
            )
            dynamic = ir.ShapedType.get_dynamic_size()
            cut = [
                [-amount if amount < 0 and amount != dynamic else 0 for amount in amounts]
                for amounts in (low, high)
            ]
            if not any(map(any, cut)):
                continue
            each.operands[0] = _cropped(each, *cut)
            for name, amounts in (("static_low", low), ("static_high", high)):
                kept = [amount if amount == dynamic else max(amount, 0) for amount in amounts]
                each.attributes[name] = ir.DenseI64ArrayAttr.get(kept, op.context)
            state.count(self.name, "paddings")


def _assert_not_negative(pad: ir.Operation, amount: ir.Value) -> None:
    if _is_asserted(amount):
        return
    with ir.InsertionPoint(pad), pad.location:
        assert_that(at_least(amount, 0), "a padding is negative")


def _is_asserted(amount: ir.Value) -> bool:
    """Whether this pass has seen an amount before."""
    return any(
        use.owner.name == "arith.cmpi" and any(each.owner.name == "cf.assert" for each in found)
        for use in amount.uses
        for found in [list(use.owner.results[0].uses)]
    )


def _cropped(pad: ir.Operation, before: list[int], after: list[int]) -> ir.Value:
    """The operand of a padding without what it takes away."""
    source = pad.operands[0]
    type = type_of(source)
    dynamic = ir.ShapedType.get_dynamic_size()
    sizes: list[int] = []
    unknown: list[ir.Value] = []
    with ir.InsertionPoint(pad), pad.location:
        for place, size in enumerate(type.shape):
            taken = before[place] + after[place]
            if size >= 0:
                sizes.append(size - taken)
                continue
            sizes.append(dynamic)
            given = ir.Operation.create(
                "tensor.dim", results=[index_type()], operands=[source, value_of(place)]
            ).result
            unknown.append(value_of(subtract(given, taken)))
        return ir.Operation.create(
            "tensor.extract_slice",
            results=[ir.RankedTensorType.get(sizes, type.element_type)],
            operands=[source, *unknown],
            attributes={
                "operandSegmentSizes": ir.DenseI32ArrayAttr.get([1, 0, len(unknown), 0]),
                "static_offsets": ir.DenseI64ArrayAttr.get(before),
                "static_sizes": ir.DenseI64ArrayAttr.get(sizes),
                "static_strides": ir.DenseI64ArrayAttr.get([1] * type.rank),
            },
        ).result
