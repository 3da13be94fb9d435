"""Runs the launches of `contractions-to-warpgroups` on arrays, and notices what is undefined.

A value of the 128 threads of a warpgroup is an array, or a number where it is the same for all. A
warpgroup is a generator that yields where it waits; which one goes on is drawn from a seed. Blocks
run one after the other. `warpgroup_memory.py` has the rules of shared memory, and
`warpgroup_assembly.py` the instructions.
"""

import random

import numpy as np
import torch
from torch_refine.dialect.bindings import ir, operations
from warpgroup_assembly import Assembly, Pending, uniform
from warpgroup_memory import BASE, FLOATS, LANES, Group, SharedMemory, expect, rounded

# Wider numbers stay below what an array has.
_MASKS = {"i32": 0xFFFF_FFFF}


class Memory:
    """A buffer of global memory: an array of an element type, at an address."""

    def __init__(self, values, element):
        self.values = values
        self.element = element
        self.address = 0
        self.stores = np.zeros(values.shape, np.int64)

    def bits(self):
        """The bits of 16-bit floats, in row-major order."""
        if self.element == "f16":
            return self.values.view(np.uint16).reshape(-1)
        return (self.values.view(np.uint32) >> 16).astype(np.uint16).reshape(-1)


class GlobalMemory:
    """The buffers of a kernel, far from each other."""

    def __init__(self, buffers):
        self._contents = {}
        memories = [each for each in buffers if isinstance(each, Memory)]
        for number, each in enumerate(memories, 1):
            each.address = number << 40
            if each.element in ("f16", "bf16"):
                self._contents[number] = each.bits()

    def read(self, addresses, counts):
        """16 bytes per address, of which so many are read; the others are zeros."""
        numbers = np.unique(addresses >> 40)
        expect(
            len(numbers) == 1 and int(numbers[0]) in self._contents,
            "a copy from outside of the operands",
        )
        content = self._contents[int(numbers[0])]
        first = (addresses & (1 << 40) - 1) // 2
        expect(not (addresses % 16).any(), "a copy from an address that is not aligned")
        expect(np.isin(counts, (0, 16)).all(), "a copy of a part of 16 bytes")
        is_read = counts == 16
        expect(
            (first[is_read] + 8 <= len(content)).all() and (first < max(len(content), 1)).all(),
            "a copy reads outside of its operand",
        )
        found = np.zeros((len(addresses), 8), np.uint16)
        found[is_read] = content[first[is_read, None] + np.arange(8)]
        return found.view(np.uint32)


