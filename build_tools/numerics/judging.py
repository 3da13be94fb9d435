"""One call as a program: compiled, run, and compared with eager mode."""

from __future__ import annotations

import gc
import json
import re
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Literal

import torch
import torch_refine
from torch.utils import _pytree as pytree
from torch_refine.build_tools.guarded_memory import SIDES, GuardedHeap, guarded_heap
from torch_refine.build_tools.numerics.calls import ValueCall, overload_of, own_copy
from torch_refine.build_tools.numerics.eager_mode import (
    Run,
    with_filled_memory,
    with_other_strides,
)
from torch_refine.build_tools.numerics.workers import note
from torch_refine.importer import ImportModelError
from torch_refine.runtime import compiler, worker
from torch_refine.runtime.compiler import CompileError, Options
from torch_refine.runtime.models import compile_model

_WIDENED = (torch.float32, torch.float16, torch.bfloat16)
_ORDERINGS = ("argsort", "kthvalue", "sort", "topk")
_SUMS_OF_PRODUCTS = ("conv", "mm", "mv", "dot", "matmul", "linear", "einsum")
Kind = Literal["right", "closer", "refused", "wrong", "raised", "crashed", "hung", "unfit"]
# A file and a line, or the name that the sweep gives its programs.
_OPERATOR = re.compile(r"\b(aten|prims|torch_refine)(::|\.)\w+")
_PLACE = re.compile(r"\S+:\d+")


@dataclass(frozen=True)
class Outcome:
    """What became of a call.

    - right: equal to eager mode within the default tolerances of `torch.testing`
    - closer: not so, but as near as eager mode to what PyTorch computes in float64; or a sum of
      products that equals eager mode exactly where nothing is rounded; or what eager mode gives for
      the same values with other strides, where it disagrees with itself
    - refused: it does not compile, and the message says why
    - wrong, raised, crashed, hung: what must not be
    - unfit: there is nothing to compare, and the message says why
    """

    kind: Kind
    message: str = ""

    @property
    def names_operator(self) -> bool:
        """Whether the message names an operator."""
        return bool(_OPERATOR.search(self.message))

    @property
    def names_place(self) -> bool:
        """Whether the message names a source line."""
        return bool(_PLACE.search(self.message))


class CallModule(torch.nn.Module):
    """A call as a model that takes its tensors."""

    def __init__(self, call: ValueCall) -> None:
        super().__init__()
        self.call = call
        self.overload = overload_of(call.operator)
        self.writes = self.overload._schema.is_mutable

    def forward(self, *tensors: torch.Tensor) -> tuple[Any, ...]:
        """What the operator returns, flat, without what is no value."""
        if self.writes:
            tensors = tuple(tensor.clone() for tensor in tensors)
        args, kwargs = self.call.with_tensors(list(tensors))
        results = pytree.tree_leaves(self.overload(*args, **kwargs))
        return tuple(each for each in results if each is not None)


def judge(call: ValueCall, dynamic: bool = False, guarded: bool = False) -> Outcome:
    """Compile a call, run it, and compare; `dynamic` compiles it for any sizes it may have.

    Guarded, each buffer lies beside an unreadable page, first at its end, then at its start: what
    touches other memory ends the process.
    """
    compile_here()
    torch.set_num_threads(1)
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        if not guarded:
            return _judge(call, dynamic)
        with guarded_heap() as heap:
            return _judge(call, dynamic, heap)


def _judge(call: ValueCall, dynamic: bool, heap: GuardedHeap | None = None) -> Outcome:
    model = CallModule(call)
    inputs = call.tensors
    written = list(map(own_copy, inputs))
    try:
        expected = model(*written)
        again = model(*map(own_copy, inputs))
    except Exception as error:
        return Outcome("unfit", f"eager mode raises: {error}")
    if difference(expected, again):
        return Outcome("unfit", "eager mode itself gives other results every time")
    try:
        examples = tuple(map(own_copy, inputs))
        shapes = (any_sizes(inputs),) if dynamic else None
        if heap is None:
            compiled = torch_refine.compile(model, examples, dynamic_shapes=shapes)
        else:
            compiled = compile_model(model, examples, shapes, Options(separate_buffers=True))
    except (CompileError, ImportModelError) as error:
        return Outcome("refused", str(error))
    if heap is None:
        outcome = _run_and_compare(call, model, compiled, expected, written)
        copies = list(map(own_copy, inputs))
        return unless_unwritten(outcome, lambda given: model(*given), copies, expected)
    outcome = Outcome("right")
    for heap.side in SIDES:
        note(f"each buffer touches an unreadable page at its {heap.side}")
        outcome = _run_and_compare(call, model, compiled, expected, written, heap.copy)
        if outcome.kind not in ("right", "closer"):
            break
        if heap.live:
            # What lives in cycles is not left by the program.
            gc.collect()
        if heap.faults or heap.live:
            message = "; ".join([*heap.faults, f"{heap.live} buffers are not freed"])
            return Outcome("wrong", message)
    return outcome


