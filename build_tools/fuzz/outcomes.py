"""Outcomes of generated programs: compiled alone, or many as one."""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
import torch_refine
from torch.testing._comparison import default_tolerances
from torch.utils import _pytree as pytree
from torch_refine.build_tools.fuzz.batches import PLACE, Batch, BatchModule, Way
from torch_refine.build_tools.fuzz.steps import Program
from torch_refine.build_tools.numerics import ways
from torch_refine.build_tools.numerics.judging import (
    Outcome,
    any_sizes,
    compile_here,
    difference,
    is_near,
    is_one_of_two,
    judge,
    raised,
    settled,
    unless_unwritten,
)
from torch_refine.importer import ImportModelError
from torch_refine.runtime.compiling.compiler import CompileError

_REFUSED = (CompileError, ImportModelError)
_NAMED = re.compile(r"/fuzz/program_(\d+)\.py")
_Errors = Mapping[torch.dtype, float]


@dataclass(frozen=True)
class _Shaking:
    """Parameters of the perturbation of eager mode: repetitions, magnitude, and tolerance."""

    times: int
    errors: _Errors
    factor: float


_OF_STEPS = _Shaking(
    6, {torch.float32: 2e-6, torch.float16: 2e-3, torch.bfloat16: 1.6e-2, torch.float64: 1e-12}, 10
)
_HALVES = (torch.float16, torch.bfloat16)
# The unit roundoff: half of the distance from 1 to the next float.
_OF_ONE_STEP = _Shaking(
    100, {kind: torch.finfo(kind).eps / 2 for kind in (torch.float32, *_HALVES)}, 1
)
# If sums cancel, eager mode is exact by chance, and for one perturbation in three.
_OF_CANCELLING = replace(_OF_STEPS, times=60)
# Differences of nearly equal sums, which have a few correct bits in single precision, and of equal
# values and their mean, which are the rounding error of the mean.
_CANCELLING = (
    "aten::_euclidean_dist",
    "aten::_cdist_forward",
    "aten::cdist",
    "aten::instance_norm",
)
# Each element is a sum of all operands with roots of unity, so an error is measured by the largest.
_TRANSFORMS = ("aten::fft_", "aten::_fft_", "prims::fft_", "aten::stft", "aten::istft")


def judge_batch(programs: Sequence[Program], way: Way) -> list[Outcome]:
    """The outcome of each program, compiled together with the others.

    Refused programs are removed, and the others compiled again. Differing ones are compiled alone.
    """
    compile_here()
    torch.set_num_threads(1)
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        outcomes: dict[int, Outcome] = {}
        _judge_some(programs, list(range(len(programs))), way, outcomes)
        return [outcomes[place] for place in range(len(programs))]


def _judge_some(
    programs: Sequence[Program], places: list[int], way: Way, outcomes: dict[int, Outcome]
) -> None:
    """Record the outcomes of some programs."""
    if len(places) == 1:
        outcomes[places[0]] = judge_alone(programs[places[0]], way)
        return
    try:
        batch = Batch([programs[place] for place in places], way)
    except ImportModelError as error:
        _judge_without(programs, places, _refused_by(error, len(places)), way, outcomes)
        return
    except Exception:
        # The faulty program is unknown: each is judged with fewer others, finally alone.
        _judge_without(programs, places, {}, way, outcomes)
        return
    while batch.kept:
        try:
            found = batch.run()
        except CompileError as error:
            refused = {
                place: outcome
                for place, outcome in _refused_by(error, len(places)).items()
                if place in batch.kept
            }
            for place, outcome in refused.items():
                outcomes[places[place]] = outcome
            if refused:
                batch.take_out(set(refused))
                continue
            _judge_without(programs, [places[place] for place in batch.kept], {}, way, outcomes)
            return
        except Exception:
            # If one program raises, the call has no results of the others.
            _judge_without(programs, [places[place] for place in batch.kept], {}, way, outcomes)
            return
        for place, mine in zip(batch.kept, found, strict=True):
            program = programs[places[place]]
            outcomes[places[place]] = _compared(program, mine, way)
        return


