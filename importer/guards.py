"""The guards of an exported program: assumptions of its trace about input sizes.

`torch.bind_symbolic_shape` states which sizes are affine expressions of others. This module
collects the trace's other decisions: comparisons, remainders, products, and specialized sizes. It
loads PyTorch; `import_model` loads it on first use.
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
from torch_refine.dialect.guard_messages import GuardMessage
from torch_refine.dialect.guards import Guard
from torch_refine.importer.errors import ImportModelError
from torch_refine.importer.locations import node_source
from torch_refine.importer.size_decisions import decisions_of
from torch_refine.importer.symbolic_arguments import is_affine

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
    """A size of an argument of `main`, or an integer argument."""

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
    """Prints a sympy expression with the names of its symbols."""

    def __init__(self, names: Mapping[Any, str]) -> None:
        super().__init__()
        self._names = names

    def _print_Symbol(self, symbol: Any) -> str:
        return self._names[symbol]

    def _print_Float(self, number: Any) -> str:
        return repr(float(number))


def guards_of(program: ExportedProgram, first: int) -> list[Guard]:
    """The guards of a program whose inputs are the arguments of `main` from `first` on.

    Those stated by `torch.bind_symbolic_shape` are omitted.

    Raises:
        ImportModelError: a guard involves values other than sizes and integers.
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
    # The first guard with a condition has its source line.
    return list({each.condition: each for each in reversed(found)}.values())[::-1]


def _inputs(program: ExportedProgram, first: int) -> Iterator[tuple[int, str, Any]]:
    """The non-constant inputs: their arguments of `main`, names and fake values."""
    nodes = {node.name: node for node in program.graph.nodes if node.op == "placeholder"}
    place = first
    for spec in program.graph_signature.input_specs:
        if spec.kind == InputKind.USER_INPUT and not isinstance(spec.arg, ConstantArgument):
            node: Node = nodes[spec.arg.name]
            yield place, node.name, node.meta.get("val")
            place += 1


def _shape_environment(values: Sequence[Any]) -> Any:
    """The shape environment of fake values; None if none is symbolic."""
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
    """The places of a trace's symbols, and the values of symbols that are not sizes."""
    places: dict[Any, _Place] = {}
    known: list[tuple[Any, Any]] = []
    numbers = list(_numbers(values))
    # The initial symbol of a size, later unified with another input's.
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
    """Solve for the symbol that makes an expression a size; None if that fails."""
    from torch.utils._sympy.functions import FloorDiv

    if not is_affine(expression) or expression.free_symbols != {symbol}:
        return None
    step, rest = expression.coeff(symbol), expression.xreplace({symbol: sympy.Integer(0)})
    return FloorDiv(raw - rest, step)


def _numbers(values: Sequence[tuple[int, str, Any]]) -> Iterator[tuple[_Place, Any]]:
    """The symbolic sizes and integers of inputs."""
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
    """A guard that the trace recorded; None if it always holds."""
    condition = guard.expr
    unknown = condition.free_symbols - places.keys()
    if unknown:
        replaced = {s: environment.replace(s) for s in unknown} | dict(solved)
        condition = condition.xreplace(replaced)
    source = _source(guard.sloc)
    unknown = condition.free_symbols - places.keys()
    if unknown:
        if not _asked_by_the_model(guard.sloc):
            # Strides of inputs affect only the layout of tensors, not values.
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
    """Decisions of the model based on sizes being neither 0 nor 1."""
    for each in decisions_of(environment):
        if each.condition.free_symbols <= places.keys():
            yield _guard(each.condition, places, None if each.line is None else str(each.line))


def _positive(
    values: Sequence[tuple[int, str, Any]], places: Mapping[Any, _Place]
) -> Iterator[Guard]:
    """Guards that no size is 0, whatever its declared bounds.

    Symbols of sizes are positive: PyTorch simplifies `max(size, 1)` to the size, and decomposes
    operators as for non-empty dimensions.
    """
    for place, number in _numbers(values):
        if place.dim is not None and number.node.expr.is_Symbol and number.node.expr.is_positive:
            symbol = number.node.expr
            yield _guard(sympy.Ge(symbol, 1, evaluate=False), {**places, symbol: place})


def _squeezed(program: ExportedProgram, places: Mapping[Any, _Place]) -> Iterator[Guard]:
    """Guards on sizes that a squeeze would remove if they were 1."""
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
    """A sympy condition as a guard; raises ImportModelError if it cannot be written."""
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
    """Guards implied by size expressions that no `torch.bind_symbolic_shape` states."""
    for argument, _, value in values:
        numbers = [n for p, n in _numbers(values) if p.argument == argument]
        if isinstance(value, torch.Tensor) and all(is_affine(n.node.expr) for n in numbers):
            continue
        for place, number in _numbers(values):
            if place.argument != argument:
                continue
            expression = number.node.expr
            # A separate symbol for the size, as its expression may contain the original.
            own = sympy.Symbol(f"size_{place.argument}_{place.dim}", integer=True)
            known = {**places, own: place}
            if not expression.free_symbols <= places.keys():
                raise ImportModelError(
                    "import", f"cannot determine {expression}, which {place.shown} must equal"
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
    """Raise if the export assumed a lower bound that an integer's example violates.

    PyTorch treats integers as sizes when it traces. Its own module does not check this.
    """
    if example < low:
        raise ImportModelError(
            "import",
            f"{place.shown} is an integer of any value, which the export takes for {low} or more, "
            f"and its example is {example}: it can only be a constant",
        )


def _source(location: Any) -> str | None:
    """`file:line` of the model's line that added a guard, if PyTorch recorded it."""
    if location.maybe_user_loc:
        found = _SOURCE.match(location.maybe_user_loc)
        return f"{found[1]}:{found[2]}" if found else str(location.maybe_user_loc)
    frame = location.framework_loc
    if frame is None or isinstance(frame, str):
        return frame or None
    if _EXPORT.search(frame.filename):
        # The caller of the export added it.
        return None
    return f"{frame.filename}:{frame.lineno}"


def _asked_by_the_model(location: Any) -> bool:
    """Whether a guard was added by a line of the model, not of PyTorch."""
    frame = location.framework_loc
    return frame is not None and not isinstance(frame, str) and not _LIBRARY.search(frame.filename)
