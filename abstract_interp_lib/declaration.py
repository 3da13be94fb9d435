"""Declare functions of operators, and the test cases they are checked against.

    @shape_function(
        "aten::mm",
        ok=[Invocation(T(2, 3), T(3, 4))],
        error=[Invocation(T(2, 3), T(4, 5))],
    )
    def mm(self: List[int], mat2: List[int]) -> List[int]:
        assert self[1] == mat2[0], f"got {self[1]} columns and {mat2[0]} rows"
        return [self[0], mat2[1]]

Declaring runs nothing: functions and cases are data that the exporter and the checker read. The
parameters follow the operator's schema in order; this table gives their types.

| schema | shape function | dtype function |
| --- | --- | --- |
| `Tensor` | sizes `List[int]`; with dtype `Tuple[List[int], int]` | rank, dtype `Tuple[int, int]` |
| `Tensor?`, `Tensor[]`, `Tensor?[]` | `Optional`, `List`, `List[Optional]` of it | the same |
| `int`, `SymInt`, `ScalarType`, `Layout`, `MemoryFormat` | `int` | `int` |
| `Scalar` | `float`, or `Union[int, float, complex]` | `Union[int, float, complex]` |
| `Generator`, `Any` | `Any` | `Any` |
| `Device` | `torch.device` | `torch.device` |
| `bool`, `float`, `str`, `T?`, `T[]` | as in Python | as in Python |

A function returns one `List[int]` (or one `int`, a dtype) per tensor that the operator returns, as
a tuple when there are several, and a `List[List[int]]` (`List[int]`) for a list of tensors. A lone
dtype stands for every tensor of a list, because how many there are may depend on sizes.

A decomposition function takes and returns tensors: its body computes the operator by others.
"""

from __future__ import annotations

import inspect
import math
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType, MappingProxyType
from typing import Any, Literal, TypeVar

import torch

Kind = Literal["shape", "dtype"]
FunctionKind = Literal["shape", "dtype", "decomposition"]
Function = TypeVar("Function", bound=Callable[..., Any])


class DeclarationError(Exception):
    """A function is declared twice, or its declaration is malformed."""


def place(file: str, line: int | None = None) -> str:
    """`file:line` for messages; a file below the current directory is given as a relative path."""
    try:
        seen = os.path.relpath(file)
    except (OSError, ValueError):
        seen = os.pardir
    named = file if seen.startswith(os.pardir) else seen
    return named if line is None else f"{named}:{line}"


def source_of(function: Callable[..., Any]) -> tuple[str, int]:
    """The file of a function and the line of its `def`, or of its first decorator."""
    code = inspect.unwrap(function).__code__
    with suppress(OSError, SyntaxError):
        lines, start = inspect.getsourcelines(function)
        for number, line in enumerate(lines, start):
            if re.match(r"\s*(async\s+)?def\s", line):
                return code.co_filename, number
    # A function typed into an interactive session has no source.
    return code.co_filename, code.co_firstlineno


@dataclass(frozen=True)
class TensorCase:
    """A tensor argument of a case: sizes, dtype and layout, and values if the result depends on
    them.
    """

    sizes: tuple[int, ...]
    dtype: torch.dtype
    values: tuple[Any, ...] | None = None
    layout: torch.layout = torch.strided

    def __str__(self) -> str:
        layout = "" if self.layout == torch.strided else f" {self.layout}"
        return f"{str(self.dtype).removeprefix('torch.')}{list(self.sizes)}{layout}"


def T(
    *sizes: int,
    dtype: torch.dtype = torch.float32,
    values: Sequence[Any] | None = None,
    layout: torch.layout = torch.strided,
) -> TensorCase:
    """A tensor for a case: ``T(2, 3)``, ``T()``, ``T(4, dtype=torch.int64, values=[0, 1, 2, 3])``.

    `values`, flat in row-major order, are for the few operators whose results depend on them;
    `layout` is for those that take sparse tensors, or oneDNN's, which exist on the CPU only. Raises
    DeclarationError for what no tensor has.
    """
    for size in sizes:
        if type(size) is not int or size < 0:
            raise DeclarationError(f"a size of a tensor is an int, as in T(2, 3), not {size!r}")
    if not isinstance(dtype, torch.dtype):
        raise DeclarationError(f"dtype= takes a dtype such as torch.float32, not {dtype!r}")
    if values is not None and len(values) != math.prod(sizes):
        raise DeclarationError(
            f"a tensor of shape {list(sizes)} has {math.prod(sizes)} values, got {len(values)}"
        )
    return TensorCase(tuple(sizes), dtype, None if values is None else tuple(values), layout)


