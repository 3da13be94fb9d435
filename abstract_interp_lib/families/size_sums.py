"""Sums down to a size that broadcasting made larger: `sum_to_size`, `_grad_sum_to_size`."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, dtype_family, shape_family
from torch_refine.abstract_interp_lib.rules.either import either_dtype
from torch_refine.abstract_interp_lib.rules.matching import check_expands
from torch_refine.abstract_interp_lib.rules.promotion import bool_to_int
from torch_refine.abstract_interp_lib.rules.sizes import view_sizes
from torch_refine.abstract_interp_lib.rules.unknown import unknown_sizes


def sum_to_size_rule(self: List[int], size: List[int]) -> List[int]:
    """The size asked for, which must expand to the shape of `self`."""
    check_expands(size, self)
    return size


def summed_sizes(self: List[int], size: List[int]) -> List[int]:
    """Leading dimensions go; of the others, those go down to 1 where `size` says so.

    A `size` of more dimensions makes PyTorch read sizes that there are not.
    """
    new = len(self) - len(size)
    if new < 0:
        return unknown_sizes()
    else:
        kept = [1 if size[index] == 1 else self[new + index] for index in range(len(size))]
        return view_sizes(kept, size) if new > 0 else kept


def grad_sum_to_size_rule(self: List[int], size: Optional[List[int]]) -> List[int]:
    """The size asked for, or that of `self` without one."""
    if size is None:
        return self
    else:
        return summed_sizes(self, size)


def summed_dtype(self: int, rank: int, size: List[int]) -> int:
    """The dtype of a tensor, int64 for integers and bool that are summed.

    Where `size` has the rank of the tensor and a 1 in it, only sizes tell whether there is a sum.
    """
    if len(size) < rank or len(size) == 0:
        return bool_to_int(self)
    elif 1 in size or len(size) > rank:
        return either_dtype(bool_to_int(self), self)
    else:
        return self


def sum_to_size_dtype(self: Tuple[int, int], size: List[int]) -> int:
    """Sums of integers and bool are int64."""
    return summed_dtype(self[1], self[0], size)


def grad_sum_to_size_dtype(self: Tuple[int, int], size: Optional[List[int]]) -> int:
    """Sums of integers and bool are int64."""
    if size is None:
        return self[1]
    else:
        return summed_dtype(self[1], self[0], size)


_FLOATS = (torch.float16, torch.bfloat16, torch.float64, torch.complex64)
_INTEGERS = (torch.int64, torch.int32, torch.uint8, torch.bool)
_OK = [
    Invocation(T(2, 3, 4), [3, 1]),
    Invocation(T(2, 3), [2, 3]),
    Invocation(T(2, 3), [1, 3]),
    Invocation(T(2, 3), []),
    Invocation(T(), []),
    Invocation(T(0, 3), [1, 3]),
    Invocation(T(2, 0), [0]),
    *[Invocation(T(2, 3, dtype=dtype), [1, 3]) for dtype in (*_FLOATS, *_INTEGERS)],
    *[Invocation(T(2, 3, dtype=dtype), [3]) for dtype in (*_FLOATS, *_INTEGERS)],
    *[Invocation(T(2, 3, dtype=dtype), [2, 3]) for dtype in (*_FLOATS, *_INTEGERS)],
    *[Invocation(T(dtype=dtype), []) for dtype in (*_FLOATS, *_INTEGERS)],
]

shape_family(
    sum_to_size_rule,
    "aten::sum_to_size",
    ok=_OK,
    error=[
        Invocation(T(2, 3), [2, 4]),
        Invocation(T(2, 3), [2]),
        Invocation(T(3), [1, 3]),
    ],
)
dtype_family(sum_to_size_dtype, "aten::sum_to_size")
shape_family(
    grad_sum_to_size_rule,
    "aten::_grad_sum_to_size",
    ok=[*_OK, Invocation(T(2, 3), None), Invocation(T(2, dtype=torch.bool), None)],
    error=[Invocation(T(2, 3), [4])],
)
dtype_family(grad_sum_to_size_dtype, "aten::_grad_sum_to_size")
