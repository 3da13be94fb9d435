"""The numerics sweep: what it recorded still holds, and it sees what is wrong."""

import os
import signal
import time
from functools import partial

import pytest
import torch
import torch_refine
from sampled_operators import sampled_operators
from torch_refine.build_tools.numerics import judging
from torch_refine.build_tools.numerics.calls import ValueCall, overload_of, own_copy
from torch_refine.build_tools.numerics.choosing import choose, incomparable
from torch_refine.build_tools.numerics.eager_mode import with_other_strides
from torch_refine.build_tools.numerics.judging import Outcome, judge
from torch_refine.build_tools.numerics.recording import calls_of
from torch_refine.build_tools.numerics.report import FAULTS, manifest, reason_of
from torch_refine.build_tools.numerics.store import Result
from torch_refine.build_tools.numerics.varying import (
    has_same_numbers,
    is_accepted,
    larger,
    other_numbers,
)
from torch_refine.build_tools.numerics.ways import LARGER, Way
from torch_refine.build_tools.numerics.workers import Died, Workers, note
from torch_refine.operator_coverage import lowered

_SAMPLED = 10
_AS_RECORDED = Way()


@pytest.fixture(autouse=True)
def no_cache(monkeypatch):
    monkeypatch.setenv("TORCH_REFINE_CACHE", "0")


def _judged(calls, tmp_path, way=_AS_RECORDED):
    """Judged in a process of its own, as the compiler may abort, and is patched there."""
    return [result for _, result in Workers(partial(judge, way=way), 1, 60.0, tmp_path).run(calls)]


@pytest.mark.parametrize("operator", sampled_operators(20261121, _SAMPLED))
def test_what_was_recorded_as_lowered_is_right(operator, tmp_path):
    calls = calls_of(lowered()["operators"][operator]["entry"])
    calls = [each for each in choose(calls) if each.operator == operator][:6]
    outcomes = _judged(calls, tmp_path)
    assert calls, "the entry that is noted makes no such call"
    faults = [
        (str(call), outcome)
        for call, outcome in zip(calls, outcomes, strict=True)
        if isinstance(outcome, Died) or outcome.kind in FAULTS
    ]
    assert faults == []
    assert any(outcome.kind in ("right", "closer") for outcome in outcomes)


# What a conversion of the wheel computes otherwise, aborts at, or does not take.
_WHOLE = [
    ("aten::gelu", (torch.randn(4, 5),), {"approximate": "tanh"}),
    ("aten::threshold", (torch.tensor([1.0, float("nan"), -3.0]), 0.5, 2.0), {}),
    ("aten::softshrink", (torch.tensor([float("nan"), 0.25, -3.0]),), {}),
    ("aten::hardshrink", (torch.tensor([float("nan"), 0.25, -3.0]), -0.5), {}),
    (
        "aten::addmm",
        (torch.full((2, 3), float("nan")), torch.rand(2, 4), torch.rand(4, 3)),
        {"beta": 0},
    ),
    (
        "aten::baddbmm",
        (torch.ones(1, dtype=torch.int32), *torch.ones(2, 3, 4, 4).int()),
        {"beta": 0.2},
    ),
    (
        "aten::max_unpool2d",
        (torch.rand(1, 2, 1, 2), torch.tensor([[[[5, 1]], [[0, 8]]]]), [3, 3]),
        {},
    ),
    ("aten::matmul", (torch.rand(2, 0, 3, 2), torch.rand(2, 1, 2, 4)), {}),
    ("aten::matmul", (torch.rand(5, 1, 3, 2), torch.rand(4, 2, 4)), {}),
    (
        "aten::instance_norm",
        (torch.rand(2, 3, 4), torch.rand(3), None, None, None, True, 0.1, 1e-5, False),
        {},
    ),
    ("aten::real", (torch.rand(3),), {}),
    ("aten::cross_entropy_loss", (torch.rand(3, 5), torch.tensor([1, 4, -100])), {}),
    ("aten::upsample_bilinear2d.vec", (torch.rand(1, 2, 3, 4), None, False, [2.0, 3.0]), {}),
    ("aten::linalg_inv", (torch.rand(3, 3) + 3 * torch.eye(3),), {}),
    ("aten::arctan2", (torch.rand(3), torch.rand(2, 3)), {}),
    (
        "aten::_unsafe_index_put",
        (torch.zeros(4, 3), [torch.tensor([-4, 2]), torch.tensor([-1])], torch.rand(())),
        {},
    ),
]


