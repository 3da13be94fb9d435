"""Writes the IR that is left of a calculation once what is known has been computed."""

from __future__ import annotations

from typing import Any

from torch_refine.dialect.bindings import attributes_of, ir
from torch_refine.dialect.kinds import element_kind, split_kinds
from torch_refine.dialect.tensor_type import Types
from torch_refine.passes.partial_evaluation.values import (
    ListObject,
    TensorValue,
    TupleValue,
    Unknown,
    Value,
    is_scalar,
    kind_of,
)

_CONSTANT_OPS = {int: "int", float: "float", bool: "bool", str: "str", type(None): "none"}


class Residual:
    """Writes a new block, and known values into it on demand.

    Constants and the sizes of tensors go to a prologue in front of the calculation, where every
    nested region can see them; each is written once.
    """

    def __init__(self, types: Types, block: ir.Block, location: ir.Location) -> None:
        self.types = types
        self.location = location
        self.block = block
        self._top = block
        self._last_constant: ir.Operation | None = None
        self._last_size: ir.Operation | None = None
        self._constants: dict[tuple[type, Any], ir.Value] = {}
        self._sizes: dict[tuple[ir.Value, int], Unknown] = {}

    def emit(
        self,
        name: str,
        results: list[str],
        operands: list[ir.Value],
        attributes: dict[str, ir.Attribute] | None = None,
        regions: int = 0,
        before: ir.Operation | None = None,
    ) -> ir.Operation:
        """Append an op to the present block, or put it before another op."""
        return ir.Operation.create(
            name,
            results=[self.types.parse(f"!torch.{kind}") for kind in results],
            operands=operands,
            attributes=attributes or {},
            regions=regions,
            loc=self.location,
            ip=ir.InsertionPoint(self.block if before is None else before),
        )

    def clone(self, op: ir.Operation, operands: list[ir.Value]) -> ir.Operation:
        """Append an op like `op`, which has no regions, over other operands."""
        return ir.Operation.create(
            op.name,
            results=[result.type for result in op.results],
            operands=operands,
            attributes=attributes_of(op),
            loc=self.location,
            ip=ir.InsertionPoint(self.block),
        )

    def constant(self, value: Any) -> ir.Value:
        """The SSA value of a known scalar."""
        key = (type(value), repr(value))
        ssa = self._constants.get(key)
        if ssa is None:
            kind = _CONSTANT_OPS[type(value)]
            name = f"torch.constant.{kind}"
            attributes = {} if value is None else {"value": self._attribute(value)}
            op = self._prologue_op(name, kind, [], attributes, self._last_constant)
            self._last_constant = op
            ssa = self._constants[key] = op.result
        return ssa

    def _attribute(self, value: Any) -> ir.Attribute:
        context = self.types.context
        if isinstance(value, bool):
            return ir.IntegerAttr.get(ir.IntegerType.get_signless(1, context), int(value))
        if isinstance(value, int):
            return ir.IntegerAttr.get(ir.IntegerType.get_signless(64, context), value)
        if isinstance(value, float):
            return ir.FloatAttr.get(ir.F64Type.get(context), value, self.location)
        return ir.StringAttr.get(value, context)

    def size(self, tensor: ir.Value, dim: int) -> Unknown:
        """The size of a tensor's dimension that its type does not tell."""
        size = self._sizes.get((tensor, dim))
        if size is None:
            index = self.constant(dim)
            behind = self._last_size or self._last_constant
            op = self._prologue_op("torch.aten.size.int", "int", [tensor, index], {}, behind)
            self._last_size = op
            size = self._sizes[tensor, dim] = Unknown(op.result, "int")
        return size

    def _prologue_op(
        self,
        name: str,
        kind: str,
        operands: list[ir.Value],
        attributes: dict[str, ir.Attribute],
        behind: ir.Operation | None,
    ) -> ir.Operation:
        if behind is None:
            point = ir.InsertionPoint.at_block_begin(self._top)
        else:
            point = ir.InsertionPoint.after(behind)
        return ir.Operation.create(
            name,
            results=[self.types.parse(f"!torch.{kind}")],
            operands=operands,
            attributes=attributes,
            loc=self.location,
            ip=point,
        )

    def value(self, value: Value, kind: str, before: ir.Operation | None = None) -> ir.Value:
        """The SSA value of anything, as a value of the type `kind`.

        A list that has no SSA value of its own is written out as it is now: a copy, for ops that
        only read it.
        """
        if is_scalar(value):
            ssa = self.constant(value)
        elif isinstance(value, Unknown | TensorValue):
            ssa = value.ssa
        elif isinstance(value, TupleValue):
            kinds = split_kinds(value.kind)
            operands = [
                self.value(item, item_kind, before)
                for item, item_kind in zip(value.items, kinds, strict=True)
            ]
            ssa = self.emit(
                "torch.prim.TupleConstruct", [value.kind], operands, before=before
            ).result
        else:
            ssa = value.ssa if value.ssa is not None else self.copy_of_list(value, before)
        return self.cast(ssa, kind, before)

    def copy_of_list(self, value: ListObject, before: ir.Operation | None = None) -> ir.Value:
        """A new list in the IR with the present elements of `value`."""
        element = element_kind(value.kind)
        operands = [self.value(item, element, before) for item in value.items or ()]
        name = "torch.prim.ListConstruct"
        return self.emit(name, [value.kind], operands, before=before).result

    def cast(self, ssa: ir.Value, kind: str, before: ir.Operation | None = None) -> ir.Value:
        """`ssa` as a value of the type `kind`: the same, widened, or narrowed."""
        have = self.types.text(ssa.type).removeprefix("!torch.")
        if have == kind or "tensor" in have:
            return ssa
        wider = have.startswith(("optional<", "any", "number", "union<")) and not (
            kind.startswith(("optional<", "any", "union<"))
            or (kind == "number" and not have.startswith("optional<"))
        )
        if have == "number" and kind in ("int", "float"):
            wider = True
        if have == "bool" and kind == "number":
            # The dialect has no direct cast; a number can be narrowed from anything.
            ssa = self.emit("torch.derefine", ["any"], [ssa], before=before).result
            wider = True
        name = "torch.prim.unchecked_cast" if wider else "torch.derefine"
        return self.emit(name, [kind], [ssa], before=before).result

    def opaque(self, ssa: ir.Value) -> Value:
        """An SSA value about which nothing but its type is known."""
        kind = self.types.text(ssa.type).removeprefix("!torch.")
        if kind.startswith("list<"):
            return ListObject(kind, None, ssa, uncertain=True)
        if kind.startswith("tuple<"):
            kinds = split_kinds(kind)
            op = self.emit("torch.prim.TupleUnpack", kinds, [ssa])
            return TupleValue(kind, tuple(self.opaque(result) for result in op.results))
        if kind.startswith(("vtensor", "tensor")):
            return TensorValue(ssa)
        if kind == "none":
            return None
        return Unknown(ssa, kind)

    def kind(self, ssa: ir.Value) -> str:
        """An SSA value's type without `!torch.`."""
        return self.types.text(ssa.type).removeprefix("!torch.")


def narrower(left: Value, right: Value, kind: str) -> str:
    """The type for a value that is one of two, at most as wide as `kind`."""
    one, other = kind_of(left), kind_of(right)
    return one if one == other else kind
