"""Write the sizes of functions' results as functions of the sizes of their arguments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.abstract_interpreter.inference import Inference
from torch_refine.dialect.bindings import ir
from torch_refine.dialect.guards import InvalidGuardsError
from torch_refine.passes.base import Pass, PassFailure, RunState, option
from torch_refine.passes.program import is_private, modules, program_functions, symbol_name
from torch_refine.passes.refine_types import deep_recursion
from torch_refine.passes.shape_functions.analysis import FunctionShapes
from torch_refine.passes.shape_functions.extracting import learning_inference, swept
from torch_refine.passes.shape_functions.memory import UnknownMemoryError
from torch_refine.passes.shape_functions.writing import (
    SHAPES_OF,
    Unwritable,
    write_shape_function,
)
from torch_refine.passes.type_refinement.sweep import Sweep


@dataclass
class ExtractShapeFunctions(Pass):
    """Write the sizes of functions' results as functions of the sizes of their arguments.

    For each public function `@main`, a function `@main_shapes` is added behind it. It takes an int
    for each dynamic size of an argument and for each int argument, in the order of the arguments
    and of their dimensions, and returns a list of the sizes of each tensor that `@main` returns, in
    order, also of those in lists and tuples. What `@main` requires of its arguments is asserted:
    bounds of sizes, multiples, equal sizes, and the preconditions of its operators, with their
    messages. Runtimes and memory planners can compile it by itself, as it has no tensors. Types are
    refined, too, as by `torch-refine-types`.

    With `peak`, it also returns the peak of live bytes in program order, with inputs and weights.
    Views share the storage of their operand, and tensors are live up to their last use.

    A function with result sizes that its arguments do not determine, as they depend on data or are
    not inferred, has none, with a warning at the operator that decides them; so has one whose peak
    is not known, if it is asked for. Preconditions on more than
    sizes and ints are not asserted: `--remarks-filter-missed` lists them. A function that has
    a shape function, which `torch_refine.shapes_of` marks, keeps it.

    Before:

    ```mlir
    func.func @main(%arg0: !torch.vtensor<[?,4],f32>, %arg1: !torch.vtensor<[?,4],f32>) -> !torch.vtensor<[?,4],f32> {
      %int0 = torch.constant.int 0
      %0 = torch.prim.ListConstruct %arg0, %arg1 : (!torch.vtensor<[?,4],f32>, !torch.vtensor<[?,4],f32>) -> !torch.list<vtensor>
      %1 = torch.aten.cat %0, %int0 : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[?,4],f32>
      return %1 : !torch.vtensor<[?,4],f32>
    }
    ```

    After:

    ```mlir
    // ...
    func.func @main_shapes(%arg0: !torch.int, %arg1: !torch.int) -> !torch.list<int> attributes {torch_refine.shapes_of = @main} {
      %int0 = torch.constant.int 0
      %int4 = torch.constant.int 4
      %0 = torch.aten.ge.int %arg0, %int0 : !torch.int, !torch.int -> !torch.bool
      torch.runtime.assert %0, "s0 must be >= 0"
      %1 = torch.aten.ge.int %arg1, %int0 : !torch.int, !torch.int -> !torch.bool
      torch.runtime.assert %1, "s1 must be >= 0"
      %2 = torch.aten.add.int %arg0, %arg1 : !torch.int, !torch.int -> !torch.int
      %3 = torch.prim.ListConstruct %2, %int4 : (!torch.int, !torch.int) -> !torch.list<int>
      return %3 : !torch.list<int>
    }
    ```
    """

    name: ClassVar[str] = "torch-extract-shape-functions"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    extra_library: str = option(
        "", "comma-separated files with functions that take precedence over the shipped ones"
    )
    peak: bool = option(False, "also return the peak of live bytes")

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Add shape functions to all modules."""
        inference = learning_inference(self.extra_library, op, state)
        with deep_recursion(op, self.name, state):
            for module in list(modules(op)):
                with swept(module, inference, state, self.name) as sweep:
                    if state.diagnostics.has_errors:
                        break
                    self._extract(module, sweep, inference, state)
        if state.diagnostics.has_errors:
            raise PassFailure(self.name)

    def _extract(
        self, module: ir.Operation, sweep: Sweep, inference: Inference, state: RunState
    ) -> None:
        functions = [each for each in program_functions(module) if each.parent == module]
        taken = {name for each in functions if (name := symbol_name(each)) is not None}
        written = {
            ir.FlatSymbolRefAttr(each.attributes[SHAPES_OF]).value
            for each in functions
            if SHAPES_OF in each.attributes
        }
        for name, function in list(sweep.calls.functions.items()):
            if is_private(function) or name in written or SHAPES_OF in function.attributes:
                continue
            if not len(function.regions[0].blocks):
                continue
            try:
                shapes = FunctionShapes(function, sweep, inference)
            except InvalidGuardsError as error:
                state.diagnostics.error(function.location, str(error))
                continue
            if self._write(shapes, _free(f"{name}_shapes", taken), state):
                state.count(self.name, "shape functions")

    def _write(self, shapes: FunctionShapes, name: str, state: RunState) -> bool:
        """Write one function; returns whether it could be."""
        function = shapes.function
        for op, message in shapes.impossible:
            text = f"{op.name} always raises behind the guards before it: {message}"
            state.diagnostics.error(op.location, text)
        if shapes.impossible or self._is_unknown(shapes, state):
            return False
        for op in dict.fromkeys(shapes.unchecked):
            reason = "a precondition depends on more than the arguments' sizes and ints"
            state.missed(self.name, op.name, op, reason)
        try:
            write_shape_function(shapes, name, shapes.memory() if self.peak else None)
        except UnknownMemoryError as error:
            place = function if error.op is None else error.op
            self._warn(place, shapes, f"the peak of live bytes is unknown: {error}", state)
            return False
        except Unwritable as error:
            self._warn(function, shapes, str(error), state)
            return False
        return True

    def _is_unknown(self, shapes: FunctionShapes, state: RunState) -> bool:
        """Whether the sizes of a result depend on more than arguments, which is reported."""
        for index, result in enumerate(shapes.results):
            if result.sizes is None:
                owner = result.value.owner
                place = shapes.function if isinstance(owner, ir.Block) else owner.operation
                self._warn(place, shapes, f"the rank of result {index} is unknown", state)
                return True
            for dim, size in enumerate(result.sizes):
                if not shapes.is_entry(size):
                    maker = shapes.maker(size)
                    place = shapes.function if maker is None else maker
                    what = f"no argument determines size {dim} of result {index}"
                    self._warn(place, shapes, what, state)
                    return True
        return False

    def _warn(self, op: ir.Operation, shapes: FunctionShapes, reason: str, state: RunState) -> None:
        state.count(self.name, "functions without a shape function")
        name = symbol_name(shapes.function)
        state.diagnostics.warning(op.location, f"no shape function of @{name}: {reason}")


def _free(name: str, taken: set[str]) -> str:
    """A symbol that the module does not have, and is taken now."""
    found, index = name, 0
    while found in taken:
        found, index = f"{name}_{index}", index + 1
    taken.add(found)
    return found
