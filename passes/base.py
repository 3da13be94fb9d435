"""The base of passes: a name, a summary, options, and a function over an operation."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Any, ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.diagnostics import Diagnostics, Remark, RemarkFilter
from torch_refine.passes.reified import Reified


class PassFailure(Exception):
    """A pass failed; the errors were reported as diagnostics."""


@dataclass
class Seen:
    """The names of all ops that a pass visited in a module, and the casts it created."""

    names: set[str]
    casts: list[ir.Value]


@dataclass
class RunState:
    """State shared by the passes of one run.

    Passes report diagnostics and statistics here; `reified` and `seen`, keyed by the first block of
    a module, are valid until a pass runs that does not preserve them.
    """

    diagnostics: Diagnostics = field(default_factory=Diagnostics)
    statistics: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    reified: Reified = field(default_factory=Reified)
    seen: dict[ir.Block, Seen] = field(default_factory=dict)
    remarks: RemarkFilter = field(default_factory=RemarkFilter)
    # The time of inferring operators by name, without those that an earlier one gave.
    operator_seconds: dict[str, float] = field(default_factory=dict)

    def count(self, name: str, what: str, amount: int = 1) -> None:
        """Add to a statistic of the pass `name`."""
        self.statistics[name][what] += amount

    def passed(self, name: str, what: str, op: ir.Operation) -> None:
        """Remark that the pass `name` did something to an op, if such remarks are reported."""
        if self.remarks.passed is not None and self.remarks.passed.fullmatch(name):
            self.diagnostics.remark(_location(op), Remark("passed", name, what, _function(op)))

    def missed(self, name: str, what: str, op: ir.Operation, reason: str) -> None:
        """Remark that the pass `name` could not do something, if such remarks are reported."""
        if self.remarks.missed is not None and self.remarks.missed.fullmatch(name):
            remark = Remark("missed", name, what, _function(op), reason)
            self.diagnostics.remark(_location(op), remark)


def _function(op: ir.Operation) -> str | None:
    """The symbol of an op or of the closest op around it, if one below the module has any."""
    while op.name != "builtin.module" and op.parent is not None:
        if "sym_name" in op.attributes:
            return str(ir.StringAttr(op.attributes["sym_name"]).value)
        op = op.parent.operation
    return None


def _location(op: ir.Operation) -> ir.Location:
    """The location of an op; of a function that has none, that of the last op in it that has one.

    The last op of a kernel computes its result.
    """
    unknown = ir.Location.unknown(op.context)
    places = [op.location, *(each.location for each in walk(op))]
    known = [each for each in places if each != unknown]
    return op.location if op.location != unknown or not known else known[-1]


def option(default: Any, help: str, choices: tuple[Any, ...] = ()) -> Any:
    """A field of a pass that is one of its options; `extra_library` is spelt `extra-library`.

    With `choices`, other values are rejected.
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
    # The option that collects `name=value` of other names, joined by commas.
    free_option: ClassVar[str | None] = None
    # The state of the run that the pass preserves.
    keeps_reified: ClassVar[bool] = False
    keeps_seen: ClassVar[bool] = False
    # Whether a statistic is counted for every change: with none, the program is unchanged and needs
    # no verification.
    counts_changes: ClassVar[bool] = False

    @abstractmethod
    def run(self, op: ir.Operation, state: RunState) -> None:
        """Transform `op`, a module or an op nested in it, in place.

        Raises PassFailure after reporting the errors.
        """
