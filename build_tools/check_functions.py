"""Check the library's functions against PyTorch: signatures, results and raises.

    python -m torch_refine.build_tools.check_functions [OPERATOR or family file ...]

Every case of a function runs on PyTorch's meta device (or the CPU if the case says so) and
in the Python function; shapes, dtypes and raises must agree. Of similar problems, three are
printed and the rest counted.
"""

from __future__ import annotations

import importlib
import sys
import typing
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from torch_refine.abstract_interp_lib import families, scalar_types
from torch_refine.abstract_interp_lib.declaration import (
    Declaration,
    FunctionKind,
    Invocation,
    Kind,
    TensorCase,
    declarations,
    place,
)
from torch_refine.abstract_interp_lib.rules.device import _checked_device
from torch_refine.abstract_interp_lib.rules.made_cases import GroupCase, MadeCase
from torch_refine.dialect.schemas import Schema, schema
from torch_refine.importer.functions import call_limit
from torch_refine.importer.functions.problems import Problem, printed
from torch_refine.importer.functions.scripting import PLACE
from torch_refine.importer.functions.signatures import default_value, parameters_of
from torch_refine.importer.functions.usable import compiled, require_usable
from torch_refine.importer.functions.user_code import UserCodeError, is_users, run_command, running

Result = tuple[tuple[int, ...], str]


def load_families(names: Sequence[str] = ()) -> dict[tuple[Kind, str], Declaration]:
    """Import families, and return all declarations.

    `names` are files or operators: the files, and those that mention the operators, are imported;
    without names, all families. Raises UserCodeError, with the file and line, for a family that
    cannot be imported.
    """
    for name, path in sorted(family_files().items()):
        if not names or path.stem in names or _mentions(path, names):
            module = f"{families.__name__}.{name}"
            running(lambda module=module: importlib.import_module(module), path)  # type: ignore[misc]
    return declarations()


def family_files() -> dict[str, Path]:
    """The files of the families by their modules' names, such as `pointwise.arithmetic`."""
    return {
        ".".join(path.relative_to(folder).with_suffix("").parts): path
        for folder in map(Path, families.__path__)
        for path in folder.rglob("*.py")
        if path.name != "__init__.py"
    }


def _mentions(path: Path, names: Sequence[str]) -> bool:
    """Whether a family's source mentions an operator."""
    # Importing a file that is not UTF-8 reports the error.
    source = path.read_text(encoding="utf-8", errors="replace")
    return any(f'"{name}"' in source for name in names)


def run_pytorch(operator: str, case: Invocation) -> list[Any]:
    """Run a case in PyTorch; the result's tensors as (sizes, dtype name), lists kept as lists.

    Raises whatever PyTorch raises.
    """
    namespace, _, rest = operator.partition("::")
    name, _, overload = rest.partition(".")
    if namespace.startswith("_c10d_functional"):
        # This registers their meta kernels, and some of the operators.
        importlib.import_module("torch.distributed._functional_collectives")
    packet = getattr(getattr(torch.ops, namespace), name)
    function = getattr(packet, overload or "default")
    arguments = [to_pytorch(argument, case.device) for argument in case.args]
    keywords = {key: to_pytorch(value, case.device) for key, value in case.kwargs.items()}
    result = None
    with torch.no_grad():
        try:
            result = function(*arguments, **keywords)
        finally:
            if namespace.startswith("_c10d_functional"):
                _wait_for([*arguments, *keywords.values(), result])
    returns = schema(operator).returns
    outputs = result if len(returns) != 1 else (result,)
    return [
        _type_of(output)
        for output, kind in zip(outputs, returns, strict=True)
        if kind.startswith("Tensor")
    ]


def _wait_for(values: Any) -> None:
    """Wait for collectives on tensors, or PyTorch warns at exit that nothing did."""
    for each in values:
        if isinstance(each, list):
            _wait_for(each)
        elif isinstance(each, torch.Tensor):
            torch.ops._c10d_functional.wait_tensor(each)


# The exceptions of PyTorch for calls that it rejects; all others are errors of ours.
REJECTIONS = (RuntimeError, TypeError, ValueError, IndexError, AssertionError, AttributeError)


_BLOCKS = (torch.sparse_bsr, torch.sparse_bsc)


_QUANTIZED = (torch.qint8, torch.quint8, torch.qint32, torch.quint4x2, torch.quint2x4)


def to_pytorch(value: Any, device: str) -> Any:
    """A case's argument for PyTorch: tensors of ones, or of the case's values.

    Raises PyTorch's exception for a tensor that it cannot create.
    """
    if isinstance(value, GroupCase):
        return value.make()
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
    """The case's arguments by name, with defaults of the schema.

    Raises TypeError if the case does not match the schema.
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
    """A case's value, converted to the annotated type of a library function's parameter."""
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


def run_function(declaration: Declaration, case: Invocation) -> list[Any]:
    """Run a library function on a case; one entry (a shape or a dtype name) per result."""
    operator_schema = schema(declaration.operator)
    bound = {**bind(operator_schema, case), **declaration.constants}
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


def _normal(entry: Any, kind: FunctionKind) -> Any:
    if kind == "shape":
        return tuple(entry)
    # -1 stands for an unknown dtype.
    return entry if entry < 0 else scalar_types.NAMES[entry]


def _expected(outputs: list[Any], kind: FunctionKind) -> list[Any]:
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


def unusable(declaration: Declaration) -> Problem | None:
    """Why a function cannot be run: its operator, its signature, or its source.

    None if it can be run.
    """
    try:
        require_usable(declaration)
    except UserCodeError as error:
        return Problem(
            "",
            error.where,
            error.message,
            alike="operators with this error",
            source=_anchor(declaration),
            excerpt=error.excerpt,
        )
    return None


def _anchor(declaration: Declaration) -> str:
    """The common key of the declarations of a family's operators."""
    return str(declaration.source) if declaration.derived else declaration.operator


