"""Results computed directly in the slice that padding, concatenation or slicing writes them to."""

from random import Random

import pytest
import torch
import torch_refine
from function_module import Function
from torch.export import Dim
from torch.nn import functional

# Each creates a tensor of rank 4 from one.
_COMPUTED = (
    torch.tanh,
    torch.relu,
    lambda x: x + 1,
    lambda x: x.softmax(-1),
    lambda x: x - x.mean(-1, keepdim=True),
    lambda x: x.transpose(2, 3).contiguous().transpose(2, 3),
    lambda x: x @ x.new_full((x.shape[-1], x.shape[-1]), 0.25),
    lambda x: functional.max_pool2d(x, 3, 1, 1),
    lambda x: functional.conv2d(x, torch.full((x.shape[1], x.shape[1], 3, 3), 0.1), padding=1),
    lambda x: x.cumsum(1),
    lambda x: x,
)


def _padded(random, x):
    amounts = [random.randrange(3) for _ in range(2 * random.randrange(1, 5))]
    return functional.pad(x, amounts, value=random.choice([0.0, -1.5]))


def _concatenated(random, x):
    parts = [random.choice(_COMPUTED)(x) for _ in range(random.randrange(2, 4))]
    # One of them has another use.
    joined = torch.cat([*parts, random.choice(parts)], random.randrange(4))
    return joined + parts[0].sum() if random.random() < 0.3 else joined


def _stacked(random, x):
    y = torch.stack([random.choice(_COMPUTED)(x), random.choice(_COMPUTED)(x)], random.randrange(5))
    return y.flatten(random.randrange(3), -1).unsqueeze(-1).flatten(4) if y.dim() < 5 else y.sum(-2)


def _interleaved(random, x):
    y = torch.zeros_like(torch.cat([x, x], 2))
    y[:, :, ::2] = random.choice(_COMPUTED)(x)
    y[:, :, 1::2] = random.choice(_COMPUTED)(x)
    return y


def _written(random, x):
    y = x.clone()
    y[:, :1, 1:] = torch.tanh(x)[:, -1:, :-1]
    return y


def _compare(found, expected):
    """Sums are rounded in another order; an element of another index differs more."""
    torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-4)


_STEPS = (_padded, _concatenated, _stacked, _interleaved, _written)


def _program(seed):
    """A chain of such steps between computations, the same at each call."""

    def run(x):
        random = Random(seed)
        for _ in range(random.randrange(2, 4)):
            x = random.choice(_COMPUTED)(random.choice(_STEPS)(random, x))
        return x

    return Function(run)


