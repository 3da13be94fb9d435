"""What a pass is: a name, a summary, options, and a function over an operation."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any, ClassVar

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.diagnostics import Diagnostics


@dataclass(eq=False, slots=True)
class Reading:
    """A calculation as it is read: what it does, and the values that it captures."""

    key: Hashable
    captured: list[ir.Value]


class PassFailure(Exception):
    """A pass could not do its work; what is wrong was reported as diagnostics."""


@dataclass
class RunState:
    """What the passes of one run share: where to report, and what they counted.

    `readings` is what was read of reified calculations, by the bodies of their ops, `kept` what is
    known of them, and `constants` are ops that were written for them, for as long as only passes
    have run that keep all of it true.
    """

    diagnostics: Diagnostics = field(default_factory=Diagnostics)
    statistics: dict[str, Counter[str]] = field(default_factory=dict)
    readings: dict[ir.Block, Reading] = field(default_factory=dict)
    kept: dict[ir.Block | None, Any] = field(default_factory=dict)
    constants: list[ir.Operation] = field(default_factory=list)

    def forget(self) -> None:
        """Forget what was kept of reified calculations."""
        self.readings.clear()
        self.kept.clear()
        self.constants.clear()

    def count(self, name: str, what: str, amount: int = 1) -> None:
        """Add to a statistic of the pass `name`."""
        self.statistics.setdefault(name, Counter())[what] += amount


def option(default: Any, help: str, choices: tuple[Any, ...] = ()) -> Any:
    """A field of a pass that is one of its options; `extra_library` is spelt `extra-library`.

    With `choices`, no other value is taken.
    """
    return field(default=default, metadata={"help": help, "choices": choices})


@dataclass
class Pass(ABC):
    """Base of all passes; a subclass is a dataclass whose fields are the pass's options.

    `name` is the flag, and the file is named after it. The docstring of the subclass is the first
    line of the pass's help and documentation; `anchors` are the ops that it can run on.
    """

    name: ClassVar[str]
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module", "func.func")
    # Whether what was read of reified calculations is still true after the pass.
    keeps_readings: ClassVar[bool] = False

    @abstractmethod
    def run(self, op: ir.Operation, state: RunState) -> None:
        """Transform `op`, a module or what it holds, in place.

        Raises PassFailure after reporting what is wrong.
        """
