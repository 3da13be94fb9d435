"""`_foreach` operators: which tensor lists are compatible, and the shape and dtype of each result.

The parameters are named as in the schemas, so that a rule serves whole families.
"""

from typing import List, Tuple, Union

from torch_refine.abstract_interp_lib.rules.broadcast import broadcast_two
from torch_refine.abstract_interp_lib.rules.promotion import (
    check_number,
    int_to_float,
    promote_two,
    promote_with_number,
)


def check_some(tensors: int) -> None:
    """Raise for an empty tensor list."""
    assert tensors > 0, f"the tensor list must not be empty, got length {tensors}"


def check_pair(tensors: int, others: int) -> None:
    """Raise unless two lists have the same nonzero length."""
    check_some(tensors)
    assert tensors == others, f"lists must have the same length, got {tensors} and {others}"


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
    """Every tensor broadcasts with the tensor at the same index."""
    check_pair(len(self), len(other))
    return [broadcast_two(self[index], other[index]) for index in range(len(self))]


def promote_each(self: List[Tuple[int, int]], other: List[Tuple[int, int]]) -> List[int]:
    """Every tensor promotes with the tensor at the same index."""
    return [promote_two(self[index], other[index]) for index in range(len(self))]


def float_of_each_pair(self: List[Tuple[int, int]], other: List[Tuple[int, int]]) -> List[int]:
    """Every tensor promotes with the one at the same index; integers and bool become float32."""
    return [int_to_float(promote_two(self[index], other[index])) for index in range(len(self))]


def promote_each_with_number(
    self: List[Tuple[int, int]], scalar: Union[int, float, complex]
) -> List[int]:
    """Every tensor promotes with one scalar."""
    return [promote_with_number(tensor, scalar) for tensor in self]


def float_of_each_with_number(
    self: List[Tuple[int, int]], scalar: Union[int, float, complex]
) -> List[int]:
    """Every tensor promotes with one scalar; integers and bool then become float32."""
    return [int_to_float(promote_with_number(tensor, scalar)) for tensor in self]


def same_as_each_with_numbers(
    self: List[List[int]], scalars: List[Union[int, float, complex]]
) -> List[List[int]]:
    """Every tensor keeps its shape; the list of scalars has the same length."""
    check_pair(len(self), len(scalars))
    return [tensor for tensor in self]


def promote_each_with_numbers(
    self: List[Tuple[int, int]], scalars: List[Union[int, float, complex]]
) -> List[int]:
    """Every tensor promotes with the scalar at the same index."""
    return [promote_with_number(self[index], scalars[index]) for index in range(len(self))]


def float_of_each_with_numbers(
    self: List[Tuple[int, int]], scalars: List[Union[int, float, complex]]
) -> List[int]:
    """Every tensor promotes with the scalar at the same index; integers and bool become float32."""
    return [
        int_to_float(promote_with_number(self[index], scalars[index])) for index in range(len(self))
    ]


def same_as_each_with_tensor(self: List[List[int]], other: List[int]) -> List[List[int]]:
    """Every tensor keeps its shape; `other` is one 0-dim tensor for all."""
    check_some(len(self))
    assert len(other) == 0, f"other must be 0-dim, got shape {other}"
    return [tensor for tensor in self]


def promote_each_with_tensor(self: List[Tuple[int, int]], other: Tuple[int, int]) -> List[int]:
    """Every tensor promotes with one tensor."""
    return [promote_two(tensor, other) for tensor in self]


def float_of_each_with_tensor(self: List[Tuple[int, int]], other: Tuple[int, int]) -> List[int]:
    """Every tensor promotes with one tensor; integers and bool then become float32."""
    return [int_to_float(promote_two(tensor, other)) for tensor in self]


def having_number(dtypes: List[int], number: Union[int, float, complex]) -> List[int]:
    """Dtypes that all have a number, which is cast to them."""
    for dtype in dtypes:
        check_number(number, dtype)
    return dtypes


def sum_of_each_with_tensor(
    self: List[Tuple[int, int]], other: Tuple[int, int], alpha: Union[int, float, complex]
) -> List[int]:
    """Every tensor promotes with one tensor, to the dtype that the factor is cast to."""
    return having_number(promote_each_with_tensor(self, other), alpha)


def sum_of_each(
    self: List[Tuple[int, int]], other: List[Tuple[int, int]], alpha: Union[int, float, complex]
) -> List[int]:
    """Tensors at the same index promote, to the dtype that the factor is cast to."""
    return having_number(promote_each(self, other), alpha)


def bounded_each_with_number(
    self: List[Tuple[int, int]], scalar: Union[int, float, complex]
) -> List[int]:
    """Every tensor promotes with one scalar, which is cast to that dtype."""
    return having_number(promote_each_with_number(self, scalar), scalar)


def bounded_each_with_numbers(
    self: List[Tuple[int, int]], scalars: List[Union[int, float, complex]]
) -> List[int]:
    """Every tensor promotes with the scalar at the same index, which is cast to that dtype."""
    found = promote_each_with_numbers(self, scalars)
    for index in range(len(found)):
        check_number(scalars[index], found[index])
    return found
