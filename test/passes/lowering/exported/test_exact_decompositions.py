"""Decompositions of indexing operators compute what the operators compute."""

import pytest
import torch
import torch_refine
from function_module import Function
from torch.export import Dim
from torch_refine.abstract_interp_lib.families.decompositions.exact import indexed_places
from torch_refine.importer import ImportModelError
from torch_refine.passes.lowering.exported.library_functions import library_functions

aten = torch.ops.aten
_LABELS = ([1, 2, -1, -1], [1, -1, 2, 5], [-1, 3, 3, 3], [0, 1, 2, 3], [2, 2, -1, 0])


@pytest.mark.parametrize("reduction", [0, 1, 2])
@pytest.mark.parametrize("labels", [*_LABELS, [_LABELS[0], _LABELS[2], _LABELS[3]]])
def test_labels_behind_the_end_lose_nothing(labels, reduction):
    decomposition = library_functions()[aten.multilabel_margin_loss_forward.default]
    target = torch.tensor(labels)
    x = torch.rand(*target.shape[:-1], 6)[..., :4]
    target = target.clamp(max=3)
    expected = aten.multilabel_margin_loss_forward(x, target, reduction)
    torch.testing.assert_close(decomposition(x, target, reduction), expected)


def test_a_loss_with_padded_labels_is_compiled(monkeypatch):
    monkeypatch.setenv("TORCH_REFINE_CACHE", "0")
    loss = torch.nn.functional.multilabel_margin_loss
    x, target = torch.rand(2, 4), torch.tensor([[1, 2, -1, -1], [-1, 0, 0, 0]])
    compiled = torch_refine.compile(Function(loss), (x, target), opt_level=0)
    for given in (target, torch.full((2, 4), -1), torch.tensor([[0, -1, 3, 3], [3, 2, 1, 0]])):
        torch.testing.assert_close(compiled(x, given), loss(x, given))
    for label in (4, -2):
        with pytest.raises(RuntimeError):
            compiled(x, torch.tensor([[1, label, -1, -1], [-1, 0, 0, 0]]))


def test_the_operator_of_the_loss_is_compiled_like_the_loss(monkeypatch):
    monkeypatch.setenv("TORCH_REFINE_CACHE", "0")
    x, target = torch.rand(4), torch.tensor([1, 2, -1, -1])
    loss = lambda x, target: aten.multilabel_margin_loss_forward(x, target, 1)  # noqa: E731
    compiled = torch_refine.compile(Function(loss), (x, target), opt_level=0)
    for given in (target, torch.full((4,), -1), torch.tensor([3, 2, 1, 0])):
        torch.testing.assert_close(compiled(x, given), loss(x, given))
    with pytest.raises(RuntimeError):
        compiled(x, torch.tensor([1, -2, -1, -1]))


@pytest.mark.parametrize("index", [0, 4, 5, 9, -1, -5, -6])
def test_masked_indices_are_clamped(index):
    x, mask, values = torch.rand(5, 5), torch.rand(3, 4) > 0.5, torch.rand(3, 4)
    indices = [torch.full((3, 1), index), torch.tensor([[0, 1, -2, 4]])]
    for name, given in (
        ("_unsafe_masked_index", -8.0),
        ("_unsafe_masked_index_put_accumulate", values),
    ):
        function, operator = getattr(indexed_places, name), getattr(aten, name)
        torch.testing.assert_close(
            function(x, mask, list(indices), given), operator(x, mask, list(indices), given)
        )


def _put(x, i, values):
    x = x.clone()
    x[:, i] = values
    return x


def _put_masked(x, i, values):
    x = x.clone()
    x[i == 0] = values
    return x


def _gradient(grad, x, weight):
    mask = [True, True, False]
    lists = [1, 1], [0, 0], [1, 1], False, [0, 0]
    return aten.convolution_backward(grad, x, weight, None, *lists, 1, mask)[:2]


def _loss(x, target):
    return torch.nn.functional.nll_loss(x, target)