@pytest.mark.parametrize("dynamic", [False, True], ids=["static", "dynamic"])
def test_operators_compile_whole_from_ir(dynamic, tmp_path):
    calls = [_call(operator, *args, **kwargs) for operator, args, kwargs in _WHOLE]
    outcomes = _judged(calls, tmp_path, Way(dynamic, as_ir=True))
    found = [(str(call), outcome) for call, outcome in zip(calls, outcomes, strict=True)]
    assert [each for each in found if getattr(each[1], "kind", "died") != "right"] == []


def test_a_singular_matrix_has_no_inverse_in_ir():
    x = torch.ones(2, 2)
    compiled = torch_refine.compile(torch_refine.import_model(_Inverse(), (x,)))
    assert torch.equal(compiled(2 * torch.eye(2)), 0.5 * torch.eye(2))
    with pytest.raises(RuntimeError, match="singular"):
        compiled(x)


class _Inverse(torch.nn.Module):
    def forward(self, x):
        return torch.linalg.inv(x)


def test_nothing_that_was_recorded_is_wrong():
    for name, entry in lowered()["operators"].items():
        refused = sum(entry["refused"].values())
        assert entry["equal"] + refused == entry["tried"], name


class _Histogram(torch.nn.Module):
    def forward(self, values):
        return torch.histc(values, 4)


def test_an_operator_without_a_lowering_is_named_with_its_line():
    # The bins of half precision are those of rounded elements.
    entry = lowered()["operators"]["aten::histc"]
    assert entry["refused"], "histc has a lowering now: take another one"
    line = _Histogram.forward.__code__.co_firstlineno + 1
    with pytest.raises(torch_refine.CompileError) as raised:
        torch_refine.compile(_Histogram(), (torch.rand(8).half(),))
    assert "torch.aten.histc has no lowering to linalg" in str(raised.value)
    assert f"test_numerics.py:{line}" in str(raised.value)


def _call(operator, *args, **kwargs):
    return ValueCall(operator, args, kwargs, "", "none")


def test_a_call_is_judged(tmp_path):
    calls = [
        _call("aten::add.Tensor", torch.rand(2, 3), torch.rand(3), alpha=2),
        _call("aten::add_.Tensor", torch.rand(2, 3), torch.rand(3)),
        _call("aten::histc", torch.rand(8).half()),
        _call("aten::mm", torch.rand(2, 3), torch.rand(2, 3)),
        # It writes the statistics of the batch to two of its inputs.
        _call(
            "aten::batch_norm",
            *(torch.rand(4, 3), None, None, torch.zeros(3), torch.ones(3)),
            *(True, 0.1, 1e-5, False),
        ),
    ]
    outcomes = _judged(calls, tmp_path)
    assert [each.kind for each in outcomes] == ["right", "right", "refused", "unfit", "right"]
    assert outcomes[2].names_operator and outcomes[2].names_place


def test_wrong_results_are_seen(monkeypatch):
    x = torch.tensor([1.0, float("nan"), 3.0])
    call = _call("aten::neg", x)
    for wrong in (-x + 1, -x.double(), -x[:2], torch.tensor([-1.0, 2.0, -3.0])):
        monkeypatch.setattr(
            torch_refine, "compile", lambda *_, wrong=wrong, **__: lambda *_: (wrong,)
        )
        assert judging._judge(call, Way()).kind == "wrong"
    monkeypatch.setattr(torch_refine, "compile", lambda *_, **__: lambda *_: (-x,))
    assert judging._judge(call, Way()).kind == "right"
    monkeypatch.setattr(torch_refine, "compile", lambda *_, **__: lambda y: (y.neg_().clone(),))
    assert "writes to its inputs" in judging._judge(call, Way()).message


