"""Weights packed by fbgemm, which byte tensors hold as opaque objects, and operators on them.

Tensor types do not describe the packed object; cases create it by PyTorch. All of these run on the
CPU only.
"""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    TensorCase,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.rules.broadcast import broadcast_two
from torch_refine.abstract_interp_lib.rules.made_cases import made
from torch_refine.abstract_interp_lib.rules.matching import check_expands, check_same
from torch_refine.abstract_interp_lib.rules.quantization import check_float32, check_one_element
from torch_refine.abstract_interp_lib.rules.sizes import append_size, ceil_divide, replace_size
from torch_refine.abstract_interp_lib.rules.unknown import unknown_size

# The size in bytes of an fbgemm object in PyTorch's build for x86-64.
_OBJECT_BYTES = 104


def packed_int8(rows: int, columns: int) -> TensorCase:
    """A packed int8 weight."""

    def pack() -> torch.Tensor:
        weight = torch.ones(rows, columns, dtype=torch.int8)
        return torch.ops.aten.fbgemm_pack_quantized_matrix(weight)

    return made(torch.uint8, _OBJECT_BYTES, make=pack)


def packed_float16(rows: int, columns: int) -> TensorCase:
    """A packed float16 weight."""
    return made(
        *(torch.uint8, 8),
        make=lambda: torch.ops.aten.fbgemm_pack_gemm_matrix_fp16(torch.ones(rows, columns)),
    )


def packed_linear(rows: int, columns: int) -> TensorCase:
    """A quantized weight and its bias, packed."""

    def pack() -> torch.Tensor:
        zero = torch.zeros(1, dtype=torch.int32)
        weight, bias = torch.ones(rows, columns), torch.ones(rows)
        return torch.ops.aten._wrapped_linear_prepack(weight, torch.ones(1), zero, bias)

    return made(torch.uint8, 8, make=pack)


# Packing.
def check_weight(weight: List[int]) -> None:
    """Raise unless a weight has at least 2 dimensions."""
    assert len(weight) >= 2, f"a weight must have at least 2 dimensions, got shape {weight}"


def quantized_weight(input: List[int]) -> Tuple[List[int], List[int]]:
    """The weight, and one sum per output feature."""
    check_weight(input)
    return input, [input[0]]


def quantized_weight_dtype(input: Tuple[int, int]) -> Tuple[int, int]:
    """Int8 for the weight, int32 for the sums."""
    check_float32(input[1], "input")
    # TorchScript cannot export a tuple of constants.
    dtypes = [torch.int8, torch.int32]
    return dtypes[0], dtypes[1]


def packed_object(input: List[int]) -> List[int]:
    """A byte vector, whose length depends on the build of PyTorch."""
    check_weight(input)
    return [unknown_size()]


def packed_int8_dtype(input: Tuple[int, int]) -> int:
    """uint8, packed from int8."""
    assert input[1] == torch.int8, f"input must be of dtype int8, got dtype {input[1]}"
    return torch.uint8


def packed_pointer(input: List[int]) -> List[int]:
    """The 8 bytes of a pointer."""
    check_weight(input)
    return [8]


def packed_float_dtype(input: Tuple[int, int]) -> int:
    """uint8, packed from float32."""
    check_float32(input[1], "input")
    return torch.uint8


def wrapped_linear_prepack(
    weight: List[int], weight_scale: List[int], weight_zero_point: List[int], bias: List[int]
) -> List[int]:
    """The 8 bytes of a pointer."""
    assert len(weight) == 2, f"weight must be a matrix, got shape {weight}"
    check_one_element(weight_scale, "weight_scale")
    check_one_element(weight_zero_point, "weight_zero_point")
    check_same(bias, weight[:1], "bias")
    return [8]


def wrapped_linear_prepack_dtype(weight: Tuple[int, int]) -> int:
    """uint8, packed from float32."""
    check_float32(weight[1], "weight")
    return torch.uint8


