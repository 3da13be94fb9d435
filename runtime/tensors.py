"""Torch tensors and NumPy arrays as arguments and results, without copying."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from torch_refine.runtime.calling import Memory, Result

_MOST_SEEDS = 2**63 - 1


class Described(NamedTuple):
    """How an array lies in memory."""

    address: int
    sizes: tuple[int, ...]
    strides: tuple[int, ...] | None
    """In elements; None where memory does not hold the numbers themselves, one each so many."""
    dtype: str


class ArrayKind(Protocol):
    """How arrays of a kind are taken apart and made."""

    device: Any
    """The device that they must be on."""
    place: str
    """The same in words."""
    alignment: int
    """Of what their address must be a multiple, in bytes."""

    def describe(self, value: Any) -> Described | None:
        """How an array lies in memory; None if it is no such array."""

    def contiguous(self, value: Any, order: Sequence[int] | None) -> Any:
        """The same values, laid out row by row once their dimensions are in an order.

        Their address is one that can be passed.
        """

    def make(self, result: Result, dtype: str) -> Any:
        """An array that owns the memory of a result."""

    def write(self, array: Any, values: Any) -> None:
        """Write the values of one array to another."""

    def new_seed(self) -> int:
        """What random numbers are made of, drawn from the global generator: 63 bits."""


def _owned(result: Result, itemsize: int) -> Any:
    """The memory of a result as something with a buffer, which is freed when nobody uses it.

    What another result owns is copied.
    """
    count = math.prod(result.sizes) * itemsize
    memory = (ctypes.c_char * count).from_address(result.address)
    if not result.owns:
        return bytearray(memory)
    memory._owner = Memory(result.allocated)  # type: ignore[attr-defined]
    return memory


def _free_empty(result: Result) -> None:
    if result.owns:
        Memory(result.allocated)


class TorchTensors:
    """Tensors of PyTorch on the CPU, or another device."""

    def __init__(self, device: Any = "cpu", alignment: int = 1) -> None:
        import torch

        self.torch = torch
        self.alignment = alignment
        self.device = torch.device(device)
        self.place = "the CPU" if self.device.type == "cpu" else str(self.device)
        self.names = {
            value: name for name, value in vars(torch).items() if isinstance(value, torch.dtype)
        }

    def describe(self, value: Any) -> Described | None:
        """What a tensor is; None for anything else."""
        if (
            not isinstance(value, self.torch.Tensor)
            or value.device != self.device
            or value.layout != self.torch.strided
        ):
            return None
        strides = None if _is_marked(value) else tuple(value.stride())
        name = str(value.dtype).removeprefix("torch.")
        return Described(value.data_ptr(), tuple(value.shape), strides, name)

    def contiguous(self, value: Any, order: Sequence[int] | None) -> Any:
        """A tensor laid out row by row once its dimensions are in an order."""
        moved = value if order is None else value.permute(*order)
        if _is_marked(moved):
            moved = moved.resolve_conj().resolve_neg()
        return (
            moved
            if self.can_pass(moved)
            else moved.clone(memory_format=self.torch.contiguous_format)
        )

    def can_pass(self, tensor: Any) -> bool:
        """Whether a tensor's memory can be passed as it is: in one piece, row by row, aligned."""
        return bool(
            tensor.is_contiguous()
            and tensor.data_ptr() % self.alignment == 0
            and not _is_marked(tensor)
        )

    def make(self, result: Result, dtype: str) -> Any:
        """A tensor that owns its memory."""
        torch = self.torch
        kind = getattr(torch, dtype)
        if 0 in result.sizes:
            _free_empty(result)
            return torch.empty(result.sizes, dtype=kind)
        memory = _owned(result, kind.itemsize)
        return torch.frombuffer(memory, dtype=kind).view(result.sizes)

    def write(self, array: Any, values: Any) -> None:
        """Write to a tensor, in the way that PyTorch counts as a new version."""
        array.detach().copy_(values)

    def new_seed(self) -> int:
        """Drawn from PyTorch's generator on the CPU, which `torch.manual_seed` sets."""
        return int(self.torch.empty((), dtype=self.torch.int64).random_())


def _is_marked(tensor: Any) -> bool:
    """Whether the values are the conjugates, or the negatives, of what memory holds."""
    return bool(tensor.is_conj() or tensor.is_neg())


class NumpyArrays:
    """Arrays of NumPy."""

    device = "cpu"
    place = "the CPU"
    alignment = 1

    def __init__(self) -> None:
        import numpy

        self.numpy = numpy

    def describe(self, value: Any) -> Described | None:
        """What an array is; None for anything else."""
        if not isinstance(value, self.numpy.ndarray):
            return None
        size = value.itemsize
        strides = None
        # Fields of records need not lie whole elements apart.
        if value.flags.aligned and not any(stride % size for stride in value.strides):
            strides = tuple(stride // size for stride in value.strides)
        name = value.dtype.name if value.dtype.isnative else value.dtype.str
        return Described(value.ctypes.data, value.shape, strides, name)

    def contiguous(self, value: Any, order: Sequence[int] | None) -> Any:
        """An array laid out row by row once its dimensions are in an order."""
        moved = value if order is None else value.transpose(order)
        return self.numpy.array(moved, order="C")

    def make(self, result: Result, dtype: str) -> Any:
        """An array that owns its memory."""
        kind = self.numpy.dtype(dtype)
        if 0 in result.sizes:
            _free_empty(result)
            return self.numpy.empty(result.sizes, dtype=kind)
        memory = _owned(result, kind.itemsize)
        return self.numpy.frombuffer(memory, dtype=kind).reshape(result.sizes)

    def write(self, array: Any, values: Any) -> None:
        """Write to an array."""
        self.numpy.copyto(array, values)

    def new_seed(self) -> int:
        """Drawn from NumPy's global generator, which `numpy.random.seed` sets."""
        return int(self.numpy.random.randint(_MOST_SEEDS, dtype=self.numpy.int64))
