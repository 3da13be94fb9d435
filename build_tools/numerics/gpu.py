"""Calls on a GPU."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Protocol, TypeVar

import torch
from torch.utils import _pytree as pytree
from torch_refine.build_tools.numerics.calls import ValueCall
from torch_refine.build_tools.numerics.workers import note

CRASHING = frozenset({"aten::_nested_compute_contiguous_strides_offsets"})
"""Operators of which eager mode crashes with tensors on a GPU."""


class _Judged(Protocol):
    """What was found about a call."""

    @property
    def kind(self) -> str:
        """Such as `right`."""

    @property
    def message(self) -> str:
        """What is wrong, if anything."""


Made = TypeVar("Made", bound=_Judged)


def judge_on_gpu(call: ValueCall, judge: Callable[[ValueCall], Made]) -> Made:
    """Judge a call with its tensors on the GPU.

    After an assertion of a kernel or an access out of bounds, no other call of this process can use
    the GPU, so the process ends.
    """
    # Else convolutions of float32 round their operands to 10 bits.
    with torch.backends.cudnn.flags(enabled=True, allow_tf32=False):
        outcome = judge(moved(call))
    try:
        torch.cuda.synchronize()
    except RuntimeError as error:
        note(f"{outcome.kind}: {outcome.message.splitlines()[:1]}")
        note(str(error).splitlines()[0])
        os._exit(1)
    return outcome


def moved(call: ValueCall) -> ValueCall:
    """A call with its tensors and its device arguments on the GPU; strides are kept."""
    args, kwargs = pytree.tree_map(_moved, (call.args, call.kwargs))
    return replace(call, args=args, kwargs=kwargs)


def _moved(leaf: Any) -> Any:
    if isinstance(leaf, torch.device):
        return torch.device("cuda")
    if not isinstance(leaf, torch.Tensor):
        return leaf
    storage: Any = leaf.untyped_storage().cuda()
    empty = torch.empty(0, dtype=leaf.dtype, device="cuda")
    return empty.set_(storage, leaf.storage_offset(), leaf.shape, leaf.stride())
