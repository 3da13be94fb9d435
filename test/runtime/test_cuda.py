"""Programs compiled for a GPU, on one if there is any; else with the CPU in its place.

Then kernels run as loops, which says all of the host's part and nothing of the driver's.
"""

import ctypes
import gc
import threading

import numpy as np
import pytest
import torch
import torch_refine
import torch_refine.runtime.compiled_module as compiled_module
from emulated_gpu import EmulatedDriver
from function_module import Function
from networks.models import NETWORKS
from torch import nn
from torch.utils._pytree import tree_leaves, tree_map
from torch_refine.dialect.bindings import ir, new_context
from torch_refine.importer.export import export_program
from torch_refine.runtime.calls.object_files import _linker
from torch_refine.runtime.compiling.compiler import CompileError, Options, compile_module
from torch_refine.runtime.cuda import driver as driver_module
from torch_refine.runtime.cuda.constants import Constants
from torch_refine.runtime.cuda.table import Table

UNAVAILABLE = driver_module.why_unavailable()


@pytest.fixture(autouse=True)
def _exact():
    """Convolutions of f32 in eager mode are not rounded to 19 bits on a GPU."""
    with torch.backends.cudnn.flags(enabled=True, allow_tf32=False):
        yield


@pytest.fixture
def emulated(monkeypatch, tmp_path):
    """Makes `target="cuda"` mean a GPU that is the CPU."""
    made = EmulatedDriver(tmp_path)

    def compile_and_tell(bytecode, options):
        made.bytecode = bytecode
        return compile_module(bytecode, options)

    monkeypatch.setattr(compiled_module, "compile_module", compile_and_tell)
    monkeypatch.setattr(driver_module, "driver_of", lambda device: made)
    return made


@pytest.fixture(
    params=[
        "emulated",
        pytest.param("cuda", marks=pytest.mark.skipif(bool(UNAVAILABLE), reason=f"{UNAVAILABLE}")),
    ]
)
def device(request):
    """Where to put models and inputs."""
    if request.param == "cuda":
        return torch.device("cuda")
    return request.getfixturevalue("emulated").device


def _convolution():
    return nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU())


def _with_constant(x):
    return x * torch.tensor([1.0, 2.0, 3.0, 4.0], device=x.device), x.sum()


def _images(*args, **options):
    """A convolution, and the sizes of its input."""
    sizes, *rest = args
    kind = nn.Conv3d if len(sizes) == 5 else nn.Conv2d
    return kind(sizes[1], *rest, **options), sizes


CONVOLUTIONS = {
    "with gaps": lambda: _images((2, 5, 13, 9), 33, 3, padding=2, dilation=(2, 3)),
    "with steps": lambda: _images((1, 8, 17, 12), 16, (3, 2), stride=(2, 3), bias=False),
    "with both": lambda: _images((1, 3, 15, 15), 7, 3, stride=2, dilation=2, padding=(1, 2)),
    "in groups": lambda: _images((2, 6, 9, 11), 24, 3, padding=1, groups=3),
    "in groups with steps": lambda: _images((1, 8, 9, 9), 16, (2, 3), stride=2, groups=2),
    "depthwise": lambda: _images((1, 6, 9, 11), 6, 3, padding=1, groups=6),
    "of points": lambda: _images((1, 70, 9, 9), 40, 1),
    "of volumes": lambda: _images((1, 3, 6, 7, 9), 9, 3, padding=(1, 0, 2), dilation=(1, 2, 1)),
}


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
@pytest.mark.parametrize("name", CONVOLUTIONS)
@pytest.mark.seeded_part(12)
def test_convolutions(device, name, dtype):
    torch.manual_seed(0)
    model, sizes = CONVOLUTIONS[name]()
    model = nn.Sequential(model, nn.ReLU()).to(device, dtype)
    x = torch.randn(sizes, device=device).to(dtype)
    compiled = torch_refine.compile(model, (x,), target="cuda")
    # Eager mode may choose Winograd's algorithm.
    rtol, atol = (1e-4, 1e-4) if dtype == torch.float32 else (1.6e-2, 1e-2)
    with torch.no_grad():
        torch.testing.assert_close(compiled(x), model(x), rtol=rtol, atol=atol)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_tiles_of_small_matmuls_are_small(emulated, dtype):
    """There are blocks for all multiprocessors, if there is enough to compute."""
    blocks = []
    for sizes in ((1024, 1024), (256, 256), (33, 70)):
        x, y = (torch.randn(size, 80).to(dtype) for size in sizes)
        compiled = torch_refine.compile(Function(lambda x, y: x @ y.t()), (x, y), target="cuda")
        emulated.launches.clear()
        torch.testing.assert_close(compiled(x, y), x @ y.t(), rtol=1.6e-2, atol=1e-2)
        blocks.append(max(each[1] for each in emulated.launches if "product" in each[0]))
    # The smallest tile of warps has 32 rows.
    assert blocks == ([128, 128, 15] if dtype == torch.float32 else [256, 64, 6])


