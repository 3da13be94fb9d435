"""Launch kernels through functions of a driver, which the runtime provides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.passes.base import Pass, PassFailure, RunState
from torch_refine.passes.lowering.building import (
    Number,
    index_type,
    less_than,
    multiply,
    value_of,
)
from torch_refine.passes.lowering.gpu.binaries import assembly_in
from torch_refine.passes.program import redeclare, returns_of

ASSEMBLY = "torch_refine.assembly"
"""On the module: the text of its kernels."""
KERNELS = "torch_refine.kernels"
"""On the module: the names of its kernels, by the numbers under which they are launched."""

OUT_OF_MEMORY = "the GPU has no memory left"

_LAUNCH = "torch_refine_launch"
_ALLOCATE = "torch_refine_allocate"
_FREE = "torch_refine_free"
_COPY = "torch_refine_copy"
DRIVER_FUNCTIONS = (_LAUNCH, _ALLOCATE, _FREE, _COPY)
"""The names of the functions that the runtime provides."""
_WORD = 8
# What the host does with memory of the GPU without looking at what is in it.
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

    The functions are in `runtime/cuda/launching.ll`. They take an address, which public functions
    take as their last argument: there lies what they need to know (`runtime/cuda/table.py`). What a
    kernel takes lies in memory word by word: a number; or of memory the pointer twice, the offset,
    sizes and strides. Kernels become numbers, and their assembly an attribute of the module.

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
index)
    func.func private @torch_refine_allocate(i64, index) -> memref<?xi8>
    func.func private @torch_refine_free(i64, index)
    func.func private @torch_refine_copy(i64, index, index, index)
    func.func @main(%arg0: index, %arg1: i32, %arg2: i64) {
      %alloca = memref.alloca() : memref<7xi64>
      %alloca_0 = memref.alloca() : memref<7xi64>
      %c1 = arith.constant 1 : index
      %0 = arith.extui %arg1 : i32 to i64
      %intptr = memref.extract_aligned_pointer_as_index %alloca : memref<7xi64> -> index
      %c0 = arith.constant 0 : index
      memref.store %0, %alloca[%c0] : memref<7xi64>
      %1 = arith.index_cast %intptr : index to i64
      %c0_1 = arith.constant 0 : index
      memref.store %1, %alloca_0[%c0_1] : memref<7xi64>
      %c0_i64 = arith.constant 0 : i64
      %intptr_2 = memref.extract_aligned_pointer_as_index %alloca_0 : memref<7xi64> -> index
      call @torch_refine_launch(%arg2, %c0_i64, %arg0, %c1, %c1, %c1, %c1, %c1, %intptr_2) : \
(i64, i64, index, index, index, index, index, index, index) -> ()
      return
    }
    ```
    """

    name: ClassVar[str] = "launch-through-driver"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Replace launches, allocations and copies in the public functions of a module."""
        if KERNELS in op.attributes:
            # It ran before.
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
    """The assembly of a module's kernels, and their names by their numbers."""
    if KERNELS not in module.attributes:
        return "", []
    names = [ir.StringAttr(each).value for each in ir.ArrayAttr(module.attributes[KERNELS])]
    return ir.StringAttr(module.attributes[ASSEMBLY]).value, names


def _check(function: ir.Operation, state: RunState) -> None:
    """The host cannot read what lies on the GPU; kernels are launched from public functions."""
    is_private = "sym_visibility" in function.attributes
    for op in walk(function):
        if op.name.startswith("memref.") and op.name not in _UNREAD:
            message = f"{op.name} of the host would touch memory of the GPU"
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
        _LAUNCH: ([word] * 2 + [index] * 7, []),
        _ALLOCATE: ([word, index], [_bytes()]),
        _FREE: ([word, index], []),
        _COPY: ([word, index, index, index], []),
    }
    for name, (inputs, results) in types.items():
        type = ir.FunctionType.get(inputs, results, context)
        ir.Operation.create(
            "func.func",
            regions=1,
            attributes={
                "sym_name": ir.StringAttr.get(name),
                "sym_visibility": ir.StringAttr.get("private"),
                "function_type": ir.TypeAttr.get(type),
            },
        )


