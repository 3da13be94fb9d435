"""Global slots, which hold values of the whole module: `torch.global_slot`.

A slot that is private holds what the module's initializer or a `torch.global_slot.set` puts there;
one that anybody may set holds what its type bound says.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from torch_refine.abstract_interpreter.facts import Fact, Sequence, Tensor
from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.passes.program import enclosing_module, is_private, symbol_name
from torch_refine.passes.type_refinement.settling import Settling

if TYPE_CHECKING:
    from torch_refine.passes.type_refinement.sweep import Sweep

_SLOT = "torch.global_slot"
_INITIALIZER = "torch.global_slot.module_initializer"
_SET = "torch.global_slot.set"


class Slots:
    """The global slots of a module, and what they hold."""

    def __init__(self, sweep: Sweep, module: ir.Operation) -> None:
        self.sweep = sweep
        module = enclosing_module(module)
        found = list(operations(module.regions[0].blocks[0]))
        self.bounds = {
            symbol_name(op) or "": ir.TypeAttr(op.attributes["typeBound"]).value
            for op in found
            if op.name == _SLOT
        }
        self.initializers = [op for op in found if op.name == _INITIALIZER]
        self.changes = False
        # The slots that only this module sets, and those of them that it sets after their start.
        self._held: dict[str, Settling] = {}
        self._set: set[str] = set()
        self._settled = False
        if not self.bounds:
            return
        self._held = {
            symbol_name(op) or "": Settling(sweep, [self.bounds[symbol_name(op) or ""]])
            for op in found
            if op.name == _SLOT and is_private(op)
        }
        self._set = {_slot_of(op) for op in walk(module) if op.name == _SET} & set(self._held)

    def settle(self) -> None:
        """Find what the slots hold, before anything is written."""
        if not self._held:
            return
        sweep = self.sweep
        sweep.writing = False
        try:
            self._visit_initializers()
            self.changes = bool(self._set)
            while self.changes:
                self.changes = False
                sweep.calls.look_at_all()
        finally:
            sweep.writing = True
        self._settled = True

    def write(self) -> None:
        """Refine the initializers."""
        if self.initializers:
            self._settled = True
            self._visit_initializers()

    def _visit_initializers(self) -> None:
        self.sweep.enter(None)
        for op in self.initializers:
            self.sweep.regions.visit(op.regions[0])

    def put(self, symbol: str, fact: Fact) -> None:
        """Let a slot also hold what a fact says."""
        held = self._held.get(symbol)
        if held is not None and not self._settled and held.add((fact,)):
            self.changes = True

    def fact(self, symbol: str) -> Fact | None:
        """What a slot holds; None for one that the module does not define."""
        if symbol not in self.bounds:
            return None
        held = self._held.get(symbol)
        if held is None or held.state is None:
            return self.sweep.declared.fact(self.bounds[symbol])
        (fact,) = held.state
        # What was set is another value every time, so its sizes have other names.
        return self.sweep.facts.instance(fact) if symbol in self._set else fact


def _slot_of(op: ir.Operation) -> str:
    return str(ir.FlatSymbolRefAttr(op.attributes["slot"]).value)


def _get(sweep: Sweep, op: ir.Operation, name: str) -> None:
    result = op.results[0]
    fact = sweep.slots.fact(_slot_of(op))
    if fact is None or isinstance(fact, Sequence):
        # Somebody may change a list under another name.
        fact = sweep.declared.fact(result.type)
    elif isinstance(fact, Tensor):
        fact = sweep.lasting(fact, result)
    sweep.learn(op, (fact,), "its slot holds")


def _put(sweep: Sweep, op: ir.Operation, name: str) -> None:
    sweep.slots.put(_slot_of(op), sweep.fact(op.operands[0]))
    if sweep.writing:
        sweep.writer.keep_operands(op)


def _initialize(sweep: Sweep, op: ir.Operation, name: str) -> None:
    symbols = ir.ArrayAttr(op.attributes["slotSymNames"])
    for symbol, operand in zip(symbols, op.operands, strict=True):
        sweep.slots.put(ir.FlatSymbolRefAttr(symbol).value, sweep.fact(operand))
    if sweep.writing:
        sweep.writer.keep_operands(op)


VISITS: dict[str, Callable[[Sweep, ir.Operation, str], None]] = {
    "torch.global_slot.get": _get,
    _SET: _put,
    "torch.initialize.global_slots": _initialize,
}
