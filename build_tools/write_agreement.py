"""Run every case of the library both ways, and write where they differ to `docs/agreement.md`.

    python -m torch_refine.build_tools.write_agreement [--check]

The direct way may know more than the reified one, never less, and never something else.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from torch_refine.abstract_interp_lib.declaration import Declaration, Invocation
from torch_refine.build_tools.case_modules import CaseModule, NotExpressible
from torch_refine.build_tools.check_functions import load_families, run_pytorch
from torch_refine.build_tools.user_code import run_command
from torch_refine.dialect.bindings import ir, new_context, walk
from torch_refine.dialect.tensor_type import TensorType, Types
from torch_refine.passes.program import program_functions, symbol_name
from torch_refine.pipelines.pipeline import Pipeline
from torch_refine.pipelines.refinement import RefinementPipeline, ReifiedRefinementPipeline
from torch_refine.pipelines.runner import Runner

DOCUMENT = Path(__file__).parent.parent / "docs" / "agreement.md"

# What is hidden of the tensors of a case.
HIDDEN = ("nothing", "some sizes", "ranks", "dtypes")

REASONS = {
    "a size": (
        "Both ways know the rank. The direct way assumes what must hold where the operator does "
        "not raise: an unknown size that meets a known one is that one, and sizes that are zero or "
        "equal settle products and quotients. Simplifying IR keeps such a size as `?`."
    ),
    "elements of a list": (
        "How many tensors come out of the operator is unknown. The direct way keeps what all of "
        "them have in common; in the IR, a list that a loop of unknown length fills is unknown."
    ),
    "a rank": (
        "The rank is unknown on the way. The direct way tries both outcomes of what asks for it, "
        "drops those that raise, and joins the others."
    ),
    "a dtype": (
        "The rank of a tensor is unknown, and a number is promoted with it. Whether the tensor has "
        "dimensions does not matter for these operands, and the direct way finds that out by "
        "taking both sides."
    ),
}


@dataclass(frozen=True)
class Difference:
    """A result that the two ways type differently; `reason` is a key of REASONS, or `worse`."""

    operator: str
    hidden: str
    reified: str
    direct: str
    reason: str


def hiding(file: str, what: str) -> Callable[[TensorType], TensorType]:
    """A way to hide a part of each tensor's type; the same one every time."""
    chance = random.Random(f"{file} {what}")

    def hide(type: TensorType) -> TensorType:
        if what == "ranks":
            return replace(type, sizes=None)
        if what == "dtypes":
            return replace(type, element=None)
        if what == "nothing" or type.sizes is None:
            return type
        sizes = tuple(size if chance.random() < 0.5 else None for size in type.sizes)
        return replace(type, sizes=sizes)

    return hide


def differences(file: str, part: float = 1.0) -> list[Difference]:
    """What the two ways give differently for the cases of a family's operators.

    With a `part`, for so much of the cases, always the same ones.
    """
    chance = random.Random(file)
    cases = [
        (declaration, number, case, run_pytorch(declaration.operator, case))
        for declaration in load_families().values()
        if declaration.file == file and declaration.kind == "shape"
        for number, case in enumerate(declaration.ok)
        if chance.random() < part
    ]
    found: list[Difference] = []
    for what in HIDDEN:
        direct, reified = (
            refined(cases, hiding(file, what), pipeline())
            for pipeline in (RefinementPipeline, ReifiedRefinementPipeline)
        )
        for (operator, in_list, one), (_, _, other) in zip(direct, reified, strict=True):
            if one != other:
                reason = reason_of(one, other, in_list)
                found.append(Difference(operator, what, str(other), str(one), reason))
    return found


def refined(
    cases: list[tuple[Declaration, int, Invocation, list[Any]]],
    hide: Callable[[TensorType], TensorType],
    pipeline: Pipeline,
) -> list[tuple[str, bool, TensorType]]:
    """The type of every tensor that cases give, with the operator, and whether it was in a list."""
    context = new_context()
    module = CaseModule(context, hide)
    for declaration, number, case, outputs in cases:
        try:
            module.add(f"{declaration.operator}.{number}", declaration.operator, case, outputs)
        except NotExpressible:
            continue
    op = module.module.operation
    Runner(verify_each=False).run(pipeline.elements(), op)
    return list(_results(op, Types(context)))


def _results(module: ir.Operation, types: Types) -> Iterator[tuple[str, bool, TensorType]]:
    for function in program_functions(module):
        operator = (symbol_name(function) or "").rpartition(".")[0]
        for op in walk(function):
            for result in op.results:
                tensor = types.tensor(result.type)
                if tensor is not None:
                    yield operator, op.name == "torch.prim.ListUnpack", tensor


def reason_of(direct: TensorType, reified: TensorType, in_list: bool) -> str:
    """Why the direct way knows more; `worse` if it does not."""
    if not direct.refines(reified):
        return "worse"
    if in_list:
        return "elements of a list"
    if direct.sizes is not None and reified.sizes is None:
        return "a rank"
    return "a dtype" if direct.sizes == reified.sizes else "a size"


def document(found: list[Difference], operators: int) -> str:
    """The text of the document."""
    lines = [
        "# Where the direct and the reified way differ",
        "",
        "Written by `make docs`, which runs both ways over every case of every function, with",
        f"{', '.join(HIDDEN[:-1])} or {HIDDEN[-1]} of the inputs hidden; a test takes a seeded",
        "part. Wherever the two differ, the direct way (`torch-refine-types`) knows more.",
        "",
        f"{len(found)} results of {len({each.operator for each in found})} operators differ, "
        f"of {operators} operators.",
    ]
    for reason, text in REASONS.items():
        chosen = [each for each in found if each.reason == reason]
        names = sorted({each.operator for each in chosen})
        lines += ["", f"## The direct way knows {reason}", "", text, ""]
        lines += [
            "| operator | results | for example, reified | direct |",
            "| --- | --- | --- | --- |",
        ]
        for name in names:
            entries = [each for each in chosen if each.operator == name]
            first = entries[0]
            shown = [str(each).removeprefix("!torch.") for each in (first.reified, first.direct)]
            lines.append(f"| `{name}` | {len(entries)} | `{shown[0]}` | `{shown[1]}` |")
    return "\n".join(lines) + "\n"


def all_differences() -> tuple[list[Difference], int]:
    """The differences of all families, and the number of operators."""
    declared = load_families().values()
    files = sorted({declaration.file for declaration in declared})
    with ProcessPoolExecutor(2) as pool:
        found = [each for some in pool.map(differences, files) for each in some]
    return found, len({declaration.operator for declaration in declared})


def main(arguments: Sequence[str]) -> int:
    """Write the document, or compare it with `--check`; the exit code."""
    found, operators = all_differences()
    worse = [each for each in found if each.reason == "worse"]
    for each in worse:
        print(f"the direct way does not know more: {each}", file=sys.stderr)
    text = document(found, operators)
    if "--check" in arguments:
        fresh = DOCUMENT.exists() and DOCUMENT.read_text(encoding="utf-8") == text
        if not fresh:
            print(f"{DOCUMENT.name} is stale: run `make docs`", file=sys.stderr)
        return int(not fresh or bool(worse))
    DOCUMENT.write_text(text, encoding="utf-8")
    return int(bool(worse))


if __name__ == "__main__":
    sys.exit(run_command(main, sys.argv[1:]))
