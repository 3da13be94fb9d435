"""Embeddings whose rows are packed with scale and zero point, in 8, 4 or 2 bits per element.

An 8-bit row ends in a float32 scale and bias, 8 bytes in total; a 4-bit or 2-bit row in a float16
scale and bias, 4 bytes in total. All have CPU kernels only; of the meta kernels, that of
`embedding_bag_byte_prepack` returns the dtype of the weight.
"""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, dtype_family, shape_family
from torch_refine.abstract_interp_lib.rules.matching import check_same
from torch_refine.abstract_interp_lib.rules.sizes import ceil_divide, replace_size

_OTHER_DTYPES = (torch.float64, torch.bfloat16, torch.int64)


# Packing.
def packed_bytes(weight: List[int]) -> List[int]:
    """The rows, with one byte per element, and 8 bytes for scale and bias."""
    assert len(weight) > 0, f"weight must have at least 1 dimension, got shape {weight}"
    return replace_size(weight, len(weight) - 1, weight[-1] + 8)


def packed_parts(weight: List[int], per_byte: int) -> List[int]:
    """The rows of a matrix, with several elements per byte.

    PyTorch checks the last dimension but packs dimension 1.
    """
    assert len(weight) >= 2, f"weight must be a matrix, got shape {weight}"
    assert weight[-1] % per_byte == 0, (
        f"the number of columns must be a multiple of {per_byte}, got {weight[-1]}"
    )
    return [weight[0], ceil_divide(weight[1], per_byte) + 4]


def packed_4bit(weight: List[int]) -> List[int]:
    """The rows of a matrix, with two elements per byte."""
    return packed_parts(weight, 2)


def packed_2bit(weight: List[int]) -> List[int]:
    """The rows of a matrix, with four elements per byte."""
    return packed_parts(weight, 4)


def check_row_ranges(weight: List[int], rowwise_min_max: List[int]) -> None:
    """Raise unless there is one minimum and one maximum per row."""
    assert len(weight) > 0, f"weight must have at least 1 dimension, got shape {weight}"
    check_same(rowwise_min_max, [weight[0], 2], "rowwise_min_max")


def packed_bytes_by_range(weight: List[int], rowwise_min_max: List[int]) -> List[int]:
    """As `packed_bytes`, with a given range for each row."""
    check_row_ranges(weight, rowwise_min_max)
    return packed_bytes(weight)


def packed_4bit_by_range(weight: List[int], rowwise_min_max: List[int]) -> List[int]:
    """As `packed_4bit`, with a given range for each row."""
    check_row_ranges(weight, rowwise_min_max)
    return packed_parts(weight, 2)


def packed_2bit_by_range(weight: List[int], rowwise_min_max: List[int]) -> List[int]:
    """As `packed_2bit`, with a given range for each row."""
    check_row_ranges(weight, rowwise_min_max)
    return packed_parts(weight, 4)


def packed_dtype(weight: Tuple[int, int]) -> int:
    """uint8, packed from float32 or float16."""
    assert weight[1] == torch.float32 or weight[1] == torch.float16, (
        f"weight must be of dtype float32 or float16, got dtype {weight[1]}"
    )
    return torch.uint8


