"""Programs that take particular paths through the lowering compute what PyTorch computes."""

import time

import pytest
import torch
import torch_refine
from function_module import Function
from torch import nn
from torch.export import Dim
from torch_refine.runtime.compiling.compiler import CompileError

CASES = {
    "convolution of a row": lambda: (nn.Conv1d(6, 9, 3, 2, 4, 2, 3), torch.randn(2, 6, 31)),
    "transposed convolution of a row": lambda: (
        nn.ConvTranspose1d(6, 9, 4, 2, 1, 1),
        torch.randn(2, 6, 31),
    ),
    "convolution of a row of half numbers": lambda: (
        nn.Conv1d(3, 3, 3, padding=2, stride=2).bfloat16(),
        torch.randn(3, 4).bfloat16(),
    ),
    "convolution of half numbers in groups": lambda: (
        nn.Sequential(nn.Conv2d(8, 8, 3, 1, 1, groups=2), nn.Conv2d(8, 16, 1, groups=4)).half(),
        torch.randn(1, 8, 9, 9).half(),
    ),
    "convolution of doubles in groups": lambda: (
        nn.Sequential(nn.Conv2d(8, 8, 3, padding=1, groups=2), nn.ReLU()).double(),
        torch.randn(1, 8, 9, 9).double(),
    ),
    "convolution of bfloat16 in groups": lambda: (
        nn.Conv1d(4, 8, 3, 3, 1, 2, groups=2).bfloat16(),
        torch.randn(2, 4, 19).bfloat16(),
    ),
    "transposed convolution of half numbers": lambda: (
        nn.ConvTranspose1d(1, 2, 2, 2, bias=False).half(),
        torch.randn(1, 1, 4).half(),
    ),
    "transposed convolution in groups": lambda: (
        nn.ConvTranspose2d(8, 12, (3, 4), (2, 3), (0, 1), (1, 2), 4, dilation=(1, 2)),
        torch.randn(2, 8, 9, 7),
    ),
    "transposed convolution of a volume": lambda: (
        nn.ConvTranspose3d(4, 6, 2, (2, 1, 3)),
        torch.randn(1, 4, 3, 5, 4),
    ),
    "statistics of a batch": lambda: (
        Function(lambda x: nn.functional.batch_norm(x, None, None, training=True)),
        torch.randn(4, 6, 9, 7),
    ),
    "variances": lambda: (
        Function(lambda x: (x.var((0, 2)), x.std(-1, correction=9), x.half().var(1))),
        torch.randn(4, 6, 9),
    ),
    "gathered of one number": lambda: (
        Function(lambda x: torch.gather(x.sum(), 0, torch.tensor([0, 0]))),
        torch.randn(3),
    ),
    "gathered by one index": lambda: (
        Function(lambda x: torch.gather(x, 0, torch.tensor(1))),
        torch.randn(3),
    ),
    "short rows": lambda: (
        Function(lambda x: torch.exp(x) + x.mean((1, 2), keepdim=True)),
        torch.randn(4, 6, 7, 3),
    ),
    "convolutions of rows, and what comes between": lambda: (
        nn.Sequential(
            nn.Conv1d(16, 32, 5, padding=2), nn.BatchNorm1d(32), nn.ReLU(), nn.Conv1d(32, 16, 5)
        ),
        torch.randn(3, 16, 40),
    ),
    "one row without a batch": lambda: (nn.Conv1d(4, 8, 3), torch.randn(4, 20)),
    "lstm": lambda: (nn.LSTM(12, 20, 2, batch_first=True), torch.randn(3, 6, 12)),
    "gru": lambda: (nn.GRU(12, 20, batch_first=True), torch.randn(3, 6, 12)),
    "a batch that lies otherwise": lambda: (
        nn.Sequential(nn.Linear(12, 30), nn.GELU(), nn.Linear(30, 12)),
        torch.randn(5, 7, 12).transpose(0, 1),
    ),
    "a transposed operand": lambda: (
        Function(lambda x: x.t() * 2 - torch.ones(37, 53)),
        torch.randn(53, 37),
    ),
    "a transposed operand, whole blocks": lambda: (
        Function(lambda x: x.transpose(1, 2) + x.transpose(1, 2).sum(1, keepdim=True)),
        torch.randn(3, 32, 48),
    ),
    "parts of rows": lambda: (
        Function(lambda x: torch.stack([part.exp().sum(-1) for part in x.split([3, 10, 7], -1)])),
        torch.randn(9, 20),
    ),
}


def turned(x, cosine, sine):
    even, odd = x[..., ::2], x[..., 1::2]
    pairs = torch.stack((even * cosine - odd * sine, even * sine + odd * cosine), -1)
    return pairs.flatten(-2)


