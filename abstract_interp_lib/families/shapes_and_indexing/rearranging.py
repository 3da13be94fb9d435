"""Repeated, flipped, rolled or shuffled elements: `repeat`, `flip`, `roll`, `pixel_shuffle`."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    dtype_function,
    shape_family,
    shape_function,
)
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self, wrap_dims
from torch_refine.abstract_interp_lib.rules.sizes import product, replace_size, wrap_existing
from torch_refine.abstract_interp_lib.rules.unknown import unknown_size

_OTHER_DTYPES = (torch.float16, torch.int64, torch.uint8, torch.bool, torch.complex64)


def repeat_rule(self: List[int], repeats: List[int]) -> List[int]:
    """Every size times its repeats; dimensions are aligned from the last one."""
    new = len(repeats) - len(self)
    assert new >= 0, f"repeats must have at least {len(self)} entries, got {repeats}"
    out = repeats[:new]
    for index in range(len(self)):
        out.append(self[index] * repeats[new + index])
    for size in out:
        assert size >= 0, f"repeats must not give negative sizes, got {repeats} for {self}"
    return out


def tile_rule(self: List[int], dims: List[int]) -> List[int]:
    """As `repeat`, with 1 for leading dimensions that `dims` lacks."""
    repeats = [1 for _ in range(len(self) - len(dims))] + dims
    return repeat_rule(self, repeats)


_REPEAT_OK = [
    Invocation(T(2, 3), [2, 1]),
    Invocation(T(2, 3), [4, 1, 2]),
    Invocation(T(2, 3), [0, 2]),
    Invocation(T(0, 3), [2, 2]),
    Invocation(T(), []),
    Invocation(T(), [2, 3]),
    *[Invocation(T(2, 3, dtype=dtype), [2, 2]) for dtype in _OTHER_DTYPES],
]

shape_family(
    repeat_rule,
    "aten::repeat",
    ok=_REPEAT_OK,
    error=[Invocation(T(2, 3), [2]), Invocation(T(2, 3), [2, -1])],
)
dtype_family(dtype_of_self, "aten::repeat")
shape_family(
    tile_rule,
    "aten::tile",
    ok=[*_REPEAT_OK, Invocation(T(2, 3), [2]), Invocation(T(2, 3), [])],
    error=[Invocation(T(2, 3), [-1])],
)
dtype_family(dtype_of_self, "aten::tile")


@shape_function(
    "aten::repeat_interleave.self_int",
    ok=[
        Invocation(T(2, 3), 2),
        Invocation(T(2, 3), 2, 1),
        Invocation(T(2, 3), 2, -2),
        Invocation(T(2, 3), 2, 1, output_size=6),
        Invocation(T(2, 3), 0, 0),
        Invocation(T(0, 3), 2, 1),
        Invocation(T(), 2),
        *[Invocation(T(2, 3, dtype=dtype), 2, 1) for dtype in _OTHER_DTYPES],
    ],
    error=[
        Invocation(T(2, 3), -1, 0),
        Invocation(T(2, 3), 2, 2),
        Invocation(T(), 2, 0),
        Invocation(T(2, 3), 2, 1, output_size=7),
    ],
)
def repeat_interleave_int(
    self: List[int], repeats: int, dim: Optional[int] = None, output_size: Optional[int] = None
) -> List[int]:
    """The size of `dim`, or the numel if it is None, times `repeats`."""
    assert repeats >= 0, f"aten::repeat_interleave: repeats must not be negative, got {repeats}"
    source = [product(self)] if dim is None else self
    at = 0 if dim is None else wrap_existing(dim, len(self))
    size = source[at] * repeats
    if output_size is not None:
        assert output_size == size, (
            f"aten::repeat_interleave: output_size must be {size}, got {output_size}"
        )
    return replace_size(source, at, size)


dtype_family(dtype_of_self, "aten::repeat_interleave.self_int")


def repeated_size(size: int, output_size: Optional[int]) -> int:
    """The sum of the repeats, which is data-dependent unless `output_size` is given."""
    total = 0
    if size != 0:
        total = unknown_size() if output_size is None else output_size
    return total


_REPEATS = T(2, dtype=torch.int64, values=[1, 3])


# The meta device cannot read the repeats.
@shape_function(
    "aten::repeat_interleave.self_Tensor",
    ok=[
        Invocation(T(2, 3), _REPEATS, 0, device="cpu"),
        Invocation(T(3, 2), _REPEATS, -1, output_size=4),
        Invocation(T(2, 3), T(1, dtype=torch.int64), 1, device="cpu"),
        Invocation(T(2, 3), T(dtype=torch.int32), device="cpu"),
        Invocation(T(0, 3), T(0, dtype=torch.int64), 0, output_size=5, device="cpu"),
        *[Invocation(T(2, dtype=dtype), _REPEATS, 0, device="cpu") for dtype in _OTHER_DTYPES],
    ],
    error=[
        Invocation(T(2, 3), _REPEATS, 1),
        Invocation(T(2, 3), _REPEATS, 2),
        Invocation(T(2, 3), T(1, 2, dtype=torch.int64), 0),
        Invocation(T(), T(dtype=torch.int64), 0),
    ],
)
def repeat_interleave_tensor(
    self: List[int],
    repeats: List[int],
    dim: Optional[int] = None,
    output_size: Optional[int] = None,
) -> List[int]:
    """The size of `dim`, or of the flattened tensor if it is None, is the sum of `repeats`."""
    source = [product(self)] if dim is None else self
    at = 0 if dim is None else wrap_existing(dim, len(self))
    size = source[at]
    assert len(repeats) <= 1, (
        f"aten::repeat_interleave: repeats must be 1-D, got {len(repeats)} dimensions"
    )
    assert len(repeats) == 0 or repeats[0] == 1 or repeats[0] == size, (
        f"aten::repeat_interleave: repeats must have 1 or {size} elements, got {repeats}"
    )
    return replace_size(source, at, repeated_size(size, output_size))


dtype_family(dtype_of_self, "aten::repeat_interleave.self_Tensor")


@shape_function(
    "aten::repeat_interleave.Tensor",
    ok=[
        Invocation(_REPEATS, device="cpu"),
        Invocation(_REPEATS, output_size=4),
        Invocation(T(3, dtype=torch.int32), device="cpu"),
        Invocation(T(0, dtype=torch.int64), output_size=5, device="cpu"),
    ],
    error=[Invocation(T(1, 2, dtype=torch.int64), device="cpu")],
)
def repeat_interleave(repeats: List[int], output_size: Optional[int] = None) -> List[int]:
    """Each index repeated as often as its element of `repeats`."""
    assert len(repeats) == 1, (
        f"aten::repeat_interleave: repeats must be 1-D, got {len(repeats)} dimensions"
    )
    return [repeated_size(repeats[0], output_size)]


@dtype_function(
    "aten::repeat_interleave.Tensor", error=[Invocation(T(2, dtype=torch.float32), device="cpu")]
)
def repeat_interleave_dtype(repeats: Tuple[int, int], output_size: Optional[int] = None) -> int:
    """The dtype of `repeats`, int64 or int32."""
    assert repeats[1] == torch.int64 or repeats[1] == torch.int32, (
        f"aten::repeat_interleave: repeats must be int64 or int32, got dtype {repeats[1]}"
    )
    return repeats[1]


def flip_rule(self: List[int], dims: List[int]) -> List[int]:
    """The shape of `self`; the dimensions must be unique."""
    wrap_dims(dims, len(self))
    return self


shape_family(
    flip_rule,
    "aten::flip",
    ok=[
        Invocation(T(2, 3), [0, -1]),
        Invocation(T(2, 3), []),
        Invocation(T(), [0]),
        Invocation(T(0, 3), [0]),
        *[Invocation(T(2, 3, dtype=dtype), [0]) for dtype in _OTHER_DTYPES],
    ],
    error=[Invocation(T(2, 3), [0, -2]), Invocation(T(2, 3), [2])],
)
dtype_family(dtype_of_self, "aten::flip")


@shape_function(
    "aten::fliplr",
    ok=[Invocation(T(2, 3)), *[Invocation(T(2, 3, 0, dtype=dtype)) for dtype in _OTHER_DTYPES]],
    error=[Invocation(T(3))],
)
def fliplr(self: List[int]) -> List[int]:
    """The shape of `self`, which must have at least 2 dimensions."""
    assert len(self) >= 2, f"aten::fliplr: self must have at least 2 dimensions, got {len(self)}"
    return self


@shape_function(
    "aten::flipud",
    ok=[Invocation(T(2, 3)), *[Invocation(T(3, dtype=dtype)) for dtype in _OTHER_DTYPES]],
    error=[Invocation(T())],
)
def flipud(self: List[int]) -> List[int]:
    """The shape of `self`, which must have at least 1 dimension."""
    assert len(self) >= 1, f"aten::flipud: self must have at least 1 dimension, got {len(self)}"
    return self


dtype_family(dtype_of_self, "aten::fliplr", "aten::flipud")


def roll_rule(self: List[int], shifts: List[int], dims: List[int]) -> List[int]:
    """The shape of `self`.

    For an empty tensor, PyTorch does not check the other arguments.
    """
    matched = len(shifts) > 0 and (len(shifts) == len(dims) or len(shifts) + len(dims) == 1)
    assert matched or 0 in self, (
        f"shifts and dims must have the same length, got {shifts} and {dims}"
    )
    if 0 not in self:
        for dim in dims:
            wrap_existing(dim, len(self))
    return self


shape_family(
    roll_rule,
    "aten::roll",
    ok=[
        Invocation(T(2, 3), [1]),
        Invocation(T(2, 3), [1, 2], [0, -1]),
        Invocation(T(2, 3), [1, 2], [0, 0]),
        Invocation(T(), [1]),
        Invocation(T(0, 3), [1], [0]),
        Invocation(T(0, 3), [1], [5], device="cpu"),
        *[Invocation(T(2, 3, dtype=dtype), [1], [1]) for dtype in _OTHER_DTYPES],
    ],
    error=[
        Invocation(T(2, 3), [1, 2], [0]),
        Invocation(T(2, 3), [1, 2]),
        Invocation(T(2, 3), []),
        Invocation(T(2, 3), [1], [2]),
        Invocation(T(), [1], [0]),
    ],
)
dtype_family(dtype_of_self, "aten::roll")


def rot90_rule(self: List[int], k: int, dims: List[int]) -> List[int]:
    """Two dimensions are swapped when `k` is odd."""
    assert len(dims) == 2, f"dims must have 2 entries, got {dims}"
    planes = wrap_dims(dims, len(self))
    first = self[planes[0]]
    second = self[planes[1]]
    if k % 2 == 1:
        return replace_size(replace_size(self, planes[0], second), planes[1], first)
    else:
        return self


shape_family(
    rot90_rule,
    "aten::rot90",
    ok=[
        Invocation(T(2, 3), 1, [0, 1]),
        Invocation(T(2, 3), 2, [0, 1]),
        Invocation(T(2, 3, 4), -1, [0, -1]),
        Invocation(T(2, 3, 4), -2, [1, 2]),
        Invocation(T(0, 3), 5, [1, 0]),
        *[Invocation(T(2, 3, dtype=dtype), 3, [0, 1]) for dtype in _OTHER_DTYPES],
    ],
    error=[
        Invocation(T(2, 3), 1, [0]),
        Invocation(T(2, 3), 1, [0, -2]),
        Invocation(T(3), 1, [0, 1]),
    ],
)
dtype_family(dtype_of_self, "aten::rot90")


def triangle_rule(self: List[int]) -> List[int]:
    """The shape of `self`, a matrix or a batch of matrices."""
    assert len(self) >= 2, f"self must have at least 2 dimensions, got {len(self)}"
    return self


shape_family(
    triangle_rule,
    "aten::tril",
    "aten::triu",
    ok=[
        Invocation(T(2, 3)),
        Invocation(T(4, 2, 3), -1),
        Invocation(T(0, 3), 1),
        *[Invocation(T(2, 3, dtype=dtype)) for dtype in _OTHER_DTYPES],
    ],
    error=[Invocation(T(3)), Invocation(T())],
)
dtype_family(dtype_of_self, "aten::tril", "aten::triu")


@shape_function(
    "aten::pixel_shuffle",
    ok=[
        Invocation(T(5, 8, 2, 3), 2),
        Invocation(T(9, 2, 3), 3),
        Invocation(T(5, 8, 2, 3), 1),
        Invocation(T(0, 4, 2, 3), 2),
        Invocation(T(2, 5, 4, 0, 3), 2),
        *[Invocation(T(4, 2, 3, dtype=dtype), 2) for dtype in _OTHER_DTYPES],
    ],
    error=[
        Invocation(T(4, 2), 2),
        Invocation(T(5, 2, 2), 2),
        Invocation(T(4, 2, 2), 0),
    ],
)
def pixel_shuffle(self: List[int], upscale_factor: int) -> List[int]:
    """Channels become blocks of `upscale_factor` by `upscale_factor` elements."""
    rank = len(self)
    assert rank >= 3, f"aten::pixel_shuffle: self must have at least 3 dimensions, got {rank}"
    factor = upscale_factor
    assert factor > 0, f"aten::pixel_shuffle: upscale_factor must be positive, got {factor}"
    channels = self[rank - 3]
    assert channels % (factor * factor) == 0, (
        f"aten::pixel_shuffle: channels must be divisible by {factor} squared, got {channels}"
    )
    image = [channels // (factor * factor), self[rank - 2] * factor, self[rank - 1] * factor]
    return self[: rank - 3] + image


dtype_family(dtype_of_self, "aten::pixel_shuffle")


@shape_function(
    "aten::pixel_unshuffle",
    ok=[
        Invocation(T(5, 2, 4, 6), 2),
        Invocation(T(2, 6, 3), 3),
        Invocation(T(5, 2, 4, 6), 1),
        Invocation(T(0, 2, 4, 6), 2),
        Invocation(T(0, 2, 4, 6), 2, device="cpu"),
        *[Invocation(T(1, 2, 4, dtype=dtype), 2) for dtype in _OTHER_DTYPES],
    ],
    error=[
        Invocation(T(4, 2), 2),
        Invocation(T(1, 3, 4), 2),
        Invocation(T(1, 4, 3), 2),
        Invocation(T(1, 4, 4), 0),
    ],
)
def pixel_unshuffle(self: List[int], downscale_factor: int) -> List[int]:
    """Blocks of `downscale_factor` by `downscale_factor` elements become channels.

    The CPU kernel returns an empty tensor unchanged, other devices do not; the sizes that differ
    are unknown.
    """
    rank = len(self)
    assert rank >= 3, f"aten::pixel_unshuffle: self must have at least 3 dimensions, got {rank}"
    factor = downscale_factor
    assert factor > 0, f"aten::pixel_unshuffle: downscale_factor must be positive, got {factor}"
    height = self[rank - 2]
    width = self[rank - 1]
    if 0 in self and factor != 1:
        image = [unknown_size(), unknown_size(), unknown_size()]
    else:
        assert height % factor == 0 and width % factor == 0, (
            f"aten::pixel_unshuffle: sizes must be divisible by {factor}, got {height} and {width}"
        )
        image = [self[rank - 3] * factor * factor, height // factor, width // factor]
    return self[: rank - 3] + image


dtype_family(dtype_of_self, "aten::pixel_unshuffle")


def channel_shuffle_rule(self: List[int], groups: int) -> List[int]:
    """The shape of `self`, whose channels the groups must divide."""
    assert len(self) > 2, f"self must have at least 3 dimensions, got {len(self)}"
    assert groups > 0, f"groups must be positive, got {groups}"
    assert self[1] % groups == 0, f"groups must divide the channels, got {groups} and {self[1]}"
    return self


shape_family(
    channel_shuffle_rule,
    "aten::channel_shuffle",
    ok=[
        Invocation(T(1, 4, 6, 3), 2),
        Invocation(T(2, 4, 6), 4),
        Invocation(T(0, 4, 6), 1),
        *[Invocation(T(1, 4, 6, dtype=dtype), 2) for dtype in _OTHER_DTYPES],
    ],
    error=[
        Invocation(T(4, 6), 2),
        Invocation(T(1, 5, 6), 2),
        Invocation(T(1, 4, 6), 0),
    ],
)
dtype_family(dtype_of_self, "aten::channel_shuffle")


# Channel shuffle in the CPU kernel.

shape_family(
    channel_shuffle_rule,
    "aten::native_channel_shuffle",
    ok=[
        Invocation(T(1, 4, 6, 3), 2),
        Invocation(T(2, 4, 6), 4),
        Invocation(T(1, 4, 6, dtype=torch.bfloat16), 2),
        Invocation(T(1, 4, 6, dtype=torch.int64), 2),
    ],
    error=[Invocation(T(4, 6), 2), Invocation(T(1, 5, 6), 2), Invocation(T(1, 4, 6), 0)],
)
dtype_family(dtype_of_self, "aten::native_channel_shuffle")
