"""Attention by warpgroups computes what eager mode does: interpreted, from PyTorch on."""

import random
import re

import pytest
import torch
from seeded_parts import seeded_part
from torch import nn
from torch.export import Dim
from torch.nn.functional import scaled_dot_product_attention
from warpgroup_kernels import run_program
from warpgroup_memory import Mistake


class _Attention(nn.Module):
    """Attention of heads that are outside of queries and keys, or inside of them."""

    def __init__(self, is_causal=False, inside=(), scale=None):
        super().__init__()
        self.is_causal = is_causal
        self.inside = inside
        self.scale = scale

    def forward(self, query, key, value, mask=None):
        given = [
            each.transpose(1, 2) if name in self.inside else each
            for name, each in zip("qkv", (query, key, value), strict=True)
        ]
        found = scaled_dot_product_attention(
            *given, mask, is_causal=self.is_causal, scale=self.scale
        )
        return found.transpose(1, 2) if "r" in self.inside else found


def _in_doubles(model, inputs):
    wide = [each.double() if each.is_floating_point() else each for each in inputs]
    with torch.no_grad():
        return model.double()(*wide)


def _check(model, sizes, dtype=torch.float16, masks=(), dynamic=None):
    torch.manual_seed(0)
    inputs = (*(torch.randn(size).to(dtype) for size in sizes), *masks)
    found = run_program(model, inputs, dynamic)
    # Weights and results are rounded to 16 bits.
    rtol = 4 * torch.finfo(dtype).eps
    torch.testing.assert_close(found.double(), _in_doubles(model, inputs), rtol=rtol, atol=rtol)
    return found


def _sizes(queries=70, keys=150, size=16, heads=2):
    return [(1, heads, queries, size), *[(1, heads, keys, size)] * 2]


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=str)
@pytest.mark.parametrize("is_causal", [False, True])
@pytest.mark.parametrize("queries", [64, 200])
def test_heads(dtype, is_causal, queries):
    _check(_Attention(is_causal), [(1, 2, queries, 40)] * 3, dtype)


@pytest.mark.parametrize("is_causal", [False, True])
@pytest.mark.parametrize("size", [8, 64, 72, 128])
def test_sizes_of_a_head(size, is_causal):
    """Contractions of so few rows would be split, but those of attention are in one kernel."""
    _check(_Attention(is_causal), _sizes(130, 300, size, heads=1))


def test_several_phases_of_the_ring():
    _check(_Attention(True), [(1, 1, 700, 16)] * 3)


@pytest.mark.parametrize("inside", ["qkvr", "q", "kv", "vr"])
def test_heads_inside(inside):
    """Rows of all heads are adjacent, as a linear layer computes them."""
    plain, turned = (2, 3, 70, 32), (2, 70, 3, 32)
    sizes = [turned if name in inside else plain for name in "qkv"]
    _check(_Attention(inside=inside), sizes)


@pytest.mark.parametrize(("queries", "keys"), [(70, 300), (300, 70), (129, 257)])
def test_causal_with_other_keys_than_queries(queries, keys):
    _check(_Attention(True), _sizes(queries, keys))


def test_a_mask():
    mask = torch.rand(1, 1, 70, 150) > 0.5
    mask[:, :, 3] = False
    _check(_Attention(), _sizes(), masks=[mask])


@pytest.mark.parametrize("shape", [(70, 150), (2, 2, 70, 150), (2, 1, 1, 150), (1, 2, 70, 1)])
def test_a_mask_that_is_added(shape):
    sizes = [(2, 2, 70, 16), (2, 2, 150, 16), (2, 2, 150, 16)]
    _check(_Attention(), sizes, masks=[torch.randn(shape).half()])


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=str)
def test_the_lowest_number_as_a_mask(dtype):
    """Rows that see late keys only, and rows whose keys are all equally hidden: their scores
    differ by less than is seen beside the mask."""
    mask = torch.zeros(70, 300).to(dtype)
    mask[:30, :200] = torch.finfo(dtype).min
    mask[7] = torch.finfo(dtype).min
    model, sizes = _Attention(), _sizes(70, 300)
    torch.manual_seed(0)
    inputs = (*(torch.randn(size).to(dtype) for size in sizes), mask)
    found = run_program(model, inputs)
    wide = [each.float() for each in inputs]
    rtol = 4 * torch.finfo(dtype).eps
    torch.testing.assert_close(found.float(), model(*wide), rtol=rtol, atol=rtol)


