"""Places in sorted sequences, by bisection as in PyTorch's kernels.

Sequences that are not sorted, or have NaNs, give what the kernels give.
"""

from typing import List, Optional, Union

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import (
    computation_dtype,
    element,
    in_dtype,
    promoted_dtype,
)
from torch_refine.abstract_interp_lib.rules.promotion import is_integral, promote_with_number
from torch_refine.abstract_interp_lib.rules.unknown import is_known


def _bisected(rows: torch.Tensor, values: torch.Tensor, is_right: bool) -> torch.Tensor:
    """The places of values in each row: in front of what is not less, or of what is greater."""
    count = rows.size(1)
    assert is_known(count), "the number of steps"
    start = torch.zeros_like(values, dtype=torch.int64)
    end = torch.full_like(values, count, dtype=torch.int64)
    left = count
    while left > 0:
        left = left // 2
        middle = torch.bitwise_right_shift(torch.add(start, end), torch.ones_like(start))
        is_open = torch.lt(start, end)
        # An interval that is closed may be behind the last element.
        read = torch.gather(rows, 1, torch.clamp(middle, 0, count - 1))
        is_before = torch.gt(read, values) if is_right else torch.ge(read, values)
        is_behind = torch.logical_and(is_open, torch.logical_not(is_before))
        end = torch.where(torch.logical_and(is_open, is_before), middle, end)
        start = torch.where(is_behind, torch.add(middle, 1), start)
    return start


def _found(
    sorted_sequence: torch.Tensor,
    values: torch.Tensor,
    out_int32: bool,
    right: bool,
    side: Optional[str],
    sorter: Optional[torch.Tensor],
) -> torch.Tensor:
    """The places in one sequence for all values, or in one for each row of values."""
    is_right = right
    if side is not None:
        assert side == "right" or (side == "left" and not right), "PyTorch rejects others"
        is_right = side == "right"
    dtype = promoted_dtype(sorted_sequence, values)
    wide = dtype if is_integral(dtype) else computation_dtype(dtype)
    sequence = in_dtype(sorted_sequence, wide)
    if sorter is not None:
        sequence = torch.gather(sequence, sequence.dim() - 1, sorter)
    count = sequence.size(sequence.dim() - 1)
    number = sequence.numel() if sequence.dim() == 1 else -1
    rows = torch.reshape(sequence, [1 if number >= 0 else -1, count])
    shape: List[int] = []
    for dim in range(values.dim()):
        shape.append(values.size(dim))
    columns = values.numel() if sequence.dim() == 1 else values.size(values.dim() - 1)
    assert sequence.dim() == 1 or (count > 0 and columns > 0), "rows without elements"
    grouped = torch.reshape(in_dtype(values, wide), [1 if number >= 0 else -1, columns])
    places = torch.reshape(_bisected(rows, grouped, is_right), shape)
    return in_dtype(places, torch.int32 if out_int32 else torch.int64)


_SORTED = T(4, values=[1, 2, 2, 5])
_ROWS = T(2, 3, values=[1, 2, 3, 2, 4, 8])


@decomposition(
    "aten::searchsorted.Tensor",
    ok=[
        Invocation(_SORTED, T(2, 3, values=[0, 1, 2, 3, 5, 9])),
        Invocation(_SORTED, T(2, 3, values=[0, 1, 2, 3, 5, 9]), right=True, out_int32=True),
        Invocation(_ROWS, T(2, 2, values=[2, 9, 2, 3]), side="right"),
        Invocation(_SORTED, T(values=[2])),
        Invocation(
            T(3, values=[5, 1, 2]),
            T(2, values=[2, 3]),
            sorter=T(3, dtype=torch.int64, values=[1, 2, 0]),
        ),
        Invocation(T(0), T(2)),
    ],
)
def searchsorted(
    sorted_sequence: torch.Tensor,
    self: torch.Tensor,
    out_int32: bool = False,
    right: bool = False,
    side: Optional[str] = None,
    sorter: Optional[torch.Tensor] = None,
) -> torch.Tensor:
    """The places of the elements of a tensor."""
    return _found(sorted_sequence, self, out_int32, right, side, sorter)


@decomposition(
    "aten::searchsorted.Scalar",
    ok=[Invocation(_SORTED, 2), Invocation(T(3, dtype=torch.int64, values=[1, 2, 4]), 2.5)],
)
def searchsorted_number(
    sorted_sequence: torch.Tensor,
    self: Union[int, float, complex],
    out_int32: bool = False,
    right: bool = False,
    side: Optional[str] = None,
    sorter: Optional[torch.Tensor] = None,
) -> torch.Tensor:
    """The place of a number."""
    dtype = promote_with_number((1, sorted_sequence.dtype), self)
    return _found(sorted_sequence, element(self, dtype), out_int32, right, side, sorter)


@decomposition(
    "aten::bucketize.Tensor",
    ok=[
        Invocation(T(2, 3, values=[0, 1, 2, 3, 5, 9]), _SORTED),
        Invocation(T(2, 3, values=[0, 1, 2, 3, 5, 9]), _SORTED, right=True, out_int32=True),
        Invocation(T(3, dtype=torch.int64, values=[1, 2, 9]), _SORTED),
        Invocation(T(values=[2]), _SORTED),
        Invocation(T(2), T(0)),
        Invocation(T(0), _SORTED),
    ],
)
def bucketize(
    self: torch.Tensor, boundaries: torch.Tensor, out_int32: bool = False, right: bool = False
) -> torch.Tensor:
    """The places of the elements of a tensor among boundaries."""
    return _found(boundaries, self, out_int32, right, None, None)


@decomposition("aten::bucketize.Scalar", ok=[Invocation(2, _SORTED, right=True)])
def bucketize_number(
    self: Union[int, float, complex],
    boundaries: torch.Tensor,
    out_int32: bool = False,
    right: bool = False,
) -> torch.Tensor:
    """The place of a number among boundaries."""
    dtype = promote_with_number((1, boundaries.dtype), self)
    return _found(boundaries, element(self, dtype), out_int32, right, None, None)
