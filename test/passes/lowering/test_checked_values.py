"""Compiled programs check the values and sizes that kernels check."""

import pytest
import torch
import torch_refine
from function_module import Function
from torch_refine.importer.errors import ImportModelError

aten = torch.ops.aten
functional = torch.nn.functional
_AUTO = torch.export.Dim.AUTO


@pytest.fixture(autouse=True)
def _without_cache(monkeypatch):
    monkeypatch.setenv("TORCH_REFINE_CACHE", "0")


def _compiled(function, inputs, shapes=None):
    shapes = None if shapes is None else (shapes,)
    return torch_refine.compile(Function(function), inputs, dynamic_shapes=shapes, opt_level=0)


_WRONG = [[0.5, float("nan")], [1.1, 1.0], [0.0, -0.1], [float("inf"), 0.0]]


def test_probabilities_of_a_loss_are_checked():
    loss = functional.binary_cross_entropy
    right = torch.tensor([0.0, 1.0])
    compiled = _compiled(loss, (right, right))
    for given in (right, torch.rand(2)):
        torch.testing.assert_close(compiled(given, right), loss(given, right))
    for wrong in map(torch.tensor, _WRONG):
        for given, name in (((wrong, right), "input"), ((right, wrong), "target")):
            for call in (loss, compiled):
                with pytest.raises(RuntimeError, match=f"all elements of {name}"):
                    call(*given)


@pytest.mark.parametrize("quantile", [torch.quantile, torch.nanquantile])
def test_probabilities_of_quantiles_are_checked(quantile):
    x, right = torch.rand(5), torch.tensor([0.0, 1.0])
    compiled = _compiled(quantile, (x, right))
    torch.testing.assert_close(compiled(x, right), quantile(x, right))
    for wrong in map(torch.tensor, _WRONG):
        for call in (quantile, compiled):
            with pytest.raises(RuntimeError, match="q values must be in the range"):
                call(x, wrong)


@pytest.mark.parametrize("name", ["_softmax_backward_data", "_log_softmax_backward_data"])
def test_a_gradient_has_the_dtype_of_a_gradient(name):
    operator, x = getattr(aten, name), torch.rand(2, 3)
    torch.testing.assert_close(
        _compiled(lambda x: operator(x, x, 0, torch.float32), (x,))(x),
        operator(x, x, 0, torch.float32),
    )
    for dtype in (torch.float64, torch.float16, torch.bfloat16):
        with pytest.raises(ImportModelError, match="of the dtype"):
            _compiled(lambda x, dtype=dtype: operator(x, x, 0, dtype), (x,))


def _normalization(grad, x, mean, rstd, weight, bias, rows):
    mask = [True, True, True]
    return aten.native_layer_norm_backward(grad, x, [rows, 3], mean, rstd, weight, bias, mask)


def test_sizes_of_a_gradient_of_a_normalization_are_guarded():
    def inputs(batch, rows, statistics=None, weights=None, normalized=None):
        sizes = [(batch, rows, 3)] * 2 + [(batch, 1, 1), (statistics or batch, 1, 1)]
        tensors = [torch.rand(each) for each in (*sizes, *[(weights or rows, 3)] * 2)]
        return (*tensors, normalized or rows)

    example = inputs(2, 3)
    both, one = {0: _AUTO, 1: _AUTO}, {0: _AUTO}
    compiled = _compiled(_normalization, example, (both, both, one, one, one, one, _AUTO))
    for given in (example, inputs(4, 2)):
        torch.testing.assert_close(compiled(*given), _normalization(*given))
    for given in (inputs(2, 3, statistics=4), inputs(2, 3, weights=4), inputs(2, 3, normalized=4)):
        with pytest.raises(torch_refine.GuardError):
            compiled(*given)


def test_statistics_of_a_normalization_may_have_the_dimensions_of_rows_alone():
    given = (*torch.rand(2, 4, 2, 3), torch.rand(4), torch.rand(4), *torch.rand(2, 2, 3))
    call = lambda *given: _normalization(*given, 2)  # noqa: E731
    torch.testing.assert_close(_compiled(call, given)(*given), call(*given))


def test_more_statistics_of_a_normalization_than_rows_are_refused():
    given = (*torch.rand(2, 1, 2, 3), torch.rand(1, 1, 1), torch.rand(2, 1, 1))
    given += (*torch.rand(2, 2, 3),)
    with pytest.raises(ImportModelError):
        _compiled(lambda *given: _normalization(*given, 2), given)


@pytest.mark.parametrize("repeat", [torch.Tensor.repeat, torch.Tensor.tile])
def test_no_times_leaves_the_other_sizes(repeat):
    example = (torch.rand(3, 2), 0, 2)
    compiled = _compiled(lambda x, a, b: repeat(x, a, b), example, ({0: _AUTO}, _AUTO, _AUTO))
    for given in (example, (torch.rand(5, 2), 0, 3), (torch.rand(3, 2), 0, 1)):
        torch.testing.assert_close(compiled(*given), repeat(*given))
    with pytest.raises(torch_refine.GuardError):
        compiled(torch.rand(3, 2), 1, 2)


def _checked(x, sizes):
    torch._check_tensor_all((sizes[:, 0] * sizes[:, 1]).sum() == x.shape[1])
    return x * 2


@pytest.mark.parametrize("shapes", [None, ({0: _AUTO}, None)])
def test_a_condition_on_a_tensor_is_asserted(shapes):
    """Deformable attention checks its sizes; PyTorch asserts an int made of the bool."""
    x, sizes = torch.randn(3, 20, 4), torch.tensor([[4, 4], [2, 2]])
    compiled = _compiled(_checked, (x, sizes), shapes)
    torch.testing.assert_close(compiled(x, sizes), x * 2)
    with pytest.raises(RuntimeError, match="assertion failed"):
        compiled(x, sizes + 1)


def _selected(x, y):
    is_positive = (x > 0).all().item()
    size = torch.sym_ite(is_positive, 2, 5) if isinstance(is_positive, torch.SymBool) else None
    return y * (size if size is not None else 2 if is_positive else 5)


def test_a_number_that_a_condition_selects():
    y = torch.randn(4)
    compiled = _compiled(_selected, (torch.ones(3), y))
    for x in (torch.ones(3), -torch.ones(3)):
        torch.testing.assert_close(compiled(x, y), _selected(x, y))


@pytest.mark.parametrize("operator", [aten._is_all_true.default, aten._is_any_true.default])
def test_whether_elements_are_true(operator):
    for x in (torch.tensor([True, False]), torch.tensor([True]), torch.zeros(0, dtype=torch.bool)):
        torch.testing.assert_close(_compiled(operator, (x,))(x), operator(x))