_NOT_FLOAT32 = (torch.float64, torch.float16, torch.int64)
_ZERO = T(1, dtype=torch.int32, values=[0])
shape_family(
    quantized_weight,
    "aten::fbgemm_linear_quantize_weight",
    ok=[Invocation(T(*sizes), device="cpu") for sizes in ((4, 3), (4, 3, 2), (0, 3))],
    error=[Invocation(T(4), device="cpu")],
)
dtype_family(
    quantized_weight_dtype,
    "aten::fbgemm_linear_quantize_weight",
    error=[Invocation(T(4, 3, dtype=dtype), device="cpu") for dtype in _NOT_FLOAT32],
)
shape_family(
    packed_object,
    "aten::fbgemm_pack_quantized_matrix",
    ok=[Invocation(T(4, 3, dtype=torch.int8), device="cpu")],
    error=[Invocation(T(4, dtype=torch.int8), device="cpu")],
)
dtype_family(
    packed_int8_dtype,
    "aten::fbgemm_pack_quantized_matrix",
    error=[Invocation(T(4, 3), device="cpu")],
)
shape_family(
    packed_object,
    "aten::fbgemm_pack_quantized_matrix.KN",
    ok=[Invocation(T(4, 3, dtype=torch.int8), 3, 4, device="cpu")],
    error=[Invocation(T(4, dtype=torch.int8), 3, 4, device="cpu")],
)
dtype_family(
    packed_int8_dtype,
    "aten::fbgemm_pack_quantized_matrix.KN",
    error=[Invocation(T(4, 3), 3, 4, device="cpu")],
)
shape_family(
    packed_pointer,
    "aten::fbgemm_pack_gemm_matrix_fp16",
    ok=[Invocation(T(4, 3), device="cpu"), Invocation(T(40, 30), device="cpu")],
    error=[Invocation(T(4), device="cpu")],
)
dtype_family(
    packed_float_dtype,
    "aten::fbgemm_pack_gemm_matrix_fp16",
    error=[Invocation(T(4, 3, dtype=dtype), device="cpu") for dtype in _NOT_FLOAT32],
)
shape_family(
    wrapped_linear_prepack,
    "aten::_wrapped_linear_prepack",
    ok=[
        Invocation(T(4, 3), T(1), _ZERO, T(4), device="cpu"),
        Invocation(T(40, 30), T(), T(1, 1), T(40), device="cpu"),
    ],
    error=[
        Invocation(T(4), T(1), _ZERO, T(4), device="cpu"),
        Invocation(T(4, 3), T(4), _ZERO, T(4), device="cpu"),
        Invocation(T(4, 3), T(1), T(4), T(4), device="cpu"),
        Invocation(T(4, 3), T(1), _ZERO, T(5), device="cpu"),
    ],
)
dtype_family(
    wrapped_linear_prepack_dtype,
    "aten::_wrapped_linear_prepack",
    error=[
        Invocation(T(4, 3, dtype=dtype), T(1), _ZERO, T(4), device="cpu") for dtype in _NOT_FLOAT32
    ],
)


# Linear layers.
def check_input(input: List[int]) -> None:
    """Raise unless an input has a batch dimension."""
    assert len(input) >= 2, f"the input must have at least 2 dimensions, got shape {input}"


def linear_float16(input: List[int], bias: Optional[List[int]]) -> List[int]:
    """The last dimension becomes the output features of the packed weight.

    Their number is only known from a bias with one element each.
    """
    check_input(input)
    features = unknown_size()
    if bias is not None:
        assert len(bias) == 1, f"bias must be 1-D, got shape {bias}"
        if bias[0] != 1:
            features = bias[0]
    return append_size(input[:-1], features)


def linear_float16_with_bias(input: List[int], bias: List[int]) -> List[int]:
    """As `linear_float16`."""
    return linear_float16(input, bias)


def linear_int8(input: List[int], weight: List[int], bias: List[int]) -> List[int]:
    """The last dimension is contracted with the weight, which is given beside the packed one."""
    check_input(input)
    assert len(weight) == 2, f"weight must be a matrix, got shape {weight}"
    assert input[-1] == weight[1], f"weight expects {weight[1]} input features, got {input[-1]}"
    check_same(bias, weight[:1], "bias")
    return input[:-1] + weight[:1]


def linear_dtype(input: Tuple[int, int]) -> int:
    """float32, like the input."""
    check_float32(input[1], "input")
    return torch.float32


