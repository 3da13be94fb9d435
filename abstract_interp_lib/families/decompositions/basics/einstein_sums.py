"""Sums of products by labelled dimensions, as products of matrices: `einsum`."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, decomposition
from torch_refine.abstract_interp_lib.rules.formulas.einsum_labels import (
    operand_labels,
    output_labels,
    read_equation,
)
from torch_refine.abstract_interp_lib.rules.unknown import is_known


def without(labels: List[int], others: List[int]) -> List[int]:
    """The labels that are not among others."""
    found: List[int] = []
    for label in labels:
        if label not in others:
            found.append(label)
    return found


def among(labels: List[int], others: List[int]) -> List[int]:
    """The labels that are among others."""
    found: List[int] = []
    for label in labels:
        if label in others:
            found.append(label)
    return found


def of_distinct_labels(self: torch.Tensor, labels: List[int]) -> Tuple[torch.Tensor, List[int]]:
    """The diagonals of dimensions that have one label, which come last."""
    for _ in range(len(labels)):
        first, second = -1, -1
        for index in range(len(labels)):
            place = labels.index(labels[index])
            if place < index and first < 0:
                first, second = place, index
        if first >= 0:
            label = labels[first]
            self = torch.diagonal(self, 0, first, second)
            labels = without(labels, [label])
            labels.append(label)
    return self, labels


def summed_but(
    self: torch.Tensor, labels: List[int], kept: List[int]
) -> Tuple[torch.Tensor, List[int]]:
    """The sum over dimensions whose labels are not kept."""
    dims: List[int] = []
    for index in range(len(labels)):
        if labels[index] not in kept:
            dims.append(index)
    if len(dims) > 0:
        self = torch.sum(self, dims)
    return self, among(labels, kept)


def in_order(self: torch.Tensor, labels: List[int], order: List[int]) -> torch.Tensor:
    """Dimensions permuted to an order of their labels."""
    return torch.permute(self, [labels.index(label) for label in order])


def sizes_of(self: torch.Tensor, labels: List[int], chosen: List[int]) -> List[int]:
    """The sizes of dimensions."""
    return [self.size(labels.index(label)) for label in chosen]


def product_of_sizes(sizes: List[int]) -> int:
    """The number of elements."""
    count = 1
    for size in sizes:
        count *= size
    return count


def as_wide(
    self: torch.Tensor, labels: List[int], other: torch.Tensor, others: List[int]
) -> torch.Tensor:
    """A tensor with dimensions of size 1 repeated, where another one has more."""
    sizes: List[int] = []
    is_other = False
    for index in range(len(labels)):
        size = self.size(index)
        if labels[index] in others:
            wanted = other.size(others.index(labels[index]))
            if is_known(size) and size == 1:
                is_other = is_other or not is_known(wanted) or wanted != 1
                size = wanted
        sizes.append(size)
    return self.expand(sizes) if is_other else self


def multiplied(
    left: torch.Tensor,
    left_labels: List[int],
    right: torch.Tensor,
    right_labels: List[int],
    kept: List[int],
) -> Tuple[torch.Tensor, List[int]]:
    """Products summed over what both have, and what is not kept."""
    left, left_labels = summed_but(left, left_labels, kept + right_labels)
    right, right_labels = summed_but(right, right_labels, kept + left_labels)
    left = as_wide(left, left_labels, right, right_labels)
    right = as_wide(right, right_labels, left, left_labels)
    both = among(left_labels, right_labels)
    batch, summed = among(both, kept), without(both, kept)
    rows, columns = without(left_labels, both), without(right_labels, both)
    batch_sizes = sizes_of(left, left_labels, batch)
    row_sizes = sizes_of(left, left_labels, rows)
    column_sizes = sizes_of(right, right_labels, columns)
    count = product_of_sizes(sizes_of(left, left_labels, summed))
    height, width = product_of_sizes(row_sizes), product_of_sizes(column_sizes)
    first = in_order(left, left_labels, batch + rows + summed)
    second = in_order(right, right_labels, batch + summed + columns)
    if len(batch) == 0:
        found = torch.mm(
            torch.reshape(first, [height, count]), torch.reshape(second, [count, width])
        )
    else:
        number = product_of_sizes(batch_sizes)
        found = torch.bmm(
            torch.reshape(first, [number, height, count]),
            torch.reshape(second, [number, count, width]),
        )
    return torch.reshape(found, batch_sizes + row_sizes + column_sizes), batch + rows + columns


@decomposition(
    "aten::einsum",
    ok=[
        Invocation("ij,jk->ik", [T(2, 3), T(3, 4)]),
        Invocation("b h i d , b h j d -> b h i j", [T(2, 4, 3, 5), T(2, 4, 6, 5)]),
        Invocation("...ij,...jk", [T(5, 1, 2, 3), T(7, 3, 4)]),
        Invocation("bn,anm,bm->ba", [T(2, 5), T(3, 5, 4), T(2, 4)]),
    ],
)
def einsum(
    equation: str, tensors: List[torch.Tensor], path: Optional[List[int]] = None
) -> torch.Tensor:
    """From the first operand to the last; a path only saves work."""
    read = read_equation(equation)
    labels = operand_labels(read, [tensor.dim() for tensor in tensors])
    out = output_labels(read, labels)
    found, known = of_distinct_labels(tensors[0], labels[0])
    for index in range(1, len(tensors)):
        kept = out
        for later in range(index + 1, len(tensors)):
            kept = kept + labels[later]
        other, others = of_distinct_labels(tensors[index], labels[index])
        found, known = multiplied(found, known, other, others, kept)
    found, known = summed_but(found, known, out)
    return in_order(found, known, out)
