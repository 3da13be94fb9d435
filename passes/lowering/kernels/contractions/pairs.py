"""Dot products of pairs: instructions that multiply two 16-bit elements per 32-bit sum.

The right operand is packed so that the two elements of a column are adjacent; those of the left
operand are contiguous anyway. 8-bit elements are extended to 16 bits, for which every processor of
the architecture has such instructions; sums of their products are exact.
"""

from __future__ import annotations

from torch_refine.dialect.bindings import ir, operations
from torch_refine.dialect.ir_builder import create_op, create_value
from torch_refine.dialect.structured_ops import iterators, maps, operation_of
from torch_refine.passes.lowering.kernels.targets.record import CpuTarget
from torch_refine.passes.program import symbol_name

PAIR = 2
_NARROW_BITS, _WIDE_BITS = 16, 32
# By element type and vector width in bits: the intrinsic, and the feature it requires.
_INTRINSICS = {
    ("bf16", 512): ("llvm.x86.avx512bf16.dpbf16ps.512", "avx512bf16"),
    ("bf16", 256): ("llvm.x86.avx512bf16.dpbf16ps.256", "avx512bf16"),
    ("i16", 512): ("llvm.x86.avx512.pmaddw.d.512", "avx512bw"),
    ("i16", 256): ("llvm.x86.avx2.pmadd.wd", "avx2"),
    ("i16", 128): ("llvm.x86.sse2.pmadd.wd", "sse2"),
}
_ADDS = ("bf16",)


def multiplies_pairs(narrow: str, wide: str, depth: int, target: CpuTarget) -> bool:
    """Whether a processor has dot products of pairs for these types, and `depth` is whole pairs.

    16-bit integers are excluded, as their sums may exceed 32 bits.
    """
    element = {"i8": "i16", "bf16": "bf16"}.get(narrow)
    known = _INTRINSICS.get((element or "", target.vector_bits))
    is_wide = wide in ("f32", "i32")
    return known is not None and is_wide and target.has(known[1]) and depth % PAIR == 0 < depth


def pair_loop(op: ir.Operation) -> int | None:
    """The loop over the elements of a pair, in a generic packed for them, or None.

    It is the right operand's last dimension, after the columns; the left has it next to pairs.
    """
    left, right, sums = maps(op)
    if min(len(each.results) for each in (left, right, sums)) < 1 or len(right.results) < PAIR:
        return None
    *_, column, pair = right.results
    last = left.results[-1]
    if column != sums.results[-1] or not isinstance(pair, ir.AffineDimExpr):
        return None
    if not isinstance(last, ir.AffineAddExpr) or last.rhs != pair:
        return None
    step = last.lhs
    if not isinstance(step, ir.AffineMulExpr) or not isinstance(step.rhs, ir.AffineConstantExpr):
        return None
    if step.rhs.value != PAIR:
        return None
    return pair.position if iterators(op)[pair.position] == "reduction" else None


def add_products(sums: ir.Value, left: ir.Value, right: ir.Value, lanes: int) -> ir.Value:
    """Add the dot products of a broadcast pair, `left`, and the pairs of each lane to sums."""
    pair = ir.VectorType(left.type)
    element = pair.element_type
    word = ir.IntegerType.get_signless(_WIDE_BITS)
    one = create_value("vector.bitcast", ir.VectorType.get([1], word), [left])
    place = {"static_position": ir.DenseI64ArrayAttr.get([0])}
    number = create_value("vector.extract", word, [one], place)
    words = create_value("vector.broadcast", ir.VectorType.get([lanes], word), [number])
    spread = create_value("vector.bitcast", ir.VectorType.get([PAIR * lanes], element), [words])
    name, _ = _INTRINSICS[str(element), _WIDE_BITS * lanes]
    operands = [sums, spread, right] if str(element) in _ADDS else [spread, right]
    callee = {"callee": ir.FlatSymbolRefAttr.get(name)}
    found = create_value("func.call", sums.type, operands, callee)
    return found if str(element) in _ADDS else create_value("arith.addi", sums.type, [sums, found])


def declare(op: ir.Operation, lanes: int) -> None:
    """Declare the functions that `add_products` calls for a generic, in the enclosing module.

    A function with the name of an LLVM intrinsic is that intrinsic. Its MLIR op has unknown
    effects, which the buffer deallocation pass rejects.
    """
    left, _, sums = (ir.RankedTensorType(each.type).element_type for each in op.operands)
    name, _ = _INTRINSICS[str(left), _WIDE_BITS * lanes]
    module = op
    while module.parent is not None:
        module = operation_of(module.parent)
    body = module.regions[0].blocks[0]
    if any(each.name == "func.func" and symbol_name(each) == name for each in operations(body)):
        return
    pairs = ir.VectorType.get([PAIR * lanes], left)
    result = ir.VectorType.get([lanes], sums)
    taken = [result, pairs, pairs] if str(left) in _ADDS else [pairs, pairs]
    with ir.InsertionPoint(body):
        create_op(
            "func.func",
            attributes={
                "sym_name": ir.StringAttr.get(name),
                "sym_visibility": ir.StringAttr.get("private"),
                "function_type": ir.TypeAttr.get(ir.FunctionType.get(taken, [result])),
            },
            regions=1,
        )
