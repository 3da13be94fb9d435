"""The target record of the host."""

from __future__ import annotations

import ctypes
import ctypes.util
import platform
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from torch_refine.passes.lowering.kernels.targets.named import (
    level_of,
    named,
    names,
    record,
    with_features,
)
from torch_refine.passes.lowering.kernels.targets.record import CpuTarget
from torch_refine.passes.lowering.kernels.targets.tile_permission import may_use_tiles

_CACHES = Path("/sys/devices/system/cpu/cpu0/cache")
_ARCHITECTURES = {"x86_64": "x86-64", "amd64": "x86-64", "arm64": "aarch64"}
# AMX, and the oldest processor that has it.
_TILES, _WITH_TILES = "amx-", "sapphirerapids"
_UNITS = {"K": 10, "M": 20}
# Of the performance cores, on hybrid processors.
_DARWIN = {
    "line_bytes": ("hw.cachelinesize",),
    "l1_bytes": ("hw.perflevel0.l1dcachesize", "hw.l1dcachesize"),
    "l2_bytes": ("hw.perflevel0.l2cachesize", "hw.l2cachesize"),
    "l3_bytes": ("hw.l3cachesize",),
}


def target(cpu: str = "host", features: str = "") -> CpuTarget:
    """The record of the host, or of a named processor, with features changed.

    Raises ValueError for unknown names.
    """
    return with_features(host(), features) if cpu in ("", "host") else named(cpu, features)


@cache
def host() -> CpuTarget:
    """The host's record: features from LLVM, cache sizes from the operating system.

    Raises ImportError without llvmlite.
    """
    # Importing it takes longer than everything else here.
    import llvmlite.binding as llvm

    name = llvm.get_host_cpu_name()
    try:
        features = {each for each, has in llvm.get_host_cpu_features().items() if has}
    except RuntimeError:
        # LLVM cannot query this system.
        features = set()
    if not may_use_tiles():
        features -= {each for each in features if each.startswith(_TILES)}
    architecture = _architecture()
    if architecture == "aarch64":
        # On Linux LLVM queries only some of them, on other systems none.
        known = name if name in names() else level_of(architecture, ())
        features |= set(named(known).features)
    # A virtual machine may hide the model: then LLVM guesses an older one.
    is_hidden = name not in names() and f"{_TILES}tile" in features
    known = _WITH_TILES if is_hidden else name
    made = replace(record(known, level_of(architecture, features), features), name=name)
    sizes: dict[str, Any] = {**_cache_sizes()}
    return replace(made, architecture=architecture, **sizes)


def _architecture() -> str:
    machine = platform.machine().lower()
    return _ARCHITECTURES.get(machine, machine)


def _cache_sizes() -> dict[str, int]:
    """The cache sizes from the operating system, by the fields of the record."""
    return _darwin_caches() if sys.platform == "darwin" else _linux_caches(_CACHES)


def _linux_caches(folder: Path) -> dict[str, int]:
    found: dict[str, int] = {}
    for index in sorted(folder.glob("index*")):
        try:
            if (index / "type").read_text().strip() == "Instruction":
                continue
            level = (index / "level").read_text().strip()
            size = (index / "size").read_text().strip()
            count = int(size.rstrip("KM")) << _UNITS.get(size[-1:], 0)
            line = int((index / "coherency_line_size").read_text())
        except (OSError, ValueError):
            # A virtual machine may report fewer.
            continue
        if level in ("1", "2", "3") and count > 0:
            found[f"l{level}_bytes"] = count
        if line > 0:
            found["line_bytes"] = line
    if "l2_bytes" in found:
        # If other caches are reported, a missing last level does not exist.
        found.setdefault("l3_bytes", 0)
    return found


def _darwin_caches() -> dict[str, int]:
    system = ctypes.CDLL(ctypes.util.find_library("c"))
    found: dict[str, int] = {}
    for field, keys in _DARWIN.items():
        for key in keys:
            value = ctypes.c_int64(0)
            size = ctypes.c_size_t(ctypes.sizeof(value))
            place, length = ctypes.byref(value), ctypes.byref(size)
            failed = system.sysctlbyname(key.encode(), place, length, None, ctypes.c_size_t(0))
            if not failed and value.value > 0:
                found.setdefault(field, value.value)
    return found
