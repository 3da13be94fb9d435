"""The schedule of attention, as an attribute that can be read and written by hand."""

from __future__ import annotations

from dataclasses import dataclass

from torch_refine.dialect.bindings import ir
from torch_refine.passes.lowering.kernels.attention.pattern import Attention
from torch_refine.passes.lowering.kernels.contractions.chain import Chain
from torch_refine.passes.lowering.kernels.contractions.schedule import (
    Fields,
    Schedule,
    ScheduleError,
    fields_of,
    schedule_of,
)
from torch_refine.passes.lowering.kernels.targets.record import TargetError, target_of

ATTENTION = "torch_refine.attention"
"""On the contraction with the values: its schedule, a dictionary (`AttentionSchedule`)."""

# Larger blocks of queries load keys and values less often; beyond this it does not pay.
_QUERIES = 64
_LARGE = 1 << 16
# The scores of a block are materialized.
_MOST_SCORES = 1 << 24
_LIMITS = {"queries": (1, _LARGE), "keys": (1, _LARGE)}


@dataclass(frozen=True)
class AttentionSchedule(Fields):
    """The schedule of attention.

    Args:
        queries: queries whose sums are computed together.
        keys: size of a block of keys, whose scores stay in the second cache.
    """

    queries: int
    keys: int


def attention_schedule(attention: Attention) -> AttentionSchedule:
    """The schedule on the contraction with the values, or else the target's default.

    Raises ScheduleError, TargetError.
    """
    op = attention.values.sums
    scores, values = (_schedule(each) for each in (attention.scores.sums, op))
    width = scores.columns
    if ATTENTION in op.attributes:
        found = fields_of(op.attributes[ATTENTION], AttentionSchedule, _LIMITS, ATTENTION)
        if found.keys % width:
            raise ScheduleError(
                f"keys of {ATTENTION} must be a multiple of {width}, the columns of the scores, "
                f"got {found.keys}"
            )
        if found.queries * found.keys > _MOST_SCORES:
            raise ScheduleError(
                f"queries x keys of {ATTENTION} must be at most {_MOST_SCORES}, "
                f"got {found.queries * found.keys}"
            )
        return found
    target = target_of(op)
    queries = max(1, _QUERIES // values.rows) * values.rows
    # Scores, keys and values of a block take half of the second cache, results the rest.
    widths = _depth(attention.scores.sums) + _columns(attention.values)
    size = ir.RankedTensorType(op.results[0].type).element_type.width // 8
    keys = target.l2_bytes // 2 // size // (queries + widths)
    return AttentionSchedule(queries, min(_LARGE // width, max(1, keys // width)) * width)


def write_schedule(attention: Attention) -> None:
    """Attach the target's schedule where there is none; an invalid one is kept."""
    try:
        chosen = attention_schedule(attention)
    except (ScheduleError, TargetError):
        # `schedule-kernels` reports it.
        return
    op = attention.values.sums
    op.attributes[ATTENTION] = chosen.attribute(op.context)


def _schedule(op: ir.Operation) -> Schedule:
    found = schedule_of(op)
    assert found is not None, "both contractions of attention must have a schedule"
    return found


def _depth(sums: ir.Operation) -> int:
    """The size of the reduction dimension of the scores, 64 if it is dynamic."""
    size = int(ir.RankedTensorType(sums.operands[0].type).shape[-1])
    return size if size >= 0 else _QUERIES


def _columns(values: Chain) -> int:
    size = int(ir.RankedTensorType(values.memory.type).shape[-1])
    return size if size >= 0 else _QUERIES
