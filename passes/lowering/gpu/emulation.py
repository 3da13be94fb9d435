"""A launch as loops: blocks, then what is between two barriers, then threads."""

from __future__ import annotations

from collections.abc import Sequence

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.passes.lowering.building import (
    Number,
    finish,
    for_loop,
    if_then,
    number_of,
    subtract,
    value_of,
)
from torch_refine.passes.lowering.gpu.emulated_tensor_cores import MULTIPLY, multiply_together
from torch_refine.passes.lowering.gpu.loops import holds
from torch_refine.passes.lowering.kernels.indexing import maker_of

_BARRIER, _REDUCE = "gpu.barrier", "gpu.all_reduce"
_TOGETHER = (_BARRIER, _REDUCE, MULTIPLY)
# What gives the same for the same thread whenever it is computed.
_PURE = (
    "arith.",
    "math.",
    "affine.",
    "vector.broadcast",
    "memref.subview",
    "memref.cast",
    "memref.reinterpret_cast",
    "memref.collapse_shape",
    "memref.expand_shape",
    "memref.dim",
)
_REGION_ARGUMENTS = 12


class EmulationError(Exception):
    """A launch does what cannot be done with loops."""

    def __init__(self, op: ir.Operation, message: str) -> None:
        super().__init__(message)
        self.op = op


class Emulation:
    """One launch."""

    def __init__(self, launch: ir.Operation, reverse: bool) -> None:
        self.launch = launch
        self.reverse = reverse
        self.body = launch.regions[0].blocks[0]
        sizes = [number_of(value) for value in launch.operands]
        if len(sizes) != 6 or any(each != 1 for each in (sizes[1], sizes[2], sizes[4], sizes[5])):
            raise EmulationError(launch, "only launches along one dimension can be loops")
        self.blocks, self.threads = sizes[0], sizes[3]
        # What is known to be the same for all threads, and what each thread keeps in memory.
        self.uniform: dict[ir.Value, ir.Value] = {}
        self.kept: dict[ir.Value, ir.Value] = {}

    def run(self) -> None:
        """Put loops in the place of the launch."""
        with ir.InsertionPoint(self.launch), self.launch.location:
            arguments = list(self.body.arguments)
            self._share(arguments[_REGION_ARGUMENTS:])
            zero, one = value_of(0), value_of(1)
            blocks, threads = value_of(self.blocks), value_of(self.threads)
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
                _leave_space(result)

    def _share(self, shared: Sequence[ir.Value]) -> None:
        for argument in shared:
            self.uniform[argument] = ir.Operation.create(
                "memref.alloca",
                results=[argument.type],
                attributes={"operandSegmentSizes": ir.DenseI32ArrayAttr.get([0, 0])},
            ).result

    def _ops(self, ops: list[ir.Operation]) -> None:
        """Ops that all threads of a block run, where we are."""
        segment: list[ir.Operation] = []
        for op in ops:
            if not holds(op, _TOGETHER):
                segment.append(op)
                continue
            self._segment(segment)
            segment = []
            if op.name == _REDUCE:
                self._reduce(op)
            elif op.name == MULTIPLY:
                multiply_together(self, op)
            elif op.name in ("scf.for", "scf.if"):
                self._structured(op)
            elif op.name != _BARRIER:
                raise EmulationError(op, f"threads wait for each other inside {op.name}")
        self._segment(segment)

    def _structured(self, op: ir.Operation) -> None:
        """A loop or condition with barriers inside: all threads go the same way."""
        scope = _Scope(self, self.zero)
        if op.name == "scf.if":
            if len(op.results) or len(op.regions[1].blocks):
                raise EmulationError(op, "a condition with a barrier has another side")
            inner = if_then(scope.value(op.operands[0])).regions[0].blocks[0]
            with ir.InsertionPoint(inner):
                self._ops(list(operations(op.regions[0].blocks[0]))[:-1])
            finish(inner)
            return
        start, end, step, *carried = op.operands
        body = op.regions[0].blocks[0]
        index, *arguments = body.arguments
        memory = [self.memory(self.threads, value.type) for value in carried]
        self._keep(carried, memory)
        _, inner = for_loop(*(scope.value(each) for each in (start, end, step)))
        self.uniform[index] = inner.arguments[0]
        self.kept.update(zip(arguments, memory, strict=True))
        with ir.InsertionPoint(inner):
            *ops, last = operations(body)
            self._ops(ops)
            self._keep(list(last.operands), memory)
        finish(inner)
        self.kept.update(zip(op.results, memory, strict=True))

    def _keep(self, values: Sequence[ir.Value], memory: Sequence[ir.Value]) -> None:
        """Let each thread keep what it carries on."""
        if not values:
            return
        with self.each_thread() as (scope, thread):
            numbers = [scope.value(each) for each in values]
            for number, place in zip(numbers, memory, strict=True):
                _store(number, place, thread)

    def _segment(self, ops: list[ir.Operation]) -> None:
        """What each thread does before it waits for the others."""
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
        """Combine a number of each thread."""
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

    def _combine(self, op: ir.Operation, a: ir.Value, b: ir.Value) -> ir.Value:
        if not len(op.regions[0].blocks):
            raise EmulationError(op, "a reduction is expected to say how it combines")
        block = op.regions[0].blocks[0]
        scope = _Scope(self, self.zero)
        scope.known.update(zip(block.arguments, (a, b), strict=True))
        inner = list(operations(block))
        for each in inner[:-1]:
            scope.copy(each)
        return scope.value(inner[-1].operands[0])

    def memory(self, size: Number, type: ir.Type) -> ir.Value:
        """Memory for a number of each thread, in front of the loops."""
        if not isinstance(size, int):
            raise EmulationError(self.launch, "the number of threads is not known")
        with ir.InsertionPoint(self.loop):
            return ir.Operation.create(
                "memref.alloca",
                results=[ir.MemRefType.get([size], type)],
                attributes={"operandSegmentSizes": ir.DenseI32ArrayAttr.get([0, 0])},
            ).result

    def each_thread(self) -> _EachThread:
        """A loop over the threads of a block, to fill in."""
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
            thread = value_of(subtract(subtract(count, 1), thread))
        return _Scope(self.emulation, thread), thread

    def __exit__(self, *error: object) -> None:
        self.point.__exit__(None, None, None)
        if error[0] is None:
            finish(self.body)


