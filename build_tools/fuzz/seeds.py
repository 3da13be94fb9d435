"""Seeds of generated calls: the operators that are lowered, and PyTorch's samples of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import torch
from torch_refine.build_tools.numerics.calls import ValueCall, overload_of
from torch_refine.build_tools.numerics.choosing import incomparable, is_wanted
from torch_refine.operator_coverage import lowered

# The number of samples per overload; further ones are similar.
_SAMPLES = 24
_SIMPLE = (bool, int, float, str, torch.dtype)
_MOST_VALUES = 40
_LEAST_WEIGHT = 0.03


@dataclass
class Seeds:
    """Samples by operator, and the values of their arguments."""

    calls: dict[str, list[ValueCall]] = field(default_factory=dict)
    observed: dict[tuple[str, str], list[Any]] = field(default_factory=dict)
    """By the type and the name of an argument, over all operators."""
    words: dict[tuple[str, str], list[Any]] = field(default_factory=dict)
    """By the operator and the name of an argument."""

    weights: list[float] = field(default_factory=list)
    """The weight of each operator, lower if most of its samples are refused."""

    @property
    def operators(self) -> list[str]:
        """The operators that have samples, in order."""
        return sorted(self.calls)


def compiled_operators() -> list[str]:
    """The overloads that equal eager mode at least once, and whose results can be compared."""
    found = lowered()["operators"]
    return [
        name
        for name, entry in found.items()
        if entry["equal"] and is_wanted(name) and not incomparable(name)
    ]


def seeds_of(recorded: Iterable[ValueCall]) -> Seeds:
    """Some samples of each operator that is lowered."""
    wanted = set(compiled_operators())
    counts = lowered()["operators"]
    kinds: dict[str, dict[str, ValueCall]] = defaultdict(dict)
    for call in recorded:
        if call.operator in wanted and (
            not _has_complex(call) or "complex64" in counts[call.operator]["dtypes"]
        ):
            kinds[call.operator].setdefault(f"{call.dtype} {call.kind}", call)
    seeds = Seeds()
    for operator in sorted(kinds):
        calls = [kinds[operator][key] for key in sorted(kinds[operator])]
        # Of as many kinds as possible, float32 first.
        calls.sort(key=lambda call: call.dtype != "float32")
        seeds.calls[operator] = _spread(calls)
        for call in calls:
            _observe(seeds, call)
        entry = counts[operator]
        seeds.weights.append(max((entry["equal"] / entry["tried"]) ** 2, _LEAST_WEIGHT))
    return seeds


def _has_complex(call: ValueCall) -> bool:
    return any(tensor.dtype.is_complex for tensor in call.tensors)


def _spread(calls: list[ValueCall]) -> list[ValueCall]:
    if len(calls) <= _SAMPLES:
        return calls
    step = len(calls) / _SAMPLES
    return [calls[int(place * step)] for place in range(_SAMPLES)]


def _observe(seeds: Seeds, call: ValueCall) -> None:
    for name, (type, value) in bound(call).items():
        items = value if isinstance(value, list | tuple) else [value]
        if not all(isinstance(item, _SIMPLE) for item in items):
            continue
        for found in (
            seeds.observed.setdefault((type, name), []),
            seeds.words.setdefault((call.operator, name), []),
        ):
            if len(found) < _MOST_VALUES and repr(value) not in map(repr, found):
                found.append(value)


def bound(call: ValueCall) -> dict[str, tuple[str, Any]]:
    """The type and the value of each given argument, by name."""
    arguments = overload_of(call.operator)._schema.arguments
    given = dict(zip([each.name for each in arguments], call.args, strict=False)) | call.kwargs
    return {
        each.name: (str(each.type), given[each.name]) for each in arguments if each.name in given
    }


def rebuilt(operator: str, given: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The positional and keyword arguments of a call, from arguments by name."""
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    pending: list[Any] = []
    for each in overload_of(operator)._schema.arguments:
        if each.kwarg_only:
            if each.name in given:
                kwargs[each.name] = given[each.name]
        elif each.name in given:
            args += [*pending, given[each.name]]
            pending = []
        else:
            pending.append(each.default_value)
    return tuple(args), kwargs