def _of_slices(x, y):
    return x[1:, 1:9] @ y[1:9, 3:67], torch.relu(x[1:, 3:67]), x[3:, 1:].softmax(-1)


def _sum_of(*tensors):
    return sum(tensors[1:], tensors[0])


CASES = {
    "elementwise": lambda: (Function(lambda x, y: torch.tanh(x) * y + 1), (1000, 7), (1000, 1)),
    "rows": lambda: (Function(lambda x: torch.softmax(x, -1)), (33, 130)),
    "linear": lambda: (nn.Sequential(nn.Linear(70, 66), nn.ReLU()), (65, 70)),
    "convolution": lambda: (_convolution().eval(), (2, 3, 11, 9)),
    # More parameters than PTX had room for before version 8.1.
    "many inputs": lambda: (Function(_sum_of), *[(2, 3, 4, 5)] * 60),
    "constant and number": lambda: (Function(_with_constant), (6, 4)),
    "no elements": lambda: (Function(lambda x: (x * 2 + 1, x.sum(0))), (0, 5)),
    "nothing to sum": lambda: (Function(torch.matmul), (3, 0), (0, 4)),
    "scalars": lambda: (Function(lambda x, y: (x * y, x + 1)), (), (3,)),
    # Addresses that are no multiples of what vectors are aligned to.
    "slices": lambda: (Function(_of_slices), (129, 130), (129, 128)),
}


@pytest.mark.parametrize("name", CASES)
def test_results_are_those_of_eager_mode(device, name):
    torch.manual_seed(0)
    model, *sizes = CASES[name]()
    model.to(device)
    inputs = tuple(torch.randn(size, device=device) for size in sizes)
    compiled = torch_refine.compile(model, inputs, target="cuda")
    with torch.no_grad():
        torch.testing.assert_close(compiled(*inputs), model(*inputs))
        others = tuple(torch.randn(size, device=device) for size in sizes)
        torch.testing.assert_close(compiled(*others), model(*others))


@pytest.mark.parametrize("name", ["bert"])
def test_networks(device, name):
    model, args, kwargs = NETWORKS[name].build()
    model.to(device)
    args, kwargs = tree_map(lambda each: each.to(device), (args, kwargs))
    program = export_program(model, args, kwargs, None)
    compiled = torch_refine.compile(program, target="cuda")
    with torch.no_grad():
        found, expected = compiled(*args, **kwargs), program.module()(*args, **kwargs)
    torch.testing.assert_close(tree_leaves(found), tree_leaves(expected), rtol=1e-3, atol=1e-4)


def _dynamic_model():
    return nn.Sequential(nn.Linear(24, 40), nn.ReLU(), nn.Linear(40, 5), nn.Softmax(-1))


def test_sizes_may_be_dynamic(device):
    model = _dynamic_model().to(device)
    batch = torch.export.Dim("batch", min=1, max=4096)
    inputs = (torch.randn(8, 24, device=device),)
    compiled = torch_refine.compile(model, inputs, target="cuda", dynamic_shapes=({0: batch},))
    for size in (1, 8, 300):
        x = torch.randn(size, 24, device=device)
        with torch.no_grad():
            torch.testing.assert_close(compiled(x), model(x))


def test_more_rows_need_more_blocks(emulated):
    batch = torch.export.Dim("batch", min=1, max=4096)
    compiled = torch_refine.compile(
        _dynamic_model(), (torch.randn(8, 24),), target="cuda", dynamic_shapes=({0: batch},)
    )
    counts = []
    for size in (8, 300):
        emulated.launches.clear()
        compiled(torch.randn(size, 24))
        counts.append(sum(blocks for _, blocks, _ in emulated.launches))
    assert counts[1] > counts[0]


