"""Operators that become scans along one dimension of a tensor."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.ir_builder import create_value
from torch_refine.dialect.names import name_of
from torch_refine.dialect.tensor_type import TensorType, Types
from torch_refine.passes.base import PassFailure, RunState
from torch_refine.passes.lowering.elements.converting import builtin_tensor
from torch_refine.passes.lowering.torch.seen_ops import constant_of

# Makes values at the insertion point from an operand of rank 1 at least, its type, and a dimension.
Scan = Callable[[ir.Value, TensorType, int], Sequence[ir.Value]]


def lower_scans(
    op: ir.Operation,
    state: RunState,
    name: str,
    scans: Mapping[str, Scan],
    elements: Collection[str],
    of_number: Callable[[ir.Value], Sequence[ir.Value]],
) -> None:
    """Lower operators on a tensor and a dimension, by name, in the pass of some name.

    A tensor of rank 0 has no dimension to scan: `of_number` makes its results.
    """
    failed = False
    for each in [each for each in walk(op) if name_of(each) in scans]:
        type = Types(op.context).tensor(each.operands[0].type)
        dim = constant_of(each.operands[1])
        reason = _why_not(type, dim, elements)
        if reason is not None:
            message = f"{name_of(each)} is not lowered: {reason}"
            state.diagnostics.error(each.location, message)
            failed = True
            continue
        assert type is not None and type.sizes is not None, "the operand is a tensor"
        assert isinstance(dim, int), "the dimension is a number"
        with each.location, ir.InsertionPoint(each):
            operand = create_value(
                "torch_c.to_builtin_tensor", builtin_tensor(type), [each.operands[0]]
            )
            if type.sizes:
                values = scans[name_of(each)](operand, type, dim % len(type.sizes))
            else:
                values = of_number(operand)
            _replace(each, values)
        state.count(name, "operators")
    if failed:
        raise PassFailure(name)


def _why_not(type: TensorType | None, dim: object, elements: Collection[str]) -> str | None:
    """Why an op cannot be lowered; None if it can."""
    if type is None or type.sizes is None:
        return "its type is unknown"
    if type.element not in elements:
        return f"for elements of type {type.element}"
    if not isinstance(dim, int) or not -len(type.sizes) <= dim < max(len(type.sizes), 1):
        return "unless the dimension is a known one"
    return None


def _replace(op: ir.Operation, values: Sequence[ir.Value]) -> None:
    """Replace an op by builtin tensors, which are cast to the types of its results."""
    for result, value in zip(op.results, values, strict=True):
        wanted = Types(op.context).tensor(result.type)
        assert wanted is not None, "the result must be a tensor"
        if value.type != builtin_tensor(wanted):
            value = create_value("tensor.cast", builtin_tensor(wanted), [value])
        found = create_value("torch_c.from_builtin_tensor", result.type, [value])
        result.replace_all_uses_with(found)
    op.erase()


def sizes_text(type: TensorType, dim: int) -> dict[str, str]:
    """Parts of the text of a function that scans `%operand`.

    `sizes` computes the dynamic sizes; `all_sizes` names them, and `other_sizes` those of other
    dimensions; `whole` is the type, and `rest` that without the dimension.
    """
    assert type.sizes is not None, "ranks must be known"
    whole = str(builtin_tensor(type))
    others = [size for place, size in enumerate(type.sizes) if place != dim]
    rest = TensorType(sizes=tuple(others), element=type.element)
    lines, sizes = [], []
    for place, size in enumerate(type.sizes):
        if size is None:
            lines.append(f"%c{place} = arith.constant {place} : index")
            lines.append(f"%size{place} = tensor.dim %operand, %c{place} : {whole}")
            sizes.append(place)
    return {
        "whole": whole,
        "rest": str(builtin_tensor(rest)),
        "sizes": "\n  ".join(lines),
        "all_sizes": ", ".join(f"%size{place}" for place in sizes),
        "other_sizes": ", ".join(f"%size{place}" for place in sizes if place != dim),
    }
