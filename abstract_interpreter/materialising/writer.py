"""Writing ops of the torch dialect into blocks inside of each other."""

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
    """Something has no form in IR, or no name that can be used; the message says what."""


@dataclass
class Scope:
    """A block that is being written.

    `names` are the values that atoms have here, `closed` those of ints and conditions that were
    computed here. `holder` is the op of this block whose region is written now.
    """

    block: ir.Block
    names: dict[Atom, ir.Value] = field(default_factory=dict)
    closed: dict[Any, ir.Value] = field(default_factory=dict)
    holder: ir.Operation | None = None


class Constants:
    """Known scalars at the start of a block, each once; those that stand there are used.

    `made` are the ops that were written, `used` the values of all that were asked for.
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
        """The value of a known scalar; raises Unwritable where it has none."""
        # Zero and minus zero are equal, and so are 1, 1.0 and True.
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
    """Writes into the innermost of some blocks; constants stand where `constants` has them."""

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
        """Write an op at the end of the block at a depth, the innermost one unless told."""
        scope = self.scopes[depth]
        if scope.holder is None:
            point = ir.InsertionPoint(scope.block)
        else:
            point = ir.InsertionPoint(scope.holder)
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
        """A value's type without `!torch.`."""
        return self.types.text(value.type).removeprefix("!torch.")

    def cast(self, value: ir.Value, kind: str) -> ir.Value:
        """A value under another type: the same, widened, or narrowed."""
        have = self.kind(value)
        if kind == "tensor" and have.startswith("optional<"):
            kind = element_kind(have)
        elif have == kind or "tensor" in have or not kind:
            return value
        narrows = have.startswith((*_WIDE, "number")) and not (
            kind.startswith(_WIDE) or (kind == "number" and not have.startswith("optional<"))
        )
        if have == "number" and kind in ("int", "float"):
            narrows = True
        if have == "bool" and kind == "number":
            # The dialect has no direct cast; a number can be narrowed from anything.
            value = self.emit("torch.derefine", ["any"], [value]).result
            narrows = True
        name = "torch.prim.unchecked_cast" if narrows else "torch.derefine"
        return self.emit(name, [kind], [value]).result

    # Blocks.

    def open(self, holder: ir.Operation, block: ir.Block) -> None:
        """Go on in a block of an op that was written last."""
        self.scopes[-1].holder = holder
        self.scopes.append(Scope(block))

    def close(self, terminator: str, operands: Sequence[ir.Value]) -> None:
        """End the innermost block."""
        self.emit(terminator, [], operands)
        self.leave()

    def leave(self) -> None:
        """Go on behind the op that holds the innermost block."""
        self.scopes.pop()
        self.scopes[-1].holder = None

    # Values by what they stand for.

    def find(self, atom: Atom) -> ir.Value | None:
        """The value of an atom, None if it has none that can be used here."""
        for scope in reversed(self.scopes):
            found = scope.names.get(atom)
            if found is not None:
                return found
        return None

    def depth(self, atom: Atom) -> int:
        """In which block an atom has its value, counted from outside; 0 if it has none."""
        for depth in range(len(self.scopes) - 1, -1, -1):
            if atom in self.scopes[depth].names:
                return depth
        return 0

    def closed(self, key: Any) -> ir.Value | None:
        """What was computed before, where it can be used here."""
        for scope in reversed(self.scopes):
            found = scope.closed.get(key)
            if found is not None:
                return found
        return None
