"""Type promotion for dtype functions, the real dtypes of complex ones, and scalars in a dtype."""

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


def greatest_integer(dtype: int) -> int:
    """The greatest element of an integer dtype of up to 64 bits, or int64's; 0 for any other."""
    if dtype == torch.uint8:
        return 255
    elif dtype == torch.int8:
        return 127
    elif dtype == torch.int16:
        return 32767
    elif dtype == torch.uint16:
        return 65535
    elif dtype == torch.int32:
        return 2147483647
    elif dtype == torch.uint32:
        return 4294967295
    elif dtype == torch.int64:
        return 9223372036854775807
    else:
        return 0


def is_float8(dtype: int) -> bool:
    """Whether a dtype is one of floats of 8 bits."""
    return dtype in [
        torch.float8_e5m2,
        torch.float8_e4m3fn,
        torch.float8_e5m2fnuz,
        torch.float8_e4m3fnuz,
        torch.float8_e8m0fnu,
    ]


def is_unsigned(dtype: int) -> bool:
    """Whether a dtype is one of unsigned integers of up to 32 bits."""
    return dtype in [torch.uint8, torch.uint16, torch.uint32]


def greatest_float(dtype: int) -> float:
    """The greatest finite element of a floating-point dtype of fewer than 64 bits, or of the parts
    of a complex one; 0 for any other.
    """
    if dtype == torch.float32 or dtype == torch.complex64:
        return 3.4028234663852886e38
    elif dtype == torch.bfloat16:
        return 3.3895313892515355e38
    elif dtype == torch.float16 or dtype == torch.complex32:
        return 65504.0
    elif dtype == torch.float8_e5m2 or dtype == torch.float8_e5m2fnuz:
        return 57344.0
    elif dtype == torch.float8_e4m3fn:
        return 448.0
    elif dtype == torch.float8_e4m3fnuz:
        return 240.0
    else:
        return 0.0


def is_finite_element(number: Union[int, float, complex], dtype: int) -> bool:
    """Whether a float dtype of fewer than 64 bits has a scalar, rounded, or it is not finite."""
    most = greatest_float(dtype)
    value = float(number)
    if value == float("inf") or value == -float("inf"):
        return most > 448.0 and dtype != torch.float8_e5m2fnuz
    else:
        # Neither is true of NaN, which every dtype here has.
        return not (value < -most or value > most)


def is_representable(number: Union[int, float, complex], dtype: int) -> bool:
    """Whether a dtype has a scalar, which is rounded, or whose fraction is dropped.

    As in `c10/util/TypeCast.h`: of unsigned dtypes, a negative integer wraps around; infinity is an
    element where the dtype has one, and what would be rounded to it is none. Complex scalars are
    not compared.
    """
    kind = dtype_of_number(number)
    if kind == torch.complex128 or kind == torch.bool:
        return True
    elif is_integral(dtype):
        return is_whole_element(number, dtype)
    else:
        return greatest_float(dtype) == 0.0 or is_finite_element(number, dtype)


def is_whole_element(number: Union[int, float, complex], dtype: int) -> bool:
    """Whether an integer dtype has a scalar, whose fraction is dropped; true for bools."""
    most = greatest_integer(dtype)
    kind = dtype_of_number(number)
    if most == 0:
        return True
    elif kind == torch.float64:
        value = float(number)
        return value >= (0.0 if is_unsigned(dtype) else -float(most) - 1.0) and value <= float(most)
    elif dtype == torch.int64:
        return True
    else:
        whole = int(number)
        return whole >= (-most if is_unsigned(dtype) else -most - 1) and whole <= most


def check_number(number: Union[int, float, complex], dtype: int) -> None:
    """Raise for a scalar that a dtype does not have."""
    assert is_representable(number, dtype), (
        f"a number must be representable in the dtype, got {number} and dtype {dtype}"
    )


def check_computed(number: Union[int, float, complex], dtype: int) -> None:
    """Raise for a scalar that the dtype does not have in which kernels compute: float32 for floats
    of 16 bits.
    """
    if dtype == torch.float16 or dtype == torch.bfloat16:
        check_number(number, torch.float32)
    else:
        check_number(number, dtype)


def check_filled(number: Union[int, float, complex], dtype: int, rank: int) -> None:
    """Raise for a scalar that fills a new tensor of a dtype that does not have it.

    Of rank 0, one of 16-bit floats is made without a comparison.
    """
    if rank != 0 or (dtype != torch.float16 and dtype != torch.bfloat16):
        check_number(number, dtype)


def dtype_of_filled(self: Tuple[int, int], value: Union[int, float, complex]) -> int:
    """The dtype of `self`, to which the scalar is cast."""
    check_number(value, self[1])
    return self[1]


def dtype_or_same_filled(
    self: Tuple[int, int], fill_value: Union[int, float, complex], dtype: Optional[int]
) -> int:
    """The argument `dtype`, or the dtype of `self` if it is None, to which the scalar is cast."""
    found = self[1] if dtype is None else dtype
    check_filled(fill_value, found, self[0])
    return found
