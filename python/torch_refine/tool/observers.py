"""What a person can watch while passes run: the IR between them, times, counts."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from torch_refine.dialect.bindings import ir
from torch_refine.pipelines.elements import OurPass, UpstreamPass
from torch_refine.tool.supervisor import note_step, set_deadline

_RULE = "===" + "-" * 73 + "==="


@dataclass
class Watchdog:
    """Notes which pass runs, for the message if the process dies of it, and ends what hangs.

    Some rewrites of upstream and of the wheel do not end on some programs. `seconds` of processor
    time are what a pass of theirs may take; 0 is no limit. Ours have bounds of their own.
    """

    seconds: float

    def before(self, element: OurPass | UpstreamPass, module: ir.Operation) -> None:
        """A pass is about to run."""
        note_step(f"the pass {element.name}")
        if isinstance(element, UpstreamPass):
            set_deadline(self.seconds)

    def after(self, element: OurPass | UpstreamPass, module: ir.Operation, failed: bool) -> None:
        """A pass has run."""
        set_deadline(0)


@dataclass
class IRPrinter:
    """Prints the IR before and after passes to standard error, as mlir-opt's options say."""

    options: Namespace
    show: Callable[[ir.Operation], str]
    _last: str | None = field(default=None, init=False)

    @staticmethod
    def wanted(options: Namespace) -> bool:
        """Whether any option asks for IR between passes."""
        return bool(
            options.mlir_print_ir_before
            or options.mlir_print_ir_after
            or options.mlir_print_ir_before_all
            or options.mlir_print_ir_after_all
            or options.mlir_print_ir_after_change
            or options.mlir_print_ir_after_failure
        )

    def before(self, element: OurPass | UpstreamPass, module: ir.Operation) -> None:
        """Print before a pass; remember the IR where only a change is shown."""
        options = self.options
        if options.mlir_print_ir_after_change:
            self._last = self.show(module)
        named = element.name in _names(options.mlir_print_ir_before)
        if options.mlir_print_ir_before_all or named:
            self.dump("Before", element, module)

    def after(self, element: OurPass | UpstreamPass, module: ir.Operation, failed: bool) -> None:
        """Print after a pass."""
        options = self.options
        if failed and (options.mlir_print_ir_after_failure or options.mlir_print_ir_after_all):
            self.dump("After", element, module, " Failed")
            return
        named = element.name in _names(options.mlir_print_ir_after)
        wanted = options.mlir_print_ir_after_all or named
        if options.mlir_print_ir_after_change:
            everything = not options.mlir_print_ir_after
            wanted = (wanted or everything) and self.show(module) != self._last
        if wanted and not options.mlir_print_ir_after_failure:
            self.dump("After", element, module)

    def dump(
        self, when: str, element: OurPass | UpstreamPass, module: ir.Operation, note: str = ""
    ) -> None:
        """Print the IR under a headline that names the pass."""
        headline = f"// -----// IR Dump {when} {element.name}{note} //----- //"
        print(f"{headline}\n{self.show(module)}\n", file=sys.stderr)


def _names(given: list[str]) -> set[str]:
    return {name.strip().lstrip("-") for text in given for name in text.split(",")}


def timing_report(seconds: dict[str, float]) -> str:
    """Times by name as a table in the manner of MLIR's, with a total."""
    total = sum(seconds.values())
    lines = [
        _RULE,
        f"{'... Execution time report ...':^79}".rstrip(),
        _RULE,
        f"  Total Execution Time: {total:.4f} seconds",
        "",
        "  ----Wall Time----  ----Name----",
    ]
    for name, spent in [*seconds.items(), ("Total", total)]:
        share = 100 * spent / total if total else 0.0
        lines.append(f"  {spent:8.4f} ({share:5.1f}%)  {name}")
    return "\n".join(lines)


def statistics_report(statistics: dict[str, Counter[str]]) -> str:
    """What each pass counted, as a table in the manner of MLIR's."""
    lines = [_RULE, f"{'... Pass statistics report ...':^79}".rstrip(), _RULE]
    for name, counts in statistics.items():
        lines.append(name)
        lines += [f"  (S) {count:>8} {what}" for what, count in sorted(counts.items())]
    return "\n".join(lines)
