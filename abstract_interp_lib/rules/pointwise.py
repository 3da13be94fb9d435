"""Elementwise operators: how the shapes and dtypes of their operands combine.

The parameters carry the names that schemas use, so that a rule serves whole families.
"""

from typing import List, Tuple, Union

import torch
from torch_refine.abstract_interp_lib.rules.broadcast import broadcast_two
from torch_refine.abstract_interp_lib.rules.complex import real_dtype
from torch_refine.abstract_interp_lib.rules.promotion import (
    int_to_float,
    promote_two,
    promote_with_number,
)


def broadcast_self_other(self: List[int], other: List[int]) -> List[int]:
    """The shape of an operator on two tensors: they broadcast."""
    return broadcast_two(self, other)


def same_as_other(other: List[int]) -> List[int]:
    """The shape of an operator on a number and a tensor: the tensor's."""
    return other


def same_as_input(input: List[int]) -> List[int]:
    """The rule of operators whose result has the shape of `input`."""
    return input


def dtype_of_other(other: Tuple[int, int]) -> int:
    """The rule of operators that take the dtype of `other`."""
    return other[1]


def dtype_of_input(input: Tuple[int, int]) -> int:
    """The rule of operators that keep the dtype of `input`."""
    return input[1]


def always_bool() -> int:
    """The rule of predicates."""
    return torch.bool


def float_of_self(self: Tuple[int, int]) -> int:
    """The rule of functions of a real number: integers and bool become float32."""
    return int_to_float(self[1])


def real_of_self(self: Tuple[int, int]) -> int:
    """The rule of `abs`: a complex number has a real absolute value."""
    return real_dtype(self[1])


def promote_tensors(self: Tuple[int, int], other: Tuple[int, int]) -> int:
    """Two tensors promote."""
    return promote_two(self, other)


def promote_tensor_number(self: Tuple[int, int], other: Union[int, float, complex]) -> int:
    """A tensor and a number promote."""
    return promote_with_number(self, other)


def promote_number_tensor(self: Union[int, float, complex], other: Tuple[int, int]) -> int:
    """A number and a tensor promote."""
    return promote_with_number(other, self)


def float_of_tensors(self: Tuple[int, int], other: Tuple[int, int]) -> int:
    """Two tensors promote; integers and bool then become float32."""
    return int_to_float(promote_two(self, other))


def float_of_tensor_number(self: Tuple[int, int], other: Union[int, float, complex]) -> int:
    """A tensor and a number promote; integers and bool then become float32."""
    return int_to_float(promote_with_number(self, other))


def float_of_number_tensor(self: Union[int, float, complex], other: Tuple[int, int]) -> int:
    """A number and a tensor promote; integers and bool then become float32."""
    return int_to_float(promote_with_number(other, self))


def complex_dtype(dtype: int) -> int:
    """The complex dtype whose parts have a floating-point dtype."""
    table = [torch.float16, torch.float32, torch.float64]
    assert dtype in table, f"parts must be of dtype float16, float32 or float64, got {dtype}"
    return [torch.complex32, torch.complex64, torch.complex128][table.index(dtype)]