def _judge_without(
    programs: Sequence[Program],
    places: list[int],
    refused: dict[int, Outcome],
    way: Way,
    outcomes: dict[int, Outcome],
) -> None:
    """Judge those that are not refused; if none is refused, each half."""
    for place, outcome in refused.items():
        outcomes[places[place]] = outcome
    rest = [place for i, place in enumerate(places) if i not in refused]
    if not rest:
        return
    middle = len(rest) if refused else len(rest) // 2
    _judge_some(programs, rest[:middle] or rest, way, outcomes)
    if rest[middle:] and rest[:middle]:
        _judge_some(programs, rest[middle:], way, outcomes)


def _compared(program: Program, mine: tuple[torch.Tensor, ...], way: Way) -> Outcome:
    """The outcome of a program, from its results in a batch."""
    theirs = program.run(program.copies())
    call = program.as_call()
    if call is not None:
        mine, theirs = settled(call, mine), settled(call, theirs)
    if not difference(mine, theirs):
        return Outcome("right")
    outcome = judge_alone(program, way)
    if outcome.kind == "right":
        return Outcome("wrong", "it is right alone, and wrong with others in one program")
    return outcome


def _compiled(model: torch.nn.Module, inputs: Sequence[torch.Tensor], way: Way) -> Any:
    return torch_refine.compile(
        model,
        tuple(tensor.detach() for tensor in inputs),
        dynamic_shapes=(any_sizes(list(inputs)),) if way.dynamic else None,
        opt_level=way.opt_level,
    )


def _refused_by(error: Exception, count: int) -> dict[int, Outcome]:
    """The programs that an error names, by their file names."""
    text = str(error)
    lines = [line for line in text.splitlines() if "error" in line] or [text]
    found = {int(place) for line in lines for place in _NAMED.findall(line)}
    found = found or {int(place) for place in _NAMED.findall(text)}
    return {each: Outcome("refused", _said_of(text, each)) for each in found if each < count}


def _said_of(text: str, place: int) -> str:
    """The lines of an error that name a program."""
    name = PLACE.format(place)
    lines = [line for line in text.splitlines() if name in line]
    return "\n".join(lines).replace(name, "program.py") or text[:500]


def judge_alone(program: Program, way: Way) -> Outcome:
    """The outcome of a program that is compiled alone."""
    compile_here()
    torch.set_num_threads(1)
    call = program.as_call()
    if call is not None and way.opt_level == 3:
        outcome = judge(call, ways.Way(way.dynamic))
        if outcome.kind != "wrong" or "writes to its inputs" in outcome.message:
            return outcome
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        return _judge_program(program, way)


def _judge_program(program: Program, way: Way) -> Outcome:
    try:
        # Some operators mutate statistics without declaring it in the schema.
        written = program.copies()
        expected = program.run(written)
        again = program.run(program.copies())
    except Exception as error:
        return Outcome("unfit", f"eager mode raises: {error}")
    if difference(expected, again):
        return Outcome("unfit", "eager mode itself gives other results every time")
    try:
        compiled = _compiled(BatchModule([program]), program.inputs, way)
    except _REFUSED as error:
        return Outcome("refused", str(error))
    outcome = _run_and_compare(program, compiled, expected, written)
    return unless_unwritten(outcome, program.run, program.copies(), expected)


def _run_and_compare(
    program: Program,
    compiled: Any,
    expected: tuple[torch.Tensor, ...],
    written: tuple[torch.Tensor, ...],
) -> Outcome:
    """Run the compiled program, and compare its results and mutations with eager mode."""
    passed = program.copies()
    try:
        found = tuple(compiled(*passed))
    except Exception as error:
        return raised(error)
    changed = difference(passed, written)
    if changed:
        return Outcome("wrong", f"it writes to its inputs otherwise: {changed}")
    call = program.as_call()
    if call is not None:
        found, expected = settled(call, found), settled(call, expected)
    wrong = difference(found, expected)
    if not wrong:
        return Outcome("right")
    is_either = is_one_of_two(program.run, program.copies(), program.operators, found, expected)
    if is_either or is_as_near(program, found, expected):
        return Outcome("closer", wrong)
    return Outcome("wrong", wrong)


