"""Slices and splits: `slice`, `select`, `split`, `chunk`, `unbind`, and the writes into them."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, dtype_family, shape_family
from torch_refine.abstract_interp_lib.families.shapes_and_indexing.joining import joined_dtype
from torch_refine.abstract_interp_lib.families.shapes_and_indexing.permutations import diagonal_rule
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self
from torch_refine.abstract_interp_lib.rules.sizes import (
    ceil_divide,
    product,
    remove_size,
    replace_size,
    slice_length,
    wrap_existing,
)
from torch_refine.abstract_interp_lib.rules.unknown import unknown_size

_OTHER_DTYPES = (torch.float16, torch.int64, torch.uint8, torch.bool, torch.complex64)
_MAX = 9223372036854775807


def slice_rule(
    self: List[int], dim: int, start: Optional[int], end: Optional[int], step: int
) -> List[int]:
    """The slice from `start` to `end`; bounds are clamped, negative ones are wrapped."""
    at = wrap_existing(dim, len(self))
    return replace_size(self, at, slice_length(self[at], start, end, step))


shape_family(
    slice_rule,
    "aten::slice.Tensor",
    "aten::slice_copy.Tensor",
    ok=[
        Invocation(T(5, 3)),
        Invocation(T(5, 3), 0, 1, 4),
        Invocation(T(5, 3), 0, 1, 4, 2),
        Invocation(T(5, 3), -1, None, 2),
        Invocation(T(5, 3), 0, -2, None),
        Invocation(T(5, 3), 0, -9, -1),
        Invocation(T(5, 3), 0, 4, 2),
        Invocation(T(5, 3), 0, 7, 9),
        Invocation(T(5, 3), 0, 0, -9),
        Invocation(T(5, 3), 0, 0, _MAX),
        Invocation(T(5, 3), 0, 1, _MAX, 3),
        Invocation(T(5, 3), 0, 0, 5, 7),
        Invocation(T(0, 3), 0, 0, 5),
        *[Invocation(T(5, dtype=dtype), 0, 1, 3) for dtype in _OTHER_DTYPES],
    ],
    error=[
        Invocation(T()),
        Invocation(T(5), 1),
        Invocation(T(5), 0, 0, 5, 0),
        Invocation(T(5), 0, 0, 5, -1),
    ],
)
dtype_family(dtype_of_self, "aten::slice.Tensor", "aten::slice_copy.Tensor")


def select_rule(self: List[int], dim: int, index: int) -> List[int]:
    """Removes `dim` by selecting one index."""
    at = wrap_existing(dim, len(self))
    size = self[at]
    assert -size <= index and index < size, f"index {index} is out of range for size {size}"
    return remove_size(self, at)


shape_family(
    select_rule,
    "aten::select.int",
    "aten::select_copy.int",
    ok=[
        Invocation(T(5, 3), 0, 4),
        Invocation(T(5, 3), -1, -3),
        Invocation(T(5), 0, 0),
        Invocation(T(5, 0), 0, 0),
        *[Invocation(T(5, 3, dtype=dtype), 0, 1) for dtype in _OTHER_DTYPES],
    ],
    error=[
        Invocation(T(), 0, 0),
        Invocation(T(5), 0, 5),
        Invocation(T(5), 0, -6),
        Invocation(T(5), 1, 0),
    ],
)
dtype_family(dtype_of_self, "aten::select.int", "aten::select_copy.int")


def narrow_rule(self: List[int], dim: int, start: int, length: int) -> List[int]:
    """`length` entries starting at `start`, which may be negative."""
    at = wrap_existing(dim, len(self))
    size = self[at]
    assert -size <= start and start <= size, f"start {start} is out of range for size {size}"
    assert length >= 0, f"length must not be negative, got {length}"
    first = start
    if start < 0:
        first = start + size
    assert first + length <= size, f"start + length must be at most {size}, got {start} + {length}"
    return replace_size(self, at, length)


shape_family(
    narrow_rule,
    "aten::narrow",
    "aten::narrow_copy",
    ok=[
        Invocation(T(5, 3), 0, 1, 2),
        Invocation(T(5, 3), -1, -3, 3),
        Invocation(T(5, 3), 0, 5, 0),
        Invocation(T(0, 3), 0, 0, 0),
        *[Invocation(T(5, 3, dtype=dtype), 0, 1, 2) for dtype in _OTHER_DTYPES],
    ],
    error=[
        Invocation(T(), 0, 0, 0),
        Invocation(T(5), 0, 4, 2),
        Invocation(T(5), 0, -2, 3),
        Invocation(T(5), 0, -6, 1),
        Invocation(T(5), 0, 0, -1),
    ],
)
dtype_family(dtype_of_self, "aten::narrow", "aten::narrow_copy")


def narrow_tensor_rule(self: List[int], dim: int, length: int) -> List[int]:
    """`length` entries, starting at the value of a tensor."""
    at = wrap_existing(dim, len(self))
    assert length >= 0 and length <= self[at], f"length must be at most {self[at]}, got {length}"
    return replace_size(self, at, length)


_START = T(dtype=torch.int64, values=[1])

# The meta device cannot read the start.
shape_family(
    narrow_tensor_rule,
    "aten::narrow.Tensor",
    ok=[
        Invocation(T(5, 3), 0, _START, 2, device="cpu"),
        Invocation(T(5, 3), -1, _START, 0, device="cpu"),
        *[Invocation(T(5, 3, dtype=dtype), 0, _START, 2, device="cpu") for dtype in _OTHER_DTYPES],
    ],
    error=[Invocation(T(5), 0, _START, 6), Invocation(T(), 0, _START, 0)],
)
dtype_family(dtype_of_self, "aten::narrow.Tensor")


def split_in_pieces(self: List[int], piece: int, at: int) -> List[List[int]]:
    """Chunks of size `piece` along a dimension, the last one the remainder; at least one."""
    size = self[at]
    pieces: List[List[int]] = []
    for index in range(max(ceil_divide(size, max(piece, 1)), 1)):
        pieces.append(replace_size(self, at, min(piece, size - index * piece)))
    return pieces


def split_rule(self: List[int], split_size: int, dim: int) -> List[List[int]]:
    """Chunks of `split_size`, the last one the remainder; at least one."""
    at = wrap_existing(dim, len(self))
    size = self[at]
    assert split_size >= 0, f"split_size must not be negative, got {split_size}"
    assert split_size > 0 or size == 0, f"split_size must be positive for size {size}, got 0"
    return split_in_pieces(self, split_size, at)


def split_sizes_rule(self: List[int], split_size: List[int], dim: int) -> List[List[int]]:
    """Chunks of the given sizes, whose sum is the size of the dimension."""
    return split_with_sizes_rule(self, split_size, dim)


def split_with_sizes_rule(self: List[int], split_sizes: List[int], dim: int) -> List[List[int]]:
    """Chunks of the given sizes, whose sum is the size of the dimension."""
    at = wrap_existing(dim, len(self))
    total = 0
    for size in split_sizes:
        assert size >= 0, f"split_sizes must not be negative, got {split_sizes}"
        total = total + size
    assert total == self[at], f"split_sizes must sum to {self[at]}, got {split_sizes}"
    return [replace_size(self, at, size) for size in split_sizes]


def chunk_rule(self: List[int], chunks: int, dim: int) -> List[List[int]]:
    """At most `chunks` chunks of equal size, the last one the remainder.

    An empty dimension gives exactly `chunks` empty chunks.
    """
    at = wrap_existing(dim, len(self))
    assert chunks > 0, f"chunks must be positive, got {chunks}"
    size = self[at]
    if size == 0:
        return [self for _ in range(chunks)]
    else:
        return split_in_pieces(self, ceil_divide(size, chunks), at)


def unbind_rule(self: List[int], dim: int) -> List[List[int]]:
    """One tensor per index of a dimension, which is removed."""
    at = wrap_existing(dim, len(self))
    return [remove_size(self, at) for _ in range(self[at])]


def sections_rule(self: List[int], sections: int, dim: int) -> List[List[int]]:
    """Exactly `sections` chunks; the first ones are larger by one if the size is not divisible."""
    at = wrap_existing(dim, len(self))
    assert sections > 0, f"sections must be positive, got {sections}"
    size = self[at]
    return [
        replace_size(self, at, (size + sections - 1 - index) // sections)
        for index in range(sections)
    ]


def indices_rule(self: List[int], indices: List[int], dim: int) -> List[List[int]]:
    """The slices between consecutive indices, starting at 0 and ending at the size."""
    at = wrap_existing(dim, len(self))
    pieces: List[List[int]] = []
    start = 0
    for index in indices:
        pieces.append(replace_size(self, at, slice_length(self[at], start, index, 1)))
        start = index
    pieces.append(replace_size(self, at, slice_length(self[at], start, None, 1)))
    return pieces


def dtype_of_pieces(self: Tuple[int, int]) -> List[int]:
    """The dtype of `self`; one entry stands for a list of any length."""
    return [self[1]]


def dtype_of_split_sizes(self: Tuple[int, int], split_size: List[int]) -> List[int]:
    """The dtype of `self`, for each chunk."""
    return [self[1] for _ in split_size]


def dtype_of_split_with_sizes(self: Tuple[int, int], split_sizes: List[int]) -> List[int]:
    """The dtype of `self`, for each chunk."""
    return [self[1] for _ in split_sizes]


def dtype_of_sections(self: Tuple[int, int], sections: int) -> List[int]:
    """The dtype of `self`, for each chunk."""
    return [self[1] for _ in range(sections)]


def dtype_of_indices(self: Tuple[int, int], indices: List[int]) -> List[int]:
    """The dtype of `self`, for each chunk: one more than there are indices."""
    return [self[1] for _ in range(len(indices) + 1)]


_SPLITS = ["aten::split.Tensor", "aten::split_copy.Tensor", "aten::unsafe_split.Tensor"]

shape_family(
    split_rule,
    *_SPLITS,
    ok=[
        Invocation(T(5, 3), 2),
        Invocation(T(5, 3), 5),
        Invocation(T(5, 3), 7),
        Invocation(T(5, 4), 2, -1),
        Invocation(T(0, 3), 2),
        Invocation(T(0, 3), 0),
        *[Invocation(T(5, 3, dtype=dtype), 2) for dtype in _OTHER_DTYPES],
    ],
    error=[
        Invocation(T(), 1),
        Invocation(T(5), 0),
        Invocation(T(5), -1),
        Invocation(T(5), 1, 1),
    ],
)
dtype_family(dtype_of_pieces, *_SPLITS)

_SPLIT_SIZES_OK = [
    Invocation(T(5, 3), [2, 3]),
    Invocation(T(5, 3), [1, 0, 2], -1),
    Invocation(T(5, 3), [5]),
    Invocation(T(0, 3), [0, 0]),
    *[Invocation(T(5, 3, dtype=dtype), [2, 3]) for dtype in _OTHER_DTYPES],
]
_SPLIT_SIZES_ERROR = [
    Invocation(T(), [1]),
    Invocation(T(5), [2, 2]),
    Invocation(T(5), [6, -1]),
    Invocation(T(5), [1], 1),
]
_SPLITS_WITH_SIZES = [
    "aten::split_with_sizes",
    "aten::split_with_sizes_copy",
    "aten::unsafe_split_with_sizes",
]

shape_family(
    split_with_sizes_rule, *_SPLITS_WITH_SIZES, ok=_SPLIT_SIZES_OK, error=_SPLIT_SIZES_ERROR
)
dtype_family(dtype_of_split_with_sizes, *_SPLITS_WITH_SIZES)
shape_family(split_sizes_rule, "aten::split.sizes", ok=_SPLIT_SIZES_OK, error=_SPLIT_SIZES_ERROR)
dtype_family(dtype_of_split_sizes, "aten::split.sizes")

shape_family(
    chunk_rule,
    "aten::chunk",
    "aten::unsafe_chunk",
    ok=[
        Invocation(T(6, 3), 3),
        Invocation(T(5, 3), 3),
        Invocation(T(5, 6), 4, -1),
        Invocation(T(5, 3), 7),
        Invocation(T(5, 3), 1),
        Invocation(T(0, 3), 2),
        *[Invocation(T(5, 3, dtype=dtype), 2) for dtype in _OTHER_DTYPES],
    ],
    error=[Invocation(T(), 1), Invocation(T(5), 0), Invocation(T(5), 1, 1)],
)
dtype_family(dtype_of_pieces, "aten::chunk", "aten::unsafe_chunk")

shape_family(
    unbind_rule,
    "aten::unbind.int",
    "aten::unbind_copy.int",
    ok=[
        Invocation(T(2, 3)),
        Invocation(T(2, 3), -1),
        Invocation(T(2)),
        Invocation(T(2, 0)),
        *[Invocation(T(2, 3, dtype=dtype)) for dtype in _OTHER_DTYPES],
    ],
    error=[Invocation(T()), Invocation(T(2), 1)],
)
dtype_family(dtype_of_pieces, "aten::unbind.int", "aten::unbind_copy.int")

shape_family(
    sections_rule,
    "aten::tensor_split.sections",
    ok=[
        Invocation(T(7, 3), 3),
        Invocation(T(5, 8), 3, -1),
        Invocation(T(1, 3), 3),
        Invocation(T(0, 3), 2),
        *[Invocation(T(5, 3, dtype=dtype), 2) for dtype in _OTHER_DTYPES],
    ],
    error=[Invocation(T(), 1), Invocation(T(5), 0), Invocation(T(5), 1, 1)],
)
dtype_family(dtype_of_sections, "aten::tensor_split.sections")

shape_family(
    indices_rule,
    "aten::tensor_split.indices",
    ok=[
        Invocation(T(7, 3), [2, 5]),
        Invocation(T(7, 3), [5, 2]),
        Invocation(T(7, 3), [-3, -9, 12]),
        Invocation(T(3, 7), [1], -1),
        Invocation(T(7, 3), []),
        *[Invocation(T(5, 3, dtype=dtype), [2]) for dtype in _OTHER_DTYPES],
    ],
    error=[Invocation(T(), [1]), Invocation(T(5), [1], 1)],
)
dtype_family(dtype_of_indices, "aten::tensor_split.indices")


def check_part(part: List[int], src: List[int]) -> None:
    """Raise unless `src` has the shape of the part that it replaces."""
    assert part == src, f"src must have shape {part}, got {src}"


def slice_scatter_rule(
    self: List[int],
    src: List[int],
    dim: int,
    start: Optional[int],
    end: Optional[int],
    step: int,
) -> List[int]:
    """The shape of `self`, of which `src` replaces a slice."""
    check_part(slice_rule(self, dim, start, end, step), src)
    return self


def select_scatter_rule(self: List[int], src: List[int], dim: int, index: int) -> List[int]:
    """The shape of `self`, of which `src` replaces one index of a dimension."""
    check_part(select_rule(self, dim, index), src)
    return self


def diagonal_scatter_rule(
    self: List[int], src: List[int], offset: int, dim1: int, dim2: int
) -> List[int]:
    """The shape of `self`, of which `src` replaces a diagonal."""
    check_part(diagonal_rule(self, offset, dim1, dim2), src)
    return self


# The meta kernels accept a src of any shape.
shape_family(
    slice_scatter_rule,
    "aten::slice_scatter",
    ok=[
        Invocation(T(5, 3), T(2, 3), 0, 1, 3),
        Invocation(T(5, 3), T(5, 2), -1, None, -1),
        Invocation(T(5, 3), T(0, 3), 0, 4, 2),
        Invocation(T(5, 3), T(2, 3, dtype=torch.int64), 0, 1, _MAX, 2),
        *[Invocation(T(5, dtype=dtype), T(2), 0, 1, 3) for dtype in _OTHER_DTYPES],
    ],
    error=[
        Invocation(T(5, 3), T(3), 0, 1, 3, device="cpu"),
        Invocation(T(), T(), device="cpu"),
        Invocation(T(5), T(5), 0, 0, 5, 0, device="cpu"),
    ],
)
dtype_family(dtype_of_self, "aten::slice_scatter")
shape_family(
    select_scatter_rule,
    "aten::select_scatter",
    ok=[
        Invocation(T(5, 3), T(3), 0, 1),
        Invocation(T(5, 3), T(5, dtype=torch.float64), -1, -1),
        Invocation(T(5), T(), 0, 0),
        *[Invocation(T(5, 3, dtype=dtype), T(3), 0, 1) for dtype in _OTHER_DTYPES],
    ],
    error=[
        Invocation(T(5, 3), T(1), 0, 1, device="cpu"),
        Invocation(T(5, 3), T(3), 0, 5, device="cpu"),
    ],
)
dtype_family(dtype_of_self, "aten::select_scatter")
shape_family(
    diagonal_scatter_rule,
    "aten::diagonal_scatter",
    ok=[
        Invocation(T(5, 3), T(3)),
        Invocation(T(5, 3), T(2), 1),
        Invocation(T(2, 5, 3), T(5, 2, dtype=torch.int64), dim1=0, dim2=-1),
        *[Invocation(T(5, 3, dtype=dtype), T(3)) for dtype in _OTHER_DTYPES],
    ],
    error=[
        Invocation(T(5, 3), T(1), device="cpu"),
        Invocation(T(5, 3), T(3), 0, 1, 1, device="cpu"),
    ],
)
dtype_family(dtype_of_self, "aten::diagonal_scatter")


# Splits along a fixed dimension, data-dependent splits, and flattening of tensor lists.


def equal_sections(self: List[int], sections: int, dim: int, rank: int) -> List[List[int]]:
    """Exactly `sections` chunks of equal size; `self` has at least `rank` dimensions."""
    assert len(self) >= rank, f"self must have at least {rank} dimensions, got shape {self}"
    assert sections > 0, f"sections must be positive, got {sections}"
    assert self[dim] % sections == 0, f"sections must divide the size {self[dim]}, got {sections}"
    return sections_rule(self, sections, dim)


def indices_along(self: List[int], indices: List[int], dim: int, rank: int) -> List[List[int]]:
    """The slices between indices; `self` has at least `rank` dimensions."""
    assert len(self) >= rank, f"self must have at least {rank} dimensions, got shape {self}"
    return indices_rule(self, indices, dim)


def hsplit_sections_rule(self: List[int], sections: int) -> List[List[int]]:
    """Equal chunks along dimension 1, or along dimension 0 of a vector."""
    return equal_sections(self, sections, 0 if len(self) == 1 else 1, 1)


def vsplit_sections_rule(self: List[int], sections: int) -> List[List[int]]:
    """Equal chunks along dimension 0."""
    return equal_sections(self, sections, 0, 2)


def dsplit_sections_rule(self: List[int], sections: int) -> List[List[int]]:
    """Equal chunks along dimension 2."""
    return equal_sections(self, sections, 2, 3)


def hsplit_indices_rule(self: List[int], indices: List[int]) -> List[List[int]]:
    """Slices along dimension 1, or along dimension 0 of a vector."""
    return indices_along(self, indices, 0 if len(self) == 1 else 1, 1)


def vsplit_indices_rule(self: List[int], indices: List[int]) -> List[List[int]]:
    """Slices along dimension 0."""
    return indices_along(self, indices, 0, 2)


def dsplit_indices_rule(self: List[int], indices: List[int]) -> List[List[int]]:
    """Slices along dimension 2."""
    return indices_along(self, indices, 2, 3)


shape_family(
    hsplit_sections_rule,
    "aten::hsplit.int",
    ok=[
        Invocation(T(2, 6, 4), 3),
        Invocation(T(6), 2),
        Invocation(T(3, 0), 2),
        *[Invocation(T(3, 4, dtype=dtype), 2) for dtype in _OTHER_DTYPES],
    ],
    error=[
        Invocation(T(), 1),
        Invocation(T(5), 2),
        Invocation(T(2, 5), 2),
        Invocation(T(4), 0),
        Invocation(T(4), -2),
    ],
)
shape_family(
    vsplit_sections_rule,
    "aten::vsplit.int",
    ok=[
        Invocation(T(6, 2, 4), 3),
        Invocation(T(0, 3), 2),
        *[Invocation(T(4, 3, dtype=dtype), 2) for dtype in _OTHER_DTYPES],
    ],
    error=[Invocation(T(4), 2), Invocation(T(5, 2), 2), Invocation(T(4, 2), 0)],
)
shape_family(
    dsplit_sections_rule,
    "aten::dsplit.int",
    ok=[
        Invocation(T(2, 3, 6, 4), 3),
        Invocation(T(2, 3, 0), 2),
        *[Invocation(T(2, 3, 4, dtype=dtype), 2) for dtype in _OTHER_DTYPES],
    ],
    error=[Invocation(T(4, 4), 2), Invocation(T(2, 2, 5), 2), Invocation(T(2, 2, 4), 0)],
)
dtype_family(dtype_of_sections, "aten::hsplit.int", "aten::vsplit.int", "aten::dsplit.int")

shape_family(
    hsplit_indices_rule,
    "aten::hsplit.array",
    ok=[
        Invocation(T(2, 7, 4), [2, 5]),
        Invocation(T(7), [5, -3, 12]),
        Invocation(T(3, 7), []),
        *[Invocation(T(3, 4, dtype=dtype), [1]) for dtype in _OTHER_DTYPES],
    ],
    error=[Invocation(T(), [1])],
)
shape_family(
    vsplit_indices_rule,
    "aten::vsplit.array",
    ok=[
        Invocation(T(7, 2), [2, 5]),
        Invocation(T(0, 2), [1]),
        *[Invocation(T(4, 3, dtype=dtype), [1]) for dtype in _OTHER_DTYPES],
    ],
    error=[Invocation(T(7), [1])],
)
shape_family(
    dsplit_indices_rule,
    "aten::dsplit.array",
    ok=[
        Invocation(T(2, 3, 7), [2, -1]),
        Invocation(T(2, 3, 7, 5), []),
        *[Invocation(T(2, 3, 4, dtype=dtype), [1]) for dtype in _OTHER_DTYPES],
    ],
    error=[Invocation(T(2, 7), [1])],
)
dtype_family(dtype_of_indices, "aten::hsplit.array", "aten::vsplit.array", "aten::dsplit.array")

shape_family(
    split_with_sizes_rule,
    "aten::split",
    ok=[
        Invocation(T(5, 3), [2, 3]),
        Invocation(T(5, 3), [1, 0, 2], -1),
        Invocation(T(0, 3), [0, 0]),
        *[Invocation(T(5, 3, dtype=dtype), [2, 3]) for dtype in _OTHER_DTYPES],
    ],
    error=[
        Invocation(T(), [1]),
        Invocation(T(5), [2, 2]),
        Invocation(T(5), [6, -1]),
        Invocation(T(5), [1], 1),
    ],
)
dtype_family(dtype_of_split_with_sizes, "aten::split")


def tensor_split_rule(
    self: List[int], tensor_indices_or_sections: List[int], dim: int
) -> List[List[int]]:
    """A 1-D tensor holds indices; a 0-dim tensor is the number of sections, at least one."""
    at = wrap_existing(dim, len(self))
    given = tensor_indices_or_sections
    assert len(given) <= 1, f"sections or indices must be 0-dim or 1-D, got shape {given}"
    count = given[0] + 1 if len(given) == 1 else max(unknown_size(), 1)
    return [replace_size(self, at, unknown_size()) for _ in range(count)]


def tensor_split_dtype(
    self: Tuple[int, int], tensor_indices_or_sections: Tuple[int, int]
) -> List[int]:
    """The dtype of `self`, for any number of chunks."""
    given = tensor_indices_or_sections[1]
    assert given == torch.int64, f"sections or indices must be int64, got dtype {given}"
    return [self[1]]


_INDICES = T(2, dtype=torch.int64, values=[1, 3])

# The meta device cannot read the indices.
shape_family(
    tensor_split_rule,
    "aten::tensor_split.tensor_indices_or_sections",
    ok=[
        Invocation(T(5, 3), _INDICES, device="cpu"),
        Invocation(T(5, 3), _INDICES, -1, device="cpu"),
        Invocation(T(5, 3), T(0, dtype=torch.int64), device="cpu"),
        Invocation(T(5, 3), T(dtype=torch.int64, values=[1]), device="cpu"),
        *[Invocation(T(5, dtype=dtype), _INDICES, device="cpu") for dtype in _OTHER_DTYPES],
    ],
    error=[
        Invocation(T(), _INDICES, device="cpu"),
        Invocation(T(5, 3), _INDICES, 2, device="cpu"),
        Invocation(T(5, 3), T(1, 1, dtype=torch.int64), device="cpu"),
    ],
)
dtype_family(
    tensor_split_dtype,
    "aten::tensor_split.tensor_indices_or_sections",
    error=[Invocation(T(5), T(2, dtype=torch.int32), device="cpu")],
)


def flatten_tensors_rule(tensors: List[List[int]]) -> List[int]:
    """All tensors flattened and concatenated."""
    assert len(tensors) > 0, f"the tensor list must not be empty, got {len(tensors)}"
    total = 0
    for tensor in tensors:
        total = total + product(tensor)
    return [total]


shape_family(
    flatten_tensors_rule,
    "aten::flatten_dense_tensors",
    ok=[
        Invocation([T(2, 3), T(4)]),
        Invocation([T()]),
        Invocation([T(2, 0), T(3, 1, 2), T()]),
        Invocation([T(2, dtype=torch.int64), T(3, dtype=torch.float16)]),
        Invocation([T(2, dtype=torch.bool), T(dtype=torch.uint8)]),
        Invocation([T(2, dtype=torch.float16), T()]),
    ],
    error=[Invocation([])],
)
dtype_family(joined_dtype, "aten::flatten_dense_tensors", error=[Invocation([])])


def unflatten_tensors_rule(flat: List[int], tensors: List[List[int]]) -> List[List[int]]:
    """A slice of `flat` for each tensor, with its shape."""
    total = 0
    for tensor in tensors:
        total = total + product(tensor)
    assert total <= product(flat), f"{tensors} have {total} elements, more than shape {flat}"
    return [tensor for tensor in tensors]


def unflatten_tensors_dtype(flat: Tuple[int, int], tensors: List[Tuple[int, int]]) -> List[int]:
    """The dtype of `flat`, for each tensor."""
    return [flat[1] for _ in tensors]


shape_family(
    unflatten_tensors_rule,
    "aten::unflatten_dense_tensors",
    ok=[
        Invocation(T(10), [T(2, 3), T(4)]),
        Invocation(T(10), [T(2, 3), T()]),
        Invocation(T(3), [T(2, 0), T(3, 1), T(0)]),
        Invocation(T(4, 1), [T(2, 2)]),
        *[Invocation(T(4, dtype=dtype), [T(3), T(1)]) for dtype in _OTHER_DTYPES],
    ],
    error=[Invocation(T(5), [T(2, 3)]), Invocation(T(5), [T(3), T(3)])],
)
dtype_family(unflatten_tensors_dtype, "aten::unflatten_dense_tensors")
