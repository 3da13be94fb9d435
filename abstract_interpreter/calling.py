"""Call an operator's library functions directly, by its schema: no kernel, tensor or IR.

infer("aten::mm", TensorSpec(["n", 3]), TensorSpec([3, 4]))   # TensorSpec(['n', 4], 'float32')
"""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from torch_refine.abstract_interp_lib import scalar_types
from torch_refine.abstract_interpreter.assuming import AssumptionError, Assumptions
from torch_refine.abstract_interpreter.inference import Inference
from torch_refine.abstract_interpreter.lattice import Anything, Lattice, LatticeValue, Tensor
from torch_refine.abstract_interpreter.lattice import Sequence as Items
from torch_refine.abstract_interpreter.numbers import expressions
from torch_refine.abstract_interpreter.numbers.expressions import Expression, Number
from torch_refine.abstract_interpreter.numbers.printing import expression_text
from torch_refine.abstract_interpreter.running.library import Programs
from torch_refine.dialect.names import KINDS, library_symbol
from torch_refine.dialect.schemas import Argument, operators, schema


class InferenceError(Exception):
    """An operator cannot be inferred: it always raises, or the call does not match its schema."""


class RejectionError(InferenceError):
    """An operator always raises for these arguments."""


@dataclass(frozen=True, init=False)
class TensorSpec:
    """A tensor with partly known sizes and dtype.

    `sizes` has an entry per dimension: an int, a name for a symbolic size (equal names are equal
    sizes), or None for an unknown one; it is None for an unknown rank. Inferred sizes may also be
    expressions over names, `'2*n + 1'`. `dtype` is a name such as `'float32'`, or None. `assumed`
    are the assumptions without which an inferred one would be less precise.
    """

    sizes: tuple[int | str | None, ...] | None
    dtype: str | None
    assumed: tuple[str, ...] = field(default=(), compare=False, repr=False)

    def __init__(
        self,
        sizes: Sequence[int | str | None] | None = None,
        dtype: Any = "float32",
        assumed: Sequence[str] = (),
    ) -> None:
        name = None if dtype is None else str(dtype).removeprefix("torch.")
        if name is not None and name not in scalar_types.NUMBERS:
            raise InferenceError(f"there is no dtype {name!r}")
        object.__setattr__(self, "sizes", None if sizes is None else tuple(sizes))
        object.__setattr__(self, "dtype", name)
        object.__setattr__(self, "assumed", tuple(assumed))

    def __str__(self) -> str:
        sizes = "*"
        if self.sizes is not None:
            sizes = ", ".join("?" if size is None else str(size) for size in self.sizes)
        given = f", assuming {' and '.join(self.assumed)}" if self.assumed else ""
        return f"{self.dtype or 'unknown dtype'}[{sizes}]{given}"


Result = TensorSpec | list[TensorSpec] | None


def infer(
    operator: str,
    *args: Any,
    run_on: str | None = None,
    extra_library: Sequence[str | Path] = (),
    assuming: Sequence[str] = (),
    **kwargs: Any,
) -> Result | tuple[Result, ...]:
    """Infer the results of an operator by its shape and dtype functions.

    `operator` is named as in its schema, `aten::conv2d`; arguments follow the schema, with a
    TensorSpec for each tensor, and a name for a symbolic int. `run_on` is the type of the device,
    `"cpu"`, for operators whose results depend on it. `assuming` are conditions on names, such as
    `"n >= 2"`, `"n % 8 == 0"` and `"n == m"`; results list those that they need as `assumed`.

    Returns a TensorSpec for each result, a list of them for a list of tensors, None for a list of
    unknown length; a tuple of these for several results.

    Raises InferenceError if the operator always raises, with the function's message; if it is
    unknown, or has no function; if the arguments do not match the schema; or if an assumption is
    no condition on the names, or contradicts the others.
    """
    return Functions(run_on, extra_library).infer(operator, args, kwargs, assuming)


