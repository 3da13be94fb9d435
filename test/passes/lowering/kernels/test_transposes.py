"""Transposes of odd and short dimensions, by vectors of each width that the host has."""

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