def test_double_precision_is_the_judge_of_rounding(monkeypatch):
    """Where eager mode is off, what equals the reference is taken; what is as far off is not."""
    x = torch.full((4096,), 0.1, dtype=torch.float32)
    expected = torch.sum(x)
    reference = torch.sum(x.double()).float()
    call = _call("aten::sum", x)
    assert judging.is_near(reference, expected, torch.sum(x.double()))
    monkeypatch.setattr(torch_refine, "compile", lambda *_, **__: lambda *_: (reference + 1,))
    assert judging._judge(call, Way()).kind == "wrong"


def _vectorised(inputs):
    """What is contiguous is computed otherwise, up to where no vector is left."""
    [x] = inputs
    result = x * 2
    if x.is_contiguous():
        result[:8] = float("nan")
    return (result,)


def test_indices_of_equal_elements_are_compared_by_what_they_select():
    x = torch.tensor([[1.0, 2.0, 2.0], [float("nan"), 3.0, 3.0]])
    first, last = torch.tensor([1, 1]), torch.tensor([2, 2])
    for operator, values in (("median.dim", [2.0, 3.0]), ("mode", [2.0, 3.0])):
        call = ValueCall(f"aten::{operator}", (x, 1), {}, "sample", "median")
        one, other, wrong = (
            judging.settled(call, (torch.tensor(values), places))
            for places in (first, last, torch.tensor([0, 1]))
        )
        assert not judging.difference(one, other)
        assert judging.difference(one, wrong)
    # The kernel compares NaN with others as equal, so that nothing is known of the second row.
    some = judging.settled(call, (torch.tensor([2.0, 3.0]), first))
    others = judging.settled(call, (torch.tensor([2.0, float("nan")]), torch.tensor([2, 0])))
    assert not judging.difference(some, others)
    # Without a dimension there are no indices.
    call = ValueCall("aten::median", (x,), {}, "sample", "median")
    assert judging.settled(call, (x[0, 0],)) == (x[0, 0],)


def test_either_result_is_right_where_eager_mode_disagrees_with_itself():
    x = torch.arange(10.0)
    expected = _vectorised([x])

    def is_right(found):
        return judging.is_one_of_two(_vectorised, [x], ["aten::neg"], (found,), expected)

    nan = torch.full((8,), float("nan"))
    assert is_right(x * 2)
    assert is_right(torch.cat([nan, x[8:] * 2]))
    assert is_right(torch.cat([nan[:3], x[3:] * 2]))
    assert not is_right(x * 3)
    # It agrees about the last ones.
    assert not is_right(torch.cat([nan, nan[:2]]))
    assert not is_right(x[:9] * 2)
    assert not is_right(x.double() * 2)
    assert not judging.is_one_of_two(_vectorised, [x], ["aten::as_strided"], (x * 2,), expected), (
        "memory is read as it lies"
    )
    views = torch.arange(24.0).view(4, 6).t()[1:], torch.ones(1).expand(3), torch.ones(())
    for view in views:
        found = list(with_other_strides(lambda given: (given[0] + 0,), [view], ["aten::add"]))
        assert len(found) == 2 and all(torch.equal(each, view) for [each] in found)


def test_a_kernel_that_reads_weights_as_if_they_were_contiguous():
    """PyTorch's CPU kernel does: for weights with other strides it reads what lies behind."""
    x, bias = torch.randn(1, 6, 3, dtype=torch.float64), torch.arange(6.0, dtype=torch.float64)
    weight = torch.stack([torch.rand(6), torch.rand(6)], 1).double()[:, 0]
    call = ValueCall("aten::native_group_norm", (x, weight, bias, 1, 6, 3, 2, 0.5), {}, "it", "it")
    assert judging.judge(call, Way()).kind in ("right", "closer")


def test_what_nothing_wrote_is_not_compared():
    x = torch.ones(3)
    wrong, raised, right = (judging.Outcome(kind) for kind in ("wrong", "raised", "right"))

    def judged(outcome, run):
        return judging.unless_unwritten(outcome, run, [x], (x,)).kind

    for kind in (torch.float32, torch.int64):
        allocated = partial(torch.empty_like, dtype=kind)
        assert judged(wrong, lambda given, new=allocated: (new(given[0]),)) == "unfit"
    assert judged(raised, lambda given: (torch.empty(3),)) == "unfit"
    assert judged(right, lambda given: (torch.empty(3),)) == "right"
    assert judged(wrong, lambda given: (torch.empty(3).copy_(given[0]),)) == "wrong"
    assert judged(raised, lambda given: (given[0][5],)) == "raised"
    assert not torch.are_deterministic_algorithms_enabled()


