"""Asserts about numbers, which return a token that orders them in a graph.

The rules are those of `sym_constrain_range` and `sym_constrain_range_for_size`: the former has no
limits by default, the latter the range of sizes, whose maximum must be above 2.
"""

from typing import Optional, Union

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import asserted


def whole(value: Union[int, float, complex]) -> torch.Tensor:
    """A number as a row of one integer; a fraction is cut off."""
    return torch.full([1], value, dtype=torch.int64)


def in_range(
    size: Union[int, float, complex], least: int, most: int, dep_token: torch.Tensor
) -> torch.Tensor:
    """The token, if a number is between two others."""
    value = whole(size)
    is_right = torch.logical_and(torch.ge(value, least), torch.le(value, most))
    return asserted(dep_token, is_right, "invalid value range")


@decomposition("aten::_functional_assert_scalar")
def assert_of_number(
    self: Union[int, float, complex], assert_msg: str, dep_token: torch.Tensor
) -> torch.Tensor:
    """The token, if a number is not 0."""
    is_right = torch.ne(torch.full([1], self, dtype=torch.float64), 0)
    return torch.ops.aten.clone(asserted(dep_token, is_right, assert_msg))


@decomposition("aten::_functional_sym_constrain_range")
def constrained(
    size: Union[int, float, complex],
    min: Optional[int],
    max: Optional[int],
    dep_token: torch.Tensor,
) -> torch.Tensor:
    """The token, if a number is in a range."""
    least = -9223372036854775807 if min is None else min
    most = 9223372036854775807 if max is None else max
    is_range = torch.ge(whole(most), least)
    token = asserted(dep_token, is_range, "max must be greater than or equal to min")
    return torch.ops.aten.clone(in_range(size, least, most, token))


@decomposition("aten::_functional_sym_constrain_range_for_size")
def constrained_size(
    size: Union[int, float, complex],
    min: Optional[int],
    max: Optional[int],
    dep_token: torch.Tensor,
) -> torch.Tensor:
    """The token, if a number is in a range of sizes."""
    least = 0 if min is None else min
    most = 9223372036854775807 if max is None else max
    is_range = torch.gt(whole(most), 2)
    token = asserted(dep_token, is_range, "max to constrain_range_for_size must be greater than 2")
    return torch.ops.aten.clone(in_range(size, least, most, token))
