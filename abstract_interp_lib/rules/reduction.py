"""Reductions: which dimensions go, and what the sums, norms and extrema of a dtype are."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.rules.complex import real_dtype
from torch_refine.abstract_interp_lib.rules.dims import wrap_dim, wrap_dims
from torch_refine.abstract_interp_lib.rules.promotion import (
    bool_to_int,
    int_to_float,
    is_complex,
    is_integral,
)


def remove_dims(self: List[int], dims: List[int], keepdim: bool) -> List[int]:
    """Reduces over `dims`, which count from the front; with `keepdim` they stay, as size 1."""
    if keepdim:
        return [1 if index in dims else self[index] for index in range(len(self))]
    else:
        out: List[int] = []
        for index in range(len(self)):
            if index not in dims:
                out.append(self[index])
        return out


def dims_or_all(dim: Optional[List[int]], rank: int) -> List[int]:
    """The dimensions named, counted from the front; all of them for None or an empty list."""
    named: List[int] = []
    if dim is not None:
        named = dim
    if len(named) == 0:
        return [index for index in range(rank)]
    else:
        return wrap_dims(named, rank)


def dim_or_all(dim: Optional[int], rank: int) -> List[int]:
    """The dimension named, counted from the front, or all of them for None."""
    if dim is None:
        return [index for index in range(rank)]
    else:
        return [wrap_dim(dim, rank)]


def check_not_empty(self: List[int], dims: List[int]) -> None:
    """Raise where a dimension to reduce has size 0, for reductions without an identity."""
    for index in range(len(self)):
        assert index not in dims or self[index] != 0, (
            f"nothing can be taken out of dimension {index} of size 0 of shape {self}"
        )


def reduce_all(self: List[int]) -> List[int]:
    """Reduces to a zero-dim tensor."""
    out: List[int] = []
    return out


def reduce_dim(self: List[int], dim: int, keepdim: bool) -> List[int]:
    """Reduces over one dimension."""
    return remove_dims(self, [wrap_dim(dim, len(self))], keepdim)


def reduce_dims(self: List[int], dim: List[int], keepdim: bool) -> List[int]:
    """Reduces over the dimensions named, over all of them for an empty list."""
    return remove_dims(self, dims_or_all(dim, len(self)), keepdim)


def reduce_optional_dims(self: List[int], dim: Optional[List[int]], keepdim: bool) -> List[int]:
    """Reduces over the dimensions named, over all of them for None or an empty list."""
    return remove_dims(self, dims_or_all(dim, len(self)), keepdim)


def sum_dtype(self: Tuple[int, int], dtype: Optional[int]) -> int:
    """The dtype asked for; without one, that of `self`, or int64 for integers and bool."""
    if dtype is None:
        return bool_to_int(self[1])
    else:
        return dtype


def mean_dtype(self: Tuple[int, int], dtype: Optional[int]) -> int:
    """The dtype asked for, or that of `self`; it can hold fractions."""
    result = self[1] if dtype is None else dtype
    assert not is_integral(result), f"a mean needs a floating or complex dtype, got {result}"
    return result


def variance_dtype(self: Tuple[int, int]) -> int:
    """The dtype of the real part of `self`."""
    assert not is_integral(self[1]), (
        f"a variance needs a floating or complex tensor, got dtype {self[1]}"
    )
    return real_dtype(self[1])


def variance_and_mean_dtype(self: Tuple[int, int]) -> Tuple[int, int]:
    """The variance is real, the mean has the dtype of `self`."""
    return variance_dtype(self), self[1]


def norm_dtype(self: Tuple[int, int]) -> int:
    """The dtype of the real part of `self`."""
    assert not is_integral(self[1]), (
        f"a norm needs a floating or complex tensor, got dtype {self[1]}"
    )
    return real_dtype(self[1])


def norm_dtype_in(self: Tuple[int, int], dtype: Optional[int]) -> int:
    """The dtype of the real part of `dtype`, in which the norm is computed; without one, of `self`.

    `dtype` is complex exactly where `self` is.
    """
    if dtype is None:
        return norm_dtype(self)
    else:
        return norm_dtype_as(self, dtype)


def norm_dtype_as(self: Tuple[int, int], dtype: int) -> int:
    """The dtype of the real part of `dtype`, which is complex exactly where `self` is."""
    assert not is_integral(self[1]) and not is_integral(dtype), (
        f"a norm needs floating or complex dtypes, got {self[1]} and {dtype}"
    )
    assert is_complex(self[1]) == is_complex(dtype), (
        f"dtypes must both be complex or both be real, got {self[1]} and {dtype}"
    )
    return real_dtype(dtype)


def truth_dtype(self: Tuple[int, int]) -> int:
    """Bool, but uint8 for uint8: PyTorch had no bool once."""
    return torch.uint8 if self[1] == torch.uint8 else torch.bool


def int64_dtype(self: Tuple[int, int]) -> int:
    """Indices and counts."""
    return torch.int64


def float_dtype(self: Tuple[int, int]) -> int:
    """The dtype of `self`, float32 for integers and bool."""
    return int_to_float(self[1])


def dtype_and_index(self: Tuple[int, int]) -> Tuple[int, int]:
    """Values as in `self`, and their indices."""
    return self[1], torch.int64
