"""Operators of `quantized_decomposed` give what PyTorch gives; contractions are of integers."""

import platform

import pytest
import torch
import torch.ao.quantization.fx._decomposed
import torch_refine
from torch import nn

q = torch.ops.quantized_decomposed
BYTES = (-128, 127, torch.int8)
UNSIGNED = (0, 255, torch.uint8)


class Calls(nn.Module):
    """A function as a model."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *inputs):
        return self.function(*inputs)


def _values(*shape):
    torch.manual_seed(0)
    return torch.randn(*shape) * 3


def _stored(*shape):
    torch.manual_seed(1)
    return torch.randint(-128, 128, shape, dtype=torch.int8)


# Multiples of half a step are rounded to even, and a quotient rounds another way than a product.
TIES = torch.arange(-300, 300) * 0.05
SPECIAL = torch.tensor([float("inf"), -float("inf"), 0.0, -0.0, 1e30, -1e30])
SCALES, POINTS = torch.linspace(0.01, 0.1, 24), torch.arange(-12, 12)
SCALE, POINT = torch.tensor([0.0317], dtype=torch.float64), torch.tensor([7])
CALLS = {
    "ties": (lambda x: q.quantize_per_tensor(x, 0.1, 7, *BYTES), (TIES,)),
    "special": (lambda x: q.quantize_per_tensor(x, 0.1, 7, *UNSIGNED), (SPECIAL,)),
    "tensors": (
        lambda x, s, z: q.quantize_per_tensor.tensor(x, s, z, *UNSIGNED),
        (_values(9, 24), SCALE, POINT),
    ),
    "channels": (
        lambda x, s, z: q.quantize_per_channel(x, s, z, 1, *BYTES),
        (_values(9, 24), SCALES, POINTS),
    ),
    "float8": (
        lambda x: q.quantize_per_tensor(x, 0.1, 0, -448, 448, torch.float8_e4m3fn),
        (torch.cat([TIES, SPECIAL]),),
    ),
    "dequantized float8": (
        lambda x: q.dequantize_per_tensor(x, 0.0317, 3, -57344, 57344, torch.float8_e5m2),
        (_values(9, 24).to(torch.float8_e5m2),),
    ),
    "float16": (
        lambda x: q.dequantize_per_tensor(x, 0.0317, 7, *BYTES, out_dtype=torch.float16),
        (_stored(9, 24),),
    ),
    "dequantized channels": (
        lambda x, s, z: q.dequantize_per_channel(x, s, z, 1, *BYTES),
        (_stored(9, 24), SCALES, POINTS),
    ),
    "chosen": (
        lambda x: q.quantize_per_tensor.tensor(
            x, *q.choose_qparams.tensor(x, 0, 255, 1e-5, torch.uint8), *UNSIGNED
        ),
        (_values(9, 24),),
    ),
    "tokens": (
        lambda x: q.quantize_per_token(
            x, *q.choose_qparams_per_token_asymmetric(x, torch.int8), *BYTES
        ),
        (_values(9, 24),),
    ),
    "groups": (
        lambda x, s, z: q.dequantize_per_channel_group(x, s, z, *BYTES, 8, torch.float32),
        (_stored(9, 24), torch.rand(9, 3), torch.zeros(9, 3, dtype=torch.int32)),
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_the_results_are_the_same_bits(name):
    function, inputs = CALLS[name]
    compiled = torch_refine.compile(Calls(function), inputs)
    torch.testing.assert_close(compiled(*inputs), function(*inputs), rtol=0, atol=0)


class Quantized(nn.Module):
    """A layer between quantized activations and weights, as PT2E leaves it."""

    def __init__(self, layer, zero_point, kind, per_channel=True):
        super().__init__()
        weight = layer.weight.detach()
        scales = weight.abs().flatten(1).amax(1) / 127
        points = torch.zeros(len(scales), dtype=torch.int64)
        self.register_buffer("scales", scales)
        self.register_buffer("points", points)
        self.register_buffer("weight", q.quantize_per_channel(weight, scales, points, 0, *BYTES))
        self.register_buffer("bias", layer.bias.detach())
        self.layer, self.zero_point, self.kind = layer, zero_point, kind
        self.per_channel = per_channel

    def forward(self, x):
        bounds = torch.iinfo(self.kind)
        given = (0.03, self.zero_point, bounds.min, bounds.max, self.kind)
        x = q.dequantize_per_tensor(q.quantize_per_tensor(x, *given), *given)
        if self.per_channel:
            weight = q.dequantize_per_channel(self.weight, self.scales, self.points, 0, *BYTES)
        else:
            weight = q.dequantize_per_tensor(self.weight, 0.01, 0, *BYTES)
        layer = self.layer
        if isinstance(layer, nn.Linear):
            found = nn.functional.linear(x, weight, self.bias)
        else:
            found = nn.functional.conv2d(
                x, weight, self.bias, layer.stride, layer.padding, layer.dilation, layer.groups
            )
        return q.quantize_per_tensor(torch.relu(found), 0.02, 0, *UNSIGNED)


LAYERS = {
    "linear": (lambda: nn.Linear(70, 33), (5, 70)),
    "batched linear": (lambda: nn.Linear(64, 48), (2, 30, 64)),
    "three channels": (lambda: nn.Conv2d(3, 20, 3, padding=1), (2, 3, 9, 11)),
    "strided": (lambda: nn.Conv2d(8, 20, 3, 2, (2, 1)), (1, 8, 12, 10)),
    "dilated": (lambda: nn.Conv2d(6, 8, 3, 1, 2, dilation=2), (1, 6, 12, 10)),
    "pointwise": (lambda: nn.Conv2d(16, 40, 1), (1, 16, 20, 20)),
    "grouped": (lambda: nn.Conv2d(8, 8, 3, padding=1, groups=8), (1, 8, 9, 9)),
}


@pytest.mark.parametrize("name", LAYERS)
def test_quantized_layers_differ_by_one_step_at_most(name):
    torch.manual_seed(0)
    make, shape = LAYERS[name]
    kind = torch.int8 if name in ("linear", "dilated") else torch.uint8
    model = Quantized(make(), 113, kind).eval()
    inputs = torch.randn(shape)
    compiled = torch_refine.compile(model, (inputs,))
    steps = (compiled(inputs).int() - model(inputs).int()).abs()
    assert steps.max() <= 1
    # A step is where a sum is next to a tie: in these layers, rare.
    assert steps.float().mean() < 0.01
    assert _multiplies_bytes(compiled) == (name != "grouped")


@pytest.mark.parametrize("cpu", ["x86-64", "x86-64-v3"])
@pytest.mark.skipif(platform.machine() != "x86_64", reason="the processors are of x86-64")
def test_processors_without_dot_products_of_bytes(cpu):
    torch.manual_seed(0)
    layers = nn.Conv2d(3, 20, 3, padding=1), nn.Conv2d(8, 20, 3, 2, (2, 1)), nn.Linear(70, 33)
    shapes = (2, 3, 9, 11), (1, 8, 12, 10), (5, 70)
    models = nn.ModuleList(Quantized(each, 113, torch.uint8) for each in layers).eval()
    inputs = tuple(torch.randn(shape) for shape in shapes)
    together = Calls(lambda *given: [f(x) for f, x in zip(models, given, strict=True)])
    together.models = models
    found = torch_refine.compile(together, inputs, cpu=cpu)(*inputs)
    for ours, theirs in zip(found, together(*inputs), strict=True):
        assert (ours.int() - theirs.int()).abs().max() <= 1


def _multiplies_bytes(compiled):
    """Whether sums of 32 or 64 bits are of bytes."""
    text = compiled.ir("linalg")
    lines = [line for line in text.splitlines() if "linalg.matmul" in line or "linalg.conv" in line]
    return all("f32" not in line for line in lines) and bool(lines)


def test_a_weight_scale_per_tensor():
    torch.manual_seed(0)
    model = Quantized(nn.Linear(70, 33), 0, torch.uint8, per_channel=False).eval()
    inputs = torch.randn(5, 70)
    compiled = torch_refine.compile(model, (inputs,))
    assert _multiplies_bytes(compiled)
    assert (compiled(inputs).int() - model(inputs).int()).abs().max() <= 1


def test_zero_points_of_weights_that_change_are_refused():
    torch.manual_seed(0)
    model = Quantized(nn.Linear(70, 33), 3, torch.uint8).eval()
    inputs = torch.randn(5, 70)
    compiled = torch_refine.compile(model, (inputs,))
    compiled(inputs)
    model.points[4] = 1
    compiled.refresh()
    with pytest.raises(RuntimeError, match="zero points of quantized weights"):
        compiled(inputs)


def test_other_zero_points_of_weights_are_no_integer_contraction():
    torch.manual_seed(0)
    model = Quantized(nn.Linear(70, 33), 3, torch.uint8).eval()
    model.points[4] = 1
    inputs = torch.randn(5, 70)
    compiled = torch_refine.compile(model, (inputs,))
    assert not _multiplies_bytes(compiled)
    assert (compiled(inputs).int() - model(inputs).int()).abs().max() <= 1


def test_a_range_that_is_chosen_at_each_call():
    torch.manual_seed(0)
    model = Dynamic(nn.Linear(64, 48)).eval()
    inputs = torch.randn(30, 64)
    compiled = torch_refine.compile(model, (inputs,))
    assert _multiplies_bytes(compiled)
    for scale in (1, 20):
        torch.testing.assert_close(compiled(inputs * scale), model(inputs * scale))


class Dynamic(Quantized):
    """A linear layer, the activations of which are quantized by their own range."""

    def __init__(self, layer):
        super().__init__(layer, 0, torch.uint8)

    def forward(self, x):
        given = (*q.choose_qparams.tensor(x, 0, 255, 1e-5, torch.uint8), *UNSIGNED)
        x = q.dequantize_per_tensor.tensor(q.quantize_per_tensor.tensor(x, *given), *given)
        weight = q.dequantize_per_channel(self.weight, self.scales, self.points, 0, *BYTES)
        return nn.functional.linear(x, weight, self.bias)


def test_a_large_sum_is_not_computed_in_32_bits():
    torch.manual_seed(0)
    model = Quantized(nn.Linear(70_000, 2), 3, torch.uint8).eval()
    inputs = torch.full((1, 70_000), 100.0)
    compiled = torch_refine.compile(model, (inputs,))
    assert not _multiplies_bytes(compiled)


_HALF = torch.float16
_FORMS = {
    # Rounded twice by upstream's conversion.
    "per_channel_group": (
        lambda x, s, z: q.quantize_per_channel_group(x, s, z, -8, 7, torch.int8, 2),
        (_values(3, 2).to(_HALF), torch.rand(3, 1).to(_HALF), torch.rand(3, 1).to(_HALF)),
    ),
    # With these it ends the process.
    "to integers": (
        lambda x, s, z: q.dequantize_per_channel(
            x, s, z, 1, -128, 127, torch.int8, out_dtype=torch.uint8
        ),
        (_stored(3, 2).abs(), torch.ones(2), torch.zeros(2, dtype=torch.int64)),
    ),
}


@pytest.mark.parametrize("name", _FORMS)
def test_forms_that_the_wheel_converts_wrongly(name):
    """They have no lowering: PyTorch runs them."""
    function, inputs = _FORMS[name]
    model = Calls(function)
    with pytest.raises(torch_refine.CompileError, match="has no lowering to linalg"):
        torch_refine.compile(model, inputs)
    compiled = torch_refine.compile(model, inputs, fallback="pytorch")
    torch.testing.assert_close(compiled(*inputs), model(*inputs))
