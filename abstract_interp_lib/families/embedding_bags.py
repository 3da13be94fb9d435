"""Bags of embeddings, each summed, averaged or reduced to its maximum."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.rules.matching import check_same
from torch_refine.abstract_interp_lib.rules.promotion import promote_dtypes
from torch_refine.abstract_interp_lib.rules.unknown import unknown_size


def embedding_bag(
    weight: List[int],
    indices: List[int],
    offsets: List[int],
    mode: int,
    per_sample_weights: Optional[List[int]],
    include_last_offset: bool,
) -> Tuple[List[int], List[int], List[int], List[int]]:
    """An embedding for each bag, and three results that only a backward pass reads.

    How long those are depends on the device, but for the maxima's indices (`mode` 2).
    """
    assert len(weight) == 2, f"weight must be a matrix, got shape {weight}"
    assert len(offsets) == 1, f"offsets must be a vector, got shape {offsets}"
    if per_sample_weights is not None:
        check_same(per_sample_weights, indices, "per_sample_weights")
    bags = offsets[0]
    if include_last_offset:
        assert bags > 0, f"the last offset must be included, got shape {offsets}"
        bags = bags - 1
    max_indices = [bags, weight[1]] if mode == 2 else [unknown_size()]
    return [bags, weight[1]], [unknown_size()], [unknown_size()], max_indices


def embedding_bag_dtype(
    weight: Tuple[int, int], indices: Tuple[int, int], offsets: Tuple[int, int]
) -> Tuple[int, int, int, int]:
    """The dtype of the weight; what is counted has that of indices and offsets together."""
    ranks: List[Optional[int]] = [1, 1]
    index = promote_dtypes(ranks, [indices[1], offsets[1]])
    return weight[1], index, index, index


INDICES = T(5, dtype=torch.int64, values=[1, 2, 3, 4, 5])
OFFSETS = T(2, dtype=torch.int64, values=[0, 2])
HALF = T(10, 3, dtype=torch.bfloat16)
# The meta kernels check less. What follows the offsets: scale_grad_by_freq, mode, sparse, per_sample_weights, include_last_offset.
BAGS_OK = [
    Invocation(T(10, 3), INDICES, OFFSETS, False, 0, False, None, False),
    Invocation(T(10, 3), INDICES, OFFSETS, False, 0, False, T(5), True),
    Invocation(HALF, INDICES, OFFSETS, False, 1, False, None, True),
    Invocation(T(10, 3), INDICES, OFFSETS, False, 2, False, None, False),
    Invocation(T(10, 3), INDICES, OFFSETS, False, 0, False, None, True, device="cpu"),
    Invocation(T(10, 3), INDICES, OFFSETS, False, 2, False, None, True, device="cpu"),
    Invocation(
        T(10, 3, dtype=torch.float64),
        T(5, dtype=torch.int32, values=[1, 2, 3, 4, 5]),
        OFFSETS,
        *(False, 1, False, None, False),
        device="cpu",
    ),
]
BAGS_ERROR = [
    Invocation(T(10), INDICES, OFFSETS, False, 0, False, None, False),
    Invocation(
        *(T(10, 3), INDICES, T(2, 1, dtype=torch.int64), False, 0, False, None, False),
        device="cpu",
    ),
    Invocation(T(10, 3), INDICES, T(0, dtype=torch.int64), False, 0, False, None, True),
    Invocation(T(10, 3), INDICES, OFFSETS, False, 0, False, T(4), False),
]

shape_family(
    embedding_bag,
    "aten::embedding_bag",
    "aten::_embedding_bag",
    "aten::_embedding_bag_forward_only",
    ok=BAGS_OK,
    error=BAGS_ERROR,
)
shape_family(
    embedding_bag,
    "aten::embedding_bag.padding_idx",
    ok=[
        Invocation(T(10, 3), INDICES, OFFSETS, False, 0, False, None, False, None),
        Invocation(T(10, 3), INDICES, OFFSETS, False, 2, False, None, False, 1),
        Invocation(T(10, 3), INDICES, OFFSETS, False, 1, False, None, True, 1, device="cpu"),
    ],
    error=[Invocation(T(10), INDICES, OFFSETS, False, 0, False, None, False, None)],
)
dtype_family(
    embedding_bag_dtype,
    "aten::embedding_bag",
    "aten::_embedding_bag",
    "aten::_embedding_bag_forward_only",
    "aten::embedding_bag.padding_idx",
)
