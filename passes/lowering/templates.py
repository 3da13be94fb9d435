"""Functions that are written as MLIR text, and inlined at an insertion point."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.structured_ops import operation_of
from torch_refine.passes.lowering.kernels.contractions.vectors import vectorized
from torch_refine.passes.program import symbol_name


class Put(NamedTuple):
    """The results of an inlined function, and the operations cloned for it."""

    results: list[ir.Value]
    ops: list[ir.Operation]


class Templates:
    """The functions of a file, of one block each. They may call each other."""

    def __init__(self, source: Path | str, context: ir.Context) -> None:
        """Parse a file, or a text."""
        text = source if isinstance(source, str) else source.read_text(encoding="utf-8")
        # Owns the bodies.
        self._module = ir.Module.parse(text, context)
        self.bodies: dict[str, ir.Block] = {
            symbol_name(each) or "": each.regions[0].blocks[0]
            for each in operations(self._module.operation.regions[0].blocks[0])
        }

    def put(self, name: str, values: Sequence[ir.Value], lanes: int = 0) -> Put:
        """Inline the body of a function at the current insertion point and location.

        With `lanes`, values may be vectors with that many elements, and the function is
        elementwise.
        """
        body = self.bodies[name]
        known = dict(zip(body.arguments, values, strict=True))
        made: list[ir.Operation] = []
        for op in operations(body):
            operands = [known[operand] for operand in op.operands]
            if op.name == "func.return":
                return Put(operands, made)
            if op.name == "func.call":
                callee = ir.FlatSymbolRefAttr(op.attributes["callee"]).value
                results, inner = self.put(callee, operands, lanes)
                made += inner
            elif lanes:
                results = [vectorized(op, operands, lanes)]
                made.append(operation_of(results[0].owner))
            else:
                copy = op.clone()
                for index, operand in enumerate(operands):
                    copy.operands[index] = operand
                copy.location = ir.Location.current
                _use(known, copy)
                results = list(copy.results)
                made.append(copy)
            known.update(zip(op.results, results, strict=True))
        raise AssertionError("a function returns")


def _use(known: dict[ir.Value, ir.Value], copy: ir.Operation) -> None:
    """Remap the operands in the regions of a cloned op to the values cloned before."""
    if not len(copy.regions):
        return
    for inner in walk(copy):
        inner.location = ir.Location.current
        for index, operand in enumerate(inner.operands):
            if operand in known:
                inner.operands[index] = known[operand]
