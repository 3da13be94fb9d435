"""In-place operators without a functional variant."""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, dtype_family, shape_family
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self, same_as_self
from torch_refine.abstract_interp_lib.rules.variants import dtype_of_written

_DTYPES = [T(2, 3), T(), T(0, 3, dtype=torch.float16), T(3, dtype=torch.complex64)]

shape_family(
    same_as_self,
    "aten::requires_grad_",
    ok=[Invocation(tensor) for tensor in _DTYPES] + [Invocation(T(2), False)],
)
dtype_family(dtype_of_self, "aten::requires_grad_")

shape_family(
    same_as_self,
    "aten::normal_",
    ok=[Invocation(T(2, 3), 1.0, 2.0), Invocation(T(dtype=torch.float16)), Invocation(T(0))],
)
dtype_family(dtype_of_self, "aten::normal_")


def fill_diagonal(self: List[int]) -> List[int]:
    """The shape of self, which must have at least 2 dimensions."""
    assert len(self) >= 2, (
        f"aten::fill_diagonal_: self must have at least 2 dimensions, got shape {self}"
    )
    return self


shape_family(
    fill_diagonal,
    "aten::fill_diagonal_",
    ok=[
        Invocation(T(2, 3), 1),
        Invocation(T(5, 2, dtype=torch.int64), 2, True),
        Invocation(T(3, 3, 3, dtype=torch.bool), 1),
    ],
    error=[Invocation(T(3), 1)],
)
dtype_family(dtype_of_self, "aten::fill_diagonal_")

# Scalar copies, as in scripted programs.
_COPY_OF_INT = ("aten::copy_.int",)
_COPY_OF_FLOAT = ("aten::copy_.float",)
_INTO = [T(2, 3), T(), T(0, 3, dtype=torch.int64), T(3, dtype=torch.bool)]
shape_family(same_as_self, *_COPY_OF_INT, ok=[Invocation(tensor, 2) for tensor in _INTO])
dtype_family(dtype_of_self, *_COPY_OF_INT)
shape_family(same_as_self, *_COPY_OF_FLOAT, ok=[Invocation(tensor, 2.5) for tensor in _INTO])
dtype_family(dtype_of_self, *_COPY_OF_FLOAT)


def copied_tensor(self: List[int], other: List[int]) -> List[int]:
    """The shape of self, to which other expands."""
    return self


shape_family(
    copied_tensor,
    "aten::copy_.Tensor",
    ok=[Invocation(T(2, 3), T(3, dtype=torch.int64)), Invocation(T(dtype=torch.int64), T())],
)
dtype_family(dtype_of_self, "aten::copy_.Tensor")


# Initializers of parameters.


def same_as_tensor(tensor: List[int]) -> List[int]:
    """The shape of the initialized tensor."""
    return tensor


def dtype_of_tensor(tensor: Tuple[int, int]) -> int:
    """The dtype of the initialized tensor."""
    return tensor[1]


shape_family(
    same_as_tensor, "aten::_no_grad_fill_", ok=[Invocation(tensor, 2.0) for tensor in _DTYPES]
)
dtype_family(dtype_of_tensor, "aten::_no_grad_fill_")
shape_family(same_as_tensor, "aten::_no_grad_zero_", ok=[Invocation(tensor) for tensor in _DTYPES])
dtype_family(dtype_of_tensor, "aten::_no_grad_zero_")
_DRAWN = ("aten::_no_grad_normal_", "aten::_no_grad_uniform_")
shape_family(
    same_as_tensor,
    *_DRAWN,
    ok=[Invocation(T(2, 3), 0.0, 1.0), Invocation(T(0, dtype=torch.float16), 0.0, 1.0)],
)
dtype_family(dtype_of_tensor, *_DRAWN)

# Sobol sequences.

