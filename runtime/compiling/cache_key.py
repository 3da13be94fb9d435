"""The cache key of a compiled program: a hash of everything it depends on."""

from __future__ import annotations

import hashlib
import json
import platform
import sys
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from types import ModuleType
from typing import Any

from torch_refine.passes.lowering.abi import VERSION

# Packages whose metadata lists the hashes of their files. The last one contains libdevice, which
# GPU code is linked with.
_PACKAGES = ("torch-mlir", "llvmlite", "nvidia-cuda-nvcc-cu12", "triton")


def key_of(bytecode: bytes, request: dict[str, Any]) -> str:
    """The hash of a module, the request, and the compiler."""
    asked = json.dumps(request, sort_keys=True).encode()
    digest = hashlib.sha256()
    for part in (bytecode, asked, compiler().encode()):
        digest.update(hashlib.sha256(part).digest())
    return digest.hexdigest()


@cache
def compiler() -> str:
    """The hash of the compiler: sources, the library, packages, Python, the processor."""
    parts = [
        f"ABI {VERSION}",
        *map(_package, _PACKAGES),
        sys.version,
        platform.machine(),
        _processor(),
        *_sources(),
    ]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _package(name: str) -> str:
    """A package's version, and the hashes of its installed files."""
    try:
        found = distribution(name)
    except PackageNotFoundError:
        return f"no {name}"
    return f"{name} {found.version} {found.read_text('RECORD')}"


def _sources() -> list[str]:
    import torch_refine.abstract_interp_lib as library
    import torch_refine.dialect as dialect
    import torch_refine.passes as passes
    import torch_refine.pipelines as pipelines
    import torch_refine.runtime as runtime

    return source_hashes(library, dialect, passes, pipelines, runtime)


def source_hashes(*rooms: ModuleType) -> list[str]:
    """The files of packages with their hashes: a checkout changes without a version change."""
    found = []
    for room in rooms:
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
