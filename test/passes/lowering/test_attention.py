"""Blockwise attention is correct for all sizes, masks and processors, and is recognized.

Programs are generated from a seed and compared with eager mode in double precision.
"""

import math
import random

import pytest
import torch
import torch_refine
from torch import nn
from torch_refine.build_tools.code.guarded_memory import SIDES, guarded_heap
from torch_refine.dialect.bindings import ir, new_context, walk
from torch_refine.dialect.diagnostics import Diagnostics
from torch_refine.dialect.structured_ops import GENERIC
from torch_refine.importer.lowering import import_for_lowering
from torch_refine.passes.base import RunState
from torch_refine.passes.lowering.kernels.attention.visible import diagonal_of
from torch_refine.passes.lowering.kernels.contractions.chain import Chain
from torch_refine.passes.lowering.kernels.outlining import KERNEL
from torch_refine.passes.lowering.kernels.targets.host import host
from torch_refine.pipelines.lowering.cpu import TorchToCpuPipeline
from torch_refine.pipelines.runner import Runner
from torch_refine.runtime.compiling.compiler import Options
from torch_refine.runtime.torch_models.models import compile_model

PROCESSORS = ["host"]
if host().architecture == "x86-64":
    levels = {"x86-64-v2": "ssse3", "x86-64-v3": "avx2"}
    PROCESSORS += [name for name, needed in levels.items() if host().has(needed)]
SIZES = (2, 3, 7, 16, 31, 56, 64, 77, 130, 200, 333)
WIDTHS = (1, 7, 16, 33, 64, 80)


class Attention(nn.Module):
    """PyTorch's operator."""

    def __init__(self, is_causal=False):
        super().__init__()
        self.is_causal = is_causal

    def forward(self, query, key, value, mask=None):
        return nn.functional.scaled_dot_product_attention(
            query, key, value, mask, is_causal=self.is_causal
        )


class Written(nn.Module):
    """Composed of matmul and softmax; a causal mask is given as a tensor."""

    def __init__(self, distance, is_filled):
        super().__init__()
        self.distance = distance
        self.is_filled = is_filled

    def forward(self, query, key, value):
        scores = query @ key.transpose(-1, -2) / math.sqrt(query.shape[-1])
        rows = torch.arange(query.shape[-2]).unsqueeze(-1)
        columns = torch.arange(key.shape[-2])
        if self.is_filled:
            scores = scores.masked_fill(columns - rows > self.distance, -math.inf)
        else:
            scores = torch.where(rows + self.distance >= columns, scores, -math.inf)
        return scores.softmax(-1) @ value


def _program(draw):
    """A model, its inputs, dynamic shapes, and other inputs."""
    width, results = draw.choice(WIDTHS), draw.choice(WIDTHS)
    batch = draw.choice([(), (3,), (1, 2), (2, 2), (3, 4), (2, 3, 2)])
    kind = draw.choice(["plain", "causal", "causal", "bools", "floats", "written"])
    # Whether each dimension of a mask is broadcast; it may have fewer dimensions.
    masked = [draw.random() < 0.5 for _ in batch][draw.randrange(len(batch) + 1) :]
    masked += [draw.random() < 0.5, False]

    def operands(queries, keys, batch=batch):
        inputs = tuple(
            torch.randn(*batch, *sizes)
            for sizes in ((queries, width), (keys, width), (keys, results))
        )
        if kind not in ("bools", "floats"):
            return inputs
        sizes = (*batch, queries, keys)[-len(masked) :]
        sizes = [1 if one else size for one, size in zip(masked, sizes, strict=True)]
        if kind == "floats":
            return *inputs, torch.randn(sizes)
        mask = torch.rand(sizes) < 0.7
        # A fully masked query.
        mask[..., draw.randrange(sizes[-2]), :] = False
        return *inputs, mask

    # Each query attends to the first key: a fully masked row of a softmax is NaN.
    model = (
        Written(draw.choice([0, 1, 5]), draw.random() < 0.5)
        if kind == "written"
        else Attention(kind == "causal")
    )
    inputs = operands(draw.choice(SIZES), draw.choice(SIZES))
    if draw.random() < 0.5:
        return model, inputs, None, []
    rows, columns = (torch.export.Dim(name, min=2, max=5000) for name in ("rows", "columns"))
    sizes = [*[None] * len(batch), rows, columns]
    # Also a batch size of one.
    other = batch
    if batch and batch[0] > 1 and draw.random() < 0.7:
        sizes[0] = torch.export.Dim("batch", min=2, max=100)
        other = (5, *batch[1:])
    place = len(batch)
    first = {} if not batch or sizes[0] is None else {0: sizes[0]}
    shapes = [first | {place: rows}, first | {place: columns}, first | {place: columns}]
    if len(inputs) > 3:
        given = zip(masked, sizes[-len(masked) :], strict=True)
        shapes.append(
            {dim: size for dim, (one, size) in enumerate(given) if not one and size is not None}
        )
    others = [operands(*sizes, other) for sizes in ((2, 5), (70, 33), (15, 400))]
    return model, inputs, tuple(shapes), others


