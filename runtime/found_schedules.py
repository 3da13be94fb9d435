"""The schedules that were measured on this machine, in the user's cache folder.

There is one table for each processor that code is generated for: what is fast on one is not on
another. A table that cannot be kept is kept by this process, so that it measures once.
"""

from __future__ import annotations

import json
from typing import Any

from torch_refine.passes.lowering.contractions.schedule import ScheduleError
from torch_refine.passes.lowering.contractions.table import Table, as_data, from_data
from torch_refine.runtime import cache
from torch_refine.runtime.cache_key import key_of

MAX_AUTOTUNE = "max-autotune"
_of_process: dict[str, Table] = {}


class SchedulesFound:
    """The schedules for a processor, whose record is given as data."""

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
        """Whether all schedules of a table, given as data, are the ones here."""
        try:
            given = from_data(data)
        except ScheduleError:
            return False
        return all(self.table.get(key) == each for key, each in given.items())

    def add(self, data: Any) -> None:
        """Keep the schedules of a table, given as data; raises ScheduleError if it is none."""
        self.table |= from_data(data)
        _of_process[self._key] = self.table
        cache.store(self._key, json.dumps(self.as_data()).encode())

    def as_data(self) -> dict[str, Any]:
        """The table as data that JSON can hold."""
        return as_data(self.table)
