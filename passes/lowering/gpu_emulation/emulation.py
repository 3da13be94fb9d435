"""Lower a launch to loops: over blocks, segments between barriers, and threads."""

from __future__ import annotations

from collections.abc import Sequence

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.ir_builder import (
    Number,
    as_fold_result,
    constant_int_value,
    create_op,
    create_value,
    finish,
    for_loop,
    if_then,
    index_value,
    subtract,
)
from torch_refine.dialect.structured_ops import defining_op
from torch_refine.passes.lowering.gpu.loops import holds
from torch_refine.passes.lowering.gpu.warps import WARP
from torch_refine.passes.lowering.gpu_emulation.emulated_tensor_cores import (
    MULTIPLY,
    multiply_fragments,
    store_fragment,
)

_BARRIER, _REDUCE, _SHUFFLE = "gpu.barrier", "gpu.all_reduce", "gpu.shuffle"
_TOGETHER = (_BARRIER, _REDUCE, _SHUFFLE, MULTIPLY)
# Ops whose results depend on the thread only, so they can be recomputed.
_PURE = (
    "arith.",
    "math.",
    "affine.",
    "vector.broadcast",
    "memref.subview",
    "memref.transpose",
    "memref.cast",
    "memref.reinterpret_cast",
    "memref.collapse_shape",
    "memref.expand_shape",
    "memref.dim",
)
_REGION_ARGUMENTS = 12


class EmulationError(Exception):
    """A launch that cannot be emulated by loops."""

    def __init__(self, op: ir.Operation, message: str) -> None:
        super().__init__(message)
        self.op = op


