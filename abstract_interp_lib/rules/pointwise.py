"""Elementwise operators: how shapes broadcast and dtypes promote.

The parameters are named as in the schemas, so that a rule serves whole families.
"""

from typing import List, Tuple, Union

import torch
from torch_refine.abstract_interp_lib.promotion_kinds import promotes
from torch_refine.abstract_interp_lib.rules.broadcast import broadcast_two
from torch_refine.abstract_interp_lib.rules.promotion import (
    int_to_float,
    promote_two,
    promote_with_number,
    real_dtype,
)


def broadcast_self_other(self: List[int], other: List[int]) -> List[int]:
    """The two tensors broadcast."""
    return broadcast_two(self, other)


def same_as_other(other: List[int]) -> List[int]:
    """The shape of the tensor operand; the other one is a scalar."""
    return other


def same_as_input(input: List[int]) -> List[int]:
    """The result has the shape of `input`."""
    return input


def dtype_of_other(other: Tuple[int, int]) -> int:
    """The result has the dtype of `other`."""
    return other[1]


def dtype_of_input(input: Tuple[int, int]) -> int:
    """The result has the dtype of `input`."""
    return input[1]


def always_bool() -> int:
    """Predicates return bool."""
    return torch.bool


@promotes("always-bool", "self", "other")
def comparison_dtype() -> int:
    """Operands that promote are compared."""
    return torch.bool


@promotes("int-to-float")
def float_of_self(self: Tuple[int, int]) -> int:
    """The dtype of `self`; integers and bool become float32."""
    return int_to_float(self[1])


@promotes("complex-to-float")
def real_of_self(self: Tuple[int, int]) -> int:
    """The absolute value of a complex dtype is real."""
    return real_dtype(self[1])


@promotes("default")
def promote_tensors(self: Tuple[int, int], other: Tuple[int, int]) -> int:
    """Two tensors promote."""
    return promote_two(self, other)


@promotes("default")
def promote_tensor_number(self: Tuple[int, int], other: Union[int, float, complex]) -> int:
    """A tensor and a scalar promote."""
    return promote_with_number(self, other)


@promotes("default")
def promote_number_tensor(self: Union[int, float, complex], other: Tuple[int, int]) -> int:
    """A scalar and a tensor promote."""
    return promote_with_number(other, self)


@promotes("int-to-float")
def float_of_tensors(self: Tuple[int, int], other: Tuple[int, int]) -> int:
    """Two tensors promote; integers and bool then become float32."""
    return int_to_float(promote_two(self, other))


@promotes("int-to-float")
def float_of_tensor_number(self: Tuple[int, int], other: Union[int, float, complex]) -> int:
    """A tensor and a scalar promote; integers and bool then become float32."""
    return int_to_float(promote_with_number(self, other))


@promotes("int-to-float")
def float_of_number_tensor(self: Union[int, float, complex], other: Tuple[int, int]) -> int:
    """A scalar and a tensor promote; integers and bool then become float32."""
    return int_to_float(promote_with_number(other, self))


def complex_dtype(dtype: int) -> int:
    """The complex dtype whose real and imaginary parts have a given floating-point dtype."""
    table = [torch.float16, torch.float32, torch.float64]
    assert dtype in table, (
        f"real and imaginary part must be of dtype float16, float32 or float64, got {dtype}"
    )
    return [torch.complex32, torch.complex64, torch.complex128][table.index(dtype)]
