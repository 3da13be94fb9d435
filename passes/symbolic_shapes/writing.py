"""Write the sizes of a function's values as expressions of symbols."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from torch_refine.abstract_interpreter.conditions.path_condition import NOTHING, PathCondition
from torch_refine.abstract_interpreter.lattice import LatticeValue, Tensor
from torch_refine.abstract_interpreter.numbers.expressions import (
    INT_MAX,
    Atom,
    Derived,
    Number,
    Symbol,
    atoms_in,
    of_atom,
    substitute,
    symbols_in,
)
from torch_refine.abstract_interpreter.numbers.operations import known_extreme
from torch_refine.abstract_interpreter.numbers.printing import expression_text
from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.tensor_type import Types
from torch_refine.passes.casts import CAST
from torch_refine.passes.program import returns_of
from torch_refine.passes.symbolic_shapes.affine import AffineWriter, named_atoms
from torch_refine.passes.symbolic_shapes.reading import (
    BINDING,
    SYMBOL,
    declared_symbol,
)

_TRANSPARENT = ("torch.prim.ListConstruct", "torch.prim.TupleConstruct", "torch.derefine", CAST)

Sizes = tuple[Number, ...]


@dataclass
class _Contents:
    """What a function has, read in one go.

    `symbols` are those of its first block, `bindings` are all; `results` are the values of the
    first block that no cast defines, `nested` those of other blocks and of regions.
    """

    symbols: list[ir.Operation] = field(default_factory=list)
    bindings: list[ir.Operation] = field(default_factory=list)
    results: list[ir.Value] = field(default_factory=list)
    nested: list[ir.Value] = field(default_factory=list)

    @staticmethod
    def of(function: ir.Operation) -> _Contents:
        """The contents of a function with a body."""
        found = _Contents()
        first, *others = function.regions[0].blocks
        for op in operations(first):
            name = op.name
            if name == SYMBOL:
                found.symbols.append(op)
            elif name == BINDING:
                found.bindings.append(op)
            elif name != CAST:
                found.results.extend(op.results)
                if len(op.regions):
                    found._add_nested(walk(op))
        for block in others:
            for op in operations(block):
                found._add_nested([op])
                found._add_nested(walk(op))
        return found

    def _add_nested(self, ops: Iterable[ir.Operation]) -> None:
        for op in ops:
            name = op.name
            if name == BINDING:
                self.bindings.append(op)
            elif name != CAST:
                self.nested.extend(op.results)


@dataclass
class SymbolNames:
    """The names of the atoms of a function's sizes, and whether its arguments determine them.

    A symbol that the program declares keeps its name; others are `s0` if a size of an argument has
    them, else `u0`. A maximum or minimum, which no affine expression gives, is named by its text.
    """

    declared: dict[Symbol, str]
    taken: set[str] = field(default_factory=set)
    names: dict[Symbol, str] = field(default_factory=dict)
    entry: set[Symbol] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.taken.update(self.declared.values())

    def add_argument(self, sizes: Iterable[Number]) -> None:
        """Name the symbols of an argument's sizes."""
        for size in sizes:
            for symbol in symbols_in(size):
                self.entry.add(symbol)
                self.name(symbol)

    def name(self, symbol: Symbol) -> str:
        """The name of a symbol."""
        found = self.names.get(symbol) or self.declared.get(symbol)
        if found is None:
            letter, index = "s" if symbol in self.entry else "u", 0
            while f"{letter}{index}" in self.taken:
                index += 1
            found = f"{letter}{index}"
        self.taken.add(found)
        self.names[symbol] = found
        return found

    def text(self, number: Number) -> str:
        """A size as text."""
        return expression_text(number, self.name)


