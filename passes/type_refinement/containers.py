"""Constants, lists, tuples, optionals and casts, with the lattice values of their elements."""

from __future__ import annotations

from collections.abc import Callable

from torch_refine.abstract_interpreter import elements
from torch_refine.abstract_interpreter.lattice import (
    Anything,
    Integer,
    LatticeValue,
    Scalar,
    Sequence,
    Tensor,
)
from torch_refine.abstract_interpreter.running.decoder import constant_value
from torch_refine.dialect.bindings import ir
from torch_refine.passes.type_refinement.sweep_state import SweepState


def _constant(sweep: SweepState, op: ir.Operation, name: str) -> None:
    sweep.known[op.result] = sweep.facts.scalar(constant_value(op))


def _int(sweep: SweepState, op: ir.Operation, name: str) -> None:
    attribute = op.attributes["value"]
    lattice_value = sweep.ints.get(attribute)
    if lattice_value is None:
        lattice_value = sweep.ints[attribute] = sweep.facts.scalar(ir.IntegerAttr(attribute).value)
    sweep.known[op.result] = lattice_value


def _none(sweep: SweepState, op: ir.Operation, name: str) -> None:
    sweep.known[op.result] = sweep.facts.scalar(None)


def _literal(sweep: SweepState, op: ir.Operation, name: str) -> None:
    result = op.results[0]
    lattice_value = sweep.declared.lattice_value(result.type)
    # The bindings have no class for complex elements, and raise TypeError.
    is_complex = isinstance(lattice_value, Tensor) and "complex<" in str(result.type)
    attribute = None if is_complex else op.attributes["value"]
    if isinstance(lattice_value, Tensor) and isinstance(attribute, ir.DenseIntElementsAttr):
        values = ir.DenseIntElementsAttr(attribute)
        splat = values.is_splat
        found = elements.of_values(lambda index: int(values[0 if splat else index]), lattice_value)
        if found is not None:
            lattice_value = sweep.facts.tensor(lattice_value.sizes, lattice_value.dtype, found)
    sweep.known[result] = lattice_value


def _list(sweep: SweepState, op: ir.Operation, name: str) -> None:
    """A list that is never mutated has the elements it was constructed with."""
    result = op.results[0]
    kind = sweep.declared.kind(result.type)
    sweep.known[result] = sweep.unchanged(sweep.facts.sequence(kind, sweep.operands(op)), result)


def _tuple(sweep: SweepState, op: ir.Operation, name: str) -> None:
    operands = sweep.operands(op)
    if sweep.writing:
        # The tuple's type includes those of its elements.
        sweep.writer.keep_operands(op)
    result = op.results[0]
    sweep.known[result] = sweep.facts.sequence(sweep.declared.kind(result.type), operands)


def _unpack(sweep: SweepState, op: ir.Operation, name: str) -> None:
    value = sweep.fact(op.operands[0])
    if isinstance(value, Sequence) and value.items is not None:
        if len(value.items) == len(op.results):
            sweep.learn(op, value.items, "its element is")
            return
        count = len(op.results)
        sweep.report(op, f"{op.name}: {len(value.items)} values to unpack into {count}")
    for index in range(len(op.results)):
        sweep.known[op.results[index]] = sweep.declared.lattice_value(op.results[index].type)
    if isinstance(value, Sequence) and value.items is None and value.element is not None:
        items = tuple(sweep.facts.instance(value.element) for _ in op.results)
        sweep.learn(op, items, "its element is")


def _item(sweep: SweepState, op: ir.Operation, name: str) -> None:
    value, index = sweep.operands(op)
    found: LatticeValue | None = None
    if isinstance(value, Sequence):
        number = index.value if isinstance(index, Scalar) else None
        if value.items is None:
            found = None if value.element is None else sweep.facts.instance(value.element)
        elif type(number) is int:
            if -len(value.items) <= number < len(value.items):
                found = value.items[number]
            else:
                sweep.report(
                    op, f"{op.name}: index {number} is out of range for {len(value.items)} items"
                )
        elif value.items and all(item is value.items[0] for item in value.items):
            found = value.items[0]
    if found is None:
        found = sweep.declared.lattice_value(op.results[0].type)
    sweep.learn(op, (found,), "the element is")


def _cast(sweep: SweepState, op: ir.Operation, name: str) -> None:
    """A cast that may widen or narrow; the lattice value is propagated."""
    lattice_value, result = sweep.fact(op.operands[0]), op.results[0]
    wide = isinstance(lattice_value, Anything) and lattice_value.kind != sweep.declared.kind(
        result.type
    )
    if wide or (
        isinstance(lattice_value, Scalar)
        and lattice_value.value is None
        and _is_tensor(sweep, result)
    ):
        lattice_value = sweep.declared.lattice_value(result.type)
    sweep.learn(op, (lattice_value,), "its operand is")


def _info_cast(sweep: SweepState, op: ir.Operation, name: str) -> None:
    """A cast of a tensor's type; one that only erases type information keeps its type."""
    source, result = op.operands[0], op.results[0]
    have, want = sweep.types.tensor(source.type), sweep.types.tensor(result.type)
    assert have is not None and want is not None
    if have.refines(want):
        sweep.known[result] = sweep.met(sweep.fact(source), result.type)
        return
    sweep.learn(op, (sweep.fact(source),), "its operand is")
    if sweep.writing and not have.allows(want):
        # The dialect rejects contradictory casts; the error has been reported.
        sweep.writer.keep_operands(op)


def _is_tensor(sweep: SweepState, value: ir.Value) -> bool:
    return sweep.types.tensor(value.type) is not None


def _raise(sweep: SweepState, op: ir.Operation, name: str) -> None:
    """Code after it is unreachable."""
    sweep.ended = True


def _builtin_constant(sweep: SweepState, op: ir.Operation, name: str) -> None:
    """A constant of a builtin type, as used in conditions of `scf` and `cf`."""
    result, attribute = op.results[0], op.attributes["value"]
    if isinstance(attribute, ir.BoolAttr | ir.IntegerAttr):
        sweep.known[result] = sweep.facts.scalar(attribute.value)
    else:
        sweep.known[result] = sweep.declared.lattice_value(result.type)


def _converted(sweep: SweepState, op: ir.Operation, name: str) -> None:
    """A conversion of a scalar between the torch dialect and a builtin type."""
    lattice_value = sweep.fact(op.operands[0])
    kept = isinstance(lattice_value, Scalar | Integer)
    sweep.known[op.results[0]] = (
        lattice_value if kept else sweep.declared.lattice_value(op.results[0].type)
    )


VISITS: dict[str, Callable[[SweepState, ir.Operation, str], None]] = {
    "arith.constant": _builtin_constant,
    "torch_c.to_i1": _converted,
    "torch_c.from_i1": _converted,
    "torch_c.to_i64": _converted,
    "torch_c.from_i64": _converted,
    "torch.constant.int": _int,
    "torch.constant.float": _constant,
    "torch.constant.bool": _constant,
    "torch.constant.str": _constant,
    "torch.constant.none": _none,
    "torch.vtensor.literal": _literal,
    "torch.prim.ListConstruct": _list,
    "torch.prim.TupleConstruct": _tuple,
    "torch.prim.ListUnpack": _unpack,
    "torch.prim.TupleUnpack": _unpack,
    "torch.aten.__getitem__.t": _item,
    "torch.prim.TupleIndex": _item,
    "torch.derefine": _cast,
    "torch.prim.unchecked_cast": _cast,
    "torch.tensor_static_info_cast": _info_cast,
    "torch.prim.RaiseException": _raise,
}
