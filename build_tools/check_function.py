"""Check the functions of one operator in every way there is, in seconds.

    python -m torch_refine.build_tools.check_function aten::foo.bar

Its cases run in PyTorch and in the functions; the functions are looked through for what is known to
go wrong; they alone are exported, and a program with the operator is refined with them, both ways;
and PyTorch's own samples that call the operator are inferred. What is wrong is said in words.
"""

from __future__ import annotations

import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from torch_refine.abstract_interp_lib.declaration import Declaration, Invocation
from torch_refine.abstract_interp_lib.scalar_types import NUMBERS
from torch_refine.build_tools.case_modules import CaseModule, NotExpressible, flattened
from torch_refine.build_tools.check_functions import REJECTIONS, check, load_families, run_pytorch
from torch_refine.build_tools.export_library import export
from torch_refine.build_tools.lint_functions import lint
from torch_refine.build_tools.signatures import SignatureError
from torch_refine.build_tools.torchscript import ExportError
from torch_refine.dialect.bindings import ir, new_context, operations
from torch_refine.dialect.element_types import element_of_dtype
from torch_refine.dialect.tensor_type import TensorType, Types
from torch_refine.passes.program import program_functions, symbol_name
from torch_refine.pipelines.elements import Element
from torch_refine.pipelines.refinement import RefinementPipeline, ReifiedRefinementPipeline
from torch_refine.pipelines.runner import RunFailure, Runner

# Begins what need not be wrong, but is worth a look: something that is not inferred.
NOTE = "note: "
# Samples are tried for so long, and so many different calls at most.
_SECONDS = 2.0
_CALLS = 300


def check_cases(found: list[Declaration]) -> Iterator[str]:
    """Signatures and cases, against PyTorch."""
    for declaration in found:
        yield from map(str, check(declaration))


def check_text(found: list[Declaration]) -> Iterator[str]:
    """What the linter finds."""
    for declaration in found:
        yield from map(str, lint(declaration))


def check_refined(found: list[Declaration], library: Path) -> Iterator[str]:
    """Programs that hold the operator, refined both ways with the exported functions alone."""
    ways: dict[str, list[Element]] = {
        "the direct way": list(RefinementPipeline(str(library)).elements()),
        "the reified way": list(ReifiedRefinementPipeline(str(library)).elements()),
    }
    keep: tuple[tuple[str, Callable[[TensorType], TensorType]], ...] = (
        ("", lambda type: type),
        (" with sizes unknown", _without_sizes),
    )
    operator = found[0].operator
    cases = [(operator, case) for each in found for case in each.ok]
    for way, elements in ways.items():
        for what, hide in keep:
            messages = list(_refined(cases, elements, hide))
            notes = [each.removeprefix(NOTE) for each in messages if each.startswith(NOTE)]
            if notes:
                yield (
                    f"{NOTE}{operator}: {way}{what}, {len(notes)} results are not complete: "
                    f"{notes[0]}"
                )
            for message in messages:
                if not message.startswith(NOTE):
                    yield f"{operator}: {way}{what}: {message}"


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
        # What PyTorch rejects was told of before.
        with suppress(NotExpressible, *REJECTIONS):
            given = run_pytorch(operator, case)
            module.add(f"case{number}", operator, case, given)
            expected[f"case{number}"] = (case, flattened(given))
    runner = Runner()
    with suppress(RunFailure):
        # What went wrong is among the diagnostics.
        runner.run(elements, module.module.operation)
    yield from (each.message for each in runner.state.diagnostics.reported)
    types = Types(context)
    for function in program_functions(module.module.operation):
        name = symbol_name(function)
        if name in expected:
            case, outputs = expected[name]
            yield from _compare(case, outputs, _results(function, types))


def _results(function: ir.Operation, types: Types) -> list[TensorType]:
    """The tensors that a case's function makes."""
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
            yield f"{NOTE}{case} is {type}, PyTorch gives {given}"


def _fits(found: tuple[int | None, ...] | None, given: tuple[int, ...]) -> bool:
    return found is None or (
        len(found) == len(given) and all(a in (None, b) for a, b in zip(found, given, strict=True))
    )


def check_samples(operator: str, library: Path) -> tuple[int, list[str]]:
    """PyTorch's samples that call the operator: how many calls were tried, and what is wrong."""
    from torch_refine.build_tools.conformance.calls import entries_that_call, judge_call, recorded

    tried = 0
    wrong: list[str] = []
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
                    wrong.append(f"{operator}: sample of {name}: {verdict.cause}")
    return tried, wrong


def main(names: list[str]) -> int:
    """Check one operator, and say what was found; the exit code."""
    if len(names) != 1:
        print("usage: check_function OPERATOR, such as aten::mm", file=sys.stderr)
        return 2
    (operator,) = names
    warnings.simplefilter("ignore")
    declared = load_families(names)
    found = [each for (_, name), each in declared.items() if name == operator]
    if not found:
        print(
            f"error: no function is declared for {operator}: make function OP={operator}",
            file=sys.stderr,
        )
        return 1
    problems = [*check_cases(found), *check_text(found)]
    samples = 0
    try:
        text = export(found)
    except (ExportError, SignatureError) as error:
        problems.append(str(error))
    else:
        with tempfile.TemporaryDirectory() as folder:
            library = Path(folder, "library.mlir")
            library.write_text(text, encoding="utf-8")
            problems += check_refined(found, library)
            samples, wrong = check_samples(operator, library)
            problems += wrong
    if {each.kind for each in found} != {"shape", "dtype"}:
        problems.append(f"{operator}: it has a {found[0].kind} function only")
    for problem in dict.fromkeys(problems):
        print(problem)
    problems = [each for each in problems if not each.startswith(NOTE)]
    cases = sum(len(each.ok) + len(each.error) for each in found)
    counted = f"{cases} cases, {samples} calls by PyTorch's samples"
    print(f"{operator}: {counted}: {len(problems)} problem{'s' * (len(problems) != 1)}")
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
