"""Decomposition functions of the library that are traced before the import."""

import copy

import pytest
import torch
import torch_refine
from function_module import Function
from torch.export import Dim
from torch.nn import functional
from torch_refine.abstract_interp_lib.rules.promotion import promote_dtypes
from torch_refine.abstract_interp_lib.rules.unknown import is_known, require_sizes
from torch_refine.importer.errors import ImportModelError
from torch_refine.importer.expansion.composites import without_python_kernels
from torch_refine.importer.lowering import decompose_for_lowering, import_for_lowering
from torch_refine.passes.lowering.exported.library_functions import (
    expanded_after_import,
    library_functions,
)

aten = torch.ops.aten


@pytest.fixture(autouse=True)
def _no_cache(monkeypatch):
    monkeypatch.setenv("TORCH_REFINE_CACHE", "0")


def test_an_operator_is_expanded_before_the_import_or_after_it():
    assert not library_functions().keys() & set(expanded_after_import())


def test_python_kernels_are_put_back():
    operators = [aten.upsample_bilinear2d.vec, aten.native_batch_norm.default, aten.mm.default]
    before = [copy.copy(each.py_kernels) for each in operators]
    with without_python_kernels(operators):
        for each in operators:
            assert torch._C.DispatchKey.Autograd not in each.py_kernels
    assert [each.py_kernels for each in operators] == before
    with pytest.raises(ZeroDivisionError), without_python_kernels(operators):
        raise ZeroDivisionError
    assert [each.py_kernels for each in operators] == before


def test_pytorch_decomposes_as_before_after_an_import():
    """PyTorch's list of composite operators is complete, whatever was imported first."""
    model = Function(lambda x: functional.interpolate(x, scale_factor=2))
    program = torch.export.export(model, (torch.rand(1, 2, 3, 4),))
    assert "aten.upsample_nearest2d.vec" not in _names(decompose_for_lowering(program))
    assert "aten.upsample_nearest2d.vec" in _names(program.run_decompositions())


def _names(program):
    return [str(each.target) for each in program.graph.nodes]


def test_weights_of_known_sizes_are_folded():
    model = Function(lambda x: functional.interpolate(x, size=(90, 70), mode="bicubic"))
    x = torch.rand(1, 2, 4, 6)
    program = torch.export.export(model, (x,))
    # Four places and as many weights for each of both dimensions.
    assert len(import_for_lowering(program).state) == 16
    compiled = torch_refine.compile(model, (x,))
    torch.testing.assert_close(compiled(x), model(x))


@pytest.mark.parametrize("mode", ["nearest", "nearest-exact", "bilinear", "bicubic"])
@pytest.mark.parametrize("factor", [1.7, 0.6])
def test_images_of_any_size_by_a_fraction(mode, factor):
    model = Function(lambda x: functional.interpolate(x, scale_factor=factor, mode=mode))
    rows = ({2: Dim.AUTO, 3: Dim.AUTO},)
    compiled = torch_refine.compile(
        model, (torch.rand(1, 2, 5, 6),), dynamic_shapes=(rows,), opt_level=0, fallback="error"
    )
    for sizes in ((5, 6), (10, 7), (4, 20), (23, 4)):
        x = torch.rand(1, 2, *sizes)
        torch.testing.assert_close(compiled(x), model(x), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("mode", ["reflect", "replicate", "circular"])
@pytest.mark.parametrize("rank", [1, 2, 3])
def test_padding_with_elements(mode, rank):
    x = torch.rand(2, 3, *(5, 6, 4)[:rank])
    amounts = [[2, 3, 0, 1, 1, 0], [0, 0, 4, 0, 0, 2], [1, 0, 0, 0, 3, 3]]
    amounts += [[-1, 2, 1, -2, 0, 0], [-2, -1, 0, 3, -1, 1]]
    calls = [lambda x, each=each: functional.pad(x, each[: 2 * rank], mode) for each in amounts]
    model = Function(lambda x: [call(x) for call in calls])
    compiled = torch_refine.compile(model, (x,))
    torch.testing.assert_close(compiled(x), model(x), rtol=0, atol=0)


def test_circular_padding_by_more_than_a_crop_leaves_is_refused():
    """Eager mode copies elements that it has not written."""
    with pytest.raises(ImportModelError, match="more elements than are left"):
        torch_refine.compile(
            Function(lambda x: functional.pad(x, (-3, 3), "circular")), (torch.rand(2, 3, 4),)
        )


@pytest.mark.parametrize("mode", ["reflect", "replicate", "circular"])
def test_padding_of_any_sizes(mode):
    model = Function(lambda x: functional.pad(x, (3, 1, 2, 2), mode))
    rows = ({2: Dim.AUTO, 3: Dim.AUTO},)
    compiled = torch_refine.compile(
        model, (torch.rand(1, 2, 5, 6),), dynamic_shapes=(rows,), opt_level=0
    )
    for sizes in ((5, 6), (8, 4), (3, 11)):
        x = torch.rand(1, 2, *sizes)
        torch.testing.assert_close(compiled(x), model(x), rtol=0, atol=0)


@pytest.mark.parametrize("dtype", [torch.int64, torch.int32, torch.float32, torch.float64])
def test_spaced_numbers_of_tensors_and_numbers(dtype):
    def spaces(start, end):
        return [
            each
            for steps in (0, 1, 2, 7)
            for each in (
                torch.linspace(-7.9, 20.6, steps, dtype=dtype),
                torch.linspace(start, 20.6, steps, dtype=dtype),
                torch.linspace(-7.9, end, steps, dtype=dtype),
                torch.linspace(start, end, steps, dtype=dtype),
                torch.logspace(start, 1.9, min(steps, 1), 2.0, dtype=dtype),
            )
        ]

    bounds = torch.tensor(3.7), torch.tensor(-12.4)
    compiled = torch_refine.compile(Function(spaces), bounds, opt_level=0)
    torch.testing.assert_close(compiled(*bounds), spaces(*bounds))


def test_sizes_that_a_fake_kernel_does_not_compare_are_guarded():
    model = Function(lambda x, target: functional.nll_loss(x, target))
    x, target = torch.rand(2, 3, 4, 5), torch.randint(0, 3, (2, 4, 5))
    rows = ({2: Dim.AUTO}, {1: Dim.AUTO})
    compiled = torch_refine.compile(model, (x, target), dynamic_shapes=(rows,), opt_level=0)
    torch.testing.assert_close(compiled(x, target), model(x, target))
    with pytest.raises((torch_refine.GuardError, RuntimeError)):
        compiled(x, target[:, :3])
    with pytest.raises(RuntimeError):
        model(x, target[:, :3])


def test_rules_in_a_trace():
    assert is_known(3)
    assert promote_dtypes([1, 0], [torch.float32, torch.float64]) == torch.float32
    assert promote_dtypes([1, 1], [torch.float16, torch.bfloat16]) == torch.float32
    assert promote_dtypes([1, 1], [3, 4]) == 4
    require_sizes([2, 3], torch.Size([2, 3]))
    for sizes in ([2], [2, 4]):
        with pytest.raises(ValueError, match="are not"):
            require_sizes(sizes, [2, 3])
