"""Torch tensors and NumPy arrays as arguments and results, without copying."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple, Protocol

from torch_refine.runtime.calls.calling import Memory, Result
from torch_refine.runtime.calls.object_files import support_function

_MAX_SEEDS = 2**63 - 1
# The largest alignment of a scalar, in bytes; a complex one is two of these.
_WIDEST = 8
# How many times more bytes than bools may be checked.
_MAX_GAPS = 4


class ArrayDescriptor(NamedTuple):
    """The layout of an array in memory."""

    address: int
    sizes: tuple[int, ...]
    strides: tuple[int, ...] | None
    """In elements; None if memory does not hold the values directly."""
    dtype: str


class ArrayKind(Protocol):
    """The interface to one kind of arrays."""

    device: Any
    """The required device."""
    place: str
    """The device in messages."""
    alignment: int
    """The required alignment, in bytes."""

    def describe(self, value: Any) -> ArrayDescriptor | None:
        """The layout of an array; None if it is not of this kind."""

    def problem_of(self, value: Any) -> str | None:
        """Why a value has no layout; None for a supported array."""

    def refuse_traces(self) -> None:
        """Raise RuntimeError while a trace is recorded, as it would not record the call."""

    def contiguous(self, value: Any, order: Sequence[int] | None) -> Any:
        """The same values, row-major contiguous once its dimensions are permuted, and aligned."""

    def with_bools(self, value: Any, described: ArrayDescriptor) -> Any:
        """A bool array whose bytes are 0 and 1: itself, or a copy.

        Memory created as bytes may hold other values. PyTorch and NumPy treat them as True;
        compiled code reads one bit.
        """

    def make(self, result: Result, dtype: str) -> Any:
        """An array that owns the memory of a result."""

    def write(self, array: Any, values: Any) -> None:
        """Copy the values of one array to another."""

    def has_written(self, array: Any) -> None:
        """Note that a program has written to the memory of an array."""

    def new_seed(self) -> int:
        """A 63-bit seed drawn from the global random generator."""


def _owned(result: Result, itemsize: int) -> Any:
    """The memory of a result as a buffer, freed (or given back) with its last reference.

    Memory owned by another result is copied.
    """
    count = math.prod(result.sizes) * itemsize
    memory = (ctypes.c_char * count).from_address(result.address)
    if not result.owns:
        return bytearray(memory)
    memory._owner = Memory(result.allocated, result.frame)  # type: ignore[attr-defined]
    return memory


def _free_empty(result: Result) -> None:
    if result.owns:
        Memory(result.allocated, result.frame)


def _are_ordinary_bools(described: ArrayDescriptor) -> bool:
    """Whether all bytes are certainly 0 or 1; those between two elements are checked, too."""
    address, sizes, strides, _ = described
    if 0 in sizes:
        return True
    if strides is None or any(stride < 0 for stride in strides):
        return False
    reach = 1 + sum((size - 1) * stride for size, stride in zip(sizes, strides, strict=True))
    if reach > _MAX_GAPS * math.prod(sizes):
        return False
    return not _odd_bools()(address, reach)


@cache
def _odd_bools() -> Any:
    function = support_function("torch_refine_odd_bools")
    return ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64)(function)


class TorchTensors:
    """PyTorch tensors on the CPU, or another device."""

    def __init__(self, device: Any = "cpu", alignment: int = 1) -> None:
        import torch

        self.torch = torch
        self.alignment = alignment
        self.device = torch.device(device)
        self.place = "the CPU" if self.device.type == "cpu" else str(self.device)
        self.names = {
            value: str(value).removeprefix("torch.")
            for value in vars(torch).values()
            if isinstance(value, torch.dtype)
        }
        self._modes = torch._C._len_torch_dispatch_stack
        self._tracing = torch._C._get_tracing_state
        self._keys_of = torch._C._dispatch_keys
        self._plain, self._marked = self._known_keys()
        self._classes = {torch.Tensor, torch.nn.Parameter}

    def _known_keys(self) -> tuple[set[int], set[int]]:
        """The dispatch keys of plain tensors, and of conjugate or negated views.

        All others have more or other keys: the tensors of `torch.func`, fake, functional, nested,
        sparse, quantized ones, those without storage, and those of other devices.
        """
        torch = self.torch
        plain, marked = set(), set()
        for is_inference in (False, True):
            with torch.inference_mode(is_inference):
                tensor = torch.empty(1, dtype=torch.complex64, device=self.device)
                plain.add(self._keys_of(tensor).raw_repr())
                conjugate = tensor.conj()
                for each in (conjugate, conjugate.imag, torch._neg_view(conjugate)):
                    marked.add(self._keys_of(each).raw_repr())
        return plain, marked - plain

    def describe(self, value: Any) -> ArrayDescriptor | None:
        """The layout of a tensor; None for any other value, and for tensors without plain memory.

        Subclasses are left to `problem_of`, for they may compute anything.
        """
        if type(value) not in self._classes and not self._is_plain_class(type(value)):
            return None
        keys = self._keys_of(value).raw_repr()
        if keys in self._plain:
            strides = value.stride()
        elif keys in self._marked:
            strides = None
        else:
            return None
        if self.device.index is not None and value.device != self.device:
            return None
        address, sizes = value.data_ptr(), tuple(value.shape)
        if not address and 0 not in sizes:
            return None
        return ArrayDescriptor(address, sizes, strides, self.names[value.dtype])

    def refuse_traces(self) -> None:
        """Raise RuntimeError in `torch.jit.trace` and in modes that trace or fake.

        The results of a call they do not see would be recorded as constants.
        """
        if self._modes():
            from torch.utils import _python_dispatch

            # Infra modes: fake tensors, functional ones, proxies of a graph.
            for mode in _python_dispatch._get_current_dispatch_mode_stack():
                if getattr(mode, "_mode_key", None) is not None:
                    name = type(mode).__name__
                    raise RuntimeError(f"a compiled program cannot be called in a {name}")
        if self._tracing() is not None:
            raise RuntimeError("a compiled program cannot be called in torch.jit.trace")

    def _is_plain_class(self, kind: Any) -> bool:
        """Whether a class does not override tensor operations."""
        torch = self.torch
        is_plain = (
            issubclass(kind, torch.Tensor)
            and kind.__torch_function__ is torch._C._disabled_torch_function_impl
            and kind.__torch_dispatch__ is torch._C._disabled_torch_dispatch_impl
        )
        if is_plain:
            self._classes.add(kind)
        return is_plain

    def problem_of(self, value: Any) -> str | None:
        """Why a value is not a plain tensor on this device; None if it is.

        Also checks that the storage holds all elements, which calls do not.
        """
        torch = self.torch
        name = type(value).__name__
        if not isinstance(value, torch.Tensor):
            return name
        if type(value) not in self._classes and not self._is_plain_class(type(value)):
            return f"a {name}, a subclass of torch.Tensor that overrides its functions"
        if torch._C._functorch.is_functorch_wrapped_tensor(value):
            return "a tensor of a torch.func transform, which cannot transform a compiled program"
        if value.is_nested:
            return "a nested tensor"
        if value.layout != torch.strided:
            return f"a tensor of layout {value.layout}"
        if value.device != self.device and value.device.type != self.device.type:
            return f"a tensor on {value.device}"
        if value.is_quantized:
            return f"a quantized tensor ({value.dtype})"
        if torch._C._functorch.is_functionaltensor(value) or torch._is_functional_tensor(value):
            return "a functional tensor, as a trace passes"
        if value._is_zerotensor():
            return "a zero tensor, which has no memory; pass its clone"
        if self.describe(value) is None:
            return "a tensor without memory: its storage was resized to 0"
        reach = 1 + sum(
            (size - 1) * stride for size, stride in zip(value.shape, value.stride(), strict=True)
        )
        needed = (value.storage_offset() + reach) * value.element_size()
        if 0 not in value.shape and value.untyped_storage().nbytes() < needed:
            return "a tensor that exceeds its storage, which was resized"
        return None

    def contiguous(self, value: Any, order: Sequence[int] | None) -> Any:
        """A tensor that is row-major contiguous once its dimensions are permuted."""
        moved = value if order is None else value.permute(*order)
        if _is_marked(moved):
            moved = moved.resolve_conj().resolve_neg()
        return (
            moved
            if self.can_pass(moved)
            else moved.clone(memory_format=self.torch.contiguous_format)
        )

    def can_pass(self, tensor: Any) -> bool:
        """Whether a tensor can be passed without a copy: contiguous and aligned."""
        return bool(
            tensor.is_contiguous()
            and tensor.data_ptr() % max(self.alignment, min(tensor.element_size(), _WIDEST)) == 0
            and not _is_marked(tensor)
        )

    def with_bools(self, value: Any, described: ArrayDescriptor) -> Any:
        """A bool tensor whose bytes are 0 and 1."""
        if self.device.type == "cpu" and _are_ordinary_bools(described):
            return value
        return value.view(self.torch.uint8).ne(0)

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
        """Write to a tensor so that PyTorch increments its version."""
        array.detach().copy_(values)

    def has_written(self, array: Any) -> None:
        """Increment the version of a tensor that a program has written to."""
        if not array.is_inference():
            self.torch.autograd.graph.increment_version(array)

    def new_seed(self) -> int:
        """Drawn from PyTorch's CPU generator, which `torch.manual_seed` sets."""
        return int(self.torch.empty((), dtype=self.torch.int64).random_())


