"""What kernels of a GPU compute, found by running them as loops of the host.

Blocks, and threads between two barriers, run one after the other (`gpu-launch-to-loops`), from the
first thread to the last or the other way, so a missing barrier gives a wrong number.
"""

import math
import random
import re

import pytest
import torch
import torch_refine
import torch_refine.runtime.compiled_module as compiled_module
from function_module import Function
from torch import nn
from torch_refine.dialect.bindings import ir, new_context, walk
from torch_refine.passes.lowering.abi import ASSERTIONS
from torch_refine.passes.program import program_functions, symbol_name
from torch_refine.pipelines.lowering.gpu_on_cpu import TorchToGpuOnCpuPipeline
from torch_refine.pipelines.lowering.to_linalg import BackendContractPipeline
from torch_refine.pipelines.runner import Runner
from torch_refine.runtime.calls.object_files import write_object
from torch_refine.runtime.calls.signature import signature_of
from torch_refine.runtime.compiling.compiler import Compiled


class _WithoutBarriers:
    """Takes all barriers out of the kernels."""

    def before(self, element, module):
        if element.name == "gpu-launch-to-loops":
            for op in [op for op in walk(module) if op.name == "gpu.barrier"]:
                op.erase()

    def after(self, element, module, failed):
        pass


@pytest.fixture
def on_cpu(monkeypatch, tmp_path):
    """Compiles for a GPU and runs on the CPU: `on_cpu(model, inputs, reverse, …)`."""

    def run(model, inputs, reverse=False, dynamic_shapes=None, observers=()):
        def compile_module(bytecode, options):
            parsed = ir.Module.parse(bytecode, new_context())
            module = parsed.operation
            runner = Runner(verify_each=True, observers=observers)
            elements = TorchToGpuOnCpuPipeline(reverse=reverse).elements()
            contract = len(BackendContractPipeline().elements())
            runner.run(elements[:contract], module)
            (main,) = (op for op in program_functions(module) if symbol_name(op) == "main")
            signature = signature_of(main)
            runner.run(elements[contract:], module)
            assert not runner.state.diagnostics.has_errors
            path = tmp_path / "object.o"
            write_object(parsed, path, 1)
            said = ir.ArrayAttr(module.attributes[ASSERTIONS])
            messages = tuple(ir.StringAttr(each).value for each in said)
            return Compiled(path.read_bytes(), signature, None, {}, messages)

        monkeypatch.setattr(compiled_module, "compile_module", compile_module)
        return torch_refine.compile(model.eval(), inputs, dynamic_shapes=dynamic_shapes)

    return run


def _linear(inputs, outputs):
    return nn.Sequential(nn.Linear(inputs, outputs), nn.ReLU())


