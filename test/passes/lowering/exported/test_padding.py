"""Padding with elements of the tensor copies what PyTorch's kernels copy."""

import pytest
import torch
import torch.nn.functional as F
import torch_refine
from function_module import Function

_SHAPES = {1: (2, 3, 5), 2: (2, 3, 5, 6), 3: (1, 2, 4, 5, 6)}


@pytest.mark.parametrize("mode", ["reflect", "replicate"])
@pytest.mark.parametrize("rank", _SHAPES)
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_borders(mode, rank, dtype):
    x = torch.randn(_SHAPES[rank]).to(dtype)
    x.view(-1)[3] = torch.nan
    for padding in ([1, 1], [3, 0], [0, 2], [0, 0]):

        def pad(x, padding=padding):
            return F.pad(x, padding * rank, mode=mode)

        found = torch_refine.compile(Function(pad), (x,))(x)
        torch.testing.assert_close(found, pad(x), rtol=0, atol=0, equal_nan=True)


@pytest.mark.parametrize("mode", ["reflect", "replicate", "constant"])
def test_sizes_are_dynamic(mode):
    def pad(x):
        return F.pad(x, (2, 1, 1, 3), mode=mode)

    auto = torch.export.Dim.AUTO
    example = (torch.randn(1, 2, 7, 8),)
    compiled = torch_refine.compile(Function(pad), example, dynamic_shapes=(({2: auto, 3: auto},),))
    for rows, columns in ((7, 8), (4, 5), (33, 70)):
        x = torch.randn(1, 2, rows, columns)
        torch.testing.assert_close(compiled(x), pad(x), rtol=0, atol=0)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.int8, torch.bool])
def test_rows_of_any_length_are_copied(dtype):
    parts = [torch.randint(0, 2, (3, 5, size)).to(dtype) for size in (1, 3, 4, 31, 64, 131, 300)]

    def joined(*parts):
        return [torch.cat([part, part], dim) for part in parts for dim in (0, 1, 2)]

    found = torch_refine.compile(Function(joined), tuple(parts))(*parts)
    for ours, theirs in zip(found, joined(*parts), strict=True):
        assert torch.equal(ours, theirs), ours.shape
