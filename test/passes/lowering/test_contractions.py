"""Contractions of all sizes, dtypes and layouts are correct, for several processors.

Programs are generated from a seed. Each is called with its examples and, for dynamic sizes, with
other inputs. Results are compared with eager mode in double precision: the error may be three times
that of eager mode in the program's own precision.
"""

import random

import pytest
import torch
import torch_refine
from torch import nn
from torch_refine.build_tools.code.guarded_memory import SIDES, guarded_heap
from torch_refine.passes.lowering.kernels.targets.host import host
from torch_refine.runtime.compiling.compiler import Options
from torch_refine.runtime.torch_models.models import compile_model

PROCESSORS = ["host"]
if host().architecture == "x86-64":
    levels = {"x86-64-v2": "ssse3", "x86-64-v3": "avx2", "x86-64-v4": "avx512vl"}
    PROCESSORS += [name for name, needed in levels.items() if host().has(needed)]
SIZES = (1, 2, 3, 5, 7, 8, 13, 16, 17, 31, 33, 64, 70, 100, 129, 200, 257)
DTYPES = (torch.float32, torch.float32, torch.float64, torch.bfloat16, torch.float16)


class Product(nn.Module):
    """A matmul with transposed operands, an added tensor, and an activation."""

    def __init__(self, draw):
        super().__init__()
        self.left, self.right = draw.random() < 0.3, draw.random() < 0.3
        self.adds = draw.random() < 0.5
        self.last = draw.choice([None, torch.relu, torch.sigmoid, nn.functional.gelu])

    def forward(self, a, b, c):
        a = a.transpose(-1, -2) if self.left else a
        b = b.transpose(-1, -2) if self.right else b
        result = a @ b
        if self.adds:
            result = result + c
        return result if self.last is None else self.last(result)


def _product(draw):
    """A model, its inputs, dynamic shapes, and other inputs."""
    rows, columns, depth = (draw.choice(SIZES) for _ in range(3))
    dtype = draw.choice(DTYPES)
    model = Product(draw)
    if dtype == torch.float64 and model.last is nn.functional.gelu:
        # There is no erf for doubles.
        model.last = torch.sigmoid
    batch = draw.choice([(), (), (2,), (3, 2)])

    def tensor(*sizes):
        return torch.randn(sizes).to(dtype)

    def left(count):
        return tensor(*batch, *((depth, count) if model.left else (count, depth)))

    right = (columns, depth) if model.right else (depth, columns)
    b = tensor(*(batch if draw.random() < 0.6 else ()), *right)
    c = tensor(*draw.choice([(columns,), ()]))
    if batch or draw.random() < 0.5 or rows == 1:
        return model, (left(rows), b, c), None, []
    dim = torch.export.Dim("rows", min=2, max=5000)
    others = [(left(count), b, c) for count in (2, 3, 14, 29, 50)]
    return model, (left(rows), b, c), ({1 if model.left else 0: dim}, None, None), others


def _repeated(draw):
    """A batch along which operands are repeated, as broadcasts of matrices are."""
    model = Product(draw)
    model.adds, model.last = draw.random() < 0.5, draw.choice([None, torch.relu])
    rows, columns, depth = (draw.choice(SIZES[:12]) for _ in range(3))
    dtype = draw.choice((torch.float32, torch.bfloat16))
    batch = draw.choice([(5,), (2, 3), (4, 2)])
    which = draw.choice([(0,), (1,), (0, 1)])

    def others(count):
        sizes = [[count, *batch[1:]] for _ in range(2)]
        for place in which:
            sizes[place][0 if place == which[0] else -1] = 1
        if draw.random() < 0.3:
            sizes[which[0]] = sizes[which[0]][1:]
        left = (depth, rows) if model.left else (rows, depth)
        right = (columns, depth) if model.right else (depth, columns)
        a, b = (torch.randn(*one, *two) for one, two in zip(sizes, (left, right), strict=True))
        return a.to(dtype), b.to(dtype), torch.randn(columns).to(dtype)

    state = draw.getstate()
    inputs = others(batch[0])
    kept = 1 - which[0]
    if (len(batch) == 1 and len(which) == 2) or draw.random() < 0.5:
        return model, inputs, None, []
    shapes = [None, None, None]
    shapes[kept] = {0: torch.export.Dim("batch", min=2, max=5000)}
    draw.setstate(state)
    return model, inputs, tuple(shapes), [others(batch[0] + 3)]


