"""Infer the types of all tensors in one sweep, without reifying calculations."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from torch_refine.abstract_interpreter.facts import Fact, Facts
from torch_refine.abstract_interpreter.inference import Inference
from torch_refine.abstract_interpreter.running.library import Programs
from torch_refine.dialect.bindings import ir
from torch_refine.dialect.library import LibraryError
from torch_refine.passes.base import Pass, PassFailure, RunState, option
from torch_refine.passes.branching import has_control_flow
from torch_refine.passes.program import modules
from torch_refine.passes.type_refinement.sweep import Sweep

# Python calls for each region of a program that stands in another.
_RECURSION_LIMIT = 8_000

INVALID_PROGRAM = ("error", "warn")


@dataclass
class RefineTypes(Pass):
    """Infer the types of all tensors in one sweep, without reifying calculations.

    The library's functions are run by the abstract interpreter on what is known of each
    operator's operands: sizes, dtypes, ints and lists that the program computes from them. Sizes
    that are not known have names, so that equal ones stay equal. What an operator gave is
    remembered for the next one like it, so that the time is linear in the program.

    What regions yield is joined, in `torch.prim.If` and in `scf`; loops, blocks that branch to each
    other and recursive functions are brought to a fixed point; calls and global slots are followed.
    With `only-control-flow`, block arguments, results of regions and calls, and what slots hold are
    refined, and operators left to reified calculations. An operator that always raises, or a declared type that contradicts what is
    inferred, is an error at the operator, or a warning with `invalid-program=warn`.

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
        "", "files with further functions, separated by commas; they precede the shipped ones"
    )
    invalid_program: str = option(
        "error", "what an operator that always raises is, or a wrong declaration", INVALID_PROGRAM
    )

    only_control_flow: bool = option(
        False, "leave the results of operators as they are, and report nothing"
    )

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Refine all functions of a module."""
        pending = list(modules(op))
        if self.only_control_flow:
            pending = [module for module in pending if has_control_flow(module)]
            if not pending:
                return
        try:
            programs = Programs([Path(path) for path in self.extra_library.split(",") if path])
        except LibraryError as error:
            state.diagnostics.error(op.location, str(error))
            raise PassFailure(str(error)) from None
        inference = Inference(programs, Facts())
        strict, refined = self.invalid_program == "error", 0
        with deep_recursion(op, self.name, state):
            for module in pending:
                only = self.only_control_flow
                with closing(Sweep(module, inference, state, self.name, strict, only)) as sweep:
                    sweep.refine()
                    refined += sweep.writer.refined
        state.count(self.name, "types refined", refined)
        state.count(self.name, "operators remembered", inference.hits)
        state.count(self.name, "operators run", inference.misses)
        asked = inference.hits + inference.misses
        if asked:
            state.count(self.name, "percent remembered", 100 * inference.hits // asked)
        if state.diagnostics.has_errors:
            raise PassFailure(self.name)


def inferred_facts(op: ir.Operation, extra_library: Iterable[Path] = ()) -> dict[ir.Value, Fact]:
    """What is inferred of each value of a module; types are refined on the way, as the pass does.

    Empty where something is wrong with the module or with a library.
    """
    state = RunState()
    found: dict[ir.Value, Fact] = {}
    try:
        inference = Inference(Programs(extra_library), Facts())
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
    """With room for regions that stand in each other some hundred deep.

    Raises PassFailure, after reporting it for the pass `name`, if they stand deeper.
    """
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _RECURSION_LIMIT))
    try:
        yield
    except RecursionError:
        message = f"{name}: regions are nested too deeply, or calls are"
        state.diagnostics.error(op.location, message)
        raise PassFailure(message) from None
    finally:
        sys.setrecursionlimit(limit)
