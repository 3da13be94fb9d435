"""Assemble PTX with NVIDIA's assembler, if it is installed; no GPU is needed."""

from __future__ import annotations

import re
import subprocess
import tempfile
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

_FIGURES = re.compile(
    r"Compiling entry function '(?P<name>\w+)'.*?"
    r"(?P<stores>\d+) bytes spill stores, (?P<loads>\d+) bytes spill loads.*?"
    r"Used (?P<registers>\d+) registers(?P<rest>[^\n]*)",
    re.DOTALL,
)
_SHARED = re.compile(r"(\d+) bytes smem")


class AssemblerError(Exception):
    """The assembler rejects a program, with its message."""


@dataclass(frozen=True)
class KernelFigures:
    """The resources of a kernel, as `ptxas -v` prints them; sizes in bytes."""

    name: str
    registers: int
    shared: int
    spilled: int


def ptxas() -> Path | None:
    """NVIDIA's assembler, of the package `nvidia-cuda-nvcc-cu12`; None if it is not installed."""
    spec = find_spec("nvidia")
    for folder in (spec.submodule_search_locations or ()) if spec is not None else ():
        path = Path(folder, "cuda_nvcc", "bin", "ptxas")
        if path.exists():
            return path
    return None


def assemble(text: str, chip: str, assembler: Path) -> list[KernelFigures]:
    """Assemble PTX for a chip; returns the resources of each kernel. Raises AssemblerError."""
    with tempfile.TemporaryDirectory(prefix="torch-refine-") as folder:
        source = Path(folder, "kernels.ptx")
        source.write_text(text, encoding="utf-8")
        command = [
            str(assembler),
            "-v",
            f"-arch={chip}",
            str(source),
            "-o",
            f"{folder}/kernels.cubin",
        ]
        done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    if done.returncode != 0:
        raise AssemblerError(done.stderr.strip())
    return [
        KernelFigures(
            found["name"],
            int(found["registers"]),
            sum(map(int, _SHARED.findall(found["rest"]))),
            int(found["stores"]) + int(found["loads"]),
        )
        for found in _FIGURES.finditer(done.stderr)
    ]
