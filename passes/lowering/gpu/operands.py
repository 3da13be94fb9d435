"""The contraction of a kernel, and how it reads its operands."""

from __future__ import annotations

from torch_refine.dialect.bindings import ir, operations
from torch_refine.dialect.ir_builder import create_op
from torch_refine.dialect.structured_ops import (
    GENERIC,
    before_transpose,
    defining_op,
    dims_of,
    is_structured,
    maps,
    num_inputs,
    set_maps,
)
from torch_refine.passes.lowering.gpu.padding import rearranges
from torch_refine.passes.lowering.kernels.groups import PRODUCT


def structured_ops(kernel: ir.Operation) -> list[ir.Operation]:
    """The structured ops of a kernel, in program order."""
    return [op for op in operations(kernel.regions[0].blocks[0]) if is_structured(op)]


def contraction_of(kernel: ir.Operation) -> ir.Operation:
    """The contraction of a kernel."""
    (product,) = (op for op in structured_ops(kernel) if PRODUCT in op.attributes)
    return product


def fold_operand_transposes(kernel: ir.Operation) -> None:
    """Fold transposes into the operands of a kernel's contraction."""
    product = contraction_of(kernel)
    indexing = maps(product)
    for place in range(num_inputs(product)):
        producer = defining_op(product.operands[place])
        if producer is None or producer.name != "linalg.transpose":
            continue
        indexing[place] = before_transpose(indexing[place], producer)
        product.operands[place] = producer.operands[0]
        if not any(True for _ in producer.results[0].uses):
            producer.erase()
    set_maps(product, indexing)


def fold_extensions(kernel: ir.Operation) -> None:
    """Fold extensions into a kernel's contraction, if both operands are 16-bit floats of one
    type."""
    product = contraction_of(kernel)
    producers = [defining_op(operand) for operand in list(product.operands)[: num_inputs(product)]]
    widened = [producer for producer in producers if producer is not None and _extends(producer)]
    sources = [producer.operands[0] for producer in widened]
    types = {str(ir.RankedTensorType(source.type).element_type) for source in sources}
    if len(widened) != len(producers) or types not in ({"f16"}, {"bf16"}):
        return
    indexing = maps(product)
    body = product.regions[0].blocks[0]
    for place, (producer, source) in enumerate(zip(widened, sources, strict=True)):
        old = list(indexing[place].results)
        new = [old[dim] for dim in dims_of(maps(producer)[0]) or ()]
        indexing[place] = ir.AffineMap.get(indexing[place].n_dims, 0, new, kernel.context)
        product.operands[place] = source
        argument = body.arguments[place]
        wide = argument.type
        argument.set_type(ir.RankedTensorType(source.type).element_type)
        with ir.InsertionPoint.at_block_begin(body), product.location:
            widening = create_op("arith.extf", [argument], results=[wide])
        argument.replace_all_uses_except(widening.result, widening)
    set_maps(product, indexing)
    for producer in widened:
        if not any(True for _ in producer.results[0].uses):
            producer.erase()


def _extends(op: ir.Operation) -> bool:
    """Whether an op extends its input to a wider type, possibly transposed."""
    if op.name != GENERIC or not rearranges(op):
        return False
    order = dims_of(maps(op)[0])
    inside = [each.name for each in operations(op.regions[0].blocks[0])]
    rank = ir.RankedTensorType(op.results[0].type).rank
    return inside == ["arith.extf", "linalg.yield"] and order is not None and len(order) == rank
