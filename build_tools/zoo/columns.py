"""The columns of the zoo's table that are about results: compile an architecture, compare it."""

from __future__ import annotations

import copy
import logging
import re
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import torch
import torch_refine
from torch.export import Dim
from torch.utils import _pytree as pytree
from torch_refine.build_tools.zoo.comparing import Comparison, compare, relative_error
from torch_refine.build_tools.zoo.networks import (
    Inputs,
    Network,
    Unfit,
    check_inputs,
    first_line,
)
from torch_refine.importer.errors import ImportModelError

_BATCH, _DYNAMIC_BATCH, _OTHER_BATCH = 2, 3, 5
_CALLS = 3
# How many models with changed weights tell how much roundings decide, and what they leave out.
_ROUNDINGS, _TIMES_MOVED = 30, 1.5
_EAGER_GRAPH = re.compile(r"a graph of (\d+) operators runs eagerly: (.*)", re.DOTALL)
_IN_PARTS = re.compile(r"(\d+) of (\d+) operators run in PyTorch: (.*)", re.DOTALL)

# The name of an operator, how many there are, the reason, its share of the time.
Fallback = tuple[str, int, str, float | None]


@dataclass
class Outcome:
    """What became of an architecture in a column.

    `kind` is one of KINDS, `message` says why if it is not "whole" or "parts"; `fallbacks` are
    operators that PyTorch runs: name, count, reason, share of the time. `data` has the column's
    own figures.
    """

    kind: str
    message: str = ""
    fallbacks: list[Fallback] = field(default_factory=list)
    data: dict[str, Any] = field(default_factory=dict)
    seconds: float = 0.0


# In the order of the table: what runs, what PyTorch does not allow, faults.
RUNS = ("whole", "parts")
FAULTS = ("wrong", "refused", "raised", "crashed", "hung")
KINDS = (*RUNS, "unfit", "unexportable", *FAULTS)


def judged(judge: Callable[[Network], Outcome], build: Callable[[], Network]) -> Outcome:
    """The outcome of a column for an architecture; failures are outcomes."""
    start = time.monotonic()
    found = _judged(judge, build)
    found.seconds = round(time.monotonic() - start, 1)
    return found


def _judged(judge: Callable[[Network], Outcome], build: Callable[[], Network]) -> Outcome:
    try:
        network = build()
        check_inputs(network, {"static": _BATCH, "dynamic": _DYNAMIC_BATCH, "other": _OTHER_BATCH})
        return judge(network)
    except Unfit as error:
        return Outcome("unfit", str(error))
    except ImportModelError as error:
        return Outcome("unexportable" if error.step == "export" else "refused", _shown(error))
    except torch_refine.CompileError as error:
        return Outcome("refused", _shown(error))
    except Exception as error:
        return Outcome("raised", f"{type(error).__name__}: {_shown(error)}")


def static(network: Network) -> Outcome:
    """Compile in f32 for the example's sizes."""
    inputs = network.inputs(_BATCH)
    compiled = _compiled(network.model, inputs)
    return _outcome(compiled, network, _wider(network, torch.float64), [_rolled(inputs)])


def dynamic(network: Network) -> Outcome:
    """Compile in f32 for any batch; call it with two."""
    inputs = network.inputs(_DYNAMIC_BATCH)
    batch = Dim("batch")
    shapes = pytree.tree_map(lambda each: {0: batch}, inputs)
    compiled = _compiled(network.model, inputs, shapes)
    others = [_rolled(inputs), network.inputs(_OTHER_BATCH)]
    return _outcome(compiled, network, _wider(network, torch.float64), others)


def bfloat16(network: Network) -> Outcome:
    """Compile in bf16; the reference is eager mode in f32, with weights that were rounded.

    A result that differs is no fault if the reference itself differs as much once its weights
    change by less than a rounding: a router of experts whose scores are almost equal.
    """
    model = copy.deepcopy(network.model).bfloat16()

    def inputs(batch: int) -> Inputs:
        return _cast(network.inputs(batch), torch.bfloat16)

    rounded = Network(model, inputs)
    check_inputs(rounded, {"static": _BATCH})
    given = inputs(_BATCH)
    compiled = _compiled(model, given)
    return _outcome(compiled, rounded, _wider(rounded, torch.float32), [_rolled(given)], model)


