"""The parameter sweep: a seeded part of it, and that it sees what is wrong."""

import os
import signal
from functools import partial
from random import Random

import pytest
import torch
import torch_refine
from torch_refine.build_tools.fuzz import outcomes, tasks
from torch_refine.build_tools.fuzz.__main__ import options_of, tasks_of
from torch_refine.build_tools.fuzz.batches import Way
from torch_refine.build_tools.fuzz.drawing import Drawer, is_valid
from torch_refine.build_tools.fuzz.outcomes import judge_batch
from torch_refine.build_tools.fuzz.printing import as_test, shown
from torch_refine.build_tools.fuzz.seeds import seeds_of
from torch_refine.build_tools.fuzz.shrinking import shrink
from torch_refine.build_tools.fuzz.steps import Program, Step, Value
from torch_refine.build_tools.fuzz.tasks import Task, drawn, merged, perform
from torch_refine.build_tools.numerics.calls import ValueCall, record
from torch_refine.build_tools.numerics.judging import difference
from torch_refine.build_tools.numerics.workers import Died, Workers

# Entries whose operators have many parameters, and are quick to record.
ENTRIES = (
    "add",
    "amax",
    "cat",
    "clamp",
    "cumsum",
    "nn.functional.adaptive_max_pool1d",
    "nn.functional.avg_pool2d",
    "nn.functional.conv1d",
    "nn.functional.conv_transpose1d",
    "nn.functional.pad.constant",
    "norm",
    "roll",
    "softmax",
    "sum",
    "transpose",
    "unfold",
    "where",
)


@pytest.fixture(scope="module")
def seeds():
    return seeds_of(call for entry in ENTRIES for call in record(entry))


@pytest.fixture(autouse=True)
def no_cache(monkeypatch):
    monkeypatch.setenv("TORCH_REFINE_CACHE", "0")


def _perform(task, seeds):
    return perform(task, seeds)


def _performed(given, seeds, tmp_path):
    """The results of tasks, each in a process that may die."""
    workers = Workers(partial(_perform, seeds=seeds), 1, 120.0, tmp_path)
    return [each for _, each in workers.run(given)]


def test_a_seeded_part_is_right(seeds, tmp_path):
    given = [
        Task("calls", 20261122, 0, Way()),
        Task("calls", 20261122, 1, Way(dynamic=True)),
        Task("programs", 20261122, 0, Way()),
        Task("programs", 20261130, 0, Way(), larger=True),
    ]
    found = _performed(given, seeds, tmp_path)
    assert [each.message for each in found if isinstance(each, Died)] == []
    assert [fault for each in found for fault in each.faults] == []
    for each in found:
        assert each.counts["right"] + each.counts.get("closer", 0) >= sum(each.counts.values()) / 2


def test_parts_of_a_sweep_are_disjoint_and_complete():
    some = ["--calls", "2000", "--programs", "100"]
    (whole, *parts) = (
        tasks_of(options_of([*some, "--part", part])) for part in ("1/1", "1/3", "2/3", "3/3")
    )
    assert sorted(each.key for part in parts for each in part) == sorted(each.key for each in whole)
    assert all({each.kind for each in part} == {"calls", "programs"} for part in parts)
    with pytest.raises(SystemExit):
        options_of(["--part", "3/2"])


def test_a_task_draws_the_same_programs_in_every_run(seeds):
    task = Task("calls", 1, 2, Way())
    assert list(map(shown, drawn(task, seeds))) == list(map(shown, drawn(task, seeds)))
    first, second = task.halves(task.size)
    halves = [*drawn(first, seeds), *drawn(second, seeds)]
    assert list(map(shown, halves)) == list(map(shown, drawn(task, seeds)))


def _call(operator, *args, **kwargs):
    return ValueCall(operator, args, kwargs, "", "")


