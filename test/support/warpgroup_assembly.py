"""The meaning of the inline assembly of warpgroups, as the PTX ISA specifies it."""

import re
from dataclasses import dataclass

import numpy as np
from warpgroup_memory import LANES, expect, rounded

_STEP = 16
"""The elements of the summed dimension that an instruction multiplies."""
_OPERAND = re.compile(r"\{[^}]*\}|\[[^]]*\]|[^\s,]+")
_INSTRUCTION = re.compile(r"(?:(\w+): *)?(?:@(!?\w+) +)?([\w.:]+) *(.*)", re.DOTALL)
_MULTIPLY = re.compile(r"wgmma\.mma_async\.sync\.aligned\.m64n(\d+)k16\.f32\.(bf16|f16)\.\2")


@dataclass(frozen=True)
class Instruction:
    """An instruction with its label and the predicate that guards it, None if there is none."""

    label: str | None
    guard: str | None
    name: str
    operands: tuple[str, ...]


class Sums:
    """What a warpgroup accumulates: 64 rows of f32, the fragments of its threads."""

    def __init__(self, fragments):
        self.count = len(fragments)
        self.values = np.zeros((64, self.count * 2), np.float32)
        for index, fragment in enumerate(fragments):
            self.values[_fragment(index)] = fragment
        self.version = 0
        self.multiplication = 0


@dataclass(frozen=True)
class Pending:
    """A register of sums that multiplications may still change."""

    sums: Sums
    index: int
    version: int


def _fragment(index):
    """The rows and columns of a register: "Register Fragments for wgmma.mma_async.m64nNk16"."""
    thread = np.arange(LANES)
    rows = thread // 32 * 16 + thread % 32 // 4 + index // 2 % 2 * 8
    return rows, index // 4 * 8 + thread % 4 * 2 + index % 2


def parse(text):
    """The instructions of a text; declarations of registers are left out."""
    lines = [line.strip() for line in re.sub(r"\{(?= *\.reg)|\}$", "", text.strip()).split(";")]
    found = []
    for line in lines:
        if not line or line.startswith(".reg"):
            continue
        label, guard, name, rest = _INSTRUCTION.fullmatch(line).groups()
        found.append(Instruction(label, guard, name, tuple(_OPERAND.findall(rest))))
    return found


class Assembly:
    """An `llvm.inline_asm`: its instructions, and which registers it starts with."""

    def __init__(self, text, constraints):
        self.instructions = parse(text)
        self.labels = {each.label: at for at, each in enumerate(self.instructions) if each.label}
        kinds = [each for each in constraints.split(",") if not each.startswith("~")]
        self.results = [f"${at}" for at, kind in enumerate(kinds) if kind.startswith("=")]
        given = kinds[len(self.results) :]
        self.given = []
        for at, kind in enumerate(given):
            number = int(kind) if kind.isdigit() else len(self.results) + at
            self.given.append(f"${number}")

    def run(self, machine, group, mask, operands):
        """Run it for the lanes of a mask; yields where it waits, and returns the results."""
        registers = dict(zip(self.given, operands, strict=True))
        step = _Step(machine, group, mask, registers)
        at = 0
        while at < len(self.instructions):
            each = self.instructions[at]
            at += 1
            if each.name == "bra":
                if step.is_executed(each.guard):
                    yield step.waits_for
                    at = self.labels[each.operands[0]]
                continue
            step.run(each)
        return [_finished(registers[name], group) for name in self.results]


def _finished(value, group):
    """The fragment in a register, if all multiplications are complete."""
    if not isinstance(value, Pending) or value.sums.multiplication > group.completed:
        return value
    return value.sums.values[_fragment(value.index)]