@pytest.mark.parametrize(
    ("function", "good", "bad"),
    [
        (_put, ((4, 5, 3), (2,), (4, 2, 3)), ((4, 5, 3), (2,), (4, 2, 4))),
        (_put, ((4, 5, 3), (2,), (4, 2, 3)), ((4, 5, 3), (2,), (3, 2, 3))),
        (_put, ((4, 5, 3), (2,), (4, 2, 3)), ((4, 5, 3), (3,), (4, 2, 3))),
        (_put_masked, ((4, 3), (4,), (3,)), ((4, 2), (4,), (3,))),
        (_put_masked, ((4, 3), (4,), (3,)), ((4, 3), (4,), (2,))),
        (_loss, ((4, 5, 3, 2), (4, 3, 2)), ((5, 5, 3, 2), (4, 3, 2))),
        (_loss, ((4, 5, 3, 2), (4, 3, 2)), ((4, 5, 3, 2), (4, 2, 3))),
    ],
)
def test_sizes_that_a_fake_kernel_does_not_compare_are_guarded(function, good, bad, monkeypatch):
    monkeypatch.setenv("TORCH_REFINE_CACHE", "0")

    def made(sizes):
        return [torch.zeros(s).long() if n == 1 else torch.rand(s) for n, s in enumerate(sizes)]

    shapes = tuple(dict.fromkeys(range(len(each)), torch.export.Dim.AUTO) for each in good)
    model = Function(function)
    compiled = torch_refine.compile(model, made(good), dynamic_shapes=(shapes,), opt_level=0)
    for sizes in (good, tuple(tuple(2 * size for size in each) for each in good)):
        inputs = made(sizes)
        torch.testing.assert_close(compiled(*inputs), function(*inputs))
    with pytest.raises((RuntimeError, ValueError)):
        function(*made(bad))
    with pytest.raises(torch_refine.GuardError):
        compiled(*made(bad))


def test_index_put_with_separated_indices():
    """The index dimensions come first then."""
    x, i, j = torch.rand(3, 4, 5), torch.tensor([0, 2]), torch.tensor([[1, 1], [0, 3], [3, 2]])
    for indices in ([i, None, j], [None, i, j], [i, j[:, :1], None], [None, None, j]):
        values = torch.rand(x[tuple(slice(None) if k is None else k for k in indices)].shape)
        expected = aten.index_put.default(x, indices, values)
        assert torch.equal(indexed_places.index_put(x, indices, values), expected)


def test_the_sizes_of_a_gradient_are_guarded(monkeypatch):
    monkeypatch.setenv("TORCH_REFINE_CACHE", "0")
    inputs = torch.rand(2, 3, 4, 5), torch.rand(2, 2, 6, 8), torch.rand(3, 2, 3, 4)
    shapes = ({2: torch.export.Dim.AUTO, 3: torch.export.Dim.AUTO},) * 2
    compiled = torch_refine.compile(
        Function(_gradient), inputs, dynamic_shapes=((*shapes, None),), opt_level=0
    )
    torch.testing.assert_close(compiled(*inputs), _gradient(*inputs))
    with pytest.raises(torch_refine.GuardError):
        compiled(torch.rand(2, 3, 4, 6), *inputs[1:])


def test_an_exponent_that_is_an_input(monkeypatch):
    monkeypatch.setenv("TORCH_REFINE_CACHE", "0")
    x = torch.rand(5) - 0.5
    compiled = torch_refine.compile(
        Function(torch.pow), (x, 2), dynamic_shapes=((None, torch.export.Dim.AUTO),), opt_level=0
    )
    for exponent in (0, 1, 2, 3, 11):
        torch.testing.assert_close(compiled(x, exponent), torch.pow(x, exponent))


def test_repeats_of_empty_tensors():
    """The kernel returns an empty tensor, for any declared result size."""
    repeats = torch.empty(0, dtype=torch.int64)
    for size in (0, None):
        model = Function(lambda x, size=size: aten.repeat_interleave.Tensor(x, output_size=size))
        assert torch_refine.compile(model, (repeats,))(repeats).shape == (0,)
    model = Function(lambda x: aten.repeat_interleave.Tensor(x, output_size=3))
    with pytest.raises(torch_refine.CompileError, match="size 3 against 0"):
        torch_refine.compile(model, (repeats,))


