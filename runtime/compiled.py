"""`compile`: a model, or a module, as a function that runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Protocol

from torch_refine.dialect.bindings import ir
from torch_refine.runtime.arguments import Arguments
from torch_refine.runtime.calling import Caller, Result
from torch_refine.runtime.compiler import CompileError, Options, compile_module, show_stage
from torch_refine.runtime.cuda.gpu import Gpu, StateTensors
from torch_refine.runtime.cuda.table import Driver
from torch_refine.runtime.disassembly import can_disassemble, disassemble
from torch_refine.runtime.guards import BrokenGuardError, GuardError
from torch_refine.runtime.object_files import ENTRY, PREPARE_ENTRY, load_object
from torch_refine.runtime.openmp import load_openmp, openmp_library
from torch_refine.runtime.refusals import GradientError, WeightError
from torch_refine.runtime.signature import Parameter, Signature, TensorParameter
from torch_refine.runtime.state import Held, State
from torch_refine.runtime.tensors import ArrayKind, NumpyArrays, TorchTensors
from torch_refine.runtime.weights import Weights

if TYPE_CHECKING:
    # These load PyTorch, which a program without a model does not need.
    from torch_refine.runtime.gradients import Gradients

STAGES = ("torch", "linalg", "llvm", "asm", "ptx")
TARGETS = ("cpu", "cuda")
_MOST_THREADS = 1024
_DEFAULTS: dict[str, Any] = {"opt_level": 3, "threads": 1, "fast_math": False}


class Interface(Protocol):
    """How a model is called: what it takes and returns is nested, and it may write to it."""

    def flatten(self, inputs: tuple[Any, ...], keywords: dict[str, Any]) -> list[Any]:
        """The inputs in the order of the program's parameters."""

    gradients: Gradients

    def check(self, values: Sequence[Any], held: Held | None) -> None:
        """Raise what is wrong with them together, and with the state."""

    def finish(
        self, results: list[Any], values: Sequence[Any], arrays: ArrayKind, held: Held | None
    ) -> Any:
        """What the model returns, of the program's results; it is written to what it writes to."""


