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
class RunState:
    """What the passes of one run share: where to report, what they count, and what they keep."""

    diagnostics: Diagnostics = field(default_factory=Diagnostics)
    statistics: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    reified: Reified = field(default_factory=Reified)
    # The names of all ops of a module, by its first block, where a pass has looked at all of them.
    names: dict[ir.Block, set[str]] = field(default_factory=dict)

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
    # What is still true after the pass: of reified calculations, and which ops there are, but for
    # casts.
    keeps_reified: ClassVar[bool] = False
    keeps_names: ClassVar[bool] = False
    # Whether a pass that counts nothing has left the program as it was, so that it is still valid.
    counts_changes: ClassVar[bool] = False

    @abstractmethod
    def run(self, op: ir.Operation, state: RunState) -> None:
        """Transform `op`, a module or what it holds, in place.

        Raises PassFailure after reporting what is wrong.
        """
