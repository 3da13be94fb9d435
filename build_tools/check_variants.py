"""Check the derived functions of in-place and `out=` variants against PyTorch.

    python -m torch_refine.build_tools.check_variants [OPERATOR ...]

Every accepted case of a variant's base runs through the variant, in PyTorch and in its function.
The function must not raise for calls that PyTorch accepts, and the types must agree. `out=` tensors
have the result's dtype, then dtypes to which the result may not be castable.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, TensorCase
from torch_refine.abstract_interp_lib.rules import variants as rules
from torch_refine.abstract_interp_lib.scalar_types import NUMBERS
from torch_refine.build_tools.check_functions import (
    REJECTIONS,
    cases_of,
    load_families,
    run_function,
    run_pytorch,
)
from torch_refine.dialect.schemas import schema
from torch_refine.importer.functions.problems import Problem
from torch_refine.importer.functions.user_code import run_command
from torch_refine.importer.functions.variants import Variant, derived_variants

_OTHER_DTYPES = (torch.float32, torch.int64, torch.bool)
# PyTorch itself crashes on these with other dtypes.
_CRASHES = frozenset({"aten::_logcumsumexp.out", "aten::range.out"})


def check_variant(variant: Variant) -> Iterator[Problem]:
    """The problems of the functions of one variant."""
    declared = load_families()
    for case in dict.fromkeys(map(_Key, cases_of(declared["shape", variant.base])[0])):
        for call in _calls(variant, case.case):
            wrong = _compare(variant, call)
            if wrong is not None and call.device == "meta":
                # Where meta functions are laxer or stricter, the kernels are followed.
                wrong = _compare(variant, _on_cpu(call))
            if wrong is not None:
                yield Problem(variant.operator, f"variant of {variant.base}", wrong)


class _Key:
    """A case that compares equal to others with the same text."""

    def __init__(self, case: Invocation) -> None:
        self.case = case

    def __hash__(self) -> int:
        return hash(str(self.case))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and str(self.case) == str(other.case)


def _on_cpu(case: Invocation) -> Invocation:
    return Invocation(*case.args, device="cpu", **case.kwargs)


def _calls(variant: Variant, case: Invocation) -> Iterator[Invocation]:
    """The calls of a variant that correspond to a case."""
    bound = _explicit(variant.base, case)
    given = {
        name: bound[parameter]
        for parameter, name in variant.arguments.items()
        if parameter in bound
    }
    if variant.form != "out":
        yield Invocation(device=case.device, **given)
        return
    try:
        results = run_pytorch(variant.base, case)
    except REJECTIONS:
        # An incorrect case, which the check of the base's function reports.
        return
    if any(not isinstance(result, tuple) for result in results):
        return
    yield _with_outputs(variant, case, given, [getattr(torch, dtype) for _, dtype in results])
    for other in () if variant.operator in _CRASHES else _OTHER_DTYPES:
        if str(other) != f"torch.{results[0][1]}":
            rest = [getattr(torch, dtype) for _, dtype in results[1:]]
            yield _with_outputs(variant, case, given, [other, *rest])


def _explicit(operator: str, case: Invocation) -> dict[str, Any]:
    """The arguments of a case by name."""
    names = [each.name for each in schema(operator).arguments if not each.keyword_only]
    given = {**dict(zip(names, case.args, strict=False)), **case.kwargs}
    # A case runs on its own device.
    return {name: value for name, value in given.items() if name != "device"}


def _with_outputs(
    variant: Variant, case: Invocation, given: dict[str, Any], dtypes: list[torch.dtype]
) -> Invocation:
    outputs = {
        name: TensorCase((0,), dtype) for name, dtype in zip(variant.written, dtypes, strict=True)
    }
    return Invocation(device=case.device, **given, **outputs)


def _compare(variant: Variant, call: Invocation) -> str | None:
    """The problem of a call as text, if there is one."""
    try:
        expected = run_pytorch(variant.operator, call)
    except REJECTIONS:
        # The functions need not raise for all calls that PyTorch rejects.
        return None
    try:
        actual = _run(variant, call)
    except Exception as error:
        return f"raises for {call}, where PyTorch gives {expected}: {error}"
    wrong = any(
        theirs is not None and (_differ(ours[0], theirs[0]) or ours[1] != theirs[1])
        for ours, theirs in zip(actual, expected, strict=True)
    )
    return f"gives {actual} for {call}, PyTorch gives {expected}" if wrong else None


def _differ(ours: tuple[int, ...], theirs: tuple[int, ...]) -> bool:
    if ours == (-2,):
        return False
    return len(ours) != len(theirs) or any(
        a not in (b, -1) for a, b in zip(ours, theirs, strict=True)
    )


def _run(variant: Variant, call: Invocation) -> list[tuple[tuple[int, ...], str]]:
    """The results of the derived functions: sizes and dtype of each."""
    declared = load_families()
    bound = dict(call.kwargs)
    given = {
        parameter: bound[name] for parameter, name in variant.arguments.items() if name in bound
    }
    parameters = {argument.name for argument in schema(variant.base).arguments}
    written = [bound[name] for name in variant.written]
    if "dtype" in parameters and "dtype" not in variant.arguments:
        given["dtype"] = written[0].dtype
    base = Invocation(device=call.device, **given)
    shapes = run_function(declared["shape", variant.base], base)
    # An unknown dtype is -1, which may be written to any tensor.
    named = run_function(declared["dtype", variant.base], base)
    found = [NUMBERS.get(name) for name in named]
    results = []
    for tensor, shape, dtype in zip(written, shapes, found, strict=True):
        sizes = list(shape)
        if variant.form == "in-place":
            sizes = rules.shape_in_place(list(tensor.sizes), sizes)
        own = NUMBERS[str(tensor.dtype).removeprefix("torch.")]
        # Compiled, because only TorchScript accepts dtypes as ints.
        rule = _ANY if variant.casts_anything else _WRITTEN
        rule((len(tensor.sizes), own), own if dtype is None else dtype)
        results.append((tuple(sizes), str(tensor.dtype).removeprefix("torch.")))
    return results


_WRITTEN = torch.jit.script(rules.dtype_written)
_ANY = torch.jit.script(rules.dtype_of_written)


def main(names: Sequence[str]) -> int:
    """Check all variants or some; the number of problems."""
    declared = load_families()
    found = dict.fromkeys(
        variant.operator
        for _, variant in derived_variants(declared)
        if not names or variant.operator in names
    )
    by_name = {variant.operator: variant for _, variant in derived_variants(declared)}
    problems = [problem for name in found for problem in check_variant(by_name[name])]
    for problem in problems:
        print(problem)
    print(f"{len(found)} variants: {len(problems)} problems")
    return len(problems)


if __name__ == "__main__":
    sys.exit(min(run_command(main, sys.argv[1:]), 1))
