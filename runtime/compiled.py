"""`compile`: a model, or a module, as a function that runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any

from torch_refine.dialect.bindings import ir
from torch_refine.runtime.calling import Caller, Frame, Result
from torch_refine.runtime.compiler import CompileError, Options, compile_module, show_stage
from torch_refine.runtime.object_files import load_object
from torch_refine.runtime.signature import NumberParameter, TensorParameter
from torch_refine.runtime.tensors import ArrayKind, NumpyArrays, TorchTensors

STAGES = ("torch", "linalg", "llvm", "ptx")
_KINDS = {"int": int, "float": (int, float), "bool": bool}


class CompiledModule:
    """A compiled program. Call it with the inputs that the program takes.

    Inputs are torch tensors, or NumPy arrays; results are of the same kind. Neither is copied,
    except an input that is not laid out row by row. A result owns its memory.

    Raises on a call:
        TypeError: a wrong number of inputs, or one of a wrong kind, dtype or device.
        ValueError: an input of other sizes than the program was compiled for.
        RuntimeError: the program itself found something wrong, such as an index out of range.
    """

    def __init__(
        self,
        bytecode: bytes,
        options: Options,
        state: Sequence[Any] = (),
        flatten: Callable[..., list[Any]] | None = None,
        unflatten: Callable[[list[Any]], Any] | None = None,
    ) -> None:
        self._bytecode = bytecode
        self._options = options
        self._state = list(state)
        self._flatten = flatten
        self._unflatten = unflatten
        compiled = compile_module(bytecode, options)
        self.signature = compiled.signature
        self._loaded, function = load_object(compiled.content)
        self._caller = Caller(function, compiled.signature, compiled.assertions)
        self._torch: TorchTensors | None = None

    def ir(self, stage: str) -> str:
        """The program at a stage: `"torch"` (refined), `"linalg"`, `"llvm"`, or `"ptx"`.

        PTX is for an NVIDIA GPU (sm_90); a compiled program does not use it.
        """
        if stage not in STAGES:
            raise ValueError(f"stage is {', '.join(STAGES)}, not {stage!r}")
        return show_stage(self._bytecode, self._options, stage)

    def __call__(self, *inputs: Any, **keywords: Any) -> Any:
        """Run the program."""
        if self._flatten is not None:
            values = self._flatten(inputs, keywords)
        elif keywords:
            raise TypeError(f"there is no parameter {next(iter(keywords))!r}")
        else:
            values = list(inputs)
        parameters = self.signature.parameters
        first = len(self._state)
        if len(values) != len(parameters) - first:
            raise TypeError(f"expected {len(parameters) - first} inputs, got {len(values)}")
        arrays = self._arrays(values)
        frame = self._frame()
        alive = []
        for index, value in enumerate(values, first):
            alive.append(self._pass(frame, index, value, arrays))
        found = self._caller.call(frame)
        results = [
            arrays.make(each, parameter.dtype)
            if isinstance(each, Result) and isinstance(parameter, TensorParameter)
            else each
            for each, parameter in zip(found, self.signature.results, strict=True)
        ]
        if self._unflatten is not None:
            return self._unflatten(results)
        return results[0] if len(results) == 1 else tuple(results)

    def _arrays(self, values: Sequence[Any]) -> ArrayKind:
        """Of what kind the inputs are, and so the results."""
        if self._state or not any(type(each).__module__ == "numpy" for each in values):
            if self._torch is None:
                self._torch = TorchTensors()
            return self._torch
        return NumpyArrays()

    def _frame(self) -> Frame:
        """This thread's frame, with the state passed."""
        frame = self._caller.frame()
        if self._state and not frame.filled:
            assert self._torch is not None
            kept = [
                self._pass(frame, index, value, self._torch)
                for index, value in enumerate(self._state)
            ]
            frame.filled = kept
        return frame

    def _pass(self, frame: Frame, index: int, value: Any, arrays: ArrayKind) -> Any:
        """Pass one argument; what must live until the call ends."""
        parameter = self.signature.parameters[index]
        where = f"input {index - len(self._state)}"
        if isinstance(parameter, NumberParameter):
            if not isinstance(value, _KINDS[parameter.kind]):  # type: ignore[arg-type]
                raise TypeError(f"{where} must be a {parameter}, got {type(value).__name__}")
            self._caller.set_number(frame, index, value)
            return None
        found = arrays.describe(value)
        if found is None:
            device = getattr(value, "device", "cpu")
            if str(device) != "cpu":
                raise TypeError(f"{where} is on {device}, the program runs on the CPU")
            raise TypeError(f"{where} must be {parameter}, got {type(value).__name__}")
        address, sizes, strides, dtype = found
        if dtype != parameter.dtype:
            raise TypeError(f"{where} must be {parameter}, got {dtype}{list(sizes)}")
        if len(sizes) != len(parameter.sizes) or any(
            wanted not in (None, size) for wanted, size in zip(parameter.sizes, sizes, strict=True)
        ):
            raise ValueError(f"{where} must be {parameter}, got {dtype}{list(sizes)}")
        if not _is_row_major(sizes, strides):
            value = arrays.contiguous(value)
            described = arrays.describe(value)
            assert described is not None
            address, sizes, strides, dtype = described
        self._caller.set_tensor(frame, index, address, sizes, strides)
        return value


def _is_row_major(sizes: Sequence[int], strides: Sequence[int]) -> bool:
    """Whether elements follow each other in the order of their indices."""
    expected = 1
    for size, stride in zip(reversed(sizes), reversed(strides), strict=True):
        if size != 1:
            if stride != expected:
                return 0 in sizes
            expected *= size
    return True


def compile(
    model_or_module: Any,
    example_inputs: Sequence[Any] | None = None,
    target: str = "cpu",
    dynamic_shapes: Any = None,
    *,
    opt_level: int = 3,
) -> CompiledModule:
    """Compile a model to code that runs.

    `model_or_module` is a `torch.nn.Module`, exported with `example_inputs` and `dynamic_shapes`
    as `torch.export.export` takes them; an `ExportedProgram`; or a module of the torch dialect
    whose function `main` is compiled. The weights of a model are not copied: what is changed in
    them in place is seen. `opt_level` 0 compiles fastest, 3 makes the fastest code. What was
    compiled before is taken from the user's cache folder, unless `TORCH_REFINE_CACHE=0`.

    Raises:
        CompileError: an operator has no lowering, or a type is not known; with op and source line.
        ImportModelError: the model cannot be exported.
        TypeError, ValueError: an argument is not of the kind described here.
    """
    if target != "cpu":
        raise ValueError(f"target is 'cpu', not {target!r}")
    if not 0 <= opt_level <= 3:
        raise ValueError(f"opt_level is between 0 and 3, not {opt_level}")
    if find_spec("llvmlite") is None:
        raise CompileError("llvmlite is not installed: pip install 'torch-refine[compile]'")
    options = Options(opt_level)
    if isinstance(model_or_module, ir.Module):
        return CompiledModule(_bytecode(model_or_module), options)
    from torch_refine.runtime.models import compile_model

    return compile_model(model_or_module, example_inputs or (), dynamic_shapes, options)


def _bytecode(module: ir.Module) -> bytes:
    import io

    stream = io.BytesIO()
    module.operation.write_bytecode(stream)
    return stream.getvalue()


__all__ = ["CompileError", "CompiledModule", "compile"]
