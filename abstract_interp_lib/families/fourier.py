"""Fast Fourier transforms, real and complex, along one dimension or several; `fftshift`.

The CPU kernels take no half precision and no empty batches; the meta kernels, like CUDA, do.
"""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    dtype_function,
    shape_family,
    shape_function,
)
from torch_refine.abstract_interp_lib.rules.complex import real_dtype
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self
from torch_refine.abstract_interp_lib.rules.factories import dtype_or_default
from torch_refine.abstract_interp_lib.rules.fourier import (
    check_complex,
    hermitian_points,
    points_along,
    put_points,
    real_spectrum_dtype,
    spectrum_dtype,
    transformed_dims,
    transformed_points,
)
from torch_refine.abstract_interp_lib.rules.pointwise import complex_dtype
from torch_refine.abstract_interp_lib.rules.promotion import is_integral
from torch_refine.abstract_interp_lib.rules.sizes import append_size, replace_size, wrap_existing
from torch_refine.abstract_interp_lib.rules.unknown import unknown_size

_REAL_DTYPES = (torch.float16, torch.float64, torch.int64, torch.int32, torch.uint8, torch.bool)
_COMPLEX_DTYPES = (torch.complex64, torch.complex128, torch.complex32)
_DTYPES = (*_REAL_DTYPES, *_COMPLEX_DTYPES)


def spectrum_dtype_rule(self: Tuple[int, int]) -> int:
    """Complex; integers and bool become complex64, float64 becomes complex128."""
    return spectrum_dtype(self[1])


def real_spectrum_dtype_rule(self: Tuple[int, int]) -> int:
    """Complex, from a real tensor."""
    return real_spectrum_dtype(self[1])


def signal_dtype_rule(self: Tuple[int, int]) -> int:
    """Real: the dtype of the parts of what `self` becomes as a complex tensor."""
    return real_dtype(spectrum_dtype(self[1]))


# Along one dimension.
_LINE_OK = [
    Invocation(T(2, 3)),
    Invocation(T(3, 4), None, 0),
    Invocation(T(3, 4), 7, -2),
    Invocation(T(3, 4), 2),
    Invocation(T(3, 4), n=1, dim=1, norm="ortho"),
    Invocation(T(3, 0), 4),
    Invocation(T(0, 3)),
]
_LINE_ERROR = [
    Invocation(T()),
    Invocation(T(2, 3), None, 2),
    Invocation(T(2, 3), 0),
    Invocation(T(2, 3), -1),
    Invocation(T(3, 0)),
]
_BFLOAT_ERROR = [Invocation(T(2, 3, dtype=torch.bfloat16))]
_LINE_COMPLEX_ERROR = [Invocation(T(2, 3, dtype=torch.complex64)), *_BFLOAT_ERROR]


def fft_rule(self: List[int], n: Optional[int], dim: int) -> List[int]:
    """One dimension is cut or filled up to `n` points."""
    at = wrap_existing(dim, len(self))
    return replace_size(self, at, points_along(self, n, at))


