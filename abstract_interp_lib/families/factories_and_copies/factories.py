"""Factories: `zeros`, `full_like`, `arange`, `as_tensor`, ... Random ones are in `random`."""

from functools import partial
from typing import List, Optional, Tuple, Union

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    dtype_function,
    shape_family,
    shape_function,
)
from torch_refine.abstract_interp_lib.rules.dims import same_as_self
from torch_refine.abstract_interp_lib.rules.factories import (
    closed_range_size,
    dtype_or_default,
    dtype_or_fill_value,
    dtype_or_float,
    dtype_or_int64,
    dtype_or_same,
    given_size,
    range_dtype,
    range_size,
    zero_dim,
)
from torch_refine.abstract_interp_lib.rules.promotion import (
    check_filled,
    check_number,
    dtype_of_number,
    dtype_or_same_filled,
    is_representable,
)
from torch_refine.abstract_interp_lib.rules.reduction import int64_dtype
from torch_refine.abstract_interp_lib.rules.sizes import wrap_existing
from torch_refine.abstract_interp_lib.rules.unknown import unknown_size

_DTYPES = (torch.float16, torch.bfloat16, torch.float64, torch.int64, torch.bool, torch.complex64)
_SIZES = [Invocation([2, 3]), Invocation([]), Invocation([0, 3])]
_NEGATIVE = [Invocation([2, -1])]

# Factories with a size.
_SIZED = (
    "aten::empty.memory_format",
    "aten::ones",
    "aten::zeros",
)
shape_family(given_size, *_SIZED, ok=_SIZES, error=_NEGATIVE)
dtype_family(
    dtype_or_default, *_SIZED, ok=[Invocation([2], dtype=dtype) for dtype in (*_DTYPES, None)]
)
shape_family(
    given_size,
    "aten::full",
    ok=[Invocation([2, 3], 1), Invocation([], 1.5), Invocation([0, 3], 1)],
    error=[Invocation([2, -1], 1)],
)
dtype_family(
    dtype_or_fill_value,
    "aten::full",
    ok=[
        Invocation([2], 1),
        Invocation([2], 1.5),
        Invocation([2], 1j),
        Invocation([2], True),
        *[Invocation([2], 1, dtype=dtype) for dtype in _DTYPES],
    ],
    error=[
        Invocation([2], 1e30, dtype=torch.int64, device="cpu"),
        Invocation([2], -129, dtype=torch.int8, device="cpu"),
    ],
)


def strided(size: List[int], stride: List[int]) -> List[int]:
    """The argument `size`; every dimension has a stride."""
    assert len(size) == len(stride), (
        f"size and stride must have the same length, got {size} and {stride}"
    )
    return given_size(size)


shape_family(
    strided,
    "aten::empty_strided",
    ok=[Invocation([2, 3], [3, 1]), Invocation([], [])],
    error=[Invocation([2, 3], [1]), Invocation([2, -1], [1, 1])],
)
dtype_family(
    dtype_or_default,
    "aten::empty_strided",
    ok=[Invocation([2], [1], dtype=dtype) for dtype in _DTYPES],
)
shape_family(
    strided,
    "aten::new_empty_strided",
    ok=[Invocation(T(5), [2, 3], [3, 1])],
    error=[Invocation(T(5), [2, 3], [1]), Invocation(T(5), [2, -1], [1, 1])],
)
dtype_family(
    dtype_or_same,
    "aten::new_empty_strided",
    ok=[Invocation(T(5, dtype=torch.int64), [2], [1], dtype=d) for d in (torch.float16, None)],
)