@pytest.mark.parametrize("is_dynamic", [False, True])
def test_a_rotary_embedding_of_pairs(is_dynamic):
    sizes = {0: Dim("batch", min=2, max=64), 1: Dim("length", min=2, max=64)}
    shapes = (({**sizes}, {0: sizes[1]}, {0: sizes[1]}),) if is_dynamic else None
    values = torch.randn(3, 5, 4, 64), torch.randn(5, 1, 32), torch.randn(5, 1, 32)
    compiled = torch_refine.compile(Function(turned), values, dynamic_shapes=shapes)
    torch.testing.assert_close(compiled(*values), turned(*values))
    for batch, length in ((2, 2), (2, 64), (7, 33)) if is_dynamic else ():
        values = torch.randn(batch, length, 4, 64), *torch.randn(2, length, 1, 32)
        torch.testing.assert_close(compiled(*values), turned(*values))


def halves_turned(x, cosine, sine):
    rows = x.unflatten(-1, (4, 16)).transpose(1, 2)
    swapped = torch.cat((-rows[..., 8:], rows[..., :8]), -1)
    return rows * cosine + swapped * sine


@pytest.mark.parametrize("is_dynamic", [False, True])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_a_rotary_embedding_of_halves(dtype, is_dynamic):
    sizes = {0: Dim("batch", min=2, max=64), 1: Dim("length", min=2, max=64)}
    shapes = (({**sizes}, {0: sizes[1]}, {0: sizes[1]}),) if is_dynamic else None
    values = tuple(torch.randn(*size).to(dtype) for size in ((3, 5, 64), (5, 16), (5, 16)))
    compiled = torch_refine.compile(Function(halves_turned), values, dynamic_shapes=shapes)
    torch.testing.assert_close(compiled(*values), halves_turned(*values))
    for batch, length in ((2, 2), (7, 33)) if is_dynamic else ():
        values = tuple(
            torch.randn(*size).to(dtype)
            for size in ((batch, length, 64), (length, 16), (length, 16))
        )
        torch.testing.assert_close(compiled(*values), halves_turned(*values))


@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16, torch.int16, torch.bool])
@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_columns_are_interleaved(count, dtype):
    def stacked(*columns):
        return torch.stack([columns[0], *columns[1:]], -1), torch.stack(columns[::-1], -1)[1:]

    columns = tuple((torch.randn(9, 37) * 9).to(dtype) for _ in range(count))
    compiled = torch_refine.compile(Function(stacked), columns)
    torch.testing.assert_close(compiled(*columns), stacked(*columns))


@pytest.mark.parametrize("name", CASES)
def test_programs(name):
    torch.manual_seed(0)
    model, values = CASES[name]()
    model.eval()
    with torch.no_grad():
        compiled = torch_refine.compile(model, (values,))
        torch.testing.assert_close(compiled(values), model(values))


def test_a_dynamic_batch_that_lies_otherwise():
    model = nn.Sequential(nn.Linear(12, 30), nn.ReLU(), nn.Linear(30, 12)).eval()
    rows = Function(lambda x: model(x.transpose(0, 1))).eval()
    shapes = (({0: Dim("steps", min=2, max=64), 1: Dim("batch", min=2, max=64)},),)
    compiled = torch_refine.compile(rows, (torch.randn(5, 7, 12),), dynamic_shapes=shapes)
    for sizes in ((2, 2), (9, 3), (64, 5)):
        values = torch.randn(*sizes, 12)
        with torch.no_grad():
            torch.testing.assert_close(compiled(values), rows(values))


def test_slice_of_an_input_is_copied():
    """The caller owns the result, so it is a copy, with non-contiguous rows."""
    model = Function(lambda x: x[:, : x.shape[1] - 4]).eval()
    any_size = torch.export.Dim.AUTO
    compiled = torch_refine.compile(
        model, (torch.randn(5, 10, 7),), dynamic_shapes=(({0: any_size, 1: any_size},),)
    )
    for sizes in ((5, 10), (2, 6), (9, 30)):
        values = torch.randn(*sizes, 7)
        torch.testing.assert_close(compiled(values), model(values))


def test_views_of_several_unknown_sizes():
    """The wheel's conversion mistakes a view of [?,?,12] as [?,12] for one of [?,1,12]."""

    def views(x):
        rows, columns = x.shape[:2]
        return x.view(rows * columns, 12), x.view(rows, columns, 3, 4) * 2, x.reshape(-1)

    any_size = torch.export.Dim.AUTO
    compiled = torch_refine.compile(
        Function(views).eval(),
        (torch.randn(5, 7, 12),),
        dynamic_shapes=(({0: any_size, 1: any_size},),),
    )
    for sizes in ((5, 7), (2, 3), (40, 2)):
        values = torch.randn(*sizes, 12)
        for found, expected in zip(compiled(values), views(values), strict=True):
            torch.testing.assert_close(found, expected)


ANY_SIZE = {
    "statistics of a batch": (
        lambda x: nn.functional.batch_norm(x, None, None, training=True),
        (1, 4, 3),
        (1, 9, 3),
    ),
    "one window over an unknown size": (
        lambda x: nn.functional.max_pool3d(x, 3, padding=1),
        (1, 2, 3, 6, 5),
        (1, 2, 2, 7, 6),
    ),
    "what several rows make": (
        lambda x: (x - x.mean(-1, keepdim=True)) / x.double().std(-1, keepdim=True).float(),
        (3, 4, 5),
        (2, 7, 8),
    ),
}


