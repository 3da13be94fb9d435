"""The product of a kernel, and how it reads its operands."""

from __future__ import annotations

from torch_refine.dialect.bindings import ir, operations
from torch_refine.passes.lowering.gpu.padding import rearranges
from torch_refine.passes.lowering.kernels.groups import PRODUCT
from torch_refine.passes.lowering.kernels.indexing import (
    GENERIC,
    before_transpose,
    dims_of,
    is_structured,
    maker_of,
    maps,
    number_of_inputs,
    set_maps,
)


def structured_ops(kernel: ir.Operation) -> list[ir.Operation]:
    """The structured ops of a kernel, in program order."""
    return [op for op in operations(kernel.regions[0].blocks[0]) if is_structured(op)]


def product_of(kernel: ir.Operation) -> ir.Operation:
    """The product of a kernel that has one."""
    (product,) = (op for op in structured_ops(kernel) if PRODUCT in op.attributes)
    return product


def read_transposed(kernel: ir.Operation) -> None:
    """Let a kernel's product read operands that are transposed for it as they lie."""
    product = product_of(kernel)
    indexing = maps(product)
    for place in range(number_of_inputs(product)):
        maker = maker_of(product.operands[place])
        if maker is None or maker.name != "linalg.transpose":
            continue
        indexing[place] = before_transpose(indexing[place], maker)
        product.operands[place] = maker.operands[0]
        if not any(True for _ in maker.results[0].uses):
            maker.erase()
    set_maps(product, indexing)


def read_narrow(kernel: ir.Operation) -> None:
    """Let a kernel's product widen its operands itself, if both were 16-bit floats of one type."""
    product = product_of(kernel)
    makers = [maker_of(operand) for operand in list(product.operands)[: number_of_inputs(product)]]
    widened = [maker for maker in makers if maker is not None and _widens(maker)]
    sources = [maker.operands[0] for maker in widened]
    types = {str(ir.RankedTensorType(source.type).element_type) for source in sources}
    if len(widened) != len(makers) or types not in ({"f16"}, {"bf16"}):
        return
    indexing = maps(product)
    body = product.regions[0].blocks[0]
    for place, (maker, source) in enumerate(zip(widened, sources, strict=True)):
        old = list(indexing[place].results)
        new = [old[dim] for dim in dims_of(maps(maker)[0]) or ()]
        indexing[place] = ir.AffineMap.get(indexing[place].n_dims, 0, new, kernel.context)
        product.operands[place] = source
        argument = body.arguments[place]
        wide = argument.type
        argument.set_type(ir.RankedTensorType(source.type).element_type)
        with ir.InsertionPoint.at_block_begin(body), product.location:
            widening = ir.Operation.create("arith.extf", results=[wide], operands=[argument])
        argument.replace_all_uses_except(widening.result, widening)
    set_maps(product, indexing)
    for maker in widened:
        if not any(True for _ in maker.results[0].uses):
            maker.erase()


def _widens(op: ir.Operation) -> bool:
    """Whether an op gives all numbers of its input in a wider type, perhaps in another order."""
    if op.name != GENERIC or not rearranges(op):
        return False
    order = dims_of(maps(op)[0])
    inside = [each.name for each in operations(op.regions[0].blocks[0])]
    rank = ir.RankedTensorType(op.results[0].type).rank
    return inside == ["arith.extf", "linalg.yield"] and order is not None and len(order) == rank
