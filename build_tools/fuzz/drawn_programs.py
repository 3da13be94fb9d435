"""Random programs: each step is a valid call, mostly of values of the program."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from random import Random

import torch
from torch.utils import _pytree as pytree
from torch_refine.build_tools.fuzz.drawing import TRUSTING, Drawer, is_valid
from torch_refine.build_tools.fuzz.steps import Program, Step, Value
from torch_refine.build_tools.numerics.calls import ValueCall, overload_of, own_copy

LEAST_STEPS, MOST_STEPS = 3, 20
# With larger values, rounding errors dominate after a few steps.
_LARGEST = 100.0
_TRIES = 60
# Index results depend on the order of equal values.
_PLACES = ("sort", "topk", "argsort", "kthvalue", "mode", "median", "arg", "cummax", "cummin")
# Results that are not unique, or dominated by rounding errors.
_UNSTABLE: tuple[str, ...] = (
    "linalg",
    "svd",
    "eig",
    "qr",
    "cholesky",
    "lu",
    "ldl",
    "fft",
    "triangular_solve",
)
_UNSTABLE += ("as_strided", "batch_norm_update")
# Their boundaries must be sorted, and results of other steps are not.
_UNSTABLE += ("bucketize", "searchsorted")


@dataclass
class ProgramDrawer:
    """Generates programs of the operators that have samples."""

    drawer: Drawer

    def __post_init__(self) -> None:
        seeds = self.drawer.seeds
        weights = dict(zip(seeds.operators, seeds.weights, strict=True))
        self._operators = [each for each in seeds.operators if _fits(each)]
        # A refused step refuses the whole program.
        self._weights = [weights[each] ** 3 for each in self._operators]

    def program(self, rng: Random) -> Program:
        """A program of 3 to 20 steps."""
        count = rng.randint(LEAST_STEPS, MOST_STEPS)
        program = Program((), ())
        values: list[torch.Tensor] = []
        for _ in range(_TRIES):
            if len(program.steps) == count:
                break
            program, values = self._grown(rng, program, values)
        return program

    def _grown(
        self, rng: Random, program: Program, values: list[torch.Tensor]
    ) -> tuple[Program, list[torch.Tensor]]:
        """The program with one more step, or unchanged if no valid one was found."""
        drawn = self._step(rng, values)
        if drawn is None:
            return program, values
        step, new, results = drawn
        if len(results) == 0 or not all(map(_is_moderate, results)):
            return program, values
        # Inputs are numbered before results.
        first, count = len(program.inputs), len(new)
        numbers = {i: i if i < first else i + count for i in range(len(values))}
        own = numbers | {len(values) + i: first + i for i in range(count)}
        steps = (*(each.renumbered(numbers) for each in program.steps), step.renumbered(own))
        values = [*values[:first], *new, *values[first:], *results]
        return Program((*program.inputs, *new), steps), values

    def _step(
        self, rng: Random, values: list[torch.Tensor]
    ) -> tuple[Step, list[torch.Tensor], list[torch.Tensor]] | None:
        """A step with its operands, new inputs, and results."""
        [operator] = rng.choices(self._operators, self._weights)
        call = self.drawer.call(rng, operator)
        if call is None or call.operator != operator or not _is_plain(call):
            return None
        chosen = _substituted(rng, call, values)
        if chosen is None:
            return None
        leaves, spec = pytree.tree_flatten((call.args, call.kwargs))
        new: list[torch.Tensor] = []
        given = iter(chosen)
        for place, leaf in enumerate(leaves):
            if not isinstance(leaf, torch.Tensor):
                continue
            found = next(given)
            if found is None:
                leaves[place] = Value(len(values) + len(new))
                new.append(own_copy(leaf))
            else:
                leaves[place] = Value(found)
        args, kwargs = pytree.tree_unflatten(leaves, spec)
        whole = _with_values(call, chosen, values)
        with warnings.catch_warnings(), torch.no_grad():
            warnings.simplefilter("ignore")
            one = Program.of_call(whole)
            results = list(one.all_values(one.copies())[len(one.inputs) :])
        return Step(operator, args, kwargs), new, results


def _fits(operator: str) -> bool:
    name = operator.partition("::")[2].partition(".")[0]
    return not (
        overload_of(operator)._schema.is_mutable
        or name.startswith(_PLACES)
        or any(part in name for part in (*_UNSTABLE, *TRUSTING))
    )


def _is_plain(call: ValueCall) -> bool:
    return not any(tensor.dtype.is_complex for tensor in call.tensors)


def _is_moderate(result: torch.Tensor) -> bool:
    if result.dtype.is_complex:
        return False
    if not result.is_floating_point() or not result.numel():
        return True
    return bool(result.isfinite().all()) and float(result.abs().max()) <= _LARGEST


def _substituted(
    rng: Random, call: ValueCall, values: list[torch.Tensor]
) -> list[int | None] | None:
    """The values that replace the tensors of a call; None for those that become inputs.

    None if there are values, and none of them is compatible.
    """
    tensors = call.tensors
    for _ in range(4 if values else 0):
        chosen: list[int | None] = [None] * len(tensors)
        for place, tensor in enumerate(tensors):
            fitting = [
                i for i, value in enumerate(values) if _is_alike(value, tensor, len(tensors) == 1)
            ]
            if fitting and rng.random() < 0.85:
                # Recent values make longer chains.
                chosen[place] = max(rng.choices(fitting, k=2))
        if any(each is not None for each in chosen) and is_valid(
            _with_values(call, chosen, values)
        ):
            return chosen
    # Some programs have several independent parts.
    return [None] * len(tensors) if not values or rng.random() < 0.1 else None


def _is_alike(value: torch.Tensor, tensor: torch.Tensor, alone: bool) -> bool:
    """Whether a value may replace a tensor: of any sizes if it is the only one."""
    if value.dtype != tensor.dtype:
        return False
    return alone or value.dim() == tensor.dim() or value.shape == tensor.shape


def _with_values(
    call: ValueCall, chosen: list[int | None], values: list[torch.Tensor]
) -> ValueCall:
    tensors = [
        tensor if number is None else values[number]
        for tensor, number in zip(call.tensors, chosen, strict=True)
    ]
    args, kwargs = call.with_tensors(tensors)
    return replace(call, args=args, kwargs=kwargs)
