"""Outline contractions, with what consumes their results, into functions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations
from torch_refine.dialect.structured_ops import (
    GENERIC,
    defining_op,
    dims_of,
    in_order,
    is_contraction,
    iterators,
    maps,
    num_inputs,
    operation_of,
)
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.gpu.padding import rearranges
from torch_refine.passes.lowering.kernels.groups import PRODUCT, Group
from torch_refine.passes.lowering.kernels.outlining import KERNEL, Outliner, sink_cheap_producers
from torch_refine.passes.program import structured_blocks

KIND = "product"


@dataclass
class OutlineGpuContractions(Pass):
    """Outline contractions, with what consumes their results, into functions.

    The epilogue of a contraction, such as adding a bias, is outlined with it; so are transposes and
    extensions of operands, which are folded into it. On the CPU, `pack-contractions` and
    `outline-kernels` do this.

    Before:

    ```mlir
    func.func @main(%arg0: tensor<2x2xf32>, %arg1: tensor<2x2xf32>) -> tensor<2x2xf32> {
      %0 = linalg.matmul ins(%arg0, %arg0 : tensor<2x2xf32>, tensor<2x2xf32>) \
outs(%arg1 : tensor<2x2xf32>) -> tensor<2x2xf32>
      return %0 : tensor<2x2xf32>
    }
    ```

    After:

    ```mlir
    func.func @main(%arg0: tensor<2x2xf32>, %arg1: tensor<2x2xf32>) -> tensor<2x2xf32> {
      %0 = call @product_0(%arg0, %arg1) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
      return %0 : tensor<2x2xf32>
    }
    func.func private @product_0(%arg0: tensor<2x2xf32>, %arg1: tensor<2x2xf32>) -> \
tensor<2x2xf32> attributes {torch_refine.kernel = "product"} {
      %0 = linalg.matmul {torch_refine.product} ins(%arg0, %arg0 : tensor<2x2xf32>, \
tensor<2x2xf32>) outs(%arg1 : tensor<2x2xf32>) -> tensor<2x2xf32>
      return %0 : tensor<2x2xf32>
    }
    ```
    """

    name: ClassVar[str] = "outline-gpu-contractions"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Outline the contractions of all functions of a module except kernels."""
        body = op.regions[0].blocks[0]
        outliner = Outliner(body, aligned=True)
        for function in list(operations(body)):
            if KERNEL in function.attributes or not len(function.regions[0].blocks):
                continue
            for block in list(structured_blocks(function)):
                sink_cheap_producers(block)
                # Outlining erases the other members of a group.
                products = [each for each in operations(block) if _is_product(each)]
                for each in reversed(products):
                    each.attributes[PRODUCT] = ir.UnitAttr.get(op.context)
                    outliner.outline(_group_of(each))
                    state.count(self.name, "products")


def _is_product(op: ir.Operation) -> bool:
    return is_contraction(op) or PRODUCT in op.attributes


def _group_of(product: ir.Operation) -> Group:
    root = _epilogue(product) or product
    taken = set(_operand_producers(product))
    order = in_order(taken)
    return Group(root, KIND, [*order, product] if root == product else [*order, product, root])


def _operand_producers(op: ir.Operation) -> list[ir.Operation]:
    """The ops that only transpose or extend an op's operands, and have no other user."""
    found = []
    for operand in list(op.operands)[: num_inputs(op)]:
        producer = defining_op(operand)
        if producer is None or producer.block != op.block or not rearranges(producer):
            continue
        if _only_user(producer) is not None:
            found += [producer, *_operand_producers(producer)]
    return found


def _only_user(op: ir.Operation) -> ir.Operation | None:
    users = [operation_of(use.owner) for result in op.results for use in result.uses]
    return users[0] if len(users) == 1 else None


def _epilogue(product: ir.Operation) -> ir.Operation | None:
    """The elementwise user of a contraction's result with identity map."""
    user = _only_user(product)
    if user is None or user.name != GENERIC or user.block != product.block:
        return None
    if set(iterators(user)) != {"parallel"} or len(user.results) != 1:
        return None
    identity = list(range(len(iterators(user))))
    own = maps(user)
    places = [
        place
        for place, operand in enumerate(list(user.operands)[: num_inputs(user)])
        if operand == product.results[0]
    ]
    if len(places) != 1 or dims_of(own[places[0]]) != identity or dims_of(own[-1]) != identity:
        return None
    return user
