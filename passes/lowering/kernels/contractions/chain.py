"""A contraction with its unpacking and its elementwise epilogue."""

from __future__ import annotations

from dataclasses import dataclass

from torch_refine.dialect.bindings import ir, operations
from torch_refine.dialect.structured_ops import (
    GENERIC,
    defining_op,
    dims_of,
    iterators,
    maps,
    num_inputs,
)
from torch_refine.passes.lowering.fusion.images.building import is_zero
from torch_refine.passes.lowering.kernels.contractions.dot_products import (
    dot_product_of,
    group_loop,
)
from torch_refine.passes.lowering.kernels.contractions.nests import loops_in
from torch_refine.passes.lowering.kernels.contractions.vectors import is_vectorizable

CONTRACTION = "torch_refine.contraction"
"""On the generic of a contraction: its schedule, a dictionary (`Schedule`)."""

UNPACK = "linalg.unpack"
_WIDER = ("arith.extf", "arith.extsi")
# The reduction op, by its multiplication.
_PRODUCTS = {"arith.addf": "arith.mulf", "arith.addi": "arith.muli"}


@dataclass(frozen=True)
class Chain:
    """A contraction and its elementwise epilogue.

    The accumulators are initialized with zero. `unpack`, if present, expands the last dimension
    into two: panels, and the columns of a panel.
    """

    sums: ir.Operation
    unpack: ir.Operation | None
    last: ir.Operation | None
    """The elementwise epilogue, whose result is the result of the chain."""
    operand: int
    """The operand number of the sums in the epilogue."""

    @property
    def root(self) -> ir.Operation:
        """The op whose result is the chain's."""
        return self.last or self.unpack or self.sums

    @property
    def members(self) -> list[ir.Operation]:
        """Its ops, in order."""
        return [each for each in (self.sums, self.unpack, self.last) if each is not None]

    @property
    def memory(self) -> ir.Value:
        """The destination of the result; all of it is written, so it need not be zero before."""
        memory = list(self.root.operands)[-1]
        zeros = defining_op(memory) if self.root == self.sums else None
        return zeros.operands[1] if zeros is not None and zeros.name == "linalg.fill" else memory


def chain_of(root: ir.Operation) -> Chain | None:
    """The chain whose last op is `root`, or None."""
    if root.name == UNPACK:
        sums = _sums_of(root)
        return None if sums is None else Chain(sums, root, None, 0)
    if root.name != GENERIC:
        return None
    if _is_contraction(root):
        return Chain(root, None, None, 0)
    found = []
    for place in range(num_inputs(root)):
        producer = defining_op(root.operands[place])
        if producer is None or producer.block != root.block or not _is_used_once(producer):
            continue
        sums = _sums_of(producer) if producer.name == UNPACK else producer
        if sums is not None and _is_contraction(sums) and can_follow(root, place):
            found.append(Chain(sums, None if sums == producer else producer, root, place))
    return found[0] if len(found) == 1 else None


def _sums_of(unpack: ir.Operation) -> ir.Operation | None:
    sums = defining_op(unpack.operands[0])
    return sums if sums is not None and _is_contraction(sums) and _is_used_once(sums) else None


def _is_contraction(op: ir.Operation) -> bool:
    """Whether an op carries a schedule, and is of a form that has one."""
    return CONTRACTION in op.attributes and is_tileable_contraction(op)


def _is_used_once(op: ir.Operation) -> bool:
    return sum(1 for result in op.results for _ in result.uses) == 1


