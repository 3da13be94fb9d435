"""Matmuls of groups of rows, as in a mixture of experts."""

import pytest
import torch
import torch_refine
from torch import nn
from torch.export import Dim
from torch.nn import functional

pytest.importorskip("transformers.integrations.moe")


class Experts(nn.Module):
    """Weights of experts, as a linear layer stores them or transposed."""

    def __init__(self, count, depth, columns, dtype=torch.float32, is_transposed=False):
        super().__init__()
        shape = (count, columns, depth) if is_transposed else (count, depth, columns)
        self.weight = nn.Parameter(torch.randn(shape).to(dtype))
        self.is_transposed = is_transposed

    def forward(self, rows, offsets):
        weight = self.weight.transpose(-2, -1) if self.is_transposed else self.weight
        return torch.ops.transformers.grouped_mm_fallback(rows, weight, offsets)


def compare(model, compiled, rows, offsets):
    with torch.no_grad():
        torch.testing.assert_close(compiled(rows, offsets), model(rows, offsets))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16, torch.float16])
@pytest.mark.parametrize("is_transposed", [False, True])
def test_empty_groups_and_rows_after_the_last(dtype, is_transposed):
    model = Experts(4, 24, 33, dtype, is_transposed)
    rows = torch.randn(19, 24).to(dtype)
    compiled = torch_refine.compile(model, (rows, torch.zeros(4, dtype=torch.int64)))
    for offsets in ([3, 7, 12, 19], [0, 0, 19, 19], [0, 0, 0, 0], [19] * 4, [2, 2, 5, 6]):
        compare(model, compiled, rows, torch.tensor(offsets))


def test_sizes_are_dynamic():
    model = Experts(3, 8, 5)
    inputs = torch.randn(9, 8), torch.tensor([1, 4, 9], dtype=torch.int32)
    compiled = torch_refine.compile(model, inputs, dynamic_shapes=({0: Dim("rows")}, None))
    for count in (1, 2, 40):
        offsets = torch.tensor([0, count // 2, count], dtype=torch.int32)
        compare(model, compiled, torch.randn(count, 8), offsets)


@pytest.mark.parametrize("dtype", [torch.int32, torch.int64])
def test_offsets_out_of_bounds_raise(dtype):
    inputs = torch.randn(9, 8), torch.tensor([1, 4, 9], dtype=dtype)
    compiled = torch_refine.compile(Experts(3, 8, 5), inputs)
    limits = torch.iinfo(dtype)
    for wrong in ([1, 4, 10], [4, 1, 9], [-1, 4, 9], [limits.min, 0, 9], [1, 4, limits.max]):
        with pytest.raises(RuntimeError, match="offsets must not decrease, nor exceed"):
            compiled(inputs[0], torch.tensor(wrong, dtype=dtype))


@pytest.mark.skipif(not hasattr(functional, "grouped_mm"), reason="needs torch.grouped_mm")
def test_the_operator_of_pytorch():
    def call(rows, weight, offsets):
        return functional.grouped_mm(rows, weight, offs=offsets)

    class Model(nn.Module):
        def forward(self, *inputs):
            return call(*inputs)

    rows, weight = torch.randn(16, 16).bfloat16(), torch.randn(3, 16, 8).bfloat16()
    offsets = torch.tensor([4, 4, 16], dtype=torch.int32)
    compiled = torch_refine.compile(Model(), (rows, weight, offsets))
    torch.testing.assert_close(compiled(rows, weight, offsets), call(rows, weight, offsets))
