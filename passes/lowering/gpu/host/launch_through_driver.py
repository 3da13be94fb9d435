"""Launch kernels through functions of a driver, which the runtime provides."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.ir_builder import (
    Number,
    create_op,
    create_value,
    index_type,
    index_value,
    less_than,
    multiply,
)
from torch_refine.dialect.structured_ops import operation_of
from torch_refine.passes.base import Pass, PassFailure, RunState
from torch_refine.passes.lowering.abi import (
    ASSEMBLY,
    GPU_ALLOCATE,
    GPU_CONSTANT,
    GPU_COPY,
    GPU_FREE,
    GPU_LAUNCH,
    KERNELS,
)
from torch_refine.passes.lowering.gpu.code.binaries import assembly_in
from torch_refine.passes.lowering.gpu.host.launching import SHARED_SEGMENT
from torch_refine.passes.program import redeclare, returns_of

OUT_OF_MEMORY = "the GPU is out of memory"

_WORD = 8
# Host ops on GPU memory that do not access its contents.
_UNREAD = (
    "memref.cast",
    "memref.collapse_shape",
    "memref.dim",
    "memref.expand_shape",
    "memref.extract_strided_metadata",
    "memref.get_global",
    "memref.global",
    "memref.reinterpret_cast",
    "memref.subview",
    "memref.view",
)


@dataclass
class LaunchThroughDriver(Pass):
    """Launch kernels through functions of a driver, which the runtime provides.

    The functions are in `runtime/cuda/launching.ll`. They take the address of a table
    (`runtime/cuda/table.py`), the last argument of public functions. The parameters of a kernel are
    stored word by word: scalars; for a memref the pointer twice, the offset, sizes and strides.
    Kernels are referred to by number, and their assembly is an attribute of the module. Constants
    that kernels read are not copied in each call: the runtime keeps a copy between calls.

    Before:

    ```mlir
    module attributes {gpu.container_module} {
      gpu.binary @kernels <#gpu.select_object> [#gpu.object<#nvvm.target<chip = "sm_90">, \
assembly = "text">]
      func.func @main(%arg0: index, %arg1: i32) {
        %c1 = arith.constant 1 : index
        gpu.launch_func @kernels::@a blocks in (%arg0, %c1, %c1) threads in (%c1, %c1, %c1) \
args(%arg1 : i32)
        return
      }
    }
    ```

    After:

    ```mlir
    func.func private @torch_refine_launch(i64, i64, index, index, index, index, index, index, \
index, index)
    func.func private @torch_refine_allocate(i64, index) -> memref<?xi8>
    func.func private @torch_refine_free(i64, index)
    func.func private @torch_refine_copy(i64, index, index, index)
    func.func private @torch_refine_constant(i64, index, index) -> memref<?xi8>
    func.func @main(%arg0: index, %arg1: i32, %arg2: i64) {
      %alloca = memref.alloca() : memref<7xi64>
      %alloca_0 = memref.alloca() : memref<7xi64>
      %c1 = arith.constant 1 : index
      %c0 = arith.constant 0 : index
      %0 = arith.extui %arg1 : i32 to i64
      %intptr = memref.extract_aligned_pointer_as_index %alloca : memref<7xi64> -> index
      %c0_1 = arith.constant 0 : index
      memref.store %0, %alloca[%c0_1] : memref<7xi64>
      %1 = arith.index_cast %intptr : index to i64
      %c0_2 = arith.constant 0 : index
      memref.store %1, %alloca_0[%c0_2] : memref<7xi64>
      %c0_i64 = arith.constant 0 : i64
      %intptr_3 = memref.extract_aligned_pointer_as_index %alloca_0 : memref<7xi64> -> index
      call @torch_refine_launch(%arg2, %c0_i64, %arg0, %c1, %c1, %c1, %c1, %c1, %c0, \
%intptr_3) : (i64, i64, index, index, index, index, index, index, index, index) -> ()
      return
    }
    ```
    """

    name: ClassVar[str] = "launch-through-driver"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Replace launches, allocations and copies in the public functions of a module."""
        if KERNELS in op.attributes:
            # Already rewritten.
            return
        block = op.regions[0].blocks[0]
        kernels: dict[str, int] = {}
        for function in list(operations(block)):
            if function.name == "func.func" and len(function.regions[0].blocks):
                _check(function, state)
                if "sym_visibility" not in function.attributes:
                    _Host(function, kernels).lower()
        with ir.InsertionPoint.at_block_begin(block), ir.Location.unknown(op.context):
            _declare(op.context)
        texts = assembly_in(op)
        for each in [each for each in operations(block) if each.name == "gpu.binary"]:
            each.erase()
        names = [ir.StringAttr.get(name, op.context) for name in kernels]
        op.attributes[KERNELS] = ir.ArrayAttr.get(names, op.context)
        op.attributes[ASSEMBLY] = ir.StringAttr.get("\n".join(texts), op.context)
        if "gpu.container_module" in op.attributes:
            del op.attributes["gpu.container_module"]
        state.count(self.name, "kernels", len(kernels))