def test_scores_that_are_not_finite():
    """A score that is infinite, or NaN, makes its row NaN, and no other one."""
    torch.manual_seed(0)
    mask = torch.zeros(70, 300).half()
    mask[3, 200], mask[4, 5] = torch.inf, torch.nan
    inputs = (*(torch.randn(size).half() for size in _sizes(70, 300)), mask)
    found = run_program(_Attention(), inputs)
    with torch.no_grad():
        wide = _Attention()(*(each.float() for each in inputs))
    torch.testing.assert_close(found.float(), wide, rtol=4e-3, atol=4e-3, equal_nan=True)
    rows = found.isnan().any(-1)
    assert rows[:, :, 3:5].all() and rows.sum() == 4


def test_dynamic_sizes():
    batch, queries, keys = (Dim(name, min=2, max=4096) for name in ("batch", "queries", "keys"))
    dynamic = ({0: batch, 2: queries}, {0: batch, 2: keys}, {0: batch, 2: keys})
    _check(_Attention(), [(2, 2, 70, 16), *[(2, 2, 150, 16)] * 2], dynamic=dynamic)


def _drawn(seed):
    draw = random.Random(seed)
    size, heads, batch = 8 * draw.randint(1, 16), draw.randint(2, 3), draw.randint(1, 2)
    queries, keys = draw.randint(2, 200), draw.randint(64, 400)
    inside = "".join(name for name in "qkvr" if draw.random() < 0.3)
    is_causal = draw.random() < 0.4
    masks = []
    if not is_causal and draw.random() < 0.6:
        shape = [draw.choice([1, full]) for full in (batch, heads, queries, keys)]
        generator = torch.Generator().manual_seed(seed)
        masks = [torch.randn(shape, generator=generator)]
        masks = [masks[0] > 0 if draw.random() < 0.5 else masks[0].half()]
    sizes = []
    for name, rows in (("q", queries), ("k", keys), ("v", keys)):
        shape = (rows, heads) if name in inside else (heads, rows)
        sizes.append((batch, *shape, size))
    return _Attention(is_causal, inside, draw.choice([None, 0.3])), sizes, masks


@pytest.mark.parametrize("seed", seeded_part(range(200), 16))
def test_drawn_cases(seed):
    model, sizes, masks = _drawn(seed)
    dtype = torch.float16 if masks or seed % 2 else torch.bfloat16
    _check(model, sizes, dtype, masks)


MISTAKES = {
    "results are read too early": ("wait_group.sync.aligned 0;", "wait_group.sync.aligned 1;"),
    "no fence between the proxies": ("fence.proxy.async.shared::cta;", ""),
    "no fence of registers": ("wgmma.fence.sync.aligned;", ""),
    "lanes that exchange with others": (r"\$0, \$1, 2, 31, -1", "$0, $1, 1, 31, -1"),
    "halves of a word in another order": (r"f16x2.f32 \$0, \$1, \$2", "f16x2.f32 $0, $2, $1"),
    "an arrival without copies": (
        re.escape("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [$0];"),
        "mbarrier.arrive.shared::cta.b64 _, [$0];",
    ),
    "an empty stage of half the warps": (
        re.escape("mbarrier.init.shared::cta.b64 [$0], 8;"),
        "mbarrier.init.shared::cta.b64 [$0], 4;",
    ),
    "nobody waits": ("@!done bra again;", ""),
    "keys behind the last one are visible": (
        "arith.constant 0xFF800000 : f32",
        "arith.constant 0.0 : f32",
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_in_the_kernel(name):
    before, after = MISTAKES[name]

    def change(text):
        changed = re.sub(before, after, text)
        if changed == text:
            pytest.fail("nothing was replaced")
        return changed

    torch.manual_seed(0)
    inputs = tuple(torch.randn(size).half() for size in _sizes(130, 600, 16))
    with pytest.raises((Mistake, AssertionError)):
        found = run_program(_Attention(), inputs, change=change)
        torch.testing.assert_close(
            found.double(), _in_doubles(_Attention(), inputs), rtol=4e-3, atol=4e-3
        )
