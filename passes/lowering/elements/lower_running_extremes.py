"""Lower running maxima and minima, with their indices, to scans."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.ir_builder import create_value
from torch_refine.dialect.tensor_type import TensorType
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.elements.converting import builtin, builtin_tensor
from torch_refine.passes.lowering.elements.scanning import lower_scans, sizes_text
from torch_refine.passes.lowering.templates import Templates

_FLOATS = ("f16", "bf16", "f32", "f64")
_UNSIGNED = ("ui8", "i1")
_ELEMENTS = (*_FLOATS, *_UNSIGNED, "si8", "si16", "si32", "si64")
# The first element of a scan is that of its operand; the initial values are not read.
_FUNCTION = """
func.func private @scan(%operand: {whole}) -> ({whole}, {places}) {{
  {sizes}
  %memory = tensor.empty({all_sizes}) : {whole}
  %last = tensor.empty({other_sizes}) : {rest}
  %extremes:2 = tm_tensor.scan dimension({dim}) inclusive(true) ins(%operand : {whole})
      outs(%memory, %last : {whole}, {rest}) {{
  ^bb0(%before: {element}, %own: {element}):
    {is_later}
    %found = arith.select %is_taken, %own, %before : {element}
    tm_tensor.yield %found : {element}
  }} -> {whole}, {rest}
  %more_memory = tensor.empty({all_sizes}) : {places}
  %taken = linalg.generic {{indexing_maps = [{map}, {map}, {map}], iterator_types = [{loops}]}}
      ins(%operand, %extremes#0 : {whole}, {whole}) outs(%more_memory : {places}) {{
  ^bb0(%own: {element}, %before: {element}, %unused: i64):
    {is_equal}
    %index = linalg.index {dim} : index
    %place = arith.index_cast %index : index to i64
    %zero = arith.constant 0 : i64
    %found = arith.select %is_taken, %place, %zero : i64
    linalg.yield %found : i64
  }} -> {places}
  %place_memory = tensor.empty({all_sizes}) : {places}
  %last_place = tensor.empty({other_sizes}) : {rest_places}
  %places:2 = tm_tensor.scan dimension({dim}) inclusive(true) ins(%taken : {places})
      outs(%place_memory, %last_place : {places}, {rest_places}) {{
  ^bb0(%before: i64, %own: i64):
    %found = arith.maxsi %before, %own : i64
    tm_tensor.yield %found : i64
  }} -> {places}, {rest_places}
  return %extremes#0, %places#0 : {whole}, {places}
}}
"""
_COMPARED = "%is_taken = arith.cmpi {predicate}, %own, %before : {element}"
_COMPARED_FLOATS = """%is_ordered = arith.cmpf {predicate}, %own, %before : {element}
    %is_nan = arith.cmpf uno, %own, %own : {element}
    %is_taken = arith.ori %is_ordered, %is_nan : i1"""


@dataclass
class LowerRunningExtremes(Pass):
    """Lower running maxima and minima, with their indices, to scans.

    An element is taken if it equals the extreme up to it, or is NaN: the last of equal ones is.
    The index of an extreme is the largest one of the elements that are taken, up to it.

    Before:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[9],si32>) -> !torch.vtensor<[9],si32> {
      %int0 = torch.constant.int 0
      %0:2 = torch.operator "torch.aten.cummax"(%arg0, %int0) : (!torch.vtensor<[9],si32>, \
!torch.int) -> (!torch.vtensor<[9],si32>, !torch.vtensor<[9],si64>)
      return %0#0 : !torch.vtensor<[9],si32>
    }
    ```

    After:

    ```mlir
    #map = affine_map<(d0) -> (d0)>
    func.func @f(%arg0: !torch.vtensor<[9],si32>) -> !torch.vtensor<[9],si32> {
      // ...
      %3:2 = tm_tensor.scan dimension(0) inclusive(true) ins(%0 : tensor<9xi32>) outs(%1, %2 : \
tensor<9xi32>, tensor<i32>) {
      ^bb0(%arg1: i32, %arg2: i32):
        %11 = arith.cmpi sge, %arg2, %arg1 : i32
        %12 = arith.select %11, %arg2, %arg1 : i32
        tm_tensor.yield %12 : i32
      } -> tensor<9xi32>, tensor<i32>
      %4 = tensor.empty() : tensor<9xi64>
      %5 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} \
ins(%0, %3#0 : tensor<9xi32>, tensor<9xi32>) outs(%4 : tensor<9xi64>) {
      ^bb0(%in: i32, %in_0: i32, %out: i64):
        %11 = arith.cmpi eq, %in, %in_0 : i32
        // ...
      } -> tensor<9xi64>
      // ...
      %8:2 = tm_tensor.scan dimension(0) inclusive(true) ins(%5 : tensor<9xi64>) outs(%6, %7 : \
tensor<9xi64>, tensor<i64>) {
      ^bb0(%arg1: i64, %arg2: i64):
        %11 = arith.maxsi %arg1, %arg2 : i64
        tm_tensor.yield %11 : i64
      } -> tensor<9xi64>, tensor<i64>
      // ...
    }
    ```
    """

    name: ClassVar[str] = "torch-lower-running-extremes"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite in a module, or in one function."""
        scans = {
            "torch.aten.cummax": partial(_scanned, "ge"),
            "torch.aten.cummin": partial(_scanned, "le"),
        }
        lower_scans(op, state, self.name, scans, _ELEMENTS, _of_number)


def _scanned(predicate: str, operand: ir.Value, type: TensorType, dim: int) -> Sequence[ir.Value]:
    assert type.sizes is not None, "ranks must be known"
    element = str(type.element)
    types = {"element": builtin(element), "dim": dim}
    if element in _FLOATS:
        is_later = _COMPARED_FLOATS.format(predicate=f"o{predicate}", **types)
        is_equal = _COMPARED_FLOATS.format(predicate="oeq", **types)
    else:
        sign = "u" if element in _UNSIGNED else "s"
        is_later = _COMPARED.format(predicate=f"{sign}{predicate}", **types)
        is_equal = _COMPARED.format(predicate="eq", **types)
    dims = ", ".join(f"d{place}" for place in range(len(type.sizes)))
    places = TensorType(sizes=type.sizes, element="si64")
    places_text = sizes_text(places, dim)
    text = _FUNCTION.format(
        is_later=is_later,
        is_equal=is_equal,
        places=places_text["whole"],
        rest_places=places_text["rest"],
        map=f"affine_map<({dims}) -> ({dims})>",
        loops=", ".join(['"parallel"'] * len(type.sizes)),
        **types,
        **sizes_text(type, dim),
    )
    return Templates(text, operand.context).put("scan", [operand]).results


def _of_number(operand: ir.Value) -> Sequence[ir.Value]:
    """A number is its own extreme, at index 0."""
    zeros = builtin_tensor(TensorType(sizes=(), element="si64"))
    value = ir.DenseElementsAttr.get_splat(
        zeros, ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 0)
    )
    return operand, create_value("arith.constant", zeros, [], {"value": value})
