"""Lower running sums of exponentials to scans that do not overflow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.tensor_type import TensorType
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.elements.scanning import lower_scans, sizes_text
from torch_refine.passes.lowering.templates import Templates

_OPERATOR = "torch.aten.logcumsumexp"
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
        scans = {_OPERATOR: _scanned}
        lower_scans(op, state, self.name, scans, _INFINITY, lambda number: [number])


def _scanned(operand: ir.Value, type: TensorType, dim: int) -> Sequence[ir.Value]:
    element = str(type.element)
    text = _FUNCTION.format(
        element=element, dim=dim, infinity=_INFINITY[element], **sizes_text(type, dim)
    )
    return Templates(text, operand.context).put("scan", [operand]).results
