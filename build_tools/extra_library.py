"""An extra library from a Python file: functions for operators that a user registered.

    python -m torch_refine.build_tools.extra_library my_operators.py -o my_operators.mlir

The file registers its operators with `torch.library` and has functions for them, declared as the
library's own are, or named after the operator: `my〇op〡shape` and `my〇op〡dtype`. It is run, as
any file of yours that you run. The functions are checked as `check_function` checks those of the
library; what is wrong is said at the line, and nothing is written then. What is written is used
through `extra-library=my_operators.mlir`.
"""

from __future__ import annotations

import argparse
import inspect
import os
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

try:
    import torch
except ModuleNotFoundError:
    if __name__ != "__main__":
        raise
    from torch_refine.dialect.requirements import how_to_install

    sys.exit(f"error: exporting functions needs PyTorch: {how_to_install('torch')}")

from torch_refine.abstract_interp_lib.declaration import (
    Declaration,
    declarations,
    is_shipped,
    place,
    source_of,
)
from torch_refine.abstract_interpreter.running.library import Programs
from torch_refine.build_tools import call_limit
from torch_refine.build_tools.check_function import check_refined, check_text_and_cases
from torch_refine.build_tools.check_functions import UNTRIED, cases_of, similar
from torch_refine.build_tools.export_library import export
from torch_refine.build_tools.lint_functions import lint_text
from torch_refine.build_tools.problems import Problem, printed
from torch_refine.build_tools.user_code import UserCodeError, is_users, run_command, run_file
from torch_refine.dialect.names import KINDS, Kind, library_symbol
from torch_refine.dialect.schemas import add_schema, operators, schema

# How a function's name says which operator it is for, and what it tells of it.
_COLON, _BAR = "〇", "〡"


class ExtraLibraryError(UserCodeError):
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
    _check_once(found)
    return found


def _check_once(found: Iterable[Declaration]) -> None:
    """Raise ExtraLibraryError for the second of two functions that tell the same of an operator."""
    first: dict[tuple[Kind, str], Declaration] = {}
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
    kinds: dict[str, Kind] = {"shape": "shape", "dtype": "dtype"}
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
    before, loaded = declarations(), set(sys.modules)
    module = run_file(path)
    file = str(path.resolve())
    declared = [
        each
        for key, each in declarations().items()
        if before.get(key) is not each and (_file_of(each) == file or not is_shipped(each.source))
    ]
    modules = [module, *(sys.modules[name] for name in sys.modules.keys() - loaded)]
    known = [each.function for each in declarations().values()]
    named = [_by_name(each) for each in _named_functions(modules) if each not in known]
    own = sorted([*declared, *named], key=lambda each: _file_of(each) != file)
    for of_file in dict.fromkeys(map(_file_of, own)):
        _check_once(each for each in own if _file_of(each) == of_file)
    found: dict[tuple[Kind, str], Declaration] = {}
    for each in own:
        found.setdefault((each.kind, each.operator), each)
    if not found:
        raise ExtraLibraryError(
            "the file has no shape or dtype functions: decorate one with shape_function or "
            "dtype_function, or name it like my〇op〡shape",
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


def check_library(found: Sequence[Declaration]) -> tuple[list[Problem], str]:
    """What is wrong with functions, and the text of their library; empty if there is an error."""
    problems: list[Problem] = []
    untried = [each for each in found if not any(cases_of(each))]
    for each in found:
        problems += check_text_and_cases(each, each in untried)
    problems = [problem for problem in problems if problem.alike != UNTRIED]
    if any(problem.severity == "error" for problem in problems):
        return problems, ""
    text = export(found)
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder, "library.mlir")
        library.write_text(text, encoding="utf-8")
        for operator in dict.fromkeys(each.operator for each in found if each.ok):
            of_operator = [each for each in found if each.operator == operator]
            problems += check_refined(of_operator, library)
    missing = list(_missing(found))
    lacking = {problem.operator for problem in missing}
    # What is not inferred for want of a function needs no further word.
    problems = [
        each for each in problems if each.operator not in lacking or each.severity != "note"
    ]
    problems += missing
    if untried:
        names = list(dict.fromkeys(each.operator for each in untried))
        shown = ", ".join(names[:3]) + (", ..." if len(names) > 3 else "")
        said = f"compared with nothing, for want of a case (ok=): {len(untried)} of {shown}"
        problems.append(Problem("", untried[0].where, said, "warning"))
    wrong = any(problem.severity == "error" for problem in problems)
    return problems, "" if wrong else text


def _missing(found: Sequence[Declaration]) -> Iterator[Problem]:
    """The functions that an operator lacks, in this library and in the shipped one."""
    shipped = Programs()
    has = {(each.kind, each.operator) for each in found}
    for each in found:
        for kind in KINDS:
            symbol = library_symbol(kind, each.operator)
            if (kind, each.operator) not in has and symbol not in shipped:
                stay = "the shapes" if kind == "shape" else "the dtypes"
                said = f"has no {kind} function: {stay} of its results stay unknown"
                yield Problem(each.operator, each.where, said, "warning")


def main(words: Sequence[str]) -> int:
    """Export a file's functions, and check them; the exit code.

    Raises UserCodeError for a file that cannot be run.
    """
    parser = argparse.ArgumentParser(
        prog="extra_library", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("file", type=Path, help="a Python file with functions for operators")
    parser.add_argument("-o", "--output", type=Path, required=True, help="the library, as MLIR")
    options = parser.parse_args(words)
    call_limit.start()
    warnings.simplefilter("ignore")
    found = declarations_in_file(options.file)
    problems, text = check_library(found)
    for line in printed(problems):
        print(line, file=sys.stderr)
    if not text:
        return 1
    try:
        options.output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UserCodeError(f"cannot write {options.output}: {error.strerror}") from None
    names = ", ".join(dict.fromkeys(each.operator for each in found))
    several = "function" if len(found) == 1 else "functions"
    print(f"{options.output}: {len(found)} {several} of {names}")
    return 0


if __name__ == "__main__":
    sys.exit(run_command(main, sys.argv[1:]))
