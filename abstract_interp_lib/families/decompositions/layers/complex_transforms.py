"""Fourier transforms whose results are complex, and those of windows of a signal."""

from typing import List, Optional

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition, decomposition_family
from torch_refine.abstract_interp_lib.families.decompositions.layers.hermitian_transforms import (
    single,
)
from torch_refine.abstract_interp_lib.rules.decomposing import in_dtype
from torch_refine.abstract_interp_lib.rules.formulas.transformed_dims import (
    all_resized,
    inverse_mode,
    transformed_dims,
)
from torch_refine.abstract_interp_lib.rules.promotion import is_complex, is_integral


def transformed(
    self: torch.Tensor,
    s: Optional[List[int]],
    dim: Optional[List[int]],
    norm: Optional[str],
    is_inverse: bool,
) -> torch.Tensor:
    """The transform of complex numbers, or of real ones."""
    dims = transformed_dims(self, s, dim)
    assert len(dims) > 0, "nothing is transformed"
    mode = inverse_mode(norm)
    mode = mode if is_inverse else 2 - mode
    if is_complex(self.dtype):
        whole = self
        if s is not None:
            whole = torch.view_as_complex(all_resized(torch.view_as_real(self), dims, s))
        return torch.ops.aten._fft_c2c(whole, dims, mode, not is_inverse)
    given = in_dtype(self, torch.float32) if is_integral(self.dtype) else self
    assert given.dtype == torch.float32 or given.dtype == torch.float64, "half precision"
    found = torch.ops.aten._fft_r2c(all_resized(given, dims, s), dims, mode, False)
    return torch.conj_physical(found) if is_inverse else found


def half_transformed(
    self: torch.Tensor,
    s: Optional[List[int]],
    dim: Optional[List[int]],
    norm: Optional[str],
    is_inverse: bool,
) -> torch.Tensor:
    """The half of the transform of real numbers that determines it."""
    assert not is_complex(self.dtype), "PyTorch rejects complex numbers"
    given = in_dtype(self, torch.float32) if is_integral(self.dtype) else self
    dims = transformed_dims(self, s, dim)
    assert len(dims) > 0, "PyTorch rejects no dimensions"
    mode = inverse_mode(norm)
    found = torch.ops.aten._fft_r2c(
        all_resized(given, dims, s), dims, mode if is_inverse else 2 - mode, True
    )
    return torch.conj_physical(found) if is_inverse else found


@decomposition("aten::fft_fft")
def fft_fft(
    self: torch.Tensor, n: Optional[int] = None, dim: int = -1, norm: Optional[str] = None
) -> torch.Tensor:
    """The transform of a dimension."""
    return transformed(self, single(n), [dim], norm, False)


@decomposition("aten::fft_ifft")
def fft_ifft(
    self: torch.Tensor, n: Optional[int] = None, dim: int = -1, norm: Optional[str] = None
) -> torch.Tensor:
    """The inverse transform of a dimension."""
    return transformed(self, single(n), [dim], norm, True)


@decomposition("aten::fft_rfft")
def fft_rfft(
    self: torch.Tensor, n: Optional[int] = None, dim: int = -1, norm: Optional[str] = None
) -> torch.Tensor:
    """The transform of a dimension of real numbers."""
    return half_transformed(self, single(n), [dim], norm, False)


@decomposition("aten::fft_ihfft")
def fft_ihfft(
    self: torch.Tensor, n: Optional[int] = None, dim: int = -1, norm: Optional[str] = None
) -> torch.Tensor:
    """The inverse of the transform of Hermitian signals, in a dimension."""
    return half_transformed(self, single(n), [dim], norm, True)


def transform_of_all(
    self: torch.Tensor, s: Optional[List[int]], dim: Optional[List[int]], norm: Optional[str]
) -> torch.Tensor:
    """The transform of several dimensions."""
    return transformed(self, s, dim, norm, False)


def inverse_of_all(
    self: torch.Tensor, s: Optional[List[int]], dim: Optional[List[int]], norm: Optional[str]
) -> torch.Tensor:
    """The inverse transform of several dimensions."""
    return transformed(self, s, dim, norm, True)


def half_of_all(
    self: torch.Tensor, s: Optional[List[int]], dim: Optional[List[int]], norm: Optional[str]
) -> torch.Tensor:
    """The transform of several dimensions of real numbers."""
    return half_transformed(self, s, dim, norm, False)


