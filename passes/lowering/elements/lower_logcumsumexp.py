"""Lower running sums of exponentials to scans that do not overflow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.ir_builder import create_value
from torch_refine.dialect.names import name_of
from torch_refine.dialect.tensor_type import TensorType, Types
from torch_refine.passes.base import Pass, PassFailure, RunState
from torch_refine.passes.lowering.elements.converting import builtin_tensor
from torch_refine.passes.lowering.templates import Templates
from torch_refine.passes.lowering.torch.seen_ops import constant_of

_OPERATOR = "torch.aten.logcumsumexp"
_FLOATS = ("f32", "f64")
# The first element of a scan is that of its operand; the initial values are not read.
_FUNCTION = """
func.func private @scan(%operand: {whole}) -> {whole} {{
  {sizes}
  %memory = tensor.empty({all_sizes}) : {whole}
  %last = tensor.empty({other_sizes}) : {rest}
  %sums:2 = tm_tensor.scan dimension({dim}) inclusive(true) ins(%operand : {whole})
      outs(%memory, %last : {whole}, {rest}) {{
  ^bb0(%one: {element}, %other: {element}):
    %infinity = arith.constant 0x{infinity} : {element}
    %larger = arith.maximumf %one, %other : {element}
    %difference = arith.subf %one, %other : {element}
    %distance = math.absf %difference : {element}
    %less = arith.negf %distance : {element}
    %ratio = math.exp %less : {element}
    %more = math.log1p %ratio : {element}
    %sum = arith.addf %larger, %more : {element}
    %size = math.absf %larger : {element}
    %is_infinite = arith.cmpf oeq, %size, %infinity : {element}
    %found = arith.select %is_infinite, %larger, %sum : {element}
    tm_tensor.yield %found : {element}
  }} -> {whole}, {rest}
  return %sums#0 : {whole}
}}
"""
_INFINITY = {"f32": "7F800000", "f64": "7FF0000000000000"}


@dataclass
class LowerLogcumsumexp(Pass):
    """Lower running sums of exponentials to scans that do not overflow.

    The logarithm of the sum of two exponentials is the larger exponent, and the logarithm of 1 and
    the exponential of their difference, which is negative. The wheel sums exponentials.

    Before:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32> {
      %int0 = torch.constant.int 0
      %0 = torch.aten.logcumsumexp %arg0, %int0 : !torch.vtensor<[?],f32>, !torch.int -> \
!torch.vtensor<[?],f32>
      return %0 : !torch.vtensor<[?],f32>
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32> {
      // ...
      %3:2 = tm_tensor.scan dimension(0) inclusive(true) ins(%0 : tensor<?xf32>) outs(%1, %2 : \
tensor<?xf32>, tensor<f32>) {
      ^bb0(%arg1: f32, %arg2: f32):
        // ...
        %5 = arith.maximumf %arg1, %arg2 : f32
        %6 = arith.subf %arg1, %arg2 : f32
        %7 = math.absf %6 : f32
        %8 = arith.negf %7 : f32
        %9 = math.exp %8 : f32
        %10 = math.log1p %9 : f32
        %11 = arith.addf %5, %10 : f32
        // ...
      } -> tensor<?xf32>, tensor<f32>
      // ...
    }
    ```
    """

    name: ClassVar[str] = "torch-lower-logcumsumexp"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite in a module, or in one function."""
        types = Types(op.context)
        failed = False
        for each in [each for each in walk(op) if name_of(each) == _OPERATOR]:
            type = types.tensor(each.operands[0].type)
            dim = constant_of(each.operands[1])
            reason = _why_not(type, dim)
            if reason is None:
                assert type is not None, "the operand is a tensor"
                with each.location, ir.InsertionPoint(each):
                    _lower(each, type, dim)
                state.count(self.name, "operators")
            else:
                message = f"{name_of(each)} is not lowered: {reason}"
                state.diagnostics.error(each.location, message)
                failed = True
        if failed:
            raise PassFailure(self.name)


def _why_not(type: TensorType | None, dim: object) -> str | None:
    """Why an op cannot be lowered; None if it can."""
    if type is None or type.sizes is None:
        return "its type is unknown"
    if type.element not in _FLOATS:
        return f"for elements of type {type.element}"
    if not isinstance(dim, int) or not -len(type.sizes) <= dim < max(len(type.sizes), 1):
        return "unless the dimension is a known one"
    return None


def _lower(op: ir.Operation, type: TensorType, dim: int) -> None:
    value = create_value("torch_c.to_builtin_tensor", builtin_tensor(type), [op.operands[0]])
    if type.sizes:
        text = _text(type, dim % len(type.sizes))
        (value,) = Templates(text, op.context).put("scan", [value]).results
    result = op.results[0]
    wanted = Types(op.context).tensor(result.type)
    assert wanted is not None, "the result must be a tensor"
    if value.type != builtin_tensor(wanted):
        value = create_value("tensor.cast", builtin_tensor(wanted), [value])
    result.replace_all_uses_with(create_value("torch_c.from_builtin_tensor", result.type, [value]))
    op.erase()


def _text(type: TensorType, dim: int) -> str:
    """The function for a type and a dimension."""
    assert type.sizes is not None, "ranks must be known"
    whole = str(builtin_tensor(type))
    others = [size for place, size in enumerate(type.sizes) if place != dim]
    rest = TensorType(sizes=tuple(others), element=type.element)
    lines, sizes = [], []
    for place, size in enumerate(type.sizes):
        if size is None:
            lines.append(f"%c{place} = arith.constant {place} : index")
            lines.append(f"%size{place} = tensor.dim %operand, %c{place} : {whole}")
            sizes.append(place)
    return _FUNCTION.format(
        whole=whole,
        rest=builtin_tensor(rest),
        element=type.element,
        dim=dim,
        infinity=_INFINITY[str(type.element)],
        sizes="\n  ".join(lines),
        all_sizes=", ".join(f"%size{place}" for place in sizes),
        other_sizes=", ".join(f"%size{place}" for place in sizes if place != dim),
    )
