"""Complex dtypes and the real dtypes of their parts."""

import torch


def real_dtype(dtype: int) -> int:
    """The dtype of a complex dtype's real part; a dtype that is not complex stays what it is."""
    if dtype == torch.complex64:
        return torch.float32
    elif dtype == torch.complex128:
        return torch.float64
    elif dtype == torch.complex32:
        return torch.float16
    else:
        return dtype
