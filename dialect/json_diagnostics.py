"""Diagnostics as JSON, for editors and scripts; the schema is `diagnostics.schema.json`."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from torch_refine.dialect.diagnostics import Diagnostic

SCHEMA = Path(__file__).with_name("diagnostics.schema.json")


def json_line(diagnostic: Diagnostic) -> str:
    """A diagnostic as one line of JSON."""
    return json.dumps(_fields(diagnostic), ensure_ascii=False)


def _fields(diagnostic: Diagnostic) -> dict[str, Any]:
    found: dict[str, Any] = {
        "severity": diagnostic.severity,
        "message": diagnostic.message,
        "location": _location(diagnostic),
        "notes": [_fields(note) for note in diagnostic.notes],
    }
    remark = diagnostic.fields
    if remark is not None:
        found["remark"] = {
            "kind": remark.kind,
            "pass": remark.pass_name,
            "what": remark.what,
            "function": remark.function,
            "reason": remark.reason,
        }
    return found


def _location(diagnostic: Diagnostic) -> dict[str, Any] | None:
    if diagnostic.file is None and not diagnostic.names:
        return None
    return {
        "file": diagnostic.file,
        "line": diagnostic.line,
        "column": diagnostic.column,
        "names": list(diagnostic.names),
        "callsites": [asdict(each) for each in diagnostic.callsites],
    }
