"""Where a program has the ints that symbols stand for: sizes of tensors, and scalars."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from torch_refine.abstract_interpreter.lattice import LatticeValue, Tensor, number_of
from torch_refine.abstract_interpreter.numbers.expressions import Number, Symbol
from torch_refine.dialect.bindings import ir
from torch_refine.dialect.names import operator_name

_TENSOR_ITEMS = 64


@dataclass(frozen=True)
class Origin:
    """A value from which a symbol is computed: `(int - constant) // factor`.

    The int is the value itself, or a size of it if `dim` is not None. `argument` is the value's
    index among the function's arguments, None for any other value; `name` is its name in messages.
    """

    value: ir.Value
    dim: int | None
    name: str
    argument: int | None = None
    factor: int = 1
    constant: int = 0

    @property
    def place(self) -> tuple[str, int, int | None]:
        """The int as a message lists it: name, argument, dimension."""
        assert self.argument is not None
        return self.text, self.argument, self.dim

    @property
    def text(self) -> str:
        """The int in messages: `x.size(1)`."""
        return self.name if self.dim is None else f"{self.name}.size({self.dim})"

    @property
    def plain(self) -> str:
        """The int of an argument in a condition: `arg0.size(1)`."""
        name = f"arg{self.argument}"
        return name if self.dim is None else f"{name}.size({self.dim})"

    def solved(self, text: str) -> str:
        """The symbol, given the text of the int."""
        if self.constant:
            sign = "-" if self.constant > 0 else "+"
            text = f"({text} {sign} {abs(self.constant)})"
        return text if self.factor == 1 else f"({text} // {self.factor})"


class Origins:
    """The origins of symbols that are available at a point of a function."""

    def __init__(self) -> None:
        self._known: dict[Symbol, Origin] = {}
        self._added: list[Symbol] = []

    def find(self, symbol: Symbol) -> Origin | None:
        """The origin of a symbol, None if no value gives it here."""
        return self._known.get(symbol)

    def add_argument(self, value: ir.Value, index: int, fact: LatticeValue) -> None:
        """Add an argument of the function."""
        label = getattr(value.location, "name_str", None)
        self._add(value, fact, str(label) if label else f"arg{index}", index)

    def add_result(self, value: ir.Value, fact: LatticeValue) -> None:
        """Add any other value."""
        if fact.symbols:
            self._add(value, fact, _name(value), None)

    @contextmanager
    def region(self) -> Iterator[None]:
        """Enter a region, whose values are not available after it."""
        before = len(self._added)
        try:
            yield
        finally:
            for symbol in self._added[before:]:
                del self._known[symbol]
            del self._added[before:]

    def _add(self, value: ir.Value, fact: LatticeValue, name: str, index: int | None) -> None:
        if isinstance(fact, Tensor):
            for dim, size in enumerate((fact.sizes or ())[:_TENSOR_ITEMS]):
                self._add_number(size, Origin(value, dim, name, index))
        else:
            number = number_of(fact)
            if number is not None:
                self._add_number(number, Origin(value, None, name, index))

    def _add_number(self, number: Number, origin: Origin) -> None:
        """Add the symbol of `factor * symbol + constant`; one that is alone takes precedence."""
        if isinstance(number, int) or len(number.terms) != 1:
            return
        (atoms, factor), constant = number.terms[0], number.constant
        symbol = atoms[0]
        if len(atoms) != 1 or not isinstance(symbol, Symbol) or factor < 1:
            return
        found = self._known.get(symbol)
        is_plain = factor == 1 and constant == 0
        if found is not None:
            # A size of an argument is known at entry, also if it has to be solved for.
            better = is_plain and (found.factor, found.constant) != (1, 0)
            if not better or (found.argument is not None and origin.argument is None):
                return
        else:
            self._added.append(symbol)
        self._known[symbol] = Origin(
            origin.value, origin.dim, origin.name, origin.argument, factor, constant
        )


def _name(value: ir.Value) -> str:
    """A value that is no argument, as messages name it: by its operator, `aten.nonzero`."""
    if isinstance(value.owner, ir.Block):
        return "a block argument"
    return operator_name(value.owner.operation.name).replace("::", ".")
