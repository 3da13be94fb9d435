"""Assert the preconditions of operators that are not proven."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from typing import ClassVar

from torch_refine.abstract_interpreter.inference import Inference
from torch_refine.abstract_interpreter.lattice import Lattice
from torch_refine.abstract_interpreter.preconditions import PreconditionFinder
from torch_refine.dialect.bindings import ir
from torch_refine.dialect.guards import InvalidGuardsError
from torch_refine.dialect.names import name_of, operator_name
from torch_refine.passes.base import Pass, PassFailure, RunState, option
from torch_refine.passes.error_guards.collecting import Collector, Contract
from torch_refine.passes.error_guards.values import value_preconditions
from torch_refine.passes.error_guards.writing import attach, message_text, write_guards
from torch_refine.passes.program import device_of, modules
from torch_refine.passes.refine_types import INVALID_PROGRAM, deep_recursion, load_programs
from torch_refine.passes.type_refinement.sweep import Sweep

HOIST = ("op", "entry", "attribute")


@dataclass
class InsertErrorGuards(Pass):
    """Assert the preconditions of operators that are not proven.

    The shape and dtype functions of an operator raise for operands that PyTorch rejects. For sizes
    and scalars that are not known, the conditions under which they do not become
    `torch.runtime.assert`, with the function's message, in front of the operator. A condition that
    follows from what the program declares of its arguments (`torch.bind_symbolic_shape`,
    `torch_refine.guards`), or from guards before it, is left out. Types are refined, too, as by
    `torch-refine-types`, which reports operators that always raise.

    With `hoist=entry`, conditions on the function's arguments alone are asserted at its entry: they
    are its contract. A condition that one side of a `torch.prim.If` requires is asserted for runs
    that take this side.

    What depends on more than ints, such as the elements of a list of unknown length, is not
    asserted, nor is what depends on the elements of tensors, such as indices, which lowered code
    checks: `--remarks-filter-missed` lists these preconditions at their operators.

    Before:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[?,?],f32>, %arg1: !torch.vtensor<[?,4],f32>) -> !torch.vtensor {
      %0 = torch.aten.mm %arg0, %arg1 : !torch.vtensor<[?,?],f32>, !torch.vtensor<[?,4],f32> -> !torch.vtensor
      return %0 : !torch.vtensor
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[?,?],f32>, %arg1: !torch.vtensor<[?,4],f32>) -> !torch.vtensor {
      %int1 = torch.constant.int 1
      %int0 = torch.constant.int 0
      %0 = torch.aten.size.int %arg0, %int1 : !torch.vtensor<[?,?],f32>, !torch.int -> !torch.int
      %1 = torch.aten.size.int %arg1, %int0 : !torch.vtensor<[?,4],f32>, !torch.int -> !torch.int
      %2 = torch.aten.eq.int %0, %1 : !torch.int, !torch.int -> !torch.bool
      torch.runtime.assert %2, "aten::mm: inner dimensions must match, got arg0.size(1) and arg1.size(0)"
      %3 = torch.aten.mm %arg0, %arg1 : !torch.vtensor<[?,?],f32>, !torch.vtensor<[?,4],f32> -> !torch.vtensor<[?,4],f32>
      %4 = torch.tensor_static_info_cast %3 : !torch.vtensor<[?,4],f32> to !torch.vtensor
      return %4 : !torch.vtensor
    }
    ```
    """

    name: ClassVar[str] = "torch-insert-error-guards"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    extra_library: str = option(
        "", "comma-separated files with functions that take precedence over the shipped ones"
    )
    hoist: str = option(
        "op",
        "where conditions on arguments alone are: at their op, at entry, or in an attribute",
        HOIST,
    )
    invalid_program: str = option(
        "error",
        "severity of an operator that always raises, or of a contradictory type",
        INVALID_PROGRAM,
    )

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Insert guards into all functions of a module."""
        inference = Inference(load_programs(self.extra_library, op, state), Lattice())
        finder = PreconditionFinder(inference)
        strict = self.invalid_program == "error"
        with deep_recursion(op, self.name, state):
            for module in list(modules(op)):
                with closing(Sweep(module, inference, state, self.name, strict)) as sweep:
                    sweep.refine()
                    for function in sweep.calls.functions.values():
                        if len(function.regions[0].blocks):
                            sweep.enter(device_of(function))
                            self._guard(function, sweep, finder, state)
        if state.diagnostics.has_errors:
            raise PassFailure(self.name)

    def _guard(
        self, function: ir.Operation, sweep: Sweep, finder: PreconditionFinder, state: RunState
    ) -> None:
        """Insert the guards of one function."""
        try:
            contract = Collector(finder, sweep.fact, self.hoist != "op").collect(function)
        except InvalidGuardsError as error:
            state.diagnostics.error(function.location, str(error))
            return
        guards = contract.guards
        if self.hoist == "attribute":
            guards = attach(function, guards)
        write_guards(function, guards, sweep.types)
        self._report(contract, state)
        for op, argument in value_preconditions(function, sweep.types):
            state.count(self.name, "preconditions on elements")
            reason = f"the condition on the elements of {argument} is checked by lowered code"
            state.missed(self.name, operator_name(name_of(op)), op, reason)

    def _report(self, contract: Contract, state: RunState) -> None:
        hoisted = sum(guard.hoisted for guard in contract.guards)
        state.count(self.name, "guards", len(contract.guards))
        state.count(self.name, "guards at entry", hoisted)
        state.count(self.name, "implied guards", contract.implied)
        severity = "error" if self.invalid_program == "error" else "warning"
        for op, message, origins in contract.impossible:
            text = message_text(operator_name(name_of(op)), message, origins)
            told = f"{op.name} always raises behind the guards before it: {text}"
            report = state.diagnostics.error if severity == "error" else state.diagnostics.warning
            report(op.location, told)
        for op in dict.fromkeys(contract.unexpressed):
            state.count(self.name, "operators with other preconditions")
            reason = "a precondition depends on more than sizes and ints"
            state.missed(self.name, operator_name(name_of(op)), op, reason)
