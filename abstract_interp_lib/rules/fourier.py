"""Fourier transforms: the transformed dimensions, their signal lengths, and dtypes."""

from typing import List, Optional

from torch_refine.abstract_interp_lib.rules.pointwise import complex_dtype
from torch_refine.abstract_interp_lib.rules.promotion import int_to_float, is_complex
from torch_refine.abstract_interp_lib.rules.sizes import wrap_existing


def wrap_existing_dims(dims: List[int], rank: int) -> List[int]:
    """`dims` wrapped to be non-negative; duplicates, and any dimension of a 0-dim tensor, raise."""
    wrapped: List[int] = []
    for dim in dims:
        from_front = wrap_existing(dim, rank)
        assert from_front not in wrapped, f"dimension {from_front} appears multiple times in {dims}"
        wrapped.append(from_front)
    return wrapped


def transformed_dims(rank: int, s: Optional[List[int]], dim: Optional[List[int]]) -> List[int]:
    """`dim` if given; else the last `len(s)` dimensions; else all of them."""
    if dim is not None:
        if s is not None:
            assert len(s) == len(dim), f"s and dim must have the same length, got {s} and {dim}"
        dims = wrap_existing_dims(dim, rank)
    elif s is not None:
        assert len(s) <= rank, f"s must have at most {rank} entries, got {s}"
        dims = [rank - len(s) + index for index in range(len(s))]
    else:
        dims = [index for index in range(rank)]
    return dims


def transformed_points(self: List[int], s: Optional[List[int]], dims: List[int]) -> List[int]:
    """The signal length of each of `dims`: its entry in `s`, or its size for -1 or without `s`."""
    points = [self[dim] for dim in dims]
    if s is not None:
        for index in range(len(dims)):
            if s[index] != -1:
                points[index] = s[index]
    for count in points:
        check_points(count)
    return points


def check_points(points: int) -> None:
    """Raise if a signal length is less than 1."""
    assert points >= 1, f"signal length must be at least 1, got {points}"


def put_points(self: List[int], dims: List[int], points: List[int]) -> List[int]:
    """`self` with the sizes at `dims` replaced."""
    out = self[:]
    for index in range(len(dims)):
        out[dims[index]] = points[index]
    return out


def points_along(self: List[int], n: Optional[int], dim: int) -> int:
    """The signal length along `dim`: `n` if given, else the size."""
    points = self[dim] if n is None else n
    check_points(points)
    return points


def hermitian_points(size: int, n: Optional[int]) -> int:
    """The real signal length for a half-Hermitian spectrum of `size`: `n`, else an even length."""
    points = 2 * (size - 1) if n is None else n
    check_points(points)
    return points


def spectrum_dtype(dtype: int) -> int:
    """The complex dtype of a spectrum; integers and bool become complex64."""
    return dtype if is_complex(dtype) else complex_dtype(int_to_float(dtype))


def real_spectrum_dtype(dtype: int) -> int:
    """As `spectrum_dtype`, for a real input."""
    assert not is_complex(dtype), f"the input must be real, got dtype {dtype}"
    return spectrum_dtype(dtype)


def check_complex(dtype: int) -> None:
    """Raise unless a dtype is complex."""
    assert is_complex(dtype), f"the input must be complex, got dtype {dtype}"
