"""The primitive operators that PyTorch decomposes to: no promotion, no broadcasting.

A zero-dim tensor may stand beside others. The meta kernels reject what only the CPU allows.
Results follow the CPU where the two disagree. A Python number may stand beside tensors too; in a
program it is a zero-dim tensor, of the dtype that `torch.tensor` gives it, and it promotes.
"""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.rules.promotion import int_to_float, promote_two


def same_or_zero_dim(left: List[int], right: List[int]) -> List[int]:
    """One shape of two that must be the same, unless one is zero-dim."""
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
    """Two tensors have one shape, unless one is zero-dim."""
    return same_or_zero_dim(self, other)


def is_number(left: Tuple[int, int], right: Tuple[int, int]) -> bool:
    """Whether the left of two operands of different dtypes is a number: it is zero-dim.

    Where both are zero-dim, the right one is the number if it has a dtype that numbers have.
    """
    literal = right[1] in [torch.bool, torch.int64, torch.float32, torch.complex64]
    return left[1] != right[1] and left[0] == 0 and (right[0] > 0 or not literal)


def one_dtype(left: Tuple[int, int], right: Tuple[int, int]) -> int:
    """The dtype that two tensors have, or to which a tensor and a number promote."""
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
    """Two tensors have one dtype, which the result keeps."""
    return one_dtype(self, other)


def strict_float(self: Tuple[int, int], other: Tuple[int, int]) -> int:
    """Two tensors have one dtype, which the result keeps; integers and bool become float32."""
    return int_to_float(one_dtype(self, other))


def strict_bool(self: Tuple[int, int], other: Tuple[int, int]) -> int:
    """Two tensors of one dtype are compared."""
    one_dtype(self, other)
    return torch.bool


def check_dim(dim: int, rank: int) -> None:
    """Raise for a dimension that a tensor does not have; negative ones do not count."""
    assert dim >= 0 and dim < rank, f"dimension {dim} is out of range for rank {rank}"


def check_dims(dims: List[int], rank: int) -> None:
    """Raise for dimensions that a tensor does not have; a zero-dim one counts as having one."""
    for dim in dims:
        check_dim(dim, max(rank, 1))


def check_permutation(dims: List[int], rank: int) -> None:
    """Raise unless every dimension is named once."""
    assert len(dims) == rank, f"all of {rank} dimensions must be named, got {dims}"
    for index in range(rank):
        check_dim(dims[index], rank)
        assert dims[index] not in dims[:index], f"a dimension is named twice in {dims}"
