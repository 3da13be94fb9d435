"""Decompose operators with data-dependent sizes into `nonzero` and indexing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.names import name_of
from torch_refine.dialect.tensor_type import Types
from torch_refine.dialect.torch_builder import TorchBuilder
from torch_refine.passes.base import Pass, PassFailure, RunState
from torch_refine.passes.lowering.torch.data_dependent import counting, distinct, masks

_Rule = Callable[[TorchBuilder, ir.Operation], "list[ir.Value] | None"]

_RULES: dict[str, _Rule] = {
    "torch.aten.nonzero": masks.nonzero,
    "torch.aten.argwhere": masks.nonzero,
    "torch.aten.nonzero_static": masks.nonzero_static,
    "torch.aten.masked_select": masks.masked_select,
    "torch.aten.masked_scatter": masks.masked_scatter,
    "torch.aten.index.Tensor": masks.index,
    "torch.aten.index.Tensor_hacked_twin": masks.index,
    "torch.aten.index_put": masks.index_put,
    "torch.aten.index_put.hacked_twin": masks.index_put,
    "torch.aten._index_put_impl": masks.index_put,
    "torch.aten._unique": distinct.unique,
    "torch.aten._unique2": distinct.unique,
    "torch.aten.unique_dim": distinct.unique_dim,
    "torch.aten.unique_consecutive": distinct.unique_consecutive,
    "torch.aten.unique_dim_consecutive": distinct.unique_dim_consecutive,
    "torch.aten.repeat_interleave.Tensor": counting.repeat_interleave,
    "torch.aten.bincount": counting.bincount,
}
# These may have no mask, and are not rewritten then.
_INDEXING = (masks.index, masks.index_put)


@dataclass
class DecomposeDataDependentSizes(Pass):
    """Decompose operators with data-dependent sizes into `nonzero` and indexing.

    A mask among indices becomes the positions where it is true, unique values are sorted and
    compared with their predecessor, and so on: the remaining ops are `nonzero` of bools, and
    `repeat_interleave` of a vector, which `torch-lower-data-dependent-sizes` lowers.

    Before:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[4],f32>, %arg1: !torch.vtensor<[4],i1>) -> \
!torch.vtensor<[?],f32> {
      %0 = torch.aten.masked_select %arg0, %arg1 : !torch.vtensor<[4],f32>, \
!torch.vtensor<[4],i1> -> !torch.vtensor<[?],f32>
      return %0 : !torch.vtensor<[?],f32>
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[4],f32>, %arg1: !torch.vtensor<[4],i1>) -> \
!torch.vtensor<[?],f32> {
      %0 = torch.aten.nonzero %arg1 : !torch.vtensor<[4],i1> -> !torch.vtensor<[?,1],si64>
      %int1 = torch.constant.int 1
      %1 = torch.aten.squeeze.dim %0, %int1 : !torch.vtensor<[?,1],si64>, !torch.int -> \
!torch.vtensor<[?],si64>
      %int0 = torch.constant.int 0
      %2 = torch.aten.index_select %arg0, %int0, %1 : !torch.vtensor<[4],f32>, !torch.int, \
!torch.vtensor<[?],si64> -> !torch.vtensor<[?],f32>
      return %2 : !torch.vtensor<[?],f32>
    }
    ```
    """

    name: ClassVar[str] = "torch-decompose-data-dependent-sizes"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite in a module, or in one function."""
        build = TorchBuilder(Types(op.context))
        failed = False
        replaced = []
        for each in [each for each in walk(op) if name_of(each) in _RULES]:
            rule = _RULES[name_of(each)]
            if not _is_known(build, each) or _is_whole(build, each):
                continue
            with each.location, ir.InsertionPoint(each):
                results = rule(build, each)
            if results is not None:
                _replace(build, each, results)
                replaced.append(each)
                state.count(self.name, "operators")
            elif rule not in _INDEXING:
                message = f"{name_of(each)} is not lowered: for operands that are not constant"
                state.diagnostics.error(each.location, message)
                failed = True
        for each in replaced:
            each.erase()
        if failed:
            raise PassFailure(self.name)


def _is_known(build: TorchBuilder, op: ir.Operation) -> bool:
    """Whether ranks and element types of all tensors are known; later verification reports
    others."""
    tensors = [build.types.tensor(value.type) for value in (*op.operands, *op.results)]
    return all(
        each is None or (each.value_semantics and each.has_rank_and_element) for each in tensors
    )


def _is_whole(build: TorchBuilder, op: ir.Operation) -> bool:
    """Whether an op is one that others decompose into."""
    type = build.types.tensor(op.operands[0].type)
    wanted = {"torch.aten.nonzero": "i1", "torch.aten.repeat_interleave.Tensor": "si64"}
    return type is not None and type.element == wanted.get(op.name) and bool(type.sizes)


def _replace(build: TorchBuilder, op: ir.Operation, values: list[ir.Value]) -> None:
    with op.location, ir.InsertionPoint(op):
        for result, value in zip(op.results, values, strict=True):
            result.replace_all_uses_with(build.retyped(value, result.type))
