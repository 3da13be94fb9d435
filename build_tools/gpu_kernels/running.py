"""Compile programs, call them, and compare with eager mode on the CPU in float64."""

from __future__ import annotations

from collections.abc import Sequence

import torch
import torch_refine
from torch.utils import _pytree as pytree
from torch_refine.build_tools.gpu_kernels.drawing import drawn
from torch_refine.build_tools.gpu_kernels.programs import PROGRAMS, Calls, Program

# The norm of the difference divided by the norm, and the largest difference of an element divided
# by the sum of its size and the root mean square.
_BOUNDS = {True: (2e-2, 1e-1), False: (1e-4, 2e-3)}


def program_named(name: str) -> Program:
    """One of the fixed programs, or `seed:number`, one that is drawn."""
    found = {each.name: each for each in PROGRAMS}
    if name in found:
        return found[name]
    seed, number = map(int, name.split(":"))
    return drawn(seed, number)


def run_program(program: Program, target: str) -> str:
    """What is wrong with a compiled program or its result; empty if nothing is."""
    torch.manual_seed(0)
    inputs = program.make()
    wide = [each.double() if each.is_floating_point() else each for each in inputs]
    expected = pytree.tree_leaves(program.function(*wide))
    moved = tuple(each.to(target) for each in inputs)
    try:
        compiled = torch_refine.compile(
            Calls(program.function), moved, target, dynamic_shapes=program.shapes()
        )
    except torch_refine.CompileError as error:
        return f"not compiled: {error}"
    results = pytree.tree_leaves(compiled(*moved))
    if target == "cuda":
        torch.cuda.synchronize()
    pairs = zip(results, expected, strict=True)
    return next((said for pair in pairs if (said := _difference(*pair))), "")


def _difference(result: torch.Tensor, expected: torch.Tensor) -> str:
    if result.shape != expected.shape:
        return f"the shape is {list(result.shape)}, not {list(expected.shape)}"
    is_half = result.dtype in (torch.float16, torch.bfloat16)
    found, wanted = result.cpu().double(), expected.double()
    if not wanted.numel():
        return ""
    # Such as the variance of one element; it must be NaN in both.
    both = found.isnan() & wanted.isnan()
    found, wanted = found.masked_fill(both, 0), wanted.masked_fill(both, 0)
    usual = wanted.square().mean().sqrt()
    error = (found - wanted).norm() / wanted.norm().clamp_min(1e-9)
    apart = (found - wanted).abs() / (wanted.abs() + usual).clamp_min(1e-9)
    bound, most = _BOUNDS[is_half]
    # Also false for NaN.
    if error <= bound and apart.max() <= most:
        return ""
    wrong = ~(apart <= most)
    places = wrong.nonzero()[:3].tolist()
    return (
        f"the error is {error.item():.1e}; wrong are {int(wrong.sum())} of {wrong.numel()} "
        f"elements, such as {places}"
    )


def run_named(names: Sequence[str], target: str) -> int:
    """Run programs, and print a line before each and one for each that is wrong; counts them."""
    wrong = 0
    for name in names:
        program = program_named(name)
        print(f"> {program.name}", flush=True)
        try:
            said = run_program(program, target)
        except Exception as error:
            said = f"{type(error).__name__}: {error}"
        if said:
            wrong += 1
            print(f"! {program.name}: {said}", flush=True)
    return wrong
