"""Attention whose scores a function changes, as matmuls and a softmax."""

import pytest
import torch
import torch_refine
from torch import nn
from torch.nn.attention.flex_attention import AuxRequest, create_block_mask, flex_attention

pytestmark = pytest.mark.filterwarnings("ignore:flex_attention called without torch.compile")


def _causal(batch, head, query, key):
    return query >= key


def _near(batch, head, query, key):
    return (query - key).abs() < 3


def _none(batch, head, query, key):
    return key < 0


def _capped(score, batch, head, query, key):
    return 5 * torch.tanh(score / 5) - 0.1 * (query - key)


class Attention(nn.Module):
    def __init__(self, score=None, mask=None, is_biased=False):
        super().__init__()
        self.bias = nn.Parameter(torch.randn(4))
        self.score, self.mask = score, mask
        if is_biased:
            self.score = lambda score, batch, head, query, key: score + self.bias[head] * key

    def forward(self, query, key, value):
        mask = None
        if self.mask is not None:
            sizes = query.shape[2], key.shape[2]
            mask = create_block_mask(self.mask, None, None, *sizes, device="cpu")
        result, others = flex_attention(
            query,
            key,
            value,
            score_mod=self.score,
            block_mask=mask,
            enable_gqa=True,
            return_aux=AuxRequest(lse=True),
        )
        return result, others.lse


@pytest.mark.parametrize(
    ("model", "dtype"),
    [
        (Attention(_capped, _causal), torch.bfloat16),
        (Attention(mask=_near), torch.float64),
        (Attention(mask=_none), torch.float32),
        (Attention(mask=_causal, is_biased=True), torch.float32),
    ],
)
def test_attention_with_functions(model, dtype):
    torch.manual_seed(0)
    torch._dynamo.reset()
    query = torch.randn(2, 4, 9, 8, dtype=dtype)
    key, value = torch.randn(2, 2, 2, 13, 8, dtype=dtype)
    bounds = {"atol": 0.02, "rtol": 0.02} if dtype == torch.bfloat16 else {}
    with torch.no_grad():
        expected = model(query, key, value)
        whole = torch_refine.compile(model, (query, key, value))
        torch.testing.assert_close(whole(query, key, value), expected, **bounds)
        compiled = torch.compile(model, backend="torch_refine")
        torch.testing.assert_close(compiled(query, key, value), expected, **bounds)
