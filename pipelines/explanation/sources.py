"""Where values come from that no library function computes: containers, casts, control flow."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from torch_refine.abstract_interpreter.lattice import Scalar, Sequence
from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.calculate_ops import terminator
from torch_refine.passes.branching import BRANCHES, LOOPS, YIELDS, edges
from torch_refine.passes.casts import CAST
from torch_refine.passes.program import is_private, returns_of, symbol_name
from torch_refine.pipelines.explanation.analysis import Analysis
from torch_refine.pipelines.explanation.parts import Part

Source = tuple[ir.Value, Part]

_SAME = {
    CAST,
    "torch.derefine",
    "torch.prim.unchecked_cast",
    "torch.copy.to_tensor",
    "torch.copy.to_vtensor",
    "torch_c.to_i1",
    "torch_c.from_i1",
    "torch_c.to_i64",
    "torch_c.from_i64",
}
_MADE = {"torch.prim.ListConstruct", "torch.prim.TupleConstruct"}
_UNPACKED = {"torch.prim.ListUnpack", "torch.prim.TupleUnpack"}
_ITEMS = {"torch.aten.__getitem__.t", "torch.prim.TupleIndex"}


@dataclass(frozen=True)
class Sources:
    """The parts that a part of a value may be equal to; with `merge`, it is one of several.

    `merge` says what merges them: branches, iterations, calls.
    """

    found: tuple[Source, ...]
    merge: str | None = None


class SourceFinder:
    """Finds the sources of values of one module."""

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis
        self._by_name = {symbol_name(function) or "": function for function in analysis.functions}
        self._calls: dict[str, list[ir.Operation]] | None = None

    def find(self, value: ir.Value, part: Part) -> Sources | None:
        """The sources of a part; None if an operator, or the program's caller, gives the value."""
        if isinstance(value.owner, ir.Block):
            return self._of_argument(value.owner, ir.BlockArgument(value).arg_number, part)
        op, number = value.owner.operation, ir.OpResult(value).result_number
        name = op.name
        if name in _SAME:
            return Sources(((op.operands[0], part),))
        if name in _MADE:
            if part.item is not None and part.item < len(op.operands):
                return Sources(((op.operands[part.item], part.of_item(None)),))
            if not isinstance(self.analysis.fact(value), Sequence):
                # A list that may be mutated does not keep its items.
                return None
            return Sources(tuple((each, part.of_item(None)) for each in op.operands))
        if name in _UNPACKED:
            return Sources(((op.operands[0], part.of_item(number)),))
        if name in _ITEMS:
            return Sources(((op.operands[0], part.of_item(self._index(op))),))
        if name in BRANCHES:
            return Sources(tuple(self._yielded(op, number, part)), "its branches")
        if name in LOOPS:
            return self._of_loop(op, number, part)
        if name == "scf.while":
            return Sources(tuple(self._yielded(op, number, part)), "its iterations")
        if name == "func.call":
            return self._of_call(op, number, part)
        return None

    def _index(self, op: ir.Operation) -> int | None:
        index = self.analysis.fact(op.operands[1])
        if isinstance(index, Scalar) and type(index.value) is int and index.value >= 0:
            return index.value
        return None

    def _yielded(self, op: ir.Operation, number: int, part: Part) -> Iterator[Source]:
        """The operands of the terminators of an op's regions that become one of its results."""
        for region in op.regions:
            for block in region:
                if not len(block.operations):
                    continue
                last = terminator(block)
                first = YIELDS.get(last.name)
                if first is not None and first + number < len(last.operands):
                    yield last.operands[first + number], part

    def _of_loop(self, op: ir.Operation, number: int, part: Part) -> Sources:
        initial = op.operands[len(op.operands) - len(op.results) + number]
        return Sources(((initial, part), *self._yielded(op, number, part)), "its iterations")

    def _of_call(self, op: ir.Operation, number: int, part: Part) -> Sources | None:
        function = self._by_name.get(_callee(op))
        if function is None or not len(function.regions[0].blocks):
            return None
        returned = [each.operands[number] for each in returns_of(function)]
        return Sources(tuple((each, part) for each in returned), f"calls of @{_callee(op)}")

    def _of_argument(self, block: ir.Block, number: int, part: Part) -> Sources | None:
        outer = block.owner.operation
        if outer.regions[0].blocks[0] == block or not _is_entry(block):
            if outer.name == "func.func" and outer.regions[0].blocks[0] == block:
                return self._of_function(outer, number, part)
            if outer.name in LOOPS:
                return None if number == 0 else self._of_loop(outer, number - 1, part)
        if outer.name == "scf.while":
            return self._of_while(outer, block, number, part)
        found = [
            (last.operands[edge.operands.start + number], part)
            for each in block.region.blocks
            if len(each.operations)
            for last in [terminator(each)]
            for edge in edges(last)
            if edge.target == block and edge.operands is not None
        ]
        return Sources(tuple(found), "branches to this block") if found else None

    def _of_while(
        self, op: ir.Operation, block: ir.Block, number: int, part: Part
    ) -> Sources | None:
        before, after = (region.blocks[0] for region in op.regions)
        if block == after:
            last = terminator(before)
            if number + 1 < len(last.operands):
                return Sources(((last.operands[number + 1], part),), "its iterations")
            return None
        found = [(op.operands[number], part)]
        last = terminator(after)
        if last.name == "scf.yield" and number < len(last.operands):
            found.append((last.operands[number], part))
        return Sources(tuple(found), "its iterations")

    def _of_function(self, function: ir.Operation, number: int, part: Part) -> Sources | None:
        """The operands of the calls of a private function."""
        if not is_private(function):
            return None
        if self._calls is None:
            self._calls = {}
            for outer in self.analysis.functions:
                for op in walk(outer):
                    if op.name == "func.call":
                        self._calls.setdefault(_callee(op), []).append(op)
        calls = self._calls.get(symbol_name(function) or "", [])
        found = tuple((call.operands[number], part) for call in calls)
        return Sources(found, f"calls of @{symbol_name(function)}") if found else None


def _callee(call: ir.Operation) -> str:
    return str(ir.FlatSymbolRefAttr(call.attributes["callee"]).value)


def _is_entry(block: ir.Block) -> bool:
    return bool(block.region.blocks[0] == block)
