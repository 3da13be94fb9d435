"""What was compiled before, in the user's cache folder.

An entry is a folder named after the hash of all that went into it. It is made beside its place and
moved there in one step, so that two processes never see half of one.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shutil
import tempfile
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

SWITCH = "TORCH_REFINE_CACHE"


def cache_folder() -> Path | None:
    """The folder of the cache, None where `TORCH_REFINE_CACHE=0` turns it off.

    `TORCH_REFINE_CACHE` may also name another folder.
    """
    setting = os.environ.get(SWITCH, "")
    if setting == "0":
        return None
    if setting:
        return Path(setting)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "torch-refine"


def key_of(bytecode: bytes, request: dict[str, Any]) -> str:
    """The hash of a module, of what is asked for, and of what compiles it."""
    digest = hashlib.sha256(bytecode)
    digest.update(json.dumps(request, sort_keys=True).encode())
    digest.update(_compiler().encode())
    return digest.hexdigest()[:32]


@cache
def _compiler() -> str:
    """The versions of all that makes code, and the processor that it is for."""
    parts = [version("torch-refine"), version("torch-mlir"), version("llvmlite")]
    return "\n".join([*parts, _sources(), platform.machine(), _processor()])


def _sources() -> str:
    """A hash of our own code: a checkout changes without changing its version."""
    import torch_refine.dialect as dialect
    import torch_refine.passes as passes
    import torch_refine.pipelines as pipelines
    import torch_refine.runtime as runtime

    digest = hashlib.sha256()
    for room in (dialect, passes, pipelines, runtime):
        assert room.__file__ is not None
        folder = Path(room.__file__).parent
        for path in sorted([*folder.rglob("*.py"), *folder.rglob("*.mlir")]):
            digest.update(path.read_bytes())
    return digest.hexdigest()


def _processor() -> str:
    import llvmlite.binding as llvm

    return f"{llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()}"


def find(key: str) -> Path | None:
    """The folder of an entry, None when there is none."""
    folder = cache_folder()
    if folder is None or not (folder / key / "result.json").is_file():
        return None
    return folder / key


def store(key: str, made: Path) -> None:
    """Copy an entry into the cache; another process may have been faster, which is as well."""
    folder = cache_folder()
    if folder is None:
        return
    folder.mkdir(parents=True, exist_ok=True)
    copy = Path(tempfile.mkdtemp(prefix=".", dir=folder))
    if (folder / key).exists():
        # It is broken, or it would have been taken.
        shutil.rmtree(folder / key, ignore_errors=True)
    try:
        for name in ("object.o", "result.json"):
            shutil.copyfile(made / name, copy / name)
        copy.rename(folder / key)
    except OSError:
        # The entry exists by now, or the disk is full: the program works without the cache.
        shutil.rmtree(copy, ignore_errors=True)