def _check(result, model, given):
    expected = model(*given)
    exact = model(*(each.double() if each.is_floating_point() else each for each in given))
    assert result.dtype == expected.dtype
    assert result.shape == expected.shape
    assert torch.equal(result.isnan(), expected.isnan())
    bound = 3 * (expected.double() - exact).nan_to_num().abs().max() + 1e-5
    assert (result.double() - exact).nan_to_num().abs().max() <= bound


@pytest.mark.parametrize("processor", PROCESSORS)
def test_weights_of_scores_of_any_size(processor):
    """One score is 0, the others are negative; the values are the rows of an identity."""
    keys = 64
    generator = torch.Generator().manual_seed(0)
    scores = (
        -torch.rand(500, 1, keys, generator=generator) * torch.logspace(-6, 2.1, 500)[:, None, None]
    )
    scores[:, :, 0] = 0
    borders = torch.tensor(
        [-87.0, -87.33, -87.34, -87.68, -87.7, -88.0, -90.0, -104.0, -1e30, -math.inf]
    )
    scores[0, 0, 1 : 1 + len(borders)] = borders
    query, key = torch.zeros(500, 4, 16), torch.zeros(500, keys, 16)
    query[:, :, 3], key[:, :, 3] = 1, scores[:, 0]
    value = torch.eye(keys).expand(500, keys, keys).contiguous()

    class Weights(nn.Module):
        def forward(self, query, key, value):
            return nn.functional.scaled_dot_product_attention(query, key, value, scale=1.0)

    given = query, key, value
    found = torch_refine.compile(Weights(), given, cpu=processor)(*given)
    expected = torch.softmax(scores.double(), -1).expand(500, 4, keys)
    torch.testing.assert_close(found.double(), expected, rtol=5e-7, atol=2e-38)
    assert (found[scores.expand(500, 4, keys) < -88] == 0).all()


@pytest.mark.parametrize("seed", range(8))
def test_attention(seed):
    draw = random.Random(seed)
    torch.manual_seed(seed)
    model, inputs, shapes, others = _program(draw)
    cpu, threads = draw.choice(PROCESSORS), draw.choice([1, 1, 2])
    compiled = torch_refine.compile(model, inputs, dynamic_shapes=shapes, cpu=cpu, threads=threads)
    for given in (inputs, *others):
        _check(compiled(*given), model, given)


@pytest.mark.parametrize("seed", range(2))
def test_no_access_outside_of_buffers(seed, monkeypatch):
    """Each buffer starts or ends at a protected page."""
    monkeypatch.setenv("TORCH_REFINE_CACHE", "0")
    draw = random.Random(100 + seed)
    torch.manual_seed(seed)
    model, inputs, shapes, others = _program(draw)
    options = Options(separate_buffers=True, cpu=draw.choice(PROCESSORS))
    with guarded_heap() as heap:
        compiled = compile_model(model, inputs, shapes, options)
        for given in (inputs, *others):
            for heap.side in SIDES:
                result = compiled(*(heap.copy(each) for each in given))
                del result
                assert heap.faults == []


@pytest.mark.parametrize("place", range(3))
def test_non_finite_values_agree_with_eager_mode(place):
    """A masked key may be non-finite; a value is multiplied by zero, which gives NaN."""
    torch.manual_seed(place)
    model = Written(0, True)
    inputs = [torch.randn(2, 90, 16) for _ in range(3)]
    compiled = torch_refine.compile(model, tuple(inputs))
    for bad in (math.nan, math.inf, -math.inf):
        inputs[place][1, 70, 3] = bad
        _check(compiled(*inputs), model, tuple(inputs))


def test_large_scores_do_not_overflow():
    torch.manual_seed(0)
    inputs = tuple(torch.randn(2, 64, 32) * 60 for _ in range(3))
    compiled = torch_refine.compile(Attention(), inputs)
    _check(compiled(*inputs), Attention(), inputs)


@pytest.mark.parametrize("sizes", [(0, 64), (64, 0)])
def test_no_queries_or_keys(sizes):
    queries, keys = sizes
    inputs = torch.rand(2, queries, 16), torch.rand(2, keys, 16), torch.rand(2, keys, 16)
    result = torch_refine.compile(Attention(), inputs)(*inputs)
    torch.testing.assert_close(result, Attention()(*inputs))


def _kinds(model, inputs, shapes=None):
    """The kinds of the kernels of a model."""
    program = torch.export.export(model, inputs, dynamic_shapes=shapes)
    module = import_for_lowering(program).module
    elements = TorchToCpuPipeline().elements()
    end = next(place for place, each in enumerate(elements) if each.name == "schedule-kernels")
    Runner(RunState(Diagnostics()), verify_each=False).run(elements[:end], module.operation)
    found = [
        str(each.attributes[KERNEL]).strip('"')
        for each in walk(module.operation)
        if KERNEL in each.attributes
    ]
    del module
    return found


