"""Padding whose mode is a number: what `pad` calls once it knows its mode."""

from typing import List, Optional

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, dtype_family, shape_function
from torch_refine.abstract_interp_lib.families.padding import pad as pad_by_name
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self


@shape_function(
    "aten::_pad_enum",
    ok=[
        Invocation(T(2, 3, 4), [3, 2], 0),
        Invocation(T(2, 3, 4, 5), [3, -1, 0, 2], 1),
        Invocation(T(3, 4), [4, 4], 2),
        Invocation(T(2, 3), [1, -2], 3),
        Invocation(T(2, 3), [1, 2], 3, 1.5),
        Invocation(T(2, 3, 4, dtype=torch.bfloat16), [1, 1], 1),
        Invocation(T(2, 3, 4, dtype=torch.int64), [1, 1], 2),
        Invocation(T(2, 3, 4, dtype=torch.bool), [1, 1], mode=3, value=1.0),
    ],
    error=[
        Invocation(T(2, 3, 4), [1, 1], 4),
        Invocation(T(2, 3, 4), [1, 1], -1),
        Invocation(T(2, 3, 4), [4, 0], 0),
        Invocation(T(2, 3, 4, 5), [1, 1], 1),
        Invocation(T(2, 3, 4), [1, 1], 0, 1.0),
    ],
)
def _pad_enum(
    self: List[int], pad: List[int], mode: int, value: Optional[float] = None
) -> List[int]:
    """As `pad` in the mode reflect, replicate, circular or constant, numbered from 0."""
    assert mode >= 0 and mode < 4, f"aten::_pad_enum: modes are numbered from 0 to 3, got {mode}"
    return pad_by_name(self, pad, ["reflect", "replicate", "circular", "constant"][mode], value)


dtype_family(dtype_of_self, "aten::_pad_enum")
