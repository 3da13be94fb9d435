"""One call as a program: compiled, run, and compared with eager mode."""

from __future__ import annotations

import gc
import json
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any, Literal

import torch
import torch_refine
from torch.utils import _pytree as pytree
from torch_refine.build_tools.code.guarded_memory import SIDES, GuardedHeap, guarded_heap
from torch_refine.build_tools.numerics.calls import ValueCall, overload_of, own_copy
from torch_refine.build_tools.numerics.choosing import unspecified
from torch_refine.build_tools.numerics.eager_mode import (
    Run,
    with_filled_memory,
    with_other_strides,
)
from torch_refine.build_tools.numerics.gpu import CRASHING, judge_on_gpu
from torch_refine.build_tools.numerics.varying import (
    VARIATIONS,
    has_same_numbers,
    is_accepted,
)
from torch_refine.build_tools.numerics.ways import LARGER, Way
from torch_refine.build_tools.numerics.workers import note
from torch_refine.importer import ImportModelError
from torch_refine.runtime.calls.guards import GuardError
from torch_refine.runtime.compiling import compiler, worker
from torch_refine.runtime.compiling.compiler import CompileError, Options
from torch_refine.runtime.torch_models.models import compile_model

_DOUBLE = {
    torch.float32: torch.float64,
    torch.float16: torch.float64,
    torch.bfloat16: torch.float64,
    torch.complex32: torch.complex128,
    torch.complex64: torch.complex128,
}
_ORDERINGS = ("argsort", "kthvalue", "median", "mode", "nanmedian", "sort", "topk")
_SUMS_OF_PRODUCTS = ("conv", "mm", "mv", "dot", "matmul", "linear", "einsum")
Kind = Literal["right", "closer", "refused", "wrong", "raised", "crashed", "hung", "unfit"]
# A file and a line, or the sweep's name of its programs.
_OPERATOR = re.compile(r"\b(aten|prims|torch_refine)(::|\.)\w+")
_PLACE = re.compile(r"\S+:\d+")


@dataclass(frozen=True)
class Outcome:
    """The outcome of a call.

    - right: equal to eager mode within the default tolerances of `torch.testing`
    - closer: not right, but as near as eager mode to PyTorch's result in float64, or of complex
      numbers, in complex128 with at most twice its greatest error per part; or a contraction
      that equals eager mode exactly on inputs that cause no rounding; or equal to eager mode for
      the same values with other strides, where eager mode disagrees with itself
    - refused: it does not compile, and the message says why
    - wrong, raised, crashed, hung: faults
    - unfit: it cannot be compared, and the message says why
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
    """A call as a model whose inputs are its tensors."""

    def __init__(self, call: ValueCall) -> None:
        super().__init__()
        self.call = call
        self.overload = overload_of(call.operator)
        self.writes = self.overload._schema.is_mutable

    def forward(self, *tensors: torch.Tensor) -> tuple[Any, ...]:
        """The operator's results, flat, without None."""
        if self.writes:
            tensors = tuple(tensor.clone() for tensor in tensors)
        args, kwargs = self.call.with_tensors(list(tensors))
        results = pytree.tree_leaves(self.overload(*args, **kwargs))
        return tuple(each for each in results if each is not None)


def judge(call: ValueCall, way: Way) -> Outcome:
    """Compile a call in some way, run it, and compare.

    Of a call that is varied, it is the first alternative that eager mode runs. Compiled for dynamic
    sizes, a program has those of the recorded call as examples, and is called with larger ones.
    """
    compile_here()
    torch.set_num_threads(1)
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        if not way.varied:
            return _judged(call, way)
        note("eager mode")
        alternatives = VARIATIONS[way.varied](call)
        runs_with_others = way.dynamic and way.varied == LARGER
        if runs_with_others:
            # The numbers of a program are constant.
            alternatives = filter(partial(has_same_numbers, call), alternatives)
        varied = next(filter(is_accepted, alternatives), None)
        if varied is None:
            return Outcome("unfit", f"eager mode runs no such call with {way.varied}")
        note(f"{varied}")
        outcome = _judged(varied, way, call.tensors if runs_with_others else None)
        return replace(outcome, message=f"{varied}: {outcome.message}")


