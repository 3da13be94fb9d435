"""Passing the inputs of a program: type checks and memory layout."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from numbers import Integral
from typing import Any, NamedTuple

from torch_refine.runtime.calls.calling import Caller, Frame
from torch_refine.runtime.calls.signature import NumberParameter, Parameter, TensorParameter
from torch_refine.runtime.calls.tensors import ArrayKind

_INTS = range(-(2**63), 2**63)
# The element sizes in bytes; other types have one byte.
_WIDTHS = {"16": 2, "32": 4, "64": 8}


class _Accepted(NamedTuple):
    """Sizes, strides and dtype of an input that was passed without a copy; and as it was passed."""

    layout: tuple[Any, ...]
    sizes: Sequence[int]
    strides: Sequence[int]


class Arguments:
    """Passes inputs to a function whose parameters before `first` are its state.

    `orders` are the dimension orders of inputs that the function takes permuted, by index. An input
    whose strides, once permuted, match its parameter is passed without a copy; others are copied.
    """

    def __init__(
        self,
        caller: Caller,
        parameters: Sequence[Parameter],
        first: int,
        orders: Mapping[int, Sequence[int]],
    ) -> None:
        self._caller = caller
        self.first = first
        self._orders = dict(orders)
        self._strides = [
            parameter.strides if isinstance(parameter, TensorParameter) else None
            for parameter in parameters[first:]
        ]
        # The last of each parameter. Calls mostly repeat it, whose checks take longer.
        self._accepted: list[_Accepted | None] = [None] * (len(parameters) - first)
        self._alignments = [_alignment(parameter) for parameter in parameters[first:]]
        self.parameters = [
            _in_program_order(parameter, self._orders.get(index))
            for index, parameter in enumerate(parameters[first:])
        ]

    def fill(self, frame: Frame, values: Sequence[Any], arrays: ArrayKind) -> list[Any]:
        """Pass all inputs; returns what must stay alive until the call ends.

        Raises:
            TypeError: a wrong number of inputs, or one of a wrong kind, dtype or device.
            ValueError: an input of other sizes.
        """
        if len(values) != len(self.parameters):
            raise TypeError(f"expected {len(self.parameters)} inputs, got {len(values)}")
        place = self.first
        set_tensor, describe, alignment = self._caller.set_tensor, arrays.describe, arrays.alignment
        passed = []
        for value, accepted, own in zip(values, self._accepted, self._alignments, strict=True):
            if (
                accepted is not None
                and (found := describe(value)) is not None
                and found[1:] == accepted.layout
                and not found.address % own
                and not found.address % alignment
            ):
                set_tensor(frame, place, found.address, accepted.sizes, accepted.strides)
                passed.append(value)
            else:
                passed.append(self._pass(frame, place - self.first, value, arrays))
            place += 1
        return passed

    def _pass(self, frame: Frame, index: int, value: Any, arrays: ArrayKind) -> Any:
        """Pass an input after all checks."""
        parameter = self.parameters[index]
        where = f"input {index}"
        if isinstance(parameter, NumberParameter):
            number = _as_number(value, parameter, where)
            self._caller.set_number(frame, self.first + index, number)
            return None
        found = arrays.describe(value)
        if found is None:
            device = getattr(value, "device", "cpu")
            if str(device) != str(arrays.device):
                raise TypeError(f"{where} is on {device}, the program runs on {arrays.place}")
            raise TypeError(f"{where} must be {parameter}, got {arrays.problem_of(value)}")
        address, sizes, strides, dtype = found
        if dtype != parameter.dtype:
            raise TypeError(f"{where} must be {parameter}, got {dtype}{list(sizes)}")
        if len(sizes) != len(parameter.sizes) or any(
            wanted not in (None, size) for wanted, size in zip(parameter.sizes, sizes, strict=True)
        ):
            raise ValueError(f"{where} must be {parameter}, got {dtype}{list(sizes)}")
        if dtype == "bool":
            clean = arrays.with_bools(value, found)
            if clean is not value:
                value = clean
                described = arrays.describe(value)
                assert described is not None
                address, sizes, strides, dtype = described
        order = self._orders.get(index)
        if order is not None:
            sizes = tuple(sizes[dim] for dim in order)
            strides = None if strides is None else tuple(strides[dim] for dim in order)
        if (
            strides is None
            or not _can_be_passed(sizes, strides, self._strides[index])
            or address % self._alignments[index]
            or address % arrays.alignment
        ):
            value = arrays.contiguous(value, order)
            copied = arrays.describe(value)
            assert copied is not None and copied.strides is not None
            address, sizes, strides = copied.address, copied.sizes, copied.strides
        elif dtype != "bool":
            # The bytes of bools are checked in every call.
            self._accepted[index] = _Accepted(found[1:], sizes, strides)
        self._caller.set_tensor(frame, self.first + index, address, sizes, strides)
        return value


def _as_number(value: Any, parameter: NumberParameter, where: str) -> Any:
    """Convert a scalar to its parameter's type.

    A bool is not accepted for an int, nor a NumPy scalar for a bool: PyTorch promotes them
    differently.

    Raises:
        TypeError: it is of another kind.
        ValueError: it is an int of more than 64 bits.
    """
    kind = parameter.kind
    # NumPy's ints are no subclass of int, and mean the same.
    wanted: Any = {"int": Integral, "float": (int, float), "bool": bool}[kind]
    if not isinstance(value, wanted) or isinstance(value, bool) != (kind == "bool"):
        raise TypeError(f"{where} must be a {kind}, got {type(value).__name__}")
    if kind == "int" and int(value) not in _INTS:
        raise ValueError(f"{where} must be an int of 64 bits, got {value}")
    try:
        return float(value) if kind == "float" else value
    except OverflowError:
        raise ValueError(f"{where} must be a float of 64 bits, got a larger int") from None


def _alignment(parameter: Parameter) -> int:
    """The required alignment of an address in bytes, for code that loads single elements."""
    if isinstance(parameter, NumberParameter):
        return 1
    width = _WIDTHS.get(parameter.dtype[-2:], 8 if parameter.dtype.endswith("128") else 1)
    return width // 2 if parameter.dtype == "complex64" else width


def _in_program_order(parameter: Parameter, order: Sequence[int] | None) -> Parameter:
    if order is None or not isinstance(parameter, TensorParameter):
        return parameter
    sizes = tuple(parameter.sizes[order.index(dim)] for dim in range(len(order)))
    return replace(parameter, sizes=sizes)


def _can_be_passed(
    sizes: Sequence[int], strides: Sequence[int], wanted: Sequence[int | None] | None
) -> bool:
    """Whether a tensor's strides match its parameter's; None requires row-major contiguous."""
    if wanted is None:
        return _is_row_major(sizes, strides)
    return 0 in sizes or all(
        size == 1 or (stride >= 0 and asked in (None, stride))
        for size, stride, asked in zip(sizes, strides, wanted, strict=True)
    )


def _is_row_major(sizes: Sequence[int], strides: Sequence[int]) -> bool:
    """Whether strides are row-major contiguous."""
    expected = 1
    for size, stride in zip(reversed(sizes), reversed(strides), strict=True):
        if size != 1:
            if stride != expected:
                return 0 in sizes
            expected *= size
    return True
