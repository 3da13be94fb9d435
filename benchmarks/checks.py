"""The cost of bounds checks: programs with and without them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

import torch
import torch_refine
from codegen_cases import Case
from torch_refine.dialect.bindings import ir, walk
from torch_refine.passes.base import RunState
from torch_refine.passes.lowering.linalg.insert_bounds_checks import InsertBoundsChecks
from torch_refine.runtime.compiling import compiler, worker

WANTED = 1.03
"""The target of the ratio of the time with checks to that without."""

COLUMNS = ("case", "with checks", "without", "with / without", "wanted")


@dataclass(frozen=True)
class Cost:
    """Milliseconds of a call, the minimum of all, with bounds checks and without."""

    name: str
    checked: float
    unchecked: float

    @property
    def ratio(self) -> float:
        """The time with checks divided by that without."""
        return self.checked / self.unchecked

    def row(self) -> tuple[str, ...]:
        """The columns of a table."""
        mark = "" if self.ratio <= WANTED else " (not reached)"
        times = (f"{self.checked:.3g} ms", f"{self.unchecked:.3g} ms")
        return (self.name, *times, f"{self.ratio:.3f}", f"{WANTED}{mark}")


def measure_checks(case: Case, rounds: int, best_time: Any) -> Cost:
    """Measure a case, alternating both; `best_time` returns the milliseconds of a call."""
    torch.manual_seed(0)
    torch.set_num_threads(1)
    model, inputs = case.make()
    model.eval()
    checked = torch_refine.compile(model, inputs)
    with _unchecked():
        unchecked = torch_refine.compile(model, inputs)
    torch.testing.assert_close(checked(*inputs), unchecked(*inputs), rtol=0, atol=0)
    least = [float("inf")] * 2
    for _ in range(rounds):
        for place, way in enumerate((checked, unchecked)):
            least[place] = min(least[place], best_time(way, inputs))
    return Cost(case.name, *least)


@contextmanager
def _unchecked() -> Iterator[None]:
    """Compile in this process, without assertions on indices and without a cache."""
    with (
        mock.patch.dict(os.environ, {"TORCH_REFINE_CACHE": "0"}),
        mock.patch.object(InsertBoundsChecks, "run", _erase_checks),
        mock.patch.object(compiler, "_run", _run_here),
    ):
        yield


def _erase_checks(self: InsertBoundsChecks, op: ir.Operation, state: RunState) -> None:
    """Insert none, and erase those of the wheel's conversions."""
    for each in list(walk(op)):
        if each.name == "cf.assert" and "index" in ir.StringAttr(each.attributes["msg"]).value:
            each.erase()


def _run_here(bytecode: bytes, request: dict[str, Any], folder: Path) -> None:
    (folder / "request.json").write_text(json.dumps(request), encoding="utf-8")
    (folder / "module.mlirbc").write_bytes(bytecode)
    worker.main([str(folder)])