CASES = {
    "elementwise": lambda: (
        Function(lambda x, w, b: nn.functional.gelu(x * w + b)),
        (torch.randn(10, 31), torch.randn(31), torch.randn(31)),
    ),
    "linear, one row": lambda: (_linear(100, 70), (torch.randn(1, 100),)),
    "linear, one row, bf16": lambda: (
        _linear(128, 70).bfloat16(),
        (torch.randn(1, 1, 128).bfloat16(),),
    ),
    "elementwise, vectors": lambda: (
        Function(lambda x, w: torch.exp(x) / w),
        (torch.randn(70, 12), torch.randn(70, 1)),
    ),
    "softmax": lambda: (Function(lambda x: torch.softmax(x, -1)), (torch.randn(7, 1023),)),
    "short softmax": lambda: (Function(lambda x: torch.softmax(x, -1)), (torch.randn(300, 3),)),
    "layer norm": lambda: (nn.LayerNorm(1023), (torch.randn(5, 1023),)),
    "layer norm over two": lambda: (nn.LayerNorm((9, 31)), (torch.randn(2, 3, 9, 31),)),
    "sums of rows": lambda: (Function(lambda x: x.sum(-1)), (torch.randn(5, 700),)),
    "greatest of rows": lambda: (Function(lambda x: x.amax(-1)), (-torch.rand(5, 700),)),
    "sum of all": lambda: (Function(lambda x: x.sum()), (torch.randn(33, 65),)),
    "any": lambda: (Function(lambda x: (x > 2.5).any()), (torch.randn(7, 9, 11),)),
    "all": lambda: (Function(lambda x: x.isfinite().all()), (torch.randn(7, 9, 11),)),
    "argmax": lambda: (Function(lambda x: x.argmax(-1)), (torch.randn(33, 65),)),
    "matmul": lambda: (Function(torch.matmul), (torch.randn(130, 33), torch.randn(33, 67))),
    "whole tiles": lambda: (Function(torch.matmul), (torch.randn(128, 32), torch.randn(32, 64))),
    "few rows": lambda: (Function(torch.matmul), (torch.randn(3, 40), torch.randn(40, 67))),
    "few columns": lambda: (Function(torch.matmul), (torch.randn(70, 40), torch.randn(40, 5))),
    "few rows of long columns": lambda: (
        Function(torch.matmul),
        (torch.randn(3, 200), torch.randn(200, 67)),
    ),
    "few rows, transposed": lambda: (
        Function(lambda x, y: torch.relu(x @ y.t())),
        (torch.randn(5, 200), torch.randn(67, 200)),
    ),
    "few rows in batches": lambda: (
        Function(torch.matmul),
        (torch.randn(2, 3, 2, 130), torch.randn(2, 3, 130, 41)),
    ),
    "one query": lambda: (
        Function(lambda q, k, v: torch.softmax(q @ k.transpose(-1, -2), -1) @ v),
        (torch.randn(2, 3, 1, 20), torch.randn(2, 3, 160, 20), torch.randn(2, 3, 160, 20)),
    ),
    "split linear": lambda: (_linear(256, 40), (torch.randn(20, 256),)),
    "split matmul": lambda: (Function(torch.matmul), (torch.randn(33, 256), torch.randn(256, 35))),
    "split batches": lambda: (
        Function(lambda x, y: torch.tanh(x @ y.transpose(-1, -2))),
        (torch.randn(2, 3, 33, 128), torch.randn(2, 3, 20, 128)),
    ),
    "split sums": lambda: (
        Function(lambda x, y, z: torch.addmm(z, x, y)),
        (torch.randn(33, 256), torch.randn(256, 35), torch.randn(33, 35)),
    ),
    "split convolution": lambda: (
        nn.Sequential(nn.Conv2d(64, 20, 3, padding=1), nn.ReLU()),
        (torch.randn(2, 64, 5, 6),),
    ),
    "split convolution, strided": lambda: (
        nn.Conv2d(64, 20, 2, stride=2, bias=False),
        (torch.randn(1, 64, 9, 10),),
    ),
    "split residual": lambda: (
        Function(lambda x, y, w: torch.relu(nn.functional.conv2d(x, w) + y)),
        (torch.randn(1, 128, 7, 7), torch.randn(1, 20, 5, 5), torch.randn(20, 128, 3, 3) / 30),
    ),
    "few of both": lambda: (Function(torch.matmul), (torch.randn(3, 100), torch.randn(100, 5))),
    "batches": lambda: (Function(torch.bmm), (torch.randn(3, 9, 17), torch.randn(3, 17, 70))),
    "half": lambda: (
        Function(torch.matmul),
        (torch.randn(70, 65).half(), torch.randn(65, 67).half()),
    ),
    "half, whole tiles": lambda: (
        Function(torch.matmul),
        (torch.randn(128, 64).half(), torch.randn(64, 64).half()),
    ),
    "half, few rows": lambda: (
        Function(torch.matmul),
        (torch.randn(5, 40).half(), torch.randn(40, 67).half()),
    ),
    "half, few rows of long columns": lambda: (
        Function(torch.matmul),
        (torch.randn(3, 200).bfloat16(), torch.randn(200, 67).bfloat16()),
    ),
    "half, split convolution": lambda: (
        nn.Conv2d(64, 20, 3, padding=1).half(),
        (torch.randn(2, 64, 5, 6).half(),),
    ),
    "half, few columns": lambda: (
        Function(torch.matmul),
        (torch.randn(70, 9).bfloat16(), torch.randn(9, 5).bfloat16()),
    ),
    "half, batches": lambda: (
        Function(torch.matmul),
        (torch.randn(2, 3, 33, 40).bfloat16(), torch.randn(2, 3, 40, 70).bfloat16()),
    ),
    "half, convolution": lambda: (
        nn.Conv2d(16, 32, 3, padding=1).half(),
        (torch.randn(2, 16, 9, 9).half(),),
    ),
    "half, linear": lambda: (_linear(100, 70).bfloat16(), (torch.randn(2, 37, 100).bfloat16(),)),
    "doubles": lambda: (
        Function(torch.matmul),
        (torch.randn(20, 65).double(), torch.randn(65, 67).double()),
    ),
    "whole numbers": lambda: (
        Function(torch.matmul),
        (torch.randint(-9, 9, (20, 35)), torch.randint(-9, 9, (35, 67))),
    ),
    "linear": lambda: (_linear(100, 70), (torch.randn(3, 100),)),
    "convolution": lambda: (nn.Conv2d(5, 7, 3, padding=1), (torch.randn(2, 5, 9, 9),)),
    "steps": lambda: (nn.Conv2d(5, 7, (3, 5), stride=(2, 1)), (torch.randn(2, 5, 19, 9),)),
    "gaps": lambda: (nn.Conv2d(5, 7, 3, dilation=2), (torch.randn(2, 5, 9, 9),)),
    "groups": lambda: (nn.Conv2d(6, 6, 3, groups=6), (torch.randn(2, 6, 9, 9),)),
    "groups of channels": lambda: (
        nn.Conv2d(6, 12, (3, 2), stride=(1, 2), padding=1, dilation=(2, 1), groups=3),
        (torch.randn(2, 6, 9, 11),),
    ),
    "average pooling": lambda: (
        nn.AvgPool2d(3, 2, 1, ceil_mode=True),
        (torch.randn(2, 5, 18, 19),),
    ),
    "volumes": lambda: (nn.Conv3d(2, 3, 3, padding=1), (torch.randn(1, 2, 5, 6, 7),)),
    "lines": lambda: (nn.Conv1d(4, 4, 5, stride=2, groups=4), (torch.randn(2, 4, 33),)),
    "pooling": lambda: (nn.MaxPool2d(3, 2, 1), (torch.randn(2, 5, 19, 19),)),
    "scattered sums": lambda: (
        Function(lambda x, i, s: x.scatter_add(0, i, s)),
        (torch.randn(9, 4), torch.randint(0, 9, (30, 4)), torch.randn(30, 4)),
    ),
    "scattered products": lambda: (
        Function(lambda x, i, s: x.scatter_reduce(0, i, s, "prod")),
        (torch.randn(9, 4), torch.randint(0, 9, (20, 4)), torch.randn(20, 4)),
    ),
    "scattered bytes": lambda: (
        Function(lambda x, i, s: x.scatter_reduce(0, i, s, "amax")),
        (torch.zeros(9).char(), torch.randint(0, 9, (30,)), torch.arange(30).char()),
    ),
    "scattered halves": lambda: (
        Function(lambda x, i, s: x.index_add(0, i, s)),
        (torch.zeros(9, 3).half(), torch.randint(0, 9, (30,)), torch.ones(30, 3).half()),
    ),
    "cumulative sums": lambda: (Function(lambda x: x.cumsum(-1)), (torch.randn(3, 1000),)),
    "cumulative products of columns": lambda: (
        Function(lambda x: x.cumprod(1)),
        (torch.rand(2, 70, 5) + 0.5,),
    ),
    "cumulative extremes": lambda: (Function(lambda x: x.cummax(0)), (torch.randn(200),)),
    "cumulative sums of one": lambda: (Function(lambda x: x.cumsum(1)), (torch.randn(4, 1),)),
    "cumulative sums of none": lambda: (Function(lambda x: x.cumsum(1)), (torch.randn(4, 0),)),
    "cumulative exponentials": lambda: (
        Function(lambda x: x.logcumsumexp(0)),
        (torch.randn(129, 3),),
    ),
    "overwritten rows": lambda: (
        Function(lambda x, i, s: x.index_copy(1, i, s)),
        (torch.randn(3, 9, 4), torch.tensor([7, 2]), torch.randn(3, 2, 4)),
    ),
    "embedding": lambda: (nn.Embedding(50, 20), (torch.randint(0, 50, (3, 7)),)),
    "a cache": lambda: (
        Function(lambda x, i, y: torch.index_copy(x, 1, i, y)),
        (torch.randn(3, 20, 5), torch.tensor([4, 17, 0]), torch.randn(3, 3, 5)),
    ),
    "updates that are added": lambda: (
        Function(lambda x, i, y: torch.index_add(x, 0, i, y)),
        (torch.randn(20, 5), torch.tensor([4, 17, 4]), torch.randn(3, 5)),
    ),
    "constant": lambda: (
        Function(lambda x: x + torch.tensor([[1.0, 2.0], [3.0, 4.0]])),
        (torch.randn(2, 2),),
    ),
    "sorting rows": lambda: (
        Function(lambda x: torch.sort(x, -1, descending=True)[0]),
        (torch.randn(30, 45),),
    ),
    "sorting one row": lambda: (Function(lambda x: torch.sort(x)[0]), (torch.randn(45),)),
    "slices": lambda: (
        Function(lambda x: torch.tanh(x[:, 1:17]) + x[:, ::2]),
        (torch.randn(20, 32),),
    ),
    "rows of a slice": lambda: (
        Function(lambda x: torch.softmax(x[1:, 3:40], -1)),
        (torch.randn(20, 45),),
    ),
    "product of slices": lambda: (
        Function(lambda x: torch.relu(x[:40, 1:41] @ x[3:43, :40]) + x[:40, 5:45]),
        (torch.randn(50, 45),),
    ),
    "strided inputs": lambda: (
        Function(lambda x, y: torch.exp(x) @ y.exp()),
        (torch.randn(20, 90)[:, 1::2], torch.randn(100, 50)[5:50, 5:20]),
    ),
    "none": lambda: (Function(lambda x: x * 2), (torch.randn(0, 4),)),
    "encoder": lambda: (
        nn.TransformerEncoderLayer(32, 4, 64, 0.0, "gelu", batch_first=True),
        (torch.randn(2, 17, 32),),
    ),
    "recurrent": lambda: (
        nn.LSTM(12, 20, batch_first=True, bidirectional=True),
        (torch.randn(3, 6, 12),),
    ),
}


