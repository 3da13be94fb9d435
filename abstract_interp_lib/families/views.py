"""Views of the same elements under another shape: `view`, `reshape`, `expand`, `squeeze`."""

from typing import List

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    shape_family,
    shape_function,
)
from torch_refine.abstract_interp_lib.rules.dims import (
    dtype_of_self,
    wrap_dim,
    wrap_dims,
)
from torch_refine.abstract_interp_lib.rules.sizes import (
    expand_sizes,
    insert_size,
    product,
    view_sizes,
)

shape_family(
    view_sizes,
    "aten::view",
    "aten::view_copy",
    "aten::_unsafe_view",
    "aten::_reshape_copy",
    ok=[
        Invocation(T(2, 3, 4), [6, 4]),
        Invocation(T(2, 3, 4), [2, -1]),
        Invocation(T(2, 3, 4), [-1, 3, 2, 2]),
        Invocation(T(2, 3, 4), [3, -1, 4]),
        Invocation(T(2, 3, 4), [-1]),
        Invocation(T(1), []),
        Invocation(T(), [-1]),
        Invocation(T(), [1, 1]),
        Invocation(T(0, 3), [-1, 3]),
        Invocation(T(0, 3), [5, 0]),
        Invocation(T(0, 3), [2, -1]),
        Invocation(T(4, dtype=torch.bool), [2, 2]),
        Invocation(T(4, dtype=torch.int64), [2, 2]),
        Invocation(T(4, dtype=torch.complex64), [2, 2]),
    ],
    error=[
        Invocation(T(2, 3), [4, 2]),
        Invocation(T(2, 3), [4, -1]),
        Invocation(T(2, 3), [-1, -1]),
        Invocation(T(2, 3), [-2, -3]),
        Invocation(T(0, 3), [0, -1]),
    ],
)
dtype_family(
    dtype_of_self, "aten::view", "aten::view_copy", "aten::_unsafe_view", "aten::_reshape_copy"
)


def reshape_rule(self: List[int], shape: List[int]) -> List[int]:
    """The sizes asked for, where one may be -1."""
    return view_sizes(self, shape)


shape_family(
    reshape_rule,
    "aten::reshape",
    ok=[
        Invocation(T(2, 3, 4), [-1, 4]),
        Invocation(T(2, 3), [3, 2]),
        Invocation(T(), []),
        Invocation(T(0, 3), [-1, 3]),
        Invocation(T(6, dtype=torch.float16), [2, 3]),
        Invocation(T(6, dtype=torch.int64), [2, 3]),
        Invocation(T(6, dtype=torch.bool), [-1]),
    ],
    error=[Invocation(T(2, 3), [4]), Invocation(T(0, 3), [0, -1])],
)
dtype_family(dtype_of_self, "aten::reshape")


def view_as_rule(self: List[int], other: List[int]) -> List[int]:
    """The shape of `other`, which must have as many elements."""
    assert product(self) == product(other), f"shape {self} cannot be viewed as {other}"
    return other


shape_family(
    view_as_rule,
    "aten::view_as",
    "aten::reshape_as",
    ok=[
        Invocation(T(6), T(2, 3)),
        Invocation(T(), T(1, 1)),
        Invocation(T(0, 3), T(5, 0)),
        Invocation(T(6, dtype=torch.float16), T(2, 3)),
        Invocation(T(6, dtype=torch.int64), T(2, 3)),
        Invocation(T(6, dtype=torch.bool), T(2, 3)),
    ],
    error=[Invocation(T(6), T(2, 2))],
)
dtype_family(dtype_of_self, "aten::view_as", "aten::reshape_as")


@shape_function(
    "aten::flatten.using_ints",
    ok=[
        Invocation(T(2, 3, 4)),
        Invocation(T(2, 3, 4), 1),
        Invocation(T(2, 3, 4, 5), 1, -2),
        Invocation(T(2, 3, 4), 1, 1),
        Invocation(T(2, 3, 4), start_dim=-3, end_dim=1),
        Invocation(T()),
        Invocation(T(2, 0, 4), 1),
        Invocation(T(2, 3, dtype=torch.bfloat16)),
        Invocation(T(2, 3, dtype=torch.int64)),
        Invocation(T(2, 3, dtype=torch.bool)),
    ],
    error=[Invocation(T(2, 3), 1, 0), Invocation(T(2, 3), 2), Invocation(T(2, 3), 0, -3)],
)
def flatten(self: List[int], start_dim: int = 0, end_dim: int = -1) -> List[int]:
    """The dimensions from `start_dim` to `end_dim` become one; zero-dim tensors become vectors."""
    first = wrap_dim(start_dim, len(self))
    last = wrap_dim(end_dim, len(self))
    assert first <= last, (
        f"aten::flatten: start_dim cannot come after end_dim, got {start_dim} and {end_dim}"
    )
    return insert_size(self[:first] + self[last + 1 :], first, product(self[first : last + 1]))


