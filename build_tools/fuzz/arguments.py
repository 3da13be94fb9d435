"""Random arguments other than tensors, by their types and names."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from torch_refine.build_tools.fuzz.seeds import Seeds
from torch_refine.build_tools.fuzz.tensors import draw_dtype, draw_size

_DIMS = ("dim", "dim0", "dim1", "dim2", "start_dim", "end_dim", "dimension", "axis")
_DIM_LISTS = ("dim", "dims", "source", "destination", "dims_self", "dims_other")
# The bounds of each parameter of a window.
_WINDOWS = {
    "kernel_size": (1, 5),
    "stride": (1, 5),
    "padding": (0, 5),
    "dilation": (1, 5),
    "output_padding": (0, 4),
    "output_size": (1, 9),
    "pad": (-3, 4),
    "shifts": (-9, 9),
    "repeats": (0, 3),
}
_SIZES = ("size", "shape", "sizes", "input_sizes", "normalized_shape", "input_size")
_INTS = {
    "groups": (1, 4),
    "group": (1, 3),
    "num_groups": (1, 4),
    "diagonal": (-4, 4),
    "offset": (-3, 3),
    "k": (1, 5),
    "steps": (0, 9),
    "start": (-9, 9),
    "end": (-9, 12),
    "step": (1, 4),
    "length": (0, 6),
    "chunks": (1, 6),
    "sections": (1, 6),
    "split_size": (1, 6),
    "n": (0, 6),
    "ignore_index": (-1, 3),
    "decimals": (-1, 3),
    "reduction": (0, 2),
    "upscale_factor": (1, 3),
    "downscale_factor": (1, 3),
    "index": (-4, 4),
    "repeats": (0, 3),
}
_ORDERS = (0, 1, 2, 3, -1, -2, 0.5, 2.5, float("inf"), -float("inf"))
_ORDER_NAMES = ("p", "ord")
_NUMBERS = (0, 1, 2, 3, -1, -2, 7, 0.5, 1.5, -0.5, 2.0, -2.5, 0.1, 3.25, 1.0, 0.0)
# Of these, formulas that are equal for other numbers often are not.
_SPECIAL = (float("inf"), -float("inf"), float("nan"), -0.0, 1e30, 1e-30, -3e9, 2.0**53, 1e300)
_SHARE_OF_SPECIAL = 0.08
_SMALL = ("eps", "momentum", "rtol", "atol", "label_smoothing", "rcond", "hi", "base")
# Parameters of the device and layout of a tensor, not of its values.
_KEPT = ("layout", "device", "pin_memory", "memory_format", "driver", "path", "generator")


def draw_argument(
    rng: Random,
    operator: str,
    name: str,
    type: str,
    ranks: Sequence[int],
    seeds: Seeds,
    old: Any,
    is_ordinary: bool,
) -> Any:
    """A random value for an argument; `ranks` are the ranks of the call's tensors.

    `is_ordinary`: numbers are neither infinite nor huge, nor NaN.
    """
    inner = type.removeprefix("Optional[").removesuffix("]") if type.startswith("Opt") else type
    words = seeds.words.get((operator, name), [])
    if name in _KEPT:
        return old
    if type.startswith("Optional") and rng.random() < 0.15:
        return None
    if name == "assume_unique":
        # If drawn elements are not unique, results of eager mode are not defined.
        return False
    if inner == "bool":
        return rng.random() < 0.5
    if inner == "str":
        return rng.choice(words) if words else old
    if name in ("dtype", "input_dtype"):
        return draw_dtype(rng)
    if rng.random() < 0.25:
        # Values of arguments of this name in samples of any operator.
        observed = seeds.observed.get((type, name), []) if rng.random() < 0.4 else words
        if observed:
            return rng.choice(observed)
    if inner.startswith("List["):
        return _draw_list(rng, name, inner, ranks, old)
    if inner == "int":
        return _draw_int(rng, name, ranks)
    if inner in ("float", "number"):
        return _draw_number(rng, name, inner, is_ordinary)
    return old


def _draw_int(rng: Random, name: str, ranks: Sequence[int]) -> int:
    rank = max(ranks[0] if ranks else 1, 1)
    if name in _DIMS:
        return rng.randint(-rank, rank - 1)
    low, high = _INTS.get(name, (-3, 6))
    return rng.randint(low, high)


def _draw_number(rng: Random, name: str, type: str, is_ordinary: bool) -> Any:
    if not is_ordinary and rng.random() < _SHARE_OF_SPECIAL:
        return rng.choice(_SPECIAL)
    if name in _ORDER_NAMES:
        drawn: Any = rng.choice(_ORDERS)
    elif name in _SMALL:
        drawn = rng.choice((1e-5, 1e-3, 0.1, 0.5, 1.0, 0.0))
    else:
        drawn = rng.choice(_NUMBERS)
    return float(drawn) if type == "float" else drawn


def _draw_list(rng: Random, name: str, type: str, ranks: Sequence[int], old: Any) -> Any:
    rank = ranks[0] if ranks else 1
    count = len(old) if isinstance(old, list | tuple) else rng.randint(1, 3)
    if "bool" in type:
        return [rng.random() < 0.7 for _ in range(count)]
    if name in _DIM_LISTS:
        return _draw_dims(rng, rank, count)
    if name in _WINDOWS:
        return _draw_window(rng, name, count, rank)
    if "float" in type or "number" in type:
        return [rng.choice((0.5, 1.0, 1.5, 2.0, 2.5, 0.7)) for _ in range(count)]
    if name in _SIZES:
        return [draw_size(rng) for _ in range(count)]
    return [rng.randint(-2, 6) for _ in range(count)]


def _draw_dims(rng: Random, rank: int, count: int) -> list[int]:
    """Distinct dimensions, non-negative or negative."""
    how_many = rng.choice((1, min(count, rank), rank, rng.randint(0, max(rank, 0))))
    chosen = rng.sample(range(rank), min(how_many, rank))
    return [dim - rank if rng.random() < 0.4 else dim for dim in chosen]


def _draw_window(rng: Random, name: str, count: int, rank: int) -> list[int]:
    low, high = _WINDOWS[name]
    if name == "pad":
        count = 2 * rng.randint(1, max(rank, 1))
    if name == "stride" and rng.random() < 0.1:
        return []
    if rng.random() < 0.3:
        return [rng.randint(low, high)] * count
    return [rng.randint(low, high) for _ in range(count)]
