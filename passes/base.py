"""What a pass is: a name, a summary, options, and a function over an operation."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Any, ClassVar

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.diagnostics import Diagnostics
from torch_refine.passes.reified import Reified


class PassFailure(Exception):
    """A pass could not do its work; what is wrong was reported as diagnostics."""


@dataclass
class Seen:
    """The names of all ops that a pass found in a module, and the casts that it wrote."""

    names: set[str]
    casts: list[ir.Value]


@dataclass
class RunState:
    """What the passes of one run share.

    They report and count; `reified` and `seen`, by the first block of a module, hold as long as
    only passes run that keep them.
    """

    diagnostics: Diagnostics = field(default_factory=Diagnostics)
    statistics: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    reified: Reified = field(default_factory=Reified)
    seen: dict[ir.Block, Seen] = field(default_factory=dict)

    def count(self, name: str, what: str, amount: int = 1) -> None:
        """Add to a statistic of the pass `name`."""
        self.statistics[name][what] += amount


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
    # What of the run's state is still true after the pass.
    keeps_reified: ClassVar[bool] = False
    keeps_seen: ClassVar[bool] = False
    # Whether a pass that counts nothing has left the program as it was, so that it is still valid.
    counts_changes: ClassVar[bool] = False

    @abstractmethod
    def run(self, op: ir.Operation, state: RunState) -> None:
        """Transform `op`, a module or what it holds, in place.

        Raises PassFailure after reporting what is wrong.
        """
