"""Writes by lists of indices without gaps, which TorchScript has overloads for."""

from typing import List, Optional

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    decomposition,
    decomposition_family,
)
from torch_refine.abstract_interp_lib.rules.decomposing import in_dtype
from torch_refine.abstract_interp_lib.rules.formulas.complex_parts import is_covered
from torch_refine.abstract_interp_lib.rules.formulas.indexed_dims import from_front
from torch_refine.abstract_interp_lib.rules.formulas.shared_shapes import broadcast_all

_WRITES = [
    Invocation(T(4, 3), [T(2, dtype=torch.int64, values=[-1, 2])], T(3), device="cpu"),
    Invocation(
        T(4, 3),
        [T(2, dtype=torch.int64, values=[-4, 2]), T(1, dtype=torch.int64, values=[-1])],
        T(),
        True,
        device="cpu",
    ),
    Invocation(
        T(4, 3, 2),
        [T(2, 1, dtype=torch.int64, values=[-4, 2]), T(1, 3, dtype=torch.int64, values=[0, 2, 1])],
        T(1),
        device="cpu",
    ),
    Invocation(
        T(4, 3, dtype=torch.complex64),
        [T(2, dtype=torch.int64, values=[-4, 2])],
        T(1, dtype=torch.complex64),
        device="cpu",
    ),
    Invocation(
        T(4, 3, dtype=torch.bool),
        [T(dtype=torch.int64, values=[2])],
        T(dtype=torch.bool),
        True,
        device="cpu",
    ),
]


def sizes_of(self: torch.Tensor) -> List[int]:
    """The sizes, as a list that may be changed."""
    sizes: List[int] = []
    for dim in range(self.dim()):
        sizes.append(self.size(dim))
    return sizes


def put_rows(
    self: torch.Tensor, indices: List[torch.Tensor], values: torch.Tensor, accumulate: bool
) -> torch.Tensor:
    """Real elements, written by int64, and in a dimension of indices, which the conversion needs."""
    rank = 0
    for each in indices:
        rank = max(rank, each.dim())
    counted: List[torch.Tensor] = []
    for dim in range(len(indices)):
        place = from_front(indices[dim], self.size(dim))
        counted.append(torch.reshape(place, [1]) if rank == 0 else place)
    kept: List[int] = [1]
    if rank > 1 and len(indices) > 1:
        counted = broadcast_all(counted)
        kept = sizes_of(counted[0])
    count = 1
    for size in kept:
        count = count * size
    flat: List[int] = [count]
    for dim in range(len(indices), self.dim()):
        kept.append(self.size(dim))
        flat.append(self.size(dim))
    if rank == 0:
        values = values.expand(kept)
    elif rank > 1 and len(indices) > 1 and values.dim() <= len(kept):
        # The conversion takes indices of several dimensions for those of one.
        values = torch.reshape(values.expand(kept), flat)
        counted = [torch.reshape(each, [count]) for each in counted]
    return torch.ops.aten.index_put(self, counted, values, accumulate)


def put_by_tensors(
    self: torch.Tensor,
    indices: List[torch.Tensor],
    values: torch.Tensor,
    accumulate: bool = False,
) -> torch.Tensor:
    """Of complex numbers, pairs of parts are written; masks are decomposed elsewhere."""
    for each in indices:
        assert each.dtype != torch.bool and each.dtype != torch.uint8, "concerns only integers"
    if is_covered(self):
        pairs, written = torch.view_as_real(self), torch.view_as_real(values)
        return torch.view_as_complex(put_rows(pairs, indices, written, accumulate))
    if accumulate and self.dtype == torch.bool:
        # One is true if any of those added is.
        wide = in_dtype(self, torch.int64)
        return in_dtype(put_rows(wide, indices, in_dtype(values, torch.int64), True), torch.bool)
    return put_rows(self, indices, values, accumulate)


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
