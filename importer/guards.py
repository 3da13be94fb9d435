"""The guards of an exported program: what its trace assumed of the sizes of its inputs.

`torch.bind_symbolic_shape` states which sizes are affine expressions of others. What else the trace
decided by sizes is here: comparisons, remainders, products, and sizes that the model gave a value.
This module loads PyTorch; what needs it loads it on first use.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sympy  # type: ignore[import-untyped]
import torch
from torch.export import ExportedProgram
from torch.export.graph_signature import ConstantArgument, InputKind
from torch.fx import Node
from torch.utils._sympy.printers import PythonPrinter
from torch_refine.importer.errors import ImportModelError
from torch_refine.importer.locations import node_source
from torch_refine.importer.size_decisions import decisions_of
from torch_refine.importer.symbolic_arguments import is_affine
from torch_refine.passes.lowering.guard_messages import GuardMessage
from torch_refine.passes.lowering.guards import Guard

_LIBRARY = re.compile(r"[/\\]site-packages[/\\]torch[/\\]")
_EXPORT = re.compile(r"[/\\]torch[/\\]_?export[/\\]")
_SOURCE = re.compile(r"(\S.*?):(\d+)")
_SQUEEZES = (
    torch.ops.aten.squeeze.default,
    torch.ops.aten.squeeze.dim,
    torch.ops.aten.squeeze.dims,
)
_INT_MAX = 2**63 - 1


@dataclass(frozen=True)
class _Place:
    """A size of an argument of `main`, or an argument that is an integer."""

    argument: int
    name: str
    dim: int | None

    @property
    def text(self) -> str:
        """The size in a condition."""
        return _size(f"arg{self.argument}", self.dim)

    @property
    def shown(self) -> str:
        """The size in a message."""
        return _size(self.name, self.dim)


def _size(name: str, dim: int | None) -> str:
    return name if dim is None else f"{name}.size({dim})"


class _Printer(PythonPrinter):
    """Prints an expression of sympy with names for its symbols."""

    def __init__(self, names: Mapping[Any, str]) -> None:
        super().__init__()
        self._names = names

    def _print_Symbol(self, symbol: Any) -> str:
        return self._names[symbol]

    def _print_Float(self, number: Any) -> str:
        return repr(float(number))


def guards_of(program: ExportedProgram, first: int) -> list[Guard]:
    """The guards of a program whose inputs are the arguments of `main` from `first` on.

    Those that `torch.bind_symbolic_shape` states are left out.

    Raises:
        ImportModelError: a guard is not about sizes and integers alone.
    """
    values = list(_inputs(program, first))
    environment = _shape_environment([value for _, _, value in values])
    if environment is None:
        return []
    places, expressions = _places(values)
    found = [
        guard
        for each in environment.guards
        if (guard := _recorded(each, places, expressions, environment)) is not None
    ]
    found += _decided(environment, places)
    found += _squeezed(program, places)
    found += _positive(values, places)
    if not environment.guards and program._guards_code:
        raise ImportModelError(
            "import",
            "its guards are stated of a program that was saved; export the model instead: "
            + "; ".join(program._guards_code),
        )
    found += _stated(values, places, program)
    # The first to state a condition knows its line.
    return list({each.condition: each for each in reversed(found)}.values())[::-1]


def _inputs(program: ExportedProgram, first: int) -> Iterator[tuple[int, str, Any]]:
    """The inputs that are no constants: their arguments of `main`, names and fake values."""
    nodes = {node.name: node for node in program.graph.nodes if node.op == "placeholder"}
    place = first
    for spec in program.graph_signature.input_specs:
        if spec.kind == InputKind.USER_INPUT and not isinstance(spec.arg, ConstantArgument):
            node: Node = nodes[spec.arg.name]
            yield place, node.name, node.meta.get("val")
            place += 1


def _shape_environment(values: Sequence[Any]) -> Any:
    """PyTorch's record of the sizes of fake values; None if none is symbolic."""
    for value in values:
        numbers = value.shape if isinstance(value, torch.Tensor) else [value]
        for number in numbers:
            if isinstance(number, (torch.SymInt, torch.SymFloat, torch.SymBool)):
                return number.node.shape_env
        if isinstance(value, torch.Tensor):
            mode = getattr(value, "fake_mode", None)
            if mode is not None and mode.shape_env is not None and mode.shape_env.guards:
                return mode.shape_env
    return None