# Factories like another tensor.
_LIKE = (
    "aten::empty_like",
    "aten::ones_like",
    "aten::zeros_like",
)
shape_family(same_as_self, *_LIKE, ok=[Invocation(T(2, 3)), Invocation(T()), Invocation(T(0, 3))])
dtype_family(
    dtype_or_same,
    *_LIKE,
    ok=[
        *[Invocation(T(2, dtype=dtype)) for dtype in _DTYPES],
        Invocation(T(2), dtype=torch.float64),
        Invocation(T(2, dtype=torch.int64), dtype=torch.float16),
        Invocation(T(2, dtype=torch.bool), dtype=torch.complex64),
    ],
)
shape_family(same_as_self, "aten::full_like", ok=[Invocation(T(2, 3), 1), Invocation(T(), 1.5)])
dtype_family(
    dtype_or_same_filled,
    "aten::full_like",
    ok=[
        *[Invocation(T(2, dtype=dtype), 1) for dtype in _DTYPES],
        Invocation(T(2, dtype=torch.int64), 1.5),
        Invocation(T(2), 1, dtype=torch.int64),
        Invocation(T(2), True, dtype=torch.bool),
        Invocation(T(2, dtype=torch.uint8), -255),
        Invocation(T(2, dtype=torch.int32), -2147483648.0),
        Invocation(T(2, dtype=torch.bool), 300),
        Invocation(T(2, dtype=torch.float16), 65504),
        Invocation(T(2), float("nan"), dtype=torch.bfloat16),
        Invocation(T(dtype=torch.float16), 1e5),
    ],
    error=[
        Invocation(T(2, dtype=torch.float16), 65505, device="cpu"),
        Invocation(T(2), float("inf"), dtype=torch.float8_e4m3fn, device="cpu"),
        Invocation(T(2, dtype=torch.uint8), -256, device="cpu"),
        Invocation(T(2, dtype=torch.uint8), -0.5, device="cpu"),
        Invocation(T(2), float("nan"), dtype=torch.int64, device="cpu"),
        Invocation(T(2), 2147483648, dtype=torch.int32, device="cpu"),
    ],
)
# Factories with the dtype of another tensor.
_NEW = ("aten::new_empty", "aten::new_ones", "aten::new_zeros")
shape_family(
    given_size,
    *_NEW,
    ok=[Invocation(T(5), [2, 3]), Invocation(T(5), [])],
    error=[Invocation(T(5), [2, -1])],
)
dtype_family(
    dtype_or_same,
    *_NEW,
    ok=[
        *[Invocation(T(5, dtype=dtype), [2]) for dtype in _DTYPES],
        Invocation(T(5), [2], dtype=torch.int32),
    ],
)
shape_family(
    given_size,
    "aten::new_full",
    ok=[Invocation(T(5), [2, 3], 1)],
    error=[Invocation(T(5), [2, -1], 1)],
)


def new_full_dtype(
    self: Tuple[int, int],
    size: List[int],
    fill_value: Union[int, float, complex],
    dtype: Optional[int],
) -> int:
    """The argument `dtype`, or the dtype of `self` if it is None, to which the scalar is cast."""
    found = self[1] if dtype is None else dtype
    check_filled(fill_value, found, len(size))
    return found


dtype_family(
    new_full_dtype,
    "aten::new_full",
    ok=[
        *[Invocation(T(5, dtype=dtype), [2], 1) for dtype in _DTYPES],
        Invocation(T(5, dtype=torch.int64), [2], 1.5),
        Invocation(T(5), [2], 1, dtype=torch.int32),
    ],
    error=[Invocation(T(5, dtype=torch.int8), [2], 128, device="cpu")],
)


# 0-dim tensors.
def scalar_dtype(s: Union[int, float, complex], dtype: Optional[int]) -> int:
    """The argument `dtype`, or float32 if it is None."""
    found = dtype_or_default(dtype)
    check_filled(s, found, 0)
    return found


shape_family(zero_dim, "aten::scalar_tensor", ok=[Invocation(1), Invocation(1.5)])
dtype_family(
    scalar_dtype,
    "aten::scalar_tensor",
    ok=[Invocation(1, dtype=dtype) for dtype in (*_DTYPES, None)],
    error=[Invocation(300, dtype=torch.uint8, device="cpu")],
)
_NUMBERS = ("aten::tensor.bool", "aten::tensor.float", "aten::tensor.int")
shape_family(zero_dim, *_NUMBERS, ok=[Invocation(True)])


