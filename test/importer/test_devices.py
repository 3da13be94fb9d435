"""Programs of a GPU are lowered like those of the CPU; none is needed, as tensors are fake ones."""

import copy

import pytest
import torch
from support.fake_devices import CUDA, exported_on
from torch import nn
from torch.nn import functional
from torch_refine.importer.devices import moved_to, on_cpu
from torch_refine.importer.errors import ImportModelError
from torch_refine.importer.export import export_program
from torch_refine.importer.lowering import import_for_lowering, literals_of

HALF = torch.bfloat16


class Function(nn.Module):
    """A function as a model; it is called with the submodules first."""

    def __init__(self, function, *submodules):
        super().__init__()
        self.function = function
        self.inner = nn.ModuleList(submodules)

    def forward(self, *inputs):
        return self.function(*self.inner, *inputs)


def normal(*sizes, dtype=torch.float32):
    return torch.randn(*sizes).to(dtype)


def numbers(*sizes, below=5):
    return torch.randint(0, below, sizes)


def heads(dtype=torch.float32):
    return tuple(normal(2, 4, 8, 16, dtype=dtype) for _ in range(3))


def attention(q, k, v, mask=None, **options):
    return functional.scaled_dot_product_attention(q, k, v, mask, **options)


def first(layer, x):
    return layer(x)[0]


# Operators that PyTorch decomposes by device, or with numbers as tensors.
CASES = {
    "linear, relu": (nn.Sequential(nn.Linear(4, 4), nn.ReLU()), (normal(2, 4),)),
    "relu, add": (Function(lambda x, y: torch.relu(x) + y), (normal(2, 4), normal(4))),
    "attention": (Function(attention), heads()),
    "attention, bf16": (Function(attention), heads(HALF)),
    "attention, causal": (
        Function(lambda *given: attention(*given, is_causal=True)),
        heads(torch.float16),
    ),
    "attention, mask": (Function(attention), (*heads(), normal(8, 8) > 0)),
    "attention, float mask": (Function(attention), (*heads(HALF), normal(8, 8, dtype=HALF))),
    "batch norm": (nn.BatchNorm2d(3), (normal(2, 3, 4, 4),)),
    "convolution": (nn.Conv2d(3, 4, 3, padding=1), (normal(1, 3, 8, 8),)),
    "convolution, bf16": (nn.Conv2d(3, 4, 3).to(HALF), (normal(1, 3, 8, 8, dtype=HALF),)),
    "transposed convolution": (nn.ConvTranspose2d(3, 4, 3), (normal(1, 3, 8, 8),)),
    "lstm": (Function(first, nn.LSTM(4, 8, 2, bidirectional=True)), (normal(5, 2, 4),)),
    "gru": (Function(first, nn.GRU(4, 8)), (normal(5, 2, 4),)),
    "rnn": (Function(first, nn.RNN(4, 8)), (normal(5, 2, 4),)),
    "embedding bag": (nn.EmbeddingBag(10, 4), (numbers(3, 5),)),
    "embedding bag, max": (nn.EmbeddingBag(10, 4, mode="max"), (numbers(3, 5),)),
    "embedding": (nn.Embedding(10, 4, padding_idx=0), (numbers(3, 5),)),
    "grid sample": (
        Function(lambda x, grid: functional.grid_sample(x, grid, align_corners=False)),
        (normal(1, 2, 4, 4), normal(1, 3, 3, 2)),
    ),
    "group norm, bf16": (nn.GroupNorm(2, 4).to(HALF), (normal(2, 4, 3, 3, dtype=HALF),)),
    "layer norm": (nn.LayerNorm(4), (normal(2, 4),)),
    "layer norm, bf16": (nn.LayerNorm(4).to(HALF), (normal(2, 4, dtype=HALF),)),
    "rms norm": (nn.RMSNorm(4), (normal(2, 4),)),
    "instance norm": (nn.InstanceNorm2d(3), (normal(2, 3, 4, 4),)),
    "conversions": (Function(lambda x: x.to(HALF).float().to(torch.int32)), (normal(2, 4),)),
    "like": (
        Function(lambda x: torch.zeros_like(x) + x.new_zeros(4) + x.new_full((4,), 2.0)),
        (normal(2, 4),),
    ),
    "factories": (
        Function(lambda x: torch.zeros(4, device=x.device) + torch.eye(4, device=x.device)[0] * x),
        (normal(2, 4),),
    ),
    "scalar tensor": (Function(lambda x: x * torch.tensor(2.0)), (normal(2, 4),)),
    "range as mask": (
        Function(
            lambda x: torch.where(torch.arange(4, device=x.device) <= x.argmax(-1)[:, None], x, -1)
        ),
        (normal(2, 4),),
    ),
    "index": (Function(lambda x, i: x[i] + x[:, i].t()[:, :4]), (normal(4, 4), numbers(3))),
    "gather": (Function(lambda x, i: x.gather(1, i)), (normal(4, 4), numbers(4, 2, below=4))),
    "scatter": (
        Function(lambda x, i: torch.zeros_like(x).scatter_add(1, i, x)),
        (normal(4, 4), numbers(4, 4, below=4)),
    ),
    "cumsum": (Function(lambda x: x.cumsum(1)), (normal(4, 4),)),
    "sort": (Function(lambda x: x.sort(1)), (normal(4, 4),)),
    "topk": (Function(lambda x: x.topk(2)), (normal(4, 4),)),
    "unique": (Function(torch.unique), (numbers(6),)),
    "nonzero": (Function(lambda x: x[x > 0].sum()), (normal(4),)),
    "softmax to f32": (
        Function(lambda x: x.softmax(-1, dtype=torch.float32)),
        (normal(4, 4, dtype=torch.float16),),
    ),
    "cross entropy": (Function(functional.cross_entropy), (normal(4, 5), numbers(4))),
    "interpolation": (
        Function(lambda x: functional.interpolate(x, scale_factor=2, mode="bilinear")),
        (normal(1, 2, 4, 4),),
    ),
    "random": (Function(lambda x: x + torch.rand_like(x)), (normal(4, 4),)),
    "in place": (Function(lambda x: x.add_(1)), (normal(4),)),
    "variance": (Function(lambda x: torch.var_mean(x, 1)), (normal(4, 4),)),
    "one hot": (Function(lambda t: functional.one_hot(t, 5)), (numbers(4),)),
}
# What PyTorch exports for a fake device only if it was built for it.
LINKED = {"grid sample", "factories", "range as mask", "index", "nonzero"}