class _Step:
    """The state of one execution: registers, the lanes that execute it."""

    def __init__(self, machine, group, mask, registers):
        self.memory = machine.memory
        self.machine = machine
        self.group = group
        self.lanes = np.arange(LANES) if mask is None else np.nonzero(mask)[0]
        self.registers = registers
        self.waits_for = None
        group.has_ordered_registers = False

    def is_executed(self, guard):
        """Whether a guard that is the same for all lanes holds."""
        if guard is None:
            return True
        value = self.registers[guard.removeprefix("!")]
        return uniform(value) != guard.startswith("!")

    def run(self, each):
        """Run an instruction."""
        if _MULTIPLY.fullmatch(each.name):
            self._multiply(each)
            return
        method = _METHODS.get(each.name)
        expect(method is not None, f"{each.name} is not known here")
        expect(each.guard is None or method is _Step._arrive, f"{each.name} with a predicate")
        method(self, each)

    def _value(self, text):
        text = text.removeprefix("[").removesuffix("]")
        if text in self.registers:
            value = self.registers[text]
            expect(not isinstance(value, Pending), "a sum is read before it is complete")
            return value
        return int(text)

    def _per_lane(self, text):
        """A value of each executing lane."""
        return np.broadcast_to(self._value(text), (LANES,))[self.lanes]

    def _address(self, text):
        return uniform(self._value(text))

    def _all(self, what):
        expect(len(self.lanes) == LANES, f"{what} by some threads of a warpgroup only")

    def _init(self, each):
        address, count = each.operands
        expect(len(self.lanes) == 1, "a barrier is initialised by several threads")
        self.memory.init_barrier(self._address(address), int(count), len(self.group.clock))

    def _try_wait(self, each):
        done, address, parity = each.operands
        self._all("a wait")
        barrier = self.memory.barrier_at(self._address(address))
        wanted = uniform(self._value(parity))
        self.registers[done] = barrier.is_complete(wanted)
        self.waits_for = lambda: barrier.is_complete(wanted)
        if self.registers[done]:
            barrier.pass_on(self.group)

    def _set(self, each):
        target, *values = each.operands
        first, second = (self._value(text) for text in values)
        is_equal = each.name == "setp.eq.b32"
        self.registers[target] = (first == second) if is_equal else (first != second)

    def _arrive(self, each):
        _, address = each.operands
        count = len(self.lanes)
        if each.guard is not None:
            count = int(np.broadcast_to(self.registers[each.guard], (LANES,))[self.lanes].sum())
        barrier = self.memory.barrier_at(self._address(address))
        if count:
            barrier.arrive(self.group.clock, count)

    def _arrive_after_copies(self, each):
        barrier = self.memory.barrier_at(self._address(each.operands[0]))
        self.memory.arrive_after_copies(self.group, self.lanes, barrier)

    def _copy(self, each):
        target, source, size, count = each.operands
        expect(size == "16", f"a copy of {size} bytes")
        content = self.machine.global_memory.read(self._per_lane(source), self._per_lane(count))
        self.memory.copy(self.group, self.lanes, self._per_lane(target), content)

    def _barrier(self, each):
        number, count = each.operands
        self._all("a barrier")
        expect(int(count) == LANES, "a barrier for another number of threads")
        self.memory.group_barrier(self.group, uniform(self._value(number)))

    def _store(self, each):
        address, values = each.operands
        found = np.stack([self._per_lane(text) for text in _names(values)], -1)
        self.memory.store(self.group, self.lanes, self._per_lane(address), found)

    def _load(self, each):
        values, address = each.operands
        names = _names(values)
        found = self.memory.load(self.group, self.lanes, self._per_lane(address), len(names))
        for place, name in enumerate(names):
            whole = np.full(LANES, np.nan, np.float32)
            whole[self.lanes] = found[:, place]
            self.registers[name] = whole

    def _move(self, each):
        self.registers[each.operands[0]] = self._value(each.operands[1])

    def _add(self, each):
        target, first, second = each.operands
        self.registers[target] = self._value(first) + self._value(second)

    def _fence(self, each):
        self.group.is_fenced = True

    def _order_registers(self, each):
        self.group.has_ordered_registers = True

    def _commit(self, each):
        self.group.commit()

    def _wait(self, each):
        self.group.wait_for_multiplications(int(each.operands[0]))

    def _multiply(self, each):
        columns, element = _MULTIPLY.fullmatch(each.name).groups()
        registers, left, right, adds, *factors = each.operands
        names = _names(registers)
        self._all("a multiplication")
        expect(self.group.has_ordered_registers, "a multiplication without wgmma.fence")
        expect(factors[:2] == ["1", "1"], "a multiplication that negates an operand")
        expect(len(names) * 2 == int(columns), "other columns than registers")
        sums = self._sums(names) if uniform(self._value(adds)) else Sums([0.0] * len(names))
        if left.startswith("{"):
            one = _left_of_fragments([self._value(name) for name in _names(left)])
        else:
            one = self._matrix(left, 64, factors[2])
        other = self._matrix(right, int(columns), factors[-1])
        sums.values += _floats(one, element) @ _floats(other, element).T
        sums.version += 1
        sums.multiplication = self.group.committed + 1
        for index, name in enumerate(names):
            self.registers[name] = Pending(sums, index, sums.version)

    def _matrix(self, text, extent, is_transposed):
        """The bits of a matrix in shared memory."""
        descriptor = uniform(self._value(text))
        addresses = _addresses(descriptor, extent, is_transposed == "1")
        return self.memory.read_for_multiplication(self.group, addresses)

    def _power(self, each):
        target, value = each.operands
        self.registers[target] = np.exp2(np.float32(self._value(value)))

    def _greater(self, each):
        target, *values = each.operands
        self.registers[target] = np.fmax(*(np.float32(self._value(text)) for text in values))

    def _convert(self, each):
        """Two f32 in one word, of which the second is in the lower half."""
        element = each.name.split(".")[2].removesuffix("x2")
        target, *values = each.operands
        high, low = (_bits(self._value(text), element) for text in values)
        self.registers[target] = high << 16 | low

    def _exchange(self, each):
        """A butterfly shuffle: the value of the lane whose number differs in some bits."""
        target, value, distance, clamp, members = each.operands
        self._all("a shuffle")
        expect((clamp, members) == ("31", "-1"), "a shuffle of a part of a warp")
        given = np.broadcast_to(self._value(value), (LANES,))
        self.registers[target] = given[np.arange(LANES) ^ int(distance)]

    def _sums(self, names):
        """The accumulator in registers: that of the multiplication before, or a new one."""
        values = [self.registers[name] for name in names]
        if not any(isinstance(value, Pending) for value in values):
            return Sums(values)
        sums = getattr(values[0], "sums", None)
        expected = [(sums, index, sums and sums.version) for index in range(len(names))]
        found = [
            (getattr(value, "sums", None), getattr(value, "index", None), value.version)
            if isinstance(value, Pending)
            else None
            for value in values
        ]
        expect(found == expected and sums.count == len(names), "registers of different sums")
        return sums


