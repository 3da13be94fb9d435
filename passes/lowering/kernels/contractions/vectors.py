"""Vectorize elementwise scalar ops."""

from __future__ import annotations

from collections.abc import Sequence

from torch_refine.dialect.bindings import attributes_of, ir
from torch_refine.dialect.ir_builder import Number, create_value, index_type, index_value

_DIALECTS = ("arith.", "math.")
# Functions with a vector form in LLVM or, for f32, in `approximate-math`. Others are calls of the C
# library, one per lane.
_OF_VECTORS = frozenset(
    f"math.{name}"
    for name in ("absf", "absi", "ceil", "copysign", "floor", "fma", "isnan", "round", "roundeven",
                 "sqrt", "trunc")
)  # fmt: skip
_APPROXIMATED = frozenset(
    f"math.{name}" for name in ("erf", "exp", "expm1", "log", "log1p", "tanh")
)


def is_vectorizable(op: ir.Operation) -> bool:
    """Whether an op on scalars applies to vectors elementwise."""
    is_scalar = op.name.startswith(_DIALECTS) and not len(op.regions) and len(op.results) == 1
    return is_scalar or op.name == "linalg.index"


def vectorized(op: ir.Operation, operands: Sequence[ir.Value], lanes: int) -> ir.Value:
    """Clone a scalar op for operands some of which are vectors.

    If all operands are scalars, the result is one; otherwise scalars are broadcast.
    """
    vectors = [value for value in operands if isinstance(value.type, ir.VectorType)]
    result = op.results[0].type
    if vectors and not _is_of_vectors(op):
        return _scalarized(op, operands, lanes)
    if vectors:
        operands = [broadcast(value, lanes) for value in operands]
        result = ir.VectorType.get([lanes], result)
    return create_value(op.name, result, list(operands), attributes_of(op))


def _is_of_vectors(op: ir.Operation) -> bool:
    if not op.name.startswith("math.") or op.name in _OF_VECTORS:
        return True
    return op.name in _APPROXIMATED and str(op.results[0].type) == "f32"


def _scalarized(op: ir.Operation, operands: Sequence[ir.Value], lanes: int) -> ir.Value:
    """Apply a scalar op to each lane."""
    type = ir.VectorType.get([lanes], op.results[0].type)
    result = create_value("ub.poison", type, [], {"value": ir.Attribute.parse("#ub.poison")})
    for lane in range(lanes):
        place = {"static_position": ir.DenseI64ArrayAttr.get([lane])}
        numbers = [
            create_value("vector.extract", value.type.element_type, [value], place)
            if isinstance(value.type, ir.VectorType)
            else value
            for value in operands
        ]
        number = create_value(op.name, type.element_type, numbers, attributes_of(op))
        result = create_value("vector.insert", type, [number, result], place)
    return result


def broadcast(value: ir.Value, lanes: int) -> ir.Value:
    """Broadcast a scalar to a vector; vectors are returned as they are."""
    if isinstance(value.type, ir.VectorType):
        return value
    type = ir.VectorType.get([lanes], value.type)
    return create_value("vector.broadcast", type, [value])


def steps(start: Number, lanes: int) -> ir.Value:
    """The vector `start + [0, 1, ..., lanes - 1]` of indices."""
    type = ir.VectorType.get([lanes], index_type())
    first = create_value("vector.broadcast", type, [index_value(start)])
    return create_value("arith.addi", type, [first, create_value("vector.step", type, [])])
