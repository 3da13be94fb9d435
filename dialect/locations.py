"""MLIR's locations as plain data: the file position, the names and the call sites."""

from __future__ import annotations

from dataclasses import dataclass

from torch_refine.dialect.bindings import ir


@dataclass(frozen=True)
class Position:
    """A position in a file; lines and columns count from 1."""

    file: str
    line: int
    column: int


@dataclass(frozen=True)
class Place:
    """A location: its first file position, its names, and the positions of its callers.

    Names and callers are in the order printed, so the innermost caller is first.
    """

    position: Position | None = None
    names: tuple[str, ...] = ()
    callsites: tuple[Position, ...] = ()


def place_of(location: ir.Location | None) -> Place:
    """A location as plain data; what it does not give is None or empty."""
    position: Position | None = None
    names: list[str] = []
    callsites: list[Position] = []
    # A location with whether it is a caller's, or the file position of one.
    rest: list[tuple[ir.Location, bool]] = [] if location is None else [(location, False)]
    while rest:
        each, is_caller = rest.pop()
        if type(each) is ir.Location:
            # The bindings give those of diagnostics without their kind.
            each = ir.Location.from_attr(each.attr, each.context)
        if isinstance(each, ir.FileLineColLoc):
            found = Position(str(each.filename), each.start_line, each.start_col)
            if is_caller:
                callsites.append(found)
            position = position or found
        elif isinstance(each, ir.NameLoc):
            names.append(str(each.name_str))
            rest.append((each.child_loc, is_caller))
        elif isinstance(each, ir.CallSiteLoc):
            rest += [(each.caller, True), (each.callee, is_caller)]
        elif isinstance(each, ir.FusedLoc):
            rest += [(inner, is_caller) for inner in reversed(list(each.locations))]
    return Place(position, tuple(dict.fromkeys(names)), tuple(callsites))
