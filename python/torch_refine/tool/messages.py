"""What the tool says on standard error, as text or as JSON."""

from __future__ import annotations

import sys
from argparse import Namespace

from torch_refine.dialect.diagnostics import Diagnostic, Severity


def as_json(options: Namespace) -> bool:
    """Whether diagnostics are printed as JSON."""
    return bool(options.diagnostics_format == "json")


def say(severity: Severity, message: str, options: Namespace) -> None:
    """Print a message of the tool itself, which has no location."""
    text = f"{severity}: {message}"
    if as_json(options):
        text = json_text(Diagnostic(severity, message))
    print(text, file=sys.stderr)


def json_text(diagnostic: Diagnostic) -> str:
    """A diagnostic as one line of JSON."""
    from torch_refine.dialect.json_diagnostics import json_line

    return json_line(diagnostic)