def _few_rows(draw):
    """A few rows by the rows of a transposed operand, of which more may come."""
    model = Product(draw)
    model.left, model.right, model.adds = False, True, draw.random() < 0.5
    model.last = draw.choice([None, torch.relu])
    rows, columns = draw.choice((1, 2, 3, 4, 5)), draw.choice(SIZES)
    # Of the shortest, products are computed otherwise.
    depth = draw.choice((3, 8, 16, 17, 31, 64, 65, 100, 128, 129, 200, 300))
    # In double precision there is nothing more exact to compare with.
    dtype = torch.float64 if depth < 20 and draw.random() < 0.5 else torch.float32
    batch = draw.choice([(), (2,), (3, 2)])
    a = torch.randn(*batch, rows, depth, dtype=dtype)

    def others(count):
        b = torch.randn(*batch, count, depth, dtype=dtype)
        return a, b, torch.randn(draw.choice([(count,), ()]), dtype=dtype)

    if draw.random() < 0.5 or columns == 1:
        return model, others(columns), None, []
    model.adds = False
    _, b, c = others(columns)
    dim = torch.export.Dim("columns", min=2, max=5000)
    shapes = (None, {len(batch): dim}, None)
    return (
        model,
        (a, b, c.flatten()[:1]),
        shapes,
        [(a, others(count)[1], c.flatten()[:1]) for count in (2, 15, 33, 70)],
    )


def _small_batch(draw):
    """Many products of small matrices."""
    model = Product(draw)
    model.left, model.right, model.adds, model.last = False, False, False, None
    rows, columns, depth = (draw.randint(1, 12) for _ in range(3))
    dtype = draw.choice(DTYPES)
    batch = draw.choice([(5,), (20,), (3, 2)])
    sizes = (*batch, rows, depth), (*batch, depth, columns), ()
    return model, tuple(torch.randn(each).to(dtype) for each in sizes), None, []


def _convolution(draw):
    rank = draw.choice([1, 2, 2, 2, 3])
    channels = draw.choice([1, 3, 4, 8, 16, 20])
    # In three dimensions the wheel does not convert groups.
    groups = draw.choice([1, 1, channels, 2 if channels % 2 == 0 else 1]) if rank < 3 else 1
    results = groups * draw.choice([1, 3, 8, 17, 40])
    window, padding = ([draw.choice(of) for _ in range(rank)] for of in ((1, 2, 3, 5), (0, 1, 2)))
    strides, dilations = ([draw.choice(of) for _ in range(rank)] for of in ((1, 1, 2, 3), (1, 2)))
    sizes = [draw.choice([11, 12, 15, 23]) for _ in range(rank)]
    kind = (nn.Conv1d, nn.Conv2d, nn.Conv3d)[rank - 1]
    layer = kind(
        channels, results, tuple(window), tuple(strides), tuple(padding), tuple(dilations), groups
    )
    rest = draw.choice([[], [nn.ReLU()], [nn.SiLU()]])
    dtype = draw.choice(DTYPES)
    model = nn.Sequential(layer, *rest).to(dtype)
    inputs = (torch.randn(2, channels, *sizes).to(dtype),)
    if rank != 2 or draw.random() < 0.5:
        return model, inputs, None, []
    dims = {
        place: torch.export.Dim(name, min=2 if place == 0 else 11, max=500)
        for place, name in ((0, "batch"), (2, "height"), (3, "width"))
    }
    shapes = ((3, channels, 11, 33), (2, channels, 40, 12))
    return model, inputs, (dims,), [(torch.randn(each).to(dtype),) for each in shapes]


def _check(model, inputs, shapes, others, cpu, threads):
    model.eval()
    dtype = inputs[0].dtype
    compiled = torch_refine.compile(model, inputs, dynamic_shapes=shapes, cpu=cpu, threads=threads)
    for given in (inputs, *others):
        with torch.no_grad():
            result, expected = compiled(*given), model(*given)
            exact = model.double()(*(each.double() for each in given))
            model.to(dtype)
        assert result.dtype == expected.dtype
        assert result.shape == expected.shape
        # 16-bit results are rounded once; all others accumulate rounding errors.
        eps = torch.finfo(dtype).eps
        slack = eps * (64 if dtype.itemsize > 2 else exact.abs().max())
        bound = 3 * (expected.double() - exact).abs().max() + slack
        assert (result.double() - exact).abs().max() <= bound


