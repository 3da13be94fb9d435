"""The first elements of sorted rows, and the extremes: values, and where the first equal one is."""

import pytest
import torch
import torch_refine
from function_module import Function

SHAPES = ((200,), (2, 33, 3))
DTYPES = (torch.float32, torch.bfloat16, torch.int32, torch.uint8, torch.bool)
EXTREMES = [
    (operator, dtype)
    for operator in (torch.max, torch.min, torch.argmax, torch.argmin)
    for dtype in DTYPES
    # Eager mode has no places of bools alone.
    if dtype != torch.bool or operator in (torch.max, torch.min)
]


def _numbers(shape, dtype):
    """Few different numbers, so that many are equal."""
    found = torch.randint(-9, 9, shape)
    if dtype in (torch.uint8, torch.bool):
        found = found.clamp(min=0)
    found = found.to(dtype)
    if dtype.is_floating_point:
        for number in ("nan", "inf", "-inf"):
            found[torch.rand(shape) < 0.1] = float(number)
    return found


def _shapes_of(x, is_dynamic):
    return ((dict.fromkeys(range(x.dim()), torch.export.Dim.AUTO),),) if is_dynamic else None


@pytest.mark.parametrize("is_dynamic", [False, True])
@pytest.mark.parametrize("largest", [True, False])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.int64, torch.uint8])
def test_topk_is_the_start_of_a_stable_sort(dtype, largest, is_dynamic):
    for shape in SHAPES:
        for dim, size in enumerate(shape):
            count = min(size, 5)
            x = _numbers(shape, dtype)
            compiled = torch_refine.compile(
                Function(lambda x, n=count, d=dim: torch.topk(x, n, d, largest)),
                (x,),
                dynamic_shapes=_shapes_of(x, is_dynamic),
            )
            values, places = torch.sort(x, dim=dim, descending=largest, stable=True)
            expected = values.narrow(dim, 0, count), places.narrow(dim, 0, count)
            torch.testing.assert_close(compiled(x), expected, equal_nan=True)


@pytest.mark.parametrize("is_dynamic", [False, True])
@pytest.mark.parametrize(("operator", "dtype"), EXTREMES)
def test_extremes_are_those_of_eager_mode(dtype, operator, is_dynamic):
    for shape in SHAPES:
        for dim in range(-1, len(shape) - 1):
            x = _numbers(shape, dtype)
            compiled = torch_refine.compile(
                Function(lambda x, d=dim: operator(x, d)),
                (x,),
                dynamic_shapes=_shapes_of(x, is_dynamic),
            )
            expected = operator(x, dim)
            given = expected if isinstance(expected, torch.Tensor) else tuple(expected)
            found = compiled(x)
            found = found if isinstance(found, torch.Tensor) else tuple(found)
            torch.testing.assert_close(found, given, equal_nan=True)


@pytest.mark.parametrize("largest", [True, False])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float64, torch.int32])
def test_topk_of_rows_of_any_length(dtype, largest):
    """Some elements are compared at once, and the rest of a row on their own."""
    count = 4
    function = Function(lambda x: torch.topk(x, count, -1, largest))
    x = _numbers((2, 90), dtype)
    compiled = torch_refine.compile(function, (x,), dynamic_shapes=(({1: torch.export.Dim.AUTO},),))
    for size in (4, 5, 19, 20, 21, 35, 36, 37, 200):
        x = _numbers((2, size), dtype)
        static = torch_refine.compile(function, (x,)) if size in (20, 37) else compiled
        values, places = torch.sort(x, descending=largest, stable=True)
        expected = values[:, :count], places[:, :count]
        for each in (compiled, static):
            torch.testing.assert_close(each(x), expected, equal_nan=True)
    with pytest.raises((RuntimeError, ValueError)):
        compiled(_numbers((2, 3), dtype))


@pytest.mark.parametrize("is_dynamic", [False, True])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.int64, torch.uint8])
def test_kthvalue_is_an_element_of_a_stable_sort(dtype, is_dynamic):
    for shape in SHAPES:
        for dim, size in enumerate(shape):
            for k, keepdim in ((1, False), (-(-size // 2), True), (size, False)):
                x = _numbers(shape, dtype)
                compiled = torch_refine.compile(
                    Function(lambda x, k=k, d=dim, kept=keepdim: torch.kthvalue(x, k, d, kept)),
                    (x,),
                    dynamic_shapes=_shapes_of(x, is_dynamic),
                )
                found = tuple(compiled(x))
                expected = (
                    each.narrow(dim, k - 1, 1) for each in torch.sort(x, dim=dim, stable=True)
                )
                if not keepdim:
                    expected = (each.squeeze(dim) for each in expected)
                torch.testing.assert_close(found, tuple(expected), equal_nan=True)
            if is_dynamic and size > 1:
                with pytest.raises((RuntimeError, ValueError)):
                    compiled(x.narrow(dim, 0, size - 1))
