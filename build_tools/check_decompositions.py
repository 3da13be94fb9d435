"""Compare decomposition functions with the operators that they compute, in eager mode and in IR.

    python -m torch_refine.build_tools.check_decompositions [OPERATOR ...]

Each accepted case of an operator's shape and dtype functions is run with random elements, and with
special ones (infinities, NaN, zeros), by the operator and by its decomposition function, on the
CPU. In IR, for known and for unknown sizes, the function is expanded by `torch-decompose-ops`, and
its types compared with the operator's. The last line has the numbers of each outcome.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Declaration,
    Invocation,
    TensorCase,
    decompositions,
)
from torch_refine.abstract_interpreter.decomposing import CONCERNS_ONLY
from torch_refine.build_tools.check_functions import (
    adapt,
    bind,
    cases_of,
    load_families,
    to_pytorch,
)
from torch_refine.build_tools.functions.case_modules import CaseModule, NotExpressible
from torch_refine.build_tools.numerics.choosing import incomparable
from torch_refine.build_tools.numerics.judging import with_selected
from torch_refine.dialect.bindings import new_context, walk
from torch_refine.dialect.diagnostics import RemarkFilter
from torch_refine.dialect.schemas import schema
from torch_refine.importer.functions.problems import Problem
from torch_refine.importer.functions.signatures import parameters_of
from torch_refine.importer.functions.usable import compiled
from torch_refine.importer.functions.user_code import run_command
from torch_refine.passes.base import PassFailure, RunState
from torch_refine.passes.decompose_ops import DecomposeOps

_SPECIAL = (0.0, -0.0, float("inf"), float("-inf"), float("nan"), 1.0, -1.0, 0.5)
# Relative tolerances by dtype: those of `torch.testing`, where sums have some more steps.
_TOLERANCE = {torch.float16: 2e-3, torch.bfloat16: 2e-2, torch.float32: 2e-6, torch.float64: 1e-12}


# Operators whose kernels end the process for a negative dimension.
_CRASH_BELOW_ZERO = frozenset({"prims::fft_r2c", "prims::fft_c2c", "prims::fft_c2r"})
# Operators whose kernels access any memory for operands that are not results of another operator,
# or for elements that are neither classes nor ignored: a case must give them. A place that is
# overwritten ends the process much later, in another case, if at all: look with valgrind.
_CRASH_FOR_ANY_VALUES = frozenset(
    {"aten::linalg_ldl_solve", "aten::nll_loss_backward", "aten::nll_loss2d_backward"}
)
# Operators that may give the index of any of several equal elements.
_OF_ANY_EQUAL = frozenset({"aten::kthvalue"})
# Where an infinity reaches depends on how a transform is taken apart; a place that is none ends the
# process in the gradients of grids; whether a maximum of squares is NaN depends on its index, as
# kernels of Adam compute the last elements in another way; the running mean of a variance is NaN
# after an infinity; whether an inverse is infinite or NaN depends on the order of eliminations.
_FINITE = (
    "aten::_fft",
    "aten::_fused_adam",
    "aten::fft",
    "aten::grid_sampler_2d_backward",
    "aten::grid_sampler_3d_backward",
    "aten::linalg_cond",
    "aten::std",
    "aten::var",
    "prims::fft",
)


@dataclass(frozen=True)
class Finding:
    """The outcome of a case: right, wrong, left (the function raises), or skipped."""

    operator: str
    outcome: str
    message: str


def check_in_eager_mode(declaration: Declaration, case: Invocation) -> Iterator[Finding]:
    """Run a case by the operator and by the function."""
    operator = declaration.operator
    if _crashes(operator, case):
        yield Finding(operator, "skipped", f"PyTorch's kernel ends the process for {case}")
        return
    seeds = [(0, False), (1, False), (2, True)]
    for seed, is_special in seeds[: 2 if operator.startswith(_FINITE) else 3]:
        torch.manual_seed(seed)
        given = filled(case, is_special)
        try:
            with torch.no_grad():
                wanted = _flat(_overload(operator)(*given.args, **given.kwargs))
        except Exception as error:
            # A case that holds on the meta device only, or elements that are no indices.
            yield Finding(operator, "skipped", f"PyTorch rejects {case}: {error}")
            continue
        bound = {**bind(schema(operator), given), **declaration.constants}
        parameters = parameters_of(declaration.function)
        arguments = {name: _adapted(bound[name], kind) for name, kind in parameters.items()}
        try:
            with torch.no_grad():
                found = _flat(compiled(declaration)(**arguments))
        except (torch.jit.Error, RuntimeError, IndexError) as error:
            # TorchScript's errors: an assertion, or an operator that rejects its operands.
            message = str(error).strip().splitlines()[-1]
            if CONCERNS_ONLY in message:
                return
            yield Finding(operator, "left", f"{case}: {message}")
            return
        if operator in _OF_ANY_EQUAL:
            tensors = [each for each in given.args if isinstance(each, torch.Tensor)]
            found, wanted = (
                list(with_selected(operator, tensors, given.args, given.kwargs, tuple(each)))
                for each in (found, wanted)
            )
        problem = _difference(found, wanted, bool(incomparable(operator)))
        yield Finding(operator, "wrong" if problem else "right", f"{case}: {problem}")


def check_in_ir(
    declaration: Declaration, case: Invocation, is_dynamic: bool, library: str = ""
) -> Finding:
    """Expand a case in IR by the shipped library, or another before it, and compare the types."""
    operator = declaration.operator

    def hidden(type: Any) -> Any:
        sizes = type.sizes
        return replace(type, sizes=(None,) * len(sizes)) if is_dynamic and sizes else type

    on_cpu = _on_cpu(case.args, case.kwargs)
    if _crashes(operator, case):
        return Finding(operator, "skipped", f"PyTorch's kernel ends the process for {case}")
    try:
        with torch.no_grad():
            given = filled(case, False, 0)
            result = _overload(operator)(*given.args, **given.kwargs)
    except Exception as error:
        return Finding(operator, "skipped", f"PyTorch rejects {case}: {error}")
    outputs = list(result) if len(schema(operator).returns) > 1 else [result]
    context = new_context()
    module = CaseModule(context, hidden)
    try:
        module.add("f", operator, on_cpu, [list(x) if isinstance(x, tuple) else x for x in outputs])
    except NotExpressible as error:
        return Finding(operator, "skipped", str(error))
    state = RunState(remarks=RemarkFilter(missed=re.compile(".*")))
    try:
        DecomposeOps(ops=operator, extra_library=library).run(module.module.operation, state)
    except PassFailure:
        # Such as a function that is not exported yet.
        reason = "; ".join(each.message for each in state.diagnostics.reported)
        return Finding(operator, "wrong", f"{case}: {reason}")
    if not state.statistics[DecomposeOps.name]["operators decomposed"]:
        reason = "; ".join(each.message for each in state.diagnostics.reported)
        if not reason:
            return Finding(operator, "not concerned", f"{case}: the function does not concern it")
        # Another type than the operator's is the function's fault; all else is not covered.
        outcome = "wrong" if "its function gives" in reason else "left"
        unknown = " with unknown sizes" if is_dynamic else ""
        return Finding(operator, outcome, f"{case}{unknown}: {reason}")
    names = {op.name for op in walk(module.module.operation)}
    if "torch.prim.If" in names:
        return Finding(operator, "wrong", f"{case}: a branch is left")
    return Finding(operator, "right", "")


def _crashes(operator: str, case: Invocation) -> bool:
    if operator in _CRASH_FOR_ANY_VALUES:
        tensors = [each for each in case.args if isinstance(each, TensorCase)]
        return all(each.values is None for each in tensors)
    dims = case.kwargs.get("dim", ())
    return operator in _CRASH_BELOW_ZERO and any(dim < 0 for dim in dims)


def _overload(operator: str) -> Any:
    namespace, _, rest = operator.partition("::")
    name, _, overload = rest.partition(".")
    return getattr(getattr(getattr(torch.ops, namespace), name), overload or "default")


def filled(case: Invocation, is_special: bool, low: int = -3) -> Invocation:
    """A case with tensors on the CPU; elements are random where the case has none, ints from `low`
    on.
    """

    def fill(value: Any) -> Any:
        if isinstance(value, list):
            return [fill(each) for each in value]
        if isinstance(value, torch.device):
            # Cases that name a device are for the meta device.
            return torch.device("cpu")
        if not isinstance(value, TensorCase) or value.values is not None:
            return to_pytorch(value, "cpu")
        if value.layout != torch.strided:
            raise NotExpressible("not strided")
        if value.dtype == torch.bool:
            return torch.rand(value.sizes) < 0.5
        if not (value.dtype.is_floating_point or value.dtype.is_complex):
            least = 0 if value.dtype == torch.uint8 else low
            return torch.randint(least, 4 if least < 0 else 1, value.sizes).to(value.dtype)
        if is_special and value.dtype.is_floating_point:
            chosen = torch.randint(0, len(_SPECIAL), value.sizes)
            return torch.tensor(_SPECIAL)[chosen].to(value.dtype)
        drawn = torch.complex128 if value.dtype.is_complex else torch.float64
        return torch.randn(value.sizes, dtype=drawn).to(value.dtype)

    kwargs = {name: fill(each) for name, each in case.kwargs.items()}
    return _on_cpu(tuple(map(fill, case.args)), kwargs)


def _on_cpu(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Invocation:
    """A case on the CPU, whose arguments may be tensors, or one that is named `device`."""
    made = object.__new__(Invocation)
    for name, value in (("args", args), ("kwargs", kwargs), ("device", "cpu")):
        object.__setattr__(made, name, value)
    return made


def _adapted(value: Any, parameter: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return value
    if isinstance(value, list) and any(isinstance(each, torch.Tensor) for each in value):
        return value
    return adapt(value, parameter)


def _flat(result: Any) -> list[torch.Tensor]:
    if isinstance(result, torch.Tensor):
        return [result]
    return [tensor for each in result for tensor in _flat(each)]


def _difference(
    found: list[torch.Tensor], wanted: list[torch.Tensor], is_random: bool = False
) -> str:
    """How results differ, in one line; empty if they do not. Elements that are random, or not
    initialised, always differ."""
    if len(found) != len(wanted):
        return f"{len(found)} results, PyTorch has {len(wanted)}"
    for one, other in zip(found, wanted, strict=True):
        if one.dtype != other.dtype or one.shape != other.shape:
            return f"{one.dtype} {list(one.shape)}, PyTorch has {other.dtype} {list(other.shape)}"
        if is_random:
            continue
        tolerance = _TOLERANCE.get(other.dtype, 1e-6 if other.dtype.is_complex else 0)
        # Terms of a sum may be as large as other sums, although it is small.
        if other.dtype.itemsize == 1 and other.dtype.is_floating_point:
            one, other = one.to(torch.float32), other.to(torch.float32)
        finite = other[torch.isfinite(other)]
        largest = finite.abs().max().item() if finite.numel() and tolerance else 1
        absolute = tolerance * max(largest, 1)
        try:
            torch.testing.assert_close(one, other, rtol=tolerance, atol=absolute, equal_nan=True)
        except AssertionError as error:
            return " ".join(str(error).split())[:200]
    return ""


# Flags with which kernels access memory out of bounds: of offsets, or of statistics that they lack.
_UNCHECKED = ("unsafe", "include_last_offset", "train", "training")


def _with_other_flags(operator: str, cases: Sequence[Invocation]) -> Iterator[Invocation]:
    """The first case of each combination of dtypes, with each of its bools negated."""
    seen: set[tuple[torch.dtype, ...]] = set()
    parameters = schema(operator)
    flags = [each.name for each in parameters.arguments if each.type in ("bool", "bool?")]
    for case in cases if flags else ():
        values = [*case.args, *case.kwargs.values()]
        dtypes = tuple(each.dtype for each in values if isinstance(each, TensorCase))
        if dtypes in seen:
            continue
        seen.add(dtypes)
        given = bind(parameters, case)
        for flag in flags:
            if isinstance(given.get(flag), bool) and flag not in _UNCHECKED:
                changed = {**given, flag: not given[flag]}
                positional = [a.name for a in parameters.arguments if not a.keyword_only]
                args = tuple(changed.pop(name) for name in positional)
                yield _on_cpu(args, changed)


def findings(
    declaration: Declaration, library: str | None = "", cases_in_ir: int | None = None
) -> Iterator[Finding]:
    """The outcomes of all cases of a decomposition function; in eager mode only without library.

    In IR, as many cases are expanded as `cases_in_ir` says, a seeded part of them; by default all.
    """
    accepted, _ = cases_of(declaration)
    cases = [*declaration.ok, *accepted]
    computed: list[Invocation] = []
    for case in [*cases, *_with_other_flags(declaration.operator, cases)]:
        try:
            found = list(check_in_eager_mode(declaration, case))
        except NotExpressible as error:
            yield Finding(declaration.operator, "skipped", str(error))
            continue
        yield from found
        if any(each.outcome == "right" for each in found):
            computed.append(case)
    if library is None:
        return
    if cases_in_ir is not None and cases_in_ir < len(computed):
        computed = Random(declaration.operator).sample(computed, cases_in_ir)
    for case in computed:
        yield check_in_ir(declaration, case, False, library)
        yield check_in_ir(declaration, case, True, library)


def wrong_results(declaration: Declaration, library: str | None = None) -> Iterator[Problem]:
    """The problems of a decomposition function: where it differs from PyTorch."""
    for each in findings(declaration, library):
        if each.outcome == "wrong":
            said = f"differs from PyTorch: {each.message}"
            yield Problem(each.operator, declaration.where, said, alike="calls that differ")


def main(names: Sequence[str]) -> int:
    """Check the functions of some operators, or all; the exit code is 0 if none is wrong."""
    load_families()
    declared = decompositions()
    unknown = [name for name in names if name not in declared]
    if unknown:
        print(f"no decomposition function: {', '.join(unknown)}", file=sys.stderr)
        return 2
    counts: Counter[str] = Counter()
    for operator in names or declared:
        for each in findings(declared[operator]):
            counts[each.outcome] += 1
            if each.outcome == "wrong" or (names and each.outcome == "left"):
                print(f"{each.outcome}: {each.operator} {each.message}")
    print(f"{len(names) or len(declared)} functions: {dict(counts)}")
    return int(counts["wrong"] > 0)


if __name__ == "__main__":
    sys.exit(run_command(main, sys.argv[1:]))