def wrapped_linear(
    input: List[int],
    input_scale: List[int],
    input_zero_point: List[int],
    output_scale: List[int],
    output_zero_point: List[int],
) -> List[int]:
    """The last dimension becomes the output features of the packed weight.

    PyTorch does not compare them with `out_channel`.
    """
    check_input(input)
    check_one_element(input_scale, "input_scale")
    check_one_element(input_zero_point, "input_zero_point")
    check_one_element(output_scale, "output_scale")
    check_one_element(output_zero_point, "output_zero_point")
    return append_size(input[:-1], unknown_size())


_FLOAT16_WEIGHT = packed_float16(4, 3)
_FLOAT16_OK = [
    Invocation(T(2, 3), _FLOAT16_WEIGHT, T(4), device="cpu"),
    Invocation(T(5, 2, 3), _FLOAT16_WEIGHT, T(4), device="cpu"),
    Invocation(T(0, 3), _FLOAT16_WEIGHT, T(1), device="cpu"),
]
_FLOAT16_ERROR = [
    Invocation(T(3), _FLOAT16_WEIGHT, T(4), device="cpu"),
    Invocation(T(2, 3), _FLOAT16_WEIGHT, T(2, 4), device="cpu"),
]
_FLOAT16_DTYPE_ERROR = [
    Invocation(T(2, 3, dtype=dtype), _FLOAT16_WEIGHT, T(4), device="cpu") for dtype in _NOT_FLOAT32
]
_FLOAT16_OUT_OK = [
    Invocation(T(2, 3), _FLOAT16_WEIGHT, T(4), T(2, 4), device="cpu"),
    Invocation(T(5, 2, 3), _FLOAT16_WEIGHT, T(1), T(0), device="cpu"),
]
_FLOAT16_OUT_ERROR = [
    Invocation(T(3), _FLOAT16_WEIGHT, T(4), T(4), device="cpu"),
    Invocation(T(2, 3), _FLOAT16_WEIGHT, T(2, 4), T(2, 4), device="cpu"),
]
_FLOAT16_OUT_DTYPE_ERROR = [
    Invocation(T(2, 3, dtype=dtype), _FLOAT16_WEIGHT, T(4), T(2, 4), device="cpu")
    for dtype in _NOT_FLOAT32
]
shape_family(
    linear_float16_with_bias,
    "aten::fbgemm_linear_fp16_weight",
    ok=_FLOAT16_OK,
    error=_FLOAT16_ERROR,
)
shape_family(
    linear_float16,
    "aten::fbgemm_linear_fp16_weight_fp32_activation",
    ok=[*_FLOAT16_OK, Invocation(T(2, 3), _FLOAT16_WEIGHT, None, device="cpu")],
    error=_FLOAT16_ERROR,
)
shape_family(
    linear_float16_with_bias,
    "aten::fbgemm_linear_fp16_weight.out",
    ok=_FLOAT16_OUT_OK,
    error=_FLOAT16_OUT_ERROR,
)
shape_family(
    linear_float16,
    "aten::fbgemm_linear_fp16_weight_fp32_activation.out",
    ok=[*_FLOAT16_OUT_OK, Invocation(T(2, 3), _FLOAT16_WEIGHT, None, T(2, 4), device="cpu")],
    error=_FLOAT16_OUT_ERROR,
)
dtype_family(
    linear_dtype,
    "aten::fbgemm_linear_fp16_weight",
    "aten::fbgemm_linear_fp16_weight_fp32_activation",
    error=_FLOAT16_DTYPE_ERROR,
)
dtype_family(
    linear_dtype,
    "aten::fbgemm_linear_fp16_weight.out",
    "aten::fbgemm_linear_fp16_weight_fp32_activation.out",
    error=_FLOAT16_OUT_DTYPE_ERROR,
)


def int8_case(input: TensorCase, weight: TensorCase, bias: TensorCase) -> Invocation:
    """A case with a packed weight of 4 rows and 3 columns."""
    sums = T(4, dtype=torch.int32)
    return Invocation(input, weight, packed_int8(4, 3), sums, 0.1, 0, bias, device="cpu")


