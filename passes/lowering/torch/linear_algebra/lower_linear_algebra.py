"""Lower operators of linear algebra to calls of LAPACK."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.names import name_of
from torch_refine.dialect.tensor_type import Types
from torch_refine.passes.base import Pass, PassFailure, RunState
from torch_refine.passes.lowering.torch.linear_algebra.matrices import Matrices
from torch_refine.passes.lowering.torch.linear_algebra.operators import OPERATORS, Call, why_not


@dataclass
class LowerLinearAlgebra(Pass):
    """Lower operators of linear algebra to calls of LAPACK.

    Each call is of a declared function on tensors, which stands for a routine and is called for a
    batch of column-major matrices; it takes the routine's arrays and returns what they are then,
    and the `info` of each matrix. `call-lapack` lowers these calls to memory. What LAPACK does not
    check, it is checked here that it can rely on: sizes, and pivots that come from elsewhere.

    Before:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[3,3],f32>) -> \
(!torch.vtensor<[3,3],f32>, !torch.vtensor<[3],f32>) {
      %0:2 = torch.operator "torch.aten.geqrf"(%arg0) : (!torch.vtensor<[3,3],f32>) -> \
(!torch.vtensor<[3,3],f32>, !torch.vtensor<[3],f32>)
      return %0#0, %0#1 : !torch.vtensor<[3,3],f32>, !torch.vtensor<[3],f32>
    }
    ```

    After:

    ```mlir
    func.func private @lapack.geqrf.s(tensor<?x?x?xf32>, tensor<?x?xf32>, tensor<?xi32>) -> \
(tensor<?x?x?xf32>, tensor<?x?xf32>, tensor<?xi32>) attributes {torch_refine.lapack = "geqrf "}
    func.func @f(%arg0: !torch.vtensor<[3,3],f32>) -> \
(!torch.vtensor<[3,3],f32>, !torch.vtensor<[3],f32>) {
      // ...
    }
    ```
    """

    name: ClassVar[str] = "torch-lower-linear-algebra"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite in a module."""
        types = Types(op.context)
        failed = False
        for each in [each for each in walk(op) if name_of(each) in OPERATORS]:
            name = name_of(each)
            reason = why_not(each, name, types)
            if reason is not None:
                state.diagnostics.error(each.location, f"{name} is not lowered: {reason}")
                failed = True
                continue
            first = types.tensor(each.operands[0].type)
            assert first is not None, "the operand is a tensor"
            with each.location, ir.InsertionPoint(each):
                OPERATORS[name](Call(each, types, Matrices(str(first.element), op)))
            each.erase()
            state.count(self.name, "operators")
        if failed:
            raise PassFailure(self.name)