def test_inputs_lie_anywhere(device):
    model = Function(lambda x, y: torch.relu(x) + y)
    examples = torch.randn(8, 16, device=device), torch.randn(16, device=device)
    compiled = torch_refine.compile(model, examples, target="cuda")
    storage = torch.randn(200, device=device)
    # Loads of four numbers want more than what a number's address is a multiple of.
    x = storage[1:129].view(8, 16)
    y = torch.randn(16, 2, device=device)[:, 1]
    torch.testing.assert_close(compiled(x, y), model(x, y))
    x = torch.randn(16, 8, device=device).t()
    torch.testing.assert_close(compiled(x, y), model(x, y))


def test_results_own_their_memory(device):
    model = Function(lambda x: (x + 1, x + 1, x * 2))
    x = torch.randn(64, 64, device=device)
    compiled = torch_refine.compile(model, (x,), target="cuda")
    first = compiled(x)
    kept = [each.clone() for each in first]
    for _ in range(3):
        compiled(torch.randn(64, 64, device=device))
        gc.collect()
    torch.testing.assert_close(list(first), kept)
    first[0].zero_()
    torch.testing.assert_close(first[1], kept[1])
    assert not compiled._gpu.tensors().table._allocated


def test_weights_are_seen_as_they_are(device):
    model = nn.Linear(8, 8).to(device)
    x = torch.randn(2, 8, device=device)
    compiled = torch_refine.compile(model, (x,), target="cuda")
    with torch.no_grad():
        model.weight.mul_(3)
        torch.testing.assert_close(compiled(x), model(x))


class _Transposed(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(8, 6).t())

    def forward(self, x):
        return x + self.weight


class _Masked(nn.Module):
    """Its bools have bytes that are neither 0 nor 1."""

    def __init__(self):
        super().__init__()
        mask = torch.arange(48, dtype=torch.uint8).view(6, 8).view(torch.bool)
        self.register_buffer("weight", mask)

    def forward(self, x):
        return torch.where(self.weight, x, 1.0)


@pytest.mark.parametrize("kind", [_Transposed, _Masked])
def test_copies_of_weights_are_waited_for_in_every_stream(emulated, kind):
    model = kind()
    x = torch.randn(6, 8)
    compiled = torch_refine.compile(model, (x,), target="cuda")

    def done(stream):
        emulated.done.clear()
        emulated.stream_number = stream
        with torch.no_grad():
            torch.testing.assert_close(compiled(x), model(x))
        return [(what, number) for what, number, *_ in emulated.done]

    assert done(1) == [("mark", 1), ("follow", 1), ("launch", 1)]
    assert done(2) == [("follow", 2), ("use", 2), ("launch", 2)]
    assert emulated.done[0][2] == 1, "it waits for what the first stream did"
    emulated.passed = True
    assert done(3) == [("follow", 3), ("use", 3), ("launch", 3)]
    assert done(3) == [("launch", 3)]
    with torch.no_grad():
        (model.weight.view(torch.uint8) if kind is _Masked else model.weight).add_(1)
    emulated.passed = False
    assert done(3) == [("mark", 3), ("follow", 3), ("launch", 3)]
    assert len(compiled._gpu._state._copies) == 1, "the first copy is gone"


def _three_constants(x):
    table = torch.tensor([1.0, 2.0, 3.0, 4.0], device=x.device)
    return x * table, table, torch.tensor([[3, 4]], device=x.device)


def test_constants_are_copied_once(emulated):
    model = Function(_three_constants)
    compiled = torch_refine.compile(model, (torch.randn(6, 4),), target="cuda")
    expected = model(torch.ones(6, 4))
    emulated.captures = True
    with pytest.raises(RuntimeError, match="constants of the program are copied on its first call"):
        compiled(torch.ones(6, 4))
    emulated.captures = False
    copies = compiled._gpu._constants._copies
    for _ in range(3):
        found = compiled(torch.ones(6, 4))
        torch.testing.assert_close(found, expected)
        # Those that are returned are the caller's.
        found[1].zero_()
        assert len(copies) == 2
    emulated.captures = True
    emulated.stream_number = 5
    emulated.done.clear()
    torch.testing.assert_close(compiled(torch.ones(6, 4)), expected)
    assert [what for what, *_ in emulated.done] == ["use", "use", "launch"]


