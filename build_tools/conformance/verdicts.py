"""Erases and refines the types of a sample's program, and compares them with PyTorch's."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import islice
from random import Random
from typing import Literal

from torch_refine.abstract_interp_lib.scalar_types import NUMBERS
from torch_refine.build_tools.conformance.programs import Part, Program
from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.element_types import element_of_dtype
from torch_refine.dialect.names import name_of, operator_name
from torch_refine.dialect.tensor_type import TensorType, Types
from torch_refine.passes.base import RunState
from torch_refine.passes.casts import CAST
from torch_refine.passes.erase_tensor_types import EraseTensorTypes
from torch_refine.passes.program import program_functions, redeclare, returns_of
from torch_refine.pipelines.refinement import RefinementPipeline
from torch_refine.pipelines.runner import RunFailure, Runner

Outcome = Literal["exact", "incomplete", "contradiction"]
Kind = Literal["shape", "dtype"]
# Ops that are no operators: constants and casts keep their types.
_NO_OPERATORS = {CAST, "torch.vtensor.literal"}
# Operators for which FakeTensor and the CPU kernel differ; the kernel is followed: new running
# statistics have the dtype of the old ones, and float32 in the meta functions; inverse indices that
# are not requested are empty.
_KERNELS_DIFFER = frozenset(
    {
        "aten::_batch_norm_with_update_functional",
        "aten::_native_batch_norm_legit_functional",
        "aten::unique_consecutive",
    }
)


@dataclass
class Verdict:
    """The result of refining a program.

    `cause` names the first operator with a wrong type, and the difference; `exact` and `tried`
    count the results of operators, `lost` those of unknown rank or dtype.
    """

    outcome: Outcome
    cause: str = ""
    tried: Counter[str] = field(default_factory=Counter)
    exact: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)


def judge(program: Program, context: ir.Context, hide: bool = False) -> list[Verdict]:
    """Refine a program, and compare the type of every value with PyTorch's, by sample.

    With `hide`, one or two sizes of the inputs of each sample are erased first, seeded by its name;
    inferred types must then not contradict PyTorch's, but may be incomplete.

    Raises Rejected if the program has an error or a warning.
    """
    module = ir.Module.parse(program.text, context).operation
    types = Types(context)
    before = _Values(module, types)
    slices = before.slices([len(part.outputs) for part in program.parts])
    expected = before.types()
    state = RunState()
    EraseTensorTypes().run(module, state)
    if hide:
        _hide_sizes(module, types, program.parts)
    try:
        runner = Runner(state, verify_each=False)
        runner.run(RefinementPipeline().elements(), module)
    except RunFailure:
        raise Rejected(str(state.diagnostics.reported[0].message)) from None
    if state.diagnostics.reported:
        raise Rejected(str(state.diagnostics.reported[0].message))
    after = _Values(module, types)
    found = after.types()
    verdicts = []
    returned = iter(after.returned)
    for part, places in zip(program.parts, slices, strict=True):
        verdict = Verdict("exact")
        for sizes, dtype in part.outputs:
            kernel = TensorType(True, tuple(sizes), element_of_dtype(NUMBERS[dtype]))
            value = next(returned)
            _judge_output(verdict, part, types.tensor(value.type), kernel)
            place = after.places.get(value)
            if place is not None and _contradicts(expected[place], kernel):
                # FakeTensor's sizes are not the kernel's, in which all sizes are static, also
                # data-dependent ones.
                known = found[place].has_rank_and_element and not _contradicts(found[place], kernel)
                expected[place] = found[place] if known else kernel
        for place in sorted(places):
            _judge_value(verdict, before.names[place], expected[place], found[place])
        verdicts.append(verdict)
    return verdicts


class Rejected(Exception):
    """Refinement reports a program that PyTorch runs."""


def _judge_output(
    verdict: Verdict, part: Part, found: TensorType | None, kernel: TensorType
) -> None:
    """Compare the types of the function's results with the CPU's results."""
    if found is not None and _contradicts(found, kernel) and verdict.outcome != "contradiction":
        verdict.outcome = "contradiction"
        verdict.cause = f"{part.name}: {found} is returned, the kernel gives {kernel}"


class _Values:
    """The tensor results of operators, in program order."""

    def __init__(self, module: ir.Operation, types: Types) -> None:
        self.tensors = types
        (function,) = program_functions(module)
        self.values: list[ir.Value] = []
        self.places: dict[ir.Value, int] = {}
        self.names: list[str] = []
        self.returned: list[ir.Value] = []
        for op in walk(function):
            if op.name == "func.return":
                self.returned = list(op.operands)
            if op.name in _NO_OPERATORS:
                continue
            for result in op.results:
                if types.tensor(result.type) is not None:
                    self.places[result] = len(self.values)
                    self.values.append(result)
                    self.names.append(operator_name(name_of(op)))

    def types(self) -> list[TensorType]:
        """Their current types."""
        found = [self.tensors.tensor(value.type) for value in self.values]
        return [type for type in found if type is not None]

    def slices(self, outputs: list[int]) -> list[set[int]]:
        """The values in the backward slice of each sample's outputs."""
        found = []
        returned = iter(self.returned)
        for count in outputs:
            seen: set[ir.Value] = set()
            work = [next(returned) for _ in range(count)]
            while work:
                value = work.pop()
                if value in seen:
                    continue
                seen.add(value)
                if not isinstance(value.owner, ir.Block):
                    work += value.owner.operation.operands
                    seen.update(value.owner.operation.results)
            found.append({self.places[value] for value in seen if value in self.places})
        return found


