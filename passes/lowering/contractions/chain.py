"""What a contraction is made of: a sum of products, its unpacking, and what follows elementwise."""

from __future__ import annotations

from dataclasses import dataclass

from torch_refine.dialect.bindings import ir, operations
from torch_refine.passes.lowering.contractions.nests import loops_in
from torch_refine.passes.lowering.contractions.pairs import pair_loop
from torch_refine.passes.lowering.contractions.vectors import is_vectorizable
from torch_refine.passes.lowering.images.building import is_zero
from torch_refine.passes.lowering.kernels.indexing import (
    GENERIC,
    dims_of,
    iterators,
    maker_of,
    maps,
    number_of_inputs,
)

CONTRACTION = "torch_refine.contraction"
"""On the generic of a contraction: its schedule, a dictionary (`Schedule`)."""

UNPACK = "linalg.unpack"
_WIDER = ("arith.extf", "arith.extsi")
# What adds up, and what it adds up.
_PRODUCTS = {"arith.addf": "arith.mulf", "arith.addi": "arith.muli"}


@dataclass(frozen=True)
class Chain:
    """A contraction, and the ops that use its sums one by one.

    The sums begin at zero. `unpack`, if there is one, makes the last dimension of two: panels, and
    the columns of a panel.
    """

    sums: ir.Operation
    unpack: ir.Operation | None
    last: ir.Operation | None
    """An elementwise generic, whose result is then that of the chain."""
    operand: int
    """Which operand of it the sums are."""

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
        """What the result is written to."""
        return list(self.root.operands)[-1]


def chain_of(root: ir.Operation) -> Chain | None:
    """The chain that ends with an op; None if it ends none."""
    if root.name == UNPACK:
        sums = _sums_of(root)
        return None if sums is None else Chain(sums, root, None, 0)
    if root.name != GENERIC:
        return None
    if _is_contraction(root):
        return Chain(root, None, None, 0)
    found = []
    for place in range(number_of_inputs(root)):
        producer = maker_of(root.operands[place])
        if producer is None or producer.block != root.block or not _is_used_once(producer):
            continue
        sums = _sums_of(producer) if producer.name == UNPACK else producer
        if sums is not None and _is_contraction(sums) and can_follow(root, place):
            found.append(Chain(sums, None if sums == producer else producer, root, place))
    return found[0] if len(found) == 1 else None


def _sums_of(unpack: ir.Operation) -> ir.Operation | None:
    sums = maker_of(unpack.operands[0])
    return sums if sums is not None and _is_contraction(sums) and _is_used_once(sums) else None


def _is_contraction(op: ir.Operation) -> bool:
    """Whether an op carries a schedule, and is what one is for."""
    return CONTRACTION in op.attributes and is_sum_of_products(op)


def _is_used_once(op: ir.Operation) -> bool:
    return sum(1 for result in op.results for _ in result.uses) == 1


def can_follow(op: ir.Operation, place: int) -> bool:
    """Whether a generic can be computed on vectors of columns, of sums that are operand `place`.

    It must be elementwise, in the order of the sums. Other operands must have its columns next to
    each other, or no columns; and the memory that it writes to must not be read.
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


def is_sum_of_products(op: ir.Operation) -> bool:
    """Whether a generic adds up products of two operands, which may be widened before, in tiles.

    The last loop of the result gives columns: they are contiguous where an operand has them. The
    left operand has rows that the right one has not, two loops of them where several are summed.
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
    pair = pair_loop(op)
    summed -= pair is not None
    if pair is None and not _are_contiguous(right, columns):
        return False
    if not _are_contiguous(left, columns):
        return False
    found = {loop for each in right.results for loop in loops_in(each)}
    rows = [loop for loop in out[:-1] if loop not in found]
    return len(rows) >= (2 if summed > 1 else 1)


def _are_contiguous(map: ir.AffineMap, loop: int) -> bool:
    """Whether elements of an operand follow each other along a loop, or do not depend on it."""
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
    total = maker_of(last.operands[0])
    if total is None or total.name not in _PRODUCTS or total.operands[0] != sums:
        return False
    product = maker_of(total.operands[1])
    if product is None or product.name != _PRODUCTS[total.name]:
        return False
    factors = [_narrow(value) for value in product.operands]
    return factors == [left, right] and len(body) == 2 + sum(
        factor != value for factor, value in zip(factors, product.operands, strict=True)
    )


def _narrow(value: ir.Value) -> ir.Value:
    op = maker_of(value)
    return op.operands[0] if op is not None and op.name in _WIDER else value
