"""Diagnostics with locations, collected in one place.

The bindings can emit errors at a location, but no warnings; so passes written in Python report
here, and MLIR's own diagnostics are captured into the same list.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Literal

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.locations import Position, place_of

Severity = Literal["error", "warning", "remark", "note"]

_SEVERITIES: dict[int, Severity] = {0: "error", 1: "warning", 2: "note", 3: "remark"}


@dataclass(frozen=True)
class Remark:
    """The fields of an optimization remark.

    The pass `pass_name` did `what`, or missed it for a `reason`, in `function`, if known.
    """

    kind: Literal["passed", "missed"]
    pass_name: str
    what: str
    function: str | None = None
    reason: str | None = None

    def __str__(self) -> str:
        """The remark as MLIR's remark engine words it."""
        text = f"[{self.kind.capitalize()}] {self.what} | Category:{self.pass_name}"
        if self.function is not None:
            text += f" | Function={self.function}"
        return text if self.reason is None else f"{text} | Reason={json.dumps(self.reason)}"


@dataclass(frozen=True)
class Diagnostic:
    """A message at a location. `file`, `line` and `column` (from 1) are None if unknown.

    `names` and `callsites` are those of the location, the innermost caller first; `fields` are
    those of an optimization remark.
    """

    severity: Severity
    message: str
    file: str | None = None
    line: int | None = None
    column: int | None = None
    notes: tuple[Diagnostic, ...] = ()
    # What is shown is the same without these.
    names: tuple[str, ...] = field(default=(), compare=False)
    callsites: tuple[Position, ...] = field(default=(), compare=False)
    fields: Remark | None = field(default=None, compare=False)

    def __str__(self) -> str:
        where = "" if self.file is None else f"{self.file}:{self.line}:{self.column}: "
        return "\n".join([f"{where}{self.severity}: {self.message}", *map(str, self.notes)])


def diagnostic(
    severity: Severity,
    location: ir.Location | None,
    message: str,
    notes: tuple[Diagnostic, ...] = (),
) -> Diagnostic:
    """A diagnostic at an MLIR location; a fused or nested one gives its first file position."""
    place = place_of(location)
    at = place.position
    if at is None:
        return Diagnostic(severity, message, notes=notes, names=place.names)
    return Diagnostic(
        severity, message, at.file, at.line, at.column, notes, place.names, place.callsites
    )


def location_text(location: ir.Location, text: str = "") -> str | None:
    """The first file position of a location, as `file:line:column`; None if it has none.

    `text` names a program that MLIR parsed from a string; without it, only the line is given.
    """
    found = diagnostic("note", location, "")
    if found.file is None:
        return None
    if found.file == "-" and not text:
        return f"line {found.line}"
    return f"{text if found.file == '-' else found.file}:{found.line}:{found.column}"


@dataclass(frozen=True)
class RemarkFilter:
    """Which optimization remarks are reported: patterns that match the name of a pass as a whole.

    As in MLIR, a kind without a pattern is not reported.
    """

    passed: re.Pattern[str] | None = None
    missed: re.Pattern[str] | None = None


@dataclass
class Diagnostics:
    """The diagnostics of a run; `sink`, if given, receives each as it is reported."""

    sink: Callable[[Diagnostic], None] | None = None
    reported: list[Diagnostic] = field(default_factory=list)
    _known: set[Diagnostic] = field(default_factory=set, init=False, repr=False)

    def report(self, entry: Diagnostic) -> None:
        """Add a diagnostic, unless an earlier iteration of a pass reported the same one."""
        if entry in self._known:
            return
        self._known.add(entry)
        self.reported.append(entry)
        if self.sink is not None:
            self.sink(entry)

    def error(self, location: ir.Location | None, message: str, *notes: Diagnostic) -> None:
        """Report an error; the run fails."""
        self.report(diagnostic("error", location, message, notes))

    def warning(self, location: ir.Location | None, message: str, *notes: Diagnostic) -> None:
        """Report a warning; the run continues."""
        self.report(diagnostic("warning", location, message, notes))

    def remark(self, location: ir.Location | None, remark: Remark) -> None:
        """Report an optimization remark: the run goes on."""
        self.report(replace(diagnostic("remark", location, str(remark)), fields=remark))

    @property
    def has_errors(self) -> bool:
        """Whether an error was reported."""
        return any(entry.severity == "error" for entry in self.reported)

    def capture(self, context: ir.Context) -> ir.DiagnosticHandler:
        """Collect the diagnostics that MLIR emits in `context` until the handler is detached."""

        def handle(emitted: ir.Diagnostic) -> bool:
            self.report(_from_mlir(emitted))
            return True

        return context.attach_diagnostic_handler(handle)

    def report_exception(self, error: ir.MLIRError) -> None:
        """Report the diagnostics of an exception that no handler captured."""
        for info in error.error_diagnostics:
            self.report(_from_info(info, "error"))
        if not error.error_diagnostics:
            self.report(Diagnostic("error", str(error)))


def _from_mlir(emitted: ir.Diagnostic) -> Diagnostic:
    severity = _SEVERITIES[int(emitted.severity.value)]
    return diagnostic(
        severity, emitted.location, emitted.message, tuple(_from_mlir(n) for n in emitted.notes)
    )


def _from_info(info: ir.DiagnosticInfo, severity: Severity) -> Diagnostic:
    notes = tuple(_from_info(note, "note") for note in info.notes)
    return diagnostic(severity, info.location, info.message, notes)
