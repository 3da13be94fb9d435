"""Records the calls of entries, each in a separate process."""

from __future__ import annotations

from rich.progress import Progress
from torch_refine.build_tools.conformance.samples import entries
from torch_refine.build_tools.numerics import store
from torch_refine.build_tools.numerics.calls import ValueCall, record
from torch_refine.build_tools.numerics.workers import Died, Workers

_SECONDS_OF_AN_ENTRY = 300.0


def recorded(names: list[str], jobs: int, progress: Progress) -> list[ValueCall]:
    """All calls of some entries; missing ones are recorded."""
    missing = [name for name in names if not store.is_recorded(name)]
    task = progress.add_task("recording", total=len(missing))
    # Entries are loaded once, before processes are forked.
    entries()
    workers = Workers(_record, jobs, _SECONDS_OF_AN_ENTRY, store.FOLDER)
    for name, result in workers.run(missing) if missing else ():
        if isinstance(result, Died):
            progress.console.print(f"{name}: {result.message}")
            store.keep_calls(name, [])
        progress.update(task, advance=1, description=f"recording {name}")
        progress.refresh()
    return [call for name in names for call in store.recorded_calls(name)]


def _record(name: str) -> None:
    store.keep_calls(name, record(name))
