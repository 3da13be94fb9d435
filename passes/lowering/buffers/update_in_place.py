"""Write new values of arguments in place, and log what they overwrite."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

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
from torch_refine.dialect.structured_ops import defining_op, is_structured, num_inputs, operation_of
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.abi import COMMIT, LOG, LOG_HEADER, UPDATED, UPDATES, WORD
from torch_refine.passes.lowering.buffers.memory import sizes_of
from torch_refine.passes.lowering.llvm.check_allocations import NO_MEMORY
from torch_refine.passes.program import redeclare, symbol_name

_COPY, _SCATTER = "memref.copy", "tm_tensor.scatter"
# Views of the whole memory, or a part.
_VIEWS = ("memref.subview", "memref.expand_shape", "memref.collapse_shape", "memref.cast")
# Ops that only read their first operand.
_READ_FIRST = ("memref.load", "memref.dim", "vector.transfer_read", "vector.load", "vector.gather")
_WIDTHS = {8: 1, 16: 2, 32: 4, 64: 8}


@dataclass
class UpdateInPlace(Pass):
    """Write new values of arguments in place, and log what they overwrite.

    A model that writes to a few rows of an input, such as a cache, has the new value as a result,
    which is computed from a copy, and copied back when the call has succeeded. Where the result is
    a copy of the argument with a scatter or a copy into a part, and nothing reads the old value
    later, the argument itself is written, and the result dropped. The previous elements are logged
    first (`torch_refine_log`), so that a call that fails can be undone.

    Before:

    ```mlir
    func.func @main(%arg0: memref<8xf32>, %arg1: memref<2xf32>) -> memref<8xf32> \
attributes {torch_refine.updates = array<i64: 0, 0>} {
      %alloc = memref.alloc() : memref<8xf32>
      memref.copy %arg0, %alloc : memref<8xf32> to memref<8xf32>
      %subview = memref.subview %alloc[3] [2] [1] : memref<8xf32> to \
memref<2xf32, strided<[1], offset: 3>>
      memref.copy %arg1, %subview : memref<2xf32> to memref<2xf32, strided<[1], offset: 3>>
      return %alloc : memref<8xf32>
    }
    ```

    After: the same with `%arg0` for `%alloc`, a loop that logs its elements 3 and 4, and no result.
    """

    name: ClassVar[str] = "update-in-place"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite the functions of a module that say which results update arguments."""
        functions = {
            symbol_name(each) or "": each
            for each in operations(op.regions[0].blocks[0])
            if each.name == "func.func"
        }
        for function in functions.values():
            if UPDATES in function.attributes:
                pairs = list(ir.DenseI64ArrayAttr(function.attributes[UPDATES]))
                found = _updates(function, pairs, functions)
                if found:
                    _rewrite(function, found)
                    _declare(op)
                    op.attributes[UPDATED] = ir.DenseI64ArrayAttr.get(
                        sorted(each.result for each in found), op.context
                    )
                    state.count(self.name, "arguments", len(found))


def updated_results(module: ir.Operation) -> list[int]:
    """The results of `main` that were dropped, because they are in arguments."""
    if UPDATED not in module.attributes:
        return []
    return list(ir.DenseI64ArrayAttr(module.attributes[UPDATED]))


@dataclass(frozen=True)
class _Update:
    """A result, the argument that it updates, its copy, and the ops that write to that."""

    result: int
    argument: ir.Value
    copy: ir.Operation
    writes: list[ir.Operation]


def _updates(
    function: ir.Operation, pairs: list[int], functions: dict[str, ir.Operation]
) -> list[_Update]:
    blocks = list(function.regions[0].blocks)
    if len(blocks) != 1:
        return []
    places = {op: place for place, op in enumerate(operations(blocks[0]))}
    returned = list(places)[-1]
    found = []
    for result, argument in zip(pairs[::2], pairs[1::2], strict=True):
        update = _update(returned, result, blocks[0].arguments[argument], places, functions)
        if update is not None:
            found.append(update)
    return found


def _update(
    returned: ir.Operation,
    result: int,
    argument: ir.Value,
    places: dict[ir.Operation, int],
    functions: dict[str, ir.Operation],
) -> _Update | None:
    value = returned.operands[result]
    made = defining_op(value)
    type = argument.type
    if (
        made is None
        or made.name != "memref.alloc"
        or value.type != type
        or not isinstance(type, ir.MemRefType)
        or _width(type.element_type) is None
        # Another result of the caller's own would share the memory.
        or [base(each) for each in returned.operands].count(value) != 1
    ):
        return None
    copies, writes = [], []
    for op, is_read in _uses(value, functions):
        if op == returned or is_read:
            continue
        if op.name == _COPY and op.operands[0] == argument and op.operands[1] == value:
            copies.append(op)
        elif op in places and _is_loggable(op, value, argument):
            writes.append(op)
        else:
            return None
    if len(copies) != 1 or copies[0] not in places or not writes:
        return None
    first = min(places[op] for op in writes)
    if places[copies[0]] > first:
        return None
    # Whatever reads the old value does so before it is overwritten.
    for op, is_read in _uses(argument, functions):
        top = _in_block(op, places)
        if op == copies[0] or op.name == "memref.dim":
            continue
        if not is_read or top is None or places[top] > first:
            return None
    return _Update(result, argument, copies[0], writes)


