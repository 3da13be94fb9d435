"""Results of a sweep under `build/fuzz`, from which an interrupted one resumes."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "build" / "fuzz"
_RESULTS = FOLDER / "results.jsonl"


@dataclass(frozen=True)
class Fault:
    """A program that was wrong, raised, crashed or hung, with the task that generates it."""

    kind: str
    message: str
    shown: str
    place: int
    test: str = ""


@dataclass
class Result:
    """The outcomes of the programs of a task; `code` is a hash of the sources."""

    key: str
    code: str
    counts: dict[str, int] = field(default_factory=dict)
    """The number of programs by outcome."""
    operators: dict[str, int] = field(default_factory=dict)
    """The number of steps in correct programs by operator."""
    refused: dict[str, int] = field(default_factory=dict)
    """The number of refused programs by reason."""
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
