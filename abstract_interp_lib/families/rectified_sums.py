"""A sum cut off at zero, `_add_relu`: addition and `relu` in one, on the CPU only."""

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.rules.dims import same_as_self
from torch_refine.abstract_interp_lib.rules.pointwise import (
    broadcast_self_other,
    promote_tensor_number,
    promote_tensors,
)

_DTYPES = (torch.float64, torch.int64, torch.int32, torch.int8)

# The meta kernel takes every dtype.
shape_family(
    broadcast_self_other,
    "aten::_add_relu.Tensor",
    ok=[
        Invocation(T(2, 3), T(2, 3)),
        Invocation(T(2, 1), T(3), alpha=2),
        Invocation(T(), T(2, 3)),
        Invocation(T(0, 3), T(1, 3)),
    ],
    error=[Invocation(T(2, 3), T(2))],
)
dtype_family(
    promote_tensors,
    "aten::_add_relu.Tensor",
    ok=[
        *[Invocation(T(2, dtype=dtype), T(2, dtype=dtype), device="cpu") for dtype in _DTYPES],
        Invocation(T(2, dtype=torch.int64), T(2), device="cpu"),
        Invocation(T(2), T(dtype=torch.float64), device="cpu"),
        Invocation(*[T(2, dtype=torch.bfloat16)] * 2),
    ],
)
# There is no meta kernel for a number.
shape_family(
    same_as_self,
    "aten::_add_relu.Scalar",
    ok=[
        Invocation(T(2, 3), 1.5, device="cpu"),
        Invocation(T(), 2, 3, device="cpu"),
        Invocation(T(0, 3), 1, device="cpu"),
    ],
)
dtype_family(
    promote_tensor_number,
    "aten::_add_relu.Scalar",
    ok=[
        *[Invocation(T(2, dtype=dtype), 2, device="cpu") for dtype in _DTYPES],
        *[Invocation(T(2, dtype=dtype), 1.5, device="cpu") for dtype in _DTYPES],
        Invocation(T(2), True, device="cpu"),
    ],
)
