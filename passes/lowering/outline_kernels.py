"""Move what is computed together into functions of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations
from torch_refine.passes.base import Pass, RunState, option
from torch_refine.passes.lowering.building import Number, multiply, value_of
from torch_refine.passes.lowering.kernels.groups import groups_of
from torch_refine.passes.lowering.kernels.indexing import is_structured, maker_of, number_of_inputs
from torch_refine.passes.lowering.kernels.outlining import (
    KERNEL,
    Outliner,
)

_EMPTY, _EXPAND = "tensor.empty", "tensor.expand_shape"
_RESHAPES = (_EXPAND, "tensor.collapse_shape")


@dataclass
class OutlineKernels(Pass):
    """Move what is computed together into functions of its own.

    A kernel is a product of matrices, or reductions with what uses them row by row, or a single op.
    It gets the memory of its results from its caller. Kernels that are the same are one function.

    A kernel reads slices where they lie, and so it does arguments that do not lie row by row; an
    attribute of its own argument says how.

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

    aligned: bool = option(
        False, "numbers that are read at once must lie at a multiple of their size, unlike slices"
    )

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Outline in all functions of a module that are no kernels."""
        body = op.regions[0].blocks[0]
        functions = [
            each
            for each in operations(body)
            if each.name == "func.func"
            and len(each.regions[0].blocks)
            and KERNEL not in each.attributes
        ]
        outliner = Outliner(body, self.aligned)
        for function in functions:
            _make_empty(function.regions[0].blocks[0])
            _separate_results(function.regions[0].blocks[0])
            for group in groups_of(function.regions[0].blocks[0]):
                outliner.outline(group)
                state.count(self.name, f"kernels of kind {group.kind}")
        state.count(self.name, "functions made", len(outliner.known))


def _make_empty(block: ir.Block) -> None:
    """Let memory that nothing was written to have the shape in which it is seen.

    Bufferization takes two views of it for one, as nothing that is in it is lost; but a kernel
    that is given both writes to both.
    """
    for op in list(operations(block)):
        if op.name not in _RESHAPES:
            continue
        maker = maker_of(op.operands[0])
        if maker is None or maker.name != _EMPTY:
            continue
        type = ir.RankedTensorType(op.results[0].type)
        with ir.InsertionPoint(op), op.location:
            sizes = list(op.operands)[1:] if op.name == _EXPAND else _products(op, maker)
            made = ir.Operation.create(_EMPTY, results=[type], operands=sizes)
        op.results[0].replace_all_uses_with(made.result)
        op.erase()


def _products(collapse: ir.Operation, empty: ir.Operation) -> list[ir.Value]:
    """The sizes of dimensions that are several of those of an empty tensor, where not known."""
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
            found.append(value_of(total))
    return found


def _separate_results(block: ir.Block) -> None:
    """Give every op memory of its own to write to, where several name the same."""
    for op in list(operations(block)):
        if not is_structured(op):
            continue
        for index in range(number_of_inputs(op), len(op.operands)):
            operand = op.operands[index]
            maker = maker_of(operand)
            is_empty = maker is not None and maker.name == _EMPTY
            if maker is not None and is_empty and sum(1 for _ in operand.uses) > 1:
                with ir.InsertionPoint(op):
                    op.operands[index] = maker.clone().results[0]
