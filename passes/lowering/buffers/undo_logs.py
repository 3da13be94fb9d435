"""Logs of elements of arguments that are about to be overwritten (`passes/lowering/abi.py`)."""

from __future__ import annotations

from torch_refine.dialect.bindings import ir, operations
from torch_refine.dialect.ir_builder import (
    Number,
    add,
    assert_that,
    compare,
    constant,
    create_op,
    create_value,
    delinearize,
    finish,
    for_loop,
    index_value,
    multiply,
)
from torch_refine.passes.lowering.abi import COMMIT, LOG, LOG_HEADER, WORD
from torch_refine.passes.lowering.buffers.memory import sizes_of
from torch_refine.passes.lowering.llvm.check_allocations import NO_MEMORY
from torch_refine.passes.program import symbol_name

SCATTER = "tm_tensor.scatter"
_WIDTHS = {8: 1, 16: 2, 32: 4, 64: 8}


def element_width(type: ir.Type) -> int | None:
    """The bytes of an element that can be logged; None of others, such as complex numbers."""
    if isinstance(type, ir.IntegerType):
        return 1 if type.width == 1 else _WIDTHS.get(type.width)
    if isinstance(type, ir.FloatType):
        return _WIDTHS.get(type.width)
    return None


def commit_logs(function: ir.Operation) -> None:
    """End all logs where a function returns; at most once."""
    returned = list(operations(function.regions[0].blocks[0]))[-1]
    calls = [each for each in operations(returned.block) if each.name == "llvm.call"]
    if not any(ir.FlatSymbolRefAttr(each.attributes["callee"]).value == COMMIT for each in calls):
        with ir.InsertionPoint(returned), returned.location:
            _call(COMMIT, [], [])


def log_elements(op: ir.Operation) -> None:
    """Log the elements that a scatter or a copy, the insertion point, will overwrite."""
    i64 = ir.IntegerType.get_signless(64)
    target = op.operands[2] if op.name == SCATTER else op.operands[1]
    written = op.operands[0] if op.name == SCATTER else target
    width = element_width(ir.MemRefType(target.type).element_type)
    assert width is not None, "it was checked"
    extents = sizes_of(written)
    count: Number = 1
    for extent in extents:
        count = multiply(count, extent)
    log = _new_log(_as_i64(count), constant(i64, width))
    index = ir.IndexType.get()
    start = create_value("memref.extract_aligned_pointer_as_index", index, [target])
    offset, strides = _layout(target)
    places = create_value("arith.index_cast", index, [log])
    places = index_value(add(places, LOG_HEADER))
    values = add(places, multiply(count, WORD))
    _, body = for_loop(0, count, 1)
    with ir.InsertionPoint(body):
        position = body.arguments[0]
        at = delinearize(position, extents)
        if op.name == SCATTER:
            at = _scattered(op, at)
        element: Number = offset
        for place, stride in zip(at, strides, strict=True):
            element = add(element, multiply(place, stride))
        address = _as_i64(add(start, multiply(element, width)))
        bits = ir.IntegerType.get_signless(8 * width)
        value = create_value("llvm.load", bits, [_pointer(address)], _aligned(width))
        for memory, size, stored in ((places, WORD, address), (values, width, value)):
            slot = _pointer(_as_i64(add(memory, multiply(position, size))))
            create_op("llvm.store", [stored, slot], _aligned(size))
    finish(body)


