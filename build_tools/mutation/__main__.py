"""Mutate random places of the code, and list the mutations that the tests near them do not notice.

    python -m torch_refine.build_tools.mutation [--number N] [--seed S] [--jobs J] [--seconds T]
        [--again RESULTS] [FOLDER ...]

Places are drawn from the folders, as many from each: by default from the interpreter, the rules of
the library, refinement and lowering. A mutation is noticed if a test fails, crashes, or takes much
longer than without it. Tests are run from the nearest on, as long as their processor times without
a mutation, which are measured first, add up to no more than `--seconds`. The results are written to
`build/mutation/seed-S.json`; `--again` runs those that survived in such a file. The exit code is 1
if a test fails without a mutation.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from torch_refine.build_tools.mutation.mutants import compiles, mutations
from torch_refine.build_tools.mutation.overlay import ROOT
from torch_refine.build_tools.mutation.running import Place, Result, tried_all

FOLDER = ROOT / "build" / "mutation"
FOLDERS = ("abstract_interpreter", "abstract_interp_lib/rules", "passes", "passes/lowering")
"""A folder stands for what is in it, but not in another one of these."""


def places(folder: str, others: Sequence[str], root: Path = ROOT) -> list[Place]:
    """All mutations of the files in a folder, without those of others that are in it."""
    inner = [root / other for other in others if (root / other).is_relative_to(root / folder)]
    found = []
    for file in sorted((root / folder).rglob("*.py")):
        if any(each != root / folder and file.is_relative_to(each) for each in inner):
            continue
        source = file.read_text(encoding="utf-8")
        name = str(file.relative_to(root))
        is_rule = "rules" in file.parts
        found += [Place(folder, name, each) for each in mutations(source, not is_rule)]
    return found


def drawn(folders: Sequence[str], number: int, seed: int) -> list[Place]:
    """Some mutations of the folders, about as many of each."""
    chosen: list[Place] = []
    for index, folder in enumerate(folders):
        share = number * (index + 1) // len(folders) - number * index // len(folders)
        found = places(folder, folders)
        Random(f"{seed} {folder}").shuffle(found)
        chosen += islice(filter(_is_python, found), share)
    Random(seed).shuffle(chosen)
    return chosen


def _is_python(place: Place) -> bool:
    return compiles(place.mutation.applied((ROOT / place.file).read_text(encoding="utf-8")))


def report(results: Sequence[Result]) -> str:
    """A table of the outcomes by room, and the mutations that survived."""
    lines = [
        "| room | mutations | noticed | of them timeouts | survived | noticed, % |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    rooms = [*dict.fromkeys(each.room for each in results)]
    for room in (*sorted(rooms), "all"):
        outcomes = Counter(each.outcome for each in results if room in (each.room, "all"))
        noticed = outcomes["noticed"] + outcomes["timeout"]
        total = outcomes.total()
        cells = (room, total, noticed, outcomes["timeout"], total - noticed)
        lines.append(f"| {' | '.join(map(str, cells))} | {100 * noticed / total:.0f} |")
    lines.append("")
    for each in sorted(results, key=lambda each: each.line):
        if each.outcome in ("survived", "untested"):
            lines += [f"{each.line}: {each.outcome}", f"    {each.before}", f"    {each.after}"]
    return "\n".join(lines)


def main(words: list[str]) -> int:
    """Draw, run, print; the exit code."""
    options = _options(words)
    chosen = drawn(options.folders, options.number, options.seed)
    target = FOLDER / f"seed-{options.seed}.json"
    if options.again is not None:
        earlier: list[dict[str, Any]] = json.loads(options.again.read_text())
        survived = {each["key"] for each in earlier if each["outcome"] in ("survived", "untested")}
        folders = sorted({each["room"] for each in earlier})
        found = [place for folder in folders for place in places(folder, FOLDERS)]
        chosen = [place for place in found if place.key in survived]
        target = options.again.with_suffix(".again.json")
    FOLDER.mkdir(parents=True, exist_ok=True)
    results: list[Result] = []
    start = time.monotonic()

    def keep(result: Result) -> None:
        results.append(result)
        target.write_text(json.dumps([asdict(each) for each in results], indent=1))
        seconds = time.monotonic() - start
        shown = f"[{len(results)} of {len(chosen)}, {seconds:.0f} s] {result.line}"
        print(f"{shown}: {result.outcome}", flush=True)

    passed = tried_all(chosen, options.jobs, options.seconds, keep)
    print(report(results))
    return int(not passed)


def _options(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folders", nargs="*", default=list(FOLDERS), metavar="FOLDER")
    parser.add_argument("--number", type=int, default=200, help="how many places to draw")
    parser.add_argument("--seed", type=int, default=0, help="other seeds draw others")
    parser.add_argument("--jobs", type=int, default=2, help="processes at a time")
    parser.add_argument("--seconds", type=float, default=20.0, help="of tests, each mutation")
    parser.add_argument("--again", type=Path, help="results of which to run what survived")
    return parser.parse_args(words)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
