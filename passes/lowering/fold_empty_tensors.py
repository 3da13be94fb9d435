"""Replace what computes an empty tensor by an empty tensor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.names import name_of
from torch_refine.dialect.tensor_type import TensorType, Types
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.kernels.indexing import maker_of
from torch_refine.passes.lowering.seen_ops import constant_of

# Ops that make no tensor, or that only say what another value is.
_KEPT = ("torch.vtensor.literal", "torch.prim.", "torch_c.", "torch.copy.")
# What they return is what they take first, but for some elements.
_WRITING = (
    "torch.aten.index_add",
    "torch.aten.index_copy",
    "torch.aten.index_fill",
    "torch.aten.index_put",
    "torch.aten.masked_fill",
    "torch.aten.masked_scatter",
    "torch.aten.scatter",
    "torch.aten.select_scatter",
    "torch.aten.slice_scatter",
)
# They write at the places that an index says.
_INDEXED = (
    "torch.aten.index_add",
    "torch.aten.index_copy",
    "torch.aten.index_fill",
    "torch.aten.index_put",
    "torch.aten.scatter",
)


@dataclass
class FoldEmptyTensors(Pass):
    """Replace what computes an empty tensor by an empty tensor.

    A value with a size of 0 has no elements, so it does not matter how they are computed. Some of
    the wheel's conversions divide by that 0, and schedules make vectors of it. If not all sizes are
    known there is no constant; then what would be written to stays as it is, and the first of
    several such tensors stands for their concatenation, of which the wheel makes one of no operand
    at all. What is written to at no place stays as it is, too.

    Before:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[2,0],f32>) -> !torch.vtensor<[2,0],f32> {
      %0 = torch.aten.tanh %arg0 : !torch.vtensor<[2,0],f32> -> !torch.vtensor<[2,0],f32>
      return %0 : !torch.vtensor<[2,0],f32>
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[2,0],f32>) -> !torch.vtensor<[2,0],f32> {
      %0 = torch.vtensor.literal(dense<> : tensor<2x0xf32>) : !torch.vtensor<[2,0],f32>
      return %0 : !torch.vtensor<[2,0],f32>
    }
    ```
    """

    name: ClassVar[str] = "torch-fold-empty-tensors"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Fold them in a module, or in one function."""
        types = Types(op.context)
        for each in reversed(list(walk(op))):
            if not each.name.startswith("torch.") or name_of(each).startswith(_KEPT):
                continue
            empty = [
                result
                for result in each.results
                if (found := types.tensor(result.type)) is not None and _is_empty(found)
            ]
            for result in empty:
                result.replace_all_uses_with(_literal(result, types, each))
                state.count(self.name, "results folded")
            if empty and len(empty) == len(each.results):
                each.erase()
            elif not empty:
                same = _same_as_result(each, types)
                if same is not None:
                    each.results[0].replace_all_uses_with(same)
                    state.count(self.name, "results folded")
                    each.erase()


def _is_empty(type: TensorType) -> bool:
    if not type.value_semantics or not type.is_complete or 0 not in (type.sizes or ()):
        return False
    # MLIR has no empty constant of complex numbers.
    return not str(type.element).startswith("complex")


def _same_as_result(op: ir.Operation, types: Types) -> ir.Value | None:
    """The operand that is what an op returns, as it has no elements; None if there is none."""
    if _writes_to_nothing(op, types):
        return op.operands[0]
    if name_of(op) != "torch.aten.cat":
        return None
    tensors, dim = maker_of(op.operands[0]), constant_of(op.operands[1])
    if tensors is None or tensors.name != "torch.prim.ListConstruct" or not isinstance(dim, int):
        return None
    given = list(tensors.operands)
    for value in given:
        type = types.tensor(value.type)
        if type is None or not type.sizes or type.sizes[dim % len(type.sizes)] != 0:
            return None
    return next((value for value in given if value.type == op.results[0].type), None)


def _writes_to_nothing(op: ir.Operation, types: Types) -> bool:
    """Whether an op returns what it takes first, as that has no elements, or no index."""
    if not name_of(op).startswith(_WRITING) or op.results[0].type != op.operands[0].type:
        return False
    type = types.tensor(op.results[0].type)
    if type is None or not type.value_semantics:
        return False
    return 0 in (type.sizes or ()) or _has_no_index(op, types)


def _has_no_index(op: ir.Operation, types: Types) -> bool:
    """Whether an op writes at the places of an index that has no elements."""
    if not name_of(op).startswith(_INDEXED):
        return False
    given = list(op.operands)[1:]
    for value in list(given):
        maker = value.owner
        if not isinstance(maker, ir.Block) and maker.name == "torch.prim.ListConstruct":
            given += list(maker.operands)
    found = [types.tensor(each.type) for each in given]
    return any(
        each is not None and str(each.element) in ("si64", "si32") and 0 in (each.sizes or ())
        for each in found
    )


def _literal(value: ir.Value, types: Types, op: ir.Operation) -> ir.Value:
    """A tensor without elements of a value's type, before an op."""
    type = types.tensor(value.type)
    assert type is not None and type.sizes is not None
    sizes = "".join(f"{size}x" for size in type.sizes)
    content = ir.Attribute.parse(f"dense<> : tensor<{sizes}{type.element}>", op.context)
    with ir.InsertionPoint(op), op.location:
        return ir.Operation.create(
            "torch.vtensor.literal", results=[value.type], attributes={"value": content}
        ).result
