"""Run all checks of the functions of one operator, in seconds.

    python -m torch_refine.build_tools.check_function aten::foo.bar

The cases run in PyTorch and in the functions; the functions are linted and exported alone; a
program with the operator is refined with them, both ways; and calls of the operator in PyTorch's
own samples are inferred. Problems are printed as messages.
"""

from __future__ import annotations

import re
import sys
import tempfile
import time
import warnings
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from torch_refine.abstract_interp_lib.declaration import (
    Declaration,
    Invocation,
    Kind,
    all_declarations,
    place,
)
from torch_refine.abstract_interp_lib.scalar_types import NUMBERS
from torch_refine.build_tools.check_decompositions import wrong_results
from torch_refine.build_tools.check_functions import (
    REJECTIONS,
    check_cases,
    load_families,
    run_pytorch,
    unusable,
)
from torch_refine.build_tools.functions.case_modules import CaseModule, NotExpressible, flattened
from torch_refine.build_tools.lint_functions import unprovoked
from torch_refine.build_tools.new_function import declared_in
from torch_refine.dialect.bindings import ir, new_context, operations
from torch_refine.dialect.element_types import element_of_dtype
from torch_refine.dialect.names import ir_name
from torch_refine.dialect.schemas import operators
from torch_refine.dialect.tensor_type import TensorType, Types
from torch_refine.importer.functions import call_limit
from torch_refine.importer.functions.exporting import export
from torch_refine.importer.functions.lint import lint_text
from torch_refine.importer.functions.problems import Problem, printed
from torch_refine.importer.functions.usable import no_operator, similar
from torch_refine.importer.functions.user_code import UserCodeError, run_command
from torch_refine.passes.program import program_functions, symbol_name
from torch_refine.pipelines.elements import Element
from torch_refine.pipelines.refinement import RefinementPipeline, ReifiedRefinementPipeline
from torch_refine.pipelines.runner import RunFailure, Runner

# The prefix of messages about results that are not inferred, which need not be errors.
_NOTE = "note: "
# The limits of time and of distinct calls for samples.
_SECONDS = 2.0
_CALLS = 300


def check_text_and_cases(declaration: Declaration, untried: bool = False) -> list[Problem]:
    """Problems of one function: of its signature, then its text, then its cases.

    A check runs only if the previous ones found no error, because later errors would follow from
    it. `untried` means that there are no cases to run.
    """
    broken = unusable(declaration)
    if broken is not None:
        return [broken]
    problems = list(lint_text(declaration))
    if any(problem.severity == "error" for problem in problems):
        return problems
    if declaration.kind == "decomposition":
        return problems + list(wrong_results(declaration))
    problems += check_cases(declaration)
    if not untried and not any(problem.severity == "error" for problem in problems):
        problems += unprovoked(declaration)
    return problems


def check_refined(
    found: Sequence[Declaration], library: Path, wrong: Collection[int] = ()
) -> Iterator[Problem]:
    """Refine programs with the operator both ways, with the exported functions alone.

    Cases whose `id` is in `wrong` are skipped.
    """
    ways: dict[str, list[Element]] = {
        "the direct way": list(RefinementPipeline(str(library)).elements()),
        "the reified way": list(ReifiedRefinementPipeline(str(library)).elements()),
    }
    keep: tuple[tuple[str, Callable[[TensorType], TensorType]], ...] = (
        ("", lambda type: type),
        (" with sizes unknown", _without_sizes),
    )
    operator, where = found[0].operator, found[0].where
    described = []
    for each in found:
        if each.kind == "decomposition":
            yield from wrong_results(each, str(library))
        else:
            described.append(each)
    cases = [(operator, case) for each in described for case in each.ok if id(case) not in wrong]
    # A message that occurs several times is reported once.
    told: dict[str, list[str]] = defaultdict(list)
    for way, elements in ways.items():
        for what, hide in keep:
            messages = list(_refined(cases, elements, hide))
            notes = [each for each in messages if each.startswith(_NOTE)]
            if notes:
                told[f"{notes[0]} ({len(notes)} results)"].append(way + what)
            for message in messages:
                if not message.startswith(_NOTE):
                    said = _OPERANDS.sub("", message).replace(ir_name(operator), operator)
                    told[said].append(way + what)
    for message, by in told.items():
        said = f"{message.removeprefix(_NOTE)} ({', '.join(dict.fromkeys(by))})"
        if message.startswith(_NOTE):
            yield Problem(operator, where, f"not inferred in full: {said}", "note")
        else:
            yield Problem(operator, where, said, alike="messages of refinement")


# The operands' types in a diagnostic.
_OPERANDS = re.compile(r" \(operands: .*\)$")


def _without_sizes(type: TensorType) -> TensorType:
    return replace(type, sizes=None if type.sizes is None else (None,) * len(type.sizes))


def _refined(
    cases: list[tuple[str, Invocation]],
    elements: list[Element],
    hide: Callable[[TensorType], TensorType],
) -> Iterator[str]:
    context = new_context()
    module = CaseModule(context, hide)
    expected = {}
    for number, (operator, case) in enumerate(cases):
        # Cases that PyTorch rejects are reported before.
        with suppress(NotExpressible, *REJECTIONS):
            given = run_pytorch(operator, case)
            module.add(f"case{number}", operator, case, given)
            expected[f"case{number}"] = (case, flattened(given))
    runner = Runner()
    with suppress(RunFailure):
        # The diagnostics contain the failure.
        runner.run(elements, module.module.operation)
    yield from (each.message for each in runner.state.diagnostics.reported)
    types = Types(context)
    for function in program_functions(module.module.operation):
        name = symbol_name(function)
        if name in expected:
            case, outputs = expected[name]
            yield from _compare(case, outputs, _results(function, types))