def kernels_of(module: ir.Operation) -> tuple[str, list[str]]:
    """The assembly of a module's kernels, and their names by number."""
    if KERNELS not in module.attributes:
        return "", []
    names = [ir.StringAttr(each).value for each in ir.ArrayAttr(module.attributes[KERNELS])]
    return ir.StringAttr(module.attributes[ASSEMBLY]).value, names


def _check(function: ir.Operation, state: RunState) -> None:
    """Report host accesses to GPU memory, and launches outside of public functions."""
    is_private = "sym_visibility" in function.attributes
    for op in walk(function):
        if op.name.startswith("memref.") and op.name not in _UNREAD:
            message = f"{op.name} on the host would access GPU memory"
        elif op.name.startswith("linalg."):
            message = f"{op.name} is not in a kernel"
        elif is_private and op.name.startswith("gpu."):
            message = f"{op.name} is in a private function, which must be inlined before"
        else:
            continue
        state.diagnostics.error(op.location, message)
        raise PassFailure


def _word_type() -> ir.Type:
    return ir.IntegerType.get_signless(64)


def _words(count: int) -> ir.MemRefType:
    return ir.MemRefType.get([count], _word_type())


def _bytes() -> ir.MemRefType:
    return ir.MemRefType.get([ir.ShapedType.get_dynamic_size()], ir.IntegerType.get_signless(8))


def _declare(context: ir.Context) -> None:
    word, index = _word_type(), index_type()
    types = {
        GPU_LAUNCH: ([word] * 2 + [index] * 8, []),
        GPU_ALLOCATE: ([word, index], [_bytes()]),
        GPU_FREE: ([word, index], []),
        GPU_COPY: ([word, index, index, index], []),
        GPU_CONSTANT: ([word, index, index], [_bytes()]),
    }
    for name, (inputs, results) in types.items():
        type = ir.FunctionType.get(inputs, results, context)
        create_op(
            "func.func",
            attributes={
                "sym_name": ir.StringAttr.get(name),
                "sym_visibility": ir.StringAttr.get("private"),
                "function_type": ir.TypeAttr.get(type),
            },
            regions=1,
        )


