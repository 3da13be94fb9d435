"""Fold redundant casts between tensor types."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.tensor_type import Types
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.casts import CAST, bypass


@dataclass
class FoldStaticInfoCasts(Pass):
    """Fold redundant casts between tensor types.

    A `torch.tensor_static_info_cast` is redundant if its types are equal, or if it erases type
    information and all users accept the more precise type. If only some of them do, it is kept for
    the others.

    Before:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor {
      %0 = torch.tensor_static_info_cast %arg0 : !torch.vtensor<[2,3],f32> to !torch.vtensor
      %1 = torch.aten.tanh %0 : !torch.vtensor -> !torch.vtensor
      return %1 : !torch.vtensor
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor {
      %0 = torch.aten.tanh %arg0 : !torch.vtensor<[2,3],f32> -> !torch.vtensor
      return %0 : !torch.vtensor
    }
    ```
    """

    name: ClassVar[str] = "torch-fold-static-info-casts"
    keeps_seen: ClassVar[bool] = True
    counts_changes: ClassVar[bool] = True

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Fold in a module, or in one function."""
        types = Types(op.context)
        seen = state.seen.get(op.regions[0].blocks[0])
        if seen is not None and CAST not in seen.names:
            casts = [value.owner.operation for value in seen.casts]
            seen.casts.clear()
        else:
            casts = [inner for inner in walk(op) if inner.name == CAST]
        for cast in casts:
            before = len(list(cast.result.uses))
            if bypass(cast, types):
                cast.erase()
                state.count(self.name, "casts removed")
            elif len(list(cast.result.uses)) < before:
                state.count(self.name, "casts bypassed")
