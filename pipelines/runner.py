"""Run a pipeline on a module, one pass at a time, and notify observers."""

from __future__ import annotations

import gc
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol

from torch_refine.dialect.bindings import ir, operations
from torch_refine.passes.base import PassFailure, RunState
from torch_refine.passes.reified import Reified
from torch_refine.pipelines.elements import Element, OurPass, Repeat, UpstreamPass
from torch_refine.pipelines.parsing import make_pass_manager

# The counters of passes that other passes benefit from.
_PROGRESS = ("types refined", "operators converted")
# Passes of the wheel that leave invalid IR behind for some programs.
_CONVERSIONS = ("convert-torch-to-", "convert-torch-onnx-to-")


class Observer(Protocol):
    """Notified before and after every pass; `failed` if it failed."""

    def before(self, element: OurPass | UpstreamPass, module: ir.Operation) -> None:
        """A pass is about to run."""

    def after(self, element: OurPass | UpstreamPass, module: ir.Operation, failed: bool) -> None:
        """A pass has run."""


class RunFailure(Exception):
    """A pass failed; its name is the argument, the errors were reported as diagnostics."""


@dataclass
class Runner:
    """Options of a run: whether to verify after every pass, and the observers.

    The results of the wheel's conversions are always verified.

    `seconds` collects the time of each pass by name.
    """

    state: RunState = field(default_factory=RunState)
    verify_each: bool = True
    observers: tuple[Observer, ...] = ()
    seconds: dict[str, float] = field(default_factory=dict)

    def run(self, elements: Iterable[Element], module: ir.Operation) -> None:
        """Run all elements on a module in place.

        Raises RunFailure at the first pass that fails or leaves invalid IR behind.
        """
        for element in elements:
            if isinstance(element, Repeat):
                self.repeat(element, module)
            else:
                self.run_pass(element, module)

    def repeat(self, element: Repeat, module: ir.Operation) -> None:
        """Repeat elements while they change the program."""
        for _ in range(element.limit):
            before = self.progress()
            self.run(element.elements, module)
            if self.progress() == before:
                return

    def progress(self) -> int:
        """The number of types refined so far, and operators converted."""
        return sum(counts[what] for counts in self.state.statistics.values() for what in _PROGRESS)

    def run_pass(self, element: OurPass | UpstreamPass, module: ir.Operation) -> None:
        """Run one pass, verify its result, and notify the observers."""
        for observer in self.observers:
            observer.before(element, module)
        counted = self.counted(element)
        start = time.perf_counter()
        try:
            if isinstance(element, OurPass):
                with _collector_paused():
                    for op in _anchored(module, element.anchors[1:]):
                        element.instance.run(op, self.state)
            else:
                manager = make_pass_manager(element, module.context)
                manager.enable_verifier(False)
                manager.run(module)
            failed = self.state.diagnostics.has_errors
        except PassFailure:
            failed = True
        except ir.MLIRError as error:
            self.report(error, element.name)
            failed = True
        self.seconds[element.name] = (
            self.seconds.get(element.name, 0.0) + time.perf_counter() - start
        )
        ours = element.instance if isinstance(element, OurPass) else None
        if ours is None or not ours.keeps_reified:
            self.state.reified = Reified()
        if ours is None or not ours.keeps_seen:
            self.state.seen.clear()
        # On invalid IR of some programs, `canonicalize` does not terminate, and other passes crash.
        needed = self.verify_each and (counted is None or counted != self.counted(element))
        always = isinstance(element, UpstreamPass) and element.is_verified
        if not failed and (needed or always or element.name.startswith(_CONVERSIONS)):
            failed = not self.verify(module)
        for observer in self.observers:
            observer.after(element, module, failed)
        if failed:
            raise RunFailure(element.name)

    def counted(self, element: OurPass | UpstreamPass) -> Counter[str] | None:
        """The change counters of a pass; None if it may make changes that it does not count."""
        if not isinstance(element, OurPass) or not element.instance.counts_changes:
            return None
        return Counter(self.state.statistics[element.name])

    def report(self, error: ir.MLIRError, name: str) -> None:
        """Report MLIR's diagnostics, or at least that the pass failed."""
        if error.error_diagnostics:
            self.state.diagnostics.report_exception(error)
        elif not self.state.diagnostics.has_errors:
            self.state.diagnostics.error(None, f"the pass {name} failed")

    def verify(self, module: ir.Operation) -> bool:
        """Whether the module is valid; errors are reported."""
        try:
            module.verify()
        except ir.MLIRError as error:
            self.report(error, "verify")
            return False
        return True


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Disable Python's cycle collector.

    A pass creates an object for every op and value that it reads. They hold no cycles, but the
    collector would traverse all of them repeatedly.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _anchored(op: ir.Operation, anchors: tuple[str, ...]) -> list[ir.Operation]:
    """The ops directly inside `op` that the anchors select."""
    found = [op]
    for anchor in anchors:
        found = [
            inner
            for outer in found
            for region in outer.regions
            for block in region
            for inner in operations(block)
            if anchor in ("any", inner.name)
        ]
    return found
