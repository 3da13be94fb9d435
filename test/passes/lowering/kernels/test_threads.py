"""Programs for two threads, of sizes that are shared among them."""

import pytest
import torch
import torch_refine
from function_module import Function
from torch import nn
from torch.export import Dim
from torch.nn import functional as F


def _graph(x, edges):
    return torch.zeros_like(x).index_add(0, edges[1], x[edges[0]] * 2)


CASES = {
    "elementwise": lambda: (
        Function(lambda x, y: F.gelu(x * y)),
        torch.rand(300, 301),
        torch.rand(301),
    ),
    "two results": lambda: (Function(lambda x: (x.exp(), x.sum(-1))), torch.rand(300, 301)),
    "softmax": lambda: (Function(lambda x: x.softmax(-1)), torch.rand(300, 301)),
    "layer norm": lambda: (nn.LayerNorm(301), torch.rand(300, 301)),
    "sum of all": lambda: (Function(torch.sum), torch.rand(300, 301)),
    "maxima": lambda: (Function(lambda x: x.max(-1)), torch.rand(300, 301)),
    "linear": lambda: (nn.Sequential(nn.Linear(200, 300), nn.ReLU()), torch.rand(130, 200)),
    "convolution": lambda: (nn.Conv2d(8, 16, 3), torch.rand(2, 8, 40, 41)),
    "attention": lambda: (
        Function(lambda q: F.scaled_dot_product_attention(q, q, q, is_causal=True)),
        torch.rand(2, 3, 130, 32),
    ),
    "linear interpolation": lambda: (
        Function(lambda x: F.interpolate(x, scale_factor=1.7, mode="linear")),
        torch.rand(1, 16, 2000),
    ),
    "grid": lambda: (
        Function(lambda x, g: F.grid_sample(x, g * 2 - 1, align_corners=False)),
        torch.rand(1, 2, 50, 300),
        torch.rand(1, 120, 130, 2),
    ),
    "pooling": lambda: (
        Function(lambda x: F.adaptive_avg_pool2d(x, 3)),
        torch.rand(2, 3, 200, 201),
    ),
    "quantile": lambda: (Function(lambda x: x.quantile(0.3)), torch.rand(100000)),
    "sorting": lambda: (Function(lambda x: x.sort(-1)[0]), torch.rand(100, 401)),
    "running sums": lambda: (Function(lambda x: x.cumsum(-1)), torch.rand(100, 401)),
    "rows": lambda: (
        Function(lambda x, i: x[i].exp()),
        torch.rand(50, 300),
        torch.randint(0, 50, (500,)),
    ),
    "graph convolution": lambda: (
        Function(_graph),
        torch.rand(50, 64),
        torch.randint(0, 50, (2, 3001)),
    ),
    "transposed": lambda: (Function(lambda x: x.t() * 2), torch.rand(300, 301)),
    "padding": lambda: (Function(lambda x: F.pad(x, (3, 4), mode="reflect")), torch.rand(300, 301)),
}


@pytest.mark.parametrize("is_dynamic", [False, True])
@pytest.mark.parametrize("name", CASES)
def test_two_threads_compute_what_one_does(name, is_dynamic):
    torch.manual_seed(0)
    model, *inputs = CASES[name]()
    shapes = None
    if is_dynamic:
        each = tuple({d: Dim.AUTO for d, size in enumerate(x.shape) if size > 1} for x in inputs)
        shapes = (each,) if isinstance(model, Function) else each
    found = torch_refine.compile(model.eval(), tuple(inputs), threads=2, dynamic_shapes=shapes)
    with torch.no_grad():
        torch.testing.assert_close(found(*inputs), model(*inputs), rtol=1e-4, atol=1e-5)