class Functions:
    """The functions of many operators, for repeated calls of `infer`.

    Results are cached, so that equal calls cost little.
    """

    def __init__(self, run_on: str | None = None, extra_library: Sequence[str | Path] = ()) -> None:
        self._programs = Programs(map(Path, extra_library))
        self._lattice = Lattice()
        self._inference = Inference(self._programs, self._lattice, run_on)

    def infer(
        self,
        operator: str,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        assuming: Sequence[str] = (),
    ) -> Result | tuple[Result, ...]:
        """Infer the results of an operator; see `infer` for the arguments.

        Raises InferenceError as it does; RejectionError if the operator always raises.
        """
        if isinstance(assuming, str):
            assuming = (assuming,)
        found = self._infer(operator, args, kwargs, assuming)
        if not assuming:
            return found
        needed = list(assuming)
        for text in assuming:
            fewer = [each for each in needed if each is not text]
            try:
                same = self._infer(operator, args, kwargs, fewer) == found
            except InferenceError:
                same = False
            if same:
                needed = fewer
        result: Result | tuple[Result, ...] = _assumed(found, tuple(needed))
        return result

    def _infer(
        self,
        operator: str,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        assuming: Sequence[str],
    ) -> Result | tuple[Result, ...]:
        """Infer the results of an operator under assumptions, without saying which it needs."""
        call = _Call(operator, self._lattice)
        try:
            operands = call.operands(args, kwargs)
        except InferenceError as error:
            fitting = self._fitting(operator, args, kwargs)
            hint = f"; {' and '.join(fitting)} would take these arguments" if fitting else ""
            raise InferenceError(f"{error}{hint}") from None
        if not any(library_symbol(kind, operator) in self._programs for kind in KINDS):
            raise InferenceError(f"{operator} has no shape and no dtype function")
        inference, given = self._inference, ""
        if assuming:
            call.assume(assuming)
            inference = Inference(
                self._programs, self._lattice, inference.device, given=call.assumptions.path
            )
            given = f", assuming {' and '.join(assuming)}"
        inferred = inference.infer(operator, operands, call.kinds())
        if inferred.raised is not None:
            raise RejectionError(f"{operator} always raises: {inferred.raised}{given}")
        results = tuple(map(call.result, inferred.results))
        return results[0] if len(results) == 1 else results

    def _fitting(self, operator: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[str]:
        """The other overloads whose schema matches the arguments."""
        base = operator.partition(".")[0]
        found = []
        for other in operators():
            if other.partition(".")[0] == base and other != operator:
                try:
                    _Call(other, self._lattice).operands(args, kwargs)
                except InferenceError:
                    continue
                found.append(other)
        return found


_DEFAULTS = {"Mean": 1, "Sum": 2, "contiguous_format": 0, "strided": 0}
_RESULT_KINDS = {"Tensor": "vtensor", "Tensor[]": "list<vtensor>", "SymInt": "int"}
_FIXED_LIST = re.compile(r"(.+)\[\d*\]")


class _Call:
    """One call: its symbols by name, and its arguments as lattice values."""

    def __init__(self, operator: str, lattice: Lattice) -> None:
        try:
            self.schema = schema(operator)
        except KeyError:
            close = difflib.get_close_matches(operator, operators(), n=3)
            hint = f"; did you mean {' or '.join(close)}?" if close else ""
            raise InferenceError(f"there is no operator {operator!r}{hint}") from None
        self.lattice = lattice
        self.names: dict[str, Expression] = {}
        self.assumptions = Assumptions()

    def assume(self, texts: Sequence[str]) -> None:
        """Assume conditions on the names; raises InferenceError."""
        try:
            self.assumptions = Assumptions.of(texts, self.names)
        except AssumptionError as error:
            names = ", ".join(self.names) or "none"
            raise InferenceError(f"{error}; the names are: {names}") from None

    def kinds(self) -> tuple[str, ...]:
        """The types of the results."""
        return tuple(_RESULT_KINDS.get(each, each) for each in self.schema.returns)

    def operands(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[LatticeValue, ...]:
        """A lattice value for each argument of the schema."""
        positional = [a for a in self.schema.arguments if not a.keyword_only]
        if len(args) > len(positional):
            raise InferenceError(f"{len(args)} positional arguments do not fit {self.schema}")
        given = {a.name: value for a, value in zip(positional, args, strict=False)}
        for name, value in kwargs.items():
            if name in given or all(name != a.name for a in self.schema.arguments):
                raise InferenceError(f"the argument {name!r} does not fit {self.schema}")
            given[name] = value
        return tuple(self.operand(argument, given) for argument in self.schema.arguments)

    def operand(self, argument: Argument, given: dict[str, Any]) -> LatticeValue:
        """The lattice value of one argument, or of its default."""
        if argument.name in given:
            return self.lattice_value(given[argument.name], argument.type, argument)
        if argument.default is None:
            raise InferenceError(f"the argument {argument.name!r} is missing for {self.schema}")
        text = argument.default
        try:
            value = _DEFAULTS[text] if text in _DEFAULTS else ast.literal_eval(text)
        except (ValueError, SyntaxError):
            return self.lattice.anything(argument.type.lower())
        return self.lattice_value(value, argument.type, argument)

    def lattice_value(self, value: Any, kind: str, argument: Argument) -> LatticeValue:
        """The lattice value of an argument, by its schema type."""
        if kind.endswith("?"):
            return (
                self.lattice.scalar(None)
                if value is None
                else self.lattice_value(value, kind[:-1], argument)
            )
        match = _FIXED_LIST.fullmatch(kind)
        if match is not None:
            return self.list_value(value, kind, match[1], argument)
        if isinstance(value, TensorSpec) and kind == "Tensor":
            return self.tensor(value)
        if kind in ("Device", "Generator"):
            return self.lattice.anything(kind)
        if kind == "ScalarType":
            name = str(value).removeprefix("torch.")
            if name in scalar_types.NUMBERS:
                return self.lattice.scalar(scalar_types.NUMBERS[name])
        if isinstance(value, str) and kind in ("int", "SymInt", "Scalar"):
            return self.lattice.integer(self.symbol(value, False))
        if kind != "Tensor" and isinstance(value, bool | int | float | str):
            return self.lattice.scalar(value)
        if kind == "Scalar" and isinstance(value, complex):
            # The dialect has no complex scalars, so the interpreter has none.
            return self.lattice.anything("number")
        shown = str(value) if isinstance(value, TensorSpec) else repr(value)
        raise InferenceError(f"{argument.name!r} takes {argument.type}, not {shown}")

    def list_value(self, value: Any, kind: str, element: str, argument: Argument) -> LatticeValue:
        """A list, or a single int for a list of fixed length (`int[2]`)."""
        if not isinstance(value, list | tuple):
            count = kind.rpartition("[")[2][:-1]
            if not count or not isinstance(value, int | str):
                raise InferenceError(f"{argument.name!r} takes {argument.type}, not {value!r}")
            value = [value] * int(count)
        items = tuple(self.lattice_value(item, element, argument) for item in value)
        return self.lattice.sequence(f"list<{_LIST_KINDS.get(element, 'int')}>", items)

    def tensor(self, spec: TensorSpec) -> Tensor:
        """The lattice value of a tensor."""
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
        return self.lattice.tensor(sizes, number)

    def symbol(self, name: str, is_size: bool) -> Expression:
        """The symbol of a name; its first use decides whether it is a size."""
        if name not in self.names:
            self.names[name] = expressions.dimension() if is_size else expressions.fresh()
        return self.names[name]

    def result(self, lattice_value: LatticeValue) -> Result:
        """Convert a result for the caller."""
        if isinstance(lattice_value, Tensor):
            sizes = (
                None if lattice_value.sizes is None else tuple(map(self.shown, lattice_value.sizes))
            )
            dtype = None if lattice_value.dtype is None else scalar_types.NAMES[lattice_value.dtype]
            return TensorSpec(sizes, dtype)
        if isinstance(lattice_value, Items) and lattice_value.items is not None:
            return [
                spec
                for item in lattice_value.items
                if isinstance(spec := self.result(item), TensorSpec)
            ]
        lone = isinstance(lattice_value, Anything) and lattice_value.kind.startswith(
            ("vtensor", "tensor")
        )
        return TensorSpec(None, None) if lone else None

    def shown(self, size: Number) -> int | str | None:
        """A size: an int, an expression over the caller's names, or None."""
        size = self.assumptions.over_names(size)
        if isinstance(size, int):
            return size
        names = {symbol: name for name, number in self.names.items()
                 for symbol in expressions.symbols_in(number)}  # fmt: skip
        if any(symbol not in names for symbol in expressions.symbols_in(size)):
            return None
        return expression_text(size, names.__getitem__)


def _assumed(result: Any, assumptions: tuple[str, ...]) -> Any:
    """A result that says what it assumes."""
    if isinstance(result, TensorSpec):
        return TensorSpec(result.sizes, result.dtype, assumptions)
    if isinstance(result, list | tuple):
        return type(result)(_assumed(each, assumptions) for each in result)
    return result


_LIST_KINDS = {
    "Tensor": "vtensor",
    "Tensor?": "optional<vtensor>",
    "float": "float",
    "bool": "bool",
    "str": "str",
    "Scalar": "number",
}