@pytest.mark.parametrize("seed", range(16))
def test_programs(seed):
    torch.manual_seed(seed)
    model, x = _program(seed), torch.randn(2, 3, 4, 5)
    shapes = None
    if seed % 2:
        shapes = (({2: Dim.AUTO, 3: Dim.AUTO},),)
    compiled = torch_refine.compile(model, (x,), dynamic_shapes=shapes, threads=1 + seed % 3 // 2)
    _compare(compiled(x), model(x))
    if shapes is not None:
        other = torch.randn(2, 3, 7, 17)
        try:
            found = compiled(other)
        except torch_refine.GuardError:
            return  # The program is compiled for sizes such as those of the example only.
        _compare(found, model(other))


@pytest.mark.parametrize("step", [1, 2])
@pytest.mark.parametrize("is_dynamic", [False, True])
def test_inputs_are_not_modified(step, is_dynamic):
    """A slice of an input is copied before it is written; the same holds for weights."""

    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = torch.nn.Parameter(torch.randn(8, 16))

        def forward(self, x, y):
            first = torch.slice_scatter(x, y, 0, 0, 8, step)
            return first, torch.slice_scatter(self.weight, torch.tanh(y), 0, 0, 8, step), x + 1

    model, x, y = Model(), torch.randn(8, 16), torch.randn(8 // step, 16)
    shapes = ({1: Dim.AUTO}, {1: Dim.AUTO}) if is_dynamic else None
    before, weight = x.clone(), model.weight.detach().clone()
    expected = model(x, y)
    with torch.no_grad():
        compiled = torch_refine.compile(model, (x, y), dynamic_shapes=shapes)
        for _ in range(2):
            torch.testing.assert_close(compiled(x, y), expected)
            assert torch.equal(x, before)
            assert torch.equal(model.weight, weight)


def test_slices_out_of_range_are_not_written():
    """The bounds check of a slice precedes the kernel that writes it."""

    def write(x, place):
        y = torch.zeros(8, 16)
        start = place.item()
        torch._check(start >= 0)
        return torch.slice_scatter(y, torch.exp(x), 0, start, start + 4)

    x = torch.randn(4, 16)
    compiled = torch_refine.compile(Function(write), (x, torch.tensor(2)))
    torch.testing.assert_close(compiled(x, torch.tensor(4)), write(x, torch.tensor(4)))
    for place in (5, 8, 1 << 40):
        with pytest.raises(RuntimeError):
            compiled(x, torch.tensor(place))


def test_what_has_another_size_than_its_slice_is_refused():
    def write(x, y):
        return torch.slice_scatter(x, y, 0, 2, 6, 2)

    inputs = torch.randn(9, 7), torch.randn(2, 7)
    shapes = (({0: Dim.AUTO, 1: Dim.AUTO}, {0: Dim.AUTO, 1: Dim.AUTO}),)
    compiled = torch_refine.compile(Function(write), inputs, dynamic_shapes=shapes)
    for sizes in ((9, 7), (2, 7)), ((12, 5), (2, 5)), ((5, 7), (2, 7)):
        given = tuple(map(torch.randn, sizes))
        torch.testing.assert_close(compiled(*given), write(*given))
    for sizes in ((9, 8), (2, 7)), ((9, 7), (3, 7)), ((9, 7), (2, 8)), ((4, 7), (2, 7)):
        given = tuple(map(torch.randn, sizes))
        with pytest.raises(RuntimeError):
            write(*given)
        with pytest.raises(torch_refine.GuardError, match="src must have shape"):
            compiled(*given)


class Grown(torch.nn.Module):
    """Concatenations of what is there with something computed of its last elements."""

    def __init__(self, dims, count, step):
        super().__init__()
        self.dims, self.count, self.step = dims, count, step

    def forward(self, x):
        for dim in self.dims:
            last = x.narrow(dim, x.shape[dim] - self.count, self.count)
            x = torch.cat([x, self.step(last, dim)], dim)
        return x


@pytest.mark.parametrize("dims", [(2, 1, 0), (0, 1, 2), (1, 0, 2, 0), (2, 2, 1, 1)])
@pytest.mark.parametrize(
    "step",
    [
        lambda last, dim: -last,
        lambda last, dim: last.flip(dim),
        lambda last, dim: last.sum(dim, keepdim=True),
    ],
    ids=["negated", "flipped", "summed"],
)
def test_slices_of_what_is_a_slice_itself(dims, step):
    """A buffer becomes part of that of the next concatenation, whose rows are longer."""
    torch.manual_seed(0)
    x = torch.randn(4, 5, 6)
    model = Grown(dims, 2, step)
    torch.testing.assert_close(torch_refine.compile(model, (x,))(x), model(x))


class _Windows(torch.nn.Module):
    """Windows that are put together and cropped, as in Swin transformers with padding."""

    def forward(self, x):
        grid = x.view(2, 2, 2, 3, 3, 8).transpose(2, 3).reshape(2, 6, 6, 8)
        cropped = grid[:, :4, :4].reshape(2, 16, 8)
        return torch.nn.functional.layer_norm(cropped, (8,))


class _Written(torch.nn.Module):
    """A row is read, and a part of it is written: bufferization copies the row."""

    def forward(self, x):
        u = x * 2
        for i in range(1, x.shape[-1]):
            row, above = u[..., i, :i].clone(), u[..., :i, :i].clone()
            u[..., i, :i] = row + (row.unsqueeze(-1) * above).sum(-2)
        return u


@pytest.mark.parametrize("opt_level", [0, 3])
@pytest.mark.parametrize(
    ("model", "sizes"),
    [(_Windows(), (8, 9, 8)), (_Written(), (2, 3, 4, 4)), (_Written(), (2, 3, 3))],
)
def test_slices_that_bufferization_copies(model, sizes, opt_level):
    """Their strides are those of the copy."""
    x = torch.randn(sizes)
    torch.testing.assert_close(torch_refine.compile(model, (x,), opt_level=opt_level)(x), model(x))


@pytest.mark.parametrize("is_dynamic", [False, True])
@pytest.mark.parametrize("dims", [(0, -2, -1), (2, 0, 1), (-1, 2, 0), (-2, 1, 3)])
def test_diagonals_are_slices_of_flat_matrices(dims, is_dynamic):
    model = Function(lambda x: (torch.diag_embed(x, *dims), torch.diag_embed(x > 0, *dims)))
    x = torch.randn(3, 4, 5)
    sizes = {index: torch.export.Dim.AUTO for index in range(3)}
    shapes = ((sizes,),) if is_dynamic else None
    compiled = torch_refine.compile(model, (x,), dynamic_shapes=shapes)
    for given in (x, torch.randn(2, 6, 7)) if is_dynamic else (x,):
        torch.testing.assert_close(compiled(given), model(given))


def test_an_empty_diagonal():
    model = Function(lambda x, y: (torch.diag_embed(x, 1), y.diagonal_scatter(x, 5, 0, 2)))
    given = torch.randn(3, 0), torch.randn(4, 3, 5)
    torch.testing.assert_close(torch_refine.compile(model, given)(*given), model(*given))
