"""Results of the safety sweep under `build/`, from which an interrupted one resumes."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path

from torch_refine.build_tools.safety.judging import Judgement

FOLDER = Path(__file__).parents[2] / "build" / "safety"
_RESULTS = FOLDER / "results.jsonl"


@dataclass(frozen=True)
class Result:
    """The outcomes of the bad calls of a program; `code` is a hash of the sources.

    `way` is the way of compiling, `shown` the call as text, `refused` the reason if there is no
    program; `counts` are by the kind of call and the verdict, `faults` the faulty calls.
    """

    key: str
    code: str
    operator: str
    way: str
    shown: str
    refused: str = ""
    counts: dict[str, dict[str, int]] = field(default_factory=dict)
    faults: list[Judgement] = field(default_factory=list)


def results() -> dict[str, Result]:
    """The newest result of each program."""
    found: dict[str, Result] = {}
    if _RESULTS.exists():
        for line in _RESULTS.read_text(encoding="utf-8").splitlines():
            data = json.loads(line)
            faults = [Judgement(**each) for each in data.pop("faults")]
            result = Result(**data, faults=faults)
            found[result.key] = result
    return found


def keep(new: Iterable[Result]) -> None:
    """Add results."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with _RESULTS.open("a", encoding="utf-8") as file:
        for each in new:
            file.write(json.dumps(asdict(each)) + "\n")
