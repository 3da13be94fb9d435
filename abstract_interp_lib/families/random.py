"""Random tensors, and dropout: `rand`, `randint_like`, `bernoulli`, `native_dropout`, ..."""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self, same_as_self
from torch_refine.abstract_interp_lib.rules.factories import (
    dtype_or_default,
    dtype_or_int64,
    dtype_or_same,
    given_size,
)
from torch_refine.abstract_interp_lib.rules.pointwise import dtype_of_input, same_as_input

_FLOATS = (torch.float16, torch.bfloat16, torch.float64)
_SIZES = [Invocation([2, 3]), Invocation([]), Invocation([0, 3])]
_SHAPES = [Invocation(T(2, 3)), Invocation(T()), Invocation(T(0, 3))]

# From sizes.
_UNIFORM_OR_NORMAL = ("aten::rand", "aten::randn")
shape_family(given_size, *_UNIFORM_OR_NORMAL, ok=_SIZES, error=[Invocation([2, -1])])
dtype_family(
    dtype_or_default,
    *_UNIFORM_OR_NORMAL,
    ok=[Invocation([2], dtype=dtype) for dtype in (*_FLOATS, torch.complex64, None)],
)
_GENERATED = ("aten::rand.generator", "aten::randn.generator")
shape_family(
    given_size,
    *_GENERATED,
    ok=[Invocation([2, 3], generator=None)],
    error=[Invocation([2, -1], generator=None)],
)
dtype_family(
    dtype_or_default,
    *_GENERATED,
    ok=[Invocation([2], generator=None, dtype=dtype) for dtype in _FLOATS],
)
shape_family(
    given_size,
    "aten::normal.float_float",
    ok=[Invocation(0.0, 1.0, [2, 3])],
    error=[Invocation(0.0, 1.0, [-1])],
)
dtype_family(
    dtype_or_default,
    "aten::normal.float_float",
    ok=[Invocation(0.0, 1.0, [2], dtype=dtype) for dtype in _FLOATS],
)
# The schema's default is int64; None stands for the default dtype.
_INTEGER_DTYPES = (torch.int32, torch.uint8, torch.float64, None)
shape_family(
    given_size,
    "aten::randint",
    ok=[Invocation(5, [2, 3]), Invocation(5, [])],
    error=[Invocation(5, [-1])],
)
dtype_family(
    dtype_or_default,
    "aten::randint",
    ok=[Invocation(5, [2], dtype=dtype) for dtype in _INTEGER_DTYPES],
)
shape_family(
    given_size,
    "aten::randint.low",
    ok=[Invocation(-5, 5, [2, 3])],
    error=[Invocation(-5, 5, [-1])],
)
dtype_family(
    dtype_or_default,
    "aten::randint.low",
    ok=[Invocation(1, 5, [2], dtype=dtype) for dtype in _INTEGER_DTYPES],
)


def permutation(n: int) -> List[int]:
    """The numbers below n in some order."""
    assert n >= 0, f"aten::randperm: n must not be negative, got {n}"
    return [n]


shape_family(
    permutation, "aten::randperm", ok=[Invocation(5), Invocation(0)], error=[Invocation(-1)]
)
dtype_family(
    dtype_or_int64,
    "aten::randperm",
    ok=[
        Invocation(5, dtype=torch.int32),
        Invocation(5, dtype=torch.float64),
        # The meta kernel takes None for the default dtype.
        Invocation(5, dtype=None, device="cpu"),
    ],
)

# Like another tensor.
_LIKE = ("aten::rand_like", "aten::randn_like")
shape_family(same_as_self, *_LIKE, ok=_SHAPES)
dtype_family(
    dtype_or_same,
    *_LIKE,
    ok=[
        *[Invocation(T(2, dtype=dtype)) for dtype in _FLOATS],
        Invocation(T(2), dtype=torch.float64),
        Invocation(T(2, dtype=torch.int64), dtype=torch.float16),
        Invocation(T(2, dtype=torch.bool), dtype=torch.complex64),
    ],
)
_LIKE_GENERATED = ("aten::rand_like.generator", "aten::randn_like.generator")
shape_family(same_as_self, *_LIKE_GENERATED, ok=[Invocation(T(2, 3), generator=None)])
dtype_family(
    dtype_or_same,
    *_LIKE_GENERATED,
    ok=[
        Invocation(T(2, dtype=torch.float16), generator=None),
        Invocation(T(2, dtype=torch.int64), generator=None, dtype=torch.float64),
    ],
)
shape_family(same_as_self, "aten::randint_like", ok=[Invocation(T(2, 3), 5)])
dtype_family(
    dtype_or_same,
    "aten::randint_like",
    ok=[Invocation(T(2), 5, dtype=torch.int64), Invocation(T(2, dtype=torch.int32), 5)],
)
shape_family(same_as_self, "aten::randint_like.low_dtype", ok=[Invocation(T(2, 3), 2, 5)])
dtype_family(
    dtype_or_same,
    "aten::randint_like.low_dtype",
    ok=[Invocation(T(2), 2, 5, dtype=torch.int64), Invocation(T(2, dtype=torch.int32), 2, 5)],
)

