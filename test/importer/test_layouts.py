"""Sizes of a program do not depend on how tensors of its trace lie in memory."""

import pytest
import torch
import torch_refine
from function_module import Function
from torch.export import Dim
from torch.fx.experimental import proxy_tensor
from torch_refine.importer import layouts
from torch_refine.importer.errors import ImportModelError
from torch_refine.importer.layouts import without_layout_guards

_CALLS = {
    "the last rows": (lambda x: x[:, -7:] * 2, (2, 7, 3), (2, 9, 3)),
    "the first rows": (lambda x: x[:, :7] * 2, (2, 7, 3), (2, 9, 3)),
    "one channel": (lambda x: x[:, :4].relu() + 1, (2, 4, 5, 6), (3, 8, 5, 6)),
    "a volume": (lambda x: x[:, :, -3:].exp(), (2, 2, 3, 4, 4), (2, 2, 5, 4, 4)),
}


@pytest.mark.parametrize("name", _CALLS)
def test_slices_of_all_elements_fix_no_size(name):
    call, example, other = _CALLS[name]
    dynamic = (dict.fromkeys(range(len(example)), Dim.AUTO),)
    compiled = torch_refine.compile(
        Function(call), (torch.rand(example),), dynamic_shapes=(dynamic,), opt_level=0
    )
    for sizes in (example, other):
        x = torch.rand(sizes)
        torch.testing.assert_close(compiled(x), call(x))


def _functions():
    places = layouts._CHOOSING_STRIDES.items()
    found = [getattr(module, name) for name, modules in places for module in modules]
    return [proxy_tensor._extract_tensor_metadata, *found]


def test_functions_are_replaced_during_a_trace_only():
    originals = _functions()
    with pytest.raises(ZeroDivisionError), without_layout_guards():
        assert not set(_functions()) & set(originals)
        assert proxy_tensor._extract_tensor_metadata(torch.rand(2, 3)).memory_format is None
        raise ZeroDivisionError
    assert _functions() == originals


_DIAGONALS = {
    "rows": lambda rows, columns: torch.ones(rows, columns),
    "columns": lambda rows, columns: torch.ones(columns, rows).t(),
    "a part": lambda rows, columns: torch.ones(rows + 2, columns + 3)[1:-1, 2:-1],
}


@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize("layout", _DIAGONALS)
def test_a_diagonal_is_filled_in_any_layout(layout, wrap):
    def fill(x, y):
        return x.fill_diagonal_(-2.5, wrap), y.relu().fill_diagonal_(3, wrap)

    for sizes in ((3, 3), (2, 5), (5, 3), (6, 4)):
        inputs, others = ([_DIAGONALS[layout](*sizes) for _ in range(2)] for _ in range(2))
        compiled = torch_refine.compile(Function(fill), tuple(inputs), fallback="error")
        torch.testing.assert_close(compiled(*inputs), fill(*others), rtol=0, atol=0)
        torch.testing.assert_close(inputs, others, rtol=0, atol=0)


def test_memory_that_decompositions_read_is_that_of_rows():
    """A write that no operator without writes has: PyTorch traces the whole program."""

    def fill(x):
        x.fill_diagonal_(-2.5)
        y = torch.zeros(2, 2)
        y.as_strided((2,), (3,)).add_(1)
        return x, y

    compiled = torch_refine.compile(Function(fill), (torch.ones(2, 3),), fallback="error")
    torch.testing.assert_close(compiled(torch.ones(2, 3)), fill(torch.ones(2, 3)))
    with pytest.raises(ImportModelError, match="not contiguous"):
        torch_refine.compile(Function(fill), (torch.ones(3, 2).t(),), fallback="error")
