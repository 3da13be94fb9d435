"""Filtering of diagnostics and their notes."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import replace

from torch_refine.dialect.diagnostics import Diagnostic

_LEVELS = {"errors": 0, "warnings": 1, "remarks": 2}
_SEVERITY = {"error": 0, "warning": 1, "remark": 2, "note": 0}
# The prefix of the verifier's note that shows an operation.
_OPERATION = "see current operation"


def shown(diagnostic: Diagnostic, options: Namespace) -> Diagnostic | None:
    """A diagnostic as filtered by the options; None if it is hidden."""
    if _SEVERITY[diagnostic.severity] > _LEVELS[options.mlir_diagnostic_verbosity_level]:
        return None
    notes = diagnostic.notes
    if options.mlir_disable_diagnostic_notes:
        notes = ()
    if not options.mlir_print_op_on_diagnostic:
        notes = tuple(note for note in notes if not note.message.startswith(_OPERATION))
    return replace(diagnostic, notes=notes)
