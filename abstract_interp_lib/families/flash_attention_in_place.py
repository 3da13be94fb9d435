"""Flash attention that writes into a given tensor, and returns only what a backward pass needs."""

from typing import List, Optional

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    shape_family,
)


def softmax_logsumexp(query: List[int], cum_seq_q: Optional[List[int]]) -> List[int]:
    """A float for each head and position; positions of packed sequences are not batched."""
    if cum_seq_q is None:
        assert len(query) == 4, f"the query must have 4 dimensions, got shape {query}"
        return [query[0], query[2], query[1]]
    else:
        assert len(query) == 3, f"a packed query must have 3 dimensions, got shape {query}"
        return [query[1], query[0]]


def always_float32() -> int:
    """Logarithms of sums are float32."""
    return torch.float32


def _attention(*sizes: int, dtype: torch.dtype, packed: bool) -> Invocation:
    query = T(*sizes, dtype=dtype)
    lengths = T(3, dtype=torch.int32) if packed else None
    return Invocation(*[query] * 4, lengths, lengths, 5, 5, 0.0, False, False)


# It runs on CUDA only.
shape_family(
    softmax_logsumexp,
    "aten::_flash_attention_forward_no_dropout_inplace",
    ok=[
        _attention(2, 5, 4, 8, dtype=torch.float16, packed=False),
        _attention(2, 5, 4, 8, dtype=torch.bfloat16, packed=False),
        _attention(10, 4, 8, dtype=torch.float16, packed=True),
    ],
    error=[
        _attention(4, dtype=torch.float16, packed=False),
        _attention(4, dtype=torch.float16, packed=True),
    ],
)
dtype_family(always_float32, "aten::_flash_attention_forward_no_dropout_inplace")
