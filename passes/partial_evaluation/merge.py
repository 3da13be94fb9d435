"""Joining what the two sides of an unknown `If` yield."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from torch_refine.abstract_interpreter.running.errors import Raised
from torch_refine.dialect.bindings import ir
from torch_refine.dialect.kinds import element_kind, split_kinds
from torch_refine.passes.partial_evaluation.residual import narrower
from torch_refine.passes.partial_evaluation.values import (
    ListObject,
    TupleValue,
    Value,
    lists_in,
    same_value,
)

if TYPE_CHECKING:
    from torch_refine.passes.partial_evaluation.evaluator import Evaluator


@dataclass
class Outcome:
    """How a side of an `If` ended: what it yields, and the lists that it changed."""

    values: list[Value]
    changed: dict[ListObject, list[Any] | None]
    block: ir.Block
    raised: Raised | None


@dataclass(frozen=True)
class _Phi:
    """The place of a result of an `If` that is still being written."""

    index: int
    items: tuple[Any, ...] | None = None
    list_kind: str | None = None
    given: bool = False


class Merge:
    """Joins the values that the two sides of an unknown `If` yield."""

    def __init__(
        self, evaluator: Evaluator, draft: ir.Operation, one: Outcome, other: Outcome
    ) -> None:
        self.evaluator = evaluator
        self.draft = draft
        self.sides = (one, other)
        self.kinds: list[str] = []
        self.operands: tuple[list[ir.Value], list[ir.Value]] = ([], [])
        self.lists: dict[tuple[int, int], _Phi] = {}

    def value(self, left: Value, right: Value, kind: str) -> Value | _Phi:
        """The join of two values of the type `kind`, with `_Phi` for what differs."""
        if same_value(left, right):
            return left
        if isinstance(left, TupleValue) and isinstance(right, TupleValue):
            kinds = split_kinds(kind if kind.startswith("tuple<") else left.kind)
            pairs = zip(left.items, right.items, kinds, strict=True)
            return TupleValue(left.kind, tuple(self.value(a, b, k) for a, b, k in pairs))
        if isinstance(left, ListObject) and isinstance(right, ListObject):
            key = (id(left), id(right))
            if key not in self.lists:
                self.lists[key] = self.list(left, right)
            return self.lists[key]
        return self.phi(left, right, narrower(left, right, kind))

    def phi(self, left: Value, right: Value, kind: str) -> _Phi:
        """A result of the `If` that is `left` or `right`."""
        residual = self.evaluator.residual
        depth = len(self.evaluator.scopes)
        for older in [*lists_in(left), *lists_in(right)]:
            # Afterwards it has a second name, so it must be the same object in the IR, too.
            if older.depth <= depth:
                self.evaluator.write_list(older)
        outer = residual.block
        for side, value, operands in zip(self.sides, (left, right), self.operands, strict=True):
            residual.block = side.block
            operands.append(residual.value(value, kind))
        residual.block = outer
        self.kinds.append(kind)
        return _Phi(len(self.kinds) - 1)

    def list(self, left: ListObject, right: ListObject) -> _Phi:
        """The join of two lists.

        Lists that only their side knows become one new list. Otherwise the result is an older
        list under a second name, so it must be the same object in the IR, too.
        """
        depth = len(self.evaluator.scopes)
        items = None
        if (
            left.items is not None
            and right.items is not None
            and len(left.items) == len(right.items)
        ):
            element = element_kind(left.kind)
            pairs = list(zip(left.items, right.items, strict=True))
            if all(not isinstance(entry, ListObject) for pair in pairs for entry in pair):
                items = tuple(self.value(a, b, element) for a, b in pairs)
        own = all(
            value.depth > depth and value.ssa is None and not value.uncertain and not value.given
            for value in (left, right)
        )
        if own and items is not None:
            return _Phi(-1, items, left.kind)
        phi = self.phi(left, right, left.kind)
        return _Phi(phi.index, items, left.kind, left.given or right.given)

    def finish(self, condition: ir.Value) -> ir.Operation:
        """Write the `If` with all its results, in place of the draft."""
        residual = self.evaluator.residual
        for side, operands in zip(self.sides, self.operands, strict=True):
            self.evaluator.end_block(side.block, "torch.prim.If.yield", operands)
        op = residual.emit("torch.prim.If", self.kinds, [condition], regions=2)
        for side, region in zip(self.sides, op.regions, strict=True):
            side.block.append_to(region)
        self.draft.erase()
        return op

    def resolve(self, value: Value | _Phi, op: ir.Operation) -> Value:
        """Put the results of the written `If` in place of every `_Phi`."""
        evaluator = self.evaluator
        if isinstance(value, TupleValue):
            return TupleValue(value.kind, tuple(self.resolve(item, op) for item in value.items))
        if not isinstance(value, _Phi):
            return value
        if value.list_kind is None:
            return evaluator.residual.opaque(op.results[value.index])
        items = None
        if value.items is not None:
            items = [self.resolve(item, op) for item in value.items]
        depth = len(evaluator.scopes)
        if value.index < 0:
            return ListObject(value.list_kind, items, depth=depth)
        joined = ListObject(
            value.list_kind, items, op.results[value.index], True, value.given, depth
        )
        evaluator.written.append(joined)
        return joined
