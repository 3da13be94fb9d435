"""The report as one HTML file, which holds its scripts, its styles and its data.

The data is JSON in an element that is not run, and the scripts only write text, so nothing in a
program is read as HTML. The page's policy allows these scripts and styles, by their digests, and no
request.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Mapping
from html import escape
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from torch_refine.dialect.bindings import ir
from torch_refine.pipelines.html_report.rows import Rows
from torch_refine.pipelines.html_report.types_before import TypesBefore

REPORT_STEP = "Report"
"""The name of the time that the report itself takes; the page leaves it out."""
_WEB = Path(__file__).parent / "web"
_SCRIPTS = ("dagre.min.js", "data.js", "sections.js", "table.js", "graph.js", "report.js")
# Browsers would look for it beside the page.
_SOURCE_MAP = "//# sourceMappingURL="


class ReportPage:
    """The report of a run: modules are added one by one, each with its types before the passes."""

    def __init__(self, pipeline: str) -> None:
        self.pipeline = pipeline
        self.rows = Rows()
        self.sources: list[str] = []
        # The time of inferring operators, by name, without those like an earlier one.
        self.operator_seconds: dict[str, float] = {}

    @staticmethod
    def types_of(module: ir.Operation) -> TypesBefore:
        """The types before the passes."""
        return TypesBefore(module)

    def add(
        self,
        module: ir.Operation,
        before: TypesBefore,
        extra_library: Iterable[Path] = (),
        source: str = "",
    ) -> None:
        """Add a module after the passes.

        `extra_library` are the files that it was refined with, `source` names the file that it was
        parsed from.
        """
        self.sources.append(source)
        self.rows.add(module, before, tuple(extra_library), source)

    def html(self, seconds: Mapping[str, float]) -> bytes:
        """The file; `seconds` is the time of each pass by name."""
        scripts = [_script(name) for name in _SCRIPTS]
        style = (_WEB / "report.css").read_text(encoding="utf-8")
        policy = (
            f"default-src 'none'; img-src data:; style-src {_digest(style)}; "
            f"script-src {' '.join(map(_digest, scripts))}; base-uri 'none'; form-action 'none'"
        )
        filled = {
            "title": escape(self.title),
            "policy": policy,
            "style": style,
            "data": _embedded(self.data(seconds)),
            "scripts": "\n".join(f"<script>{script}</script>" for script in scripts),
            "license": escape((_WEB / "dagre.LICENSE.txt").read_text(encoding="utf-8")),
        }
        pieces = (_WEB / "report.html").read_text(encoding="utf-8").split("{{")
        text = [pieces[0]]
        for piece in pieces[1:]:
            name, _, rest = piece.partition("}}")
            text += [filled[name], rest]
        # A name may hold half of a surrogate pair.
        return "".join(text).encode(errors="replace")

    @property
    def title(self) -> str:
        """The names of the inputs."""
        names = list(dict.fromkeys(filter(None, self.sources)))
        if not names:
            return "Refinement report"
        more = f" and {len(names) - 1} more" if len(names) > 1 else ""
        return f"{names[0]}{more} · refinement report"

    def data(self, seconds: Mapping[str, float]) -> dict[str, Any]:
        """All that the page shows."""
        rows = self.rows
        return {
            "version": _version(),
            "sources": self.sources,
            "pipeline": self.pipeline,
            "strings": rows.strings.texts,
            "functions": rows.functions,
            "columns": rows.columns,
            "producers": rows.producers,
            "links": rows.links,
            "guards": rows.guards,
            "passes": _slowest({k: v for k, v in seconds.items() if k != REPORT_STEP}),
            "operators": _slowest(self.operator_seconds),
        }


def _script(name: str) -> str:
    text = (_WEB / name).read_text(encoding="utf-8")
    return text.partition(_SOURCE_MAP)[0]


def _digest(text: str) -> str:
    """A source of a content security policy that allows an inline script or style."""
    found = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{found}'"


def _embedded(data: object) -> str:
    """JSON as the text of a script element: no character in it can end the element."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _slowest(seconds: Mapping[str, float]) -> list[tuple[str, float]]:
    """Names with times, the longest first."""
    ordered = sorted(seconds.items(), key=lambda each: -each[1])
    return [(name, round(spent, 6)) for name, spent in ordered]


def _version() -> str:
    try:
        return version("torch-refine")
    except PackageNotFoundError:
        return ""
