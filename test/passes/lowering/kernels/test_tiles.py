"""Products in the tile registers of AMX: of all sizes, in bounds, by threads; invalid schedules."""

import random
import subprocess
import sys

import pytest
import torch
import torch_refine
from torch import nn
from torch_refine.build_tools.code.guarded_memory import SIDES, guarded_heap
from torch_refine.dialect.bindings import ir, new_context
from torch_refine.dialect.diagnostics import Diagnostics
from torch_refine.passes.base import RunState
from torch_refine.passes.lowering.kernels.contractions.amx import (
    groups_of_step,
    padded_tile_rows,
    row_spans,
    tile_rows,
)
from torch_refine.passes.lowering.kernels.pack_contractions import PackContractions
from torch_refine.passes.lowering.kernels.schedule_kernels import ScheduleKernels
from torch_refine.passes.lowering.kernels.set_cpu_target import SetCpuTarget
from torch_refine.passes.lowering.kernels.targets import host as hosts
from torch_refine.passes.lowering.kernels.targets.host import host
from torch_refine.pipelines.elements import OurPass
from torch_refine.pipelines.runner import RunFailure, Runner
from torch_refine.runtime.compiling.compiler import Options
from torch_refine.runtime.torch_models.models import compile_model

HAS_TILES = {"amx-tile", "amx-bf16", "amx-int8"} <= set(host().features)
needs_tiles = pytest.mark.skipif(not HAS_TILES, reason="this processor has no AMX")
SIZES = (4, 7, 15, 16, 17, 31, 32, 33, 48, 50, 64, 70, 97, 128, 197)


class Product(nn.Module):
    """A product of matrices, transposed or not, with an epilogue."""

    def __init__(self, is_transposed):
        super().__init__()
        self.is_transposed = is_transposed

    def forward(self, a, b):
        return torch.relu(a @ (b.mT if self.is_transposed else b) + 1)


class Integers(nn.Module):
    """Bytes, with sums of 32 bits."""

    def forward(self, a, b):
        return torch._int_mm(a, b)


class Attention(nn.Module):
    """PyTorch's operator."""

    def __init__(self, is_causal):
        super().__init__()
        self.is_causal = is_causal

    def forward(self, query, key, value):
        return nn.functional.scaled_dot_product_attention(
            query, key, value, is_causal=self.is_causal
        )


def _numbers(*sizes):
    return torch.randn(sizes).bfloat16()


