"""Low-precision matmul: scaled, grouped, or with 4-bit or 8-bit weights."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    TensorCase,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.rules.linalg import matrix_product
from torch_refine.abstract_interp_lib.rules.made_cases import made
from torch_refine.abstract_interp_lib.rules.matching import check_same
from torch_refine.abstract_interp_lib.rules.sizes import product
from torch_refine.abstract_interp_lib.rules.unknown import unknown_dtype, unknown_size

_FLOATS = (torch.float32, torch.float16, torch.bfloat16)
_BYTES = torch.uint8


def check_matrix(matrix: List[int], name: str) -> None:
    """Raise unless a tensor is a matrix."""
    assert len(matrix) == 2, f"{name} must be a matrix, got shape {matrix}"


def check_weight_dtype(dtype: int, expected: int) -> None:
    """Raise unless a weight has the dtype of its packed representation."""
    assert dtype == expected, f"the weight must be of dtype {expected}, got {dtype}"


def check_float_factor(dtype: int) -> None:
    """Raise unless the operand that is not quantized is float32, float16 or bfloat16."""
    assert dtype == torch.float32 or dtype == torch.float16 or dtype == torch.bfloat16, (
        f"the first operand must be of dtype float32, float16 or bfloat16, got dtype {dtype}"
    )


# Packing.
def int4_tiles(self: List[int], innerKTiles: int) -> List[int]:
    """Tiles of 8 rows by 16 * `innerKTiles` columns, as the threads of a warp read them (CUDA)."""
    check_matrix(self, "self")
    assert innerKTiles > 0, f"innerKTiles must be positive, got {innerKTiles}"
    return [self[0] // 8, self[1] * 2 // (innerKTiles * 16), 32, innerKTiles // 2]


def int4_tiles_dtype(self: Tuple[int, int]) -> int:
    """int32, packed from bytes of two 4-bit values each."""
    check_weight_dtype(self[1], torch.uint8)
    return torch.int32


def int4_pairs(self: List[int]) -> List[int]:
    """One byte per two elements of a row."""
    check_matrix(self, "self")
    return [self[0], self[1] // 2]


def int4_pairs_dtype(self: Tuple[int, int]) -> int:
    """uint8, packed from int32."""
    check_weight_dtype(self[1], torch.int32)
    return torch.uint8


# A CUDA kernel, so only its meta kernel runs here.
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
    """The weight with its scales and bias, in a packing that depends on the processor."""
    return [unknown_size()]


def dynamic_int4_weight_dtype(weights: Tuple[int, int]) -> int:
    """uint8 if KleidiAI, a library for ARM, packs the weight, else float32."""
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


# Matmul with packed weights.
def weight_rows_product(self: List[int], mat2: List[int]) -> List[int]:
    """The rows of the first operand, and one column per row of the packed weight."""
    check_matrix(self, "self")
    check_matrix(mat2, "mat2")
    return [self[0], mat2[0]]


def int8_product(self: List[int], mat2: List[int], scales: List[int]) -> List[int]:
    """The first operand times the transposed weight, with one scale per weight row."""
    out = weight_rows_product(self, mat2)
    assert self[1] == mat2[1], f"inner dimensions must match, got {self[1]} and {mat2[1]}"
    check_same(scales, mat2[:1], "scales")
    return out


def int4_bytes_product_dtype(self: Tuple[int, int], mat2: Tuple[int, int]) -> int:
    """The dtype of the first operand; the weight is uint8."""
    check_float_factor(self[1])
    check_weight_dtype(mat2[1], torch.uint8)
    return self[1]


def int4_words_product_dtype(self: Tuple[int, int], mat2: Tuple[int, int]) -> int:
    """The dtype of the first operand; the weight is int32."""
    check_float_factor(self[1])
    check_weight_dtype(mat2[1], torch.int32)
    return self[1]


def int8_product_dtype(self: Tuple[int, int], mat2: Tuple[int, int]) -> int:
    """The dtype of the first operand; the weight is int8."""
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
# A kernel for Intel GPUs, so only its meta kernel runs here.
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
    """The rows of the first operand, which is quantized dynamically, and `out_features`.

    The CPU accepts any rank and returns the first size.
    """
    assert len(inp) > 0, f"inp must have at least 1 dimension, got shape {inp}"
    return [inp[0], out_features]


def dynamic_int4_product_dtype(inp: Tuple[int, int]) -> int:
    """The dtype of the first operand."""
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


# Scaled and grouped matmul.
#
# On the CPU `_scaled_mm` accepts operands of any strides; the meta kernels, which follow CUDA,
# require a column-major second operand, which only made tensors have.

_FLOAT8 = torch.float8_e4m3fn
_OUT_DTYPES = (torch.float32, torch.bfloat16, torch.float16, torch.float8_e5m2, None)


def F(*sizes: int, dtype: torch.dtype = _FLOAT8) -> TensorCase:
    """A float8 operand for a case."""
    return T(*sizes, dtype=dtype)


def by_columns(*sizes: int, dtype: torch.dtype = _FLOAT8) -> TensorCase:
    """A column-major operand on the meta device."""

    def transposed() -> torch.Tensor:
        *batch, rows, columns = sizes
        return torch.empty(*batch, columns, rows, dtype=dtype, device="meta").transpose(-1, -2)

    return made(dtype, *sizes, make=transposed)


def check_bias(bias: Optional[List[int]], columns: int) -> None:
    """Raise unless the bias is None or has one element per column."""
    if bias is not None:
        assert product(bias) == columns, (
            f"bias must have {columns} elements, one per column, got shape {bias}"
        )


def scaled_mm(self: List[int], mat2: List[int], bias: Optional[List[int]]) -> List[int]:
    """A matrix product; scales do not affect the shape."""
    out = matrix_product(self, mat2)
    check_bias(bias, mat2[1])
    return out


def scaled_mm_v2(
    self: List[int], mat2: List[int], bias: Optional[List[int]], contraction_dim: List[int]
) -> List[int]:
    """A matrix product; `contraction_dim` gives the dimensions that must match.

    For packed operands they need not be the last and the first. For empty operands, the CPU does
    not compare them.
    """
    assert len(self) == 2 and len(mat2) == 2, (
        f"both operands must be matrices, got shapes {self} and {mat2}"
    )
    assert len(contraction_dim) == 0 or len(contraction_dim) == 2, (
        f"contraction_dim must have 0 or 2 entries, got {contraction_dim}"
    )
    dims = contraction_dim if len(contraction_dim) > 0 else [1, 0]
    if 0 not in self and 0 not in mat2:
        inner, other = self[dims[0]], mat2[dims[1]]
        assert inner == other, f"inner dimensions must match, got {inner} and {other}"
        check_bias(bias, mat2[1])
    return [self[0], mat2[1]]


def out_or_first(self: Tuple[int, int], out_dtype: Optional[int]) -> int:
    """`out_dtype`, or the dtype of the first operand."""
    out = self[1]
    if out_dtype is not None:
        out = out_dtype
    return out


shape_family(
    scaled_mm,
    "aten::_scaled_mm",
    ok=[
        Invocation(F(2, 3), F(3, 4), T(), T(1), device="cpu"),
        Invocation(F(2, 3), F(3, 4), T(2, 1), T(1, 4), T(4), T(), device="cpu"),
        Invocation(F(0, 3), F(3, 4), T(), T(), bias=T(1, 4), device="cpu"),
        Invocation(F(2, 0), F(0, 4), T(), T(), device="cpu"),
        Invocation(F(2, 16), by_columns(16, 32), T(), T(), out_dtype=torch.bfloat16),
        *[
            Invocation(
                *(F(2, 3), F(3, 4, dtype=torch.float8_e5m2), T(), T()),
                out_dtype=dtype,
                use_fast_accum=True,
                device="cpu",
            )
            for dtype in _OUT_DTYPES
        ],
    ],
    error=[
        Invocation(F(2, 3), F(4, 3), T(), T(), device="cpu"),
        Invocation(F(3), F(3, 4), T(), T(), device="cpu"),
        Invocation(F(2, 3), F(3), T(), T(), device="cpu"),
        Invocation(F(2, 3), F(3, 4), T(), T(), T(5), device="cpu"),
    ],
)
# The operands are followed by scales, recipes and swizzles of both, a bias, an output dtype.
_PLAIN = ([T()], [0], [], [T()], [0], [])
shape_family(
    scaled_mm_v2,
    "aten::_scaled_mm_v2",
    ok=[
        Invocation(F(2, 3), F(3, 4), *_PLAIN, T(4), None, [1, 0], device="cpu"),
        Invocation(
            F(2, 3), F(3, 4), [T(2, 1)], [1], [], [T(1, 4)], [1], [], None, None, device="cpu"
        ),
        Invocation(F(2, 16), by_columns(16, 32), *_PLAIN, None, torch.bfloat16),
        *[Invocation(F(2, 3), F(3, 4), *_PLAIN, None, d, device="cpu") for d in _OUT_DTYPES],
    ],
    error=[
        Invocation(F(2, 3), F(4, 3), *_PLAIN, None, None, device="cpu"),
        Invocation(F(3), F(3, 4), *_PLAIN, None, None, device="cpu"),
        Invocation(F(2, 3), F(3, 4), *_PLAIN, T(5), None, device="cpu"),
        Invocation(F(2, 3), F(3, 4), *_PLAIN, None, None, [1], device="cpu"),
        Invocation(F(2, 3), F(3, 4), *_PLAIN, None, None, [0, 1], device="cpu"),
    ],
)
dtype_family(out_or_first, "aten::_scaled_mm", "aten::_scaled_mm_v2")


# Grouped matmul.
def grouped_mm(
    self: List[int], mat2: List[int], offs: Optional[List[int]], bias: Optional[List[int]]
) -> List[int]:
    """A product per group; `offs` holds the ends of the groups that a matrix concatenates.

    The product of a matrix and a batch, or of a batch and a matrix, is one matrix of concatenated
    groups. For two matrices the groups partition the contracted dimension.
    """
    assert (len(self) == 2 or len(self) == 3) and (len(mat2) == 2 or len(mat2) == 3), (
        f"both operands must have 2 or 3 dimensions, got shapes {self} and {mat2}"
    )
    if len(self) == 3 or len(mat2) == 3:
        assert self[-1] == mat2[-2], f"inner dimensions must match, got {self[-1]} and {mat2[-2]}"
    groups = self[0] if len(self) == 3 else mat2[0]
    if len(self) == 3 and len(mat2) == 3:
        assert offs is None, "offs must not be given for two batches of matrices"
        assert self[0] == mat2[0], f"batch sizes must match, got {self[0]} and {mat2[0]}"
    else:
        assert offs is not None, "offs must be given for a matrix, got None"
        assert len(offs) == 1, f"offs must be 1-D, got shape {offs}"
        if len(self) == 3 or len(mat2) == 3:
            assert offs[0] == groups, f"offs must have {groups} elements, got {offs[0]}"
        groups = offs[0]
    assert bias is None, f"bias is not supported, got shape {bias}"
    out = [self[-2], mat2[-1]]
    if len(self) == len(mat2):
        out = [groups, self[-2], mat2[-1]]
    return out


def bfloat16_or_out(out_dtype: Optional[int]) -> int:
    """`out_dtype`, or bfloat16."""
    out = torch.bfloat16
    if out_dtype is not None:
        out = out_dtype
    return out


def grouped_mm_dtype(self: Tuple[int, int], mat2: Tuple[int, int], out_dtype: Optional[int]) -> int:
    """The common dtype of both operands, which `out_dtype` can only repeat."""
    assert self[1] == mat2[1], f"dtypes must match, got {self[1]} and {mat2[1]}"
    assert out_dtype is None or out_dtype == self[1], (
        f"out_dtype must be the dtype {self[1]} of the operands, got {out_dtype}"
    )
    return self[1]


_OFFSETS = T(2, dtype=torch.int32, values=[2, 4])
_BF16 = torch.bfloat16
_OTHER_FACTORS = (torch.float32, torch.float16)
# The meta kernel accepts bfloat16 only.
shape_family(
    grouped_mm,
    "aten::_grouped_mm",
    ok=[
        Invocation(F(4, 16, dtype=_BF16), F(16, 8, dtype=_BF16), _OFFSETS),
        Invocation(F(4, 16, dtype=_BF16), F(2, 16, 8, dtype=_BF16), _OFFSETS),
        Invocation(F(2, 4, 16, dtype=_BF16), F(16, 8, dtype=_BF16), _OFFSETS),
        Invocation(F(2, 4, 16, dtype=_BF16), F(2, 16, 8, dtype=_BF16), out_dtype=_BF16),
        *[
            Invocation(F(4, 16, dtype=d), F(2, 16, 8, dtype=d), _OFFSETS, device="cpu")
            for d in _OTHER_FACTORS
        ],
        *[
            Invocation(F(2, 4, 16, dtype=d), F(2, 16, 8, dtype=d), device="cpu")
            for d in _OTHER_FACTORS
        ],
    ],
    error=[
        Invocation(F(4, dtype=_BF16), F(4, dtype=_BF16)),
        Invocation(F(4, 16, dtype=_BF16), F(2, 8, 8, dtype=_BF16), _OFFSETS),
        Invocation(F(4, 16, dtype=_BF16), F(3, 16, 8, dtype=_BF16), _OFFSETS),
        Invocation(F(2, 4, 16, dtype=_BF16), F(3, 16, 8, dtype=_BF16)),
        Invocation(F(2, 4, 16, dtype=_BF16), F(2, 16, 8, dtype=_BF16), _OFFSETS),
        Invocation(F(4, 16, dtype=_BF16), F(2, 16, 8, dtype=_BF16)),
        Invocation(F(4, 16, dtype=_BF16), F(16, 8, dtype=_BF16), T(2, 1, dtype=torch.int32)),
        Invocation(F(4, 16, dtype=_BF16), F(16, 8, dtype=_BF16), _OFFSETS, T(8, dtype=_BF16)),
    ],
)
dtype_family(
    grouped_mm_dtype,
    "aten::_grouped_mm",
    error=[
        Invocation(T(4, 16), F(16, 8, dtype=_BF16), _OFFSETS, device="cpu"),
        Invocation(T(4, 16), T(16, 8), _OFFSETS, out_dtype=_BF16, device="cpu"),
    ],
)
shape_family(
    grouped_mm,
    "aten::_scaled_grouped_mm",
    ok=[
        Invocation(F(16, 16), by_columns(16, 32), T(32), T(64), T(2, dtype=torch.int32)),
        Invocation(F(16, 16), by_columns(2, 16, 32), T(16), T(2, 32), _OFFSETS),
        Invocation(F(2, 16, 16), by_columns(16, 32), T(2, 16), T(32), _OFFSETS),
        Invocation(
            *(F(2, 16, 16), by_columns(2, 16, 32), T(2, 16), T(2, 32)), out_dtype=torch.bfloat16
        ),
    ],
    error=[
        Invocation(F(16, 16), by_columns(2, 32, 32), T(16), T(2, 32), _OFFSETS),
        Invocation(F(16, 16), by_columns(3, 16, 32), T(16), T(3, 32), _OFFSETS),
        Invocation(F(16, 16), by_columns(2, 16, 32), T(16), T(2, 32)),
        Invocation(F(16), by_columns(16, 32), T(32), T(64), _OFFSETS),
        Invocation(F(2, 16, 16), by_columns(2, 16, 32), T(2, 16), T(2, 32), _OFFSETS),
        Invocation(F(2, 16, 16), by_columns(3, 16, 32), T(2, 16), T(3, 32)),
        Invocation(F(16, 16), by_columns(16, 32), T(32), T(64), T(2, 1, dtype=torch.int32)),
        Invocation(F(16, 16), by_columns(16, 32), T(32), T(64), _OFFSETS, T(32)),
    ],
)
dtype_family(bfloat16_or_out, "aten::_scaled_grouped_mm")