class _Scope:
    """The values of one thread, made where we are when they are first asked for."""

    def __init__(self, emulation: Emulation, thread: ir.Value) -> None:
        self.emulation = emulation
        self.thread = thread
        self.known: dict[ir.Value, ir.Value] = {emulation.thread_id: thread}

    def value(self, value: ir.Value) -> ir.Value:
        """What a value of the kernel is for this thread."""
        if value in self.known:
            return self.known[value]
        if value in self.emulation.uniform:
            return self.emulation.uniform[value]
        if value in self.emulation.kept:
            self.known[value] = _load(self.emulation.kept[value], self.thread)
            return self.known[value]
        maker = maker_of(value)
        if maker is None or not self._is_inside(maker):
            return value
        if not _is_pure(maker):
            raise EmulationError(maker, "a value is used before it is there")
        self.copy(maker)
        return self.known[value]

    def copy(self, op: ir.Operation) -> None:
        """Run an op for this thread."""
        operands = [self.value(each) for each in op.operands]
        inside = {each for each in _used_inside(op)}
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


def _used_inside(op: ir.Operation) -> list[ir.Value]:
    """What the regions of an op use from outside."""
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
    ir.Operation.create("memref.store", operands=[value, memory, index])


def _load(memory: ir.Value, index: ir.Value) -> ir.Value:
    type = ir.MemRefType(memory.type).element_type
    return ir.Operation.create("memref.load", results=[type], operands=[memory, index]).result


def _leave_space(value: ir.Value) -> None:
    """The host has memory of one kind."""
    if isinstance(value.type, ir.MemRefType) and value.type.memory_space is not None:
        type = value.type
        with ir.Location.unknown(type.context):
            value.set_type(ir.MemRefType.get(type.shape, type.element_type, type.layout))
