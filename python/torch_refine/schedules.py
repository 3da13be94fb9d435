"""Measured schedules: `python -m torch_refine.schedules --export FILE`.

`compile(mode="max-autotune")` measures them, for the contractions of a model on this machine. An
exported file can be used on other machines with the same processor, and by `set-schedules` in
pipelines.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from torch_refine.passes.lowering.kernels.contractions.schedule import ScheduleError
from torch_refine.passes.lowering.kernels.contractions.table import as_data, read_table
from torch_refine.passes.lowering.kernels.targets.host import target
from torch_refine.passes.lowering.kernels.targets.record import TargetError
from torch_refine.runtime.compiling.measured_schedules import MeasuredSchedules


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit code is 2 for an invalid processor or file."""
    parser = argparse.ArgumentParser(
        prog="python -m torch_refine.schedules",
        description="Show, export and import the schedules measured for a processor.",
    )
    parser.add_argument("--cpu", default="host", help="the processor, as compile(cpu=) takes it")
    parser.add_argument("--features", default="", help="features to add and to remove")
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--export", metavar="FILE", help="write them to a file")
    action.add_argument("--import", dest="read", metavar="FILE", help="add those of a file")
    chosen = parser.parse_args(arguments)
    try:
        found = MeasuredSchedules(target(chosen.cpu, chosen.features).as_data())
        if chosen.read:
            table = read_table(chosen.read)
            found.add(as_data(table))
            print(f"{len(table)} schedules were added")
        elif chosen.export:
            text = json.dumps(found.as_data(), indent=1, sort_keys=True)
            Path(chosen.export).write_text(text + "\n", encoding="utf-8")
            print(f"{len(found.table)} schedules were written")
        else:
            for key, schedule in sorted(found.table.items()):
                print(f"{key}\n  {schedule}")
            print(f"{len(found.table)} schedules")
    except TargetError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except (OSError, ScheduleError) as error:
        print(f"error: {chosen.read or chosen.export}: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
