"""Operators on lists of tensors: which lists go together, and what comes out for each tensor.

The parameters carry the names that schemas use, so that a rule serves whole families.
"""

from typing import List, Tuple, Union

from torch_refine.abstract_interp_lib.rules.broadcast import broadcast_two
from torch_refine.abstract_interp_lib.rules.promotion import (
    int_to_float,
    promote_two,
    promote_with_number,
)


def check_some(tensors: int) -> None:
    """Raise for a list without tensors."""
    assert tensors > 0, f"there must be at least one tensor, got a list of {tensors}"


def check_pair(tensors: int, others: int) -> None:
    """Raise unless two lists have one length, which is not 0."""
    check_some(tensors)
    assert tensors == others, f"lists must have one length, got {tensors} and {others}"


def same_as_each(self: List[List[int]]) -> List[List[int]]:
    """Every tensor keeps its shape."""
    check_some(len(self))
    return [tensor for tensor in self]


def dtype_of_each(self: List[Tuple[int, int]]) -> List[int]:
    """Every tensor keeps its dtype."""
    return [tensor[1] for tensor in self]


def float_of_each(self: List[Tuple[int, int]]) -> List[int]:
    """Integers and bool become float32."""
    return [int_to_float(tensor[1]) for tensor in self]


def broadcast_each(self: List[List[int]], other: List[List[int]]) -> List[List[int]]:
    """Every tensor broadcasts with its partner."""
    check_pair(len(self), len(other))
    return [broadcast_two(self[index], other[index]) for index in range(len(self))]


def promote_each(self: List[Tuple[int, int]], other: List[Tuple[int, int]]) -> List[int]:
    """Every tensor promotes with its partner."""
    return [promote_two(self[index], other[index]) for index in range(len(self))]


def float_of_each_pair(self: List[Tuple[int, int]], other: List[Tuple[int, int]]) -> List[int]:
    """Every tensor promotes with its partner; integers and bool then become float32."""
    return [int_to_float(promote_two(self[index], other[index])) for index in range(len(self))]


def promote_each_with_number(
    self: List[Tuple[int, int]], scalar: Union[int, float, complex]
) -> List[int]:
    """Every tensor promotes with one number."""
    return [promote_with_number(tensor, scalar) for tensor in self]


def float_of_each_with_number(
    self: List[Tuple[int, int]], scalar: Union[int, float, complex]
) -> List[int]:
    """Every tensor promotes with one number; integers and bool then become float32."""
    return [int_to_float(promote_with_number(tensor, scalar)) for tensor in self]


def same_as_each_with_numbers(
    self: List[List[int]], scalars: List[Union[int, float, complex]]
) -> List[List[int]]:
    """Every tensor keeps its shape; there is a number for each."""
    check_pair(len(self), len(scalars))
    return [tensor for tensor in self]


def promote_each_with_numbers(
    self: List[Tuple[int, int]], scalars: List[Union[int, float, complex]]
) -> List[int]:
    """Every tensor promotes with its number."""
    return [promote_with_number(self[index], scalars[index]) for index in range(len(self))]


def float_of_each_with_numbers(
    self: List[Tuple[int, int]], scalars: List[Union[int, float, complex]]
) -> List[int]:
    """Every tensor promotes with its number; integers and bool then become float32."""
    return [
        int_to_float(promote_with_number(self[index], scalars[index])) for index in range(len(self))
    ]


def same_as_each_with_tensor(self: List[List[int]], other: List[int]) -> List[List[int]]:
    """Every tensor keeps its shape; the one partner of all is zero-dim."""
    check_some(len(self))
    assert len(other) == 0, f"the tensor beside a list must be zero-dim, got shape {other}"
    return [tensor for tensor in self]


def promote_each_with_tensor(self: List[Tuple[int, int]], other: Tuple[int, int]) -> List[int]:
    """Every tensor promotes with one tensor."""
    return [promote_two(tensor, other) for tensor in self]


def float_of_each_with_tensor(self: List[Tuple[int, int]], other: Tuple[int, int]) -> List[int]:
    """Every tensor promotes with one tensor; integers and bool then become float32."""
    return [int_to_float(promote_two(tensor, other)) for tensor in self]
