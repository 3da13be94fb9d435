"""Tables of measured schedules, by the contraction that they are for."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from torch_refine.dialect.bindings import attributes_of, ir, operations, walk
from torch_refine.dialect.structured_ops import is_contraction
from torch_refine.passes.lowering.fusion.hoist_constant_expressions import constant_values
from torch_refine.passes.lowering.fusion.images.building import is_zero
from torch_refine.passes.lowering.kernels.contractions.chain import CONTRACTION
from torch_refine.passes.lowering.kernels.contractions.schedule import (
    OPTIONAL,
    Schedule,
    ScheduleError,
    limits_of,
)

Table = dict[str, Schedule]
CONVOLUTIONS = (
    "linalg.conv_2d_nhwc_hwcf",
    "linalg.depthwise_conv_2d_nhwc_hwc",
    "linalg.depthwise_conv_2d_nchw_chw",
    "linalg.conv_3d_ncdhw_fcdhw",
)
_FORMAT = "torch-refine schedules 1"
_HIDDEN = ("operandSegmentSizes", CONTRACTION)
_DEFAULTS = {each.name: each.default for each in fields(Schedule)}
_MOST_ENTRIES = 1 << 16
_MOST_BYTES = 1 << 26


@dataclass(frozen=True)
class Found:
    """A contraction of a module with static sizes only."""

    op: ir.Operation
    key: str
    is_kept: bool
    """Whether the right operand is the same in all calls."""

    @property
    def work(self) -> int:
        """Elements of the result times those of the right operand: grows with the
        multiplications."""
        right, result = (ir.RankedTensorType(self.op.operands[place].type) for place in (1, 2))
        return int(math.prod(right.shape) * math.prod(result.shape))


def contractions(module: ir.Operation) -> Iterator[Found]:
    """The contractions of a module before packing for which a schedule may be chosen."""
    for function in list(operations(module.regions[0].blocks[0])):
        found = [
            each for each in walk(function) if is_contraction(each) or each.name in CONVOLUTIONS
        ]
        kept = constant_values(function) if found else set()
        for op in found:
            types = [ir.RankedTensorType(each.type) for each in op.operands]
            if all(each.has_static_shape and 0 not in each.shape for each in types) and is_zero(
                op.operands[2]
            ):
                is_kept = op.operands[1] in kept
                yield Found(op, _key(op, is_kept), is_kept)


def _key(op: ir.Operation, is_kept: bool) -> str:
    """The operation, types and attributes of a contraction, on one line."""
    said = [f"{name} = {value}" for name, value in sorted(attributes_of(op).items())
            if name not in _HIDDEN]  # fmt: skip
    types = ", ".join(str(each.type) for each in op.operands)
    kept = ", the right operand kept" if is_kept else ""
    return " ".join(f"{op.name} ({types}) {{{', '.join(said)}}}{kept}".split())


def set_schedules(module: ir.Operation, table: Mapping[str, Schedule]) -> int:
    """Attach schedules from a table to contractions without one; returns how many."""
    count = 0
    for found in contractions(module):
        if found.key in table and CONTRACTION not in found.op.attributes:
            found.op.attributes[CONTRACTION] = table[found.key].attribute(found.op.context)
            count += 1
    return count


def as_data(table: Mapping[str, Schedule]) -> dict[str, Any]:
    """A table as data that JSON can hold."""
    return {"format": _FORMAT, "schedules": {key: asdict(each) for key, each in table.items()}}


def from_data(data: Any) -> Table:
    """The table that `as_data` converted; raises ScheduleError if the data is invalid."""
    if not isinstance(data, dict) or data.get("format") != _FORMAT:
        raise ScheduleError(f"not a file of schedules: its format is not {_FORMAT!r}")
    entries = data.get("schedules")
    if not isinstance(entries, dict) or len(entries) > _MOST_ENTRIES:
        raise ScheduleError(f"a file of schedules has at most {_MOST_ENTRIES} of them, by key")
    return {key: _schedule(key, entry) for key, entry in entries.items()}


def parse(text: str) -> Table:
    """Parse a table from JSON; raises ScheduleError if it is invalid."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ScheduleError(f"not a file of schedules: {error}") from None
    return from_data(data)


def read_table(path: str) -> Table:
    """Read a table from a file; raises OSError, or ScheduleError if it is invalid."""
    with Path(path).open("rb") as stream:
        data = stream.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise ScheduleError(f"it has more than {_MOST_BYTES} bytes")
    try:
        return parse(data.decode())
    except UnicodeDecodeError as error:
        raise ScheduleError(f"not a file of schedules: {error}") from None


def _schedule(key: str, entry: Any) -> Schedule:
    limits = limits_of()
    if isinstance(entry, dict):
        entry = {each: _DEFAULTS[each] for each in OPTIONAL} | entry
    if not isinstance(entry, dict) or set(entry) != set(_DEFAULTS):
        raise ScheduleError(f"the fields of the schedule of {key!r} are not those of a schedule")
    for name, (low, high) in limits.items():
        number = entry[name]
        if type(number) is not int or not low <= number <= high:
            raise ScheduleError(
                f"{name} of the schedule of {key!r} must be from {low} to {high}, got {number!r}"
            )
    for name in set(_DEFAULTS) - set(limits):
        if type(entry[name]) is not bool:
            raise ScheduleError(f"{name} of the schedule of {key!r} must be a bool")
    return Schedule(**entry)
