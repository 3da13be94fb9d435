"""The shared memory of a block of warpgroups, which notices accesses that are not in order.

Everything that is asynchronous takes as long as it may: a copy is complete when a barrier has seen
its arrival, a multiplication when it is waited for. Who may rely on it is tracked by clocks, as in
a detector of data races: an arrival passes on what the arriving warpgroup knows, a wait takes it.
"""

import numpy as np

LANES = 128
"""The threads of a warpgroup."""
WARPS = 4
WORD = 4
"""Accesses are tracked in words of four bytes."""
# An address that is aligned as little as that of dynamic shared memory may be.
BASE = 1024 + 16
FLOATS = {"f16": np.float16, "f32": np.float32, "bf16": np.float32, "f64": np.float64}
_NOTHING, _COPIED, _STAGED, _BARRIER = range(4)
_NOBODY, _SEVERAL = -1, -2


class Mistake(Exception):
    """A kernel does what the PTX ISA leaves undefined, or what cannot be meant."""


def expect(condition, message):
    """Raise where a condition does not hold."""
    if not condition:
        raise Mistake(message)


def rounded(values, element):
    """Values as an element type has them; bf16 is represented by f32."""
    values = np.asarray(values, FLOATS[element])
    if element != "bf16":
        return values
    bits = values.view(np.uint32)
    nearest = (bits + 0x7FFF + (bits >> 16 & 1)) & np.uint32(0xFFFF_0000)
    return np.where(np.isnan(values), values, nearest.view(np.float32))


class Barrier:
    """An mbarrier: phases that are complete after a number of arrivals each."""

    def __init__(self, count, clock_size):
        self.count = count
        self.missing = count
        self.phase = 0
        self.is_published = False
        self._arriving = np.zeros(clock_size, np.int64)
        self._clock = self._arriving

    def arrive(self, clock, count):
        """So many arrivals, which pass a clock on."""
        expect(self.is_published, "an arrival at a barrier that other threads may not know yet")
        while count:
            of_phase = min(count, self.missing)
            count -= of_phase
            self.missing -= of_phase
            self._arriving = np.maximum(self._arriving, clock)
            if self.missing == 0:
                self.phase += 1
                self.missing = self.count
                self._clock = self._arriving

    def is_complete(self, parity):
        """Whether the phase of a parity is complete: that before the current one."""
        expect(self.is_published, "a wait for a barrier that is not known to be initialised")
        return (self.phase - 1) & 1 == parity

    def pass_on(self, group):
        """What a warpgroup knows after it waited."""
        group.clock = np.maximum(group.clock, self._clock)
        group.is_fenced = False


class Group:
    """What the memory knows of a warpgroup.

    Its clock has the multiplications of each warpgroup that are known to be complete, and the
    copies of each warp.
    """

    def __init__(self, number, groups):
        self.number = number
        self.groups = groups
        self.clock = np.zeros(groups * (1 + WARPS), np.int64)
        self.committed = 0
        self.is_fenced = False
        self.has_ordered_registers = False
        self.issued = []
        self.copies = 0
        self.touched = []

    def commit(self):
        """The multiplications since the last call become one group."""
        self.committed += 1

    @property
    def completed(self):
        """How many groups of multiplications were waited for."""
        return self.clock[self.number]

    def wait_for_multiplications(self, pending):
        """Wait until no more than so many groups are pending."""
        self.clock[self.number] = max(self.completed, self.committed - pending)

    def place_of_copies(self, warp):
        """The position of a warp's copies in a clock."""
        return self.groups + WARPS * self.number + warp


