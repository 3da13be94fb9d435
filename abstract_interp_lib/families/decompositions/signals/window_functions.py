"""Window functions, and the frequencies of a discrete Fourier transform.

The steps are those of PyTorch's kernels (`TensorFactories.cpp`, `SpectralOps.cpp`), which round the
result of each to the dtype of the window.
"""

import math
from typing import Optional

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, decomposition_family
from torch_refine.abstract_interp_lib.rules.decomposing import computation_dtype, in_dtype
from torch_refine.abstract_interp_lib.rules.promotion import is_complex, is_integral


def window_dtype(dtype: Optional[int]) -> int:
    """The dtype of a window; PyTorch rejects integers, and has no range of complex numbers."""
    result: int = torch.float32
    if dtype is not None:
        result = dtype
    assert not is_integral(result) and not is_complex(result), "windows are of real floats"
    return result


def indices(count: int, dtype: int) -> torch.Tensor:
    """The indices of the elements of a window."""
    return torch.arange(count, dtype=dtype)


def trivial(window_length: int, dtype: int) -> torch.Tensor:
    """A window of no element, or of a single one, which is 1."""
    return torch.ones([window_length], dtype=dtype)


def last_index(window_length: int, periodic: bool) -> int:
    """The index of the last element; a periodic window is a longer one without its last element."""
    return window_length if periodic else window_length - 1


# Sums of cosines.
def hamming_window(
    window_length: int, periodic: bool, alpha: float, beta: float, dtype: Optional[int]
) -> torch.Tensor:
    """alpha - beta cos(2 pi k / last)."""
    result = window_dtype(dtype)
    if window_length <= 1:
        return trivial(window_length, result)
    step = math.pi * 2.0 / last_index(window_length, periodic)
    waves = torch.cos(torch.mul(indices(window_length, result), step))
    return torch.add(torch.mul(waves, -beta), alpha)


decomposition_family(
    hamming_window,
    "aten::hamming_window.periodic_alpha_beta",
    ok=[
        Invocation(6, False, 0.6, 0.3),
        Invocation(1, False, 0.6, 0.3),
        Invocation(0, True, 0.6, 0.3),
        Invocation(300, True, 0.6, 0.3, dtype=torch.bfloat16),
    ],
)


def hamming_window_alpha(
    window_length: int, periodic: bool, alpha: float, dtype: Optional[int]
) -> torch.Tensor:
    """With the default coefficient of the cosine."""
    return hamming_window(window_length, periodic, alpha, 0.46, dtype)


decomposition_family(hamming_window_alpha, "aten::hamming_window.periodic_alpha")


def hamming_window_periodic(
    window_length: int, periodic: bool, dtype: Optional[int]
) -> torch.Tensor:
    """With the default coefficients."""
    return hamming_window(window_length, periodic, 0.54, 0.46, dtype)


decomposition_family(hamming_window_periodic, "aten::hamming_window.periodic")


def hamming_window_of_length(window_length: int, dtype: Optional[int]) -> torch.Tensor:
    """A periodic one."""
    return hamming_window(window_length, True, 0.54, 0.46, dtype)


decomposition_family(hamming_window_of_length, "aten::hamming_window")


def hann_window(window_length: int, periodic: bool, dtype: Optional[int]) -> torch.Tensor:
    """That of Hamming with equal coefficients, which is 0 at its ends."""
    return hamming_window(window_length, periodic, 0.5, 0.5, dtype)


decomposition_family(hann_window, "aten::hann_window.periodic")


def hann_window_of_length(window_length: int, dtype: Optional[int]) -> torch.Tensor:
    """A periodic one."""
    return hamming_window(window_length, True, 0.5, 0.5, dtype)


decomposition_family(hann_window_of_length, "aten::hann_window")


def blackman_window(window_length: int, periodic: bool, dtype: Optional[int]) -> torch.Tensor:
    """0.08 cos(4 pi k / last) - 0.5 cos(2 pi k / last) + 0.42."""
    result = window_dtype(dtype)
    if window_length <= 1:
        return trivial(window_length, result)
    step = math.pi / last_index(window_length, periodic)
    angles = torch.mul(indices(window_length, result), step)
    fast = torch.mul(torch.cos(torch.mul(angles, 4)), 0.08)
    slow = torch.mul(torch.cos(torch.mul(angles, 2)), 0.5)
    return torch.add(torch.sub(fast, slow), 0.42)


decomposition_family(
    blackman_window,
    "aten::blackman_window.periodic",
    ok=[Invocation(300, True, dtype=torch.float16), Invocation(7, False, dtype=torch.bfloat16)],
)


