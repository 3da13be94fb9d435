"""Elementwise ops, on vectors."""

from __future__ import annotations

from collections.abc import Sequence

from torch_refine.dialect.bindings import attributes_of, ir
from torch_refine.passes.lowering.building import Number, index_type, made, value_of

_DIALECTS = ("arith.", "math.")
# What LLVM has for vectors, and what `approximate-math` makes of f32. Other functions are calls of
# the C library, one for each element.
_OF_VECTORS = frozenset(
    f"math.{name}"
    for name in ("absf", "absi", "ceil", "copysign", "floor", "fma", "isnan", "round", "roundeven",
                 "sqrt", "trunc")
)  # fmt: skip
_APPROXIMATED = frozenset(
    f"math.{name}" for name in ("erf", "exp", "expm1", "log", "log1p", "tanh")
)


def is_vectorizable(op: ir.Operation) -> bool:
    """Whether an op on scalars means the same on each element of vectors."""
    is_scalar = op.name.startswith(_DIALECTS) and not len(op.regions) and len(op.results) == 1
    return is_scalar or op.name == "linalg.index"


def vectorized(op: ir.Operation, operands: Sequence[ir.Value], lanes: int) -> ir.Value:
    """What an op on scalars gives for operands some of which are vectors now.

    Of scalars alone it stays a scalar; scalars beside vectors are repeated.
    """
    vectors = [value for value in operands if isinstance(value.type, ir.VectorType)]
    result = op.results[0].type
    if vectors and not _is_of_vectors(op):
        return _one_by_one(op, operands, lanes)
    if vectors:
        operands = [spread(value, lanes) for value in operands]
        result = ir.VectorType.get([lanes], result)
    return ir.Operation.create(
        op.name, results=[result], operands=list(operands), attributes=attributes_of(op)
    ).result


def _is_of_vectors(op: ir.Operation) -> bool:
    if not op.name.startswith("math.") or op.name in _OF_VECTORS:
        return True
    return op.name in _APPROXIMATED and str(op.results[0].type) == "f32"


def _one_by_one(op: ir.Operation, operands: Sequence[ir.Value], lanes: int) -> ir.Value:
    """An op for each element of vectors."""
    type = ir.VectorType.get([lanes], op.results[0].type)
    result = ir.Operation.create(
        "ub.poison", results=[type], attributes={"value": ir.Attribute.parse("#ub.poison")}
    ).result
    for lane in range(lanes):
        place = {"static_position": ir.DenseI64ArrayAttr.get([lane])}
        numbers = [
            ir.Operation.create(
                "vector.extract",
                results=[value.type.element_type],
                operands=[value],
                attributes=place,
            ).result
            if isinstance(value.type, ir.VectorType)
            else value
            for value in operands
        ]
        number = ir.Operation.create(
            op.name, results=[type.element_type], operands=numbers, attributes=attributes_of(op)
        ).result
        result = ir.Operation.create(
            "vector.insert", results=[type], operands=[number, result], attributes=place
        ).result
    return result


def spread(value: ir.Value, lanes: int) -> ir.Value:
    """A scalar repeated as a vector; a vector as it is."""
    if isinstance(value.type, ir.VectorType):
        return value
    type = ir.VectorType.get([lanes], value.type)
    return ir.Operation.create("vector.broadcast", results=[type], operands=[value]).result


def steps(start: Number, lanes: int) -> ir.Value:
    """A vector of indices that follow each other."""
    type = ir.VectorType.get([lanes], index_type())
    first = made("vector.broadcast", type, [value_of(start)])
    return made("arith.addi", type, [first, made("vector.step", type, [])])
