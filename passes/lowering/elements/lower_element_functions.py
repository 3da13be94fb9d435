"""Lower operators that have element functions to loops over elements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.ir_builder import create_value, index_type, index_value
from torch_refine.dialect.names import name_of
from torch_refine.dialect.tensor_type import TensorType, Types
from torch_refine.passes.base import Pass, PassFailure, RunState
from torch_refine.passes.lowering.elements.converting import (
    builtin,
    builtin_tensor,
    computation_type,
    converted,
)
from torch_refine.passes.lowering.elements.loops import elementwise
from torch_refine.passes.lowering.elements.translating import ElementFunctions, operator_of

_FLOATS = ("f16", "bf16", "f32", "f64")
_INTEGERS = ("si8", "ui8", "si16", "si32", "si64")
_SCALARS = {
    "!torch.bool": ("torch_c.to_i1", "i1"),
    "!torch.float": ("torch_c.to_f64", "f64"),
    "!torch.int": ("torch_c.to_i64", "si64"),
}


@dataclass
class LowerElementFunctions(Pass):
    """Lower operators that have element functions to loops over elements.

    An element function (`abstract_interp_lib/elements.py`) computes an element of the result from
    one of each operand, with loops whose trip counts depend on them. The operands are broadcast,
    and their elements converted to the dtype of the result, then to that of the computation: f32
    for 16-bit floats, i64 for integers.

    Before:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[2,1],si32>, %arg1: !torch.vtensor<[3],si32>) -> \
!torch.vtensor<[2,3],si32> {
      %0 = torch.operator "torch.aten.gcd"(%arg0, %arg1) : (!torch.vtensor<[2,1],si32>, \
!torch.vtensor<[3],si32>) -> !torch.vtensor<[2,3],si32>
      return %0 : !torch.vtensor<[2,3],si32>
    }
    ```

    After:

    ```mlir
    // ...
    func.func @f(%arg0: !torch.vtensor<[2,1],si32>, %arg1: !torch.vtensor<[3],si32>) -> \
