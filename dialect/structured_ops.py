"""Queries of structured ops: indexing maps, iterators, inits."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cmp_to_key

from torch_refine.dialect.bindings import ir, operations

GENERIC = "linalg.generic"


def operation_of(owner: ir.OpView | ir.Operation) -> ir.Operation:
    """The generic operation of an owner or user as the bindings return it."""
    return owner.operation if isinstance(owner, ir.OpView) else owner


def defining_op(value: ir.Value) -> ir.Operation | None:
    """The defining op of a value, None for a block argument."""
    return None if isinstance(value.owner, ir.Block) else operation_of(value.owner)


def in_order(ops: Iterable[ir.Operation]) -> list[ir.Operation]:
    """Ops of one block in program order."""
    return sorted(ops, key=cmp_to_key(_compare))


def _compare(one: ir.Operation, other: ir.Operation) -> int:
    return -1 if one.is_before_in_block(other) else 1


def is_structured(op: ir.Operation) -> bool:
    """Whether an op is a structured op."""
    return op.name.startswith("linalg.") and op.name not in ("linalg.yield", "linalg.index")


def is_contraction(op: ir.Operation) -> bool:
    """Whether an op is a contraction."""
    return op.name in ("linalg.matmul", "linalg.batch_matmul", "linalg.contract")


def iterators(op: ir.Operation) -> list[str]:
    """The iterator types of a generic: `parallel` or `reduction`."""
    return [str(each).split("<")[1].rstrip(">") for each in op.attributes["iterator_types"]]


def maps(op: ir.Operation) -> list[ir.AffineMap]:
    """The indexing maps of a generic."""
    return [ir.AffineMapAttr(each).value for each in op.attributes["indexing_maps"]]


def dims_of(map: ir.AffineMap) -> list[int] | None:
    """The loop of each operand dimension; None if a map result is not a plain dimension."""
    found = []
    for result in map.results:
        if not isinstance(result, ir.AffineDimExpr):
            return None
        found.append(result.position)
    return found if len(set(found)) == len(found) else None


def only_op(op: ir.Operation) -> ir.Operation | None:
    """The only op in the body of a unary generic; None if there are more.

    The indexing maps must be identities.
    """
    if op.name != GENERIC or num_inputs(op) != 1 or len(op.results) != 1:
        return None
    loops = list(range(len(iterators(op))))
    if set(iterators(op)) != {"parallel"} or any(dims_of(map) != loops for map in maps(op)):
        return None
    block = op.regions[0].blocks[0]
    *body, end = operations(block)
    if len(body) != 1 or list(body[0].operands) != [block.arguments[0]]:
        return None
    return body[0] if end.operands[0] == body[0].results[0] else None


def repeated_dims(op: ir.Operation) -> list[int] | None:
    """The result's dimension of each of the operand's, if a generic repeats it along the others."""
    if op.name != GENERIC or len(op.operands) != 2 or set(iterators(op)) != {"parallel"}:
        return None
    body = op.regions[0].blocks[0]
    *inner, last = operations(body)
    own, result = maps(op)
    if inner or last.operands[0] != body.arguments[0]:
        return None
    return dims_of(own) if dims_of(result) == list(range(result.n_dims)) else None


def set_maps(op: ir.Operation, indexing: list[ir.AffineMap]) -> None:
    """Set the indexing maps of a generic."""
    op.attributes["indexing_maps"] = ir.ArrayAttr.get(
        [ir.AffineMapAttr.get(each) for each in indexing], op.context
    )


def before_transpose(map: ir.AffineMap, transpose: ir.Operation) -> ir.AffineMap:
    """The map for the operand of a `linalg.transpose`, given the map for its result."""
    moved = list(map.results)
    permutation = ir.DenseI64ArrayAttr(transpose.attributes["permutation"])
    for result, dim in zip(map.results, permutation, strict=True):
        moved[dim] = result
    return ir.AffineMap.get(map.n_dims, 0, moved, transpose.context)


def num_inputs(op: ir.Operation) -> int:
    """The number of inputs; the operands after them are inits."""
    if "operandSegmentSizes" not in op.attributes:
        return len(op.operands) - len(op.results)
    segments = ir.DenseI32ArrayAttr(op.attributes["operandSegmentSizes"])
    return int(segments[0])


def tied_init(value: ir.Value) -> ir.Value:
    """The init tensor of a structured op's result, through chains of ops; it has the same sizes.

    Querying sizes on the init instead of the result adds no use that keeps the op alive.
    """
    producer = defining_op(value)
    while producer is not None and is_structured(producer):
        value = producer.operands[num_inputs(producer) + list(producer.results).index(value)]
        producer = defining_op(value)
    return value


def reassociation_of(reshape: ir.Operation) -> list[list[int]]:
    """The reassociation of a reshape: the source dimensions of each collapsed dimension."""
    return [
        [ir.IntegerAttr(dim).value for dim in group]
        for group in ir.ArrayAttr(reshape.attributes["reassociation"])
    ]
