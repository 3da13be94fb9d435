"""What a sweep keeps under `build/fuzz`, so that one that is broken off goes on where it was."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "build" / "fuzz"
_RESULTS = FOLDER / "results.jsonl"


@dataclass(frozen=True)
class Fault:
    """A program that was wrong, raised, crashed or hung: what to draw to have it again."""

    kind: str
    message: str
    shown: str
    place: int
    test: str = ""


@dataclass
class Result:
    """What became of the programs of a task; `code` is the state of the sources."""

    key: str
    code: str
    counts: dict[str, int] = field(default_factory=dict)
    """How many programs had each outcome."""
    operators: dict[str, int] = field(default_factory=dict)
    """How many steps of programs that were right each operator had."""
    refused: dict[str, int] = field(default_factory=dict)
    """How many programs were refused for each reason."""
    faults: list[Fault] = field(default_factory=list)
    seconds: float = 0.0
    """Processor time."""


def results() -> dict[str, Result]:
    """The newest result of each task."""
    found: dict[str, Result] = {}
    if _RESULTS.exists():
        for line in _RESULTS.read_text(encoding="utf-8").splitlines():
            data = json.loads(line)
            faults = [Fault(**each) for each in data.pop("faults")]
            result = Result(**data, faults=faults)
            found[result.key] = result
    return found


def keep(result: Result) -> None:
    """Add a result."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with _RESULTS.open("a", encoding="utf-8") as file:
        file.write(json.dumps(asdict(result)) + "\n")
