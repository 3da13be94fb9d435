"""Parts of a tensor: `slice`, `select`, `split`, `chunk`, `unbind`, and what writes into them."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, dtype_family, shape_family
from torch_refine.abstract_interp_lib.families.permutations import diagonal_rule
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self
from torch_refine.abstract_interp_lib.rules.sizes import (
    ceil_divide,
    remove_size,
    replace_size,
    slice_length,
    wrap_existing,
)

_OTHER_DTYPES = (torch.float16, torch.int64, torch.uint8, torch.bool, torch.complex64)
_MAX = 9223372036854775807


def slice_rule(
    self: List[int], dim: int, start: Optional[int], end: Optional[int], step: int
) -> List[int]:
    """Every `step`th entry from `start` to `end`; bounds are clamped, negative ones count back."""
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
    """One entry of a dimension, which goes."""
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
    """`length` entries from `start` on, which may count from the end."""
    at = wrap_existing(dim, len(self))
    size = self[at]
    assert -size <= start and start <= size, f"start {start} is out of range for size {size}"
    assert length >= 0, f"length cannot be negative, got {length}"
    first = start
    if start < 0:
        first = start + size
    assert first + length <= size, f"{length} entries from {start} on exceed the size {size}"
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
    """`length` entries, from where a tensor says."""
    at = wrap_existing(dim, len(self))
    assert length >= 0 and length <= self[at], f"{length} entries exceed the size {self[at]}"
    return replace_size(self, at, length)


_START = T(dtype=torch.int64, values=[1])

# The meta device cannot read where to start.
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
    """Pieces of size `piece` along a dimension, the last one what is left; at least one."""
    size = self[at]
    pieces: List[List[int]] = []
    for index in range(max(ceil_divide(size, max(piece, 1)), 1)):
        pieces.append(replace_size(self, at, min(piece, size - index * piece)))
    return pieces


def split_rule(self: List[int], split_size: int, dim: int) -> List[List[int]]:
    """Pieces of `split_size`, the last one what is left; at least one."""
    at = wrap_existing(dim, len(self))
    size = self[at]
    assert split_size >= 0, f"split_size cannot be negative, got {split_size}"
    assert split_size > 0 or size == 0, f"pieces of size 0 never add up to {size}"
    return split_in_pieces(self, split_size, at)


def split_sizes_rule(self: List[int], split_size: List[int], dim: int) -> List[List[int]]:
    """Pieces of the sizes given, which add up to the size of the dimension."""
    return split_with_sizes_rule(self, split_size, dim)


def split_with_sizes_rule(self: List[int], split_sizes: List[int], dim: int) -> List[List[int]]:
    """Pieces of the sizes given, which add up to the size of the dimension."""
    at = wrap_existing(dim, len(self))
    total = 0
    for size in split_sizes:
        assert size >= 0, f"a piece cannot have a negative size, got {split_sizes}"
        total = total + size
    assert total == self[at], f"sizes {split_sizes} do not add up to {self[at]}"
    return [replace_size(self, at, size) for size in split_sizes]


def chunk_rule(self: List[int], chunks: int, dim: int) -> List[List[int]]:
    """At most `chunks` pieces of one size, the last one what is left.

    An empty dimension gives exactly `chunks` empty pieces.
    """
    at = wrap_existing(dim, len(self))
    assert chunks > 0, f"the number of chunks must be positive, got {chunks}"
    size = self[at]
    if size == 0:
        return [self for _ in range(chunks)]
    else:
        return split_in_pieces(self, ceil_divide(size, chunks), at)


def unbind_rule(self: List[int], dim: int) -> List[List[int]]:
    """One piece for each entry of a dimension, which goes."""
    at = wrap_existing(dim, len(self))
    return [remove_size(self, at) for _ in range(self[at])]


def sections_rule(self: List[int], sections: int, dim: int) -> List[List[int]]:
    """Exactly `sections` pieces; the first ones are one longer where the size does not divide."""
    at = wrap_existing(dim, len(self))
    assert sections > 0, f"the number of sections must be positive, got {sections}"
    size = self[at]
    return [
        replace_size(self, at, (size + sections - 1 - index) // sections)
        for index in range(sections)
    ]


def indices_rule(self: List[int], indices: List[int], dim: int) -> List[List[int]]:
    """The slices from each index to the next, the first from 0 and the last to the end."""
    at = wrap_existing(dim, len(self))
    pieces: List[List[int]] = []
    start = 0
    for index in indices:
        pieces.append(replace_size(self, at, slice_length(self[at], start, index, 1)))
        start = index
    pieces.append(replace_size(self, at, slice_length(self[at], start, None, 1)))
    return pieces


def dtype_of_pieces(self: Tuple[int, int]) -> List[int]:
    """The dtype of `self`, of however many pieces: one entry stands for all."""
    return [self[1]]


def dtype_of_split_sizes(self: Tuple[int, int], split_size: List[int]) -> List[int]:
    """The dtype of `self`, for each piece."""
    return [self[1] for _ in split_size]


def dtype_of_split_with_sizes(self: Tuple[int, int], split_sizes: List[int]) -> List[int]:
    """The dtype of `self`, for each piece."""
    return [self[1] for _ in split_sizes]


def dtype_of_sections(self: Tuple[int, int], sections: int) -> List[int]:
    """The dtype of `self`, for each piece."""
    return [self[1] for _ in range(sections)]


def dtype_of_indices(self: Tuple[int, int], indices: List[int]) -> List[int]:
    """The dtype of `self`, for each piece: one more than there are indices."""
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
    """Raise unless `src` has the shape of the part of a tensor that it replaces."""
    assert part == src, f"src must have the shape {part} of what it replaces, got {src}"


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
    """The shape of `self`, of which `src` replaces one entry of a dimension."""
    check_part(select_rule(self, dim, index), src)
    return self


def diagonal_scatter_rule(
    self: List[int], src: List[int], offset: int, dim1: int, dim2: int
) -> List[int]:
    """The shape of `self`, of which `src` replaces a diagonal."""
    check_part(diagonal_rule(self, offset, dim1, dim2), src)
    return self


# The meta kernels take a src of any shape.
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