@pytest.mark.parametrize("name", ANY_SIZE)
def test_programs_of_any_size(name):
    torch.manual_seed(0)
    function, *given = ANY_SIZE[name]
    any_size = {dim: torch.export.Dim.AUTO for dim, size in enumerate(given[0]) if size > 1}
    compiled = torch_refine.compile(
        Function(function).eval(), (torch.randn(given[0]),), dynamic_shapes=((any_size,),)
    )
    for sizes in given:
        values = torch.randn(sizes)
        torch.testing.assert_close(compiled(values), function(values))


IMAGES_OF_ANY_SIZE = {
    "convolution": nn.Conv2d(16, 40, 3, padding=1),
    "steps and gaps": nn.Conv2d(16, 20, (3, 5), stride=(1, 3), padding=2, dilation=(1, 2)),
    "one number": nn.Conv2d(16, 8, 1),
    "several, and what comes between": nn.Sequential(
        nn.Conv2d(16, 32, 3, 2, 1), nn.BatchNorm2d(32), nn.ReLU(), nn.Conv2d(32, 16, 3)
    ),
    "transposed": nn.ConvTranspose2d(16, 12, 4, 2, 1),
    "mean of channels": Function(lambda x: x.mean((0, 2, 3)) + x.amax((0, 3)).sum(1)),
}


@pytest.mark.parametrize("name", IMAGES_OF_ANY_SIZE)
def test_images_of_any_size(name):
    """Row sizes divisible by the tile size, and others, down to those smaller than a tile."""
    model = IMAGES_OF_ANY_SIZE[name].eval()
    any_size = {dim: Dim.AUTO for dim in (0, 2, 3)}
    compiled = torch_refine.compile(
        model,
        (torch.randn(2, 16, 24, 24),),
        dynamic_shapes={"input": any_size} if not isinstance(model, Function) else ((any_size,),),
    )
    for batch, rows, columns in ((2, 24, 24), (3, 17, 23), (2, 9, 40), (4, 30, 9)):
        images = torch.randn(batch, 16, rows, columns)
        with torch.no_grad():
            torch.testing.assert_close(compiled(images), model(images), rtol=1e-4, atol=1e-4)


def _convolution(transposed):
    def convolution(images, weights):
        lists = [2, 2], [2, 2], [1, 1]
        more = [1, 1] if transposed else [0, 0]
        return torch.ops.aten.convolution(images, weights, None, *lists, transposed, more, 1)

    return Function(convolution)


def test_windows_of_any_size():
    images, weights = torch.randn(2, 3, 4, 4), torch.randn(3, 3, 3, 3)
    sizes = (({2: Dim.AUTO, 3: Dim.AUTO},) * 2,)
    model = _convolution(transposed=False)
    compiled = torch_refine.compile(model, (images, weights), dynamic_shapes=sizes)
    for given in ((images, weights), (torch.randn(2, 3, 7, 9), torch.randn(3, 3, 2, 5))):
        torch.testing.assert_close(compiled(*given), model(*given), rtol=1e-4, atol=1e-5)
    # The wheel's conversion writes out of bounds for windows smaller than the padding.
    with pytest.raises(CompileError, match="transposed convolutions with windows of dynamic"):
        torch_refine.compile(_convolution(True), (images, weights), dynamic_shapes=sizes)


def _sorted(descending):
    return Function(lambda x: torch.sort(x, dim=0, descending=descending, stable=True)).eval()


@pytest.mark.parametrize("descending", [False, True])
def test_sorting(descending):
    """All sizes around those of runs; equal elements, infinities and NaN, and their indices."""
    shapes = (({0: Dim("rows", min=2, max=5000)},),)
    compiled = torch_refine.compile(
        _sorted(descending), (torch.randn(5, 2),), dynamic_shapes=shapes
    )
    for rows in (2, 3, 4, 5, 7, 8, 9, 31, 64, 100, 1025):
        values = torch.randint(-9, 9, (rows, 2)).float()
        values[0, 0] = float("inf")
        values[-1, 1] = float("nan")
        for found, expected in zip(compiled(values), _sorted(descending)(values), strict=True):
            torch.testing.assert_close(found, expected, equal_nan=True)


@pytest.mark.parametrize("rows", [0, 1])
def test_sorting_next_to_nothing(rows):
    compiled = torch_refine.compile(_sorted(False), (torch.randn(rows, 2),))
    values = torch.randn(rows, 2)
    torch.testing.assert_close(compiled(values)[0], values)


def test_sorting_takes_no_square_of_time():
    values = torch.rand(300_000, 1)
    compiled = torch_refine.compile(_sorted(False), (values,))
    start = time.perf_counter()
    found = compiled(values)
    # Comparing all pairs would take minutes.
    assert time.perf_counter() - start < 5
    torch.testing.assert_close(found[0], values.sort(0)[0])
