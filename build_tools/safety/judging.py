"""Bad calls of one program, each beside eager mode, in processes that may die of them."""

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
from torch_refine.build_tools.guarded_memory import SIDES, GuardedHeap, guarded_heap
from torch_refine.build_tools.numerics.calls import ValueCall
from torch_refine.build_tools.numerics.judging import CallModule, compare, compile_here, difference
from torch_refine.build_tools.numerics.workers import Died, Workers, note
from torch_refine.build_tools.safety.bad_calls import BadCall, bad_calls
from torch_refine.build_tools.safety.programs import InputModule, Way, compile_guarded, copies
from torch_refine.importer import ImportModelError
from torch_refine.runtime import compiler
from torch_refine.runtime.compiler import CompileError

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
# For a call; those that are valid take milliseconds.
_SECONDS = 20.0
# Of address space, for a process that has PyTorch and LLVM in it.
_MOST_BYTES = 5 << 30
_COMPILING = "compiles"
_CALLING = "calls the compiled program"
_EAGER = "runs eager mode"
_MOST_SHOWN = 500


@dataclass(frozen=True)
class Judgement:
    """What became of a bad call.

    - raises: eager mode does so, too
    - equal: to what eager mode gives
    - refuses: it raises, and eager mode does not
    - unfit: nothing can be said: eager mode dies, never ends, or gives something else every time
    - answers: it gives something where eager mode raises, or where it must raise
    - differs: it gives something else
    - raised: it raises, and is the very call that the program was compiled for
    - overruns: it writes beside a buffer, or frees what it may not
    - leaks: buffers are left when it is over
    - died, hung: the process was ended by it, or it did not end
    """

    kind: str
    what: str
    verdict: Verdict
    message: str = ""


@dataclass(frozen=True)
class Judged:
    """A program and its bad calls: what it calls, as text, and how it was compiled.

    `refused` says why there is none.
    """

    shown: str
    way: str
    refused: str = ""
    calls: list[Judgement] = field(default_factory=list)


def judge_program(calls: Sequence[ValueCall], ways: Sequence[Way]) -> Judged:
    """Compile the program of a call, and make bad calls to it.

    The program is that of the first call and way that compile.
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
            # What an earlier call of eager mode damaged is no fault of this one.
            died(each.kind, each.what, found) if isinstance(found, Died) else found
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
    # A process that dies is what is looked for.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run_each(tasks: Sequence[Callable[[], Any]], seconds: float = _SECONDS) -> list[Any]:
    """Call functions in a copy of this process; for each what it returned, or a Died."""
    found: dict[int, Any] = {}
    # A collection in the copy looks at what the copy made.
    gc.freeze()
    with tempfile.TemporaryDirectory(prefix="safety-") as folder:
        workers = Workers(lambda number: tasks[number](), 1, seconds, Path(folder))
        found.update(workers.run(range(len(tasks))))
    return [found[number] for number in range(len(tasks))]


@cache
def _say_when_compiling() -> None:
    """Print when the compiler begins: users have it in a process of its own, which may die."""
    module: Any = compiler
    run = module._run

    def saying(*arguments: Any) -> None:
        note(_COMPILING)
        run(*arguments)

    module._run = saying


def _with_second_tries(tasks: Sequence[Callable[[], Any]]) -> list[Any]:
    """What each returned, in a process of its own where the process of several ended."""
    return [
        run_each([task])[0] if isinstance(found, Died) else found
        for task, found in zip(tasks, run_each(tasks), strict=True)
    ]


def died(kind: str, what: str, how: Died) -> Judgement:
    """What is said of a call whose process ended."""
    if how.message.endswith(_COMPILING):
        return Judgement(kind, what, "raises", f"the compiler ends: {how.message}")
    if how.message.rfind(_CALLING) <= how.message.rfind(_EAGER):
        return Judgement(kind, what, "unfit", f"eager mode or the export ends: {how.message}")
    return Judgement(kind, what, "hung" if how.hung else "died", how.message)


@dataclass(frozen=True)
class _Made:
    """What a call of a compiled program gave, in memory of its own, or the error that it raised."""

    results: tuple[Any, ...] = ()
    have_gradients: tuple[bool, ...] = ()
    error: str = ""


def judge(
    model: InputModule, compiled: Callable[..., Any], heap: GuardedHeap, bad: BadCall
) -> Judgement:
    """Make a bad call, and compare with eager mode.

    Eager mode comes last: some of its kernels write to other memory themselves.
    """
    with torch.set_grad_enabled(bad.kind == "gradient"):
        found = []
        for heap.side in SIDES:
            note(f"{_CALLING}, buffers at the {heap.side} of a page")
            before = heap.live
            heap.faults.clear()
            made = _make(compiled, heap, bad)
            if heap.live > before:
                # What a rejected call left in cycles is no leak.
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


def _eager(model: InputModule, bad: BadCall) -> tuple[tuple[Any, Any] | None, str]:
    """What eager mode gives, twice, or why it gives nothing."""
    inputs = bad.inputs
    if bad.kind == "strides":
        # Some kernels of eager mode want contiguous memory; a program is about the values.
        inputs = tuple(
            each.contiguous() if isinstance(each, torch.Tensor) else each for each in inputs
        )
    try:
        expected = model(*copies(inputs)), model(*copies(inputs))
    except Exception as error:
        return None, f"{type(error).__name__}: {error}"
    return (None, "a compiled program cannot take it") if bad.must_raise else (expected, "")


def _make(compiled: Callable[..., Any], heap: GuardedHeap, bad: BadCall) -> _Made:
    """Call a compiled program; what it returned is freed."""
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
    """What became of a call, and why."""
    if made.error:
        return ("raises" if rejected else "refuses"), made.error
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
    call = model.called_with(bad.inputs)

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
