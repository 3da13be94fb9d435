"""Operators with an operand that they write to, and that overlaps another operand.

The result depends on the order in which the kernel reads and writes, which a program does not
define: `native_batch_norm` updates the running statistics before it reads the weight. Where an
operator writes to one operand and reads the same elements of another (`x.add_(x)`), it is well
defined.

This module loads PyTorch.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import torch
from torch._ops import OpOverload
from torch.fx import Node
from torch.fx.experimental.symbolic_shapes import statically_known_true
from torch_refine.passes.lowering.exported.memory_layout import root_of

# They write to statistics, which not all of their schemas say. Traces functionalize them.
_BATCH_NORMS = frozenset(
    {
        "_batch_norm_impl_index",
        "_batch_norm_with_update",
        "_batch_norm_with_update_functional",
        "_native_batch_norm_legit",
        "_native_batch_norm_legit_functional",
        "batch_norm",
        "native_batch_norm",
    }
)
_STATISTICS = ("running_mean", "running_var")


def why_operands_overlap(node: Node) -> str | None:
    """Why the order of a kernel's reads and writes matters; None if it does not."""
    if not isinstance(node.target, OpOverload) or node.target.namespace != "aten":
        return None
    arguments = node.target._schema.arguments
    given = dict(zip([each.name for each in arguments], node.args, strict=False)) | node.kwargs
    tensors = {name: value for name, value in given.items() if _tensor(value) is not None}
    written = [
        each.name
        for each in arguments
        if each.name in tensors and each.alias_info is not None and each.alias_info.is_write
    ]
    pairs = list(combinations(written, 2))
    if _name(node.target) in _BATCH_NORMS and given.get("training", True):
        statistics = [name for name in _STATISTICS if name in tensors]
        pairs = [(one, other) for one in statistics for other in tensors if one != other]
    for one, other in pairs:
        if _overlap(tensors[one], tensors[other]):
            return f"it writes to {one}, which shares elements with {other}"
    return None


def _name(target: OpOverload) -> str:
    return target._schema.name.removeprefix("aten::")


def _tensor(value: Any) -> torch.Tensor | None:
    found = value.meta.get("val") if isinstance(value, Node) else None
    return found if isinstance(found, torch.Tensor) else None


def _overlap(one: Any, other: Any) -> bool:
    """Whether two operands may overlap."""
    first, second = _tensor(one), _tensor(other)
    if first is None or second is None or root_of(one) is not root_of(other):
        return False
    if first.numel() == 0 or second.numel() == 0:
        return False
    (start, end), (begin, last) = _range(first), _range(second)
    return not statically_known_true(end < begin) and not statically_known_true(last < start)


def _range(tensor: torch.Tensor) -> tuple[Any, Any]:
    """The offsets of the first and the last element in the storage."""
    start = tensor.storage_offset()
    reach = sum(
        (size - 1) * stride for size, stride in zip(tensor.shape, tensor.stride(), strict=True)
    )
    return start, start + reach
