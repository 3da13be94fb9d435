"""Calls of pointwise operators with tensors and numbers of any dtypes.

    python test/support/dtype_calls.py [calls of each operator] [seed] [part of a name] [raw]

Prints what is wrong, and how often calls were right or refused. With `raw` operators are compiled
as they are written, without the importer's own decompositions: as in a program that it did not
make, they may be refused.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import torch
from torch_refine.build_tools.fuzz.batches import Way
from torch_refine.build_tools.fuzz.outcomes import judge_batch
from torch_refine.build_tools.fuzz.steps import Program
from torch_refine.build_tools.numerics.calls import ValueCall, overload_of
from torch_refine.build_tools.numerics.judging import Outcome
from torch_refine.build_tools.numerics.report import reason_of
from torch_refine.build_tools.numerics.workers import Died, Workers
from torch_refine.importer import lowering
from torch_refine.operator_coverage import LOWERED

DTYPES = (
    torch.bool,
    torch.uint8,
    torch.int8,
    torch.int16,
    torch.int32,
    torch.int64,
    torch.float16,
    torch.bfloat16,
    torch.float32,
    torch.float64,
)
NUMBERS = (0, 1, -4, 3, 130, 300, -200, 0.5, -8.59, 2.75, 0.0, True, False)
# Operators whose tensors have one dtype as others' do not, or that are no pointwise ones.
WRITERS = (
    "aten::copy",
    "aten::diagonal_scatter",
    "aten::fill.Scalar",
    "aten::fill.Tensor",
    "aten::full_like",
    "aten::isclose",
    "aten::masked_fill.Scalar",
    "aten::masked_fill.Tensor",
    "aten::new_full",
    "aten::prelu",
    "aten::rsub.Tensor",
    "aten::select_scatter",
    "aten::slice_scatter",
    "aten::floor_divide",
    "aten::floor_divide.Scalar",
    "aten::where.Scalar",
    "aten::where.ScalarOther",
    "aten::where.ScalarSelf",
)
# How many calls are one program.
TOGETHER = 100


@cache
def operators() -> tuple[str, ...]:
    """The pointwise operators that are lowered, and some that write to a part of a tensor."""
    lowered = json.loads(LOWERED.read_text(encoding="utf-8"))["operators"]
    right = {name for name, each in lowered.items() if each["equal"] + each["closer"] > 1}
    known = {name.partition(".")[0] for name in right}
    found = []
    for name in torch._C._dispatch_get_all_op_names():
        if name.startswith("aten::") and _is_pointwise(name):
            base = name.partition(".")[0]
            if base in known or base.removesuffix("_") in known:
                found.append(name)
    return tuple(sorted({*found, *WRITERS}))


def _is_pointwise(name: str) -> bool:
    try:
        overload = overload_of(name)
    except AttributeError:
        return False
    is_out = any(each.is_out for each in overload._schema.arguments)
    return torch.Tag.pointwise in overload.tags and not is_out


def draw_call(rng: Random, operator: str) -> ValueCall:
    """A call of an operator with small tensors and numbers."""
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    shared = rng.choice(DTYPES) if rng.random() < 0.25 else None
    for argument in overload_of(operator)._schema.arguments:
        optional = argument.has_default_value() and rng.random() < 0.4
        value = argument.default_value if optional else _value(rng, argument, operator, shared)
        if argument.kwarg_only:
            kwargs[argument.name] = value
        else:
            args.append(value)
    return ValueCall(operator, tuple(args), kwargs, "dtypes", "dtypes")


def _value(rng: Random, argument: Any, operator: str, shared: torch.dtype | None) -> Any:
    kind, name = str(argument.type), argument.name
    if kind in ("Tensor", "Optional[Tensor]"):
        sizes: tuple[int, ...] = (4, 4) if operator == "aten::diagonal_scatter" else (4,)
        is_self = name == "self"
        if name == "src":
            sizes = (2,) if operator == "aten::slice_scatter" else sizes[1:]
        elif name == "weight" or rng.random() < (0.15 if is_self else 0.3):
            sizes = sizes if is_self and "scatter" in operator else ()
        if name in ("mask", "condition"):
            return draw_tensor(rng, torch.bool, sizes)
        return draw_tensor(rng, shared or rng.choice(DTYPES), sizes)
    if kind in ("number", "Optional[number]"):
        return rng.choice(NUMBERS)
    if kind in ("float", "Optional[float]"):
        return rng.choice((0.5, 2.75, 1e-5))
    if kind in ("int", "Optional[int]", "SymInt", "Optional[SymInt]"):
        return {"dim": 0, "index": 2, "start": 0, "end": 2, "step": 1, "dim1": 0, "dim2": 1}.get(
            name, {"offset": 0}.get(name)
        )
    if kind == "bool":
        return rng.random() < 0.5
    if kind == "List[int]":
        return [3]
    if name == "rounding_mode":
        return rng.choice((None, "floor", "trunc"))
    if name == "approximate":
        return rng.choice(("none", "tanh"))
    if name == "dtype":
        return rng.choice((None, *DTYPES))
    return argument.default_value


def draw_tensor(rng: Random, dtype: torch.dtype, sizes: tuple[int, ...]) -> torch.Tensor:
    """Values that every dtype has, and the ends of an integer's range."""
    choices: list[Any]
    if dtype == torch.bool:
        choices = [False, True]
    elif dtype.is_floating_point:
        choices = [0.0, 0.5, 1.0, 2.0, 2.75, 3.0, -1.0, -0.25, -3.5]
    else:
        info = torch.iinfo(dtype)
        choices = [0, 1, 2, 3, 5, 100, min(info.max, 1000)]
        choices += [-1, -2, -7] if info.min else [200, 255]
    count = torch.Size(sizes).numel()
    return torch.tensor([rng.choice(choices) for _ in range(count)], dtype=dtype).reshape(sizes)


