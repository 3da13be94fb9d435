"""The samples that PyTorch rejects: the functions reject them, too, or the cause is known."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch_refine.abstract_interpreter.calling import InferenceError, infer
from torch_refine.build_tools.conformance.calls import NAMESPACES, Call, Recorder, described
from torch_refine.build_tools.conformance.samples import Sample, entries, rejected_samples_of
from torch_refine.dialect.schemas import schema

# Causes of rejections other than shapes and dtypes, by patterns of PyTorch's message.
_CAUSES = (
    ("a check of what kind an argument is, in Python",
     r"argument '.*' .*must be .*, not|element \d+ in argument"),
    ("a check on devices", r"device|cuda|CPU"),
    ("a check on layouts, strides or memory", r"layout|stride|contiguous|memory|storage|overlap|"
     r"sparse|more than one element of the written-to|pinned|view size is not compatible"),
    ("a check on gradients", r"grad|autograd|leaf|differentiable"),
    ("a check on generators", r"generator"),
    ("a check on dtypes", r"dtype|scalar type|Input type|integral|data type|expects Long tensor"),
    ("a check on values", r"expects (sigma|lambda|p|std) "),
    ("a check on values", r"index|indices|out of (range|bounds)|value|singular|zero|range|"
     r"positive[- ]definite|negative|nan|probabilit|sum of|less than|greater|larger|at least|"
     r"must be (between|in|positive|non)|equal|invalid|supported|expected .* to be"),
)  # fmt: skip


@dataclass(frozen=True)
class Rejection:
    """A sample that PyTorch rejects; `operator` is the one that raised, if any.

    `outcome` is "rejected" if the functions raise, otherwise the cause why they do not.
    """

    name: str
    operator: str | None
    message: str
    outcome: str


def rejections_of(name: str) -> Iterator[Rejection]:
    """The outcomes of an entry's samples that PyTorch rejects."""
    for sample, _ in rejected_samples_of(name):
        found = _rejection(sample)
        if found is not None:
            yield found


def _rejection(sample: Sample) -> Rejection | None:
    recorder = Recorder()
    message = None
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        try:
            with recorder:
                sample.call(sample.tensors)
        except Exception as error:
            message = (str(error).strip().splitlines() or [type(error).__name__])[0]
    if message is None:
        # The backward pass rejects it, not the call.
        return None
    candidates = [recorder.raising] if recorder.raising is not None else _calls_of(sample)
    candidates = [each for each in candidates if each.operator.startswith(NAMESPACES)]
    operator = candidates[0].operator if candidates else None
    for call in candidates:
        try:
            infer(call.operator, *call.args, run_on="cpu", **call.kwargs)
        except InferenceError as error:
            if "always raises" in str(error):
                return Rejection(sample.name, call.operator, message, "rejected")
    return Rejection(sample.name, operator, message, _cause(operator, message))


def _cause(operator: str | None, message: str) -> str:
    if operator is None:
        return "a check in Python, before an operator is called"
    if not any(each.startswith("Tensor") for each in schema(operator).returns):
        return "an operator that returns no tensor"
    for cause, pattern in _CAUSES:
        if re.search(pattern, message, re.IGNORECASE):
            return cause
    return "not rejected"


def _calls_of(sample: Sample) -> list[Call]:
    """The calls of the operator that an entry names, by overload, where they fit the schema.

    A composite operator that raises before it calls another is not recorded.
    """
    name = getattr(entries()[sample.name], "aten_name", None) or sample.name
    packet: Any = getattr(torch.ops.aten, name.replace(".", "_"), None)
    if packet is None:
        return []
    args, kwargs = tuple(map(described, sample.args)), dict(sample.kwargs)
    kwargs = {key: described(value) for key, value in kwargs.items()}
    calls = []
    for overload in packet.overloads():
        operator = f"aten::{packet.__name__}" + ("" if overload == "default" else f".{overload}")
        names = {argument.name for argument in schema(operator).arguments}
        if len(args) <= len(names) and set(kwargs) <= names:
            calls.append(Call(operator, args, kwargs, None))
    return calls
