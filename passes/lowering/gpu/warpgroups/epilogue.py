"""Elementwise ops on vectors of a contraction's results."""

from __future__ import annotations

from collections.abc import Sequence

from torch_refine.dialect.bindings import ir, operations
from torch_refine.dialect.ir_builder import Number, create_op, create_value, index_value
from torch_refine.dialect.structured_ops import dims_of, maps, num_inputs
from torch_refine.passes.lowering.gpu.warpgroups.plan import WIDTH


def store_results(
    values: ir.Value, indices: Sequence[Number], epilogue: ir.Operation | None, sums: ir.Value
) -> None:
    """Store a vector of adjacent f32 sums at `indices`, through the epilogue if there is one.

    `sums` is their memory, which the epilogue reads. It may be that of the results, too.
    """
    found, target = values, sums
    if epilogue is not None:
        found, target = _computed(values, indices, epilogue, sums), epilogue.operands[-1]
    create_op("vector.store", [found, target, *map(index_value, indices)])


def _computed(
    values: ir.Value, indices: Sequence[Number], op: ir.Operation, sums: ir.Value
) -> ir.Value:
    """The results of a vector of sums."""
    body = op.regions[0].blocks[0]
    known: dict[ir.Value, ir.Value] = {}
    inputs = list(op.operands)[: num_inputs(op)]
    for argument, operand, map in zip(body.arguments, inputs, maps(op), strict=False):
        dims = dims_of(map) or []
        type = ir.MemRefType(operand.type)
        if operand == sums:
            known[argument] = values
            continue
        places = [index_value(indices[dim]) for dim in dims]
        if dims and dims[-1] == len(indices) - 1:
            known[argument] = create_value("vector.load", _vector(argument), [operand, *places])
        else:
            element = create_value("memref.load", type.element_type, [operand, *places])
            known[argument] = _spread(element)
    *ops, last = operations(body)
    for each in ops:
        if each.name == "arith.constant":
            known[each.result] = _spread(each.clone().result)
            continue
        operands = [known[value] if value in known else _spread(value) for value in each.operands]
        attributes = {name: each.attributes[name] for name in each.attributes}
        known[each.result] = create_value(each.name, _vector(each.result), operands, attributes)
    result = last.operands[0]
    return known[result] if result in known else _spread(result)


def _vector(value: ir.Value) -> ir.Type:
    return ir.VectorType.get([WIDTH], value.type)


def _spread(value: ir.Value) -> ir.Value:
    return create_value("vector.broadcast", _vector(value), [value])
