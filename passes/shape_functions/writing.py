"""Write the shape function of a function as IR."""

from __future__ import annotations

from collections.abc import Iterator

from torch_refine.abstract_interpreter.conditions.conditions import (
    Condition,
    NonNegative,
)
from torch_refine.abstract_interpreter.materialising.arithmetic import Arithmetic
from torch_refine.abstract_interpreter.materialising.writer import Constants, Unwritable, Writer
from torch_refine.abstract_interpreter.numbers.expressions import (
    INT_MAX,
    INT_MIN,
    Expression,
    Number,
    Symbol,
    add,
    negate,
    of_atom,
    subtract,
)
from torch_refine.abstract_interpreter.numbers.printing import expression_text
from torch_refine.abstract_interpreter.outcomes import Atom
from torch_refine.abstract_interpreter.preconditions import MessageParts
from torch_refine.dialect.bindings import ir
from torch_refine.passes.error_guards.collecting import ASSERT
from torch_refine.passes.shape_functions.analysis import FunctionShapes, Place
from torch_refine.passes.shape_functions.memory import Memory

# Attribute of the functions written here: the function whose sizes they compute.
SHAPES_OF = "torch_refine.shapes_of"

__all__ = ["SHAPES_OF", "Unwritable", "write_shape_function"]


def write_shape_function(shapes: FunctionShapes, name: str, memory: Memory | None) -> ir.Operation:
    """Write `@name` behind a function whose result sizes its arguments determine.

    It takes the dynamic sizes and the ints of the arguments, in order, and returns the sizes of
    each result, and the peak of live bytes if `memory` is given. Raises Unwritable, leaving the
    module unchanged, if a size cannot be read from the arguments, or does not fit into 64 bits.
    """
    function = shapes.function
    context = function.context
    places = [each for each in shapes.places if not isinstance(each.number, int)]
    kinds = ["list<int>"] * len(shapes.results) + ["int"] * (memory is not None)
    parse = shapes.sweep.types.parse
    inputs = [parse("!torch.int")] * len(places)
    type = ir.FunctionType.get(inputs, [parse(f"!torch.{kind}") for kind in kinds], context)
    original = ir.StringAttr(function.attributes["sym_name"]).value
    op = ir.Operation.create(
        "func.func",
        attributes={
            "sym_name": ir.StringAttr.get(name, context),
            "function_type": ir.TypeAttr.get(type, context),
            SHAPES_OF: ir.FlatSymbolRefAttr.get(original, context),
        },
        regions=1,
        loc=function.location,
        ip=ir.InsertionPoint.after(function),
    )
    locations = [ir.Location.name(place.text, function.location, context) for place in places]
    block = op.regions[0].blocks.append(*inputs, arg_locs=locations)
    try:
        _BodyWriter(shapes, block, places).write(memory)
    except Unwritable:
        op.erase()
        raise
    return op


