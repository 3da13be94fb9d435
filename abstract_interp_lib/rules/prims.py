"""The primitive operators that PyTorch decomposes to: no promotion, no broadcasting.

One operand may be a 0-dim tensor. The meta kernels reject what only the CPU kernels accept;
otherwise results follow the CPU where the two differ. One operand may also be a Python scalar; in a
program it is a 0-dim tensor, with the dtype that `torch.tensor` gives it, and it promotes.
"""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.rules.promotion import int_to_float, promote_two


def same_or_zero_dim(left: List[int], right: List[int]) -> List[int]:
    """The common shape of two operands, which must match unless one is 0-dim."""
    if len(left) == 0:
        return right
    elif len(right) == 0:
        return left
    else:
        assert len(left) == len(right), f"ranks must match, got shapes {left} and {right}"
        out: List[int] = []
        for index in range(len(left)):
            size = left[index]
            assert size == right[index], f"sizes must match, got shapes {left} and {right}"
            out.append(size)
        return out


def strict_shape(self: List[int], other: List[int]) -> List[int]:
    """Two tensors have the same shape, unless one is 0-dim."""
    return same_or_zero_dim(self, other)


def is_number(left: Tuple[int, int], right: Tuple[int, int]) -> bool:
    """Whether the left of two operands of different dtypes is a scalar: it is 0-dim.

    If both are 0-dim, the right one is the scalar if it has the dtype of a Python scalar.
    """
    literal = right[1] in [torch.bool, torch.int64, torch.float32, torch.complex64]
    return left[1] != right[1] and left[0] == 0 and (right[0] > 0 or not literal)


def one_dtype(left: Tuple[int, int], right: Tuple[int, int]) -> int:
    """The common dtype of two tensors, or the promoted dtype of a tensor and a scalar."""
    assert left[1] == right[1] or left[0] == 0 or right[0] == 0, (
        f"dtypes must match, got {left[1]} and {right[1]}"
    )
    if left[1] == right[1]:
        return left[1]
    elif is_number(left, right):
        return promote_two((0, left[1]), (1, right[1]))
    else:
        return promote_two((1, left[1]), (0, right[1]))


def strict_dtype(self: Tuple[int, int], other: Tuple[int, int]) -> int:
    """Two tensors have the same dtype, which the result keeps."""
    return one_dtype(self, other)


def strict_float(self: Tuple[int, int], other: Tuple[int, int]) -> int:
    """Two tensors have the same dtype, which the result keeps; integers and bool become float32."""
    return int_to_float(one_dtype(self, other))


def strict_bool(self: Tuple[int, int], other: Tuple[int, int]) -> int:
    """Two tensors of the same dtype are compared."""
    one_dtype(self, other)
    return torch.bool


def check_dim(dim: int, rank: int) -> None:
    """Raise unless `dim` is in range; negative dimensions are not wrapped."""
    assert dim >= 0 and dim < rank, f"dimension {dim} is out of range for rank {rank}"


def check_dims(dims: List[int], rank: int) -> None:
    """Raise for dimensions out of range; a 0-dim tensor counts as having one."""
    for dim in dims:
        check_dim(dim, max(rank, 1))


def check_permutation(dims: List[int], rank: int) -> None:
    """Raise unless `dims` is a permutation."""
    assert len(dims) == rank, f"expected {rank} dimensions, got {dims}"
    for index in range(rank):
        check_dim(dims[index], rank)
        assert dims[index] not in dims[:index], f"a dimension appears multiple times in {dims}"
