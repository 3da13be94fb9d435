"""Short-time Fourier transforms: `stft` and its inverse."""

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
from torch_refine.abstract_interp_lib.families.padding import pad
from torch_refine.abstract_interp_lib.rules.complex import real_dtype
from torch_refine.abstract_interp_lib.rules.fourier import check_complex, spectrum_dtype
from torch_refine.abstract_interp_lib.rules.promotion import (
    is_complex,
    is_integral,
    promote_dtypes,
)
from torch_refine.abstract_interp_lib.rules.sizes import append_size, slice_length


def window_size(n_fft: int, hop: int, win_length: Optional[int]) -> int:
    """The length of the window, which must fit into `n_fft` points; also checks the hop."""
    size = n_fft if win_length is None else win_length
    assert hop > 0, f"hop_length must be positive, got {hop}"
    assert size > 0 and size <= n_fft, f"win_length must be from 1 to {n_fft}, got {size}"
    return size


def check_window(window: List[int], size: int) -> None:
    """Raise unless the window is a vector of its size."""
    assert len(window) == 1 and window[0] == size, (
        f"window must be a vector of size {size}, got shape {window}"
    )


def check_signal(self: List[int]) -> None:
    """Raise unless there is a signal, or a batch of them."""
    assert len(self) == 1 or len(self) == 2, (
        f"self must be a signal or a batch of signals, got shape {self}"
    )


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
    """Frequencies by frames; a last dimension of 2 where complex numbers are returned as pairs.

    The spectrum of real numbers is symmetric; half of it is kept.
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
    assert not (half and of_complex), "the spectrum of complex numbers has two sides"
    pairs = not of_complex if return_complex is None else not return_complex
    assert return_complex is not None or of_complex, (
        f"return_complex must be given for real numbers, got dtype {dtype}"
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
    """With `center`, half of `n_fft` is padded at both ends first."""
    sizes, dtype = self
    check_signal(sizes)
    if center:
        assert align_to_window is None, "align_to_window must not be given with center"
        batch = [1] * (3 - len(sizes)) + sizes
        sizes = pad(batch, [n_fft // 2, n_fft // 2], pad_mode)[3 - len(sizes) :]
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
    """The dtype of a dimensioned tensor times the window."""
    out = self
    if window is not None:
        ranks: List[Optional[int]] = [1, 1]
        out = promote_dtypes(ranks, [self, window[1]])
    return out


def stft_dtype(
    self: Tuple[int, int], window: Optional[Tuple[int, int]], return_complex: Optional[bool]
) -> int:
    """The complex dtype of the signal times the window, or that of its parts."""
    assert not is_integral(self[1]), f"a signal must be floating or complex, got dtype {self[1]}"
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
# The meta kernel takes bfloat16, which no device does.
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


# There is no meta kernel: the windows must not sum up to zero, which only values tell.
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
    """The signal whose frames overlap, without half of `n_fft` at both ends, or of `length`.

    A negative length counts from the end.
    """
    assert len(self) == 2 or len(self) == 3, (
        f"aten::istft: self must be a spectrum or a batch of them, got shape {self}"
    )
    assert 0 not in self, f"aten::istft: self must have elements, got shape {self}"
    hop = n_fft // 4 if hop_length is None else hop_length
    span = window_size(n_fft, hop, win_length)
    assert hop <= span, f"aten::istft: hop_length must be at most {span}, got {hop}"
    if window is not None:
        check_window(window, span)
    half = self[-2] != n_fft if onesided is None else onesided
    frequencies = n_fft // 2 + 1 if half else n_fft
    assert self[-2] == frequencies, (
        f"aten::istft: there must be {frequencies} frequencies, got {self[-2]}"
    )
    assert not (half and return_complex), (
        f"aten::istft: a complex signal needs all {n_fft} frequencies, got {self[-2]}"
    )
    whole = n_fft + hop * (self[-1] - 1)
    first = n_fft // 2 if center else 0
    if length is None:
        size = whole - 2 * first
    else:
        size = length if length >= 0 else slice_length(whole, first, first + length, 1)
    assert size > 0, f"aten::istft: nothing is left of {whole} entries from {first} on"
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
    """The complex dtype of the spectrum, or that of its parts, promoted with the window."""
    check_complex(self[1])
    if window is not None:
        assert return_complex or not is_complex(window[1]), (
            f"aten::istft: a real signal needs a real window, got dtype {window[1]}"
        )
    return windowed_dtype(self[1] if return_complex else real_dtype(self[1]), window)
