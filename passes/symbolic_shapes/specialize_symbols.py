"""Pin symbolic sizes to numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.tensor_type import Types
from torch_refine.passes.base import Pass, PassFailure, RunState, option
from torch_refine.passes.program import program_functions, symbol_name
from torch_refine.passes.refine_public_return import RefinePublicReturn
from torch_refine.passes.refine_types import RefineTypes
from torch_refine.passes.symbolic_shapes.specializing import (
    SpecializationError,
    declared_symbols,
    specialize,
)

_MOST_DIGITS = 18


@dataclass
class SpecializeSymbols(Pass):
    """Pin symbolic sizes to numbers.

    `torch-specialize-symbols{batch=8 seq=128}` replaces the symbols that `torch.symbolic_int` names
    by numbers, in the types of the arguments that are bound to them, and refines the program. For
    backends that take only static shapes. A number outside the declared bounds is an error, as is a
    name that no function declares. A size `8*_seq` is pinned by `seq`.

    Before, with `batch=8`:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[?,4],f32>) -> !torch.vtensor<[?,4],f32> {
      %0 = torch.symbolic_int "batch" {min_val = 2, max_val = 64} : !torch.int
      torch.bind_symbolic_shape %arg0, [%0], affine_map<()[s0] -> (s0, 4)> : !torch.vtensor<[?,4],f32>
      %1 = torch.aten.tanh %arg0 : !torch.vtensor<[?,4],f32> -> !torch.vtensor<[?,4],f32>
      return %1 : !torch.vtensor<[?,4],f32>
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[8,4],f32>) -> !torch.vtensor<[8,4],f32> {
      %0 = torch.aten.tanh %arg0 : !torch.vtensor<[8,4],f32> -> !torch.vtensor<[8,4],f32>
      return %0 : !torch.vtensor<[8,4],f32>
    }
    ```
    """

    name: ClassVar[str] = "torch-specialize-symbols"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)
    free_option: ClassVar[str | None] = "symbols"

    symbols: str = option("", "names and numbers: symbols=batch=8,seq=128, or batch=8 seq=128")
    extra_library: str = option(
        "", "comma-separated files with functions that take precedence over the shipped ones"
    )

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Pin the symbols of all functions, then refine the module."""
        try:
            values = _parse(self.symbols)
            self._specialize(op, values, state)
        except ValueError as error:
            place = error.op.location if isinstance(error, SpecializationError) else op.location
            state.diagnostics.error(place, f"{self.name}: {error}")
            raise PassFailure(str(error)) from None
        RefineTypes(self.extra_library).run(op, state)
        RefinePublicReturn().run(op, state)

    def _specialize(self, op: ir.Operation, values: dict[str, int], state: RunState) -> None:
        called = {
            ir.FlatSymbolRefAttr(each.attributes["callee"]).value
            for each in walk(op)
            if each.name == "func.call"
        }
        types = Types(op.context)
        pinned: set[str] = set()
        offered: set[str] = set()
        for function in program_functions(op):
            if function.name != "func.func" or not len(function.regions[0].blocks):
                continue
            names = declared_symbols(function).keys()
            offered.update(name for name in names if name.isidentifier())
            if symbol_name(function) in called and {*values, *(f"_{v}" for v in values)} & names:
                raise SpecializationError(
                    function, f"{symbol_name(function)} is called, so that its types must stay"
                )
            pinned |= specialize(function, values, types)
        missing = [name for name in values if name not in pinned]
        if missing:
            listed = ", ".join(sorted(offered)) or "none"
            raise ValueError(f"no function declares {', '.join(missing)}; declared are: {listed}")
        state.count(self.name, "symbols pinned", len(pinned))


def _parse(text: str) -> dict[str, int]:
    """The numbers of names: `batch=8,seq=128`; raises ValueError."""
    found: dict[str, int] = {}
    for part in filter(None, text.split(",")):
        name, _, number = part.partition("=")
        if not (number.isascii() and number.isdecimal() and len(number) <= _MOST_DIGITS):
            raise ValueError(f"expected a number for {name}, as in {name}=8, not {number!r}")
        if found.setdefault(name, int(number)) != int(number):
            raise ValueError(f"{name} cannot be {found[name]} and {number}")
    if not found:
        raise ValueError("expected the numbers of symbols, such as batch=8")
    return found