def _uses(
    value: ir.Value, functions: dict[str, ir.Operation]
) -> Iterator[tuple[ir.Operation, bool]]:
    """The ops that access a memory, also through views, and whether they are known to only read."""
    for use in value.uses:
        op, place = operation_of(use.owner), use.operand_number
        if op.name in _VIEWS:
            yield from _uses(op.results[0], functions)
        elif op.name == "func.call":
            callee = functions[ir.FlatSymbolRefAttr(op.attributes["callee"]).value]
            yield op, _only_reads(callee, place, functions)
        else:
            is_input = (is_structured(op) and place < num_inputs(op)) or (
                op.name in (_COPY, *_READ_FIRST) and place == 0
            )
            yield op, is_input


def _only_reads(function: ir.Operation, place: int, functions: dict[str, ir.Operation]) -> bool:
    """Whether a function only reads an argument, and does not return it."""
    blocks = list(function.regions[0].blocks)
    return len(blocks) == 1 and all(
        is_read for _, is_read in _uses(blocks[0].arguments[place], functions)
    )


def _is_loggable(op: ir.Operation, value: ir.Value, argument: ir.Value) -> bool:
    """Whether an op writes some elements of a memory, and reads neither it nor the argument."""
    if op.name == _SCATTER:
        target, sources = op.operands[2], list(op.operands)[:2]
        is_whole = target == value
    elif op.name == _COPY:
        target, sources = op.operands[1], [op.operands[0]]
        is_whole = base(target) == value and target != value
    else:
        return False
    return is_whole and all(base(each) not in (value, argument) for each in sources)


def base(value: ir.Value) -> ir.Value:
    """The memory that a value is a view of."""
    made = defining_op(value)
    while made is not None and made.name in _VIEWS:
        value = made.operands[0]
        made = defining_op(value)
    return value


def _in_block(op: ir.Operation, places: dict[ir.Operation, int]) -> ir.Operation | None:
    """The op of a block that contains an op."""
    current: ir.Operation | None = op
    while current is not None and current not in places:
        parent = current.parent
        current = None if parent is None else parent.operation
    return current


def _width(type: ir.Type) -> int | None:
    """The bytes of an element that can be logged."""
    if isinstance(type, ir.IntegerType):
        return 1 if type.width == 1 else _WIDTHS.get(type.width)
    if isinstance(type, ir.FloatType):
        return _WIDTHS.get(type.width)
    return None


def _rewrite(function: ir.Operation, updates: list[_Update]) -> None:
    """Write to the arguments, and drop the results."""
    block = function.regions[0].blocks[0]
    for update in updates:
        made = operation_of(update.copy.operands[1].owner)
        update.copy.erase()
        made.result.replace_all_uses_with(update.argument)
        made.erase()
        for op in update.writes:
            with ir.InsertionPoint(op), op.location:
                _log(op)
    returned = list(operations(block))[-1]
    dropped = {update.result for update in updates}
    kept = [value for place, value in enumerate(returned.operands) if place not in dropped]
    with ir.InsertionPoint(returned), returned.location:
        _call(COMMIT, [], [])
        less = create_op("func.return", kept)
    returned.erase()
    if "res_attrs" in function.attributes:
        del function.attributes["res_attrs"]
    redeclare(function, less)


def _log(op: ir.Operation) -> None:
    """Log the elements that an op will overwrite."""
    i64 = ir.IntegerType.get_signless(64)
    target = op.operands[2] if op.name == _SCATTER else op.operands[1]
    written = op.operands[0] if op.name == _SCATTER else target
    width = _width(ir.MemRefType(target.type).element_type)
    assert width is not None, "it was checked"
    extents = sizes_of(written)
    count: Number = 1
    for extent in extents:
        count = multiply(count, extent)
    log = _call(LOG, [_as_i64(count), constant(i64, width)], [i64])
    assert_that(compare("ne", log, constant(i64, 0)), NO_MEMORY)
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
        if op.name == _SCATTER:
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


def _declare(module: ir.Operation) -> None:
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
