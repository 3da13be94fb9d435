"""Tensor products and contractions: `dot`, `outer`, `kron`, `tensordot`, `einsum`."""

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
from torch_refine.abstract_interp_lib.rules.broadcast import broadcast_two
from torch_refine.abstract_interp_lib.rules.dims import wrap_dim
from torch_refine.abstract_interp_lib.rules.formulas.einsum_labels import (
    joined,
    operand_labels,
    output_labels,
    read_equation,
)
from torch_refine.abstract_interp_lib.rules.matching import check_expands
from torch_refine.abstract_interp_lib.rules.promotion import (
    check_number,
    is_integral,
    promote_dtypes,
    promote_list,
    promote_two,
)
from torch_refine.abstract_interp_lib.rules.unknown import either_dtype


def check_vectors(left: List[int], right: List[int]) -> None:
    """Raise unless both operands are 1-D."""
    assert len(left) == 1, f"the first operand must be 1-D, got shape {left}"
    assert len(right) == 1, f"the second operand must be 1-D, got shape {right}"


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
    """Both vectors have the same dtype, which the result keeps."""
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
    """Both vectors have the same dtype, which the result keeps."""
    assert self[1] == other[1], f"aten::vdot: dtypes must match, got {self[1]} and {other[1]}"
    return self[1]


def outer_rule(self: List[int], vec2: List[int]) -> List[int]:
    """The outer product of two vectors."""
    check_vectors(self, vec2)
    return [self[0], vec2[0]]


def outer_dtype_rule(self: Tuple[int, int], vec2: Tuple[int, int]) -> int:
    """The operands promote."""
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
    """`self`, expanded, plus the outer product of `vec1` and `vec2`."""
    check_vectors(vec1, vec2)
    out = [vec1[0], vec2[0]]
    check_expands(self, out)
    return out


# For the meta kernel a 0-dim `self` promotes as such; a device kernel expands it first.
@dtype_function(
    "aten::addr",
    ok=[Invocation(T(dtype=torch.float64), T(2), T(3), device="cpu")],
    error=[
        Invocation(T(dtype=torch.int8), *[T(2, dtype=torch.int8)] * 2, alpha=300, device="cpu"),
        Invocation(T(dtype=torch.int8), *[T(2, dtype=torch.int8)] * 2, beta=300, device="cpu"),
    ],
)
def addr_dtype(
    self: Tuple[int, int],
    vec1: Tuple[int, int],
    vec2: Tuple[int, int],
    beta: Union[int, float, complex] = 1,
    alpha: Union[int, float, complex] = 1,
) -> int:
    """The operands promote, `self` after expansion, to the dtype that the scalars are cast to."""
    ranks: List[Optional[int]] = [2, 1, 1]
    promoted = promote_dtypes(ranks, [self[1], vec1[1], vec2[1]])
    check_number(beta, promoted)
    check_number(alpha, promoted)
    return promoted


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
    """The last dimensions are contracted; a 0-dim operand multiplies."""
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
    """A 0-dim operand promotes with the other; otherwise both have the same dtype."""
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
    """Sizes are multiplied, aligned from the last dimension."""
    rank = max(len(self), len(other))
    left = [1] * (rank - len(self)) + self
    right = [1] * (rank - len(other)) + other
    return [left[index] * right[index] for index in range(rank)]