class SharedMemory:
    """The bytes of a block, from `BASE` on, and who accessed each word last."""

    def __init__(self, size, groups):
        count = size // WORD
        self.words = np.full(count, 0x7FC0_7FC1, np.uint32)
        self.barriers = {}
        self.barrier_users = {}
        self._kind = np.full(count, _NOTHING, np.int8)
        # The place in a clock of the warp that copied a word, and the number of its copies.
        self._copier = np.zeros(count, np.int64)
        self._copy = np.zeros(count, np.int64)
        self._is_in_flight = np.zeros(count, bool)
        self._last_read = np.zeros((groups, count), np.int64)
        self._stored_by = np.full(count, _NOBODY, np.int64)
        self._loaded_by = np.full(count, _NOBODY, np.int64)
        # For each warp, copies with the barrier that they arrive at, in order.
        self._queues = {}

    def places(self, addresses, size, alignment):
        """The words of accesses of so many bytes: a row for each address."""
        addresses = np.atleast_1d(addresses)
        expect(not (addresses % alignment).any(), f"an address that is not aligned to {alignment}")
        first = (addresses - BASE) // WORD
        expect(
            (first >= 0).all() and (first + size // WORD <= len(self.words)).all(),
            "an access outside of shared memory",
        )
        return first[:, None] + np.arange(size // WORD)

    def init_barrier(self, address, count, clock_size):
        """Initialise an mbarrier."""
        places = self.places(address, 8, 8)
        expect((self._kind[places] == _NOTHING).all(), "a barrier in memory that is used")
        self._kind[places] = _BARRIER
        self.barriers[address] = Barrier(count, clock_size)

    def barrier_at(self, address):
        """The mbarrier at an address."""
        expect(address in self.barriers, f"no barrier is at {address}")
        return self.barriers[address]

    def copy(self, group, lanes, addresses, content):
        """Start a copy of 16 bytes per lane."""
        places = self.places(addresses, 16, 16)
        expect(len(np.unique(places)) == places.size, "two lanes copy to the same memory")
        expect(np.isin(self._kind[places], (_NOTHING, _COPIED)).all(), "a copy over other data")
        expect(not self._is_in_flight[places].any(), "two copies to the same memory are in flight")
        known = group.clock[: len(self._last_read), None, None]
        expect(
            (self._last_read[:, places] <= known).all(),
            "a copy to memory that a multiplication may still read",
        )
        self._kind[places] = _COPIED
        self._is_in_flight[places] = True
        group.issued.append((lanes, places, content))

    def arrive_after_copies(self, group, lanes, barrier):
        """The lanes arrive at a barrier once their copies are complete."""
        group.copies += 1
        for warp in range(WARPS):
            of_warp = lanes[lanes // 32 == warp]
            if not len(of_warp):
                continue
            parts = []
            for copying, places, content in group.issued:
                chosen = copying // 32 == warp
                parts.append((places[chosen], content[chosen]))
            entry = (group, warp, group.copies, parts, barrier, len(of_warp))
            self._queues.setdefault((group.number, warp), []).append(entry)
        group.issued = []

    @property
    def arriving(self):
        """The warps whose copies are in flight."""
        return [key for key, queue in self._queues.items() if queue]

    def complete_copies(self, key):
        """Complete the oldest copies of a warp, which then arrives at their barrier."""
        group, warp, number, parts, barrier, count = self._queues[key].pop(0)
        position = group.place_of_copies(warp)
        for places, content in parts:
            self.words[places] = content
            self._is_in_flight[places] = False
            self._copier[places] = position
            self._copy[places] = number
        clock = np.zeros_like(group.clock)
        clock[position] = number
        barrier.arrive(clock, count)

    def read_for_multiplication(self, group, addresses):
        """The 16-bit elements at addresses, which a pending multiplication of a group reads."""
        expect(group.is_fenced, "a multiplication that is not fenced from what others wrote")
        places = (addresses - BASE) // WORD
        expect(
            places.min() >= 0 and places.max() < len(self.words),
            "a multiplication reads outside of shared memory",
        )
        expect((self._kind[places] == _COPIED).all(), "a multiplication reads what was not copied")
        is_known = group.clock[self._copier[places]] >= self._copy[places]
        expect(
            is_known.all() and not self._is_in_flight[places].any(),
            "a multiplication reads what may not be copied yet",
        )
        self._last_read[group.number, places] = group.committed + 1
        return self.words.view(np.uint16)[(addresses - BASE) // 2]

    def store(self, group, lanes, addresses, values):
        """Store f32 values, some per lane."""
        places = self.places(addresses, WORD * values.shape[1], WORD * values.shape[1])
        expect(len(np.unique(places)) == places.size, "two lanes store to the same memory")
        expect(np.isin(self._kind[places], (_NOTHING, _STAGED)).all(), "a store over other data")
        own = (LANES * group.number + lanes)[:, None]
        for before in (self._stored_by[places], self._loaded_by[places]):
            expect(
                ((before == _NOBODY) | (before == own)).all(),
                "a store to memory that another thread accesses, without a barrier between",
            )
        self._kind[places] = _STAGED
        self._stored_by[places] = own
        group.touched.append(places)
        self.words[places] = values.astype(np.float32).view(np.uint32)

    def load(self, group, lanes, addresses, count):
        """Load so many f32 values per lane."""
        places = self.places(addresses, WORD * count, WORD * count)
        expect((self._kind[places] == _STAGED).all(), "a load of what was not stored")
        own = (LANES * group.number + lanes)[:, None]
        before = self._stored_by[places]
        expect(
            ((before == _NOBODY) | (before == own)).all(),
            "a load of what another thread stored, without a barrier between",
        )
        loaded = self._loaded_by[places]
        is_alone = (loaded == _NOBODY) | (loaded == own)
        self._loaded_by[places] = np.where(is_alone, own, _SEVERAL)
        group.touched.append(places)
        return self.words[places].view(np.float32)

    def group_barrier(self, group, number):
        """The threads of a warpgroup wait for each other."""
        expect(0 < number < 16, f"there is no barrier {number} for a warpgroup alone")
        user = self.barrier_users.setdefault(number, group.number)
        expect(user == group.number, f"warpgroups {user} and {group.number} share a barrier")
        for places in group.touched:
            # Other warpgroups do not wait.
            own = self._stored_by[places] // LANES == group.number
            self._stored_by[places] = np.where(own, _NOBODY, self._stored_by[places])
            self._loaded_by[places] = _NOBODY
        group.touched = []

    def finish(self, groups):
        """What holds at the end of a block."""
        is_copying = self.arriving or any(group.issued for group in groups)
        expect(not is_copying, "copies that nobody waits for")
        pending = any(group.completed != group.committed for group in groups)
        expect(not pending, "multiplications that nobody waits for")
