"""Move products of matrices, with what is done to their results, into functions of their own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.gpu.padding import rearranges
from torch_refine.passes.lowering.kernels.groups import PRODUCT, Group
from torch_refine.passes.lowering.kernels.indexing import (
    GENERIC,
    dims_of,
    in_order,
    is_contraction,
    iterators,
    maker_of,
    maps,
    number_of_inputs,
    operation_of,
)
from torch_refine.passes.lowering.kernels.outlining import KERNEL, Outliner

KIND = "product"


@dataclass
class OutlineProducts(Pass):
    """Move products of matrices, with what is done to their results, into functions of their own.

    What takes each number of a product once, such as adding a bias, goes along; so do transposes
    and widenings of operands, which the product then reads as they lie. On the CPU,
    `pack-products` and `outline-kernels` do this in another way.

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

    name: ClassVar[str] = "outline-products"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Outline the products of all functions of a module that are no kernels."""
        body = op.regions[0].blocks[0]
        outliner = Outliner(body, aligned=True)
        for function in list(operations(body)):
            if KERNEL in function.attributes or not len(function.regions[0].blocks):
                continue
            for each in reversed(list(operations(function.regions[0].blocks[0]))):
                if is_contraction(each) or PRODUCT in each.attributes:
                    each.attributes[PRODUCT] = ir.UnitAttr.get(op.context)
                    outliner.outline(_group_of(each))
                    state.count(self.name, "products")


def _group_of(product: ir.Operation) -> Group:
    root = _epilogue(product) or product
    taken = set(_rearranged(product))
    order = in_order(taken)
    return Group(root, KIND, [*order, product] if root == product else [*order, product, root])


def _rearranged(op: ir.Operation) -> list[ir.Operation]:
    """What only moves or widens the numbers that an op takes, for it alone."""
    found = []
    for operand in list(op.operands)[: number_of_inputs(op)]:
        maker = maker_of(operand)
        if maker is None or maker.block != op.block or not rearranges(maker):
            continue
        if _only_user(maker) is not None:
            found += [maker, *_rearranged(maker)]
    return found


def _only_user(op: ir.Operation) -> ir.Operation | None:
    users = [operation_of(use.owner) for result in op.results for use in result.uses]
    return users[0] if len(users) == 1 else None


def _epilogue(product: ir.Operation) -> ir.Operation | None:
    """What takes each number of a product once and gives one for it, in the same place."""
    user = _only_user(product)
    if user is None or user.name != GENERIC or user.block != product.block:
        return None
    if set(iterators(user)) != {"parallel"} or len(user.results) != 1:
        return None
    identity = list(range(len(iterators(user))))
    own = maps(user)
    places = [
        place
        for place, operand in enumerate(list(user.operands)[: number_of_inputs(user)])
        if operand == product.results[0]
    ]
    if len(places) != 1 or dims_of(own[places[0]]) != identity or dims_of(own[-1]) != identity:
        return None
    return user
