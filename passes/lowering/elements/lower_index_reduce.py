"""Lower reductions of whole slices by their index to scatters of slices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.ir_builder import create_value
from torch_refine.dialect.names import name_of
from torch_refine.dialect.tensor_type import TensorType, Types
from torch_refine.passes.base import Pass, PassFailure, RunState
from torch_refine.passes.lowering.elements.converting import builtin, builtin_tensor
from torch_refine.passes.lowering.templates import Templates
from torch_refine.passes.lowering.torch.seen_ops import constant_of

_OPERATOR = "torch.aten.index_reduce"
_FLOATS = ("f32", "f64")
_INTEGERS = ("si32", "si64")
_FUNCTION = """
func.func private @scatter(%memory: {memory}, %index: {index}, %source: {source}) -> {memory} {{
  {rows}
  %places = tensor.expand_shape %index [[0, 1]] output_shape [{count}, 1] : {index} into {places}
  %reduced = tm_tensor.scatter {{dimension_map = array<i64: 0>}} unique_indices(false)
      ins(%source, %places : {source}, {places}) outs(%memory : {memory}) {{
  ^bb0(%new: {element}, %old: {element}):
    {reduction}
    tm_tensor.yield %found : {element}
  }} -> {memory}
  return %reduced : {memory}
}}
"""
_REDUCTIONS = {
    ("prod", True): "%found = arith.mulf %old, %new : {element}",
    ("prod", False): "%found = arith.muli %old, %new : {element}",
    ("amax", True): "%found = arith.maximumf %old, %new : {element}",
    ("amax", False): "%found = arith.maxsi %old, %new : {element}",
    ("amin", True): "%found = arith.minimumf %old, %new : {element}",
    ("amin", False): "%found = arith.minsi %old, %new : {element}",
}


@dataclass
class LowerIndexReduce(Pass):
    """Lower reductions of whole slices by their index to scatters of slices.

    Products and extremes of slices of dimension 0, with those that are there, are computed slice
    by slice, by vectors. The library's function reduces other calls of `index_reduce` to these.
    `insert-bounds-checks` checks indices and sizes.

    Before:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[3,4],si64>, %arg1: !torch.vtensor<[5],si64>, \
%arg2: !torch.vtensor<[5,4],si64>) -> !torch.vtensor<[3,4],si64> {
      %int0 = torch.constant.int 0
      %str = torch.constant.str "amax"
      %true = torch.constant.bool true
      %0 = torch.operator "torch.aten.index_reduce"(%arg0, %int0, %arg1, %arg2, %str, %true) : \
(!torch.vtensor<[3,4],si64>, !torch.int, !torch.vtensor<[5],si64>, !torch.vtensor<[5,4],si64>, \
!torch.str, !torch.bool) -> !torch.vtensor<[3,4],si64>
      return %0 : !torch.vtensor<[3,4],si64>
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[3,4],si64>, %arg1: !torch.vtensor<[5],si64>, \
%arg2: !torch.vtensor<[5,4],si64>) -> !torch.vtensor<[3,4],si64> {
      // ...
      %3 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(false) \
ins(%2, %expanded : tensor<5x4xi64>, tensor<5x1xi64>) outs(%0 : tensor<3x4xi64>) {
      ^bb0(%arg3: i64, %arg4: i64):
        %5 = arith.maxsi %arg4, %arg3 : i64
        tm_tensor.yield %5 : i64
      } -> tensor<3x4xi64>
      // ...
    }
    ```
    """

    name: ClassVar[str] = "torch-lower-index-reduce"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite in a module, or in one function."""
        types = Types(op.context)
        failed = False
        for each in [each for each in walk(op) if name_of(each) == _OPERATOR]:
            given = [types.tensor(each.operands[place].type) for place in (0, 2, 3)]
            reason = _why_not(given, each)
            if reason is None:
                with each.location, ir.InsertionPoint(each):
                    _lower(each, [type for type in given if type is not None])
                state.count(self.name, "operators")
            else:
                message = f"{name_of(each)} is not lowered: {reason}"
                state.diagnostics.error(each.location, message)
                failed = True
        if failed:
            raise PassFailure(self.name)


def _why_not(given: list[TensorType | None], op: ir.Operation) -> str | None:
    """Why an op cannot be lowered; None if it can."""
    own, index, source = given
    if own is None or index is None or source is None:
        return "its types are unknown"
    if own.sizes is None or index.sizes is None or source.sizes is None:
        return "its types are unknown"
    if own.element not in (*_FLOATS, *_INTEGERS) or source.element != own.element:
        return f"for elements of type {own.element}"
    if index.element != "si64" or len(index.sizes) != 1 or len(source.sizes) != len(own.sizes):
        return "unless there is an index of 64 bits for each slice"
    _, dim, _, _, reduce, include_self = op.operands
    if not own.sizes or constant_of(dim) != 0 or constant_of(include_self) is not True:
        return "unless slices of dimension 0 are combined with those that are there"
    if (constant_of(reduce), True) not in _REDUCTIONS:
        return f"by {constant_of(reduce)}"
    return None


def _lower(op: ir.Operation, given: list[TensorType]) -> None:
    own, index, source = given
    assert index.sizes is not None, "ranks must be known"
    element = str(own.element)
    count = index.sizes[0]
    rows = ""
    if count is None:
        rows = f"""%zero = arith.constant 0 : index
  %rows = tensor.dim %index, %zero : {builtin_tensor(index)}"""
    reduction = _REDUCTIONS[constant_of(op.operands[4]), element in _FLOATS]
    text = _FUNCTION.format(
        memory=builtin_tensor(own),
        index=builtin_tensor(index),
        source=builtin_tensor(source),
        places=builtin_tensor(TensorType(sizes=(count, 1), element="si64")),
        rows=rows,
        count="%rows" if count is None else count,
        element=builtin(element),
        reduction=reduction.format(element=builtin(element)),
    )
    operands = [
        create_value("torch_c.to_builtin_tensor", builtin_tensor(type), [op.operands[place]])
        for place, type in zip((0, 2, 3), given, strict=True)
    ]
    (value,) = Templates(text, op.context).put("scatter", operands).results
    result = op.results[0]
    wanted = Types(op.context).tensor(result.type)
    assert wanted is not None, "the result must be a tensor"
    if value.type != builtin_tensor(wanted):
        value = create_value("tensor.cast", builtin_tensor(wanted), [value])
    result.replace_all_uses_with(create_value("torch_c.from_builtin_tensor", result.type, [value]))
    op.erase()
