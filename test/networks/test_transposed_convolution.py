"""Transposed convolutions are as many convolutions as their stride."""

import copy

import pytest
import torch
import torch_refine
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from torch_refine.abstract_interp_lib.families.decompositions.exact.transposed_convolutions import (
    by_products,
    convolution,
)


@st.composite
def _arguments(draw):
    rank = draw(st.integers(1, 3))
    groups = draw(st.integers(1, 3))
    channels, results = groups * draw(st.integers(1, 3)), draw(st.integers(1, 2))

    def each(least, most):
        return draw(st.lists(st.integers(least, most), min_size=rank, max_size=rank))

    sizes, window, stride = each(1, 6), each(1, 5), each(1, 4)
    padding, dilation, more = each(0, 3), each(1, 3), each(0, 2)
    image = torch.randn(2, channels, *sizes, dtype=torch.float64)
    weight = torch.randn(channels, results, *window, dtype=torch.float64)
    bias = torch.randn(groups * results, dtype=torch.float64) if draw(st.booleans()) else None
    assume(max(stride) > 1)
    return image, weight, bias, stride, padding, dilation, True, more, groups


@settings(max_examples=200, deadline=None)
@given(_arguments())
def test_it_is_what_pytorch_computes(arguments):
    try:
        expected = torch.ops.aten.convolution.default(*arguments)
    except RuntimeError:
        # No result is left of the padding, or more is added than a stride or dilation.
        assume(False)
    torch.testing.assert_close(convolution(*arguments), expected)


