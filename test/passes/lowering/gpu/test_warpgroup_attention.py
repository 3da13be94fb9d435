"""Attention by warpgroups computes what eager mode does: interpreted, from PyTorch on."""

import pytest
import torch
from torch import nn
from torch.nn.functional import scaled_dot_product_attention
from warpgroup_kernels import run_program


class _Attention(nn.Module):
    def __init__(self, is_causal=False, has_heads_inside=False):
        super().__init__()
        self.is_causal = is_causal
        self.has_heads_inside = has_heads_inside

    def forward(self, query, key, value, mask=None):
        if self.has_heads_inside:
            query, key, value = (each.transpose(1, 2) for each in (query, key, value))
        found = scaled_dot_product_attention(query, key, value, mask, is_causal=self.is_causal)
        return found.transpose(1, 2) if self.has_heads_inside else found


def _check(model, sizes, dtype=torch.float16, masks=()):
    torch.manual_seed(0)
    inputs = (*(torch.randn(size).to(dtype) for size in sizes), *masks)
    found = run_program(model, inputs)
    rtol = 8 * torch.finfo(dtype).eps
    with torch.no_grad():
        torch.testing.assert_close(found, model(*inputs), rtol=rtol, atol=rtol)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=str)
@pytest.mark.parametrize("is_causal", [False, True])
@pytest.mark.parametrize("queries", [64, 200])
def test_heads(dtype, is_causal, queries):
    _check(_Attention(is_causal), [(1, 2, queries, 40)] * 3, dtype)


@pytest.mark.parametrize("size", [8, 64, 72, 128])
def test_sizes_of_a_head(size):
    _check(_Attention(), [(1, 1, 130, size), (1, 1, 300, size), (1, 1, 300, size)])


def test_several_phases_of_the_ring():
    _check(_Attention(True), [(1, 1, 700, 16)] * 3)


def test_heads_inside():
    """Rows of all heads are adjacent, as a linear layer computes them."""
    _check(_Attention(has_heads_inside=True), [(2, 70, 3, 32)] * 3)


def test_a_mask():
    mask = torch.rand(1, 1, 70, 150) > 0.5
    mask[:, :, 3] = False
    _check(_Attention(), [(1, 2, 70, 16), (1, 2, 150, 16), (1, 2, 150, 16)], masks=[mask])


def test_a_mask_that_is_added():
    mask = torch.randn(70, 150).half()
    _check(_Attention(), [(1, 2, 70, 16), (1, 2, 150, 16), (1, 2, 150, 16)], masks=[mask])
