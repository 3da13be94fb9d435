"""A program for each schedule of kernels for GPUs, of sizes that no tile and no vector divides."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

_HALF = torch.bfloat16


@dataclass(frozen=True)
class Program:
    """A named function of tensors; `dynamic` are its dimensions of unknown size, by argument.

    Those whose sizes the export finds to be constant are compiled as such.
    """

    name: str
    function: Callable[..., Any]
    make: Callable[[], tuple[torch.Tensor, ...]]
    dynamic: tuple[tuple[int, ...], ...] | None = None

    def shapes(self) -> Any:
        """The `dynamic_shapes` of `torch_refine.compile`."""
        if self.dynamic is None:
            return None
        sizes = [{each: torch.export.Dim.AUTO for each in dims} for dims in self.dynamic]
        return (tuple(sizes),)


class Calls(nn.Module):
    """A module that calls a function."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__()
        self.function = function

    def forward(self, *args: torch.Tensor) -> Any:
        """Call it."""
        return self.function(*args)


def _normal(*sizes: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    return torch.randn(*sizes).to(dtype)


def normals(*shapes: tuple[int, ...], dtype: torch.dtype = torch.float32) -> Any:
    """What makes tensors of normal numbers."""
    return lambda: tuple(_normal(*shape, dtype=dtype) for shape in shapes)


def _heads(*sizes: int, dtype: torch.dtype = torch.float32) -> Any:
    return normals(sizes, sizes, sizes, dtype=dtype)


def _images(dtype: torch.dtype, *weight: int, channels: int = 16) -> Any:
    return normals((2, channels, 19, 23), weight, dtype=dtype)


def _indexed() -> tuple[torch.Tensor, ...]:
    return _normal(37, 19), torch.randint(0, 37, (53,))


def _copied() -> tuple[torch.Tensor, ...]:
    return torch.randn(3, 40, 5), torch.tensor([7, 31]), torch.randn(3, 2, 5)


def _scattered() -> tuple[torch.Tensor, ...]:
    return _normal(37, 19), torch.randint(0, 37, (53, 19)), _normal(53, 19)


def _lstm(x: torch.Tensor, *weights: torch.Tensor) -> torch.Tensor:
    state = (torch.zeros(1, x.shape[1], 24, dtype=x.dtype, device=x.device),) * 2
    result = torch.ops.aten.lstm.input(x, state, weights, True, 1, 0.0, False, False, False)[0]
    assert isinstance(result, torch.Tensor)
    return result


PROGRAMS = (
    Program("elementwise", lambda x, w: F.gelu(x * w + 1), normals((37, 1023), (1023,))),
    Program(
        "elementwise, bf16",
        lambda x, w: F.gelu(x * w + 1),
        normals((37, 1022), (1022,), dtype=_HALF),
    ),
    Program(
        "elementwise, dynamic",
        lambda x, w: (x * w).exp(),
        normals((37, 103), (103,)),
        ((0, 1), (0,)),
    ),
    Program("transposed copy", lambda x: x.transpose(0, 2).contiguous() + 1, normals((33, 5, 71))),
    Program(
        "joined and padded",
        lambda x, y: F.pad(torch.cat([x, y], 1), (3, -1, 1, 2)),
        normals((5, 7), (5, 9)),
    ),
    Program("softmax of short rows", lambda x: x.softmax(-1), normals((1003, 61))),
    Program("softmax of long rows", lambda x: x.softmax(-1), normals((3, 70001))),
    Program("softmax, bf16", lambda x: x.softmax(-1), normals((101, 1030), dtype=_HALF)),
    Program("softmax, dynamic", lambda x: x.softmax(-1), normals((31, 530)), ((0, 1),)),
    Program(
        "layer norm",
        lambda x, w, b: F.layer_norm(x, (1023,), w, b),
        normals((35, 1023), (1023,), (1023,)),
    ),
    Program(
        "batch norm in training",
        lambda x: F.batch_norm(x, None, None, training=True),
        normals((5, 7, 13, 11)),
    ),
    Program("column sums", lambda x: x.sum(0), normals((4099, 131))),
    Program("sum of everything", lambda x: x.sum(), normals((1031, 1033))),
    Program("largest and its index", lambda x: x.max(1), normals((31, 1031))),
    Program("running sums", lambda x: x.cumsum(1), normals((31, 531))),
    Program("sorted", lambda x: x.sort(1), normals((7, 133))),
    Program("matmul", torch.matmul, normals((65, 129), (129, 67))),
    Program("matmul, dynamic", torch.matmul, normals((65, 129), (129, 67)), ((0, 1), (0, 1))),
    Program(
        "matmul, bf16, whole tiles", torch.matmul, normals((256, 512), (512, 384), dtype=_HALF)
    ),
    Program("matmul, bf16", torch.matmul, normals((130, 136), (136, 264), dtype=_HALF)),
    Program(
        "matmul, bf16, many tiles",
        lambda x, y: F.relu(x @ y),
        normals((2056, 512), (512, 4104), dtype=_HALF),
    ),
    Program("matmul, bf16, odd", torch.matmul, normals((101, 99), (99, 103), dtype=_HALF)),
    Program(
        "matmul, bf16, long reduction", torch.matmul, normals((64, 4096), (4096, 64), dtype=_HALF)
    ),
    Program("matmul, long reduction", torch.matmul, normals((16, 4099), (4099, 17))),
    Program(
        "matmul, f16, batches",
        torch.matmul,
        normals((3, 130, 64), (3, 64, 72), dtype=torch.float16),
    ),
    Program("linear of one row", F.linear, normals((1, 513), (131, 513), (131,))),
    Program(
        "linear of three rows, bf16", F.linear, normals((3, 520), (136, 520), (136,), dtype=_HALF)
    ),
    Program(
        "convolution", lambda x, w: F.conv2d(x, w, padding=1), _images(torch.float32, 33, 16, 3, 3)
    ),
    Program(
        "convolution, f16",
        lambda x, w: F.conv2d(x, w, padding=1),
        _images(torch.float16, 33, 16, 3, 3),
    ),
    Program(
        "convolution, strided",
        lambda x, w: F.conv2d(x, w, None, 2, 2),
        _images(torch.float32, 33, 16, 5, 3),
    ),
    Program(
        "convolution, dilated",
        lambda x, w: F.conv2d(x, w, None, (1, 2), 2, 2),
        _images(torch.float32, 9, 16, 3, 3),
    ),
    Program(
        "convolution, groups",
        lambda x, w: F.conv2d(x, w, groups=4),
        _images(torch.float32, 12, 4, 3, 3),
    ),
    Program(
        "convolution, depthwise",
        lambda x, w: F.conv2d(x, w, None, 2, 1, 1, 16),
        _images(torch.float32, 16, 1, 3, 3),
    ),
    Program(
        "convolution, dynamic",
        lambda x, w: F.conv2d(x, w, padding=1),
        _images(torch.float32, 9, 16, 3, 3),
        ((0, 2, 3), ()),
    ),
    Program(
        "convolution of volumes",
        lambda x, w: F.conv3d(x, w, None, 2, 1),
        normals((1, 3, 9, 11, 7), (5, 3, 3, 3, 3)),
    ),
    Program(
        "transposed convolution",
        lambda x, w: F.conv_transpose2d(x, w, None, 2, 1, 1),
        _images(torch.float32, 16, 5, 3, 3),
    ),
    Program(
        "largest of windows",
        lambda x: F.max_pool2d(x, 3, 2, 1, return_indices=True),
        normals((2, 5, 19, 23)),
    ),
    Program("mean of windows", lambda x: F.avg_pool2d(x, 3, 2, 1), normals((2, 5, 19, 23))),
    Program("attention", F.scaled_dot_product_attention, _heads(2, 3, 131, 33)),
    Program(
        "attention, masked",
        F.scaled_dot_product_attention,
        normals((2, 3, 65, 32), (2, 3, 77, 32), (2, 3, 77, 32), (65, 77)),
    ),
    Program(
        "attention, bf16, causal",
        lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True),
        _heads(1, 3, 256, 64, dtype=_HALF),
    ),
    Program(
        "attention, bf16, odd",
        lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True),
        _heads(1, 3, 197, 128, dtype=_HALF),
    ),
    Program(
        "attention, bf16, dynamic",
        F.scaled_dot_product_attention,
        _heads(1, 3, 197, 64, dtype=_HALF),
        ((2,), (2,), (2,)),
    ),
    Program("selected rows", lambda x, i: x[i], _indexed),
    Program("gathered", lambda x, i, s: x.gather(0, i), _scattered),
    Program("scattered sums", lambda x, i, s: x.scatter_add(0, i, s), _scattered),
    Program("scattered products", lambda x, i, s: x.scatter_reduce(0, i, s, "prod"), _scattered),
    Program("copied rows", lambda x, i, y: x.index_copy(1, i, y), _copied),
    Program("cumulative sums", lambda x: x.cumsum(-1), normals((3, 5000))),
    Program("cumulative sums of columns", lambda x: x.cumsum(0), normals((700, 33)), ((0, 1),)),
    Program("cumulative sums, bf16", lambda x: x.cumsum(1), normals((5, 65, 7), dtype=_HALF)),
    Program(
        "accumulated rows",
        lambda x, i: torch.zeros_like(x).index_put((i,), x[i], accumulate=True),
        _indexed,
    ),
    Program(
        "embedding's gradient",
        lambda x, i: torch.ops.aten.embedding_dense_backward(x[i], i, 41, 3, False),
        _indexed,
    ),
    Program(
        "resized", lambda x: F.interpolate(x, (13, 31), mode="bilinear"), normals((2, 3, 17, 19))
    ),
    Program("LSTM", _lstm, normals((9, 3, 16), (96, 16), (96, 24), (96,), (96,))),
)