class _Host:
    """A public function, which gets the address of the driver table."""

    def __init__(self, function: ir.Operation, kernels: dict[str, int]) -> None:
        self.function = function
        self.kernels = kernels
        self.entry = function.regions[0].blocks[0]
        self.ops: dict[str, list[ir.Operation]] = {}
        for op in walk(function):
            self.ops.setdefault(op.name, []).append(op)
        with function.context, ir.Location.unknown():
            self.table = self.entry.add_argument(_word_type(), ir.Location.unknown())
            # The driver copies parameters, so launches share one buffer for them.
            longest = max(map(_word_count, self.ops.get("gpu.launch_func", ())), default=0)
            with ir.InsertionPoint.at_block_begin(self.entry):
                self.cells = _alloca(longest)
                self.pointers = _alloca(longest)

    def lower(self) -> None:
        """Replace launches, allocations and copies."""
        for op in self.ops.get("gpu.memcpy", ()):
            alloc, constant = (operation_of(operand.owner) for operand in op.operands)
            deallocs = _deallocs_of_kept(alloc, op)
            if not deallocs:
                continue
            with ir.InsertionPoint(alloc), op.location:
                # The allocation may have been hoisted out of a loop.
                self._keep(alloc, constant.clone().results[0])
            for each in (*deallocs, op, alloc):
                self.ops[each.name].remove(each)
                each.erase()
        for name, lower in (
            ("gpu.launch_func", self._launch),
            ("gpu.alloc", self._allocate),
            ("gpu.dealloc", self._free),
            ("gpu.memcpy", self._copy),
        ):
            for op in self.ops.get(name, ()):
                with ir.InsertionPoint(op), op.location:
                    lower(op)
                op.erase()
        redeclare(self.function, returns_of(self.function)[0])

    def _launch(self, op: ir.Operation) -> None:
        name = str(ir.SymbolRefAttr(op.attributes["kernel"]).value[-1])
        number = self.kernels.setdefault(name, len(self.kernels))
        sizes = list(op.operands)[:6]
        counts = list(ir.DenseI32ArrayAttr(op.attributes["operandSegmentSizes"]))
        has_shared = counts[SHARED_SEGMENT] > 0
        shared = _index(op.operands[6]) if has_shared else index_value(0)
        values = [
            word for operand in list(op.operands)[6 + has_shared :] for word in _as_words(operand)
        ]
        cells = _pointer(self.cells)
        for place, value in enumerate(values):
            _store(value, self.cells, place)
            address = index_value(_offset_address(cells, place * _WORD))
            _store(_index_as_word(address), self.pointers, place)
        _call(GPU_LAUNCH, [self.table, _word(number), *sizes, shared, _pointer(self.pointers)])

    def _allocate(self, op: ir.Operation) -> None:
        type = ir.MemRefType(op.result.type)
        dynamic = list(op.operands)
        unknown = iter(dynamic)
        count: Number = 1
        for size in type.shape:
            count = multiply(count, next(unknown) if size < 0 else size)
        bytes = multiply(count, _byte_size(type.element_type))
        found = _checked(_call(GPU_ALLOCATE, [self.table, index_value(bytes)], [_bytes()])[0])
        view = create_op("memref.view", [found, index_value(0), *dynamic], results=[type])
        op.result.replace_all_uses_with(view.result)

    def _free(self, op: ir.Operation) -> None:
        _call(GPU_FREE, [self.table, _pointer(op.operands[0])])

    def _copy(self, op: ir.Operation) -> None:
        """Copy a constant that is returned, from the copy that is kept."""
        target, source = op.operands
        count = _byte_count(source)
        kept = self._constant(source)
        _call(GPU_COPY, [self.table, _pointer(target), _pointer(kept), index_value(count)])

    def _keep(self, alloc: ir.Operation, source: ir.Value) -> None:
        """Replace the allocation of a constant by the copy that is kept."""
        bytes = self._constant(source)
        view = create_op("memref.view", [bytes, index_value(0)], results=[alloc.result.type])
        alloc.result.replace_all_uses_with(view.result)

    def _constant(self, source: ir.Value) -> ir.Value:
        """The bytes of a constant on the GPU."""
        operands = [self.table, _pointer(source), index_value(_byte_count(source))]
        return _checked(_call(GPU_CONSTANT, operands, [_bytes()])[0])


def _deallocs_of_kept(alloc: ir.Operation, copy: ir.Operation) -> list[ir.Operation]:
    """The deallocations of a copied constant that only kernels use; none if it is returned."""
    if alloc.name != "gpu.alloc":
        return []
    deallocs = []
    pending = [alloc.result]
    while pending:
        value = pending.pop()
        for use in value.uses:
            user = operation_of(use.owner)
            if user.name == "gpu.dealloc" and value == alloc.result:
                deallocs.append(user)
            elif user.name in _UNREAD:
                pending += [each for each in user.results if isinstance(each.type, ir.MemRefType)]
            elif user.name != "gpu.launch_func" and user != copy:
                return []
    return deallocs