@pytest.mark.parametrize(("sizes", "repeats"), [((3,), (2, 0)), ((2, 3), (0, 2)), ((2, 0), (3, 4))])
def test_repeats_of_nothing_keep_the_other_sizes(sizes, repeats):
    numbers = torch.ones(sizes)
    found = torch_refine.compile(Function(lambda x: x.repeat(repeats)), (numbers,))(numbers)
    assert found.shape == numbers.repeat(repeats).shape


def test_class_weights_are_summed_accurately():
    """Summed sequentially, single precision loses five bits for 4,096 weights."""
    scores, target = torch.zeros(1, 3, 64, 64), torch.randint(0, 3, (1, 64, 64))
    weights = torch.tensor([0.1, 0.7, 0.9])
    model = Function(lambda *given: aten.nll_loss2d_forward(*given, 1, -100)[1])
    compiled = torch_refine.compile(model, (scores, target, weights))
    exact = weights.double()[target].sum().float()
    torch.testing.assert_close(compiled(scores, target, weights), exact, rtol=1e-7, atol=0)


@pytest.mark.parametrize("size", [0, 2])
@pytest.mark.parametrize(
    "dims",
    [
        ([1, 3], [0], [1, 2], [-1, -2]),
        ([1, 3], [1], [1, 2], [2, 3], 2),
        ([1, -1], [0], [-3, 2], [2, 3], 0),
    ],
)
def test_trilinear_dimensions(size, dims):
    """Dimensions may be negative; one that no operand has is empty."""
    given = [torch.rand(size, 3), torch.rand(size or 5, 3, 4), torch.rand(size, 4)]
    model = Function(lambda *given: aten._trilinear(*given, *dims))
    expected = model(*given)
    torch.testing.assert_close(torch_refine.compile(model, tuple(given))(*given), expected)


def test_empty_weighted_bincount_is_rejected():
    """PyTorch returns int64 then, for any dtype of the weights."""
    nothing = torch.zeros(0, dtype=torch.uint8)
    model = Function(lambda x, y: torch.bincount(x, y, 2))
    with pytest.raises(torch_refine.CompileError, match=r"aten\.bincount"):
        torch_refine.compile(model, (nothing, nothing))


@pytest.mark.parametrize("dtype", [torch.int64, torch.int16])
@pytest.mark.parametrize("bounds", [(3.5, -9), (-9.7, 4.2), (0, 7), (-3.9, -0.5)])
def test_integer_space_bounds(bounds, dtype):
    """Bounds are rounded first, except for the power if the space has one element."""
    tensors = tuple(map(torch.tensor, bounds))

    def spaces(start, end):
        return [
            *(torch.linspace(*bounds, steps, dtype=dtype) for steps in (0, 1, 2, 5)),
            *(torch.linspace(start, end, steps, dtype=dtype) for steps in (1, 6)),
            *(torch.linspace(start, bounds[1], steps, dtype=dtype) for steps in (3, 7)),
            *(torch.logspace(bounds[0], end, steps, 0.5, dtype=dtype) for steps in (1, 4)),
        ]

    model = Function(spaces)
    expected = model(*tensors)
    torch.testing.assert_close(torch_refine.compile(model, tensors)(*tensors), expected)


def test_empty_windows_are_rejected():
    """PyTorch returns a maximum index outside of the tensor."""
    model = Function(lambda x: aten.max_pool1d_with_indices(x, [2], [], [1], [3]))
    with pytest.raises(ImportModelError, match="a window without elements"):
        torch_refine.compile(model, (torch.rand(1, 1, 2),))
    x = torch.rand(1, 1, 5)
    torch.testing.assert_close(torch_refine.compile(model, (x,))(x), model(x))


