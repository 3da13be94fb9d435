"""The name of what was compiled: a hash of all that it depends on."""

from __future__ import annotations

import hashlib
import json
import platform
import sys
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

# What the file of the same name in a wheel's metadata lists has its hash beside it. libdevice,
# which code for GPUs is linked with, is part of the last one.
_PACKAGES = ("torch-mlir", "llvmlite", "nvidia-cuda-nvcc-cu12")


def key_of(bytecode: bytes, request: dict[str, Any]) -> str:
    """The hash of a module, of what is asked for, and of what compiles it."""
    asked = json.dumps(request, sort_keys=True).encode()
    digest = hashlib.sha256()
    for part in (bytecode, asked, compiler().encode()):
        digest.update(hashlib.sha256(part).digest())
    return digest.hexdigest()


@cache
def compiler() -> str:
    """The hash of all that makes code: sources, the library, packages, Python, the processor."""
    parts = [
        *map(_package, _PACKAGES),
        sys.version,
        platform.machine(),
        _processor(),
        *_sources(),
    ]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _package(name: str) -> str:
    """A package's version, and the hashes of its files as they were installed."""
    try:
        found = distribution(name)
    except PackageNotFoundError:
        return f"no {name}"
    return f"{name} {found.version} {found.read_text('RECORD')}"


def _sources() -> list[str]:
    """Our own files with their hashes: a checkout changes without changing its version."""
    import torch_refine.abstract_interp_lib as library
    import torch_refine.dialect as dialect
    import torch_refine.passes as passes
    import torch_refine.pipelines as pipelines
    import torch_refine.runtime as runtime

    found = []
    for room in (library, dialect, passes, pipelines, runtime):
        assert room.__file__ is not None
        folder = Path(room.__file__).parent
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.parent.name != "__pycache__":
                digest = hashlib.sha256(path.read_bytes()).hexdigest()
                found.append(f"{room.__name__} {path.relative_to(folder).as_posix()} {digest}")
    return found


def _processor() -> str:
    import llvmlite.binding as llvm

    return f"{llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()}"
