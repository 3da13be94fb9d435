"""The ops and block arguments of modules as columns: one row each, texts stored once."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.calculate_ops import OP_NAMES
from torch_refine.dialect.library import Library
from torch_refine.dialect.locations import place_of
from torch_refine.dialect.names import name_of
from torch_refine.dialect.tensor_type import Types
from torch_refine.passes.casts import CAST
from torch_refine.passes.incomplete import reason_of
from torch_refine.passes.program import program_functions
from torch_refine.pipelines.declared_sizes import DeclaredSizes
from torch_refine.pipelines.html_report.conditions import (
    assertion,
    conditions_of,
    constant_text,
)
from torch_refine.pipelines.html_report.types_before import (
    ARGUMENT,
    Key,
    TypesBefore,
    function_name,
    items_of,
    types_text,
)

# What a row is; the scripts of the page have the same numbers.
_NO_TENSOR, _COMPLETE, _DECLARED, _INCOMPLETE, _CONSTANT = range(5)
_COLUMNS = (
    *("function", "operator", "value", "before", "after", "file", "line", "column"),
    *("names", "place", "status", "reason", "detail", "operands"),
)
# How much of a constant, and of many results' names, is shown.
_LONGEST, _MOST_NAMES = 120, 4


class Strings:
    """Texts by number, each stored once; the empty text is 0."""

    def __init__(self) -> None:
        self.texts: list[str] = [""]
        self._numbers: dict[str, int] = {"": 0}

    def number(self, text: str) -> int:
        """The number of a text."""
        found = self._numbers.get(text)
        if found is None:
            found = self._numbers[text] = len(self.texts)
            self.texts.append(text)
        return found


@dataclass
class Rows:
    """The rows of all modules of a run.

    `producers` are the rows that define the operands of each row, as distances back from it;
    `links` are pairs of rows that pass values through regions and branches.
    """

    strings: Strings = field(default_factory=Strings)
    functions: list[dict[str, Any]] = field(default_factory=list)
    columns: dict[str, list[int]] = field(default_factory=lambda: {name: [] for name in _COLUMNS})
    producers: list[int] = field(default_factory=list)
    links: list[int] = field(default_factory=list)
    guards: list[dict[str, Any]] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.columns["operator"])

    def add(
        self, module: ir.Operation, before: TypesBefore, extra: tuple[Path, ...], source: str
    ) -> None:
        """Add the functions of a refined module.

        `extra` are the extra libraries that it was refined with, `source` the name of the file.
        """
        _Module(self, module, before, extra, source).add()


class _Module:
    """The rows of one module."""

    def __init__(
        self,
        rows: Rows,
        module: ir.Operation,
        before: TypesBefore,
        extra: tuple[Path, ...],
        source: str,
    ) -> None:
        self.rows, self.module, self.source = rows, module, source
        self.number = rows.strings.number
        self.types = Types(module.context)
        self.state = ir.AsmState(module)
        self.library = Library(extra)
        self.before = before
        self.functions = list(program_functions(module))
        self.sizes = self.declared_sizes(extra)
        self.row_of: dict[ir.Value, int] = {}
        self.constants: set[int] = set()
        # The key of each row with results among the types before the passes.
        self.keys: dict[int, Key] = {}

    def declared_sizes(self, extra: tuple[Path, ...]) -> DeclaredSizes | None:
        """The sizes that follow from declared ones, unless all types are complete."""
        if self.module.name != "builtin.module":
            return None
        for function in self.functions:
            for _, _, values in items_of(function):
                for value in values:
                    tensor = self.types.tensor(value.type)
                    if tensor is not None and not tensor.is_complete:
                        return DeclaredSizes(self.module, extra)
        return None

    def add(self) -> None:
        """Add all functions, and the guards of each."""
        for function in self.functions:
            self.name = name = function_name(function)
            self.function = len(self.rows.functions)
            self.counts: Counter[str] = Counter()
            first = len(self.rows)
            self.add_regions(function, None)
            if len(self.rows) == first and not function.name.endswith("func"):
                continue
            self.rows.functions.append(
                {
                    "name": name,
                    "source": self.source,
                    "first": first,
                    "operations": self.counts["operations"],
                    "tensors": self.counts["tensors"],
                    "before": self.before.complete.get(name, 0),
                    "complete": self.counts[str(_COMPLETE)],
                    "declared": self.counts[str(_DECLARED)],
                }
            )
            for each in conditions_of(function):
                self.add_guard(each.condition, each.message, each.source, None)
        found = self.before.matched(Counter(self.keys.values()))
        column = self.rows.columns["before"]
        for row, key in self.keys.items():
            column[row] = self.number(next(found[key], "")) if key in found else 0

    def add_regions(self, op: ir.Operation, row: int | None) -> None:
        """Add the blocks of an op; `row` is its own, None for a function."""
        blocks = [block for region in op.regions for block in region]
        for block in blocks:
            for argument in block.arguments:
                # A branch may come before the block that it passes values to.
                self.row_of[argument] = -1
        branches: list[tuple[int, ir.Block]] = []
        first_of: dict[ir.Block, list[int]] = {}
        for block in blocks:
            arguments = [self.add_argument(argument) for argument in block.arguments]
            first_of[block] = arguments
            if row is not None:
                for each in arguments:
                    self.rows.links += [row, each]
            last = -1
            for view in block.operations:
                inner = view.operation
                last = self.add_op(inner)
                if len(inner.regions):
                    self.add_regions(inner, last)
            if last >= 0:
                ended = view.operation
                branches += [(last, successor) for successor in ended.successors]
                if row is not None and not len(ended.successors):
                    self.rows.links += [last, row]
        for branch, successor in branches:
            for each in first_of[successor]:
                self.rows.links += [branch, each]

    def add_argument(self, argument: ir.Value) -> int:
        return self.add_row(ARGUMENT, argument.location, [argument], [])

    def add_op(self, op: ir.Operation) -> int:
        name = name_of(op)
        self.counts["operations"] += 1
        operands = [self.row_of[value] for value in op.operands if value in self.row_of]
        detail, condition = "", assertion(op, self.state)
        is_constant = name.startswith("torch.constant.")
        if is_constant and "value" in op.attributes:
            detail = constant_text(op)[:_LONGEST]
        elif name == "torch.prim.ListConstruct" and self.constants.issuperset(operands):
            is_constant = True
        elif condition is not None:
            detail = condition.message
        row = self.add_row(name, op.location, list(op.results), operands, detail, op)
        if is_constant:
            self.constants.add(row)
            self.rows.columns["status"][row] = _CONSTANT
        if condition is not None:
            self.add_guard(condition.condition, condition.message, condition.source, row)
        return row

    def add_guard(self, condition: str, message: str, source: str | None, row: int | None) -> None:
        self.rows.guards.append(
            {
                "function": self.function,
                "condition": condition,
                "message": message,
                "source": source,
                "row": row,
            }
        )

    def add_row(
        self,
        name: str,
        location: ir.Location,
        values: list[ir.Value],
        operands: list[int],
        detail: str = "",
        op: ir.Operation | None = None,
    ) -> int:
        """Add one row; returns its number."""
        row, number = len(self.rows), self.number
        status, reason = self.status(name, values, op)
        text = str(location)
        place = place_of(location)
        at = place.position
        file = "" if at is None else (self.source or "-") if at.file == "-" else at.file
        # A name and a position say all of such a location.
        is_plain = not place.callsites and len(place.names) < 2
        names = [value.get_name(self.state) for value in values[:_MOST_NAMES]]
        if len(values) > _MOST_NAMES:
            names.append(f"… ({len(values)} results)")
        producers = list(dict.fromkeys(each for each in operands if each >= 0))
        if values:
            self.keys[row] = (self.name, name, text)
        entries = {
            "function": self.function,
            "operator": number(name),
            "value": number(", ".join(names)),
            "before": 0,
            "after": number(types_text(values, self.types)),
            "file": number(file),
            "line": 0 if at is None else at.line,
            "column": 0 if at is None else at.column,
            "names": number(", ".join(place.names)),
            "place": number("" if is_plain else text),
            "status": status,
            "reason": number(reason),
            "detail": number(detail),
            "operands": len(producers),
        }
        for column, entry in entries.items():
            self.rows.columns[column].append(entry)
        self.rows.producers += [row - each for each in producers]
        for value in values:
            self.row_of[value] = row
        return row

    def status(self, name: str, values: list[ir.Value], op: ir.Operation | None) -> tuple[int, str]:
        """How far the types of a row are refined, and the reason if they are incomplete."""
        if name == CAST:
            # Casts do not count as values of the program.
            return _NO_TENSOR, ""
        found, names = _NO_TENSOR, set[str]()
        for value in values:
            tensor = self.types.tensor(value.type)
            if tensor is None:
                continue
            declared = self.sizes.names_of(value) if self.sizes is not None else ()
            names.update(declared)
            status = _COMPLETE if tensor.is_complete else _DECLARED if declared else _INCOMPLETE
            self.counts["tensors"] += 1
            self.counts[str(status)] += 1
            found = max(found, status)
        if found == _DECLARED:
            return found, f"depends on {', '.join(sorted(names))}"
        if found != _INCOMPLETE:
            return found, ""
        if op is None:
            return found, "it is declared so"
        if op.name in OP_NAMES:
            return found, "it is a calculation"
        is_declared = self.sizes.names_of if self.sizes is not None else lambda value: False
        return found, reason_of(op, self.library, self.types, is_declared)