class Machine:
    """Runs a kernel: a function on buffers, with one launch."""

    def __init__(self, seed=0):
        self.random = random.Random(seed)
        self.memory = None
        self.global_memory = None
        self.blocks = 0

    def run(self, kernel, buffers):
        """Run a kernel; its results are in the buffers."""
        self.global_memory = GlobalMemory(buffers)
        program = _Program(self)
        block = kernel.regions[0].blocks[0]
        slots = [program.slot(argument) for argument in block.arguments]
        ops = program.compiled(block)
        values = list(program.template)
        for slot, buffer in zip(slots, buffers, strict=True):
            values[slot] = buffer
        # What is not finite is the kernel's to handle.
        with np.errstate(all="ignore"):
            for _ in _run(ops, _Thread(values, None), None):
                raise AssertionError("the host does not wait")

    def launch(self, values, ops, ids, grid, threads, shared_bytes):
        """Run the blocks of a launch one after the other."""
        self.blocks = grid
        for block in range(grid):
            self._block(values, ops, ids, (block, grid, threads), shared_bytes)

    def _block(self, values, ops, ids, sizes, shared_bytes):
        block, grid, threads = sizes
        count = threads // LANES
        expect(threads % LANES == 0, "a part of a warpgroup")
        self.memory = SharedMemory(shared_bytes, count)
        self.arrived = 0
        groups = [Group(number, count) for number in range(count)]
        waiting = {}
        for group in groups:
            own = list(values)
            thread = np.arange(LANES) + LANES * group.number
            known = [block, 0, 0, thread, 0, 0, grid, 1, 1, threads, 1, 1]
            for slot, value in zip(ids, known, strict=True):
                own[slot] = value
            running = _run(ops, _Thread(own, group), None)
            waiting[group.number] = (running, lambda: True)
        self._schedule(waiting, groups)
        self.memory.finish(groups)

    def _schedule(self, waiting, groups):
        """Let warpgroups, and copies, go on in some order until all are done."""
        while waiting:
            ready = [number for number, (_, is_ready) in waiting.items() if is_ready()]
            arriving = self.memory.arriving
            expect(ready or arriving, "all warpgroups wait for each other")
            # Copies are late more often than not.
            if not ready or (arriving and self.random.random() < 0.2):
                self.memory.complete_copies(self.random.choice(arriving))
                continue
            number = self.random.choice(ready)
            running, _ = waiting[number]
            try:
                waiting[number] = (running, next(running))
            except StopIteration:
                del waiting[number]

    def block_barrier(self, thread):
        """All threads of a block wait for each other; the last ones publish the barriers."""
        self.arrived += 1
        count = thread.group.groups
        wanted = -(-self.arrived // count) * count
        yield lambda: self.arrived >= wanted
        for barrier in self.memory.barriers.values():
            barrier.is_published = True


class _Thread:
    """The values of a warpgroup, or of the host."""

    def __init__(self, values, group):
        self.values = values
        self.group = group


def _run(ops, thread, mask):
    """Run ops, some of which wait."""
    for waits, run in ops:
        if waits:
            yield from run(thread, mask)
        else:
            run(thread, mask)


def _is_all(value):
    return not isinstance(value, np.ndarray)


class _Program:
    """Ops as Python functions on slots of values."""

    def __init__(self, machine):
        self.machine = machine
        self.slots = {}
        self.template = []

    def slot(self, value):
        """The place of a value."""
        if value not in self.slots:
            self.slots[value] = len(self.template)
            self.template.append(None)
        return self.slots[value]

    def compiled(self, block):
        """The ops of a block: whether each may wait, and a function."""
        found = []
        for op in operations(block):
            if op.name == "arith.constant":
                self.template[self.slot(op.result)] = _constant(op)
                continue
            if op.name in _ENDS:
                continue
            method = _OPS.get(op.name)
            if method is not None:
                found.append(method(self, op))
            else:
                found.append(self._pure(op))
        return found

    def _places(self, values):
        return [self.slot(value) for value in values]

    def _pure(self, op):
        """An op without side effects on numbers."""
        function = function_of(op)
        places, target = self._places(op.operands), self.slot(op.results[0])

        def run(thread, mask):
            values = thread.values
            values[target] = function(*[_number(values[place]) for place in places])

        return False, run

    def _for(self, op):
        block = op.regions[0].blocks[0]
        lower, upper, step, *inits = self._places(op.operands)
        number, *arguments = self._places(block.arguments)
        ops = self.compiled(block)
        yielded = self._places(list(operations(block))[-1].operands)
        results = self._places(op.results)

        def run(thread, mask):
            values = thread.values
            at, end, stride = (uniform(values[place]) for place in (lower, upper, step))
            carried = [values[place] for place in inits]
            while at < end:
                values[number] = at
                for place, value in zip(arguments, carried, strict=True):
                    values[place] = value
                yield from _run(ops, thread, mask)
                carried = [values[place] for place in yielded]
                at += stride
            for place, value in zip(results, carried, strict=True):
                values[place] = value

        return True, run

    def _if(self, op):
        condition = self.slot(op.operands[0])
        results = self._places(op.results)
        branches = []
        for region in op.regions:
            blocks = list(region.blocks)
            ops = self.compiled(blocks[0]) if blocks else []
            yielded = list(operations(blocks[0]))[-1].operands if results else []
            branches.append((ops, self._places(yielded)))

        def run(thread, mask):
            found = np.broadcast_to(thread.values[condition], (LANES,))
            active = np.ones(LANES, bool) if mask is None else mask
            values = [None] * len(results)
            for (ops, yielded), chosen in zip(branches, (found, ~found), strict=True):
                taken = active & chosen
                if not taken.any():
                    continue
                yield from _run(ops, thread, None if taken.all() else taken)
                for at, place in enumerate(yielded):
                    before, new = values[at], thread.values[place]
                    values[at] = new if before is None else np.where(chosen, new, before)
            for place, value in zip(results, values, strict=True):
                thread.values[place] = value

        return True, run

    def _launch(self, op):
        block = op.regions[0].blocks[0]
        x, y, z, threads, *others = self._places(list(op.operands)[:6])
        shared = self.slot(op.operands[6])
        ids = self._places(block.arguments)
        ops = self.compiled(block)

        def run(thread, mask):
            values = thread.values
            assert all(values[place] == 1 for place in (y, z, *others))
            sizes = (values[x], values[threads], values[shared])
            self.machine.launch(values, ops, ids, *sizes)

        return False, run

    def _assembly(self, op):
        text, constraints = (
            ir.StringAttr(op.attributes[name]).value for name in ("asm_string", "constraints")
        )
        assembly = Assembly(text, constraints)
        places = self._places(op.operands)
        target = self.slot(op.results[0]) if len(op.results) else None
        is_struct = target is not None and "struct" in str(op.results[0].type)

        def run(thread, mask):
            values = thread.values
            given = [values[place] for place in places]
            found = yield from assembly.run(self.machine, thread.group, mask, given)
            if target is not None:
                values[target] = found if is_struct else found[0]

        return True, run

    def _extract(self, op):
        (position,) = ir.DenseI64ArrayAttr(op.attributes["position"])
        source, target = self.slot(op.operands[0]), self.slot(op.results[0])

        def run(thread, mask):
            thread.values[target] = thread.values[source][position]

        return False, run

    def _barrier(self, op):
        def run(thread, mask):
            expect(mask is None, "a barrier that some threads do not reach")
            yield from self.machine.block_barrier(thread)

        return True, run

    def _shared_memory(self, op):
        target = self.slot(op.result)
        self.template[target] = BASE
        return False, lambda thread, mask: None

    def _address(self, op):
        source, target = self.slot(op.operands[0]), self.slot(op.results[0])

        def run(thread, mask):
            memory = thread.values[source]
            thread.values[target] = memory if isinstance(memory, int) else memory.address

        return False, run

    def _dim(self, op):
        (source, dim), target = self._places(op.operands), self.slot(op.results[0])

        def run(thread, mask):
            values = thread.values
            values[target] = values[source].values.shape[values[dim]]

        return False, run

    def _load(self, op):
        source, *indices = self._places(op.operands)
        target = self.slot(op.results[0])
        width = _width(op.results[0].type)

        def run(thread, mask):
            values = thread.values
            memory = values[source]
            lanes, places = _element_places(memory, [values[at] for at in indices], width, mask)
            shape = (LANES, width) if width else (LANES,)
            is_float = memory.element in FLOATS
            found = np.full(shape, np.nan if is_float else 0, memory.values.dtype)
            found[lanes] = memory.values.reshape(-1)[places]
            values[target] = found

        return False, run

    def _store(self, op):
        value, destination, *indices = self._places(op.operands)
        width = _width(op.operands[0].type)

        def run(thread, mask):
            values = thread.values
            memory = values[destination]
            lanes, places = _element_places(memory, [values[at] for at in indices], width, mask)
            expect(len(np.unique(places)) == places.size, "two threads store one element")
            memory.stores.reshape(-1)[places] += 1
            memory.values.reshape(-1)[places] = _number(values[value])[lanes]

        return False, run


def _width(type):
    """The size of a vector, 0 of a scalar."""
    return ir.VectorType(type).shape[0] if isinstance(type, ir.VectorType) else 0


def _element_places(memory, indices, width, mask):
    """The executing lanes, and the row-major positions of what they access."""
    lanes = np.arange(LANES) if mask is None else np.nonzero(mask)[0]
    place = np.zeros(len(lanes), np.int64)
    for dim, (index, size) in enumerate(zip(indices, memory.values.shape, strict=True)):
        own = np.broadcast_to(index, (LANES,))[lanes]
        extent = width if width and dim == len(indices) - 1 else 1
        expect(((own >= 0) & (own + extent <= size)).all(), "an access outside of a buffer")
        place = place * size + own
    if not width:
        return lanes, place
    expect(not (place % width).any(), "a vector that is not aligned to its size")
    return lanes, place[:, None] + np.arange(width)


def _number(value):
    expect(not isinstance(value, Pending), "a sum is read before it is complete")
    return value


def _constant(op):
    attribute = op.attributes["value"]
    if isinstance(attribute, ir.FloatAttr):
        return rounded(ir.FloatAttr(attribute).value, str(op.result.type))[()]
    value = ir.IntegerAttr(attribute).value if not isinstance(attribute, ir.BoolAttr) else 0
    if str(op.result.type) == "i1":
        return bool(ir.BoolAttr(attribute).value)
    mask = _MASKS.get(str(op.result.type))
    return value if mask is None else value & mask


def _element(type):
    return str(ir.VectorType(type).element_type if isinstance(type, ir.VectorType) else type)


def function_of(op):
    """The function of an op on numbers, arrays of lanes, and arrays of lanes and elements."""
    element = _element(op.results[0].type)
    if op.name in ("arith.cmpi", "arith.cmpf"):
        predicate = ir.IntegerAttr(op.attributes["predicate"]).value
        return (_INTEGER_ORDERS if op.name == "arith.cmpi" else _FLOAT_ORDERS)[predicate]
    if op.name == "vector.broadcast":
        width = _width(op.results[0].type)
        return lambda value: np.broadcast_to(
            np.broadcast_to(value, (LANES,))[:, None], (LANES, width)
        )
    if op.name == "vector.from_elements":
        return lambda *values: np.stack([np.broadcast_to(value, (LANES,)) for value in values], -1)
    if op.name == "arith.select":
        return _select
    function = _INTEGERS.get(op.name)
    if function is not None:
        mask = _MASKS.get(element)
        if mask is None:
            return function
        return lambda *values: function(*values) & mask
    function = _FLOAT_OPS.get(op.name)
    if function is None:
        raise AssertionError(f"the interpreter does not know {op.name}")
    # Each op rounds its result.
    return lambda *values: rounded(function(*values), element)


def _select(condition, first, second):
    if _is_all(condition):
        return first if condition else second
    return np.where(condition, first, second)


def _divisible(function):
    """A division of what is not negative."""

    def divide(first, second):
        expect(np.all(np.asarray(second) > 0), "a division by zero")
        expect(np.all(np.asarray(first) >= 0), "an unsigned division of a negative number")
        return function(first, second)

    return divide


def _extreme(of_numbers, of_arrays):
    def run(first, second):
        are_numbers = _is_all(first) and _is_all(second)
        return (of_numbers if are_numbers else of_arrays)(first, second)

    return run


def _by_torch(function):
    """A function of f32 that numpy lacks."""
    return lambda values: function(torch.from_numpy(np.array(values))).numpy()


_INTEGERS = {
    "arith.addi": lambda a, b: a + b,
    "arith.subi": lambda a, b: a - b,
    "arith.muli": lambda a, b: a * b,
    "arith.divui": _divisible(lambda a, b: a // b),
    "arith.remui": _divisible(lambda a, b: a % b),
    "arith.minui": _extreme(min, np.minimum),
    "arith.maxsi": _extreme(max, np.maximum),
    "arith.index_cast": lambda a: a,
    "arith.maxui": _extreme(max, np.maximum),
    "arith.andi": lambda a, b: a & b,
    "arith.ori": lambda a, b: a | b,
    "arith.xori": lambda a, b: a ^ b,
    "arith.shrui": lambda a, b: a >> b,
    "arith.extui": lambda a: a.astype(np.int64) if isinstance(a, np.ndarray) else int(a),
    "arith.index_castui": lambda a: a,
}
_FLOAT_OPS = {
    "arith.addf": lambda a, b: a + b,
    "arith.subf": lambda a, b: a - b,
    "arith.mulf": lambda a, b: a * b,
    "arith.divf": lambda a, b: a / b,
    "arith.negf": lambda a: -a,
    "arith.maximumf": np.maximum,
    "arith.minnumf": np.fmin,
    "math.absf": np.abs,
    "math.exp2": np.exp2,
    "arith.minimumf": np.minimum,
    "arith.maxnumf": np.fmax,
    "math.fma": lambda a, b, c: np.float64(a) * np.float64(b) + np.float64(c),
    "arith.extf": lambda a: a,
    "arith.truncf": lambda a: a,
    "math.erf": _by_torch(torch.erf),
    "math.tanh": np.tanh,
    "math.exp": np.exp,
    "math.rsqrt": lambda a: 1 / np.sqrt(a),
}
_INTEGER_ORDERS = {
    0: lambda a, b: a == b,
    1: lambda a, b: a != b,
    2: lambda a, b: a < b,
    3: lambda a, b: a <= b,
    4: lambda a, b: a > b,
    5: lambda a, b: a >= b,
}
# As `arith.CmpFPredicate` numbers them; unordered ones hold for NaN.
_FLOAT_ORDERS = {
    1: lambda a, b: a == b,
    2: lambda a, b: a > b,
    3: lambda a, b: a >= b,
    4: lambda a, b: a < b,
    5: lambda a, b: a <= b,
    9: lambda a, b: ~(a <= b),
    10: lambda a, b: ~(a < b),
    11: lambda a, b: ~(a >= b),
    12: lambda a, b: ~(a > b),
    13: lambda a, b: a != b,
    14: lambda a, b: np.isnan(a) | np.isnan(b),
}
_ENDS = ("scf.yield", "gpu.terminator", "func.return", "memref.dealloc")
_OPS = {
    "scf.for": _Program._for,
    "scf.if": _Program._if,
    "gpu.launch": _Program._launch,
    "gpu.barrier": _Program._barrier,
    "gpu.dynamic_shared_memory": _Program._shared_memory,
    "llvm.inline_asm": _Program._assembly,
    "llvm.extractvalue": _Program._extract,
    "memref.extract_aligned_pointer_as_index": _Program._address,
    "memref.dim": _Program._dim,
    "memref.load": _Program._load,
    "vector.load": _Program._load,
    "vector.store": _Program._store,
}