def rfft_rule(self: List[int], n: Optional[int], dim: int) -> List[int]:
    """Of the spectrum of real numbers, which is symmetric, half is kept."""
    at = wrap_existing(dim, len(self))
    return replace_size(self, at, points_along(self, n, at) // 2 + 1)


def irfft_rule(self: List[int], n: Optional[int], dim: int) -> List[int]:
    """Half a spectrum gives `n` real numbers, by default an even number of them."""
    at = wrap_existing(dim, len(self))
    return replace_size(self, at, hermitian_points(self[at], n))


_FFT = ("aten::fft_fft", "aten::fft_ifft")
_RFFT = ("aten::fft_rfft", "aten::fft_ihfft")
_IRFFT = ("aten::fft_irfft", "aten::fft_hfft")
shape_family(
    fft_rule,
    *_FFT,
    ok=[*_LINE_OK, *[Invocation(T(4, dtype=dtype)) for dtype in _DTYPES]],
    error=_LINE_ERROR,
)
dtype_family(spectrum_dtype_rule, *_FFT, error=_BFLOAT_ERROR)
shape_family(
    rfft_rule,
    *_RFFT,
    ok=[*_LINE_OK, *[Invocation(T(4, dtype=dtype)) for dtype in _REAL_DTYPES]],
    error=_LINE_ERROR,
)
dtype_family(real_spectrum_dtype_rule, *_RFFT, error=_LINE_COMPLEX_ERROR)
shape_family(
    irfft_rule,
    *_IRFFT,
    ok=[*_LINE_OK, *[Invocation(T(4, dtype=dtype)) for dtype in _DTYPES]],
    error=[*_LINE_ERROR, Invocation(T(2, 1))],
)
dtype_family(signal_dtype_rule, *_IRFFT, error=_BFLOAT_ERROR)

# Along several dimensions; those of the two-dimensional transforms have a default.
_PLANE_OK = [
    Invocation(T(2, 3)),
    Invocation(T(4, 2, 3)),
    Invocation(T(4, 2, 3), [5, 2]),
    Invocation(T(4, 2, 3), [5, -1], [0, 1]),
    Invocation(T(4, 2, 3), None, [1, -1]),
    Invocation(T(4, 2, 3), None, [2, 0]),
    Invocation(T(4, 2, 3), dim=[1]),
    Invocation(T(4, 2, 3), s=[2, 1, 6], dim=[0, 2, 1], norm="forward"),
    Invocation(T(3, 0), [2, 4]),
    Invocation(T(0, 2, 3)),
]
_SPACE_OK = [
    *[case for case in _PLANE_OK if case.args != (T(0, 2, 3),)],
    Invocation(T(3)),
    Invocation(T(4, 2, 3), [6]),
    Invocation(T(4, 2, 3), [-1, 6], None),
]
_SPACE_ERROR = [
    Invocation(T(2, 3), [4], [0, 1]),
    Invocation(T(2, 3), None, [0, 0]),
    Invocation(T(2, 3), None, [0, 2]),
    Invocation(T(2, 3), [0, 3], [0, 1]),
    Invocation(T(2, 3), [-2, 3], [0, 1]),
    Invocation(T(0, 3)),
    Invocation(T(), None, [0]),
]
_TOO_LONG = [Invocation(T(2, 3), [4, 4, 4], None)]
_NO_DIMS = [Invocation(T(2, 3), None, [])]


def fftn_rule(self: List[int], s: Optional[List[int]], dim: Optional[List[int]]) -> List[int]:
    """The dimensions are cut or filled up to `s`."""
    dims = transformed_dims(len(self), s, dim)
    return put_points(self, dims, transformed_points(self, s, dims))


def rfftn_rule(self: List[int], s: Optional[List[int]], dim: Optional[List[int]]) -> List[int]:
    """Of the last dimension named half is kept."""
    dims = transformed_dims(len(self), s, dim)
    points = transformed_points(self, s, dims)
    assert len(dims) > 0, f"the transform of a real tensor needs a dimension, got {dim}"
    return put_points(self, dims, append_size(points[:-1], points[-1] // 2 + 1))


def irfftn_rule(self: List[int], s: Optional[List[int]], dim: Optional[List[int]]) -> List[int]:
    """The last dimension named is half a spectrum, by default of an even number of points."""
    dims = transformed_dims(len(self), s, dim)
    points = transformed_points(self, s, dims)
    assert len(dims) > 0, f"a transform to real numbers needs a dimension, got {dim}"
    given: Optional[int] = None
    if s is not None and s[-1] != -1:
        given = s[-1]
    last = hermitian_points(self[dims[-1]], given)
    return put_points(self, dims, append_size(points[:-1], last))


def fft2_rule(self: List[int], s: Optional[List[int]], dim: List[int]) -> List[int]:
    """As `fftn`."""
    return fftn_rule(self, s, dim)


def rfft2_rule(self: List[int], s: Optional[List[int]], dim: List[int]) -> List[int]:
    """As `rfftn`."""
    return rfftn_rule(self, s, dim)


def irfft2_rule(self: List[int], s: Optional[List[int]], dim: List[int]) -> List[int]:
    """As `irfftn`."""
    return irfftn_rule(self, s, dim)


_FFT2 = ("aten::fft_fft2", "aten::fft_ifft2")
_FFTN = ("aten::fft_fftn", "aten::fft_ifftn")
_RFFT2 = ("aten::fft_rfft2", "aten::fft_ihfft2")
_RFFTN = ("aten::fft_rfftn", "aten::fft_ihfftn")
_IRFFT2 = ("aten::fft_irfft2", "aten::fft_hfft2")
_IRFFTN = ("aten::fft_irfftn", "aten::fft_hfftn")
_OF_DTYPES = [Invocation(T(2, 4, dtype=dtype)) for dtype in _DTYPES]
_OF_REAL_DTYPES = [Invocation(T(2, 4, dtype=dtype)) for dtype in _REAL_DTYPES]
# Where no dimension is named, nothing is transformed.
_NO_DIMS_OK = [Invocation(T(2, 3), None, []), Invocation(T(2, 3), [], [])]
_ZERO_DIM_OK = [Invocation(T()), Invocation(T(), []), Invocation(T(2, 3), [])]
_PLANE_ERROR = [*_SPACE_ERROR, Invocation(T(3))]
_REAL_ERROR = [Invocation(T()), *_NO_DIMS]
_NARROW = [Invocation(T(2, 1))]

shape_family(fft2_rule, *_FFT2, ok=[*_PLANE_OK, *_NO_DIMS_OK, *_OF_DTYPES], error=_PLANE_ERROR)
shape_family(
    fftn_rule,
    *_FFTN,
    ok=[*_SPACE_OK, *_NO_DIMS_OK, *_ZERO_DIM_OK, *_OF_DTYPES],
    error=[*_SPACE_ERROR, *_TOO_LONG],
)
dtype_family(spectrum_dtype_rule, *_FFT2, *_FFTN, error=_BFLOAT_ERROR)
shape_family(
    rfft2_rule, *_RFFT2, ok=[*_PLANE_OK, *_OF_REAL_DTYPES], error=[*_PLANE_ERROR, *_NO_DIMS]
)
shape_family(
    rfftn_rule,
    *_RFFTN,
    ok=[*_SPACE_OK, *_OF_REAL_DTYPES],
    error=[*_SPACE_ERROR, *_TOO_LONG, *_REAL_ERROR],
)
dtype_family(real_spectrum_dtype_rule, *_RFFT2, *_RFFTN, error=_LINE_COMPLEX_ERROR)
shape_family(
    irfft2_rule,
    *_IRFFT2,
    ok=[*_PLANE_OK, *_OF_DTYPES],
    error=[*_PLANE_ERROR, *_NO_DIMS, *_NARROW],
)
shape_family(
    irfftn_rule,
    *_IRFFTN,
    ok=[*_SPACE_OK, *_OF_DTYPES],
    error=[*_SPACE_ERROR, *_TOO_LONG, *_REAL_ERROR, *_NARROW],
)
dtype_family(signal_dtype_rule, *_IRFFT2, *_IRFFTN, error=_BFLOAT_ERROR)


# The kernels behind all of these.
@shape_function(
    "aten::_fft_c2c",
    ok=[
        *[Invocation(T(2, 3, dtype=dtype), [1], 0, True) for dtype in _COMPLEX_DTYPES],
        Invocation(T(2, 3, dtype=torch.complex64), [1, 0], 1, False),
        Invocation(T(2, 3, dtype=torch.complex64), [], 0, True),
        Invocation(T(0, 3, dtype=torch.complex64), [1], 0, True),
    ],
)
def _fft_c2c(self: List[int], dim: List[int], normalization: int, forward: bool) -> List[int]:
    """The shape of `self`."""
    return self


@dtype_function("aten::_fft_c2c", error=[Invocation(T(2, 3), [1], 0, True)])
def _fft_c2c_dtype(self: Tuple[int, int], dim: List[int], normalization: int, forward: bool) -> int:
    """That of `self`, which is complex."""
    check_complex(self[1])
    return self[1]


def last_transformed(self: List[int], dim: List[int]) -> int:
    """The last one of `dim`, counted from the front."""
    assert len(dim) > 0, f"a transform of real numbers needs a dimension, got {dim}"
    return wrap_existing(dim[-1], len(self))


def resized_last(self: List[int], dim: List[int], size: int) -> List[int]:
    """`self` with another size at the last one of `dim`.

    The CPU kernels do not count negative dimensions from the back, and overlook the new size.
    """
    at = last_transformed(self, dim)
    return replace_size(self, at, unknown_size() if dim[-1] < 0 else size)


@shape_function(
    "aten::_fft_r2c",
    ok=[
        Invocation(T(2, 3), [1], 0, True),
        Invocation(T(2, 3), [1, 0], 1, True),
        Invocation(T(2, 3), [0, 1], 0, False),
        Invocation(T(2, 3), [-1], 0, True),
        Invocation(T(2, 3), [-1], 0, True, device="cpu"),
        Invocation(T(0, 3), [1], 0, True),
        Invocation(T(2, 3, dtype=torch.float64), [1], 0, True),
        Invocation(T(2, 3, dtype=torch.float16), [1], 0, True),
    ],
    error=[Invocation(T(2, 3), [], 0, True), Invocation(T(2, 3), [2], 0, True)],
)
def _fft_r2c(self: List[int], dim: List[int], normalization: int, onesided: bool) -> List[int]:
    """The shape of `self`; one-sided, half of the last dimension named is kept."""
    points = self[last_transformed(self, dim)]
    return resized_last(self, dim, points // 2 + 1 if onesided else points)


# The meta kernel takes bfloat16, which no device does.
@dtype_function(
    "aten::_fft_r2c",
    error=[
        Invocation(T(2, 3, dtype=torch.complex64), [1], 0, True),
        Invocation(T(2, 3, dtype=torch.int64), [1], 0, True),
        Invocation(T(2, 3, dtype=torch.bfloat16), [1], 0, True, device="cpu"),
    ],
)
def _fft_r2c_dtype(
    self: Tuple[int, int], dim: List[int], normalization: int, onesided: bool
) -> int:
    """The complex dtype of a floating one."""
    return complex_dtype(self[1])


@shape_function(
    "aten::_fft_c2r",
    ok=[
        Invocation(T(2, 3, dtype=torch.complex64), [1], 0, 4),
        Invocation(T(2, 3, dtype=torch.complex64), [1], 0, 5),
        Invocation(T(2, 3, dtype=torch.complex128), [1, 0], 1, 3),
        Invocation(T(2, 3, dtype=torch.complex32), [1], 0, 4),
    ],
    error=[
        Invocation(T(2, 3, dtype=torch.complex64), [], 0, 4),
        Invocation(T(2, 3, dtype=torch.complex64), [2], 0, 4),
    ],
)
def _fft_c2r(self: List[int], dim: List[int], normalization: int, last_dim_size: int) -> List[int]:
    """The last dimension named has the size that is given."""
    return resized_last(self, dim, last_dim_size)


@dtype_function("aten::_fft_c2r", error=[Invocation(T(2, 3), [1], 0, 4)])
def _fft_c2r_dtype(
    self: Tuple[int, int], dim: List[int], normalization: int, last_dim_size: int
) -> int:
    """That of the parts of `self`, which is complex."""
    check_complex(self[1])
    return real_dtype(self[1])


# Frequencies, and where they stand.
def shift_rule(self: List[int], dim: Optional[List[int]]) -> List[int]:
    """The shape of `self`; a dimension may be named twice."""
    dims = [index for index in range(len(self))] if dim is None else dim
    assert len(dims) > 0, f"a dimension is needed to shift along, got none of {len(self)}"
    for at in dims:
        wrap_existing(at, len(self))
    return self


_SHIFTS = ("aten::fft_fftshift", "aten::fft_ifftshift")
shape_family(
    shift_rule,
    *_SHIFTS,
    ok=[
        Invocation(T(2, 3)),
        Invocation(T(2, 3), [0]),
        Invocation(T(2, 3), [-1, 0]),
        Invocation(T(2, 3), [1, 1]),
        Invocation(T(0, 3)),
        *[Invocation(T(3, dtype=dtype)) for dtype in (*_DTYPES, torch.bfloat16)],
    ],
    error=[
        Invocation(T()),
        Invocation(T(3), []),
        Invocation(T(), [0]),
        Invocation(T(2, 3), [2]),
    ],
)
dtype_family(dtype_of_self, *_SHIFTS)


def frequencies_rule(n: int) -> List[int]:
    """One frequency for each of `n` points."""
    assert n >= 0, f"the number of points must not be negative, got {n}"
    return [n]


def real_frequencies_rule(n: int) -> List[int]:
    """Half of the frequencies, those that are not negative.

    As PyTorch computes it, -1 points have one, too: division rounds towards zero.
    """
    assert n >= -3, f"the number of points must not be negative, got {n}"
    return [n // 2 + 1] if n >= 0 else [1 - (-n) // 2]


def frequencies_dtype(dtype: Optional[int]) -> int:
    """The dtype asked for, which must hold fractions, or float32."""
    out = dtype_or_default(dtype)
    assert not is_integral(out), f"frequencies need a floating dtype, got {out}"
    return out


_FREQUENCY_DTYPES = (torch.float16, torch.bfloat16, torch.float64, None)
_FREQUENCIES = ("aten::fft_fftfreq", "aten::fft_rfftfreq")
shape_family(
    frequencies_rule,
    "aten::fft_fftfreq",
    ok=[Invocation(5), Invocation(4, 0.5), Invocation(1), Invocation(0)],
    error=[Invocation(-1)],
)
shape_family(
    real_frequencies_rule,
    "aten::fft_rfftfreq",
    ok=[Invocation(5), Invocation(4, 0.5), Invocation(1), Invocation(0), Invocation(-1)],
    error=[Invocation(-4)],
)
dtype_family(
    frequencies_dtype,
    *_FREQUENCIES,
    ok=[Invocation(4, dtype=dtype) for dtype in _FREQUENCY_DTYPES],
    error=[Invocation(4, dtype=torch.int64)],
)
