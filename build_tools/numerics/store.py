"""Results of a sweep under `build/`, from which an interrupted one resumes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

import torch
import torch_refine
from torch_refine.build_tools.numerics.calls import ValueCall
from torch_refine.build_tools.numerics.judging import Outcome
from torch_refine.build_tools.numerics.ways import Way

FOLDER = Path(__file__).parents[2] / "build" / "numerics"
# The modules that choose the calls.
_RECORDING = ("calls.py", "cases.py")
# The sources that affect the results of programs or their comparison.
_ROOMS = (
    "dialect",
    "abstract_interpreter",
    "passes",
    "pipelines",
    "runtime",
    "importer",
    "abstract_interp_lib/exported",
)


@dataclass(frozen=True)
class Result:
    """The outcome of a call; `code` is a hash of the sources, `shown` the call as text."""

    key: str
    code: str
    operator: str
    dtype: str
    kind: str
    entry: str
    shown: str
    outcome: Outcome


@cache
def code_digest() -> str:
    """A hash of the sources that affect the results."""
    digest = hashlib.sha256(torch_refine.__file__.encode())
    for room in _ROOMS:
        folder = Path(__file__).parents[2] / room
        for path in sorted([*folder.rglob("*.py"), *folder.rglob("*.mlir")]):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@cache
def _calls() -> Path:
    """The folder of the recorded calls; another one if what is recorded changed."""
    digest = hashlib.sha256(torch.__version__.encode())
    for name in _RECORDING:
        digest.update((Path(__file__).parent / name).read_bytes())
    return FOLDER / f"calls-{digest.hexdigest()[:8]}"


def is_recorded(entry: str) -> bool:
    """Whether the calls of an entry are recorded."""
    return (_calls() / f"{entry}.pt").exists()


def recorded_calls(entry: str) -> list[ValueCall]:
    """The recorded calls of an entry."""
    # Our own file, under build/.
    calls: list[ValueCall] = torch.load(_calls() / f"{entry}.pt", weights_only=False)
    return calls


def keep_calls(entry: str, calls: list[ValueCall]) -> None:
    """Store recorded calls."""
    _calls().mkdir(parents=True, exist_ok=True)
    path = _calls() / f"{entry}.pt"
    torch.save(calls, path.with_suffix(".part"), pickle_protocol=4)
    path.with_suffix(".part").rename(path)


def _path(way: Way) -> Path:
    return FOLDER / f"{way.name}.jsonl"


def results(way: Way) -> dict[str, Result]:
    """The newest result of each call."""
    found: dict[str, Result] = {}
    if _path(way).exists():
        for line in _path(way).read_text(encoding="utf-8").splitlines():
            data = json.loads(line)
            result = Result(**{**data, "outcome": Outcome(**data["outcome"])})
            found[result.key] = result
    return found


def keep_results(new: Iterable[Result], way: Way) -> None:
    """Add results."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with _path(way).open("a", encoding="utf-8") as file:
        for each in new:
            file.write(json.dumps(asdict(each)) + "\n")
