"""Freeze float-to-integer casts, which are poison out of range."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.ir_builder import create_value
from torch_refine.dialect.structured_ops import operation_of
from torch_refine.passes.base import Pass, RunState

_SIGNED, _UNSIGNED, _FREEZE = "llvm.fptosi", "llvm.fptoui", "llvm.freeze"


@dataclass
class FreezeFloatToInt(Pass):
    """Freeze float-to-integer casts, which are poison out of range.

    LLVM's result is poison, which makes all its uses undefined, bounds checks of an index included.
    Frozen, it is the result of the processor's instruction, as in PyTorch. Narrow integers are the
    low bits of wider ones, so 200.0 may become the unsigned byte 200.

    Runs on the llvm dialect.

    Before:

    ```mlir
    llvm.func @f(%arg0: f32) -> i8 {
      %0 = llvm.fptosi %arg0 : f32 to i8
      llvm.return %0 : i8
    }
    ```

    After:

    ```mlir
    llvm.func @f(%arg0: f32) -> i8 {
      %0 = llvm.fptosi %arg0 : f32 to i32
      %1 = llvm.freeze %0 : i32
      %2 = llvm.trunc %1 : i32 to i8
      llvm.return %2 : i8
    }
    ```
    """

    name: ClassVar[str] = "freeze-float-to-int"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module", "llvm.func")

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Freeze the casts of a module, or of one function."""
        for each in list(walk(op)):
            if each.name in (_SIGNED, _UNSIGNED) and not _is_frozen(each):
                _freeze(each)
                state.count(self.name, "conversions")


def _is_frozen(op: ir.Operation) -> bool:
    return [operation_of(use.owner).name for use in op.results[0].uses] == [_FREEZE]


def _freeze(op: ir.Operation) -> None:
    type = op.results[0].type
    width = _width(type)
    # The bits of an unsigned integer are those of a signed one of twice the width.
    needed = max(32, width if op.name == _SIGNED else 2 * width)
    name = _SIGNED if needed <= 64 else op.name
    with ir.InsertionPoint(op), op.location:
        wide = _with_width(type, min(needed, 64))
        found = create_value(name, wide, [op.operands[0]])
        found = create_value(_FREEZE, wide, [found])
        if wide != type:
            found = _truncated(found, type)
    op.results[0].replace_all_uses_with(found)
    op.erase()


def _truncated(value: ir.Value, type: ir.Type) -> ir.Value:
    return create_value("llvm.trunc", type, [value])


def _width(type: ir.Type) -> int:
    element = type.element_type if isinstance(type, ir.VectorType) else type
    return int(ir.IntegerType(element).width)


def _with_width(type: ir.Type, width: int) -> ir.Type:
    element = ir.IntegerType.get_signless(width, type.context)
    if not isinstance(type, ir.VectorType):
        return element
    return ir.VectorType.get(type.shape, element, scalable=list(type.scalable_dims))
