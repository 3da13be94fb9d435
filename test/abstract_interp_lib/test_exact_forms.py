"""Operators of programs in IR, in the forms that the library's functions convert them to."""

import pytest
import torch
import torch_refine
from function_module import Function

aten = torch.ops.aten
_NAN, _INF = float("nan"), float("inf")
X = torch.tensor([[1.5, -2.0, 0.0, 7.25], [_NAN, _INF, -0.0, -3.5]])
BYTES = torch.tensor([[3, 200, 255, 0], [1, 7, 130, 9]], dtype=torch.uint8)
SCALAR = torch.tensor(-2.5)
PLACE = torch.tensor(0)

CALLS = {
    "quotients": lambda x, b, s, i: (
        torch.floor_divide(x, 0.3),
        torch.div(x, s, rounding_mode="floor"),
        torch.div(b, 7, rounding_mode="trunc"),
        torch.fmod(x, s),
        torch.remainder(x, -1.5),
        torch.rsub(x, 2.5, alpha=-2),
        torch.trunc(x),
    ),
    "unsigned integers": lambda x, b, s, i: (
        b.sum(1),
        b.max(),
        b.sum(),
        b.any(1),
        torch.sort(b, 1)[0],
        torch.topk(b, 2, 0, sorted=False)[0],
        b.abs(),
        torch.mm(b, b.t()),
        b.prod(1, dtype=torch.bool),
    ),
    "rank 0": lambda x, b, s, i: (
        s.cumsum(0),
        s.max(0)[1],
        s.amax(),
        s.sort()[1],
        torch.gather(s, 0, i),
        torch.gather(x[0, :1], -1, i),
        torch.scatter(s, 0, i, s),
        torch.index_select(s, 0, i.reshape(1)),
        s.var(correction=0),
        s.all(0),
    ),
    "statistics": lambda x, b, s, i: (
        x[0].var(correction=-1),
        x[0].var(correction=7),
        x[:, :0].var(1),
        x[0].half().std(),
        torch.var_mean(x[0].double(), [0], correction=0.5, keepdim=True)[0],
        torch.histc(x[0], 4, -2.0, 2.0),
        x.all(1),
        torch.any(x, []),
    ),
    "new tensors": lambda x, b, s, i: (
        torch.arange(7.5, 1.0, -1.6, dtype=torch.int32),
        torch.arange(2, 9, dtype=torch.uint8),
        # Bounds that are no numbers of the dtype.
        torch.arange(3, 3 + 2**32, 2**30, dtype=torch.int32),
        torch.arange(5, 5 + 2**16, 2**15, dtype=torch.int16),
        torch.arange(0, 256, 64, dtype=torch.int8),
        torch.eye(3, 4) * s,
        x.repeat(2, 0),
        torch.where(x.isnan(), s, s),
    ),
    "indices": lambda x, b, s, i: (
        aten.index_put(x, [i - 1, i + 2], s),
        aten.index_put(b, [None, torch.tensor([-1, 0])], b[0, 0]),
        aten._unsafe_index(x, [None, torch.tensor([-1, 0, 3])]),
        aten._unsafe_masked_index(x, x[:, :1] > 0, [torch.tensor([[1], [-9]])], 5.0),
        torch.nn.functional.one_hot(torch.tensor([3, 0]) + i, 4),
        torch.cummax(x, 1)[1],
        torch.cummin(b, 0)[0],
        aten._trilinear(x, x, x, [], [], [], [1]),
    ),
    "windows": lambda x, b, s, i: (
        aten.max_pool2d_with_indices(x.unsqueeze(0), [2], [1])[1],
        aten.avg_pool2d(x.unsqueeze(0), [3, 2], [2, 1], [0], True),
        aten.max_pool2d(b.unsqueeze(0), [2]),
    ),
    "transposed convolutions": lambda x, b, s, i: (
        torch.conv_transpose1d(x[:1], s.reshape(1, 1, 1).expand(1, 2, 3), None, 2, 1, 1),
        torch.conv_transpose2d(
            x[0].reshape(1, 4, 1, 1), torch.ones(4, 2, 3, 2), None, (2, 3), groups=2, dilation=2
        ),
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_programs_in_ir_compute_what_eager_mode_does(name):
    given = (X, BYTES, SCALAR, PLACE)
    module = torch_refine.import_model(Function(CALLS[name]), given)
    found = torch_refine.compile(module)(*given)
    for one, other in zip(found, CALLS[name](*given), strict=True):
        torch.testing.assert_close(one, other, equal_nan=True)


def test_programs_in_ir_draw_random_numbers():
    def draw(x):
        like = torch.empty_like(x)
        return (
            aten.cauchy(like, 1.0, 2.0),
            aten.geometric(like, 0.25),
            aten.exponential(like, 2.0),
            aten.bernoulli.p(like, 0.25),
            aten.multinomial(x[:4].abs() + 1, 2),
            aten.randperm(50),
        )

    x = torch.ones(4000)
    found = torch_refine.compile(torch_refine.import_model(Function(draw), (x,)))(x)
    assert abs(found[0].median() - 1) < 0.3
    assert found[1].min() == 1 and abs(found[1].mean() - 4) < 0.4
    assert found[2].min() > 0 and abs(found[2].mean() - 0.5) < 0.1
    assert abs(found[3].mean() - 0.25) < 0.05
    assert found[4].dtype == torch.int64 and found[4][0] != found[4][1]
    assert found[5].sort().values.tolist() == list(range(50))


def test_weights_of_transposed_convolutions_are_checked():
    convolve = Function(lambda x, w: torch.conv_transpose1d(x, w, None, 2))
    given = (torch.ones(1, 1, 3), torch.tensor([[[1.0, 2.0, 3.0]]]))
    compiled = torch_refine.compile(torch_refine.import_model(convolve, given))
    torch.testing.assert_close(compiled(*given), convolve(*given))
    with pytest.raises(RuntimeError, match="weights of a transposed convolution are not finite"):
        compiled(given[0], given[1] / 0)


def test_probabilities_are_checked():
    lost = Function(lambda x, y: torch.nn.functional.binary_cross_entropy(x, y))
    given = (torch.tensor([0.0, 0.25, 1.0]), torch.tensor([0.5, 1.0, 1.0]))
    compiled = torch_refine.compile(torch_refine.import_model(lost, given))
    torch.testing.assert_close(compiled(*given), lost(*given))
    with pytest.raises(RuntimeError, match="elements of input should be between 0 and 1"):
        compiled(given[0] + 1, given[1])
