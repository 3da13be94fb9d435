"""Bad calls of one program, each compared with eager mode, in processes that may crash."""

from __future__ import annotations

import gc
import resource
import tempfile
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Literal

import torch
from torch_refine.build_tools.code.guarded_memory import SIDES, GuardedHeap, guarded_heap
from torch_refine.build_tools.numerics.calls import ValueCall
from torch_refine.build_tools.numerics.judging import CallModule, compare, compile_here, difference
from torch_refine.build_tools.numerics.workers import Died, Workers, note
from torch_refine.build_tools.safety.bad_calls import BadCall, bad_calls
from torch_refine.build_tools.safety.programs import InputModule, Way, compile_guarded, copies
from torch_refine.importer import ImportModelError
from torch_refine.runtime.compiling import compiler
from torch_refine.runtime.compiling.compiler import CompileError

Verdict = Literal[
    "raises",
    "equal",
    "refuses",
    "unfit",
    "answers",
    "differs",
    "raised",
    "overruns",
    "leaks",
    "died",
    "hung",
]
FAULTS: tuple[Verdict, ...] = (
    *("answers", "differs", "raised", "overruns", "leaks", "died", "hung"),
)
# The limit of a call; valid ones take milliseconds.
_SECONDS = 20.0
# The limit of address space, for a process with PyTorch and LLVM.
_MOST_BYTES = 5 << 30
_OUT_OF_MEMORY = "can't allocate memory"
_COMPILING = "compiles"
_CALLING = "calls the compiled program"
_EAGER = "runs eager mode"
_MOST_SHOWN = 500


@dataclass(frozen=True)
class Judgement:
    """The outcome of a bad call.

    - raises: like eager mode
    - equal: to the results of eager mode
    - refuses: it raises, and eager mode does not
    - unfit: not comparable: eager mode crashes, does not terminate, or is not deterministic
    - answers: it returns where eager mode raises, or where it must raise
    - differs: its results differ from eager mode
    - raised: it raises for the call that the program was compiled for
    - overruns: it writes out of bounds of a buffer, or frees an invalid pointer
    - leaks: buffers are not freed
    - died, hung: the process crashed, or did not terminate
    """

    kind: str
    what: str
    verdict: Verdict
    message: str = ""


@dataclass(frozen=True)
class Judged:
    """A program and the outcomes of its bad calls: the call as text, and the way of compiling.

    `refused` is the reason if there is no program.
    """

    shown: str
    way: str
    refused: str = ""
    calls: list[Judgement] = field(default_factory=list)


def judge_program(calls: Sequence[ValueCall], ways: Sequence[Way]) -> Judged:
    """Compile the program of a call, and make bad calls to it.

    The program is that of the first combination of call and way that compiles.
    """
    prepare_process()
    judged = Judged("", "")
    for call in calls:
        for way in ways:
            judged = _judge_program(call, way)
            if not judged.refused:
                return judged
    return judged


def _judge_program(call: ValueCall, way: Way) -> Judged:
    model = InputModule(call, way == "numbers")
    with warnings.catch_warnings(), guarded_heap() as heap:
        warnings.simplefilter("ignore")
        try:
            with torch.no_grad():
                compiled = compile_guarded(model, way)
        except (CompileError, ImportModelError) as error:
            return Judged(str(call), way, str(error))
        calls = [BadCall("strides", "the call itself", model.inputs())]
        calls += bad_calls(model.inputs(), way == "numbers")
        tasks = [lambda each=each: judge(model, compiled, heap, each) for each in calls]
        judged = [
            # Heap corruption by an earlier call of eager mode must not affect this one.
            ended(model, each, found) if isinstance(found, Died) else found
            for each, found in zip(calls, _with_second_tries(tasks), strict=True)
        ]
        if judged[0].verdict == "refuses":
            judged[0] = replace(judged[0], verdict="raised")
        return Judged(str(call), way, calls=judged)


def prepare_process() -> None:
    """Compile in this process, with one thread and bounded memory."""
    compile_here()
    _say_when_compiling()
    torch.set_num_threads(1)
    resource.setrlimit(resource.RLIMIT_AS, (_MOST_BYTES, _MOST_BYTES))
    # Crashes are expected: no core files.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run_each(tasks: Sequence[Callable[[], Any]], seconds: float = _SECONDS) -> list[Any]:
    """Call functions in a fork of this process; the result of each, or a Died."""
    found: dict[int, Any] = {}
    # The garbage collector of the fork scans only its own objects.
    gc.freeze()
    with tempfile.TemporaryDirectory(prefix="safety-") as folder:
        workers = Workers(lambda number: tasks[number](), 1, seconds, Path(folder))
        found.update(workers.run(range(len(tasks))))
    return [found[number] for number in range(len(tasks))]


@cache
def _say_when_compiling() -> None:
    """Print when the compiler begins: for users it runs in a separate process, which may crash."""
    module: Any = compiler
    run = module._run

    def saying(*arguments: Any) -> None:
        note(_COMPILING)
        run(*arguments)

    module._run = saying


def _with_second_tries(tasks: Sequence[Callable[[], Any]]) -> list[Any]:
    """The result of each function; those that a crash interrupted run again, separately."""
    return [
        run_each([task])[0] if isinstance(found, Died) else found
        for task, found in zip(tasks, run_each(tasks), strict=True)
    ]