# Where threads wait for each other.
REVERSED = (
    "softmax",
    "sorting rows",
    "layer norm over two",
    "few rows",
    "half",
    "convolution",
    "overwritten rows",
    "cumulative sums",
)


@pytest.mark.parametrize(
    ("name", "reverse"), [*((name, False) for name in CASES), *((name, True) for name in REVERSED)]
)
@pytest.mark.seeded_part(12)
def test_kernels_compute_what_pytorch_does(on_cpu, name, reverse):
    torch.manual_seed(0)
    model, inputs = CASES[name]()
    found = on_cpu(model, inputs, reverse)
    with torch.no_grad():
        torch.testing.assert_close(found(*inputs), model(*inputs))


@pytest.mark.parametrize("dim", [0, 1])
def test_cumulative_sums_of_any_size(on_cpu, dim):
    model = Function(lambda x: x.cumsum(dim))
    sizes = {0: torch.export.Dim("rows"), 1: torch.export.Dim("columns")}
    found = on_cpu(model, (torch.randn(5, 300),), dynamic_shapes=((sizes,),))
    for rows, columns in ((1, 4), (4, 1), (1, 1), (127, 2), (3, 128), (129, 129), (256, 257)):
        x = torch.randn(rows, columns)
        torch.testing.assert_close(found(x), x.cumsum(dim))