# In the place of the elements of a tensor.
_FILLED = (
    "aten::bernoulli",
    "aten::cauchy",
    "aten::exponential",
    "aten::log_normal",
    "aten::normal_functional",
    "aten::random",
    "aten::uniform",
)
shape_family(same_as_self, *_FILLED, ok=_SHAPES)
dtype_family(dtype_of_self, *_FILLED, ok=[Invocation(T(2, dtype=dtype)) for dtype in _FLOATS])
_WITH_PROBABILITY = ("aten::bernoulli.p", "aten::geometric")
shape_family(same_as_self, *_WITH_PROBABILITY, ok=[Invocation(T(2, 3), 0.5), Invocation(T(), 0.5)])
dtype_family(
    dtype_of_self,
    *_WITH_PROBABILITY,
    ok=[Invocation(T(2, dtype=dtype), 0.5) for dtype in (*_FLOATS, torch.int64, torch.uint8)],
)
shape_family(same_as_self, "aten::random.from", ok=[Invocation(T(2, 3), 1, 5)])
dtype_family(dtype_of_self, "aten::random.from", ok=[Invocation(T(2, dtype=torch.int32), 1, None)])
shape_family(same_as_self, "aten::random.to", ok=[Invocation(T(2, 3), 5)])
dtype_family(dtype_of_self, "aten::random.to", ok=[Invocation(T(2, dtype=torch.int32), 5)])
# The probabilities expand to the shape of `self`, unless that is empty: then any will do.
shape_family(
    same_as_self,
    "aten::bernoulli.Tensor",
    ok=[
        Invocation(T(2, 3), T(3)),
        Invocation(T(2, 3), T()),
        Invocation(T(0), T(1, 3), device="cpu"),
    ],
)
dtype_family(
    dtype_of_self,
    "aten::bernoulli.Tensor",
    ok=[
        Invocation(T(2, dtype=torch.int64), T(2)),
        Invocation(T(2, dtype=torch.float16), T(2, dtype=torch.float64)),
    ],
)

# Dropout.
_DROPOUT = ("aten::alpha_dropout", "aten::dropout")
shape_family(
    same_as_input,
    *_DROPOUT,
    ok=[
        Invocation(T(2, 3), 0.5, True),
        Invocation(T(2, 3), 0.5, False),
        Invocation(T(), 0.5, True),
        Invocation(T(0, 3), 0.5, True),
    ],
)
_FEATURE_DROPOUT = ("aten::feature_alpha_dropout", "aten::feature_dropout")
shape_family(
    same_as_input,
    *_FEATURE_DROPOUT,
    ok=[Invocation(T(2, 3, 4), 0.5, True), Invocation(T(3), 0.5, False)],
)
dtype_family(
    dtype_of_input,
    *_DROPOUT,
    *_FEATURE_DROPOUT,
    ok=[
        *[Invocation(T(2, 3, dtype=dtype), 0.5, True) for dtype in _FLOATS],
        Invocation(T(2, 3, dtype=torch.int64), 0.5, False),
        Invocation(T(2, 3, dtype=torch.bool), 0.5, False),
    ],
)


def native_dropout(input: List[int]) -> Tuple[List[int], List[int]]:
    """The result and the mask of what was kept."""
    return input, input


def native_dropout_dtype(input: Tuple[int, int]) -> Tuple[int, int]:
    """The mask is bool."""
    return input[1], torch.bool


shape_family(
    native_dropout,
    "aten::native_dropout",
    ok=[
        Invocation(T(2, 3), 0.5, True),
        Invocation(T(2, 3), 0.5, None),
        Invocation(T(), 0.5, False),
        Invocation(T(0, 3), 0.5, True),
    ],
)
dtype_family(
    native_dropout_dtype,
    "aten::native_dropout",
    ok=[
        *[Invocation(T(2, dtype=dtype), 0.5, True) for dtype in _FLOATS],
        Invocation(T(2, dtype=torch.int64), 0.5, False),
        Invocation(T(2, dtype=torch.bool), 0.5, False),
    ],
)
