"""Guards of a program: those attached to functions, and assertions with their conditions."""

from __future__ import annotations

from dataclasses import dataclass

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.guard_messages import decode_guard
from torch_refine.dialect.guards import GUARDS, InvalidGuardsError, attached_guards

# The attributes of assertions that hold their messages.
_ASSERTIONS = {"torch.runtime.assert": "message", "cf.assert": "msg"}
_INFIX = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="} | {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "floordiv": "//",
    "remainder": "%",
}
_DEEPEST = 6


@dataclass(frozen=True)
class Condition:
    """A condition that a call must satisfy, its message, and where it comes from, if known."""

    condition: str
    message: str
    source: str | None = None


def conditions_of(function: ir.Operation) -> list[Condition]:
    """The guards attached to a function; an invalid attribute is listed as it is."""
    try:
        return [_decoded(*pair) for pair in attached_guards(function)]
    except InvalidGuardsError as error:
        return [Condition(str(function.attributes[GUARDS]), str(error))]


def assertion(op: ir.Operation, state: ir.AsmState) -> Condition | None:
    """The condition of an assertion; None for any other op."""
    attribute = _ASSERTIONS.get(op.name)
    if attribute is None:
        return None
    message = ""
    if attribute in op.attributes:
        message = str(ir.StringAttr(op.attributes[attribute]).value)
    return _decoded(_expression(op.operands[0], state), message)


def _decoded(condition: str, message: str) -> Condition:
    found = decode_guard(message)
    if found is None:
        return Condition(condition, message)
    parts = [part if isinstance(part, str) else part[0] for part in found.parts]
    return Condition(found.guard, "".join(parts) or "assumed by the export", found.source)


def _expression(value: ir.Value, state: ir.AsmState, depth: int = 0) -> str:
    """A scalar as Python would compute it, down to values that other ops compute."""
    name = str(value.get_name(state))
    if isinstance(value.owner, ir.Block) or depth > _DEEPEST:
        return name
    op = value.owner.operation
    if op.name.startswith("torch.constant.") and "value" in op.attributes:
        return constant_text(op)
    operator = op.name.removeprefix("torch.aten.").partition(".")[0]
    operands = list(op.operands)
    if not op.name.startswith("torch.aten.") or len(operands) != 2:
        return name
    if operator not in _INFIX and operator != "size":
        return name
    left, right = (_expression(operand, state, depth + 1) for operand in operands)
    if operator == "size":
        return f"{left}.size({right})"
    return (
        f"{left} {_INFIX[operator]} {right}"
        if not depth
        else f"({left} {_INFIX[operator]} {right})"
    )


def constant_text(op: ir.Operation) -> str:
    """The value of a constant, as its attribute is printed, without the type of an integer."""
    return str(op.attributes["value"]).partition(" : ")[0]
