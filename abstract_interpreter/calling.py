"""Calling the functions of an operator by hand, from its schema: no kernel, tensor or IR.

infer("aten::mm", TensorSpec(["n", 3]), TensorSpec([3, 4]))   # TensorSpec(['n', 4], 'float32')
"""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from torch_refine.abstract_interp_lib import scalar_types
from torch_refine.abstract_interpreter.facts import Anything, Fact, Facts, Tensor
from torch_refine.abstract_interpreter.facts import Sequence as Items
from torch_refine.abstract_interpreter.inference import Inference
from torch_refine.abstract_interpreter.numbers import expressions
from torch_refine.abstract_interpreter.numbers.expressions import (
    Derived,
    Expression,
    Number,
    Symbol,
)
from torch_refine.abstract_interpreter.running.library import Programs
from torch_refine.dialect.names import KINDS, library_symbol
from torch_refine.dialect.schemas import Argument, operators, schema


class InferenceError(Exception):
    """An operator cannot be inferred: it always raises, or the call does not fit its schema."""


class RejectionError(InferenceError):
    """An operator raises for every such call."""


@dataclass(frozen=True, init=False)
class TensorSpec:
    """A tensor, as far as it is known.

    `sizes` has an entry for each dimension: an int, a name for a size that is not known (the same
    name is the same size), or None for one that has none; it is None itself for an unknown rank.
    What comes out of inference may also be a formula of names, `'2*n + 1'`. `dtype` is a name such
    as `'float32'`, or None.
    """

    sizes: tuple[int | str | None, ...] | None
    dtype: str | None

    def __init__(
        self, sizes: Sequence[int | str | None] | None = None, dtype: Any = "float32"
    ) -> None:
        name = None if dtype is None else str(dtype).removeprefix("torch.")
        if name is not None and name not in scalar_types.NUMBERS:
            raise InferenceError(f"there is no dtype {name!r}")
        object.__setattr__(self, "sizes", None if sizes is None else tuple(sizes))
        object.__setattr__(self, "dtype", name)

    def __str__(self) -> str:
        sizes = "*"
        if self.sizes is not None:
            sizes = ", ".join("?" if size is None else str(size) for size in self.sizes)
        return f"{self.dtype or 'unknown dtype'}[{sizes}]"


Result = TensorSpec | list[TensorSpec] | None


def infer(
    operator: str,
    *args: Any,
    run_on: str | None = None,
    extra_library: Sequence[str | Path] = (),
    **kwargs: Any,
) -> Result | tuple[Result, ...]:
    """What an operator gives, by its shape and dtype functions.

    `operator` is named as in its schema, `aten::conv2d`; arguments follow the schema, with a
    TensorSpec for each tensor, and a name in place of an int that is not known. `run_on` is the
    type of the device that is run on, `"cpu"`, where results depend on it. Returns a TensorSpec for
    each result, a list of them for a list of tensors, None for a list of unknown length; a tuple of
    these where there are several results.

    Raises InferenceError if the operator always raises, with the function's message; if it is not
    known, or has no function; or if the arguments do not fit the schema.
    """
    return Functions(run_on, extra_library).infer(operator, args, kwargs)