def dtype_or_bool(dtype: Optional[int]) -> int:
    """The argument `dtype`, or bool if it is None."""
    if dtype is None:
        return torch.bool
    else:
        return dtype


dtype_family(dtype_or_bool, "aten::tensor.bool", ok=[Invocation(True, dtype=torch.float16)])


def dtype_of_float(t: float, dtype: Optional[int]) -> int:
    """The argument `dtype`, or float32 if it is None, which the scalar is cast to before."""
    check_number(t, torch.float32)
    return dtype_or_default(dtype)


_OF_FLOAT = ("aten::as_tensor.float", "aten::tensor.float")
dtype_family(
    dtype_of_float,
    *_OF_FLOAT,
    ok=[Invocation(1.5), *[Invocation(1.5, dtype=each) for each in (torch.float64, torch.int64)]],
    error=[Invocation(1e39)],
)
dtype_family(
    dtype_or_int64, "aten::tensor.int", ok=[Invocation(1), Invocation(1, dtype=torch.float64)]
)


def arange(end: Union[int, float, complex], dtype: Optional[int]) -> List[int]:
    """The integers from 0 to `end`, exclusive."""
    return [range_size(0, end, 1, dtype)]


def arange_start(
    start: Union[int, float, complex], end: Union[int, float, complex], dtype: Optional[int]
) -> List[int]:
    """The range from `start` to `end`, exclusive."""
    return [range_size(start, end, 1, dtype)]


def arange_start_step(
    start: Union[int, float, complex],
    end: Union[int, float, complex],
    step: Union[int, float, complex],
    dtype: Optional[int],
) -> List[int]:
    """The range from `start` to `end`, exclusive, by `step`."""
    return [range_size(start, end, step, dtype)]


def arange_dtype(end: Union[int, float, complex], dtype: Optional[int]) -> int:
    """The argument `dtype`, or a default by the type of `end`."""
    return range_dtype(0, end, 1, dtype)


def arange_start_dtype(
    start: Union[int, float, complex], end: Union[int, float, complex], dtype: Optional[int]
) -> int:
    """The argument `dtype`, or a default by the types of the scalars."""
    return range_dtype(start, end, 1, dtype)


_RANGE_DTYPES = (
    torch.float16,
    torch.bfloat16,
    torch.float32,
    torch.float64,
    torch.int64,
    torch.int32,
    torch.uint8,
    None,
)
shape_family(
    arange,
    "aten::arange",
    ok=[
        Invocation(5),
        Invocation(0),
        Invocation(2.5),
        Invocation(0.0),
        *[Invocation(2.9, dtype=dtype) for dtype in _RANGE_DTYPES],
    ],
    error=[
        Invocation(-1),
        Invocation(-0.5),
        Invocation(float("inf")),
        Invocation(float("nan")),
    ],
)
dtype_family(
    arange_dtype,
    "aten::arange",
    ok=[Invocation(3, dtype=dtype) for dtype in _RANGE_DTYPES],
    error=[Invocation(2j)],
)
shape_family(
    arange_start,
    "aten::arange.start",
    ok=[
        Invocation(2, 5),
        Invocation(-3, 3),
        Invocation(5, 5),
        Invocation(0.5, 3),
        *[Invocation(-1.9, 2.1, dtype=dtype) for dtype in _RANGE_DTYPES if dtype != torch.uint8],
    ],
    error=[Invocation(5, 2), Invocation(0.5, 0)],
)
dtype_family(
    arange_start_dtype,
    "aten::arange.start",
    ok=[Invocation(1, 3.5), Invocation(1.5, 3), Invocation(1, 3, dtype=torch.float64)],
    error=[Invocation(0, 2j)],
)
shape_family(
    arange_start_step,
    "aten::arange.start_step",
    ok=[
        Invocation(0, 10, 3),
        Invocation(0, 9, 3),
        Invocation(10, 0, -3),
        Invocation(1, 1, -1),
        Invocation(2, 5),
        Invocation(0, 1, 0.1),
        Invocation(1, 0, -0.25),
        Invocation(0, 10, 3, dtype=torch.float16),
        Invocation(0.5, 10.7, 2.9),
        Invocation(0.5, 10.7, 2.9, dtype=torch.int32),
        # Counted with a step of 2.
        Invocation(0.5, 10.7, 2.9, dtype=torch.int64),
        Invocation(-5.9, -1.2, 1.5, dtype=torch.int64),
    ],
    error=[
        Invocation(0, 1, 0),
        Invocation(0.0, 1.0, 0.0),
        Invocation(0, 1, 0.5, dtype=torch.int64),
        Invocation(0, 1, -1),
        Invocation(0, 1, -0.5),
    ],
)
dtype_family(
    range_dtype,
    "aten::arange.start_step",
    ok=[Invocation(1, 3, 0.5), Invocation(1, 3, 1), Invocation(1, 3, 1, dtype=torch.bfloat16)],
    error=[Invocation(0, 1, 2j)],
)


