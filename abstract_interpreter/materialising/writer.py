"""Create ops of the torch dialect in nested blocks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from torch_refine.abstract_interpreter.numbers.expressions import INT_MAX, INT_MIN
from torch_refine.abstract_interpreter.outcomes import Atom
from torch_refine.dialect.bindings import attributes_of, ir, operations
from torch_refine.dialect.kinds import element_kind
from torch_refine.dialect.tensor_type import Types

_CONSTANTS = {int: "int", float: "float", bool: "bool", str: "str", type(None): "none"}
_CONSTANT_OPS = {f"torch.constant.{kind}" for kind in _CONSTANTS.values()}
_WIDE = ("optional<", "any", "union<")


class Unwritable(Exception):
    """A value has no form in IR, or none that is available here; the message names it."""


@dataclass
class Scope:
    """A block that is being written.

    `names` maps atoms to their values here, `closed` ints and conditions to those computed here.
    `holder` is the op of this block whose region is being written, `before` the op in front of
    which ops are created otherwise, None for the end of the block.
    """

    block: ir.Block
    names: dict[Atom, ir.Value] = field(default_factory=dict)
    closed: dict[Any, ir.Value] = field(default_factory=dict)
    holder: ir.Operation | None = None
    before: ir.Operation | None = None


class Constants:
    """Constants at the start of a block, each once; existing ones are reused.

    `made` are the ops created, `used` the values returned.
    """

    def __init__(self, types: Types, block: ir.Block, location: ir.Location) -> None:
        self.types = types
        self.block = block
        self.location = location
        self.made: list[ir.Operation] = []
        self.used: set[ir.Value] = set()
        self._values: dict[Any, ir.Value] = {}
        self._last: ir.Operation | None = None
        for op in operations(block):
            if op.name not in _CONSTANT_OPS:
                break
            self._values.setdefault((op.name, *attributes_of(op).values()), op.result)
            self._last = op

    def value(self, scalar: Any) -> ir.Value:
        """The value of a scalar constant; raises Unwritable if it cannot be represented."""
        # 0.0 and -0.0 are equal, and so are 1, 1.0 and True.
        known = (type(scalar), repr(scalar))
        found = self._values.get(known)
        if found is None:
            found = self._values[known] = self._written(scalar)
            self.used.add(found)
        return found

    def _written(self, scalar: Any) -> ir.Value:
        kind = _CONSTANTS[type(scalar)]
        name = f"torch.constant.{kind}"
        attributes = {} if scalar is None else {"value": self._attribute(scalar)}
        found = self._values.get((name, *attributes.values()))
        if found is not None:
            return found
        if self._last is None:
            point = ir.InsertionPoint.at_block_begin(self.block)
        else:
            point = ir.InsertionPoint.after(self._last)
        self._last = ir.Operation.create(
            name,
            results=[self.types.parse(f"!torch.{kind}")],
            attributes=attributes,
            loc=self.location,
            ip=point,
        )
        self.made.append(self._last)
        return self._last.result

    def _attribute(self, value: Any) -> ir.Attribute:
        context = self.types.context
        if isinstance(value, bool):
            return ir.IntegerAttr.get(ir.IntegerType.get_signless(1, context), int(value))
        if isinstance(value, int):
            if not INT_MIN <= value <= INT_MAX:
                raise Unwritable(f"{value} does not fit into 64 bits")
            return ir.IntegerAttr.get(ir.IntegerType.get_signless(64, context), value)
        if isinstance(value, float):
            return ir.FloatAttr.get(ir.F64Type.get(context), value, self.location)
        return ir.StringAttr.get(value, context)


class Writer:
    """Creates ops in the innermost of nested blocks; `constants` places constants."""

    def __init__(
        self,
        types: Types,
        block: ir.Block,
        location: ir.Location,
        constants: Constants | None = None,
    ) -> None:
        self.types = types
        self.location = location
        self.scopes = [Scope(block)]
        self.constants = Constants(types, block, location) if constants is None else constants
        self.constant = self.constants.value

    def emit(
        self,
        name: str,
        results: Sequence[str],
        operands: Sequence[ir.Value],
        attributes: dict[str, ir.Attribute] | None = None,
        regions: int = 0,
        depth: int = -1,
    ) -> ir.Operation:
        """Create an op at the end of the block at a depth, by default the innermost one."""
        scope = self.scopes[depth]
        place = scope.holder or scope.before
        if not self.types.context.is_registered_operation(name):
            attributes = {**(attributes or {}), "name": ir.StringAttr.get(name, self.types.context)}
            name = "torch.operator"
        point = ir.InsertionPoint(scope.block) if place is None else ir.InsertionPoint(place)
        return ir.Operation.create(
            name,
            results=[self.type(kind) for kind in results],
            operands=list(operands),
            attributes=attributes or {},
            regions=regions,
            loc=self.location,
            ip=point,
        )

    def type(self, kind: str) -> ir.Type:
        """A type of the torch dialect."""
        return self.types.parse(f"!torch.{kind}")

    def kind(self, value: ir.Value) -> str:
        """The type of a value without `!torch.`."""
        return self.types.text(value.type).removeprefix("!torch.")

    def cast(self, value: ir.Value, kind: str) -> ir.Value:
        """Cast a value to another type: the same, a wider or a narrower one."""
        have = self.kind(value)
        if kind == "tensor" and have.startswith("optional<"):
            kind = element_kind(have)
        elif have == kind or "tensor" in have or not kind:
            return value
        narrows = have.startswith((*_WIDE, "number")) and not (
            kind.startswith(_WIDE) or (kind == "number" and not have.startswith("optional<"))
        )
        if have == "bool" and kind == "number":
            # The dialect has no direct cast; any type can be narrowed to a number.
            value = self.emit("torch.derefine", ["any"], [value]).result
            narrows = True
        name = "torch.prim.unchecked_cast" if narrows else "torch.derefine"
        return self.emit(name, [kind], [value]).result

    # Nested blocks.

    def open(self, holder: ir.Operation, block: ir.Block) -> None:
        """Enter a block of the op created last."""
        self.scopes[-1].holder = holder
        self.scopes.append(Scope(block))

    def close(self, terminator: str, operands: Sequence[ir.Value]) -> None:
        """Terminate the innermost block."""
        self.emit(terminator, [], operands)
        self.leave()

    def leave(self) -> None:
        """Leave the innermost block and continue after its op."""
        self.scopes.pop()
        self.scopes[-1].holder = None

    # Values of atoms.

    def find(self, atom: Atom) -> ir.Value | None:
        """The value of an atom, None if none is available here."""
        for scope in reversed(self.scopes):
            found = scope.names.get(atom)
            if found is not None:
                return found
        return None

    def depth(self, atom: Atom) -> int:
        """The depth of the block that has an atom's value, counted from outside; 0 for none."""
        for depth in range(len(self.scopes) - 1, -1, -1):
            if atom in self.scopes[depth].names:
                return depth
        return 0

    def closed(self, key: Any) -> ir.Value | None:
        """A value computed before, if it is available here."""
        for scope in reversed(self.scopes):
            found = scope.closed.get(key)
            if found is not None:
                return found
        return None