def transform_of_plane(
    self: torch.Tensor, s: Optional[List[int]], dim: List[int], norm: Optional[str]
) -> torch.Tensor:
    """The transform of two dimensions."""
    return transformed(self, s, dim, norm, False)


def inverse_of_plane(
    self: torch.Tensor, s: Optional[List[int]], dim: List[int], norm: Optional[str]
) -> torch.Tensor:
    """The inverse transform of two dimensions."""
    return transformed(self, s, dim, norm, True)


def half_of_plane(
    self: torch.Tensor, s: Optional[List[int]], dim: List[int], norm: Optional[str]
) -> torch.Tensor:
    """The transform of two dimensions of real numbers."""
    return half_transformed(self, s, dim, norm, False)


decomposition_family(transform_of_all, "aten::fft_fftn")
decomposition_family(inverse_of_all, "aten::fft_ifftn")
decomposition_family(half_of_all, "aten::fft_rfftn")
decomposition_family(transform_of_plane, "aten::fft_fft2")
decomposition_family(inverse_of_plane, "aten::fft_ifft2")
decomposition_family(half_of_plane, "aten::fft_rfft2")


def of_windows(
    self: torch.Tensor,
    n_fft: int,
    hop_length: Optional[int],
    win_length: Optional[int],
    window: Optional[torch.Tensor],
    normalized: bool,
    onesided: Optional[bool],
    return_complex: Optional[bool],
) -> torch.Tensor:
    """The transforms of windows, which are the last dimension of the result."""
    assert not is_complex(self.dtype), "the windows of complex signals are complex"
    if window is not None:
        assert not is_complex(window.dtype), "the windows of complex signals are complex"
        assert window.dtype == self.dtype, "the kernel multiplies numbers of one dtype"
    hop = n_fft // 4 if hop_length is None else hop_length
    rank = self.dim()
    frames = self.unfold(rank - 1, n_fft, hop)
    length = n_fft if win_length is None else win_length
    if window is not None or length < n_fft:
        weights = torch.ones([length], dtype=self.dtype) if window is None else window
        before = (n_fft - length) // 2
        after = n_fft - length - before
        parts: List[torch.Tensor] = [
            torch.zeros([before], dtype=self.dtype),
            weights,
            torch.zeros([after], dtype=self.dtype),
        ]
        frames = torch.mul(frames, torch.cat(parts, 0))
    norm: Optional[str] = "ortho" if normalized else None
    if onesided is None or onesided:
        found = torch.ops.aten.fft_rfft(frames, None, -1, norm)
    else:
        found = torch.ops.aten.fft_fft(frames, None, -1, norm)
    found = torch.transpose(found, -2, -1)
    if return_complex is not None and return_complex:
        return found
    return torch.view_as_real(found)


@decomposition("aten::stft")
def stft(
    self: torch.Tensor,
    n_fft: int,
    hop_length: Optional[int] = None,
    win_length: Optional[int] = None,
    window: Optional[torch.Tensor] = None,
    normalized: bool = False,
    onesided: Optional[bool] = None,
    return_complex: Optional[bool] = None,
    align_to_window: Optional[bool] = None,
) -> torch.Tensor:
    """The transforms of windows of a signal."""
    assert align_to_window is None or not align_to_window, "the signal is shortened"
    return of_windows(
        self, n_fft, hop_length, win_length, window, normalized, onesided, return_complex
    )


@decomposition("aten::stft.center")
def stft_center(
    self: torch.Tensor,
    n_fft: int,
    hop_length: Optional[int] = None,
    win_length: Optional[int] = None,
    window: Optional[torch.Tensor] = None,
    center: bool = True,
    pad_mode: str = "reflect",
    normalized: bool = False,
    onesided: Optional[bool] = None,
    return_complex: Optional[bool] = None,
    align_to_window: Optional[bool] = None,
) -> torch.Tensor:
    """The transforms of windows of a signal, the first of which is around its first element."""
    assert align_to_window is None or not align_to_window, "the signal is shortened"
    signal = self
    if center:
        assert self.dim() == 1 or self.dim() == 2, "PyTorch rejects others"
        rows = torch.unsqueeze(self, 0)
        padded = torch.ops.aten.pad(rows, [n_fft // 2, n_fft // 2], pad_mode)
        signal = torch.squeeze(padded, 0)
    return of_windows(
        signal, n_fft, hop_length, win_length, window, normalized, onesided, return_complex
    )
