"""The bits of floats."""

import torch


def int_of_width(dtype: int) -> int:
    """The integers with as many bits as a float."""
    if dtype == torch.float64:
        return torch.int64
    return torch.int32 if dtype == torch.float32 else torch.int16


def has_sign(self: torch.Tensor) -> torch.Tensor:
    """Whether the sign's bit is set, also of 0 and NaN."""
    return torch.lt(torch.ops.aten.view_copy(self, dtype=int_of_width(self.dtype)), 0)
