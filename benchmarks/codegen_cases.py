"""The programs whose code is measured: single kernels, a layer, networks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import torch
from codegen_networks import (
    Bert,
    Gpt2,
    Gpt2Decode,
    Lstm,
    UNet,
    VisionTransformer,
    mobilenet_v2,
    resnet18,
)
from torch import nn


@dataclass(frozen=True)
class Case:
    """A model with its inputs; `wanted` is the target of our time divided by inductor's."""

    name: str
    make: Callable[[], tuple[nn.Module, tuple[torch.Tensor, ...]]]
    wanted: float
    dynamic_shapes: Callable[[], Any] | None = None
    """Makes the `dynamic_shapes` of `torch.export.export`; None if all shapes are static."""
    needed: float = 1.0
    """The share of the operations of eager mode's contractions that the result depends on."""

    @property
    def dynamic(self) -> bool:
        """Whether an input has a dynamic dimension."""
        return self.dynamic_shapes is not None


class Chain(nn.Module):
    """A chain of elementwise operators."""

    def forward(self, x: torch.Tensor, w: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        """Compute it."""
        return nn.functional.gelu(x * w + b)


class Softmax(nn.Module):
    """Along rows."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Compute it."""
        return torch.softmax(x, -1)


class Matmul(nn.Module):
    """A matmul."""

    def forward(self, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        """Compute it."""
        return a @ b


class Attention(nn.Module):
    """Scaled dot product attention alone."""

    def __init__(self, is_causal: bool) -> None:
        super().__init__()
        self.is_causal = is_causal

    def forward(self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
        """Compute it."""
        return nn.functional.scaled_dot_product_attention(q, k, v, is_causal=self.is_causal)


class Decode(nn.Module):
    """A decoding step of attention with a key-value cache, to which it appends one position."""

    def __init__(self, assigns: bool) -> None:
        super().__init__()
        self.assigns = assigns

    def forward(
        self,
        query: torch.Tensor,
        key: torch.Tensor,
        value: torch.Tensor,
        keys: torch.Tensor,
        values: torch.Tensor,
        place: torch.Tensor,
    ) -> torch.Tensor:
        """Compute it; mutates the cache."""
        for cache, new in ((keys, key), (values, value)):
            if self.assigns:
                cache[:, :, place] = new
            else:
                cache.index_copy_(2, place, new)
        return nn.functional.scaled_dot_product_attention(query, keys, values)


def _step() -> tuple[torch.Tensor, ...]:
    """Query, key and value of one position, a cache of 1,024, and the position in it."""
    new = [_normal(1, 8, 1, 64) for _ in range(3)]
    return (*new, _normal(1, 8, 1024, 64), _normal(1, 8, 1024, 64), torch.tensor([700]))


def _heads() -> tuple[torch.Tensor, ...]:
    """Query, key and value of 8 heads and 1,024 tokens."""
    return tuple(_normal(1, 8, 1024, 64) for _ in range(3))


def _encoder() -> nn.Module:
    return nn.TransformerEncoderLayer(256, 4, 1024, 0.0, "gelu", batch_first=True)


def _linear(inputs: int, outputs: int) -> nn.Module:
    return nn.Sequential(nn.Linear(inputs, outputs), nn.ReLU())


def _normal(*sizes: int) -> torch.Tensor:
    return torch.randn(*sizes)


def _rows() -> Any:
    return ({0: torch.export.Dim("batch", min=2, max=8192)},)


def _image_sizes() -> Any:
    height, width = (torch.export.Dim(name, min=2, max=64) for name in ("rows", "columns"))
    return ({2: 8 * height, 3: 8 * width},)


def _decode() -> tuple[torch.Tensor, ...]:
    """A token, its position, and the keys and values of 12 layers for 256 positions."""
    caches = [_normal(1, 12, 256, 64) for _ in range(24)]
    return (_tokens(1), torch.tensor([200]), *caches)


def _tokens(count: int) -> torch.Tensor:
    return torch.randint(0, 30000, (1, count))


# For the CPU and for GPUs.
CASES = (
    Case("gelu(x*w+b) 4096x1024", lambda: (Chain(), (_normal(4096, 1024), _normal(1024),
         _normal(1024))), 0.9),
    Case("softmax 4096x1024", lambda: (Softmax(), (_normal(4096, 1024),)), 0.9),
    Case("layer norm 4096x1024", lambda: (nn.LayerNorm(1024), (_normal(4096, 1024),)), 0.9),
    Case("matmul 1024x1024x1024", lambda: (Matmul(), (_normal(1024, 1024),
         _normal(1024, 1024))), 0.95),
    Case("linear+relu 512x1024x1024", lambda: (_linear(1024, 1024), (_normal(512, 1024),)), 0.95),
    Case("conv2d 64x56x56, 64 3x3", lambda: (nn.Conv2d(64, 64, 3, padding=1),
         (_normal(1, 64, 56, 56),)), 1.0),
    Case("encoder layer 128x256", lambda: (_encoder(), (_normal(1, 128, 256),)), 0.7),
    Case("ResNet-18 224x224", lambda: (resnet18(), (_normal(1, 3, 224, 224),)), 0.8),
    Case("gelu(x*w+b) 1000x1023", lambda: (Chain(), (_normal(1000, 1023), _normal(1023),
         _normal(1023))), 0.9),
    Case("softmax 1000x1023", lambda: (Softmax(), (_normal(1000, 1023),)), 0.9),
    Case("layer norm 1000x1023", lambda: (nn.LayerNorm(1023), (_normal(1000, 1023),)), 0.9),
    Case("matmul 1000x999x1023", lambda: (Matmul(), (_normal(1000, 999), _normal(999, 1023))),
         0.95),
    Case("linear+relu, batch 3", lambda: (_linear(1024, 1024), (_normal(3, 1024),)), 0.95),
    Case("conv2d 64x57x57, 64 3x3", lambda: (nn.Conv2d(64, 64, 3, padding=1),
         (_normal(1, 64, 57, 57),)), 1.0),
    Case("softmax, dynamic rows", lambda: (Softmax(), (_normal(4096, 1024),)), 0.9, _rows),
    Case("linear+relu, dynamic batch", lambda: (_linear(1024, 1024), (_normal(512, 1024),)), 0.95,
         _rows),
)  # fmt: skip
# On the CPU only.
CPU_CASES = (
    Case("conv2d 64x56x56, 64 3x3, groups 4", lambda: (nn.Conv2d(64, 64, 3, padding=1, groups=4),
         (_normal(1, 64, 56, 56),)), 1.0),
    Case("conv2d 128x56x56, depthwise 3x3", lambda: (nn.Conv2d(128, 128, 3, padding=1, groups=128),
         (_normal(1, 128, 56, 56),)), 1.0),
    Case("conv2d 64x56x56, 128 3x3, stride 2", lambda: (nn.Conv2d(64, 128, 3, 2, 1),
         (_normal(1, 64, 56, 56),)), 1.0),
    Case("conv2d 64x56x56, 64 3x3, dilation 2", lambda: (nn.Conv2d(64, 64, 3, 1, 2, 2),
         (_normal(1, 64, 56, 56),)), 1.0),
    Case("conv2d 256x56x56, 64 1x1", lambda: (nn.Conv2d(256, 64, 1),
         (_normal(1, 256, 56, 56),)), 1.0),
    Case("conv3d 16x16x28x28, 32 3x3x3", lambda: (nn.Conv3d(16, 32, 3, padding=1),
         (_normal(1, 16, 16, 28, 28),)), 1.0),
    Case("attention 8x1024x64", lambda: (Attention(False), _heads()), 0.8),
    Case("attention 8x1024x64, causal", lambda: (Attention(True), _heads()), 0.8, needed=0.5),
    Case("MobileNetV2 224x224", lambda: (mobilenet_v2(), (_normal(1, 3, 224, 224),)), 0.8),
    Case("ViT-tiny 224x224", lambda: (VisionTransformer(), (_normal(1, 3, 224, 224),)), 0.8),
    Case("BERT base, 128 tokens", lambda: (Bert(), (_tokens(128),)), 0.8),
    Case("GPT-2 small, 128 tokens", lambda: (Gpt2(), (_tokens(128),)), 0.8),
    Case("GPT-2 small, 1 token, cache of 256", lambda: (Gpt2Decode(), _decode()), 0.8),
    Case("LSTM 2x256, 64 steps, batch 8", lambda: (Lstm(256), (_normal(8, 64, 256),)), 0.8),
    Case("U-Net 128x128, dynamic sizes", lambda: (UNet(), (_normal(1, 3, 128, 128),)), 0.8,
         _image_sizes),
)  # fmt: skip
# On GPUs only, whose tensor cores multiply 16-bit floats.
HALF_CASES = (
    Case("matmul 4096x4096x4096, f16", lambda: (Matmul(), (_normal(4096, 4096).half(),
         _normal(4096, 4096).half())), 1.0),
    Case("linear+relu 512x1024x1024, bf16", lambda: (_linear(1024, 1024).bfloat16(),
         (_normal(512, 1024).bfloat16(),)), 1.0),
    Case("matmul 1000x999x1023, f16", lambda: (Matmul(), (_normal(1000, 999).half(),
         _normal(999, 1023).half())), 1.0),
    Case("conv2d 64x56x56, 64 3x3, f16", lambda: (nn.Conv2d(64, 64, 3, padding=1).half(),
         (_normal(1, 64, 56, 56).half(),)), 1.3),
    Case("encoder layer 128x256, bf16", lambda: (_encoder().bfloat16(),
         (_normal(1, 128, 256).bfloat16(),)), 0.8),
)  # fmt: skip


def _in_bfloat16(case: Case) -> Case:
    """The same case, model and floats of inputs in bfloat16."""

    def make() -> tuple[nn.Module, tuple[torch.Tensor, ...]]:
        model, inputs = case.make()
        halved = [each.bfloat16() if each.is_floating_point() else each for each in inputs]
        return model.bfloat16(), tuple(halved)

    return replace(case, name=f"{case.name}, bf16", make=make)


_IN_BFLOAT16 = (
    "matmul 1024x1024x1024", "conv2d 64x56x56, 64 3x3", "ResNet-18 224x224", "attention 8x1024x64",
    "ViT-tiny 224x224", "BERT base, 128 tokens", "GPT-2 small, 1 token, cache of 256",
)  # fmt: skip
# On the CPU only: the newest ones multiply bfloat16 faster than f32.
BFLOAT16_CASES = (
    *(case for case in HALF_CASES if case.name.endswith("bf16")),
    *(_in_bfloat16(case) for case in (*CASES, *CPU_CASES) if case.name in _IN_BFLOAT16),
)
# Indices that are checked; what that may cost is in `codegen.py`.
CHECKED = (
    Case("embedding 50000x512, 4096 indices", lambda: (nn.Embedding(50000, 512),
         (torch.randint(0, 50000, (4096,)),)), 1.0),
    Case("attention, cache of 1024, index_copy_", lambda: (Decode(False), _step()), 1.0),
    Case("attention, cache of 1024, index_put_", lambda: (Decode(True), _step()), 1.0),
)  # fmt: skip
QUICK = ("softmax 1000x1023", "linear+relu, batch 3")
