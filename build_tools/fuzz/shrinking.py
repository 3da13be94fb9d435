"""Reduces programs to smaller ones with the same failure."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import torch
from torch_refine.build_tools.fuzz.seeds import bound, rebuilt
from torch_refine.build_tools.fuzz.steps import Program, Step, Value
from torch_refine.build_tools.numerics.calls import overload_of

Fails = Callable[[Program], bool]


def shrink(program: Program, fails: Fails, seconds: float) -> Program:
    """A reduced program that fails, within a limit of time."""
    end = time.monotonic() + seconds
    progress = True
    while progress and time.monotonic() < end:
        progress = False
        for candidate in _simpler(program):
            if time.monotonic() > end:
                break
            if _runs(candidate) and fails(candidate):
                program, progress = candidate, True
                break
    return program


def _runs(program: Program) -> bool:
    """Whether a program runs, in a process of its own: kernels may not survive other arguments."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            # Threads do not survive a fork.
            torch.set_num_threads(1)
            with torch.no_grad():
                code = 0 if program.run(program.copies()) else 1
        except Exception:
            # A simpler program need not be valid.
            code = 1
        finally:
            os._exit(code)
    return os.waitpid(child, 0)[1] == 0


def _simpler(program: Program) -> Iterator[Program]:
    """Simpler programs, the largest reductions first."""
    if len(program.steps) > 1:
        yield from _fewer_steps(program)
    yield from _plainer_arguments(program)
    yield from _plainer_tensors(program)


def _fewer_steps(program: Program) -> Iterator[Program]:
    values = program.all_values(program.copies())
    ends = _ends(program)
    # Single steps with their operands as inputs, the last step first.
    for place in reversed(range(len(program.steps))):
        step = program.steps[place]
        inputs = [values[value.number].detach().clone() for value in step.values]
        numbers = iter(range(len(inputs)))
        yield Program(tuple(inputs), (_with_values(step, numbers),))
    # The steps after a step, with its results as inputs.
    for place in (len(program.steps) // 2, 1):
        yield from _cut(program, values, ends, place)
    # All but the last steps.
    for count in (len(program.steps) // 2, len(program.steps) - 1):
        yield _without_unused(Program(program.inputs, program.steps[:count]))


def _ends(program: Program) -> list[int]:
    ends = []
    for end in range(len(program.steps) + 1):
        part = Program(program.inputs, program.steps[:end])
        ends.append(len(part.all_values(part.copies())))
    return ends


def _with_values(step: Step, numbers: Iterator[int]) -> Step:
    def renumber(leaf: Any) -> Any:
        return Value(next(numbers)) if isinstance(leaf, Value) else leaf

    args, kwargs = torch.utils._pytree.tree_map(renumber, (step.args, step.kwargs))
    return Step(step.operator, args, kwargs)


def _cut(
    program: Program, values: list[torch.Tensor], ends: list[int], place: int
) -> Iterator[Program]:
    if 0 < place < len(program.steps):
        inputs = tuple(value.detach().clone() for value in values[: ends[place]])
        yield _without_unused(Program(inputs, program.steps[place:]))


def _without_unused(program: Program) -> Program:
    """The program without inputs that no step reads."""
    read = {value.number for step in program.steps for value in step.values}
    kept = [i for i in range(len(program.inputs)) if i in read]
    gone = len(program.inputs) - len(kept)
    first = len(program.inputs)
    numbers = {old: new for new, old in enumerate(kept)}
    numbers |= {number: number - gone for number in read if number >= first}
    steps = tuple(step.renumbered(numbers) for step in program.steps)
    return Program(tuple(program.inputs[i] for i in kept), steps)


def _plainer_arguments(program: Program) -> Iterator[Program]:
    """With an argument replaced by its default or a simpler number."""
    call = program.as_call()
    if call is None:
        return
    given = {name: value for name, (_, value) in bound(call).items()}
    for each in overload_of(call.operator)._schema.arguments:
        if each.name not in given or _has_tensor(given[each.name]):
            continue
        for simple in _plainer(given[each.name], each.default_value):
            args, kwargs = rebuilt(call.operator, given | {each.name: simple})
            yield Program.of_call(replace(call, args=args, kwargs=kwargs))


def _has_tensor(value: Any) -> bool:
    return any(isinstance(leaf, torch.Tensor) for leaf in torch.utils._pytree.tree_leaves(value))


def _plainer(value: Any, default: Any) -> Iterator[Any]:
    if default is not None and value != default:
        yield default
    if isinstance(value, bool) or value is None:
        return
    if isinstance(value, int) and value not in (0, 1):
        yield from (0, 1, value - 1 if value > 0 else value + 1)
    if isinstance(value, list | tuple):
        for i, each in enumerate(value):
            if isinstance(each, int) and not isinstance(each, bool) and abs(each) > 1:
                yield [*value[:i], each - 1 if each > 0 else each + 1, *value[i + 1 :]]


def _plainer_tensors(program: Program) -> Iterator[Program]:
    """Contiguous, with smaller sizes, or with integer values."""
    inputs = program.inputs
    for i, tensor in enumerate(inputs):
        if not tensor.is_contiguous():
            yield program.with_inputs([*inputs[:i], tensor.contiguous(), *inputs[i + 1 :]])
    for size in sorted({n for tensor in inputs for n in tensor.shape if n > 1}, reverse=True):
        for smaller in (1, size // 2, size - 1):
            if 0 < smaller < size:
                yield program.with_inputs([_narrowed(tensor, size, smaller) for tensor in inputs])
    for i, tensor in enumerate(inputs):
        for dim, size in enumerate(tensor.shape):
            if size > 1:
                smaller_one = tensor.narrow(dim, 0, size - 1).clone()
                yield program.with_inputs([*inputs[:i], smaller_one, *inputs[i + 1 :]])
        if tensor.is_floating_point() and not tensor.equal(tensor.round()):
            rounded = (tensor * 4).round() / 4
            for plainer in (tensor.round(), rounded):
                if not plainer.equal(tensor):
                    yield program.with_inputs([*inputs[:i], plainer, *inputs[i + 1 :]])


def _narrowed(tensor: torch.Tensor, size: int, smaller: int) -> torch.Tensor:
    for dim, n in enumerate(tensor.shape):
        if n == size:
            tensor = tensor.narrow(dim, 0, smaller)
    return tensor.clone()
