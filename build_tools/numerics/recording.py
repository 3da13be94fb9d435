"""Records the calls of entries, each in a separate process, and those of functions' cases."""

from __future__ import annotations

from collections.abc import Collection

from rich.progress import Progress
from torch_refine.build_tools.conformance.samples import entries
from torch_refine.build_tools.numerics import store
from torch_refine.build_tools.numerics.calls import ValueCall, record
from torch_refine.build_tools.numerics.cases import record_cases, with_cases
from torch_refine.build_tools.numerics.workers import Died, Workers

_SECONDS_OF_AN_ENTRY = 300.0
_CASES = "cases of "


def recorded(names: list[str], jobs: int, progress: Progress) -> list[ValueCall]:
    """All calls of some entries, those of cases included; missing ones are recorded."""
    # Entries and operators are loaded once, before processes are forked.
    entries()
    if any(map(is_of_cases, names)):
        with_cases()
    return _recorded(names, jobs, progress)


def recorded_cases(known: Collection[str], jobs: int, progress: Progress) -> list[ValueCall]:
    """The calls of the cases of overloads that are not known, each recorded by its own process."""
    names = [f"{_CASES}{operator}" for operator in with_cases() if operator not in known]
    return _recorded(names, jobs, progress)


def is_of_cases(entry: str) -> bool:
    """Whether the calls of an entry are those of the cases of an overload."""
    return entry.startswith(_CASES)


def calls_of(entry: str) -> list[ValueCall]:
    """The calls of an entry of OpInfo, or of the cases of an overload, by the name of the entry."""
    if is_of_cases(entry):
        return record_cases(entry.removeprefix(_CASES), entry)
    return record(entry)


def _recorded(names: list[str], jobs: int, progress: Progress) -> list[ValueCall]:
    missing = [name for name in names if not store.is_recorded(name)]
    task = progress.add_task("recording", total=len(missing))
    workers = Workers(_record, jobs, _SECONDS_OF_AN_ENTRY, store.FOLDER)
    for name, result in workers.run(missing) if missing else ():
        if isinstance(result, Died):
            progress.console.print(f"{name}: {result.message}")
            store.keep_calls(name, [])
        progress.update(task, advance=1, description=f"recording {name}")
        progress.refresh()
    return [call for name in names for call in store.recorded_calls(name)]


def _record(name: str) -> None:
    store.keep_calls(name, calls_of(name))
