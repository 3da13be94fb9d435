"""Padding with elements of the tensor: reflected ones, those of the border, or those opposite."""

from typing import List

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    decomposition,
    decomposition_family,
)
from torch_refine.abstract_interp_lib.rules.unknown import is_known

_REFLECTED, _REPLICATED, _CIRCULAR = 0, 1, 2


def border(self: torch.Tensor, dim: int, count: int, is_end: bool, kind: int) -> torch.Tensor:
    """The elements beyond an end of a dimension."""
    size = self.size(dim)
    if kind == 0:
        start = size - 1 - count if is_end else 1
        return torch.flip(torch.ops.aten.slice(self, dim, start, start + count, 1), [dim])
    if kind == 2:
        start = 0 if is_end else size - count
        return torch.ops.aten.slice(self, dim, start, start + count, 1)
    start = size - 1 if is_end else 0
    sizes: List[int] = []
    for place in range(self.dim()):
        sizes.append(count if place == dim else self.size(place))
    return torch.ops.aten.slice(self, dim, start, start + 1, 1).expand(sizes)


def padded_at_once(self: torch.Tensor, dim: int, before: int, after: int, kind: int) -> bool:
    """Whether the dimension is known to be long enough for both ends, of which none is cropped."""
    size = self.size(dim)
    if not (is_known(size) and is_known(before) and is_known(after)):
        return False
    least = 1 if kind == 1 else max(before, after)
    return before >= 0 and after >= 0 and size >= (least + 1 if kind == 0 else least)


def padded(self: torch.Tensor, dim: int, before: int, after: int, kind: int) -> torch.Tensor:
    """A dimension with elements added at its ends; rows of the input are copied as a whole."""
    size = self.size(dim)
    if padded_at_once(self, dim, before, after, kind):
        parts: List[torch.Tensor] = []
        if before > 0:
            parts.append(border(self, dim, before, False, kind))
        parts.append(self)
        if after > 0:
            parts.append(border(self, dim, after, True, kind))
        return torch.cat(parts, dim) if len(parts) > 1 else self
    places = torch.sub(torch.arange(size + before + after, dtype=torch.int64), before)
    if kind == 0:
        places = torch.rsub(torch.abs(torch.rsub(torch.abs(places), size - 1)), size - 1)
    elif kind == 1:
        places = torch.clamp(places, 0, size - 1)
    else:
        places = torch.remainder(places, size)
    return torch.index_select(self, dim, places)


def with_borders(self: torch.Tensor, padding: List[int], kind: int) -> torch.Tensor:
    """The last dimensions padded, from the last one on."""
    found = self
    for index in range(len(padding) // 2):
        dim = self.dim() - 1 - index
        found = padded(found, dim, padding[2 * index], padding[2 * index + 1], kind)
    return found


_ROWS = [Invocation(T(2, 3, 4), [3, 1]), Invocation(T(3, 4), [-1, 2]), Invocation(T(3, 4), [0, 0])]
_IMAGES = [Invocation(T(2, 4, 5), [1, 0, 2, 3]), Invocation(T(1, 2, 4, 5), [4, -2, -1, 3])]
_VOLUMES = [Invocation(T(2, 4, 5, 6), [5, 1, 0, 4, 3, 2])]
decomposition_family(with_borders, "aten::reflection_pad1d", ok=_ROWS, kind=_REFLECTED)
decomposition_family(with_borders, "aten::reflection_pad2d", ok=_IMAGES, kind=_REFLECTED)
decomposition_family(with_borders, "aten::reflection_pad3d", ok=_VOLUMES, kind=_REFLECTED)
decomposition_family(with_borders, "aten::replication_pad1d", ok=_ROWS, kind=_REPLICATED)
decomposition_family(with_borders, "aten::replication_pad2d", ok=_IMAGES, kind=_REPLICATED)
decomposition_family(with_borders, "aten::replication_pad3d", ok=_VOLUMES, kind=_REPLICATED)


@decomposition(
    "aten::_pad_circular",
    ok=[
        Invocation(T(2, 3, 4), [4, 1]),
        Invocation(T(1, 2, 4, 5), [4, 0, 2, 3]),
        Invocation(T(2, 3, 4), [-1, 2]),
        Invocation(T(1, 2, 6, 5), [2, -1, -4, 2]),
        Invocation(T(2, 3, 4), [-1, -2]),
    ],
)
def _pad_circular(self: torch.Tensor, pad: List[int]) -> torch.Tensor:
    """The last dimensions, cropped, and continued by their other ends."""
    found = self
    for index in range(len(pad) // 2):
        dim = self.dim() - 1 - index
        before, after = pad[2 * index], pad[2 * index + 1]
        if before < 0 or after < 0:
            end = found.size(dim) - max(-after, 0)
            found = torch.ops.aten.slice(found, dim, max(-before, 0), end, 1)
            before, after = max(before, 0), max(after, 0)
            if before > 0 or after > 0:
                # The kernel copies elements that it has not written.
                assert max(before, after) <= found.size(dim), "the kept elements are too few"
        found = padded(found, dim, before, after, 2)
    return found
