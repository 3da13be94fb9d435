"""Statistics of batches, by which normalization scales."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import computation_dtype, in_dtype
from torch_refine.abstract_interp_lib.rules.promotion import is_complex, is_integral


@decomposition(
    "aten::batch_norm_update_stats",
    ok=[
        Invocation(T(2, 3, 4), None, None, 0.1, device="cpu"),
        Invocation(T(4, 3, dtype=torch.float64), None, None, 0.1, device="cpu"),
        Invocation(T(4, 3, 2, 2, dtype=torch.bfloat16), None, None, 0.5, device="cpu"),
    ],
)
def batch_norm_update_stats(
    input: torch.Tensor,
    running_mean: Optional[torch.Tensor],
    running_var: Optional[torch.Tensor],
    momentum: float,
) -> Tuple[torch.Tensor, torch.Tensor]:
    """The mean and the variance of each channel.

    PyTorch's kernel writes to running statistics, although the schema says that it does not.
    """
    assert running_mean is None and running_var is None, "the kernel writes to its arguments"
    assert not is_integral(input.dtype) and not is_complex(input.dtype), "of real floats"
    assert input.dim() >= 2 and input.numel() > 0, "PyTorch rejects others"
    dims: List[int] = [0]
    for dim in range(input.dim() - 2):
        dims.append(dim + 2)
    wide = in_dtype(input, computation_dtype(input.dtype))
    mean = torch.mean(wide, dims)
    variance = torch.ops.aten.var(wide, dims, correction=0, keepdim=False)
    return in_dtype(mean, input.dtype), in_dtype(variance, input.dtype)
