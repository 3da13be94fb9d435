"""Results under `build/zoo`, from which an interrupted run resumes.

Those of the last documented runs are in `docs/zoo.jsonl`, so that a run of some architectures, in
another checkout, adds to the document.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from torch_refine.build_tools.zoo.columns import Outcome

_ROOT = Path(__file__).parents[2]
# Where packages are installed, or this checkout is, in messages.
_FOLDER = re.compile(rf"(/[\w.+-]+)*/site-packages/|{re.escape(str(_ROOT))}/")
FOLDER = _ROOT / "build" / "zoo"
RESULTS = FOLDER / "results.jsonl"
DOCUMENTED = _ROOT / "docs" / "zoo.jsonl"


@dataclass(frozen=True)
class Result:
    """An outcome; `code` is a hash of the sources, `versions` those of the packages."""

    architecture: str
    column: str
    scale: str
    code: str
    versions: str
    outcome: Outcome

    @property
    def key(self) -> tuple[str, str]:
        """What a newer result replaces."""
        return self.architecture, self.column


def results(*paths: Path) -> dict[tuple[str, str], Result]:
    """The newest result of each architecture and column, in files of which the last is newest."""
    found: dict[tuple[str, str], Result] = {}
    for path in paths or (DOCUMENTED, RESULTS):
        if path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                data = json.loads(line)
                outcome = data["outcome"]
                outcome["fallbacks"] = [tuple(each) for each in outcome["fallbacks"]]
                result = Result(**{**data, "outcome": Outcome(**outcome)})
                found[result.key] = result
    return found


def keep(result: Result, path: Path = RESULTS) -> None:
    """Add a result."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(_line(result))


def write_documented(found: Iterable[Result], path: Path) -> None:
    """Replace the results that a document was written from, without folders of this machine."""
    lines = [_FOLDER.sub("", _line(each)) for each in sorted(found, key=lambda each: each.key)]
    path.write_text("".join(lines), encoding="utf-8")


def _line(result: Result) -> str:
    return json.dumps(asdict(result)) + "\n"
