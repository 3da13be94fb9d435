"""Gradients of embeddings and of bags of them; rows that an in-place operator renormalizes."""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.rules.sizes import product

_INT = {"dtype": torch.int64}
_FLOATS = (torch.float16, torch.bfloat16, torch.float64)


def weight_gradient(grad: List[int], indices: List[int], num_weights: int) -> List[int]:
    """A row for each weight, as long as the gradient of an embedding."""
    assert len(grad) > 0, f"the gradient must have a dimension for features, got shape {grad}"
    features = grad[len(grad) - 1]
    assert product(grad) == product(indices) * features, (
        f"there must be a gradient for each index, got shapes {grad} and {indices}"
    )
    return [num_weights, features]


def dense_weight_gradient(
    grad_output: List[int], indices: List[int], num_weights: int
) -> List[int]:
    """A row for each weight, as long as the gradient of an embedding."""
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
    """A row for each weight, as long as the gradient of a bag."""
    assert len(grad) > 1, f"the gradient must be a matrix, got shape {grad}"
    return [num_weights, grad[1]]


def dtype_of_grad(grad: Tuple[int, int]) -> int:
    """The dtype of the gradient."""
    return grad[1]


# Five indices in two bags.
_INDICES = T(5, **_INT, values=[1, 2, 3, 4, 5])
_OFFSETS = T(2, **_INT, values=[0, 2])
_BAG_OF_EACH = T(5, **_INT, values=[0, 0, 1, 1, 1])
_BAG_SIZES = T(2, **_INT, values=[2, 3])
_BAGS = (_BAG_OF_EACH, _BAG_SIZES, T(0, **_INT))
_BAGS_OF_MAXIMA = (_BAG_OF_EACH, _BAG_SIZES, T(2, 3, **_INT))

# What follows the bags: num_weights, scale_grad_by_freq, mode, (sparse,) per_sample_weights.
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
    """A number for each index."""
    assert mode == 0, f"only sums (mode 0) are weighted, got mode {mode}"
    assert len(grad) == 2, f"the gradient must be a matrix, got shape {grad}"
    assert len(weight) == 2 and weight[1] == grad[1], (
        f"weight must be a matrix of {grad[1]} columns, got shape {weight}"
    )
    assert len(indices) == 1, f"indices must be a vector, got shape {indices}"
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
