"""A program's sizes as a Python function of the sizes of its arguments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from torch_refine.abstract_interp_lib.scalar_types import NAMES
from torch_refine.abstract_interpreter.conditions.printing import condition_text
from torch_refine.abstract_interpreter.numbers.expressions import (
    INT_MAX,
    Expression,
    Symbol,
    symbols_in,
)
from torch_refine.abstract_interpreter.numbers.printing import expression_text
from torch_refine.abstract_interpreter.outcomes import atoms_in
from torch_refine.dialect.bindings import ir
from torch_refine.dialect.diagnostics import location_text
from torch_refine.dialect.names import name_of, operator_name
from torch_refine.passes.shape_functions.analysis import Check, FunctionShapes, Place
from torch_refine.passes.shape_functions.calculation import (
    Calculation,
    Test,
    UndefinedError,
    Values,
)
from torch_refine.passes.shape_functions.sizes import (
    LiveBytes,
    ShapeError,
    SizeSymbol,
    SymbolicShape,
    UnknownSize,
)

Sizes = tuple[int | None, ...]


@dataclass(frozen=True)
class _Source:
    """Where an entry symbol is read: `(size - constant) // factor`."""

    argument: int
    dim: int | None
    factor: int
    constant: int


@dataclass(frozen=True)
class _Test:
    """A compiled check; `message` are texts and positions of numbers."""

    test: Test
    message: tuple[str | int, ...]
    guard: str
    location: str | None


@dataclass(frozen=True)
class _Peak:
    """Positions of live bytes, with the operator and source line of each candidate."""

    inputs: int
    weights: int
    candidates: tuple[tuple[int, str, str | None], ...]


class ShapeFunction:
    """From the sizes of a program's arguments to those of its results, without tensors.

    Call it with the values of `symbols` by name, `f(batch=8, _seq=3)`, or with the sizes of each
    argument, `f([8, 24], [24, 16])`; an int argument is given as it is, and for an argument of
    another type anything. `f(batch=8, seq=24)` gives the size `8*_seq`. The sizes are those of
    every run that does not raise; sizes that the program rejects raise `ShapeError`. Preconditions
    that depend on more than sizes and ints are not checked: `unchecked` lists their operators.

    Attributes:
        name: the name of the function.
        symbols: the symbols that sizes depend on.
        inputs: the arguments, with sizes as expressions of symbols.
        results: the tensors that the function returns, also those in lists and tuples, in order.
        unknown: the sizes of results that no argument determines; a call returns None for them.
        unchecked: operators, with source lines, whose preconditions are not checked.
    """

    def __init__(self, shapes: FunctionShapes, name: str, peak: bool) -> None:
        """Compile the sizes of a function; raises UnknownMemoryError if `peak` is unknown."""
        self.name = name
        self._calculation = Calculation()
        names = shapes.names
        self._places = tuple(shapes.places)
        self._kinds = [_kind(shapes, argument) for argument in shapes.arguments]
        self._ranks = [_rank(shapes, argument) for argument in shapes.arguments]
        self._numbers = [self._calculation.number(each.number) for each in shapes.places]
        self.inputs = tuple(
            _input(shapes, index, names.text) for index in range(len(shapes.arguments))
        )
        self._results: list[tuple[int | None, ...] | None] = []
        results, unknown = [], []
        for index, result in enumerate(shapes.results):
            sizes = result.sizes
            texts = None if sizes is None else tuple(map(names.text, sizes))
            results.append(SymbolicShape(f"result {index}", texts, _dtype(result.dtype)))
            if sizes is None:
                op = result.value.owner
                made = None if isinstance(op, ir.Block) else op.operation
                unknown.append(UnknownSize(index, None, _operator(made), _line(made)))
                self._results.append(None)
                continue
            positions: list[int | None] = []
            for dim, size in enumerate(sizes):
                if shapes.is_entry(size):
                    positions.append(self._calculation.number(size))
                else:
                    made = shapes.maker(size)
                    unknown.append(UnknownSize(index, dim, _operator(made), _line(made)))
                    positions.append(None)
            self._results.append(tuple(positions))
        self.results, self.unknown = tuple(results), tuple(unknown)
        unchecked = list(dict.fromkeys(shapes.unchecked))
        self._tests: list[_Test] = []
        used: set[Symbol] = set()
        for check in shapes.checks:
            try:
                self._tests.append(self._compiled(check, shapes))
            except ValueError:
                unchecked.append(check.op)
            used.update(atom for atom in atoms_in(check.condition) if isinstance(atom, Symbol))
        self.unchecked = tuple(_place_text(op) for op in unchecked)
        self._peak = self._compiled_peak(shapes) if peak else None
        for each in shapes.places:
            if each.dim is not None:
                used.update(symbols_in(each.number))
        for result in shapes.results:
            for size in result.sizes or ():
                used.update(s for s in symbols_in(size) if s in names.entry)
        entry = dict.fromkeys(s for place in shapes.places for s in symbols_in(place.number))
        self._symbols = {names.name(symbol): symbol for symbol in entry if symbol in used}
        self._sources: dict[Symbol, _Source] = {}
        for symbol in self._symbols.values():
            origin = shapes.origin(symbol)
            if origin is not None and origin.argument is not None:
                source = _Source(origin.argument, origin.dim, origin.factor, origin.constant)
                self._sources[symbol] = source
        self.symbols = tuple(
            SizeSymbol(name, symbol.low, symbol.high, _source(shapes, symbol))
            for name, symbol in self._symbols.items()
        )

    def __call__(self, *sizes: Any, **values: int) -> tuple[Sizes | None, ...]:
        """The sizes of the results, None for one that no argument determines.

        Raises ShapeError for sizes that the program rejects.
        """
        found = self._run(sizes, values)
        return tuple(
            None if positions is None else tuple([self._size(found, each) for each in positions])
            for positions in self._results
        )

    def live_bytes(self, *sizes: Any, **values: int) -> LiveBytes:
        """The peak of live bytes over program order, and the operator where it is.

        Raises ShapeError for sizes that the program rejects, ValueError for a function that was
        made without `peak=True`.
        """
        peak = self._peak
        if peak is None:
            raise ValueError("live bytes are computed by shape_function(module, peak=True)")
        found = self._run(sizes, values)
        most, operator, location = 0, None, None
        for position, name, line in peak.candidates:
            live = self._size(found, position)
            if live is not None and live > most:
                most, operator, location = live, name, line
        inputs = self._size(found, peak.inputs)
        return LiveBytes(inputs or 0, peak.weights, most, operator, location)

    def peak_bytes(self, *sizes: Any, **values: int) -> int:
        """The peak of live bytes, with inputs and weights."""
        return self.live_bytes(*sizes, **values).total

    def __repr__(self) -> str:
        arguments, results = (", ".join(map(str, each)) for each in (self.inputs, self.results))
        return f"{self.name}({arguments}) -> ({results})"

    # Calls.

    def _run(self, sizes: Sequence[Any], values: Mapping[str, int]) -> Values:
        if sizes and values:
            raise TypeError("expected the sizes of all arguments, or the values of symbols by name")
        symbols = self._named(values) if values or not self._kinds else self._read(sizes)
        for name, symbol in self._symbols.items():
            value = symbols[symbol]
            if not symbol.low <= value <= symbol.high:
                sign, bound = (">=", symbol.low) if value < symbol.low else ("<=", symbol.high)
                raise ShapeError(f"{name} must be {sign} {bound}, got {value}")
        found = self._calculation.run(symbols)
        for place, position in zip(self._places, self._numbers, strict=True):
            self._check_place(place, found[position], sizes)
        for each in self._tests:
            try:
                holds = each.test(found)
            except UndefinedError:
                holds = False
            if not holds:
                parts = [
                    part if isinstance(part, str) else str(found[part]) for part in each.message
                ]
                raise ShapeError("".join(parts), each.guard, each.location)
        return found

    def _check_place(self, place: Place, value: int | None, sizes: Sequence[Any]) -> None:
        """Check that a size is the one that its symbols give."""
        if sizes and value is not None:
            given = sizes[place.argument]
            given = given if place.dim is None else given[place.dim]
            if given != value:
                text = expression_text(place.number, self._name_of)
                wanted = text if text == str(value) else f"{text} = {value}"
                raise ShapeError(f"{place.text} must be {wanted}, got {given}")
        if place.dim is not None and value is not None and not 0 <= value <= INT_MAX:
            raise ShapeError(f"{place.text} is {value}, which is no size")

    def _named(self, values: Mapping[str, int]) -> dict[Symbol, int]:
        """The values of symbols that are given by name."""
        found: dict[Symbol, int] = {}
        for name, value in values.items():
            if type(value) is not int:
                raise TypeError(f"expected an int for {name}, not {value!r}")
            symbol = self._symbols.get(name)
            if symbol is None and f"_{name}" in self._symbols:
                symbol = self._symbols[f"_{name}"]
                value = self._quotient(name, value, symbol)
            if symbol is None:
                listed = ", ".join(self._symbols) or "none"
                raise ShapeError(f"no symbol has the name {name}; there are: {listed}")
            if found.setdefault(symbol, value) != value:
                raise ShapeError(f"{name} and _{name} are given, and differ")
        missing = [name for name, symbol in self._symbols.items() if symbol not in found]
        if missing:
            raise ShapeError(f"no value is given for {', '.join(missing)}")
        return found

    def _quotient(self, name: str, size: int, symbol: Symbol) -> int:
        source = self._sources.get(symbol)
        if source is None or source.constant:
            raise ShapeError(f"no size is a multiple of the symbol _{name}")
        if size % source.factor:
            raise ShapeError(f"{name} must be a multiple of {source.factor}, got {size}")
        return size // source.factor

    def _read(self, sizes: Sequence[Any]) -> dict[Symbol, int]:
        """The values of symbols, read from the sizes of arguments."""
        if len(sizes) != len(self._kinds):
            missing = "" if sizes else f": {', '.join(self._symbols)}" if self._symbols else ""
            raise ShapeError(
                f"expected the sizes of {len(self._kinds)} arguments, got {len(sizes)}, "
                f"or the values of symbols by name{missing}"
            )
        for index, (kind, rank, given) in enumerate(
            zip(self._kinds, self._ranks, sizes, strict=True)
        ):
            _check_argument(index, kind, rank, given)
        found: dict[Symbol, int] = {}
        for name, symbol in self._symbols.items():
            source = self._sources.get(symbol)
            if source is None:
                raise ShapeError(f"no size of an argument determines {name}: give symbols by name")
            given = sizes[source.argument]
            value = given if source.dim is None else given[source.dim]
            place = Place(source.argument, source.dim, 0).text
            if (value - source.constant) % source.factor:
                wanted = f"a multiple of {source.factor}"
                if source.constant:
                    wanted += f" plus {source.constant}"
                raise ShapeError(f"{place} must be {wanted}, got {value}")
            found[symbol] = (value - source.constant) // source.factor
        return found

    def _size(self, values: Values, position: int | None) -> int | None:
        """A size of a result, or bytes."""
        if position is None:
            return None
        value = values[position]
        if value is None or not 0 <= value <= INT_MAX:
            raise ShapeError("a size is negative, or does not fit into 64 bits")
        return value

    def _name_of(self, symbol: Symbol) -> str:
        return next((name for name, each in self._symbols.items() if each is symbol), "?")

    # Compiling.

    def _compiled(self, check: Check, shapes: FunctionShapes) -> _Test:
        def name(symbol: Symbol) -> str:
            origin = shapes.origin(symbol)
            return "?" if origin is None else origin.solved(origin.plain)

        message: list[str | int] = []
        for part in check.message:
            if isinstance(part, str):
                message.append(part)
            elif isinstance(part, Expression) and shapes.is_entry(part):
                message.append(self._calculation.number(part))
            else:
                message.append("?")
        test = self._calculation.condition(check.condition)
        guard = condition_text(check.condition, name)
        return _Test(test, tuple(message), guard, _line(check.op))

    def _compiled_peak(self, shapes: FunctionShapes) -> _Peak:
        memory = shapes.memory()
        candidates = tuple(
            (self._calculation.number(number), operator_name(name_of(op)), _line(op))
            for number, op in memory.candidates
        )
        return _Peak(self._calculation.number(memory.inputs), memory.weights, candidates)


def _check_argument(index: int, kind: str | None, rank: int | None, given: Any) -> None:
    """Check that what is given for an argument has its form."""
    if kind == "int":
        if type(given) is not int:
            raise ShapeError(f"argument {index} is an int, got {given!r}")
    elif kind is None and rank is not None:
        if not isinstance(given, Sequence) or isinstance(given, str):
            raise ShapeError(f"expected the sizes of argument {index}, got {given!r}")
        if len(given) != rank:
            raise ShapeError(f"argument {index} has {rank} sizes, got {len(given)}")
        for size in given:
            if type(size) is not int or not 0 <= size <= INT_MAX:
                raise ShapeError(f"argument {index} has a size that is no size: {size!r}")


def _kind(shapes: FunctionShapes, argument: ir.Value) -> str | None:
    """The type of an argument, None for a tensor."""
    if shapes.sweep.types.tensor(argument.type) is not None:
        return None
    return shapes.sweep.types.text(argument.type).removeprefix("!torch.")


def _rank(shapes: FunctionShapes, argument: ir.Value) -> int | None:
    sizes = shapes.argument_sizes(argument)
    return None if sizes is None else len(sizes)


def _input(shapes: FunctionShapes, index: int, text: Any) -> SymbolicShape:
    argument = shapes.arguments[index]
    label = getattr(argument.location, "name_str", None)
    name = str(label) if label else f"arg{index}"
    kind = _kind(shapes, argument)
    if kind is not None:
        return SymbolicShape(name, None, kind)
    sizes = shapes.argument_sizes(argument)
    texts = None if sizes is None else tuple(map(text, sizes))
    dtype = getattr(shapes.sweep.fact(argument), "dtype", None)
    return SymbolicShape(name, texts, _dtype(dtype))


def _source(shapes: FunctionShapes, symbol: Symbol) -> str | None:
    origin = shapes.origin(symbol)
    return None if origin is None else origin.solved(origin.plain)


def _dtype(number: int | None) -> str | None:
    return None if number is None else NAMES[number]


def _operator(op: ir.Operation | None) -> str | None:
    return None if op is None else operator_name(name_of(op))


def _line(op: ir.Operation | None) -> str | None:
    return None if op is None else location_text(op.location)


def _place_text(op: ir.Operation) -> str:
    line = _line(op)
    return f"{_operator(op)}{f' at {line}' if line else ''}"
