"""Pin symbols of a function to numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from torch_refine.abstract_interpreter.numbers.expressions import (
    Atom,
    Expression,
    Number,
    substitute,
    symbols_in,
)
from torch_refine.abstract_interpreter.numbers.parsing import parse_number
from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.tensor_type import Contradiction, Types
from torch_refine.passes.symbolic_shapes.affine import AffineWriter, named_atoms
from torch_refine.passes.symbolic_shapes.reading import (
    BINDING,
    SYMBOL,
    DeclaredSymbols,
    declared_symbol,
)
from torch_refine.passes.type_refinement.writing import Writer


class SpecializationError(ValueError):
    """A symbol cannot be a number; `op` declares or binds it."""

    def __init__(self, op: ir.Operation, message: str) -> None:
        super().__init__(message)
        self.op = op


def declared_symbols(function: ir.Operation) -> dict[str, ir.Operation]:
    """The symbols that a function declares, by name."""
    block = function.regions[0].blocks[0]
    return {declared_symbol(op)[0]: op for op in operations(block) if op.name == SYMBOL}


def specialize(function: ir.Operation, values: Mapping[str, int], types: Types) -> set[str]:
    """Replace symbols by numbers in all bindings of a function, and in its arguments' types.

    For a symbol `_seq`, which `torch.export` gives to a size `8*_seq`, `seq` is the size. Returns
    the names that the function declares. Raises SpecializationError.
    """
    declared = declared_symbols(function)
    symbols = DeclaredSymbols()
    known: dict[Atom, Number] = {}
    found = set()
    for name, value in values.items():
        op = declared.get(name) or declared.get(f"_{name}")
        if op is None:
            continue
        if name not in declared:
            value = _quotient(op, name, value, symbols)
        _check(op, name, value)
        known.update(dict.fromkeys(symbols_in(symbols.symbol(op.result) or 0), value))
        found.add(name)
    if not found:
        return found
    derived = {**known, **_derived(declared, symbols, known)}
    arguments = set(function.regions[0].blocks[0].arguments)
    writer = Writer(types)
    for op in [each for each in walk(function) if each.name == BINDING]:
        value = op.operands[0]
        of_argument = value in arguments
        pins = known if of_argument else derived
        sizes = [size and substitute(size, pins) for size in symbols.sizes(op)]
        if of_argument:
            _refine(op, value, sizes, types, writer)
        _rewrite(op, sizes, symbols)
    for op in declared.values():
        if next(iter(op.result.uses), None) is None:
            op.erase()
    inputs = [argument.type for argument in function.regions[0].blocks[0].arguments]
    results = ir.FunctionType(ir.TypeAttr(function.attributes["function_type"]).value).results
    type = ir.FunctionType.get(inputs, results, function.context)
    function.attributes["function_type"] = ir.TypeAttr.get(type, function.context)
    return found


def _quotient(op: ir.Operation, name: str, size: int, symbols: DeclaredSymbols) -> int:
    """The value of a symbol of which a size is a multiple, given the size."""
    (symbol,) = symbols_in(symbols.symbol(op.result) or 0)
    for use in op.result.uses:
        for bound in symbols.sizes(use.owner.operation):
            if isinstance(bound, Expression) and bound.terms[0][0] == (symbol,):
                factor = bound.terms[0][1]
                if bound.constant == 0 and len(bound.terms) == 1 and factor > 0:
                    if size % factor:
                        raise SpecializationError(op, f"{name} is a multiple of {factor}")
                    return size // factor
    raise SpecializationError(op, f"no size is a multiple of the symbol _{name}")


def _check(op: ir.Operation, name: str, value: int) -> None:
    declared, low, high = declared_symbol(op)
    if not low <= value <= high:
        least, most = (f" {sign} {bound}" for sign, bound in ((">=", low), ("<=", high)))
        text = f"{declared}{least}" if value < low else f"{declared}{most}"
        shown = f"{name}={value}" if name == declared else f"{declared}={value}"
        raise SpecializationError(op, f"{shown} contradicts {text}")


def _derived(
    declared: Mapping[str, ir.Operation], symbols: DeclaredSymbols, known: Mapping[Atom, Number]
) -> dict[Atom, Number]:
    """The values of symbols whose names are expressions of others: `max(batch - 3, 0)`."""

    def find(name: str) -> Number | None:
        op = declared.get(name)
        number = None if op is None else symbols.symbol(op.result)
        return None if number is None else substitute(number, known)

    found: dict[Atom, Number] = {}
    for name, op in declared.items():
        if name.isidentifier():
            continue
        try:
            number = parse_number(name, find)
        except ValueError:
            continue
        if isinstance(number, int):
            found.update(dict.fromkeys(symbols_in(symbols.symbol(op.result) or 0), number))
    return found


def _refine(
    op: ir.Operation,
    argument: ir.Value,
    sizes: Sequence[Number | None],
    types: Types,
    writer: Writer,
) -> None:
    """Refine the type of an argument by the sizes that are numbers now."""
    type = types.tensor(argument.type)
    if type is None or type.sizes is None or len(type.sizes) != len(sizes):
        return
    numbers = tuple(size if isinstance(size, int) else None for size in sizes)
    if any(number is not None and number < 0 for number in numbers):
        raise SpecializationError(op, f"a size is negative: {numbers}")
    try:
        met = type.meet(replace(type, sizes=numbers))
    except Contradiction as error:
        raise SpecializationError(op, str(error)) from None
    if met != type:
        writer.change_result(argument, types.parse(met))


def _rewrite(op: ir.Operation, sizes: Sequence[Number | None], symbols: DeclaredSymbols) -> None:
    """Write a binding anew; one without symbols says what the type says, and is erased."""
    if not sizes or any(size is None for size in sizes):
        return
    numbers = [size for size in sizes if size is not None]
    used = list(dict.fromkeys(atom for size in numbers for atom in named_atoms(size)))
    if used:
        values: dict[Atom, ir.Value] = {
            atom: value
            for value in list(op.operands)[1:]
            for atom in symbols_in(symbols.symbol(value) or 0)
        }
        writer = AffineWriter(used.index, op.context)
        map = ir.AffineMap.get(0, len(used), [writer.write(each) for each in numbers], op.context)
        ir.Operation.create(
            BINDING,
            operands=[op.operands[0], *(values[atom] for atom in used if atom in values)],
            attributes={"shape_expressions": ir.AffineMapAttr.get(map)},
            loc=op.location,
            ip=ir.InsertionPoint(op),
        )
    op.erase()