def _calls():
    """Models, batch sizes and masks, which may broadcast over batch or heads."""
    for model in (Attention(), Attention(True), Written(0, True), Written(3, False)):
        for batch in (1, 3):
            yield model, batch, None
    for mask in ((3, 1, 1, 64), (3, 1, 64, 64), (1, 2, 64, 64), (64, 64)):
        yield Attention(), 3, mask


@pytest.mark.parametrize("is_dynamic", [False, True])
@pytest.mark.parametrize(("model", "batch", "mask"), list(_calls()))
def test_attention_is_one_kernel(model, batch, mask, is_dynamic):
    """For any broadcast mask, with known and unknown sizes."""
    inputs = [torch.randn(batch, 2, 64, 32) for _ in range(3)]
    shapes = None
    if mask is not None:
        inputs.append(torch.randn(mask))
    if is_dynamic:
        first, last = (torch.export.Dim(name, min=2, max=999) for name in ("batch", "tokens"))
        names = {batch: first, 64: last}
        shapes = tuple(
            {dim: names[size] for dim, size in enumerate(each.shape) if size in names and size > 1}
            for each in inputs
        )
    kinds = _kinds(model, tuple(inputs), shapes)
    assert kinds.count("attention") == 1
    assert not {"rows", "contraction"} & set(kinds)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
@pytest.mark.parametrize("is_causal", [False, True])
def test_attention_of_halves_is_one_kernel(dtype, is_causal):
    """Of the f32 that it is computed in, whatever dot products the processor has.

    Tile registers multiply bfloat16: the weights are rounded, as in PyTorch's kernels.
    """
    inputs = tuple(torch.randn(2, 2, 64, 32).to(dtype) for _ in range(3))
    model = Attention(is_causal)
    kinds = _kinds(model, inputs)
    assert kinds.count("attention") == 1
    assert not {"rows", "contraction"} & set(kinds)
    exact = model(*(each.double() for each in inputs))
    result = torch_refine.compile(model, inputs)(*inputs)
    if dtype == torch.bfloat16 and host().has("amx-bf16"):
        errors = [(each.double() - exact).abs().max() for each in (result, model(*inputs))]
        assert errors[0] <= 1.5 * errors[1]
    else:
        torch.testing.assert_close(result, exact.to(dtype))


_MASKED = """
#whole = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func @masked(%scores: tensor<2x8x9xf32>) -> tensor<2x8x9xf32> {{
  %hidden = arith.constant 0xFF800000 : f32
  %three = arith.constant 3 : index
  %0 = linalg.generic {{indexing_maps = [#whole, #whole],
      iterator_types = ["parallel", "parallel", "parallel"]}}
      ins(%scores : tensor<2x8x9xf32>) outs(%scores : tensor<2x8x9xf32>) {{
  ^bb0(%score: f32, %out: f32):
    %batch = linalg.index 0 : index
    %row = linalg.index 1 : index
    %column = linalg.index 2 : index
    {sum}
    %seen = arith.cmpi {compared} : index
    %1 = arith.select %seen, %score, %hidden : f32
    linalg.yield %1 : f32
  }} -> tensor<2x8x9xf32>
  return %0 : tensor<2x8x9xf32>
}}
"""


@pytest.mark.parametrize(
    ("sum", "compared", "diagonal"),
    [
        ("", "sle, %column, %row", 0),
        ("", "sgt, %row, %column", -1),
        ("%sum = arith.addi %row, %three : index", "sge, %sum, %column", 3),
        ("%sum = arith.subi %column, %row : index", "slt, %sum, %three", 2),
        # Not a diagonal from the first query and key on.
        ("", "sge, %column, %row", None),
        ("", "sle, %column, %batch", None),
        ("", "sle, %column, %three", None),
        ("%sum = arith.addi %row, %column : index", "sle, %sum, %three", None),
        ("%sum = arith.addi %row, %row : index", "sle, %column, %sum", None),
    ],
)
def test_the_diagonal_of_a_mask_follows_from_its_indices(sum, compared, diagonal):
    module = ir.Module.parse(_MASKED.format(sum=sum, compared=compared), new_context())
    (last,) = (each for each in walk(module.operation) if each.name == GENERIC)
    assert diagonal_of(Chain(last, None, last, 0)) == diagonal


def test_weights_that_are_returned_are_computed():
    class Both(nn.Module):
        """Also returns the weights."""

        def forward(self, query, key, value):
            weights = (query @ key.transpose(-1, -2)).softmax(-1)
            return weights @ value, weights

    inputs = tuple(torch.randn(2, 64, 32) for _ in range(3))
    assert "attention" not in _kinds(Both(), inputs)
    for result, expected in zip(
        torch_refine.compile(Both(), inputs)(*inputs), Both()(*inputs), strict=True
    ):
        torch.testing.assert_close(result, expected, atol=1e-4, rtol=1e-4)