def _judge_value(verdict: Verdict, op: str, before: TensorType, after: TensorType) -> None:
    """Count one value, and record the first difference."""
    verdict.tried[op] += 1
    if after == before:
        verdict.exact[op] += 1
        return
    if _contradicts(after, before) and op not in _KERNELS_DIFFER:
        if verdict.outcome != "contradiction":
            verdict.outcome = "contradiction"
            verdict.cause = f"{op}: {after}, PyTorch gives {before}"
        return
    if not after.has_rank_and_element:
        verdict.lost[op] += 1
    if _less(after, before):
        if verdict.outcome == "exact":
            verdict.outcome = "incomplete"
            verdict.cause = f"{op}: {_missing(after)}"
    else:
        # More precise than PyTorch's type, which no value contradicted.
        verdict.exact[op] += 1


def _contradicts(found: TensorType, given: TensorType) -> bool:
    """Whether two types contradict each other."""
    if found.element is not None and given.element is not None and found.element != given.element:
        return True
    if found.sizes is None or given.sizes is None:
        return False
    return len(found.sizes) != len(given.sizes) or any(
        a is not None and b is not None and a != b
        for a, b in zip(found.sizes, given.sizes, strict=True)
    )


def _less(found: TensorType, given: TensorType) -> bool:
    """Whether a type is less precise than another."""
    if found.element is None and given.element is not None:
        return True
    if given.sizes is None:
        return False
    return found.sizes is None or any(
        a is None and b is not None for a, b in zip(found.sizes, given.sizes, strict=True)
    )


def _missing(found: TensorType) -> str:
    """The unknown parts of a type, as text."""
    parts = []
    if found.sizes is None:
        parts.append("rank")
    elif None in found.sizes:
        parts.append("sizes")
    if found.element is None:
        parts.append("dtype")
    return f"{' and '.join(parts)} not known"


def _hide_sizes(module: ir.Operation, types: Types, parts: list[Part]) -> None:
    """Erase one or two sizes of the inputs of each sample."""
    (function,) = program_functions(module)
    arguments = iter(list(function.regions[0].blocks[0].arguments))
    for part in parts:
        random = Random(part.where)
        places = [
            (argument, dim)
            for argument in islice(arguments, part.inputs)
            if (type := types.tensor(argument.type)) is not None
            for dim in range(len(type.sizes or ()))
        ]
        for argument, dim in random.sample(places, min(len(places), random.choice((1, 2)))):
            type = types.tensor(argument.type)
            assert type is not None and type.sizes is not None
            sizes = (*type.sizes[:dim], None, *type.sizes[dim + 1 :])
            argument.set_type(types.parse(str(replace(type, sizes=sizes))))
    redeclare(function, *returns_of(function))