def test_larger_programs(seeds):
    """A larger size is a multiple of the size it had, and eager mode runs the program."""
    small = drawn(Task("programs", 20261130, 0, Way()), seeds)
    large = drawn(Task("programs", 20261130, 0, Way(), larger=True), seeds)
    assert [each.operators for each in large] == [each.operators for each in small]
    grown = 0
    for before, after in zip(small, large, strict=True):
        assert after.run(after.copies())
        for one, other in zip(before.inputs, after.inputs, strict=True):
            assert one.dtype == other.dtype and one.dim() == other.dim()
            factors = [b // a for a, b in zip(one.shape, other.shape, strict=True) if a != b]
            assert len(set(factors)) <= 1 and 1 not in factors
            grown += bool(factors)
    assert grown > 3


def test_what_is_drawn_is_valid_for_the_library_and_for_eager_mode(seeds):
    x = torch.rand(2, 3)
    assert is_valid(_call("aten::mm", x, x.t()))
    assert not is_valid(_call("aten::mm", x, x))
    # An index out of range is for eager mode to see.
    assert not is_valid(_call("aten::gather", x, 1, torch.tensor([[7]])))
    drawer = Drawer(seeds)
    found = [drawer.call(Random(i), seeds.operators[i % len(seeds.operators)]) for i in range(200)]
    drawn_calls = [each for each in found if each is not None]
    assert len(drawn_calls) > 150
    tensors = [tensor for each in drawn_calls for tensor in each.tensors]
    assert {len(set(tensor.shape) & {0}) for tensor in tensors} == {0, 1}
    assert {tensor.is_contiguous() for tensor in tensors} == {True, False}
    assert len({tensor.dtype for tensor in tensors}) > 5


@pytest.fixture
def wrong_sine(monkeypatch):
    """What is compiled takes a sine for something else."""
    real = torch_refine.runtime.compiled_module.compile_module
    monkeypatch.setattr(
        "torch_refine.runtime.compiled_module.compile_module",
        lambda bytecode, options: real(bytecode.replace(b"aten.sin\0", b"aten.cos\0"), options),
    )


def _chain():
    x = torch.rand(3, 4) + 0.5
    steps = (
        Step("aten::add.Tensor", (Value(0), Value(0)), {}),
        Step("aten::sin", (Value(1),), {}),
        Step("aten::relu", (Value(2),), {}),
    )
    return Program((x,), steps)


def test_what_is_right_is_compiled_together(monkeypatch):
    """Whatever a batch raises, its programs are judged alone, which would only be slower."""

    def alone(program, way):
        raise AssertionError(f"{program} is compiled again")

    monkeypatch.setattr(outcomes, "judge_alone", alone)
    programs = [
        Program((torch.rand(3),), (Step(f"aten::{name}", (Value(0),), {}),))
        for name in ("exp", "sin", "relu")
    ]
    for way in (Way(), Way(dynamic=True), Way(opt_level=0)):
        assert [found.kind for found in judge_batch(programs, way)] == ["right"] * 3


def test_what_is_wrong_is_found_and_minimised(wrong_sine):
    fine = Program((torch.rand(3),), (Step("aten::exp", (Value(0),), {}),))
    refused = Program((torch.rand(8).half(),), (Step("aten::histc", (Value(0), 4), {}),))
    outcomes = judge_batch([fine, refused, _chain(), fine], Way())
    assert [each.kind for each in outcomes] == ["right", "refused", "wrong", "right"]
    assert "histc has no lowering" in outcomes[1].message

    def fails(program):
        return judge_batch([program], Way())[0].kind == "wrong"

    smaller = shrink(_chain(), fails, 60.0)
    assert smaller.operators == ["aten::sin"]
    assert smaller.inputs[0].numel() == 1
    names = {}
    exec(as_test(smaller, Way(), "sine"), names)
    with pytest.raises(AssertionError):
        names["test_sine"]()


def _in_half_precision(dtype):
    """Calls that are well-conditioned."""
    torch.manual_seed(0)
    a, b = torch.rand(2, 6, 8).to(dtype)
    return [
        _call("aten::add.Tensor", a, b),
        _call("aten::exp", a),
        _call("aten::mm", a, b.t()),
        _call("aten::sum.dim_IntList", a, [1]),
        _call("aten::_softmax", a, 1, False),
        _call("aten::linspace", 0.5, 3.25, 37, dtype=dtype),
    ]


@pytest.fixture
def one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.mark.usefixtures("one_thread")
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_an_error_of_a_few_percent_is_seen_in_half_precision(dtype):
    for call in _in_half_precision(dtype):
        program = Program.of_call(call)
        expected = program.run(program.copies())
        for factor in (1.05, 0.97):
            found = tuple((each.double() * factor).to(dtype) for each in expected)
            assert not outcomes.is_as_near(program, found, expected), (call.operator, factor)


def test_what_a_step_cancels_may_be_rounded_otherwise():
    """As far from eager mode's results as these are from the exact ones, on the other side."""
    torch.manual_seed(3)
    scores, weights = torch.randn(2, 3, 4, 4).bfloat16(), torch.randn(3).bfloat16()
    target = torch.randint(0, 3, (2, 4, 4))
    points = torch.randn(3, 4)
    near = points + torch.randn(3, 4) * 1e-3
    ends = -0.5288982391357422, 1.100325107574463
    calls = [
        (_call("aten::nll_loss2d_forward", scores, target, weights, 1, -100), None),
        (_call("aten::_euclidean_dist", points, near), None),
        (_call("aten::linspace", *ends, 7, dtype=torch.bfloat16), torch.linspace(*ends, 7)),
    ]
    for call, exact in calls:
        program = Program.of_call(call)
        given = program.run(program.copies())
        wide = [each.double() if each.is_floating_point() else each for each in program.inputs]
        references = program.run(wide) if exact is None else (exact,)
        found = tuple(
            (2 * each.double() - reference.double()).to(each.dtype)
            for each, reference in zip(given, references, strict=True)
        )
        assert difference(found, given), call.operator
        assert outcomes.is_as_near(program, found, given), call.operator
        wrong = tuple(each + 0.1 for each in given)
        assert not outcomes.is_as_near(program, wrong, given), call.operator


def test_the_reference_is_wide_where_a_step_names_a_dtype():
    """Eager mode rounds the logarithm of nearly 1 to 0, which is not the nearest half."""
    numbers = torch.tensor([[-8.0, 2.0]], dtype=torch.float64)
    program = Program.of_call(_call("aten::log_softmax.int", numbers, 1, torch.float16))
    given = program.run(program.copies())
    exact = (torch.log_softmax(numbers, 1).half(),)
    assert difference(exact, given)
    assert outcomes.is_as_near(program, exact, given)
    assert not outcomes.is_as_near(program, (exact[0] + 0.1,), given)


def test_distances_of_a_point_from_itself_may_be_rounded():
    """The squares cancel: eager mode has 0 for some, the root of a rounding error for others."""
    points = torch.tensor([[0.025062689557671547, -0.48460522294044495]]).expand(6, 2)
    program = Program.of_call(_call("aten::_euclidean_dist", points, points))
    given = (torch.zeros(6, 6),)
    rounded = (torch.full((6, 6), 1.7263e-4),)
    assert outcomes.is_as_near(program, rounded, given)
    assert not outcomes.is_as_near(program, (rounded[0] * 100,), given)


def test_transforms_are_measured_by_the_largest_element():
    numbers = torch.randn(64, dtype=torch.complex64) * 10
    program = Program.of_call(_call("aten::fft_hfft", numbers))
    (given,) = program.run(program.copies())
    # A small element with the error of a large one.
    small = given.abs().argmin()
    other = given.clone()
    other[small] += 1e-6 * given.abs().max()
    assert difference((other,), (given,))
    assert outcomes.is_as_near(program, (other,), (given,))
    other[small] += 1e-5 * given.abs().max()
    assert not outcomes.is_as_near(program, (other,), (given,))


def test_complex_numbers_have_a_reference_too():
    base, power = (torch.randn(40, dtype=torch.complex64) * 3 for _ in range(2))
    program = Program.of_call(_call("aten::pow.Tensor_Tensor", base, power))
    (given,) = program.run(program.copies())
    (exact,) = program.widened().run(program.widened().inputs)
    assert exact.dtype == torch.complex128
    for factor, is_near in ((-1, True), (-1.9, True), (-5, False)):
        # On the other side of the exact result.
        found = (exact + factor * (given - exact)).to(torch.complex64)
        assert outcomes.is_as_near(program, (found,), (given,)) == is_near


def test_the_printed_test_passes_where_nothing_is_wrong():
    given = Program(
        (torch.rand(4, 6).t()[::2], torch.tensor([1.0, float("nan")])),
        (
            Step("aten::sum.dim_IntList", (Value(0), [1]), {"keepdim": True}),
            Step("aten::split.Tensor", (Value(0), 2, 1), {}),
            Step("aten::to.dtype", (Value(1), torch.float64), {}),
        ),
    )
    for way in (Way(), Way(dynamic=True, opt_level=1)):
        text = as_test(given, way, "several")
        names = {}
        exec(text, names)
        names["test_several"]()


def test_a_part_that_kills_its_process_takes_no_other_along(seeds, tmp_path, monkeypatch):
    real = tasks.judge_batch
    task = Task("calls", 3, 0, Way(), places=(0, 1, 2, 3))
    doomed = shown(drawn(task, seeds)[2])

    def judge(programs, way):
        if any(shown(each) == doomed for each in programs):
            os.kill(os.getpid(), signal.SIGSEGV)
        return real(programs, way)

    monkeypatch.setattr(tasks, "judge_batch", judge)
    monkeypatch.setattr(tasks, "judge_alone", lambda program, way: judge([program], way)[0])
    monkeypatch.setattr(tasks, "FOLDER", tmp_path)
    [died] = _performed([task], seeds, tmp_path)
    assert isinstance(died, Died)
    result = tasks.whole(task, died, seeds)
    assert result.counts["crashed"] == 1
    assert [fault.place for fault in result.faults] == [2]
    assert sum(result.counts.values()) == 4


def test_calls_that_end_eager_mode_are_no_faults(seeds, tmp_path, monkeypatch):
    def die(*_):
        print("a warning", flush=True)
        os.kill(os.getpid(), signal.SIGSEGV)

    monkeypatch.setattr(tasks.Drawer, "call", die)
    monkeypatch.setattr(tasks, "FOLDER", tmp_path)
    task = Task("calls", 3, 0, Way())
    [died] = _performed([task], seeds, tmp_path)
    assert isinstance(died, Died)
    result = tasks.whole(task, died, seeds)
    assert result.counts == {"eager mode died": 1} and not result.faults


def test_parts_of_a_task_are_added_up(seeds):
    first = tasks.Result("k", "", {"right": 1}, {"aten::mm": 1}, {}, [], 1.0)
    second = tasks.Result("k", "", {"right": 2, "refused": 1}, {}, {"no": 1}, [], 2.0)
    assert merged(first, second).counts == {"right": 3, "refused": 1}
