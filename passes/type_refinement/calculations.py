"""Reified calculations: run once, they refine the types of what they are about, and are written as
what they come to.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any

from torch_refine.abstract_interp_lib.scalar_types import NUMBERS
from torch_refine.abstract_interpreter.adapting import Results
from torch_refine.abstract_interpreter.capturing import Captured, capture, with_names
from torch_refine.abstract_interpreter.facts import Anything, Fact, Tensor, number_of
from torch_refine.abstract_interpreter.materialising.materialiser import Materialiser
from torch_refine.abstract_interpreter.materialising.writer import Constants, Unwritable, Writer
from torch_refine.abstract_interpreter.numbers.expressions import (
    Atom,
    Number,
    Symbol,
    single_atom,
)
from torch_refine.abstract_interpreter.outcomes import Outcome, Trace, atom_of, snapshot
from torch_refine.abstract_interpreter.running.decoder import (
    TERMINATORS,
    Program,
    decode,
    is_constant,
)
from torch_refine.abstract_interpreter.running.errors import GivenUp, Raised
from torch_refine.abstract_interpreter.running.evaluator import KNOWN, Evaluator
from torch_refine.abstract_interpreter.running.recording import Recorder, UnrecordedError
from torch_refine.abstract_interpreter.values import ListObject
from torch_refine.dialect.bindings import attributes_of, ir, operations
from torch_refine.dialect.calculate_ops import (
    BODY_YIELDS,
    CALCULATE,
    OP_NAMES,
    body,
    calculation,
    terminator,
)
from torch_refine.dialect.names import Kind, name_of
from torch_refine.dialect.tensor_type import Contradiction
from torch_refine.passes.base import PassFailure, Reading
from torch_refine.passes.casts import CAST, is_free
from torch_refine.passes.program import enclosing_module, symbol_name
from torch_refine.passes.type_refinement import elements

if TYPE_CHECKING:
    from torch_refine.passes.type_refinement.sweep import Sweep

_KINDS: dict[str, Kind] = {names.op: kind for kind, names in CALCULATE.items()}
# The types of numbers by the dtypes that calculations give for them; floats promote to float32.
_NUMBERS: dict[int | None, str] = {
    NUMBERS["int64"]: "int",
    NUMBERS["float32"]: "float",
    NUMBERS["float64"]: "float",
}
_NESTED_TOO_DEEPLY = "its function is nested too deeply"


@dataclass
class Run:
    """One run of a calculation, for captured values of which certain facts are known."""

    outcome: Outcome | None
    captured: Captured
    raised: str | None = None
    remark: str | None = None


@dataclass
class Layer:
    """One calculate op around an operator."""

    kind: Kind
    op: ir.Operation
    reading: Reading


@dataclass
class Nest:
    """An operator in the calculate ops around it, from the outermost one inwards.

    `values` are what the operator and the calculations take; `chains` are, for each result, its
    value outside of each op. `source` is what the operator casts, if that is all it does.
    """

    layers: list[Layer]
    values: tuple[ir.Value, ...]
    chains: list[list[ir.Value]]
    key: Hashable
    source: ir.Value | None


@dataclass
class Visited:
    """What a nest gives: lattice values of the results, their types, and what is written.

    A calculation that reads nothing is a copy of its template, and does what `readings` say.
    """

    facts: list[Fact]
    types: list[ir.Type]
    templates: list[ir.Operation | None]
    readings: dict[Kind, Reading]


class Calculations:
    """The calculations of a module.

    Those of the kinds that are to be `written` refine types, and are simplified; others only say
    what they know.
    """

    def __init__(self, sweep: Sweep, written: Collection[Kind]) -> None:
        self.sweep = sweep
        self.written = written
        self._functions = {
            symbol_name(op): op
            for op in operations(enclosing_module(sweep.module).regions[0].blocks[0])
            if op.name == "func.func"
        }
        kept = sweep.state.kept
        place = enclosing_module(sweep.module).regions[0].blocks[0]
        self._programs: dict[str, Program | None]
        self._runs: dict[Hashable, Run]
        self._programs, self._runs = kept.setdefault(place, ({}, {}))
        self._nests: dict[ir.Block, Nest | None] = {}
        self._visited: dict[Hashable, Visited] = {}
        self._templates: dict[Hashable, ir.Operation | None] = {}
        self._constants: Constants | None = None
        # How many calculate ops are open: what an operator in them gives is theirs to say.
        self.depth = 0
        self._origins: dict[Symbol, tuple[ir.Value, int | None]] = {}
        self._known = 0

    @contextmanager
    def sharing_constants(self, function: ir.Operation) -> Iterator[None]:
        """Go through a function that is written, whose calculations share their constants."""
        entry = function.regions[0].blocks[0]
        self._constants = Constants(self.sweep.types, entry, function.location)
        try:
            yield
        finally:
            self.sweep.state.constants += self._constants.made
            self._constants = None
            # Templates use the constants, and must not be left to the collector.
            self._erase_templates()
            for visited in self._visited.values():
                self._templates.update(enumerate(visited.templates))
                self._erase_templates()
            self._visited.clear()

    def _erase_templates(self) -> None:
        """Erase the templates that nothing holds."""
        for template in self._templates.values():
            if template is not None:
                template.erase()
        self._templates.clear()

    def program(self, symbol: str) -> Program | None:
        """The decoded function of a symbol, None when the module has no body for it."""
        if symbol not in self._programs:
            op = self._functions.get(symbol)
            blocks = [] if op is None else list(op.regions[0].blocks)
            # A function with branches between blocks is no library function.
            types = self.sweep.types
            self._programs[symbol] = decode(blocks[0], types) if len(blocks) == 1 else None
        return self._programs[symbol]

    def reading(self, op: ir.Operation) -> Reading:
        """What a calculate op's calculation does."""
        readings = self.sweep.state.readings
        found = readings.get(body(op))
        if found is None:
            found = readings[body(op)] = read(calculation(op))
        return found

    # Visits.

    def visit(self, op: ir.Operation, name: str) -> None:
        """A calculate op, and those in it: as the same one before, or one after the other."""
        sweep = self.sweep
        place = body(op)
        if place not in self._nests:
            self._nests[place] = nest_of(op, self.reading)
        nest = self._nests[place]
        if nest is None:
            self.visit_layer(op, name)
            return
        facts = tuple(map(sweep.fact, nest.values))
        declared = [chain[0].type for chain in nest.chains]
        key = (nest.key, sweep.writing, sweep.inference.device, facts, *declared)
        found = self._visited.get(key)
        if found is not None:
            self.apply(nest, found)
            return
        reported = len(sweep.state.diagnostics.reported)
        self._erase_templates()
        self.visit_layer(op, name)
        results = [sweep.fact(chain[0]) for chain in nest.chains]
        known = {symbol for fact in facts for symbol in fact.symbols}
        if (
            len(sweep.state.diagnostics.reported) == reported
            and not sweep.ended
            and all(symbol in known for fact in results for symbol in fact.symbols)
        ):
            types = [chain[0].type for chain in nest.chains]
            templates = [self._templates.pop(body(layer.op), None) for layer in nest.layers]
            readings = {layer.kind: self.reading(layer.op) for layer in nest.layers}
            self._visited[key] = Visited(results, types, templates, readings)

    def apply(self, nest: Nest, found: Visited) -> None:
        """Have a nest give what the same one gave before."""
        sweep = self.sweep
        self.sweep.inference.hits += 1
        for chain, fact, type in zip(nest.chains, found.facts, found.types, strict=True):
            sweep.known[chain[0]] = fact
            if sweep.writing and chain[0].type != type:
                for value in chain:
                    sweep.writer.set_type(value, type)
                if nest.source is not None:
                    self.refine_source(nest.source, type)
                sweep.state.count(sweep.name, "types refined")
        if not sweep.writing:
            return
        for layer, template in zip(nest.layers, found.templates, strict=True):
            if template is not None:
                copy = template.clone(ip=False)
                calculation(layer.op).append_to(copy.regions[0])
                calculation(copy).append_to(layer.op.regions[1])
                copy.erase()
                sweep.state.readings[body(layer.op)] = found.readings[layer.kind]
            elif layer.kind in self.written:
                reading = layer.reading
                captured = tuple(map(sweep.fact, reading.captured))
                names, facts = sweep.inference.renumbered(captured)
                run = self.run(calculation(layer.op), reading.key, facts)
                if run.outcome is not None and run.outcome.values is not None:
                    self.write(layer.op, layer.kind, reading, names, facts, run)

    def visit_layer(self, op: ir.Operation, name: str) -> None:
        """A calculate op: its body, then what its calculation says of the results."""
        sweep, kind = self.sweep, _KINDS[name]
        self.depth += 1
        for inner in list(operations(body(op))):
            if inner.name in OP_NAMES:
                self.visit_layer(inner, inner.name)
            else:
                sweep.visit_op(inner)
        self.depth -= 1
        yielded = list(terminator(body(op)).operands)
        block, reading = calculation(op), self.reading(op)
        names, facts = sweep.inference.renumbered(tuple(map(sweep.fact, reading.captured)))
        run = self.run(block, reading.key, facts)
        if run.raised is not None:
            sweep.ended = True
        self.report(op, kind, run)
        found = self.results(run, names, facts, kind, len(yielded))
        writing = sweep.writing and kind in self.written
        for result, value, fact in zip(op.results, yielded, found, strict=True):
            self.learn(op, kind, result, value, fact)
        if writing and run.outcome is not None and run.outcome.values is not None:
            self.write(op, kind, reading, names, facts, run)

    def learn(
        self,
        op: ir.Operation,
        kind: Kind,
        result: ir.Value,
        value: ir.Value,
        fact: Tensor | None,
    ) -> None:
        """Note what is known of a result, and refine its type."""
        sweep = self.sweep
        known = sweep.fact(value)
        if isinstance(known, Tensor):
            fact = sweep.facts.tensor(None, None) if fact is None else fact
            declared = sweep.types.tensor(result.type)
            assert declared is not None
            lasting = sweep.lasting(fact, result)
            assert isinstance(lasting, Tensor)
            try:
                sweep.declared.meet(lasting, result.type)
            except Contradiction as error:
                inferred = sweep.declared.tensor_type(fact, declared)
                message = (
                    f"{operator_of(op)} is declared {declared}, but its {kind} function gives "
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
                # A calculation of the other kind may stand around or inside of one that is written.
                only = sweep.facts.tensor(
                    sizes if "shape" in self.written else None,
                    dtype if "dtype" in self.written else None,
                )
                self.refine(op, result, sweep.declared.refined(only, result.type))
        elif fact is not None and sweep.declared.kind(result.type) == "number":
            kind_of_number = _NUMBERS.get(fact.dtype)
            if kind_of_number is not None and isinstance(known, Anything):
                known = sweep.facts.anything(kind_of_number)
            if kind_of_number is not None and sweep.writing and "dtype" in self.written:
                self.refine(op, result, sweep.types.parse(f"!torch.{kind_of_number}"))
        sweep.known[result] = known

    def with_elements(self, op: ir.Operation, fact: Tensor, result: ir.Value) -> Fact:
        """The fact of a result, with its elements where they are a few ints."""
        inner = operator_in(op)
        name = name_of(inner)
        if name not in elements.RULES or len(inner.results) != 1:
            return fact
        return self.sweep.with_elements(name, self.sweep.operands(inner), fact, result)

    def refine(self, op: ir.Operation, result: ir.Value, type: ir.Type) -> None:
        """Give a result a more precise type, and what the body yields for it."""
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
        """Give what a cast takes the type that was found of the cast."""
        owner = source.owner
        have, want = self.sweep.types.tensor(source.type), self.sweep.types.tensor(type)
        if isinstance(owner, ir.Block) or have is None or want is None or not want.refines(have):
            return
        if is_free(owner.operation.name) and not len(owner.operation.regions):
            self.sweep.writer.set_type(source, type)

    # Runs.

    def run(self, block: ir.Block, key: Hashable, facts: tuple[Fact, ...]) -> Run:
        """Run a calculation for captured values of which facts are known."""
        whole = (key, facts, self.sweep.inference.device)
        found = self._runs.get(whole)
        if found is None:
            found = self._runs[whole] = self._run(block, facts)
            self.sweep.inference.misses += 1
        else:
            self.sweep.inference.hits += 1
        return found

    def _run(self, block: ir.Block, facts: tuple[Fact, ...]) -> Run:
        captured = capture(facts)
        recorder = Recorder(KNOWN.__contains__)
        recorder.trace.steps += captured.steps
        evaluator = Evaluator(self.program, self.sweep.inference.device, recorder)
        try:
            program = decode(block, self.sweep.types)
            values = evaluator.run(program, [], captured.values)
        except Raised as error:
            return Run(None, captured, raised=str(error))
        except (GivenUp, UnrecordedError) as error:
            return Run(None, captured, remark=str(error))
        except RecursionError:
            return Run(None, captured, remark=_NESTED_TOO_DEEPLY)
        known = evaluator.assumptions
        resolved = tuple(_resolved(value, evaluator) for value in values)
        return Run(Outcome(resolved, known, recorder.trace), captured)

    def results(
        self,
        run: Run,
        names: dict[Atom, Number],
        facts: tuple[Fact, ...],
        kind: Kind,
        count: int,
    ) -> list[Tensor | None]:
        """What a calculation says of each result, under the names of the program."""
        outcome = run.outcome
        if outcome is None or outcome.values is None or len(outcome.values) != count:
            return [None] * count
        sweep = self.sweep
        results = Results(sweep.facts, {symbol for fact in facts for symbol in fact.symbols})
        found: list[Fact] = []
        for value in outcome.values:
            if kind == "dtype":
                found.append(sweep.facts.tensor(None, results.dtype(value, outcome.assumptions)))
                continue
            sizes = results.sizes(value, outcome.assumptions)
            found.append(sweep.facts.tensor(sizes, None))
        restored = sweep.inference.restored(tuple(found), names)
        return [fact if isinstance(fact, Tensor) else None for fact in restored]

    # Writing.

    def write(
        self,
        op: ir.Operation,
        kind: Kind,
        reading: Reading,
        names: dict[Atom, Number],
        facts: tuple[Fact, ...],
        run: Run,
    ) -> None:
        """Write what a calculation comes to in its place."""
        old = calculation(op)
        draft = ir.Operation.create(op.name, regions=2, loc=op.location, ip=False)
        new = draft.regions[0].blocks.append()
        try:
            try:
                closed = self.materialise(op, kind, new, reading.captured, names, run)
            except Unwritable:
                weaker = with_names(self.sweep.facts, facts)
                run = self.run(old, reading.key, weaker)
                if run.outcome is None:
                    raise
                new = draft.regions[0].blocks.append()
                closed = self.materialise(op, kind, new, reading.captured, names, run)
            old.append_to(draft.regions[0])
            new.append_to(draft.regions[1])
            if closed:
                self._templates[body(op)] = _template(draft)
            new.append_to(op.regions[1])
            del self.sweep.state.readings[body(op)]
        except Unwritable as error:
            self.remark(op, kind, str(error))
        finally:
            # Not left to the collector: what it reads may be gone by then.
            draft.erase()

    def materialise(
        self,
        op: ir.Operation,
        kind: Kind,
        block: ir.Block,
        captured: list[ir.Value],
        names: dict[Atom, Number],
        run: Run,
    ) -> bool:
        """Write the outcome of a run into a block; whether it reads nothing from outside."""
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
            return self.origin(op, known, writer) if isinstance(known, Symbol) else None

        materialiser = Materialiser(writer, given, origin)
        values = list(map(snapshot, outcome.values))
        operands = materialiser.write(outcome.trace or Trace(), values, CALCULATE[kind].yielded)
        writer.emit(CALCULATE[kind].calculation_yield, [], operands)
        return not materialiser.reads

    def origin(self, op: ir.Operation, symbol: Symbol, writer: Writer) -> ir.Value | None:
        """A size or int of the program that is a symbol, for use in a calculation of `op`."""
        known = self.sweep.known
        for value, fact in islice(known.items(), self._known, None):
            if isinstance(fact, Tensor):
                for dim, size in enumerate(fact.sizes or ()):
                    atom = single_atom(size)
                    if isinstance(atom, Symbol):
                        self._origins.setdefault(atom, (value, dim))
                continue
            number = number_of(fact)
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

    # Diagnostics.

    def report(self, op: ir.Operation, kind: Kind, run: Run) -> None:
        """Say why a calculation says nothing."""
        if not self.sweep.writing or kind not in self.written:
            return
        if run.raised is not None:
            self.sweep.state.count(self.sweep.name, "calculations that raise")
            self.warn(op, f"{operator_of(op)} always raises: {run.raised}")
        elif run.remark is not None:
            self.remark(op, kind, run.remark)

    def remark(self, op: ir.Operation, kind: Kind, reason: str) -> None:
        """Say that a calculation stays as it is."""
        self.warn(op, f"the {kind} of {operator_of(op)} stays: {reason}")

    def warn(self, op: ir.Operation, message: str) -> None:
        """A warning at the operator, with the types of its operands."""
        types = self.sweep.types
        operands = ", ".join(types.text(operand.type) for operand in operator_in(op).operands)
        self.sweep.state.diagnostics.warning(op.location, f"{message} (operands: {operands})")


def _resolved(value: Any, evaluator: Evaluator) -> Any:
    """A result in terms of what is not bound at the end of the run."""
    known = evaluator.assumptions
    if isinstance(value, ListObject) and value.items is not None:
        value.items = [_resolved(item, evaluator) for item in value.items]
        return value
    if isinstance(value, tuple):
        return tuple(_resolved(item, evaluator) for item in value)
    number = known.resolve(value) if single_atom(value) or hasattr(value, "terms") else value
    if hasattr(number, "terms"):
        only = known.range_of(number).value
        return number if only is None else only
    return number


def _elements(list_: ir.Value, held: Any) -> Iterator[tuple[Any, ir.Value]]:
    """The elements of a captured list that only have names, where an op of the program has them."""
    if not isinstance(held, ListObject) or held.items is None or isinstance(list_.owner, ir.Block):
        return
    maker = list_.owner.operation
    if maker.name == "torch.prim.ListConstruct" and len(maker.operands) == len(held.items):
        for item, operand in zip(held.items, maker.operands, strict=True):
            atom = atom_of(item)
            if atom is not None:
                yield atom, operand


def _template(draft: ir.Operation) -> ir.Operation:
    """A calculate op that holds a copy of the calculation of another, and no body."""
    copy = draft.clone(ip=False)
    rest = ir.Operation.create(draft.name, regions=2, loc=draft.location, ip=False)
    for block in list(copy.regions[0]):
        block.append_to(rest.regions[0])
    rest.erase()
    return copy


def nest_of(op: ir.Operation, reading_of: Callable[[ir.Operation], Reading]) -> Nest | None:
    """A calculate op that holds an operator alone, or another such op; None if it does not."""
    layers: list[Layer] = []
    chains = [[result] for result in op.results]
    values: dict[ir.Value, int] = {}
    key: list[Hashable] = []
    while op.name in OP_NAMES:
        reading = reading_of(op)
        layers.append(Layer(_KINDS[op.name], op, reading))
        for value in reading.captured:
            values.setdefault(value, len(values))
        key += (op.name, reading.key, tuple(map(values.__getitem__, reading.captured)))
        held = list(operations(body(op)))
        if len(held) != 2:
            return None
        op, last = held
        if list(last.operands) != list(op.results):
            return None
        for chain, value in zip(chains, op.results, strict=True):
            chain.append(value)
    if not is_free(op.name) or len(op.regions):
        return None
    operands = list(op.operands)
    for value in operands:
        values.setdefault(value, len(values))
    # The operator itself may compute small tensors, whose elements are known.
    key += (name_of(op), tuple(map(values.__getitem__, operands)))
    source = operands[0] if op.name == CAST else None
    return Nest(layers, tuple(values), chains, tuple(key), source)


def _takes_type(value: ir.Value, op: ir.Operation) -> bool:
    """Whether a value that a calculate op yields can be given another type."""
    if isinstance(value.owner, ir.Block):
        return False
    inner = value.owner.operation
    if inner.parent != op and len(list(value.uses)) > 1:
        return False
    return inner.name in OP_NAMES or (is_free(inner.name) and not len(inner.regions))


def _is_before(value: ir.Value, op: ir.Operation) -> bool:
    """Whether a value that was visited before an op stands in a block that holds the op."""
    block = value.owner if isinstance(value.owner, ir.Block) else value.owner.operation.block
    outer: ir.Operation | None = op
    while outer is not None and outer.name not in ("builtin.module", "func.func"):
        if any(result == value for result in outer.results):
            return False
        if outer.block == block:
            return True
        outer = None if outer.parent is None else outer.parent.operation
    return False


def operator_in(op: ir.Operation) -> ir.Operation:
    """The first op in the body of a calculate op and of those in it, or the op if it has none."""
    while op.name in OP_NAMES and next(operations(body(op))).name not in BODY_YIELDS:
        op = next(operations(body(op)))
    return op


def operator_of(op: ir.Operation) -> str:
    """The name of the operator that a calculate op is about."""
    return name_of(operator_in(op))


def read(block: ir.Block) -> Reading:
    """What a calculation does and captures."""
    reader = _Reader()
    reader.block(block)
    return Reading(tuple(reader.parts), reader.captured)


@dataclass
class _Reader:
    numbers: dict[ir.Value, int] = field(default_factory=dict)
    captured: list[ir.Value] = field(default_factory=list)
    parts: list[Hashable] = field(default_factory=list)

    def block(self, block: ir.Block) -> None:
        numbers, parts = self.numbers, self.parts
        for argument in block.arguments:
            numbers[argument] = len(numbers)
        for op in operations(block):
            name = op.name
            parts.append(name)
            for operand in op.operands:
                number = numbers.get(operand)
                if number is None:
                    number = numbers[operand] = len(numbers)
                    self.captured.append(operand)
                parts.append(number)
            if name in TERMINATORS:
                break
            for region in op.regions:
                for inner in region:
                    self.block(inner)
            if is_constant(name) or name in _NAMED_BY_ATTRIBUTE or name not in KNOWN:
                parts += attributes_of(op).values()
            for result in op.results:
                numbers[result] = len(numbers)
                parts.append(result.type)


_NAMED_BY_ATTRIBUTE = {"func.call", "torch.operator"}


def _passed_on(sweep: Sweep, op: ir.Operation, name: str) -> None:
    """What a body yields is looked at by the calculate op."""


def _visit(sweep: Sweep, op: ir.Operation, name: str) -> None:
    assert sweep.calculations is not None
    sweep.calculations.visit(op, name)


VISITS: dict[str, Callable[[Sweep, ir.Operation, str], None]] = {
    **dict.fromkeys(OP_NAMES, _visit),
    **dict.fromkeys(BODY_YIELDS, _passed_on),
}
