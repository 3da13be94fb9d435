"""What refinement reached: how much is known, and what is not, and why."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.calculate_ops import OP_NAMES
from torch_refine.dialect.library import Library
from torch_refine.dialect.names import is_onnx, name_of
from torch_refine.dialect.tensor_type import Types
from torch_refine.passes.incomplete import reason_of
from torch_refine.passes.program import program_functions

_ONNX = (
    "operators of ONNX take two steps: first convert-torch-onnx-to-torch, then "
    "torch-refinement-pipeline; torch-onnx-to-torch-pipeline takes both until nothing changes"
)


@dataclass(frozen=True)
class Coverage:
    """How much of a module is known: operations, tensor values, and those with complete types."""

    operations: int
    tensors: int
    complete: int


@dataclass(frozen=True)
class Unrefined:
    """An operator with results whose types are incomplete: how many, and the reason."""

    operator: str
    count: int
    reason: str


def coverage(module: ir.Operation) -> Coverage:
    """Count a module's operations and tensor values; arguments of functions count as values."""
    types = Types(module.context)
    operations = tensors = complete = 0
    for function in program_functions(module):
        values: list[ir.Value] = []
        for region in function.regions:
            for block in region:
                values.extend(block.arguments)
        for op in walk(function):
            operations += 1
            values.extend(op.results)
        for value in values:
            tensor = types.tensor(value.type)
            if tensor is not None:
                tensors += 1
                complete += tensor.is_complete
    return Coverage(operations, tensors, complete)


def unrefined(module: ir.Operation, library: Library | None = None) -> list[Unrefined]:
    """The operators whose results are incomplete, the most frequent first."""
    library = library or Library()
    types = Types(module.context)
    found: Counter[tuple[str, str]] = Counter()
    for function in program_functions(module):
        for op in walk(function):
            if op.name in OP_NAMES:
                continue
            tensors = [types.tensor(result.type) for result in op.results]
            if any(tensor is not None and not tensor.is_complete for tensor in tensors):
                found[name_of(op), reason_of(op, library, types)] += 1
    return [Unrefined(operator, count, reason) for (operator, reason), count in found.most_common()]


def unrefined_text(entries: list[Unrefined]) -> str:
    """The list for a person, a line each."""
    if not entries:
        return "every tensor has a complete type"
    total = sum(entry.count for entry in entries)
    lines = [f"{total} operators have results of incomplete type:"]
    lines += [f"  {entry.count:>6}  {entry.operator}: {entry.reason}" for entry in entries]
    if any(is_onnx(entry.operator) for entry in entries):
        lines.append(_ONNX)
    return "\n".join(lines)
