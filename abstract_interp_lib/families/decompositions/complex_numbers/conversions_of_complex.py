"""Complex numbers converted, copied, written to slices, in the shape of others, and compared."""

from typing import Optional, Union

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import in_dtype
from torch_refine.abstract_interp_lib.rules.formulas.complex_parts import (
    converted,
    imag_of,
    is_covered,
    real_of,
)
from torch_refine.abstract_interp_lib.rules.promotion import is_complex, is_integral

_CONVERTED = [
    Invocation(T(2, 3, dtype=torch.bool), torch.complex64),
    Invocation(T(2, 3, dtype=torch.complex64), torch.complex128),
    Invocation(T(2, 3, dtype=torch.complex128), torch.float32),
    Invocation(T(2, 3, dtype=torch.complex64), torch.float16),
    Invocation(T(2, 3, dtype=torch.complex64), torch.bool),
]


_UNSIGNED = [
    Invocation(T(3, dtype=torch.int64, values=[0, -1, 70000]), torch.uint16),
    Invocation(T(3, dtype=torch.float32, values=[0.0, 1.5, 4e9]), torch.uint32),
    Invocation(T(3, dtype=torch.int32, values=[0, -1, 9]), torch.uint64),
    Invocation(T(2, dtype=torch.bool), torch.uint16),
]


def as_unsigned(self: torch.Tensor, dtype: int) -> torch.Tensor:
    """Numbers as unsigned integers of more than 8 bits: the bits of signed ones."""
    is_exact = is_integral(self.dtype) or dtype != torch.uint64
    assert is_exact, "the greatest floats are no elements of int64"
    signed: int = torch.int64
    if dtype == torch.uint16:
        signed = torch.int16
    elif dtype == torch.uint32:
        signed = torch.int32
    return torch.ops.aten.view_copy(in_dtype(in_dtype(self, torch.int64), signed), dtype=dtype)


@decomposition("aten::to.dtype", ok=[*_CONVERTED, *_UNSIGNED])
def to_dtype(
    self: torch.Tensor,
    dtype: int,
    non_blocking: bool = False,
    copy: bool = False,
    memory_format: Optional[int] = None,
) -> torch.Tensor:
    """Real numbers as complex ones, the real parts of complex ones, and as unsigned integers."""
    assert self.dtype != dtype, "concerns only other dtypes"
    if dtype in [torch.uint16, torch.uint32, torch.uint64]:
        return as_unsigned(self, dtype)
    assert is_complex(self.dtype) or is_complex(dtype), "concerns only complex numbers"
    return converted(self, dtype)


@decomposition("prims::convert_element_type", ok=_CONVERTED)
def convert_element_type(a: torch.Tensor, dtype: int) -> torch.Tensor:
    """Real numbers as complex ones, the real parts of complex ones, and others as `to` does."""
    return converted(a, dtype)


@decomposition(
    "aten::copy",
    ok=[
        Invocation(T(2, 3, dtype=torch.complex64), T(3)),
        Invocation(T(2, 3), T(3, dtype=torch.complex64)),
        Invocation(T(2, 3, dtype=torch.complex64), T(dtype=torch.complex128)),
    ],
)
def copy(self: torch.Tensor, src: torch.Tensor, non_blocking: bool = False) -> torch.Tensor:
    """Other numbers, converted, in the shape of a tensor."""
    return torch.broadcast_to(converted(src, self.dtype), self.size())


@decomposition("aten::real")
def real(self: torch.Tensor) -> torch.Tensor:
    """Real numbers are their real parts."""
    assert not is_complex(self.dtype), "complex numbers are converted as they are"
    return self


@decomposition("aten::view_as_real_copy", ok=[Invocation(T(2, 3, dtype=torch.complex64))])
def view_as_real_copy(self: torch.Tensor) -> torch.Tensor:
    """The parts as a new tensor."""
    return torch.clone(torch.view_as_real(self))


@decomposition("aten::view_as_complex_copy", ok=[Invocation(T(3, 2))])
def view_as_complex_copy(self: torch.Tensor) -> torch.Tensor:
    """Pairs of parts as a new tensor."""
    assert self.dtype != torch.float16, "half precision has no complex type in MLIR"
    return torch.clone(torch.view_as_complex(self))


