"""Transposes of odd and short dimensions, and packing of weights that are operands."""

from random import Random

import pytest
import torch
import torch_refine

_SIZES = (1, 2, 3, 5, 7, 8, 9, 13, 16, 17, 28, 33, 64)
_MOST_ELEMENTS = 1 << 17


def _cases(count):
    random = Random(7)
    for number in range(count):
        rank = random.choice((2, 3, 3, 4, 4, 5))
        shape = [random.choice(_SIZES) for _ in range(rank)]
        while torch.Size(shape).numel() > _MOST_ELEMENTS:
            shape[random.randrange(rank)] = random.choice(_SIZES[:4])
        yield number, shape, random.sample(range(rank), rank)


class _Transposed(torch.nn.Module):
    """Transposes a tensor, or a slice of it that is not contiguous."""

    def __init__(self, order, kept):
        super().__init__()
        self.order, self.kept = order, kept

    def forward(self, x):
        part = x[..., : self.kept]
        return part.permute(self.order).clone(memory_format=torch.contiguous_format)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(("number", "shape", "order"), list(_cases(16)))
def test_elements_are_those_of_eager_mode(number, shape, order, threads):
    # Every other one is a slice.
    kept = shape[-1] if number % 2 else -(-shape[-1] // 2)
    model, x = _Transposed(order, kept), torch.rand(shape)
    compiled = torch_refine.compile(model, (x,), threads=threads)
    assert torch.equal(compiled(x), model(x))


@pytest.mark.parametrize("cpu", ["x86-64", "x86-64-v3"])
def test_vectors_of_other_widths(cpu):
    model, x = _Transposed([2, 3, 1, 0], 5), torch.rand(33, 7, 3, 5)
    compiled = torch_refine.compile(model, (x,), cpu=cpu)
    assert torch.equal(compiled(x), model(x))


class _Convolved(torch.nn.Module):
    """A convolution, or the product with a transposed matrix, whose weights are an operand."""

    def forward(self, x, weight):
        if x.dim() == 2:
            return torch.nn.functional.linear(x, weight)
        return torch.nn.functional.conv2d(x, weight, padding=weight.size(-1) // 2)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    ("inputs", "outputs", "window"),
    [(5, 32, 3), (3, 40, 1), (8, 72, 2), (64, 24, 3), (1, 8, 3), (130, 64, None), (7, 16, None)],
)
def test_weights_are_packed(inputs, outputs, window, threads):
    """With panels that are whole, and that end with zeros; with rows that are odd, and too few."""
    windows, image = ([], []) if window is None else ([window] * 2, [9, 11])
    batch = 40 if window is None else 2
    x, weight = torch.rand(batch, inputs, *image), torch.rand(outputs, inputs, *windows)
    model = _Convolved()
    compiled = torch_refine.compile(model, (x, weight), threads=threads)
    # Sums of hundreds of products, in another order.
    torch.testing.assert_close(compiled(x, weight), model(x, weight), rtol=1e-5, atol=1e-5)


def test_gradients_of_packed_weights():
    """Both gradients of a convolution: weights that are turned, and a result that is transposed."""
    model = torch.nn.Sequential(
        torch.nn.Conv2d(8, 32, 3, padding=1), torch.nn.Conv2d(32, 40, 3, stride=2)
    )
    x = torch.rand(2, 8, 9, 11, requires_grad=True)
    compiled = torch.compile(model, backend="torch_refine")
    wanted = torch.autograd.grad(model(x).square().sum(), [x, *model.parameters()])
    found = torch.autograd.grad(compiled(x).square().sum(), [x, *model.parameters()])
    torch.testing.assert_close(found, wanted, rtol=1e-4, atol=1e-4)