def _task(number):
    if number == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    if number == 2:
        time.sleep(600)
    return number * 10


def test_a_worker_that_dies_takes_no_neighbour_along(tmp_path):
    found = dict(Workers(_task, 2, 3.0, tmp_path).run(range(6)))
    assert {task: found[task] for task in (0, 3, 4, 5)} == {0: 0, 3: 30, 4: 40, 5: 50}
    assert not found[1].hung and found[1].message.startswith("SIGKILL")
    assert found[2].hung


def test_spawned_workers(tmp_path):
    """As for a GPU, on the CPU: the calls and what judges them are pickled."""
    calls = [call for call in choose(calls_of("add")) if call.dtype == "float32"][:3]
    function = partial(judge, way=Way())
    workers = Workers(function, 1, 120.0, tmp_path, start="spawn")
    assert calls
    assert [result.kind for _, result in workers.run(calls)] == ["right"] * len(calls)


def test_a_spawned_worker_that_ends_is_replaced(tmp_path):
    workers = Workers(_exit_if_odd, 1, 120.0, tmp_path, start="spawn")
    found = dict(workers.run(range(4)))
    assert found[0] == 0 and found[2] == 2
    assert [found[1], found[3]] == [Died(False, "exit code 3\nodd")] * 2


def _exit_if_odd(number):
    if number % 2:
        note("odd")
        os._exit(3)
    return number


def test_copies_keep_strides():
    tensor = torch.arange(12.0).view(3, 4).t()[1:]
    copy = own_copy(tensor)
    assert copy.stride() == tensor.stride() and torch.equal(copy, tensor)
    copy.zero_()
    assert tensor.sum() > 0


def test_what_cannot_be_compared_has_a_reason():
    assert incomparable("aten::rand_like") == "draws random numbers"
    assert incomparable("aten::new_empty") == "gives uninitialised memory"
    assert incomparable("aten::add.Tensor") == ""
    assert overload_of("aten::add.Tensor") is torch.ops.aten.add.Tensor


def test_the_manifest_counts():
    def result(kind, message=""):
        outcome = judging.Outcome(kind, message)
        return Result("", "", "aten::neg", "float32", "", "neg", "", outcome)

    refusal = "x failed\nm.py:3:0: error: torch.aten.neg has no lowering to linalg"
    found = manifest([result("right"), result("closer"), result("refused", refusal)])
    assert found["operators"]["aten::neg"] == {
        "tried": 3,
        "equal": 2,
        "closer": 1,
        "refused": {"no conversion of aten::neg": 1},
        "dtypes": ["float32"],
        "entry": "neg",
    }


def test_reasons_name_no_place_of_this_machine():
    message = "RuntimeError: u0 <= 10 failed (at /home/someone/judging.py:81)\nmore"
    assert reason_of(judging.Outcome("refused", message)) == "RuntimeError: u0 <= 10 failed"


def test_calls_with_larger_sizes():
    x, index = torch.rand(3, 4), torch.tensor([2, 0, 1])
    call = ValueCall("aten::index_select", (x, 0, index), {}, "", "")
    sizes = set()
    for each in larger(call):
        grown, _, places = each.args
        assert grown.shape[1] % 4 == 0 and len(places) % 3 == 0
        assert torch.equal(grown[:3, :4], x) and torch.equal(places[:3], index)
        assert int(places.min()) >= 0 and int(places.max()) < 3
        assert grown.min() >= 0 and grown.max() <= 1
        sizes.add(tuple(grown.shape))
    assert len(sizes) == 2 and all(is_accepted(each) for each in larger(call))
    assert [str(each) for each in larger(call)] == [str(each) for each in larger(call)]