# Functions of a matrix, and the dtypes that they take: of any number, or floats only.
ROW_FUNCTIONS = {
    "softmax": (lambda x: torch.softmax(x, -1), "floats"),
    "log_softmax": (lambda x: torch.log_softmax(x, -1), "floats"),
    "layer_norm": (lambda x: nn.functional.layer_norm(x, x.shape[-1:]), "floats"),
    "rms_norm": (lambda x: nn.functional.rms_norm(x, x.shape[-1:]), "floats"),
    "var": (lambda x: x.var(-1), "floats"),
    "softmax of columns": (lambda x: torch.softmax(x.t(), -1), "floats"),
    "sum": (lambda x: x.sum(-1), "any"),
    "sum of columns": (lambda x: x.sum(0), "any"),
    "sum of all": (lambda x: x.sum(), "any"),
    "amax": (lambda x: x.amax(-1), "any"),
    "amin of columns": (lambda x: x.amin(0), "any"),
    "argmax": (lambda x: x.argmax(-1), "any"),
    "argmin": (lambda x: x.argmin(-1), "any"),
    "elementwise": (lambda x: torch.relu(x * x + x[:, :1]) - x[:1], "any"),
    "transposed": (lambda x: x.t() * 2 + 1, "any"),
}
ROW_LENGTHS = (1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 1000, 1023, 1024, 1025)
LONG_ROWS = (4095, 4096, 4097, 16384, 16385)
FLOATS = (torch.float64, torch.float32, torch.float16, torch.bfloat16)
INTEGERS = (torch.int64, torch.int32, torch.int16, torch.int8)


