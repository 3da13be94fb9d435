"""Norms of differences, and their gradients."""

from typing import Optional

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import in_dtype, sign_of


def is_infinite(p: float) -> bool:
    """Whether a norm is that of the largest element: `_pdist_forward` takes either sign for it."""
    return p == float("inf") or p == -float("inf")


def _pulled(
    away: torch.Tensor, grad: torch.Tensor, distance: torch.Tensor, p: float
) -> torch.Tensor:
    """The gradient of a norm with respect to the differences that it is the norm of."""
    zeros = torch.zeros_like(away)
    if p == 0.0:
        return zeros
    sign = torch.where(torch.isnan(away), away, sign_of(away))
    if p == 1.0:
        return torch.mul(sign, grad)
    size = torch.abs(away)
    if is_infinite(p):
        # Of infinities, it is not known whether they are equal.
        gap = torch.sub(size, distance)
        largest = torch.where(torch.isnan(gap), gap, in_dtype(torch.eq(gap, 0), away.dtype))
        return torch.mul(torch.mul(sign, grad), largest)
    if p == 2.0:
        found = torch.div(torch.mul(grad, away), distance)
    else:
        power = torch.mul(sign, torch.pow(size, p - 1.0))
        if p > 2.0:
            power = torch.mul(away, torch.pow(size, p - 2.0))
        found = torch.div(torch.mul(power, grad), torch.pow(distance, p - 1.0))
    none = torch.eq(distance, 0)
    if p < 1.0:
        none = torch.logical_or(none, torch.eq(away, 0))
    return torch.where(none, zeros, found)


def _norm(away: torch.Tensor, p: float) -> torch.Tensor:
    """The norm along the last dimension."""
    if p == 0.0:
        return torch.sum(torch.where(torch.isnan(away), away, sign_of(torch.abs(away))), [-1])
    size = torch.abs(away)
    if p == 1.0:
        return torch.sum(size, [-1])
    if p == 2.0:
        return torch.sqrt(torch.sum(torch.mul(away, away), [-1]))
    if is_infinite(p):
        return torch.amax(size, [-1])
    return torch.pow(torch.sum(torch.pow(size, p), [-1]), 1.0 / p)


def by_product(x1: torch.Tensor, x2: torch.Tensor) -> torch.Tensor:
    """Euclidean norms, whose squares are a matmul."""
    one = torch.sum(torch.mul(x1, x1), [-1], True)
    two = torch.sum(torch.mul(x2, x2), [-1], True)
    left = torch.cat([torch.mul(x1, -2), one, torch.ones_like(one)], -1)
    right = torch.cat([x2, torch.ones_like(two), two], -1)
    squares = torch.matmul(left, torch.transpose(right, -2, -1))
    return torch.sqrt(torch.clamp_min(squares, 0))


@decomposition("aten::cdist")
def cdist(
    x1: torch.Tensor, x2: torch.Tensor, p: float = 2.0, compute_mode: Optional[int] = None
) -> torch.Tensor:
    """The norms of the differences of all rows."""
    return torch.ops.aten._cdist_forward(x1, x2, p, compute_mode)


def _for_norm(self: torch.Tensor, p: float) -> torch.Tensor:
    """Rows with a zero in front, where the largest of no elements is 0."""
    return torch.constant_pad_nd(self, [1, 0]) if is_infinite(p) else self


@decomposition("aten::_cdist_forward")
def cdist_forward(
    x1: torch.Tensor, x2: torch.Tensor, p: float, compute_mode: Optional[int]
) -> torch.Tensor:
    """The norms of the differences of all rows; squares of many rows are summed by a product."""
    assert x1.dtype == x2.dtype, "PyTorch does not promote them"
    mode = 0
    if compute_mode is not None:
        mode = compute_mode
    if p == 2.0 and mode == 1:
        return by_product(x1, x2)
    if p == 2.0 and mode == 0 and (x1.size(-2) > 25 or x2.size(-2) > 25):
        return by_product(x1, x2)
    one, two = _for_norm(x1, p), _for_norm(x2, p)
    return _norm(torch.sub(torch.unsqueeze(one, -2), torch.unsqueeze(two, -3)), p)


