"""Compile a module in a worker process, and report its errors."""

from __future__ import annotations

import json
import re
import signal
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from torch_refine.passes.lowering.kernels.targets.host import target as cpu_target
from torch_refine.runtime.calls.signature import Preparation, Signature
from torch_refine.runtime.compiling import cache, progress
from torch_refine.runtime.compiling.cache_key import compiler, key_of
from torch_refine.runtime.compiling.limits import MEMORY, SECONDS, Limits, current_limits
from torch_refine.runtime.compiling.measured_schedules import MAX_AUTOTUNE, MeasuredSchedules
from torch_refine.runtime.compiling.worker_process import Ended, NoInterpreterError, run_worker

# Out-of-memory messages of C++, LLVM and Python.
_NO_MEMORY = re.compile("bad_alloc|out of memory|MemoryError|cannot allocate memory", re.IGNORECASE)
_LINES_SAID = 3


class CompileError(Exception):
    """A program cannot be compiled; the message names the operator and its source line."""


MODES = ("default", MAX_AUTOTUNE)


@dataclass(frozen=True)
class Options:
    """Options of code generation.

    Args:
        opt_level: 0 compiles fastest, 3 generates the fastest code.
        threads: how many threads share the work of large kernels.
        fast_math: allow reassociation, and ignore the sign of zero.
        target: "cpu" or "cuda"; the latter ignores the options for CPU code.
        chip: the GPU to generate code for.
        separate_buffers: allocate each buffer separately; for tools that track memory.
        cpu: the processor to generate code for, `host` or a name.
        features: features to add to it and to remove.
        mode: `default`, or `max-autotune` to measure the schedules of contractions.
    """

    opt_level: int = 3
    threads: int = 1
    fast_math: bool = False
    target: str = "cpu"
    chip: str = ""
    separate_buffers: bool = False
    cpu: str = "host"
    features: str = ""
    mode: str = MODES[0]

    def request(self, stages: Sequence[str]) -> dict[str, Any]:
        """The request to the worker."""
        asked = {"options": asdict(self), "stages": list(stages)}
        if self.target == "cpu":
            # A name may mean another processor on another machine, or in another version.
            asked["record"] = cpu_target(self.cpu, self.features).as_data()
        return asked


@dataclass(frozen=True)
class Compiled:
    """An object file, and the signature of its function.

    `assembly` is the code of `kernels`, the names of the GPU kernels.

    `prepared` is computed from the state before the first call, None if nothing is; `workspaces`
    are the workspace sizes of the functions in bytes; `assertions` are those of the program, each
    with its source line; `features` are those required by the CPU code; `updated` are the results
    that the code does not return, because it writes them to arguments.
    """

    content: bytes
    signature: Signature
    prepared: Preparation | None
    workspaces: dict[str, int]
    assertions: tuple[str, ...]
    assembly: str = ""
    kernels: tuple[str, ...] = ()
    features: tuple[str, ...] = ()
    updated: tuple[int, ...] = ()


def compile_module(bytecode: bytes, options: Options) -> Compiled:
    """Compile a module, or load it from the cache.

    Raises CompileError with the diagnostics of the passes.
    """
    request = options.request(["object"])
    key = key_of(bytecode, request)
    measured = MeasuredSchedules(request["record"]) if options.mode == MAX_AUTOTUNE else None
    found = cache.find(key)
    if found is not None and measured is not None and not measured.has(_schedules_of(found)):
        # The schedules in use have changed since.
        found = None
    compiled = None if found is None else _cached(key, found)
    if compiled is not None:
        return compiled
    if measured is not None:
        request["schedules"] = measured.as_data()
    with tempfile.TemporaryDirectory(prefix="torch-refine-") as folder:
        _run(bytecode, request, Path(folder))
        result = Path(folder, "result.json").read_bytes()
        content = Path(folder, "object.o").read_bytes()
    made = _compiled(result, content)
    if measured is not None:
        measured.add(json.loads(result)["schedules"])
    # A checkout may have changed since this process read it.
    if json.loads(result)["compiler"] == compiler():
        cache.store(key, result + b"\n" + content)
    return made


