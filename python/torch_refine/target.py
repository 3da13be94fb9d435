"""Show the target record of a processor: `python -m torch_refine.target --cpu znver4`."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence

from torch_refine.passes.lowering.kernels.targets.host import target
from torch_refine.passes.lowering.kernels.targets.named import names
from torch_refine.passes.lowering.kernels.targets.record import CpuTarget

# The instruction sets that schedules use, with the features that provide them.
_SETS: dict[str, dict[str, tuple[str, ...]]] = {
    "x86-64": {
        "AVX2": ("avx2",),
        "AVX-512": ("avx512f", "avx512bw", "avx512dq", "avx512vl"),
        "VNNI": ("avx512vnni",),
        "VNNI without AVX-512": ("avxvnni",),
        "bf16": ("avx512bf16",),
        "f16": ("avx512fp16",),
        "AMX for bf16": ("amx-tile", "amx-bf16"),
        "AMX for bytes": ("amx-tile", "amx-int8"),
    },
    "aarch64": {
        "NEON": ("neon",),
        "dot products": ("dotprod",),
        "i8mm": ("i8mm",),
        "bf16": ("bf16",),
        "f16": ("fullfp16",),
    },
}


def shown(record: CpuTarget) -> str:
    """A record as a table."""
    rows = {
        "processor": record.name,
        "architecture": record.architecture,
        "vectors": f"{record.vector_bits} bits x {record.vector_registers} registers",
        "multiply-adds": f"{record.fma_ports} a cycle, {record.fma_latency} cycles each",
        "loads": f"{record.load_ports} a cycle, {record.crossing_load} accesses across lines",
        "L1 data cache": _size(record.l1_bytes),
        "L2 cache": _size(record.l2_bytes),
        "L3 cache": _size(record.l3_bytes),
        "cache line": f"{record.line_bytes} bytes",
    }
    for name, needed in _SETS.get(record.architecture, {}).items():
        rows[name] = "yes" if all(map(record.has, needed)) else "no"
    width = max(map(len, rows))
    return "\n".join(f"{name:<{width}}  {value}" for name, value in rows.items())


def _size(count: int) -> str:
    return f"{count >> 10} KiB" if count else "none"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit code is 2 for unknown names."""
    parser = argparse.ArgumentParser(
        prog="python -m torch_refine.target",
        description="Show the target record of a processor.",
    )
    parser.add_argument("--cpu", default="host", help="its name; the host by default")
    parser.add_argument("--features", default="", help="changes, such as --features=-fma,+f16c")
    parser.add_argument("--json", action="store_true", help="print the record as JSON")
    parser.add_argument("--list", action="store_true", help="print the known names")
    given = parser.parse_args(arguments)
    if given.list:
        print("\n".join(["host", *names()]))
        return 0
    try:
        record = target(given.cpu, given.features)
    except (ValueError, ImportError) as error:
        print(f"{parser.prog}: error: {error}", file=sys.stderr)
        return 2
    print(json.dumps(record.as_data(), indent=2) if given.json else shown(record))
    return 0


if __name__ == "__main__":
    try:
        code = main()
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader closed the pipe.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 1
    sys.exit(code)