def _judged(call: ValueCall, way: Way, examples: list[torch.Tensor] | None = None) -> Outcome:
    if way.target == "cuda":
        if call.operator in CRASHING:
            return Outcome("unfit", "eager mode reads memory of the GPU on the host")
        return judge_on_gpu(call, lambda moved: _judge(moved, way))
    if not way.guarded:
        return _judge(call, way, examples=examples)
    with guarded_heap() as heap:
        return _judge(call, way, heap, examples)


def _judge(
    call: ValueCall,
    way: Way,
    heap: GuardedHeap | None = None,
    examples: list[torch.Tensor] | None = None,
) -> Outcome:
    """The outcome of a call; the program is compiled with the examples, or with its tensors."""
    reason = unspecified(call)
    if reason:
        return Outcome("unfit", reason)
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
    if way.as_ir and difference(tuple(written), tuple(inputs)):
        return Outcome("unfit", "the operator writes to operands that its schema says it reads")
    try:
        given = tuple(map(own_copy, examples or inputs))
        shapes = (any_sizes(list(given)),) if way.dynamic else None
        if way.as_ir:
            compiled = _compiled_from_ir(model, given, shapes)
        elif heap is None:
            compiled = torch_refine.compile(model, given, way.target, shapes, threads=way.threads)
        else:
            compiled = compile_model(model, given, shapes, Options(separate_buffers=True))
    except (CompileError, ImportModelError) as error:
        return Outcome("refused", str(error))
    if heap is None:
        outcome = _run_and_compare(call, model, compiled, expected, written, way.long_sums)
        copies = list(map(own_copy, inputs))
        return unless_unwritten(outcome, lambda given: model(*given), copies, expected)
    outcome = Outcome("right")
    for heap.side in SIDES:
        note(f"each buffer touches an unreadable page at its {heap.side}")
        outcome = _run_and_compare(
            call, model, compiled, expected, written, way.long_sums, heap.copy
        )
        if outcome.kind not in ("right", "closer"):
            break
        if heap.live:
            # Objects in reference cycles are no leaks of the program.
            gc.collect()
        if heap.faults or heap.live:
            message = "; ".join([*heap.faults, f"{heap.live} buffers are not freed"])
            return Outcome("wrong", message)
    return outcome


def _compiled_from_ir(
    model: CallModule, examples: tuple[torch.Tensor, ...], shapes: Any
) -> Callable[..., Any]:
    """A program compiled from IR with the operator whole; its results are a tuple."""
    compiled = torch_refine.compile(torch_refine.import_model(model, examples, shapes))

    def call(*inputs: torch.Tensor) -> tuple[Any, ...]:
        return tuple(pytree.tree_leaves(compiled(*inputs)))

    return call


def _run_and_compare(
    call: ValueCall,
    model: CallModule,
    compiled: Callable[..., Any],
    expected: tuple[Any, ...],
    written: list[torch.Tensor],
    long_sums: bool,
    copy: Callable[[torch.Tensor], torch.Tensor] = own_copy,
) -> Outcome:
    """Run a program on copies of a call's tensors, and compare with eager mode."""
    passed = list(map(copy, call.tensors))
    try:
        found = compiled(*passed)
    except Exception as error:
        return raised(error)
    changed = difference(tuple(passed), tuple(written))
    if changed:
        return Outcome("wrong", f"it writes to its inputs otherwise: {changed}")
    return compare(call, model, compiled, found, expected, long_sums)


