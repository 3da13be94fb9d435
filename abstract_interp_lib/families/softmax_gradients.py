"""Softmax with masks, and its gradients; dropout by a mask, and its gradient."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.families.scans import scan_rule, softmax_dtype
from torch_refine.abstract_interp_lib.rules.broadcast import broadcast_two
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self, same_as_self, wrap_dim
from torch_refine.abstract_interp_lib.rules.matching import check_same
from torch_refine.abstract_interp_lib.rules.promotion import int_to_float, promote_two

_FLOATS = (torch.float16, torch.bfloat16, torch.float64)
_F32 = torch.float32


def softmax_backward(grad_output: List[int], output: List[int], dim: int) -> List[int]:
    """Gradient and output have one shape, which the result has, too."""
    check_same(output, grad_output, "output")
    wrap_dim(dim, len(grad_output))
    return grad_output


def log_softmax_backward(grad_output: List[int], dim: int) -> List[int]:
    """The shape of the gradient."""
    wrap_dim(dim, len(grad_output))
    return grad_output


def softmax_backward_dtype(
    grad_output: Tuple[int, int], output: Tuple[int, int], input_dtype: int
) -> int:
    """The dtype of the gradient, or float16 where that of the input was and float32 came of it."""
    assert grad_output[1] == output[1], (
        f"gradient and output must have one dtype, got {grad_output[1]} and {output[1]}"
    )
    halved = grad_output[1] == torch.float32 and input_dtype == torch.float16
    return input_dtype if halved else grad_output[1]


# The meta kernels broadcast and always give `input_dtype`.
_BACKWARD = ["aten::_softmax_backward_data", "aten::_log_softmax_backward_data"]
_BACKWARD_OK = [
    Invocation(T(2, 3), T(2, 3), 1, _F32),
    Invocation(T(2, 3), T(2, 3), -2, _F32),
    Invocation(T(), T(), -1, _F32),
    Invocation(T(0, 3), T(0, 3), 0, _F32),
    *[Invocation(T(2, dtype=dtype), T(2, dtype=dtype), 0, dtype) for dtype in _FLOATS],
    Invocation(T(2), T(2), 0, torch.float16),
    Invocation(T(2), T(2), 0, torch.bfloat16, device="cpu"),
    Invocation(T(2, dtype=torch.float64), T(2, dtype=torch.float64), 0, _F32, device="cpu"),
]
_BACKWARD_ERROR = [Invocation(T(2, 3), T(2, 3), 2, _F32), Invocation(T(), T(), 1, _F32)]

shape_family(
    softmax_backward,
    "aten::_softmax_backward_data",
    ok=_BACKWARD_OK,
    error=[
        *_BACKWARD_ERROR,
        Invocation(T(3), T(2, 3), 0, _F32, device="cpu"),
        Invocation(T(2, 4), T(2, 3), 0, _F32),
    ],
)
shape_family(
    log_softmax_backward,
    "aten::_log_softmax_backward_data",
    ok=_BACKWARD_OK,
    error=_BACKWARD_ERROR,
)
dtype_family(
    softmax_backward_dtype,
    *_BACKWARD,
    error=[Invocation(T(2), T(2, dtype=torch.float64), 0, _F32, device="cpu")],
)

shape_family(
    scan_rule,
    "aten::_safe_softmax",
    ok=[
        Invocation(T(2, 3), 1),
        Invocation(T(2, 3), -2),
        Invocation(T(), 0),
        Invocation(T(0, 3), 0),
        *[Invocation(T(2, 3, dtype=dtype), 1) for dtype in _FLOATS],
        Invocation(T(2, 3, dtype=torch.int64), 1, torch.float16),
        Invocation(T(2, 3, dtype=torch.bool), 1, dtype=torch.float32),
        Invocation(T(2, 3, dtype=torch.bfloat16), 1, torch.float64),
    ],
    error=[Invocation(T(2, 3), 2, device="cpu"), Invocation(T(), 1, device="cpu")],
)
dtype_family(softmax_dtype, "aten::_safe_softmax")


def masked_softmax(
    self: List[int], mask: List[int], dim: Optional[int], mask_type: Optional[int]
) -> List[int]:
    """The shape of `self`, which the mask has, too, unless it is of a kind that is expanded."""
    wrap_dim(-1 if dim is None else dim, len(self))
    if mask_type is None or mask_type == 2:
        check_same(mask, self, "the mask")
    return self


def masked_softmax_backward(
    grad_output: List[int], mask: List[int], dim: Optional[int]
) -> List[int]:
    """The gradient and the mask have one shape, which the result has, too."""
    wrap_dim(-1 if dim is None else dim, len(grad_output))
    check_same(mask, grad_output, "the mask")
    return grad_output


def masked_softmax_dtype(self: Tuple[int, int], mask: Tuple[int, int]) -> int:
    """The dtype of `self`; the mask is bool."""
    assert mask[1] == torch.bool, f"the mask must be bool, got dtype {mask[1]}"
    return self[1]


def masked_softmax_backward_dtype(
    grad_output: Tuple[int, int], output: Tuple[int, int], mask: Tuple[int, int]
) -> int:
    """Gradient and output have one dtype; the mask is bool."""
    assert mask[1] == torch.bool, f"the mask must be bool, got dtype {mask[1]}"
    assert grad_output[1] == output[1], (
        f"gradient and output must have one dtype, got {grad_output[1]} and {output[1]}"
    )
    return grad_output[1]


_MASK = T(2, 3, dtype=torch.bool)

# There are no meta kernels.
shape_family(
    masked_softmax,
    "aten::_masked_softmax",
    ok=[
        Invocation(T(2, 3), _MASK, device="cpu"),
        Invocation(T(2, 3), _MASK, 0, 2, device="cpu"),
        Invocation(T(), T(dtype=torch.bool), device="cpu"),
        Invocation(T(2, 3, 4, 4), T(2, 4, dtype=torch.bool), 3, 1, device="cpu"),
        Invocation(T(2, 3, 4, 4), T(4, 4, dtype=torch.bool), -1, 0, device="cpu"),
        *[Invocation(T(2, 3, dtype=dtype), _MASK, device="cpu") for dtype in _FLOATS],
    ],
    error=[
        Invocation(T(4, 3), _MASK, device="cpu"),
        Invocation(T(1, 2, 3), _MASK, None, 2, device="cpu"),
        Invocation(T(2, 3), _MASK, 2, device="cpu"),
    ],
)
dtype_family(
    masked_softmax_dtype,
    "aten::_masked_softmax",
    error=[Invocation(T(2, 3), T(2, 3), device="cpu")],
)
shape_family(
    masked_softmax_backward,
    "aten::_masked_softmax_backward",
    ok=[
        Invocation(T(2, 3), T(2, 3), _MASK, device="cpu"),
        Invocation(T(2, 3), T(2, 3), _MASK, 0, device="cpu"),
        *[
            Invocation(T(2, 3, dtype=dtype), T(2, 3, dtype=dtype), _MASK, device="cpu")
            for dtype in _FLOATS
        ],
    ],
    error=[
        Invocation(T(2, 4), T(2, 4), _MASK, device="cpu"),
        Invocation(T(1, 2, 3), T(1, 2, 3), _MASK, device="cpu"),
        Invocation(T(2, 3), T(2, 3), _MASK, 2, device="cpu"),
    ],
)
dtype_family(
    masked_softmax_backward_dtype,
    "aten::_masked_softmax_backward",
    error=[
        Invocation(T(2, 3), T(2, 3), T(2, 3), device="cpu"),
        Invocation(T(2, 3), T(2, 3, dtype=torch.float64), _MASK, device="cpu"),
    ],
)


def dropout_backward(grad_output: List[int], mask: List[int]) -> List[int]:
    """Gradient and mask broadcast."""
    return broadcast_two(grad_output, mask)


def dropout_backward_dtype(grad_output: Tuple[int, int], mask: Tuple[int, int]) -> int:
    """Gradient and mask promote; integers and bool become float32 when scaled."""
    return int_to_float(promote_two(grad_output, mask))


# The meta kernel casts the mask to the dtype of the gradient.
shape_family(
    dropout_backward,
    "aten::native_dropout_backward",
    ok=[
        Invocation(T(2, 3), T(2, 3, dtype=torch.bool), 2.0),
        Invocation(T(2, 1), T(3, dtype=torch.bool), 2.0),
        Invocation(T(), T(dtype=torch.bool), 0.5),
        *[Invocation(T(2, dtype=dtype), T(2, dtype=torch.bool), 2.0) for dtype in _FLOATS],
        Invocation(T(2, dtype=torch.int64), T(2, dtype=torch.bool), 2.0),
        Invocation(T(2, dtype=torch.bool), T(2, dtype=torch.bool), 2.0),
        Invocation(T(2, dtype=torch.float16), T(2), 2.0, device="cpu"),
        Invocation(T(2, dtype=torch.bool), T(2, dtype=torch.uint8), 2.0, device="cpu"),
    ],
    error=[Invocation(T(2, 3), T(2, dtype=torch.bool), 2.0)],
)
dtype_family(dropout_backward_dtype, "aten::native_dropout_backward")


def dropped_and_mask(self: List[int]) -> Tuple[List[int], List[int]]:
    """What dropout leaves of `self`, and the mask, of the same shape."""
    return self, self


def dropped_and_mask_dtype(self: Tuple[int, int]) -> Tuple[int, int]:
    """The dtype of `self`, and bytes."""
    return self[1], torch.uint8


# Both run on CUDA only, where the mask has the shape of `self`.
shape_family(
    same_as_self,
    "aten::_masked_scale",
    ok=[
        Invocation(T(2, 3), T(2, 3, dtype=torch.uint8), 2.0),
        Invocation(T(), T(dtype=torch.uint8), 2.0),
        *[Invocation(T(2, dtype=dtype), T(2, dtype=torch.uint8), 2.0) for dtype in _FLOATS],
    ],
)
dtype_family(dtype_of_self, "aten::_masked_scale")
shape_family(
    dropped_and_mask,
    "aten::_fused_dropout",
    ok=[
        Invocation(T(2, 3), 0.5),
        Invocation(T(), 0.5),
        Invocation(T(0, 3), 0.1),
        *[Invocation(T(2, dtype=dtype), 0.5) for dtype in _FLOATS],
    ],
)
dtype_family(dropped_and_mask_dtype, "aten::_fused_dropout")
