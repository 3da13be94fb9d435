"""Programs of a few operators, which are generated, compiled, compared and minimised."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import torch
from torch.utils import _pytree as pytree
from torch_refine.build_tools.numerics.calls import ValueCall, overload_of, own_copy
from torch_refine.build_tools.numerics.judging import double_dtype, in_double


@dataclass(frozen=True)
class Value:
    """A value of a program: an input, or a result of a step, by its number."""

    number: int


@dataclass(frozen=True)
class Step:
    """A call of an operator, with a Value in place of each tensor."""

    operator: str
    args: tuple[Any, ...]
    kwargs: dict[str, Any]

    @property
    def values(self) -> list[Value]:
        """The operands of the step, in order."""
        leaves = pytree.tree_leaves((self.args, self.kwargs))
        return [leaf for leaf in leaves if isinstance(leaf, Value)]

    def renumbered(self, numbers: dict[int, int]) -> Step:
        """The step with other operands."""
        args, kwargs = pytree.tree_map(
            lambda leaf: Value(numbers[leaf.number]) if isinstance(leaf, Value) else leaf,
            (self.args, self.kwargs),
        )
        return Step(self.operator, args, kwargs)


Caller = Callable[[Any, tuple[Any, ...], dict[str, Any]], Any]


def call_plainly(overload: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call an overload."""
    return overload(*args, **kwargs)


@dataclass(frozen=True)
class Program:
    """Inputs, and steps in order; values are numbered in order of definition.

    A step has a value for each leaf of its result that is not None. Values without users are
    results of the program.
    """

    inputs: tuple[torch.Tensor, ...]
    steps: tuple[Step, ...]
    counts: tuple[int, ...] = field(default=())
    """How many values each step has."""

    @staticmethod
    def of_call(call: ValueCall) -> Program:
        """A program of one step."""
        leaves, spec = pytree.tree_flatten((call.args, call.kwargs))
        numbers = iter(range(len(leaves)))
        leaves = [
            Value(next(numbers)) if isinstance(leaf, torch.Tensor) else leaf for leaf in leaves
        ]
        args, kwargs = pytree.tree_unflatten(leaves, spec)
        return Program(tuple(call.tensors), (Step(call.operator, args, kwargs),))

    def as_call(self) -> ValueCall | None:
        """The call of a program of one step; None if there are more."""
        if len(self.steps) != 1:
            return None
        step = self.steps[0]
        args, kwargs = pytree.tree_map(
            lambda leaf: self.inputs[leaf.number] if isinstance(leaf, Value) else leaf,
            (step.args, step.kwargs),
        )
        return ValueCall(step.operator, args, kwargs, "fuzz", "fuzz")

    @property
    def operators(self) -> list[str]:
        """The operators of the steps."""
        return [step.operator for step in self.steps]

    def copies(self) -> tuple[torch.Tensor, ...]:
        """Copies of the inputs."""
        return tuple(map(own_copy, self.inputs))

    def with_inputs(self, inputs: Sequence[torch.Tensor]) -> Program:
        """The same steps with other inputs."""
        return replace(self, inputs=tuple(inputs))

    def widened(self) -> Program:
        """The program in double precision: its inputs, and dtype arguments of its steps."""
        steps = [
            Step(step.operator, *pytree.tree_map(double_dtype, (step.args, step.kwargs)))
            for step in self.steps
        ]
        return replace(self, inputs=tuple(map(in_double, self.inputs)), steps=tuple(steps))

    def run(
        self, inputs: Sequence[torch.Tensor], caller: Caller = call_plainly
    ) -> tuple[torch.Tensor, ...]:
        """The results for some inputs."""
        values = self.all_values(inputs, caller)
        read = {value.number for step in self.steps for value in step.values}
        first = len(inputs)
        return tuple(each for i, each in enumerate(values) if i >= first and i not in read)

    def all_values(
        self, inputs: Sequence[torch.Tensor], caller: Caller = call_plainly
    ) -> list[torch.Tensor]:
        """The inputs and the results of all steps."""
        values = list(inputs)
        for step in self.steps:
            values += run_step(step, values, caller)
        return values


def run_step(
    step: Step, values: Sequence[torch.Tensor], caller: Caller = call_plainly
) -> list[torch.Tensor]:
    """The results of a step; mutated operands are copied before, as other steps may use them."""
    overload = overload_of(step.operator)
    writes = overload._schema.is_mutable

    def tensor_of(leaf: Any) -> Any:
        if not isinstance(leaf, Value):
            return leaf
        return values[leaf.number].clone() if writes else values[leaf.number]

    args, kwargs = pytree.tree_map(tensor_of, (step.args, step.kwargs))
    return [each for each in pytree.tree_leaves(caller(overload, args, kwargs)) if each is not None]
