"""Write inferred types into the program, with casts for users that tie an operand's type."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from torch_refine.dialect.bindings import ir, operations
from torch_refine.dialect.tensor_type import Types
from torch_refine.passes.casts import CAST, is_free

_NARROW = "torch.prim.unchecked_cast"


class Writer:
    """Sets types; `original` holds the previous type of a value.

    `precise` returns the inferred type of a value that keeps its type.
    """

    def __init__(self, types: Types, precise: Callable[[ir.Value], ir.Type] | None = None) -> None:
        self.types = types
        self.precise = precise
        self.original: dict[ir.Value, ir.Type] = {}
        self.casts: list[ir.Value] = []
        self._hiding: dict[tuple[ir.Value, ir.Type, ir.Type], ir.Value] = {}
        self.refined = 0

    def set_type(self, value: ir.Value, type: ir.Type) -> None:
        """Refine the type of a value."""
        old = value.type
        if old != type:
            self.original.setdefault(value, old)
            value.set_type(type)
            self.refined += 1

    def keep_operands(self, op: ir.Operation) -> None:
        """Cast the operands of an op back to their previous types."""
        for index, operand in enumerate(op.operands):
            old = self.original.get(operand)
            if old is not None:
                op.operands[index] = self.cast(operand, old, op)

    def fit(self, op: ir.Operation, first: int, expected: Sequence[ir.Type]) -> None:
        """Cast the operands of an op, from index `first` on, to the expected types."""
        for index, type in enumerate(expected, first):
            operand = op.operands[index]
            if operand.type != type and self.types.tensor(type) is not None:
                if self.precise is not None:
                    # A chain of two casts must not lose type information.
                    operand = self.cast(operand, self.precise(operand), op)
                op.operands[index] = self.cast(operand, type, op)

    def cast(self, value: ir.Value, type: ir.Type, before: ir.Operation) -> ir.Value:
        """Cast a value to a type, for use by an op.

        A cast that only erases type information is created once, after the defining op; one that
        refines may be wrong elsewhere, and is created before the op.
        """
        value = self._source(value, type)
        if value.type == type:
            return value
        have, want = self.types.tensor(value.type), self.types.tensor(type)
        if have is None or want is None:
            if self.types.text(value.type) == "!torch.number":
                return self._create(_NARROW, value, type, ir.InsertionPoint(before))
            return self._hidden("torch.derefine", value, type)
        if have.refines(want):
            return self._hidden(CAST, value, type)
        # In unreachable code a cast may be contradictory, which the dialect rejects.
        between = have.meet(want) if have.allows(want) else have.erased()
        if between not in (have, want):
            value = self._create(CAST, value, self.types.parse(between), ir.InsertionPoint(before))
        return self._create(CAST, value, type, ir.InsertionPoint(before))

    def _hidden(self, name: str, value: ir.Value, type: ir.Type) -> ir.Value:
        key = (value, value.type, type)
        found = self._hiding.get(key)
        if found is None:
            found = self._hiding[key] = self._create(name, value, type, _behind(value))
        return found

    def cast_argument(self, value: ir.Value, type: ir.Type) -> None:
        """Cast an argument, for its users that accept any type."""
        users = [each for each in _uses(value) if _takes_any(each[0])]
        self._recast(value, type, users)

    def _source(self, value: ir.Value, type: ir.Type) -> ir.Value:
        """The operand of a chain of casts that only erase type information, or if it refines
        `type`.
        """
        want = self.types.tensor(type)
        seen = {value}
        while not isinstance(value.owner, ir.Block) and value.owner.operation.name == CAST:
            source = value.owner.operation.operands[0]
            have, hidden = self.types.tensor(source.type), self.types.tensor(value.type)
            # In an unreachable block, a cast may be its own operand.
            if have is None or want is None or hidden is None or source in seen:
                break
            if not have.refines(want) and not (have.refines(hidden) and have.allows(want)):
                break
            seen.add(source)
            value = source
        return value

    def cast_result(self, value: ir.Value, type: ir.Type) -> ir.Value | None:
        """Cast a result, for its users that accept any type; None if there are none.

        The cast is created after the defining op.
        """
        users = [each for each in _uses(value) if _takes_any(each[0])]
        return self._recast(value, type, users)

    def change_result(self, value: ir.Value, type: ir.Type) -> None:
        """Change a result's type; users that require the old type get a cast."""
        users = [each for each in _uses(value) if not is_free(each[0].name)]
        self._recast(value, value.type, users)
        value.set_type(type)
        for user, _ in _uses(value):
            if user.name == CAST and user.result.type == type:
                user.result.replace_all_uses_with(value)
                self._hiding = {k: cast for k, cast in self._hiding.items() if cast != user.result}
                self.casts = [cast for cast in self.casts if cast != user.result]
                user.erase()

    def _recast(
        self, value: ir.Value, type: ir.Type, users: list[tuple[ir.Operation, int]]
    ) -> ir.Value | None:
        if not users:
            return None
        cast = self._create(CAST, value, type, _behind(value))
        for user, index in users:
            user.operands[index] = cast
        self.original[cast] = value.type
        return cast

    def _create(
        self, name: str, value: ir.Value, type: ir.Type, point: ir.InsertionPoint
    ) -> ir.Value:
        op = ir.Operation.create(
            name, results=[type], operands=[value], loc=value.location, ip=point
        )
        if name == CAST:
            self.casts.append(op.result)
        return op.result


def _behind(value: ir.Value) -> ir.InsertionPoint:
    """The insertion point after a definition; arguments' is after the block's leading constants."""
    if not isinstance(value.owner, ir.Block):
        return ir.InsertionPoint.after(value.owner.operation)
    ops = operations(value.owner)
    return ir.InsertionPoint(next(op for op in ops if not op.name.startswith("torch.constant.")))


def _uses(value: ir.Value) -> list[tuple[ir.Operation, int]]:
    """The uses of a value: user and operand index."""
    return [(use.owner.operation, use.operand_number) for use in value.uses]


def _takes_any(user: ir.Operation) -> bool:
    """Whether an op, other than casts and `bind_symbolic_shape`, accepts an operand of any type."""
    return is_free(user.name) and user.name not in (CAST, "torch.bind_symbolic_shape")
