"""Check the library's functions against PyTorch: signatures, results, and what must raise.

    python -m torch_refine.build_tools.check_functions [OPERATOR or family file ...]

Every case of a function runs on PyTorch's meta device (or the CPU where the case says so) and
through the Python function; shapes, dtypes and raising must agree.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
import typing
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib.machinery import FileFinder
from pathlib import Path
from typing import Any

import torch
from torch_refine.abstract_interp_lib import families, scalar_types
from torch_refine.abstract_interp_lib.declaration import (
    Declaration,
    Invocation,
    Kind,
    TensorCase,
    declarations,
)
from torch_refine.abstract_interp_lib.rules.device import _checked_device
from torch_refine.abstract_interp_lib.rules.made_cases import MadeCase
from torch_refine.build_tools.signatures import SignatureError, check_signature, parameters_of
from torch_refine.dialect.schemas import Schema, schema

Result = tuple[tuple[int, ...], str]


@dataclass(frozen=True)
class Problem:
    """What is wrong with one function, in words: where it stands, what was found."""

    operator: str
    where: str
    message: str

    def __str__(self) -> str:
        return f"{self.where}: {self.operator}: {self.message}"


def load_families(names: Sequence[str] = ()) -> dict[tuple[Kind, str], Declaration]:
    """Import families, and return what is declared by then.

    `names` are those of files or operators: the files, and those that name the operators, are
    imported; all families where there are none.
    """
    for module in pkgutil.iter_modules(families.__path__):
        if not names or module.name in names or _mentions(module, names):
            importlib.import_module(f"{families.__name__}.{module.name}")
    return declarations()


def _mentions(module: pkgutil.ModuleInfo, names: Sequence[str]) -> bool:
    """Whether a family's source has the name of an operator."""
    assert isinstance(module.module_finder, FileFinder)
    source = Path(module.module_finder.path, f"{module.name}.py").read_text(encoding="utf-8")
    return any(f'"{name}"' in source for name in names)


def run_pytorch(operator: str, case: Invocation) -> list[Any]:
    """Run a case in PyTorch; the result's tensors as (sizes, dtype name), lists kept as lists.

    Raises whatever PyTorch raises.
    """
    namespace, _, rest = operator.partition("::")
    name, _, overload = rest.partition(".")
    packet = getattr(getattr(torch.ops, namespace), name)
    function = getattr(packet, overload or "default")
    arguments = [to_pytorch(argument, case.device) for argument in case.args]
    keywords = {key: to_pytorch(value, case.device) for key, value in case.kwargs.items()}
    with torch.no_grad():
        result = function(*arguments, **keywords)
    returns = schema(operator).returns
    outputs = result if len(returns) != 1 else (result,)
    return [
        _type_of(output)
        for output, kind in zip(outputs, returns, strict=True)
        if kind.startswith("Tensor")
    ]


# What PyTorch raises for calls that it does not take; whatever else comes is an error of ours.
REJECTIONS = (RuntimeError, TypeError, ValueError, IndexError, AssertionError, AttributeError)


_BLOCKS = (torch.sparse_bsr, torch.sparse_bsc)


_QUANTIZED = (torch.qint8, torch.quint8, torch.qint32, torch.quint4x2, torch.quint2x4)


def to_pytorch(value: Any, device: str) -> Any:
    """A case's argument as PyTorch takes it: tensors of ones, or of the case's values.

    Raises what PyTorch raises for a tensor that it cannot make.
    """
    if isinstance(value, MadeCase) and value.make is not None:
        return value.make()
    if isinstance(value, TensorCase) and value.dtype in _QUANTIZED:
        return torch.quantize_per_tensor(torch.ones(value.sizes), 0.5, 0, value.dtype)
    if isinstance(value, TensorCase) and value.layout != torch.strided:
        dense = to_pytorch(replace(value, layout=torch.strided), device)
        if str(value.layout) == "torch._mkldnn":
            return dense.to_mkldnn()
        blocksize = (2, 2) if value.layout in _BLOCKS else None
        return dense.to_sparse(layout=value.layout, blocksize=blocksize)
    if isinstance(value, TensorCase):
        if value.values is not None:
            return torch.tensor(value.values, dtype=value.dtype, device=device).reshape(value.sizes)
        return torch.ones(value.sizes, dtype=value.dtype, device=device)
    if isinstance(value, list):
        return [to_pytorch(item, device) for item in value]
    return value


def _type_of(output: Any) -> Any:
    if isinstance(output, torch.Tensor):
        return tuple(output.shape), str(output.dtype).removeprefix("torch.")
    if isinstance(output, list | tuple):
        return [_type_of(item) for item in output]
    return None