def is_as_near(
    program: Program, found: tuple[torch.Tensor, ...], expected: tuple[torch.Tensor, ...]
) -> bool:
    """Whether results are as near as eager mode's to PyTorch's in float64.

    Those of a Fourier transform may be near to eager mode's relative to the largest element. Or
    their distance from eager mode is at most that of eager mode under perturbations of every value
    by about a rounding error: ten times that for several steps; for one step, only in half
    precision, or where sums cancel.
    """
    reference = _in_float64(program)
    if len(reference) == len(found) and all(
        is_near(*three) or not difference((three[0],), (three[1],))
        for three in zip(found, expected, reference, strict=True)
    ):
        return True
    if len(program.steps) == 1 and program.operators[0].startswith(_TRANSFORMS):
        return all(map(_is_near_the_largest, found, expected))
    shaking = _OF_STEPS
    # These contain a sum that nearly cancels.
    if any(each.startswith(_CANCELLING) for each in program.operators):
        shaking = _OF_CANCELLING
    elif len(program.steps) == 1:
        if not any(each.dtype in _HALVES for each in (*program.inputs, *expected)):
            return False
        shaking = _OF_ONE_STEP
    spreads = [_spread(program, expected, seed, shaking.errors) for seed in range(shaking.times)]
    return all(
        not difference((mine,), (theirs,))
        or _is_within(mine, theirs, [s[i] for s in spreads], shaking.factor)
        for i, (mine, theirs) in enumerate(zip(found, expected, strict=True))
    )


def _is_near_the_largest(mine: torch.Tensor, theirs: torch.Tensor) -> bool:
    """Whether a result differs from another one by what is a tolerance for its largest element."""
    if mine.shape != theirs.shape or mine.dtype != theirs.dtype or not theirs.isfinite().all():
        return False
    relative, _ = default_tolerances(theirs.dtype)
    error = (mine - theirs).abs().max()
    return bool(error <= relative * theirs.abs().max())


def _in_float64(program: Program) -> tuple[torch.Tensor, ...]:
    """PyTorch's results in double precision; none if it has no kernel for that.

    Functions of integers and bools give the default dtype, which the program combines with its
    inputs.
    """
    wide, narrow = program.widened(), torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        return wide.run(wide.inputs)
    except (RuntimeError, TypeError, ValueError, IndexError):
        return ()
    finally:
        torch.set_default_dtype(narrow)


def _spread(
    program: Program, expected: Sequence[torch.Tensor], seed: int, errors: _Errors
) -> list[Any]:
    """The change of each result if every operand and result of a step is perturbed by rounding.

    The scalars of a step without tensor operands are perturbed.
    """
    generator = torch.Generator().manual_seed(seed)
    kinds = [each.dtype for each in expected if each.dtype in errors]

    def shaken(value: Any) -> Any:
        if not isinstance(value, torch.Tensor) or value.dtype not in errors:
            return value
        noise = torch.rand(value.shape, generator=generator, dtype=torch.float64) * 2 - 1
        return (value.double() * (1 + noise * errors[value.dtype])).to(value.dtype)

    def shaken_number(value: Any) -> Any:
        if not isinstance(value, float) or not kinds:
            return value
        return float(shaken(torch.tensor(value, dtype=kinds[0])))

    def call(overload: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        change = shaken if program.inputs else shaken_number
        args, kwargs = pytree.tree_map(change, (args, kwargs))
        return pytree.tree_map(shaken, overload(*args, **kwargs))

    try:
        other = program.run(program.copies(), call)
    except (RuntimeError, TypeError, ValueError, IndexError):
        return [None] * len(expected)
    return [
        (mine.double() - theirs.double()).abs() if mine.shape == theirs.shape else None
        for mine, theirs in zip(other, expected, strict=True)
    ]


def _is_within(
    mine: torch.Tensor, theirs: torch.Tensor, spreads: Sequence[Any], factor: float
) -> bool:
    """Whether results differ by no more than a multiple of some spreads."""
    if mine.shape != theirs.shape or mine.dtype != theirs.dtype or mine.dtype.is_complex:
        return False
    known = [each for each in spreads if each is not None]
    if not known:
        return False
    error = (mine.double() - theirs.double()).abs()
    both = error.isfinite()
    if difference((mine[~both],), (theirs[~both],)):
        return False
    widest = torch.stack(known).amax(0).nan_to_num(torch.inf)
    return bool((error[both] <= factor * widest[both] + 1e-5).all())
