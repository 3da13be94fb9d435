"""Check the library's functions against PyTorch: signatures, results, and what must raise.

    python -m torch_refine.build_tools.check_functions [OPERATOR or family file ...]

Every case of a function runs on PyTorch's meta device (or the CPU where the case says so) and
through the Python function; shapes, dtypes and raising must agree. Of problems that are alike, a
few are printed, and how many more there are.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
import sys
import typing
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
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
    place,
)
from torch_refine.abstract_interp_lib.rules.device import _checked_device
from torch_refine.abstract_interp_lib.rules.made_cases import MadeCase
from torch_refine.build_tools import call_limit
from torch_refine.build_tools.problems import Problem, printed
from torch_refine.build_tools.scripting import PLACE, script
from torch_refine.build_tools.signatures import (
    check_signature,
    default_value,
    parameters_of,
)
from torch_refine.build_tools.user_code import (
    UserCodeError,
    excerpt,
    is_users,
    run_command,
    running,
)
from torch_refine.dialect.schemas import Schema, operators, schema

Result = tuple[tuple[int, ...], str]


def load_families(names: Sequence[str] = ()) -> dict[tuple[Kind, str], Declaration]:
    """Import families, and return what is declared by then.

    `names` are those of files or operators: the files, and those that name the operators, are
    imported; all families where there are none. Raises UserCodeError, with the file and line, for a
    family that cannot be imported.
    """
    for module in pkgutil.iter_modules(families.__path__):
        assert isinstance(module.module_finder, FileFinder)
        path = Path(module.module_finder.path, f"{module.name}.py")
        if not names or module.name in names or _mentions(path, names):
            name = f"{families.__name__}.{module.name}"
            running(lambda name=name: importlib.import_module(name), path)  # type: ignore[misc]
    return declarations()


def _mentions(path: Path, names: Sequence[str]) -> bool:
    """Whether a family's source has the name of an operator."""
    # A file that is not UTF-8 cannot be imported, which says so.
    source = path.read_text(encoding="utf-8", errors="replace")
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
    """The function compiled by TorchScript, in which a dtype is an int, as in the library.

    Raises ScriptError, with the file and line.
    """
    function = declaration.function
    if function not in _compiled:
        _compiled[function] = script(function)
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


def similar(name: str, names: Iterable[str]) -> str:
    """`; did you mean ...?` with the names that are most alike, or nothing."""
    close = difflib.get_close_matches(name, names, n=3)
    return f"; did you mean {' or '.join(close)}?" if close else ""


def no_operator(operator: str) -> str:
    """What to say of a name that is not in PyTorch's registry, in one sentence."""
    known = operators()
    namespace = operator.partition("::")[0]
    if "::" in operator and namespace not in {name.partition("::")[0] for name in known}:
        return (
            f"PyTorch has no operator {operator}; functions of an operator of your own are checked "
            "and exported by python -m torch_refine.build_tools.extra_library FILE -o FILE.mlir"
        )
    return f"PyTorch has no operator {operator}{similar(operator, known)}"


def unusable(declaration: Declaration) -> Problem | None:
    """Why a function cannot be run at all: its operator, its signature, or what it is written in.

    None if it can be.
    """
    try:
        require_usable(declaration)
    except UserCodeError as error:
        return Problem(
            "",
            error.where,
            error.message,
            alike="operators that it is wrong for",
            source=_anchor(declaration),
            excerpt=error.excerpt,
        )
    return None


def require_usable(declaration: Declaration) -> None:
    """Check all of a function that no case is needed for; UserCodeError, at the line, if not."""
    operator = declaration.operator
    try:
        check_signature(declaration)
        compiled(declaration)
    except KeyError:
        shown = excerpt(*declaration.position)
        raise UserCodeError(no_operator(operator), declaration.where, shown) from None
    except UserCodeError as error:
        error.locate(declaration.where, excerpt(*declaration.position))
        error.name(operator)
        raise


def _anchor(declaration: Declaration) -> str:
    """What the declarations of a family's operators have in common."""
    return str(declaration.source) if declaration.derived else declaration.operator


def check(declaration: Declaration) -> Iterator[Problem]:
    """All that is wrong with one function."""
    broken = unusable(declaration)
    if broken is not None:
        yield broken
        return
    yield from check_cases(declaration)