def _places(values: Sequence[tuple[int, str, Any]]) -> tuple[dict[Any, _Place], dict[Any, Any]]:
    """Where the symbols of a trace are found; what is known of symbols that are no size."""
    places: dict[Any, _Place] = {}
    known: list[tuple[Any, Any]] = []
    numbers = list(_numbers(values))
    # What PyTorch called a size at first, then the size of another input that it must equal.
    for attribute in ("_expr", "expr"):
        for place, number in numbers:
            symbol = getattr(number.node, attribute)
            if symbol.is_Symbol:
                places.setdefault(symbol, place)
    for _, number in numbers:
        if number.node._expr.is_Symbol:
            known.append((number.node._expr, number.node.expr))
    solved: dict[Any, Any] = {}
    for raw, simplified in known:
        for symbol in simplified.free_symbols - places.keys() - solved.keys():
            found = _solved(raw, simplified, symbol)
            if found is not None:
                solved[symbol] = found
    return places, solved


def _solved(raw: Any, expression: Any, symbol: Any) -> Any:
    """The symbol that makes an expression a size, where both are equal; None if nothing tells."""
    from torch.utils._sympy.functions import FloorDiv

    if not is_affine(expression) or expression.free_symbols != {symbol}:
        return None
    step, rest = expression.coeff(symbol), expression.xreplace({symbol: sympy.Integer(0)})
    return FloorDiv(raw - rest, step)


def _numbers(values: Sequence[tuple[int, str, Any]]) -> Iterator[tuple[_Place, Any]]:
    """The sizes and integers of inputs that are symbolic."""
    for argument, name, value in values:
        if isinstance(value, torch.SymInt):
            yield _Place(argument, name, None), value
        if isinstance(value, torch.Tensor):
            for dim, size in enumerate(value.shape):
                if isinstance(size, torch.SymInt):
                    yield _Place(argument, name, dim), size


def _recorded(
    guard: Any, places: Mapping[Any, _Place], solved: Mapping[Any, Any], environment: Any
) -> Guard | None:
    """A guard that the trace recorded; None for one that always holds."""
    condition = guard.expr
    unknown = condition.free_symbols - places.keys()
    if unknown:
        replaced = {s: environment.replace(s) for s in unknown} | dict(solved)
        condition = condition.xreplace(replaced)
    source = _source(guard.sloc)
    unknown = condition.free_symbols - places.keys()
    if unknown:
        if not _asked_by_the_model(guard.sloc):
            # How PyTorch lays tensors out, by the strides of inputs; values do not depend on it.
            return None
        raise ImportModelError(
            "import",
            f"it asks whether {condition}, where {', '.join(map(str, unknown))} is no size of an "
            "input, such as a stride, which a compiled program does not see",
            source=source,
        )
    if condition == sympy.true:
        return None
    return _guard(condition, places, source)


def _decided(environment: Any, places: Mapping[Any, _Place]) -> Iterator[Guard]:
    """What the model decided because a size is neither 0 nor 1."""
    for each in decisions_of(environment):
        if each.condition.free_symbols <= places.keys():
            yield _guard(each.condition, places, None if each.line is None else str(each.line))


def _positive(
    values: Sequence[tuple[int, str, Any]], places: Mapping[Any, _Place]
) -> Iterator[Guard]:
    """That no size is 0, whatever bounds it is declared with.

    A symbol for a size is positive: PyTorch simplifies `max(size, 1)` to the size, and takes apart
    what is computed of a dimension as it is computed of one that has elements.
    """
    for place, number in _numbers(values):
        if place.dim is not None and number.node.expr.is_Symbol and number.node.expr.is_positive:
            symbol = number.node.expr
            yield _guard(sympy.Ge(symbol, 1, evaluate=False), {**places, symbol: place})


