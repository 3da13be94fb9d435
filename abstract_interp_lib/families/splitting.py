"""Splits along a fixed dimension, splits where a tensor says, and lists packed into one vector."""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, dtype_family, shape_family
from torch_refine.abstract_interp_lib.families.joining import joined_dtype
from torch_refine.abstract_interp_lib.families.slicing import (
    dtype_of_indices,
    dtype_of_sections,
    dtype_of_split_with_sizes,
    indices_rule,
    sections_rule,
    split_with_sizes_rule,
)
from torch_refine.abstract_interp_lib.rules.sizes import product, replace_size, wrap_existing
from torch_refine.abstract_interp_lib.rules.unknown import unknown_size

_OTHER_DTYPES = (torch.float16, torch.int64, torch.uint8, torch.bool, torch.complex64)


def equal_sections(self: List[int], sections: int, dim: int, rank: int) -> List[List[int]]:
    """Exactly `sections` pieces of one size; `self` has at least `rank` dimensions."""
    assert len(self) >= rank, f"self must have at least {rank} dimensions, got shape {self}"
    assert sections > 0, f"the number of sections must be positive, got {sections}"
    assert self[dim] % sections == 0, f"{sections} sections do not divide the size {self[dim]}"
    return sections_rule(self, sections, dim)


def indices_along(self: List[int], indices: List[int], dim: int, rank: int) -> List[List[int]]:
    """The slices between indices; `self` has at least `rank` dimensions."""
    assert len(self) >= rank, f"self must have at least {rank} dimensions, got shape {self}"
    return indices_rule(self, indices, dim)


def hsplit_sections_rule(self: List[int], sections: int) -> List[List[int]]:
    """Equal pieces along the second dimension, or the only one."""
    return equal_sections(self, sections, 0 if len(self) == 1 else 1, 1)


def vsplit_sections_rule(self: List[int], sections: int) -> List[List[int]]:
    """Equal pieces along the first dimension."""
    return equal_sections(self, sections, 0, 2)


def dsplit_sections_rule(self: List[int], sections: int) -> List[List[int]]:
    """Equal pieces along the third dimension."""
    return equal_sections(self, sections, 2, 3)


def hsplit_indices_rule(self: List[int], indices: List[int]) -> List[List[int]]:
    """Slices along the second dimension, or the only one."""
    return indices_along(self, indices, 0 if len(self) == 1 else 1, 1)


def vsplit_indices_rule(self: List[int], indices: List[int]) -> List[List[int]]:
    """Slices along the first dimension."""
    return indices_along(self, indices, 0, 2)


def dsplit_indices_rule(self: List[int], indices: List[int]) -> List[List[int]]:
    """Slices along the third dimension."""
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
    """A vector holds indices, a single number says how many sections there are, at least one."""
    at = wrap_existing(dim, len(self))
    given = tensor_indices_or_sections
    assert len(given) <= 1, f"sections or indices must be zero-dim or a vector, got shape {given}"
    count = given[0] + 1 if len(given) == 1 else max(unknown_size(), 1)
    return [replace_size(self, at, unknown_size()) for _ in range(count)]


def tensor_split_dtype(
    self: Tuple[int, int], tensor_indices_or_sections: Tuple[int, int]
) -> List[int]:
    """The dtype of `self`, of however many pieces."""
    given = tensor_indices_or_sections[1]
    assert given == torch.int64, f"sections or indices must be int64, got dtype {given}"
    return [self[1]]


_INDICES = T(2, dtype=torch.int64, values=[1, 3])

# The meta device cannot read where to split.
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
    """All elements of all tensors in one vector."""
    assert len(tensors) > 0, f"there must be tensors to flatten, got {len(tensors)}"
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
    """A part of `flat` for each tensor, of its shape."""
    total = 0
    for tensor in tensors:
        total = total + product(tensor)
    assert total <= product(flat), f"{tensors} have {total} elements, more than shape {flat}"
    return [tensor for tensor in tensors]


def unflatten_tensors_dtype(flat: Tuple[int, int], tensors: List[Tuple[int, int]]) -> List[int]:
    """The dtype of `flat`, for each piece."""
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
