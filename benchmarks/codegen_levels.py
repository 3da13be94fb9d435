"""Levels of instruction sets, and the settings that limit each compiler and library to one."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from llvmlite import binding

# The features of x86-64-v4 and x86-64-v3 on which the speed of generated code depends.
_AVX512 = ("avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl")
_AVX2 = ("avx2", "fma")


@dataclass(frozen=True)
class Level:
    """A level of instruction sets.

    Attributes:
        name: what the command line and the document call it.
        cpu: the option of `torch_refine.compile`; None omits it.
        llvm_cpu: LLVM's name of a processor that has these instructions, None for the host's.
        llvm_features: additional features of the loop that measures the peak.
        lanes: 32-bit elements of a vector.
        accumulators: vector accumulators of the loop that measures the peak, at most as many as
            there are registers beside its operands; 0 if the peak is not measured.
        simdlen: inductor's vector length in bits, None for its own choice.
        environment: variables that PyTorch and NumPy read when they are imported.
        restricted: the sentence of the document about these settings.
    """

    name: str
    cpu: str | None = None
    llvm_cpu: str | None = None
    llvm_features: str = ""
    lanes: int = 4
    accumulators: int = 0
    simdlen: int | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    restricted: str = ""


AVX512 = Level("AVX-512", "host", "x86-64-v4", "-prefer-256-bit", lanes=16, accumulators=24)
AVX2 = Level(
    "AVX2",
    "x86-64-v3",
    "x86-64-v3",
    lanes=8,
    accumulators=12,
    simdlen=256,
    environment={
        "ATEN_CPU_CAPABILITY": "avx2",
        "ONEDNN_MAX_CPU_ISA": "AVX2",
        "MKL_ENABLE_INSTRUCTIONS": "AVX2",
        "OPENBLAS_CORETYPE": "Haswell",
        # GCC and Clang vectorize loops that inductor does not.
        "TORCHINDUCTOR_CPP_MARCH": "x86-64-v3",
    },
    restricted=(
        "Ours uses `compile(cpu=\"x86-64-v3\")`; ATen, oneDNN, MKL and OpenBLAS environment "
        "variables; inductor `cpp.simdlen` and `cpp.march`."
    ),
)  # fmt: skip
# For any other CPU, and for GPUs.
NATIVE = Level("native")
AARCH64 = Level("native", accumulators=24)
TITLED = (AVX512.name, AVX2.name)
"""The levels that have a heading in the document."""


def host_levels(machine: str, features: Mapping[str, bool]) -> tuple[Level, ...]:
    """The levels of a host, the widest first; `features` have LLVM's names."""
    if machine in ("x86_64", "AMD64"):
        has_avx2 = all(features.get(each) for each in _AVX2)
        if has_avx2 and all(features.get(each) for each in _AVX512):
            return (AVX512, AVX2)
        return (AVX2,) if has_avx2 else (NATIVE,)
    return (AARCH64,) if machine in ("aarch64", "arm64") else (NATIVE,)


def levels_of_host() -> tuple[Level, ...]:
    """The levels of this host, the widest first."""
    return host_levels(platform.machine(), binding.get_host_cpu_features())


# CPU features on which the speed of generated code depends.
_FEATURES = ("avx2", "fma", "avx512f", "avx512bw", "avx512_bf16", "amx_bf16", "asimd", "sve")


def processor() -> str:
    """The host's CPU with its features."""
    path = Path("/proc/cpuinfo")
    lines = path.read_text().splitlines() if path.exists() else []
    told = {line.partition(":")[0].strip(): line.partition(":")[2].split() for line in lines}
    model = " ".join(told.get("model name", [])) or platform.processor() or platform.machine()
    name = f"{model} ({binding.get_host_cpu_name()})"
    flags = told.get("flags", told.get("Features", []))
    features = [each for each in _FEATURES if each in flags]
    return f"{name} with {', '.join(features)}" if features else name
