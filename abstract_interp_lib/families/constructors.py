"""Tensors made from numbers, sizes, ranges and files; others are in `factories`."""

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
from torch_refine.abstract_interp_lib.families.factories import dtype_or_bool, window
from torch_refine.abstract_interp_lib.rules.closed_ranges import closed_range_size
from torch_refine.abstract_interp_lib.rules.factories import (
    dtype_or_default,
    dtype_or_int64,
    given_size,
    zero_dim,
)
from torch_refine.abstract_interp_lib.rules.promotion import dtype_of_number
from torch_refine.abstract_interp_lib.rules.reduction import int64_dtype
from torch_refine.abstract_interp_lib.rules.sizes import wrap_existing
from torch_refine.abstract_interp_lib.rules.unknown import unknown_size

_FLOATS = (torch.float16, torch.bfloat16, torch.float64)
_INTS = (torch.int64, torch.int32, torch.uint8)
_on_cpu = partial(Invocation, device="cpu")

# Single numbers.
_NUMBERS = ("aten::as_tensor.bool", "aten::as_tensor.float", "aten::as_tensor.int")
shape_family(zero_dim, *_NUMBERS, ok=[Invocation(True)])
dtype_family(dtype_or_bool, "aten::as_tensor.bool", ok=[Invocation(True, dtype=torch.float16)])
dtype_family(
    dtype_or_default,
    "aten::as_tensor.float",
    ok=[Invocation(1.5), Invocation(1.5, dtype=torch.int64)],
)
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
    """The dtype asked for, or that of the data."""
    return data[1] if dtype is None else dtype


# Sizes as tensors, and tensors as sizes.
def list_as_tensor(self: List[int]) -> List[int]:
    """One element for each number of the list."""
    return [len(self)]


def list_dtype() -> int:
    """Numbers of 32 bits."""
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
    """As many dimensions as `shape` has entries, whose values are not known."""
    assert len(shape) == 1, f"shape must be a vector, got shape {shape}"
    return [unknown_size() for _ in range(shape[0])]


def reshape_from_tensor_dtype(self: Tuple[int, int], shape: Tuple[int, int]) -> int:
    """That of `self`."""
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
    """The numbers from `start` up to and with `end`."""
    return [closed_range_size(start, end, 1, dtype)]


def range_step_rule(
    start: Union[int, float, complex],
    end: Union[int, float, complex],
    step: Union[int, float, complex],
    dtype: Optional[int],
) -> List[int]:
    """The numbers from `start` up or down to and with `end`, by `step`."""
    return [closed_range_size(start, end, step, dtype)]


def check_real(number: Union[int, float, complex]) -> None:
    """Raise for complex numbers."""
    kind = dtype_of_number(number)
    assert kind != torch.complex128, f"the numbers of a range must be real, got dtype {kind}"


def range_dtype(
    start: Union[int, float, complex], end: Union[int, float, complex], dtype: Optional[int]
) -> int:
    """The dtype asked for, or float32, also for integers."""
    check_real(start)
    check_real(end)
    return dtype_or_default(dtype)


_RANGE_DTYPES = (*_FLOATS, *_INTS, torch.float32, None)
# The CPU computes the sizes for the meta device, too; but float32 is counted otherwise on CUDA.
shape_family(
    range_rule,
    "aten::range",
    ok=[
        _on_cpu(0, 0),
        _on_cpu(-1.5, 2),
        Invocation(0, 5),
        *[_on_cpu(0, 5, dtype=dtype) for dtype in _RANGE_DTYPES],
        *[_on_cpu(0.5, 5.5, dtype=dtype) for dtype in _RANGE_DTYPES],
    ],
    error=[
        _on_cpu(5, 0),
        _on_cpu(0.5, 0.2, dtype=torch.int64),
        _on_cpu(0, float("inf")),
        _on_cpu(0, float("nan")),
    ],
)
dtype_family(range_dtype, "aten::range", error=[_on_cpu(1, 2j), _on_cpu(2j, 5)])
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
        *[_on_cpu(0.5, 10.7, 2.9, dtype=dtype) for dtype in _RANGE_DTYPES],
        *[_on_cpu(7, 0, -3, dtype=dtype) for dtype in _RANGE_DTYPES],
        _on_cpu(-5.9, -1.2, 1.5, dtype=torch.int64),
    ],
    error=[_on_cpu(0, 5, 0), _on_cpu(0, 5, -1), _on_cpu(0.0, 5.0, 0.0)],
)
dtype_family(range_dtype, "aten::range.step")


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
    """The positions in a dimension."""
    return [like[wrap_existing(dim, len(like))]]


@dtype_function("aten::_dim_arange")
def dim_arange_dtype(like: Tuple[int, int], dim: int) -> int:
    """Positions are int64."""
    return torch.int64


# Windows.
_WINDOWS = ("aten::hamming_window.periodic_alpha", "aten::kaiser_window.beta")
_ONE_NUMBER = [
    Invocation(5, True, 0.5),
    Invocation(5, False, 0.5),
    Invocation(1, True, 0.5),
    Invocation(0, True, 0.5),
]
shape_family(window, *_WINDOWS, ok=_ONE_NUMBER, error=[Invocation(-1, True, 0.5)])
dtype_family(
    dtype_or_default,
    *_WINDOWS,
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


# Sizes with an order in memory, and files.
def permuted(size: List[int], physical_layout: List[int]) -> List[int]:
    """The shape is the argument `size`; the layout orders all dimensions."""
    assert len(size) == len(physical_layout), (
        f"as many dimensions as sizes must be ordered, got {size} and {physical_layout}"
    )
    for dim in range(len(size)):
        assert dim in physical_layout, f"dimension {dim} must be in layout {physical_layout}"
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
    """As many elements as asked for; without a size none."""
    elements = 0 if size is None else size
    return given_size([elements])


# There is no meta kernel. The file that is read is this one.
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
