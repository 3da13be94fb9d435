"""The programs whose code is measured: single kernels, a layer, a network."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import nn


@dataclass(frozen=True)
class Case:
    """A model with its inputs; `wanted` is the most that our time may be, in inductor's."""

    name: str
    make: Callable[[], tuple[nn.Module, tuple[torch.Tensor, ...]]]
    wanted: float
    dynamic: bool = False
    """Whether the first dimension of the first input is compiled as a dynamic one."""


class Chain(nn.Module):
    """Elementwise operators, one after the other."""

    def forward(self, x: torch.Tensor, w: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        """Compute it."""
        return nn.functional.gelu(x * w + b)


class Softmax(nn.Module):
    """Along rows."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Compute it."""
        return torch.softmax(x, -1)


class Matmul(nn.Module):
    """A product of two matrices."""

    def forward(self, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        """Compute it."""
        return a @ b


class BasicBlock(nn.Module):
    """The block of ResNet-18 and 34."""

    def __init__(self, inputs: int, outputs: int, stride: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.first_norm = nn.BatchNorm2d(outputs)
        self.second = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.second_norm = nn.BatchNorm2d(outputs)
        self.shortcut = nn.Sequential()
        if stride != 1 or inputs != outputs:
            self.shortcut = nn.Sequential(
                nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs)
            )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Compute it."""
        out = torch.relu(self.first_norm(self.first(x)))
        return torch.relu(self.second_norm(self.second(out)) + self.shortcut(x))


def resnet18() -> nn.Module:
    """ResNet-18 with 1,000 classes."""
    stages = [(64, 64, 1), (64, 128, 2), (128, 256, 2), (256, 512, 2)]
    blocks = [
        block
        for inputs, outputs, stride in stages
        for block in (BasicBlock(inputs, outputs, stride), BasicBlock(outputs, outputs, 1))
    ]
    return nn.Sequential(
        nn.Conv2d(3, 64, 7, 2, 3, bias=False),
        nn.BatchNorm2d(64),
        nn.ReLU(),
        nn.MaxPool2d(3, 2, 1),
        *blocks,
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Linear(512, 1000),
    )


class Decode(nn.Module):
    """A step of attention with a cache of keys and values, which gets one position more."""

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
        """Compute it; the cache is written to."""
        for cache, new in ((keys, key), (values, value)):
            if self.assigns:
                cache[:, :, place] = new
            else:
                cache.index_copy_(2, place, new)
        return nn.functional.scaled_dot_product_attention(query, keys, values)


def _step() -> tuple[torch.Tensor, ...]:
    """Query, key and value of one position, a cache of 1,024, and the place in it."""
    new = [_normal(1, 8, 1, 64) for _ in range(3)]
    return (*new, _normal(1, 8, 1024, 64), _normal(1, 8, 1024, 64), torch.tensor([700]))


def _encoder() -> nn.Module:
    return nn.TransformerEncoderLayer(256, 4, 1024, 0.0, "gelu", batch_first=True)


def _linear(inputs: int, outputs: int) -> nn.Module:
    return nn.Sequential(nn.Linear(inputs, outputs), nn.ReLU())


def _normal(*sizes: int) -> torch.Tensor:
    return torch.randn(*sizes)


CASES = (
    Case("gelu(x*w+b) 4096x1024", lambda: (Chain(), (_normal(4096, 1024), _normal(1024),
         _normal(1024))), 1.0),
    Case("softmax 4096x1024", lambda: (Softmax(), (_normal(4096, 1024),)), 1.0),
    Case("layer norm 4096x1024", lambda: (nn.LayerNorm(1024), (_normal(4096, 1024),)), 1.0),
    Case("matmul 1024x1024x1024", lambda: (Matmul(), (_normal(1024, 1024),
         _normal(1024, 1024))), 1.0),
    Case("linear+relu 512x1024x1024", lambda: (_linear(1024, 1024), (_normal(512, 1024),)), 1.0),
    Case("conv2d 64x56x56, 64 3x3", lambda: (nn.Conv2d(64, 64, 3, padding=1),
         (_normal(1, 64, 56, 56),)), 1.3),
    Case("encoder layer 128x256", lambda: (_encoder(), (_normal(1, 128, 256),)), 0.8),
    Case("ResNet-18 224x224", lambda: (resnet18(), (_normal(1, 3, 224, 224),)), 1.5),
    Case("gelu(x*w+b) 1000x1023", lambda: (Chain(), (_normal(1000, 1023), _normal(1023),
         _normal(1023))), 1.0),
    Case("softmax 1000x1023", lambda: (Softmax(), (_normal(1000, 1023),)), 1.0),
    Case("layer norm 1000x1023", lambda: (nn.LayerNorm(1023), (_normal(1000, 1023),)), 1.0),
    Case("matmul 1000x999x1023", lambda: (Matmul(), (_normal(1000, 999), _normal(999, 1023))), 1.0),
    Case("linear+relu, batch 3", lambda: (_linear(1024, 1024), (_normal(3, 1024),)), 1.0),
    Case("conv2d 64x57x57, 64 3x3", lambda: (nn.Conv2d(64, 64, 3, padding=1),
         (_normal(1, 64, 57, 57),)), 1.3),
    Case("softmax, dynamic rows", lambda: (Softmax(), (_normal(4096, 1024),)), 1.0, True),
    Case("linear+relu, dynamic batch", lambda: (_linear(1024, 1024), (_normal(512, 1024),)), 1.0,
         True),
)  # fmt: skip
# On GPUs only, whose tensor cores multiply numbers of 16 bits.
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
# Indices that are checked; what that may cost is in `codegen.py`.
CHECKED = (
    Case("embedding 50000x512, 4096 indices", lambda: (nn.Embedding(50000, 512),
         (torch.randint(0, 50000, (4096,)),)), 1.0),
    Case("attention, cache of 1024, index_copy_", lambda: (Decode(False), _step()), 1.0),
    Case("attention, cache of 1024, index_put_", lambda: (Decode(True), _step()), 1.0),
)  # fmt: skip
QUICK = ("softmax 1000x1023", "linear+relu, batch 3")
# Large enough that threads are worth their while.
THREADED = (
    "gelu(x*w+b) 4096x1024",
    "matmul 1024x1024x1024",
    "linear+relu 512x1024x1024",
    "encoder layer 128x256",
    "ResNet-18 224x224",
)
