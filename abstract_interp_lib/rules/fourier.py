"""Fourier transforms: which dimensions are transformed, how many points each has, and dtypes."""

from typing import List, Optional

from torch_refine.abstract_interp_lib.rules.pointwise import complex_dtype
from torch_refine.abstract_interp_lib.rules.promotion import int_to_float, is_complex
from torch_refine.abstract_interp_lib.rules.sizes import wrap_existing


def wrap_existing_dims(dims: List[int], rank: int) -> List[int]:
    """`dims` counted from the front; none may be named twice, and a zero-dim tensor has none."""
    wrapped: List[int] = []
    for dim in dims:
        from_front = wrap_existing(dim, rank)
        assert from_front not in wrapped, f"dimension {from_front} is named twice in {dims}"
        wrapped.append(from_front)
    return wrapped


def transformed_dims(rank: int, s: Optional[List[int]], dim: Optional[List[int]]) -> List[int]:
    """The dimensions named; else the last ones, as many as `s` has entries; else all of them."""
    if dim is not None:
        if s is not None:
            assert len(s) == len(dim), f"s and dim must have one length, got {s} and {dim}"
        dims = wrap_existing_dims(dim, rank)
    elif s is not None:
        assert len(s) <= rank, f"s must not name more than {rank} dimensions, got {s}"
        dims = [rank - len(s) + index for index in range(len(s))]
    else:
        dims = [index for index in range(rank)]
    return dims


def transformed_points(self: List[int], s: Optional[List[int]], dims: List[int]) -> List[int]:
    """How many points each of `dims` has: what `s` says, or its size for -1 or without `s`."""
    points = [self[dim] for dim in dims]
    if s is not None:
        for index in range(len(dims)):
            if s[index] != -1:
                points[index] = s[index]
    for count in points:
        check_points(count)
    return points


def check_points(points: int) -> None:
    """Raise unless there is something to transform."""
    assert points >= 1, f"a transform needs a point, got {points}"


def put_points(self: List[int], dims: List[int], points: List[int]) -> List[int]:
    """`self` with other sizes at `dims`."""
    out = self[:]
    for index in range(len(dims)):
        out[dims[index]] = points[index]
    return out


def points_along(self: List[int], n: Optional[int], dim: int) -> int:
    """How many points the dimension `dim` has: `n` where it is given, else its size."""
    points = self[dim] if n is None else n
    check_points(points)
    return points


def hermitian_points(size: int, n: Optional[int]) -> int:
    """How many real points half a spectrum of `size` stands for: `n`, else an even number."""
    points = 2 * (size - 1) if n is None else n
    check_points(points)
    return points


def spectrum_dtype(dtype: int) -> int:
    """The complex dtype of what a tensor is transformed to; integers and bool become complex64."""
    return dtype if is_complex(dtype) else complex_dtype(int_to_float(dtype))


def real_spectrum_dtype(dtype: int) -> int:
    """As `spectrum_dtype`, of a real tensor."""
    assert not is_complex(dtype), f"the transform of a real tensor takes no dtype {dtype}"
    return spectrum_dtype(dtype)


def check_complex(dtype: int) -> None:
    """Raise unless a dtype is complex."""
    assert is_complex(dtype), f"a complex tensor is needed, got dtype {dtype}"