_STATE = T(2, 30, dtype=torch.int64)
shape_family(
    same_as_self, "aten::_sobol_engine_initialize_state_", ok=[Invocation(_STATE, 2, device="cpu")]
)
dtype_family(dtype_of_self, "aten::_sobol_engine_initialize_state_")
shape_family(
    same_as_self,
    "aten::_sobol_engine_ff_",
    ok=[Invocation(T(2, dtype=torch.int64), 1, _STATE, 2, 0, device="cpu")],
)
dtype_family(dtype_of_self, "aten::_sobol_engine_ff_")
shape_family(
    same_as_self,
    "aten::_sobol_engine_scramble_",
    ok=[Invocation(_STATE, T(2, 30, 30, dtype=torch.int64), 2, device="cpu")],
)
dtype_family(dtype_of_self, "aten::_sobol_engine_scramble_")


def indexed_self(self: List[int]) -> List[int]:
    """The shape of self, of which some elements are replaced."""
    return self


shape_family(
    indexed_self,
    "aten::_index_put_impl_.hacked_twin",
    ok=[
        Invocation(T(2, 3), [T(1, dtype=torch.int64)], T(3), device="cpu"),
        Invocation(T(4, dtype=torch.int64), [T(2, dtype=torch.int64)], T(dtype=torch.int64)),
    ],
)
dtype_family(dtype_of_self, "aten::_index_put_impl_.hacked_twin")


def as_strided_by_offset(size: List[int]) -> List[int]:
    """The argument `size`."""
    return size


shape_family(
    as_strided_by_offset,
    "aten::set_.source_Tensor_storage_offset",
    ok=[Invocation(T(2), T(6), 1, [2, 2], [2, 1], device="cpu")],
)
dtype_family(dtype_of_self, "aten::set_.source_Tensor_storage_offset")


def normal_out_dtype(out: Tuple[int, int]) -> int:
    """The dtype of the tensor written to."""
    return dtype_of_written(out, out[1])


shape_family(
    same_as_self,
    "aten::normal.out",
    ok=[
        Invocation(T(2, 3), 0.0, 1.0, out=T(2, 3), device="cpu"),
        Invocation(T(3), out=T(0), device="cpu"),
    ],
)
dtype_family(normal_out_dtype, "aten::normal.out")


def gradient_of_pool(self: List[int]) -> List[int]:
    """The shape of the pooled input."""
    return self


def gradient_of_pool_dtype(grad_input: Tuple[int, int]) -> int:
    """The dtype of the tensor written to."""
    return dtype_of_written(grad_input, grad_input[1])


shape_family(
    gradient_of_pool,
    "aten::adaptive_avg_pool3d_backward.grad_input",
    ok=[
        Invocation(T(1, 2, 2, 2, 2), T(1, 2, 4, 4, 4), grad_input=T(0), device="cpu"),
        Invocation(T(2, 1, 1, 1), T(2, 3, 3, 3), grad_input=T(2, 3, 3, 3), device="cpu"),
    ],
)
dtype_family(gradient_of_pool_dtype, "aten::adaptive_avg_pool3d_backward.grad_input")


def gradients_of_convolution(
    self: List[int], weight: List[int]
) -> Tuple[List[int], List[int], List[int]]:
    """The shapes of input, weight and bias."""
    return self, weight, weight[:1]


def gradients_of_convolution_dtype(
    grad_input: Tuple[int, int], grad_weight: Tuple[int, int], grad_bias: Tuple[int, int]
) -> Tuple[int, int, int]:
    """The dtypes of the tensors written to."""
    return (
        dtype_of_written(grad_input, grad_input[1]),
        dtype_of_written(grad_weight, grad_weight[1]),
        dtype_of_written(grad_bias, grad_bias[1]),
    )


shape_family(
    gradients_of_convolution,
    "aten::_slow_conv2d_backward.grad_input",
    ok=[
        Invocation(
            *(T(1, 3, 3, 3), T(1, 2, 4, 4), T(3, 2, 2, 2), [2, 2], [1, 1], [0, 0]),
            grad_input=T(0),
            grad_weight=T(0),
            grad_bias=T(0),
            device="cpu",
        ),
    ],
)
dtype_family(gradients_of_convolution_dtype, "aten::_slow_conv2d_backward.grad_input")
