"""Running extremes, histograms of many bins, and the largest elements in any order."""

import pytest
import torch
import torch_refine
from function_module import Function


def check(function, *inputs):
    found = torch_refine.compile(Function(function), inputs)(*inputs)
    torch.testing.assert_close(found, function(*inputs), rtol=0, atol=0, equal_nan=True)


def extremes(x, dim):
    return *torch.cummax(x, dim), *torch.cummin(x, dim)


@pytest.mark.parametrize("dim", [0, 1, -1])
def test_nans_and_equal_values(dim):
    x = torch.randint(0, 3, (3, 7, 5)).float()
    x[0, 3, 1], x[1, 2], x[2, 0, 0], x[2, 0, 1] = torch.nan, torch.inf, -0.0, torch.nan
    check(lambda x: extremes(x, dim), x)


@pytest.mark.parametrize(
    "dtype",
    [
        *(torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.bool),
        *(torch.bfloat16, torch.float16, torch.float64),
    ],
)
def test_dtypes(dtype):
    x = torch.randint(0, 2 if dtype == torch.bool else 256, (33, 2)).to(dtype)
    check(lambda x: (*extremes(x, 0), *extremes(x.t().contiguous(), 1)), x)


@pytest.mark.parametrize("dim", [0, 1, 2])
def test_sizes_may_be_dynamic(dim):
    model = Function(lambda x: extremes(x, dim))
    sizes = {index: torch.export.Dim.AUTO for index in range(3)}
    compiled = torch_refine.compile(model, (torch.randn(3, 4, 5),), dynamic_shapes=((sizes,),))
    for shape in [(2, 9, 6), (7, 3, 2), (5, 11, 1030)]:
        x = torch.randint(-3, 3, shape).float()
        x[x == -3] = torch.nan
        torch.testing.assert_close(compiled(x), model(x), rtol=0, atol=0, equal_nan=True)


@pytest.mark.parametrize("dim", [0, -1])
def test_gradients(dim):
    x = torch.randint(0, 4, (6, 7)).float().requires_grad_()
    given = torch.randn(6, 7)

    def gradient(function):
        return torch.autograd.grad(function(x), x, given)

    compiled = torch.compile(lambda x: torch.cummax(x, dim)[0], backend="torch_refine")
    wanted = gradient(lambda x: torch.cummax(x, dim)[0])
    torch.testing.assert_close(gradient(compiled), wanted)


@pytest.mark.parametrize("shape", [(), (1,), (2, 0), (0, 2)])
def test_few_elements(shape):
    check(lambda x: extremes(x, 0 if not shape else -1), torch.randn(shape))


@pytest.mark.parametrize("shape", [(1, 4), ()])
def test_results_do_not_alias_the_input(shape):
    x = torch.randn(shape)
    values, _ = torch_refine.compile(Function(lambda x: torch.cummax(x, 0)), (x,))(x)
    assert values.data_ptr() != x.data_ptr()


def test_histograms_of_many_bins():
    check(lambda x: torch.histc(x, 300, 0, 299), torch.randint(-5, 310, (999,)).float())
    x = torch.randn(500)
    x[3], x[4], x[5] = torch.nan, torch.inf, 2.0
    check(lambda x: torch.histc(x, 600, -2, 2), x)


@pytest.mark.parametrize("largest", [False, True])
def test_the_largest_elements_in_any_order(largest):
    def found(x):
        values, places = torch.topk(x, 3, 1, largest, sorted=False)
        return values.sort(1).values, x.gather(1, places).sort(1).values

    check(found, torch.randn(4, 9, 2))
