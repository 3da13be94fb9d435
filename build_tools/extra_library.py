"""An extra library from a Python file: functions for operators that a user registered.

    python -m torch_refine.build_tools.extra_library my_operators.py -o my_operators.mlir

The file registers its operators with `torch.library` and has functions for them, declared like
those of the library, or named after the operator: `my〇op〡shape` and `my〇op〡dtype`. The file is
executed. The functions are checked as by `check_function`; problems are printed with their lines,
and nothing is written then. The exported library is used with
`extra-library=my_operators.mlir`.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path

try:
    import torch  # noqa: F401
except ModuleNotFoundError:
    if __name__ != "__main__":
        raise
    from torch_refine.dialect.requirements import how_to_install

    sys.exit(f"error: exporting functions needs PyTorch: {how_to_install('torch')}")

from torch_refine.abstract_interp_lib.declaration import Declaration
from torch_refine.abstract_interpreter.running.library import Programs
from torch_refine.build_tools.check_function import check_refined, check_text_and_cases
from torch_refine.build_tools.check_functions import UNTRIED, cases_of
from torch_refine.dialect.names import KINDS, library_symbol
from torch_refine.importer.functions import call_limit
from torch_refine.importer.functions.exporting import export
from torch_refine.importer.functions.problems import Problem, printed
from torch_refine.importer.functions.user_code import UserCodeError, run_command
from torch_refine.importer.functions.user_library import declarations_in_file


def check_library(found: Sequence[Declaration]) -> tuple[list[Problem], str]:
    """The problems of functions, and the text of their library, which is empty after an error."""
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
    # A missing function is reported itself, so notes on its results are redundant.
    problems = [
        each for each in problems if each.operator not in lacking or each.severity != "note"
    ]
    problems += missing
    if untried:
        names = list(dict.fromkeys(each.operator for each in untried))
        shown = ", ".join(names[:3]) + (", ..." if len(names) > 3 else "")
        said = f"not compared with PyTorch, without a case (ok=): {len(untried)} of {shown}"
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
    """Export a file's functions, and check them; returns the exit code.

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