_INT8 = ("aten::fbgemm_linear_int8_weight", "aten::fbgemm_linear_int8_weight_fp32_activation")
_WEIGHT = T(4, 3, dtype=torch.int8)
shape_family(
    linear_int8,
    *_INT8,
    ok=[
        int8_case(T(2, 3), _WEIGHT, T(4)),
        int8_case(T(5, 2, 3), _WEIGHT, T(4)),
        int8_case(T(0, 3), _WEIGHT, T(4)),
    ],
    error=[
        int8_case(T(3), _WEIGHT, T(4)),
        int8_case(T(2, 3), T(3, dtype=torch.int8), T(4)),
        int8_case(T(2, 4), _WEIGHT, T(4)),
        int8_case(T(2, 3), _WEIGHT, T(1)),
        int8_case(T(2, 3), _WEIGHT, T(1, 4)),
    ],
)
dtype_family(
    linear_dtype,
    *_INT8,
    error=[int8_case(T(2, 3, dtype=dtype), _WEIGHT, T(4)) for dtype in _NOT_FLOAT32],
)


def wrapped_case(
    input: TensorCase,
    scale: TensorCase,
    zero: TensorCase,
    out_scale: TensorCase,
    out_zero: TensorCase,
) -> Invocation:
    """A case with a packed weight of 4 rows and 3 columns."""
    return Invocation(input, scale, zero, packed_linear(4, 3), out_scale, out_zero, 4, device="cpu")


shape_family(
    wrapped_linear,
    "aten::_wrapped_quantized_linear_prepacked",
    ok=[
        wrapped_case(T(2, 3), T(1), _ZERO, T(1), _ZERO),
        wrapped_case(T(5, 2, 3), T(), _ZERO, T(1), T()),
        wrapped_case(T(0, 3), T(1), _ZERO, T(1), _ZERO),
    ],
    error=[
        wrapped_case(T(3), T(1), _ZERO, T(1), _ZERO),
        wrapped_case(T(2, 3), T(2), _ZERO, T(1), _ZERO),
        wrapped_case(T(2, 3), T(1), T(2), T(1), _ZERO),
        wrapped_case(T(2, 3), T(1), _ZERO, T(2), _ZERO),
        wrapped_case(T(2, 3), T(1), _ZERO, T(1), T(2)),
    ],
)
dtype_family(
    linear_dtype,
    "aten::_wrapped_quantized_linear_prepacked",
    error=[wrapped_case(T(2, 3, dtype=dtype), T(1), _ZERO, T(1), _ZERO) for dtype in _NOT_FLOAT32],
)


# Recurrent cells.
def gates(
    input: List[int],
    hx: List[int],
    w_ih: List[int],
    w_hh: List[int],
    b_ih: List[int],
    b_hh: List[int],
) -> List[int]:
    """The state times its weight, to which the input times its weight is added in place."""
    out = linear_int8(hx, w_hh, b_hh)
    check_expands(linear_int8(input, w_ih, b_ih), out)
    return out


def simple_cell(
    input: List[int],
    hx: List[int],
    w_ih: List[int],
    w_hh: List[int],
    b_ih: List[int],
    b_hh: List[int],
) -> List[int]:
    """The next hidden state."""
    return gates(input, hx, w_ih, w_hh, b_ih, b_hh)


def next_state(gates: List[int], count: int, state: List[int]) -> List[int]:
    """The shape of a state times one of `count` gates, which divide dimension 1."""
    return broadcast_two(state, replace_size(gates, 1, ceil_divide(gates[1], count)))


def gru_cell(
    input: List[int],
    hx: List[int],
    w_ih: List[int],
    w_hh: List[int],
    b_ih: List[int],
    b_hh: List[int],
) -> List[int]:
    """The next hidden state, from three gates."""
    return next_state(gates(input, hx, w_ih, w_hh, b_ih, b_hh), 3, hx)


def lstm_cell(
    input: List[int],
    hx: List[List[int]],
    w_ih: List[int],
    w_hh: List[int],
    b_ih: List[int],
    b_hh: List[int],
) -> Tuple[List[int], List[int]]:
    """The next hidden state and the next cell state, from four gates.

    PyTorch does not check that both states are given, and crashes otherwise.
    """
    out = next_state(gates(input, hx[0], w_ih, w_hh, b_ih, b_hh), 4, hx[1])
    return out, list(out)


