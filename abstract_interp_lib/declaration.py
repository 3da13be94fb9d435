"""How a shape or dtype function is declared, and the cases that it is checked with.

    @shape_function(
        "aten::mm",
        ok=[Invocation(T(2, 3), T(3, 4))],
        error=[Invocation(T(2, 3), T(4, 5))],
    )
    def mm(self: List[int], mat2: List[int]) -> List[int]:
        assert self[1] == mat2[0], f"aten::mm: inner dimensions must match, got ..."
        return [self[0], mat2[1]]

Declaring runs nothing: functions and cases are data that the exporter and the checker read. The
parameters follow the operator's schema one by one; their types follow these tables.

| schema | shape function | dtype function |
| --- | --- | --- |
| `Tensor` | sizes `List[int]`; with dtype `Tuple[List[int], int]` | rank, dtype `Tuple[int, int]` |
| `Tensor?`, `Tensor[]`, `Tensor?[]` | `Optional`, `List`, `List[Optional]` of it | the same |
| `int`, `SymInt`, `ScalarType`, `Layout`, `MemoryFormat` | `int` | `int` |
| `Scalar` | `float`, or `Union[int, float, complex]` | `Union[int, float, complex]` |
| `Generator` | `Any` | `Any` |
| `Device` | `torch.device` | `torch.device` |
| `bool`, `float`, `str`, `T?`, `T[]` | as in Python | as in Python |

A function returns one `List[int]` (or one `int`, a dtype) per tensor that the operator returns, as
a tuple when there are several, and a `List[List[int]]` (`List[int]`) for a list of tensors. A lone
dtype stands for every tensor of a list, because how many there are may depend on sizes.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeVar

import torch

Kind = Literal["shape", "dtype"]
Function = TypeVar("Function", bound=Callable[..., Any])


class DeclarationError(Exception):
    """A function is declared twice, or in a way that cannot be understood."""


@dataclass(frozen=True)
class TensorCase:
    """A tensor argument of a case: its sizes, dtype and layout, and values where they matter."""

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
    `layout` is for those that take sparse tensors, or oneDNN's, which exist on the CPU only.
    """
    return TensorCase(tuple(sizes), dtype, None if values is None else tuple(values), layout)


@dataclass(frozen=True)
class Invocation:
    """A call of an operator, with `T(...)` where a tensor goes and plain values elsewhere.

    Cases run on PyTorch's meta device, which computes types without data; `device="cpu"` runs one
    on the CPU, for operators that have no meta kernel or whose meta kernel is wrong.
    """

    args: tuple[Any, ...]
    kwargs: dict[str, Any] = field(default_factory=dict)
    device: str = "meta"

    def __init__(self, /, *args: Any, device: str = "meta", **kwargs: Any) -> None:
        object.__setattr__(self, "args", args)
        object.__setattr__(self, "kwargs", kwargs)
        object.__setattr__(self, "device", device)

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
    the schema's arguments, and the exported function carries the schema's full signature.
    """

    kind: Kind
    operator: str
    function: Callable[..., Any]
    derived: bool
    ok: tuple[Invocation, ...]
    error: tuple[Invocation, ...]
    file: str

    @property
    def where(self) -> str:
        """`file:line` of the function, for messages."""
        line = inspect.getsourcelines(self.function)[1]
        return f"{inspect.getsourcefile(self.function)}:{line}"


_declared: dict[tuple[Kind, str], Declaration] = {}


def _declare(
    kind: Kind,
    operator: str,
    function: Callable[..., Any],
    derived: bool,
    ok: Sequence[Invocation],
    error: Sequence[Invocation],
    file: str,
) -> None:
    if "::" not in operator:
        raise DeclarationError(f"{operator!r} is not an operator name like 'aten::add.Tensor'")
    earlier = _declared.get((kind, operator))
    if earlier is not None:
        raise DeclarationError(f"{operator}: a {kind} function is declared at {earlier.where} too")
    _declared[kind, operator] = Declaration(
        kind, operator, function, derived, tuple(ok), tuple(error), Path(file).name
    )


def shape_function(
    operator: str, *, ok: Sequence[Invocation] = (), error: Sequence[Invocation] = ()
) -> Callable[[Function], Function]:
    """Declare the shape function of `operator`; its signature is the schema's, verbatim.

    PyTorch must accept every case in `ok` and give the shapes that the function gives (and the
    dtypes that the dtype function gives); PyTorch and the function must both reject every case in
    `error`.
    """
    file = sys._getframe(1).f_code.co_filename

    def declare(function: Function) -> Function:
        _declare("shape", operator, function, False, ok, error, file)
        return function

    return declare


def dtype_function(
    operator: str, *, ok: Sequence[Invocation] = (), error: Sequence[Invocation] = ()
) -> Callable[[Function], Function]:
    """Declare the dtype function of `operator`; see `shape_function`."""
    file = sys._getframe(1).f_code.co_filename

    def declare(function: Function) -> Function:
        _declare("dtype", operator, function, False, ok, error, file)
        return function

    return declare


def shape_family(
    rule: Callable[..., Any],
    *operators: str,
    ok: Sequence[Invocation] = (),
    error: Sequence[Invocation] = (),
) -> None:
    """Declare one rule as the shape function of every operator of a family, with shared cases.

    The rule's parameters are matched by name to each schema's arguments; those that it does not
    name it does not depend on.
    """
    file = sys._getframe(1).f_code.co_filename
    for operator in operators:
        _declare("shape", operator, rule, True, ok, error, file)


def dtype_family(
    rule: Callable[..., Any],
    *operators: str,
    ok: Sequence[Invocation] = (),
    error: Sequence[Invocation] = (),
) -> None:
    """Declare one rule as the dtype function of every operator of a family; see `shape_family`."""
    file = sys._getframe(1).f_code.co_filename
    for operator in operators:
        _declare("dtype", operator, rule, True, ok, error, file)


def declarations() -> dict[tuple[Kind, str], Declaration]:
    """Everything declared so far, by kind and operator name."""
    return dict(_declared)
