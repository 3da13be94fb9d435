"""The schedules measured on this machine, in the user's cache folder.

There is one table per target processor, as the fastest schedule differs. A table that cannot be
stored is kept in memory, so that each process measures once.
"""

from __future__ import annotations

import json
from typing import Any

from torch_refine.passes.lowering.kernels.contractions.schedule import ScheduleError
from torch_refine.passes.lowering.kernels.contractions.table import Table, as_data, from_data
from torch_refine.runtime.compiling import cache
from torch_refine.runtime.compiling.cache_key import key_of

MAX_AUTOTUNE = "max-autotune"
_of_process: dict[str, Table] = {}


class MeasuredSchedules:
    """The schedules for a processor, given by its record as data."""

    def __init__(self, record: Any) -> None:
        self._key = key_of(b"", {"schedules": record})
        found = cache.find(self._key)
        self.table: Table = dict(_of_process.get(self._key, {}))
        if found is not None:
            try:
                self.table |= from_data(json.loads(found))
            except (ValueError, ScheduleError) as error:
                cache.refuse(self._key, str(error))

    def has(self, data: Any) -> bool:
        """Whether all schedules of a table, given as data, equal the stored ones."""
        try:
            given = from_data(data)
        except ScheduleError:
            return False
        return all(self.table.get(key) == each for key, each in given.items())

    def add(self, data: Any) -> None:
        """Add the schedules of a table, given as data; raises ScheduleError if it is invalid."""
        self.table |= from_data(data)
        _of_process[self._key] = self.table
        cache.store(self._key, json.dumps(self.as_data()).encode())

    def as_data(self) -> dict[str, Any]:
        """The table as JSON data."""
        return as_data(self.table)
