"""Passing the inputs of a program: what they must be, and how they lie."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from torch_refine.runtime.calling import Caller, Frame
from torch_refine.runtime.signature import NumberParameter, Parameter, TensorParameter
from torch_refine.runtime.tensors import ArrayKind

_KINDS = {"int": int, "float": (int, float), "bool": bool}


class Arguments:
    """Passes inputs to a function whose parameters before `first` are its state.

    `orders` are those of the inputs that the function takes with their dimensions in another order,
    by their numbers. One that lies in that order, with the strides that its parameter wants, is
    passed as it is; others are copied.
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
        self.parameters = [
            _in_program_order(parameter, self._orders.get(index))
            for index, parameter in enumerate(parameters[first:])
        ]

    def fill(self, frame: Frame, values: Sequence[Any], arrays: ArrayKind) -> list[Any]:
        """Pass all inputs; what must live until the call ends.

        Raises:
            TypeError: a wrong number of inputs, or one of a wrong kind, dtype or device.
            ValueError: an input of other sizes.
        """
        if len(values) != len(self.parameters):
            raise TypeError(f"expected {len(self.parameters)} inputs, got {len(values)}")
        return [self._pass(frame, index, value, arrays) for index, value in enumerate(values)]

    def _pass(self, frame: Frame, index: int, value: Any, arrays: ArrayKind) -> Any:
        parameter = self.parameters[index]
        where = f"input {index}"
        if isinstance(parameter, NumberParameter):
            if not isinstance(value, _KINDS[parameter.kind]):  # type: ignore[arg-type]
                raise TypeError(f"{where} must be a {parameter}, got {type(value).__name__}")
            self._caller.set_number(frame, self.first + index, value)
            return None
        found = arrays.describe(value)
        if found is None:
            device = getattr(value, "device", "cpu")
            if str(device) != str(arrays.device):
                raise TypeError(f"{where} is on {device}, the program runs on {arrays.place}")
            layout = getattr(value, "layout", None)
            what = type(value).__name__ if layout is None else f"a tensor of layout {layout}"
            raise TypeError(f"{where} must be {parameter}, got {what}")
        address, sizes, strides, dtype = found
        if dtype != parameter.dtype:
            raise TypeError(f"{where} must be {parameter}, got {dtype}{list(sizes)}")
        if len(sizes) != len(parameter.sizes) or any(
            wanted not in (None, size) for wanted, size in zip(parameter.sizes, sizes, strict=True)
        ):
            raise ValueError(f"{where} must be {parameter}, got {dtype}{list(sizes)}")
        order = self._orders.get(index)
        if order is not None:
            sizes = tuple(sizes[dim] for dim in order)
            strides = None if strides is None else tuple(strides[dim] for dim in order)
        if (
            strides is None
            or not _can_be_passed(sizes, strides, self._strides[index])
            or address % arrays.alignment
        ):
            value = arrays.contiguous(value, order)
            copied = arrays.describe(value)
            assert copied is not None and copied.strides is not None
            address, sizes, strides = copied.address, copied.sizes, copied.strides
        self._caller.set_tensor(frame, self.first + index, address, sizes, strides)
        return value


def _in_program_order(parameter: Parameter, order: Sequence[int] | None) -> Parameter:
    if order is None or not isinstance(parameter, TensorParameter):
        return parameter
    sizes = tuple(parameter.sizes[order.index(dim)] for dim in range(len(order)))
    return replace(parameter, sizes=sizes)


def _can_be_passed(
    sizes: Sequence[int], strides: Sequence[int], wanted: Sequence[int | None] | None
) -> bool:
    """Whether a tensor lies as a program takes it; None is wanted for row by row."""
    if wanted is None:
        return _is_row_major(sizes, strides)
    return 0 in sizes or all(
        size == 1 or (stride >= 0 and asked in (None, stride))
        for size, stride, asked in zip(sizes, strides, wanted, strict=True)
    )


def _is_row_major(sizes: Sequence[int], strides: Sequence[int]) -> bool:
    """Whether elements follow each other in the order of their indices."""
    expected = 1
    for size, stride in zip(reversed(sizes), reversed(strides), strict=True):
        if size != 1:
            if stride != expected:
                return 0 in sizes
            expected *= size
    return True