@dtype_function("aten::kron")
def kron_dtype(self: Tuple[int, int], other: Tuple[int, int]) -> int:
    """The operands promote after both are given the same rank."""
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
    """The dimensions that are not contracted, those of `self` first."""
    assert len(dims_self) == len(dims_other), (
        f"aten::tensordot: both operands must contract the same number of dimensions, got {dims_self} and {dims_other}"
    )
    left = [wrap_dim(dim, len(self)) for dim in dims_self]
    right = [wrap_dim(dim, len(other)) for dim in dims_other]
    for index in range(len(left)):
        size, other_size = self[left[index]], other[right[index]]
        assert size == other_size or size == 1 or other_size == 1, (
            f"aten::tensordot: contracted sizes must match or be 1, got {size} and {other_size}"
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
    """Both operands have the same dtype, which the result keeps."""
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
    """The batch dimensions of the inputs, and one output feature per matrix in `weight`."""
    assert len(input1) > 0 and len(input1) == len(input2), (
        f"aten::bilinear: inputs must have the same rank, got {input1} and {input2}"
    )
    assert len(weight) == 3, f"aten::bilinear: weight must have 3 dimensions, got shape {weight}"
    for index in range(len(input1) - 1):
        assert input1[index] == input2[index], (
            f"aten::bilinear: batch dimensions must match, got {input1} and {input2}"
        )
    assert input1[-1] == weight[1] and input2[-1] == weight[2], (
        f"aten::bilinear: weight {weight} does not match {input1[-1]} and {input2[-1]} features"
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
    """All operands have the same dtype, which the result keeps."""
    assert input1[1] == input2[1] and input1[1] == weight[1], (
        f"aten::bilinear: dtypes must match, got {input1[1]}, {input2[1]} and {weight[1]}"
    )
    return input1[1]


def check_diagonals(labels: List[int], sizes: List[int]) -> None:
    """Raise unless dimensions of one operand with the same label have the same size."""
    for index in range(len(labels)):
        first = labels.index(labels[index])
        assert first == index or sizes[first] == sizes[index], (
            f"aten::einsum: dimensions {first} and {index} of shape {sizes} must match"
        )


def label_size(label: int, labels: List[List[int]], tensors: List[List[int]]) -> int:
    """The broadcast size of the dimensions with a label."""
    size = 1
    for index in range(len(labels)):
        if label in labels[index]:
            given = tensors[index][labels[index].index(label)]
            size = broadcast_two([size], [given])[0]
    return size


@shape_function(
    "aten::einsum",
    ok=[
        Invocation("ij,jk->ik", [T(2, 3), T(3, 4)]),
        Invocation("ij,jk", [T(2, 3), T(3, 4)]),
        Invocation("ba", [T(2, 3)]),
        Invocation("aB", [T(2, 3)]),
        Invocation(" b h i d , b h j d -> b h i j ", [T(2, 4, 3, 5), T(2, 4, 6, 5)]),
        Invocation("ii", [T(3, 3)]),
        Invocation("ii->i", [T(3, 3)]),
        Invocation("iji->j", [T(3, 2, 3)]),
        Invocation("...ij,...jk->...ik", [T(5, 1, 2, 3), T(7, 3, 4)]),
        Invocation("...ij,...jk", [T(2, 3), T(7, 3, 4)]),
        Invocation("i...->...", [T(2, 3, 4)]),
        Invocation("...->", [T(2, 3)]),
        Invocation("...ij->j...i", [T(5, 6, 2, 3)]),
        Invocation("i,i->", [T(1), T(3)]),
        Invocation("i,j,k->kji", [T(2), T(3), T(4)]),
        Invocation(",->", [T(), T()]),
        Invocation("", [T()]),
        Invocation("...", [T(2)]),
        Invocation("ij->...ji", [T(2, 3)]),
        Invocation("bn,anm,bm->ba", [T(2, 5), T(3, 5, 4), T(2, 4)], path=[0, 1, 0, 1]),
        Invocation("ij,jk->ik", [T(0, 3), T(3, 4)]),
        Invocation("ij,jk->ik", [T(2, 0), T(0, 4)]),
    ],
    error=[
        Invocation("ij,jk->ik", [T(2, 3), T(4, 4)]),
        Invocation("ij,jk->ik", [T(2, 3)]),
        Invocation("ij->i", [T(2, 3), T(2, 3)]),
        Invocation("ij->i", [T(2, 3, 4)]),
        Invocation("ij...k->i", [T(2, 3)]),
        Invocation("......->", [T(2, 3)]),
        Invocation("ii->i", [T(2, 3)]),
        Invocation("ij->k", [T(2, 3)]),
        Invocation("ij->ii", [T(2, 3)]),
        Invocation("ij->i,j", [T(2, 3)]),
        Invocation("i1->i", [T(2, 3)]),
        Invocation("i.j->i", [T(2, 3)]),
        Invocation("ij-i", [T(2, 3)]),
        Invocation("...i,...i->...i", [T(2, 3), T(4, 3)]),
    ],
)
def einsum(equation: str, tensors: List[List[int]], path: Optional[List[int]] = None) -> List[int]:
    """The sizes of the output labels in the operands (`torch.einsum`)."""
    read = read_equation(equation)
    ranks = [len(tensor) for tensor in tensors]
    labels = operand_labels(read, ranks)
    wanted = output_labels(read, labels)
    for index in range(len(tensors)):
        check_diagonals(labels[index], tensors[index])
    for label in joined(labels):
        if label not in wanted:
            label_size(label, labels, tensors)
    return [label_size(label, labels, tensors) for label in wanted]


def sums_a_dimension(equation: str, rank: int) -> bool:
    """Whether an equation for one operand reduces a dimension."""
    read = read_equation(equation)
    labels = operand_labels(read, [rank])
    wanted = output_labels(read, labels)
    out = False
    for label in labels[0]:
        out = out or label not in wanted
    return out


@dtype_function(
    "aten::einsum",
    ok=[
        Invocation("ij,jk->ik", [T(2, 3, dtype=torch.bfloat16), T(3, 4, dtype=torch.bfloat16)]),
        Invocation("ij,jk->ik", [T(2, 3, dtype=torch.int64), T(3, 4, dtype=torch.int64)]),
        Invocation("ij,jk->ik", [T(2, 3, dtype=torch.int32), T(3, 4, dtype=torch.int32)]),
        Invocation("ij,jk", [T(2, 3, dtype=torch.complex64), T(3, 4, dtype=torch.complex64)]),
        Invocation("i,j->ij", [T(2, dtype=torch.bool), T(3, dtype=torch.bool)]),
        Invocation("i,j->ij", [T(2, dtype=torch.float16), T(3, dtype=torch.bfloat16)]),
        Invocation("i,j->ij", [T(2, dtype=torch.float16), T(3, dtype=torch.int64)]),
        Invocation(",->", [T(dtype=torch.float16), T(dtype=torch.float64)]),
        Invocation("i,->i", [T(2, dtype=torch.float16), T(dtype=torch.float64)]),
        Invocation("ij->i", [T(2, 3, dtype=torch.int32)]),
        Invocation("ij->ji", [T(2, 3, dtype=torch.int32)]),
        Invocation("ii", [T(3, 3, dtype=torch.bool)]),
        Invocation("ii->i", [T(3, 3, dtype=torch.bool)]),
        Invocation("...i->i", [T(3, 3, dtype=torch.uint8)]),
    ],
)
def einsum_dtype(
    equation: str, tensors: List[Tuple[int, int]], path: Optional[List[int]] = None
) -> int:
    """The dtype of the operands; a sum over one operand of small integers is int64.

    With several operands, a dimension of small integers is summed separately if the other operand
    lacks it or has size 1 there. Operands of different dtypes promote, except for empty ones.
    """
    operands: List[Tuple[int, int]] = []
    for tensor in tensors:
        operands.append((1, tensor[1]))
    dtype = promote_list(operands)
    other = torch.int64 if is_integral(dtype) else dtype
    if len(tensors) == 1:
        if other != dtype and sums_a_dimension(equation, tensors[0][0]):
            dtype = torch.int64
    else:
        for tensor in tensors:
            if tensor[1] != dtype:
                other = tensor[1]
        if other != dtype:
            dtype = either_dtype(dtype, other)
    return dtype
