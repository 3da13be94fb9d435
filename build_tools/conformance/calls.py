"""Every operator that PyTorch's CPU kernels run for a sample, compared with its inferred types.

Programs contain the operators that a user calls. PyTorch dispatches to others: decompositions of
composite operators, in-place variants, and gradients. Each distinct call is compared once.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch.utils import _pytree as pytree
from torch.utils._python_dispatch import TorchDispatchMode
from torch_refine.abstract_interpreter.calling import InferenceError, TensorSpec, infer
from torch_refine.build_tools.check_functions import MEMORY_FORMATS, REJECTIONS
from torch_refine.build_tools.conformance.samples import Sample, entries, samples_of
from torch_refine.dialect.schemas import schema
from torch_refine.operator_coverage import sampled_by

NAMESPACES = ("aten::", "prims::", "quantized::")
_LAYOUTS = (
    "strided",
    "sparse_coo",
    "sparse_csr",
    "_mkldnn",
    "sparse_csc",
    "sparse_bsr",
    "sparse_bsc",
)


@dataclass(frozen=True)
class Call:
    """One call of an operator, with a TensorSpec for every tensor, and its results.

    `results` has an entry for each of the schema's returns: a TensorSpec, a list of them, or None.
    """

    operator: str
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    results: tuple[Any, ...] | None

    def __str__(self) -> str:
        given = [*map(_shown, self.args)]
        given += [f"{name}={_shown(value)}" for name, value in self.kwargs.items()]
        return f"({', '.join(given)})"

    @property
    def key(self) -> str:
        """A key that is equal for equal calls."""
        return repr((self.operator, self.args, self.kwargs))


def _shown(value: Any) -> str:
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_shown, value))}]"
    return str(value)


@dataclass(frozen=True)
class CallVerdict:
    """The difference of the inferred types from a call's results; empty if they are exact."""

    operator: str
    outcome: str
    cause: str = ""


