"""Reporting operators that do not fit their functions."""

from __future__ import annotations

from torch_refine.abstract_interpreter.operands import Misfit
from torch_refine.dialect.bindings import ir
from torch_refine.passes.base import RunState


def is_reported(misfit: Misfit, state: RunState) -> bool:
    """Whether a misfit is a warning, or a remark that may be asked for."""
    return misfit.is_extra or state.remarks.missed is not None


def report_misfit(misfit: Misfit, op: ir.Operation, name: str, state: RunState) -> None:
    """Warn of a misfit where the function is the user's; else it is a remark of the pass `name`."""
    if misfit.is_extra:
        state.diagnostics.warning(op.location, str(misfit))
    else:
        state.missed(name, f"{misfit.function} of {misfit.operator}", op, misfit.reason)