@decomposition(
    "aten::full_like",
    ok=[
        Invocation(T(2, 3, dtype=torch.complex64), 2),
        Invocation(T(2, 3), 1.5, dtype=torch.complex128),
        Invocation(T(2, 3, dtype=torch.complex64), 1, dtype=torch.int32),
    ],
)
def full_like(
    self: torch.Tensor,
    fill_value: Union[int, float, complex],
    dtype: Optional[int] = None,
    layout: Optional[int] = None,
    device: Optional[torch.device] = None,
    pin_memory: Optional[bool] = None,
    memory_format: Optional[int] = None,
) -> torch.Tensor:
    """A number in the shape of a tensor."""
    wanted = self.dtype if dtype is None else dtype
    assert wanted != torch.complex32, "half precision has no complex type in MLIR"
    return torch.full(self.size(), fill_value, dtype=wanted)


@decomposition(
    "aten::ones_like",
    ok=[
        Invocation(T(2, 3, dtype=torch.complex64)),
        Invocation(T(2, 3), dtype=torch.complex128),
    ],
)
def ones_like(
    self: torch.Tensor,
    dtype: Optional[int] = None,
    layout: Optional[int] = None,
    device: Optional[torch.device] = None,
    pin_memory: Optional[bool] = None,
    memory_format: Optional[int] = None,
) -> torch.Tensor:
    """1 in the shape of a tensor."""
    return torch.full_like(self, 1, dtype=dtype)


@decomposition(
    "aten::zeros_like",
    ok=[
        Invocation(T(2, 3, dtype=torch.complex64)),
        Invocation(T(2, 3, dtype=torch.complex64), dtype=torch.int32),
    ],
)
def zeros_like(
    self: torch.Tensor,
    dtype: Optional[int] = None,
    layout: Optional[int] = None,
    device: Optional[torch.device] = None,
    pin_memory: Optional[bool] = None,
    memory_format: Optional[int] = None,
) -> torch.Tensor:
    """0 in the shape of a tensor."""
    return torch.full_like(self, 0, dtype=dtype)


@decomposition(
    "aten::slice_scatter",
    ok=[
        Invocation(T(3, 4, dtype=torch.complex64), T(3, 2, dtype=torch.complex64), -1, 0, None, 2),
        Invocation(T(3, 4, dtype=torch.complex64), T(1, 4, dtype=torch.complex64), 0, -1),
        Invocation(T(3, 4), T(1, 4, dtype=torch.int64), 0, -1),
        Invocation(T(3, 4, dtype=torch.uint8), T(3, 4)),
    ],
)
def slice_scatter(
    self: torch.Tensor,
    src: torch.Tensor,
    dim: int = 0,
    start: Optional[int] = None,
    end: Optional[int] = None,
    step: int = 1,
) -> torch.Tensor:
    """Pairs of parts, or elements in the dtype of `self`, written to a slice."""
    is_other = src.dtype != self.dtype
    assert is_other or is_covered(self), "concerns only complex numbers and other dtypes"
    src = in_dtype(src, self.dtype)
    if not is_covered(self):
        return torch.slice_scatter(self, src, dim, start, end, step)
    pairs, written = torch.view_as_real(self), torch.view_as_real(src)
    place = dim + self.dim() if dim < 0 else dim
    found = torch.slice_scatter(pairs, written, place, start, end, step)
    return torch.view_as_complex(found)


@decomposition("aten::eq.Scalar", ok=[Invocation(T(2, 3, dtype=torch.complex64), 0)])
def eq_number(self: torch.Tensor, other: Union[int, float, complex]) -> torch.Tensor:
    """Whether the real part is equal to a number, and the imaginary one is 0."""
    assert is_covered(self), "concerns only complex numbers"
    return torch.logical_and(torch.eq(real_of(self), other), torch.eq(imag_of(self), 0))


@decomposition("aten::ne.Scalar", ok=[Invocation(T(2, 3, dtype=torch.complex64), 0)])
def ne_number(self: torch.Tensor, other: Union[int, float, complex]) -> torch.Tensor:
    """Whether the real part differs from a number, or the imaginary one from 0."""
    assert is_covered(self), "concerns only complex numbers"
    return torch.logical_or(torch.ne(real_of(self), other), torch.ne(imag_of(self), 0))
