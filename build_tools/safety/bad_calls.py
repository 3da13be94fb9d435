"""Bad calls: the inputs of a valid call with mutations that may be invalid.

Not all of them are invalid: eager mode decides.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.testing._internal.two_tensor import TwoTensor

Kind = Literal[
    "values", "floats", "sizes", "types", "numbers", "strides", "shared", "gradient", "memory"
]
KINDS: dict[Kind, str] = {
    "values": "integers in tensors: indices past either end, zeros, extremes",
    "floats": "NaN, infinities and large numbers in tensors",
    "sizes": "tensors of other sizes",
    "types": "other ranks and dtypes, and what is no tensor",
    "numbers": "integers that are inputs: past either end, extremes",
    "strides": "the same values with other strides",
    "shared": "one tensor for two inputs",
    "gradient": "inputs that require gradients",
    "memory": "tensors that have no memory",
}
EXTREMES = (0, 1, -1, 2, 10**9, 2**31, 2**62, 2**63 - 1, -(2**31), -(2**62), -(2**63))
_FLOATS = (float("nan"), float("inf"), -float("inf"), 1e30, -1e30)
# Of a tensor, and of sizes, that are tried.
_MOST_DIMS = 4
_MOST_SIZES = 4
_OTHER_DTYPES = {
    torch.float32: (torch.float64, torch.int64, torch.complex64),
    torch.int64: (torch.int32, torch.float32, torch.bool),
}


@dataclass(frozen=True)
class BadCall:
    """Inputs for the program of a call, and a description of the mutation.

    `must_raise` is set for inputs that eager mode accepts and a compiled program cannot, such as a
    tensor without storage. The results of an `unordered` call are not compared.
    """

    kind: Kind
    what: str
    inputs: tuple[Any, ...]
    must_raise: bool = False
    unordered: bool = False


def bad_calls(inputs: tuple[Any, ...], dynamic: bool) -> Iterator[BadCall]:
    """The mutations of the inputs of a program, compiled for their sizes or dynamic ones."""
    for make in (_values, _sizes, _types, _strides, _shared, _gradient, _memory):
        yield from make(inputs)
    if dynamic:
        yield from _numbers(inputs)


def _tensors(inputs: tuple[Any, ...]) -> list[tuple[int, torch.Tensor]]:
    return [(i, each) for i, each in enumerate(inputs) if isinstance(each, torch.Tensor)]


def _replaced(inputs: tuple[Any, ...], place: int, value: Any) -> tuple[Any, ...]:
    return (*inputs[:place], value, *inputs[place + 1 :])


def limits(inputs: tuple[Any, ...]) -> list[int]:
    """The integers just out of bounds of each dimension, and extremes."""
    sizes = dict.fromkeys(size for _, tensor in _tensors(inputs) for size in tensor.shape)
    near = [value for size in list(sizes)[:_MOST_SIZES] for value in (size, -size - 1)]
    return list(dict.fromkeys([*near, *EXTREMES]))


def _filled(tensor: torch.Tensor, value: Any, everywhere: bool) -> torch.Tensor:
    """A tensor filled with a value, or with it as the last element."""
    if everywhere:
        return torch.full_like(tensor, value, memory_format=torch.contiguous_format)
    filled = tensor.clone(memory_format=torch.contiguous_format)
    filled.view(-1)[-1] = value
    return filled


def _values(inputs: tuple[Any, ...]) -> Iterator[BadCall]:
    for place, tensor in _tensors(inputs):
        if not tensor.numel() or tensor.is_complex() or tensor.dtype == torch.bool:
            continue
        integral = not tensor.is_floating_point()
        values = limits(inputs) if integral else _FLOATS
        for value in values:
            range = (torch.iinfo if integral else torch.finfo)(tensor.dtype)
            if math.isfinite(value) and not range.min <= value <= range.max:
                continue
            for everywhere in (True, False) if tensor.numel() > 1 else (True,):
                which = "all" if everywhere else "the last"
                yield BadCall(
                    "values" if integral else "floats",
                    f"input {place}, {which} = {value}",
                    _replaced(inputs, place, _filled(tensor, value, everywhere)),
                    unordered=not integral,
                )


def resized(tensor: torch.Tensor, dim: int, size: int) -> torch.Tensor:
    """A tensor of another size, with repeated values, or zeros if it is empty."""
    if tensor.shape[dim] == 0:
        sizes = [*tensor.shape[:dim], size, *tensor.shape[dim + 1 :]]
        return torch.zeros(sizes, dtype=tensor.dtype)
    return tensor.index_select(dim, torch.arange(size) % tensor.shape[dim])


def _sizes(inputs: tuple[Any, ...]) -> Iterator[BadCall]:
    tensors = _tensors(inputs)
    for place, tensor in tensors:
        for dim, size in list(enumerate(tensor.shape))[:_MOST_DIMS]:
            for other in dict.fromkeys((0, 1, size - 1, size + 1, 2 * size + 1)):
                if other >= 0 and other != size:
                    yield BadCall(
                        "sizes",
                        f"input {place}, dimension {dim} of size {other} for {size}",
                        _replaced(inputs, place, resized(tensor, dim, other)),
                    )
    everywhere = dict.fromkeys(size for _, tensor in tensors for size in tensor.shape)
    for size in list(everywhere)[:_MOST_SIZES]:
        for other in dict.fromkeys((0, 1, size + 1, 2 * size + 1)):
            if other != size:
                changed = tuple(_all_resized(each, size, other) for each in inputs)
                yield BadCall("sizes", f"every size {size} becomes {other}", changed)


def _all_resized(value: Any, size: int, other: int) -> Any:
    if isinstance(value, torch.Tensor):
        for dim, each in enumerate(value.shape):
            if each == size:
                value = resized(value, dim, other)
    return value


def _types(inputs: tuple[Any, ...]) -> Iterator[BadCall]:
    for place, tensor in _tensors(inputs):
        yield BadCall("types", f"input {place}, rank + 1", _replaced(inputs, place, tensor[None]))
        if tensor.dim() and len(tensor):
            yield BadCall("types", f"input {place}, rank - 1", _replaced(inputs, place, tensor[0]))
        for dtype in _OTHER_DTYPES.get(tensor.dtype, (torch.float32,)):
            if dtype != tensor.dtype:
                other = _replaced(inputs, place, tensor.to(dtype))
                yield BadCall("types", f"input {place} as {dtype}", other)
        for value in (None, 1.5, "x"):
            other = _replaced(inputs, place, value)
            yield BadCall("types", f"input {place} = {value!r}", other, must_raise=True)
    if inputs:
        yield BadCall("types", "an input less", inputs[:-1], must_raise=True)
    yield BadCall("types", "an input more", (*inputs, torch.ones(2)), must_raise=True)


def _numbers(inputs: tuple[Any, ...]) -> Iterator[BadCall]:
    for place, value in enumerate(inputs):
        if isinstance(value, int) and not isinstance(value, bool):
            for other in limits(inputs):
                if other != value:
                    what = f"input {place} = {other} for {value}"
                    yield BadCall("numbers", what, _replaced(inputs, place, other))
            for none in (None, 1.5, 2**64):
                what = f"input {place} = {none} for {value}"
                changed = _replaced(inputs, place, none)
                yield BadCall("numbers", what, changed, must_raise=True)


def _strides(inputs: tuple[Any, ...]) -> Iterator[BadCall]:
    ways: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
        "transposed": lambda tensor: tensor.mT.contiguous().mT if tensor.dim() > 1 else tensor,
        "every second element": lambda tensor: tensor.repeat_interleave(2, -1)[..., ::2],
        "from another address": lambda tensor: torch.cat([tensor[:1], tensor])[1:],
    }
    for place, tensor in _tensors(inputs):
        for what, change in ways.items():
            if tensor.dim() and tensor.numel():
                changed = _replaced(inputs, place, change(tensor))
                yield BadCall("strides", f"input {place} {what}", changed)
        if tensor.dim() and tensor.shape[0] > 1:
            changed = _replaced(inputs, place, tensor[:1].expand_as(tensor))
            yield BadCall("strides", f"input {place} expanded", changed)


def _shared(inputs: tuple[Any, ...]) -> Iterator[BadCall]:
    for (one, first), (other, second) in combinations(_tensors(inputs), 2):
        if first.shape == second.shape and first.dtype == second.dtype:
            changed = _replaced(inputs, other, first)
            yield BadCall("shared", f"inputs {one} and {other} are one tensor", changed)


def _gradient(inputs: tuple[Any, ...]) -> Iterator[BadCall]:
    for place, tensor in _tensors(inputs):
        if tensor.is_floating_point() or tensor.is_complex():
            changed = _replaced(inputs, place, tensor.detach().clone().requires_grad_())
            yield BadCall("gradient", f"input {place} requires its gradient", changed)


def _memory(inputs: tuple[Any, ...]) -> Iterator[BadCall]:
    for place, tensor in _tensors(inputs)[:1]:
        meta = _replaced(inputs, place, tensor.to("meta"))
        yield BadCall("memory", f"input {place} on the meta device", meta, must_raise=True)
        fake = _replaced(inputs, place, FakeTensorMode().from_tensor(tensor))
        yield BadCall("memory", f"input {place} is a fake tensor", fake, must_raise=True)
        if tensor.numel():
            two: Any = TwoTensor
            wrapper = _replaced(inputs, place, two(tensor, tensor))
            yield BadCall("memory", f"input {place} is a subclass", wrapper, must_raise=True)
        zero = torch._efficientzerotensor(tensor.shape, dtype=tensor.dtype)
        yield BadCall("memory", f"input {place} is a zero tensor", _replaced(inputs, place, zero))
