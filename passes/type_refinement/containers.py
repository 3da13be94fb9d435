"""Constants, lists, tuples, optionals and casts: what is in them goes with them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from torch_refine.abstract_interpreter import elements
from torch_refine.abstract_interpreter.facts import (
    Anything,
    Fact,
    Integer,
    Scalar,
    Sequence,
    Tensor,
)
from torch_refine.abstract_interpreter.running.decoder import constant_value
from torch_refine.dialect.bindings import ir

if TYPE_CHECKING:
    from torch_refine.passes.type_refinement.sweep import Sweep


def _constant(sweep: Sweep, op: ir.Operation, name: str) -> None:
    sweep.known[op.result] = sweep.facts.scalar(constant_value(op))


def _int(sweep: Sweep, op: ir.Operation, name: str) -> None:
    attribute = op.attributes["value"]
    fact = sweep.ints.get(attribute)
    if fact is None:
        fact = sweep.ints[attribute] = sweep.facts.scalar(ir.IntegerAttr(attribute).value)
    sweep.known[op.result] = fact


def _none(sweep: Sweep, op: ir.Operation, name: str) -> None:
    sweep.known[op.result] = sweep.facts.scalar(None)


def _literal(sweep: Sweep, op: ir.Operation, name: str) -> None:
    result = op.results[0]
    fact = sweep.declared.fact(result.type)
    # The bindings have no class for elements that are complex, and raise TypeError.
    is_complex = isinstance(fact, Tensor) and "complex<" in str(result.type)
    attribute = None if is_complex else op.attributes["value"]
    if isinstance(fact, Tensor) and isinstance(attribute, ir.DenseIntElementsAttr):
        values = ir.DenseIntElementsAttr(attribute)
        splat = values.is_splat
        found = elements.of_values(lambda index: int(values[0 if splat else index]), fact)
        if found is not None:
            fact = sweep.facts.tensor(fact.sizes, fact.dtype, found)
    sweep.known[result] = fact


def _list(sweep: Sweep, op: ir.Operation, name: str) -> None:
    """A list that nothing changes is what it was made of."""
    result = op.results[0]
    kind = sweep.declared.kind(result.type)
    sweep.known[result] = sweep.unchanged(sweep.facts.sequence(kind, sweep.operands(op)), result)


def _tuple(sweep: Sweep, op: ir.Operation, name: str) -> None:
    operands = sweep.operands(op)
    if sweep.writing:
        # The tuple's type names those of its elements.
        sweep.writer.keep_operands(op)
    result = op.results[0]
    sweep.known[result] = sweep.facts.sequence(sweep.declared.kind(result.type), operands)


def _unpack(sweep: Sweep, op: ir.Operation, name: str) -> None:
    value = sweep.fact(op.operands[0])
    if isinstance(value, Sequence) and value.items is not None:
        if len(value.items) == len(op.results):
            sweep.learn(op, value.items, "what is unpacked is")
            return
        count = len(op.results)
        sweep.report(op, f"{op.name}: {len(value.items)} values to unpack into {count}")
    for index in range(len(op.results)):
        sweep.known[op.results[index]] = sweep.declared.fact(op.results[index].type)
    if isinstance(value, Sequence) and value.items is None and value.element is not None:
        items = tuple(sweep.facts.instance(value.element) for _ in op.results)
        sweep.learn(op, items, "what is unpacked is")


def _item(sweep: Sweep, op: ir.Operation, name: str) -> None:
    value, index = sweep.operands(op)
    found: Fact | None = None
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
        found = sweep.declared.fact(op.results[0].type)
    sweep.learn(op, (found,), "what is taken out is")


def _cast(sweep: Sweep, op: ir.Operation, name: str) -> None:
    """A cast that may widen or narrow; what is known of the value is kept."""
    fact, result = sweep.fact(op.operands[0]), op.results[0]
    wide = isinstance(fact, Anything) and fact.kind != sweep.declared.kind(result.type)
    if wide or (isinstance(fact, Scalar) and fact.value is None and _is_tensor(sweep, result)):
        fact = sweep.declared.fact(result.type)
    sweep.learn(op, (fact,), "what is cast is")


def _info_cast(sweep: Sweep, op: ir.Operation, name: str) -> None:
    """A cast of a tensor's type; one that only hides something goes on to hide it."""
    source, result = op.operands[0], op.results[0]
    have, want = sweep.types.tensor(source.type), sweep.types.tensor(result.type)
    assert have is not None and want is not None
    if have.refines(want):
        sweep.known[result] = sweep.met(sweep.fact(source), result.type)
        return
    sweep.learn(op, (sweep.fact(source),), "what is cast is")
    if sweep.writing and not have.allows(want):
        # The dialect takes no cast that cannot be; what is wrong has been reported.
        sweep.writer.keep_operands(op)


def _is_tensor(sweep: Sweep, value: ir.Value) -> bool:
    return sweep.types.tensor(value.type) is not None


def _raise(sweep: Sweep, op: ir.Operation, name: str) -> None:
    """Nothing runs past here."""
    sweep.ended = True


def _builtin_constant(sweep: Sweep, op: ir.Operation, name: str) -> None:
    """A constant of a builtin type: what conditions of `scf` and `cf` are computed of."""
    result, attribute = op.results[0], op.attributes["value"]
    if isinstance(attribute, ir.BoolAttr | ir.IntegerAttr):
        sweep.known[result] = sweep.facts.scalar(attribute.value)
    else:
        sweep.known[result] = sweep.declared.fact(result.type)


def _converted(sweep: Sweep, op: ir.Operation, name: str) -> None:
    """A number that goes from the torch dialect to a builtin type or back."""
    fact = sweep.fact(op.operands[0])
    kept = isinstance(fact, Scalar | Integer)
    sweep.known[op.results[0]] = fact if kept else sweep.declared.fact(op.results[0].type)


VISITS: dict[str, Callable[[Sweep, ir.Operation, str], None]] = {
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