class CompiledModule:
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
        RuntimeError: the program itself found something wrong, such as an index out of range, or
            it was called where calls are traced.
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
        self._interface = interface
        compiled = compile_module(bytecode, options)
        self.signature = compiled.signature
        prepared = compiled.prepared
        entries = [ENTRY] if prepared is None else [ENTRY, PREPARE_ENTRY]
        if options.threads > 1:
            load_openmp()
        try:
            self._loaded, functions = load_object(compiled.content, entries)
        except RuntimeError as error:
            raise CompileError(f"the code cannot be loaded: {error}") from error
        self._torch: TorchTensors | None = None
        full = compiled.signature
        self._state: State | None = None
        held: StateTensors | None = None
        try:
            if prepared is not None:
                assert weights is not None, "something is prepared of them"
                full = replace(full, parameters=(*full.parameters, *prepared.results))
                taken = tuple(compiled.signature.parameters[place] for place in prepared.places)
                given = Signature("prepare_main", taken, prepared.results)
                workspace = compiled.workspaces.get("prepare_main")
                preparing = Caller(functions[1], given, compiled.assertions, workspace)
                first = len(compiled.signature.parameters)
                self._state = State(weights, prepared.places, preparing, first)
            elif weights is not None and weights.names():
                held = None if driver is None else StateTensors(driver)
                self._state = State(weights, kind=held)
        except WeightError as error:
            raise CompileError(str(error)) from error
        self._gpu: Gpu | None = None
        if driver is not None:
            self._gpu = Gpu(driver, compiled, len(full.parameters), held)
            full = replace(full, parameters=(*full.parameters, *self._gpu.parameters))
        self._caller = Caller(
            functions[0],
            full,
            compiled.assertions,
            compiled.workspaces.get("main") if driver is None else None,
        )
        parameters = compiled.signature.parameters
        self._seed: int | None = None
        if compiled.signature.takes_seed:
            self._seed = len(parameters) - 1
            parameters = parameters[: self._seed]
        self._arguments = Arguments(self._caller, parameters, len(self._state or ()), orders or {})

    def ir(self, stage: str) -> str:
        """The program at a stage: `"torch"` (refined), `"linalg"`, `"llvm"`, `"asm"` or `"ptx"`.

        The assembly is that of the code that runs on the host. PTX is what runs on the GPU; of a
        program that is compiled for the CPU, what would run on one (sm_90).
        """
        if stage not in STAGES:
            raise ValueError(f"stage is {', '.join(STAGES)}, not {stage!r}")
        if stage == "asm":
            if not can_disassemble():
                raise CompileError(
                    "capstone and pyelftools show assembly: pip install 'torch-refine[compile]'"
                )
            return disassemble(compile_module(self._bytecode, self._options).content)
        return show_stage(self._bytecode, self._options, stage)

    def __call__(self, *inputs: Any, **keywords: Any) -> Any:
        """Run the program."""
        return self.call_with(self._state, inputs, keywords)

    def call_with(
        self, state: State | None, inputs: tuple[Any, ...], keywords: dict[str, Any]
    ) -> Any:
        """Run the program with a state of it: its own, or one with other weights."""
        interface = self._interface
        if interface is not None:
            values = interface.flatten(inputs, keywords)
        elif keywords:
            raise TypeError(f"there is no parameter {next(iter(keywords))!r}")
        else:
            values = list(inputs)
        arrays = self._arrays(values)
        arrays.refuse_traces()
        held = None if state is None else state.current()
        frame = self._caller.take_frame()
        try:
            if held is not None:
                held.fill(self._caller, frame)
            # What must live until the call ends.
            alive = self._arguments.fill(frame, values, arrays)
            loses_gradients = False
            if interface is not None:
                interface.check(values, held)
                names = () if state is None else state.names
                loses_gradients = interface.gradients.are_lost(values, held, names)
            if self._seed is not None:
                self._caller.set_number(frame, self._seed, arrays.new_seed())
            if self._gpu is None:
                found = self._caller.call(frame)
            else:
                found = self._gpu.call(self._caller, frame)
        except BrokenGuardError as broken:
            raise broken.explain(values, self._arguments.first) from None
        else:
            del alive
        finally:
            self._caller.give_back(frame)
        results = [
            arrays.make(each, parameter.dtype)
            if isinstance(each, Result) and isinstance(parameter, TensorParameter)
            else each
            for each, parameter in zip(found, self.signature.results, strict=True)
        ]
        if interface is not None:
            if loses_gradients:
                results = interface.gradients.marked(results)
            return interface.finish(results, values, arrays, held)
        return results[0] if len(results) == 1 else tuple(results)

    @property
    def state(self) -> State | None:
        """The weights that the program is bound to; None if it has none."""
        return self._state

    @property
    def input_parameters(self) -> list[Parameter]:
        """What the program takes beside its state, in order."""
        return self._arguments.parameters

    def _arrays(self, values: Sequence[Any]) -> ArrayKind:
        """Of what kind the inputs are, and so the results."""
        if self._gpu is not None:
            return self._gpu.tensors()
        if self._state is not None or not any(type(each).__module__ == "numpy" for each in values):
            if self._torch is None:
                self._torch = TorchTensors()
            return self._torch
        return NumpyArrays()

    def refresh(self) -> None:
        """Prepare the weights anew at the next call.

        Only needed after changes to the elements of a weight that PyTorch does not count: those
        through `Tensor.data` (`weight.data.mul_(2)`, `weight.data[0] = 1`), through a NumPy array
        or another library that shares its memory. What PyTorch counts, such as the step of an
        optimizer or `load_state_dict`, and what replaces a weight or its memory
        (`model.weight = new`, `weight.data = new`), is seen without it.
        """
        if self._state is not None:
            self._state.forget()


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

    Compiling runs in a process of its own, which ends with this one. It may take
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
        TypeError, ValueError: an argument is not of the kind described here.
    """
    options = options_of(target, opt_level=opt_level, threads=threads, fast_math=fast_math)
    if isinstance(model_or_module, ir.Module):
        driver = driver_for(options)
        if driver is not None:
            options = replace(options, chip=driver.chip)
        return CompiledModule(_bytecode(model_or_module), options, driver=driver)
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
        raise ValueError("opt_level, threads and fast_math are for target='cpu'")
    if not 0 <= opt_level <= 3:
        raise ValueError(f"opt_level is between 0 and 3, not {opt_level}")
    if not 1 <= threads <= _MOST_THREADS:
        raise ValueError(f"threads is between 1 and {_MOST_THREADS}, not {threads}")
    if find_spec("llvmlite") is None:
        raise CompileError("llvmlite is not installed: pip install 'torch-refine[compile]'")
    if threads > 1 and openmp_library() is None:
        raise CompileError("intel-openmp is not installed: pip install 'torch-refine[threads]'")
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
