"""Scalar arguments that kernels reject, but neither PyTorch's traces nor the library's functions.

This module loads PyTorch.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch._ops import OpOverload
from torch.fx import Node

_INT32 = range(-(2**31), 2**31)
_REDUCTIONS = (0, 1, 2)
# Integers below this value encode symbolic ones (c10/core/SymInt.h).
_LEAST = -(2**62)
Arguments = Mapping[str, Any]


def why_scalars_are_rejected(node: Node) -> str | None:
    """Why the kernel of a node's operator raises for its scalar arguments; None if it does not."""
    if not isinstance(node.target, OpOverload) or node.target.namespace != "aten":
        return None
    arguments = node.target._schema.arguments
    names = [each.name for each in arguments]
    given = dict(zip(names, node.args, strict=False)) | dict(node.kwargs)
    operator = node.target._schema.name.removeprefix("aten::").strip("_")
    reduction = given.get("reduction", 1)
    if isinstance(reduction, int) and reduction not in _REDUCTIONS:
        return f"reduction is {reduction}, not 0 (none), 1 (mean) or 2 (sum)"
    lists = [each.name for each in arguments if "List[int]" in str(each.type)]
    if any(each < _LEAST for name in lists for each in _numbers(given.get(name, ()))):
        return f"PyTorch does not support sizes below {_LEAST}"
    for part, reason_of in _CHECKS.items():
        reason = reason_of(given) if part in operator else None
        if reason is not None:
            return reason
    return None


def _pool(given: Arguments) -> str | None:
    numbers = [each for value in given.values() for each in _numbers(value)]
    far = [each for each in numbers if each not in _INT32]
    return f"{far[0]} does not fit into 32 bits" if far else None


def _convolution(given: Arguments) -> str | None:
    weight = _shape(given.get("weight"))
    if weight is None or isinstance(given.get("padding"), str):
        return None
    rank = len(weight) - 2
    lists = {}
    for name, least in (("stride", 1), ("dilation", 1), ("padding", 0), ("output_padding", 0)):
        numbers = _numbers(given.get(name, ()))
        if numbers and len(numbers) not in (1, rank):
            return f"{name} has {len(numbers)} elements for {rank} dimensions"
        if any(each < least or each not in _INT32 for each in numbers):
            return f"{name} must be at least {least}, and fit into 32 bits, got {numbers}"
        lists[name] = numbers * rank if len(numbers) == 1 else numbers
    ones = [1] * rank
    for more, step, gap in zip(
        lists["output_padding"],
        lists["stride"] or ones,
        lists["dilation"] or ones,
        strict=False,
    ):
        if more >= max(step, gap):
            return f"output padding {more} must be less than stride {step} or dilation {gap}"
    return None


def _group_norm(given: Arguments) -> str | None:
    shape, counts = _shape(given.get("input")), [given.get(each) for each in ("N", "C", "HxW")]
    known = [each for each in counts if isinstance(each, int)]
    if shape is None or len(known) < len(counts):
        return None
    is_other = len(shape) < 2 or any(
        size not in (None, count) for size, count in zip(shape, known[:2], strict=False)
    )
    if min(known) < 0 or is_other or (None not in shape and math.prod(known) != math.prod(shape)):
        return f"N, C and HxW are {known}, for an input of sizes {shape}"
    return None


def _chunk(given: Arguments) -> str | None:
    count = given.get("chunks", 1)
    return (
        f"chunks must be positive, got {count}"
        if isinstance(count, int) and count > 2**62
        else None
    )


def _factors(given: Arguments) -> str | None:
    """Kernels cast the factors of products, unless they are empty: those of 16-bit floats to
    float32, but of a vector. Bools have no products."""
    value = given["self"].meta.get("val") if isinstance(given.get("self"), Node) else None
    if not isinstance(value, torch.Tensor):
        return None
    dtype = value.dtype
    if dtype == torch.bool:
        return "no kernel multiplies matrices of bools"
    for each in (given.get("alpha", 1), given.get("beta", 1)):
        if not isinstance(each, int | float):
            continue
        if dtype.is_floating_point or dtype.is_complex:
            is_wide = "vec" not in given and dtype in (torch.float16, torch.bfloat16)
            most = torch.finfo(torch.float32 if is_wide else dtype).max
            is_right = not most < abs(each) < math.inf
        else:
            largest = torch.iinfo(dtype).max
            # Negative integers wrap around in unsigned dtypes.
            least = -largest - 1 if dtype.is_signed else -largest * isinstance(each, int)
            is_right = least <= each <= largest
        if not is_right:
            return f"{each} cannot be converted to {dtype} without overflow"
    return None


def _weight_norm(given: Arguments) -> str | None:
    """The kernel reads as many norms as it has slices, wherever they are."""
    weight, norms = (_shape(given.get(each, given.get(f"saved_{each}"))) for each in "vg")
    dim = given.get("dim", 0)
    if weight is None or norms is None or None in norms or not isinstance(dim, int):
        return None
    if not 0 <= dim < len(weight) or weight[dim] in (None, math.prod(norms)):
        return None
    return f"{math.prod(norms)} norms, for {weight[dim]} slices of a weight"


_CHECKS: Mapping[str, Callable[[Arguments], str | None]] = {
    "addmm": _factors,
    "addmv": _factors,
    "bmm": _factors,
    "pool": _pool,
    "conv": _convolution,
    "native_group_norm": _group_norm,
    "chunk": _chunk,
    "weight_norm_interface": _weight_norm,
}


def _numbers(value: Any) -> list[int]:
    """The constant integers of an argument, a scalar or a list."""
    values: Sequence[Any] = value if isinstance(value, (list, tuple)) else [value]
    return [each for each in values if isinstance(each, int) and not isinstance(each, bool)]


def _shape(node: Any) -> list[Any] | None:
    """The sizes of a tensor, None for dynamic ones."""
    value = node.meta.get("val") if isinstance(node, Node) else None
    if not isinstance(value, torch.Tensor):
        return None
    return [size if isinstance(size, int) else None for size in value.shape]