def _row_cases(count):
    """A sample of functions, sizes and dtypes."""
    choose = random.Random(5)
    for number in range(count):
        name = choose.choice(list(ROW_FUNCTIONS))
        is_any = ROW_FUNCTIONS[name][1] == "any"
        dtype = choose.choice((*FLOATS, *INTEGERS) if is_any else FLOATS)
        if number % 8 == 0 and "columns" not in name:
            rows, length = choose.choice((1, 3)), choose.choice(LONG_ROWS)
        elif name in ("sum of columns", "amin of columns"):
            rows, length = choose.choice((2, 33, 512)), choose.choice(ROW_LENGTHS[:9])
        else:
            rows, length = choose.choice((1, 2, 7, 33)), choose.choice(ROW_LENGTHS)
        kind = choose.choice(("static", "dynamic", "reversed", "not finite"))
        yield pytest.param(
            name, rows, length, dtype, kind, id=f"{name} {rows}x{length} {dtype} {kind}"
        )


def _matrix(rows, length, dtype, kind):
    generator = torch.Generator().manual_seed(rows * length)
    if not dtype.is_floating_point:
        return torch.randint(-100, 100, (rows, length), generator=generator).to(dtype)
    values = torch.randn(rows, length, generator=generator, dtype=torch.float64).to(dtype)
    if kind == "not finite":
        values[0, -1] = torch.nan
        values[rows // 2, 0] = torch.inf
        values[-1, length // 2] = -torch.inf
    return values


@pytest.mark.parametrize(("name", "rows", "length", "dtype", "kind"), list(_row_cases(48)))
@pytest.mark.seeded_part(12)
def test_rows_of_any_length_and_dtype(on_cpu, name, rows, length, dtype, kind):
    model = Function(ROW_FUNCTIONS[name][0])
    values = _matrix(rows, length, dtype, kind)
    if kind != "dynamic":
        found = on_cpu(model, (values,), kind == "reversed")
        torch.testing.assert_close(found(values), model(values), equal_nan=True)
        return
    values = torch.cat((values, values))
    longer = torch.cat((values, values))
    found = on_cpu(model, (longer,), dynamic_shapes=(({0: torch.export.Dim.AUTO},),))
    for given in (values, longer):
        torch.testing.assert_close(found(given), model(given), equal_nan=True)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16], ids=["bf16", "f16"])
def test_gelu_of_every_16_bit_float(on_cpu, dtype):
    bits = torch.arange(-(1 << 15), 1 << 15, dtype=torch.int16)
    x = bits.view(dtype).view(64, 1024)
    found = on_cpu(Function(nn.functional.gelu), (x,))(x).double()
    exact = x.double() * torch.erfc(-x.double() / math.sqrt(2)) / 2
    # GELU of -inf is NaN in PyTorch, too.
    exact[x == -torch.inf] = torch.nan
    assert torch.equal(found.isnan(), exact.isnan())
    kind = torch.finfo(dtype)
    # A rounding, and twice the error of the approximation, which is larger than eager's.
    allowed = exact.abs() * (kind.eps / 2 + 8e-5) + kind.smallest_normal * kind.eps
    is_close = (found - exact).abs() <= allowed
    assert (is_close | (found == exact) | exact.isnan()).all()


def test_long_columns_and_matrices_are_reduced_in_parts(on_cpu):
    values = torch.randn(4096, 24, dtype=torch.float64)
    for function in (lambda x: x.sum(0), lambda x: x.mean(), lambda x: (x * x).amax(0)):
        found = on_cpu(Function(function), (values,))
        torch.testing.assert_close(found(values), function(values))


def test_floats_of_8_bits(on_cpu):
    values = torch.randn(33, 70) * 300

    def function(x):
        small = x.to(torch.float8_e4m3fn)
        return small.to(torch.float16), small.to(torch.float8_e5m2).view(torch.uint8)

    found = on_cpu(Function(function), (values,))
    torch.testing.assert_close(found(values), function(values), rtol=0, atol=0)