def dynamo(network: Network) -> Outcome:
    """`torch.compile` with our backend, called with two batches."""
    from torch._dynamo.utils import counters

    said = Said()
    logging.getLogger("torch_refine").addHandler(said)
    torch._dynamo.reset()
    counters.clear()
    compiled = torch.compile(network.model, backend="torch_refine")
    inputs = network.inputs(_BATCH)
    others = [network.inputs(_DYNAMIC_BATCH), network.inputs(_OTHER_BATCH)]
    try:
        first = compare_calls(compiled, network, _wider(network, torch.float64), [inputs])
        graphs = counters["stats"]["unique_graphs"]
        breaks = sum(counters["graph_break"].values())
        second = compare_calls(compiled, network, _wider(network, torch.float64), others)
    except Exception as raised:
        _trace(network.model, [inputs, *others], raised)
        raise
    data: dict[str, Any] = {
        "graphs": graphs,
        "breaks": breaks,
        "recompilations": counters["stats"]["unique_graphs"] - graphs,
        "reasons of breaks": list(counters["graph_break"]),
        "eager graphs": said.eager,
        "error": max(first.error, second.error),
        "eager error": max(first.eager_error, second.eager_error),
    }
    fallbacks: list[Fallback] = [
        (name, n, reason, None) for (name, reason), n in said.operators.items()
    ]
    problem = first.problem or second.problem
    kind = "wrong" if problem else "parts" if said.eager or fallbacks else "whole"
    return Outcome(kind, problem, fallbacks, data)


def _trace(model: torch.nn.Module, given: list[Inputs], raised: Exception) -> None:
    """Trace a model for a backend that compiles nothing; raises ImportModelError if that raises
    the same type of error."""
    torch._dynamo.reset()
    traced = torch.compile(model, backend="eager")
    try:
        with torch.no_grad():
            for inputs in given:
                traced(**inputs)
    except Exception as error:
        if type(error) is not type(raised):
            return
        said = f"`torch.compile` fails with the backend `eager`, too: {_shown(error)}"
        raise ImportModelError("export", said) from error


class Said(logging.Handler):
    """What the backend logs about graphs and operators in PyTorch."""

    def __init__(self) -> None:
        super().__init__()
        self.eager: list[tuple[int, str]] = []
        self.operators: Counter[tuple[str, str]] = Counter()

    def emit(self, record: logging.LogRecord) -> None:
        """Take a record."""
        said = record.getMessage()
        whole, parts = _EAGER_GRAPH.search(said), _IN_PARTS.search(said)
        if whole is not None:
            self.eager.append((int(whole[1]), whole[2][:300]))
        if parts is not None:
            self.operators[("", parts[3][:300])] += int(parts[1])


def _compiled(model: torch.nn.Module, inputs: Inputs, shapes: Any = None) -> Any:
    # The sweep's results do not depend on earlier runs, but parts are tried again and again.
    with torch.no_grad():
        return torch_refine.compile(model, kwargs=inputs, dynamic_shapes=shapes, fallback="pytorch")


def _outcome(
    compiled: Any,
    network: Network,
    reference: Network,
    given: list[Inputs],
    narrow: torch.nn.Module | None = None,
) -> Outcome:
    """Call a program, compare, and read its report.

    `narrow` is a model whose roundings may decide between branches.
    """
    found = compare_calls(compiled, network, reference, given)
    if found.problem and narrow is not None:
        moved = max(moved_by_roundings(narrow, reference, inputs) for inputs in given)
        if found.error <= _TIMES_MOVED * moved:
            found = Comparison("", found.error, moved)
    with torch.no_grad():
        for _ in range(_CALLS):
            compiled(**given[0])
    report = compiled.report()
    fallbacks = [(each.name, each.count, each.reason, each.share) for each in report.in_pytorch]
    data = {
        "operators": report.compiled,
        "in pytorch": sum(each.count for each in report.in_pytorch),
        "parts": report.parts,
        "compiled share": report.compiled_share if fallbacks else 1.0,
        "error": found.error,
        "eager error": found.eager_error,
    }
    kind = "wrong" if found.problem else "parts" if fallbacks else "whole"
    return Outcome(kind, found.problem, fallbacks, data)


