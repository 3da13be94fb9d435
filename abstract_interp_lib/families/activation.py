"""Activations: `relu`, `gelu`, `softplus`, `glu`, `prelu` and their relatives."""

from typing import List, Tuple, Union

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    dtype_function,
    shape_family,
    shape_function,
)
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self, same_as_self, wrap_dim
from torch_refine.abstract_interp_lib.rules.sizes import replace_size

_SHAPES = [Invocation(T(2, 3)), Invocation(T()), Invocation(T(0, 3))]
_FLOATS = [
    Invocation(T(2, dtype=torch.float64)),
    Invocation(T(2, dtype=torch.float16)),
    Invocation(T(2, dtype=torch.bfloat16)),
]
_INTEGERS = [Invocation(T(2, dtype=torch.int64)), Invocation(T(2, dtype=torch.int32))]

# PyTorch applies these to floating-point tensors, and `silu` to complex ones.
_OF_FLOATS = (
    "aten::celu",
    "aten::elu",
    "aten::hardshrink",
    "aten::hardsigmoid",
    "aten::hardswish",
    "aten::leaky_relu",
    "aten::log_sigmoid",
    "aten::mish",
    "aten::rrelu",
    "aten::selu",
    "aten::silu",
    "aten::softplus",
    "aten::softshrink",
)
shape_family(same_as_self, *_OF_FLOATS, ok=_SHAPES)
dtype_family(dtype_of_self, *_OF_FLOATS, ok=_FLOATS)


def gelu_rule(self: List[int], approximate: str) -> List[int]:
    """The shape of `self`; there are two ways to approximate."""
    assert approximate == "none" or approximate == "tanh", (
        f"approximate must be none or tanh, got {approximate}"
    )
    return self


shape_family(
    gelu_rule,
    "aten::gelu",
    ok=[*_SHAPES, Invocation(T(2, 3), approximate="tanh")],
    error=[Invocation(T(2, 3), approximate="sigmoid", device="cpu")],
)
dtype_family(dtype_of_self, "aten::gelu", ok=_FLOATS)

# These keep integers.
_OF_NUMBERS = ("aten::hardtanh", "aten::relu", "aten::relu6")
shape_family(same_as_self, *_OF_NUMBERS, ok=_SHAPES)
dtype_family(dtype_of_self, *_OF_NUMBERS, ok=[*_FLOATS, *_INTEGERS])


@shape_function(
    "aten::threshold",
    ok=[Invocation(T(2, 3), 0.5, 20), Invocation(T(), 1, 2), Invocation(T(0, 3), 1, 2)],
)
def threshold(
    self: List[int], threshold: Union[int, float, complex], value: Union[int, float, complex]
) -> List[int]:
    """The value takes the place of the elements that are not above the threshold."""
    return self


@dtype_function(
    "aten::threshold",
    ok=[
        Invocation(T(2, dtype=torch.float16), 0.5, 20),
        Invocation(T(2, dtype=torch.bfloat16), 1, 2),
        Invocation(T(2, dtype=torch.int64), 1.5, 2.5),
        Invocation(T(2, dtype=torch.uint8), 1, 2),
    ],
)
def threshold_dtype(
    self: Tuple[int, int],
    threshold: Union[int, float, complex],
    value: Union[int, float, complex],
) -> int:
    """The numbers are cast to the dtype of `self`."""
    return self[1]


@shape_function(
    "aten::glu",
    ok=[
        Invocation(T(2, 4)),
        Invocation(T(2, 4), 0),
        Invocation(T(6, 3, 5), -3),
        Invocation(T(0, 4)),
        Invocation(T(2, 0)),
    ],
    error=[Invocation(T(2, 3)), Invocation(T()), Invocation(T(2, 4), 2)],
)
def glu(self: List[int], dim: int = -1) -> List[int]:
    """One half of a dimension gates the other."""
    assert len(self) > 0, f"aten::glu: needs a dimension to halve, got shape {self}"
    dim = wrap_dim(dim, len(self))
    assert self[dim] % 2 == 0, f"aten::glu: dimension {dim} must have an even size, got {self[dim]}"
    return replace_size(self, dim, self[dim] // 2)


@dtype_function(
    "aten::glu",
    ok=[Invocation(T(4, dtype=torch.float64)), Invocation(T(4, dtype=torch.bfloat16))],
)
def glu_dtype(self: Tuple[int, int], dim: int = -1) -> int:
    """Gating keeps the dtype."""
    return self[1]


@shape_function(
    "aten::prelu",
    ok=[
        Invocation(T(2, 3, 4), T(3)),
        Invocation(T(2, 3, 4), T(1)),
        Invocation(T(2, 3), T()),
        Invocation(T(5), T(1)),
        Invocation(T(), T()),
        Invocation(T(2, 0), T(0)),
    ],
    error=[
        Invocation(T(2, 3, 4), T(4)),
        Invocation(T(5), T(5)),
        Invocation(T(2, 3), T(1, 3)),
        Invocation(T(), T(2)),
    ],
)
def prelu(self: List[int], weight: List[int]) -> List[int]:
    """One slope for all elements, or one for each entry of dimension 1."""
    assert len(weight) <= 1, f"aten::prelu: weight has at most one dimension, got shape {weight}"
    channels = 1
    if len(self) > 1:
        channels = self[1]
    if len(weight) == 1:
        assert weight[0] == 1 or weight[0] == channels, (
            f"aten::prelu: needs 1 or {channels} slopes, got {weight[0]}"
        )
    return self


@dtype_function(
    "aten::prelu",
    ok=[
        Invocation(T(2, 3, dtype=torch.float64), T(3, dtype=torch.float64)),
        Invocation(T(2, 3, dtype=torch.float16), T(1, dtype=torch.float16)),
        Invocation(T(2, 3, dtype=torch.bfloat16), T(dtype=torch.bfloat16)),
    ],
    error=[Invocation(T(2, 3), T(3, dtype=torch.float64))],
)
def prelu_dtype(self: Tuple[int, int], weight: Tuple[int, int]) -> int:
    """The slopes have the dtype of `self`."""
    assert self[1] == weight[1], f"aten::prelu: dtypes must match, got {self[1]} and {weight[1]}"
    return self[1]
