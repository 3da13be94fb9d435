"""Schedules: files of the transform dialect, and how they are applied."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from string import Template

from torch_refine.dialect.bindings import apply_named_sequence, ir, operations
from torch_refine.passes.base import RunState

_FOLDER = Path(__file__).parent
# How the bindings word what the interpreter of the transform dialect reports.
_REPORTED = re.compile(r"^Diagnostic message at loc\((.*?)\): (.*)$", re.MULTILINE)
_LINE = re.compile(r'"(.*\.mlir)":(\d+):\d+')


@dataclass(frozen=True)
class Schedules:
    """Applies schedules for a pass, and counts those that are applied and those that are skipped.

    Both are remarks, the latter with the reason. A schedule that a later step undoes was applied.
    """

    owner: str
    """The name of the pass."""
    state: RunState

    def apply(self, name: str, op: ir.Operation, parameters: dict[str, str] | None = None) -> bool:
        """Apply the schedule of a name to an op of a block, with its parameters filled in.

        False if it does not apply; then everything is as it was.
        """
        with ir.InsertionPoint(op):
            before = op.clone()
        reason = _apply(name, op, parameters)
        if reason is None:
            before.erase()
            self.applied(name, op)
            return True
        op.erase()
        self.skipped(name, before, reason)
        return False

    def applied(self, name: str, op: ir.Operation) -> None:
        """Count a schedule that is applied."""
        self.state.count(self.owner, f"schedule {name} applied")
        self.state.passed(self.owner, name, op)

    def skipped(self, name: str, op: ir.Operation, reason: str) -> None:
        """Count a schedule that is skipped."""
        self.state.count(self.owner, f"schedule {name} skipped")
        self.state.missed(self.owner, name, op, reason)


def _apply(name: str, op: ir.Operation, parameters: dict[str, str] | None) -> str | None:
    """Apply a schedule; None, or why it does not apply to an op that may be half changed now."""
    text = (_FOLDER / f"{name}.mlir").read_text(encoding="utf-8")
    if parameters is not None:
        text = Template(text).substitute(parameters)
    # That a schedule does not apply is no error of the program.
    handler = op.context.attach_diagnostic_handler(lambda said: True)
    try:
        schedule = ir.Operation.parse(text, source_name=f"{name}.mlir", context=op.context)
        (sequence,) = operations(schedule.regions[0].blocks[0])
        apply_named_sequence(op, sequence, schedule)
    except (ir.MLIRError, ValueError) as error:
        return _reason(error, name)
    finally:
        handler.detach()
    return None


def _reason(error: Exception, name: str) -> str:
    """What MLIR says of a schedule that does not apply, on one line, with the schedule's line."""
    said = []
    for location, message in _REPORTED.findall(str(error)):
        line = _LINE.fullmatch(location)
        said.append(message if line is None else f"{line[1]}:{line[2]}: {message}")
    return " ".join("; ".join(said or [f"{name}.mlir: {error}"]).split())
