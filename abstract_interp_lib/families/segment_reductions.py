"""Reductions of segments of a dimension: `segment_reduce` and its gradient."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.rules.dims import wrap_dim
from torch_refine.abstract_interp_lib.rules.sizes import replace_size

_FLOATS = (torch.float16, torch.bfloat16, torch.float64)


def check_segments(segments: List[int], data: List[int], axis: int, name: str) -> None:
    """Raise unless the last dimension of `segments` is `axis`, from the front."""
    assert len(segments) <= len(data), (
        f"{name} {segments} must not have more dimensions than {data}"
    )
    assert axis == len(segments) - 1, (
        f"axis must be the last dimension of {name}, got {axis} and shape {segments}"
    )


def segment_reduce_rule(
    data: List[int], lengths: Optional[List[int]], offsets: Optional[List[int]], axis: int
) -> List[int]:
    """One entry for each segment; offsets name both ends of segments, and go before lengths."""
    at = wrap_dim(axis, len(data))
    segments = -1
    if lengths is not None:
        check_segments(lengths, data, at, "lengths")
        segments = lengths[at]
    if offsets is not None:
        check_segments(offsets, data, at, "offsets")
        segments = offsets[at] - 1
        assert segments >= 0, f"offsets need an entry, got shape {offsets}"
    assert lengths is not None or offsets is not None, (
        f"lengths or offsets must be given, got {lengths} and {offsets}"
    )
    return replace_size(data, at, segments)


def segment_gradient_rule(
    data: List[int], lengths: Optional[List[int]], offsets: Optional[List[int]]
) -> List[int]:
    """The shape of the data."""
    assert lengths is not None or offsets is not None, (
        f"lengths or offsets must be given, got {lengths} and {offsets}"
    )
    return data


def dtype_of_data(data: Tuple[int, int]) -> int:
    """That of the data."""
    return data[1]


def dtype_of_gradient(grad: Tuple[int, int]) -> int:
    """That of the gradient."""
    return grad[1]


_LENGTHS = T(2, dtype=torch.int64, values=[2, 3])
_OFFSETS = T(3, dtype=torch.int64, values=[0, 2, 5])
_ROWS = T(2, 2, dtype=torch.int64, values=[2, 3, 1, 4])
shape_family(
    segment_reduce_rule,
    "aten::segment_reduce",
    ok=[
        Invocation(T(5), "sum", lengths=_LENGTHS),
        Invocation(T(5, 4), "max", lengths=_LENGTHS, unsafe=True),
        Invocation(T(2, 5), "sum", lengths=_ROWS, axis=1),
        Invocation(T(2, 5, 3), "mean", lengths=_ROWS, axis=1, initial=0.5),
        Invocation(T(2, 5), "min", lengths=_ROWS, axis=-1),
        Invocation(T(5), "prod", offsets=_OFFSETS),
        Invocation(T(5), "sum", offsets=T(1, dtype=torch.int64, values=[5])),
        Invocation(T(0), "sum", lengths=T(2, dtype=torch.int64, values=[0, 0])),
        # The meta kernel prefers the lengths.
        Invocation(
            T(5),
            "sum",
            lengths=T(1, dtype=torch.int64, values=[5]),
            offsets=_OFFSETS,
            device="cpu",
        ),
        *[Invocation(T(5, dtype=dtype), "sum", lengths=_LENGTHS) for dtype in _FLOATS],
    ],
    error=[
        Invocation(T(5), "sum"),
        Invocation(T(2, 5), "sum", lengths=_LENGTHS, axis=1),
        Invocation(T(), "sum", lengths=T(1, dtype=torch.int64)),
        Invocation(T(5), "sum", lengths=T(dtype=torch.int64, values=[5])),
        Invocation(T(5), "sum", offsets=T(dtype=torch.int64, values=[5])),
        Invocation(T(5), "sum", offsets=T(0, dtype=torch.int64)),
    ],
)
dtype_family(dtype_of_data, "aten::segment_reduce")
shape_family(
    segment_gradient_rule,
    "aten::_segment_reduce_backward",
    ok=[
        Invocation(T(2), T(2), T(5), "sum", lengths=_LENGTHS),
        Invocation(T(2), T(2), T(5), "max", offsets=_OFFSETS),
        Invocation(T(2, 2), T(2, 2), T(2, 5), "sum", lengths=_ROWS, axis=1),
        *[
            Invocation(
                *[T(2, dtype=dtype), T(2, dtype=dtype), T(5, dtype=dtype)],
                "sum",
                lengths=_LENGTHS,
            )
            for dtype in _FLOATS
        ],
    ],
    error=[Invocation(T(2), T(2), T(5), "sum")],
)
dtype_family(dtype_of_gradient, "aten::_segment_reduce_backward")