@pytest.mark.parametrize(
    ("model", "sizes"),
    [
        (nn.Softmax(-1), (65,)),
        (_linear(40, 70), (40,)),
        (nn.Conv2d(2, 3, 3), (2, 5, 5)),
        (nn.GELU(), (8,)),
    ],
    ids=["softmax", "linear", "convolution", "elementwise"],
)
def test_dynamic_batches(on_cpu, model, sizes):
    batch = torch.export.Dim("batch", min=2, max=4096)
    found = on_cpu(model, (torch.randn(3, *sizes),), dynamic_shapes=({0: batch},))
    for size in (2, 3, 64, 65, 257):
        values = torch.randn(size, *sizes)
        with torch.no_grad():
            torch.testing.assert_close(found(values), model(values))


@pytest.mark.parametrize(
    ("function", "sizes"),
    [
        (lambda x: torch.exp(x) * 2, (5, 6, 7)),
        (lambda x: torch.softmax(x, -1), (5, 6, 70)),
        (lambda x: torch.sort(x, 1)[0], (5, 6, 7)),
        (lambda x: x.reshape(-1, x.shape[-1]).amax(0), (5, 6, 7)),
        (lambda x: x @ x.transpose(1, 2), (3, 6, 7)),
    ],
    ids=["elementwise", "rows", "sorting", "view", "product"],
)
def test_any_sizes(on_cpu, function, sizes):
    any_size = {dim: torch.export.Dim.AUTO for dim in range(len(sizes))}
    model = Function(function)
    found = on_cpu(model, (torch.randn(sizes),), dynamic_shapes=((any_size,),))
    for given in (sizes, tuple(size + 30 for size in sizes)):
        values = torch.randn(given)
        torch.testing.assert_close(found(values), model(values))


@pytest.mark.parametrize("name", ["softmax", "matmul", "convolution"])
def test_a_missing_barrier_shows(on_cpu, name):
    """Otherwise the tests above would say nothing of barriers."""
    torch.manual_seed(0)
    model, inputs = CASES[name]()
    found = on_cpu(model, inputs, observers=(_WithoutBarriers(),))
    with torch.no_grad():
        assert not torch.allclose(found(*inputs), model(*inputs), rtol=1e-3, atol=1e-3)


def test_an_index_out_of_range_is_found(on_cpu):
    found = on_cpu(nn.Embedding(5, 2), (torch.tensor([1]),))
    with pytest.raises(RuntimeError, match="index is out of bounds for dimension 0 with size 5"):
        found(torch.tensor([7]))


def test_slices_are_not_read_as_if_their_rows_were_aligned():
    """A GPU faults at an address that the number of bytes read at once does not divide."""
    given = torch.randn(64, 301)

    def widest(model, example):
        loads = re.findall(r"ld\.global\S*", torch_refine.compile(model, (example,)).ir("ptx"))
        return any(".v" in each for each in loads)

    assert widest(nn.Tanh(), torch.randn(64, 256))
    assert not widest(Function(lambda x: torch.tanh(x[:, 1:257])), given)
    assert not widest(nn.Tanh(), given[:, 1:257])
    assert not widest(Function(lambda x: torch.tanh(x[:, 4:260])), torch.randn(64, 300))
    assert widest(nn.Softmax(-1), torch.randn(64, 256))
    assert widest(nn.LayerNorm(256).bfloat16(), torch.randn(64, 256).bfloat16())
    assert not widest(nn.Softmax(-1), torch.randn(64, 257))
    assert not widest(Function(lambda x: x.sum(-1)), given[:, 1:257])


def test_ptx_can_be_shown():
    model = torch_refine.compile(nn.Softmax(-1), (torch.randn(4, 70),))
    assert ".target sm_90" in model.ir("ptx")
    assert "shfl.sync" in model.ir("ptx")


def test_random_numbers_are_those_of_the_cpu(on_cpu):
    model = Function(lambda x, w: nn.functional.dropout(x @ w, 0.5, True))
    inputs = torch.randn(8, 40), torch.randn(40, 30)
    expected = torch_refine.compile(model, inputs)
    found = on_cpu(model, inputs)
    torch.manual_seed(4)
    wanted = expected(*inputs)
    torch.manual_seed(4)
    torch.testing.assert_close(found(*inputs), wanted)
    assert 0 < (wanted == 0).sum() < wanted.numel()
