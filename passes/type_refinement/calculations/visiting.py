"""Visit reified calculations."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeAlias

from torch_refine.abstract_interp_lib.scalar_types import NUMBERS
from torch_refine.abstract_interpreter import elements
from torch_refine.abstract_interpreter.lattice import Anything, LatticeValue, Tensor
from torch_refine.abstract_interpreter.materialising.writer import Unwritable
from torch_refine.abstract_interpreter.numbers.expressions import Atom, Number
from torch_refine.dialect.bindings import ir, operations
from torch_refine.dialect.calculate_ops import (
    OP_NAMES,
    body,
    calculation,
    terminator,
)
from torch_refine.dialect.names import Kind, name_of
from torch_refine.dialect.tensor_type import Contradiction
from torch_refine.passes.base import PassFailure
from torch_refine.passes.casts import CAST, is_free
from torch_refine.passes.reified import Nest, Reading
from torch_refine.passes.type_refinement.calculations.reading import (
    KINDS,
    nest_of,
    operator_in,
    operator_of,
    reading_of,
)
from torch_refine.passes.type_refinement.calculations.running import Run, RunCache, Runs
from torch_refine.passes.type_refinement.calculations.writing import CalculationWriter, Template
from torch_refine.passes.type_refinement.sweep_state import SweepState

# Lattice values with renumbered symbols, and the program's symbols for these.
Renumbered: TypeAlias = tuple[dict[Atom, Number], tuple[LatticeValue, ...]]

# The types of scalars by the dtype that a calculation infers; floats promote to float32.
_NUMBERS: dict[int | None, str] = {
    NUMBERS["int64"]: "int",
    NUMBERS["float32"]: "float",
    NUMBERS["float64"]: "float",
}


@dataclass(eq=False, slots=True)
class Visited:
    """The results of a nest: lattice values, types, and simplified calculations.

    Each template of a layer comes with the indices of the nest's values that it captures.
    """

    lattice_values: list[LatticeValue]
    types: list[ir.Type]
    templates: list[tuple[Template, list[int]] | None]


@dataclass
class PassResults:
    """The final results of a pass for a program, for passes that find the program unchanged.

    `known` are the lattice values, `visited` holds the results of nests by body, and `written` the
    kinds of calculations that are simplified already.
    """

    cache: RunCache = field(default_factory=RunCache)
    visited: dict[ir.Block, Visited] = field(default_factory=dict)
    known: dict[ir.Value, LatticeValue] | None = None
    written: set[Kind] = field(default_factory=set)


class Calculations:
    """The calculations of a module.

    Those of the kinds in `written` refine types, and are simplified; others only provide lattice
    values. `earlier_results` comes from an earlier pass.
    """

    def __init__(self, sweep: SweepState, written: Collection[Kind]) -> None:
        self.sweep = sweep
        self.written = written
        self.reified = sweep.state.reified
        place = sweep.module.regions[0].blocks[0]
        self.earlier_results: PassResults = self.reified.sweeps.setdefault(place, PassResults())
        self.runs = Runs(sweep, self.earlier_results.cache)
        self.writer = CalculationWriter(sweep, self.runs)
        self._visited: dict[Hashable, Visited] = {}
        self.refined = 0
        # The nesting depth of calculate ops: operators in them get the results of the calculations.
        self.depth = 0

    @contextmanager
    def in_function(self, function: ir.Operation) -> Iterator[None]:
        """Visit a function that is being written."""
        try:
            with self.writer.sharing_constants(function):
                yield
        finally:
            self.sweep.state.count(self.sweep.name, "types refined", self.refined)
            self.refined = 0
            # Templates must not outlive the values of the function that they use.
            self.writer.erase()
            for visited in self._visited.values():
                for each in filter(None, visited.templates):
                    each[0].op.erase()
            self._visited.clear()

    # Visiting.

    def visit(self, op: ir.Operation, name: str) -> None:
        """Visit a calculate op and those nested in it, reusing the results of an equal nest."""
        sweep, place = self.sweep, op.regions[0].blocks[0]
        nests = self.reified.nests
        if place in nests:
            nest = nests[place]
        else:
            nest = nests[place] = nest_of(op, self.reified)
        before = self.earlier_results.visited.get(place) if sweep.again else None
        if nest is None or (sweep.again and before is None):
            self.visit_layer(op, name)
            return
        types = [chain[0].type for chain in nest.chains]
        key: tuple[Hashable, ...]
        if before is not None:
            key = (before, *types)
        else:
            known = sweep.known
            try:
                lattice_values = [known[value] for value in nest.values]
            except KeyError:
                lattice_values = [sweep.fact(value) for value in nest.values]
            key = (nest.key, sweep.writing, sweep.inference.device, *lattice_values, *types)
        found = self._visited.get(key)
        if found is not None:
            self.apply(nest, types, found)
        else:
            found = self.visit_first(op, name, nest)
            if found is not None:
                self._visited[key] = found
        if sweep.writing and not sweep.again and found is not None:
            self.earlier_results.visited[place] = found

    def visit_first(self, op: ir.Operation, name: str, nest: Nest) -> Visited | None:
        """Visit a nest that is the first of its kind; None if its results hold for it only."""
        sweep = self.sweep
        reported = len(sweep.state.diagnostics.reported)
        self.writer.erase()
        self.visit_layer(op, name)
        results = [sweep.known[chain[0]] for chain in nest.chains]
        known = {symbol for value in nest.values for symbol in sweep.fact(value).symbols}
        if (
            len(sweep.state.diagnostics.reported) > reported
            or sweep.ended
            or any(
                symbol not in known for lattice_value in results for symbol in lattice_value.symbols
            )
        ):
            return None
        numbers = {value: number for number, value in enumerate(nest.values)}
        templates: list[tuple[Template, list[int]] | None] = []
        for _, _, place in nest.layers:
            template = self.writer.written.get(place)
            places = [numbers.get(each[2]) for each in template.captured] if template else []
            if template is None or None in places:
                templates.append(None)
            else:
                del self.writer.written[place]
                templates.append((template, [each for each in places if each is not None]))
        return Visited(results, [chain[0].type for chain in nest.chains], templates)

    def apply(self, nest: Nest, types: list[ir.Type], found: Visited) -> None:
        """Apply the results of an equal nest to a nest with results of these types."""
        sweep = self.sweep
        sweep.inference.hits += 1
        known, writing = sweep.known, sweep.writing
        for chain, old, lattice_value, type in zip(
            nest.chains, types, found.lattice_values, found.types, strict=True
        ):
            known[chain[0]] = lattice_value
            if writing and old != type:
                sweep.writer.original.setdefault(chain[0], old)
                for value in chain:
                    value.set_type(type)
                if nest.source is not None:
                    self.refine_source(nest.source, type)
                self.refined += 1
        if not writing:
            return
        for (kind, op, place), each in zip(nest.layers, found.templates, strict=True):
            if each is not None:
                template, places = each
                self.writer.copy(template, op, [nest.values[index] for index in places])
                self.reified.readings.pop(place, None)
            elif kind in self.written:
                reading = reading_of(op, place, self.reified)
                captured = tuple(map(sweep.fact, reading.captured))
                names, lattice_values = sweep.inference.renumbered(captured)
                run = self.runs.run(calculation(op), reading.key, lattice_values)
                self.write(op, kind, reading, (names, lattice_values), run)

    def visit_layer(self, op: ir.Operation, name: str) -> None:
        """Visit a calculate op: its body, then the results of its calculation."""
        sweep, kind = self.sweep, KINDS[name]
        self.depth += 1
        for inner in list(operations(body(op))):
            if inner.name in OP_NAMES:
                self.visit_layer(inner, inner.name)
            else:
                sweep.visit_op(inner)
        self.depth -= 1
        yielded = list(terminator(body(op)).operands)
        if sweep.again and kind not in self.written:
            # The result of the calculation is known.
            for result, value in zip(op.results, yielded, strict=True):
                self.learn(op, kind, result, value, None)
            return
        reading = reading_of(op, body(op), self.reified)
        names, lattice_values = sweep.inference.renumbered(tuple(map(sweep.fact, reading.captured)))
        run = self.runs.run(calculation(op), reading.key, lattice_values)
        if run.raised is not None:
            sweep.ended = True
        self.report(op, kind, run)
        found = self.runs.results(run, names, lattice_values, kind, len(yielded))
        for result, value, lattice_value in zip(op.results, yielded, found, strict=True):
            self.learn(op, kind, result, value, lattice_value)
        if sweep.writing and kind in self.written:
            self.write(op, kind, reading, (names, lattice_values), run)

    def write(
        self, op: ir.Operation, kind: Kind, reading: Reading, known: Renumbered, run: Run
    ) -> None:
        """Simplify a calculation, if its outcome is known and can be materialised."""
        if run.outcome is not None and run.outcome.values is not None:
            try:
                self.writer.write(op, kind, reading, *known, run)
            except Unwritable as error:
                self.remark(op, kind, str(error))

    def learn(
        self,
        op: ir.Operation,
        kind: Kind,
        result: ir.Value,
        value: ir.Value,
        lattice_value: Tensor | None,
    ) -> None:
        """Record the lattice value of a result, and refine its type."""
        sweep = self.sweep
        known = sweep.fact(value)
        if isinstance(known, Tensor):
            lattice_value = (
                sweep.facts.tensor(None, None) if lattice_value is None else lattice_value
            )
            declared = sweep.types.tensor(result.type)
            assert declared is not None
            lasting = sweep.lasting(lattice_value, result)
            assert isinstance(lasting, Tensor)
            try:
                sweep.declared.meet(lasting, result.type)
            except Contradiction as error:
                inferred = sweep.declared.tensor_type(lattice_value, declared)
                message = (
                    f"{operator_of(op)} is declared {declared}, but its {kind} function infers "
                    f"{inferred}: {error}"
                )
                sweep.ended = True
                if sweep.writing:
                    sweep.state.diagnostics.error(op.location, message)
                    raise PassFailure(message) from None
                lasting = sweep.facts.tensor(None, None)
            sizes = known.sizes if lasting.sizes is None else lasting.sizes
            if known.sizes is not None and lasting.sizes is not None:
                pairs = zip(known.sizes, lasting.sizes, strict=True)
                sizes = tuple(one if isinstance(one, int) else other for one, other in pairs)
            dtype = known.dtype if lasting.dtype is None else lasting.dtype
            known = self.with_elements(op, sweep.facts.tensor(sizes, dtype), result)
            if sweep.writing:
                # A calculation of the other kind may wrap a simplified one, or be wrapped by it.
                only = sweep.facts.tensor(
                    sizes if "shape" in self.written else None,
                    dtype if "dtype" in self.written else None,
                )
                self.refine(op, result, sweep.declared.refined(only, result.type))
        elif lattice_value is not None and sweep.declared.kind(result.type) == "number":
            kind_of_number = _NUMBERS.get(lattice_value.dtype)
            if kind_of_number is not None and isinstance(known, Anything):
                known = sweep.facts.anything(kind_of_number)
            if kind_of_number is not None and sweep.writing and "dtype" in self.written:
                self.refine(op, result, sweep.types.parse(f"!torch.{kind_of_number}"))
        if not sweep.again:
            sweep.known[result] = known
        else:
            sweep.known.setdefault(result, known)

    def with_elements(
        self, op: ir.Operation, lattice_value: Tensor, result: ir.Value
    ) -> LatticeValue:
        """The lattice value of a result, with its elements if they are a few ints."""
        inner = operator_in(op)
        name = name_of(inner)
        if name not in elements.RULES or len(inner.results) != 1:
            return lattice_value
        return self.sweep.with_elements(name, self.sweep.operands(inner), lattice_value, result)

    def refine(self, op: ir.Operation, result: ir.Value, type: ir.Type) -> None:
        """Refine the type of a result, and of the value that the body yields for it."""
        if result.type == type:
            return
        self.sweep.writer.set_type(result, type)
        self.sweep.state.count(self.sweep.name, "types refined")
        while True:
            last = terminator(body(op))
            index = list(op.results).index(result)
            value = last.operands[index]
            if not _takes_type(value, op):
                last.operands[index] = self.sweep.writer.cast(value, type, last)
                return
            inner = value.owner.operation
            self.sweep.writer.set_type(value, type)
            if inner.name == CAST:
                self.refine_source(inner.operands[0], type)
            if inner.name not in OP_NAMES:
                return
            op, result = inner, value

    def refine_source(self, source: ir.Value, type: ir.Type) -> None:
        """Refine the operand of a cast to the type of the cast's result."""
        owner = source.owner
        have, want = self.sweep.types.tensor(source.type), self.sweep.types.tensor(type)
        if isinstance(owner, ir.Block) or have is None or want is None or not want.refines(have):
            return
        if is_free(owner.operation.name) and not len(owner.operation.regions):
            self.sweep.writer.set_type(source, type)

    # Diagnostics.

    def report(self, op: ir.Operation, kind: Kind, run: Run) -> None:
        """Report why a calculation inferred nothing."""
        if not self.sweep.writing or kind not in self.written:
            return
        if run.raised is not None:
            self.sweep.state.count(self.sweep.name, "calculations that raise")
            self.warn(op, f"{operator_of(op)} always raises: {run.raised}")
        elif run.remark is not None:
            self.remark(op, kind, run.remark)

    def remark(self, op: ir.Operation, kind: Kind, reason: str) -> None:
        """Report that a calculation is left unchanged."""
        self.warn(op, f"cannot infer the {kind} of {operator_of(op)}: {reason}")

    def warn(self, op: ir.Operation, message: str) -> None:
        """A warning at the operator, with the types of its operands."""
        types = self.sweep.types
        operands = ", ".join(types.text(operand.type) for operand in operator_in(op).operands)
        self.sweep.state.diagnostics.warning(op.location, f"{message} (operands: {operands})")


def _takes_type(value: ir.Value, op: ir.Operation) -> bool:
    """Whether the type of a value that a calculate op yields can be changed."""
    if isinstance(value.owner, ir.Block):
        return False
    inner = value.owner.operation
    if inner.parent != op and len(list(value.uses)) > 1:
        return False
    return inner.name in OP_NAMES or (is_free(inner.name) and not len(inner.regions))
