"""An index of a dimension of size 1 is checked, although there is only one slice to choose."""

import pytest
import torch
import torch_refine
from function_module import Function

_CHOICES = {
    "index_select": lambda x, i: torch.index_select(x, 0, i),
    "index_select of constants": lambda x, i: torch.index_select(torch.zeros(1, 3), 0, i),
    "index": lambda x, i: x[i],
    "gather": lambda x, i: torch.gather(x, 0, i[None].expand(1, 3)),
    "embedding": lambda x, i: torch.nn.functional.embedding(i, x),
    "select": lambda x, i: x.select(0, i.item()),
    "scatter": lambda x, i: x.scatter(0, i[None].expand(1, 3), 2.0),
    "index_add": lambda x, i: x.index_add(0, i, x),
    "index_put": lambda x, i: x.index_put((i,), x[0]),
    "index_copy": lambda x, i: x.index_copy(0, i, x),
    "index_fill": lambda x, i: x.index_fill(0, i, 3.0),
}


@pytest.mark.parametrize("name", _CHOICES)
def test_the_only_slice_has_one_index(name):
    """Of a matrix with one row."""
    function, x, index = _CHOICES[name], torch.rand(1, 3), torch.tensor([0])
    compiled = torch_refine.compile(Function(function), (x, index), fallback="error")
    torch.testing.assert_close(compiled(x, index), function(x, index))
    for wrong in (1, 5, -7, 2**40):
        with pytest.raises((RuntimeError, IndexError)):
            compiled(x, torch.tensor([wrong]))
