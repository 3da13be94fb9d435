"""Products of vectors and of whole tensors: `dot`, `outer`, `inner`, `kron`, `tensordot`."""

from typing import List, Optional, Tuple, Union

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    dtype_function,
    shape_family,
    shape_function,
)
from torch_refine.abstract_interp_lib.rules.dims import wrap_dim
from torch_refine.abstract_interp_lib.rules.matching import check_expands
from torch_refine.abstract_interp_lib.rules.promotion import promote_dtypes, promote_two


def check_vectors(left: List[int], right: List[int]) -> None:
    """Raise unless both operands are vectors."""
    assert len(left) == 1, f"the first operand must be a vector, got shape {left}"
    assert len(right) == 1, f"the second operand must be a vector, got shape {right}"


@shape_function(
    "aten::dot",
    ok=[
        Invocation(T(3), T(3)),
        Invocation(T(0), T(0)),
        Invocation(T(3, dtype=torch.bfloat16), T(3, dtype=torch.bfloat16)),
        Invocation(T(3, dtype=torch.int64), T(3, dtype=torch.int64)),
    ],
    error=[Invocation(T(3), T(4)), Invocation(T(2, 2), T(4)), Invocation(T(3), T())],
)
def dot(self: List[int], tensor: List[int]) -> List[int]:
    """The inner product of two vectors."""
    check_vectors(self, tensor)
    assert self[0] == tensor[0], f"aten::dot: sizes must match, got {self[0]} and {tensor[0]}"
    out: List[int] = []
    return out


@dtype_function("aten::dot", error=[Invocation(T(3), T(3, dtype=torch.float64))])
def dot_dtype(self: Tuple[int, int], tensor: Tuple[int, int]) -> int:
    """Both vectors have one dtype, which the product keeps."""
    assert self[1] == tensor[1], f"aten::dot: dtypes must match, got {self[1]} and {tensor[1]}"
    return self[1]


@shape_function(
    "aten::vdot",
    ok=[
        Invocation(T(3), T(3)),
        Invocation(T(0), T(0)),
        Invocation(T(3, dtype=torch.complex64), T(3, dtype=torch.complex64)),
        Invocation(T(3, dtype=torch.int32), T(3, dtype=torch.int32)),
    ],
    error=[Invocation(T(3), T(4)), Invocation(T(2, 2), T(4)), Invocation(T(3), T())],
)
def vdot(self: List[int], other: List[int]) -> List[int]:
    """The inner product of two vectors, the first one conjugated."""
    check_vectors(self, other)
    assert self[0] == other[0], f"aten::vdot: sizes must match, got {self[0]} and {other[0]}"
    out: List[int] = []
    return out


@dtype_function("aten::vdot", error=[Invocation(T(3), T(3, dtype=torch.float64))])
def vdot_dtype(self: Tuple[int, int], other: Tuple[int, int]) -> int:
    """Both vectors have one dtype, which the product keeps."""
    assert self[1] == other[1], f"aten::vdot: dtypes must match, got {self[1]} and {other[1]}"
    return self[1]


def outer_rule(self: List[int], vec2: List[int]) -> List[int]:
    """All products of an entry of one vector and an entry of another."""
    check_vectors(self, vec2)
    return [self[0], vec2[0]]


def outer_dtype_rule(self: Tuple[int, int], vec2: Tuple[int, int]) -> int:
    """What multiplication gives."""
    return promote_two(self, vec2)


shape_family(
    outer_rule,
    "aten::outer",
    "aten::ger",
    ok=[
        Invocation(T(2), T(3)),
        Invocation(T(0), T(3)),
        Invocation(T(2, dtype=torch.bool), T(3, dtype=torch.bool)),
        Invocation(T(2, dtype=torch.int64), T(3, dtype=torch.float16)),
    ],
    error=[Invocation(T(2, 2), T(3)), Invocation(T(2), T())],
)
dtype_family(outer_dtype_rule, "aten::outer", "aten::ger")


@shape_function(
    "aten::addr",
    ok=[
        Invocation(T(2, 3), T(2), T(3)),
        Invocation(T(3), T(2), T(3), beta=2, alpha=0.5),
        Invocation(T(), T(0), T(3)),
        Invocation(T(2, 1, dtype=torch.float16), T(2, dtype=torch.int64), T(3, dtype=torch.bool)),
    ],
    error=[
        Invocation(T(2, 3), T(2, 1), T(3)),
        Invocation(T(2, 3), T(2), T()),
        Invocation(T(3, 3), T(2), T(3)),
        Invocation(T(1, 2, 3), T(2), T(3)),
    ],
)
def addr(
    self: List[int],
    vec1: List[int],
    vec2: List[int],
    beta: Union[int, float, complex] = 1,
    alpha: Union[int, float, complex] = 1,
) -> List[int]:
    """`self`, expanded, plus all products of an entry of `vec1` and an entry of `vec2`."""
    check_vectors(vec1, vec2)
    out = [vec1[0], vec2[0]]
    check_expands(self, out)
    return out