def log_whole(memory: ir.Value) -> None:
    """Log all elements of an argument, as one long element."""
    i64, index = ir.IntegerType.get_signless(64), ir.IndexType.get()
    element = ir.MemRefType(memory.type).element_type
    is_complex = isinstance(element, ir.ComplexType)
    width = element_width(ir.ComplexType(element).element_type if is_complex else element)
    assert width is not None, "tensors have no other elements"
    count: Number = 2 * width if is_complex else width
    for extent in sizes_of(memory):
        count = multiply(count, extent)
    size = _as_i64(count)
    log = index_value(create_value("arith.index_cast", index, [_new_log(constant(i64, 1), size)]))
    start = create_value("memref.extract_aligned_pointer_as_index", index, [memory])
    place = _pointer(_as_i64(add(log, LOG_HEADER)))
    create_op("llvm.store", [_as_i64(start), place], _aligned(WORD))
    create_op(
        "llvm.intr.memcpy",
        [_pointer(_as_i64(add(log, LOG_HEADER + WORD))), _pointer(_as_i64(start)), size],
        {"isVolatile": ir.BoolAttr.get(False)},
    )


def _new_log(count: ir.Value, width: ir.Value) -> ir.Value:
    """The address of a log, as an i64."""
    i64 = ir.IntegerType.get_signless(64)
    log = _call(LOG, [count, width], [i64])
    assert log is not None, "it has a result"
    assert_that(compare("ne", log, constant(i64, 0)), NO_MEMORY)
    return log


def _scattered(op: ir.Operation, at: list[Number]) -> list[Number]:
    """The indices in the target of an element of a scatter's updates.

    The first index of an update is that of its row of indices. The others are offsets in the last
    dimensions, to which the indices are added.
    """
    dims = list(ir.DenseI64ArrayAttr(op.attributes["dimension_map"]))
    indices, index = op.operands[1], ir.IndexType.get()
    element = ir.MemRefType(indices.type).element_type
    found: list[Number] = [0] * (ir.MemRefType(op.operands[2].type).rank - len(at) + 1)
    found += at[1:]
    for number, dim in enumerate(dims):
        row = [index_value(at[0]), index_value(number)]
        read = create_value("memref.load", element, [indices, *row])
        found[dim] = add(create_value("arith.index_cast", index, [read]), found[dim])
    return found


def _layout(memory: ir.Value) -> tuple[Number, list[Number]]:
    """The offset and the strides of a memory, in elements."""
    type = ir.MemRefType(memory.type)
    index = ir.IndexType.get()
    plain = ir.MemRefType.get([], type.element_type)
    results = [plain, *[index] * (1 + 2 * type.rank)]
    found = create_op("memref.extract_strided_metadata", [memory], results=results).results
    return found[1], list(found[2 + type.rank :])


def _call(name: str, operands: list[ir.Value], results: list[ir.Type]) -> ir.Value | None:
    attributes = {
        "callee": ir.FlatSymbolRefAttr.get(name),
        "operandSegmentSizes": ir.DenseI32ArrayAttr.get([len(operands), 0]),
        "op_bundle_sizes": ir.DenseI32ArrayAttr.get([]),
    }
    made = create_op("llvm.call", operands, attributes, results)
    return made.result if results else None


def _as_i64(number: Number) -> ir.Value:
    i64 = ir.IntegerType.get_signless(64)
    return create_value("arith.index_cast", i64, [index_value(number)])


def _pointer(address: ir.Value) -> ir.Value:
    return create_value("llvm.inttoptr", ir.Type.parse("!llvm.ptr"), [address])


def _aligned(width: int) -> dict[str, ir.Attribute]:
    i64 = ir.IntegerType.get_signless(64)
    return {"alignment": ir.IntegerAttr.get(i64, width)}


def declare_logs(module: ir.Operation) -> None:
    """Declare the functions that make and end logs in a module."""
    block = module.regions[0].blocks[0]
    known = {symbol_name(each) for each in operations(block)}
    with ir.InsertionPoint.at_block_begin(block), ir.Location.unknown(module.context):
        for name, type in ((LOG, "i64 (i64, i64)"), (COMMIT, "void ()")):
            if name not in known:
                attributes = {
                    "sym_name": ir.StringAttr.get(name),
                    "function_type": ir.TypeAttr.get(ir.Type.parse(f"!llvm.func<{type}>")),
                    "linkage": ir.Attribute.parse("#llvm.linkage<external>"),
                }
                create_op("llvm.func", attributes=attributes, regions=1)
