"""Padding, transposed convolutions and adaptive pooling, for many parameters."""

import ctypes
import itertools
import sys
from random import Random

import pytest
import torch
import torch_refine
from function_module import Function
from torch.export import Dim
from torch.nn import functional
from torch_refine.dialect.bindings import ir, new_context
from torch_refine.pipelines.parsing import parse_flag
from torch_refine.pipelines.runner import Runner

aten = torch.ops.aten
# Programs of many calls compile about as fast as those of a few.
_CALLS = 24


def _compare(calls, inputs):
    """Compile calls of the same inputs, and compare each with eager mode."""
    for part in _parts(calls):
        model = Function(lambda *given, part=part: [call(*given) for call in part])
        expected = model(*inputs)
        torch.testing.assert_close(torch_refine.compile(model, inputs)(*inputs), expected)


def _parts(calls):
    return [calls[start : start + _CALLS] for start in range(0, len(calls), _CALLS)]


def test_padding_that_shifts():
    """Padding that keeps the size shifts, as in the time mixing of RWKV."""
    pairs = itertools.product(range(-2, 3), repeat=2)
    amounts = [[a, b] for a, b in pairs if min(a, 0) + min(b, 0) >= -4]
    amounts += [[0, 0, -1, 1], [1, -1, -2, 2], [-4, 4], [2, -2, 0, 0]]
    calls = [lambda x, each=each: functional.pad(x, each) for each in amounts]
    _compare(calls, (torch.randn(3, 4),))


@pytest.mark.parametrize("length", [2, 4, 6])
def test_the_sign_of_a_padding_may_be_a_matter_of_sizes(length):
    model = Function(lambda x, y: functional.pad(x, [y.shape[0] - 3, 3 - y.shape[0]]))
    x = torch.randn(2, 8)
    compiled = torch_refine.compile(
        model, (x, torch.zeros(length)), dynamic_shapes=(({}, {0: Dim.AUTO}),)
    )
    y = torch.zeros(length)
    torch.testing.assert_close(compiled(x, y), model(x, y))


def _settings():
    """Kernel size, stride, padding, dilation, output padding and groups that PyTorch accepts."""
    ranges = (range(1, 6), range(1, 6), range(6), range(1, 6), range(5), (1, 2))
    for kernel, stride, padding, dilation, more, groups in itertools.product(*ranges):
        results = (4 - 1) * stride - 2 * padding + dilation * (kernel - 1) + more + 1
        if more < max(stride, dilation) and results > 0:
            yield kernel, stride, padding, dilation, more, groups


def test_transposed_convolutions():
    found = Random(0).sample(list(_settings()), _CALLS - 3)
    found += [(4, 3, 2, 1, 1, 1), (2, 3, 1, 2, 0, 1), (2, 3, 1, 2, 0, 2)]
    calls = []
    torch.manual_seed(0)
    for kernel, stride, padding, dilation, more, groups in found:
        weight = torch.randn(4, 2, kernel)
        parameters = (stride, padding, more, groups, dilation)
        calls.append(
            lambda x, w=weight, rest=parameters: functional.conv_transpose1d(x, w, None, *rest)
        )
    _compare(calls, (torch.randn(2, 4, 4),))


@pytest.mark.parametrize("rank", [1, 2, 3])
def test_adaptive_pooling_to_sizes_that_do_not_divide(rank):
    sizes = [(3, 4, 5), (7, 4, 9), (1, 1, 1), (5, 13, 1)]
    pools = [
        getattr(functional, f"adaptive_max_pool{rank}d_with_indices"),
        getattr(functional, f"adaptive_avg_pool{rank}d"),
    ]
    calls = [
        lambda x, pool=pool, size=size: pool(x, size[:rank]) for pool in pools for size in sizes
    ]
    lead = [2, 3] if rank == 2 else [3]
    _compare(calls, (torch.randn(*lead, *(5, 6, 7)[:rank]),))


@pytest.mark.parametrize("sizes", [(3, 4, 7), (4, 7)])
def test_adaptive_pooling_to_one_of_a_dynamic_batch(sizes):
    """PyTorch decomposes it to a copy with other strides, of a size that must be static."""

    def pooled(x):
        return functional.adaptive_avg_pool1d(x, 1), functional.adaptive_avg_pool1d(x * 2, 1) + 1

    shapes = (({0: Dim("rows", min=2, max=8)},),)
    compiled = torch_refine.compile(Function(pooled), torch.rand(sizes), dynamic_shapes=shapes)
    for rows in (2, 5):
        inputs = torch.rand(rows, *sizes[1:])
        torch.testing.assert_close(compiled(inputs), pooled(inputs))


def test_an_operand_of_unknown_sizes_and_strides_is_not_taken_for_contiguous():
    model = Function(lambda x: functional.avg_pool1d(x, 2))
    x = torch.randn(3, 7, 4, dtype=torch.float16)[:, 3:]
    shapes = (({0: Dim.AUTO, 1: Dim.AUTO, 2: Dim.AUTO},),)
    compiled = torch_refine.compile(model, (x,), dynamic_shapes=shapes)
    torch.testing.assert_close(compiled(x), model(x))


