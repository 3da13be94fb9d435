"""Random tensors: sizes, values, dtypes, strides."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import torch

FLOATS = (torch.float32, torch.float64, torch.bfloat16, torch.float16)
# The weight of each dtype.
_DTYPES = {
    torch.float32: 60,
    torch.float64: 7,
    torch.bfloat16: 5,
    torch.float16: 5,
    torch.int64: 9,
    torch.int32: 5,
    torch.uint8: 4,
    torch.int8: 3,
    torch.int16: 2,
    torch.bool: 5,
}
_SPECIAL = (float("nan"), float("inf"), -float("inf"), -0.0, 0.0)


def draw_dtype(rng: Random) -> torch.dtype:
    """A dtype, most often float32."""
    return rng.choices(list(_DTYPES), list(_DTYPES.values()))[0]


def draw_size(rng: Random) -> int:
    """A size: rarely 0, sometimes 1, mostly small."""
    return rng.choices((0, 1, rng.randint(2, 5), rng.randint(6, 9)), (3, 14, 61, 22))[0]


def generator_of(rng: Random) -> torch.Generator:
    """PyTorch's generator, seeded by Python's."""
    return torch.Generator().manual_seed(rng.getrandbits(40))


def like(
    template: torch.Tensor, sizes: Sequence[int], dtype: torch.dtype, rng: Random
) -> torch.Tensor:
    """A random tensor with the value range of another one.

    Probabilities stay probabilities, positive values positive, and indices in range.
    """
    values = template.detach()
    if not values.numel() or values.dtype.is_complex:
        return draw_values(sizes, dtype, rng)
    wide = values.to(torch.float64)
    low, high = float(wide.min()), float(wide.max())
    if dtype == torch.bool or values.dtype == torch.bool or low == high:
        return draw_values(sizes, dtype, rng)
    if not dtype.is_floating_point:
        low, high = max(low, -100.0), min(high, 100.0)
        if not low <= high:
            return draw_values(sizes, dtype, rng)
        return torch.randint(int(low), int(high) + 1, list(sizes), generator=generator_of(rng)).to(
            dtype
        )
    if low >= 0 and values.is_floating_point():
        top = 1.0 if high <= 1 else min(high, 6.0)
        found = torch.rand(list(sizes), generator=generator_of(rng), dtype=torch.float64)
        return (0.01 + 0.98 * found * top).to(dtype)
    return draw_values(sizes, dtype, rng)


def draw_values(sizes: Sequence[int], dtype: torch.dtype, rng: Random) -> torch.Tensor:
    """A tensor of finite values of both signs."""
    generator = generator_of(rng)
    if dtype == torch.bool:
        return torch.randint(0, 2, list(sizes), generator=generator).to(dtype)
    if not dtype.is_floating_point and not dtype.is_complex:
        low = 0 if dtype == torch.uint8 else -9
        return torch.randint(low, 10, list(sizes), generator=generator).to(dtype)
    spread = rng.choice((1.0, 1.0, 3.0))
    return (torch.randn(list(sizes), generator=generator, dtype=torch.float64) * spread).to(dtype)


def draw_indices(sizes: Sequence[int], end: int, rng: Random) -> torch.Tensor:
    """Indices below a bound."""
    return torch.randint(0, max(end, 1), list(sizes), generator=generator_of(rng))


def with_special_values(tensor: torch.Tensor, rng: Random) -> torch.Tensor:
    """The tensor with some elements NaN, infinity or a zero of either sign."""
    if not tensor.is_floating_point() or not tensor.numel():
        return tensor
    found = tensor.clone().contiguous()
    for value in rng.sample(_SPECIAL, rng.randint(1, 3)):
        found.view(-1)[rng.randrange(found.numel())] = value
    return found


def with_all_integers(tensor: torch.Tensor, rng: Random) -> torch.Tensor:
    """Integers of the whole range of a tensor's dtype, some the least and the greatest; other
    tensors as they are."""
    if tensor.dtype.is_floating_point or tensor.dtype.is_complex or tensor.dtype == torch.bool:
        return tensor
    generator, sizes = generator_of(rng), [*tensor.shape, tensor.itemsize]
    data = torch.randint(0, 256, sizes, dtype=torch.uint8, generator=generator)
    found = data.view(tensor.dtype).reshape(tensor.shape)
    bounds = torch.iinfo(tensor.dtype)
    for value in (bounds.min, bounds.max):
        found = found.masked_fill(torch.rand(tensor.shape, generator=generator) < 0.1, value)
    return found


def draw_layout(tensor: torch.Tensor, rng: Random) -> torch.Tensor:
    """The tensor in another layout: transposed, a slice with a step or an offset, expanded."""
    kind = rng.choice(("transposed", "step", "offset", "expanded"))
    if not tensor.dim():
        return tensor
    dim = rng.randrange(tensor.dim())
    sizes = list(tensor.shape)
    if kind == "transposed":
        other = rng.randrange(tensor.dim())
        return tensor.transpose(dim, other).contiguous().transpose(dim, other)
    if kind == "expanded":
        return (
            tensor.narrow(dim, 0, min(1, sizes[dim])).clone().expand(sizes)
            if sizes[dim]
            else tensor
        )
    step, start = (
        (rng.randint(2, 3), rng.randint(0, 1)) if kind == "step" else (1, rng.randint(1, 3))
    )
    sizes[dim] = start + tensor.shape[dim] * step
    wide = torch.zeros(sizes, dtype=tensor.dtype)
    places = [slice(None)] * tensor.dim()
    places[dim] = slice(start, start + tensor.shape[dim] * step, step)
    part = wide[tuple(places)]
    part.copy_(tensor)
    return part