!torch.vtensor<[2,3],si32> {
      // ...
      %3 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", \
"parallel"]} ins(%0, %1 : tensor<2x1xi32>, tensor<3xi32>) outs(%2 : tensor<2x3xi32>) {
      ^bb0(%in: i32, %in_0: i32, %out: i32):
        %5 = arith.extsi %in : i32 to i64
        %6 = arith.extsi %in_0 : i32 to i64
        // ...
          %16 = arith.remsi %arg4, %arg5 : i64
        // ...
        %15 = arith.trunci %14#2 : i64 to i32
        linalg.yield %15 : i32
      } -> tensor<2x3xi32>
      %4 = torch_c.from_builtin_tensor %3 : tensor<2x3xi32> -> !torch.vtensor<[2,3],si32>
      return %4 : !torch.vtensor<[2,3],si32>
    }
    ```
    """

    name: ClassVar[str] = "torch-lower-element-functions"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite in a module, or in one function."""
        types = Types(op.context)
        functions: ElementFunctions | None = None
        failed = False
        for each in [each for each in walk(op) if operator_of(each) and len(each.results) == 1]:
            result = types.tensor(each.results[0].type)
            if result is None:
                continue
            functions = functions or ElementFunctions(op.context)
            call = _Call(each, result, types, functions)
            reason = call.why_not()
            if reason is None:
                with each.location, ir.InsertionPoint(each):
                    call.write()
                state.count(self.name, "operators")
            else:
                message = f"{name_of(each)} is not lowered: {reason}"
                state.diagnostics.error(each.location, message)
                failed = True
        if failed:
            raise PassFailure(self.name)


@dataclass
class _Call:
    """An operator with an element function; ops are created at the current insertion point."""

    op: ir.Operation
    result: TensorType
    types: Types
    functions: ElementFunctions

    def why_not(self) -> str | None:
        """Why it cannot be lowered; None if it can."""
        kinds = self.functions.kinds(operator_of(self.op))
        if len(kinds) != len(self.op.operands):
            return f"its element function takes {len(kinds)} operands"
        result = self.result
        if result.sizes is None or result.element is None:
            return "the type of its result is unknown"
        wanted = _FLOATS if kinds[0] == "float" else _INTEGERS
        if result.element not in wanted:
            return f"for a result of {result.element}"
        for operand in self.op.operands:
            type = self.types.tensor(operand.type)
            if type is None:
                scalar = _SCALARS.get(str(operand.type))
                if scalar is None or (scalar[1] == "f64" and kinds[0] == "int"):
                    return f"for an operand of type {operand.type}"
            elif type.sizes is None or type.element not in ("i1", *_INTEGERS, *wanted):
                return f"for an operand of type {type}"
            elif not self.fits(type.sizes):
                return f"for an operand of type {type} and a result of type {result}"
        return None

    def fits(self, sizes: Sequence[int | None]) -> bool:
        """Whether an operand of these sizes is broadcast to the result."""
        target = self.result.sizes or ()
        return len(sizes) <= len(target) and all(
            size in (None, 1, wanted) or wanted is None
            for size, wanted in zip(reversed(sizes), reversed(target), strict=False)
        )

    def write(self) -> None:
        """Replace the operator by a loop over the elements of its result."""
        assert self.result.sizes is not None, "the rank must be known"
        rank = len(self.result.sizes)
        tensors: list[tuple[ir.Value, TensorType]] = []
        scalars: dict[int, tuple[ir.Value, str]] = {}
        for place, operand in enumerate(self.op.operands):
            type = self.types.tensor(operand.type)
            if type is None:
                name, kind = _SCALARS[str(operand.type)]
                number = create_value(name, builtin(kind), [operand])
                scalars[place] = number, kind
            else:
                value = create_value("torch_c.to_builtin_tensor", builtin_tensor(type), [operand])
                tensors.append((value, type))
        inputs = [(value, self.map_of(type, rank)) for value, type in tensors]

        def element(arguments: Sequence[ir.Value]) -> ir.Value:
            given = iter(zip(arguments, tensors, strict=True))
            pairs = []
            for place in range(len(self.op.operands)):
                if place in scalars:
                    pairs.append(scalars[place])
                else:
                    argument, (_, type) = next(given)
                    pairs.append((argument, str(type.element)))
            return self.element(pairs)

        value = elementwise(inputs, self.memory(tensors), element)
        found = create_value("torch_c.from_builtin_tensor", self.op.results[0].type, [value])
        self.op.results[0].replace_all_uses_with(found)
        self.op.erase()

    def memory(self, tensors: Sequence[tuple[ir.Value, TensorType]]) -> ir.Value:
        """The result, uninitialized. A dynamic size is that of an operand."""
        assert self.result.sizes is not None, "the rank must be known"
        rank = len(self.result.sizes)
        sizes = []
        for dim, wanted in enumerate(self.result.sizes):
            if wanted is not None:
                continue
            size: ir.Value | int = 1
            for value, type in tensors:
                assert type.sizes is not None, "the rank must be known"
                at = dim - rank + len(type.sizes)
                if at >= 0 and type.sizes[at] != 1:
                    size = create_value("tensor.dim", index_type(), [value, index_value(at)])
                    break
            sizes.append(index_value(size))
        return create_value("tensor.empty", builtin_tensor(self.result), sizes)

    def map_of(self, type: TensorType, rank: int) -> ir.AffineMap:
        """Where the elements of an operand are, for one of the result."""
        assert type.sizes is not None, "the rank must be known"
        first = rank - len(type.sizes)
        places = [
            ir.AffineExpr.get_constant(0) if size == 1 else ir.AffineExpr.get_dim(first + dim)
            for dim, size in enumerate(type.sizes)
        ]
        return ir.AffineMap.get(rank, 0, places)

    def element(self, given: Sequence[tuple[ir.Value, str]]) -> ir.Value:
        """An element of the result."""
        result = str(self.result.element)
        wide = computation_type(result)
        values = [
            converted(converted(value, element, result), result, wide) for value, element in given
        ]
        is_float = wide.startswith("f")
        float_type = ir.Type.parse(wide if is_float else "f64")

        def wrap(value: ir.Value) -> ir.Value:
            return converted(converted(value, wide, result), result, wide)

        found = self.functions.put(operator_of(self.op), values, float_type, wrap)
        return converted(found, wide, result)
