"""Choices of elements: `combinations`, `cartesian_prod`."""

from functools import partial
from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    dtype_function,
    shape_function,
)
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self

_DTYPES = (torch.float16, torch.bfloat16, torch.float64, torch.int64, torch.bool, torch.complex64)
# There is no meta kernel of `combinations`: it selects by a mask.
_on_cpu = partial(Invocation, device="cpu")


def choices(n: int, r: int) -> int:
    """How many ways there are to choose `r` of `n` things."""
    count = 1
    for index in range(r):
        count = count * (n - index) // (index + 1)
    return count


@shape_function(
    "aten::combinations",
    ok=[
        _on_cpu(T(4)),
        _on_cpu(T(7), 3),
        _on_cpu(T(4), 1),
        _on_cpu(T(4), 0),
        _on_cpu(T(2), 4),
        _on_cpu(T(0)),
        _on_cpu(T(5), 3, True),
        _on_cpu(T(2), 3, with_replacement=True),
        _on_cpu(T(0), 2, True),
        *[_on_cpu(T(3, dtype=dtype)) for dtype in _DTYPES],
    ],
    error=[_on_cpu(T(4), -1), _on_cpu(T()), _on_cpu(T(2, 2))],
)
def combinations(self: List[int], r: int = 2, with_replacement: bool = False) -> List[int]:
    """One row for each choice of `r` elements; to choose none gives an empty vector."""
    assert len(self) == 1, f"aten::combinations: self must be a vector, got shape {self}"
    assert r >= 0, f"aten::combinations: r must not be negative, got {r}"
    if r == 0:
        return [0]
    else:
        return [choices(self[0] + r - 1 if with_replacement else self[0], r), r]


dtype_family(dtype_of_self, "aten::combinations")


@shape_function(
    "aten::cartesian_prod",
    ok=[
        Invocation([T(2)]),
        Invocation([T(2), T(3)]),
        Invocation([T(2), T(3), T(4)]),
        Invocation([T(2), T(0)]),
        *[Invocation([T(3, dtype=dtype), T(2, dtype=dtype)]) for dtype in _DTYPES],
    ],
    error=[Invocation([]), Invocation([T()]), Invocation([T(2), T(2, 2)])],
)
def cartesian_prod(tensors: List[List[int]]) -> List[int]:
    """One row for each choice of an element from each vector; a lone vector stays what it is."""
    assert len(tensors) > 0, f"aten::cartesian_prod: a vector is needed, got {len(tensors)}"
    rows = 1
    for tensor in tensors:
        assert len(tensor) == 1, f"aten::cartesian_prod: vectors are needed, got shape {tensor}"
        rows = rows * tensor[0]
    return [rows] if len(tensors) == 1 else [rows, len(tensors)]


@dtype_function("aten::cartesian_prod", error=[Invocation([T(2), T(3, dtype=torch.int64)])])
def cartesian_prod_dtype(tensors: List[Tuple[int, int]]) -> int:
    """All vectors have one dtype."""
    for tensor in tensors:
        assert tensor[1] == tensors[0][1], (
            f"aten::cartesian_prod: dtypes must match, got {tensors[0][1]} and {tensor[1]}"
        )
    return tensors[0][1]
