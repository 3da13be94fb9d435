"""Functions of users for operators: which operator each is for, and their library.

A function is declared as the library's own are, or named after its operator: `my〇op〡shape`.
"""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Declaration,
    FunctionKind,
    all_declarations,
    is_shipped,
    place,
    source_of,
)
from torch_refine.dialect.schemas import add_schema, operators, schema
from torch_refine.importer.functions.exporting import export
from torch_refine.importer.functions.lint import lint_text
from torch_refine.importer.functions.usable import similar
from torch_refine.importer.functions.user_code import UserCodeError, is_users, run_file

# How a function's name says which operator it is for, and what it tells of it.
_COLON, _BAR = "〇", "〡"


class ExtraLibraryError(UserCodeError):
    """A function cannot be exported; the message says which, and why."""


def declarations_of(functions: Iterable[Callable[..., Any]]) -> list[Declaration]:
    """What functions are for: as they were declared, or by their names.

    Raises ExtraLibraryError for one that is neither.
    """
    declared = list(all_declarations().values())
    found: list[Declaration] = []
    for function in functions:
        own = [each for each in declared if each.function is function]
        found += own or [_by_name(function)]
    for each in found:
        _know_schema(each)
    _check_once(found)
    return found


def _check_once(found: Iterable[Declaration]) -> None:
    """Raise ExtraLibraryError for the second of two functions that tell the same of an operator."""
    first: dict[tuple[FunctionKind, str], Declaration] = {}
    for each in found:
        earlier = first.setdefault((each.kind, each.operator), each)
        if earlier is not each:
            said = f"{each.operator}: a {each.kind} function is declared at {earlier.where} too"
            raise ExtraLibraryError(said, each.where)


def _by_name(function: Callable[..., Any]) -> Declaration:
    """A function whose name tells: `my〇op〇overload〡shape`."""
    where = place(*source_of(function)) if inspect.isfunction(function) else ""
    shown = getattr(function, "__name__", str(function))
    operator, bar, kind = shown.rpartition(_BAR)
    kinds: dict[str, FunctionKind] = {
        "shape": "shape",
        "dtype": "dtype",
        "decomposition": "decomposition",
    }
    namespace, colon, rest = operator.partition(_COLON)
    if not (where and bar and colon and kind in kinds):
        raise ExtraLibraryError(
            f"{shown} is declared for no operator; decorate it with shape_function or "
            "dtype_function, or name it like my〇op〡shape",
            where,
        )
    name = f"{namespace}::{rest.replace(_COLON, '.')}"
    file = Path(source_of(function)[0]).name
    return Declaration(kinds[kind], name, function, False, (), (), file)


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
        close = similar(declaration.operator, [*operators(), *_registered(namespace)])
        raise ExtraLibraryError(
            f"PyTorch has no operator {declaration.operator}: the file must register it, or "
            f"import what does{close}",
            declaration.where,
        ) from None
    try:
        add_schema(str(overload_schema))
    except ValueError as error:
        raise ExtraLibraryError(str(error), declaration.where) from None


def _registered(namespace: str) -> list[str]:
    """The operators that PyTorch has in a namespace."""
    names = torch._C._dispatch_get_all_op_names()
    return [name for name in names if name.startswith(f"{namespace}::")]


def export_functions(functions: Iterable[Callable[..., Any]]) -> str:
    """The text of a library with functions for operators, and what they call.

    Raises ExtraLibraryError, with the file and line, for what cannot be exported, and for functions
    that are wrong as they are written, such as one that changes its arguments.
    """
    try:
        found = declarations_of(functions)
        text = export(found)
    except UserCodeError as error:
        raise ExtraLibraryError(error.message, error.where, error.excerpt) from None
    for each in found:
        for problem in lint_text(each):
            if problem.severity == "error":
                said = f"{problem.operator}: {problem.message}"
                raise ExtraLibraryError(said, problem.where, problem.excerpt)
    return text


def declarations_in_file(path: Path) -> list[Declaration]:
    """Run a file, and return what is declared by it and by the modules of the user's it imports.

    What the file itself declares precedes what its imports do of the same operator. The families of
    the shipped library, from which it may import rules, declare nothing for it. Raises
    UserCodeError if the file cannot be run, declares an operator twice, or declares nothing.
    """
    before, loaded = all_declarations(), set(sys.modules)
    module = run_file(path)
    file = str(path.resolve())
    declared = [
        each
        for key, each in all_declarations().items()
        if before.get(key) is not each and (_file_of(each) == file or not is_shipped(each.source))
    ]
    modules = [module, *(sys.modules[name] for name in sys.modules.keys() - loaded)]
    known = [each.function for each in all_declarations().values()]
    named = [_by_name(each) for each in _named_functions(modules) if each not in known]
    own = sorted([*declared, *named], key=lambda each: _file_of(each) != file)
    for of_file in dict.fromkeys(map(_file_of, own)):
        _check_once(each for each in own if _file_of(each) == of_file)
    found: dict[tuple[FunctionKind, str], Declaration] = {}
    for each in own:
        found.setdefault((each.kind, each.operator), each)
    if not found:
        raise ExtraLibraryError(
            "the file has no functions of operators: decorate one with shape_function, "
            "dtype_function or decomposition, or name it like my〇op〡shape",
            place(str(path)),
        )
    for each in found.values():
        _know_schema(each)
    return list(found.values())


def _named_functions(modules: Iterable[ModuleType]) -> Iterator[Callable[..., Any]]:
    """Functions that are named after operators, in modules of users."""
    seen: set[int] = set()
    for module in modules:
        if not is_users(getattr(module, "__file__", None) or "<built-in>"):
            continue
        for name, value in list(vars(module).items()):
            named = _COLON in name and _BAR in name and inspect.isfunction(value)
            if named and id(value) not in seen:
                seen.add(id(value))
                yield value


def _file_of(declaration: Declaration) -> str:
    """The file that a declaration is in."""
    source = declaration.source or source_of(declaration.function)
    return os.path.realpath(source[0])
