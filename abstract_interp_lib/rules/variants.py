"""In-place and out variants: the checks they add to the function of the base operator."""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.rules.promotion import is_complex, is_integral


def shape_in_place(self: List[int], result: List[int]) -> List[int]:
    """The shape of `self`, which must equal that of the result."""
    assert len(self) == len(result), (
        f"self of shape {self} cannot hold the result of shape {result} in place"
    )
    for i in range(len(self)):
        assert self[i] == result[i], (
            f"self of shape {self} cannot hold the result of shape {result} in place"
        )
    return self


def dtype_written(written: Tuple[int, int], result: int) -> int:
    """The dtype of the tensor written to, to which the result dtype must be castable.

    As in `torch.can_cast`: complex to real, floating to integer, and anything to bool are not.
    """
    dtype = written[1]
    assert dtype == result or (
        (is_complex(dtype) or not is_complex(result))
        and (not is_integral(dtype) or is_integral(result))
        and dtype != torch.bool
    ), f"result dtype {result} cannot be cast to output dtype {dtype}"
    return dtype


def dtype_of_written(written: Tuple[int, int], result: int) -> int:
    """The dtype of the tensor written to, which accepts any result dtype."""
    return written[1]
