"""Global slots, which hold values of the whole module: `torch.global_slot`.

A private slot holds the join of its initializer and all `torch.global_slot.set` ops; for a public
one, its type bound holds.
"""

from __future__ import annotations

from collections.abc import Callable

from torch_refine.abstract_interpreter.lattice import LatticeValue, Sequence, Tensor
from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.passes.program import enclosing_module, is_private, symbol_name
from torch_refine.passes.type_refinement.fixed_point import FixedPoint
from torch_refine.passes.type_refinement.regions import Regions

_SLOT = "torch.global_slot"
_INITIALIZER = "torch.global_slot.module_initializer"
_SET = "torch.global_slot.set"


class Slots:
    """The global slots of a module, and their contents."""

    def __init__(self, regions: Regions, module: ir.Operation) -> None:
        self.regions = regions
        self.sweep = sweep = regions.sweep
        module = enclosing_module(module)
        found = list(operations(module.regions[0].blocks[0]))
        self.bounds = {
            symbol_name(op) or "": ir.TypeAttr(op.attributes["typeBound"]).value
            for op in found
            if op.name == _SLOT
        }
        self.initializers = [op for op in found if op.name == _INITIALIZER]
        self.changes = False
        # The slots that only this module sets, and those among them that are set after
        # initialization.
        self._held: dict[str, FixedPoint] = {}
        self._set: set[str] = set()
        self._settled = False
        if not self.bounds:
            return
        self._held = {
            symbol_name(op) or "": FixedPoint(sweep, [self.bounds[symbol_name(op) or ""]])
            for op in found
            if op.name == _SLOT and is_private(op)
        }
        self._set = {_slot_of(op) for op in walk(module) if op.name == _SET} & set(self._held)

    def find_contents(self, analyze_all: Callable[[], None]) -> None:
        """Find the contents of the slots by visits of all functions, before anything is written."""
        if not self._held:
            return
        sweep = self.sweep
        sweep.writing = False
        try:
            self._visit_initializers()
            self.changes = bool(self._set)
            while self.changes:
                self.changes = False
                analyze_all()
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
            self.regions.visit(op.regions[0])

    def put(self, symbol: str, lattice_value: LatticeValue) -> None:
        """Join a lattice value into a slot."""
        held = self._held.get(symbol)
        if held is not None and not self._settled and held.add((lattice_value,)):
            self.changes = True

    def lattice_value(self, symbol: str) -> LatticeValue | None:
        """The lattice value of a slot; None for one that the module does not define."""
        if symbol not in self.bounds:
            return None
        held = self._held.get(symbol)
        if held is None or held.state is None:
            return self.sweep.declared.lattice_value(self.bounds[symbol])
        (lattice_value,) = held.state
        # Each set value is a different one, so its sizes get fresh symbols.
        return self.sweep.facts.instance(lattice_value) if symbol in self._set else lattice_value


def _slot_of(op: ir.Operation) -> str:
    return str(ir.FlatSymbolRefAttr(op.attributes["slot"]).value)


def _get(slots: Slots, op: ir.Operation, name: str) -> None:
    sweep = slots.sweep
    result = op.results[0]
    lattice_value = slots.lattice_value(_slot_of(op))
    if lattice_value is None or isinstance(lattice_value, Sequence):
        # An alias of the list may be mutated.
        lattice_value = sweep.declared.lattice_value(result.type)
    elif isinstance(lattice_value, Tensor):
        lattice_value = sweep.lasting(lattice_value, result)
    sweep.learn(op, (lattice_value,), "its slot holds")


def _put(slots: Slots, op: ir.Operation, name: str) -> None:
    sweep = slots.sweep
    slots.put(_slot_of(op), sweep.fact(op.operands[0]))
    if sweep.writing:
        sweep.writer.keep_operands(op)


def _initialize(slots: Slots, op: ir.Operation, name: str) -> None:
    sweep = slots.sweep
    symbols = ir.ArrayAttr(op.attributes["slotSymNames"])
    for symbol, operand in zip(symbols, op.operands, strict=True):
        slots.put(ir.FlatSymbolRefAttr(symbol).value, sweep.fact(operand))
    if sweep.writing:
        sweep.writer.keep_operands(op)


VISITS: dict[str, Callable[[Slots, ir.Operation, str], None]] = {
    "torch.global_slot.get": _get,
    _SET: _put,
    "torch.initialize.global_slots": _initialize,
}