def check(declaration: Declaration) -> Iterator[Problem]:
    """The problems of one function."""
    broken = unusable(declaration)
    if broken is not None:
        yield broken
        return
    yield from check_cases(declaration)


def check_cases(declaration: Declaration) -> Iterator[Problem]:
    """The problems of a function that can be run: its differences from PyTorch."""
    operator, kind, anchor = declaration.operator, declaration.kind, _anchor(declaration)

    def problem(message: str, alike: str, case: Invocation, at: str = "") -> Problem:
        where = at or declaration.where
        return Problem(operator, where, message, alike=alike, source=anchor, case=case)

    accepted, rejected = cases_of(declaration)
    if not accepted:
        said = "has no accepted case (ok=)"
        yield Problem(operator, declaration.where, said, "warning", UNTRIED, anchor)
    for case in accepted:
        with in_time(declaration, case):
            try:
                expected = _expected(run_pytorch(operator, case), kind)
            except Exception as error:
                # Cases of the operator's other function are reported there.
                if any(case is each for each in declaration.ok):
                    said = f"PyTorch rejects {case}: {_first_line(error)}{_instead(error, case)}"
                    yield problem(said, "cases that PyTorch rejects", case, case.where)
                continue
            try:
                actual = run_function(declaration, case)
            except Exception as error:
                said = f"raises for {case}, where PyTorch gives {expected}: {_first_line(error)}"
                at = _raised_at(error, declaration)
                yield problem(said, "calls for which it raises", case, at)
                continue
        if not _agree(_spread(actual, expected), expected):
            yield problem(
                f"{kind} for {case} is {actual}, PyTorch gives {expected}",
                f"calls with a wrong {kind}",
                case,
            )
    for case in rejected:
        with in_time(declaration, case):
            # Any exception of PyTorch rejects the case.
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
                said = f"fails for {case}: {_first_line(error)}"
                at = _raised_at(error, declaration)
                yield problem(said, "calls for which it fails", case, at)
            else:
                yield problem(
                    f"does not raise for {case}, gives {actual}",
                    "calls for which it does not raise",
                    case,
                )


# The summary of functions without a comparison.
UNTRIED = "functions without an accepted case (ok=)"


def in_time(declaration: Declaration, case: Invocation) -> AbstractContextManager[None]:
    """Run a case under the call limit; the process ends with a message if it takes too long."""

    def message() -> str:
        said = f"does not end within {call_limit.seconds():.3g} s for {case}"
        return str(Problem(declaration.operator, declaration.where, said))

    return call_limit.limited(message)


def _spread(actual: list[Any], expected: list[Any]) -> list[Any]:
    """Repeat the single dtype of a list of tensors for each of them."""
    return [
        mine * len(given)
        if isinstance(given, list) and len(mine) == 1 and not isinstance(mine[0], tuple)
        else mine
        for mine, given in zip(actual, expected, strict=True)
    ]


def _agree(actual: Any, expected: Any) -> bool:
    """Whether results are equal.

    -1 in a shape stands for a data-dependent size, (-2,) for an unknown shape. Anything is equal to
    a result that is not a tensor, such as a gradient that was not requested.
    """
    if expected is None or actual == (-2,):
        return True
    if isinstance(actual, list | tuple) and isinstance(expected, list | tuple):
        return len(actual) == len(expected) and all(map(_agree, actual, expected))
    return bool(actual == expected or actual == -1)


def message_of(error: torch.jit.Error) -> str:
    """The message of a compiled function's exception, without TorchScript's traceback."""
    last = str(error).strip().splitlines()[-1]
    return last.partition(":")[2].strip()


def _first_line(error: Exception) -> str:
    if isinstance(error, torch.jit.Error):
        return message_of(error)
    said = str(error).strip()
    if said.startswith("The following operation failed in the TorchScript interpreter"):
        # The message of the operation is last, after the traceback.
        return said.splitlines()[-1].strip()
    return f"{type(error).__name__}: {said.partition(chr(10))[0]}"


def _instead(error: Exception, case: Invocation) -> str:
    """Advice for a case that only the meta device rejects."""
    said = str(error)
    missing = isinstance(error, NotImplementedError) or "no fake impl" in said
    if missing and case.device == "meta":
        return '; device="cpu" runs the case on the CPU'
    return ""


def _raised_at(error: Exception, declaration: Declaration) -> str:
    """The innermost line of user code in the traceback of a compiled function."""
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