def ended(
    model: Callable[..., Any], bad: BadCall, how: Died, seconds: float = _SECONDS
) -> Judgement:
    """The judgement of a call whose process ended; eager mode may not terminate, either."""
    found = died(bad.kind, bad.what, how)
    if found.verdict != "hung":
        return found
    [alone] = run_each([lambda: _eager(model, bad)[1]], seconds)
    if isinstance(alone, Died) and alone.hung:
        return replace(found, verdict="unfit", message="eager mode does not terminate, either")
    return found


def died(kind: str, what: str, how: Died) -> Judgement:
    """The message of a call whose process ended."""
    if how.message.endswith(_COMPILING):
        return Judgement(kind, what, "raises", f"the compiler ends: {how.message}")
    if how.message.rfind(_CALLING) <= how.message.rfind(_EAGER):
        return Judgement(kind, what, "unfit", f"eager mode or the export ends: {how.message}")
    return Judgement(kind, what, "hung" if how.hung else "died", how.message)


@dataclass(frozen=True)
class _Made:
    """Copies of the results of a call of a compiled program, or the exception that it raised."""

    results: tuple[Any, ...] = ()
    have_gradients: tuple[bool, ...] = ()
    error: str = ""


def judge(
    model: InputModule, compiled: Callable[..., Any], heap: GuardedHeap, bad: BadCall
) -> Judgement:
    """Make a bad call, and compare with eager mode.

    Eager mode runs last, because some of its kernels write out of bounds.
    """
    with torch.set_grad_enabled(bad.kind == "gradient"):
        found = []
        for heap.side in SIDES:
            note(f"{_CALLING}, buffers at the {heap.side} of a page")
            before = heap.live
            heap.faults.clear()
            made = _make(compiled, heap, bad)
            if heap.live > before:
                # Objects in reference cycles after a rejected call are no leaks.
                gc.collect()
            if heap.faults:
                return Judgement(bad.kind, bad.what, "overruns", "; ".join(heap.faults))
            if heap.live > before:
                message = f"{heap.live - before} buffers are left; {made.error}"
                return Judgement(bad.kind, bad.what, "leaks", message[:_MOST_SHOWN])
            found.append(made)
        note(_EAGER)
        expected, rejected = _eager(model, bad)
        if expected is not None and difference(_plain(expected[0]), _plain(expected[1])):
            return Judgement(bad.kind, bad.what, "unfit", "eager mode gives something else again")
        verdict: Verdict = "raises"
        message = ""
        for made in found:
            results = None if expected is None else expected[0]
            verdict, message = _verdict(model, compiled, bad, made, results, rejected)
            if verdict in FAULTS:
                break
        return Judgement(bad.kind, bad.what, verdict, message[:_MOST_SHOWN])


def _eager(model: Callable[..., Any], bad: BadCall) -> tuple[tuple[Any, Any] | None, str]:
    """The results of eager mode, twice, or its exception."""
    inputs = _of_eager_mode(bad)
    try:
        expected = model(*copies(inputs)), model(*copies(inputs))
    except Exception as error:
        return None, f"{type(error).__name__}: {error}"
    return (None, "a compiled program cannot take it") if bad.must_raise else (expected, "")


def _of_eager_mode(bad: BadCall) -> tuple[Any, ...]:
    """The inputs for eager mode, some of whose kernels assume contiguous operands."""
    if bad.kind != "strides":
        return bad.inputs
    return tuple(
        each.contiguous() if isinstance(each, torch.Tensor) else each for each in bad.inputs
    )


def _make(compiled: Callable[..., Any], heap: GuardedHeap, bad: BadCall) -> _Made:
    """Call a compiled program; its results are copied and freed."""
    try:
        found = compiled(*copies(bad.inputs, heap.copy))
    except Exception as error:
        return _Made(error=f"{type(error).__name__}: {error}")
    return _Made(
        tuple(each.detach().clone() if isinstance(each, torch.Tensor) else each for each in found),
        tuple(isinstance(each, torch.Tensor) and each.requires_grad for each in found),
    )


def _verdict(
    model: InputModule,
    compiled: Callable[..., Any],
    bad: BadCall,
    made: _Made,
    expected: Any,
    rejected: str,
) -> tuple[Verdict, str]:
    """The outcome of a call, and its reason."""
    if made.error:
        return ("raises" if rejected else "refuses"), made.error
    if _OUT_OF_MEMORY in rejected:
        # This machine rejects the call, not the operator.
        return "unfit", f"eager mode: {rejected}"
    if rejected:
        return "answers", f"{_shown(made.results)}; eager mode: {rejected}"
    if bad.kind == "gradient":
        lost = [
            number
            for number, (mine, theirs) in enumerate(zip(made.have_gradients, expected, strict=True))
            if getattr(theirs, "requires_grad", False) and not mine
        ]
        return ("differs", f"results {lost} have no gradient") if lost else ("equal", "")
    if bad.unordered:
        return "equal", ""
    return _compared(model, compiled, bad, made.results, expected)


def _compared(
    model: InputModule,
    compiled: Callable[..., Any],
    bad: BadCall,
    found: Any,
    expected: Any,
) -> tuple[Verdict, str]:
    call = model.called_with(_of_eager_mode(bad))

    def run(*tensors: torch.Tensor) -> Any:
        others = iter(tensors)
        return compiled(
            *(next(others) if isinstance(each, torch.Tensor) else each for each in bad.inputs)
        )

    outcome = compare(call, CallModule(call), run, found, expected)
    if outcome.kind in ("right", "closer"):
        return "equal", ""
    return "differs", outcome.message


def _plain(results: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(
        each.detach() if isinstance(each, torch.Tensor) and each.requires_grad else each
        for each in results
    )


def _shown(results: Any) -> str:
    return " ".join(str(results).split())[:200]
