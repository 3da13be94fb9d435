"""Fourier transforms: `fft_fft` and its relatives, `fftshift`, and `stft` with its inverse.

The CPU kernels reject half precision and empty batches; the meta kernels, like CUDA, accept them.
"""

from functools import partial
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
from torch_refine.abstract_interp_lib.families.neural_networks.padding import pad_by_name
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
from torch_refine.abstract_interp_lib.rules.promotion import (
    is_complex,
    is_integral,
    promote_dtypes,
    real_dtype,
)
from torch_refine.abstract_interp_lib.rules.sizes import (
    append_size,
    replace_size,
    slice_length,
    wrap_existing,
)
from torch_refine.abstract_interp_lib.rules.unknown import unknown_size

_REAL_DTYPES = (torch.float16, torch.float64, torch.int64, torch.int32, torch.uint8, torch.bool)
_COMPLEX_DTYPES = (torch.complex64, torch.complex128, torch.complex32)
_DTYPES = (*_REAL_DTYPES, *_COMPLEX_DTYPES)


def spectrum_dtype_rule(self: Tuple[int, int]) -> int:
    """Complex; integers and bool become complex64, float64 becomes complex128."""
    return spectrum_dtype(self[1])


def real_spectrum_dtype_rule(self: Tuple[int, int]) -> int:
    """Complex, for a real input."""
    return real_spectrum_dtype(self[1])


def signal_dtype_rule(self: Tuple[int, int]) -> int:
    """The real dtype corresponding to the complex dtype of `self`."""
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
    """One dimension is trimmed or padded to `n` points."""
    at = wrap_existing(dim, len(self))
    return replace_size(self, at, points_along(self, n, at))


