"""Report the coverage of refinement: complete types, and the reasons for incomplete ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.calculate_ops import OP_NAMES
from torch_refine.dialect.diagnostics import location_text
from torch_refine.dialect.library import Library
from torch_refine.dialect.names import is_onnx, name_of
from torch_refine.dialect.tensor_type import Types
from torch_refine.passes.incomplete import reason_of
from torch_refine.passes.program import program_functions
from torch_refine.pipelines.declared_sizes import DeclaredSizes

_CAST = "torch.tensor_static_info_cast"
_ONNX = (
    "operators of ONNX take two steps: first convert-torch-onnx-to-torch, then "
    "torch-refinement-pipeline; torch-onnx-to-torch-pipeline takes both until nothing changes"
)


@dataclass(frozen=True)
class Coverage:
    """The coverage of a module: operations, tensor values, and those with complete types.

    `declared` counts the values whose types have unknown sizes only because arguments do: each size
    follows from declared ones, whose names are `names`. It is 0 if this was not analysed.
    """

    operations: int
    tensors: int
    complete: int
    declared: int = 0
    names: tuple[str, ...] = ()

    @property
    def known(self) -> int:
        """The values whose types are complete, or follow from declared sizes."""
        return self.complete + self.declared

    def __str__(self) -> str:
        text = f"{self.known} of {self.tensors} tensor values are known"
        if self.declared:
            text += f"; {self.declared} depend on {', '.join(self.names)}"
        return text


@dataclass(frozen=True)
class Unrefined:
    """An operator with incomplete result types: how often, the reason, and the first location."""

    operator: str
    count: int
    reason: str
    place: str | None = None


def coverage(module: ir.Operation, sizes: DeclaredSizes | None = None) -> Coverage:
    """Count a module's operations and tensor values; arguments of functions count as values.

    Casts that passes insert do not count.
    """
    types = Types(module.context)
    operations = tensors = complete = declared = 0
    names: set[str] = set()
    for function in program_functions(module):
        values: list[ir.Value] = []
        for region in function.regions:
            for block in region:
                values.extend(block.arguments)
        for op in walk(function):
            operations += 1
            if op.name != _CAST:
                values.extend(op.results)
        for value in values:
            tensor = types.tensor(value.type)
            if tensor is None:
                continue
            tensors += 1
            if tensor.is_complete:
                complete += 1
            elif sizes is not None and sizes.names_of(value):
                declared += 1
                names.update(sizes.names_of(value))
    return Coverage(operations, tensors, complete, declared, tuple(sorted(names)))


def unrefined(
    module: ir.Operation,
    library: Library | None = None,
    sizes: DeclaredSizes | None = None,
    text: str = "",
) -> list[Unrefined]:
    """The operators with incomplete result types, the most frequent first.

    `text` is the name of the file that was parsed from a string.
    """
    library = library or Library()
    types = Types(module.context)
    found: Counter[tuple[str, str]] = Counter()
    places: dict[tuple[str, str], str] = {}
    for function in program_functions(module):
        for op in walk(function):
            if op.name in OP_NAMES or op.name == _CAST:
                continue
            unknown = [
                result
                for result in op.results
                if (tensor := types.tensor(result.type)) is not None
                and not tensor.is_complete
                and (sizes is None or not sizes.names_of(result))
            ]
            if unknown:
                is_declared = sizes.names_of if sizes is not None else lambda value: False
                key = name_of(op), reason_of(op, library, types, is_declared)
                found[key] += 1
                place = location_text(op.location, text)
                if place is not None:
                    places.setdefault(key, place)
    return [
        Unrefined(operator, count, reason, places.get((operator, reason)))
        for (operator, reason), count in found.most_common()
    ]


@dataclass(frozen=True)
class Reached:
    """The result of refinement: the coverage, and the operators with incomplete types."""

    coverage: Coverage
    unrefined: tuple[Unrefined, ...]

    @staticmethod
    def of(module: ir.Operation, extra_library: Iterable[Path] = (), text: str = "") -> Reached:
        """Analyse a refined module; `extra_library` are the files that it was refined with.

        `text` is the name of the file that was parsed from a string.
        """
        found, extra = coverage(module), tuple(extra_library)
        sizes = None
        if found.complete < found.tensors and module.name == "builtin.module":
            sizes = DeclaredSizes(module, extra)
            found = coverage(module, sizes)
        return Reached(found, tuple(unrefined(module, Library(extra), sizes, text)))

    def __str__(self) -> str:
        if self.unrefined:
            return unrefined_text(self.unrefined)
        if not self.coverage.declared:
            return "every tensor has a complete type"
        names = ", ".join(self.coverage.names)
        return f"every tensor is known; {self.coverage.declared} depend on {names}"


def unrefined_text(entries: Sequence[Unrefined]) -> str:
    """The operators as text, a line each."""
    total = sum(entry.count for entry in entries)
    lines = [f"{total} operators have results of incomplete type:"]
    for entry in entries:
        at = f" (at {entry.place})" if entry.place else ""
        lines.append(f"  {entry.count:>6}  {entry.operator}: {entry.reason}{at}")
    if any(is_onnx(entry.operator) for entry in entries):
        lines.append(_ONNX)
    return "\n".join(lines)