def test_copies_of_weights_are_made_outside_of_captures(emulated):
    model = _Transposed()
    x = torch.randn(6, 8)
    compiled = torch_refine.compile(model, (x,), target="cuda")
    with torch.no_grad():
        emulated.captures = True
        with pytest.raises(RuntimeError, match="call it before the capture of a CUDA graph"):
            compiled(x)
        emulated.captures = False
        emulated.passed = True
        compiled(x)
        emulated.captures = True
        emulated.done.clear()
        torch.testing.assert_close(compiled(x), model(x))
    assert [what for what, *_ in emulated.done] == ["launch"]


def test_layouts_that_were_accepted_are_checked_again(emulated):
    """A call like the previous one skips the checks of sizes and strides, and no other."""
    model = Function(lambda x, y: x + y)
    inputs = torch.randn(8, 4), torch.randn(8, 4)
    compiled = torch_refine.compile(model, inputs, target="cuda")
    memory = torch.randn(100)
    bad = [torch.randn(4, 8), torch.randn(8, 4).double(), torch.randn(8, 4, device="meta"), 3.0]
    good = [memory[1:33].view(8, 4), torch.randn(4, 8).t(), torch.randn(8, 4)]
    for _ in range(2):
        for x in good:
            torch.testing.assert_close(compiled(x, inputs[1]), model(x, inputs[1]))
        for x in bad:
            with pytest.raises((TypeError, ValueError), match="input 0"):
                compiled(x, inputs[1])


class _SharedMemory(EmulatedDriver):
    """Notes the dynamic shared memory of launches, which a loop does not have."""

    def __init__(self, folder):
        super().__init__(folder)
        self.shared = []

    def _launch(self, kernel, bx, by, bz, tx, ty, tz, shared, stream, parameters, extra):
        self.shared.append((kernel, bx, tx, shared))
        return 0


def test_a_launch_has_dynamic_shared_memory(tmp_path):
    driver = _SharedMemory(tmp_path)
    table = Table(driver, [7], Constants(driver))
    _, _, library = _linker()
    launch = ctypes.CFUNCTYPE(None, *[ctypes.c_int64] * 10)(library["torch_refine_launch"])
    parameters = (ctypes.c_void_p * 1)()
    table.begin()
    for shared in (0, 227 * 1024):
        launch(table.address, 0, 132, 1, 1, 384, 1, 1, shared, ctypes.addressof(parameters))
    table.check()
    assert driver.shared == [(7, 132, 384, 0), (7, 132, 384, 227 * 1024)]


def test_a_grid_that_is_too_large_is_not_cut(emulated):
    """Blocks are counted in 64 bits, and launched in 32."""
    emulated.names, emulated.kernels = ["kernel"], [lambda packed: None]
    emulated.words = {"kernel": []}
    table = Table(emulated, [1], Constants(emulated))
    _, _, library = _linker()
    words = [ctypes.c_int64] * 10
    launch = ctypes.CFUNCTYPE(None, *words)(library["torch_refine_launch"])
    parameters = (ctypes.c_void_p * 1)()
    for grid in ((2**31 - 1, 1, 1), (1, 1, 1)):
        table.begin()
        launch(table.address, 0, *grid, 256, 1, 1, 0, ctypes.addressof(parameters))
        table.check()
    assert [blocks for _, blocks, _ in emulated.launches] == [2**31 - 1, 1]
    for grid in ((2**31, 1, 1), (2**32 + 5, 1, 1), (-1, 1, 1), (1, 2**16, 1), (1, 1, 2**16)):
        table.begin()
        launch(table.address, 0, *grid, 256, 1, 1, 0, ctypes.addressof(parameters))
        with pytest.raises(RuntimeError, match="needs more blocks than a GPU launches"):
            table.check()
    assert len(emulated.launches) == 2