@pytest.mark.parametrize("rank", [2, 3])
def test_average_pooling_without_a_batch_and_with_one_number_for_all(rank):
    pool = getattr(torch.ops.aten, f"avg_pool{rank}d").default
    given = [([2],), ([2] * rank, [], [1], True, False), ([3], [2], [1] * rank, True, True, 5)]
    calls = [lambda x, each=each: pool(x, *each) for each in given]
    _compare(calls, (torch.randn(3, *(4, 5, 6)[:rank]),))
    _compare(calls, (torch.randn(2, 3, *(4, 5, 6)[:rank]),))


_NAN, _INF = float("nan"), float("inf")


@pytest.mark.parametrize("dynamic", [False, True])
def test_indices_of_window_maxima(dynamic):
    """The last NaN, or the first of equal maxima; never an element of the padding."""
    torch.manual_seed(0)
    values = [-_INF, -_INF, -_INF, _NAN, 1.0]
    x = torch.tensor(values)[torch.randint(0, len(values), (2, 2, 4, 5, 7))]
    aten = torch.ops.aten
    two, three = ([3, 2], [2, 1], [1, 1], [1, 2]), ([3, 2, 2], [2, 1, 2], [1, 1, 0])
    calls = [
        lambda x: aten.adaptive_max_pool3d(x, [3, 2, 4]),
        lambda x: aten.adaptive_max_pool3d(x, [2, 5, 1]),
        lambda x: aten.adaptive_max_pool2d(x[0], [3, 4]),
        lambda x: aten.adaptive_max_pool2d(x[:, 0], [5, 1]),
        lambda x: aten.adaptive_max_pool2d(x[0].double(), [3, 3]),
        lambda x: functional.adaptive_max_pool1d_with_indices(x[0, 0], 3),
        lambda x: functional.max_pool1d_with_indices(x[0, 0], 3, 2, 1),
        lambda x: aten.max_pool2d_with_indices(x[0], *two),
        lambda x: aten.max_pool2d_with_indices(x[0], *two, True),
        lambda x: aten.max_pool3d_with_indices(x, *three),
    ]
    model = Function(lambda x: [each for call in calls for each in call(x)])
    shapes = (({dim: Dim.AUTO for dim in range(5)},),) if dynamic else None
    compiled = torch_refine.compile(model, (x,), dynamic_shapes=shapes)
    for found, expected in zip(compiled(x), model(x), strict=True):
        torch.testing.assert_close(found, expected, equal_nan=True)


_ADAPTIVE = """
func.func @f(%arg0: !torch.vtensor<[2,3,5,7,4],f32>) -> !torch.vtensor<[2,3,3,2,3],f32> {
  %int2 = torch.constant.int 2
  %int3 = torch.constant.int 3
  %0 = torch.prim.ListConstruct %int3, %int2, %int3
      : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %1:2 = torch.aten.adaptive_max_pool3d %arg0, %0
      : !torch.vtensor<[2,3,5,7,4],f32>, !torch.list<int>
      -> !torch.vtensor<[2,3,3,2,3],f32>, !torch.vtensor<[2,3,3,2,3],si64>
  return %1#0 : !torch.vtensor<[2,3,3,2,3],f32>
}
"""
_PERTURB = -6


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="mallopt is of glibc")
def test_an_adaptive_maximum_starts_at_infinity_whatever_memory_held():
    """The wheel reads a flag that it does not initialise; freed memory is filled with 0, or not."""
    mallopt = ctypes.CDLL(None).mallopt
    try:
        for filler in [0x100, 0x01] * 3:
            mallopt(_PERTURB, filler)
            context = new_context()
            module = ir.Module.parse(_ADAPTIVE, context)
            pipeline = parse_flag("torch-to-linalg-pipeline", "", context)
            Runner().run(pipeline, module.operation)
            text = str(module)
            assert "0xFF800000" in text
            assert "E+38" not in text
    finally:
        mallopt(_PERTURB, 0)


def test_the_gradient_of_the_windows_of_a_number():
    def gradients(none, one, number):
        backward = torch.ops.aten.unfold_backward.default
        return [
            backward(none, [], 0, 0, 1),
            backward(one, [], -1, 1, 2),
            backward(number, [], 0, 1, 1),
        ]

    inputs = (torch.rand(0), torch.rand(1), torch.rand(()))
    model = Function(gradients)
    for found, expected in zip(
        torch_refine.compile(model, inputs)(*inputs), model(*inputs), strict=True
    ):
        torch.testing.assert_close(found, expected)


def test_single_values_for_all_dimensions():
    """The wheel's conversions read one value per dimension, even if fewer are given."""
    image, weight = torch.randn(1, 2, 5, 6), torch.randn(2, 2, 2, 2)
    lists = itertools.product([[2], [2, 1]], [[1], [1, 0]], [[0], [0, 0]], [[2], [1, 2]])
    calls = [
        lambda x, w, each=each: aten.conv_transpose2d.input(x, w, None, *each[:3], 1, each[3])
        for each in lists
    ]
    calls += [
        lambda x, w: aten.avg_pool2d(x, [2, 2], [], [0], False, True, 3),
        lambda x, w: aten.avg_pool2d(x, [2], [2, 1], [1], True),
        lambda x, w: aten.avg_pool2d(x, [2, 2], [2, 2], [0]),
        lambda x, w: aten.max_pool2d_with_indices(x, [2], [1], [1], [2])[1],
        lambda x, w: aten.max_pool2d(x, [2, 2], [], [1], [1], True),
    ]
    _compare(calls, (image, weight))


