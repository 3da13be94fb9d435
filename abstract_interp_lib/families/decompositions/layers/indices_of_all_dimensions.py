"""Writes by lists of indices without gaps, which TorchScript has overloads for."""

from typing import List, Optional

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    decomposition,
    decomposition_family,
)

_WRITES = [
    Invocation(T(4, 3), [T(2, dtype=torch.int64, values=[-1, 2])], T(3), device="cpu"),
    Invocation(
        T(4, 3),
        [T(2, dtype=torch.int64, values=[-4, 2]), T(1, dtype=torch.int64, values=[-1])],
        T(),
        True,
        device="cpu",
    ),
]


def put_by_tensors(
    self: torch.Tensor,
    indices: List[torch.Tensor],
    values: torch.Tensor,
    accumulate: bool = False,
) -> torch.Tensor:
    """The write with a list that may have gaps; masks are decomposed elsewhere."""
    found: List[Optional[torch.Tensor]] = []
    for each in indices:
        assert each.dtype != torch.bool and each.dtype != torch.uint8, "concerns only integers"
        found.append(each)
    return torch.ops.aten.index_put(self, found, values, accumulate)


decomposition_family(
    put_by_tensors,
    "aten::index_put.hacked_twin",
    "aten::_unsafe_index_put.hacked_twin",
    ok=_WRITES,
)


@decomposition("aten::_unsafe_index_put", ok=_WRITES)
def _unsafe_index_put(
    self: torch.Tensor,
    indices: List[Optional[torch.Tensor]],
    values: torch.Tensor,
    accumulate: bool = False,
) -> torch.Tensor:
    """Indices are always checked."""
    return torch.ops.aten.index_put(self, indices, values, accumulate)
