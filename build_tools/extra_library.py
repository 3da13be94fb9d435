"""An extra library from a Python file: functions for operators that a user registered.

    python -m torch_refine.build_tools.extra_library my_operators.py -o my_operators.mlir

The file registers its operators with `torch.library` and has functions for them, declared as the
library's own are, or named after the operator: `my〇op〡shape` and `my〇op〡dtype`. It is run, as
any file of yours that you run. What is written is used through `extra-library=my_operators.mlir`.
"""

from __future__ import annotations

import argparse
import importlib.util
import inspect
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from types import ModuleType
from typing import Any

import torch
from torch_refine.abstract_interp_lib.declaration import Declaration, declarations
from torch_refine.build_tools.check_functions import check
from torch_refine.build_tools.export_library import export
from torch_refine.build_tools.signatures import SignatureError
from torch_refine.build_tools.torchscript import ExportError
from torch_refine.dialect.names import Kind
from torch_refine.dialect.schemas import add_schema, schema

# How a function's name says which operator it is for, and what it tells of it.
_COLON, _BAR = "〇", "〡"


class ExtraLibraryError(Exception):
    """A function cannot be exported; the message says which, and why."""


def declarations_of(functions: Iterable[Callable[..., Any]]) -> list[Declaration]:
    """What functions are for: as they were declared, or by their names.

    Raises ExtraLibraryError for one that is neither.
    """
    declared = list(declarations().values())
    found: list[Declaration] = []
    for function in functions:
        own = [each for each in declared if each.function is function]
        found += own or [_by_name(function)]
    for each in found:
        _know_schema(each)
    return found


def _by_name(function: Callable[..., Any]) -> Declaration:
    """A function whose name tells: `my〇op〇overload〡shape`."""
    operator, bar, kind = function.__name__.rpartition(_BAR)
    kinds: dict[str, Kind] = {"shape": "shape", "dtype": "dtype"}
    namespace, colon, rest = operator.partition(_COLON)
    if not (bar and colon and kind in kinds):
        raise ExtraLibraryError(
            f"{_where(function)}: {function.__name__} is declared for no operator; decorate "
            f"it with shape_function or dtype_function, or name it like my〇op〡shape"
        )
    name = f"{namespace}::{rest.replace(_COLON, '.')}"
    return Declaration(kinds[kind], name, function, False, (), (), Path(_where(function)).name)


def _where(function: Callable[..., Any]) -> str:
    return f"{inspect.getsourcefile(function)}:{inspect.getsourcelines(function)[1]}"


def _know_schema(declaration: Declaration) -> None:
    """Take the schema of a custom operator from PyTorch."""
    try:
        schema(declaration.operator)
        return
    except KeyError:
        name, _, overload = declaration.operator.partition(".")
    namespace, _, operator = name.partition("::")
    try:
        packet = getattr(getattr(torch.ops, namespace), operator)
        overload_schema = getattr(packet, overload or "default")._schema
    except AttributeError:
        raise ExtraLibraryError(
            f"{declaration.where}: PyTorch has no operator {declaration.operator}: the file must "
            "register it, or import what does"
        ) from None
    add_schema(str(overload_schema))


def export_functions(functions: Iterable[Callable[..., Any]]) -> str:
    """The text of a library with functions for operators, and what they call.

    Raises ExtraLibraryError, with the file and line, for what cannot be exported.
    """
    try:
        return export(declarations_of(functions))
    except (ExportError, SignatureError) as error:
        raise ExtraLibraryError(str(error)) from None


def functions_in_file(path: Path) -> list[Callable[..., Any]]:
    """Run a file, and return the functions in it that are for operators.

    Raises ExtraLibraryError if the file cannot be run, or has none.
    """
    before = set(declarations())
    module = _run(path)
    declared = [each.function for key, each in declarations().items() if key not in before]
    named = [
        value
        for name, value in vars(module).items()
        if _BAR in name and inspect.isfunction(value) and value not in declared
    ]
    functions: list[Callable[..., Any]] = list(dict.fromkeys([*declared, *named]))
    if not functions:
        raise ExtraLibraryError(f"{path} has no shape or dtype functions")
    return functions


def _run(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise ExtraLibraryError(f"cannot read {path}")
    module = importlib.util.module_from_spec(spec)
    # TorchScript finds what functions call through their module.
    sys.modules[path.stem] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:  # whatever the file raises is the finding
        raise ExtraLibraryError(f"{path} does not run: {type(error).__name__}: {error}") from None
    return module


def main(words: list[str]) -> int:
    """Export a file's functions, and check their cases; the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("file", type=Path, help="a Python file with functions for operators")
    parser.add_argument("-o", "--output", type=Path, required=True, help="the library, as MLIR")
    options = parser.parse_args(words)
    try:
        functions = functions_in_file(options.file)
        text = export_functions(functions)
    except ExtraLibraryError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    found = declarations_of(functions)
    problems = [problem for each in found if each.ok or each.error for problem in check(each)]
    for problem in problems:
        print(problem, file=sys.stderr)
    if problems:
        return 1
    try:
        options.output.write_text(text, encoding="utf-8")
    except OSError as error:
        print(f"error: cannot write {options.output}: {error.strerror}", file=sys.stderr)
        return 1
    names = ", ".join(dict.fromkeys(each.operator for each in found))
    print(f"{options.output}: {len(found)} functions of {names}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
