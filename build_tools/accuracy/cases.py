"""The kernels whose rounding errors are measured."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch.nn import functional

Shape = tuple[int, ...]
Draw = Callable[[torch.Tensor], torch.Tensor]

_COUNT = 200_000
# The standard deviations of the inputs of elementwise functions.
_SCALES = (0.01, 1.0, 10.0)


@dataclass(frozen=True)
class Kernel:
    """A function of tensors with its inputs, whose elements have a normal distribution.

    Attributes:
        kind: elementwise, reduction or contraction.
        name: what tables call it.
        function: of tensors of any floating dtype.
        shapes: of the inputs.
        draw: maps normally distributed numbers to the function's domain.
        scales: the standard deviations, each of one measurement.
    """

    kind: str
    name: str
    function: Callable[..., Any]
    shapes: tuple[Shape, ...]
    draw: Draw | None = None
    scales: tuple[float, ...] = (1.0,)

    def inputs(self, generator: torch.Generator, scale: float) -> list[torch.Tensor]:
        """Random inputs in float32."""
        drawn = [torch.randn(shape, generator=generator) * scale for shape in self.shapes]
        return drawn if self.draw is None else [self.draw(each) for each in drawn]


def _inside(x: torch.Tensor) -> torch.Tensor:
    """Between -1 and 1."""
    return torch.erf(x)


def _probability(x: torch.Tensor) -> torch.Tensor:
    return torch.sigmoid(x).clamp(1e-4, 1 - 1e-4)


def _positive(x: torch.Tensor) -> torch.Tensor:
    return x.abs() + 1e-6


def _above_one(x: torch.Tensor) -> torch.Tensor:
    return x.abs() + 1.001


def _above_minus_one(x: torch.Tensor) -> torch.Tensor:
    return torch.where(x <= -1, x.abs(), x)


_ANY = [
    "exp",
    "exp2",
    "expm1",
    "sin",
    "cos",
    "tan",
    "atan",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "sigmoid",
    "erf",
    "erfc",
    "square",
    "deg2rad",
    "sinc",
    "special.i0e",
    "special.i1e",
    "special.erfcx",
    "special.log_ndtr",
    "special.ndtr",
    "special.bessel_j0",
    "special.bessel_j1",
]
_DOMAINS: dict[Draw, list[str]] = {
    _inside: ["asin", "acos", "atanh", "erfinv"],
    _positive: [
        "log",
        "log2",
        "log10",
        "sqrt",
        "rsqrt",
        "reciprocal",
        "lgamma",
        "digamma",
        "special.entr",
    ],
    _above_one: ["acosh"],
    _above_minus_one: ["log1p"],
    _probability: ["logit", "special.ndtri"],
}
_ACTIVATIONS = [
    "gelu",
    "silu",
    "mish",
    "softplus",
    "elu",
    "selu",
    "celu",
    "logsigmoid",
    "hardswish",
    "softsign",
    "tanhshrink",
]


def _member(name: str) -> Callable[..., Any]:
    found: Any = torch
    for part in name.split("."):
        found = getattr(found, part)
    function: Callable[..., Any] = found
    return function


def _elementwise() -> list[Kernel]:
    drawn: list[tuple[str, Draw | None]] = [(name, None) for name in _ANY]
    drawn += [(name, draw) for draw, names in _DOMAINS.items() for name in names]
    functions: list[tuple[str, Callable[..., Any], Draw | None]]
    functions = [(name, _member(name), draw) for name, draw in drawn]
    functions += [(name, getattr(functional, name), None) for name in _ACTIVATIONS]
    functions += [
        ("gelu, tanh", lambda x: functional.gelu(x, approximate="tanh"), None),
        ("pow 2.4", lambda x: torch.pow(x, 2.4), _positive),
        ("pow -0.3", lambda x: torch.pow(x, -0.3), _positive),
    ]
    kernels = [
        Kernel("elementwise", name, function, ((_COUNT,),), draw, _SCALES)
        for name, function, draw in functions
    ]
    pairs = {"atan2": torch.atan2, "hypot": torch.hypot, "logaddexp": torch.logaddexp}
    return kernels + [
        Kernel("elementwise", name, function, ((_COUNT,),) * 2, None, _SCALES)
        for name, function in pairs.items()
    ]


def _reduction(name: str, function: Callable[..., Any], *shapes: Shape) -> Kernel:
    return Kernel("reduction", name, function, shapes)


def _contraction(name: str, function: Callable[..., Any], *shapes: Shape) -> Kernel:
    return Kernel("contraction", name, function, shapes)


_MATRIX = (20_000, 20)
_ROWS = (20, 20_000)
_IMAGES = (16, 8, 40, 40)
_HEADS = (2, 4, 512, 64)

KERNELS: tuple[Kernel, ...] = (
    *_elementwise(),
    _reduction("sum", lambda x: torch.stack([each.sum() for each in x]), _ROWS),
    _reduction("sum of rows", lambda x: x.sum(1), _ROWS),
    _reduction("sum of columns", lambda x: x.sum(0), _MATRIX),
    _reduction("sum of many columns", lambda x: x.sum(0), (5_000, 700)),
    _reduction("sum of a middle dimension", lambda x: x.sum(1), (4, 20_000, 8)),
    _reduction("sum of outer dimensions", lambda x: x.sum((0, 2)), (300, 8, 77)),
    _reduction("sum of a transposed matrix", lambda x: x.t().sum(0), (64, 20_000)),
    _reduction("nansum", lambda x: torch.nansum(x, 0), _MATRIX),
    _reduction("mean", lambda x: x.mean(0), (5_000, 100)),
    _reduction("prod", lambda x: (x * 0.01 + 1).prod(0), (5_000, 50)),
    _reduction("var", lambda x: (x + 10).var(1), _ROWS),
    _reduction("var of columns", lambda x: (x + 10).var(0), _MATRIX),
    _reduction("std", lambda x: (x + 10).std((0, 2)), (300, 8, 77)),
    _reduction("norm", lambda x: torch.linalg.vector_norm(x, 2, 0), _MATRIX),
    _reduction("norm of order 3", lambda x: torch.linalg.vector_norm(x, 3, 1), _ROWS),
    _reduction("logsumexp", lambda x: torch.logsumexp(x, 0), _MATRIX),
    _reduction("softmax", lambda x: torch.softmax(x, -1), _ROWS),
    _reduction("softmax of columns", lambda x: torch.softmax(x, 0), _MATRIX),
    _reduction("log_softmax", lambda x: torch.log_softmax(x, -1), _ROWS),
    _reduction("cumsum", lambda x: x.cumsum(1), _ROWS),
    _reduction("cumsum of columns", lambda x: x.cumsum(0), _MATRIX),
    _reduction("cumprod", lambda x: (x * 0.01 + 1).cumprod(1), (20, 2_000)),
    _reduction("logcumsumexp", lambda x: x.logcumsumexp(1), (20, 2_000)),
    _reduction("trace", lambda x: torch.stack([each.trace() for each in x]), (8, 500, 500)),
    _reduction("layer_norm", lambda x: functional.layer_norm(x + 5, (8_192,)), (20, 8_192)),
    _reduction("rms_norm", lambda x: functional.rms_norm(x, (8_192,)), (20, 8_192)),
    _reduction("group_norm", lambda x: functional.group_norm(x + 5, 2), _IMAGES),
    _reduction(
        "batch_norm in training",
        lambda x: functional.batch_norm(x + 5, None, None, training=True),
        _IMAGES,
    ),
    _reduction("instance_norm", lambda x: functional.instance_norm(x + 5), (2, 8, 100, 100)),
    _reduction("adaptive_avg_pool2d", lambda x: functional.adaptive_avg_pool2d(x, 1), _IMAGES),
    _reduction("avg_pool2d", lambda x: functional.avg_pool2d(x, 31, 1), (1, 4, 100, 100)),
    _reduction("mse_loss", lambda x, y: _by_row(functional.mse_loss, x, y), _ROWS, _ROWS),
    _reduction(
        "smooth_l1_loss", lambda x, y: _by_row(functional.smooth_l1_loss, x, y), _ROWS, _ROWS
    ),
    _reduction("cross_entropy", lambda x: _entropies(x), (8, 4_000, 50)),
    _reduction("cosine_similarity", functional.cosine_similarity, _ROWS, _ROWS),
    _reduction("embedding_bag", lambda x: _bags(x), (20_000, 16)),
    _reduction("renorm", lambda x: torch.renorm(x, 2, 0, 1.0), _ROWS),
    _contraction("matmul, 4,096 terms", torch.matmul, (64, 4_096), (4_096, 64)),
    _contraction("matmul, 65,536 terms", torch.matmul, (8, 65_536), (65_536, 8)),
    _contraction("matmul of one row", torch.matmul, (1, 8_192), (8_192, 512)),
    _contraction("batched matmul", torch.matmul, (4, 16, 8_192), (4, 8_192, 16)),
    _contraction("matrix and vector", torch.matmul, (64, 20_000), (20_000,)),
    _contraction(
        "einsum", lambda x, y: torch.einsum("bij,bkj->ik", x, y), (64, 10, 300), (64, 12, 300)
    ),
    _contraction("conv2d, 512 channels", functional.conv2d, (1, 512, 10, 10), (64, 512, 3, 3)),
    _contraction("conv2d 1x1", functional.conv2d, (1, 4_096, 8, 8), (32, 4_096, 1, 1)),
    _contraction(
        "conv2d, depthwise 31x31",
        lambda x, w: functional.conv2d(x, w, groups=32),
        (1, 32, 40, 40),
        (32, 1, 31, 31),
    ),
    _contraction(
        "conv2d, 4 groups",
        lambda x, w: functional.conv2d(x, w, groups=4),
        (1, 512, 10, 10),
        (64, 128, 3, 3),
    ),
    _contraction("conv1d", functional.conv1d, (1, 64, 400), (64, 64, 129)),
    _contraction("conv3d", functional.conv3d, (1, 64, 10, 10, 10), (16, 64, 5, 5, 5)),
    _contraction(
        "conv_transpose2d",
        lambda x, w: functional.conv_transpose2d(x, w, stride=2),
        (1, 512, 10, 10),
        (512, 32, 4, 4),
    ),
    _contraction("attention", functional.scaled_dot_product_attention, *[_HEADS] * 3),
    _contraction(
        "attention, causal",
        lambda q, k, v: functional.scaled_dot_product_attention(q, k, v, is_causal=True),
        *[_HEADS] * 3,
    ),
    _contraction("cdist", torch.cdist, (20, 3_000), (20, 3_000)),
)


def _by_row(loss: Callable[..., Any], x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return torch.stack([loss(one, other) for one, other in zip(x, y, strict=True)])


def _entropies(x: torch.Tensor) -> torch.Tensor:
    return torch.stack([functional.cross_entropy(each, each.argmin(1)) for each in x])


def _bags(weight: torch.Tensor) -> torch.Tensor:
    return functional.embedding_bag(torch.arange(20_000).reshape(4, 5_000), weight, mode="sum")
