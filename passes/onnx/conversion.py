"""Run the wheel's ONNX conversion on all operators that it supports.

It converts all operators, or none: if one fails, it restores the program. That operator is then
hidden by another name, and the conversion runs again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from torch_refine.dialect.bindings import PassManager, ir, walk
from torch_refine.dialect.diagnostics import Diagnostic, diagnostic
from torch_refine.dialect.names import is_onnx, name_of

_PASSES = "builtin.module(func.func(convert-torch-onnx-to-torch))"
_HIDDEN = "hidden."
_MARK = re.compile(r'"torch-refine-onnx-(\d+)"')
# After this many failures, all operators with a failed name are hidden at once.
_MOST_FAILURES = 64


def onnx_operators(op: ir.Operation) -> list[ir.Operation]:
    """All ONNX operators in an op, including nested regions."""
    return [inner for inner in walk(op) if is_onnx(name_of(inner))]


class Conversion:
    """One run of the conversion over a module; `warnings` are those about converted operators."""

    def __init__(self, module: ir.Operation) -> None:
        self.module = module
        self.warnings: list[Diagnostic] = []
        with module.context:
            self.manager = PassManager.parse(_PASSES)
        self.manager.enable_verifier(False)
        self.locations: list[ir.Location] = []

    def run(self) -> None:
        """Convert what can be converted; raises MLIRError for errors without an operator."""
        # A run erases the ops that it converts, so no reference to one is kept over it.
        if self.attempt() is None:
            return
        try:
            self.mark()
            self.convert_others()
        finally:
            self.restore()

    def attempt(self) -> ir.MLIRError | None:
        """Run the conversion; the error if it failed."""
        with self.collected_warnings():
            try:
                self.manager.run(self.module)
            except ir.MLIRError as error:
                return error
        return None

    @contextmanager
    def collected_warnings(self) -> Iterator[None]:
        """Collect the warnings of this attempt, at their original locations."""
        self.warnings = []

        def keep(emitted: ir.Diagnostic) -> bool:
            number = self.number_in(str(emitted.location))
            location = emitted.location if number is None else self.locations[number]
            if emitted.severity.name == "WARNING":
                self.warnings.append(diagnostic("warning", location, emitted.message))
            return True

        handler = self.module.context.attach_diagnostic_handler(keep)
        try:
            yield
        finally:
            handler.detach()

    def number_in(self, location: str) -> int | None:
        """The number of the operator that a location marks."""
        found = _MARK.search(location)
        return None if found is None else int(found[1])

    def mark(self) -> None:
        """Number the operators by their locations, so that an error identifies its operator."""
        for op in onnx_operators(self.module):
            name = f"torch-refine-onnx-{len(self.locations)}"
            self.locations.append(op.location)
            op.location = ir.Location.name(name, context=self.module.context)

    def convert_others(self) -> None:
        """Hide operators that cannot be converted until the conversion succeeds."""
        failed: set[str] = set()
        failures = 0
        while (error := self.attempt()) is not None:
            places = (str(each.location) for each in error.error_diagnostics)
            number = next((n for n in map(self.number_in, places) if n is not None), None)
            if number is None:
                raise error
            failures += 1
            hidden = 0
            for op in onnx_operators(self.module):
                is_this = self.number_in(str(op.location)) == number
                if is_this:
                    failed.add(name_of(op))
                if is_this or (failures > _MOST_FAILURES and name_of(op) in failed):
                    self.rename(op, f"{_HIDDEN}{name_of(op)}")
                    hidden += 1
            if not hidden:
                raise error

    def restore(self) -> None:
        """Restore the locations and names of all ops, including those that the conversion
        created."""
        for op in walk(self.module):
            number = self.number_in(str(op.location))
            if number is not None:
                op.location = self.locations[number]
            for region in op.regions:
                for block in region:
                    for argument in block.arguments:
                        number = self.number_in(str(argument.location))
                        if number is not None:
                            argument.set_location(self.locations[number])
            if name_of(op).startswith(_HIDDEN):
                self.rename(op, name_of(op).removeprefix(_HIDDEN))

    def rename(self, op: ir.Operation, name: str) -> None:
        """Change the operator name of a `torch.operator`."""
        op.attributes["name"] = ir.StringAttr.get(name, context=self.module.context)