def blackman_window_of_length(window_length: int, dtype: Optional[int]) -> torch.Tensor:
    """A periodic one."""
    return blackman_window(window_length, True, dtype)


decomposition_family(blackman_window_of_length, "aten::blackman_window")


# Other windows.
def bartlett_window(window_length: int, periodic: bool, dtype: Optional[int]) -> torch.Tensor:
    """2 k / last up to the middle, then down to 0."""
    result = window_dtype(dtype)
    if window_length <= 1:
        return trivial(window_length, result)
    last = last_index(window_length, periodic)
    rising = torch.mul(indices(window_length, result), 2.0 / last)
    falling = torch.add(torch.mul(rising, -1), 2)
    is_first = torch.le(torch.arange(window_length, dtype=torch.int64), last // 2)
    return torch.where(is_first, rising, falling)


decomposition_family(
    bartlett_window,
    "aten::bartlett_window.periodic",
    ok=[
        Invocation(300, True, dtype=torch.float16),
        Invocation(7, False, dtype=torch.bfloat16),
        Invocation(2, False),
        Invocation(2, True),
    ],
)


def bartlett_window_of_length(window_length: int, dtype: Optional[int]) -> torch.Tensor:
    """A periodic one."""
    return bartlett_window(window_length, True, dtype)


decomposition_family(bartlett_window_of_length, "aten::bartlett_window")


def kaiser_window(
    window_length: int, periodic: bool, beta: float, dtype: Optional[int]
) -> torch.Tensor:
    """I0(beta sqrt(1 - x^2)) / I0(beta) for x from -1 to 1."""
    result = window_dtype(dtype)
    if window_length <= 1:
        return trivial(window_length, result)
    # The kernel computes 16-bit floats in float32, from indices of the dtype.
    wide = computation_dtype(result)
    middle = torch.full([1], last_index(window_length, periodic) / 2.0, dtype=wide)
    height = torch.full([1], beta, dtype=wide)
    place = torch.div(torch.sub(in_dtype(indices(window_length, result), wide), middle), middle)
    circle = torch.sqrt(torch.rsub(torch.mul(place, place), 1))
    found = torch.div(torch.special.i0(torch.mul(circle, height)), torch.special.i0(height))
    return in_dtype(found, result)


decomposition_family(
    kaiser_window,
    "aten::kaiser_window.beta",
    ok=[
        Invocation(9, False, 8.0, device="cpu"),
        Invocation(300, True, 2.0, dtype=torch.bfloat16, device="cpu"),
        Invocation(6, True, 0.0, dtype=torch.float64, device="cpu"),
    ],
)


def kaiser_window_periodic(
    window_length: int, periodic: bool, dtype: Optional[int]
) -> torch.Tensor:
    """With the default `beta`."""
    return kaiser_window(window_length, periodic, 12.0, dtype)


decomposition_family(kaiser_window_periodic, "aten::kaiser_window.periodic")


def kaiser_window_of_length(window_length: int, dtype: Optional[int]) -> torch.Tensor:
    """A periodic one."""
    return kaiser_window(window_length, True, 12.0, dtype)


decomposition_family(kaiser_window_of_length, "aten::kaiser_window")


# Frequencies of the bins of a discrete Fourier transform, by the distance of samples.
def fft_fftfreq(n: int, d: float, dtype: Optional[int]) -> torch.Tensor:
    """Those of the first half, then the negative ones."""
    result = window_dtype(dtype)
    if n == 0:
        return torch.zeros([0], dtype=result)
    assert d != 0.0, "frequencies of the distance 0 are infinite"
    first = torch.arange((n + 1) // 2, dtype=result)
    second = torch.arange(-(n // 2), 0, dtype=result)
    return torch.mul(torch.cat([first, second]), 1.0 / (n * d))


decomposition_family(
    fft_fftfreq,
    "aten::fft_fftfreq",
    ok=[Invocation(7, -0.3), Invocation(300, 0.3, dtype=torch.bfloat16)],
)


def fft_rfftfreq(n: int, d: float, dtype: Optional[int]) -> torch.Tensor:
    """Those that are not negative; the first is 0 times the inverse of the duration."""
    result = window_dtype(dtype)
    if n == 0:
        return torch.full([1], math.nan, dtype=result)
    assert d != 0.0, "frequencies of the distance 0 are infinite"
    # Division truncates.
    half = n // 2 if n > 0 else -((-n) // 2)
    return torch.mul(torch.arange(half + 1, dtype=result), 1.0 / (n * d))


decomposition_family(
    fft_rfftfreq,
    "aten::fft_rfftfreq",
    ok=[
        Invocation(7, -0.3),
        Invocation(-2),
        Invocation(-3),
        Invocation(300, 0.3, dtype=torch.bfloat16),
    ],
)