def compare_calls(
    compiled: Any, network: Network, reference: Network, given: list[Inputs]
) -> Comparison:
    """Call a program; the worst comparison."""
    worst = Comparison()
    for inputs in given:
        with torch.no_grad():
            torch.manual_seed(0)
            eager = network.model(**copy.deepcopy(inputs))
            again = network.model(**copy.deepcopy(inputs))
            found = compiled(**inputs)
            each = Comparison()
            if _same(eager, again):
                each = compare(found, eager, _exact(reference, inputs, eager))
        problem = worst.problem or each.problem
        worst = Comparison(
            problem, max(worst.error, each.error), max(worst.eager_error, each.eager_error)
        )
    return worst


def moved_by_roundings(narrow: torch.nn.Module, reference: Network, inputs: Inputs) -> float:
    """The greatest error of a reference in f32 whose weights are changed by at most a rounding to
    the dtype of `narrow`, at random."""
    step = torch.finfo(next(each.dtype for each in narrow.parameters())).eps
    given = _cast(inputs, torch.float32)
    random = torch.Generator().manual_seed(0)
    greatest = 0.0
    with torch.no_grad():
        exact = _floats(reference.model(**given))
        for _ in range(_ROUNDINGS):
            moved = copy.deepcopy(reference.model)
            for each in moved.parameters():
                each.mul_(1 + (torch.rand(each.shape, generator=random) - 0.5) * step)
            errors = map(relative_error, _floats(moved(**given)), exact, exact)
            greatest = max(greatest, *errors)
    return greatest


def _floats(results: Any) -> list[torch.Tensor]:
    leaves = pytree.tree_leaves(results)
    return [each for each in leaves if isinstance(each, torch.Tensor) and each.is_floating_point()]


def _same(one: Any, other: Any) -> bool:
    """Whether eager mode is deterministic."""
    pairs = zip(pytree.tree_leaves(one), pytree.tree_leaves(other), strict=True)
    return all(
        torch.equal(
            a.nan_to_num() if a.is_floating_point() else a,
            b.nan_to_num() if b.is_floating_point() else b,
        )
        for a, b in pairs
        if isinstance(a, torch.Tensor)
    )


def _exact(reference: Network, inputs: Inputs, eager: Any) -> Any:
    """The results in higher precision; eager mode's where the model does not run in it."""
    dtype = next(
        (each.dtype for each in reference.model.parameters() if each.is_floating_point()),
        torch.float64,
    )
    try:
        found = reference.model(**_cast(inputs, dtype))
    except Exception:
        return eager
    leaves, others = pytree.tree_leaves(found), pytree.tree_leaves(eager)
    shapes = [[getattr(each, "shape", None) for each in some] for some in (leaves, others)]
    return found if shapes[0] == shapes[1] else eager


def _wider(network: Network, dtype: torch.dtype) -> Network:
    return network.with_model(copy.deepcopy(network.model).to(dtype))


def _cast(inputs: Inputs, dtype: torch.dtype) -> Inputs:
    return {
        name: each.to(dtype)
        if isinstance(each, torch.Tensor) and each.is_floating_point()
        else each
        for name, each in inputs.items()
    }


def _rolled(inputs: Inputs) -> Inputs:
    """Other values of the same sizes: the batch in another order."""
    return {
        name: each.roll(1, 0) if isinstance(each, torch.Tensor) else each
        for name, each in inputs.items()
    }


def _shown(error: BaseException) -> str:
    """Some lines of an error's message."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return "\n".join(lines[:4])[:1000] if lines else first_line(error)
