"""Programs of random sizes: contractions, attention, convolutions and rows."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import torch
import torch.nn.functional as F
from torch_refine.build_tools.gpu_kernels.programs import Program, normals

_HALVES = (torch.float16, torch.bfloat16)
# Around the sizes of tiles and vectors, and odd ones.
_SIZES = (1, 2, 3, 7, 8, 15, 16, 17, 24, 31, 32, 33, 48, 63, 64, 65, 72, 96, 127, 128, 129, 136,
          192, 200, 255, 256, 257, 264, 320, 384, 500, 512, 520)  # fmt: skip
_DEPTHS = (*_SIZES, 768, 1000, 1024, 2056, 4096, 5000)
_DYNAMIC = 0.2
_EPILOGUES: dict[str, Callable[..., torch.Tensor]] = {
    "": lambda x: x,
    "relu": torch.relu,
    "gelu": F.gelu,
    "sum of rows": lambda x: x.sum(-1),
    "softmax": lambda x: x.softmax(-1),
    "transpose": lambda x: x.transpose(-1, -2) + 1,
}


def drawn(seed: int, number: int) -> Program:
    """The program with a number in the sequence of a seed."""
    rng = Random(f"{seed} {number}")
    kind = rng.choice((_matmul, _matmul, _linear, _attention, _attention, _convolution, _rows))
    name, function, shapes, dtype, sized = kind(rng)
    dynamic = None
    if rng.random() < _DYNAMIC:
        # Sizes of 1 and below are not those of other programs.
        dynamic = tuple(
            tuple(dim for dim in dims if shape[dim] > 1)
            for shape, dims in zip(shapes, sized, strict=True)
        )
    text = ", ".join("x".join(map(str, shape)) for shape in shapes)
    label = f"{number}: {name} {text} {str(dtype).removeprefix('torch.')}"
    label += "" if dynamic is None else f" dynamic {dynamic}"
    return Program(label, function, normals(*shapes, dtype=dtype), dynamic)


def _dtype(rng: Random) -> torch.dtype:
    return rng.choice((torch.float32, *_HALVES))


def _matmul(rng: Random) -> Any:
    batch = rng.choice(((), (), (2,), (3, 5)))
    rows, columns, depth = rng.choice(_SIZES), rng.choice(_SIZES), rng.choice(_DEPTHS)
    turned = rng.random() < 0.3, rng.random() < 0.3
    after = rng.choice(list(_EPILOGUES))
    function = _EPILOGUES[after]
    left = (*batch, depth, rows) if turned[0] else (*batch, rows, depth)
    right = (*batch, columns, depth) if turned[1] else (*batch, depth, columns)

    def multiply(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        given = [
            each.transpose(-1, -2) if turn else each
            for each, turn in zip((x, y), turned, strict=True)
        ]
        return function(torch.matmul(*given) * depth**-0.5)

    name = f"matmul{' (x transposed)' * turned[0]}{' (y transposed)' * turned[1]} {after}"
    place = len(batch) + turned[0]
    return name, multiply, (left, right), _dtype(rng), ((place,), ())


def _linear(rng: Random) -> Any:
    batch = rng.choice(((), (4,), (2, 3)))
    rows, columns, depth = rng.choice(_SIZES), rng.choice(_SIZES), rng.choice(_DEPTHS)
    after = rng.choice(("", "relu", "gelu"))
    function = _EPILOGUES[after]

    def linear(x: torch.Tensor, w: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        return function(F.linear(x, w * depth**-0.5, b))

    shapes = ((*batch, rows, depth), (columns, depth), (columns,))
    return f"linear {after}", linear, shapes, _dtype(rng), ((len(batch),), (), ())


def _attention(rng: Random) -> Any:
    batch, heads = rng.choice((1, 2)), rng.choice((1, 3, 8))
    size = rng.choice((8, 16, 32, 40, 64, 72, 80, 96, 128, 128, 160))
    queries = rng.choice((1, 5, 64, 70, 127, 128, 129, 197, 256, 300, 513))
    keys = rng.choice((queries, queries, 64, 77, 128, 200, 257))
    is_causal = rng.random() < 0.4
    inside = rng.random() < 0.3
    mask = () if is_causal else rng.choice(((), (), ((queries, keys),), ((batch, 1, 1, keys),)))

    def attend(*given: torch.Tensor) -> torch.Tensor:
        q, k, v = given[:3]
        added = given[3] if mask else None
        if inside:
            q, k, v = (each.transpose(1, 2) for each in (q, k, v))
        found = F.scaled_dot_product_attention(q, k, v, added, is_causal=is_causal)
        return found.transpose(1, 2) if inside else found

    rows = tuple((batch, n, heads, size) if inside else (batch, heads, n, size)
                 for n in (queries, keys, keys))  # fmt: skip
    place = 1 if inside else 2
    sized = ((0,), (0,), (0,), ()) if mask else ((place,),) * 3
    name = f"attention{' causal' * is_causal}{' inside' * inside}{' masked' * len(mask)}"
    return name, attend, (*rows, *mask), _dtype(rng), sized


def _convolution(rng: Random) -> Any:
    groups = rng.choice((1, 1, 1, 2, 8))
    channels, results = (groups * rng.choice((1, 3, 4, 8, 16, 33)) for _ in range(2))
    kernel = rng.choice(((1, 1), (3, 3), (3, 3), (5, 3), (7, 7), (2, 4)))
    stride, padding, dilation = (
        rng.choice((1, 1, 2, 3)),
        rng.choice((0, 1, 2)),
        rng.choice((1, 1, 2)),
    )
    height, width = (rng.choice((14, 15, 19, 28, 33)) for _ in range(2))
    batch = rng.choice((1, 2, 5))
    is_transposed = rng.random() < 0.2

    def convolve(x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
        w = w * (channels * kernel[0] * kernel[1] / groups) ** -0.5
        if is_transposed:
            return F.conv_transpose2d(x, w, None, stride, padding, stride - 1, groups, dilation)
        return F.relu(F.conv2d(x, w, None, stride, padding, dilation, groups))

    weight = (channels, results // groups) if is_transposed else (results, channels // groups)
    shapes = ((batch, channels, height, width), (*weight, *kernel))
    name = (f"{'transposed ' * is_transposed}convolution, stride {stride}, padding {padding}, "
            f"dilation {dilation}, groups {groups}:")  # fmt: skip
    return name, convolve, shapes, _dtype(rng), ((0, 2, 3), ())


def _rows(rng: Random) -> Any:
    shape = tuple(rng.choice((*_DEPTHS, 10007)) for _ in range(rng.choice((1, 2, 2, 3))))
    while torch.Size(shape).numel() > 4_000_000:
        shape = (*shape[:-1], max(1, shape[-1] // 8)) if len(shape) == 1 else shape[1:]
    dim = rng.randrange(len(shape))
    name, function = rng.choice(
        (
            ("softmax", lambda x: x.softmax(dim)),
            ("log_softmax", lambda x: x.log_softmax(dim)),
            ("sum", lambda x: x.abs().sum(dim)),
            ("mean of all", lambda x: x.abs().mean()),
            ("mean and variance", lambda x: torch.var_mean(x, dim)),
            ("largest", lambda x: x.amax(dim)),
            ("index of the largest", lambda x: x.gather(dim, x.argmax(dim, keepdim=True))),
            ("layer norm", lambda x: F.layer_norm(x, x.shape[-1:])),
            ("running sum", lambda x: x.abs().cumsum(dim)),
            ("norm", lambda x: torch.linalg.vector_norm(x, dim=dim)),
            ("scaled by its largest", lambda x: x / x.abs().amax(dim, keepdim=True)),
        )
    )
    return f"{name} along {dim}", function, (shape,), _dtype(rng), (tuple(range(len(shape))),)