def steps(steps: int) -> List[int]:
    """The argument `steps`."""
    assert steps >= 0, f"steps must not be negative, got {steps}"
    return [steps]


def steps_from_tensor(start: List[int], steps: int) -> List[int]:
    """The argument `steps`."""
    assert len(start) == 0, f"start must be 0-dim, got shape {start}"
    assert steps >= 0, f"steps must not be negative, got {steps}"
    return [steps]


def steps_to_tensor(end: List[int], steps: int) -> List[int]:
    """The argument `steps`."""
    assert len(end) == 0, f"end must be 0-dim, got shape {end}"
    assert steps >= 0, f"steps must not be negative, got {steps}"
    return [steps]


def steps_between_tensors(start: List[int], end: List[int], steps: int) -> List[int]:
    """The argument `steps`."""
    assert len(start) == 0, f"start must be 0-dim, got shape {start}"
    assert len(end) == 0, f"end must be 0-dim, got shape {end}"
    assert steps >= 0, f"steps must not be negative, got {steps}"
    return [steps]


def check_end(number: Union[int, float, complex], steps: int, dtype: int) -> None:
    """Raise for a scalar that the dtype does not have; one or no element is not computed."""
    assert steps <= 1 or is_representable(number, dtype), (
        f"a number must be representable in the dtype, got {number} and dtype {dtype}"
    )


def steps_dtype(
    start: Union[int, float, complex],
    end: Union[int, float, complex],
    steps: int,
    dtype: Optional[int],
) -> int:
    """The argument `dtype`; if None, complex64 if an end is complex, else float32."""
    found = dtype_or_float(dtype_of_number(start), dtype_of_number(end), dtype)
    check_end(start, steps, found)
    check_end(end, steps, found)
    return found


def steps_from_tensor_dtype(
    start: Tuple[int, int], end: Union[int, float, complex], steps: int, dtype: Optional[int]
) -> int:
    """Of the dtypes of the ends only the category complex matters."""
    found = dtype_or_float(start[1], dtype_of_number(end), dtype)
    check_end(end, steps, found)
    return found


def steps_to_tensor_dtype(
    start: Union[int, float, complex], end: Tuple[int, int], steps: int, dtype: Optional[int]
) -> int:
    """Of the dtypes of the ends only the category complex matters."""
    found = dtype_or_float(dtype_of_number(start), end[1], dtype)
    check_end(start, steps, found)
    return found


def steps_between_tensors_dtype(
    start: Tuple[int, int], end: Tuple[int, int], dtype: Optional[int]
) -> int:
    """Of the dtypes of the ends only the category complex matters."""
    return dtype_or_float(start[1], end[1], dtype)


