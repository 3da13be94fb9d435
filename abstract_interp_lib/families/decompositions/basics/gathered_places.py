"""Elements at indices of some dimensions, as at those of all."""

from typing import List, Optional

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, decomposition
from torch_refine.abstract_interp_lib.rules.formulas.indexed_dims import (
    are_integers,
    given_of,
    indexed_first,
    indices_of_all,
    is_consecutive,
    places_of,
)

_PLACES = T(2, dtype=torch.int64, values=[0, -2])


@decomposition(
    "aten::index.Tensor",
    ok=[
        Invocation(T(4, 3), [_PLACES, _PLACES], device="cpu"),
        Invocation(T(4, 3, 5), [None, _PLACES], device="cpu"),
        Invocation(T(4, 3), [T(2, dtype=torch.int32, values=[1, -1])], device="cpu"),
        Invocation(T(4, 3, 5), [_PLACES, None, _PLACES], device="cpu"),
        Invocation(
            T(4, 3, 5, 2),
            [None, _PLACES, T(2, 1, dtype=torch.int64, values=[1, 0])],
            device="cpu",
        ),
    ],
)
def index(self: torch.Tensor, indices: List[Optional[torch.Tensor]]) -> torch.Tensor:
    """Other dimensions are indexed by all their numbers."""
    assert are_integers(indices), "concerns only integer indices"
    places, given = places_of(indices), given_of(indices)
    if len(places) == len(indices):
        return torch.ops.aten.index(self, given)
    turned = torch.permute(self, indexed_first(places, self.dim()))
    first = places[0] if is_consecutive(places) else 0
    return torch.ops.aten.index(turned, indices_of_all(turned, given, first))
