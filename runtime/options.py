"""The options of a compilation: their defaults, and what each may be."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

from torch_refine.dialect.requirements import how_to_install
from torch_refine.passes.lowering.kernels.targets.host import host
from torch_refine.passes.lowering.kernels.targets.host import target as cpu_target
from torch_refine.runtime.calls.openmp import openmp_library
from torch_refine.runtime.compiling.compiler import MODES, CompileError, Options
from torch_refine.runtime.compiling.measured_schedules import MAX_AUTOTUNE
from torch_refine.runtime.cuda.interface import Driver
from torch_refine.runtime.program import missing_features

TARGETS = ("cpu", "cuda")
_MAX_THREADS = 1024
_SHOWN_FEATURES = 8
_DEFAULTS: dict[str, Any] = {
    "opt_level": 3,
    "threads": 1,
    "fast_math": False,
    "cpu": "host",
    "features": "",
    "mode": MODES[0],
}


def options_of(target: str = "cpu", **given: Any) -> Options:
    """The options of a compilation; see `compile`.

    Raises:
        TypeError, ValueError: an option is unknown, or has an invalid value.
        CompileError: a package that an option requires is not installed.
    """
    unknown = given.keys() - _DEFAULTS.keys()
    if unknown:
        names = ", ".join(_DEFAULTS)
        raise TypeError(f"there is no option {min(unknown)!r}; the options are {names}")
    for name, value in given.items():
        wanted = type(_DEFAULTS[name])
        if type(value) is not wanted:
            raise TypeError(f"{name} must be of type {wanted.__name__}, got {value!r}")
    chosen = {**_DEFAULTS, **given}
    opt_level, threads = chosen["opt_level"], chosen["threads"]
    if target not in TARGETS:
        raise ValueError(f"target is 'cpu' or 'cuda', not {target!r}")
    if target == "cuda" and chosen != _DEFAULTS:
        *first, last = _DEFAULTS
        raise ValueError(f"{', '.join(first)} and {last} are for target='cpu'")
    if not 0 <= opt_level <= 3:
        raise ValueError(f"opt_level is between 0 and 3, not {opt_level}")
    if not 1 <= threads <= _MAX_THREADS:
        raise ValueError(f"threads is between 1 and {_MAX_THREADS}, not {threads}")
    if chosen["mode"] not in MODES:
        raise ValueError(f"mode is {' or '.join(map(repr, MODES))}, not {chosen['mode']!r}")
    if find_spec("llvmlite") is None:
        raise CompileError(how_to_install("llvmlite"))
    if threads > 1 and openmp_library() is None:
        raise CompileError(how_to_install("intel-openmp"))
    record = cpu_target(chosen["cpu"], chosen["features"])
    architecture = record.architecture
    if architecture != host().architecture:
        raise CompileError(
            f"{chosen['cpu']} is {architecture}, and code is generated for the architecture of the "
            f"host only, {host().architecture}"
        )
    missing = missing_features(record.features) if chosen["mode"] == MAX_AUTOTUNE else ()
    if missing:
        raise CompileError(
            f"mode={MAX_AUTOTUNE!r} runs code for {chosen['cpu']}, and the host has no "
            f"{', '.join(missing[:_SHOWN_FEATURES])}"
        )
    return Options(target=target, **chosen)


def driver_for(options: Options, device: Any = None) -> Driver | None:
    """The driver of a device, or of PyTorch's current one; None for the CPU.

    Raises CompileError if no program can run there.
    """
    if options.target == "cpu":
        return None
    from torch_refine.runtime.cuda import driver

    return driver.driver_of(device)