_WIDE = T(dtype=torch.float64)
_COMPLEX = T(dtype=torch.complex128)
_BETWEEN = ("aten::linspace", "aten::logspace")
_BETWEEN_FROM = ("aten::linspace.Tensor_Scalar", "aten::logspace.Tensor_Scalar")
_BETWEEN_TO = ("aten::linspace.Scalar_Tensor", "aten::logspace.Scalar_Tensor")
_BETWEEN_TENSORS = ("aten::linspace.Tensor_Tensor", "aten::logspace.Tensor_Tensor")
shape_family(
    steps, *_BETWEEN, ok=[Invocation(0, 1, 5), Invocation(0, 1, 0)], error=[Invocation(0, 1, -1)]
)
shape_family(
    steps_from_tensor,
    *_BETWEEN_FROM,
    ok=[Invocation(T(), 1, 5)],
    error=[Invocation(T(1), 1, 5), Invocation(T(), 1, -1)],
)
shape_family(
    steps_to_tensor,
    *_BETWEEN_TO,
    ok=[Invocation(1, T(), 5)],
    error=[Invocation(1, T(1), 5), Invocation(1, T(), -1)],
)
shape_family(
    steps_between_tensors,
    *_BETWEEN_TENSORS,
    ok=[Invocation(T(), T(), 5)],
    error=[Invocation(T(1), T(), 5), Invocation(T(), T(1), 5), Invocation(T(), T(), -1)],
)
dtype_family(
    steps_dtype,
    *_BETWEEN,
    ok=[
        Invocation(0.5, 1, 5),
        Invocation(0, 1j, 5),
        Invocation(0, 1, 5, dtype=torch.float16),
        Invocation(0, 1, 5, dtype=torch.int64),
    ],
    error=[
        Invocation(0, 1e39, 5, device="cpu"),
        Invocation(-1e5, 1, 5, dtype=torch.float16, device="cpu"),
    ],
)
# The meta kernels ignore that a tensor is complex.
dtype_family(
    steps_from_tensor_dtype,
    *_BETWEEN_FROM,
    ok=[
        Invocation(_WIDE, 1, 5),
        Invocation(_COMPLEX, 1, 5, device="cpu"),
        Invocation(T(), 1, 5, dtype=torch.float16),
    ],
    error=[Invocation(T(), 1e39, 5, device="cpu")],
)
dtype_family(
    steps_to_tensor_dtype,
    *_BETWEEN_TO,
    ok=[
        Invocation(1, _WIDE, 5),
        Invocation(1, _COMPLEX, 5, device="cpu"),
        Invocation(1, T(), 5, dtype=torch.float16),
    ],
    error=[Invocation(1e39, T(), 5, device="cpu")],
)
dtype_family(
    steps_between_tensors_dtype,
    *_BETWEEN_TENSORS,
    ok=[
        Invocation(_WIDE, _WIDE, 5),
        Invocation(_WIDE, _COMPLEX, 5, device="cpu"),
        Invocation(_WIDE, T(), 5, dtype=torch.bfloat16),
    ],
)


def eye(n: int) -> List[int]:
    """A square matrix."""
    assert n >= 0, f"aten::eye: n must not be negative, got {n}"
    return [n, n]


def eye_m(n: int, m: int) -> List[int]:
    """A matrix of n rows and m columns."""
    assert n >= 0 and m >= 0, f"aten::eye: n and m must not be negative, got {n} and {m}"
    return [n, m]


_MATRIX_DTYPES = (torch.float16, torch.bfloat16, torch.float64, torch.int64, torch.bool)
shape_family(eye, "aten::eye", ok=[Invocation(3), Invocation(0)], error=[Invocation(-1)])
shape_family(
    eye_m,
    "aten::eye.m",
    ok=[Invocation(2, 3), Invocation(0, 3)],
    error=[Invocation(-1, 3), Invocation(3, -1)],
)
dtype_family(
    dtype_or_default, "aten::eye", ok=[Invocation(2, dtype=dtype) for dtype in _MATRIX_DTYPES]
)
dtype_family(
    dtype_or_default, "aten::eye.m", ok=[Invocation(2, 3, dtype=dtype) for dtype in _MATRIX_DTYPES]
)


