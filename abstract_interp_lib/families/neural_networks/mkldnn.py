"""Kernels of oneDNN (formerly MKL-DNN), for dense tensors and for tensors of its own layout."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    TensorCase,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.families.shapes_and_indexing.permutations import (
    transpose_rule,
)
from torch_refine.abstract_interp_lib.rules.convolution import convolution
from torch_refine.abstract_interp_lib.rules.device_libraries import room
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self, same_as_self
from torch_refine.abstract_interp_lib.rules.normalization import is_half
from torch_refine.abstract_interp_lib.rules.sizes import (
    append_size,
    product,
    replace_size,
    view_sizes,
)
from torch_refine.abstract_interp_lib.rules.windows import per_dimension

_MKLDNN = torch._mkldnn
# Only some CPUs support 16-bit floats.
_BYTE = torch.uint8


def reshaped(self: List[int], shape: List[int]) -> List[int]:
    """The given shape, with -1 inferred."""
    return view_sizes(self, shape)


shape_family(
    reshaped,
    "aten::_mkldnn_reshape",
    ok=[
        Invocation(T(2, 3, 4, layout=_MKLDNN), [-1, 4], device="cpu"),
        Invocation(T(0, 3, layout=_MKLDNN), [3, 0], device="cpu"),
        Invocation(T(2, 3, dtype=_BYTE, layout=_MKLDNN), [6], device="cpu"),
    ],
    error=[Invocation(T(2, 3, 4, layout=_MKLDNN), [5, 4], device="cpu")],
)
shape_family(
    transpose_rule,
    "aten::_mkldnn_transpose",
    ok=[
        Invocation(T(2, 3, 4, layout=_MKLDNN), -1, 0, device="cpu"),
        Invocation(T(2, 3, dtype=_BYTE, layout=_MKLDNN), 1, 1, device="cpu"),
    ],
    error=[Invocation(T(2, 3, layout=_MKLDNN), 0, 2, device="cpu")],
)
dtype_family(dtype_of_self, "aten::_mkldnn_reshape", "aten::_mkldnn_transpose")


def adaptive_pool(self: List[int], output_size: List[int]) -> List[int]:
    """The last two dimensions become `output_size`, which must divide them."""
    assert len(self) == 4, f"the input must have 4 dimensions, got shape {self}"
    sizes = per_dimension(output_size, 2)
    for i in range(2):
        assert sizes[i] != 0 and self[2 + i] % sizes[i] == 0, (
            f"output_size must divide the sizes of {self}, got {output_size}"
        )
    return self[:2] + sizes


shape_family(
    adaptive_pool,
    "aten::mkldnn_adaptive_avg_pool2d",
    ok=[
        Invocation(T(2, 3, 8, 6, layout=_MKLDNN), [4, 3], device="cpu"),
        Invocation(T(2, 3, 8, 8, layout=_MKLDNN), [4], device="cpu"),
        Invocation(T(0, 3, 8, 8, layout=_MKLDNN), [4, 4], device="cpu"),
    ],
    error=[
        Invocation(T(3, 8, 8, layout=_MKLDNN), [4, 4], device="cpu"),
        Invocation(T(2, 3, 8, 8, layout=_MKLDNN), [3, 4], device="cpu"),
        Invocation(T(2, 3, 8, 8, layout=_MKLDNN), [0, 4], device="cpu"),
    ],
)
dtype_family(dtype_of_self, "aten::mkldnn_adaptive_avg_pool2d")


def dtype_of_grad_output(grad_output: Tuple[int, int]) -> int:
    """The dtype of the incoming gradient."""
    return grad_output[1]


shape_family(
    same_as_self,
    "aten::mkldnn_adaptive_avg_pool2d_backward",
    ok=[
        Invocation(T(2, 3, 4, 4, layout=_MKLDNN), T(2, 3, 8, 8, layout=_MKLDNN), device="cpu"),
    ],
)
dtype_family(dtype_of_grad_output, "aten::mkldnn_adaptive_avg_pool2d_backward")


def window_count(size: int, kernel: int, stride: int, padding: int, ceil_mode: bool) -> int:
    """The output size of a pool along one dimension.

    With `ceil_mode` the last window may exceed the bounds, but must not start in the right padding.
    Unlike in other pools, padding may have any size.
    """
    assert stride > 0, f"stride must be positive, got {stride}"
    room = size + 2 * padding - kernel
    windows = room // stride
    if ceil_mode:
        windows = max(windows, min((room + stride - 1) // stride, (size + padding - 1) // stride))
    assert windows >= 0, f"kernel size {kernel} is too large for an input size of {size}"
    return windows + 1


def max_pool(
    self: List[int],
    kernel_size: List[int],
    stride: List[int],
    padding: List[int],
    dilation: List[int],
    ceil_mode: bool,
) -> List[int]:
    """Pool all spatial dimensions."""
    rank = len(self) - 2
    assert rank > 0, f"the input must have at least 2 dimensions, got shape {self}"
    for step in dilation:
        assert step == 1, f"dilation is not supported, got {dilation}"
    kernels = per_dimension(kernel_size, rank)
    strides = per_dimension(stride if len(stride) > 0 else kernel_size, rank)
    paddings = per_dimension(padding, rank)
    out = self[:2]
    for i in range(rank):
        out.append(window_count(self[2 + i], kernels[i], strides[i], paddings[i], ceil_mode))
    return out


for _operator, _rank in (("aten::mkldnn_max_pool2d", 2), ("aten::mkldnn_max_pool3d", 3)):
    _INPUT = T(2, 3, *[8, 7, 6][:_rank], layout=_MKLDNN)
    _TWO = [2] * _rank
    shape_family(
        max_pool,
        _operator,
        ok=[
            Invocation(_INPUT, _TWO, device="cpu"),
            Invocation(_INPUT, _TWO, ceil_mode=True, device="cpu"),
            Invocation(_INPUT, [3] * _rank, _TWO, [1] * _rank, device="cpu"),
            Invocation(_INPUT, [3] * _rank, _TWO, [1] * _rank, [1] * _rank, True, device="cpu"),
            # The window that would start at 4 is in the padding, so it is dropped.
            Invocation(
                T(1, 1, *[3] * _rank, layout=_MKLDNN),
                *(_TWO, _TWO, [1] * _rank, [1] * _rank, True),
                device="cpu",
            ),
            Invocation(_INPUT, _TWO, _TWO, [5] * _rank, device="cpu"),
            Invocation(_INPUT, _TWO, _TWO, [5] * _rank, [1] * _rank, True, device="cpu"),
            Invocation(T(0, 3, *[4] * _rank, layout=_MKLDNN), _TWO, device="cpu"),
        ],
        error=[
            Invocation(T(2, 3, layout=_MKLDNN), _TWO, device="cpu"),
            Invocation(_INPUT, _TWO, _TWO, [0] * _rank, _TWO, device="cpu"),
            Invocation(_INPUT, _TWO, [0] * _rank, device="cpu"),
            Invocation(_INPUT, [9] * _rank, device="cpu"),
            Invocation(_INPUT, [2] * (_rank + 1), device="cpu"),
        ],
    )
dtype_family(dtype_of_self, "aten::mkldnn_max_pool2d", "aten::mkldnn_max_pool3d")


def linear(self: List[int], weight: List[int]) -> List[int]:
    """The last dimension becomes the number of rows of the weight."""
    assert len(weight) == 2, f"weight must be a matrix, got shape {weight}"
    assert len(self) > 0 and self[-1] == weight[1], (
        f"weight expects {weight[1]} input features, got shape {self}"
    )
    return append_size(self[:-1], weight[0])


_WEIGHT = T(4, 3, layout=_MKLDNN)
shape_family(
    linear,
    "aten::mkldnn_linear",
    ok=[
        Invocation(T(2, 3, layout=_MKLDNN), _WEIGHT, device="cpu"),
        Invocation(T(5, 2, 3, layout=_MKLDNN), T(4, 3), T(4), device="cpu"),
        Invocation(T(3, layout=_MKLDNN), _WEIGHT, device="cpu"),
        Invocation(T(0, 3, layout=_MKLDNN), _WEIGHT, device="cpu"),
    ],
    error=[
        Invocation(T(2, 3, layout=_MKLDNN), T(4, 2, layout=_MKLDNN), device="cpu"),
        Invocation(T(2, 3, layout=_MKLDNN), T(3, layout=_MKLDNN), device="cpu"),
    ],
)
dtype_family(dtype_of_self, "aten::mkldnn_linear")


def linear_input_gradient(
    input_size: List[int], grad_output: List[int], weight: List[int]
) -> List[int]:
    """The given size; for a matrix, the sizes of the operands."""
    if len(input_size) > 2:
        rows = product(grad_output[:-1])
        return view_sizes([rows, weight[1]], input_size)
    else:
        return [grad_output[0], weight[1]]


shape_family(
    linear_input_gradient,
    "aten::mkldnn_linear_backward_input",
    ok=[
        Invocation([2, 3], T(2, 4, layout=_MKLDNN), T(4, 3), device="cpu"),
        Invocation([5, 2, 3], T(5, 2, 4, layout=_MKLDNN), T(4, 3), device="cpu"),
        Invocation([5, -1, 3], T(5, 2, 4, layout=_MKLDNN), T(4, 3), device="cpu"),
        Invocation([7, 5], T(2, 4, layout=_MKLDNN), T(4, 3), device="cpu"),
    ],
    error=[Invocation([5, 3, 3], T(5, 2, 4, layout=_MKLDNN), T(4, 3), device="cpu")],
)
dtype_family(dtype_of_grad_output, "aten::mkldnn_linear_backward_input")


def linear_weight_gradients(
    grad_output: List[int], input: List[int], bias_defined: bool
) -> Tuple[List[int], List[int]]:
    """The gradients of the weight and of the bias, if there is one."""
    rows = grad_output[-1]
    bias = [rows] if bias_defined else grad_output[:0]
    return [rows, input[-1]], bias


def linear_weight_gradients_dtype(weight: Tuple[int, int]) -> Tuple[int, int]:
    """The dtype of the weight."""
    return weight[1], weight[1]


shape_family(
    linear_weight_gradients,
    "aten::mkldnn_linear_backward_weights",
    ok=[
        *[
            Invocation(
                *(T(2, 4, layout=_MKLDNN), T(2, 3, layout=_MKLDNN), T(4, 3), bias), device="cpu"
            )
            for bias in (True, False)
        ],
        Invocation(
            *(T(5, 2, 4, layout=_MKLDNN), T(5, 2, 3, layout=_MKLDNN), _WEIGHT, True),
            device="cpu",
        ),
    ],
)
dtype_family(linear_weight_gradients_dtype, "aten::mkldnn_linear_backward_weights")


def linear_gradients(
    self: List[int], grad_output: List[int], weight: List[int], output_mask: List[bool]
) -> Tuple[List[int], List[int], List[int]]:
    """The gradients of input, weight and bias."""
    weights, bias = linear_weight_gradients(grad_output, self, output_mask[2])
    return self, weights, bias


def linear_gradients_dtype(
    grad_output: Tuple[int, int], weight: Tuple[int, int]
) -> Tuple[int, int, int]:
    """The dtypes of the incoming gradient and of the weight."""
    return grad_output[1], weight[1], weight[1]


shape_family(
    linear_gradients,
    "aten::mkldnn_linear_backward",
    ok=[
        *[
            Invocation(
                *(T(2, 3, layout=_MKLDNN), T(2, 4, layout=_MKLDNN), T(4, 3), mask), device="cpu"
            )
            for mask in ([True] * 3, [False] * 3, [True, False, False], [False, True, False])
        ],
        Invocation(
            *(T(5, 2, 3, layout=_MKLDNN), T(5, 2, 4, layout=_MKLDNN), T(4, 3), [True] * 3),
            device="cpu",
        ),
    ],
)
dtype_family(linear_gradients_dtype, "aten::mkldnn_linear_backward")


def reordered_weight(self: List[int], groups: int) -> List[int]:
    """The shape of `self`; groups divide the output channels."""
    assert groups > 0, f"groups must be positive, got {groups}"
    channels = self[0]
    if groups != 1:
        channels = channels // groups * groups
    return replace_size(self, 0, channels)


def reordered_weight_2d(self: List[int], groups: int) -> List[int]:
    """`self` may have a leading dimension of groups, which is merged with the channels."""
    if len(self) == 5:
        return reordered_weight(replace_size(self[1:], 0, self[0] * self[1]), groups)
    else:
        return reordered_weight(self, groups)


# The weight is followed by padding, stride, dilation and groups.
_REORDER = ([0, 0], [1, 1], [1, 1])
_REORDER_3D = ([0] * 3, [1] * 3, [1] * 3)
shape_family(
    reordered_weight_2d,
    "aten::mkldnn_reorder_conv2d_weight",
    ok=[
        Invocation(T(4, 3, 3, 3, layout=_MKLDNN), device="cpu"),
        Invocation(T(4, 3, 3, 3, layout=_MKLDNN), *_REORDER, 2, device="cpu"),
        Invocation(T(4, 3, 3, 3, layout=_MKLDNN), *_REORDER, 2, [2, 6, 8, 8], device="cpu"),
        Invocation(T(2, 2, 3, 3, 3, layout=_MKLDNN), *_REORDER, 2, device="cpu"),
    ],
    error=[Invocation(T(4, 3, 3, 3, layout=_MKLDNN), *_REORDER, 0, device="cpu")],
)
shape_family(
    reordered_weight,
    "aten::mkldnn_reorder_conv3d_weight",
    ok=[
        Invocation(T(4, 3, 3, 3, 3, layout=_MKLDNN), device="cpu"),
        Invocation(T(4, 1, 3, 3, 3, layout=_MKLDNN), *_REORDER_3D, 4, device="cpu"),
    ],
    error=[Invocation(T(4, 3, 3, 3, 3, layout=_MKLDNN), *_REORDER_3D, 0, device="cpu")],
)
dtype_family(
    dtype_of_self,
    "aten::mkldnn_reorder_conv2d_weight",
    "aten::mkldnn_reorder_conv3d_weight",
)


# oneDNN kernels for dense tensors.


def mkldnn_convolution(
    self: List[int],
    weight: List[int],
    bias: Optional[List[int]],
    padding: List[int],
    stride: List[int],
    dilation: List[int],
    groups: int,
) -> List[int]:
    """The output shape of a convolution of a batched input."""
    return convolution(self, weight, bias, stride, padding, dilation, False, [0], groups)


# There is no meta kernel, and only some CPUs support 16-bit floats. The weight may have another
# dtype. The bias is followed by padding, stride, dilation and groups.
_HALF = torch.bfloat16
shape_family(
    mkldnn_convolution,
    "aten::mkldnn_convolution",
    ok=[
        Invocation(T(2, 3, 8, 7), T(4, 3, 3, 2), None, [1, 0], [2, 1], [1, 2], 1, device="cpu"),
        Invocation(T(2, 3, 8), T(4, 3, 3), T(4), [1], [2], [1], 1, device="cpu"),
        Invocation(T(2, 3, 8, 8, 8), T(4, 3, 3, 3, 3), T(4), [1, 0, 1], [2], [1], 1, device="cpu"),
        Invocation(T(2, 4, 8, 8), T(6, 2, 3, 3), T(6), [1], [2], [1], 2, device="cpu"),
        Invocation(T(0, 3, 8, 8), T(4, 3, 3, 3), None, [1], [2], [1], 1, device="cpu"),
    ],
    error=[
        Invocation(T(3, 8, 8), T(4, 3, 3, 3), None, [1], [1], [1], 1, device="cpu"),
        Invocation(T(2, 2, 8, 8), T(4, 3, 3, 3), None, [1], [1], [1], 1, device="cpu"),
        Invocation(T(2, 3, 8, 8), T(4, 3, 3, 3), T(3), [1], [1], [1], 1, device="cpu"),
        Invocation(T(2, 3, 2, 8), T(4, 3, 3, 3), None, [0], [1], [1], 1, device="cpu"),
    ],
)
dtype_family(
    dtype_of_self,
    "aten::mkldnn_convolution",
    ok=[
        Invocation(
            *(T(2, 3, 8, 8, dtype=torch.uint8), T(4, 3, 3, 3, dtype=torch.uint8)),
            *(None, [1], [1], [1], 1),
            device="cpu",
        ),
    ],
)


def mkldnn_rnn_layer(
    input: List[int], hx_: List[int], cx_: List[int], hidden_size: int
) -> Tuple[List[int], List[int], List[int], List[int]]:
    """The output, the last states, and the workspace."""
    assert len(input) >= 3, f"the input must have 3 dimensions, got shape {input}"
    return [input[0], input[1], hidden_size], hx_, cx_, room()


def mkldnn_rnn_layer_dtype(
    input: Tuple[int, int], hx_: Tuple[int, int], cx_: Tuple[int, int]
) -> Tuple[int, int, int, int]:
    """The dtypes of input and states, and uint8."""
    return input[1], hx_[1], cx_[1], torch.uint8


def weights(gates: int, dtype: torch.dtype = torch.float32) -> list[TensorCase]:
    """The parameters for 4 hidden features, 3 input features and the given number of gates."""
    rows = 4 * gates
    return [
        T(rows, 3, dtype=dtype),
        T(rows, 4, dtype=dtype),
        T(rows, dtype=dtype),
        T(rows, dtype=dtype),
    ]


# An LSTM, a GRU and a plain RNN, by the parameter `mode`, and their numbers of gates.
_MODES = {2: 4, 3: 3, 0: 1}
_STATE = T(1, 2, 4)
# hidden_size is followed by num_layers, has_biases, bidirectional, batch_first and train.
_ONE_LAYER = (1, True, False)
shape_family(
    mkldnn_rnn_layer,
    "aten::mkldnn_rnn_layer",
    ok=[
        *[
            Invocation(
                *(T(5, 2, 3), *weights(gates), _STATE, _STATE, False, [], mode, 4),
                *(*_ONE_LAYER, False, True),
            )
            for mode, gates in _MODES.items()
        ],
        Invocation(
            *(T(2, 5, 3), *weights(4), T(2, 4), T(2, 4), True, [], 2, 4, *_ONE_LAYER, True, False),
        ),
        Invocation(
            *(T(0, 2, 3), *weights(4), _STATE, _STATE, False, [], 2, 4, *_ONE_LAYER, False, False),
        ),
        Invocation(
            *(T(5, 2, 3), *weights(4), _STATE, _STATE, True, [], 2, 4, *_ONE_LAYER, False, True),
            device="cpu",
        ),
        Invocation(
            *(T(5, 2, 3, dtype=_HALF), *weights(4, _HALF), *[T(1, 2, 4, dtype=_HALF)] * 2),
            *(False, [], 2, 4, *_ONE_LAYER, False, True),
        ),
    ],
    error=[
        Invocation(
            *(T(5, 3), *weights(4), T(1, 4), T(1, 4), False, [], 2, 4, *_ONE_LAYER, False, False),
            device="cpu",
        ),
    ],
)
dtype_family(mkldnn_rnn_layer_dtype, "aten::mkldnn_rnn_layer")


def mkldnn_rnn_layer_backward(
    input: List[int],
    weight1: List[int],
    weight2: List[int],
    weight3: List[int],
    hx_: List[int],
    cx_tmp: List[int],
    mode: int,
    hidden_size: int,
) -> Tuple[List[int], List[int], List[int], List[int], List[int], List[int], List[int]]:
    """The gradients of the input, of both weights and both biases, and of the states.

    A GRU (`mode` 3) has one more gate in the computation than in its biases.
    """
    bias = [4 * hidden_size if mode == 3 else weight3[0]]
    return input, weight1, weight2, bias, list(bias), hx_, cx_tmp


def mkldnn_rnn_layer_backward_dtype(
    input: Tuple[int, int],
) -> Tuple[int, int, int, int, int, int, int]:
    """All gradients are float32, even for half-precision inputs; oneDNN supports no other dtype."""
    dtype = torch.float32 if is_half(input[1]) else input[1]
    return dtype, dtype, dtype, dtype, dtype, dtype, dtype


def backward_case(mode: int, gates: int, dtype: torch.dtype = torch.float32) -> Invocation:
    """The gradient of a network over 5 steps and a batch of 2."""
    output, state = T(5, 2, 4, dtype=dtype), T(1, 2, 4, dtype=dtype)
    return Invocation(
        *(T(5, 2, 3, dtype=dtype), *weights(gates, dtype), state, state, output, state, state),
        *(output, state, state, False, mode, 4, 1, True, True, False, [], False),
        T(0, dtype=torch.uint8),
    )


# The CPU kernel requires the workspace of a forward pass.
shape_family(
    mkldnn_rnn_layer_backward,
    "aten::mkldnn_rnn_layer_backward",
    ok=[
        *[backward_case(mode, gates) for mode, gates in _MODES.items()],
        backward_case(2, 4, torch.bfloat16),
        backward_case(2, 4, torch.float16),
    ],
)
dtype_family(mkldnn_rnn_layer_backward_dtype, "aten::mkldnn_rnn_layer_backward")