class Recorder(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Records the calls of operators, and the first of them that raises."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.calls: list[Call] = []
        self.raising: Call | None = None

    def __torch_dispatch__(
        self,
        func: Any,
        types: Any,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        """Run an operator, and record it."""
        kwargs = kwargs or {}
        name = func.name()
        # Before it runs, because it may mutate its arguments.
        given = described(args), {key: described(value) for key, value in kwargs.items()}
        try:
            result = func(*args, **kwargs)
        except REJECTIONS:
            if self.raising is None:
                self.raising = Call(name, *given, None)
            raise
        if name.startswith(NAMESPACES):
            several = result if isinstance(result, tuple) else (result,)
            self.calls.append(Call(name, *given, tuple(map(described, several))))
        return result


def described(value: Any) -> Any:
    """An argument or result in the form that `infer` accepts."""
    if isinstance(value, torch.Tensor):
        return TensorSpec(_sizes(value), value.dtype)
    if isinstance(value, list | tuple):
        return [described(item) for item in value]
    if isinstance(value, torch.dtype):
        return str(value)
    if isinstance(value, torch.memory_format):
        return MEMORY_FORMATS.index(str(value).removeprefix("torch."))
    if isinstance(value, torch.layout):
        return _LAYOUTS.index(str(value).removeprefix("torch."))
    if isinstance(value, torch.device):
        return str(value)
    return value


def _sizes(tensor: torch.Tensor) -> tuple[int, ...] | None:
    return None if tensor.is_nested else tuple(tensor.shape)


def recorded(name: str) -> Iterator[Call]:
    """The distinct calls that the samples of an entry dispatch."""
    seen: set[str] = set()
    for call in _all_calls(name):
        if call.key not in seen:
            seen.add(call.key)
            yield call


def entries_that_call(operator: str) -> list[str]:
    """The entries whose samples call an operator: by name, or according to an earlier full run."""
    base = operator.partition("::")[2].partition(".")[0]
    alike = {base, base.removesuffix("_"), base.removesuffix("_backward"), base.lstrip("_")}
    named = [
        name
        for name, entry in entries().items()
        if {entry.name, entry.aten_name, entry.name.replace(".", "_")} & alike
    ]
    return list(dict.fromkeys([*named, *sampled_by(operator)]))


def _all_calls(name: str) -> Iterator[Call]:
    entry = entries()[name]
    for sample in samples_of(name):
        yield from _calls(partial(run_sample, sample))
        # Without gradients, composite operators are not decomposed.
        yield from _calls(partial(run_sample, sample), torch.inference_mode)
    if entry.inplace_variant is not None:
        for sample in samples_of(name, lambda entry: entry.inplace_variant):
            yield from _calls(partial(run_sample, sample))
    if entry.supports_autograd and torch.float32 in entry.supported_backward_dtypes("cpu"):
        for sample in samples_of(name):
            if sample.dtype == "float32":
                yield from _calls(partial(differentiate_sample, sample), torch.enable_grad)


def run_sample(sample: Sample) -> None:
    """Run a sample on copies of its tensors."""
    sample.call([tensor.clone() for tensor in sample.tensors])


def differentiate_sample(sample: Sample) -> None:
    """Run a sample and its gradient."""
    tensors = [
        tensor.clone().requires_grad_(tensor.dtype.is_floating_point) for tensor in sample.tensors
    ]
    result = sample.call([tensor.view_as(tensor) for tensor in tensors])
    leaves = [leaf for leaf in pytree.tree_leaves(result) if isinstance(leaf, torch.Tensor)]
    outputs = [leaf for leaf in leaves if leaf.requires_grad]
    inputs = [tensor for tensor in tensors if tensor.requires_grad]
    if outputs and inputs:
        torch.autograd.grad(outputs, inputs, list(map(torch.ones_like, outputs)), allow_unused=True)


def _calls(
    run: Callable[[], Any], mode: Callable[[], AbstractContextManager[Any]] = torch.no_grad
) -> list[Call]:
    """The calls of a function until it returns or raises."""
    recorder = Recorder()
    with warnings.catch_warnings(), mode():
        warnings.simplefilter("ignore")
        # Calls before the exception count.
        with suppress(Exception), recorder:
            run()
    return recorder.calls


def judge_call(call: Call, *extra_library: Path) -> CallVerdict | None:
    """Compare the inferred types of a call with its results; None if it returns no tensor."""
    assert call.results is not None
    try:
        called = schema(call.operator)
    except KeyError:
        return None
    if not any(each.startswith("Tensor") for each in called.returns):
        return None
    if any(
        argument.type == "Tensor" and isinstance(value, bool | int | float | complex)
        for argument, value in zip(called.arguments, call.args, strict=False)
    ):
        # PyTorch calls the tensor overload with a scalar; programs call the scalar overload.
        return None
    if any(isinstance(value, complex) for value in pytree.tree_leaves((call.args, call.kwargs))):
        # The dialect has no complex scalars.
        return None
    try:
        found = infer(
            call.operator,
            *call.args,
            run_on="cpu",
            extra_library=extra_library,
            **call.kwargs,
        )
    except InferenceError as error:
        outcome = "contradiction" if "always raises" in str(error) else "incomplete"
        return CallVerdict(call.operator, outcome, f"{error}, called with {call}")
    several = found if isinstance(found, tuple) else (found,)
    outcome = "exact"
    for mine, given in zip(several, call.results, strict=False):
        one = _compare(mine, given)
        if one == "contradiction":
            cause = f"{_shown(mine)} for {call}, the kernel gives {_shown(given)}"
            return CallVerdict(call.operator, one, cause)
        if one != "exact":
            outcome = one
    return CallVerdict(call.operator, outcome, "" if outcome == "exact" else "not complete")


def _compare(mine: Any, given: Any) -> str:
    """How an inferred result compares with a real one."""
    if isinstance(given, list):
        if not isinstance(mine, list):
            return "incomplete"
        if len(mine) != len(given):
            return "contradiction"
        outcomes = {_compare(a, b) for a, b in zip(mine, given, strict=True)}
        return next((o for o in ("contradiction", "incomplete") if o in outcomes), "exact")
    if not isinstance(given, TensorSpec):
        return "exact"
    if not isinstance(mine, TensorSpec):
        return "incomplete"
    if mine.dtype not in (None, given.dtype):
        return "contradiction"
    if mine.sizes is None:
        return "incomplete"
    assert given.sizes is not None
    if len(mine.sizes) != len(given.sizes):
        return "contradiction"
    pairs = list(zip(mine.sizes, given.sizes, strict=True))
    if any(isinstance(a, int) and a != b for a, b in pairs):
        return "contradiction"
    known = mine.dtype is not None and all(isinstance(a, int) for a, _ in pairs)
    return "exact" if known else "incomplete"