_METHODS = {
    "mbarrier.init.shared::cta.b64": _Step._init,
    "mbarrier.try_wait.parity.shared::cta.b64": _Step._try_wait,
    "mbarrier.arrive.shared::cta.b64": _Step._arrive,
    "cp.async.mbarrier.arrive.noinc.shared::cta.b64": _Step._arrive_after_copies,
    "cp.async.cg.shared.global": _Step._copy,
    "bar.sync": _Step._barrier,
    "st.shared.v2.f32": _Step._store,
    "ld.shared.v4.f32": _Step._load,
    "setp.eq.b32": _Step._set,
    "setp.ne.b32": _Step._set,
    "mov.b64": _Step._move,
    "add.s64": _Step._add,
    "ex2.approx.ftz.f32": _Step._power,
    "max.f32": _Step._greater,
    "cvt.rn.f16x2.f32": _Step._convert,
    "cvt.rn.bf16x2.f32": _Step._convert,
    "shfl.sync.bfly.b32": _Step._exchange,
    "fence.proxy.async.shared::cta": _Step._fence,
    "wgmma.fence.sync.aligned": _Step._order_registers,
    "wgmma.commit_group.sync.aligned": _Step._commit,
    "wgmma.wait_group.sync.aligned": _Step._wait,
}


def _names(vector):
    """The registers of `{$0, $1}`."""
    return [name.strip() for name in vector.strip("{}").split(",")]


def uniform(value):
    """A value that must be the same in all lanes."""
    if isinstance(value, np.ndarray):
        expect((value == value.flat[0]).all(), "a value differs between the threads of a warpgroup")
        value = value.flat[0].item()
    return value


def _addresses(descriptor, extent, is_transposed):
    """The addresses of a matrix of `extent` x 16 elements, by its descriptor.

    See "Matrix Descriptor Format", "Strides" and "Shared Memory Matrix Layout" in the PTX ISA.
    """
    expect(descriptor >> 62 == 1, "a matrix without the swizzle of 128 bytes")
    expect(descriptor >> 49 & 7 == 0, "a matrix with a base offset")
    start = (descriptor & 0x3FFF) << 4
    leading = (descriptor >> 16 & 0x3FFF) << 4
    stride = (descriptor >> 32 & 0x3FFF) << 4
    rows, depth = np.arange(extent)[:, None], np.arange(_STEP)[None, :]
    if is_transposed:
        # Contiguous along its rows: 64 at a time, `leading` apart; eight of the depth are a unit.
        offsets = rows % 64 * 2 + rows // 64 * leading + depth % 8 * 128 + depth // 8 * stride
    else:
        # Contiguous along the depth; eight rows are a unit, and the leading offset is not used.
        offsets = rows % 8 * 128 + rows // 8 * stride + depth * 2
    plain = start + offsets
    return plain ^ (plain >> 7 & 7) << 4


def _left_of_fragments(words):
    """A matrix of 64 x 16 in registers: "Register Fragments for wgmma.mma_async.m64nNk16"."""
    thread = np.arange(LANES)
    matrix = np.zeros((64, _STEP), np.uint16)
    for number, word in enumerate(words):
        rows = thread // 32 * 16 + thread % 32 // 4 + number % 2 * 8
        columns = thread % 4 * 2 + number // 2 * 8
        matrix[rows, columns] = np.broadcast_to(word, (LANES,)) & 0xFFFF
        matrix[rows, columns + 1] = np.broadcast_to(word, (LANES,)) >> 16
    return matrix


def _bits(values, element):
    """The bits of f32 that are rounded to 16 bits."""
    found = rounded(values, element)
    if element == "f16":
        return found.view(np.uint16).astype(np.int64)
    return (found.astype(np.float32).view(np.uint32) >> 16).astype(np.int64)


def _floats(bits, element):
    """16-bit floats as f32."""
    if element == "f16":
        return bits.view(np.float16).astype(np.float32)
    return (bits.astype(np.uint32) << 16).view(np.float32)