def check_cases(declaration: Declaration) -> Iterator[Problem]:
    """What is wrong with a function that can be run: where it and PyTorch differ."""
    operator, kind, anchor = declaration.operator, declaration.kind, _anchor(declaration)

    def problem(message: str, alike: str, case: Invocation, at: str = "") -> Problem:
        where = at or declaration.where
        return Problem(operator, where, message, alike=alike, source=anchor, case=case)

    accepted, rejected = cases_of(declaration)
    if not accepted:
        said = "has no case that works"
        yield Problem(operator, declaration.where, said, "warning", UNTRIED, anchor)
    for case in accepted:
        with in_time(declaration, case):
            try:
                expected = _expected(run_pytorch(operator, case), kind)
            except Exception as error:
                # The other function of the operator tells of its own cases.
                if any(case is each for each in declaration.ok):
                    said = f"PyTorch rejects {case}: {_first_line(error)}{_instead(error, case)}"
                    yield problem(said, "cases that PyTorch rejects", case, case.where)
                continue
            try:
                actual = run_function(declaration, case)
            except Exception as error:
                said = f"raises for {case}, where PyTorch gives {expected}: {_first_line(error)}"
                at = _raised_at(error, declaration)
                yield problem(said, "calls that it raises for", case, at)
                continue
        if not _agree(_spread(actual, expected), expected):
            yield problem(
                f"{kind} for {case} is {actual}, PyTorch gives {expected}",
                f"calls that it gives another {kind} for",
                case,
            )
    for case in rejected:
        with in_time(declaration, case):
            # Whatever PyTorch raises is its way to reject a case.
            with suppress(Exception):
                given = run_pytorch(operator, case)
                said = f"PyTorch accepts {case} and gives {given}"
                yield problem(said, "cases that PyTorch accepts", case, case.where)
                continue
            try:
                actual = run_function(declaration, case)
            except torch.jit.Error as error:
                if not message_of(error):
                    yield problem(f"raises without a message for {case}", "such calls", case)
            except Exception as error:
                said = f"breaks for {case}: {_first_line(error)}"
                at = _raised_at(error, declaration)
                yield problem(said, "calls that it breaks for", case, at)
            else:
                yield problem(
                    f"does not raise for {case}, gives {actual}",
                    "calls that it does not raise for",
                    case,
                )


# What is said of functions that nothing was compared of.
UNTRIED = "functions without a case that works"


def in_time(declaration: Declaration, case: Invocation) -> AbstractContextManager[None]:
    """Run a case; the process ends with a message if it takes too long, and is watched."""

    def message() -> str:
        said = f"does not end within {call_limit.seconds():.3g} s for {case}"
        return str(Problem(declaration.operator, declaration.where, said))

    return call_limit.limited(message)


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
    said = str(error).strip()
    if said.startswith("The following operation failed in the TorchScript interpreter"):
        # What the operation said comes last, behind the lines that led to it.
        return said.splitlines()[-1].strip()
    return f"{type(error).__name__}: {said.partition(chr(10))[0]}"


def _instead(error: Exception, case: Invocation) -> str:
    """What to do about a case that only the meta device rejects."""
    said = str(error)
    missing = isinstance(error, NotImplementedError) or "no fake impl" in said
    if missing and case.device == "meta":
        return '; device="cpu" runs the case on the CPU'
    return ""


def _raised_at(error: Exception, declaration: Declaration) -> str:
    """The innermost line of a user's that an error in a compiled function names."""
    if isinstance(error, torch.jit.Error):
        return declaration.where
    places = [each for each in PLACE.finditer(str(error)) if is_users(each["file"])]
    return place(places[-1]["file"], int(places[-1]["line"])) if places else declaration.where


def main(names: Sequence[str]) -> int:
    """Check the functions of some operators or family files, or all; the number of problems."""
    call_limit.start()
    selected = [
        declaration
        for (_, operator), declaration in load_families(names).items()
        if not names or operator in names or declaration.file.removesuffix(".py") in names
    ]
    if not selected:
        print(f"error: no function is declared for {', '.join(names)}", file=sys.stderr)
        return 1
    problems = [problem for declaration in selected for problem in check(declaration)]
    for line in printed(problems):
        print(line)
    cases = sum(len(accepted) + len(rejected) for accepted, rejected in map(cases_of, selected))
    operators = len({declaration.operator for declaration in selected})
    print(
        f"{len(selected)} functions of {operators} operators, {cases} runs of cases: "
        f"{len(problems)} problems"
    )
    return len(problems)


if __name__ == "__main__":
    sys.exit(min(run_command(main, sys.argv[1:]), 1))