def _is_marked(tensor: Any) -> bool:
    """Whether the tensor is a lazy conjugate or negation of its memory."""
    return bool(tensor.is_conj() or tensor.is_neg())


class NumpyArrays:
    """NumPy arrays."""

    device = "cpu"
    place = "the CPU"
    alignment = 1

    def __init__(self) -> None:
        import numpy

        self.numpy = numpy

    def describe(self, value: Any) -> ArrayDescriptor | None:
        """The layout of an array; None for any other value, such as a masked array."""
        if type(value) is not self.numpy.ndarray and type(value) is not self.numpy.memmap:
            return None
        # Strings may have no bytes.
        size = value.itemsize or 1
        strides = None
        # The strides of record fields need not be multiples of the element size.
        if value.flags.aligned and not any(stride % size for stride in value.strides):
            strides = tuple(stride // size for stride in value.strides)
        name = value.dtype.name if value.dtype.isnative else value.dtype.str
        return ArrayDescriptor(value.ctypes.data, value.shape, strides, name)

    def refuse_traces(self) -> None:
        """Nothing traces NumPy arrays."""

    def problem_of(self, value: Any) -> str | None:
        """Why a value is not a plain NumPy array."""
        return None if self.describe(value) is not None else type(value).__name__

    def contiguous(self, value: Any, order: Sequence[int] | None) -> Any:
        """An array that is row-major contiguous once its dimensions are permuted."""
        moved = value if order is None else value.transpose(order)
        return self.numpy.array(moved, order="C")

    def with_bools(self, value: Any, described: ArrayDescriptor) -> Any:
        """A bool array whose bytes are 0 and 1."""
        return value if _are_ordinary_bools(described) else value.view(self.numpy.uint8) != 0

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

    def has_written(self, array: Any) -> None:
        """Nothing counts writes."""

    def new_seed(self) -> int:
        """Drawn from NumPy's global generator, which `numpy.random.seed` sets."""
        return int(self.numpy.random.randint(_MAX_SEEDS, dtype=self.numpy.int64))