def _results(function: ir.Operation, types: Types) -> list[TensorType]:
    """The types of the tensors in a case's function."""
    found = [
        types.tensor(result.type)
        for op in operations(function.regions[0].blocks[0])
        if op.name in ("torch.operator", "torch.prim.ListUnpack")
        for result in op.results
    ]
    return [type for type in found if type is not None]


def _compare(case: Invocation, outputs: list, found: list[TensorType]) -> Iterator[str]:  # type: ignore[type-arg]
    for type, output in zip(found, outputs, strict=True):
        if output is None:
            continue
        sizes, dtype = output
        given = TensorType(True, tuple(sizes), element_of_dtype(NUMBERS[dtype]))
        if type.element not in (None, given.element) or not _fits(type.sizes, sizes):
            yield f"{case} is {type}, PyTorch gives {given}"
        elif type.sizes is None or type.element is None:
            yield f"{_NOTE}{case} is {type}, PyTorch gives {given}"


def _fits(found: tuple[int | None, ...] | None, given: tuple[int, ...]) -> bool:
    return found is None or (
        len(found) == len(given) and all(a in (None, b) for a, b in zip(found, given, strict=True))
    )


def check_samples(
    found: Sequence[Declaration], library: Path, where: str
) -> tuple[int, list[Problem]]:
    """Infer calls of the operator in PyTorch's samples: the number of calls, and problems.

    `where` is the location of the problems.
    """
    from torch_refine.build_tools.conformance.calls import entries_that_call, judge_call, recorded

    operator = found[0].operator
    tried = 0
    wrong: list[Problem] = []
    names = entries_that_call(operator)
    end = time.monotonic() + _SECONDS
    for name in names:
        for call in recorded(name):
            if time.monotonic() > end or tried >= _CALLS:
                return tried, wrong
            if call.operator != operator:
                continue
            verdict = judge_call(call, library)
            if verdict is not None:
                tried += 1
                if verdict.outcome == "contradiction":
                    said = f"sample of {name}: {verdict.cause}"
                    alike = "wrong calls in samples"
                    wrong.append(Problem(operator, where, said, alike=alike))
    return tried, wrong


def main(names: Sequence[str]) -> int:
    """Check one operator, and print the problems; returns the exit code.

    Raises UserCodeError for a family that cannot be imported.
    """
    if len(names) != 1:
        print("usage: make check-function OP=aten::mm", file=sys.stderr)
        return 2
    (operator,) = names
    warnings.simplefilter("ignore")
    call_limit.start()
    declared = load_families(names)
    strays = _misspelt(declared)
    found = [each for (_, name), each in all_declarations().items() if name == operator]
    if not found:
        raise UserCodeError(_undeclared(operator))
    checked = [check_text_and_cases(each) for each in found]
    problems = [*strays, *(problem for several in checked for problem in several)]
    samples = 0
    # Functions with errors that are no case's cannot be exported; they are reported.
    if not any(problem.case is None and problem.severity == "error" for problem in problems):
        tried, further = _check_exported(found, problems)
        samples += tried
        problems += further
    if not {each.kind for each in found} >= {"shape", "dtype"} and not strays:
        said = f"has a {found[0].kind} function only"
        problems.append(Problem(operator, found[0].where, said))
    for line in printed(problems):
        print(line)
    wrong = [each for each in dict.fromkeys(problems) if each.severity != "note"]
    cases = sum(len(each.ok) + len(each.error) for each in found)
    counted = f"{cases} cases, {samples} calls by PyTorch's samples"
    print(f"{operator}: {counted}: {len(wrong)} problem{'s' * (len(wrong) != 1)}")
    return int(bool(wrong))


def _check_exported(
    found: Sequence[Declaration], problems: Sequence[Problem]
) -> tuple[int, list[Problem]]:
    """The number of sampled calls, and the problems of the exported functions."""
    try:
        text = export(found)
    except UserCodeError as error:
        return 0, [Problem("", error.where, error.message, excerpt=error.excerpt)]
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder, "library.mlir")
        library.write_text(text, encoding="utf-8")
        # Cases that fail in Python fail in the exported functions, too.
        wrong = {id(problem.case) for problem in problems if problem.case is not None}
        further = list(check_refined(found, library, wrong))
        # The function with failing cases most likely causes the failures of samples, too.
        of_functions = [each for each in problems if each.case and each.where != each.case.where]
        blamed = of_functions[0].where if of_functions else found[0].where
        tried, of_samples = check_samples(found, library, blamed)
    return tried, further + of_samples


def _misspelt(declared: Mapping[tuple[Kind, str], Declaration]) -> list[Problem]:
    """Problems of functions that are declared for unknown operators."""
    known = frozenset(operators())
    return [
        problem
        for (_, operator), declaration in declared.items()
        if operator not in known and (problem := unusable(declaration)) is not None
    ]


def _undeclared(operator: str) -> str:
    """The message if no function is declared."""
    known = frozenset(operators())
    if operator not in known:
        return no_operator(operator)
    message = f"no function is declared for {operator}: make function OP={operator}"
    # An unknown operator in a family may be a misspelling of this one.
    unknown = {name: path for name, path in declared_in().items() if name not in known}
    for name, path in unknown.items():
        if similar(name, [operator]):
            message += f"; {place(str(path))} has functions for {name}, which PyTorch does not have"
    return message


if __name__ == "__main__":
    sys.exit(run_command(main, sys.argv[1:]))