def why_not_compiled(
    bytecode: bytes, options: Options, last_stage: str | None = None
) -> str | None:
    """Why a module does not compile, before code is generated; None if it does.

    With a `last_stage` of the pipeline, such as `linalg`, later stages do not run. What the passes
    say is kept in the cache; a lack of time or memory is not.
    """
    request = options.request([]) | ({} if last_stage is None else {"last stage": last_stage})
    key = key_of(bytecode, request)
    found = cache.find(key)
    if found is None:
        with tempfile.TemporaryDirectory(prefix="torch-refine-") as folder:
            try:
                _run(bytecode, request, Path(folder))
            except CompileError as error:
                if not Path(folder, "result.json").exists():
                    return str(error)
                found = str(error).encode()
            else:
                found = b""
        cache.store(key, found)
    return found.decode() or None


def show_stage(bytecode: bytes, options: Options, stage: str) -> str:
    """The program as text after a stage; raises CompileError."""
    request = options.request([stage])
    if options.mode == MAX_AUTOTUNE:
        request["schedules"] = MeasuredSchedules(request["record"]).as_data()
    with tempfile.TemporaryDirectory(prefix="torch-refine-") as folder:
        _run(bytecode, request, Path(folder))
        return Path(folder, stage).read_text(encoding="utf-8")


def _cached(key: str, entry: bytes) -> Compiled | None:
    """Decode a cache entry; None if it is invalid."""
    result, _, content = entry.partition(b"\n")
    try:
        return _compiled(result, content)
    except Exception as error:
        cache.refuse(key, f"it cannot be read ({type(error).__name__}: {error})")
        return None


def _schedules_of(entry: bytes) -> Any:
    """The measured schedules recorded in an entry; None if there are none."""
    try:
        return json.loads(entry.partition(b"\n")[0])["schedules"]
    except (ValueError, KeyError, TypeError):
        return None


def _compiled(data: bytes, content: bytes) -> Compiled:
    """Decode the worker's output: a line of JSON, and the object file."""
    result = json.loads(data)
    signature = Signature.from_data(result["signature"])
    given = result["prepared"]
    prepared = None if given is None else Preparation.from_data(given)
    assertions, kernels = tuple(result["assertions"]), tuple(result["kernels"])
    workspaces, assembly = result["workspaces"], result["assembly"]
    features, updated = tuple(result["features"]), tuple(result["updated"])
    return Compiled(
        content, signature, prepared, workspaces, assertions, assembly, kernels, features, updated
    )


def _run(bytecode: bytes, request: dict[str, Any], folder: Path) -> None:
    (folder / "request.json").write_text(json.dumps(request), encoding="utf-8")
    (folder / "module.mlirbc").write_bytes(bytecode)
    limits = current_limits()
    progress.follow(folder / "progress")
    try:
        ended = run_worker(folder, limits)
    except NoInterpreterError as error:
        raise CompileError(str(error)) from None
    if ended.code != 0:
        raise CompileError(_end_of(folder, ended, limits))
    result = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    if "failed" in result:
        raise CompileError("\n".join([f"{result['failed']} failed", *result["diagnostics"]]))


def _end_of(folder: Path, ended: Ended, limits: Limits) -> str:
    """The message for a worker that failed: its exit status, the running pass and the operators."""
    path = folder / "progress"
    noted = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    step, operators = (noted[0], noted[2:]) if noted else ("the compiler's start", [])
    said = ended.said.splitlines()[-_LINES_SAID:]
    if ended.code is None:
        how = f"did not end within {limits.seconds:g} s, which {SECONDS} sets"
    elif _NO_MEMORY.search(ended.said):
        how = f"exceeded {limits.gib} of memory, which {MEMORY} sets"
    elif ended.code == -signal.SIGKILL:
        how = "was killed; the system may have had no memory left"
    elif ended.code < 0:
        how = f"ended with {signal.Signals(-ended.code).name}"
    else:
        how = f"ended with exit code {ended.code}"
    if operators:
        said.append(f"note: the program then had {', '.join(operators)}")
    return "\n".join([f"{step} {how}", *said])