@dataclass(frozen=True)
class Invocation:
    """A call of an operator: `T(...)` for a tensor, plain Python values for everything else.

    Cases run on PyTorch's meta device, which infers shapes and dtypes without data; `device="cpu"`
    runs a case on the CPU, for operators without a meta kernel or with a wrong one.
    """

    args: tuple[Any, ...]
    kwargs: dict[str, Any] = field(default_factory=dict)
    device: str = "meta"
    # The file and line of the case.
    source: tuple[str, int] = field(default=("", 0), compare=False, repr=False)

    def __init__(self, /, *args: Any, device: str = "meta", **kwargs: Any) -> None:
        for value in (*args, *kwargs.values()):
            if isinstance(value, torch.Tensor):
                raise DeclarationError("write T(2, 3) where a case has a tensor of shape [2, 3]")
        if device not in ("meta", "cpu"):
            raise DeclarationError(f'a case runs on device="meta" or "cpu", not {device!r}')
        object.__setattr__(self, "args", args)
        object.__setattr__(self, "kwargs", kwargs)
        object.__setattr__(self, "device", device)
        object.__setattr__(self, "source", _line_of(sys._getframe(1)))

    @property
    def where(self) -> str:
        """`file:line` of the case, for messages."""
        return place(*self.source)

    def __str__(self) -> str:
        parts = [_show(value) for value in self.args]
        parts += [f"{name}={_show(value)}" for name, value in self.kwargs.items()]
        return f"({', '.join(parts)})"


def _show(value: Any) -> str:
    if isinstance(value, list | tuple):
        return f"[{', '.join(_show(item) for item in value)}]"
    return str(value)


@dataclass(frozen=True)
class Declaration:
    """One function for one operator.

    With `derived`, `function` is a rule shared by a family: its parameters are matched by name to
    `constants`, then to the schema's arguments, and the exported function carries the schema's full
    signature.
    """

    kind: FunctionKind
    operator: str
    function: Callable[..., Any]
    derived: bool
    ok: tuple[Invocation, ...]
    error: tuple[Invocation, ...]
    file: str
    # The file and line of the declaration; None if the function is declared by its name.
    source: tuple[str, int] | None = None
    constants: Mapping[str, int] = field(default_factory=dict, hash=False)

    @property
    def position(self) -> tuple[str, int]:
        """File and line of the function, or of the family's declaration."""
        if self.derived and self.source is not None:
            return self.source
        return source_of(self.function)

    @property
    def where(self) -> str:
        """`file:line` of the function, or of the family's declaration, for messages."""
        return place(*self.position)


_FAMILIES = Path(__file__).resolve().with_name("families")
_declared: dict[tuple[FunctionKind, str], Declaration] = {}


def _declare(
    kind: FunctionKind,
    operator: str,
    function: Callable[..., Any],
    derived: bool,
    ok: Sequence[Invocation],
    error: Sequence[Invocation],
    source: tuple[str, int],
    constants: Mapping[str, int] = MappingProxyType({}),
) -> None:
    _check_operator(operator, f"{kind}_{'family' if derived else 'function'}")
    for name, value in constants.items():
        if type(value) is not int:
            raise DeclarationError(f"{operator}: {name}= takes an int, not {value!r}")
    plain = inspect.isfunction(function) and not inspect.iscoroutinefunction(function)
    if not plain or function.__name__ == "<lambda>":
        shown = getattr(function, "__name__", type(function).__name__)
        raise DeclarationError(
            f"{operator}: a {kind} function is one that `def` defines, not {shown}"
        )
    for name, cases in (("ok", ok), ("error", error)):
        if not isinstance(cases, list | tuple) or not all(
            isinstance(case, Invocation) for case in cases
        ):
            raise DeclarationError(f"{operator}: {name}= takes a list of Invocation(...)")
    earlier = _declared.get((kind, operator))
    if earlier is not None and (is_shipped(source) or not is_shipped(earlier.source)):
        raise DeclarationError(f"{operator}: a {kind} function is declared at {earlier.where} too")
    name = Path(source[0]).name
    _declared[kind, operator] = Declaration(
        kind, operator, function, derived, tuple(ok), tuple(error), name, source, dict(constants)
    )