def _squeezed(program: ExportedProgram, places: Mapping[Any, _Place]) -> Iterator[Guard]:
    """Sizes that a squeeze would take away if they were 1."""
    for node in program.graph.nodes:
        value = node.args[0].meta.get("val") if node.target in _SQUEEZES else None
        if not isinstance(value, torch.Tensor):
            continue
        dims = node.args[1] if len(node.args) > 1 else list(range(value.dim()))
        for dim in [dims] if isinstance(dims, int) else dims:
            size = value.shape[dim] if value.dim() else 1
            if isinstance(size, torch.SymInt) and size.node.expr.free_symbols <= places.keys():
                condition = sympy.Ne(size.node.expr, 1, evaluate=False)
                yield _guard(condition, places, node_source(node))


def _guard(condition: Any, places: Mapping[Any, _Place], source: str | None = None) -> Guard:
    """A condition of sympy as a guard; raises ImportModelError where it is none."""
    used = sorted(condition.free_symbols, key=str)
    try:
        text = _Printer({s: places[s].text for s in used}).doprint(condition)
        shown = _Printer({s: places[s].shown for s in used}).doprint(condition)
    except (NotImplementedError, AttributeError) as error:
        raise ImportModelError(
            "import", f"the guard {condition} cannot be written: {error}", source=source
        ) from error
    named = sorted((places[s] for s in used), key=lambda each: (each.argument, each.dim or 0))
    sizes = tuple((each.shown, each.argument, each.dim) for each in named)
    return Guard(text, GuardMessage(shown, sizes, source))


def _stated(
    values: Sequence[tuple[int, str, Any]], places: Mapping[Any, _Place], program: ExportedProgram
) -> Iterator[Guard]:
    """What follows from the expressions of sizes that no `torch.bind_symbolic_shape` states."""
    for argument, _, value in values:
        numbers = [n for p, n in _numbers(values) if p.argument == argument]
        if isinstance(value, torch.Tensor) and all(is_affine(n.node.expr) for n in numbers):
            continue
        for place, number in _numbers(values):
            if place.argument != argument:
                continue
            expression = number.node.expr
            # A symbol of its own for the size itself, which its expression may be made of.
            own = sympy.Symbol(f"size_{place.argument}_{place.dim}", integer=True)
            known = {**places, own: place}
            if not expression.free_symbols <= places.keys():
                raise ImportModelError(
                    "import", f"nothing tells what {expression} is, which {place.shown} must be"
                )
            if places.get(expression) != place:
                yield _guard(sympy.Eq(own, expression, evaluate=False), known)
            bounds = program.range_constraints.get(expression)
            if bounds is not None:
                if place.dim is None and bounds.lower.is_Integer and number.node.has_hint():
                    _check_example(place, number.node.hint, int(bounds.lower))
                if bounds.lower.is_Integer and (place.dim is None or bounds.lower > 0):
                    yield _guard(sympy.Ge(own, bounds.lower, evaluate=False), known)
                if bounds.upper.is_Integer and bounds.upper < _INT_MAX:
                    yield _guard(sympy.Le(own, bounds.upper, evaluate=False), known)


def _check_example(place: _Place, example: int, low: int) -> None:
    """Raise if the export took an integer for at least so large, and its example is less.

    PyTorch takes integers for sizes, and decides by it. Its own module does not look.
    """
    if example < low:
        raise ImportModelError(
            "import",
            f"{place.shown} is an integer of any value, which the export takes for {low} or more, "
            f"and its example is {example}: it can only be a constant",
        )


def _source(location: Any) -> str | None:
    """`file:line` of the line of the model that asked for a guard, as well as PyTorch knows."""
    if location.maybe_user_loc:
        found = _SOURCE.match(location.maybe_user_loc)
        return f"{found[1]}:{found[2]}" if found else str(location.maybe_user_loc)
    frame = location.framework_loc
    if frame is None or isinstance(frame, str):
        return frame or None
    if _EXPORT.search(frame.filename):
        # The caller of the export asked.
        return None
    return f"{frame.filename}:{frame.lineno}"


def _asked_by_the_model(location: Any) -> bool:
    """Whether a line of the model itself depends on a guard, not one of PyTorch's."""
    frame = location.framework_loc
    return frame is not None and not isinstance(frame, str) and not _LIBRARY.search(frame.filename)
