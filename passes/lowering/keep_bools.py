"""Let bools be sorted and added as PyTorch does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.passes.base import Pass, RunState

# Predicates of arith.cmpi with a sign, and the same without.
_UNSIGNED = {2: 6, 3: 7, 4: 8, 5: 9}
_LOGICAL = {"arith.addi": "arith.ori", "arith.muli": "arith.andi"}


@dataclass
class KeepBools(Pass):
    """Let bools be sorted and added as PyTorch does.

    The wheel's sorts compare them as numbers of one bit with a sign, of which true is -1, and its
    scatters add them, which makes false of true and true.

    Sorts and scatters cannot be written as text, so the example is of what stays as it is.

    Before:

    ```mlir
    func.func @f(%arg0: i1, %arg1: i1) -> i1 {
      %0 = arith.addi %arg0, %arg1 : i1
      return %0 : i1
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: i1, %arg1: i1) -> i1 {
      %0 = arith.addi %arg0, %arg1 : i1
      return %0 : i1
    }
    ```
    """

    name: ClassVar[str] = "keep-bools"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Mend the sorts and scatters of a module, or of one function."""
        for each in [each for each in walk(op) if each.name.startswith("tm_tensor.")]:
            for inner in list(walk(each)):
                if not len(inner.operands) or str(inner.operands[0].type) != "i1":
                    continue
                if each.name == "tm_tensor.sort" and inner.name == "arith.cmpi":
                    predicate = ir.IntegerAttr(inner.attributes["predicate"])
                    known = _UNSIGNED.get(predicate.value, predicate.value)
                    inner.attributes["predicate"] = ir.IntegerAttr.get(predicate.type, known)
                elif each.name == "tm_tensor.scatter" and inner.name in _LOGICAL:
                    _replace(inner, _LOGICAL[inner.name])
                else:
                    continue
                state.count(self.name, "operations")


def _replace(op: ir.Operation, name: str) -> None:
    with ir.InsertionPoint(op), op.location:
        new = ir.Operation.create(name, results=[op.result.type], operands=list(op.operands))
    op.result.replace_all_uses_with(new.result)
    op.erase()
