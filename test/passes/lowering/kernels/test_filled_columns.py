"""A column of an image is filled with a constant of 16 bits: a store with gaps between elements."""

import pytest
import torch
import torch_refine
from function_module import Function


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
@pytest.mark.parametrize("value", [0.0, -1.5])
def test_borders_of_any_width(dtype, value):
    image = torch.randn(2, 256, 8, 8, dtype=dtype)
    for sides in ((1, 1, 1, 1), (2, 0, 0, 3)):
        model = Function(lambda x, sides=sides: torch.nn.functional.pad(x, sides, value=value) * 2)
        compiled = torch_refine.compile(model, (image,), fallback="error")
        assert torch.equal(compiled(image), model(image))
