"""Outline ops that are computed together into kernels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.ir_builder import Number, create_op, index_value, multiply
from torch_refine.dialect.structured_ops import defining_op, is_structured, num_inputs
from torch_refine.passes.base import Pass, RunState, option
from torch_refine.passes.lowering.kernels.groups import groups_of
from torch_refine.passes.lowering.kernels.outlining import (
    KERNEL,
    Outliner,
)

_CONTROL_FLOW = ("scf.for", "scf.if", "scf.while")
_EMPTY, _EXPAND = "tensor.empty", "tensor.expand_shape"
_RESHAPES = (_EXPAND, "tensor.collapse_shape")


@dataclass
class OutlineKernels(Pass):
    """Outline ops that are computed together into kernels.

    A kernel is a contraction with its epilogue, reductions fused with their users, or a single op.
    Its caller allocates its results. Kernels with the same body are one function: comparing their
    texts merges the same ones as upstream's `duplicate-function-elimination`, in less time.

    A kernel reads slices and non-contiguous arguments with their strides; a layout attribute on its
    own argument carries these.

    Before:

    ```mlir
    func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
      %0 = tensor.empty() : tensor<4xf32>
      %1 = linalg.exp ins(%arg0 : tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
      return %1 : tensor<4xf32>
    }
    ```

    After:

    ```mlir
    func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
      %0 = tensor.empty() : tensor<4xf32>
      %1 = call @loops_0(%arg0, %0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      return %1 : tensor<4xf32>
    }
    func.func private @loops_0(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> tensor<4xf32> \
attributes {torch_refine.kernel = "loops"} {
      %0 = linalg.exp ins(%arg0 : tensor<4xf32>) outs(%arg1 : tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    ```
    """

    name: ClassVar[str] = "outline-kernels"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    aligned: bool = option(False, "vector loads must be aligned to their size, unlike slices")

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Outline in all functions of a module except kernels."""
        body = op.regions[0].blocks[0]
        functions = [
            each
            for each in operations(body)
            if each.name == "func.func"
            and len(each.regions[0].blocks)
            and KERNEL not in each.attributes
        ]
        outliner = Outliner(body, self.aligned)
        for block in [block for function in functions for block in _blocks(function)]:
            _fold_reshapes_of_empty(block)
            _separate_results(block)
            for group in groups_of(block):
                outliner.outline(group)
                state.count(self.name, f"kernels of kind {group.kind}")
        state.count(self.name, "functions made", len(outliner.known))


def _blocks(function: ir.Operation) -> list[ir.Block]:
    """The block of a function, and those of its loops and conditions."""
    inner = [op for op in walk(function) if op.name in _CONTROL_FLOW]
    return [
        function.regions[0].blocks[0],
        *(block for op in inner for region in op.regions for block in region.blocks),
    ]


def _fold_reshapes_of_empty(block: ir.Block) -> None:
    """Replace reshapes of `tensor.empty` by a `tensor.empty` of the reshaped type.

    Bufferization treats two reshapes of it as one buffer, as its contents are undefined; but a
    kernel that gets both as destinations writes to both.
    """
    for op in list(operations(block)):
        if op.name not in _RESHAPES:
            continue
        producer = defining_op(op.operands[0])
        if producer is None or producer.name != _EMPTY:
            continue
        type = ir.RankedTensorType(op.results[0].type)
        with ir.InsertionPoint(op), op.location:
            sizes = list(op.operands)[1:] if op.name == _EXPAND else _collapsed_sizes(op, producer)
            made = create_op(_EMPTY, sizes, results=[type])
        op.results[0].replace_all_uses_with(made.result)
        op.erase()


def _collapsed_sizes(collapse: ir.Operation, empty: ir.Operation) -> list[ir.Value]:
    """The dynamic sizes of a collapsed empty tensor."""
    given = iter(empty.operands)
    sizes: list[Number] = [
        next(given) if size < 0 else size
        for size in ir.RankedTensorType(empty.results[0].type).shape
    ]
    groups = [
        [ir.IntegerAttr(dim).value for dim in group]
        for group in ir.ArrayAttr(collapse.attributes["reassociation"])
    ]
    found = []
    for group, size in zip(
        groups, ir.RankedTensorType(collapse.results[0].type).shape, strict=True
    ):
        if size < 0:
            total: Number = 1
            for dim in group:
                total = multiply(total, sizes[dim])
            found.append(index_value(total))
    return found


def _separate_results(block: ir.Block) -> None:
    """Give every op a destination of its own, where several share one."""
    for op in list(operations(block)):
        if not is_structured(op):
            continue
        for index in range(num_inputs(op), len(op.operands)):
            operand = op.operands[index]
            producer = defining_op(operand)
            is_empty = producer is not None and producer.name == _EMPTY
            if producer is not None and is_empty and sum(1 for _ in operand.uses) > 1:
                with ir.InsertionPoint(op):
                    op.operands[index] = producer.clone().results[0]
