"""A compiled program, as users of PyTorch call it."""

from __future__ import annotations

import io
import os
from collections.abc import Mapping, Sequence
from typing import Any

from torch_refine.dialect.bindings import ir, new_context
from torch_refine.dialect.requirements import how_to_install
from torch_refine.runtime.compiling.compiler import (
    CompileError,
    Options,
    compile_module,
    show_stage,
)
from torch_refine.runtime.compiling.origins import operators_of
from torch_refine.runtime.cuda.interface import Driver
from torch_refine.runtime.disassembly import disassemble, missing_packages
from torch_refine.runtime.program import Program
from torch_refine.runtime.report import Report
from torch_refine.runtime.state.weights import Weights
from torch_refine.runtime.torch_models.interface import Interface

STAGES = ("torch", "linalg", "llvm", "asm", "ptx")


class CompiledModule(Program):
    """A compiled program. Call it with the program's inputs.

    Inputs are torch tensors, or NumPy arrays; results are of the same kind. An input is copied only
    if its strides differ from its example's, or if it is not contiguous and there is no example. A
    result owns its memory; an input or view that eager mode returns is copied. Workspaces are
    reused between calls, one per concurrent call: threads, forked processes and nested calls do not
    share them.

    A model may write to its inputs and buffers. New values are written when the program ends, or
    some elements in place, which a call that fails restores; so an input that is written to must
    not share memory with another.

    The weights are those of the model at the time of the call, by name: in-place changes and
    replaced tensors are seen (`refresh` is for writes that PyTorch does not count). The code is
    that at compilation: a call raises if a module that `forward` uses has another class, hook or
    mode, or an attribute that it reads, such as a number, another value. The weights of an
    `ExportedProgram` are its own tensors, not those of its model.

    No gradients are computed. With gradients enabled, a result has `requires_grad` if it has in
    eager mode because of a weight, and its backward pass raises; an input that requires a gradient
    is rejected.

    Raises on a call:
        TypeError: a wrong number of inputs, or one of a wrong kind, dtype or device, or a tensor
            without memory.
        ValueError: an input of other sizes than the program was compiled for, or in the memory of
            another that is written to, or one that cannot be written to and is.
        GuardError: sizes that break a condition of the export; a ValueError, too.
        GradientError: a gradient would be lost; a RuntimeError.
        WeightError: a weight is gone, or no longer one that the program was compiled for, or so is
            an attribute or a module; a RuntimeError.
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
            from torch_refine.runtime.torch_models.pytrees import as_tree

            try:
                inputs = [as_tree(spec, "the inputs") for spec in interface.nesting.specs]
                result = as_tree(interface.result_spec, "the results")
                nesting = interface_as_data(interface, inputs, result)
            except ValueError as error:
                raise CompileError(f"the program cannot be saved: {error}") from error
        names = () if state is None else state.names
        tensors: Sequence[Any] = []
        if state is not None:
            # Preparing them requires code that runs here.
            tensors = state.tensors() if self.missing_features else state.current().tensors
        parts = Parts(self._options, self._orders, names, nesting)
        return save(path, self._compiled, parts, tensors if weights else None)

    def report(self) -> Report:
        """Where the program's operators run: all of them are compiled."""
        module = ir.Module.parse(self._bytecode, new_context())
        return Report(sum(operators_of(module.operation).values()), 1)

    def ir(self, stage: str) -> str:
        """The IR at a stage: `"torch"` (refined), `"linalg"`, `"llvm"`, `"asm"` or `"ptx"`.

        The assembly is that of the host code. PTX is the code of the GPU kernels; for a program
        compiled for the CPU, it is that for sm_90.
        """
        if stage not in STAGES:
            raise ValueError(f"stage is {', '.join(STAGES)}, not {stage!r}")
        if stage == "asm":
            missing = missing_packages()
            if missing:
                raise CompileError(f"assembly cannot be shown: {how_to_install(*missing)}")
            return disassemble(compile_module(self._bytecode, self._options).content)
        return show_stage(self._bytecode, self._options, stage)


def bytecode_of(module: ir.Module) -> bytes:
    """A module as bytecode."""
    stream = io.BytesIO()
    module.operation.write_bytecode(stream)
    return stream.getvalue()
