"""Calls that eager mode rejects, each as a program.

PyTorch does not export most of them; exported ones must raise when they are compiled or called.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import torch
from torch.utils import _pytree as pytree
from torch_refine.build_tools.check_functions import load_families, to_pytorch
from torch_refine.build_tools.code.guarded_memory import guarded_heap
from torch_refine.build_tools.conformance.samples import Sample, rejected_samples_of
from torch_refine.build_tools.numerics.calls import ValueCall
from torch_refine.build_tools.numerics.workers import Died, note
from torch_refine.build_tools.safety.bad_calls import BadCall, limits
from torch_refine.build_tools.safety.judging import (
    Judged,
    Judgement,
    Verdict,
    died,
    judge,
    prepare_process,
    run_each,
)
from torch_refine.build_tools.safety.programs import InputModule, compile_guarded
from torch_refine.runtime.compiling.compiler import Options
from torch_refine.runtime.torch_models.models import compile_model

# The number of programs with extreme integers that eager mode accepts, per operator.
_MOST_ACCEPTED = 3
_SECONDS = 60.0


class SampleModule(InputModule):
    """A sample of OpInfo as a model whose inputs are its tensors."""

    def __init__(self, sample: Sample) -> None:
        torch.nn.Module.__init__(self)
        self.sample = sample
        self.numbers = False
        self.call = ValueCall(sample.name, sample.args, sample.kwargs, "", sample.name)

    def forward(self, *inputs: Any) -> tuple[Any, ...]:
        """The function's results, flat, without None."""
        copied = [each.clone() for each in inputs]
        results = pytree.tree_leaves(self.sample.call(copied))
        return tuple(each for each in results if each is not None)


def judge_rejected(call: ValueCall) -> Judged:
    """The library's raising cases of a call's operator, and the call with extreme integers."""
    prepare_process()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        models = [
            *((f"case {each}", InputModule(each, False)) for each in _raising_cases(call.operator)),
            *((str(each), InputModule(each, False)) for each in _with_extreme_integers(call)),
        ]
        return _judge_models("compiled", str(call), models)


def judge_error_inputs(name: str) -> Judged:
    """The samples of an entry that PyTorch must reject."""
    prepare_process()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        models = [
            (f"error input {sample.index} of {name}", SampleModule(sample))
            for sample, _ in rejected_samples_of(name)
        ]
        return _judge_models("error inputs", name, models)


def _judge_models(kind: str, shown: str, models: Sequence[tuple[str, InputModule]]) -> Judged:
    """Judge calls that eager mode rejects, and a few of the others."""
    eager = run_each([partial(_is_rejected, model) for _, model in models])
    accepted = [i for i, found in enumerate(eager) if found is False][:_MOST_ACCEPTED]
    if kind == "error inputs":
        # For example, only the backward pass rejects them.
        accepted = []
    chosen = [i for i, found in enumerate(eager) if found is True or i in accepted]
    judged = run_each([partial(_judge_model, kind, *models[i]) for i in chosen], _SECONDS)
    calls = [
        died(kind, models[i][0], found) if isinstance(found, Died) else found
        for i, found in zip(chosen, judged, strict=True)
    ]
    return Judged(shown, kind, calls=calls)


def _is_rejected(model: InputModule) -> bool:
    with torch.no_grad():
        try:
            model(*model.inputs())
        except Exception:
            # The types of exceptions are not compared.
            return True
    return False


def _judge_model(kind: str, what: str, model: InputModule) -> Judgement:
    with guarded_heap() as heap:
        note("exports")
        try:
            with torch.no_grad():
                compiled = _compile(model)
        except Exception as error:
            verdict: Verdict = "raises" if _is_rejected(model) else "refuses"
            said = f"{type(error).__name__}: {error}"[:500]
            return Judgement(kind, what, verdict, said)
        bad = BadCall("values", what, model.inputs())
        return replace(judge(model, compiled, heap, bad), kind=kind)


def _compile(model: InputModule) -> Callable[..., Any]:
    if isinstance(model, SampleModule):
        compiled: Callable[..., Any] = compile_model(
            model, model.inputs(), None, Options(separate_buffers=True)
        )
        return compiled
    return compile_guarded(model, "static")


def _raising_cases(operator: str) -> Iterator[ValueCall]:
    """The calls that the library's functions of an operator must reject."""
    seen: set[str] = set()
    found = load_families([operator])
    for kind in ("shape", "dtype"):
        declared = found.get((kind, operator))
        for case in declared.error if declared is not None else ():
            if str(case) in seen:
                continue
            seen.add(str(case))
            try:
                args = tuple(to_pytorch(each, "cpu") for each in case.args)
                kwargs = {key: to_pytorch(each, "cpu") for key, each in case.kwargs.items()}
            except Exception:
                # A tensor that PyTorch cannot create, such as a sparse one of some dtypes.
                continue
            if all(map(_is_dense, pytree.tree_leaves((args, kwargs)))):
                yield ValueCall(operator, args, kwargs, "", "")


def _is_dense(leaf: Any) -> bool:
    return not isinstance(leaf, torch.Tensor) or (
        leaf.layout == torch.strided and leaf.device.type == "cpu" and not leaf.is_quantized
    )


def _with_extreme_integers(call: ValueCall) -> Iterator[ValueCall]:
    leaves, spec = pytree.tree_flatten((call.args, call.kwargs))
    for place, leaf in enumerate(leaves):
        if isinstance(leaf, int) and not isinstance(leaf, bool):
            for value in limits(tuple(call.tensors)):
                if value != leaf:
                    changed = [*leaves[:place], value, *leaves[place + 1 :]]
                    args, kwargs = pytree.tree_unflatten(changed, spec)
                    yield replace(call, args=args, kwargs=kwargs)
