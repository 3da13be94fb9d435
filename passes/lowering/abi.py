"""The ABI between the code that passes generate and the runtime that calls it.

A program is an object file with one function for each public function of the module, `main` among
them. Both sides agree on: names of entry points, attributes of compiled modules, the order of
arguments, the layout of descriptors, and the status record of a call. Guards, which only name
sizes, are in `dialect/guards.py`.

**Arguments of `main`**, in order: those of the program; a seed (`torch-draw-from-seed`), if it
draws random numbers; the results of `prepare_main` (`hoist-constant-expressions`), if there is one;
a workspace of bytes (`plan-memory`), if it needs one; the status, a memref of one i64
(`lower-asserts`).

**Descriptors.** A tensor of rank r is a memref descriptor of 3 + 2r words: the allocated pointer,
the aligned pointer, the offset, r sizes, r strides, in elements. The packed form of a function
takes an array of pointers, each to an argument; an argument that is a tensor is a pointer to its
descriptor. Several results, or one tensor, come as a struct whose address is the first argument; a
lone scalar as the last.

**Status.** 0 before the call and after one that succeeded; otherwise the number of the failed
assertion, from 1, which indexes its message in `ASSERTIONS`. Results are undefined then. The
following words record the allocations of the call: the runtime frees them if the call failed, and
restores what the call overwrote in its arguments (`update-in-place`) from a log.
`runtime/calls/support.ll` maintains the record.
"""

from __future__ import annotations

VERSION = 2
"""Part of the cache key: increment it with any change here."""

MAIN = "main"
"""The entry point of a compiled model."""
PREPARE = "prepare_"
"""The name prefix of functions that compute hoisted constant expressions."""
INTERFACE = "_mlir_ciface_"
"""Upstream's name prefix of a function's C interface."""
PACKED = "_mlir_"
"""Upstream's name prefix of an interface's packed form."""
ENTRY = f"{PACKED}{INTERFACE}{MAIN}"
"""The symbol that the runtime calls: the packed form of the C interface of `main`."""
PREPARE_ENTRY = f"{PACKED}{INTERFACE}{PREPARE}{MAIN}"
"""The same for the preparation function, if there is one."""

STATE = "torch_refine.state"
"""On a function: which of its arguments are state, the same in all calls."""
PREPARED = "torch_refine.prepared"
"""On a function: how many of its last arguments are results of the preparation function."""
UPDATES = "torch_refine.updates"
"""On a function: pairs of a result, and the argument whose new value it is."""
WRITTEN = "torch_refine.written"
"""On a function: which of these arguments are the destinations of their new values."""
UPDATED = "torch_refine.updated"
"""On the module: which results of `main` were dropped, as it writes them to arguments."""
ASSERTIONS = "torch_refine.assertions"
"""On the module: the message of each assertion."""
NOALIAS = "torch_refine.noalias"
"""On a private function: the positions of pointers, among the parts of its arguments, that no other
argument aliases."""
STATUS = "torch_refine.status"
"""On a function: its last argument is the status."""
WORKSPACES = "torch_refine.workspaces"
"""On the module: the workspace size of each function in bytes."""
ASSEMBLY = "torch_refine.assembly"
"""On the module: the assembly of its kernels for a GPU."""
KERNELS = "torch_refine.kernels"
"""On the module: the names of those kernels, in the order of their numbers."""

ALLOCATE, FREE = "torch_refine_allocate_tracked", "torch_refine_free_tracked"
"""In `runtime/calls/support.ll`: `malloc` with one more argument, the status; and `free`."""
LOG, COMMIT = "torch_refine_log", "torch_refine_commit"
"""The same: memory for a log of elements, by their count and width; the end of all logs."""
GPU_LAUNCH, GPU_ALLOCATE, GPU_FREE, GPU_COPY, GPU_CONSTANT = DRIVER_FUNCTIONS = (
    "torch_refine_launch",
    "torch_refine_allocate",
    "torch_refine_free",
    "torch_refine_copy",
    "torch_refine_constant",
)
"""In `runtime/cuda/launching.ll`: calls of the driver; the first argument is its table."""

WORD = 8
"""Bytes of a word: a pointer, a size, an offset."""
SIZES = 3
"""The word of a descriptor at which its sizes begin."""

UNALLOCATED = "{bytes}"
"""In a message: placeholder for the number of bytes that could not be allocated."""
# The words after the status: the bytes that could not be allocated, a lock, the first block, the
# first block that is kept for later calls, and the last log.
FAILED_BYTES, FIRST_BLOCK, KEPT_BLOCK, LAST_LOG = 1, 3, 4, 5
RECORD_WORDS = 6
# A log begins with four words: the log before it, the count and the width of elements, and one that
# is unused. The addresses of the elements follow, then their values.
LOG_HEADER = 4 * WORD
# The offset of the allocated memory in a block, whose second word is the address of the next block.
BLOCK_HEADER = 48
NEXT_BLOCK = WORD
# The offset of the size of a block, and the size from which the support library keeps free ones.
BLOCK_BYTES, LEAST_KEPT = 3 * WORD, 1 << 16


def descriptor_words(rank: int) -> int:
    """The number of words of a tensor's descriptor."""
    return SIZES + 2 * rank
