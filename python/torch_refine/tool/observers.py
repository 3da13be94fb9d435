"""Pass instrumentation: printing IR between passes, and time limits."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from torch_refine.dialect.bindings import ir
from torch_refine.passes.registry import RENAMED
from torch_refine.pipelines.elements import OurPass, UpstreamPass
from torch_refine.pipelines.parsing import PipelineError, UnknownPassError, parse_flag
from torch_refine.pipelines.registry import PIPELINES
from torch_refine.tool.general_options import UsageError
from torch_refine.tool.output import OutputError
from torch_refine.tool.supervisor import note_step, set_deadline


@dataclass
class Watchdog:
    """Records the running pass for crash messages, and ends passes that hang.

    Some rewrites of upstream and of the wheel do not terminate on some programs. `seconds` is the
    processor time limit of their passes; 0 is no limit. Our passes bound their own work.
    """

    seconds: float

    def before(self, element: OurPass | UpstreamPass, module: ir.Operation) -> None:
        """Called before a pass."""
        note_step(f"the pass {element.name}")
        if isinstance(element, UpstreamPass):
            set_deadline(self.seconds)

    def after(self, element: OurPass | UpstreamPass, module: ir.Operation, failed: bool) -> None:
        """Called after a pass."""
        set_deadline(0)


@dataclass
class IRPrinter:
    """Prints the IR before and after passes, as requested by mlir-opt's options.

    To standard error, or to a folder: one file per print, `0_cse.mlir`, in a folder named after the
    module.
    """

    options: Namespace
    show: Callable[[ir.Operation], str]
    _last: str | None = field(default=None, init=False)
    _files: int = field(default=0, init=False)

    @staticmethod
    def wanted(options: Namespace) -> bool:
        """Whether any option requests IR between passes."""
        return bool(
            options.mlir_print_ir_before
            or options.mlir_print_ir_after
            or options.mlir_print_ir_before_all
            or options.mlir_print_ir_after_all
            or options.mlir_print_ir_after_change
            or options.mlir_print_ir_after_failure
        )

    def before(self, element: OurPass | UpstreamPass, module: ir.Operation) -> None:
        """Print before a pass; keep the IR if only changes are shown."""
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
        """Print the IR with a header that names the pass."""
        headline = f"// -----// IR Dump {when} {element.name}{note} //----- //"
        text = f"{headline}\n{self.show(module)}\n"
        root = self.options.mlir_print_ir_tree_dir
        if root is None:
            print(text, file=sys.stderr)
        else:
            self.write(Path(root), f"{self._files}_{element.name}.mlir", module, text)
            self._files += 1

    def write(self, root: Path, name: str, module: ir.Operation, text: str) -> None:
        """Write a file to the folder of the module; raises OutputError."""
        symbol = "no-symbol-name"
        if "sym_name" in module.attributes:
            symbol = ir.StringAttr(module.attributes["sym_name"]).value
        # A symbol may contain any characters.
        safe = "".join(char if char.isalnum() or char in "_-" else "_" for char in symbol)
        folder = root / f"{module.name.replace('.', '_')}_{safe}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
        except OSError as error:
            raise OutputError(f"cannot write to folder '{root}': {error.strerror}") from None


def check_named_passes(options: Namespace, context: ir.Context) -> None:
    """Raise UsageError if IR printing is requested for an unknown pass."""
    for when in ("before", "after"):
        option = f"mlir_print_ir_{when}"
        for name in sorted(_names(getattr(options, option))):
            flag = f"--{option.replace('_', '-')}={name}"
            if name in PIPELINES:
                raise UsageError(f"{flag}: {name} is a pipeline; name passes of it")
            try:
                parse_flag(name, "", context)
            except UnknownPassError as error:
                raise UsageError(f"{flag}: {error}") from None
            except PipelineError:
                # A pass with required options, or for another operation.
                continue


def _names(given: list[str]) -> set[str]:
    names = (name.strip().lstrip("-") for text in given for name in text.split(","))
    return {RENAMED.get(name, name) for name in names}
