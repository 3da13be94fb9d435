"""Products with weights of 4 or 8 bits, and packing of such weights."""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.rules.matching import check_same
from torch_refine.abstract_interp_lib.rules.unknown import unknown_dtype, unknown_size

_FLOATS = (torch.float32, torch.float16, torch.bfloat16)
_BYTES = torch.uint8


def check_matrix(matrix: List[int], name: str) -> None:
    """Raise unless a tensor is a matrix."""
    assert len(matrix) == 2, f"{name} must be a matrix, got shape {matrix}"


def check_weight_dtype(dtype: int, expected: int) -> None:
    """Raise unless a weight has the dtype that its bits are kept in."""
    assert dtype == expected, f"the weight must be of dtype {expected}, got {dtype}"


def check_float_factor(dtype: int) -> None:
    """Raise unless the factor that is not quantized is made of usual floats."""
    assert dtype == torch.float32 or dtype == torch.float16 or dtype == torch.bfloat16, (
        f"the first factor must be of dtype float32, float16 or bfloat16, got dtype {dtype}"
    )


# Packing.
def int4_tiles(self: List[int], innerKTiles: int) -> List[int]:
    """Tiles of 8 rows by 16 columns times `innerKTiles`, for the threads of a warp (CUDA)."""
    check_matrix(self, "self")
    assert innerKTiles > 0, f"innerKTiles must be positive, got {innerKTiles}"
    return [self[0] // 8, self[1] * 2 // (innerKTiles * 16), 32, innerKTiles // 2]


def int4_tiles_dtype(self: Tuple[int, int]) -> int:
    """Int32, made of bytes that hold two numbers each."""
    check_weight_dtype(self[1], torch.uint8)
    return torch.int32


def int4_pairs(self: List[int]) -> List[int]:
    """A byte for each two numbers of a row."""
    check_matrix(self, "self")
    return [self[0], self[1] // 2]


def int4_pairs_dtype(self: Tuple[int, int]) -> int:
    """Bytes, made of int32."""
    check_weight_dtype(self[1], torch.int32)
    return torch.uint8


# A kernel for CUDA, so only its meta kernel runs here.
shape_family(
    int4_tiles,
    "aten::_convert_weight_to_int4pack",
    ok=[
        Invocation(T(16, 32, dtype=_BYTES), 2),
        Invocation(T(16, 64, dtype=_BYTES), 8),
        Invocation(T(0, 64, dtype=_BYTES), 4),
    ],
    error=[
        Invocation(T(16, dtype=_BYTES), 2),
        Invocation(T(16, 32, dtype=_BYTES), 0),
    ],
)
dtype_family(
    int4_tiles_dtype,
    "aten::_convert_weight_to_int4pack",
    error=[Invocation(T(16, 32, dtype=dtype), 2) for dtype in (torch.int32, torch.float32)],
)
shape_family(
    int4_pairs,
    "aten::_convert_weight_to_int4pack_for_cpu",
    ok=[
        Invocation(T(16, 32, dtype=torch.int32), 2),
        Invocation(T(64, 64, dtype=torch.int32), 2, device="cpu"),
        Invocation(T(0, 32, dtype=torch.int32), 2, device="cpu"),
    ],
    error=[Invocation(T(16, dtype=torch.int32), 2)],
)
dtype_family(
    int4_pairs_dtype,
    "aten::_convert_weight_to_int4pack_for_cpu",
    error=[Invocation(T(16, 32, dtype=dtype), 2) for dtype in (_BYTES, torch.float32)],
)


def dynamic_int4_weight() -> List[int]:
    """The weight with its scales and bias, packed as the processor likes it."""
    return [unknown_size()]


def dynamic_int4_weight_dtype(weights: Tuple[int, int]) -> int:
    """Bytes where a library for ARM packs the weight (KleidiAI), else float32."""
    check_weight_dtype(weights[1], torch.uint8)
    return unknown_dtype()


shape_family(
    dynamic_int4_weight,
    "aten::_dyn_quant_pack_4bit_weight",
    ok=[
        Invocation(T(4, 16, dtype=_BYTES), T(4, 1), None, 32, 32, 4),
        Invocation(T(4, 32, dtype=_BYTES), T(8, dtype=torch.bfloat16), T(4), 32, 64, 4),
        Invocation(T(4, 16, dtype=_BYTES), T(4, 1), T(4), 32, 32, 4, device="cpu"),
    ],
)
dtype_family(
    dynamic_int4_weight_dtype,
    "aten::_dyn_quant_pack_4bit_weight",
    error=[Invocation(T(4, 16), T(4, 1), None, 32, 32, 4)],
)


# Products.
def weight_rows_product(self: List[int], mat2: List[int]) -> List[int]:
    """The rows of the first factor, and a column for each row of the packed weight."""
    check_matrix(self, "self")
    check_matrix(mat2, "mat2")
    return [self[0], mat2[0]]


def int8_product(self: List[int], mat2: List[int], scales: List[int]) -> List[int]:
    """The first factor times the weight transposed, whose rows have a scale each."""
    out = weight_rows_product(self, mat2)
    assert self[1] == mat2[1], f"inner dimensions must match, got {self[1]} and {mat2[1]}"
    check_same(scales, mat2[:1], "scales")
    return out


def int4_bytes_product_dtype(self: Tuple[int, int], mat2: Tuple[int, int]) -> int:
    """The dtype of the first factor; the weight is made of bytes."""
    check_float_factor(self[1])
    check_weight_dtype(mat2[1], torch.uint8)
    return self[1]


def int4_words_product_dtype(self: Tuple[int, int], mat2: Tuple[int, int]) -> int:
    """The dtype of the first factor; the weight is made of int32."""
    check_float_factor(self[1])
    check_weight_dtype(mat2[1], torch.int32)
    return self[1]


def int8_product_dtype(self: Tuple[int, int], mat2: Tuple[int, int]) -> int:
    """The dtype of the first factor; the weight is made of int8."""
    check_float_factor(self[1])
    check_weight_dtype(mat2[1], torch.int8)
    return self[1]


_WEIGHT = T(16, 16, dtype=_BYTES)
_OTHER_DTYPES = (torch.float64, torch.int64)
shape_family(
    weight_rows_product,
    "aten::_weight_int4pack_mm_for_cpu",
    ok=[
        *[Invocation(T(2, 32, dtype=d), _WEIGHT, 32, T(1, 16, 2, dtype=d)) for d in _FLOATS],
        Invocation(T(2, 32), _WEIGHT, 32, T(1, 16, 2), device="cpu"),
        Invocation(T(0, 64), T(16, 32, dtype=_BYTES), 64, T(1, 16, 2), device="cpu"),
    ],
    error=[
        Invocation(T(2, 2, 32), _WEIGHT, 32, T(1, 16, 2)),
        Invocation(T(2, 32), T(16, dtype=_BYTES), 32, T(1, 16, 2)),
    ],
)
dtype_family(
    int4_bytes_product_dtype,
    "aten::_weight_int4pack_mm_for_cpu",
    error=[
        *[Invocation(T(2, 32, dtype=d), _WEIGHT, 32, T(1, 16, 2)) for d in _OTHER_DTYPES],
        Invocation(T(2, 32), T(16, 16, dtype=torch.int32), 32, T(1, 16, 2)),
    ],
)
_GROUP = T(dtype=torch.int64, values=[32])
shape_family(
    weight_rows_product,
    "quantized::int4mm_packed_weight_cpu",
    ok=[
        *[Invocation(T(2, 32, dtype=d), _WEIGHT, _GROUP, T(1, 16, 2, dtype=d)) for d in _FLOATS],
        Invocation(T(2, 32), _WEIGHT, _GROUP, T(1, 16, 2), device="cpu"),
    ],
    error=[
        Invocation(T(2, 2, 32), _WEIGHT, _GROUP, T(1, 16, 2)),
        Invocation(T(2, 32), T(16, dtype=_BYTES), _GROUP, T(1, 16, 2)),
    ],
)
dtype_family(
    int4_bytes_product_dtype,
    "quantized::int4mm_packed_weight_cpu",
    error=[
        Invocation(T(2, 32, dtype=torch.float64), _WEIGHT, _GROUP, T(1, 16, 2)),
        Invocation(T(2, 32), T(16, 16, dtype=torch.int32), _GROUP, T(1, 16, 2)),
    ],
)
_WORDS = T(16, 4, dtype=torch.int32)
_ZEROS = T(1, 16, dtype=torch.int8)
# A kernel for Intel's graphics devices, so only its meta kernel runs here.
shape_family(
    weight_rows_product,
    "aten::_weight_int4pack_mm_with_scales_and_zeros",
    ok=[Invocation(T(2, 32, dtype=d), _WORDS, 32, T(1, 16, dtype=d), _ZEROS) for d in _FLOATS],
    error=[
        Invocation(T(2, 2, 32), _WORDS, 32, T(1, 16), _ZEROS),
        Invocation(T(2, 32), T(16, dtype=torch.int32), 32, T(1, 16), _ZEROS),
    ],
)
dtype_family(
    int4_words_product_dtype,
    "aten::_weight_int4pack_mm_with_scales_and_zeros",
    error=[
        Invocation(T(2, 32, dtype=torch.float64), _WORDS, 32, T(1, 16), _ZEROS),
        Invocation(T(2, 32), _WEIGHT, 32, T(1, 16), _ZEROS),
    ],
)
_SIGNED = T(16, 32, dtype=torch.int8)
shape_family(
    int8_product,
    "aten::_weight_int8pack_mm",
    ok=[
        *[Invocation(T(2, 32, dtype=d), _SIGNED, T(16, dtype=d)) for d in _FLOATS],
        Invocation(T(2, 32), _SIGNED, T(16), device="cpu"),
        Invocation(T(0, 32), _SIGNED, T(16), device="cpu"),
    ],
    error=[
        Invocation(T(2, 2, 32), _SIGNED, T(16)),
        Invocation(T(2, 32), T(32, dtype=torch.int8), T(16)),
        Invocation(T(2, 31), _SIGNED, T(16)),
        Invocation(T(2, 32), _SIGNED, T(15)),
        Invocation(T(2, 32), _SIGNED, T(16, 1)),
    ],
)
dtype_family(
    int8_product_dtype,
    "aten::_weight_int8pack_mm",
    error=[
        *[Invocation(T(2, 32, dtype=dtype), _SIGNED, T(16)) for dtype in _OTHER_DTYPES],
        Invocation(T(2, 32), T(16, 32, dtype=_BYTES), T(16)),
    ],
)


def dynamic_int4_product(inp: List[int], out_features: int) -> List[int]:
    """The rows of the first factor, which is quantized on the way, and the features asked for.

    The CPU takes a factor of any rank, and gives its first size.
    """
    assert len(inp) > 0, f"inp must have rows, got shape {inp}"
    return [inp[0], out_features]


def dynamic_int4_product_dtype(inp: Tuple[int, int]) -> int:
    """The dtype of the first factor."""
    assert inp[1] == torch.float32 or inp[1] == torch.bfloat16, (
        f"inp must be of dtype float32 or bfloat16, got dtype {inp[1]}"
    )
    return inp[1]


shape_family(
    dynamic_int4_product,
    "aten::_dyn_quant_matmul_4bit",
    ok=[
        Invocation(T(2, 32), T(68), 32, 32, 4),
        Invocation(T(2, 32, dtype=torch.bfloat16), T(68), 32, 32, 4),
        Invocation(T(0, 64), T(68), 32, 64, 4),
        Invocation(T(2, 32), T(68), 32, 32, 4, device="cpu"),
    ],
    error=[Invocation(T(), T(68), 32, 32, 4)],
)
dtype_family(
    dynamic_int4_product_dtype,
    "aten::_dyn_quant_matmul_4bit",
    error=[
        Invocation(T(2, 32, dtype=dtype), T(68), 32, 32, 4)
        for dtype in (torch.float16, torch.float64, torch.int64)
    ],
)
