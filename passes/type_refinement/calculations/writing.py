"""Replace reified calculations by their simplified form."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any

from torch_refine.abstract_interpreter.capturing import with_names
from torch_refine.abstract_interpreter.lattice import LatticeValue, Tensor, number_of
from torch_refine.abstract_interpreter.materialising.materialiser import Materialiser
from torch_refine.abstract_interpreter.materialising.writer import Constants, Unwritable, Writer
from torch_refine.abstract_interpreter.numbers.expressions import (
    Atom,
    Number,
    Symbol,
    single_atom,
)
from torch_refine.abstract_interpreter.outcomes import Trace, atom_of, snapshot
from torch_refine.abstract_interpreter.values import ListObject
from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.calculate_ops import CALCULATE, body, calculation
from torch_refine.dialect.names import Kind
from torch_refine.passes.reified import Reading
from torch_refine.passes.type_refinement.calculations.running import Run, Runs
from torch_refine.passes.type_refinement.sweep_state import SweepState


@dataclass(eq=False, slots=True)
class Template:
    """A simplified calculation, to be cloned.

    `op` holds it alone. `captured` are its operands from outside other than shared constants: the
    index of the op in walk order, the operand index, and the value.
    """

    op: ir.Operation
    captured: list[tuple[int, int, ir.Value]]


class CalculationWriter:
    """Writes the calculations of a module; those of a function share constants."""

    def __init__(self, sweep: SweepState, runs: Runs) -> None:
        self.sweep = sweep
        self.runs = runs
        # The calculations written so far in this function, by the bodies of calculate ops.
        self.written: dict[ir.Block, Template] = {}
        self._constants: Constants | None = None
        self._origins: dict[Symbol, tuple[ir.Value, int | None]] = {}
        self._known = 0

    @contextmanager
    def sharing_constants(self, function: ir.Operation) -> Iterator[None]:
        """Write a function; its calculations share constants."""
        entry = function.regions[0].blocks[0]
        self._constants = Constants(self.sweep.types, entry, function.location)
        try:
            yield
        finally:
            self.sweep.state.reified.constants += self._constants.made
            self._constants = None

    def write(
        self,
        op: ir.Operation,
        kind: Kind,
        reading: Reading,
        names: dict[Atom, Number],
        lattice_values: tuple[LatticeValue, ...],
        run: Run,
    ) -> None:
        """Replace a calculation by its simplified form; raises Unwritable."""
        old = calculation(op)
        draft = ir.Operation.create(op.name, regions=2, loc=op.location, ip=False)
        new = draft.regions[0].blocks.append()
        try:
            try:
                self._materialise(op, kind, new, reading.captured, names, run)
            except Unwritable:
                weaker = with_names(self.sweep.facts, lattice_values)
                run = self.runs.run(old, reading.key, weaker)
                if run.outcome is None:
                    raise
                new = draft.regions[0].blocks.append()
                self._materialise(op, kind, new, reading.captured, names, run)
            old.append_to(draft.regions[0])
            new.append_to(draft.regions[1])
            self.written[body(op)] = self._template(draft)
            new.append_to(op.regions[1])
            self.sweep.state.reified.readings.pop(body(op), None)
        finally:
            # Erased eagerly: the values it uses may be gone when it is collected.
            draft.erase()

    def _materialise(
        self,
        op: ir.Operation,
        kind: Kind,
        block: ir.Block,
        captured: list[ir.Value],
        names: dict[Atom, Number],
        run: Run,
    ) -> None:
        """Materialise the outcome of a run in a block."""
        outcome = run.outcome
        assert outcome is not None and outcome.values is not None
        writer = Writer(self.sweep.types, block, op.location, self._constants)
        given = {atom: captured[index] for atom, index in run.captured.given.items()}
        for value, held in zip(captured, run.captured.values, strict=True):
            writer.scopes[0].names.update(_elements(value, held))
        actual = {
            renumbered: original
            for original, number in names.items()
            if (renumbered := single_atom(number)) is not None
        }

        def origin(symbol: Symbol) -> ir.Value | None:
            known = actual.get(symbol)
            return self._origin(op, known, writer) if isinstance(known, Symbol) else None

        materialiser = Materialiser(writer, given, origin)
        values = list(map(snapshot, outcome.values))
        operands = materialiser.write(outcome.trace or Trace(), values, CALCULATE[kind].yielded)
        writer.emit(CALCULATE[kind].calculation_yield, [], operands)

    def _origin(self, op: ir.Operation, symbol: Symbol, writer: Writer) -> ir.Value | None:
        """The program's value of a symbol, a size or an int, for a calculation of `op`."""
        known = self.sweep.known
        for value, lattice_value in islice(known.items(), self._known, None):
            if isinstance(lattice_value, Tensor):
                for dim, size in enumerate(lattice_value.sizes or ()):
                    atom = single_atom(size)
                    if isinstance(atom, Symbol):
                        self._origins.setdefault(atom, (value, dim))
                continue
            number = number_of(lattice_value)
            named = None if number is None else single_atom(number)
            if isinstance(named, Symbol):
                self._origins.setdefault(named, (value, None))
        self._known = len(known)
        found = self._origins.get(symbol)
        if found is None or not _is_before(found[0], op):
            return None
        source, place = found
        if place is None:
            return source
        operands = [source, writer.constant(place)]
        return writer.emit("torch.aten.size.int", ["int"], operands, depth=0).result

    # Templates.

    def _template(self, draft: ir.Operation) -> Template:
        """A calculate op with a clone of another's calculation, and no body."""
        op = draft.clone(ip=False)
        rest = ir.Operation.create(draft.name, regions=2, loc=draft.location, ip=False)
        for block in list(op.regions[0]):
            block.append_to(rest.regions[0])
        rest.erase()
        own: set[ir.Value] = set()
        captured = []
        for place, inner in enumerate(walk(op)):
            own.update(inner.results)
            own.update(each for region in inner.regions for b in region for each in b.arguments)
            for index, operand in enumerate(inner.operands):
                shared = self._constants is not None and operand in self._constants.used
                if operand not in own and not shared:
                    captured.append((place, index, operand))
        return Template(op, captured)

    def copy(self, template: Template, op: ir.Operation, values: list[ir.Value]) -> None:
        """Clone a template into a calculate op, with other captured values."""
        copied = template.op.clone(ip=False)
        if template.captured:
            ops = list(walk(copied))
            for (number, index, _), value in zip(template.captured, values, strict=True):
                ops[number].operands[index] = value
        place, regions = op.regions[1], copied.regions
        place.blocks[0].append_to(regions[0])
        regions[1].blocks[0].append_to(place)
        copied.erase()

    def erase(self) -> None:
        """Erase the unused templates."""
        for template in self.written.values():
            template.op.erase()
        self.written.clear()


def _elements(list_: ir.Value, held: Any) -> Iterator[tuple[Any, ir.Value]]:
    """The symbolic elements of a captured list with the program's values of them."""
    if not isinstance(held, ListObject) or held.items is None or isinstance(list_.owner, ir.Block):
        return
    producer = list_.owner.operation
    if producer.name == "torch.prim.ListConstruct" and len(producer.operands) == len(held.items):
        for item, operand in zip(held.items, producer.operands, strict=True):
            atom = atom_of(item)
            if atom is not None:
                yield atom, operand


def _is_before(value: ir.Value, op: ir.Operation) -> bool:
    """Whether a value that was visited before an op is in a block that encloses the op."""
    block = value.owner if isinstance(value.owner, ir.Block) else value.owner.operation.block
    outer: ir.Operation | None = op
    while outer is not None and outer.name not in ("builtin.module", "func.func"):
        if any(result == value for result in outer.results):
            return False
        if outer.block == block:
            return True
        outer = None if outer.parent is None else outer.parent.operation
    return False