def text_of(program):
    return str(import_for_lowering(program).module)


def of_cpu(model, inputs, dynamic_shapes=None):
    return export_program(model, inputs, {}, dynamic_shapes)


@pytest.mark.parametrize("name", [name for name in CASES if name not in LINKED])
@pytest.mark.seeded_part(12)
def test_exported_programs(name):
    model, inputs = CASES[name]
    model = copy.deepcopy(model).eval()
    expected = text_of(of_cpu(model, inputs))
    assert text_of(exported_on(CUDA, model, inputs)) == expected


@pytest.mark.parametrize("name", CASES)
@pytest.mark.seeded_part(12)
def test_moved_programs(name):
    model, inputs = CASES[name]
    program = of_cpu(copy.deepcopy(model).eval(), inputs)
    moved = moved_to(program, CUDA, literals_of(program))
    nodes = [node for node in moved.graph.nodes if node.op == "placeholder"]
    assert {node.meta["val"].device for node in nodes} == {CUDA}
    assert text_of(moved) == text_of(program)


def test_batch_norm_in_training():
    model = nn.BatchNorm1d(4).train()
    program = of_cpu(model, (normal(3, 4),))
    assert text_of(moved_to(program, CUDA)) == text_of(program)


def test_dynamic_sizes():
    model = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Softmax(-1))
    shapes = ({0: torch.export.Dim("batch", min=2, max=64)},)
    expected = text_of(of_cpu(model, (normal(8, 4),), shapes))
    assert text_of(exported_on(CUDA, model, (normal(8, 4),), shapes)) == expected


def test_the_program_is_not_modified():
    program = exported_on(CUDA, nn.Linear(4, 2), (normal(3, 4),))
    before = str(program)
    found = import_for_lowering(program)
    assert str(program) == before
    assert found.state_names == ["weight", "bias"]
    assert all(a is b for a, b in zip(found.state, program.state_dict.values(), strict=True))
    assert {tensor.device for tensor in found.state} == {CUDA}


