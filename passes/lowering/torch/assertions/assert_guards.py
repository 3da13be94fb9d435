"""Assert guards at function entry."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.guards import GUARDS, InvalidGuardsError, attached_guards
from torch_refine.dialect.ir_builder import assert_that, create_value
from torch_refine.passes.base import Pass, PassFailure, RunState
from torch_refine.passes.lowering.torch.assertions.guard_conditions import (
    ConditionError,
    write_condition,
)
from torch_refine.passes.lowering.torch.assertions.sizes import size_as_i64
from torch_refine.passes.lowering.torch.symbolic_sizes import (
    UncheckedSizeError,
    bindings_of_arguments,
    symbolic_guards,
)
from torch_refine.passes.program import program_functions


@dataclass
class AssertGuards(Pass):
    """Assert guards at function entry.

    A program is valid for the sizes that its export assumed: those of its guards, in the attribute
    `torch_refine.guards`, and those that `torch.bind_symbolic_shape` states for arguments. Both
    become assertions at the function's entry. A condition is a Python expression over
    `arg0.size(1)` and, for scalars, `arg2`. Sizes for which its arithmetic would wrap fail it.

    Before:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32>
        attributes {torch_refine.guards = [{condition = "arg0.size(0) != 5", message = "five"}]} {
      return %arg0 : !torch.vtensor<[?],f32>
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32> {
      %int0 = torch.constant.int 0
      %0 = torch.aten.size.int %arg0, %int0 : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
      %1 = torch_c.to_i64 %0
      %c5_i64 = arith.constant 5 : i64
      %2 = arith.cmpi ne, %1, %c5_i64 : i64
      cf.assert %2, "five"
      return %arg0 : !torch.vtensor<[?],f32>
    }
    ```
    """

    name: ClassVar[str] = "torch-assert-guards"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Assert in a module, or in one function."""
        failed = False
        for function in program_functions(op):
            if function.name != "func.func" or not len(function.regions[0].blocks):
                continue
            try:
                state.count(self.name, "guards", _assert(function))
            except UncheckedSizeError as error:
                state.diagnostics.error(error.op.location, str(error))
                failed = True
            except (ConditionError, InvalidGuardsError) as error:
                message = f"a guard cannot be checked: {error}"
                state.diagnostics.error(function.location, message)
                failed = True
        if failed:
            raise PassFailure(self.name)


def _assert(function: ir.Operation) -> int:
    """Emit the assertions of a function; returns how many."""
    guards = attached_guards(function)
    if GUARDS in function.attributes:
        del function.attributes[GUARDS]
    guards += [(each.condition, each.message.encode()) for each in symbolic_guards(function)]
    for op in list(bindings_of_arguments(function)):
        op.erase()
    sizes = _Sizes(function.regions[0].blocks[0])
    unknown = ir.Location.unknown(function.context)
    with unknown, ir.InsertionPoint.at_block_begin(function.regions[0].blocks[0]):
        for condition, message in guards:
            try:
                assert_that(write_condition(condition, sizes.of), message)
            except ConditionError as error:
                raise ConditionError(f"{condition}: {error}") from error
    return len(guards)


class _Sizes:
    """The sizes of a block's arguments, each created once at the insertion point."""

    def __init__(self, block: ir.Block) -> None:
        self._arguments = list(block.arguments)
        self._known: dict[tuple[int, int | None], ir.Value] = {}

    def of(self, index: int, dim: int | None) -> ir.Value:
        """A size of an argument, or a scalar argument itself, as i64."""
        key = (index, dim)
        if key not in self._known:
            self._known[key] = self._make(index, dim)
        return self._known[key]

    def _make(self, index: int, dim: int | None) -> ir.Value:
        if index >= len(self._arguments):
            raise ConditionError(f"there is no argument {index}")
        argument = self._arguments[index]
        type = str(argument.type)
        if dim is None:
            if type != "!torch.int":
                raise ConditionError(f"argument {index} is not an integer")
            return create_value("torch_c.to_i64", ir.IntegerType.get_signless(64), [argument])
        if not type.startswith("!torch.vtensor<["):
            raise ConditionError(f"argument {index} has no dimension {dim}")
        return size_as_i64(argument, dim)
