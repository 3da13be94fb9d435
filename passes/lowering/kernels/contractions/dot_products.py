"""Dot products: instructions that multiply a group of adjacent narrow elements per 32-bit sum.

The right operand is packed so that the elements of a group of a column are adjacent; those of the
left operand are contiguous anyway. Where an instruction has no operands of the element type,
elements are extended: 8-bit integers to 16 bits, whose products are exact.
"""

from __future__ import annotations

from dataclasses import dataclass

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.ir_builder import create_value
from torch_refine.dialect.structured_ops import iterators, maps
from torch_refine.passes.lowering.kernels.contractions.intrinsics import (
    call_intrinsic,
    declare_intrinsic,
)
from torch_refine.passes.lowering.kernels.targets.record import CpuTarget, target_of

_WORD_BITS = 32
# Inverts the upper bit of each byte of a word: adds 128 to signed bytes, which are unsigned then.
_UPPER_BITS = 0x80808080 - (1 << _WORD_BITS)


@dataclass(frozen=True)
class DotProduct:
    """An instruction that multiplies `group` adjacent elements of each operand per sum.

    Args:
        intrinsic: LLVM's name of it.
        features: any of these LLVM features has it.
        element: the element type of its operands, to which narrower ones are extended.
        group: elements per sum.
        accumulates: whether its first operand is the sums, to which it adds.
        is_left_unsigned: whether it reads the left operand as unsigned. Then 128 is added to each
            element of it, and 128 times the right operand is subtracted from the sums.
    """

    intrinsic: str
    features: tuple[str, ...]
    element: str
    group: int
    accumulates: bool = True
    is_left_unsigned: bool = False


# By element type of the operands, architecture and vector width in bits; the fastest first.
_INSTRUCTIONS: dict[tuple[str, str, int], tuple[DotProduct, ...]] = {
    ("bf16", "x86-64", 512): (
        DotProduct("llvm.x86.avx512bf16.dpbf16ps.512", ("avx512bf16",), "bf16", 2),
    ),
    ("bf16", "x86-64", 256): (
        DotProduct("llvm.x86.avx512bf16.dpbf16ps.256", ("avx512bf16",), "bf16", 2),
    ),
    ("i8", "x86-64", 512): (
        DotProduct(
            "llvm.x86.avx512.vpdpbusd.512", ("avx512vnni",), "i8", 4, is_left_unsigned=True
        ),
        DotProduct("llvm.x86.avx512.pmaddw.d.512", ("avx512bw",), "i16", 2, accumulates=False),
    ),
    ("i8", "x86-64", 256): (
        DotProduct(
            "llvm.x86.avx512.vpdpbusd.256", ("avx512vnni", "avxvnni"), "i8", 4,
            is_left_unsigned=True,
        ),
        DotProduct("llvm.x86.avx2.pmadd.wd", ("avx2",), "i16", 2, accumulates=False),
    ),
    ("i8", "x86-64", 128): (
        DotProduct("llvm.x86.sse2.pmadd.wd", ("sse2",), "i16", 2, accumulates=False),
    ),
    ("i8", "aarch64", 128): (
        DotProduct("llvm.aarch64.neon.sdot.v4i32.v16i8", ("dotprod",), "i8", 4),
    ),
}  # fmt: skip


def dot_product_for(narrow: str, wide: str, target: CpuTarget) -> DotProduct | None:
    """The fastest dot product of a target for element types of operands and sums, or None.

    16-bit integers have none, as their sums may exceed 32 bits.
    """
    if wide not in ("f32", "i32"):
        return None
    known = _INSTRUCTIONS.get((narrow, target.architecture, target.vector_bits), ())
    return next((each for each in known if any(map(target.has, each.features))), None)


def dot_product_of(op: ir.Operation) -> DotProduct | None:
    """The instruction for a generic that is packed for one, which the target has; or None."""
    loop = group_loop(op)
    if loop is None:
        return None
    left, right, sums = (ir.RankedTensorType(each.type) for each in op.operands)
    target = target_of(op)
    found = [
        each
        for (_, architecture, bits), known in _INSTRUCTIONS.items()
        for each in known
        if (architecture, bits) == (target.architecture, target.vector_bits)
        and each.element == str(left.element_type) == str(right.element_type)
        and each.group == right.shape[-1]
        and sums.element_type.width == _WORD_BITS
        and any(map(target.has, each.features))
    ]
    return found[0] if found else None


def group_loop(op: ir.Operation) -> int | None:
    """The loop over the elements of a group, in a generic packed for a dot product, or None.

    It is the right operand's last dimension, after the columns; the left has it next to groups.
    """
    left, right, sums = maps(op)
    if min(len(each.results) for each in (left, right, sums)) < 1 or len(right.results) < 2:
        return None
    *_, column, group = right.results
    last = left.results[-1]
    if column != sums.results[-1] or not isinstance(group, ir.AffineDimExpr):
        return None
    if not isinstance(last, ir.AffineAddExpr) or last.rhs != group:
        return None
    step = last.lhs
    if not isinstance(step, ir.AffineMulExpr) or not isinstance(step.rhs, ir.AffineConstantExpr):
        return None
    if step.rhs.value != ir.RankedTensorType(op.operands[1].type).shape[-1]:
        return None
    return group.position if iterators(op)[group.position] == "reduction" else None


def left_word(left: ir.Value, dot: DotProduct) -> ir.Value:
    """A group of the left operand as a word, unsigned if the instruction reads it so."""
    word = ir.IntegerType.get_signless(_WORD_BITS)
    one = create_value("vector.bitcast", ir.VectorType.get([1], word), [left])
    place = {"static_position": ir.DenseI64ArrayAttr.get([0])}
    number = create_value("vector.extract", word, [one], place)
    if not dot.is_left_unsigned:
        return number
    return create_value("arith.xori", word, [number, _word(_UPPER_BITS)])


def add_products(
    sums: ir.Value, left: ir.Value, right: ir.Value, lanes: int, dot: DotProduct
) -> ir.Value:
    """Add the dot products of a word, `left`, and the groups of each lane to sums."""
    element = ir.VectorType(right.type).element_type
    words = create_value("vector.broadcast", ir.VectorType.get([lanes], left.type), [left])
    spread = create_value(
        "vector.bitcast", ir.VectorType.get([dot.group * lanes], element), [words]
    )
    operands = [sums, spread, right] if dot.accumulates else [spread, right]
    found = call_intrinsic(dot.intrinsic, operands, [sums.type]).result
    if dot.accumulates:
        return found
    return create_value("arith.addi", sums.type, [sums, found])


def add_excess(sums: ir.Value, right: ir.Value, lanes: int, dot: DotProduct) -> ir.Value:
    """Add to sums what each lane gets because 128 was added to the elements of the left operand."""
    return add_products(sums, _word(_UPPER_BITS), right, lanes, dot)


def _word(value: int) -> ir.Value:
    word = ir.IntegerType.get_signless(_WORD_BITS)
    return create_value("arith.constant", word, [], {"value": ir.IntegerAttr.get(word, value)})


def declare(op: ir.Operation, lanes: int, dot: DotProduct) -> None:
    """Declare the function that `add_products` calls for a generic, in the enclosing module."""
    left, _, sums = (ir.RankedTensorType(each.type).element_type for each in op.operands)
    groups = ir.VectorType.get([dot.group * lanes], left)
    result = ir.VectorType.get([lanes], sums)
    taken = [result, groups, groups] if dot.accumulates else [groups, groups]
    declare_intrinsic(op, dot.intrinsic, taken, [result])
