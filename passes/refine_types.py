"""Infer the types of all tensors in one sweep, without reifying calculations."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from torch_refine.abstract_interpreter.conditions.learning import Learned
from torch_refine.abstract_interpreter.conditions.path_condition import NOTHING
from torch_refine.abstract_interpreter.inference import Inference
from torch_refine.abstract_interpreter.lattice import Lattice, LatticeValue
from torch_refine.abstract_interpreter.running.library import Programs
from torch_refine.dialect.bindings import ir
from torch_refine.dialect.library import LibraryError
from torch_refine.passes.base import Pass, PassFailure, RunState, option
from torch_refine.passes.branching import has_control_flow
from torch_refine.passes.program import modules
from torch_refine.passes.symbolic_shapes.writing import SymbolicShapes
from torch_refine.passes.type_refinement.sweep import Sweep

# Python frames per nested region of a program.
_RECURSION_LIMIT = 8_000

INVALID_PROGRAM = ("error", "warn")
SYMBOLIC_SHAPES = ("none", "results", "all")


@dataclass
class RefineTypes(Pass):
    """Infer the types of all tensors in one sweep, without reifying calculations.

    The abstract interpreter runs the library's functions on the lattice values of each operator's
    operands: sizes, dtypes, ints and lists that the program computes from them. Unknown sizes are
    symbols, so that equal ones stay equal. Results are cached for equal operands, so that the time
    is linear in the program.

    The values that regions yield are joined, in `torch.prim.If` and in `scf`; loops, cyclic control
    flow and recursive functions are iterated to a fixed point; calls and global slots are followed.
    With `only-control-flow`, block arguments, results of regions and calls, and the contents of
    slots are refined, and operators left to reified calculations. An operator that always raises,
    or a declared type that contradicts what is inferred, is an error at the operator, or a warning
    with `invalid-program=warn`.

    With `symbolic-shapes=results`, the sizes of a public function's arguments and results are
    written as expressions of symbols, `torch.bind_symbolic_shape`; with `all`, those of all tensors.

    Before:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[2,?],f32>, %arg1: !torch.vtensor<[2,3],f32>) -> !torch.vtensor {
      %int1 = torch.constant.int 1
      %0 = torch.aten.add.Tensor %arg0, %arg1, %int1 : !torch.vtensor<[2,?],f32>, !torch.vtensor<[2,3],f32>, !torch.int -> !torch.vtensor
      %1 = torch.aten.tanh %0 : !torch.vtensor -> !torch.vtensor
      return %1 : !torch.vtensor
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[2,?],f32>, %arg1: !torch.vtensor<[2,3],f32>) -> !torch.vtensor {
      %int1 = torch.constant.int 1
      %0 = torch.aten.add.Tensor %arg0, %arg1, %int1 : !torch.vtensor<[2,?],f32>, !torch.vtensor<[2,3],f32>, !torch.int -> !torch.vtensor<[2,3],f32>
      %1 = torch.aten.tanh %0 : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
      %2 = torch.tensor_static_info_cast %1 : !torch.vtensor<[2,3],f32> to !torch.vtensor
      return %2 : !torch.vtensor
    }
    ```
    """

    name: ClassVar[str] = "torch-refine-types"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)
    keeps_seen: ClassVar[bool] = True

    extra_library: str = option(
        "", "comma-separated files with functions that take precedence over the shipped ones"
    )
    invalid_program: str = option(
        "error",
        "severity of an operator that always raises, or of a contradictory type",
        INVALID_PROGRAM,
    )

    only_control_flow: bool = option(
        False, "keep the types of operators' results, and report nothing"
    )

    symbolic_shapes: str = option(
        "none", "the tensors whose sizes are written as expressions of symbols", SYMBOLIC_SHAPES
    )

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Refine all functions of a module."""
        pending = list(modules(op))
        if self.only_control_flow:
            pending = [module for module in pending if has_control_flow(module)]
            if not pending:
                return
        learns = self.symbolic_shapes != "none"
        programs = load_programs(self.extra_library, op, state)
        inference = Inference(programs, Lattice(), learns=learns)
        strict, refined = self.invalid_program == "error", 0
        with deep_recursion(op, self.name, state):
            for module in pending:
                only = self.only_control_flow
                with closing(Sweep(module, inference, state, self.name, strict, only)) as sweep:
                    if learns:
                        sweep.learned = Learned()
                    sweep.refine()
                    refined += sweep.writer.refined
                    if learns and not state.diagnostics.has_errors:
                        self._write_shapes(sweep, state)
        state.count(self.name, "types refined", refined)
        state.count(self.name, "cache hits", inference.hits)
        state.count(self.name, "cache misses", inference.misses)
        asked = inference.hits + inference.misses
        if asked:
            state.count(self.name, "cache hit percent", 100 * inference.hits // asked)
        if state.diagnostics.has_errors:
            raise PassFailure(self.name)

    def _write_shapes(self, sweep: Sweep, state: RunState) -> None:
        """Write the symbolic shapes of functions that may be called from outside."""
        path = NOTHING if sweep.learned is None else sweep.learned.path
        for symbol, function in sweep.calls.functions.items():
            if sweep.calls.is_open(symbol) and len(function.regions[0].blocks):
                names = sweep.symbol_names
                shapes = SymbolicShapes(function, sweep.types, sweep.fact, names, path)
                shapes.add_arguments()
                values = shapes.results()
                if self.symbolic_shapes == "all":
                    values = {**shapes.intermediates(), **values}
                bound = shapes.write(values)
                state.count(self.name, "symbolic shapes", bound)


def load_programs(extra_library: str, op: ir.Operation, state: RunState) -> Programs:
    """The library for the option `extra-library` of a pass that runs on `op`.

    Raises PassFailure, after reporting it, if a file cannot be read.
    """
    try:
        return Programs([Path(path) for path in extra_library.split(",") if path])
    except LibraryError as error:
        state.diagnostics.error(op.location, str(error))
        raise PassFailure(str(error)) from None


def inferred_lattice_values(
    op: ir.Operation, extra_library: Iterable[Path] = ()
) -> dict[ir.Value, LatticeValue]:
    """The lattice value of each value of a module; types are refined as by the pass.

    Empty if the module or a library has errors.
    """
    state = RunState()
    found: dict[ir.Value, LatticeValue] = {}
    try:
        inference = Inference(Programs(extra_library), Lattice())
        with deep_recursion(op, RefineTypes.name, state):
            for module in modules(op):
                with closing(Sweep(module, inference, state, RefineTypes.name, False)) as sweep:
                    sweep.refine()
                    found |= sweep.known
    except (LibraryError, PassFailure):
        return {}
    return {} if state.diagnostics.has_errors else found


@contextmanager
def deep_recursion(op: ir.Operation, name: str, state: RunState) -> Iterator[None]:
    """Raise Python's recursion limit, for regions nested some hundred deep.

    Raises PassFailure, after reporting it for the pass `name`, if they are nested deeper.
    """
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _RECURSION_LIMIT))
    try:
        yield
    except RecursionError:
        message = f"{name}: regions or calls are nested too deeply"
        state.diagnostics.error(op.location, message)
        raise PassFailure(message) from None
    finally:
        sys.setrecursionlimit(limit)