class _Host:
    """A public function, which gets the address of what the driver's functions need."""

    def __init__(self, function: ir.Operation, kernels: dict[str, int]) -> None:
        self.function = function
        self.kernels = kernels
        self.entry = function.regions[0].blocks[0]
        self.ops: dict[str, list[ir.Operation]] = {}
        for op in walk(function):
            self.ops.setdefault(op.name, []).append(op)
        with function.context, ir.Location.unknown():
            self.table = self.entry.add_argument(_word_type(), ir.Location.unknown())
            # The driver copies what it is given, so launches share the memory for it.
            longest = max(map(_word_count, self.ops.get("gpu.launch_func", ())), default=0)
            with ir.InsertionPoint.at_block_begin(self.entry):
                self.cells = _alloca(longest)
                self.pointers = _alloca(longest)

    def lower(self) -> None:
        """Replace what the GPU is asked for."""
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
        values = [word for operand in list(op.operands)[6:] for word in _as_words(operand)]
        cells = _pointer(self.cells)
        for place, value in enumerate(values):
            _store(value, self.cells, place)
            address = value_of(_further(cells, place * _WORD))
            _store(_index_as_word(address), self.pointers, place)
        _call(_LAUNCH, [self.table, _word(number), *sizes, _pointer(self.pointers)])

    def _allocate(self, op: ir.Operation) -> None:
        type = ir.MemRefType(op.result.type)
        dynamic = list(op.operands)
        unknown = iter(dynamic)
        count: Number = 1
        for size in type.shape:
            count = multiply(count, next(unknown) if size < 0 else size)
        bytes = multiply(count, _byte_size(type.element_type))
        found = _call(_ALLOCATE, [self.table, value_of(bytes)], [_bytes()])[0]
        # What follows would make kernels write to memory that is not there.
        ir.Operation.create(
            "cf.assert",
            operands=[less_than(0, _pointer(found))],
            attributes={"msg": ir.StringAttr.get(OUT_OF_MEMORY)},
        )
        view = ir.Operation.create(
            "memref.view", results=[type], operands=[found, value_of(0), *dynamic]
        )
        op.result.replace_all_uses_with(view.result)

    def _free(self, op: ir.Operation) -> None:
        _call(_FREE, [self.table, _pointer(op.operands[0])])

    def _copy(self, op: ir.Operation) -> None:
        """A constant's elements to the GPU."""
        target, source = op.operands
        type = ir.MemRefType(source.type)
        count = _byte_size(type.element_type)
        for size in type.shape:
            count *= size
        _call(_COPY, [self.table, _pointer(target), _pointer(source), value_of(count)])


def _further(address: ir.Value, count: int) -> Number:
    """An address further on."""
    if count == 0:
        return address
    return ir.Operation.create(
        "arith.addi", results=[address.type], operands=[address, value_of(count)]
    ).result


def _word_count(launch: ir.Operation) -> int:
    memory = [
        ir.MemRefType(operand.type)
        for operand in launch.operands
        if isinstance(operand.type, ir.MemRefType)
    ]
    return len(launch.operands) + sum(2 + 2 * int(type.rank) for type in memory)


def _as_words(value: ir.Value) -> list[ir.Value]:
    """A value as the words that a kernel takes it as."""
    if isinstance(value.type, ir.MemRefType):
        return _descriptor(value)
    if isinstance(value.type, ir.IndexType):
        return [_index_as_word(value)]
    if not isinstance(value.type, ir.IntegerType):
        width = _byte_size(value.type) * 8
        bits = ir.IntegerType.get_signless(width)
        value = ir.Operation.create("arith.bitcast", results=[bits], operands=[value]).result
    if value.type == _word_type():
        return [value]
    return [ir.Operation.create("arith.extui", results=[_word_type()], operands=[value]).result]


def _descriptor(value: ir.Value) -> list[ir.Value]:
    type = ir.MemRefType(value.type)
    index = index_type()
    base = ir.MemRefType.get([], type.element_type, memory_space=type.memory_space)
    parts = ir.Operation.create(
        "memref.extract_strided_metadata",
        results=[base, index, *[index] * (2 * type.rank)],
        operands=[value],
    )
    pointer = _index_as_word(_pointer(value))
    return [pointer, pointer, *map(_index_as_word, list(parts.results)[1:])]


def _pointer(memory: ir.Value) -> ir.Value:
    return ir.Operation.create(
        "memref.extract_aligned_pointer_as_index", results=[index_type()], operands=[memory]
    ).result


def _index_as_word(value: ir.Value) -> ir.Value:
    return ir.Operation.create("arith.index_cast", results=[_word_type()], operands=[value]).result


def _word(number: int) -> ir.Value:
    attribute = ir.IntegerAttr.get(_word_type(), number)
    return ir.Operation.create(
        "arith.constant", results=[_word_type()], attributes={"value": attribute}
    ).result


def _store(value: ir.Value, memory: ir.Value, place: int) -> None:
    ir.Operation.create("memref.store", operands=[value, memory, value_of(place)])


def _alloca(words: int) -> ir.Value:
    segments = ir.DenseI32ArrayAttr.get([0, 0])
    return ir.Operation.create(
        "memref.alloca",
        results=[_words(max(words, 1))],
        attributes={"operandSegmentSizes": segments},
    ).result


def _call(
    name: str, operands: Sequence[ir.Value], results: Sequence[ir.Type] = ()
) -> list[ir.Value]:
    callee = ir.FlatSymbolRefAttr.get(name)
    made = ir.Operation.create(
        "func.call",
        results=list(results),
        operands=list(operands),
        attributes={"callee": callee},
    )
    return list(made.results)


def _byte_size(type: ir.Type) -> int:
    """The bytes that an element takes; a complex number takes those of both parts."""
    if isinstance(type, ir.ComplexType):
        return 2 * _byte_size(type.element_type)
    if isinstance(type, ir.IndexType):
        return _WORD
    width = int(type.width)
    return (width + 7) // 8
