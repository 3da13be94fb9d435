"""`--mlir-print-value-users`: the users of each value in a comment, in mlir-opt's format.

The bindings lack this printer option. Each operation gets a location that identifies it, so that
the printed text shows where each ends; the locations are then replaced by comments. Operations
without results are numbered separately, `#0`, where mlir-opt numbers them among the values.
"""

from __future__ import annotations

import re
from argparse import Namespace
from collections.abc import Iterator

from torch_refine.dialect.bindings import ir, walk
from torch_refine.tool.assembly import asm
from torch_refine.tool.general_options import UsageError

_MARK = "torch-refine-users-"
_DEFINITION = re.compile(rf'^#(loc\d*) = loc\("{_MARK}(\d+)"\)\n?', re.MULTILINE)
_LOCATION = re.compile(rf' loc\((?:#(loc\d*)|"{_MARK}(\d+)")\)')


def with_users(module: ir.Operation, options: Namespace) -> str:
    """The text of a module with comments; raises UsageError for options that print locations."""
    if options.mlir_print_debuginfo or options.mlir_use_nameloc_as_prefix:
        raise UsageError(
            "--mlir-print-value-users cannot be combined with --mlir-print-debuginfo or "
            "--mlir-use-nameloc-as-prefix"
        )
    copy = module.clone().operation
    comments = _Comments(copy)
    shown = Namespace(**{**vars(options), "mlir_print_debuginfo": True})
    text = asm(copy, shown)
    marks = {found[1]: int(found[2]) for found in _DEFINITION.finditer(text)}
    return "\n".join(_commented(_DEFINITION.sub("", text), marks, comments)).rstrip("\n")


def _commented(text: str, marks: dict[str, int], comments: _Comments) -> Iterator[str]:
    """The lines of a text, with locations replaced by comments."""
    for line in text.split("\n"):
        found = [
            int(each[2]) if each[2] else marks.get(each[1], -1) for each in _LOCATION.finditer(line)
        ]
        ended = [comments.of_operations[mark] for mark in found if mark in comments.of_operations]
        yield _LOCATION.sub("", line) + "".join(f" // {each}" for each in ended if each)
        indent = len(line) - len(line.lstrip()) + 2
        for mark in found:
            if mark in comments.of_arguments:
                yield f"{' ' * indent}// {comments.of_arguments[mark]}"


class _Comments:
    """The comment on each operation and block argument, by the number in its location."""

    def __init__(self, module: ir.Operation) -> None:
        self.state = ir.AsmState(module)
        self.of_operations: dict[int, str] = {}
        self.of_arguments: dict[int, str] = {}
        self.ids: dict[ir.Operation, str] = {}
        operations = [module, *walk(module)]
        for op in operations:
            if not len(op.results) and len(op.operands):
                self.ids[op] = f"#{len(self.ids)}"
        number = 0
        for op in operations:
            self.of_operations[number] = self.operation(op)
            self.mark(op, number)
            number += 1
            for region in op.regions:
                for block in region:
                    for argument in block.arguments:
                        self.of_arguments[number] = self.argument(argument)
                        argument.set_location(_location(module.context, number))
                        number += 1

    def mark(self, op: ir.Operation, number: int) -> None:
        op.location = _location(op.context, number)

    def argument(self, value: ir.Value) -> str:
        name = value.get_name(self.state)
        users = self.users(value)
        return f"{name} is used by {', '.join(users)}" if users else f"{name} is unused"

    def operation(self, op: ir.Operation) -> str:
        results = list(op.results)
        if not results:
            return f"id: {self.ids[op]}" if op in self.ids else ""
        users = [self.users(result) for result in results]
        if not any(users):
            return "unused"
        shown = [", ".join(each) or "unused" for each in users]
        if len(results) > 1:
            shown = [f"({each})" for each in shown]
        several = len({name for each in users for name in each}) > 1
        return f"{'users' if several else 'user'}: {', '.join(shown)}"

    def users(self, value: ir.Value) -> list[str]:
        """The result names of a value's users, each once, in MLIR's order: last user first."""
        names: dict[str, None] = {}
        for use in value.uses:
            op = use.owner.operation
            for name in [each.get_name(self.state) for each in op.results] or [self.ids[op]]:
                names[name] = None
        return list(names)


def _location(context: ir.Context, number: int) -> ir.Location:
    return ir.Location.name(f"{_MARK}{number}", context=context)
