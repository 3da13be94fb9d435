"""`compile`: a model, or a module, as a function that runs."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from typing import Any

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.requirements import how_to_install, require
from torch_refine.passes.lowering.targets.host import host
from torch_refine.passes.lowering.targets.host import target as cpu_target
from torch_refine.runtime.compiler import (
    MODES,
    CompileError,
    Options,
    compile_module,
    show_stage,
)
from torch_refine.runtime.cuda.table import Driver
from torch_refine.runtime.disassembly import disassemble, missing_packages
from torch_refine.runtime.found_schedules import MAX_AUTOTUNE
from torch_refine.runtime.guards import GuardError
from torch_refine.runtime.interface import Interface
from torch_refine.runtime.openmp import openmp_library
from torch_refine.runtime.program import Program, missing_features
from torch_refine.runtime.progress import shown
from torch_refine.runtime.refusals import GradientError, WeightError
from torch_refine.runtime.weights import Weights

STAGES = ("torch", "linalg", "llvm", "asm", "ptx")
TARGETS = ("cpu", "cuda")
_MOST_THREADS = 1024
_SHOWN_FEATURES = 8
_DEFAULTS: dict[str, Any] = {
    "opt_level": 3,
    "threads": 1,
    "fast_math": False,
    "cpu": "host",
    "features": "",
    "mode": MODES[0],
}


class CompiledModule(Program):
    """A compiled program. Call it with the inputs that the program takes.

    Inputs are torch tensors, or NumPy arrays; results are of the same kind. Inputs are not copied,
    except one that has other strides than its example, or is not contiguous without one. A result
    owns its memory, also where eager mode returns an input or a view of one: that is a copy here.
    The memory that the program works in is kept from call to call, for each call that runs at the
    same time; threads, processes that are forked off, and calls within a call do not share it.

    A model may write to its inputs and buffers. What the program computed is written to them when
    it ends, so an input that is written to may not share memory with another.

    The weights are those that the model has at the call, by name: in-place changes and replaced
    tensors are seen (`refresh` is for what PyTorch does not count). The code is that from when it
    was compiled: changes of modules, hooks and modes such as `train()` are not seen. The weights
    of an `ExportedProgram` are its own tensors, whatever the model that it was made of has later.

    No gradients are computed. With gradients switched on, a result has `requires_grad` where it
    has in eager mode because of a weight, and its backward pass raises; an input that requires a
    gradient is refused.

    Raises on a call:
        TypeError: a wrong number of inputs, or one of a wrong kind, dtype or device, or a tensor
            without memory.
        ValueError: an input of other sizes than the program was compiled for, or in the memory of
            another that is written to, or one that cannot be written to and is.
        GuardError: sizes that break a condition of the export; a ValueError, too.
        GradientError: a gradient would be lost; a RuntimeError.
        WeightError: a weight is gone, or no longer one that the program was compiled for; a
            RuntimeError.
        RuntimeError: the program itself found something wrong, such as an index out of range, it
            was called where calls are traced, or it is for a processor that has what this one
            lacks.
    """

    def __init__(
        self,
        bytecode: bytes,
        options: Options,
        weights: Weights | None = None,
        orders: Mapping[int, Sequence[int]] | None = None,
        interface: Interface | None = None,
        driver: Driver | None = None,
    ) -> None:
        self._bytecode = bytecode
        self._options = options
        self._compiled = compile_module(bytecode, options)
        self._orders = orders or {}
        super().__init__(self._compiled, options.threads, weights, orders, interface, driver)

    def save(self, path: str | os.PathLike[str], *, weights: bool = True) -> str:
        """Write the program to a file for `torch_refine.load_compiled`; the SHA-256 of the file.

        It has the code for the processor that was asked for, and the weights as they are now, or
        none of them. Named tuples become tuples there, and instances of other classes dicts.

        Raises:
            CompileError: a program for a GPU, or inputs or results that a file cannot hold.
            OSError: the file cannot be written; one that exists then stays as it was.
        """
        from torch_refine.runtime.saved import Parts, interface_as_data, save

        if self._options.target != "cpu":
            raise CompileError("only programs for the CPU are saved")
        interface, state = self._interface, self._state
        nesting = None
        if interface is not None:
            from torch_refine.runtime.pytrees import as_tree

            try:
                inputs = [as_tree(spec, "the inputs") for spec in interface.nesting.specs]
                result = as_tree(interface.result_spec, "the results")
                nesting = interface_as_data(interface, inputs, result)
            except ValueError as error:
                raise CompileError(f"the program cannot be saved: {error}") from error
        names = () if state is None else state.names
        tensors: Sequence[Any] = []
        if state is not None:
            # What is prepared of them takes code that runs here.
            tensors = state.tensors() if self.missing_features else state.current().tensors
        parts = Parts(self._options, self._orders, names, nesting)
        return save(path, self._compiled, parts, tensors if weights else None)

    def ir(self, stage: str) -> str:
        """The program at a stage: `"torch"` (refined), `"linalg"`, `"llvm"`, `"asm"` or `"ptx"`.

        The assembly is that of the code that runs on the host. PTX is what runs on the GPU; of a
        program that is compiled for the CPU, what would run on one (sm_90).
        """
        if stage not in STAGES:
            raise ValueError(f"stage is {', '.join(STAGES)}, not {stage!r}")
        if stage == "asm":
            missing = missing_packages()
            if missing:
                raise CompileError(f"assembly cannot be shown: {how_to_install(*missing)}")
            return disassemble(compile_module(self._bytecode, self._options).content)
        return show_stage(self._bytecode, self._options, stage)


def compile(
    model_or_module: Any,
    example_inputs: Any = (),
    target: str = "cpu",
    dynamic_shapes: Any = None,
    *,
    kwargs: Mapping[str, Any] | None = None,
    opt_level: int = 3,
    threads: int = 1,
    fast_math: bool = False,
    cpu: str = "host",
    features: str = "",
    mode: str = "default",
) -> CompiledModule:
    """Compile a model to code that runs.

    `model_or_module` is a `torch.nn.Module`, exported with `example_inputs`, a tuple or one tensor,
    `kwargs` and `dynamic_shapes` as `torch.export.export` takes them; an `ExportedProgram`; or a
    module of the torch dialect whose function `main` is compiled. The weights of a model are not
    copied: what is changed in them in place is seen.

    `target` is `"cpu"`, or `"cuda"` for a model on a GPU, whose kernels are put into PyTorch's
    current stream. On the CPU, `opt_level` 0 compiles fastest, 3 makes the fastest code; `threads`
    share the work of large kernels, through the OpenMP runtime of `intel-openmp`; `fast_math`
    rounds as is fastest, whatever the order of sums or the sign of zero.

    `cpu` is the processor that runs the code: `"host"`, a level such as `"x86-64-v3"`, or one of
    those that `python -m torch_refine.target --list` prints, of the host's architecture; `features`
    are LLVM's names of instruction sets to add and to take away, as `"+avx512bf16,-fma"`. A program
    for a processor that has more than this one can be saved, and a call raises RuntimeError.

    `mode="max-autotune"` measures, the first time that this machine meets a matmul or convolution
    of some sizes, which schedule is fastest; the results of a program are the same with any.
    `python -m torch_refine.schedules` shows, exports and imports what was measured.

    Compiling runs in a process of its own, which ends with this one. After two seconds a terminal
    shows what it is doing, unless `TORCH_REFINE_PROGRESS=0`. It may take
    `TORCH_REFINE_COMPILE_SECONDS`, 1800 without that setting, and `TORCH_REFINE_COMPILE_GIB` of
    memory, three quarters of what the system has; past either, CompileError names the pass and the
    operators. What is embedded in another program names a Python interpreter for it with
    `multiprocessing.set_executable`.

    What was compiled before is taken from the user's cache folder, `~/.cache/torch-refine` or that
    which `TORCH_REFINE_CACHE` names, unless `TORCH_REFINE_CACHE=0`. It takes up to
    `TORCH_REFINE_CACHE_GIB`, 2 by default. A folder or an entry that others could have written is
    not used; the logger `torch_refine` says so.

    Raises:
        CompileError: an operator has no lowering, or a type is not known; with op and source line.
            Compiling took too long, too much memory, or crashed; with pass and operators.
        ImportModelError: the model cannot be exported.
        ImportError: PyTorch is not installed, which a model needs.
        TypeError, ValueError: an argument is not of the kind described here.
    """
    options = options_of(
        target,
        opt_level=opt_level,
        threads=threads,
        fast_math=fast_math,
        cpu=cpu,
        features=features,
        mode=mode,
    )
    with shown():
        return _compile(model_or_module, example_inputs, dynamic_shapes, options, kwargs)


def _compile(
    model_or_module: Any,
    example_inputs: Any,
    dynamic_shapes: Any,
    options: Options,
    kwargs: Mapping[str, Any] | None,
) -> CompiledModule:
    if isinstance(model_or_module, ir.Module):
        driver = driver_for(options)
        if driver is not None:
            options = replace(options, chip=driver.chip)
        return CompiledModule(_bytecode(model_or_module), options, driver=driver)
    require("torch")
    from torch_refine.runtime.models import compile_model

    return compile_model(model_or_module, example_inputs, dynamic_shapes, options, kwargs)


def options_of(target: str = "cpu", **given: Any) -> Options:
    """The options of a compilation; `compile` says what they mean.

    Raises:
        TypeError, ValueError: an option is unknown, or has a value that it cannot have.
        CompileError: what an option needs is not installed.
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
    if not 1 <= threads <= _MOST_THREADS:
        raise ValueError(f"threads is between 1 and {_MOST_THREADS}, not {threads}")
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


def _bytecode(module: ir.Module) -> bytes:
    import io

    stream = io.BytesIO()
    module.operation.write_bytecode(stream)
    return stream.getvalue()


__all__ = [
    "CompileError",
    "CompiledModule",
    "GradientError",
    "GuardError",
    "WeightError",
    "compile",
]