def window(window_length: int) -> List[int]:
    """The argument `window_length`."""
    assert window_length >= 0, f"window_length must not be negative, got {window_length}"
    return [window_length]


_WINDOWS = (
    "aten::bartlett_window",
    "aten::blackman_window",
    "aten::hamming_window",
    "aten::hann_window",
    "aten::kaiser_window",
)
shape_family(
    window,
    *_WINDOWS,
    ok=[Invocation(5), Invocation(1), Invocation(0)],
    error=[Invocation(-1)],
)
dtype_family(
    dtype_or_default,
    *_WINDOWS,
    ok=[Invocation(5, dtype=torch.float64), Invocation(5, dtype=None)],
)
_PERIODIC_WINDOWS = (
    "aten::bartlett_window.periodic",
    "aten::blackman_window.periodic",
    "aten::hamming_window.periodic",
    "aten::hann_window.periodic",
    "aten::kaiser_window.periodic",
)
shape_family(
    window,
    *_PERIODIC_WINDOWS,
    ok=[Invocation(5, True), Invocation(5, False), Invocation(1, True), Invocation(0, False)],
    error=[Invocation(-1, True)],
)
dtype_family(dtype_or_default, *_PERIODIC_WINDOWS, ok=[Invocation(5, True, dtype=torch.float64)])


# Tensors from scalars, sizes, ranges and files.

_FLOATS = (torch.float16, torch.bfloat16, torch.float64)
_INTS = (torch.int64, torch.int32, torch.uint8)
_on_cpu = partial(Invocation, device="cpu")

# 0-dim tensors.
_CONSTRUCTOR_NUMBERS = ("aten::as_tensor.bool", "aten::as_tensor.float", "aten::as_tensor.int")
shape_family(zero_dim, *_CONSTRUCTOR_NUMBERS, ok=[Invocation(True)])
dtype_family(dtype_or_bool, "aten::as_tensor.bool", ok=[Invocation(True, dtype=torch.float16)])
dtype_family(
    dtype_or_int64, "aten::as_tensor.int", ok=[Invocation(1), Invocation(1, dtype=torch.float16)]
)


@shape_function("aten::as_tensor", ok=[Invocation(T(2, 3)), Invocation(T())])
def as_tensor(
    data: List[int], dtype: Optional[int] = None, device: Optional[torch.device] = None
) -> List[int]:
    """The shape of the data."""
    return data


@dtype_function(
    "aten::as_tensor",
    ok=[
        *[Invocation(T(2, dtype=dtype)) for dtype in (*_FLOATS, *_INTS, torch.bool)],
        Invocation(T(2), dtype=torch.complex64),
        Invocation(T(2, dtype=torch.int64), dtype=torch.float16),
    ],
)
def as_tensor_dtype(
    data: Tuple[int, int], dtype: Optional[int] = None, device: Optional[torch.device] = None
) -> int:
    """The argument `dtype`, or the dtype of the data."""
    return data[1] if dtype is None else dtype


# Sizes as tensors, and tensors as sizes.
def list_as_tensor(self: List[int]) -> List[int]:
    """One element per scalar of the list."""
    return [len(self)]


def list_dtype() -> int:
    """int32."""
    return torch.int32


shape_family(
    list_as_tensor, "aten::_list_to_tensor", ok=[_on_cpu([1, 2, 3]), _on_cpu([]), _on_cpu([7])]
)
dtype_family(list_dtype, "aten::_list_to_tensor")
shape_family(
    list_as_tensor,
    "aten::_shape_as_tensor",
    ok=[Invocation(T(2, 3)), Invocation(T()), Invocation(T(2, dtype=torch.bool))],
)
dtype_family(int64_dtype, "aten::_shape_as_tensor")


def reshape_from_tensor(self: List[int], shape: List[int]) -> List[int]:
    """The rank is the length of `shape`, whose values are unknown."""
    assert len(shape) == 1, f"shape must be 1-D, got shape {shape}"
    return [unknown_size() for _ in range(shape[0])]


