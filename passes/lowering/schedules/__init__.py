"""Schedules: files of the transform dialect, and how they are applied."""

from __future__ import annotations

from pathlib import Path
from string import Template

from torch_refine.dialect.bindings import apply_named_sequence, ir, operations

_FOLDER = Path(__file__).parent


def apply_schedule(name: str, op: ir.Operation, parameters: dict[str, str] | None = None) -> bool:
    """Apply the schedule of a name to an op of a block, with its parameters filled in.

    False if it does not apply; then everything is as it was.
    """
    text = (_FOLDER / f"{name}.mlir").read_text(encoding="utf-8")
    if parameters is not None:
        text = Template(text).substitute(parameters)
    with ir.InsertionPoint(op):
        before = op.clone()
    # That a schedule does not apply is nobody's mistake, so what is said of it is not reported.
    handler = op.context.attach_diagnostic_handler(lambda said: True)
    try:
        schedule = ir.Module.parse(text, op.context)
        (sequence,) = operations(schedule.operation.regions[0].blocks[0])
        apply_named_sequence(op, sequence, schedule.operation)
    except (ir.MLIRError, ValueError):
        op.erase()
        return False
    finally:
        handler.detach()
    before.erase()
    return True
