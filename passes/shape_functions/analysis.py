"""The sizes of a function's results over those of its arguments, and what calls must satisfy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from torch_refine.abstract_interpreter.conditions.conditions import Condition
from torch_refine.abstract_interpreter.conditions.path_condition import NOTHING
from torch_refine.abstract_interpreter.inference import Inference
from torch_refine.abstract_interpreter.lattice import (
    Anything,
    LatticeValue,
    Sequence,
    Tensor,
    number_of,
)
from torch_refine.abstract_interpreter.numbers.expressions import (
    Atom,
    Number,
    Symbol,
    of_atom,
    single_atom,
    substitute,
    symbols_in,
)
from torch_refine.abstract_interpreter.outcomes import atoms_in
from torch_refine.abstract_interpreter.preconditions import MessageParts, PreconditionFinder
from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.guard_messages import decode_guard
from torch_refine.dialect.names import name_of, operator_name
from torch_refine.passes.error_guards.collecting import ASSERT, Collector
from torch_refine.passes.error_guards.origins import Origin, Origins
from torch_refine.passes.error_guards.writing import message_text
from torch_refine.passes.program import device_of, returns_of
from torch_refine.passes.shape_functions.memory import Memory, UnknownMemoryError, memory_of
from torch_refine.passes.symbolic_shapes.writing import SymbolNames, resolved
from torch_refine.passes.type_refinement.sweep import Sweep

_LISTS = ("torch.prim.ListConstruct", "torch.prim.TupleConstruct")
_SAME = ("torch.tensor_static_info_cast", "torch.derefine")


@dataclass(frozen=True)
class Check:
    """A condition on the arguments of every call, with the message of one that violates it.

    `op` requires the condition; it is the function for what `torch.export` assumed.
    """

    condition: Condition
    message: MessageParts
    op: ir.Operation


@dataclass(frozen=True)
class Place:
    """A size of an argument, or an int argument: its name, and its number over entry symbols."""

    argument: int
    dim: int | None
    number: Number

    @property
    def text(self) -> str:
        """The place in messages: `arg0.size(1)`."""
        name = f"arg{self.argument}"
        return name if self.dim is None else f"{name}.size({self.dim})"


@dataclass(frozen=True)
class ResultShape:
    """The sizes of a tensor that a function returns, None if its rank is unknown."""

    value: ir.Value
    sizes: tuple[Number, ...] | None
    dtype: int | None


class FunctionShapes:
    """The symbolic sizes of one function, after a sweep of its module with `learned`.

    `places` are the sizes and ints of arguments, `origins` the places that symbols are read from,
    `checks` what every call must satisfy, in order, and `unchecked` the operators with
    preconditions on more than the arguments' sizes and ints.
    """

    def __init__(self, function: ir.Operation, sweep: Sweep, inference: Inference) -> None:
        self.function = function
        self.sweep = sweep
        self.path = NOTHING if sweep.learned is None else sweep.learned.path
        self.names = SymbolNames(sweep.symbol_names)
        self.places: list[Place] = []
        self.checks: list[Check] = []
        self.unchecked: list[ir.Operation] = []
        self.impossible: list[tuple[ir.Operation, str]] = []
        self._origins = Origins()
        self._makers: dict[Symbol, ir.Operation] | None = None
        self.arguments = list(function.regions[0].blocks[0].arguments)
        sweep.enter(device_of(function))
        for index, argument in enumerate(self.arguments):
            self._add_argument(argument, index)
        # Entry symbols by what is learned to be equal to them.
        self._entry_of: dict[Atom, Number] = {}
        for atom, number in self.path.bindings.items():
            other = single_atom(number)
            if atom in self.names.entry and other is not None and other not in self.names.entry:
                self._entry_of.setdefault(other, of_atom(atom))
        self._collect(Collector(PreconditionFinder(inference), sweep.fact, True))
        self.results = [
            each for op in returns_of(function)[:1] for v in op.operands for each in self._result(v)
        ]
        self._join_returns()

    def origin(self, symbol: Symbol) -> Origin | None:
        """The place that an entry symbol is read from; None if it has to be given by name."""
        return self._origins.find(symbol)

    def is_entry(self, number: Number) -> bool:
        """Whether the arguments determine a number."""
        return all(symbol in self.names.entry for symbol in symbols_in(number))

    def resolve(self, number: Number) -> Number:
        """A number by what holds for runs without errors, over entry symbols if possible."""
        if isinstance(number, int):
            return number
        found = substitute(resolved(number, self.path), self._entry_of)
        return number if self.is_entry(number) and not self.is_entry(found) else found

    def sizes(self, value: ir.Value, tensor: Tensor) -> tuple[Number, ...] | None:
        """The sizes of a tensor, or of one in a list; None if the rank is unknown."""
        if tensor.sizes is None:
            return None
        type = self.sweep.types.tensor(value.type)
        if type is None or type.sizes is None or len(type.sizes) != len(tensor.sizes):
            return tuple(map(self.resolve, tensor.sizes))
        return tuple(
            self.resolve(size) if static is None else static
            for size, static in zip(tensor.sizes, type.sizes, strict=True)
        )

    def maker(self, number: Number) -> ir.Operation | None:
        """The first operator whose result has a symbol of a number that is no entry symbol."""
        if self._makers is None:
            self._makers = {}
            for op in walk(self.function):
                for result in op.results:
                    for symbol in self.sweep.fact(result).symbols:
                        self._makers.setdefault(symbol, op)
        for symbol in symbols_in(number):
            if symbol not in self.names.entry and symbol in self._makers:
                return self._makers[symbol]
        return None

    def memory(self) -> Memory:
        """The live bytes over entry symbols; raises UnknownMemoryError."""
        found = memory_of(self.function, self.sweep.fact, self.sizes)
        for number in (found.inputs, *(number for number, _ in found.candidates)):
            if not self.is_entry(number):
                maker = self.maker(number)
                name = "a value" if maker is None else operator_name(name_of(maker))
                raise UnknownMemoryError(
                    maker, f"no argument determines a size that {name} returns"
                )
        return found

    # Arguments.

    def _add_argument(self, argument: ir.Value, index: int) -> None:
        fact = self.sweep.fact(argument)
        self._origins.add_argument(argument, index, fact)
        if isinstance(fact, Tensor):
            sizes = self.argument_sizes(argument) or ()
            self.names.add_argument(sizes)
            self.places += (Place(index, dim, size) for dim, size in enumerate(sizes))
            return
        number = number_of(fact)
        if number is not None:
            for symbol in symbols_in(number):
                label = getattr(argument.location, "name_str", None)
                name = str(label) if label and str(label).isidentifier() else f"arg{index}"
                if name in self.names.taken:
                    name = f"arg{index}"
                self.names.entry.add(symbol)
                self.names.taken.add(name)
                self.names.names.setdefault(symbol, name)
            self.places.append(Place(index, None, number))

    def argument_sizes(self, argument: ir.Value) -> tuple[Number, ...] | None:
        """The sizes of an argument, as it declares them."""
        fact, type = self.sweep.fact(argument), self.sweep.types.tensor(argument.type)
        if not isinstance(fact, Tensor) or fact.sizes is None or type is None:
            return None
        static = type.sizes if type.sizes is not None else (None,) * len(fact.sizes)
        pairs = zip(fact.sizes, static, strict=True)
        return tuple(size if known is None else known for size, known in pairs)

    # What calls must satisfy.

    def _collect(self, collector: Collector) -> None:
        contract = collector.collect(self.function)
        for condition, message in collector.stated(self.function):
            guard = decode_guard(message)
            stated = message if guard is None else guard.guard
            self._add(condition, (f"the program was exported for {stated}",), self.function)
        for op in operations(self.function.regions[0].blocks[0]):
            if op.name == ASSERT:
                asserted = collector.condition(op.operands[0])
                text = str(ir.StringAttr(op.attributes["message"]).value)
                if asserted is not None:
                    self._add(asserted, (text,), op)
                else:
                    self.unchecked.append(op)
        for each in contract.guards:
            operator = operator_name(name_of(each.op))
            first = each.message[0] if each.message else ""
            named = isinstance(first, str) and first.startswith(f"{operator}:")
            if each.hoisted:
                start = () if named else (f"{operator}: ",)
                self._add(each.condition, (*start, *each.message), each.op)
            else:
                self.unchecked.append(each.op)
        self.unchecked += contract.unexpressed
        for op, parts, origins in contract.impossible:
            self.impossible.append((op, message_text(operator_name(name_of(op)), parts, origins)))

    def _add(self, condition: Condition, message: MessageParts, op: ir.Operation) -> None:
        if condition is True:
            return
        if all(atom in self.names.entry for atom in atoms_in(condition)):
            self.checks.append(Check(condition, message, op))
        else:
            self.unchecked.append(op)

    # Results.

    def _result(self, value: ir.Value) -> Iterator[ResultShape]:
        """The tensors that a returned value consists of."""
        while not isinstance(value.owner, ir.Block):
            op = value.owner.operation
            if op.name in _LISTS:
                for operand in op.operands:
                    yield from self._result(operand)
                return
            if op.name not in _SAME:
                break
            value = op.operands[0]
        yield from self._shapes(value, self.sweep.fact(value))

    def _shapes(self, value: ir.Value, fact: LatticeValue) -> Iterator[ResultShape]:
        if isinstance(fact, Tensor):
            yield ResultShape(value, self.sizes(value, fact), fact.dtype)
        elif isinstance(fact, Sequence) and fact.items is not None:
            for item in fact.items:
                yield from self._shapes(value, item)
        elif isinstance(fact, Sequence | Anything) and "tensor" in fact.kind:
            yield ResultShape(value, None, None)

    def _join_returns(self) -> None:
        """Forget sizes that differ between several returns."""
        for op in returns_of(self.function)[1:]:
            others = [each for value in op.operands for each in self._result(value)]
            same = len(others) == len(self.results)
            self.results = [
                mine
                if same and (mine.sizes, mine.dtype) == (others[i].sizes, others[i].dtype)
                else ResultShape(mine.value, None, None)
                for i, mine in enumerate(self.results)
            ]
