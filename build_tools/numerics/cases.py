"""The calls of the cases of shape and dtype functions."""

from __future__ import annotations

from contextlib import suppress
from functools import cache, partial

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, declarations
from torch_refine.build_tools.check_decompositions import filled
from torch_refine.build_tools.check_functions import load_families
from torch_refine.build_tools.numerics.calls import ValueCall, overload_of, recorded_calls_of
from torch_refine.build_tools.numerics.choosing import incomparable, is_wanted

# Collectives need other processes.
_NAMESPACES = ("aten", "prims", "quantized_decomposed")


@cache
def _cases() -> dict[str, list[Invocation]]:
    """The accepted cases of each overload."""
    load_families()
    found: dict[str, list[Invocation]] = {}
    for (kind, operator), declaration in sorted(declarations().items()):
        if kind in ("shape", "dtype") and operator.partition("::")[0] in _NAMESPACES:
            found.setdefault(operator, []).extend(declaration.ok)
    return found


def with_cases() -> list[str]:
    """The overloads that have cases, and whose results can be compared."""
    found = []
    for operator in _cases():
        # An overload of another version of PyTorch does not exist here.
        with suppress(AttributeError):
            if is_wanted(operator) and not incomparable(operator):
                found.append(operator)
    return found


def record_cases(operator: str, entry: str) -> list[ValueCall]:
    """The calls of an overload's cases that eager mode accepts, the first of every kind."""
    torch.manual_seed(0)
    found: dict[tuple[str, str, str], ValueCall] = {}
    for case in _cases()[operator]:
        for least in (-3, 0):
            # Indices must not be negative.
            with suppress(Exception):
                given = filled(case, False, least)
                call = partial(overload_of(operator), *given.args, **given.kwargs)
                recorded_calls_of(entry, call, found)
    return [call for call in found.values() if call.operator == operator]