class Functions:
    """The functions of many operators, called one after the other; `infer` says of what.

    What was inferred is kept, so that calls that differ in nothing cost little.
    """

    def __init__(self, run_on: str | None = None, extra_library: Sequence[str | Path] = ()) -> None:
        self._programs = Programs(map(Path, extra_library))
        self._facts = Facts()
        self._inference = Inference(self._programs, self._facts, run_on)

    def infer(
        self, operator: str, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Result | tuple[Result, ...]:
        """What an operator gives; see `infer` for the arguments.

        Raises InferenceError as it does; RejectionError if the operator always raises.
        """
        call = _Call(operator, self._facts)
        try:
            operands = call.operands(args, kwargs)
        except InferenceError as error:
            fitting = self._fitting(operator, args, kwargs)
            hint = f"; {' and '.join(fitting)} would take these arguments" if fitting else ""
            raise InferenceError(f"{error}{hint}") from None
        if not any(library_symbol(kind, operator) in self._programs for kind in KINDS):
            raise InferenceError(f"{operator} has no shape and no dtype function")
        inferred = self._inference.infer(operator, operands, call.kinds())
        if inferred.raised is not None:
            raise RejectionError(f"{operator} always raises: {inferred.raised}")
        results = tuple(map(call.result, inferred.results))
        return results[0] if len(results) == 1 else results

    def _fitting(self, operator: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[str]:
        """The other overloads that take some arguments."""
        base = operator.partition(".")[0]
        found = []
        for other in operators():
            if other.partition(".")[0] == base and other != operator:
                try:
                    _Call(other, self._facts).operands(args, kwargs)
                except InferenceError:
                    continue
                found.append(other)
        return found


_DEFAULTS = {"Mean": 1, "Sum": 2, "contiguous_format": 0, "strided": 0}
_RESULT_KINDS = {"Tensor": "vtensor", "Tensor[]": "list<vtensor>", "SymInt": "int"}
_FIXED_LIST = re.compile(r"(.+)\[\d*\]")


class _Call:
    """One call: its symbols by name, and its arguments as facts."""

    def __init__(self, operator: str, facts: Facts) -> None:
        try:
            self.schema = schema(operator)
        except KeyError:
            close = difflib.get_close_matches(operator, operators(), n=3)
            hint = f"; did you mean {' or '.join(close)}?" if close else ""
            raise InferenceError(f"there is no operator {operator!r}{hint}") from None
        self.facts = facts
        self.names: dict[str, Expression] = {}

    def kinds(self) -> tuple[str, ...]:
        """The types of the results."""
        return tuple(_RESULT_KINDS.get(each, each) for each in self.schema.returns)

    def operands(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Fact, ...]:
        """A fact for each of the schema's arguments."""
        positional = [a for a in self.schema.arguments if not a.keyword_only]
        if len(args) > len(positional):
            raise InferenceError(f"{len(args)} positional arguments do not fit {self.schema}")
        given = {a.name: value for a, value in zip(positional, args, strict=False)}
        for name, value in kwargs.items():
            if name in given or all(name != a.name for a in self.schema.arguments):
                raise InferenceError(f"the argument {name!r} does not fit {self.schema}")
            given[name] = value
        return tuple(self.operand(argument, given) for argument in self.schema.arguments)

    def operand(self, argument: Argument, given: dict[str, Any]) -> Fact:
        """The fact of one argument, or of its default."""
        if argument.name in given:
            return self.fact(given[argument.name], argument.type, argument)
        if argument.default is None:
            raise InferenceError(f"the argument {argument.name!r} is missing for {self.schema}")
        text = argument.default
        try:
            value = _DEFAULTS[text] if text in _DEFAULTS else ast.literal_eval(text)
        except (ValueError, SyntaxError):
            return self.facts.anything(argument.type.lower())
        return self.fact(value, argument.type, argument)

    def fact(self, value: Any, kind: str, argument: Argument) -> Fact:
        """A value that the caller gave for a type of the schema."""
        if kind.endswith("?"):
            return (
                self.facts.scalar(None) if value is None else self.fact(value, kind[:-1], argument)
            )
        match = _FIXED_LIST.fullmatch(kind)
        if match is not None:
            return self.list_fact(value, kind, match[1], argument)
        if isinstance(value, TensorSpec) and kind == "Tensor":
            return self.tensor(value)
        if kind in ("Device", "Generator"):
            return self.facts.anything(kind)
        if kind == "ScalarType":
            name = str(value).removeprefix("torch.")
            if name in scalar_types.NUMBERS:
                return self.facts.scalar(scalar_types.NUMBERS[name])
        if isinstance(value, str) and kind in ("int", "SymInt", "Scalar"):
            return self.facts.integer(self.symbol(value, False))
        if kind != "Tensor" and isinstance(value, bool | int | float | str):
            return self.facts.scalar(value)
        if kind == "Scalar" and isinstance(value, complex):
            # The dialect has no complex numbers, so no value of the interpreter is one.
            return self.facts.anything("number")
        shown = str(value) if isinstance(value, TensorSpec) else repr(value)
        raise InferenceError(f"{argument.name!r} takes {argument.type}, not {shown}")

    def list_fact(self, value: Any, kind: str, element: str, argument: Argument) -> Fact:
        """A list, or one int where the schema says how often it stands."""
        if not isinstance(value, list | tuple):
            count = kind.rpartition("[")[2][:-1]
            if not count or not isinstance(value, int | str):
                raise InferenceError(f"{argument.name!r} takes {argument.type}, not {value!r}")
            value = [value] * int(count)
        items = tuple(self.fact(item, element, argument) for item in value)
        return self.facts.sequence(f"list<{_LIST_KINDS.get(element, 'int')}>", items)

    def tensor(self, spec: TensorSpec) -> Tensor:
        """The fact of a tensor."""
        sizes: tuple[Number, ...] | None = None
        if spec.sizes is not None:
            sizes = tuple(
                expressions.dimension()
                if size is None
                else self.symbol(size, True)
                if isinstance(size, str)
                else size
                for size in spec.sizes
            )
        number = None if spec.dtype is None else scalar_types.NUMBERS[spec.dtype]
        return self.facts.tensor(sizes, number)

    def symbol(self, name: str, is_size: bool) -> Expression:
        """The int of a name; the first use says whether it is a size."""
        if name not in self.names:
            self.names[name] = expressions.dimension() if is_size else expressions.fresh()
        return self.names[name]

    def result(self, fact: Fact) -> Result:
        """What the caller is told of a result."""
        if isinstance(fact, Tensor):
            sizes = None if fact.sizes is None else tuple(map(self.shown, fact.sizes))
            dtype = None if fact.dtype is None else scalar_types.NAMES[fact.dtype]
            return TensorSpec(sizes, dtype)
        if isinstance(fact, Items) and fact.items is not None:
            return [
                spec for item in fact.items if isinstance(spec := self.result(item), TensorSpec)
            ]
        lone = isinstance(fact, Anything) and fact.kind.startswith(("vtensor", "tensor"))
        return TensorSpec(None, None) if lone else None

    def shown(self, size: Number) -> int | str | None:
        """A size: an int, a formula of the caller's names, or None."""
        if isinstance(size, int):
            return size
        names = {symbol: name for name, number in self.names.items()
                 for symbol in expressions.symbols_in(number)}  # fmt: skip
        if any(symbol not in names for symbol in expressions.symbols_in(size)):
            return None
        return _text(size, names)


_LIST_KINDS = {
    "Tensor": "vtensor",
    "Tensor?": "optional<vtensor>",
    "float": "float",
    "bool": "bool",
    "str": "str",
    "Scalar": "number",
}
_SIGNS = {"floordiv": "//", "remainder": "%"}


def _text(number: Number, names: dict[Symbol, str]) -> str:
    """An expression as Python would write it."""
    if isinstance(number, int):
        return str(number)
    terms = []
    for atoms, factor in number.terms:
        factors = [str(factor)] if factor != 1 else []
        for atom in atoms:
            factors.append(names[atom] if isinstance(atom, Symbol) else _derived(atom, names))
        terms.append("*".join(factors))
    if number.constant:
        terms.append(str(number.constant))
    return " + ".join(terms).replace("+ -", "- ")


def _derived(atom: Derived, names: dict[Symbol, str]) -> str:
    left, right = (_text(operand, names) for operand in atom.operands)
    if atom.operation not in _SIGNS:
        return f"{atom.operation}({left}, {right})"
    left, right = (part if part.isalnum() else f"({part})" for part in (left, right))
    return f"({left} {_SIGNS[atom.operation]} {right})"
