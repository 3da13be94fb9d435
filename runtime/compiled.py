"""`compile`: a model, or a module, as a callable program."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.requirements import require
from torch_refine.runtime.calls.guards import GuardError
from torch_refine.runtime.compiled_module import CompiledModule, bytecode_of
from torch_refine.runtime.compiling.collector import few_collections
from torch_refine.runtime.compiling.compiler import CompileError, Options
from torch_refine.runtime.compiling.progress import shown
from torch_refine.runtime.options import driver_for, options_of
from torch_refine.runtime.refusals import GradientError, WeightError

if TYPE_CHECKING:
    from torch_refine.runtime.partition.partitioned import PartitionedModule

FALLBACKS = ("error", "pytorch")


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
    fallback: str = "error",
) -> CompiledModule | PartitionedModule:
    """Compile a model to machine code.

    `model_or_module` is a `torch.nn.Module`, exported with `example_inputs`, a tuple or one tensor,
    `kwargs` and `dynamic_shapes` as `torch.export.export` takes them; an `ExportedProgram`; or a
    module of the torch dialect whose function `main` is compiled. The weights of a model are not
    copied: in-place changes are seen. Tensors that `forward` assigns to attributes and buffers are
    state of the program; other state in Python is refused if later calls depend on it, and left as
    it was if they do not.

    `target` is `"cpu"`, or `"cuda"` for a model on a GPU, whose kernels are launched on PyTorch's
    current stream. On the CPU, `opt_level` 0 compiles fastest, 3 generates the fastest code;
    `threads` share the work of large kernels, through the OpenMP runtime of `intel-openmp`;
    `fast_math` allows reassociation, and ignores the sign of zero.

    `cpu` is the processor that runs the code: `"host"`, a level such as `"x86-64-v3"`, or one of
    those that `python -m torch_refine.target --list` prints, of the host's architecture; `features`
    are LLVM features to add and to remove, as `"+avx512bf16,-fma"`. A program for a processor with
    features that this one lacks can be saved, but a call raises RuntimeError.

    `mode="max-autotune"` measures the schedules of each new size of matmul or convolution on this
    machine, and uses the fastest; results do not depend on the schedule. `python -m
    torch_refine.schedules` shows, exports and imports what was measured.

    `fallback="pytorch"` compiles a model in parts if an operator has no lowering: PyTorch runs that
    operator between them. The program's `report()` says which operators run there, why, and which
    share of the time they take; a warning of the logger `torch_refine` names them. `"error"` raises
    CompileError.

    Compiling runs in a separate process, which ends with this one. After two seconds a terminal
    shows its progress, unless `TORCH_REFINE_PROGRESS=0`. It may take
    `TORCH_REFINE_COMPILE_SECONDS`, 1800 without that setting, and `TORCH_REFINE_COMPILE_GIB` of
    memory, three quarters of what the system has; past either, CompileError names the pass and the
    operators. Embedded Python sets the interpreter for it with `multiprocessing.set_executable`.

    Compiled programs are cached in the user's cache folder, `~/.cache/torch-refine` or that which
    `TORCH_REFINE_CACHE` names, unless `TORCH_REFINE_CACHE=0`. It takes up to
    `TORCH_REFINE_CACHE_GIB`, 2 by default. A folder or an entry that other users could have written
    is ignored, and logged to `torch_refine`.

    Raises:
        CompileError: an operator has no lowering, or a type is unknown; with op and source line.
            Compiling took too long, too much memory, or crashed; with pass and operators.
        ImportModelError: the model cannot be exported.
        ImportError: PyTorch is not installed, which a model needs.
        TypeError, ValueError: an argument is invalid.
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
    if fallback not in FALLBACKS:
        raise ValueError(f"fallback is {' or '.join(map(repr, FALLBACKS))}, not {fallback!r}")
    if fallback != FALLBACKS[0] and target != "cpu":
        raise ValueError(f"fallback={fallback!r} is for target='cpu'")
    with shown(), few_collections():
        return _compile(model_or_module, example_inputs, dynamic_shapes, options, kwargs, fallback)


def _compile(
    model_or_module: Any,
    example_inputs: Any,
    dynamic_shapes: Any,
    options: Options,
    kwargs: Mapping[str, Any] | None,
    fallback: str,
) -> CompiledModule | PartitionedModule:
    if isinstance(model_or_module, ir.Module):
        if fallback != FALLBACKS[0]:
            raise ValueError(f"fallback={fallback!r} is for models, not for modules of a dialect")
        driver = driver_for(options)
        if driver is not None:
            options = replace(options, chip=driver.chip)
        return CompiledModule(bytecode_of(model_or_module), options, driver=driver)
    require("torch")
    from torch_refine.runtime.torch_models.models import build_model, compile_model

    given = (model_or_module, example_inputs, dynamic_shapes, options, kwargs)
    if fallback == FALLBACKS[0]:
        return compile_model(*given)
    from torch_refine.runtime.partition.building import compile_or_split

    return build_model(*given, build=compile_or_split)


__all__ = [
    "CompileError",
    "CompiledModule",
    "GradientError",
    "GuardError",
    "WeightError",
    "compile",
]