dtype_family(dtype_of_self, "aten::flatten.using_ints")


def ravel_rule(self: List[int]) -> List[int]:
    """All elements as a vector."""
    return [product(self)]


shape_family(
    ravel_rule,
    "aten::ravel",
    ok=[
        Invocation(T(2, 3)),
        Invocation(T()),
        Invocation(T(2, 0)),
        Invocation(T(2, 3, dtype=torch.float16)),
        Invocation(T(2, 3, dtype=torch.int64)),
        Invocation(T(2, 3, dtype=torch.bool)),
    ],
)
dtype_family(dtype_of_self, "aten::ravel")


@shape_function(
    "aten::unflatten.int",
    ok=[
        Invocation(T(6, 5), 0, [2, 3]),
        Invocation(T(6, 5), 0, [2, -1]),
        Invocation(T(4, 6), -1, [-1]),
        Invocation(T(0, 5), 0, [0, 3]),
        Invocation(T(6, dtype=torch.float16), 0, [3, 2]),
        Invocation(T(6, dtype=torch.int64), 0, [3, 2]),
        Invocation(T(6, dtype=torch.bool), 0, [3, 2]),
    ],
    error=[
        Invocation(T(6, 5), 0, []),
        Invocation(T(6, 5), 0, [4, -1]),
        Invocation(T(6, 5), 2, [2, 3]),
        Invocation(T(), 0, [1]),
    ],
)
def unflatten(self: List[int], dim: int, sizes: List[int]) -> List[int]:
    """One dimension becomes several, of which one size may be -1."""
    assert len(sizes) > 0, f"aten::unflatten: sizes must not be empty, got {sizes}"
    assert len(self) > 0, f"aten::unflatten: self must have a dimension, got rank {len(self)}"
    at = wrap_dim(dim, len(self))
    return self[:at] + view_sizes([self[at]], sizes) + self[at + 1 :]


dtype_family(dtype_of_self, "aten::unflatten.int")

_EXPANDS = ["aten::expand", "aten::expand_copy", "aten::broadcast_to"]

shape_family(
    expand_sizes,
    *_EXPANDS,
    ok=[
        Invocation(T(3, 1), [3, 4]),
        Invocation(T(3, 1), [2, -1, 4]),
        Invocation(T(1), [0]),
        Invocation(T(), [2, 3]),
        Invocation(T(), []),
        Invocation(T(0, 1), [2, 0, 5]),
        Invocation(T(1, dtype=torch.float16), [3]),
        Invocation(T(1, dtype=torch.int64), [3]),
        Invocation(T(1, dtype=torch.bool), [3]),
    ],
    error=[
        Invocation(T(3), [4]),
        Invocation(T(3), [-1, 3]),
        Invocation(T(2, 3), [3]),
        Invocation(T(3), [-2]),
    ],
)
dtype_family(dtype_of_self, *_EXPANDS)


def expand_as_rule(self: List[int], other: List[int]) -> List[int]:
    """The shape of `other`, to which `self` expands."""
    return expand_sizes(self, other)


shape_family(
    expand_as_rule,
    "aten::expand_as",
    ok=[
        Invocation(T(3), T(2, 3)),
        Invocation(T(), T(0)),
        Invocation(T(1, 3), T(2, 3, dtype=torch.int64)),
        Invocation(T(1, dtype=torch.bfloat16), T(3)),
        Invocation(T(1, dtype=torch.int32), T(3)),
        Invocation(T(1, dtype=torch.bool), T(3)),
    ],
    error=[Invocation(T(3), T(4)), Invocation(T(2, 3), T(3))],
)
dtype_family(dtype_of_self, "aten::expand_as")


def squeeze_rule(self: List[int]) -> List[int]:
    """The sizes other than 1; how many these are, unknown sizes leave open."""
    out: List[int] = []
    for size in self:
        if size != 1:
            out.append(size)
    return out