def is_accepted(call: ValueCall) -> bool:
    """Whether eager mode computes something."""
    try:
        args, kwargs = call.with_tensors([each.clone() for each in call.tensors])
        overload_of(call.operator)(*args, **kwargs)
    except (RuntimeError, TypeError, ValueError, IndexError, NotImplementedError):
        return False
    return True


def drawn(count: int, seed: int, part: str = "") -> list[ValueCall]:
    """Some calls of each operator that eager mode accepts; the same for the same seed."""
    calls = []
    for operator in operators():
        if part not in operator:
            continue
        rng = Random(f"{seed} {operator}")
        tried = (draw_call(rng, operator) for _ in range(8 * count))
        found: Iterator[ValueCall] = filter(is_accepted, tried)
        calls += [call for call, _ in zip(found, range(count), strict=False)]
    Random(seed).shuffle(calls)
    return calls


def _judged_raw(calls: Sequence[ValueCall]) -> list[Outcome]:
    # The process is one of a worker, and is used for nothing else.
    lowering._own_decompositions = dict
    return _judged(calls)


def _judged(calls: Sequence[ValueCall]) -> list[Outcome]:
    return judge_batch([Program.of_call(call) for call in calls], Way())


def judged(
    calls: Sequence[ValueCall], logs: Path, is_raw: bool = False
) -> Iterator[tuple[ValueCall, Outcome]]:
    """Each call with its outcome; in a group whose process dies, fewer are tried at a time."""
    function = _judged_raw if is_raw else _judged
    groups = [list(calls[i : i + TOGETHER]) for i in range(0, len(calls), TOGETHER)]
    while groups:
        again = []
        for group, outcomes in Workers(function, 1, 400.0, logs).run(groups):
            if not isinstance(outcomes, Died):
                yield from zip(group, outcomes, strict=True)
            elif len(group) == 1:
                yield group[0], Outcome("hung" if outcomes.hung else "crashed", outcomes.message)
            else:
                step = max(len(group) // 5, 1)
                again += [group[i : i + step] for i in range(0, len(group), step)]
        groups = again


def shown(call: ValueCall) -> str:
    """The call with the values of its tensors."""

    def each(value: Any) -> str:
        if isinstance(value, torch.Tensor):
            return f"{str(value.dtype)[6:]}{value.tolist()}"
        return repr(value)

    parts = [each(value) for value in call.args]
    parts += [f"{name}={each(value)}" for name, value in call.kwargs.items()]
    return f"{call.operator}({', '.join(parts)})"


def main(count: int = 20, seed: int = 0, part: str = "", raw: str = "") -> None:
    """Judge some calls of each operator."""
    counts: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for call, outcome in judged(drawn(count, seed, part), Path(folder), bool(raw)):
            counts[outcome.kind] += 1
            if outcome.kind == "refused":
                refused[f"{call.operator}: {reason_of(outcome)}"] += 1
            elif outcome.kind not in ("right", "closer", "unfit"):
                print(
                    outcome.kind,
                    shown(call),
                    "|",
                    outcome.message[:300].replace("\n", " "),
                    flush=True,
                )
    for reason, times in refused.most_common():
        print(times, reason)
    print(dict(counts))


if __name__ == "__main__":
    given = sys.argv[1:]
    main(*map(int, given[:2]), *given[2:])