def _run_and_compare(
    call: ValueCall,
    model: CallModule,
    compiled: Callable[..., Any],
    expected: tuple[Any, ...],
    written: list[torch.Tensor],
    copy: Callable[[torch.Tensor], torch.Tensor] = own_copy,
) -> Outcome:
    """Run a program on copies of a call's tensors, and compare with what eager mode gave."""
    passed = list(map(copy, call.tensors))
    try:
        found = compiled(*passed)
    except Exception as error:
        return raised(error)
    changed = difference(tuple(passed), tuple(written))
    if changed:
        return Outcome("wrong", f"it writes to its inputs otherwise: {changed}")
    return compare(call, model, compiled, found, expected)


# What is known to be refused only when a program runs, and why it is not computed.
_REFUSED_AT_RUN = (
    # The rank of a result that the program counts is one that it has but for sizes of 1.
    "was taken not to be 1",
    # In place of results that are NaN where PyTorch's are not.
    "the weights of a transposed convolution are not finite",
    # PyTorch counts int64 there, whatever the weights are.
    "bincount: weights of no numbers",
    # PyTorch's export takes no more elements of a mask than the input has before it is broadcast.
    "Runtime assertion failed for expression u0 <= ",
)


def raised(error: Exception) -> Outcome:
    """The outcome of a call that eager mode answers and a program does not."""
    message = f"{type(error).__name__}: {error}"
    is_known = any(text in message for text in _REFUSED_AT_RUN)
    return Outcome("refused" if is_known else "raised", message)


def compare(
    call: ValueCall,
    model: CallModule,
    compiled: Callable[..., Any],
    found: tuple[Any, ...],
    expected: tuple[Any, ...],
) -> Outcome:
    """Compare the results of a program with those of eager mode."""
    wrong = difference(settled(call, found), settled(call, expected))
    if not wrong:
        return Outcome("right")
    copies = list(map(own_copy, call.tensors))
    is_closer = (
        _is_closer(call, found, expected)
        or _is_exact(call, model, compiled)
        or is_one_of_two(lambda given: model(*given), copies, [call.operator], found, expected)
    )
    return Outcome("closer" if is_closer else "wrong", wrong)


def is_one_of_two(
    run: Run,
    inputs: Sequence[torch.Tensor],
    operators: Sequence[str],
    found: tuple[Any, ...],
    expected: tuple[Any, ...],
) -> bool:
    """Whether each element is what eager mode gives for inputs with these strides, or with others.

    Of what eager mode gives the same for both, ours must be that.
    """
    return any(
        len(other) == len(expected)
        and difference(other, expected)
        and not difference(found, tuple(map(_nearest, found, expected, other)))
        for other in with_other_strides(run, inputs, operators)
    )


def _nearest(mine: Any, one: Any, other: Any) -> Any:
    """The elements of `one`, or those of `other` where these equal `mine` and those do not."""
    if not all(isinstance(each, torch.Tensor) for each in (mine, one, other)):
        return one
    if not mine.shape == one.shape == other.shape or not mine.dtype == one.dtype == other.dtype:
        return one
    first, second = (torch.isclose(mine, each, equal_nan=True) for each in (one, other))
    return torch.where(torch.logical_or(first, torch.logical_not(second)), one, other)


def unless_unwritten(
    outcome: Outcome, run: Run, inputs: Sequence[torch.Tensor], expected: tuple[Any, ...]
) -> Outcome:
    """The outcome, unless there is nothing to compare, as nothing wrote what eager mode returns."""
    if outcome.kind not in ("wrong", "raised"):
        return outcome
    filled = with_filled_memory(run, inputs)
    if filled is None or not difference(filled, expected):
        return outcome
    return Outcome("unfit", "eager mode returns memory that nothing wrote")


def any_sizes(inputs: list[torch.Tensor]) -> tuple[dict[int, Any], ...]:
    """Every size that is not 0 or 1 is any, as far as the operator lets it."""
    return tuple(
        {dim: torch.export.Dim.AUTO for dim, size in enumerate(tensor.shape) if size > 1}
        for tensor in inputs
    )


