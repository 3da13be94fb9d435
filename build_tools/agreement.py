"""Refine every case of the library both ways, and compare the types, which must be equal.

python -m torch_refine.build_tools.agreement
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

from torch_refine.abstract_interp_lib.declaration import Declaration, Invocation
from torch_refine.build_tools.check_functions import load_families, run_pytorch
from torch_refine.build_tools.functions.case_modules import CaseModule, NotExpressible
from torch_refine.dialect.bindings import ir, new_context, walk
from torch_refine.dialect.tensor_type import TensorType, Types
from torch_refine.importer.functions.user_code import run_command
from torch_refine.passes.program import program_functions, symbol_name
from torch_refine.pipelines.pipeline import Pipeline
from torch_refine.pipelines.refinement import RefinementPipeline, ReifiedRefinementPipeline
from torch_refine.pipelines.runner import Runner

# Which parts of the tensor types of a case are erased.
HIDDEN = ("nothing", "some sizes", "ranks", "dtypes")


@dataclass(frozen=True)
class Difference:
    """A result with different types in the two ways, and the erased parts of the inputs."""

    operator: str
    hidden: str
    reified: str
    direct: str


def hiding(file: str, what: str) -> Callable[[TensorType], TensorType]:
    """A deterministic function that erases a part of a tensor type."""
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
    """The differences of the two ways on the cases of a family's operators.

    With a `part`, on a deterministic sample of that fraction.
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
        for (operator, one), (_, other) in zip(direct, reified, strict=True):
            if one != other:
                found.append(Difference(operator, what, str(other), str(one)))
    return found


def refined(
    cases: list[tuple[Declaration, int, Invocation, list[Any]]],
    hide: Callable[[TensorType], TensorType],
    pipeline: Pipeline,
) -> list[tuple[str, TensorType]]:
    """The type of every tensor value of the cases, with the operator."""
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


def _results(module: ir.Operation, types: Types) -> Iterator[tuple[str, TensorType]]:
    for function in program_functions(module):
        operator = (symbol_name(function) or "").rpartition(".")[0]
        for op in walk(function):
            for result in op.results:
                tensor = types.tensor(result.type)
                if tensor is not None:
                    yield operator, tensor


def all_differences() -> tuple[list[Difference], int]:
    """The differences of all families, and the number of operators."""
    declared = load_families().values()
    files = sorted({declaration.file for declaration in declared})
    with ProcessPoolExecutor(2) as pool:
        found = [each for some in pool.map(differences, files) for each in some]
    return found, len({declaration.operator for declaration in declared})


def main(arguments: Sequence[str]) -> int:
    """Compare, and print the differences; 1 if there are any."""
    found, operators = all_differences()
    for each in found:
        print(
            f"{each.operator}, {each.hidden} hidden: {each.direct} directly, "
            f"{each.reified} through reified calculations"
        )
    print(f"{len(found)} results of the cases of {operators} operators differ")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(run_command(main, sys.argv[1:]))