def reshape_from_tensor_dtype(self: Tuple[int, int], shape: Tuple[int, int]) -> int:
    """The dtype of `self`."""
    assert shape[1] == torch.int64, f"shape must be int64, got dtype {shape[1]}"
    return self[1]


shape_family(
    reshape_from_tensor,
    "aten::_reshape_from_tensor",
    ok=[
        _on_cpu(T(2, 3), T(2, dtype=torch.int64, values=[3, 2])),
        _on_cpu(T(2, 3), T(3, dtype=torch.int64, values=[1, -1, 2])),
        _on_cpu(T(), T(0, dtype=torch.int64)),
        _on_cpu(T(2, dtype=torch.bool), T(1, dtype=torch.int64, values=[2])),
    ],
    error=[
        _on_cpu(T(2), T(dtype=torch.int64, values=[2])),
        _on_cpu(T(2), T(1, 1, dtype=torch.int64, values=[2])),
    ],
)
dtype_family(
    reshape_from_tensor_dtype,
    "aten::_reshape_from_tensor",
    error=[_on_cpu(T(2), T(1, dtype=torch.int32, values=[2]))],
)


# Ranges.
def range_rule(
    start: Union[int, float, complex], end: Union[int, float, complex], dtype: Optional[int]
) -> List[int]:
    """The range from `start` to `end`, inclusive."""
    return [closed_range_size(start, end, 1, dtype)]


def range_step_rule(
    start: Union[int, float, complex],
    end: Union[int, float, complex],
    step: Union[int, float, complex],
    dtype: Optional[int],
) -> List[int]:
    """The range from `start` to `end`, inclusive, by `step`."""
    return [closed_range_size(start, end, step, dtype)]


def check_real(number: Union[int, float, complex]) -> None:
    """Raise for complex scalars."""
    kind = dtype_of_number(number)
    assert kind != torch.complex128, f"start, end and step must be real, got dtype {kind}"


def constructor_range_dtype(
    start: Union[int, float, complex], end: Union[int, float, complex], dtype: Optional[int]
) -> int:
    """The argument `dtype`, or float32, also for integers."""
    check_real(start)
    check_real(end)
    return dtype_or_default(dtype)


_CONSTRUCTOR_RANGE_DTYPES = (*_FLOATS, *_INTS, torch.float32, None)
# The CPU also computes the size for the meta device; but float32 differs on CUDA.
shape_family(
    range_rule,
    "aten::range",
    ok=[
        _on_cpu(0, 0),
        _on_cpu(-1.5, 2),
        Invocation(0, 5),
        *[_on_cpu(0, 5, dtype=dtype) for dtype in _CONSTRUCTOR_RANGE_DTYPES],
        *[_on_cpu(0.5, 5.5, dtype=dtype) for dtype in _CONSTRUCTOR_RANGE_DTYPES],
    ],
    error=[
        _on_cpu(5, 0),
        _on_cpu(0.5, 0.2, dtype=torch.int64),
        _on_cpu(0, float("inf")),
        _on_cpu(0, float("nan")),
    ],
)
dtype_family(constructor_range_dtype, "aten::range", error=[_on_cpu(1, 2j), _on_cpu(2j, 5)])
shape_family(
    range_step_rule,
    "aten::range.step",
    ok=[
        _on_cpu(0, 5),
        _on_cpu(0, 6, 2),
        _on_cpu(5, 0, -2),
        _on_cpu(0, 1, 0.1),
        _on_cpu(0, 0.3, 0.1),
        _on_cpu(0, 0.3, 0.1, dtype=torch.float16),
        _on_cpu(0, -1, -0.1, dtype=torch.float64),
        *[_on_cpu(0.5, 10.7, 2.9, dtype=dtype) for dtype in _CONSTRUCTOR_RANGE_DTYPES],
        *[_on_cpu(7, 0, -3, dtype=dtype) for dtype in _CONSTRUCTOR_RANGE_DTYPES],
        _on_cpu(-5.9, -1.2, 1.5, dtype=torch.int64),
    ],
    error=[_on_cpu(0, 5, 0), _on_cpu(0, 5, -1), _on_cpu(0.0, 5.0, 0.0)],
)
dtype_family(constructor_range_dtype, "aten::range.step")