def _program(draw):
    """A model and its inputs."""
    size = lambda: draw.choice(SIZES)  # noqa: E731
    depth = size()
    kind = draw.choice(("product", "linear", "convolution", "attention", "bytes"))
    if kind == "product":
        batch = draw.choice(((), (3,), (2, 2)))
        flip = draw.random() < 0.5
        columns = size()
        right = (columns, depth) if flip else (depth, columns)
        return Product(flip), (_numbers(*batch, size(), depth), _numbers(*batch, *right))
    if kind == "linear":
        return nn.Linear(depth, size()).bfloat16(), (_numbers(size(), depth),)
    if kind == "attention":
        keys = size()
        heads = (1, draw.choice((1, 3)))
        shapes = ((size(), depth), (keys, depth), (keys, size()))
        return Attention(draw.random() < 0.5), tuple(_numbers(*heads, *each) for each in shapes)
    if kind == "bytes":
        depth = 8 * (depth // 8 + 1)
        left = torch.randint(-128, 128, (17 + size(), depth), dtype=torch.int8)
        return Integers(), (left, torch.randint(-128, 128, (depth, 8 * size()), dtype=torch.int8))
    groups = draw.choice((1, 1, 2))
    channels = [groups * draw.choice((2, 8, 16, 24, 40, 64)) for _ in range(2)]
    window, stride, dilation = draw.choice((1, 2, 3)), draw.choice((1, 2, 3)), draw.choice((1, 2))
    layer = nn.Conv2d(*channels, window, stride, draw.choice((0, 1)), dilation, groups)
    sizes = [draw.choice((5, 7, 14, 16, 17, 28, 33, 57)) for _ in range(2)]
    return layer.bfloat16(), (_numbers(draw.choice((1, 2)), channels[0], *sizes),)


def _assert_as_eager(model, inputs, result):
    """The result is that of eager mode: bytes to the bit, floats as near to f64."""
    expected = model(*inputs)
    assert result.shape == expected.shape
    if not expected.is_floating_point():
        assert torch.equal(result, expected)
        return
    exact = model.double()(*(each.double() for each in inputs))
    model.bfloat16()
    # oneDNN's convolutions to one column may give NaN on these processors.
    error = (expected.double() - exact).abs().nan_to_num(0).max()
    assert (result.double() - exact).abs().max() <= 2 * error + 2**-8 * exact.abs().max()


@needs_tiles
@pytest.mark.parametrize("seed", range(40))
@torch.no_grad()
def test_results_are_as_near_as_those_of_eager_mode(seed):
    draw = random.Random(seed)
    torch.manual_seed(seed)
    model, inputs = _program(draw)
    compiled = torch_refine.compile(model, inputs, threads=draw.choice((1, 1, 2)))
    _assert_as_eager(model, inputs, compiled(*inputs))


@needs_tiles
@pytest.mark.parametrize("seed", range(100, 112))
@torch.no_grad()
def test_tiles_stay_in_bounds(seed):
    draw = random.Random(seed)
    torch.manual_seed(seed)
    model, inputs = _program(draw)
    with guarded_heap() as heap:
        compiled = compile_model(model, inputs, None, Options(separate_buffers=True))
        for heap.side in SIDES:
            result = compiled(*(heap.copy(each) for each in inputs))
            del result
            assert heap.faults == []


@needs_tiles
@torch.no_grad()
def test_any_number_of_rows():
    """Rows of a dynamic batch that fill no tile are products of vectors."""
    torch.manual_seed(0)
    model = nn.Linear(70, 50).bfloat16()
    batch = {0: torch.export.Dim("rows", min=2, max=100)}
    compiled = torch_refine.compile(model, (_numbers(33, 70),), dynamic_shapes=(batch,))
    for rows in range(2, 70, 3):
        inputs = (_numbers(rows, 70),)
        _assert_as_eager(model, inputs, compiled(*inputs))


@needs_tiles
@torch.no_grad()
def test_another_process_asks_for_the_permission(tmp_path):
    """A process that only loads a program has not compiled any."""
    model, inputs = Product(False), (_numbers(64, 64), _numbers(64, 64))
    torch_refine.compile(model, inputs).save(tmp_path / "program")
    torch.save(inputs, tmp_path / "inputs")
    subprocess.run([sys.executable, "-c", LOADING, tmp_path], check=True)
    _assert_as_eager(model, inputs, torch.load(tmp_path / "result"))


LOADING = """
import pathlib, sys, torch, torch_refine
folder = pathlib.Path(sys.argv[1])
loaded = torch_refine.load_compiled(folder / "program")
torch.save(torch.from_dlpack(loaded(*torch.load(folder / "inputs"))), folder / "result")
"""


def test_tiles_cover_each_row_once():
    for size in range(1, 140):
        height = min(size, 16)
        for split in (tile_rows, padded_tile_rows):
            found = [
                start + row
                for span in row_spans(size, 32 if size > 16 else size)
                for first in range(span.start, span.stop, span.step)
                for start, wanted, end in split(first, span.step, height)
                for row in range(wanted, end)
            ]
            assert found == list(range(size))
    starts = [start for start, *_ in tile_rows(32, 5, 16)]
    assert starts == [21], "a tile must not read rows behind the last one"


def test_steps_are_as_long_as_tiles_or_equally_long():
    assert [groups_of_step(each) for each in (5, 16, 17, 24, 32, 40, 99)] == [
        5,
        16,
        16,
        12,
        16,
        10,
        11,
    ]


PRODUCT = """
func.func @main(%a: tensor<64x64xbf16>, %b: tensor<64x64xbf16>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %0 = linalg.matmul {torch_refine.contraction = {amx = true, rows = ROWS, columns = COLUMNS}}
    ins(%a, %b : tensor<64x64xbf16>, tensor<64x64xbf16>) outs(%f : tensor<64x64xf32>)
    -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
"""


@pytest.mark.parametrize("rows, columns", [(33, 32), (32, 48), (64, 16)])
def test_a_schedule_of_too_many_tiles_is_an_error(rows, columns):
    text = PRODUCT.replace("ROWS", str(rows)).replace("COLUMNS", str(columns))
    module = ir.Module.parse(text, new_context()).operation
    diagnostics = Diagnostics()
    runner = Runner(RunState(diagnostics))
    passes = SetCpuTarget(cpu="sapphirerapids"), PackContractions(), ScheduleKernels()
    elements = [OurPass(each, ("builtin.module",)) for each in passes]
    with pytest.raises(RunFailure):
        runner.run(elements, module)
    (error,) = diagnostics.reported
    assert "at most 2 x 2 tiles of 16 rows and columns" in error.message


def test_a_process_without_the_permission_has_no_tiles(monkeypatch):
    monkeypatch.setattr(hosts, "may_use_tiles", lambda: False)
    assert not any(each.startswith("amx") for each in host.__wrapped__().features)


@needs_tiles
@torch.no_grad()
def test_schedules_are_searched_by_a_process_that_may_use_tiles():
    model, inputs = nn.Linear(512, 256).bfloat16(), (_numbers(200, 512),)
    tuned = torch_refine.compile(model, inputs, mode="max-autotune")
    assert torch.equal(tuned(*inputs), torch_refine.compile(model, inputs)(*inputs))


@needs_tiles
@pytest.mark.parametrize("is_causal", [False, True])
@torch.no_grad()
def test_attention_of_any_number_of_batches(is_causal):
    torch.manual_seed(0)
    model, batch = Attention(is_causal), {0: torch.export.Dim("batch", min=2, max=64)}
    inputs = tuple(_numbers(3, 2, 77, 40) for _ in range(3))
    compiled = torch_refine.compile(model, inputs, dynamic_shapes=(batch,) * 3)
    for count in (2, 5):
        others = tuple(_numbers(count, 2, 77, 40) for _ in range(3))
        _assert_as_eager(model, others, compiled(*others))
