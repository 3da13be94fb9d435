"""Least squares: the best solution of a system that need not have one."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_function,
    shape_function,
)
from torch_refine.abstract_interp_lib.rules.complex import real_dtype
from torch_refine.abstract_interp_lib.rules.device import runs_on_cpu
from torch_refine.abstract_interp_lib.rules.linalg import (
    broadcast_batch,
    check_matrices,
    common_dtype,
    is_vector_side,
    values_per_matrix,
    with_rows,
)
from torch_refine.abstract_interp_lib.rules.sizes import append_size, remove_size
from torch_refine.abstract_interp_lib.rules.unknown import unknown_sizes

_DTYPES = (torch.float64, torch.complex64, torch.complex128)


# Cases are matrices of ones. The driver 'gels' wants full rank: a lone row or column has it.
_FULL_RANK = [
    (T(4, 1), T(4, 2)),
    (T(4, 1), T(4)),
    (T(1, 4), T(1, 2)),
    (T(5, 4, 1), T(5, 4)),
    (T(2, 1, 4, 1), T(1, 5, 4, 2)),
    (T(0, 4, 3), T(0, 4, 2)),
    *[(T(4, 1, dtype=dtype), T(4, 2, dtype=dtype)) for dtype in _DTYPES],
]
_ANY_RANK = [
    *_FULL_RANK,
    (T(4, 3), T(4, 2)),
    (T(4, 3), T(4)),
    (T(3, 4), T(3, 2)),
    (T(4, 4, 3), T(4, 4)),
    (T(2, 1, 4, 3), T(1, 5, 4, 2)),
]


# There is no meta kernel.
@shape_function(
    "aten::linalg_lstsq",
    ok=[
        *[Invocation(*pair, device="cpu") for pair in _ANY_RANK],
        *[Invocation(*pair, None, driver="gels", device="cpu") for pair in _FULL_RANK],
        *[
            Invocation(*pair, 1e-3, driver=driver, device="cpu")
            for driver in ("gelsy", "gelsd", "gelss")
            for pair in _ANY_RANK
        ],
    ],
    error=[
        Invocation(T(4), T(4), device="cpu"),
        Invocation(T(2, 4, 3), T(4), device="cpu"),
        Invocation(T(4, 3), T(3, 2), device="cpu"),
        Invocation(T(2, 4, 3), T(5, 4, 2), device="cpu"),
        Invocation(T(2, 4, 3), T(5, 2, 4, 2), device="cpu"),
    ],
)
def linalg_lstsq(
    self: List[int], b: List[int], rcond: Optional[float] = None, driver: Optional[str] = None
) -> Tuple[List[int], List[int], List[int], List[int]]:
    """The unknowns, and what the driver tells: squared residuals, ranks, singular values.

    The drivers 'gelss' and 'gelsd' give residuals only if every matrix turns out to be of full
    rank. Without a driver, the CPU takes 'gelsy' and CUDA 'gels'.
    """
    check_matrices(self)
    vector = is_vector_side(self, b)
    sides = append_size(b, 1) if vector else b
    assert len(sides) == len(self), (
        f"aten::linalg_lstsq: shape {b} has too many or too few dimensions for matrices {self}"
    )
    assert sides[-2] == self[-2], (
        f"aten::linalg_lstsq: matrices of shape {self} do not fit right-hand sides {b}"
    )
    unknowns = with_rows(broadcast_batch(sides, self), self[-1])
    name = "gelsy" if runs_on_cpu() else "gels"
    if driver is not None:
        name = driver
    residuals, ranks, values = [0], self[:-2], [0]
    if name == "gels":
        ranks = [0]
        if self[-2] > self[-1]:
            residuals = remove_size(unknowns, len(unknowns) - 2)
    elif name != "gelsy":
        values = values_per_matrix(self)
        if self[-2] > self[-1]:
            residuals = unknown_sizes()
    return unknowns[:-1] if vector else unknowns, residuals, ranks, values


@dtype_function(
    "aten::linalg_lstsq",
    error=[Invocation(T(4, 3), T(4, 2, dtype=torch.float64), device="cpu")],
)
def linalg_lstsq_dtype(
    self: Tuple[int, int],
    b: Tuple[int, int],
    rcond: Optional[float] = None,
    driver: Optional[str] = None,
) -> Tuple[int, int, int, int]:
    """The dtype of both sides; residuals and singular values are real."""
    dtype = common_dtype(self[1], b[1])
    return dtype, real_dtype(dtype), torch.int64, real_dtype(dtype)