@shape_function(
    "aten::_dim_arange",
    ok=[
        Invocation(T(2, 3), 1),
        Invocation(T(2, 3), -2),
        Invocation(T(0), 0),
        Invocation(T(2, dtype=torch.float16), 0),
    ],
    error=[Invocation(T(), 0), Invocation(T(2, 3), 2)],
)
def dim_arange(like: List[int], dim: int) -> List[int]:
    """The indices of a dimension."""
    return [like[wrap_existing(dim, len(like))]]


@dtype_function("aten::_dim_arange")
def dim_arange_dtype(like: Tuple[int, int], dim: int) -> int:
    """Indices are int64."""
    return torch.int64


# Window functions.
_CONSTRUCTOR_WINDOWS = ("aten::hamming_window.periodic_alpha", "aten::kaiser_window.beta")
_ONE_NUMBER = [
    Invocation(5, True, 0.5),
    Invocation(5, False, 0.5),
    Invocation(1, True, 0.5),
    Invocation(0, True, 0.5),
]
shape_family(window, *_CONSTRUCTOR_WINDOWS, ok=_ONE_NUMBER, error=[Invocation(-1, True, 0.5)])
dtype_family(
    dtype_or_default,
    *_CONSTRUCTOR_WINDOWS,
    ok=[Invocation(5, True, 0.5, dtype=dtype) for dtype in (*_FLOATS, None)],
)
shape_family(
    window,
    "aten::hamming_window.periodic_alpha_beta",
    ok=[Invocation(5, True, 0.5, 0.4), Invocation(0, False, 0.5, 0.4)],
    error=[Invocation(-1, True, 0.5, 0.4)],
)
dtype_family(
    dtype_or_default,
    "aten::hamming_window.periodic_alpha_beta",
    ok=[Invocation(5, True, 0.5, 0.4, dtype=dtype) for dtype in (*_FLOATS, None)],
)


# Factories with a physical layout, and from files.
def permuted(size: List[int], physical_layout: List[int]) -> List[int]:
    """The argument `size`; the layout is a permutation of all dimensions."""
    assert len(size) == len(physical_layout), (
        f"size and physical_layout must have the same length, got {size} and {physical_layout}"
    )
    for dim in range(len(size)):
        assert dim in physical_layout, (
            f"dimension {dim} is missing in physical_layout {physical_layout}"
        )
    return given_size(size)


shape_family(
    permuted,
    "aten::empty_permuted",
    ok=[Invocation([2, 3], [1, 0]), Invocation([], []), Invocation([0, 3, 4], [2, 0, 1])],
    error=[
        Invocation([2, 3], [1]),
        Invocation([2, 3], [1, 1]),
        Invocation([2, 3], [-1, 0]),
        Invocation([2, -3], [1, 0]),
    ],
)
dtype_family(
    dtype_or_default,
    "aten::empty_permuted",
    ok=[Invocation([2], [0], dtype=dtype) for dtype in (*_FLOATS, *_INTS, torch.bool, None)],
)


def file_rule(size: Optional[int]) -> List[int]:
    """The argument `size`; None stands for 0 elements."""
    elements = 0 if size is None else size
    return given_size([elements])


# There is no meta kernel. The file read is this one.
shape_family(
    file_rule,
    "aten::from_file",
    ok=[_on_cpu(__file__), _on_cpu(__file__, False, 4), _on_cpu(__file__, None, None)],
    error=[_on_cpu(__file__, False, -1)],
)
dtype_family(
    dtype_or_default,
    "aten::from_file",
    ok=[
        _on_cpu(__file__, size=4, dtype=dtype)
        for dtype in (torch.float64, torch.int64, torch.uint8, None)
    ],
)