@decomposition(
    "aten::_pdist_forward",
    ok=[
        Invocation(T(5, 3), 1.0),
        Invocation(T(9, 2), 2.0),
        Invocation(T(4, 3), -float("inf")),
    ],
)
def pdist_forward(self: torch.Tensor, p: float = 2.0) -> torch.Tensor:
    """The norms of the differences of each row and those behind it."""
    assert self.dim() == 2, "PyTorch takes the last dimension of others for rows"
    rows = self.size(0)
    pairs = (rows * (rows - 1)) // 2
    # Counted from the last pair, each row has one pair more than the one behind it.
    back = torch.sub(pairs - 1, torch.arange(pairs, dtype=torch.int64))
    root = torch.sqrt(in_dtype(torch.add(torch.mul(back, 8), 1), torch.float64))
    behind = in_dtype(torch.floor(torch.div(torch.sub(root, 1), 2)), torch.int64)
    skipped = torch.floor_divide(torch.mul(behind, torch.add(behind, 1)), 2)
    low = torch.sub(rows - 2, behind)
    high = torch.sub(rows - 1, torch.sub(back, skipped))
    given = _for_norm(self, p)
    return _norm(
        torch.sub(torch.index_select(given, 0, low), torch.index_select(given, 0, high)), p
    )


@decomposition(
    "aten::_cdist_backward", ok=[Invocation(T(2, 3, 4), T(2, 3, 5), T(2, 4, 5), 1.5, T(2, 3, 4))]
)
def cdist_backward(
    grad: torch.Tensor, x1: torch.Tensor, x2: torch.Tensor, p: float, cdist: torch.Tensor
) -> torch.Tensor:
    """The sum over all rows of the second operand."""
    batches = grad.dim() - 2
    assert x1.dim() == grad.dim() or grad.numel() > 0, "PyTorch does not expand its zeros"
    for dim in range(batches):
        if x1.dim() == grad.dim() and x1.size(dim) != grad.size(dim):
            assert grad.numel() > 0, "PyTorch does not expand its zeros"
    away = torch.sub(torch.unsqueeze(x1, -2), torch.unsqueeze(x2, -3))
    pulled = _pulled(away, torch.unsqueeze(grad, -1), torch.unsqueeze(cdist, -1), p)
    return torch.sum(pulled, [-2])


@decomposition("aten::_pdist_backward", ok=[Invocation(T(6), T(4, 5), 1.5, T(6))])
def pdist_backward(
    grad: torch.Tensor, self: torch.Tensor, p: float, pdist: torch.Tensor
) -> torch.Tensor:
    """The sum over all other rows."""
    rows = self.size(0)
    one = torch.arange(rows, dtype=torch.int64)
    row, column = torch.unsqueeze(one, 1), torch.unsqueeze(one, 0)
    low, high = torch.minimum(row, column), torch.maximum(row, column)
    # The pairs of a row are behind those of the rows before it.
    before = torch.sub(
        torch.mul(low, rows), torch.floor_divide(torch.mul(low, torch.add(low, 1)), 2)
    )
    place = torch.add(before, torch.sub(torch.sub(high, low), 1))
    # A row and itself are no pair: a zero is added behind all.
    pairs = grad.numel()
    place = torch.where(torch.eq(row, column), torch.full_like(place, pairs), place)
    place = torch.reshape(place, [rows * rows])
    zero = torch.zeros([1], dtype=grad.dtype)
    given = torch.index_select(torch.cat([torch.reshape(grad, [pairs]), zero]), 0, place)
    distance = torch.index_select(torch.cat([torch.reshape(pdist, [pairs]), zero]), 0, place)
    away = torch.sub(torch.unsqueeze(self, 1), torch.unsqueeze(self, 0))
    shape = [rows, rows, 1]
    pulled = _pulled(away, torch.reshape(given, shape), torch.reshape(distance, shape), p)
    return torch.sum(pulled, [1])


@decomposition("aten::pdist", ok=[Invocation(T(5, 3), 0.0), Invocation(T(4, 2), 1.5)])
def pdist(self: torch.Tensor, p: float = 2.0) -> torch.Tensor:
    """Another name of `_pdist_forward`."""
    return pdist_forward(self, p)