# The meta kernel counts a zero-dim `self` as such; on a device it is expanded first.
@dtype_function(
    "aten::addr",
    ok=[Invocation(T(dtype=torch.float64), T(2), T(3), device="cpu")],
)
def addr_dtype(
    self: Tuple[int, int],
    vec1: Tuple[int, int],
    vec2: Tuple[int, int],
    beta: Union[int, float, complex] = 1,
    alpha: Union[int, float, complex] = 1,
) -> int:
    """The operands promote, `self` after it is expanded."""
    ranks: List[Optional[int]] = [2, 1, 1]
    return promote_dtypes(ranks, [self[1], vec1[1], vec2[1]])


@shape_function(
    "aten::inner",
    ok=[
        Invocation(T(2, 3), T(4, 3)),
        Invocation(T(5, 2, 3), T(3)),
        Invocation(T(3), T(3)),
        Invocation(T(), T(4, 3)),
        Invocation(T(2), T()),
        Invocation(T(2, 0), T(4, 0)),
        Invocation(T(2, 3, dtype=torch.int64), T(4, 3, dtype=torch.int64)),
        Invocation(T(2, 3, dtype=torch.bfloat16), T(dtype=torch.float32)),
        Invocation(T(dtype=torch.bool), T(2, dtype=torch.bool)),
    ],
    error=[Invocation(T(2, 3), T(4, 2)), Invocation(T(2, 3), T(1))],
)
def inner(self: List[int], other: List[int]) -> List[int]:
    """The products summed over both last dimensions; a zero-dim operand multiplies."""
    if len(self) == 0 or len(other) == 0:
        out = self + other
    else:
        assert self[-1] == other[-1], (
            f"aten::inner: last dimensions must match, got {self[-1]} and {other[-1]}"
        )
        out = self[:-1] + other[:-1]
    return out


@dtype_function("aten::inner", error=[Invocation(T(2, 3), T(4, 3, dtype=torch.float64))])
def inner_dtype(self: Tuple[int, int], other: Tuple[int, int]) -> int:
    """A zero-dim operand promotes with the other; else both have one dtype."""
    assert self[0] == 0 or other[0] == 0 or self[1] == other[1], (
        f"aten::inner: dtypes must match, got {self[1]} and {other[1]}"
    )
    return promote_two(self, other)


@shape_function(
    "aten::kron",
    ok=[
        Invocation(T(2, 3), T(4, 5)),
        Invocation(T(2), T(4, 3, 5)),
        Invocation(T(2, 3), T()),
        Invocation(T(), T()),
        Invocation(T(0), T(3, 4)),
        Invocation(T(2, dtype=torch.int64), T(dtype=torch.float64)),
        Invocation(T(dtype=torch.float64), T(2, dtype=torch.float16)),
        Invocation(T(2, dtype=torch.bool), T(2, dtype=torch.uint8)),
    ],
)
def kron(self: List[int], other: List[int]) -> List[int]:
    """Sizes multiply, aligned at the end."""
    rank = max(len(self), len(other))
    left = [1] * (rank - len(self)) + self
    right = [1] * (rank - len(other)) + other
    return [left[index] * right[index] for index in range(rank)]


@dtype_function("aten::kron")
def kron_dtype(self: Tuple[int, int], other: Tuple[int, int]) -> int:
    """Both operands promote after they are given the same rank."""
    ranks: List[Optional[int]] = [1, 1]
    return promote_dtypes(ranks, [self[1], other[1]])


