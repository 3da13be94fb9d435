"""Load and store 16-bit floats as integers if nothing else is done with them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.ir_builder import create_value
from torch_refine.dialect.structured_ops import defining_op, operation_of
from torch_refine.passes.base import Pass, RunState


@dataclass
class MoveHalvesAsIntegers(Pass):
    """Load and store 16-bit floats as integers if nothing else is done with them.

    For a processor without instructions for a type, as x86-64 with AVX2 for bfloat16, LLVM neither
    vectorizes loops over it nor keeps its vectors in registers, even if elements are only copied.
    Nor can it select instructions for masked stores of bfloat16 constants, with AVX512-BF16.

    Before:

    ```mlir
    llvm.func @f(%arg0: !llvm.ptr, %arg1: !llvm.ptr) {
      %0 = llvm.load %arg0 : !llvm.ptr -> bf16
      llvm.store %0, %arg1 : bf16, !llvm.ptr
      llvm.return
    }
    ```

    After:

    ```mlir
    llvm.func @f(%arg0: !llvm.ptr, %arg1: !llvm.ptr) {
      %0 = llvm.load %arg0 : !llvm.ptr -> i16
      llvm.store %0, %arg1 : i16, !llvm.ptr
      llvm.return
    }
    ```
    """

    name: ClassVar[str] = "move-halves-as-integers"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Change the types of loads in a module."""
        integer = ir.IntegerType.get_signless(16, op.context)
        for each in list(walk(op)):
            if each.name == "llvm.load" and _is_only_stored(each):
                each.results[0].set_type(_with_element(each.results[0].type, integer))
                state.count(self.name, "loads")
            elif each.name == "llvm.store" and _is_constant(each.operands[0]):
                with ir.InsertionPoint(each), each.location:
                    value = create_value("llvm.bitcast", integer, [each.operands[0]])
                each.operands[0] = value
                state.count(self.name, "stores")


def _is_constant(value: ir.Value) -> bool:
    """Whether a value is a constant 16-bit float."""
    op = defining_op(value)
    is_half = isinstance(value.type, (ir.BF16Type, ir.F16Type))
    return is_half and op is not None and op.name == "llvm.mlir.constant"


def _is_only_stored(load: ir.Operation) -> bool:
    """Whether a load reads 16-bit floats that are stored, and not used otherwise."""
    type = load.results[0].type
    element = ir.VectorType(type).element_type if isinstance(type, ir.VectorType) else type
    if not isinstance(element, (ir.BF16Type, ir.F16Type)):
        return False
    uses = list(load.results[0].uses)
    return bool(uses) and all(
        operation_of(use.owner).name == "llvm.store" and use.operand_number == 0 for use in uses
    )


def _with_element(type: ir.Type, element: ir.Type) -> ir.Type:
    if not isinstance(type, ir.VectorType):
        return element
    with ir.Location.unknown(type.context):
        return ir.VectorType.get(ir.VectorType(type).shape, element)
