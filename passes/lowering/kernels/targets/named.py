"""Processors by name: their features and microarchitecture."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from torch_refine.passes.lowering.kernels.targets.record import CpuTarget

_ARM = "armv8-a"
_X86 = "x86-64"


@dataclass(frozen=True)
class _Core:
    """A row of the table.

    Units are the number of multiply-add and load ports, and their width in bits. Caches are L1, L2
    and L3 in KiB; shared caches are counted whole. The accesses of a crossing load are those of the
    widest vectors; two suffice for narrower ones.
    """

    level: str
    extra: str
    multiply_adds: tuple[int, int]
    loads: tuple[int, int]
    latency: int
    caches: tuple[int, int, int]
    line: int = 64
    crossing: int = 2


# The features that LLVM implies by each level, spelled out: "-avx" also removes those that need it.
_LEVELS = {
    "x86-64": "cmov cx8 fxsr mmx sse sse2",
    "x86-64-v2": "x86-64 crc32 cx16 popcnt sahf sse3 ssse3 sse4.1 sse4.2",
    "x86-64-v3": "x86-64-v2 avx avx2 bmi bmi2 f16c fma lzcnt movbe xsave",
    "x86-64-v4": "x86-64-v3 avx512f avx512bw avx512cd avx512dq avx512vl",
    _ARM: "fp-armv8 neon",
}
_ICELAKE = "avx512vnni avx512vbmi avx512vbmi2 avx512ifma avx512bitalg avx512vpopcntdq gfni"
_SAPPHIRERAPIDS = "avx512bf16 avx512fp16 avxvnni amx-tile amx-bf16 amx-int8"
_NEOVERSE = "crc lse rdm fullfp16 dotprod"

# Vectors of which two fit into a cache line.
_NARROW = 256

# Sources: the vendors' optimization guides, and Agner Fog's tables. The latency on Arm is that of a
# sum forwarded from one multiply-add to the next. The accesses of a crossing load were measured on
# Ice Lake, and are assumed for Intel's other processors with 512 bits.
_CORES = {
    "x86-64": _Core("x86-64", "", (1, 128), (2, 128), 4, (32, 256, 8192)),
    "x86-64-v2": _Core("x86-64-v2", "", (1, 128), (2, 128), 4, (32, 256, 8192)),
    "x86-64-v3": _Core("x86-64-v3", "", (2, 256), (2, 256), 4, (32, 512, 16384)),
    "x86-64-v4": _Core("x86-64-v4", "", (2, 512), (2, 512), 4, (32, 1024, 32768)),
    "haswell": _Core("x86-64-v3", "", (2, 256), (2, 256), 5, (32, 256, 8192)),
    "skylake": _Core("x86-64-v3", "", (2, 256), (2, 256), 4, (32, 256, 8192)),
    "skylake-avx512": _Core("x86-64-v4", "", (2, 512), (2, 512), 4, (32, 1024, 39424), crossing=6),
    "cascadelake": _Core(
        "x86-64-v4", "avx512vnni", (2, 512), (2, 512), 4, (32, 1024, 39424), crossing=6
    ),
    "icelake-server": _Core(
        "x86-64-v4", _ICELAKE, (2, 512), (2, 512), 4, (48, 1280, 61440), crossing=6
    ),
    "sapphirerapids": _Core(
        "x86-64-v4",
        f"{_ICELAKE} {_SAPPHIRERAPIDS}",
        (2, 512),
        (2, 512),
        4,
        (48, 2048, 115200),
        crossing=6,
    ),
    "graniterapids": _Core(
        "x86-64-v4",
        f"{_ICELAKE} {_SAPPHIRERAPIDS} amx-fp16",
        (2, 512),
        (2, 512),
        4,
        (48, 2048, 491520),
        crossing=6,
    ),
    "znver1": _Core("x86-64-v3", "", (2, 128), (2, 128), 5, (32, 512, 8192)),
    "znver2": _Core("x86-64-v3", "", (2, 256), (2, 256), 5, (32, 512, 16384)),
    "znver3": _Core("x86-64-v3", "", (2, 256), (2, 256), 4, (32, 512, 32768)),
    "znver4": _Core(
        "x86-64-v4", f"{_ICELAKE} avx512bf16", (2, 256), (2, 256), 4, (32, 1024, 32768)
    ),
    "znver5": _Core(
        "x86-64-v4", f"{_ICELAKE} avx512bf16 avxvnni", (2, 512), (2, 512), 4, (48, 1024, 32768)
    ),
    _ARM: _Core(_ARM, "", (2, 128), (2, 128), 4, (32, 512, 4096)),
    "neoverse-n1": _Core(_ARM, _NEOVERSE, (2, 128), (2, 128), 2, (64, 1024, 32768)),
    "neoverse-v1": _Core(
        _ARM, f"{_NEOVERSE} bf16 i8mm sve", (4, 128), (3, 128), 2, (64, 1024, 32768)
    ),
    "neoverse-v2": _Core(
        _ARM, f"{_NEOVERSE} bf16 i8mm sve sve2", (4, 128), (3, 128), 2, (64, 2048, 36864)
    ),
    "apple-m1": _Core(_ARM, _NEOVERSE, (4, 128), (3, 128), 4, (128, 12288, 8192), line=128),
}

# By feature, those that require it in LLVM: a missing entry would re-enable the feature.
_NEEDED_BY = {
    _X86: {
        "sse": "sse2",
        "sse2": "aes gfni kl pclmul sha sse3",
        "sse3": "sse4a ssse3",
        "ssse3": "sse4.1",
        "sse4.1": "sse4.2",
        "sse4.2": "avx",
        "avx": "avx2 f16c fma fma4 sm3 vpclmulqdq",
        "avx2": "avx512f avxifma avxneconvert avxvnni avxvnniint16 avxvnniint8 sha512 sm4 vaes",
        "f16c": "avx512f",
        "fma": "avx512f",
        "avx512f": (
            "avx512bw avx512cd avx512dq avx512ifma "
            "avx512vl avx512vnni avx512vp2intersect avx512vpopcntdq"
        ),
        "avx512bw": "avx512bf16 avx512bitalg avx512fp16 avx512vbmi avx512vbmi2",
        "avx512dq": "avx512fp16",
        "avx512vl": "avx512fp16",
        "avx512bf16": "avx10.1",
        "avx512bitalg": "avx10.1",
        "avx512cd": "avx10.1",
        "avx512fp16": "avx10.1",
        "avx512ifma": "avx10.1",
        "avx512vbmi": "avx10.1",
        "avx512vbmi2": "avx10.1",
        "avx512vnni": "avx10.1",
        "avx512vpopcntdq": "avx10.1",
        "avx10.1": "avx10.2",
        "avx10.2": "amx-avx512",
        "fma4": "xop",
        "sse4a": "fma4",
        "aes": "vaes",
        "pclmul": "vpclmulqdq",
        "kl": "widekl",
        "xsave": "xsavec xsaveopt xsaves",
        "amx-tile": "amx-avx512 amx-bf16 amx-complex amx-fp16 amx-fp8 amx-int8 amx-movrs amx-tf32",
    },
    "aarch64": {
        "fp-armv8": "fullfp16 neon",
        "neon": "aes bf16 dotprod i8mm rdm sha2",
        "sha2": "sha3",
        "fullfp16": "fp16fml sve",
        "sve": "sve2",
    },
}
_FULL_WIDTH = {"avx512f", "avx512bw", "avx512dq", "avx512vl"}


def names() -> list[str]:
    """The names of the processors and levels, in the order of the table."""
    return list(_CORES)


def named(name: str, features: str = "") -> CpuTarget:
    """The record of a processor or level, with features changed: `+avx512bf16,-fma`.

    Raises ValueError for unknown names.
    """
    if name not in _CORES:
        known = names()
        raise ValueError(f"there is no processor {name!r}{_close(name, known)}; {_listed(known)}")
    return with_features(record(name, _CORES[name].level, ()), features)


def record(name: str, level: str, found: Iterable[str]) -> CpuTarget:
    """The record of a processor; an unknown one gets the properties of its level.

    `found` are its features; if empty, they are those of the table.
    """
    core = _CORES.get(name) or _CORES[level]
    level_features = _features_of(core.level)
    listed = frozenset(found) or level_features | frozenset(core.extra.split())
    l1, l2, l3 = (size << 10 for size in core.caches)
    architecture = "aarch64" if core.level == _ARM else _X86
    bits, registers = _vectors(architecture, listed)
    return CpuTarget(
        name=name,
        architecture=architecture,
        features=tuple(sorted(listed)),
        vector_bits=bits,
        vector_registers=registers,
        fma_ports=_ports(core.multiply_adds, bits),
        load_ports=_ports(core.loads, bits),
        crossing_load=core.crossing if bits > _NARROW else _Core.crossing,
        fma_latency=core.latency,
        line_bytes=core.line,
        l1_bytes=l1,
        l2_bytes=l2,
        l3_bytes=l3,
    )


def with_features(target: CpuTarget, text: str) -> CpuTarget:
    """A record with features added and removed; dependent fields are updated.

    Adding a feature adds those that it requires, removing one removes those that require it. Raises
    ValueError for unknown names.
    """
    if not text:
        return target
    offered = _offered(target.architecture) | set(target.features)
    needed_by = _NEEDED_BY.get(target.architecture, {})
    features = set(target.features)
    for change in text.split(","):
        sign, feature = change[:1], change[1:]
        if sign not in ("+", "-"):
            raise ValueError(f"features are like '+fma,-avx512f', and {change!r} is not")
        if feature not in offered:
            known = sorted(offered)
            raise ValueError(
                f"{target.architecture} has no feature {feature!r}{_close(feature, known)}; "
                f"{_listed(known)}"
            )
        if sign == "+":
            features |= {each for each in offered if feature in _dependent(each, needed_by)}
        else:
            features -= _dependent(feature, needed_by)
    made = record(target.name, level_of(target.architecture, features), features)
    kept = {"architecture", "line_bytes", "l1_bytes", "l2_bytes", "l3_bytes"}
    return replace(made, **{name: getattr(target, name) for name in kept})


def level_of(architecture: str, features: Iterable[str]) -> str:
    """The highest level whose features are all present, or the lowest."""
    if architecture != _X86:
        return _ARM
    found = set(features)
    levels = [name for name in _LEVELS if name.startswith(_X86) and _features_of(name) <= found]
    return levels[-1] if levels else _X86


def llvm_names(target: CpuTarget) -> tuple[str, str]:
    """LLVM's names of a CPU that has only the listed features, and of the one to tune for.

    Code for the processor's own name could use features that were removed.
    """
    if target.architecture == _X86:
        return _X86, target.name
    return "generic", "generic" if target.name == _ARM else target.name


def _features_of(level: str) -> frozenset[str]:
    found: set[str] = set()
    for each in _LEVELS[level].split():
        found |= _features_of(each) if each in _LEVELS else {each}
    return frozenset(found)


def _dependent(feature: str, needed_by: Mapping[str, str]) -> set[str]:
    """A feature and all that require it."""
    direct = needed_by.get(feature, "").split()
    return {feature}.union(*(_dependent(each, needed_by) for each in direct))


def _offered(architecture: str) -> set[str]:
    """The features that processors of an architecture may have."""
    rows = [core for core in _CORES.values() if (core.level == _ARM) == (architecture != _X86)]
    known = {each for row in rows for each in (*_features_of(row.level), *row.extra.split())}
    needed_by = _NEEDED_BY.get(architecture, {})
    return known.union(needed_by, *map(str.split, needed_by.values()))


def _vectors(architecture: str, features: frozenset[str]) -> tuple[int, int]:
    """The width of a vector register in bits, and the number of registers."""
    if architecture != _X86:
        return 128, 32
    if features >= _FULL_WIDTH:
        return 512, 32
    return 256 if "avx" in features else 128, 16


def _ports(units: tuple[int, int], bits: int) -> int:
    """Whole vectors per cycle: narrow units are paired, a wide one does at most one."""
    count, width = units
    return max(1, count * min(width, bits) // bits)


def _close(name: str, known: list[str]) -> str:
    import difflib

    close = difflib.get_close_matches(name, known, n=1)
    return f", did you mean {close[0]!r}?" if close else ""


def _listed(known: list[str]) -> str:
    return f"known are {', '.join(known)}"