class SymbolicShapes:
    """The symbolic shapes of one function.

    `arguments` are the sizes of its arguments, `fact` returns the lattice value of a value,
    `declared` has the names of declared symbols, and `path` is what holds for every run of the
    function without errors.
    """

    def __init__(
        self,
        function: ir.Operation,
        types: Types,
        fact: Callable[[ir.Value], LatticeValue],
        declared: dict[Symbol, str],
        path: PathCondition = NOTHING,
    ) -> None:
        self.function = function
        self.types = types
        self.fact = fact
        self.path = path
        self.block = function.regions[0].blocks[0]
        self.names = SymbolNames(declared)
        self.arguments: dict[ir.Value, Sizes] = {}
        self._contents: _Contents | None = None
        self._maps: dict[Sizes, tuple[list[ir.Value], dict[str, ir.Attribute]]] = {}
        self._last: ir.Operation | None = None
        self._known: dict[Number, Number] = {}
        self._sizes: dict[tuple[LatticeValue, ir.Type, bool], Sizes | None] = {}
        # Types of values that have no unknown sizes, or are no tensors with value semantics.
        self._static: set[ir.Type] = set()

    def add_arguments(self) -> None:
        """Add the sizes of all arguments."""
        for argument in self.block.arguments:
            sizes = self.sizes(argument, NOTHING)
            if sizes is not None:
                self.add_argument(argument, sizes)

    def add_argument(self, argument: ir.Value, sizes: Sizes) -> None:
        """Add the sizes of an argument."""
        self.names.add_argument(sizes)
        self.arguments[argument] = sizes

    def results(self) -> dict[ir.Value, Sizes]:
        """The sizes of the tensors that the function returns, but those of arguments."""
        returned = (
            value for each in returns_of(self.function) for value in _tensors(each.operands)
        )
        return self._sized(returned)

    def intermediates(self) -> dict[ir.Value, Sizes]:
        """The sizes of all tensors that operations other than casts define.

        In a region, or in a block that may run again, a size that is only known there has no name.
        """
        self._contents = contents = _Contents.of(self.function)
        found = self._sized(contents.results)
        named = set(self.names.entry)
        distinct = dict.fromkeys(found.values())
        named.update(s for sizes in distinct for size in sizes for s in symbols_in(size))
        inner = self._sized(contents.nested)
        return found | {
            value: sizes
            for value, sizes in inner.items()
            if all(symbol in named for size in sizes for symbol in symbols_in(size))
        }

    def _sized(self, values: Iterable[ir.Value]) -> dict[ir.Value, Sizes]:
        found = {}
        for value in values:
            sizes = None if isinstance(value, ir.BlockArgument) else self.sizes(value, self.path)
            if sizes is not None:
                found[value] = sizes
        return found

    def sizes(self, value: ir.Value, path: PathCondition) -> Sizes | None:
        """The sizes of a tensor if its type has unknown ones; None for any other value."""
        type = value.type
        if type in self._static:
            return None
        tensor = self.types.tensor(type)
        if (
            tensor is None
            or not tensor.value_semantics
            or tensor.sizes is None
            or None not in tensor.sizes
        ):
            self._static.add(type)
            return None
        fact = self.fact(value)
        key = (fact, type, path is NOTHING)
        if key not in self._sizes:
            self._sizes[key] = self._sizes_of(fact, tensor.sizes, path)
        return self._sizes[key]

    def _sizes_of(
        self, fact: LatticeValue, static: tuple[int | None, ...], path: PathCondition
    ) -> Sizes | None:
        if not isinstance(fact, Tensor) or fact.sizes is None or len(fact.sizes) != len(static):
            return None
        return tuple(
            self._resolved(size, path) if known is None else known
            for size, known in zip(fact.sizes, static, strict=True)
        )

    def _resolved(self, size: Number, path: PathCondition) -> Number:
        if isinstance(size, int) or path is NOTHING:
            return size
        found = self._known.get(size)
        if found is None:
            found = self._known[size] = resolved(size, path)
        return found

    # Writing.

    def write(self, values: Mapping[ir.Value, Sizes]) -> int:
        """Bind the sizes of the arguments, and of other values.

        Existing bindings of these are replaced, and symbols of one name merged. Returns the number
        of bindings.
        """
        bindings = {**self.arguments, **values}
        for op in self._existing(bindings):
            op.erase()
        distinct = dict.fromkeys(bindings.values())
        atoms = dict.fromkeys(
            atom for sizes in distinct for size in sizes for atom in named_atoms(size)
        )
        kept = self._merged_symbols()
        symbols = self._write_symbols(atoms, kept)
        for value, sizes in bindings.items():
            self._bind(value, sizes, symbols)
        for op in kept.values():
            if next(iter(op.result.uses), None) is None:
                op.erase()
        return len(bindings)

    def _existing(self, values: Mapping[ir.Value, Sizes]) -> list[ir.Operation]:
        """The ops that bind one of these values."""
        if self._contents is not None:
            return [op for op in self._contents.bindings if op.operands[0] in values]
        return [
            use.owner.operation
            for value in values
            for use in value.uses
            if use.owner.name == BINDING and use.operand_number == 0
        ]

    def _merged_symbols(self) -> dict[str, ir.Operation]:
        """The symbols that the function declares, of each name the first one."""
        kept: dict[str, ir.Operation] = {}
        if self._contents is None:
            symbols = [op for op in operations(self.block) if op.name == SYMBOL]
        else:
            symbols = self._contents.symbols
        for op in symbols:
            first = kept.setdefault(declared_symbol(op)[0], op)
            if first != op:
                op.result.replace_all_uses_with(first.result)
                op.erase()
        return kept

    def _write_symbols(
        self, atoms: Iterable[Atom], kept: Mapping[str, ir.Operation]
    ) -> dict[Atom, ir.Value]:
        """One `torch.symbolic_int` for each atom, at the function's start."""
        found: dict[Atom, ir.Value] = {}
        last: ir.Operation | None = None
        for atom in atoms:
            name = self.names.text(of_atom(atom))
            op = kept.get(name) or self._symbol(name, atom)
            _place(op, self.block, last)
            found[atom], last = op.result, op
        self._last = last
        return found

    def _symbol(self, name: str, atom: Atom) -> ir.Operation:
        # What operators require of arguments is no declaration of the function.
        path = NOTHING if isinstance(atom, Symbol) and atom in self.names.entry else self.path
        within = path.range_of_atom(atom)
        context = self.function.context
        integer = ir.IntegerType.get_signless(64, context)
        low, high = (int(min(max(bound, 0), INT_MAX)) for bound in (within.low, within.high))
        return ir.Operation.create(
            SYMBOL,
            results=[ir.Type.parse("!torch.int", context)],
            attributes={
                "symbol_name": ir.StringAttr.get(name, context),
                "min_val": ir.IntegerAttr.get(integer, low),
                "max_val": ir.IntegerAttr.get(integer, high),
            },
            loc=self.function.location,
            ip=ir.InsertionPoint(self.block.operations[0]),
        )

    def _bind(self, value: ir.Value, sizes: Sizes, symbols: dict[Atom, ir.Value]) -> None:
        found = self._maps.get(sizes)
        if found is None:
            used = list(dict.fromkeys(atom for size in sizes for atom in named_atoms(size)))
            context = self.function.context
            writer = AffineWriter(used.index, context)
            map = ir.AffineMap.get(0, len(used), [writer.write(size) for size in sizes], context)
            found = (
                [symbols[atom] for atom in used],
                {"shape_expressions": ir.AffineMapAttr.get(map)},
            )
            self._maps[sizes] = found
        is_argument = isinstance(value, ir.BlockArgument)
        owner = self._last if is_argument else value.owner.operation
        if owner is None:
            point = ir.InsertionPoint.at_block_begin(self.block)
        else:
            point = ir.InsertionPoint.after(owner)
        op = ir.Operation.create(
            BINDING,
            operands=[value, *found[0]],
            attributes=found[1],
            loc=self.function.location if owner is None or is_argument else owner.location,
            ip=point,
        )
        if is_argument:
            self._last = op


def _place(op: ir.Operation, block: ir.Block, last: ir.Operation | None) -> None:
    """Move an op behind another one, or to the start of a block."""
    if last is not None:
        op.move_after(last)
    elif block.operations[0].operation != op:
        op.move_before(block.operations[0].operation)


def _tensors(values: Iterable[ir.Value]) -> Iterator[ir.Value]:
    """The tensors that values consist of: the elements of lists and tuples, without casts."""
    for value in values:
        owner = value.owner
        if not isinstance(owner, ir.Block) and owner.operation.name in _TRANSPARENT:
            yield from _tensors(owner.operation.operands)
        else:
            yield value


def resolved(number: Number, path: PathCondition) -> Number:
    """A number by what holds on a path: equalities, and which operand of a minimum is smaller."""
    number = path.resolve(number)
    values: dict[Atom, Number] = {}
    for atom in dict.fromkeys(atoms_in(number)):
        if isinstance(atom, Derived) and atom.operation in ("min", "max"):
            left, right = (resolved(each, path) for each in atom.operands)
            known = known_extreme(path, atom.operation, left, right)
            if known is not None:
                values[atom] = known
    return substitute(number, values) if values else number
