"""Views: of other shapes, of other dtypes, as real and imaginary parts."""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    shape_family,
    shape_function,
)
from torch_refine.abstract_interp_lib.families.shapes_and_indexing.joining import dtypes_of_tensors
from torch_refine.abstract_interp_lib.families.shapes_and_indexing.slicing import check_part
from torch_refine.abstract_interp_lib.rules.dims import (
    dtype_of_self,
    same_as_self,
    wrap_dim,
    wrap_dims,
)
from torch_refine.abstract_interp_lib.rules.factories import given_size
from torch_refine.abstract_interp_lib.rules.pointwise import dtype_of_other
from torch_refine.abstract_interp_lib.rules.promotion import is_complex, real_dtype
from torch_refine.abstract_interp_lib.rules.sizes import (
    append_size,
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
    """The requested sizes, of which one may be -1."""
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
    """The shape of `other`, which must have the same numel."""
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
    """The dimensions from `start_dim` to `end_dim` are merged; 0-dim tensors become 1-D."""
    first = wrap_dim(start_dim, len(self))
    last = wrap_dim(end_dim, len(self))
    assert first <= last, (
        f"aten::flatten: start_dim must not be greater than end_dim, got {start_dim} and {end_dim}"
    )
    return insert_size(self[:first] + self[last + 1 :], first, product(self[first : last + 1]))


dtype_family(dtype_of_self, "aten::flatten.using_ints")


def ravel_rule(self: List[int]) -> List[int]:
    """The flattened tensor."""
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
    assert len(self) > 0, (
        f"aten::unflatten: self must have at least 1 dimension, got rank {len(self)}"
    )
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
    """The sizes other than 1; with unknown sizes the rank of the result is unknown."""
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
    """Removes the given dimensions if they have size 1."""
    dropped = wrap_dims(dim, len(self))
    out: List[int] = []
    for index in range(len(self)):
        if index not in dropped or self[index] != 1:
            out.append(self[index])
    return out


def squeeze_dim_rule(self: List[int], dim: int) -> List[int]:
    """Removes the dimension if it has size 1."""
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
    """A new dimension of size 1 at `dim` of the result."""
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
    """The requested sizes."""
    assert len(size) == len(stride), (
        f"size and stride must have the same length, got {size} and {stride}"
    )
    for entry in size:
        assert entry >= 0, f"sizes must not be negative, got {size}"
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


# Storage-level views and functional variants: `_conj`, `_reshape_alias`, `set`, `resize`, ...

_META = torch.device("meta")
_SHAPES = [Invocation(T(2, 3)), Invocation(T()), Invocation(T(0, 3))]
_DTYPES = (torch.float16, torch.bfloat16, torch.int64, torch.uint8, torch.bool, torch.complex64)
_OF_DTYPES = [Invocation(T(2, dtype=dtype)) for dtype in _DTYPES]

shape_family(same_as_self, "aten::_neg_view", "aten::_neg_view_copy", "aten::data", ok=_SHAPES)
dtype_family(dtype_of_self, "aten::_neg_view", "aten::_neg_view_copy", "aten::data", ok=_OF_DTYPES)


def conjugate_dtype(self: Tuple[int, int]) -> int:
    """The dtype of `self`, which is complex."""
    assert is_complex(self[1]), f"self must be complex, got dtype {self[1]}"
    return self[1]


_COMPLEX_SHAPES = [
    Invocation(T(2, 3, dtype=torch.complex64)),
    Invocation(T(dtype=torch.complex128)),
    Invocation(T(0, dtype=torch.complex32)),
]

shape_family(same_as_self, "aten::_conj", "aten::_conj_copy", ok=_COMPLEX_SHAPES)
dtype_family(
    conjugate_dtype,
    "aten::_conj",
    "aten::_conj_copy",
    error=[Invocation(T(2)), Invocation(T(2, dtype=torch.int64))],
)


def cast_complex_half() -> int:
    """A complex dtype of two 16-bit floats."""
    return torch.complex32


shape_family(same_as_self, "aten::chalf", ok=_SHAPES)
dtype_family(cast_complex_half, "aten::chalf", ok=_OF_DTYPES)


def all_shapes(tensors: List[List[int]]) -> List[List[int]]:
    """Each result has the shape of the tensor at the same index."""
    return [tensor for tensor in tensors]


# A meta tensor has no data to move.
shape_family(
    all_shapes,
    "aten::_to_cpu",
    ok=[
        Invocation([T(2, 3), T()], device="cpu"),
        Invocation([T(0), T(2, dtype=torch.int64), T(1, dtype=torch.float16)], device="cpu"),
    ],
)
dtype_family(dtypes_of_tensors, "aten::_to_cpu")

_RESHAPE_ALIASES = ["aten::_reshape_alias", "aten::_reshape_alias_copy"]

shape_family(
    as_strided_rule,
    *_RESHAPE_ALIASES,
    ok=[
        Invocation(T(6), [2, 3], [3, 1]),
        Invocation(T(2, 3), [6], [1]),
        Invocation(T(1), [], []),
        Invocation(T(0), [0, 3], [3, 1]),
        *[Invocation(T(4, dtype=dtype), [2, 2], [2, 1]) for dtype in _DTYPES],
    ],
    error=[Invocation(T(6), [2, 3], [1]), Invocation(T(6), [-1], [1])],
)
dtype_family(dtype_of_self, *_RESHAPE_ALIASES)


def as_strided_scatter_rule(
    self: List[int], src: List[int], size: List[int], stride: List[int]
) -> List[int]:
    """The shape of `self`, of which `src` replaces a strided view."""
    check_part(as_strided_rule(size, stride), src)
    return self


shape_family(
    as_strided_scatter_rule,
    "aten::as_strided_scatter",
    ok=[
        Invocation(T(3, 4), T(2, 2), [2, 2], [4, 1]),
        Invocation(T(6), T(2), [2], [1], 3),
        Invocation(T(6), T(), [], []),
        Invocation(T(6), T(2, dtype=torch.int64), [2], [1], storage_offset=1),
        *[Invocation(T(4, dtype=dtype), T(2), [2], [1]) for dtype in _DTYPES],
    ],
    error=[
        Invocation(T(6), T(3), [2], [1]),
        Invocation(T(6), T(2), [2], [1, 1]),
        Invocation(T(6), T(2), [-2], [1]),
    ],
)
dtype_family(dtype_of_self, "aten::as_strided_scatter")

shape_family(
    given_size,
    "aten::resize",
    ok=[
        Invocation(T(2, 3), [4, 5]),
        Invocation(T(2, 3), []),
        Invocation(T(), [0, 2]),
        *[Invocation(T(2, dtype=dtype), [3]) for dtype in _DTYPES],
    ],
    error=[Invocation(T(2, 3), [-1])],
)
shape_family(
    given_size,
    "aten::_resize_output",
    ok=[
        Invocation(T(2, 3), [4, 5], _META),
        Invocation(T(2, 3), [], _META),
        *[Invocation(T(2, dtype=dtype), [3], _META) for dtype in _DTYPES],
    ],
    error=[Invocation(T(2, 3), [-1], _META)],
)
dtype_family(dtype_of_self, "aten::resize", "aten::_resize_output")


def same_as_template(the_template: List[int]) -> List[int]:
    """The shape of the template."""
    return the_template


shape_family(
    same_as_template,
    "aten::resize_as",
    ok=[
        Invocation(T(2, 3), T(4, 5)),
        Invocation(T(2), T(dtype=torch.int64)),
        *[Invocation(T(2, dtype=dtype), T(3)) for dtype in _DTYPES],
    ],
)
dtype_family(dtype_of_self, "aten::resize_as")


def without_elements() -> List[int]:
    """An empty vector."""
    return [0]


shape_family(without_elements, "aten::set", ok=_SHAPES)
dtype_family(dtype_of_self, "aten::set", ok=_OF_DTYPES)


def same_as_source(source: List[int]) -> List[int]:
    """The shape of the tensor whose storage is used."""
    return source


shape_family(
    same_as_source,
    "aten::set.source_Tensor",
    ok=[
        Invocation(T(2, 3), T(4)),
        Invocation(T(), T(0, 3)),
        Invocation(T(2), T(3, dtype=torch.int64)),
        *[Invocation(T(2, dtype=dtype), T(2, 3, dtype=dtype)) for dtype in _DTYPES],
    ],
)
dtype_family(dtype_of_self, "aten::set.source_Tensor")


def same_as_src(src: List[int]) -> List[int]:
    """The shape of `src`."""
    return src


# `self` is a slice of `src`, with which it shares storage.
shape_family(
    same_as_src,
    "aten::slice_inverse",
    ok=[
        Invocation(T(5, 3), T(5, 3)),
        Invocation(T(5, 3), T(5, 3), 0, 0, 5, 1),
        Invocation(T(4), T(4), dim=-1, start=None, end=None),
        *[Invocation(T(5, dtype=dtype), T(5, dtype=dtype)) for dtype in _DTYPES],
    ],
)
dtype_family(dtype_of_self, "aten::slice_inverse")


def zeros_like_other(self: List[int], other: List[int], self_num_batch_dims: int) -> List[int]:
    """The batch dimensions of `self`, then the shape of `other`.

    More than `self` has are rejected: the kernel would read beyond its sizes.
    """
    assert 0 <= self_num_batch_dims <= len(self), (
        f"aten::_new_zeros_with_same_feature_meta: expected self_num_batch_dims from 0 to "
        f"{len(self)}, got {self_num_batch_dims}"
    )
    return self[:self_num_batch_dims] + other


shape_family(
    zeros_like_other,
    "aten::_new_zeros_with_same_feature_meta",
    ok=[
        Invocation(T(2, 3), T(4, 5)),
        Invocation(T(2, 3), T(4, 5), self_num_batch_dims=1),
        Invocation(T(2, 3), T(), self_num_batch_dims=2),
        *[Invocation(T(2, 3, dtype=dtype), T(4), self_num_batch_dims=1) for dtype in _DTYPES],
        *[Invocation(T(2, 3), T(4, dtype=dtype), self_num_batch_dims=1) for dtype in _DTYPES],
    ],
    error=[Invocation(T(2, 3), T(4), self_num_batch_dims=-1)],
)
dtype_family(dtype_of_other, "aten::_new_zeros_with_same_feature_meta")


# Views of the same storage with another dtype: `view.dtype`, real and imaginary parts.


def element_size(dtype: int) -> int:
    """The element size in bytes, as `torch.Tensor.element_size`."""
    if dtype == torch.complex128:
        return 16
    elif dtype in [torch.int64, torch.uint64, torch.float64, torch.complex64]:
        return 8
    elif dtype in [torch.int32, torch.uint32, torch.float32, torch.complex32, torch.qint32]:
        return 4
    elif dtype in [torch.int16, torch.uint16, torch.float16, torch.bfloat16, torch.bits16]:
        return 2
    else:
        return 1


def view_dtype_rule(self: Tuple[List[int], int], dtype: int) -> List[int]:
    """The last size is scaled by the ratio of the element sizes."""
    sizes, old_dtype = self
    old = element_size(old_dtype)
    new = element_size(dtype)
    if old == new:
        return sizes
    else:
        assert len(sizes) > 0, (
            f"a 0-dim tensor cannot be viewed with another element size, got {old} and {new} bytes"
        )
        last = sizes[len(sizes) - 1] * old
        assert last % new == 0, (
            f"the last dimension must be divisible by {new} bytes, got {last} bytes"
        )
        return append_size(sizes[:-1], last // new)


def view_dtype_dtype_rule(dtype: int) -> int:
    """The argument `dtype`."""
    return dtype


shape_family(
    view_dtype_rule,
    "aten::view.dtype",
    "aten::view_copy.dtype",
    ok=[
        Invocation(T(3, 4), torch.float64),
        Invocation(T(3, 4), torch.int16),
        Invocation(T(3, 4), torch.int32),
        Invocation(T(), torch.int32),
        Invocation(T(3, 2, dtype=torch.complex64), torch.uint8),
        Invocation(T(3, 8, dtype=torch.bool), torch.bfloat16),
        Invocation(T(2, 0), torch.int16),
    ],
    error=[
        Invocation(T(), torch.int16),
        Invocation(T(3, 3), torch.float64),
    ],
)
dtype_family(view_dtype_dtype_rule, "aten::view.dtype", "aten::view_copy.dtype")


def real_dtype_rule(self: Tuple[int, int]) -> int:
    """The real dtype of `self`."""
    return real_dtype(self[1])


shape_family(
    same_as_self,
    "aten::real",
    ok=[
        Invocation(T(2, 3, dtype=torch.complex64)),
        Invocation(T(dtype=torch.complex128)),
        Invocation(T(2, 3, dtype=torch.float16)),
        Invocation(T(0, dtype=torch.int64)),
        Invocation(T(2, dtype=torch.bool)),
    ],
)
dtype_family(real_dtype_rule, "aten::real")

shape_family(
    same_as_self,
    "aten::imag",
    ok=[
        Invocation(T(2, 3, dtype=torch.complex64)),
        Invocation(T(dtype=torch.complex128)),
        Invocation(T(0, dtype=torch.complex32)),
    ],
)


def imag_dtype_rule(self: Tuple[int, int]) -> int:
    """The real dtype of `self`, which must be complex."""
    real = real_dtype(self[1])
    assert real != self[1], f"self must be complex, got dtype {self[1]}"
    return real


dtype_family(
    imag_dtype_rule, "aten::imag", error=[Invocation(T(2)), Invocation(T(dtype=torch.bool))]
)


def view_as_real_rule(self: List[int]) -> List[int]:
    """A last dimension of size 2 is appended: real and imaginary part."""
    return append_size(self, 2)


shape_family(
    view_as_real_rule,
    "aten::view_as_real",
    "aten::view_as_real_copy",
    ok=[
        Invocation(T(2, 3, dtype=torch.complex64)),
        Invocation(T(dtype=torch.complex128)),
        Invocation(T(0, dtype=torch.complex32)),
    ],
)
dtype_family(
    imag_dtype_rule,
    "aten::view_as_real",
    "aten::view_as_real_copy",
    error=[Invocation(T(2)), Invocation(T(dtype=torch.int64))],
)


def view_as_complex_rule(self: List[int]) -> List[int]:
    """The last dimension, of size 2, is removed: real and imaginary part."""
    assert len(self) > 0, f"self must have a last dimension of size 2, got rank {len(self)}"
    last = self[len(self) - 1]
    assert last == 2, f"the last dimension of self must have size 2, got {last}"
    return self[:-1]


def view_as_complex_dtype_rule(self: Tuple[int, int]) -> int:
    """The complex dtype corresponding to the dtype of `self`."""
    assert self[1] in [torch.float16, torch.float32, torch.float64], (
        f"self must be float16, float32 or float64, got dtype {self[1]}"
    )
    if self[1] == torch.float16:
        return torch.complex32
    elif self[1] == torch.float32:
        return torch.complex64
    else:
        return torch.complex128


shape_family(
    view_as_complex_rule,
    "aten::view_as_complex",
    "aten::view_as_complex_copy",
    ok=[
        Invocation(T(3, 2)),
        Invocation(T(2, dtype=torch.float64)),
        Invocation(T(0, 2, dtype=torch.float16)),
    ],
    error=[Invocation(T(3, 3)), Invocation(T())],
)
dtype_family(
    view_as_complex_dtype_rule,
    "aten::view_as_complex",
    "aten::view_as_complex_copy",
    error=[Invocation(T(3, 2, dtype=torch.int64)), Invocation(T(2, dtype=torch.bfloat16))],
)
