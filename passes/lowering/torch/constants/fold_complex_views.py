"""Fold conversions between complex numbers and pairs of reals that cancel each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.names import name_of
from torch_refine.dialect.structured_ops import defining_op
from torch_refine.dialect.tensor_type import Types
from torch_refine.passes.base import Pass, RunState

_INVERSE = {
    "torch.aten.view_as_real": "torch.aten.view_as_complex",
    "torch.aten.view_as_complex": "torch.aten.view_as_real",
}


@dataclass
class FoldComplexViews(Pass):
    """Fold conversions between complex numbers and pairs of reals that cancel each other.

    Decompositions of operators of complex numbers convert their operands to pairs of reals, and
    their results back: of a chain of operators, only the first and the last conversions are left.

    Before:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,2],f32> {
      %0 = torch.aten.view_as_complex %arg0 : !torch.vtensor<[3,2],f32> -> \
!torch.vtensor<[3],complex<f32>>
      %1 = torch.aten.view_as_real %0 : !torch.vtensor<[3],complex<f32>> -> \
!torch.vtensor<[3,2],f32>
      return %1 : !torch.vtensor<[3,2],f32>
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,2],f32> {
      return %arg0 : !torch.vtensor<[3,2],f32>
    }
    ```
    """

    name: ClassVar[str] = "torch-fold-complex-views"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Fold them in a module, or in one function."""
        types = Types(op.context)
        for each in list(walk(op)):
            inverse = _INVERSE.get(name_of(each))
            if inverse is None:
                continue
            source = defining_op(each.operands[0])
            if source is None or name_of(source) != inverse:
                continue
            given = source.operands[0]
            type = types.tensor(given.type)
            # Without value semantics, one of them may be written to in between.
            if type is None or not type.value_semantics or given.type != each.results[0].type:
                continue
            each.results[0].replace_all_uses_with(given)
            each.erase()
            if not any(True for _ in source.results[0].uses):
                source.erase()
            state.count(self.name, "conversions")
