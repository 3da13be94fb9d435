"""Random tensors follow PyTorch's distributions and are reproducible by seed."""

import math

import numpy as np
import pytest
import torch
import torch_refine
from function_module import Function
from torch import nn
from torch.export import Dim
from torch_refine.dialect.bindings import ir, new_context
from torch_refine.runtime.compiling.compiler import CompileError

COUNT = 20_000
# The difference of two empirical distributions exceeds it once in 10,000 tests.
MOST_APART = math.sqrt(-math.log(1e-4 / 2) / COUNT)


def philox(seed, stream, index):
    """Philox 4x32 with ten rounds, as in its paper."""
    mask = np.uint64(0xFFFFFFFF)
    index = np.asarray(index, np.uint64)
    words = [index & mask, index >> np.uint64(32), np.full_like(index, stream), index * 0]
    return _rounds(words, [seed & 0xFFFFFFFF, seed >> 32])


def _rounds(words, key):
    mask, half = np.uint64(0xFFFFFFFF), np.uint64(32)
    for _ in range(10):
        product0 = words[0] * np.uint64(0xD2511F53)
        product1 = words[2] * np.uint64(0xCD9E8D57)
        words = [
            (product1 >> half) ^ words[1] ^ np.uint64(key[0]),
            product1 & mask,
            (product0 >> half) ^ words[3] ^ np.uint64(key[1]),
            product0 & mask,
        ]
        key = [(key[0] + 0x9E3779B9) & 0xFFFFFFFF, (key[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return words


def compiled(function, *inputs, **options):
    return torch_refine.compile(Function(function), inputs, **options)


def seed_after(seed):
    """The seed of a program after `torch.manual_seed`."""
    torch.manual_seed(seed)
    drawn = int(torch.empty((), dtype=torch.int64).random_())
    torch.manual_seed(seed)
    return drawn


@pytest.mark.parametrize(
    ("counter", "key", "expected"),
    [
        ([0] * 4, [0] * 2, "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
        ([0xFFFFFFFF] * 4, [0xFFFFFFFF] * 2, "408f276d 41c83b0e a20bc7c6 6d5451fd"),
        (
            [0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344],
            [0xA4093822, 0x299F31D0],
            "d16cfe09 94fdcceb 5001e420 24126ea1",
        ),
    ],
)
def test_the_reference_gives_the_known_answers(counter, key, expected):
    found = _rounds([np.array([word], np.uint64) for word in counter], key)
    assert " ".join(f"{int(word[0]):08x}" for word in found) == expected


@pytest.mark.parametrize("options", [{}, {"opt_level": 0}, {"threads": 2}])
def test_numbers_are_those_of_philox(options):
    run = compiled(lambda x: (x + torch.rand(37, 5), torch.rand(185)), torch.zeros(1), **options)
    seed = seed_after(7)
    for found, stream in zip(run(torch.zeros(1)), (0, 1), strict=True):
        word = philox(seed, stream, np.arange(185))[0]
        expected = (word >> np.uint64(8)).astype(np.float32) * np.float32(2**-24)
        assert np.array_equal(found.numpy().ravel(), expected)


def test_box_muller():
    """Box-Muller: the length from one word, the angle from the other."""
    run = compiled(lambda x: torch.randn_like(x), torch.zeros(COUNT))
    seed = seed_after(9)
    words = philox(seed, 0, np.arange(COUNT))
    length, turn = ((each >> np.uint64(8)).astype(np.float64) / 2**24 for each in words[:2])
    expected = np.sqrt(-2 * np.log1p(-length)) * np.cos(2 * np.pi * turn)
    assert np.abs(run(torch.zeros(COUNT)).numpy() - expected).max() < 1e-6


def test_whole_numbers_take_64_bits():
    low, high = -(2**61) - 5, 2**62 + 12345
    run = compiled(lambda x: x + torch.randint(low, high, (100,)), torch.zeros(1, dtype=torch.long))
    seed = seed_after(3)
    found = run(torch.zeros(1, dtype=torch.long))
    words = philox(seed, 0, np.arange(100))
    drawn = [(int(a) << 32) + int(b) for a, b in zip(words[0], words[1], strict=True)]
    assert found.tolist() == [low + (each * (high - low) >> 64) for each in drawn]


def test_a_seed_gives_the_same_and_calls_differ():
    run = compiled(lambda x: (torch.rand_like(x), torch.rand_like(x)), torch.zeros(50))
    other = compiled(lambda x: torch.rand_like(x), torch.zeros(50))
    x = torch.zeros(50)
    torch.manual_seed(1)
    first, second, third = run(x), run(x), other(x)
    torch.manual_seed(1)
    again = run(x)
    assert torch.equal(first[0], again[0]) and torch.equal(first[1], again[1])
    drawn = [*first, *second, third]
    assert all(not torch.equal(one, two) for i, one in enumerate(drawn) for two in drawn[i + 1 :])


def test_numpy_has_a_generator_of_its_own():
    text = """
        func.func @main(%arg0: !torch.vtensor<[?],f32>) -> !torch.vtensor {
          %zero = torch.constant.float 0.0
          %one = torch.constant.float 1.0
          %none = torch.constant.none
          %0 = torch.aten.uniform %arg0, %zero, %one, %none
            : !torch.vtensor<[?],f32>, !torch.float, !torch.float, !torch.none -> !torch.vtensor
          return %0 : !torch.vtensor
        }"""
    run = torch_refine.compile(ir.Module.parse(text, new_context()))
    x = np.zeros(9, np.float32)
    np.random.seed(5)
    first, second = run(x), run(x)
    np.random.seed(5)
    assert np.array_equal(first, run(x)) and not np.array_equal(first, second)
    with pytest.raises(TypeError, match="expected 1 inputs, got 2"):
        run(x, 3)


def _like(method, *arguments, dtype=torch.float32):
    return lambda x: getattr(torch.empty_like(x, dtype=dtype), method)(*arguments)


DRAWN = {
    "rand": torch.rand_like,
    "rand, f64": lambda x: torch.rand_like(x, dtype=torch.float64),
    "randn": torch.randn_like,
    "randn, f64": lambda x: torch.randn_like(x, dtype=torch.float64),
    "randn, f16": lambda x: torch.randn_like(x, dtype=torch.float16),
    "randn, bf16": lambda x: torch.randn_like(x, dtype=torch.bfloat16),
    "randint": lambda x: torch.randint(-3, 8, x.shape),
    "randint, u8": lambda x: torch.randint(3, 256, x.shape, dtype=torch.uint8),
    "randint, f32": lambda x: torch.randint(3, 9, x.shape, dtype=torch.float32),
    "randint_like": lambda x: torch.randint_like(x, 5),
    "random": _like("random_", 9, dtype=torch.int32),
    "uniform": _like("uniform_", -2, 3),
    "normal": _like("normal_", 4, 0.5),
    "normal of tensors": lambda x: torch.normal(x + 1, x + 2),
    "bernoulli": lambda x: torch.bernoulli(x + 0.3),
    "bernoulli of a number": _like("bernoulli_", 0.7, dtype=torch.int64),
    "exponential": _like("exponential_", 3),
    "geometric": _like("geometric_", 0.2),
    "cauchy": _like("cauchy_", 1, 2),
    "log normal": _like("log_normal_", 0.5, 0.25),
    "dropout": lambda x: nn.functional.dropout(x + 1, 0.3, True),
    "rrelu": lambda x: nn.functional.rrelu(x - 1, training=True),
    "multinomial": lambda x: torch.multinomial(
        (x.view(-1, 2)[:, :1] + torch.tensor([[0.1, 0.0, 0.3, 0.6]])), 2
    ),
    "multinomial, with replacement": lambda x: torch.multinomial(
        torch.tensor([[0.1, 0.0, 0.3, 0.6]]) + x.view(-1, 2)[:, :1], 2, True
    ),
}


@pytest.fixture(scope="module")
def drawn():
    """The samples of one program from all distributions, by name."""
    x = torch.zeros(COUNT)
    torch.manual_seed(0)
    found = compiled(lambda x: tuple(draw(x) for draw in DRAWN.values()), x)(x)
    return dict(zip(DRAWN, found, strict=True))


@pytest.mark.parametrize("name", DRAWN)
def test_distributions_are_those_of_pytorch(drawn, name):
    torch.manual_seed(0)
    expected = DRAWN[name](torch.zeros(COUNT))
    found = drawn[name]
    assert found.dtype == expected.dtype and found.shape == expected.shape
    ours, theirs = (each.double().ravel().sort().values for each in (found, expected))
    places = torch.cat([ours, theirs])
    below = [torch.searchsorted(each, places, right=True) / COUNT for each in (ours, theirs)]
    assert (below[0] - below[1]).abs().max() < MOST_APART
    if name.startswith("multinomial"):
        assert not (found == 1).any()
    if name == "multinomial":
        assert (found[:, 0] != found[:, 1]).all()


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_short_numbers_between_0_and_1_are_never_1(dtype):
    x = torch.zeros(100_000, dtype=dtype)
    found = compiled(torch.rand_like, x)(x)
    assert found.max() < 1 and found.min() == 0
    assert abs(found.float().mean() - 0.5) < 0.01


def test_normal_sample_of_uniform_zero_is_finite():
    """The logarithm of 0 would occur once in 2^24 samples."""
    x = torch.zeros(2**25)
    found = compiled(torch.randn_like, x)(x)
    assert torch.isfinite(found).all() and 5 < found.abs().max() < 6


def test_numbers_are_permuted():
    found = compiled(lambda x: x + torch.randperm(1000), torch.zeros(1, dtype=torch.long))(
        torch.zeros(1, dtype=torch.long)
    )
    assert found.sort().values.tolist() == list(range(1000))
    assert found.tolist() != list(range(1000))


def test_sizes_may_change():
    run = torch_refine.compile(
        Function(lambda x: (torch.rand_like(x), torch.randn(x.shape[0], 3))),
        (torch.zeros(4, 6),),
        dynamic_shapes=(({0: Dim("n", max=4096), 1: Dim("m")},),),
    )
    seed = seed_after(2)
    found, normal = run(torch.zeros(70, 9))
    word = philox(seed, 0, np.arange(630))[0]
    expected = (word >> np.uint64(8)).astype(np.float32) * np.float32(2**-24)
    assert np.array_equal(found.numpy().ravel(), expected)
    assert normal.shape == (70, 3) and normal.unique().numel() > 200


def test_a_seed_follows_state():
    """Weights precede the inputs, and hoisted expressions follow the seed."""
    model = nn.Sequential(nn.Linear(64, 64), nn.Dropout(0.5), nn.Linear(64, 8)).train()
    x = torch.randn(16, 64)
    run = torch_refine.compile(model, (x,))
    torch.manual_seed(1)
    first = run(x)
    torch.manual_seed(1)
    assert torch.equal(first, run(x)) and not torch.equal(first, run(x))
    mean = torch.stack([run(x) for _ in range(1000)]).mean(0)
    torch.testing.assert_close(mean, model.eval()(x), atol=0.05, rtol=0)


def test_graphs_of_dynamo_draw():
    def double(x):
        return nn.functional.dropout(x, 0.5, True) * 2

    run = torch.compile(double, backend="torch_refine")
    x = torch.ones(1000)
    torch.manual_seed(1)
    first = run(x)
    torch.manual_seed(1)
    assert torch.equal(first, run(x)) and set(first.tolist()) == {0.0, 4.0}


RANGE = """
func.func @main(%arg0: !torch.int) -> !torch.vtensor<[4],si64> {
  %three = torch.constant.int 3
  %four = torch.constant.int 4
  %none = torch.constant.none
  %sizes = torch.prim.ListConstruct %four : (!torch.int) -> !torch.list<int>
  %0 = torch.aten.randint.low %three, %arg0, %sizes, %four, %none, %none, %none : !torch.int, \
!torch.int, !torch.list<int>, !torch.int, !torch.none, !torch.none, !torch.none -> \
!torch.vtensor<[4],si64> loc("model.py":7:2)
  return %0 : !torch.vtensor<[4],si64>
}
"""


def test_an_empty_range_is_an_error():
    run = torch_refine.compile(ir.Module.parse(RANGE, new_context()))
    assert run(4).tolist() == [3] * 4
    with pytest.raises(RuntimeError, match=r"empty range \(at model.py:7\)"):
        run(3)


LOOP = """
func.func @main(%arg0: !torch.vtensor<[4],f32>, %arg1: !torch.int) -> !torch.vtensor<[4],f32> {
  %true = torch.constant.bool true
  %zero = torch.constant.float 0.0
  %one = torch.constant.float 1.0
  %none = torch.constant.none
  %0 = torch.prim.Loop %arg1, %true, init(%arg0) {
  ^bb0(%i: !torch.int, %x: !torch.vtensor<[4],f32>):
    %1 = torch.aten.uniform %x, %zero, %one, %none : !torch.vtensor<[4],f32>, !torch.float, \
!torch.float, !torch.none -> !torch.vtensor<[4],f32> loc("model.py":12:3)
    torch.prim.Loop.condition %true, iter(%1 : !torch.vtensor<[4],f32>)
  } : (!torch.int, !torch.bool, !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32>
  return %0 : !torch.vtensor<[4],f32>
}
"""


def test_loops_are_refused():
    with pytest.raises(CompileError, match=r"model.py:12:3: error: torch.aten.uniform .* loop"):
        torch_refine.compile(ir.Module.parse(LOOP, new_context()))


NAN, INF = float("nan"), float("inf")
PROBABILITIES = ([2.0, 0, 0], [-0.1, 1, 1], [NAN, 0, 0])
# By operator: values that its kernel rejects.
REJECTED = {
    "bernoulli": (torch.bernoulli, PROBABILITIES),
    "bernoulli_": (lambda p: torch.zeros(2, 3).bernoulli_(p), PROBABILITIES),
    "multinomial": (
        lambda p: torch.multinomial(p, 2),
        ([0.0, 0, 0], [-1, 1, 1], [NAN, 1, 1], [INF, 1, 1]),
    ),
    "with replacement": (
        lambda p: torch.multinomial(p, 4, replacement=True),
        ([0.0, 0, 0], [-1, 1, 1], [NAN, 1, 1], [INF, 1, 1]),
    ),
    "normal, float": (lambda std: torch.normal(0.0, std), ([-1.0, 0, 0], [NAN, 0, 0])),
    "normal": (lambda std: torch.normal(std, std), ([-1.0, 0, 0], [NAN, 0, 0])),
}


@pytest.mark.parametrize("is_dynamic", [False, True])
@pytest.mark.parametrize("name", REJECTED)
def test_values_that_the_kernels_reject(name, is_dynamic):
    function, rejected = REJECTED[name]
    shapes = (({0: Dim("rows")},),) if is_dynamic else None
    program = compiled(function, torch.rand(2, 3), dynamic_shapes=shapes)
    for row in ([0.0, 0.5, 1.0], [1.0, 1.0, 0.0]):
        assert program(torch.tensor([row, row])).shape[0] == 2
    for row in rejected:
        values = torch.tensor([[0.5, 0.5, 0.5], row])
        with pytest.raises(RuntimeError):
            function(values)
        with pytest.raises(RuntimeError, match=r"negative|zero|between 0 and 1"):
            program(values)