def cell_dtype(input: Tuple[int, int], hx: Tuple[int, int]) -> int:
    """float32, like the input and the state."""
    check_float32(input[1], "input")
    check_float32(hx[1], "hx")
    return torch.float32


def lstm_cell_dtype(input: Tuple[int, int], hx: List[Tuple[int, int]]) -> Tuple[int, int]:
    """float32, like the input and the states."""
    return cell_dtype(input, hx[0]), cell_dtype(input, hx[1])


def cell_case(
    rows: int, input: TensorCase, hx: TensorCase | list[TensorCase], bias: int = 0
) -> Invocation:
    """A case of a cell with 3 input and 4 hidden features and gates of `rows` rows in total."""
    weights = T(rows, 3, dtype=torch.int8), T(rows, 4, dtype=torch.int8)
    biases = [T(bias or rows)] * 2
    packed = packed_int8(rows, 3), packed_int8(rows, 4)
    sums = [T(rows, dtype=torch.int32)] * 2
    return Invocation(*(input, hx, *weights, *biases, *packed, *sums, 0.1, 0.1, 0, 0), device="cpu")


def cell_ok(rows: int) -> list[Invocation]:
    """Cases of a cell; a batch of size 1 broadcasts with that of the state."""
    return [
        cell_case(rows, T(2, 3), T(2, 4)),
        cell_case(rows, T(0, 3), T(0, 4)),
        cell_case(rows, T(1, 3), T(2, 4)),
    ]


def cell_error(rows: int) -> list[Invocation]:
    """Cases that a cell rejects."""
    return [
        cell_case(rows, T(3), T(4)),
        cell_case(rows, T(2, 5), T(2, 4)),
        cell_case(rows, T(2, 3), T(2, 5)),
        cell_case(rows, T(2, 3), T(1, 4)),
        cell_case(rows, T(2, 3), T(3, 4)),
        cell_case(rows, T(2, 3), T(2, 4), 5),
    ]


def cell_dtype_error(rows: int) -> list[Invocation]:
    """Dtypes that a cell rejects."""
    return [
        cell_case(rows, T(2, 3, dtype=torch.float64), T(2, 4)),
        cell_case(rows, T(2, 3), T(2, 4, dtype=torch.float16)),
    ]


_SIMPLE = ("aten::quantized_rnn_relu_cell", "aten::quantized_rnn_tanh_cell")
shape_family(
    simple_cell,
    *_SIMPLE,
    ok=[*cell_ok(4), cell_case(4, T(2, 2, 3), T(2, 2, 4))],
    error=cell_error(4),
)
shape_family(gru_cell, "aten::quantized_gru_cell", ok=cell_ok(12), error=cell_error(12))
shape_family(
    lstm_cell,
    "aten::quantized_lstm_cell",
    ok=[
        cell_case(16, T(2, 3), [T(2, 4), T(2, 4)]),
        cell_case(16, T(0, 3), [T(0, 4), T(0, 4)]),
        cell_case(16, T(1, 3), [T(2, 4), T(2, 4)]),
    ],
    error=[
        cell_case(16, T(3), [T(4), T(4)]),
        cell_case(16, T(2, 5), [T(2, 4), T(2, 4)]),
        cell_case(16, T(2, 3), [T(1, 4), T(2, 4)]),
        cell_case(16, T(2, 3), [T(2, 4), T(3, 4)]),
        cell_case(16, T(2, 3), [T(2, 4), T(2, 5)]),
    ],
)
dtype_family(cell_dtype, *_SIMPLE, error=cell_dtype_error(4))
dtype_family(cell_dtype, "aten::quantized_gru_cell", error=cell_dtype_error(12))
dtype_family(
    lstm_cell_dtype,
    "aten::quantized_lstm_cell",
    error=[
        cell_case(16, T(2, 3, dtype=torch.float64), [T(2, 4), T(2, 4)]),
        cell_case(16, T(2, 3), [T(2, 4, dtype=torch.float16), T(2, 4)]),
    ],
)
