"""What a person can watch while passes run: the IR between them; and what ends those that hang."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from torch_refine.dialect.bindings import ir
from torch_refine.pipelines.elements import OurPass, UpstreamPass
from torch_refine.pipelines.parsing import PipelineError, UnknownPassError, parse_flag
from torch_refine.pipelines.registry import PIPELINES
from torch_refine.tool.general_options import UsageError
from torch_refine.tool.output import OutputError
from torch_refine.tool.supervisor import note_step, set_deadline


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
    """Prints the IR before and after passes, as mlir-opt's options say.

    To standard error, or to a folder: a file for each time, `0_cse.mlir`, in a folder that is named
    after the module.
    """

    options: Namespace
    show: Callable[[ir.Operation], str]
    _last: str | None = field(default=None, init=False)
    _files: int = field(default=0, init=False)

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
        text = f"{headline}\n{self.show(module)}\n"
        root = self.options.mlir_print_ir_tree_dir
        if root is None:
            print(text, file=sys.stderr)
        else:
            self.write(Path(root), f"{self._files}_{element.name}.mlir", module, text)
            self._files += 1

    def write(self, root: Path, name: str, module: ir.Operation, text: str) -> None:
        """Write a file into the folder of the module; raises OutputError."""
        symbol = "no-symbol-name"
        if "sym_name" in module.attributes:
            symbol = ir.StringAttr(module.attributes["sym_name"]).value
        # A symbol is any text.
        safe = "".join(char if char.isalnum() or char in "_-" else "_" for char in symbol)
        folder = root / f"{module.name.replace('.', '_')}_{safe}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
        except OSError as error:
            raise OutputError(f"cannot write to folder '{root}': {error.strerror}") from None


def check_named_passes(options: Namespace, context: ir.Context) -> None:
    """Raise UsageError where IR is to be printed before or after what is no pass."""
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
                # A pass that wants options, or another operation.
                continue


def _names(given: list[str]) -> set[str]:
    return {name.strip().lstrip("-") for text in given for name in text.split(",")}
