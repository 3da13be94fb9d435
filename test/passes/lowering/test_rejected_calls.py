"""Calls that kernels reject are not compiled, even if tracing accepts them."""

import pytest
import torch
import torch_refine
from function_module import Function
from torch_refine.importer import ImportModelError

aten = torch.ops.aten
X = torch.randn(2, 3)


@pytest.mark.parametrize(
    ("model", "inputs", "message"),
    [
        (aten.multi_margin_loss, (X, torch.tensor([0, 1]).int()), "target must be int64"),
        (aten.nll_loss2d_forward, None, "always raises"),
        (lambda x: aten.upsample_linear1d(x[None], [0], False, 1.7), (X,), "must be positive"),
    ],
    ids=["dtype", "rank", "size"],
)
def test_calls_that_always_raise(model, inputs, message):
    if inputs is None:
        target = torch.zeros(4, 6, dtype=torch.int64)
        model, inputs = (
            lambda x, y: aten.nll_loss2d_forward(x, y, None, 1, -100),
            (torch.randn(4, 5, 6), target),
        )
    with pytest.raises(RuntimeError):
        model(*inputs)
    with pytest.raises(ImportModelError, match=message):
        torch_refine.compile(Function(model), inputs)


def test_sizes_that_are_not_known_are_given_the_benefit_of_the_doubt():
    model = Function(lambda x, y: x @ y)
    inputs = (torch.randn(4, 5), torch.randn(5, 6))
    any_size = {0: torch.export.Dim.AUTO, 1: torch.export.Dim.AUTO}
    compiled = torch_refine.compile(model, inputs, dynamic_shapes=((any_size, any_size),))
    torch.testing.assert_close(compiled(*inputs), model(*inputs))


@pytest.mark.parametrize(
    ("model", "sizes"),
    [
        (lambda x: aten.mse_loss(x, x, 5), (3,)),
        (lambda x: aten.max_pool2d(x, [1, 1], [2**31, 1]), (1, 2, 3)),
        (lambda x: aten.conv_transpose1d(x, torch.ones(2, 1, 3), None, [2], [1], [2]), (1, 2, 4)),
        (lambda x: aten.convolution(x, x, None, [0], [0], [1], False, [0], 1), (1, 1, 4)),
        (lambda x: aten.native_group_norm(x, None, None, 1, 3, 1, 1, 1e-5), (1, 2)),
        (lambda x: aten.constant_pad_nd(x, [1, -4]), (1, 3)),
        (lambda x: aten.unsafe_chunk(x, 2**63 - 1), (3,)),
    ],
    ids=["reduction", "32 bits", "output padding", "stride", "groups", "cropping", "chunks"],
)
def test_numbers_that_kernels_reject(model, sizes):
    x = torch.ones(sizes)
    with pytest.raises(RuntimeError):
        model(x)
    with pytest.raises(ImportModelError):
        torch_refine.compile(Function(model), (x,))


def test_repeats_of_another_size_than_none():
    model = Function(lambda repeats: aten.repeat_interleave.Tensor(repeats, output_size=0))
    compiled = torch_refine.compile(model, (torch.tensor([0, 0]),))
    assert compiled(torch.tensor([0, 0])).numel() == 0
    with pytest.raises(RuntimeError, match="allocated size does not match"):
        compiled(torch.tensor([1, 0]))


def test_the_least_integer_is_a_number_like_others():
    least = torch.iinfo(torch.int64).min
    model = Function(lambda x: torch.where(x > 0, torch.full((3,), least), x.clamp(min=least)))
    x = torch.tensor([1, -1, least])
    torch.testing.assert_close(torch_refine.compile(model, (x,))(x), model(x))


def test_sizes_that_cannot_be_passed():
    x = torch.ones(1, 1, 4)
    sizes = [-(2**63)]
    model = Function(
        lambda x: aten.convolution_backward(
            x, x, x[..., :1], sizes, [1], [0], [1], False, [0], 1, [True, True, False]
        )[0]
    )
    with pytest.raises((ImportModelError, RuntimeError)):
        torch_refine.compile(model, (x,))