def is_shipped(source: tuple[str, int] | None) -> bool:
    """Whether a declaration is the library's own, which a user's file may replace."""
    return source is not None and _FAMILIES in Path(source[0]).resolve().parents


def _line_of(frame: FrameType) -> tuple[str, int]:
    return frame.f_code.co_filename, frame.f_lineno


def _check_operator(operator: Any, declaring: str) -> None:
    if not isinstance(operator, str):
        raise DeclarationError(
            f'{declaring} takes the name of an operator first, such as "aten::add.Tensor", '
            f"not {operator!r}"
        )
    if not re.fullmatch(r"\w+::\w+(\.\w+)?", operator):
        raise DeclarationError(f"{operator!r} is not an operator name like 'aten::add.Tensor'")


def shape_function(
    operator: str, *, ok: Sequence[Invocation] = (), error: Sequence[Invocation] = ()
) -> Callable[[Function], Function]:
    """Declare the shape function of `operator`; its signature is the schema's, verbatim.

    PyTorch must accept every case in `ok` and give the shapes that the function gives (and the
    dtypes that the dtype function gives); PyTorch and the function must both reject every case in
    `error`.
    """
    _check_operator(operator, "shape_function")
    source = _line_of(sys._getframe(1))

    def declare(function: Function) -> Function:
        _declare("shape", operator, function, False, ok, error, source)
        return function

    return declare


def dtype_function(
    operator: str, *, ok: Sequence[Invocation] = (), error: Sequence[Invocation] = ()
) -> Callable[[Function], Function]:
    """Declare the dtype function of `operator`; see `shape_function`."""
    _check_operator(operator, "dtype_function")
    source = _line_of(sys._getframe(1))

    def declare(function: Function) -> Function:
        _declare("dtype", operator, function, False, ok, error, source)
        return function

    return declare


def decomposition(
    operator: str, *, ok: Sequence[Invocation] = ()
) -> Callable[[Function], Function]:
    """Declare the decomposition function of `operator`; its signature is the schema's.

    It takes and returns tensors, and its body calls operators. It must return what PyTorch returns,
    with the same dtypes, for each case in `ok` and for each call that the operator's shape and
    dtype functions accept. It mutates nothing. Where it raises, the operator is not decomposed; the
    shape function tells what the operator itself rejects.
    """
    _check_operator(operator, "decomposition")
    source = _line_of(sys._getframe(1))

    def declare(function: Function) -> Function:
        _declare("decomposition", operator, function, False, ok, (), source)
        return function

    return declare


def shape_family(
    rule: Callable[..., Any],
    *operators: str,
    ok: Sequence[Invocation] = (),
    error: Sequence[Invocation] = (),
    **constants: int,
) -> None:
    """Declare one rule as the shape function of every operator of a family, with shared cases.

    The rule's parameters are matched by name to `constants`, such as `rank=2`, then to each
    schema's arguments; a rule leaves out the arguments that it does not depend on.
    """
    source = _line_of(sys._getframe(1))
    for operator in operators:
        _declare("shape", operator, rule, True, ok, error, source, constants)


def dtype_family(
    rule: Callable[..., Any],
    *operators: str,
    ok: Sequence[Invocation] = (),
    error: Sequence[Invocation] = (),
    **constants: int,
) -> None:
    """Declare one rule as the dtype function of every operator of a family; see `shape_family`."""
    source = _line_of(sys._getframe(1))
    for operator in operators:
        _declare("dtype", operator, rule, True, ok, error, source, constants)


def decomposition_family(
    rule: Callable[..., Any],
    *operators: str,
    ok: Sequence[Invocation] = (),
    **constants: int,
) -> None:
    """Declare one rule as the decomposition of every operator of a family; see `shape_family`."""
    source = _line_of(sys._getframe(1))
    for operator in operators:
        _declare("decomposition", operator, rule, True, ok, (), source, constants)


def declarations() -> dict[tuple[Kind, str], Declaration]:
    """The shape and dtype functions declared so far, by kind and operator name."""
    return {
        (kind, operator): each
        for (kind, operator), each in _declared.items()
        if kind != "decomposition"
    }


def all_declarations() -> dict[tuple[FunctionKind, str], Declaration]:
    """The functions of every kind declared so far, by kind and operator name."""
    return dict(_declared)


def decompositions() -> dict[str, Declaration]:
    """The decomposition functions declared so far, by operator name."""
    return {
        operator: each for (kind, operator), each in _declared.items() if kind == "decomposition"
    }
