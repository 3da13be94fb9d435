"""Kinds of values that a model keeps in Python. This module loads PyTorch."""

from __future__ import annotations

import enum
from collections import OrderedDict, defaultdict, deque
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import torch

PLAIN = (bool, int, float, complex, str, bytes, type(None), torch.dtype, torch.device)
CONTAINERS = (list, deque, set, dict, OrderedDict, defaultdict)
# Objects of these have no state of the model, or state that PyTorch tracks.
OPAQUE = (
    *PLAIN,
    enum.Enum,
    torch.Tensor,
    torch.nn.Module,
    type,
    ModuleType,
    FunctionType,
    MethodType,
    BuiltinFunctionType,
)
_LIBRARIES = ("torch", "builtins", "typing", "abc", "enum", "collections", "numpy")
# Those of all modules, of lazy ones, and the lists of their weights that recurrent cells keep.
OWN_ATTRIBUTES = frozenset(vars(torch.nn.Module())) | {
    "_initialize_hook",
    "_load_hook",
    "_flat_weights",
    "_flat_weight_refs",
}
# Beyond these, what is reachable is no state of a model but, for example, its trainer's data.
MOST_CONTAINERS, MOST_ENTRIES = 20_000, 10_000


def is_of_library(kind: type) -> bool:
    """Whether a class is Python's, NumPy's or PyTorch's, whose attributes are no model's state."""
    return kind.__module__.partition(".")[0] in _LIBRARIES


def is_same(one: Any, other: Any) -> bool:
    """Whether a value is the same object, or an equal plain one; NaN is itself."""
    if one is other:
        return True
    is_plain = type(one) is type(other) and type(one) in PLAIN
    return is_plain and bool(one == other or (one != one and other != other))
