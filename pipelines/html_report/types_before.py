"""The types of a module before the passes, to compare with those after them.

Passes replace ops, and the bindings forget all of them when a pass of upstream runs, so ops are
found again by function, operator and location, and by their order among those that share these.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.names import name_of
from torch_refine.dialect.tensor_type import Types
from torch_refine.passes.program import program_functions, symbol_name

ARGUMENT = "block argument"
"""The operator that block arguments are listed under."""

Key = tuple[str, str, str]


def function_name(op: ir.Operation) -> str:
    """The name that a function is listed under."""
    return symbol_name(op) or op.name


def items_of(function: ir.Operation) -> Iterator[tuple[str, ir.Location, list[ir.Value]]]:
    """The arguments of a function's blocks and its ops: operator, location, and values."""
    for op in (function, *walk(function)):
        if op != function:
            yield name_of(op), op.location, list(op.results)
        for region in op.regions:
            for block in region:
                for argument in block.arguments:
                    yield ARGUMENT, argument.location, [argument]


class TypesBefore:
    """The types of all values of a module, as text."""

    def __init__(self, module: ir.Operation) -> None:
        types = Types(module.context)
        self._found: dict[Key, list[str]] = defaultdict(list)
        self.complete: dict[str, int] = defaultdict(int)
        for function in program_functions(module):
            name = function_name(function)
            for operator, location, values in items_of(function):
                if not values:
                    continue
                self._found[name, operator, str(location)].append(types_text(values, types))
                for value in values:
                    tensor = types.tensor(value.type)
                    self.complete[name] += tensor is not None and tensor.is_complete

    def matched(self, counts: dict[Key, int]) -> dict[Key, Iterator[str]]:
        """The types of the ops that are still there, by key, in program order.

        `counts` are those of the keys after the passes: where some of the ops that share a key were
        erased or added, the types are given only if they were all the same.
        """
        found: dict[Key, Iterator[str]] = {}
        for key, count in counts.items():
            texts = self._found.get(key, [])
            if len(texts) == count:
                found[key] = iter(texts)
            elif len(set(texts)) == 1:
                found[key] = iter(texts[:1] * count)
        return found


def types_text(values: list[ir.Value], types: Types) -> str:
    """The types of values, separated by commas."""
    return ", ".join([types.text(value.type) for value in values])