def _checked(memory: ir.Value) -> ir.Value:
    """Memory of the GPU; without it, the following kernels would write to unallocated memory."""
    is_there = less_than(0, _pointer(memory))
    create_op("cf.assert", [is_there], {"msg": ir.StringAttr.get(OUT_OF_MEMORY)})
    return memory


def _byte_count(memory: ir.Value) -> int:
    """The size in bytes of a value of static size."""
    type = ir.MemRefType(memory.type)
    return math.prod([_byte_size(type.element_type), *type.shape])


def _offset_address(address: ir.Value, count: int) -> Number:
    """An address at an offset."""
    if count == 0:
        return address
    return create_value("arith.addi", address.type, [address, index_value(count)])


def _word_count(launch: ir.Operation) -> int:
    memory = [
        ir.MemRefType(operand.type)
        for operand in launch.operands
        if isinstance(operand.type, ir.MemRefType)
    ]
    return len(launch.operands) + sum(2 + 2 * int(type.rank) for type in memory)


def _as_words(value: ir.Value) -> list[ir.Value]:
    """A value as the words of a kernel parameter."""
    if isinstance(value.type, ir.MemRefType):
        return _descriptor(value)
    if isinstance(value.type, ir.IndexType):
        return [_index_as_word(value)]
    if not isinstance(value.type, ir.IntegerType):
        width = _byte_size(value.type) * 8
        bits = ir.IntegerType.get_signless(width)
        value = create_value("arith.bitcast", bits, [value])
    if value.type == _word_type():
        return [value]
    return [create_value("arith.extui", _word_type(), [value])]


def _descriptor(value: ir.Value) -> list[ir.Value]:
    type = ir.MemRefType(value.type)
    index = index_type()
    base = ir.MemRefType.get([], type.element_type, memory_space=type.memory_space)
    parts = create_op(
        "memref.extract_strided_metadata",
        [value],
        results=[base, index, *[index] * (2 * type.rank)],
    )
    pointer = _index_as_word(_pointer(value))
    return [pointer, pointer, *map(_index_as_word, list(parts.results)[1:])]


def _pointer(memory: ir.Value) -> ir.Value:
    return create_value("memref.extract_aligned_pointer_as_index", index_type(), [memory])


def _index(value: ir.Value) -> ir.Value:
    return create_value("arith.index_castui", index_type(), [value])


def _index_as_word(value: ir.Value) -> ir.Value:
    return create_value("arith.index_cast", _word_type(), [value])


def _word(number: int) -> ir.Value:
    attribute = ir.IntegerAttr.get(_word_type(), number)
    return create_value("arith.constant", _word_type(), [], {"value": attribute})


def _store(value: ir.Value, memory: ir.Value, place: int) -> None:
    create_op("memref.store", [value, memory, index_value(place)])


def _alloca(words: int) -> ir.Value:
    segments = ir.DenseI32ArrayAttr.get([0, 0])
    return create_value(
        "memref.alloca", _words(max(words, 1)), [], {"operandSegmentSizes": segments}
    )


def _call(
    name: str, operands: Sequence[ir.Value], results: Sequence[ir.Type] = ()
) -> list[ir.Value]:
    callee = ir.FlatSymbolRefAttr.get(name)
    made = create_op("func.call", list(operands), {"callee": callee}, results=list(results))
    return list(made.results)


def _byte_size(type: ir.Type) -> int:
    """The size of an element in bytes; a complex one has two parts."""
    if isinstance(type, ir.ComplexType):
        return 2 * _byte_size(type.element_type)
    if isinstance(type, ir.IndexType):
        return _WORD
    width = int(type.width)
    return (width + 7) // 8
