"""Which of the recorded calls are compiled."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from random import Random
from typing import Any

import torch
from torch_refine.build_tools.numerics.calls import ValueCall, key_of, overload_of, own_copy

# The number of calls that are compiled of each overload, by the dtype of their first tensor.
_SAMPLES = {"float32": 6}
_SAMPLES_OF_OTHERS = 1
# Operands of an overload that have extreme values, one at a time.
_MOST_OPERANDS = 4
_EXTREMES = (float("nan"), float("inf"), -float("inf"), -0.0)
# Operators whose results are unspecified for non-finite values: factorisations, comparisons that
# determine indices, distances (PyTorch's kernels and decompositions differ), statistics, whose
# running mean is NaN for an infinite mean, and interpolation, where a neighbour of weight 0 may
# count or not; transforms, where what an infinity reaches depends on how they are taken apart;
# margin losses skip NaN in comparisons; the gradient of a loss by class is 0 for all
# other classes, without multiplication; kernels of orthogonal polynomials do not write the result
# at NaN; whether the maximum of squares of Adam, and the sum of `_add_relu`, is NaN depends on the
# index of the element; `unique_dim` sorts by a comparison that puts NaN nowhere; a softmax,
# which its gradient takes, is finite; weights of `conv_tbc` that are not raise.
ORDINARY_VALUES_ONLY = (
    "linalg",
    "fft",
    "stft",
    "grid_sampl",
    "histc",
    "bucketize",
    "searchsorted",
    "_fused_adam",
    "_add_relu",
    "unique_dim",
    "eig",
    "svd",
    "dist",
    "norm",
    "var",
    "std",
    "upsample",
    "interpolate",
    "margin_loss",
    "nll_loss2d_backward",
    "_softmax_backward_data",
    "conv_tbc",
    "_polynomial_",
)

# Reasons why the values of a result cannot be compared.
_UNINITIALISED = "gives uninitialised memory"
INCOMPARABLE = {
    "empty": _UNINITIALISED,
    "empty_like": _UNINITIALISED,
    "empty_permuted": _UNINITIALISED,
    "empty_strided": _UNINITIALISED,
    "new_empty": _UNINITIALISED,
    "new_empty_strided": _UNINITIALISED,
    "resize": _UNINITIALISED,
    "resize_": _UNINITIALISED,
    "resize_as_": _UNINITIALISED,
}


def incomparable(operator: str) -> str:
    """Why results of an operator cannot be compared with eager mode; empty if they can."""
    overload = overload_of(operator)
    if torch.Tag.nondeterministic_seeded in overload.tags:
        return "draws random numbers"
    return INCOMPARABLE.get(operator.partition("::")[2].partition(".")[0], "")


def unspecified(call: ValueCall) -> str:
    """Why the result of a call is left open by PyTorch; empty if it is not."""
    if call.operator.startswith("aten::_neg_view"):
        is_bool = any(each.dtype == torch.bool for each in call.tensors)
        return "PyTorch makes negative views of bools, but cannot read them" if is_bool else ""
    names = [each.name for each in overload_of(call.operator)._schema.arguments]
    given = {**dict(zip(names, call.args, strict=False)), **call.kwargs}
    if re.fullmatch(r"aten::_upsample_\w+_aa(\.vec)?", call.operator) and _width(given) == 1:
        return "kernels of eager mode differ for images of width 1 by their memory format"
    if call.operator == "aten::as_strided_scatter":
        places = torch.arange(given["self"].numel())
        view = places.as_strided(given["size"], given["stride"], given.get("storage_offset") or 0)
        overlaps = len(set(view.flatten().tolist())) < view.numel()
        return "which of several elements at a place is kept is open" if overlaps else ""
    if "embedding_bag" not in call.operator or "backward" in call.operator:
        return ""
    if not given.get("include_last_offset"):
        return ""
    # A mean counts them, a sum leaves them out, and a maximum takes them in.
    ends = int(given["offsets"][-1]) == given["indices"].numel()
    return "" if ends else "kernels of eager mode differ for indices behind the last bag"


def _width(given: dict[str, Any]) -> int:
    """The width of a resized image."""
    if given.get("output_size"):
        return int(given["output_size"][-1])
    image = next(value for value in given.values() if isinstance(value, torch.Tensor))
    return int(image.shape[-1] * given["scale_factors"][-1])


def is_wanted(operator: str) -> bool:
    """Whether an overload occurs in programs, and returns a tensor.

    Exporting a program replaces `out=` variants by their base.
    """
    schema = overload_of(operator)._schema
    is_out = any(argument.is_out for argument in schema.arguments)
    return not is_out and any("Tensor" in str(each.type) for each in schema.returns)


def _is_in_place(operator: str) -> bool:
    """Whether exported programs contain another operator for it, so that one dtype is enough."""
    return bool(overload_of(operator)._schema.is_mutable)


def choose(calls: Iterable[ValueCall]) -> list[ValueCall]:
    """Some calls of every overload in every dtype, of as many kinds as possible, deterministic."""
    found: dict[tuple[str, str], dict[str, ValueCall]] = {}
    for call in calls:
        kinds = found.setdefault((call.operator, call.dtype), {})
        kinds.setdefault(call.kind, call)
    chosen = []
    for operator, dtype in sorted(found):
        if not is_wanted(operator) or (dtype != "float32" and _is_in_place(operator)):
            continue
        kinds = found[operator, dtype]
        names = sorted(kinds)
        Random(f"{operator} {dtype}").shuffle(names)
        count = _SAMPLES.get(dtype, _SAMPLES_OF_OTHERS)
        some = [kinds[name] for name in sorted(names, key=_Order(names))[:count]]
        chosen += some
        if dtype == "float32":
            chosen += _with_extremes(some)
    return chosen


class _Order:
    """The order: a contiguous call, then calls with strided, empty and zero-dim tensors."""

    def __init__(self, kinds: list[str]) -> None:
        self.places: dict[str, int] = {}
        counts: Counter[tuple[bool, ...]] = Counter()
        for kind in kinds:
            traits = _traits(kind)
            # The first of each sort precedes the second of any.
            self.places[kind] = 10 * counts[traits] + sum(traits)
            counts[traits] += 1

    def __call__(self, kind: str) -> int:
        """The position of a kind."""
        return self.places[kind]


def _traits(kind: str) -> tuple[bool, bool, bool]:
    return ", False)" in kind, "'empty'" in kind, ", 0, True)" in kind


def _with_extremes(calls: list[ValueCall]) -> list[ValueCall]:
    """The first of some calls, with NaN, infinities and a negative zero in one operand each."""
    for call in calls:
        places = [
            place
            for place, each in enumerate(call.tensors)
            if each.dtype == torch.float32 and each.numel() > 4
        ]
        if places and not any(part in call.operator for part in ORDINARY_VALUES_ONLY):
            return [_extreme(call, place) for place in places[:_MOST_OPERANDS]]
    return []


def _extreme(call: ValueCall, place: int) -> ValueCall:
    """A call with extreme values at random indices of one of its tensors."""
    tensors = list(map(own_copy, call.tensors))
    shape = tensors[place].shape
    for value in _EXTREMES:
        flat = Random(f"{key_of(call)} {value}").randrange(shape.numel())
        index = tuple(int(each) for each in torch.unravel_index(torch.tensor(flat), shape))
        tensors[place][index] = value
    args, kwargs = call.with_tensors(tensors)
    kind = f"extremes of tensor {place} {call.kind}"
    return replace(call, args=args, kwargs=kwargs, kind=kind)
