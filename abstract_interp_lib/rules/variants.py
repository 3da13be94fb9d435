"""In-place and `out=` variants: what they add to the function of the operator that they are of."""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.rules.promotion import is_complex, is_integral


def shape_in_place(self: List[int], result: List[int]) -> List[int]:
    """The shape of `self`, which is that of the result or the operator raises."""
    assert len(self) == len(result), (
        f"an in-place operator keeps the shape of self, {self}; the result has {result}"
    )
    for i in range(len(self)):
        assert self[i] == result[i], (
            f"an in-place operator keeps the shape of self, {self}; the result has {result}"
        )
    return self


def dtype_written(written: Tuple[int, int], result: int) -> int:
    """The dtype of the tensor that is written to, to which the result's must be castable.

    As `torch.can_cast` has it: complex to real, floating to integer and anything to bool are not.
    """
    dtype = written[1]
    assert dtype == result or (
        (is_complex(dtype) or not is_complex(result))
        and (not is_integral(dtype) or is_integral(result))
        and dtype != torch.bool
    ), f"a result of dtype {result} cannot be cast to the dtype {dtype} of what it is written to"
    return dtype


def dtype_of_written(written: Tuple[int, int], result: int) -> int:
    """The dtype of the tensor that is written to, where anything may be written to it."""
    return written[1]