def can_follow(op: ir.Operation, place: int) -> bool:
    """Whether a generic can be computed on vectors of columns, with the sums as operand `place`.

    It must be elementwise, with the identity map for the sums. Other operands must be contiguous
    along the columns, or broadcast along them; its destination must not be read.
    """
    if set(iterators(op)) != {"parallel"} or len(op.results) != 1:
        return False
    own = maps(op)
    loops = list(range(len(iterators(op))))
    if dims_of(own[place]) != loops or dims_of(own[-1]) != loops:
        return False
    columns = loops[-1]
    for map in own[:-1]:
        results = list(map.results)
        if not all(isinstance(each, (ir.AffineDimExpr, ir.AffineConstantExpr)) for each in results):
            return False
        places = [
            at
            for at, each in enumerate(results)
            if isinstance(each, ir.AffineDimExpr) and each.position == columns
        ]
        if places not in ([], [len(results) - 1]):
            return False
    block = op.regions[0].blocks[0]
    if any(True for _ in block.arguments[len(block.arguments) - 1].uses):
        return False
    *body, _ = operations(block)
    return all(is_vectorizable(each) for each in body)


def is_tileable_contraction(op: ir.Operation) -> bool:
    """Whether a generic is a contraction that can be tiled, of operands that may be extended first.

    The last loop of the result is the columns: operands are contiguous or broadcast along it,
    unless the sums are of products of rows. The left operand has rows that the right one lacks, two
    loops of them where several loops are reduced.
    """
    if op.name != GENERIC or len(op.results) != 1 or len(op.operands) != 3:
        return False
    return is_zero(op.operands[2]) and _has_tiles(op) and _multiplies_and_adds(op)


def _has_tiles(op: ir.Operation) -> bool:
    left, right, sums = maps(op)
    out = dims_of(sums)
    summed = iterators(op).count("reduction")
    if not out or not summed or len(out) + summed != sums.n_dims:
        return False
    columns = out[-1]
    group = group_loop(op) if dot_product_of(op) is not None else None
    summed -= group is not None
    if group is None and not (_are_contiguous(right, columns) or is_of_rows(op)):
        return False
    if not _are_contiguous(left, columns):
        return False
    found = {loop for each in right.results for loop in loops_in(each)}
    rows = [loop for loop in out[:-1] if loop not in found]
    return len(rows) >= (2 if summed > 1 else 1)


def is_of_rows(op: ir.Operation) -> bool:
    """Whether a contraction sums products of rows, both contiguous along its only reduction.

    They have the dtype of the sums, which is a float.
    """
    left, right, _ = maps(op)
    summed = [loop for loop, kind in enumerate(iterators(op)) if kind == "reduction"]
    elements = {str(ir.RankedTensorType(each.type).element_type) for each in op.operands}
    places = [dims_of(left), dims_of(right)]
    return (
        elements in ({"f32"}, {"f64"})
        and len(summed) == 1
        and all(each is not None and each[-1:] == summed for each in places)
    )


def _are_contiguous(map: ir.AffineMap, loop: int) -> bool:
    """Whether an operand is contiguous along a loop, or does not depend on it."""
    places = [place for place, each in enumerate(map.results) if loop in loops_in(each)]
    if not places:
        return True
    last = map.results[-1]
    while isinstance(last, ir.AffineAddExpr):
        inner = [each for each in (last.lhs, last.rhs) if loop in loops_in(each)]
        if len(inner) != 1:
            return False
        (last,) = inner
    is_loop = isinstance(last, ir.AffineDimExpr) and last.position == loop
    return is_loop and places == [len(map.results) - 1]


def _multiplies_and_adds(op: ir.Operation) -> bool:
    block = op.regions[0].blocks[0]
    *body, last = operations(block)
    left, right, sums = block.arguments
    total = defining_op(last.operands[0])
    if total is None or total.name not in _PRODUCTS or total.operands[0] != sums:
        return False
    product = defining_op(total.operands[1])
    if product is None or product.name != _PRODUCTS[total.name]:
        return False
    factors = [_narrow(value) for value in product.operands]
    return factors == [left, right] and len(body) == 2 + sum(
        factor != value for factor, value in zip(factors, product.operands, strict=True)
    )


def _narrow(value: ir.Value) -> ir.Value:
    op = defining_op(value)
    return op.operands[0] if op is not None and op.name in _WIDER else value
