"""Calls of LLVM's intrinsics: a function with the name of one is that intrinsic.

Upstream's op for them has unknown effects, which the buffer deallocation pass rejects.
"""

from __future__ import annotations

from collections.abc import Sequence

from torch_refine.dialect.bindings import ir, operations
from torch_refine.dialect.ir_builder import create_op
from torch_refine.passes.program import module_of, symbol_name


def declare_intrinsic(
    op: ir.Operation, name: str, operands: Sequence[ir.Type], results: Sequence[ir.Type] = ()
) -> None:
    """Declare an intrinsic in the module of an op, unless it is declared."""
    body = module_of(op).regions[0].blocks[0]
    if any(each.name == "func.func" and symbol_name(each) == name for each in operations(body)):
        return
    with ir.InsertionPoint(body):
        create_op(
            "func.func",
            attributes={
                "sym_name": ir.StringAttr.get(name),
                "sym_visibility": ir.StringAttr.get("private"),
                "function_type": ir.TypeAttr.get(
                    ir.FunctionType.get(list(operands), list(results))
                ),
            },
            regions=1,
        )


def call_intrinsic(
    name: str, operands: Sequence[ir.Value], results: Sequence[ir.Type] = ()
) -> ir.Operation:
    """A call of an intrinsic that is declared."""
    callee = {"callee": ir.FlatSymbolRefAttr.get(name)}
    return create_op("func.call", list(operands), callee, results=list(results))