@pytest.mark.parametrize("stride", [1, 2])
def test_transposed_convolution_weights_are_finite(stride):
    """PyTorch's kernel does not multiply them with the zeros around the input."""
    model = torch.nn.ConvTranspose2d(2, 3, 3, stride, output_padding=stride - 1).eval()
    x = torch.randn(1, 2, 4, 5)
    compiled = torch_refine.compile(model, (x,))
    torch.testing.assert_close(compiled(x), model(x))
    with torch.no_grad():
        model.weight[0, 0, 0, 0] = torch.nan
    with pytest.raises(RuntimeError, match="weights of a transposed convolution are not finite"):
        compiled(x)


@pytest.mark.parametrize("level", [0, 1, 3])
@pytest.mark.parametrize("groups", [1, 3])
def test_equal_input_and_weight(level, groups):
    """All sizes are equal, so that a wrong order of dimensions also matches."""
    model = Function(
        lambda x: functional.conv2d(x * 2, (x * 2)[:, : 3 // groups], padding=1, groups=groups)
    )
    x = torch.randn(3, 3, 3, 3)
    torch.testing.assert_close(torch_refine.compile(model, (x,), opt_level=level)(x), model(x))


@pytest.mark.parametrize("rank", [1, 2, 3])
@pytest.mark.parametrize("is_last", [False, True])
def test_the_mean_of_a_batch_of_any_size(rank, is_last):
    """PyTorch's decomposition restrides results of tensors whose channels are innermost."""
    order = [0, rank + 1, *range(1, rank + 1)] if is_last else list(range(rank + 2))

    class Permuted(torch.nn.Module):
        def forward(self, x):
            return POOLS[rank](x.permute(order) * 2)

    sizes = [3, *[4] * rank, 5] if is_last else [3, 5, *[4] * rank]
    example = torch.randn(sizes)
    compiled = torch_refine.compile(Permuted(), (example,), "cpu", ({0: Dim("batch")},))
    for x in (example, torch.randn(7, *sizes[1:])):
        torch.testing.assert_close(compiled(x), Permuted()(x))


POOLS = {
    1: lambda x: functional.adaptive_avg_pool1d(x, 1),
    2: lambda x: functional.adaptive_avg_pool2d(x, 1),
    3: lambda x: functional.adaptive_avg_pool3d(x, 1),
}


@pytest.mark.parametrize("padding", [0, 2])
def test_windows_larger_than_the_input(padding):
    """The one window ends with the padding: it is not as large as it is stated."""
    calls = [
        lambda x, size=size, count=count: functional.avg_pool2d(
            x, size, padding=padding, ceil_mode=True, count_include_pad=count
        )
        for size in (2000, (2000, 4), (7, 2000))
        for count in (False, True)
    ]
    calls += [
        lambda x, size=size: functional.max_pool2d(
            x, size, padding=padding, ceil_mode=True, return_indices=True
        )
        for size in (2000, (7, 2000))
    ]
    _compare(calls, (torch.randn(2, 3, 4, 5),))


_OTHER_SIZES = {
    "indices of maxima": (
        lambda *given: aten.adaptive_max_pool2d_backward(*given),
        (torch.ones(4, 2, 3), torch.ones(4, 2, 4), torch.zeros(4, 2, 3, dtype=torch.int64)),
        (torch.ones(4, 2, 4), torch.ones(4, 2, 4), torch.zeros(4, 2, 3, dtype=torch.int64)),
    ),
    "channels of a reflection": (
        lambda *given: aten.reflection_pad2d_backward(*given, [1, 1, 1, 1]),
        (torch.ones(2, 3, 5, 5), torch.ones(2, 3, 3, 3)),
        (torch.ones(2, 2, 5, 5), torch.ones(2, 3, 3, 3)),
    ),
    "border of a replication": (
        lambda *given: aten.replication_pad2d_backward(*given, [1, 1, 1, 1]),
        (torch.ones(2, 3, 5, 5), torch.ones(2, 3, 3, 3)),
        (torch.ones(2, 3, 6, 5), torch.ones(2, 3, 3, 3)),
    ),
}


@pytest.mark.parametrize(("call", "inputs", "others"), _OTHER_SIZES.values(), ids=_OTHER_SIZES)
def test_gradients_of_other_sizes_raise(call, inputs, others):
    """PyTorch's kernels raise, or read as many elements as another operand has."""
    shapes = (tuple({dim: Dim.AUTO for dim in range(x.dim())} for x in inputs),)
    compiled = torch_refine.compile(Function(call), inputs, dynamic_shapes=shapes)
    torch.testing.assert_close(compiled(*inputs), call(*inputs))
    with pytest.raises((RuntimeError, ValueError)):
        compiled(*others)
