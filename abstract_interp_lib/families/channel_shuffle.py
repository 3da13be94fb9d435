"""Shuffled channels, as the kernel for the CPU does it."""

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, dtype_family, shape_family
from torch_refine.abstract_interp_lib.families.rearranging import channel_shuffle_rule
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self

shape_family(
    channel_shuffle_rule,
    "aten::native_channel_shuffle",
    ok=[
        Invocation(T(1, 4, 6, 3), 2),
        Invocation(T(2, 4, 6), 4),
        Invocation(T(1, 4, 6, dtype=torch.bfloat16), 2),
        Invocation(T(1, 4, 6, dtype=torch.int64), 2),
    ],
    error=[Invocation(T(4, 6), 2), Invocation(T(1, 5, 6), 2), Invocation(T(1, 4, 6), 0)],
)
dtype_family(dtype_of_self, "aten::native_channel_shuffle")