@st.composite
def _in_groups(draw, ranks=(1, 2, 3)):
    groups, rank = draw(st.integers(2, 3)), draw(st.sampled_from(ranks))
    channels, results = groups * draw(st.integers(1, 2)), groups * draw(st.integers(1, 2))

    def each(least, most):
        return draw(st.lists(st.integers(least, most), min_size=rank, max_size=rank))

    sizes, window, stride = each(1, 6), each(1, 3), each(1, 3)
    padding, dilation = each(0, 2), each(1, 3)
    volume = torch.randn(2, channels, *sizes, dtype=torch.float64)
    weight = torch.randn(results, channels // groups, *window, dtype=torch.float64)
    bias = torch.randn(results, dtype=torch.float64) if draw(st.booleans()) else None
    return volume, weight, bias, stride, padding, dilation, False, [0] * rank, groups


@settings(max_examples=100, deadline=None)
@given(_in_groups(ranks=[3]))
def test_volumes_in_groups_are_sums_of_images(arguments):
    try:
        expected = torch.ops.aten.convolution.default(*arguments)
    except RuntimeError:
        # A window is larger than the padded volume.
        assume(False)
    torch.testing.assert_close(convolution(*arguments), expected)


@settings(max_examples=100, deadline=None)
@given(_in_groups())
def test_groups_are_products_of_matrices(arguments):
    *others, _, _, groups = arguments
    try:
        expected = torch.ops.aten.convolution.default(*arguments)
    except RuntimeError:
        # A window is larger than the padded image.
        assume(False)
    torch.testing.assert_close(by_products(*others, groups), expected)


class Modulated(torch.nn.Module):
    """A convolution whose weights differ for each image of a batch, each of which is a group."""

    def __init__(self, call, options):
        super().__init__()
        self.call, self.options = call, options

    def forward(self, images, weights):
        """`images` is (batch, channels, sizes), `weights` (batch, results, channels, window)."""
        batch, results = weights.shape[:2]
        image = images.reshape(1, -1, *images.shape[2:])
        found = self.call(image, weights.flatten(0, 1), groups=batch, **self.options)
        return found.reshape(batch, results, *found.shape[2:])


@pytest.mark.parametrize(
    ("rank", "options"),
    [
        (1, {"stride": 2, "padding": 1}),
        (2, {"padding": (2, 0), "stride": (2, 1), "dilation": (1, 2)}),
        (3, {"padding": 1}),
    ],
)
def test_as_many_groups_as_a_call_has_images(rank, options, monkeypatch):
    monkeypatch.setenv("TORCH_REFINE_CACHE", "0")
    call = (torch.conv1d, torch.conv2d, torch.conv3d)[rank - 1]
    model = Modulated(call, options)
    batch = {0: torch.export.Dim.AUTO}

    def given(size):
        return torch.randn(size, 4, *(7, 6, 5)[:rank]), torch.randn(size, 2, 4, *(3, 2, 1)[:rank])

    compiled = torch_refine.compile(model, given(3), dynamic_shapes=(batch, batch))
    for size in (3, 5):
        example = given(size)
        torch.testing.assert_close(compiled(*example), model(*example), atol=1e-5, rtol=1e-4)
    image, weight = given(4)
    for wrong in ((image[:3], weight), (image, weight[:, :, :3])):
        with pytest.raises((RuntimeError, ValueError)):
            compiled(*wrong)


@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize("groups", [2, 4])
def test_models_with_volumes_in_groups(transposed, groups, monkeypatch):
    monkeypatch.setenv("TORCH_REFINE_CACHE", "0")
    layer = torch.nn.ConvTranspose3d if transposed else torch.nn.Conv3d
    model = layer(4, 4, 3, stride=2, padding=1, groups=groups).eval()
    sizes = {dim: torch.export.Dim.AUTO for dim in (0, 2, 3, 4)}
    compiled = torch_refine.compile(model, (torch.randn(2, 4, 5, 6, 7),), dynamic_shapes=(sizes,))
    for volume in (torch.randn(2, 4, 5, 6, 7), torch.randn(3, 4, 3, 8, 4)):
        with torch.no_grad():
            torch.testing.assert_close(compiled(volume), model(volume), atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("transposed", [False, True])
def test_planes_of_volumes_are_added_without_rounding(transposed, dtype, monkeypatch):
    monkeypatch.setenv("TORCH_REFINE_CACHE", "0")
    torch.manual_seed(0)
    layer = torch.nn.ConvTranspose3d if transposed else torch.nn.Conv3d
    model = layer(6, 6, 3, groups=3).eval().to(dtype)
    volume = torch.randn(2, 6, 5, 6, 7).to(dtype)
    compiled = torch_refine.compile(model, (volume,))
    with torch.no_grad():
        exact = copy.deepcopy(model).double()(volume.double())
        ours, eager = ((each(volume).double() - exact).norm() for each in (compiled, model))
    assert ours <= 1.1 * eager


def test_others_stay_as_they_are():
    image, weight = torch.randn(1, 4, 5, 5), torch.randn(4, 4, 3, 3)
    plain = (image, weight, None, [2, 2], [0, 0], [1, 1], False, [0, 0], 1)
    with pytest.raises(AssertionError, match="concerns only some transposed"):
        convolution(*plain)
    empty = (image[:0], weight, None, [2, 2], [0, 0], [1, 1], True, [0, 0], 1)
    with pytest.raises(AssertionError, match="concerns only some transposed"):
        convolution(*empty)


class Same(torch.nn.Module):
    """A convolution whose list of dilations has one element for all dimensions."""

    def forward(self, image, weight):
        return torch.ops.aten.conv3d.padding(image, weight, None, [1, 1, 1], "same", [1])


def test_lists_of_one_element_with_windows_of_any_size():
    """The paddings are no constants, so the wheel's conversion would not write out the list."""
    given = torch.randn(2, 1, 4, 5, 6), torch.randn(1, 1, 2, 3, 2)
    sizes = {2: torch.export.Dim.AUTO, 3: torch.export.Dim.AUTO, 4: torch.export.Dim.AUTO}
    compiled = torch_refine.compile(Same(), given, dynamic_shapes=(sizes, sizes))
    for image in (given[0], torch.randn(2, 1, 5, 3, 7)):
        torch.testing.assert_close(compiled(image, given[1]), Same()(image, given[1]))