@shape_function(
    "aten::tensordot",
    ok=[
        Invocation(T(2, 3, 4), T(4, 3, 5), [1, 2], [1, 0]),
        Invocation(T(2, 3), T(3, 4), [-1], [-2]),
        Invocation(T(2, 3), T(4), [], []),
        Invocation(T(), T(), [], []),
        Invocation(T(2, 3), T(2, 3), [0, 1], [0, 1]),
        Invocation(T(2, 1), T(3, 4), [1], [0]),
        Invocation(T(2, 0), T(0, 4), [1], [0]),
        Invocation(T(2, 1, dtype=torch.int32), T(3, 4, dtype=torch.int32), [1], [0]),
        Invocation(T(2, 3, dtype=torch.float16), T(3, 4, dtype=torch.float16), [1], [0]),
    ],
    error=[
        Invocation(T(2, 3), T(4, 3), [1], [0]),
        Invocation(T(2, 3), T(3, 4), [1], []),
        Invocation(T(2, 3), T(3, 4), [2], [0]),
    ],
)
def tensordot(
    self: List[int], other: List[int], dims_self: List[int], dims_other: List[int]
) -> List[int]:
    """The dimensions that are not summed over, those of `self` first."""
    assert len(dims_self) == len(dims_other), (
        f"aten::tensordot: both need as many dimensions, got {dims_self} and {dims_other}"
    )
    left = [wrap_dim(dim, len(self)) for dim in dims_self]
    right = [wrap_dim(dim, len(other)) for dim in dims_other]
    for index in range(len(left)):
        size, other_size = self[left[index]], other[right[index]]
        assert size == other_size or size == 1 or other_size == 1, (
            f"aten::tensordot: summed sizes must match or be 1, got {size} and {other_size}"
        )
    out: List[int] = []
    for dim in range(len(self)):
        if dim not in left:
            out.append(self[dim])
    for dim in range(len(other)):
        if dim not in right:
            out.append(other[dim])
    return out


@dtype_function(
    "aten::tensordot",
    error=[Invocation(T(2, 3), T(3, 4, dtype=torch.float64), [1], [0])],
)
def tensordot_dtype(
    self: Tuple[int, int], other: Tuple[int, int], dims_self: List[int], dims_other: List[int]
) -> int:
    """Both operands have one dtype, which the product keeps."""
    assert self[1] == other[1], f"aten::tensordot: dtypes must match, got {self[1]} and {other[1]}"
    return self[1]


@shape_function(
    "aten::bilinear",
    ok=[
        Invocation(T(2, 3), T(2, 4), T(5, 3, 4)),
        Invocation(T(7, 2, 3), T(7, 2, 4), T(5, 3, 4), T(5)),
        Invocation(T(3), T(4), T(5, 3, 4), bias=None),
        Invocation(T(0, 3), T(0, 4), T(5, 3, 4), T(5)),
        Invocation(*[T(2, 2, dtype=torch.float16)] * 2, T(2, 2, 2, dtype=torch.float16)),
        Invocation(*[T(2, 2, dtype=torch.int32)] * 2, T(2, 2, 2, dtype=torch.int32)),
    ],
    error=[
        Invocation(T(), T(), T(5, 3, 4)),
        Invocation(T(2, 3), T(4), T(5, 3, 4)),
        Invocation(T(2, 3), T(1, 4), T(5, 3, 4)),
        Invocation(T(2, 3), T(2, 4), T(5, 3)),
        Invocation(T(2, 3), T(2, 4), T(5, 2, 4)),
        Invocation(T(2, 3), T(2, 4), T(5, 3, 3)),
        Invocation(T(2, 3), T(2, 4), T(5, 3, 4), T(4)),
    ],
)
def bilinear(
    input1: List[int], input2: List[int], weight: List[int], bias: Optional[List[int]] = None
) -> List[int]:
    """The batch dimensions of the inputs, and one entry per matrix in `weight`."""
    assert len(input1) > 0 and len(input1) == len(input2), (
        f"aten::bilinear: inputs need the same number of dimensions, got {input1} and {input2}"
    )
    assert len(weight) == 3, f"aten::bilinear: weight must have 3 dimensions, got shape {weight}"
    for index in range(len(input1) - 1):
        assert input1[index] == input2[index], (
            f"aten::bilinear: batch dimensions must match, got {input1} and {input2}"
        )
    assert input1[-1] == weight[1] and input2[-1] == weight[2], (
        f"aten::bilinear: weight {weight} does not fit {input1[-1]} and {input2[-1]} features"
    )
    if bias is not None:
        check_expands(bias, [weight[0]])
    return input1[:-1] + weight[:1]


@dtype_function(
    "aten::bilinear",
    error=[
        Invocation(T(2, 3, dtype=torch.float64), T(2, 4), T(5, 3, 4)),
        Invocation(T(2, 3), T(2, 4, dtype=torch.float64), T(5, 3, 4)),
    ],
)
def bilinear_dtype(
    input1: Tuple[int, int],
    input2: Tuple[int, int],
    weight: Tuple[int, int],
    bias: Optional[Tuple[int, int]] = None,
) -> int:
    """All operands have one dtype, which the result keeps."""
    assert input1[1] == input2[1] and input1[1] == weight[1], (
        f"aten::bilinear: dtypes must match, got {input1[1]}, {input2[1]} and {weight[1]}"
    )
    return input1[1]