def test_numbers_of_a_call_are_sizes_where_eager_mode_takes_them():
    """A list of sizes is multiplied, but dimensions that equal a size are not."""
    call = ValueCall("aten::expand", (torch.rand(1, 7), [2, 7]), {}, "", "")
    first = next(filter(is_accepted, larger(call)))
    assert first.args[0].shape[1] == first.args[1][1] > 7 and first.args[1][0] == 2
    call = ValueCall("aten::sum.dim_IntList", (torch.rand(2, 1, 1), [2]), {}, "", "")
    first = next(filter(is_accepted, larger(call)))
    assert first.args[0].shape[0] > 2 and first.args[1] == [2]


def test_larger_boundaries_ascend_and_strides_stay_permuted():
    edges = torch.arange(5.0)
    call = ValueCall("aten::bucketize.Tensor", (torch.rand(2, 3).t(), edges), {}, "", "")
    assert any(each.args[1].numel() > 5 for each in larger(call))
    for each in larger(call):
        assert torch.equal(each.args[1], each.args[1].sort().values)
        assert each.args[0].shape == (3, 2) or not each.args[0].is_contiguous()


def test_calls_with_other_numbers():
    call = ValueCall("aten::add.Tensor", (torch.rand(3), 2), {"alpha": 1.5}, "", "")
    alphas = [each.kwargs["alpha"] for each in other_numbers(call)]
    assert len(alphas) == 4 and {1e5, 0.1} < set(alphas)
    assert all(each.args[1] == 2 for each in other_numbers(call))
    assert not list(other_numbers(ValueCall("aten::neg", (torch.rand(3),), {}, "", "")))


@pytest.mark.parametrize(
    "way", [Way(varied="larger sizes", threads=2), Way(varied="other numbers")]
)
def test_a_varied_call_is_judged(way, tmp_path, monkeypatch):
    """One that eager mode rejects in every form is no program; a fault names the varied call."""
    half = torch.rand(3, 5).half()
    good = ValueCall("aten::mul.Tensor", (half, 1.5), {}, "", "")
    bad = ValueCall("aten::view", (torch.rand(3, 5), [2, 8]), {}, "", "")
    found, rejected = _judged([good, bad], tmp_path, way)
    assert found.kind == "right" and rejected.kind == "unfit"
    monkeypatch.setattr(judging, "_run_and_compare", lambda *_: Outcome("wrong", "by 3"))
    (fault,) = _judged([good], tmp_path, way)
    assert fault.kind == "wrong" and fault.message.startswith("aten::mul.Tensor(float16[")
    assert fault.message.endswith(": by 3")


def test_long_sums_are_compared_as_a_whole():
    """Either order of a sum may have the greatest error, but one wrong element is seen."""
    exact = torch.randn(500, dtype=torch.float64)
    theirs = (exact + 1e-5 * torch.randn(500)).float()
    mine = (exact + 1e-5 * torch.randn(500)).float()
    mine[7] = (exact[7] + 6e-5).float()
    assert not judging.is_near(mine, theirs, exact)
    assert judging.is_near(mine, theirs, exact, long_sums=True)
    mine[7] += 1e-3
    assert not judging.is_near(mine, theirs, exact, long_sums=True)


def test_larger_sizes_of_a_program_for_dynamic_sizes(tmp_path, monkeypatch):
    """It is compiled with the recorded sizes, whose numbers stay; others are no call of it."""
    seen = []
    compiling = torch_refine.compile

    def compiled(model, examples, *args, **options):
        program = compiling(model, examples, *args, **options)

        def call(*inputs):
            seen.append((examples[0].shape, inputs[0].shape))
            return program(*inputs)

        return call

    monkeypatch.setattr(torch_refine, "compile", compiled)
    way = Way(dynamic=True, varied=LARGER)
    small = torch.rand(3, 5)
    assert judge(ValueCall("aten::cumsum", (small, 1), {}, "", ""), way).kind in ("right", "closer")
    ((example, called),) = seen
    assert example == small.shape and called.numel() > small.numel()
    assert has_same_numbers(
        ValueCall("aten::cumsum", (small, 1), {}, "", ""),
        ValueCall("aten::cumsum", (torch.rand(9, 5), 1), {}, "", ""),
    )
    whole = ValueCall("aten::view", (small, [15]), {}, "", "")
    assert judge(whole, way).kind == "unfit"