def settled(call: ValueCall, results: tuple[Any, ...]) -> tuple[Any, ...]:
    """The results of a call, with what an order picks in place of where that is.

    Where values are equal, PyTorch promises no order of their places.
    """
    name = call.operator.partition("::")[2].partition(".")[0]
    if name not in _ORDERINGS or not results:
        return results
    places, given = results[-1], call.tensors[0]
    if given.dim() == 0 or not places.numel():
        return results
    arguments = overload_of(call.operator)._schema.arguments
    names = [argument.name for argument in arguments]
    given_by_name = {**dict(zip(names, call.args, strict=False)), **call.kwargs}
    dim = given_by_name.get("dim", arguments[names.index("dim")].default_value)
    if places.dim() < given.dim():
        places = places.unsqueeze(dim)
    if places.min() < 0 or places.max() >= given.shape[dim]:
        return results
    return *results[:-1], torch.take_along_dim(given, places, dim)


def difference(found: tuple[Any, ...], expected: tuple[Any, ...]) -> str:
    """How results differ, by the default tolerances of each dtype; nothing if they do not."""
    if len(found) != len(expected):
        return f"{len(found)} results instead of {len(expected)}"
    for number, (mine, theirs) in enumerate(zip(found, expected, strict=True)):
        try:
            torch.testing.assert_close(
                mine.resolve_conj().resolve_neg() if isinstance(mine, torch.Tensor) else mine,
                theirs.resolve_conj().resolve_neg() if isinstance(theirs, torch.Tensor) else theirs,
                equal_nan=True,
                check_stride=False,
            )
        except AssertionError as error:
            return f"result {number}: {' '.join(str(error).split())}"
    return ""


def _is_closer(call: ValueCall, found: tuple[Any, ...], expected: tuple[Any, ...]) -> bool:
    """Whether results are as near to what PyTorch computes in double precision as eager mode's.

    Either they equal it by the default tolerances, or no error is greater than the greatest of
    eager mode.
    """
    if not any(tensor.dtype in _WIDENED for tensor in call.tensors):
        return False
    wide = [
        tensor.to(torch.float64) if tensor.dtype in _WIDENED else own_copy(tensor)
        for tensor in call.tensors
    ]
    try:
        reference = CallModule(_in_doubles(call))(*wide)
    except (RuntimeError, TypeError, ValueError, IndexError):
        # PyTorch has no such kernel for doubles: the call stays wrong, as it was found.
        return False
    if len(reference) != len(found):
        return False
    return all(
        is_near(*three) or not difference((three[0],), (three[1],))
        for three in zip(found, expected, reference, strict=True)
    )


def _in_doubles(call: ValueCall) -> ValueCall:
    """A call that asks for doubles where it asks for less."""
    args, kwargs = pytree.tree_map(
        lambda leaf: torch.float64 if _is_narrow(leaf) else leaf, (call.args, call.kwargs)
    )
    return replace(call, args=args, kwargs=kwargs)


def _is_narrow(leaf: Any) -> bool:
    return isinstance(leaf, torch.dtype) and leaf in _WIDENED


def _is_exact(call: ValueCall, model: CallModule, compiled: Callable[..., Any]) -> bool:
    """Whether a sum of products equals eager mode on eighths, of which no sum is rounded.

    Long sums of large terms differ by more than the tolerances when they are added up in another
    order, and neither order is the better one.
    """
    if not any(part in call.operator for part in _SUMS_OF_PRODUCTS):
        return False
    eighths = [
        (tensor * 8).round().clamp(-80, 80) / 8 if tensor.dtype == torch.float32 else tensor
        for tensor in call.tensors
    ]
    expected = model(*map(own_copy, eighths))
    found = compiled(*map(own_copy, eighths))
    return all(map(torch.equal, found, expected))


def is_near(mine: Any, theirs: Any, reference: Any) -> bool:
    """Whether one result is as near to a reference as another one, or equal to it when rounded."""
    if not isinstance(reference, torch.Tensor) or reference.dtype != torch.float64:
        return False
    if mine.shape != theirs.shape or mine.dtype != theirs.dtype:
        return False
    if not difference((mine,), (reference.to(mine.dtype),)):
        return True
    finite = mine.isfinite()
    if not finite.equal(theirs.isfinite()) or difference((mine[~finite],), (theirs[~finite],)):
        return False
    if not finite.any():
        return True
    errors = [(each.to(torch.float64) - reference)[finite].abs().max() for each in (mine, theirs)]
    return bool(errors[0] <= errors[1])


@cache
def compile_here() -> None:
    """Compile in this process, which may die of it: it was made for that."""
    compiler._run = _run


def _run(bytecode: bytes, request: dict[str, Any], folder: Path) -> None:
    (folder / "request.json").write_text(json.dumps(request), encoding="utf-8")
    (folder / "module.mlirbc").write_bytes(bytecode)
    worker.main([str(folder)])
    result = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    if "failed" in result:
        raise CompileError("\n".join([f"{result['failed']} failed", *result["diagnostics"]]))
