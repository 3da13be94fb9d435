"""Sizes of a program do not depend on how tensors of its trace lie in memory."""

import pytest
import torch
import torch_refine
from function_module import Function
from torch.export import Dim
from torch.fx.experimental import proxy_tensor
from torch_refine.importer import layouts
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