class Emulation:
    """One launch."""

    def __init__(self, launch: ir.Operation, reverse: bool) -> None:
        self.launch = launch
        self.reverse = reverse
        self.body = launch.regions[0].blocks[0]
        sizes = [as_fold_result(value) for value in launch.operands]
        if len(sizes) != 6 or any(each != 1 for each in (sizes[1], sizes[2], sizes[4], sizes[5])):
            raise EmulationError(launch, "only one-dimensional launches can be emulated")
        self.blocks, self.threads = sizes[0], sizes[3]
        # Values that are uniform over threads, and the buffers of thread-local values.
        self.uniform: dict[ir.Value, ir.Value] = {}
        self.kept: dict[ir.Value, ir.Value] = {}

    def run(self) -> None:
        """Replace the launch by loops."""
        with ir.InsertionPoint(self.launch), self.launch.location:
            arguments = list(self.body.arguments)
            self._share(arguments[_REGION_ARGUMENTS:])
            zero, one = index_value(0), index_value(1)
            blocks, threads = index_value(self.blocks), index_value(self.threads)
            self.zero = zero
            sizes = [blocks, one, one, threads, one, one]
            for argument, size in zip(arguments[6:12], sizes, strict=True):
                self.uniform[argument] = size
            for index in (1, 2, 4, 5):
                self.uniform[arguments[index]] = zero
            self.thread_id = arguments[3]
            self.loop, block = for_loop(0, self.blocks, 1)
            self.uniform[arguments[0]] = block.arguments[0]
        with ir.InsertionPoint(block), self.launch.location:
            self._ops(list(operations(self.body))[:-1])
        finish(block)
        function = self.launch.parent
        self.launch.erase()
        for op in walk(function.operation):
            for result in op.results:
                _drop_memory_space(result)

    def _share(self, shared: Sequence[ir.Value]) -> None:
        for argument in shared:
            self.uniform[argument] = create_value(
                "memref.alloca",
                argument.type,
                [],
                {"operandSegmentSizes": ir.DenseI32ArrayAttr.get([0, 0])},
            )

    def _ops(self, ops: list[ir.Operation]) -> None:
        """Emit ops that all threads of a block run, at the insertion point."""
        segment: list[ir.Operation] = []
        for op in ops:
            if not holds(op, _TOGETHER):
                segment.append(op)
                continue
            self._segment(segment)
            segment = []
            if op.name == _REDUCE:
                self._reduce(op)
            elif op.name == _SHUFFLE:
                self._shuffle(op)
            elif op.name == MULTIPLY:
                self._multiply(op)
            elif op.name in ("scf.for", "scf.if"):
                self._structured(op)
            elif op.name != _BARRIER:
                raise EmulationError(op, f"threads wait for each other inside {op.name}")
        self._segment(segment)

    def _multiply(self, op: ir.Operation) -> None:
        """The tensor cores of a warp: each thread stores its fragments, then computes its sums."""
        memory = [self._fragments(operand.type) for operand in op.operands]
        result = self.memory(self.threads, op.result.type)
        with self.each_thread() as (scope, thread):
            for operand, place in zip(op.operands, memory, strict=True):
                store_fragment(scope.value(operand), place, thread)
        with self.each_thread() as (_, thread):
            vector = multiply_fragments(thread, memory, ir.VectorType(op.result.type))
            create_op("memref.store", [vector, result, thread])
        self.kept[op.result] = result

    def _fragments(self, type: ir.Type) -> ir.Value:
        """Memory for the elements that all threads have of an operand."""
        vector = ir.VectorType(type)
        with ir.InsertionPoint(self.loop):
            return create_value(
                "memref.alloca",
                ir.MemRefType.get([self.threads, *vector.shape], vector.element_type),
                [],
                {"operandSegmentSizes": ir.DenseI32ArrayAttr.get([0, 0])},
            )

    def _structured(self, op: ir.Operation) -> None:
        """A loop or condition with barriers inside: it is uniform over threads."""
        scope = _Scope(self, self.zero)
        if op.name == "scf.if":
            if len(op.results) or len(op.regions[1].blocks):
                raise EmulationError(op, "a condition with a barrier must not have an else branch")
            inner = if_then(scope.value(op.operands[0])).regions[0].blocks[0]
            with ir.InsertionPoint(inner):
                self._ops(list(operations(op.regions[0].blocks[0]))[:-1])
            finish(inner)
            return
        start, end, step, *carried = op.operands
        body = op.regions[0].blocks[0]
        index, *arguments = body.arguments
        memory = [self.memory(self.threads, value.type) for value in carried]
        self._store_carried(carried, memory)
        _, inner = for_loop(*(scope.value(each) for each in (start, end, step)))
        self.uniform[index] = inner.arguments[0]
        self.kept.update(zip(arguments, memory, strict=True))
        with ir.InsertionPoint(inner):
            *ops, last = operations(body)
            self._ops(ops)
            self._store_carried(list(last.operands), memory)
        finish(inner)
        self.kept.update(zip(op.results, memory, strict=True))

    def _store_carried(self, values: Sequence[ir.Value], memory: Sequence[ir.Value]) -> None:
        """Store loop-carried values of each thread."""
        if not values:
            return
        with self.each_thread() as (scope, thread):
            numbers = [scope.value(each) for each in values]
            for number, place in zip(numbers, memory, strict=True):
                _store(number, place, thread)

    def _segment(self, ops: list[ir.Operation]) -> None:
        """Emit the ops between two barriers as a loop over threads."""
        if all(_is_pure(op) or op.name == "memref.memory_space_cast" for op in ops):
            return
        for op in ops:
            for result in op.results:
                if not _is_pure(op) and not isinstance(result.type, ir.MemRefType):
                    self.kept[result] = self.memory(self.threads, result.type)
        with self.each_thread() as (scope, thread):
            for op in ops:
                if _is_pure(op):
                    continue
                scope.copy(op)
                for result in op.results:
                    if result in self.kept:
                        _store(scope.value(result), self.kept[result], thread)

    def _reduce(self, op: ir.Operation) -> None:
        """Reduce a value of each thread."""
        operand, result = op.operands[0], op.result
        numbers = self.memory(self.threads, operand.type)
        with self.each_thread() as (scope, thread):
            _store(scope.value(operand), numbers, thread)
        first = _load(numbers, self.zero)
        loop, body = for_loop(1, self.threads, 1, [first])
        with ir.InsertionPoint(body):
            number = _load(numbers, body.arguments[0])
            combined = self._combine(op, body.arguments[1], number)
        finish(body, [combined])
        self.uniform[result] = loop.result

    def _shuffle(self, op: ir.Operation) -> None:
        """Give each thread the value of the thread whose number differs in some bits."""
        number, distance, width = op.operands
        if str(op.attributes["mode"]) != "#gpu<shuffle_mode xor>":
            raise EmulationError(op, "only shuffles with the mode xor can be emulated")
        if constant_int_value(width) != WARP or not 0 <= (constant_int_value(distance) or 0) < WARP:
            raise EmulationError(op, "only shuffles in a warp can be emulated")
        if not isinstance(self.threads, int) or self.threads % WARP:
            raise EmulationError(op, "only shuffles of whole warps can be emulated")
        numbers = self.memory(self.threads, number.type)
        result = self.memory(self.threads, number.type)
        with self.each_thread() as (scope, thread):
            _store(scope.value(number), numbers, thread)
        with self.each_thread() as (_, thread):
            bits = index_value(constant_int_value(distance) or 0)
            other = create_value("arith.xori", thread.type, [thread, bits])
            _store(_load(numbers, other), result, thread)
        self.kept[op.results[0]] = result

    def _combine(self, op: ir.Operation, a: ir.Value, b: ir.Value) -> ir.Value:
        if not len(op.regions[0].blocks):
            raise EmulationError(op, "a reduction must have a combining operation")
        block = op.regions[0].blocks[0]
        scope = _Scope(self, self.zero)
        scope.known.update(zip(block.arguments, (a, b), strict=True))
        inner = list(operations(block))
        for each in inner[:-1]:
            scope.copy(each)
        return scope.value(inner[-1].operands[0])

    def memory(self, size: Number, type: ir.Type) -> ir.Value:
        """A buffer with an element per thread, in front of the loops."""
        if not isinstance(size, int):
            raise EmulationError(self.launch, "the number of threads is not constant")
        with ir.InsertionPoint(self.loop):
            return create_value(
                "memref.alloca",
                ir.MemRefType.get([size], type),
                [],
                {"operandSegmentSizes": ir.DenseI32ArrayAttr.get([0, 0])},
            )

    def each_thread(self) -> _EachThread:
        """A loop over the threads of a block, whose body the caller fills."""
        return _EachThread(self)


