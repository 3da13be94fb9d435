"""The cases for GPUs, and the least work of those that are compared with the peak of a GPU."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from codegen_cases import CASES, CPU_CASES, HALF_CASES, Attention, Case, Chain, Matmul, Softmax
from torch import nn

_HALF = torch.bfloat16
_NETWORKS = ("GPT", "BERT", "ViT", "MobileNet", "ResNet", "U-Net", "LSTM", "encoder")


class ColumnSums(nn.Module):
    """Sums over the rows."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Compute it."""
        return x.sum(0)


def _normal(*sizes: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    return torch.randn(*sizes).to(dtype)


def _chain(dtype: torch.dtype) -> tuple[nn.Module, tuple[torch.Tensor, ...]]:
    x, w, b = (_normal(*sizes, dtype=dtype) for sizes in ((16384, 4096), (4096,), (4096,)))
    return Chain(), (x, w, b)


def _rows(model: nn.Module, dtype: torch.dtype) -> tuple[nn.Module, tuple[torch.Tensor, ...]]:
    return model.to(dtype), (_normal(16384, 4096, dtype=dtype),)


def _attention(is_causal: bool, *sizes: int) -> tuple[nn.Module, tuple[torch.Tensor, ...]]:
    heads = tuple(_normal(*sizes, dtype=_HALF) for _ in range(3))
    return Attention(is_causal), heads


# Cases that occupy a whole GPU.
LARGE_CASES = (
    Case("gelu(x*w+b) 16384x4096", lambda: _chain(torch.float32), 1.0),
    Case("gelu(x*w+b) 16384x4096, bf16", lambda: _chain(_HALF), 1.0),
    Case("softmax 16384x4096", lambda: _rows(Softmax(), torch.float32), 1.0),
    Case("softmax 16384x4096, bf16", lambda: _rows(Softmax(), _HALF), 1.0),
    Case("layer norm 16384x4096", lambda: _rows(nn.LayerNorm(4096), torch.float32), 1.0),
    Case("layer norm 16384x4096, bf16", lambda: _rows(nn.LayerNorm(4096), _HALF), 1.0),
    Case("softmax 1000000x64", lambda: (Softmax(), (_normal(1000000, 64),)), 1.0),
    Case("column sums 16384x4096", lambda: _rows(ColumnSums(), torch.float32), 1.0),
    Case("matmul 4096x4096x4096, bf16", lambda: (Matmul(), (_normal(4096, 4096, dtype=_HALF),
         _normal(4096, 4096, dtype=_HALF))), 1.0),
    Case("attention 2x16x4096x128, bf16", lambda: _attention(False, 2, 16, 4096, 128), 1.0),
    Case("attention 2x16x2048x64, bf16, causal", lambda: _attention(True, 2, 16, 2048, 64), 1.0),
)  # fmt: skip
GPU_CASES = (*CASES, *HALF_CASES, *CPU_CASES, *LARGE_CASES)

_CONV = 2 * 9 * 64
# The multiplications and additions of contractions.
FLOPS: dict[str, float] = {
    "matmul 1024x1024x1024": 2 * 1024**3,
    "matmul 1000x999x1023": 2 * 1000 * 999 * 1023,
    "matmul 1000x999x1023, f16": 2 * 1000 * 999 * 1023,
    "matmul 4096x4096x4096, f16": 2 * 4096**3,
    "matmul 4096x4096x4096, bf16": 2 * 4096**3,
    "linear+relu 512x1024x1024": 2 * 512 * 1024**2,
    "linear+relu 512x1024x1024, bf16": 2 * 512 * 1024**2,
    "linear+relu, dynamic batch": 2 * 512 * 1024**2,
    "conv2d 64x56x56, 64 3x3": _CONV * 64 * 56**2,
    "conv2d 64x56x56, 64 3x3, f16": _CONV * 64 * 56**2,
    "conv2d 64x57x57, 64 3x3": _CONV * 64 * 57**2,
    "conv2d 64x56x56, 128 3x3, stride 2": _CONV * 128 * 28**2,
    "conv2d 64x56x56, 64 3x3, dilation 2": _CONV * 64 * 56**2,
    "attention 8x1024x64": 4 * 8 * 1024**2 * 64,
    "attention 8x1024x64, causal": 2 * 8 * 1024**2 * 64,
    "attention 2x16x4096x128, bf16": 4 * 2 * 16 * 4096**2 * 128,
    "attention 2x16x2048x64, bf16, causal": 2 * 2 * 16 * 2048**2 * 64,
}
# Read every input and weight once, and write the result once.
MEMORY_BOUND = frozenset(
    case.name
    for case in GPU_CASES
    if case.name.startswith(("gelu", "softmax", "layer norm", "column sums", "linear+relu, batch"))
)


def longest_first(cases: Sequence[Case]) -> list[Case]:
    """Cases in the order in which they start to compile: networks take the longest."""
    return sorted(cases, key=lambda case: not case.name.startswith(_NETWORKS))


def least_bytes(
    case: Case, model: nn.Module, inputs: tuple[torch.Tensor, ...], result: torch.Tensor
) -> int | None:
    """The bytes that a memory-bound case moves at least; None for others."""
    if case.name not in MEMORY_BOUND:
        return None
    tensors = (*inputs, *model.parameters(), *model.buffers(), result)
    return sum(tensor.numel() * tensor.element_size() for tensor in tensors)
