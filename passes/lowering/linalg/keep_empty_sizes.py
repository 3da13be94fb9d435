"""Allow dynamic sizes to be 0."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.structured_ops import defining_op
from torch_refine.passes.base import Pass, RunState


@dataclass
class KeepEmptySizes(Pass):
    """Allow dynamic sizes to be 0.

    The wheel's conversion of a broadcast clamps a dynamic size to at least 1. If it is 0, such as
    the number of `True` in a mask, a scatter would read an index out of bounds. Only sizes that
    were cast from `index` change; others, such as -1 in `expand`, do not.

    Before:

    ```mlir
    func.func @f(%arg0: index) -> index {
      %c1 = arith.constant 1 : i64
      %0 = arith.index_cast %arg0 : index to i64
      %1 = arith.maxsi %0, %c1 : i64
      %2 = arith.index_cast %1 : i64 to index
      return %2 : index
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: index) -> index {
      %c1_i64 = arith.constant 1 : i64
      %0 = arith.index_cast %arg0 : index to i64
      %1 = arith.index_cast %0 : i64 to index
      return %1 : index
    }
    ```
    """

    name: ClassVar[str] = "keep-empty-sizes"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite in a module, or in one function."""
        for each in list(walk(op)):
            if each.name == "arith.maxsi" and _is_one(each.operands[1]):
                size = each.operands[0]
                producer = defining_op(size)
                if producer is not None and producer.name == "arith.index_cast":
                    each.result.replace_all_uses_with(size)
                    each.erase()
                    state.count(self.name, "sizes")


def _is_one(value: ir.Value) -> bool:
    producer = defining_op(value)
    if producer is None or producer.name != "arith.constant":
        return False
    attribute = producer.attributes["value"]
    return isinstance(attribute, ir.IntegerAttr) and attribute.value == 1
