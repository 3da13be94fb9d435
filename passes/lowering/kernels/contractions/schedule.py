"""The schedule of a contraction, as an attribute that can be read and written by hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, asdict, dataclass, fields
from typing import TypeVar

from torch_refine.dialect.bindings import ir
from torch_refine.passes.lowering.kernels.contractions.chain import CONTRACTION
from torch_refine.passes.lowering.kernels.targets.record import target_of

_LARGE = 1 << 30
_LIMITS = {
    "rows": (1, 1024),
    "columns": (1, 4096),
    "lines": (1, 1024),
    "unroll": (1, 64),
    "depth": (0, _LARGE),
    "block": (0, _LARGE),
    "threads": (1, 1024),
    "lanes": (0, 1024),
}
OPTIONAL = ("lanes", "amx")
"""The fields that are omitted if they are 0 or false."""
# The steps of a tile are fully unrolled.
_MOST_STEPS = 2048
# Tiles of sums along the rows and along the columns: with as many of each operand, they fill the
# eight tile registers of AMX.
_MOST_TILES = 2
TILE = 16
"""The rows of a tile register of AMX, and the 32-bit elements of a row."""


_Kind = TypeVar("_Kind", bound="Fields")


@dataclass(frozen=True)
class Fields:
    """The parameters chosen for an op: integers and bools, by name."""

    def attribute(self, context: ir.Context) -> ir.Attribute:
        """The fields as a dictionary, without optional ones that are not set."""
        number = ir.IntegerType.get_signless(64, context)
        return ir.DictAttr.get(
            {
                name: ir.BoolAttr.get(value, context)
                if isinstance(value, bool)
                else ir.IntegerAttr.get(number, value)
                for name, value in asdict(self).items()
                if value or name not in OPTIONAL
            },
            context,
        )


@dataclass(frozen=True)
class Schedule(Fields):
    """The schedule of a contraction.

    Args:
        rows: rows of sums that stay in registers together; of an image, a part of a line.
        columns: columns of the tile, in elements.
        lines: lines of an image, of `rows` rows each, whose sums stay in registers together.
        unroll: unroll factor of the innermost reduction loop.
        depth: steps per partial sum, so that the rounding error of a sum of thousands of products
            is that of a short one; 0 for one sum.
        block: rows whose left operand stays in the second cache; 0 for all.
        pack: whether a block of the left operand is packed, so that the elements of a tile are
            contiguous.
        threads: number of threads that share the tiles.
        lanes: elements of a vector; 0 for as many as a register has.
        amx: whether sums stay in the tile registers of AMX; `unroll`, `depth` and `pack` do not
            apply then.
    """

    rows: int
    columns: int
    lines: int = 1
    unroll: int = 1
    depth: int = 256
    block: int = 0
    pack: bool = False
    threads: int = 1
    lanes: int = 0
    amx: bool = False


def limits_of() -> Mapping[str, tuple[int, int]]:
    """The minimum and maximum of each integer field of a schedule."""
    return _LIMITS


class ScheduleError(Exception):
    """A schedule written by hand is invalid; the message names the field and its constraint."""


def schedule_of(op: ir.Operation) -> Schedule | None:
    """The schedule of an op; None if it has none.

    Raises ScheduleError.
    """
    if CONTRACTION not in op.attributes:
        return None
    schedule = fields_of(op.attributes[CONTRACTION], Schedule, _LIMITS, CONTRACTION)
    _check(op, schedule)
    return schedule


def fields_of(
    said: ir.Attribute, kind: type[_Kind], limits: Mapping[str, tuple[int, int]], name: str
) -> _Kind:
    """The fields of the attribute `name`, each within its limits.

    Raises ScheduleError.
    """
    if not isinstance(said, ir.DictAttr):
        raise ScheduleError(f"{name} must be a dictionary, got {said}")
    given = ir.DictAttr(said)
    known = {each.name: each.default for each in fields(kind)}
    unknown = sorted({each.name for each in given} - set(known))
    if unknown:
        raise ScheduleError(
            f"{name} has no field {unknown[0]!r}; its fields are {', '.join(known)}"
        )
    found: dict[str, int | bool] = {}
    for field, default in known.items():
        if field in given:
            found[field] = _value(name, field, given[field], isinstance(default, bool))
        elif default is MISSING:
            raise ScheduleError(f"{name} needs the field {field!r}")
    for field, (low, high) in limits.items():
        if not low <= found.get(field, low) <= high:
            raise ScheduleError(
                f"{field} of {name} must be from {low} to {high}, got {found[field]}"
            )
    return kind(**found)


def _value(name: str, field: str, attribute: ir.Attribute, is_bool: bool) -> int | bool:
    if is_bool and isinstance(attribute, ir.BoolAttr):
        return bool(attribute.value)
    if not is_bool and isinstance(attribute, ir.IntegerAttr):
        return int(attribute.value)
    kind = "a bool" if is_bool else "an integer"
    raise ScheduleError(f"{field} of {name} must be {kind}, got {attribute}")


def _check(op: ir.Operation, schedule: Schedule) -> None:
    """Raise ScheduleError for sizes that cannot be tiled, or would unroll too much code."""
    bits = ir.RankedTensorType(op.results[0].type).element_type.width
    most = target_of(op).lanes(bits)
    lanes = schedule.lanes or most
    if most % lanes:
        raise ScheduleError(
            f"lanes of {CONTRACTION} must divide {most}, the elements of a register, got {lanes}"
        )
    if schedule.columns % lanes:
        raise ScheduleError(
            f"columns of {CONTRACTION} must be a multiple of {lanes}, the elements of a vector, "
            f"got {schedule.columns}"
        )
    if schedule.amx:
        _check_tiles(schedule)
    steps = schedule.rows * schedule.lines * (schedule.columns // lanes) * schedule.unroll
    if steps > _MOST_STEPS:
        raise ScheduleError(
            f"rows x lines x vectors of columns x unroll of {CONTRACTION} must be at most "
            f"{_MOST_STEPS}, got {steps}"
        )


def _check_tiles(schedule: Schedule) -> None:
    """Raise ScheduleError for sums that do not fit into tile registers."""
    rows = -(-schedule.rows // TILE) * schedule.lines
    columns = -(-schedule.columns // TILE)
    if max(rows, columns) > _MOST_TILES:
        raise ScheduleError(
            f"with amx, {CONTRACTION} has at most {_MOST_TILES} x {_MOST_TILES} tiles of {TILE} "
            f"rows and columns, got {rows} x {columns}"
        )