def test_a_module_of_text_runs(device):
    text = """
    func.func @main(%arg0: !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32> {
      %0 = torch.aten.exp %arg0 : !torch.vtensor<[?],f32> -> !torch.vtensor<[?],f32>
      return %0 : !torch.vtensor<[?],f32>
    }"""
    compiled = torch_refine.compile(ir.Module.parse(text, new_context()), target="cuda")
    x = torch.randn(1001, device=device)
    torch.testing.assert_close(compiled(x), torch.exp(x))
    assert ".target sm_" in compiled.ir("ptx")
    assert "llvm.func" in compiled.ir("llvm")


@pytest.fixture
def linear():
    """A model on a GPU, its program, and an input."""
    if UNAVAILABLE:
        pytest.skip(UNAVAILABLE)
    model = _Transposed().cuda()
    x = torch.randn(6, 8, device="cuda")
    return model, torch_refine.compile(model, (x,), target="cuda"), x


def test_calls_are_captured_in_graphs(linear):
    model, compiled, x = linear
    with torch.no_grad():
        compiled(x)
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            found = compiled(x)
        x.copy_(torch.randn_like(x))
        graph.replay()
        torch.testing.assert_close(found, model(x))


def test_the_first_call_is_not_captured(linear):
    _, compiled, x = linear
    with (
        torch.no_grad(),
        pytest.raises(RuntimeError, match="call it before the capture of a CUDA graph"),
        torch.cuda.graph(torch.cuda.CUDAGraph()),
    ):
        compiled(x)


def test_calls_in_threads_and_on_streams(linear):
    model, compiled, x = linear
    found = {}

    def call(number):
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.default_stream())
        with torch.no_grad(), torch.cuda.stream(stream):
            found[number] = [compiled(x * number) for _ in range(20)]
        stream.synchronize()

    threads = [threading.Thread(target=call, args=(number,)) for number in range(1, 4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with torch.no_grad():
        for number in range(1, 4):
            torch.testing.assert_close(found[number], [model(x * number)] * 20)


@pytest.mark.skipif(torch.cuda.device_count() < 2, reason="there is no second GPU")
def test_calls_on_another_device_than_the_current_one():
    model = _Transposed().to("cuda:1")
    x = torch.randn(6, 8, device="cuda:1")
    compiled = torch_refine.compile(model, (x,), target="cuda")
    with torch.no_grad():
        torch.testing.assert_close(compiled(x), model(x))
        with torch.cuda.device(1):
            torch.testing.assert_close(compiled(x), model(x))
    assert torch.cuda.current_device() == 0


def test_failures_are_told(emulated, monkeypatch):
    compiled = torch_refine.compile(Function(torch.relu), (torch.randn(8),), target="cuda")
    with pytest.raises(TypeError, match=r"input 0 must be float32\[8\], got ndarray"):
        compiled(np.zeros(8, np.float32))
    with pytest.raises(TypeError, match="input 0 is on meta, the program runs on the CPU"):
        compiled(torch.zeros(8, device="meta"))
    emulated.fails = True
    with pytest.raises(RuntimeError, match="a kernel failed: error 1"):
        compiled(torch.randn(8))
    emulated.fails = False

    def no_memory(self, count):
        raise torch.OutOfMemoryError("none left")

    launched = len(emulated.launches)
    with monkeypatch.context() as patched, pytest.raises(torch.OutOfMemoryError, match="none left"):
        patched.setattr(Table, "new", no_memory)
        compiled(torch.randn(8))
    assert len(emulated.launches) == launched, "kernels run without memory"
    x = torch.randn(8)
    torch.testing.assert_close(compiled(x), torch.relu(x))


def test_what_reads_on_the_host_is_refused(emulated):
    class Item(nn.Module):
        def forward(self, x):
            return x.sum().item()

    with pytest.raises(CompileError, match=r"the host needs a value that the GPU computes"):
        torch_refine.compile(Item(), (torch.randn(8),), target="cuda")


def test_options_of_the_cpu_are_refused():
    with pytest.raises(ValueError, match="are for target='cpu'"):
        torch_refine.compile(nn.Linear(2, 2), (torch.randn(1, 2),), target="cuda", threads=2)


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_without_a_gpu_it_says_so():
    with pytest.raises(CompileError, match="nothing can run on a GPU: "):
        torch_refine.compile(nn.Linear(2, 2), (torch.randn(1, 2),), target="cuda")


def test_programs_for_a_gpu_are_cached_apart():
    assert Options().request([]) != Options(target="cuda", chip="sm_90").request([])