def test_expanding_products_with_empty_matrices_are_rejected():
    """PyTorch's fake kernel expands; the CPU kernel resizes its result."""
    model = Function(lambda x, a, b: torch.addmv(x, a, b))
    given = torch.rand(()), torch.rand(4, 0), torch.rand(0)
    with pytest.raises(ImportModelError, match="addmv of an empty matrix"):
        torch_refine.compile(model, given)
    for rows, columns in ((4, 3), (4, 0)):
        given = torch.rand(rows), torch.rand(rows, columns), torch.rand(columns)
        torch.testing.assert_close(torch_refine.compile(model, given)(*given), model(*given))


@pytest.mark.parametrize("is_dynamic", [False, True])
@pytest.mark.parametrize("accumulate", [False, True])
def test_index_put_with_scalar_indices(accumulate, is_dynamic):
    """One, several, and one per dimension, with values that broadcast."""
    x, v, i, j = torch.rand(4, 5, 3), torch.rand(3), torch.tensor(-2), torch.tensor(1)
    model = Function(
        lambda x, v, i, j: [
            x.index_put((i,), v, accumulate),
            x.index_put((i, j), v[:1], accumulate),
            aten.index_put(x, [None, i], v, accumulate),
            x.index_put((i, j, j), v[1], accumulate),
            aten.embedding_dense_backward(v, j.abs(), 4, -1, accumulate),
        ]
    )
    given = (x, v, i, j)
    shapes = (({0: Dim.AUTO}, {}, {}, {}),) if is_dynamic else None
    compiled = torch_refine.compile(model, given, dynamic_shapes=shapes)
    torch.testing.assert_close(compiled(*given), model(*given))


@pytest.mark.parametrize("bins", [1, 4, 17])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_histograms(bins, dtype):
    """Counts of experts, in the layers of mixtures."""
    edges = torch.linspace(-1, 3, bins + 1, dtype=dtype)
    special = torch.tensor([float("nan"), float("inf"), -float("inf"), -1.5, 3.5], dtype=dtype)
    for x in (torch.cat([edges, special, torch.rand(90, dtype=dtype) * 5 - 1.5]), edges[:0]):
        model = Function(lambda x: torch.histc(x, bins, min=-1, max=3))
        compiled = torch_refine.compile(model, (x,), opt_level=1)
        torch.testing.assert_close(compiled(x), model(x), rtol=0, atol=0)


def test_indices_of_32_bits_behind_a_dimension():
    def put(x, index):
        return aten.index_put(x, [None, index], torch.ones(2, 3), True)

    x, index = torch.rand(2, 5), torch.tensor([0, -1, 3], dtype=torch.int32)
    compiled = torch_refine.compile(Function(put), (x, index), opt_level=0)
    torch.testing.assert_close(compiled(x, index), put(x, index))
    for place in (5, -6):
        with pytest.raises(RuntimeError):
            compiled(x, torch.tensor([0, place, 3], dtype=torch.int32))


def test_the_inverse_of_short_transforms_adds_its_frames():
    def invert(spectrum):
        return torch.istft(spectrum, 16, 4, window=torch.ones(16))

    spectrum = torch.stft(torch.rand(3, 40), 16, 4, window=torch.ones(16), return_complex=True)
    compiled = torch_refine.compile(Function(invert), (spectrum,), fallback="error", opt_level=0)
    torch.testing.assert_close(compiled(spectrum), invert(spectrum), rtol=1e-4, atol=1e-5)


def test_values_have_the_size_of_what_is_indexed():
    model = Function(lambda x, i, v: aten.index_put(x, [i, i], v, True))
    inputs = torch.zeros(5, 5, 3), torch.tensor([0, 1, 2]), torch.rand(3, 3)
    shapes = ((None, {0: torch.export.Dim.AUTO}, {0: torch.export.Dim.AUTO}),)
    imported = torch_refine.import_model(model, inputs, shapes)
    for compiled in (
        torch_refine.compile(model, inputs, dynamic_shapes=shapes),
        torch_refine.compile(imported),
    ):
        [found] = torch.utils._pytree.tree_leaves(compiled(*inputs))
        torch.testing.assert_close(found, model(*inputs))
        with pytest.raises((RuntimeError, torch_refine.GuardError)):
            compiled(inputs[0], torch.tensor([0, 1]), inputs[2])