def rfft_rule(self: List[int], n: Optional[int], dim: int) -> List[int]:
    """One-sided: n / 2 + 1 points of a Hermitian spectrum."""
    at = wrap_existing(dim, len(self))
    return replace_size(self, at, points_along(self, n, at) // 2 + 1)


def irfft_rule(self: List[int], n: Optional[int], dim: int) -> List[int]:
    """A half-Hermitian spectrum gives `n` real points, by default an even number."""
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

# Along several dimensions; the two-dimensional transforms have a default.
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
    """The dimensions are trimmed or padded to `s`."""
    dims = transformed_dims(len(self), s, dim)
    return put_points(self, dims, transformed_points(self, s, dims))


def rfftn_rule(self: List[int], s: Optional[List[int]], dim: Optional[List[int]]) -> List[int]:
    """The last transformed dimension is one-sided."""
    dims = transformed_dims(len(self), s, dim)
    points = transformed_points(self, s, dims)
    assert len(dims) > 0, f"dim must not be empty, got {dim}"
    return put_points(self, dims, append_size(points[:-1], points[-1] // 2 + 1))


def irfftn_rule(self: List[int], s: Optional[List[int]], dim: Optional[List[int]]) -> List[int]:
    """The last transformed dimension is half-Hermitian; its default length is even."""
    dims = transformed_dims(len(self), s, dim)
    points = transformed_points(self, s, dims)
    assert len(dims) > 0, f"dim must not be empty, got {dim}"
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
# An empty list of dimensions transforms nothing.
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


# The kernels of these operators.
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
    """The dtype of `self`, which is complex."""
    check_complex(self[1])
    return self[1]


def last_transformed(self: List[int], dim: List[int]) -> int:
    """The last entry of `dim`, wrapped to be non-negative."""
    assert len(dim) > 0, f"dim must not be empty, got {dim}"
    return wrap_existing(dim[-1], len(self))


def resized_last(self: List[int], dim: List[int], size: int) -> List[int]:
    """`self` with the size at the last entry of `dim` replaced.

    The CPU kernels do not wrap negative dimensions and then ignore the new size.
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
    """The shape of `self`; with `onesided` the last transformed dimension is halved."""
    points = self[last_transformed(self, dim)]
    return resized_last(self, dim, points // 2 + 1 if onesided else points)


# The meta kernel accepts bfloat16, unlike every device.
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
    """The complex dtype of a floating-point dtype."""
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
        # The meta kernel accepts it, unlike every device.
        Invocation(T(2, 1, dtype=torch.complex64), [1], 0, 0, device="cpu"),
    ],
)
def _fft_c2r(self: List[int], dim: List[int], normalization: int, last_dim_size: int) -> List[int]:
    """The last transformed dimension has size `last_dim_size`, which is positive."""
    assert last_dim_size >= 1, "last_dim_size must be positive"
    return resized_last(self, dim, last_dim_size)


@dtype_function("aten::_fft_c2r", error=[Invocation(T(2, 3), [1], 0, 4)])
def _fft_c2r_dtype(
    self: Tuple[int, int], dim: List[int], normalization: int, last_dim_size: int
) -> int:
    """The real dtype of `self`, which is complex."""
    check_complex(self[1])
    return real_dtype(self[1])


# Sample frequencies, and shifts of them.
def shift_rule(self: List[int], dim: Optional[List[int]]) -> List[int]:
    """The shape of `self`; dimensions may be duplicate."""
    dims = [index for index in range(len(self))] if dim is None else dim
    assert len(dims) > 0, f"dim must not be empty for rank {len(self)}"
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
    """One frequency per point."""
    assert n >= 0, f"n must not be negative, got {n}"
    return [n]


def real_frequencies_rule(n: int) -> List[int]:
    """The non-negative half of the frequencies.

    As PyTorch computes it, -1 points have one frequency: division truncates.
    """
    assert n >= -3, f"n must not be negative, got {n}"
    return [n // 2 + 1] if n >= 0 else [1 - (-n) // 2]


def frequencies_dtype(dtype: Optional[int]) -> int:
    """The argument `dtype`, floating-point or complex, or float32."""
    out = dtype_or_default(dtype)
    assert not is_integral(out), f"the dtype must be floating-point or complex, got {out}"
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


# Short-time Fourier transforms: `stft` and its inverse.


def window_size(n_fft: int, hop: int, win_length: Optional[int]) -> int:
    """The window length, at most `n_fft`; also checks `hop_length`."""
    size = n_fft if win_length is None else win_length
    assert hop > 0, f"hop_length must be positive, got {hop}"
    assert size > 0 and size <= n_fft, f"win_length must be from 1 to {n_fft}, got {size}"
    return size


def check_window(window: List[int], size: int) -> None:
    """Raise unless the window is 1-D with the given size."""
    assert len(window) == 1 and window[0] == size, (
        f"window must be 1-D of size {size}, got shape {window}"
    )


def check_signal(self: List[int]) -> None:
    """Raise unless the input is a signal or a batch of signals."""
    assert len(self) == 1 or len(self) == 2, f"self must be 1-D or 2-D, got shape {self}"


def stft_rule(
    self: Tuple[List[int], int],
    n_fft: int,
    hop_length: Optional[int],
    win_length: Optional[int],
    window: Optional[Tuple[List[int], int]],
    onesided: Optional[bool],
    return_complex: Optional[bool],
    align_to_window: Optional[bool],
) -> List[int]:
    """Frequencies by frames; a last dimension of size 2 if complex results are returned as pairs.

    The spectrum of a real signal is Hermitian; with `onesided` only half is returned.
    """
    sizes, dtype = self
    check_signal(sizes)
    length = sizes[-1]
    hop = n_fft // 4 if hop_length is None else hop_length
    span = window_size(n_fft, hop, win_length)
    assert n_fft <= length, f"n_fft must be at most the length {length}, got {n_fft}"
    of_complex = is_complex(dtype)
    if window is not None:
        check_window(window[0], span)
        of_complex = of_complex or is_complex(window[1])
    half = not of_complex if onesided is None else onesided
    assert not (half and of_complex), "onesided is not supported for complex input"
    pairs = not of_complex if return_complex is None else not return_complex
    assert return_complex is not None or of_complex, (
        f"return_complex must be given for real input, got dtype {dtype}"
    )
    if align_to_window is None or not align_to_window:
        span = n_fft
    spectra = append_size(sizes[:-1], n_fft // 2 + 1 if half else n_fft)
    out = append_size(spectra, 1 + (length - span) // hop)
    return append_size(out, 2) if pairs else out


def stft_center_rule(
    self: Tuple[List[int], int],
    n_fft: int,
    hop_length: Optional[int],
    win_length: Optional[int],
    window: Optional[Tuple[List[int], int]],
    center: bool,
    pad_mode: str,
    onesided: Optional[bool],
    return_complex: Optional[bool],
    align_to_window: Optional[bool],
) -> List[int]:
    """With `center`, the signal is padded by half of `n_fft` at both ends first."""
    sizes, dtype = self
    check_signal(sizes)
    if center:
        assert align_to_window is None, "align_to_window is not supported with center"
        batch = [1] * (3 - len(sizes)) + sizes
        sizes = pad_by_name(batch, [n_fft // 2, n_fft // 2], pad_mode)[3 - len(sizes) :]
    return stft_rule(
        (sizes, dtype),
        n_fft,
        hop_length,
        win_length,
        window,
        onesided,
        return_complex,
        align_to_window,
    )


def windowed_dtype(self: int, window: Optional[Tuple[int, int]]) -> int:
    """The dtype of a tensor of nonzero rank times the window."""
    out = self
    if window is not None:
        ranks: List[Optional[int]] = [1, 1]
        out = promote_dtypes(ranks, [self, window[1]])
    return out


def stft_dtype(
    self: Tuple[int, int], window: Optional[Tuple[int, int]], return_complex: Optional[bool]
) -> int:
    """The complex dtype of the signal times the window, or its real dtype."""
    assert not is_integral(self[1]), f"self must be floating-point or complex, got dtype {self[1]}"
    out = spectrum_dtype(windowed_dtype(self[1], window))
    return real_dtype(out) if return_complex is not None and not return_complex else out


_REAL = [
    Invocation(T(16), 4, return_complex=True),
    Invocation(T(2, 16), 4, return_complex=False),
    Invocation(T(1, 16), 5, 3, 4, return_complex=True),
    Invocation(T(16), 4, window=T(4), normalized=True, return_complex=True),
    Invocation(T(16), 4, win_length=2, window=T(2), onesided=False, return_complex=True),
    Invocation(T(16, dtype=torch.float64), 4, return_complex=False),
    Invocation(T(16, dtype=torch.float16), 4, return_complex=True),
    Invocation(T(16, dtype=torch.float16), 4, window=T(4), return_complex=True),
    Invocation(T(16, dtype=torch.bfloat16), 4, window=T(4), return_complex=True),
    Invocation(T(16), 4, window=T(4, dtype=torch.float64), return_complex=True),
    Invocation(T(16), 4, window=T(4, dtype=torch.int64), return_complex=False),
    Invocation(T(16), 4, window=T(4, dtype=torch.bool), return_complex=True),
]
_COMPLEX = [
    Invocation(T(2, 16, dtype=torch.complex64), 4),
    Invocation(T(16, dtype=torch.complex128), 4, return_complex=False),
    Invocation(T(16, dtype=torch.complex64), 4, onesided=False),
    Invocation(T(16), 4, window=T(4, dtype=torch.complex64)),
    Invocation(T(16), 4, window=T(4, dtype=torch.complex64), return_complex=False),
]
_STFT_ERROR = [
    Invocation(T(), 4, return_complex=True),
    Invocation(T(1, 2, 16), 4, return_complex=True),
    Invocation(T(16), 0, return_complex=True),
    Invocation(T(16), 4, 0, return_complex=True),
    Invocation(T(16), 1, return_complex=True),
    Invocation(T(16), 4, 1, 5, return_complex=True),
    Invocation(T(16), 4, 1, 0, return_complex=True),
    Invocation(T(16), 4, 1, 4, T(3), return_complex=True),
    Invocation(T(16), 4, 1, 4, T(1, 4), return_complex=True),
    Invocation(T(16), 4),
    Invocation(T(16, dtype=torch.complex64), 4, onesided=True),
    Invocation(T(16), 4, window=T(4, dtype=torch.complex64), onesided=True),
]
# The meta kernel accepts bfloat16, unlike every device.
_DTYPE_ERROR = [
    Invocation(T(16, dtype=torch.int64), 4, return_complex=True),
    Invocation(T(16, dtype=torch.bfloat16), 4, return_complex=True, device="cpu"),
]
shape_family(
    stft_rule,
    "aten::stft",
    ok=[
        *_REAL,
        *_COMPLEX,
        Invocation(T(4), 4, 1, return_complex=True),
        Invocation(T(0, 16), 4, return_complex=True),
        Invocation(T(2, 16), 4, 2, 2, return_complex=True, align_to_window=True),
        Invocation(T(2, 16), 4, 2, 2, return_complex=True, align_to_window=False),
    ],
    error=[*_STFT_ERROR, Invocation(T(3), 4, return_complex=True)],
)
shape_family(
    stft_center_rule,
    "aten::stft.center",
    ok=[
        *_REAL,
        *_COMPLEX,
        Invocation(T(3), 4, return_complex=True),
        Invocation(T(2), 4, 1, pad_mode="constant", return_complex=True),
        Invocation(T(2), 4, 1, pad_mode="circular", return_complex=True),
        Invocation(T(2, 1), 4, 1, pad_mode="replicate", return_complex=True),
        Invocation(T(2, 0), 4, 1, pad_mode="constant", return_complex=True),
        Invocation(T(8), 5, 1, center=False, pad_mode="none", return_complex=True),
        Invocation(T(8), 4, 2, 2, center=False, return_complex=True, align_to_window=True),
    ],
    error=[
        *_STFT_ERROR,
        Invocation(T(2), 4, return_complex=True),
        Invocation(T(1), 4, pad_mode="circular", return_complex=True),
        Invocation(T(8), 4, pad_mode="none", return_complex=True),
        Invocation(T(3), 4, center=False, return_complex=True),
        Invocation(T(8), 4, return_complex=True, align_to_window=True),
        Invocation(T(8), 4, return_complex=True, align_to_window=False),
    ],
)
dtype_family(stft_dtype, "aten::stft", "aten::stft.center", error=_DTYPE_ERROR)


# There is no meta kernel: the sum of the windows must be nonzero, which is data-dependent.
_SPECTRUM = T(3, 5, dtype=torch.complex64)
_WHOLE_SPECTRUM = T(4, 5, dtype=torch.complex64)


_on_cpu = partial(Invocation, device="cpu")


@shape_function(
    "aten::istft",
    ok=[
        _on_cpu(_SPECTRUM, 4),
        _on_cpu(T(2, 3, 5, dtype=torch.complex64), 4, window=T(4)),
        _on_cpu(T(1, 3, 5, dtype=torch.complex128), 4, 2),
        _on_cpu(_SPECTRUM, 5, 2, 3, T(3)),
        _on_cpu(_SPECTRUM, 4, center=False),
        _on_cpu(_WHOLE_SPECTRUM, 4),
        _on_cpu(_WHOLE_SPECTRUM, 4, onesided=False, return_complex=True),
        _on_cpu(T(1, 5, dtype=torch.complex64), 1, 1, center=False),
        _on_cpu(T(1, 5, dtype=torch.complex64), 1, 1, length=3),
        _on_cpu(_SPECTRUM, 4, length=3),
        _on_cpu(_SPECTRUM, 4, length=30),
        _on_cpu(_SPECTRUM, 4, length=-3),
        _on_cpu(_SPECTRUM, 4, center=False, length=6),
    ],
    error=[
        _on_cpu(T(3, dtype=torch.complex64), 4),
        _on_cpu(T(1, 1, 3, 5, dtype=torch.complex64), 4),
        _on_cpu(T(0, 3, 5, dtype=torch.complex64), 4),
        _on_cpu(_SPECTRUM, 4, 0),
        _on_cpu(_SPECTRUM, 4, 5),
        _on_cpu(_SPECTRUM, 4, 1, 5),
        _on_cpu(_SPECTRUM, 6),
        _on_cpu(_SPECTRUM, 4, onesided=False),
        _on_cpu(_WHOLE_SPECTRUM, 4, onesided=True),
        _on_cpu(_SPECTRUM, 4, window=T(3)),
        _on_cpu(_SPECTRUM, 4, return_complex=True),
        _on_cpu(T(3, 1, dtype=torch.complex64), 4),
        _on_cpu(_SPECTRUM, 4, length=0),
        _on_cpu(_SPECTRUM, 4, length=-20),
    ],
)
def istft(
    self: List[int],
    n_fft: int,
    hop_length: Optional[int] = None,
    win_length: Optional[int] = None,
    window: Optional[List[int]] = None,
    center: bool = True,
    normalized: bool = False,
    onesided: Optional[bool] = None,
    length: Optional[int] = None,
    return_complex: bool = False,
) -> List[int]:
    """The overlap-added signal, trimmed by half of `n_fft` at both ends or to `length`.

    A negative length counts from the end.
    """
    assert len(self) == 2 or len(self) == 3, (
        f"aten::istft: self must be a spectrum or a batch of them, got shape {self}"
    )
    assert 0 not in self, f"aten::istft: self must not be empty, got shape {self}"
    hop = n_fft // 4 if hop_length is None else hop_length
    span = window_size(n_fft, hop, win_length)
    assert hop <= span, f"aten::istft: hop_length must be at most {span}, got {hop}"
    if window is not None:
        check_window(window, span)
    half = self[-2] != n_fft if onesided is None else onesided
    frequencies = n_fft // 2 + 1 if half else n_fft
    assert self[-2] == frequencies, (
        f"aten::istft: expected {frequencies} frequencies, got {self[-2]}"
    )
    assert not (half and return_complex), (
        f"aten::istft: expected {n_fft} frequencies for a complex signal, got {self[-2]}"
    )
    whole = n_fft + hop * (self[-1] - 1)
    first = n_fft // 2 if center else 0
    if length is None:
        size = whole - 2 * first
    else:
        size = length if length >= 0 else slice_length(whole, first, first + length, 1)
    assert size > 0, (
        f"aten::istft: the trimmed signal is empty, got length {whole} trimmed by {first}"
    )
    return append_size(self[:-2], size)


@dtype_function(
    "aten::istft",
    ok=[
        _on_cpu(_SPECTRUM, 4, window=T(4, dtype=torch.float64)),
        _on_cpu(_SPECTRUM, 4, window=T(4, dtype=torch.float16)),
        _on_cpu(_SPECTRUM, 4, window=T(4, dtype=torch.int64)),
        _on_cpu(_WHOLE_SPECTRUM, 4, window=T(4, dtype=torch.float64), return_complex=True),
        _on_cpu(_WHOLE_SPECTRUM, 4, window=T(4, dtype=torch.complex128), return_complex=True),
    ],
    error=[
        _on_cpu(T(3, 5), 4),
        _on_cpu(_SPECTRUM, 4, window=T(4, dtype=torch.complex64)),
    ],
)
def istft_dtype(
    self: Tuple[int, int],
    n_fft: int,
    hop_length: Optional[int] = None,
    win_length: Optional[int] = None,
    window: Optional[Tuple[int, int]] = None,
    center: bool = True,
    normalized: bool = False,
    onesided: Optional[bool] = None,
    length: Optional[int] = None,
    return_complex: bool = False,
) -> int:
    """The complex dtype of the spectrum, or its real dtype, promoted with the window."""
    check_complex(self[1])
    if window is not None:
        assert return_complex or not is_complex(window[1]), (
            f"aten::istft: window must be real for a real signal, got dtype {window[1]}"
        )
    return windowed_dtype(self[1] if return_complex else real_dtype(self[1]), window)