def test_programs_of_the_cpu_are_returned():
    program = of_cpu(nn.Linear(4, 2), (normal(3, 4),))
    assert on_cpu(program, ()) is program


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda x: x.cpu(), "result 0 is on cpu, and the program runs on cuda:0"),
        (lambda x: (x, x.to("cpu") + 1), "result 1 is on cpu, and the program runs on cuda:0"),
        (lambda x: torch.arange(4), r"arange.* at .*result 0 is on cpu"),
    ],
    ids=["cpu", "to", "factory"],
)
def test_results_on_another_device(function, message):
    program = exported_on(CUDA, Function(function), (normal(4),))
    with pytest.raises(ImportModelError, match=message):
        import_for_lowering(program)


def test_inputs_on_two_devices():
    program = exported_on(CUDA, Function(torch.add), (normal(4), normal(4)))
    next(iter(program.graph.nodes)).meta["val"] = torch.empty(4)
    with pytest.raises(ImportModelError, match="on cpu and cuda:0; they must be on one device"):
        import_for_lowering(program)


def test_conversions_copy():
    """On one device `to` returns its operand, to which the model would then write."""

    def write(x):
        copied = x.cpu()
        copied.add_(1)
        return x + copied.to(x.device)

    program = exported_on(CUDA, Function(write), (normal(4),))
    found = import_for_lowering(program)
    assert found.changed == []
    assert str(found.module).count("torch.aten.add") == 2


def test_constants_of_the_cpu():
    table = list(range(100))
    model = Function(lambda x: x + torch.tensor(table).to(x.device))
    found = import_for_lowering(exported_on(CUDA, model, (normal(100),)))
    assert found.literals == list(range(len(found.state)))
    assert table in [tensor.tolist() for tensor in found.state]


def test_another_dtype_on_the_cpu():
    """GPUs return the statistics in f32, the CPU in the input's dtype."""

    def norm(x):
        return torch.native_layer_norm(x, [4], None, None, 1e-5)

    x = normal(2, 4, dtype=HALF)
    import_for_lowering(exported_on(CUDA, Function(lambda x: norm(x)[0]), (x,)))
    program = exported_on(CUDA, Function(lambda x: norm(x)[1]), (x,))
    with pytest.raises(ImportModelError, match=r"float32, and torch.bfloat16 on the CPU"):
        import_for_lowering(program)


@pytest.mark.parametrize(
    ("place", "said"), [(0, ""), (1, "result 1 is another one"), (2, "result 2 is another one")]
)
def test_what_only_the_backward_pass_reads(place, said):
    """Bags of a GPU are numbered in other ways."""

    def bags(weight, indices, offsets):
        return torch.ops.aten._embedding_bag(weight, indices, offsets)[place]

    inputs = (normal(5, 3), torch.tensor([1, 2, 4]), torch.tensor([0, 2]))
    program = exported_on(CUDA, Function(bags), inputs)
    if not said:
        import_for_lowering(program)
        return
    with pytest.raises(ImportModelError, match=said):
        import_for_lowering(program)


def test_another_shape_on_the_cpu():
    """GPUs compute the gradient of log_sigmoid without a buffer."""
    x = normal(2, 3)
    forward = torch.ops.aten.log_sigmoid_forward
    import_for_lowering(exported_on(CUDA, Function(lambda x: forward(x)[0]), (x,)))
    program = exported_on(CUDA, Function(lambda x: forward(x)[1]), (x,))
    with pytest.raises(ImportModelError, match=r"the shape \[0\], and \[2, 3\] on the CPU"):
        import_for_lowering(program)


class Autocast(nn.Module):
    def __init__(self, enabled):
        super().__init__()
        self.enabled = enabled

    def forward(self, x):
        with torch.autocast("cpu", HALF, enabled=self.enabled):
            return x @ x


@pytest.mark.parametrize("enabled", [False, True])
def test_autocast(enabled):
    program = of_cpu(Autocast(enabled), (normal(4, 4),))
    expected = text_of(program)
    (node,) = (node for node in program.graph.nodes if "autocast" in str(node.target))
    node.args = ("cuda", *node.args[1:])
    moved = moved_to(program, CUDA)
    if enabled:
        with pytest.raises(ImportModelError, match="casts the operands of other operators"):
            import_for_lowering(moved)
    else:
        assert text_of(moved) == expected
