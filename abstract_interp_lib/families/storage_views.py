"""Views and functional forms close to storage: `_conj`, `_reshape_alias`, `set`, `resize`, ..."""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, dtype_family, shape_family
from torch_refine.abstract_interp_lib.families.joining import dtypes_of_tensors
from torch_refine.abstract_interp_lib.families.slicing import check_part
from torch_refine.abstract_interp_lib.families.views import as_strided_rule
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self, same_as_self
from torch_refine.abstract_interp_lib.rules.factories import given_size
from torch_refine.abstract_interp_lib.rules.pointwise import dtype_of_other
from torch_refine.abstract_interp_lib.rules.promotion import is_complex

_META = torch.device("meta")
_SHAPES = [Invocation(T(2, 3)), Invocation(T()), Invocation(T(0, 3))]
_DTYPES = (torch.float16, torch.bfloat16, torch.int64, torch.uint8, torch.bool, torch.complex64)
_OF_DTYPES = [Invocation(T(2, dtype=dtype)) for dtype in _DTYPES]

shape_family(same_as_self, "aten::_neg_view", "aten::_neg_view_copy", "aten::data", ok=_SHAPES)
dtype_family(dtype_of_self, "aten::_neg_view", "aten::_neg_view_copy", "aten::data", ok=_OF_DTYPES)


def conjugate_dtype(self: Tuple[int, int]) -> int:
    """The dtype of `self`, which is complex."""
    assert is_complex(self[1]), f"only complex tensors can be conjugated lazily, got {self[1]}"
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
    """To complex numbers of two 16-bit floats."""
    return torch.complex32


shape_family(same_as_self, "aten::chalf", ok=_SHAPES)
dtype_family(cast_complex_half, "aten::chalf", ok=_OF_DTYPES)


def all_shapes(tensors: List[List[int]]) -> List[List[int]]:
    """Each result has the shape of its tensor."""
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
    """The shape of `self`, of which `src` replaces a strided part."""
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
    """The shape of the tensor whose storage is taken."""
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


# `self` is a slice of `src`, whose storage it shares.
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
    """The batch dimensions of `self`, then the shape of `other`."""
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
)
dtype_family(dtype_of_other, "aten::_new_zeros_with_same_feature_meta")