_HALF = T(5, 8, dtype=torch.float16)
_MATRIX_OK = [
    Invocation(T(5, 8), device="cpu"),
    Invocation(T(0, 8), device="cpu"),
    Invocation(T(5, 0), device="cpu"),
    Invocation(_HALF, device="cpu"),
]
_PARTS_OK = [
    *_MATRIX_OK,
    Invocation(T(5, 8), True, device="cpu"),
    Invocation(T(5, 8), optimized_qparams=True, nbins=100, ratio=0.2, device="cpu"),
]
_PARTS_ERROR = [
    Invocation(T(8), device="cpu"),
    Invocation(T(), device="cpu"),
    Invocation(T(5, 7), device="cpu"),
]
shape_family(
    packed_bytes,
    "quantized::embedding_bag_byte_prepack",
    ok=[
        *_MATRIX_OK,
        Invocation(T(8), device="cpu"),
        Invocation(T(2, 5, 7), device="cpu"),
    ],
    error=[Invocation(T(), device="cpu")],
)
shape_family(
    packed_4bit,
    "quantized::embedding_bag_4bit_prepack",
    ok=[*_PARTS_OK, Invocation(T(5, 6), device="cpu")],
    error=_PARTS_ERROR,
)
shape_family(
    packed_2bit,
    "quantized::embedding_bag_2bit_prepack",
    ok=_PARTS_OK,
    error=[*_PARTS_ERROR, Invocation(T(5, 6), device="cpu")],
)
dtype_family(
    packed_dtype,
    "quantized::embedding_bag_byte_prepack",
    "quantized::embedding_bag_4bit_prepack",
    "quantized::embedding_bag_2bit_prepack",
    error=[Invocation(T(5, 8, dtype=dtype), device="cpu") for dtype in _OTHER_DTYPES],
)
_RANGE_OK = [
    Invocation(T(5, 8), T(5, 2), device="cpu"),
    Invocation(T(0, 8), T(0, 2), device="cpu"),
    Invocation(T(5, 0), T(5, 2), device="cpu"),
    Invocation(_HALF, T(5, 2), device="cpu"),
    Invocation(_HALF, T(5, 2, dtype=torch.float16), device="cpu"),
]
_RANGE_ERROR = [
    Invocation(T(5, 8), T(4, 2), device="cpu"),
    Invocation(T(5, 8), T(5, 3), device="cpu"),
    Invocation(T(5, 8), T(10), device="cpu"),
    Invocation(T(), T(1, 2), device="cpu"),
]
_PARTS_RANGE_ERROR = [
    *_RANGE_ERROR,
    Invocation(T(8), T(8, 2), device="cpu"),
    Invocation(T(5, 7), T(5, 2), device="cpu"),
]
shape_family(
    packed_bytes_by_range,
    "quantized::embedding_bag_byte_prepack_with_rowwise_min_max",
    ok=[
        *_RANGE_OK,
        Invocation(T(8), T(8, 2), device="cpu"),
        Invocation(T(2, 5, 7), T(2, 2), device="cpu"),
    ],
    error=_RANGE_ERROR,
)
shape_family(
    packed_4bit_by_range,
    "quantized::embedding_bag_4bit_prepack_with_rowwise_min_max",
    ok=[*_RANGE_OK, Invocation(T(5, 6), T(5, 2), device="cpu")],
    error=_PARTS_RANGE_ERROR,
)
shape_family(
    packed_2bit_by_range,
    "quantized::embedding_bag_2bit_prepack_with_rowwise_min_max",
    ok=_RANGE_OK,
    error=[*_PARTS_RANGE_ERROR, Invocation(T(5, 6), T(5, 2), device="cpu")],
)
dtype_family(
    packed_dtype,
    "quantized::embedding_bag_byte_prepack_with_rowwise_min_max",
    "quantized::embedding_bag_4bit_prepack_with_rowwise_min_max",
    "quantized::embedding_bag_2bit_prepack_with_rowwise_min_max",
    error=[Invocation(T(5, 8, dtype=dtype), T(5, 2), device="cpu") for dtype in _OTHER_DTYPES],
)


# Unpacking.
def unpacked_bytes(weight: List[int]) -> List[int]:
    """The rows without scale and bias."""
    assert len(weight) > 0 and weight[-1] >= 8, (
        f"rows must end in a 4-byte scale and bias, got shape {weight}"
    )
    return replace_size(weight, len(weight) - 1, weight[-1] - 8)


def unpacked_parts(weight: List[int], per_byte: int) -> List[int]:
    """The rows of a matrix without scale and bias; a byte holds several elements."""
    assert len(weight) >= 2 and weight[1] >= 4, (
        f"rows must end in a 2-byte scale and bias, got shape {weight}"
    )
    return [weight[0], (weight[1] - 4) * per_byte]


def unpacked_4bit(weight: List[int]) -> List[int]:
    """The rows of a matrix without scale and bias; a byte holds two elements."""
    return unpacked_parts(weight, 2)


def unpacked_2bit(weight: List[int]) -> List[int]:
    """The rows of a matrix without scale and bias; a byte holds four elements."""
    return unpacked_parts(weight, 4)


def unpacked_dtype(weight: Tuple[int, int]) -> int:
    """float32, unpacked from uint8."""
    assert weight[1] == torch.uint8, f"weight must be of dtype uint8, got dtype {weight[1]}"
    return torch.float32


def B(*sizes: int) -> Invocation:
    """A case with one uint8 matrix."""
    return Invocation(T(*sizes, dtype=torch.uint8), device="cpu")


shape_family(
    unpacked_bytes,
    "quantized::embedding_bag_byte_unpack",
    ok=[B(5, 16), B(5, 8), B(2, 5, 12), B(16), B(0, 16)],
    error=[B(), B(5, 6)],
)
shape_family(
    unpacked_4bit,
    "quantized::embedding_bag_4bit_unpack",
    ok=[B(5, 16), B(5, 9), B(5, 4), B(0, 16)],
    error=[B(16), B(), B(5, 3)],
)
shape_family(
    unpacked_2bit,
    "quantized::embedding_bag_2bit_unpack",
    ok=[B(5, 16), B(5, 9), B(5, 4), B(0, 16)],
    error=[B(16), B(), B(5, 3)],
)
dtype_family(
    unpacked_dtype,
    "quantized::embedding_bag_byte_unpack",
    "quantized::embedding_bag_4bit_unpack",
    "quantized::embedding_bag_2bit_unpack",
    error=[
        Invocation(T(5, 16, dtype=dtype), device="cpu") for dtype in (torch.float32, torch.int8)
    ],
)