# Known refusals at run time, with their reasons.
_REFUSED_AT_RUN = (
    # The rank of a data-dependent result is inferred as if its sizes were not 1.
    "was assumed not to be 1",
    # Instead of results that are NaN where PyTorch's are not.
    "the weights of a transposed convolution are not finite",
    # PyTorch's result depends on the steps of its binary search.
    "the edges of bins must not descend",
    # The result is int64 there in PyTorch, whatever the dtype of the weights is.
    "bincount: weights for an empty input",
    # PyTorch's export bounds the true elements of a mask by the input's before broadcasting.
    "Runtime assertion failed for expression u0 <= ",
)


def raised(error: Exception) -> Outcome:
    """The outcome of a call for which the program raises and eager mode does not."""
    message = f"{type(error).__name__}: {error}"
    if isinstance(error, GuardError):
        return Outcome("unfit", f"the program is for other sizes: {message}")
    is_known = any(text in message for text in _REFUSED_AT_RUN)
    return Outcome("refused" if is_known else "raised", message)


def compare(
    call: ValueCall,
    model: CallModule,
    compiled: Callable[..., Any],
    found: tuple[Any, ...],
    expected: tuple[Any, ...],
    long_sums: bool = False,
) -> Outcome:
    """Compare the results of a program with those of eager mode.

    Of long sums in different orders, either may have the greatest error: the errors of all elements
    together may be twice those of eager mode.
    """
    wrong = difference(settled(call, found), settled(call, expected))
    if not wrong:
        return Outcome("right")
    copies = list(map(own_copy, call.tensors))
    is_closer = (
        _is_closer(call, found, expected, long_sums)
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
    """Whether each element equals that of eager mode for these strides, or for others.

    Where eager mode is equal for both, ours must be equal, too.
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
    """The outcome, unless eager mode returns uninitialised memory."""
    if outcome.kind not in ("wrong", "raised"):
        return outcome
    filled = with_filled_memory(run, inputs)
    if filled is None or not difference(filled, expected):
        return outcome
    return Outcome("unfit", "eager mode returns memory that nothing wrote")


def any_sizes(inputs: list[torch.Tensor]) -> tuple[dict[int, Any], ...]:
    """Dynamic shapes: every size but 0 and 1, as far as the operator allows it."""
    return tuple(
        {dim: torch.export.Dim.AUTO for dim, size in enumerate(tensor.shape) if size > 1}
        for tensor in inputs
    )


def settled(call: ValueCall, results: tuple[Any, ...]) -> tuple[Any, ...]:
    """The results of a call, with indices of a sort replaced by the selected values.

    PyTorch guarantees no order of equal values. It sorts for a mode by a comparison that puts NaN
    nowhere, so the results for slices with NaN are not compared.
    """
    return with_selected(call.operator, call.tensors, call.args, call.kwargs, results)


def with_selected(
    operator: str,
    tensors: Sequence[torch.Tensor],
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    results: tuple[Any, ...],
) -> tuple[Any, ...]:
    """The same for an operator, its operands that are tensors, and all of its arguments."""
    name = operator.partition("::")[2].partition(".")[0]
    if name not in _ORDERINGS or not results:
        return results
    places, given = results[-1], tensors[0]
    if given.dim() == 0 or not places.numel():
        return results
    arguments = overload_of(operator)._schema.arguments
    names = [argument.name for argument in arguments]
    if "dim" not in names:
        return results
    given_by_name = {**dict(zip(names, args, strict=False)), **kwargs}
    dim = given_by_name.get("dim", arguments[names.index("dim")].default_value)
    if places.dim() < given.dim():
        places = places.unsqueeze(dim)
    if places.min() < 0 or places.max() >= given.shape[dim]:
        return results
    found = (*results[:-1], torch.take_along_dim(given, places, dim))
    if name != "mode":
        return found
    is_unknown = given.isnan().any(dim, keepdim=True)
    return tuple(each.reshape(places.shape).masked_fill(is_unknown, 0) for each in found)


def difference(found: tuple[Any, ...], expected: tuple[Any, ...]) -> str:
    """The difference of results, by the default tolerances of each dtype; empty if none."""
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


def _is_closer(
    call: ValueCall, found: tuple[Any, ...], expected: tuple[Any, ...], long_sums: bool
) -> bool:
    """Whether results are as near to PyTorch's in double precision as eager mode's.

    Either they are equal within the default tolerances, or the error is not above that of eager
    mode: the greatest one, or that of long sums.
    """
    # An integer tensor may be converted to the dtype that an argument names.
    named = any(map(_is_narrow, pytree.tree_leaves((call.args, call.kwargs))))
    if not named and not any(tensor.dtype in _DOUBLE for tensor in call.tensors):
        return False
    wide = list(map(in_double, call.tensors))
    try:
        reference = CallModule(_in_doubles(call))(*wide)
    except (RuntimeError, TypeError, ValueError, IndexError):
        # PyTorch has no kernel for float64: the call stays wrong.
        return False
    if len(reference) != len(found):
        return False
    return all(
        is_near(*three, long_sums=long_sums) or not difference((three[0],), (three[1],))
        for three in zip(found, expected, reference, strict=True)
    )


def _in_doubles(call: ValueCall) -> ValueCall:
    """The call with dtype arguments in double precision."""
    args, kwargs = pytree.tree_map(double_dtype, (call.args, call.kwargs))
    return replace(call, args=args, kwargs=kwargs)


def double_dtype(leaf: Any) -> Any:
    """In place of a narrower dtype, that of double precision; anything else as it is."""
    return _DOUBLE.get(leaf, leaf) if isinstance(leaf, torch.dtype) else leaf


def in_double(tensor: torch.Tensor) -> torch.Tensor:
    """A copy of a tensor, in double precision if it has a narrower dtype."""
    kind = _DOUBLE.get(tensor.dtype)
    return own_copy(tensor) if kind is None else tensor.to(kind)


def _is_narrow(leaf: Any) -> bool:
    return isinstance(leaf, torch.dtype) and leaf in _DOUBLE


def _is_exact(call: ValueCall, model: CallModule, compiled: Callable[..., Any]) -> bool:
    """Whether a contraction equals eager mode on multiples of 1/8, whose sums are exact.

    Long sums of large terms in different orders differ by more than the tolerances, and neither
    order is better.
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


def is_near(
    mine: Any, theirs: Any, reference: Any, factor: float = 1.0, long_sums: bool = False
) -> bool:
    """Whether a result is as near to a reference as another one, or equal to it when rounded.

    With a factor, the greatest error may be as many times that of the other one. For long sums, the
    root of the sum of the squares of all errors may be twice that of the other one.
    """
    if not isinstance(reference, torch.Tensor):
        return False
    if mine.shape != theirs.shape or mine.dtype != theirs.dtype:
        return False
    if reference.dtype != _DOUBLE.get(mine.dtype, torch.float64):
        return False
    if mine.dtype.is_complex:
        # Of an error along the other axis, either part may have more; kernels may be half as exact.
        parts = [torch.view_as_real(each) for each in (mine, theirs, reference)]
        return is_near(parts[0], parts[1], parts[2], 2.0, long_sums)
    if not difference((mine,), (reference.to(mine.dtype),)):
        return True
    finite = mine.isfinite()
    if not finite.equal(theirs.isfinite()) or difference((mine[~finite],), (theirs[~finite],)):
        return False
    if not finite.any():
        return True
    errors = [(each.to(torch.float64) - reference)[finite] for each in (mine, theirs)]
    if long_sums:
        return bool(errors[0].norm() <= 2.0 * errors[1].norm())
    return bool(errors[0].abs().max() <= factor * errors[1].abs().max())


@cache
def compile_here() -> None:
    """Compile in this process, a worker that may crash."""
    compiler._run = _run


def _run(bytecode: bytes, request: dict[str, Any], folder: Path) -> None:
    (folder / "request.json").write_text(json.dumps(request), encoding="utf-8")
    (folder / "module.mlirbc").write_bytes(bytecode)
    worker.main([str(folder)])
    result = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    if "failed" in result:
        raise CompileError("\n".join([f"{result['failed']} failed", *result["diagnostics"]]))
