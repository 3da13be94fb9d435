"""Embeddings, embedding bags, and their gradients, dense and sparse."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    TensorCase,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.rules.dims import same_as_self
from torch_refine.abstract_interp_lib.rules.matching import check_same
from torch_refine.abstract_interp_lib.rules.promotion import promote_dtypes
from torch_refine.abstract_interp_lib.rules.sizes import append_size, product
from torch_refine.abstract_interp_lib.rules.unknown import unknown_size

_INT = {"dtype": torch.int64}
_FLOATS = (torch.float16, torch.bfloat16, torch.float64)


_EMBEDDED = (torch.float16, torch.int64, torch.uint8, torch.bool, torch.complex64)


def embedding_rule(weight: List[int], indices: List[int]) -> List[int]:
    """One row of `weight` per index."""
    assert len(weight) == 2, f"weight must be a matrix, got {len(weight)} dimensions"
    return append_size(indices, weight[1])


def embedding_dtype(weight: Tuple[int, int], indices: Tuple[int, int]) -> int:
    """The dtype of `weight`; indices are int64 or int32."""
    assert indices[1] == torch.int64 or indices[1] == torch.int32, (
        f"indices must be of dtype int64 or int32, got dtype {indices[1]}"
    )
    return weight[1]


shape_family(
    embedding_rule,
    "aten::embedding",
    ok=[
        Invocation(T(5, 3), T(2, 4, **_INT)),
        Invocation(T(5, 3), T(**_INT)),
        Invocation(T(5, 3), T(0, **_INT)),
        Invocation(T(5, 0), T(2, dtype=torch.int32), 1, True),
        *[Invocation(T(5, 3, dtype=dtype), T(2, **_INT)) for dtype in _EMBEDDED],
    ],
    error=[Invocation(T(5), T(2, **_INT)), Invocation(T(5, 3, 2), T(2, **_INT))],
)
dtype_family(embedding_dtype, "aten::embedding", error=[Invocation(T(5, 3), T(2))])


def weight_gradient(grad: List[int], indices: List[int], num_weights: int) -> List[int]:
    """`num_weights` rows with the features of the gradient."""
    assert len(grad) > 0, f"the gradient must have at least 1 dimension, got shape {grad}"
    features = grad[len(grad) - 1]
    assert product(grad) == product(indices) * features, (
        f"gradient and indices must match, got shapes {grad} and {indices}"
    )
    return [num_weights, features]


def dense_weight_gradient(
    grad_output: List[int], indices: List[int], num_weights: int
) -> List[int]:
    """`num_weights` rows with the features of the gradient."""
    return weight_gradient(grad_output, indices, num_weights)


def weight_gradient_dtype(grad: Tuple[int, int], indices: Tuple[int, int]) -> int:
    """The dtype of the gradient; indices are int64 or int32."""
    assert indices[1] == torch.int64 or indices[1] == torch.int32, (
        f"indices must be of dtype int64 or int32, got dtype {indices[1]}"
    )
    return grad[1]


def dense_weight_gradient_dtype(grad_output: Tuple[int, int], indices: Tuple[int, int]) -> int:
    """The dtype of the gradient; indices are int64 or int32."""
    return weight_gradient_dtype(grad_output, indices)


# The meta kernels check less.
_GRADIENTS_OK = [
    (T(2, 4, 3), T(2, 4, **_INT)),
    (T(8, 3), T(2, 4, **_INT)),
    (T(3), T(**_INT)),
    (T(0, 3), T(0, **_INT)),
    (T(2, 3), T(2, dtype=torch.int32)),
    *[(T(2, 3, dtype=dtype), T(2, **_INT)) for dtype in (*_FLOATS, torch.int64)],
]
_GRADIENTS_ERROR = [(T(), T(**_INT)), (T(2, 3), T(4, **_INT))]
_INDICES_ERROR = (T(2, 3), T(2, dtype=torch.int16))

shape_family(
    dense_weight_gradient,
    "aten::embedding_dense_backward",
    ok=[Invocation(*pair, 10, -1, False) for pair in _GRADIENTS_OK],
    error=[Invocation(*pair, 10, -1, False, device="cpu") for pair in _GRADIENTS_ERROR],
)
dtype_family(
    dense_weight_gradient_dtype,
    "aten::embedding_dense_backward",
    error=[Invocation(*_INDICES_ERROR, 10, -1, False, device="cpu")],
)
shape_family(
    weight_gradient,
    "aten::embedding_backward",
    ok=[
        *[Invocation(*pair, 10, -1, True, False) for pair in _GRADIENTS_OK],
        Invocation(T(2, 4, 3), T(2, 4, **_INT), 10, -1, False, True),
    ],
    error=[Invocation(*pair, 10, -1, False, False, device="cpu") for pair in _GRADIENTS_ERROR],
)
dtype_family(
    weight_gradient_dtype,
    "aten::embedding_backward",
    error=[Invocation(*_INDICES_ERROR, 10, -1, False, False, device="cpu")],
)


def bag_weight_gradient(grad: List[int], num_weights: int) -> List[int]:
    """`num_weights` rows with the features of the gradient of a bag."""
    assert len(grad) > 1, f"the gradient must be a matrix, got shape {grad}"
    return [num_weights, grad[1]]


def dtype_of_grad(grad: Tuple[int, int]) -> int:
    """The dtype of the incoming gradient."""
    return grad[1]


# Five indices in two bags.
_INDICES = T(5, **_INT, values=[1, 2, 3, 4, 5])
_OFFSETS = T(2, **_INT, values=[0, 2])
_BAG_OF_EACH = T(5, **_INT, values=[0, 0, 1, 1, 1])
_BAG_SIZES = T(2, **_INT, values=[2, 3])
_BAGS = (_BAG_OF_EACH, _BAG_SIZES, T(0, **_INT))
_BAGS_OF_MAXIMA = (_BAG_OF_EACH, _BAG_SIZES, T(2, 3, **_INT))

# The bags are followed by num_weights, scale_grad_by_freq, mode, (sparse,) per_sample_weights.
shape_family(
    bag_weight_gradient,
    "aten::_embedding_bag_backward",
    ok=[
        Invocation(T(2, 3), _INDICES, _OFFSETS, *_BAGS, 10, False, 0, False, None),
        Invocation(T(2, 3), _INDICES, _OFFSETS, *_BAGS, 10, False, 0, True, None),
        Invocation(T(2, 3), _INDICES, _OFFSETS, *_BAGS, 10, False, 0, False, T(5)),
        Invocation(T(2, 3), _INDICES, _OFFSETS, *_BAGS_OF_MAXIMA, 10, False, 2, False, None),
        *[
            Invocation(
                T(2, 3, dtype=dtype), _INDICES, _OFFSETS, *_BAGS, 10, True, 1, False, None, 0
            )
            for dtype in _FLOATS
        ],
    ],
    error=[Invocation(T(3), _INDICES, _OFFSETS, *_BAGS, 10, False, 0, False, None)],
)
shape_family(
    bag_weight_gradient,
    "aten::_embedding_bag_dense_backward",
    ok=[
        Invocation(T(2, 3), _INDICES, *_BAGS, 10, False, 0, None),
        Invocation(T(2, 3), _INDICES, *_BAGS, 10, False, 0, T(5)),
        Invocation(T(2, 3), _INDICES, *_BAGS_OF_MAXIMA, 10, False, 2, None),
        *[
            Invocation(T(2, 3, dtype=dtype), _INDICES, *_BAGS, 10, True, 1, None)
            for dtype in _FLOATS
        ],
    ],
    error=[Invocation(T(3), _INDICES, *_BAGS, 10, False, 0, None)],
)


def sample_weight_gradient(
    grad: List[int], weight: List[int], indices: List[int], mode: int
) -> List[int]:
    """One scalar per index."""
    assert mode == 0, f"mode must be 0 (sum), got {mode}"
    assert len(grad) == 2, f"the gradient must be a matrix, got shape {grad}"
    assert len(weight) == 2 and weight[1] == grad[1], (
        f"weight must be a matrix of {grad[1]} columns, got shape {weight}"
    )
    assert len(indices) == 1, f"indices must be 1-D, got shape {indices}"
    return indices


shape_family(
    sample_weight_gradient,
    "aten::_embedding_bag_per_sample_weights_backward",
    ok=[
        Invocation(T(2, 3), T(10, 3), _INDICES, _OFFSETS, _BAG_OF_EACH, 0),
        Invocation(T(2, 3), T(10, 3), _INDICES, _OFFSETS, _BAG_OF_EACH, 0, 1),
        *[
            Invocation(
                T(2, 3, dtype=dtype), T(10, 3, dtype=dtype), _INDICES, _OFFSETS, _BAG_OF_EACH, 0
            )
            for dtype in _FLOATS
        ],
    ],
    error=[
        Invocation(T(2, 3), T(10, 3), _INDICES, _OFFSETS, _BAG_OF_EACH, 1),
        Invocation(T(2, 3, 1), T(10, 3), _INDICES, _OFFSETS, _BAG_OF_EACH, 0),
        Invocation(T(2, 3), T(10, 4), _INDICES, _OFFSETS, _BAG_OF_EACH, 0),
        Invocation(T(2, 3), T(10, 3), T(5, 1, **_INT), _OFFSETS, _BAG_OF_EACH, 0),
    ],
)
dtype_family(
    dtype_of_grad,
    "aten::_embedding_bag_backward",
    "aten::_embedding_bag_dense_backward",
    "aten::_embedding_bag_per_sample_weights_backward",
)


def renormalized(weight: List[int]) -> List[int]:
    """The shape of the weight, whose rows are renormalized in place."""
    assert len(weight) == 2, f"weight must be a matrix, got shape {weight}"
    return weight


def dtype_of_weight(weight: Tuple[int, int]) -> int:
    """The dtype of the weight."""
    return weight[1]


shape_family(
    renormalized,
    "aten::_no_grad_embedding_renorm_",
    ok=[
        Invocation(T(10, 3), _INDICES, 1.0, 2.0),
        Invocation(T(10, 3, dtype=torch.float64), T(2, dtype=torch.int32), 1.0, 2.0),
        Invocation(T(10, 3, dtype=torch.bfloat16), T(2, 3, **_INT), 1.0, 2.0),
    ],
    error=[Invocation(T(10), _INDICES, 1.0, 2.0, device="cpu")],
)
dtype_family(dtype_of_weight, "aten::_no_grad_embedding_renorm_")


# Embedding bags: the sum, mean or maximum of each bag.


def embedding_bag(
    weight: List[int],
    indices: List[int],
    offsets: List[int],
    mode: int,
    per_sample_weights: Optional[List[int]],
    include_last_offset: bool,
) -> Tuple[List[int], List[int], List[int], List[int]]:
    """One embedding per bag, and three results that only the backward pass reads.

    Their sizes depend on the device, except for the indices of maxima (`mode` 2).
    """
    assert len(weight) == 2, f"weight must be a matrix, got shape {weight}"
    assert len(offsets) == 1, f"offsets must be 1-D, got shape {offsets}"
    if per_sample_weights is not None:
        check_same(per_sample_weights, indices, "per_sample_weights")
    bags = offsets[0]
    if include_last_offset:
        assert bags > 0, (
            f"offsets must not be empty if include_last_offset is set, got shape {offsets}"
        )
        bags = bags - 1
    max_indices = [bags, weight[1]] if mode == 2 else [unknown_size()]
    return [bags, weight[1]], [unknown_size()], [unknown_size()], max_indices


def embedding_bag_dtype(
    weight: Tuple[int, int], indices: Tuple[int, int], offsets: Tuple[int, int]
) -> Tuple[int, int, int, int]:
    """The dtype of the weight; index results have the promoted dtype of indices and offsets."""
    ranks: List[Optional[int]] = [1, 1]
    index = promote_dtypes(ranks, [indices[1], offsets[1]])
    return weight[1], index, index, index


INDICES = T(5, dtype=torch.int64, values=[1, 2, 3, 4, 5])
OFFSETS = T(2, dtype=torch.int64, values=[0, 2])
HALF = T(10, 3, dtype=torch.bfloat16)
# The meta kernels check less. The offsets are followed by scale_grad_by_freq, mode, sparse,
# per_sample_weights, include_last_offset.
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


# Sparse gradients of embeddings.

_SPARSE_FLOATS = (torch.float64, torch.float16, torch.bfloat16)


def embedding_sparse_backward(
    grad: List[int], num_weights: int, scale_grad_by_freq: bool
) -> List[int]:
    """The shape of the weight: `num_weights` rows."""
    assert len(grad) > 0, f"grad must have at least 1 dimension, got shape {grad}"
    assert not scale_grad_by_freq, (
        f"sparse gradients do not support scale_grad_by_freq, got {scale_grad_by_freq}"
    )
    assert num_weights >= 0, f"num_weights must not be negative, got {num_weights}"
    return [num_weights, grad[-1]]


def indices(*sizes: int) -> TensorCase:
    """Indices, all of them 1."""
    return T(*sizes, dtype=torch.int64)


# With a padding index, the remaining indices are counted, which has no meta kernel.
shape_family(
    embedding_sparse_backward,
    "aten::embedding_sparse_backward",
    ok=[
        Invocation(T(3, 4), indices(3), 10, -1, False),
        Invocation(T(2, 3, 4), indices(2, 3), 10, -1, False),
        Invocation(T(2, 3, 4), indices(2, 3), 10, 0, False, device="cpu"),
        Invocation(T(4), indices(), 10, -1, False),
        Invocation(T(0, 4), indices(0), 0, -1, False),
        *[Invocation(T(3, 4, dtype=dtype), indices(3), 10, -1, False) for dtype in _SPARSE_FLOATS],
        Invocation(T(3, 4, dtype=torch.int64), indices(3), 10, -1, False),
    ],
    error=[
        Invocation(T(), indices(), 10, -1, False),
        Invocation(T(3, 4), indices(3), 10, -1, True),
        Invocation(T(3, 4), indices(3), -1, -1, False),
    ],
)
# The bags have 2 and 1 entries, followed by num_weights, scale_grad_by_freq and mode.
_SPARSE_BAGS = [
    T(3, dtype=torch.int64, values=[4, 5, 4]),
    T(2, dtype=torch.int64, values=[0, 2]),
    T(3, dtype=torch.int64, values=[0, 0, 1]),
    T(2, dtype=torch.int64, values=[2, 1]),
]
shape_family(
    embedding_sparse_backward,
    "aten::_embedding_bag_sparse_backward",
    ok=[
        Invocation(T(2, 4), *_SPARSE_BAGS, 10, False, 0, T(3)),
        Invocation(T(2, 4), *_SPARSE_BAGS, 10, False, 0, T(3, dtype=torch.float64)),
        *[
            Invocation(T(2, 4, dtype=dtype), *_SPARSE_BAGS, 10, False, 0, None)
            for dtype in _SPARSE_FLOATS
        ],
        *[
            Invocation(T(2, 4, dtype=dtype), *_SPARSE_BAGS, 10, False, 1, None)
            for dtype in _SPARSE_FLOATS
        ],
    ],
    error=[Invocation(T(2, 4), *_SPARSE_BAGS, 10, True, 0, None)],
)
shape_family(
    same_as_self,
    "aten::_gather_sparse_backward",
    ok=[
        Invocation(T(2, 3), 1, indices(2, 2), T(2, 2)),
        Invocation(T(2, 3), -1, indices(1, 2), T(1, 2)),
        Invocation(T(2, 3), 0, indices(0, 3), T(0, 3)),
        Invocation(T(), 0, indices(), T()),
        Invocation(T(2, 3, dtype=torch.float64), 1, indices(2, 2), T(2, 2)),
        *[
            Invocation(T(2, 3, dtype=dtype), 1, indices(2, 2), T(2, 2, dtype=dtype))
            for dtype in _SPARSE_FLOATS
        ],
    ],
)
dtype_family(
    dtype_of_grad,
    "aten::embedding_sparse_backward",
    "aten::_embedding_bag_sparse_backward",
    "aten::_gather_sparse_backward",
)