shape_family(
    squeeze_rule,
    "aten::squeeze",
    "aten::squeeze_copy",
    ok=[
        Invocation(T(1, 2, 1, 0)),
        Invocation(T(1, 1)),
        Invocation(T()),
        Invocation(T(2, 1, dtype=torch.float16)),
        Invocation(T(2, 1, dtype=torch.int64)),
        Invocation(T(2, 1, dtype=torch.bool)),
    ],
)
dtype_family(dtype_of_self, "aten::squeeze", "aten::squeeze_copy")


def squeeze_dims_rule(self: List[int], dim: List[int]) -> List[int]:
    """Drops those of the dimensions named that have size 1."""
    dropped = wrap_dims(dim, len(self))
    out: List[int] = []
    for index in range(len(self)):
        if index not in dropped or self[index] != 1:
            out.append(self[index])
    return out


def squeeze_dim_rule(self: List[int], dim: int) -> List[int]:
    """Drops the dimension if its size is 1."""
    return squeeze_dims_rule(self, [dim])


shape_family(
    squeeze_dim_rule,
    "aten::squeeze.dim",
    "aten::squeeze_copy.dim",
    ok=[
        Invocation(T(1, 2, 1), 0),
        Invocation(T(1, 2, 1), -2),
        Invocation(T(), -1),
        Invocation(T(1, 0), 1),
        Invocation(T(2, 1, dtype=torch.float16), 1),
        Invocation(T(2, 1, dtype=torch.int64), 1),
        Invocation(T(2, 1, dtype=torch.bool), 1),
    ],
    error=[Invocation(T(1, 2), 2), Invocation(T(), 1)],
)
dtype_family(dtype_of_self, "aten::squeeze.dim", "aten::squeeze_copy.dim")

shape_family(
    squeeze_dims_rule,
    "aten::squeeze.dims",
    "aten::squeeze_copy.dims",
    ok=[
        Invocation(T(1, 2, 1), [0, -1]),
        Invocation(T(1, 2, 1), [1]),
        Invocation(T(1, 2, 1), []),
        Invocation(T(), [0]),
        Invocation(T(2, 1, dtype=torch.float16), [0, 1]),
        Invocation(T(2, 1, dtype=torch.int64), [0, 1]),
        Invocation(T(2, 1, dtype=torch.bool), [0, 1]),
    ],
    error=[Invocation(T(1, 2), [2]), Invocation(T(1, 2), [0, -2])],
)
dtype_family(dtype_of_self, "aten::squeeze.dims", "aten::squeeze_copy.dims")


def unsqueeze_rule(self: List[int], dim: int) -> List[int]:
    """A new dimension of size 1, which stands at `dim` of the result."""
    at = wrap_dim(dim, len(self) + 1)
    return insert_size(self, at, 1)


shape_family(
    unsqueeze_rule,
    "aten::unsqueeze",
    "aten::unsqueeze_copy",
    ok=[
        Invocation(T(2, 3), 1),
        Invocation(T(2, 3), -1),
        Invocation(T(2, 3), -3),
        Invocation(T(), 0),
        Invocation(T(0), 0),
        Invocation(T(2, dtype=torch.float16), 0),
        Invocation(T(2, dtype=torch.int64), 0),
        Invocation(T(2, dtype=torch.bool), 0),
    ],
    error=[Invocation(T(2, 3), 3), Invocation(T(), 1), Invocation(T(2, 3), -4)],
)
dtype_family(dtype_of_self, "aten::unsqueeze", "aten::unsqueeze_copy")


def as_strided_rule(size: List[int], stride: List[int]) -> List[int]:
    """The sizes asked for."""
    assert len(size) == len(stride), f"there must be a stride for each size of {size}, got {stride}"
    for entry in size:
        assert entry >= 0, f"a size cannot be negative, got {size}"
    return size


shape_family(
    as_strided_rule,
    "aten::as_strided",
    "aten::as_strided_copy",
    ok=[
        Invocation(T(6), [2, 2], [3, 1]),
        Invocation(T(6), [2], [1], 3),
        Invocation(T(6), [], []),
        Invocation(T(6), [0], [1]),
        Invocation(T(6, dtype=torch.float16), [2], [1]),
        Invocation(T(6, dtype=torch.int64), [2], [1]),
        Invocation(T(6, dtype=torch.bool), [2], [1]),
    ],
    error=[Invocation(T(6), [2], [1, 1]), Invocation(T(6), [-1], [1])],
)
dtype_family(dtype_of_self, "aten::as_strided", "aten::as_strided_copy")
