"""Fourier transforms as stages of products with matrices."""

from __future__ import annotations

import math
from random import Random

import pytest
import torch
import torch_refine
from function_module import Function
from torch_refine.abstract_interp_lib.rules.formulas.fourier_sums import next_radix
from torch_refine.importer import ImportModelError
from torch_refine.importer.lowering import import_for_lowering
from torch_refine.runtime.compiling.compiler import CompileError


class Transform(torch.nn.Module):
    def __init__(self, name, **options):
        super().__init__()
        self.function, self.options = getattr(torch.fft, name), options

    def forward(self, x):
        return self.function(x, **self.options)


def _radices(size, is_short):
    found = []
    while size > 1:
        found.append(next_radix(size, is_short))
        size //= found[-1]
    return found


@pytest.mark.parametrize("is_short", [False, True])
def test_radices_are_divisors(is_short):
    for size in range(1, 700):
        try:
            found = _radices(size, is_short)
        except AssertionError:
            assert any(size % prime == 0 for prime in range(257, size + 1)), size
            continue
        assert math.prod(found) == size and all(2 <= each <= 256 for each in found)


def test_stages_are_balanced():
    assert sorted(_radices(64, False)) == [8, 8]
    assert sorted(_radices(4096, True)) == [16, 16, 16]
    # One product of a small matrix is faster than two.
    assert _radices(32, True) == [32]
    # A prime has no smaller ones.
    assert _radices(97, True) == [97]


@pytest.mark.parametrize("name", ["fft2", "rfft2", "ifft2"])
def test_tables_are_constants(name):
    x = torch.rand(3, 64, 48)
    found = import_for_lowering(torch.export.export(Transform(name), (x,)))
    text = str(found.module)
    assert "cos" not in text and "sin" not in text and "fft" not in text
    # Two stages per dimension: a matrix each, and what is between them.
    assert 4 <= len(found.state) <= 8
    assert sum(each.numel() for each in found.state) < 6_000


def _drawn(seed):
    rng = Random(seed)
    rank = rng.randint(1, 4)
    sizes = [rng.choice((1, 2, 3, 5, 8, 12, 17, 30, 64)) for _ in range(rank)]
    count = rng.randint(1, min(rank, 3))
    dims = rng.sample(range(-rank, 0), count)
    norm = rng.choice(("forward", "backward", "ortho"))
    name = rng.choice(("fftn", "ifftn", "rfftn", "irfftn", "hfftn", "ihfftn"))
    # A real result has at least one element.
    if name in ("irfftn", "hfftn"):
        sizes[dims[-1]] = max(2, sizes[dims[-1]])
    is_real = name in ("rfftn", "ihfftn") or (name in ("fftn", "ifftn") and rng.random() < 0.3)
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(sizes, generator=generator, dtype=torch.float32 if is_real else torch.complex64)
    if rng.random() < 0.3:
        x = x.transpose(0, -1).contiguous().transpose(0, -1)
    options = {"dim": dims, "norm": norm}
    if rng.random() < 0.4:
        options["s"] = [max(2, x.size(dim) + rng.randint(-3, 3)) for dim in dims]
    return name, options, x


@pytest.mark.parametrize("seed", range(24))
def test_drawn_transforms_are_as_near_as_eager_mode(seed):
    name, options, x = _drawn(seed)
    model = Transform(name, **options)
    expected = model(x)
    wide = x.to(torch.complex128 if x.is_complex() else torch.float64)
    exact = model(wide).to(expected.dtype)
    found = torch_refine.compile(model, (x,))(x)
    assert found.shape == expected.shape and found.dtype == expected.dtype
    error, theirs = ((each - exact).abs().max().item() for each in (found, expected))
    assert error <= 3 * theirs + 1e-6 * exact.abs().max().item()


def test_any_batch_of_one_size():
    model = Transform("rfft2", dim=(1, 2))
    batches = [torch.rand(each, 16, 20, channels) for each, channels in ((2, 12), (5, 9), (3, 40))]
    dynamic = ({0: torch.export.Dim.AUTO, 3: torch.export.Dim.AUTO},)
    compiled = torch_refine.compile(model, (batches[0],), dynamic_shapes=dynamic)
    for x in batches:
        torch.testing.assert_close(compiled(x), model(x), rtol=1e-4, atol=1e-4)


def test_dynamic_sizes_are_transformed_by_pytorch():
    model = Transform("rfft")
    compiled = torch_refine.compile(
        model,
        (torch.rand(3, 64),),
        dynamic_shapes=({1: torch.export.Dim.AUTO},),
        fallback="pytorch",
    )
    assert [each.name for each in compiled.report().in_pytorch] == ["aten.fft_rfft.default"]
    for size in (64, 96, 7):
        x = torch.rand(3, size)
        torch.testing.assert_close(compiled(x), model(x))


@pytest.mark.parametrize(
    "transform",
    [
        lambda x: torch.ops.prims.fft_c2c(x, dim=[1], forward=True),
        lambda x: torch.ops.aten._fft_c2c(x, [1], 0, True),
    ],
    ids=["prims", "aten"],
)
def test_real_numbers_are_rejected_where_complex_ones_are_transformed(transform):
    """PyTorch's trace takes them in one of these operators."""
    x = torch.ones(4, 6)
    with pytest.raises(RuntimeError, match="complex"):
        transform(x)
    with pytest.raises((CompileError, ImportModelError)):
        torch_refine.compile(Function(transform), x)
    complex_numbers = torch.complex(x, -x)
    compiled = torch_refine.compile(Function(transform), complex_numbers)
    torch.testing.assert_close(compiled(complex_numbers), transform(complex_numbers))
