"""Softmax, masked softmax and their gradients; masked dropout and its gradient."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, dtype_family, shape_family
from torch_refine.abstract_interp_lib.families.reductions.scans import scan_rule
from torch_refine.abstract_interp_lib.rules.broadcast import broadcast_two
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self, same_as_self, wrap_dim
from torch_refine.abstract_interp_lib.rules.matching import check_same
from torch_refine.abstract_interp_lib.rules.promotion import int_to_float, promote_two

_FLOATS = (torch.float16, torch.bfloat16, torch.float64)
_F32 = torch.float32


# Softmax. Its meta kernels accept any dimension, and integers, which the CPU kernels reject.

_SOFTMAXES = ["aten::softmax.int", "aten::log_softmax.int", "aten::special_softmax"]
_SOFTMAX_OK = [
    Invocation(T(2, 3), 1),
    Invocation(T(2, 3), -2),
    Invocation(T(), 0),
    Invocation(T(), -1),
    Invocation(T(0, 3), 0),
    *[Invocation(T(2, 3, dtype=dtype), 1) for dtype in _FLOATS],
]
_SOFTMAX_ERROR = [
    Invocation(T(2, 3), 2, device="cpu"),
    Invocation(T(2, 3), -3, device="cpu"),
    Invocation(T(), 1, device="cpu"),
]

shape_family(
    scan_rule,
    *_SOFTMAXES,
    ok=[
        *_SOFTMAX_OK,
        Invocation(T(2, 3), 1, None),
        Invocation(T(2, 3, dtype=torch.int64), 1, torch.float32),
        Invocation(T(2, 3, dtype=torch.bool), 1, torch.bfloat16),
        Invocation(T(2, 3, dtype=torch.float16), 1, torch.float64),
    ],
    error=_SOFTMAX_ERROR,
)
shape_family(
    scan_rule,
    "aten::special_log_softmax",
    ok=[*_SOFTMAX_OK, Invocation(T(2, 3, dtype=torch.int64), 1, dtype=torch.float16)],
    error=_SOFTMAX_ERROR,
)


def softmax_dtype(self: Tuple[int, int], dtype: Optional[int]) -> int:
    """The argument `dtype`, or the dtype of `self`."""
    return self[1] if dtype is None else dtype


dtype_family(softmax_dtype, *_SOFTMAXES, "aten::special_log_softmax")

_PRIMITIVES = ["aten::_softmax", "aten::_log_softmax"]

# Only the CUDA kernels and the meta kernels support `half_to_float`.
shape_family(
    scan_rule,
    *_PRIMITIVES,
    ok=[
        Invocation(T(2, 3), 1, False),
        Invocation(T(2, 3), -2, False),
        Invocation(T(), 0, False),
        Invocation(T(0, 3), 0, False),
        *[Invocation(T(2, 3, dtype=dtype), 1, False) for dtype in _FLOATS],
        Invocation(T(2, 3, dtype=torch.float16), 1, True),
    ],
    error=[
        Invocation(T(2, 3), 2, False, device="cpu"),
        Invocation(T(), 1, False, device="cpu"),
    ],
)


def softmax_primitive_dtype(self: Tuple[int, int], half_to_float: bool) -> int:
    """The dtype of `self`, or float32 with `half_to_float`."""
    return torch.float32 if half_to_float else self[1]


dtype_family(softmax_primitive_dtype, *_PRIMITIVES)


def softmax_backward(grad_output: List[int], output: List[int], dim: int) -> List[int]:
    """Gradient and output have the same shape, which the result keeps."""
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
    """The dtype of the gradient, or float16 if the input was float16 and the output float32."""
    assert grad_output[1] == output[1], (
        f"gradient and output must have the same dtype, got {grad_output[1]} and {output[1]}"
    )
    halved = grad_output[1] == torch.float32 and input_dtype == torch.float16
    return input_dtype if halved else grad_output[1]


# The meta kernels broadcast and always return `input_dtype`.
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
    """The shape of `self`, which the mask also has unless its `mask_type` implies expansion."""
    wrap_dim(-1 if dim is None else dim, len(self))
    if mask_type is None or mask_type == 2:
        check_same(mask, self, "the mask")
    return self


def masked_softmax_backward(
    grad_output: List[int], mask: List[int], dim: Optional[int]
) -> List[int]:
    """Gradient and mask have the same shape, which the result keeps."""
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
    """Gradient and output have the same dtype; the mask is bool."""
    assert mask[1] == torch.bool, f"the mask must be bool, got dtype {mask[1]}"
    assert grad_output[1] == output[1], (
        f"gradient and output must have the same dtype, got {grad_output[1]} and {output[1]}"
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
    """Gradient and mask promote; integers and bool become float32 by scaling."""
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
    """The shape of `self`, for the output and the mask."""
    return self, self


def dropped_and_mask_dtype(self: Tuple[int, int]) -> Tuple[int, int]:
    """The dtype of `self`, and uint8 for the mask."""
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