class _BodyWriter:
    """Writes the body of a shape function: assertions, then sizes."""

    def __init__(self, shapes: FunctionShapes, block: ir.Block, places: list[Place]) -> None:
        location = shapes.function.location
        self.shapes = shapes
        self.places = places
        self.given = list(block.arguments)
        self._given: dict[tuple[int | None, int | None], ir.Value] = {
            (place.argument, place.dim): value
            for place, value in zip(places, self.given, strict=True)
        }
        # The symbols that are read from sizes and ints of arguments.
        self._symbol_at: dict[tuple[int | None, int | None], Symbol] = {}
        for symbol in shapes.names.entry:
            origin = shapes.origin(symbol)
            if origin is not None:
                self._symbol_at[origin.argument, origin.dim] = symbol
        constants = Constants(shapes.sweep.types, block, location)
        self.writer = Writer(shapes.sweep.types, block, location, constants)
        self.arithmetic = Arithmetic(self.writer, self._atom)

    def write(self, memory: Memory | None) -> None:
        """Write all ops."""
        for condition, message in self._argument_checks():
            self._assert(condition, (message,))
        for check in self.shapes.checks:
            self.writer.location = check.op.location
            self._assert(check.condition, check.message)
        self.writer.location = self.shapes.function.location
        returned = []
        for result in self.shapes.results:
            sizes = [self.arithmetic.number(size) for size in result.sizes or ()]
            made = self.writer.emit("torch.prim.ListConstruct", ["list<int>"], sizes)
            returned.append(made.result)
        if memory is not None:
            returned.append(self._peak(memory))
        self.writer.emit("func.return", [], returned)

    def _argument_checks(self) -> Iterator[tuple[ir.Value, str]]:
        """Conditions on the sizes of arguments: multiples, bounds, and equal sizes."""
        seen: dict[Symbol, None] = {}
        for place, value in zip(self.places, self.given, strict=True):
            text = expression_text(place.number, self.shapes.names.name)
            symbol = self._symbol_at.get((place.argument, place.dim))
            if symbol is not None:
                seen[symbol] = None
                origin = self.shapes.origin(symbol)
                assert origin is not None
                if origin.factor != 1:
                    rest = self._shifted(value, -origin.constant)
                    factor = self.writer.constant(origin.factor)
                    rest = self._emit("torch.aten.remainder.int", rest, factor)
                    yield (
                        self._emit("torch.aten.eq.int", rest, self.writer.constant(0), "bool"),
                        f"{place.text} must be {text}",
                    )
        for symbol in seen:
            name, number = self.shapes.names.name(symbol), of_atom(symbol)
            if symbol.low > INT_MIN:
                condition = NonNegative(_expression(subtract(number, symbol.low)))
                yield self.arithmetic.condition(condition), f"{name} must be >= {symbol.low}"
            if symbol.high < INT_MAX:
                condition = NonNegative(_expression(add(negate(number), symbol.high)))
                yield self.arithmetic.condition(condition), f"{name} must be <= {symbol.high}"
        for place, value in zip(self.places, self.given, strict=True):
            if (place.argument, place.dim) not in self._symbol_at:
                text = expression_text(place.number, self.shapes.names.name)
                same = self._emit(
                    "torch.aten.eq.int", value, self.arithmetic.number(place.number), "bool"
                )
                yield same, f"{place.text} must be {text}"

    def _atom(self, atom: Atom) -> ir.Value:
        """The value of an entry symbol."""
        assert isinstance(atom, Symbol)
        found = self.writer.find(atom)
        if found is None:
            origin = self.shapes.origin(atom)
            if origin is None:
                name = self.shapes.names.name(atom)
                raise Unwritable(f"no size of an argument determines {name}")
            found = self._given[origin.argument, origin.dim]
            found = self._shifted(found, -origin.constant)
            if origin.factor != 1:
                factor = self.writer.constant(origin.factor)
                found = self._emit("torch.aten.floordiv.int", found, factor)
            self.writer.scopes[0].names[atom] = found
        return found

    def _peak(self, memory: Memory) -> ir.Value:
        """The maximum of live bytes, with inputs and weights."""
        most: ir.Value | None = None
        for number, _ in memory.candidates:
            live = self.arithmetic.number(number)
            most = live if most is None else self._emit("torch.prim.max.int", most, live)
        around = self.arithmetic.number(add(memory.inputs, memory.weights))
        return around if most is None else self._emit("torch.aten.add.int", around, most)

    def _assert(self, condition: ir.Value | Condition, message: MessageParts) -> None:
        if not isinstance(condition, ir.Value):
            condition = self.arithmetic.condition(condition)
        text = "".join(
            part if isinstance(part, str) else expression_text(part, self._place_of)
            for part in message
        )
        attributes = {"message": ir.StringAttr.get(text, self.writer.types.context)}
        self.writer.emit(ASSERT, [], [condition], attributes)

    def _place_of(self, symbol: Symbol) -> str:
        origin = self.shapes.origin(symbol)
        return "?" if origin is None else origin.solved(origin.plain)

    def _shifted(self, value: ir.Value, amount: int) -> ir.Value:
        if amount == 0:
            return value
        return self._emit("torch.aten.add.int", value, self.writer.constant(amount))

    def _emit(self, name: str, left: ir.Value, right: ir.Value, kind: str = "int") -> ir.Value:
        return self.writer.emit(name, [kind], [left, right]).result


def _expression(number: Number) -> Expression:
    assert isinstance(number, Expression)
    return number
