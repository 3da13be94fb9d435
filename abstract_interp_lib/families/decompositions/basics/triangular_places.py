"""The places of the elements of triangles of a matrix: `tril_indices`, `triu_indices`."""

from typing import Optional

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition_family
from torch_refine.abstract_interp_lib.rules.decomposing import in_dtype
from torch_refine.abstract_interp_lib.rules.formulas.triangles import lower_entries


def places_where(mask: torch.Tensor, count: int, dtype: Optional[int]) -> torch.Tensor:
    """The rows and the columns where a mask is true, in a known number."""
    found = torch.transpose(torch.nonzero_static(mask, size=count), 0, 1)
    return found if dtype is None else in_dtype(found, dtype)


def is_lower(row: int, col: int, offset: int) -> torch.Tensor:
    """Whether elements are on or below a diagonal."""
    rows = torch.unsqueeze(torch.arange(row, dtype=torch.int64), 1)
    return torch.le(torch.sub(torch.arange(col, dtype=torch.int64), rows), offset)


def lower_places(row: int, col: int, offset: int, dtype: Optional[int]) -> torch.Tensor:
    """On and below a diagonal."""
    return places_where(is_lower(row, col, offset), lower_entries(row, col, offset), dtype)


def upper_places(row: int, col: int, offset: int, dtype: Optional[int]) -> torch.Tensor:
    """On and above a diagonal."""
    count = row * col - lower_entries(row, col, offset - 1)
    return places_where(torch.logical_not(is_lower(row, col, offset - 1)), count, dtype)


decomposition_family(lower_places, "aten::tril_indices")
decomposition_family(upper_places, "aten::triu_indices")