# Bags.
def count_bags(indices: List[int], offsets: Optional[List[int]], include_last_offset: bool) -> int:
    """The number of bags: one per offset, or one per row of 2-D indices."""
    if offsets is None:
        assert len(indices) == 2, f"indices must be 2-D without offsets, got shape {indices}"
        bags = indices[0]
    else:
        assert len(indices) == 1, f"with offsets, indices must be 1-D, got shape {indices}"
        assert len(offsets) == 1, f"offsets must be 1-D, got shape {offsets}"
        bags = offsets[0]
    if include_last_offset:
        assert bags > 0, "offsets must not be empty if include_last_offset is set, got none"
        bags = bags - 1
    return bags


def bags_of_bytes(
    weight: List[int], indices: List[int], offsets: Optional[List[int]], include_last_offset: bool
) -> List[int]:
    """One embedding per bag, with the columns of the unpacked weight."""
    assert len(weight) == 2, f"weight must be a matrix, got shape {weight}"
    columns = unpacked_bytes(weight)[1]
    return [count_bags(indices, offsets, include_last_offset), columns]


def bags_of_4bit(
    weight: List[int], indices: List[int], offsets: Optional[List[int]], include_last_offset: bool
) -> List[int]:
    """One embedding per bag, with the columns of the unpacked weight."""
    assert len(weight) == 2, f"weight must be a matrix, got shape {weight}"
    columns = unpacked_parts(weight, 2)[1]
    return [count_bags(indices, offsets, include_last_offset), columns]


def bags_of_2bit(
    weight: List[int], indices: List[int], offsets: Optional[List[int]], include_last_offset: bool
) -> List[int]:
    """One embedding per bag, with the columns of the unpacked weight."""
    assert len(weight) == 2, f"weight must be a matrix, got shape {weight}"
    columns = unpacked_parts(weight, 4)[1]
    return [count_bags(indices, offsets, include_last_offset), columns]


def bags_dtype(weight: Tuple[int, int], indices: Tuple[int, int]) -> int:
    """float32, unpacked from uint8."""
    assert indices[1] == torch.int32 or indices[1] == torch.int64, (
        f"indices must be of dtype int32 or int64, got dtype {indices[1]}"
    )
    return unpacked_dtype(weight)


_ROWS = T(10, 16, dtype=torch.uint8)
_INDICES = T(5, dtype=torch.int64, values=[1, 2, 3, 4, 5])
_TABLE = T(2, 3, dtype=torch.int64)
_OFFSETS = T(2, dtype=torch.int64, values=[0, 2])
_SHORT = T(5, dtype=torch.int32)
_BAGS = (
    "quantized::embedding_bag_byte_rowwise_offsets",
    "quantized::embedding_bag_4bit_rowwise_offsets",
    "quantized::embedding_bag_2bit_rowwise_offsets",
)
_BAGS_OK = [
    Invocation(_ROWS, _INDICES, _OFFSETS, device="cpu"),
    Invocation(_ROWS, _TABLE, device="cpu"),
    Invocation(_ROWS, T(0, 3, dtype=torch.int64), None, device="cpu"),
    Invocation(_ROWS, _INDICES, _OFFSETS, True, 1, per_sample_weights=T(5), device="cpu"),
    Invocation(_ROWS, _SHORT, T(2, dtype=torch.int32, values=[0, 2]), device="cpu"),
    Invocation(
        *(_ROWS, _INDICES, T(3, dtype=torch.int64, values=[0, 2, 5])),
        include_last_offset=True,
        device="cpu",
    ),
    Invocation(
        _ROWS, T(0, dtype=torch.int64), T(2, dtype=torch.int64, values=[0, 0]), device="cpu"
    ),
]
_BAGS_ERROR = [
    Invocation(_ROWS, _INDICES, None, device="cpu"),
    Invocation(_ROWS, _TABLE, _OFFSETS, device="cpu"),
    Invocation(_ROWS, _INDICES, T(1, 2, dtype=torch.int64), device="cpu"),
    Invocation(_ROWS, _INDICES, T(0, dtype=torch.int64), include_last_offset=True, device="cpu"),
    Invocation(T(16, dtype=torch.uint8), _INDICES, _OFFSETS, device="cpu"),
]
shape_family(
    bags_of_bytes,
    "quantized::embedding_bag_byte_rowwise_offsets",
    ok=[*_BAGS_OK, Invocation(_ROWS, _INDICES, _OFFSETS)],
    error=_BAGS_ERROR,
)
shape_family(
    bags_of_4bit,
    "quantized::embedding_bag_4bit_rowwise_offsets",
    ok=_BAGS_OK,
    error=_BAGS_ERROR,
)
shape_family(
    bags_of_2bit,
    "quantized::embedding_bag_2bit_rowwise_offsets",
    ok=_BAGS_OK,
    error=_BAGS_ERROR,
)
dtype_family(
    bags_dtype,
    *_BAGS,
    error=[
        Invocation(T(10, 16), _INDICES, _OFFSETS, device="cpu"),
        Invocation(_ROWS, T(5), _OFFSETS, device="cpu"),
    ],
)