def bind(operator_schema: Schema, case: Invocation) -> dict[str, Any]:
    """The case's arguments by name, defaults filled in from the schema.

    Raises TypeError when the case does not fit the schema.
    """
    positional = [a for a in operator_schema.arguments if not a.keyword_only]
    if len(case.args) > len(positional):
        raise TypeError(f"{len(case.args)} positional arguments for {operator_schema}")
    bound = {a.name: value for a, value in zip(positional, case.args, strict=False)}
    names = {a.name for a in operator_schema.arguments}
    for name, value in case.kwargs.items():
        if name not in names or name in bound:
            raise TypeError(f"argument {name!r} does not fit {operator_schema}")
        bound[name] = value
    for argument in operator_schema.arguments:
        if argument.name not in bound:
            if argument.default is None:
                raise TypeError(f"argument {argument.name!r} is missing for {operator_schema}")
            bound[argument.name] = default_value(argument.default, argument.type)
    return bound


_NAMED_DEFAULTS = {"None": None, "True": True, "False": False, "Mean": 1, "Sum": 2}


def default_value(text: str, kind: str) -> Any:
    """The value of a schema's default as a library function sees it; enums become numbers."""
    if text in _NAMED_DEFAULTS:
        return _NAMED_DEFAULTS[text]
    if text.startswith('"'):
        return text[1:-1]
    if text.startswith("["):
        items = text[1:-1].replace(" ", "").split(",")
        return [default_value(item, kind.partition("[")[0]) for item in items if item]
    if text == "contiguous_format":
        return 0
    try:
        value: Any = int(text)
    except ValueError:
        value = float(text)
    if kind.rstrip("?").endswith("]") and not text.startswith("["):
        return [value]
    return value


_ENUMS = (torch.memory_format, torch.layout)


def adapt(value: Any, parameter: Any) -> Any:
    """A case's value as a library function's parameter of the annotated type takes it."""
    if isinstance(value, TensorCase):
        return _adapt_tensor(value, parameter)
    if isinstance(value, torch.dtype):
        return scalar_types.NUMBERS[str(value).removeprefix("torch.")]
    if isinstance(value, _ENUMS):
        return int(_enum_number(value))
    if isinstance(value, list | tuple):
        inner = _without_optional(parameter)
        item = typing.get_args(inner)[0] if typing.get_origin(inner) is list else Any
        return [adapt(entry, item) for entry in value]
    if parameter is float and isinstance(value, int):
        return float(value)
    if isinstance(value, int) and typing.get_origin(_without_optional(parameter)) is list:
        # A single int stands for a list in PyTorch's calling convention.
        return [value]
    return value


MEMORY_FORMATS = ("contiguous_format", "preserve_format", "channels_last", "channels_last_3d")
_LAYOUTS = (
    "strided",
    "sparse_coo",
    "sparse_csr",
    "_mkldnn",
    "sparse_csc",
    "sparse_bsr",
    "sparse_bsc",
    "jagged",
)


def _enum_number(value: Any) -> int:
    name = str(value).removeprefix("torch.")
    table = MEMORY_FORMATS if isinstance(value, torch.memory_format) else _LAYOUTS
    return table.index(name)


def _without_optional(parameter: Any) -> Any:
    if typing.get_origin(parameter) is typing.Union:
        rest = [part for part in typing.get_args(parameter) if part is not type(None)]
        if len(rest) == 1:
            return rest[0]
    return parameter


def _adapt_tensor(value: TensorCase, parameter: Any) -> Any:
    dtype = scalar_types.NUMBERS[str(value.dtype).removeprefix("torch.")]
    parameter = _without_optional(parameter)
    if typing.get_origin(parameter) is tuple:
        first = typing.get_args(parameter)[0]
        return (len(value.sizes), dtype) if first is int else (list(value.sizes), dtype)
    return list(value.sizes)


_compiled: dict[Any, Any] = {}


def compiled(declaration: Declaration) -> Any:
    """The function compiled by TorchScript, in which a dtype is an int, as in the library."""
    function = declaration.function
    if function not in _compiled:
        _compiled[function] = torch.jit.script(function)
    return _compiled[function]


def run_function(declaration: Declaration, case: Invocation) -> list[Any]:
    """Run a library function on a case; one entry (a shape or a dtype name) per result."""
    operator_schema = schema(declaration.operator)
    bound = bind(operator_schema, case)
    parameters = parameters_of(declaration.function)
    arguments = {name: adapt(bound[name], kind) for name, kind in parameters.items()}
    _checked_device[0] = case.device
    result = compiled(declaration)(**arguments)
    returns = [each for each in operator_schema.returns if each.startswith("Tensor")]
    results = list(result) if isinstance(result, tuple) else [result]
    return [
        [_normal(item, declaration.kind) for item in entry]
        if returned == "Tensor[]"
        else _normal(entry, declaration.kind)
        for entry, returned in zip(results, returns, strict=True)
    ]