class _EachThread:
    """A loop over the threads of a block."""

    def __init__(self, emulation: Emulation) -> None:
        self.emulation = emulation

    def __enter__(self) -> tuple[_Scope, ir.Value]:
        count = self.emulation.threads
        _, self.body = for_loop(0, count, 1)
        self.point = ir.InsertionPoint(self.body)
        self.point.__enter__()
        thread = self.body.arguments[0]
        if self.emulation.reverse:
            thread = index_value(subtract(subtract(count, 1), thread))
        return _Scope(self.emulation, thread), thread

    def __exit__(self, *error: object) -> None:
        self.point.__exit__(None, None, None)
        if error[0] is None:
            finish(self.body)


class _Scope:
    """The values of one thread, created at their first use."""

    def __init__(self, emulation: Emulation, thread: ir.Value) -> None:
        self.emulation = emulation
        self.thread = thread
        self.known: dict[ir.Value, ir.Value] = {emulation.thread_id: thread}

    def value(self, value: ir.Value) -> ir.Value:
        """The value of a kernel's SSA value for this thread."""
        if value in self.known:
            return self.known[value]
        if value in self.emulation.uniform:
            return self.emulation.uniform[value]
        if value in self.emulation.kept:
            self.known[value] = _load(self.emulation.kept[value], self.thread)
            return self.known[value]
        producer = defining_op(value)
        if producer is None or not self._is_inside(producer):
            return value
        if not _is_pure(producer):
            raise EmulationError(producer, "a value is used before its definition")
        self.copy(producer)
        return self.known[value]

    def copy(self, op: ir.Operation) -> None:
        """Clone an op for this thread."""
        operands = [self.value(each) for each in op.operands]
        inside = {each for each in _captured(op)}
        outer = {each: self.value(each) for each in inside}
        copy = op.clone()
        for index, operand in enumerate(operands):
            copy.operands[index] = operand
        for each in walk(copy):
            for index, operand in enumerate(each.operands):
                if operand in outer:
                    each.operands[index] = outer[operand]
        for old, new in zip(op.results, copy.results, strict=True):
            self.known[old] = new

    def _is_inside(self, op: ir.Operation) -> bool:
        at: ir.Operation | None = op
        while at is not None:
            if at == self.emulation.launch:
                return True
            parent = at.parent
            at = None if parent is None else parent.operation
        return False


def _captured(op: ir.Operation) -> list[ir.Value]:
    """The values that the regions of an op capture."""
    made: set[ir.Value] = set()
    for each in [op, *walk(op)]:
        if each != op:
            made.update(each.results)
        for region in each.regions:
            for block in region:
                made.update(block.arguments)
    return [operand for each in walk(op) for operand in each.operands if operand not in made]


def _is_pure(op: ir.Operation) -> bool:
    return bool(op.name.startswith(_PURE) or op.name == "memref.memory_space_cast")


def _store(value: ir.Value, memory: ir.Value, index: ir.Value) -> None:
    create_op("memref.store", [value, memory, index])


def _load(memory: ir.Value, index: ir.Value) -> ir.Value:
    type = ir.MemRefType(memory.type).element_type
    return create_value("memref.load", type, [memory, index])


def _drop_memory_space(value: ir.Value) -> None:
    """Remove the memory space: the host has one."""
    if isinstance(value.type, ir.MemRefType) and value.type.memory_space is not None:
        type = value.type
        with ir.Location.unknown(type.context):
            value.set_type(ir.MemRefType.get(type.shape, type.element_type, type.layout))