@pytest.mark.parametrize("seed", range(6))
def test_products(seed):
    draw = random.Random(seed)
    torch.manual_seed(seed)
    _check(*_product(draw), draw.choice(PROCESSORS), draw.choice([1, 1, 2]))


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("draw_program", [_few_rows, _small_batch, _repeated])
def test_few_numbers(draw_program, seed):
    draw = random.Random(3000 + seed)
    torch.manual_seed(seed)
    _check(*draw_program(draw), draw.choice(PROCESSORS), draw.choice([1, 1, 2]))


@pytest.mark.parametrize("seed", range(6))
def test_convolutions(seed):
    draw = random.Random(1000 + seed)
    torch.manual_seed(seed)
    _check(*_convolution(draw), draw.choice(PROCESSORS), draw.choice([1, 1, 2]))


class Matmul(nn.Module):
    """A matmul only."""

    def forward(self, a, b):
        return a @ b


@pytest.mark.parametrize("depth", [1024, 4096, 16384])
def test_long_sums_round_no_more_than_twice_as_much(depth):
    torch.manual_seed(0)
    a, b = torch.randn(64, depth), torch.randn(depth, 64)
    compiled = torch_refine.compile(Matmul(), (a, b))
    exact = a.double() @ b.double()
    ours, theirs = (
        (result.double() - exact).pow(2).mean().sqrt() for result in (compiled(a, b), a @ b)
    )
    assert ours <= 2 * theirs


@pytest.mark.parametrize("sizes", [(0, 64, 64), (64, 0, 64), (64, 64, 0)])
def test_a_matrix_of_nothing(sizes):
    rows, columns, depth = sizes
    inputs = torch.rand(rows, depth), torch.rand(depth, columns)
    torch.testing.assert_close(torch_refine.compile(Matmul(), inputs)(*inputs), Matmul()(*inputs))


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("draw_program", [_product, _few_rows, _small_batch, _convolution])
def test_no_access_outside_of_buffers(seed, draw_program, monkeypatch):
    """Each buffer starts or ends at a protected page."""
    monkeypatch.setenv("TORCH_REFINE_CACHE", "0")
    draw = random.Random(2000 + seed)
    torch.manual_seed(seed)
    model, inputs, shapes, others = draw_program(draw)
    options = Options(separate_buffers=True, cpu=draw.choice(PROCESSORS))
    with guarded_heap() as heap:
        compiled = compile_model(model.eval(), inputs, shapes, options)
        for given in (inputs, *others):
            for heap.side in SIDES:
                result = compiled(*(heap.copy(each) for each in given))
                del result
                assert heap.faults == []


def test_integers_in_three_dimensions():
    inputs = torch.randint(0, 9, (1, 2, 5, 6, 7)), torch.randint(0, 9, (3, 2, 1, 2, 3))

    class Convolution(nn.Module):
        """A convolution of integers."""

        def forward(self, image, weight):
            return nn.functional.conv3d(image, weight, padding=(0, 1, 2))

    assert torch.equal(torch_refine.compile(Convolution(), inputs)(*inputs), Convolution()(*inputs))


class IntegerProduct(nn.Module):
    """An integer matmul; `_int_mm` accumulates int8 in int32."""

    def __init__(self, is_wide, is_turned):
        super().__init__()
        self.is_wide, self.is_turned = is_wide, is_turned

    def forward(self, a, b):
        if self.is_turned:
            b = b.transpose(-1, -2)
        return torch._int_mm(a, b) if self.is_wide else a @ b


@pytest.mark.parametrize("seed", range(6))
def test_integers_wrap_around_as_eager_ones_do(seed):
    draw = random.Random(3000 + seed)
    torch.manual_seed(seed)
    dtype = draw.choice([torch.int8, torch.uint8, torch.int16, torch.int32, torch.int64])
    is_wide = dtype == torch.int8 and draw.random() < 0.7
    rows, columns, depth = (draw.choice(SIZES) for _ in range(3))
    if is_wide:
        # PyTorch's requirements.
        rows, columns, depth = rows + 17, -(-columns // 8) * 8, -(-depth // 8) * 8
    batch = () if is_wide else draw.choice([(), (3,)])
    model = IntegerProduct(is_wide, draw.random() < 0.5)
    limits = torch.iinfo(dtype)

    def tensor(*sizes):
        most = min(limits.max, 2**63 - 2) + 1
        return torch.randint(limits.min, most, (*batch, *sizes), dtype=dtype)

    inputs = (
        tensor(rows, depth),
        tensor(*((columns, depth) if model.is_turned else (depth, columns))),
    )
    compiled = torch_refine.compile(
        model, inputs, cpu=draw.choice(PROCESSORS), threads=draw.choice([1, 2])
    )
    assert torch.equal(compiled(*inputs), model(*inputs))
