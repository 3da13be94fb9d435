"""Type promotion for dtype functions, and the real dtypes of complex ones."""

from typing import List, Optional, Tuple, Union

import torch
from torch_refine.abstract_interp_lib import promotion as _promotion
from torch_refine.abstract_interp_lib import scalar_types as _scalar_types


@torch.jit.ignore
def promote_dtypes(ranks: List[Optional[int]], dtypes: List[int]) -> int:
    """The promoted dtype of operands of these ranks and dtypes, as in `torch.result_type`.

    A rank of None stands for a Python scalar, whose dtype `dtype_of_number` gives. The exporter
    replaces a call by the op `torch.promote_dtypes`; this body runs in plain Python, where tensors
    have PyTorch's dtypes.
    """
    codes = [_code(each) for each in dtypes]
    promoted = _promotion.promote_dtypes(ranks, codes)
    assert promoted is not None, f"cannot promote dtypes {dtypes}"
    return promoted if codes == dtypes else getattr(torch, _scalar_types.NAMES[promoted])


def _code(dtype: Union[int, torch.dtype]) -> int:
    """The number of a dtype."""
    if isinstance(dtype, int):
        return dtype
    return _scalar_types.NAMES.index(str(dtype).removeprefix("torch."))


@torch.jit.ignore
def dtype_of_number(number: Union[int, float, complex]) -> int:
    """The dtype of a Python scalar before promotion: bool, int64, float64 or complex128.

    The exporter replaces a call by an op, because TorchScript cannot distinguish a bool from an
    int.
    """
    if isinstance(number, bool):
        return _scalar_types.BOOL
    if isinstance(number, int):
        return _scalar_types.INT64
    return _scalar_types.FLOAT64 if isinstance(number, float) else _scalar_types.COMPLEX128


def is_integral(dtype: int) -> bool:
    """Whether a dtype is an integer dtype or bool."""
    return dtype in [
        torch.bool,
        torch.uint8,
        torch.int8,
        torch.int16,
        torch.int32,
        torch.int64,
        torch.uint16,
        torch.uint32,
        torch.uint64,
    ]


def is_complex(dtype: int) -> bool:
    """Whether a dtype is complex."""
    return dtype in [torch.complex32, torch.complex64, torch.complex128]


def int_to_float(dtype: int) -> int:
    """float32 for integers and bool, else the dtype itself, as `sin` returns."""
    if is_integral(dtype):
        return torch.float32
    return dtype


def bool_to_int(dtype: int) -> int:
    """int64 for integers and bool, else the dtype itself, as `cumsum` returns."""
    if is_integral(dtype):
        return torch.int64
    return dtype


def promote_two(left: Tuple[int, int], right: Tuple[int, int]) -> int:
    """The promoted dtype of two tensors, given as (rank, dtype)."""
    ranks: List[Optional[int]] = [left[0], right[0]]
    return promote_dtypes(ranks, [left[1], right[1]])


def promote_with_number(tensor: Tuple[int, int], number: Union[int, float, complex]) -> int:
    """The promoted dtype of a tensor, given as (rank, dtype), and a Python scalar."""
    ranks: List[Optional[int]] = [tensor[0], None]
    return promote_dtypes(ranks, [tensor[1], dtype_of_number(number)])


def promote_list(tensors: List[Tuple[int, int]]) -> int:
    """The promoted dtype of a list of tensors, given as (rank, dtype)."""
    ranks: List[Optional[int]] = []
    dtypes: List[int] = []
    for tensor in tensors:
        ranks.append(tensor[0])
        dtypes.append(tensor[1])
    return promote_dtypes(ranks, dtypes)


def real_dtype(dtype: int) -> int:
    """The real dtype of a complex dtype; any other dtype is returned unchanged."""
    if dtype == torch.complex64:
        return torch.float32
    elif dtype == torch.complex128:
        return torch.float64
    elif dtype == torch.complex32:
        return torch.float16
    else:
        return dtype
