"""Fold operators whose results are empty tensors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.ir_builder import create_op, create_value
from torch_refine.dialect.names import name_of
from torch_refine.dialect.structured_ops import defining_op
from torch_refine.dialect.tensor_type import TensorType, Types
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.torch.seen_ops import constant_of

# Ops without tensor results, constants, and casts.
_KEPT = (
    "torch.vtensor.literal",
    "torch.aten.view_as_complex",
    "torch.prim.",
    "torch_c.",
    "torch.copy.",
)
# Ops whose result is their first operand with some elements replaced.
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
# Ops that write at the positions of an index tensor.
_INDEXED = (
    "torch.aten.index_add",
    "torch.aten.index_copy",
    "torch.aten.index_fill",
    "torch.aten.index_put",
    "torch.aten.scatter",
)
# Those of them whose second operand is a dimension, in which the third one counts. PyTorch's
# `index_add` does not look at indices if there is nothing to add to.
_COUNTING = (
    "torch.aten.index_copy",
    "torch.aten.index_fill",
    "torch.aten.index_reduce",
    "torch.aten.scatter",
)


@dataclass
class FoldEmptyTensors(Pass):
    """Fold operators whose results are empty tensors.

    A tensor with a size of 0 has no elements to compute. Some of the wheel's conversions divide by
    that 0, and schedules vectorize by it. It becomes a constant if all sizes are static. Otherwise
    a write to it is replaced by its operand, and a concatenation of such tensors by the first of
    them, as the wheel's has no operands. Writes with an empty index are replaced by their operand,
    too; with another one, there is no place to write to in a dimension of size 0: that raises.

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
            if empty and _has_no_place(each, types):
                _assert_none(each)
            for result in empty:
                result.replace_all_uses_with(_literal(result, types, each))
                state.count(self.name, "results folded")
            if empty and len(empty) == len(each.results):
                each.erase()
            elif not empty:
                same = _operand_equal_to_result(each, types)
                if same is not None:
                    each.results[0].replace_all_uses_with(same)
                    state.count(self.name, "results folded")
                    each.erase()


def _is_empty(type: TensorType) -> bool:
    return type.value_semantics and type.is_complete and 0 in (type.sizes or ())


def _operand_equal_to_result(op: ir.Operation, types: Types) -> ir.Value | None:
    """The operand that equals the result, as both are empty; None if there is none."""
    if _writes_no_elements(op, types):
        return op.operands[0]
    if name_of(op) != "torch.aten.cat":
        return None
    tensors, dim = defining_op(op.operands[0]), constant_of(op.operands[1])
    if tensors is None or tensors.name != "torch.prim.ListConstruct" or not isinstance(dim, int):
        return None
    given = list(tensors.operands)
    for value in given:
        type = types.tensor(value.type)
        if type is None or not type.sizes or type.sizes[dim % len(type.sizes)] != 0:
            return None
    return next((value for value in given if value.type == op.results[0].type), None)


def _writes_no_elements(op: ir.Operation, types: Types) -> bool:
    """Whether an op returns its first operand, as that or the index is empty."""
    if not name_of(op).startswith(_WRITING) or op.results[0].type != op.operands[0].type:
        return False
    type = types.tensor(op.results[0].type)
    if type is None or not type.value_semantics:
        return False
    return 0 in (type.sizes or ()) or _has_empty_index(op, types)


def _has_empty_index(op: ir.Operation, types: Types) -> bool:
    """Whether an op writes by an empty index."""
    if not name_of(op).startswith(_INDEXED):
        return False
    given = list(op.operands)[1:]
    for value in list(given):
        producer = value.owner
        if not isinstance(producer, ir.Block) and producer.name == "torch.prim.ListConstruct":
            given += list(producer.operands)
    found = [types.tensor(each.type) for each in given]
    return any(
        each is not None and str(each.element) in ("si64", "si32") and 0 in (each.sizes or ())
        for each in found
    )


def _has_no_place(op: ir.Operation, types: Types) -> bool:
    """Whether an op writes by an index that is not empty to a dimension of size 0."""
    name = name_of(op)
    if not name.startswith((*_COUNTING, "torch.aten.index_put")):
        return False
    written = types.tensor(op.operands[0].type)
    sizes = [] if written is None or written.sizes is None else list(written.sizes)
    if name.startswith(_COUNTING):
        dim = constant_of(op.operands[1])
        found = {dim % len(sizes): op.operands[2]} if isinstance(dim, int) and sizes else {}
    else:
        indices = defining_op(op.operands[1])
        found = {} if indices is None else dict(enumerate(indices.operands))
    for place, value in found.items():
        index = types.tensor(value.type)
        is_whole = index is not None and index.is_complete and 0 not in (index.sizes or ())
        # A mask has as many dimensions as it selects in.
        if is_whole and str(index and index.element) != "i1" and sizes[place : place + 1] == [0]:
            return True
    return False


def _assert_none(op: ir.Operation) -> None:
    """Let a program raise that reaches an op."""
    with ir.InsertionPoint(op), op.location:
        never = create_value(
            "torch.constant.bool",
            ir.Type.parse("!torch.bool"),
            [],
            {"value": ir.BoolAttr.get(False)},
        )
        text = ir.StringAttr.get("index is out of bounds for a dimension of size 0")
        create_op("torch.runtime.assert", [never], {"message": text})


def _literal(value: ir.Value, types: Types, op: ir.Operation) -> ir.Value:
    """An empty constant of a value's type, before an op."""
    type = types.tensor(value.type)
    assert type is not None and type.sizes is not None
    with ir.InsertionPoint(op), op.location:
        real = str(type.element).removeprefix("complex<").removesuffix(">")
        if real == type.element:
            return _empty(value.type, list(type.sizes), real)
        # MLIR has no empty constants of complex elements.
        pairs = [*type.sizes, 2]
        kind = ir.Type.parse(f"!torch.vtensor<[{','.join(map(str, pairs))}],{real}>")
        parts = _empty(kind, pairs, real)
        return create_value("torch.aten.view_as_complex", value.type, [parts])


def _empty(type: ir.Type, sizes: Sequence[int | None], element: str) -> ir.Value:
    shape = "".join(f"{size}x" for size in sizes)
    content = ir.Attribute.parse(f"dense<> : tensor<{shape}{element}>")
    return create_value("torch.vtensor.literal", type, [], {"value": content})