def _normal(entry: Any, kind: Kind) -> Any:
    if kind == "shape":
        return tuple(entry)
    # -1 stands for a dtype that nobody can know.
    return entry if entry < 0 else scalar_types.NAMES[entry]


def _expected(outputs: list[Any], kind: Kind) -> list[Any]:
    """The shapes or dtypes of results; None for one that is not a tensor."""

    def one(output: Any) -> Any:
        if isinstance(output, list):
            return [one(item) for item in output]
        return None if output is None else output[0 if kind == "shape" else 1]

    return [one(output) for output in outputs]


def cases_of(declaration: Declaration) -> tuple[list[Invocation], list[Invocation]]:
    """The cases that a function is checked with.

    The accepted cases of an operator's shape and dtype functions hold for both of them.
    """
    declared = declarations()
    accepted: list[Invocation] = []
    for kind in ("shape", "dtype"):
        other = declared.get((kind, declaration.operator))
        if other is not None:
            accepted.extend(other.ok)
    return accepted, list(declaration.error)


def check(declaration: Declaration) -> Iterator[Problem]:
    """All that is wrong with one function."""

    def problem(message: str) -> Problem:
        return Problem(declaration.operator, declaration.where, message)

    try:
        check_signature(declaration)
        compiled(declaration)
    except KeyError:
        yield problem("PyTorch has no such operator")
        return
    except SignatureError as error:
        yield problem(str(error))
        return
    except Exception as error:  # whatever TorchScript's compiler raises is the finding
        yield problem(f"does not compile as TorchScript: {error}")
        return
    accepted, rejected = cases_of(declaration)
    if not accepted:
        yield problem("has no case that works")
    for case in accepted:
        try:
            expected = _expected(run_pytorch(declaration.operator, case), declaration.kind)
        except Exception as error:
            yield problem(f"PyTorch rejects {case}: {_first_line(error)}")
            continue
        try:
            actual = run_function(declaration, case)
        except Exception as error:
            yield problem(
                f"raises for {case}, where PyTorch gives {expected}: {_first_line(error)}"
            )
            continue
        if not _agree(_spread(actual, expected), expected):
            yield problem(f"{declaration.kind} for {case} is {actual}, PyTorch gives {expected}")
    for case in rejected:
        # Whatever PyTorch raises is its way to reject a case.
        with suppress(Exception):
            given = run_pytorch(declaration.operator, case)
            yield problem(f"PyTorch accepts {case} and gives {given}")
        try:
            actual = run_function(declaration, case)
        except torch.jit.Error as error:
            if not message_of(error):
                yield problem(f"raises without a message for {case}")
        except Exception as error:
            yield problem(f"breaks for {case}: {_first_line(error)}")
        else:
            yield problem(f"does not raise for {case}, gives {actual}")


def _spread(actual: list[Any], expected: list[Any]) -> list[Any]:
    """A lone dtype, which stands for every tensor of a list, once for each of them."""
    return [
        mine * len(given)
        if isinstance(given, list) and len(mine) == 1 and not isinstance(mine[0], tuple)
        else mine
        for mine, given in zip(actual, expected, strict=True)
    ]


def _agree(actual: Any, expected: Any) -> bool:
    """Whether results are equal.

    -1 in a shape stands for a size that nobody can know, (-2,) for such a shape. Of a result that
    is not a tensor, such as a gradient that was not asked for, anything may be said.
    """
    if expected is None or actual == (-2,):
        return True
    if isinstance(actual, list | tuple) and isinstance(expected, list | tuple):
        return len(actual) == len(expected) and all(map(_agree, actual, expected))
    return bool(actual == expected or actual == -1)


def message_of(error: torch.jit.Error) -> str:
    """The message that a compiled function raised with, without TorchScript's traceback."""
    last = str(error).strip().splitlines()[-1]
    return last.partition(":")[2].strip()


def _first_line(error: Exception) -> str:
    if isinstance(error, torch.jit.Error):
        return message_of(error)
    return f"{type(error).__name__}: {str(error).strip().splitlines()[0] if str(error) else ''}"


def main(names: list[str]) -> int:
    """Check the functions of some operators or family files, or all; the number of problems."""
    selected = [
        declaration
        for (_, operator), declaration in load_families(names).items()
        if not names or operator in names or declaration.file.removesuffix(".py") in names
    ]
    if not selected:
        print(f"no function is declared for {', '.join(names)}")
        return 1
    problems = [problem for declaration in selected for problem in check(declaration)]
    for problem in problems:
        print(problem)
    cases = sum(len(accepted) + len(rejected) for accepted, rejected in map(cases_of, selected))
    operators = len({declaration.operator for declaration in selected})
    print(
        f"{len(selected)} functions of {operators} operators, {cases} runs of cases: "
        f"{len(problems)} problems"
    )
    return len(problems)


if __name__ == "__main__":
    sys.exit(min(main(sys.argv[1:]), 1))
