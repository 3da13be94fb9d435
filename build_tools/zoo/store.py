"""Results under `build/zoo`, from which an interrupted run resumes."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from torch_refine.build_tools.zoo.columns import Outcome

FOLDER = Path(__file__).parents[2] / "build" / "zoo"
RESULTS = FOLDER / "results.jsonl"


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


def results(path: Path = RESULTS) -> dict[tuple[str, str], Result]:
    """The newest result of each architecture and column."""
    found: dict[tuple[str, str], Result] = {}
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
        file.write(json.dumps(asdict(result)) + "\n")
