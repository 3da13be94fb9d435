"""Guards as a function attribute: conditions on sizes, with the messages of their assertions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.guard_messages import GuardMessage

GUARDS = "torch_refine.guards"


class InvalidGuardsError(Exception):
    """The attribute is not a list of pairs of condition and message."""


@dataclass(frozen=True)
class Guard:
    """A condition over sizes such as `arg0.size(1)` and scalars such as `arg2`, and its message."""

    condition: str
    message: GuardMessage


def attach_guards(function: ir.Operation, guards: Sequence[Guard]) -> None:
    """Attach guards to a function, behind those that it has.

    Raises InvalidGuardsError.
    """
    if guards:
        added = [(each.condition, each.message.encode()) for each in guards]
        _set(function, [*attached_guards(function), *added])


def attached_guards(function: ir.Operation) -> list[tuple[str, str]]:
    """The conditions and messages attached to a function.

    Raises InvalidGuardsError.
    """
    if GUARDS not in function.attributes:
        return []
    try:
        each: list[ir.DictAttr] = [
            ir.DictAttr(a) for a in ir.ArrayAttr(function.attributes[GUARDS])
        ]
        return [(_text(guard, "condition"), _text(guard, "message")) for guard in each]
    except (KeyError, ValueError) as error:
        raise InvalidGuardsError(f"{GUARDS} is not a list of conditions and messages") from error


def permute_guards(function: ir.Operation, argument: int, order: Sequence[int]) -> None:
    """Rewrite guards for an argument whose dimensions have been permuted.

    `order` lists the old dimensions in their new order.
    """
    size = re.compile(rf"\barg{argument}\.size\((\d+)\)")

    def moved(found: re.Match[str]) -> str:
        return f"arg{argument}.size({order.index(int(found[1]))})"

    guards = attached_guards(function)
    if guards:
        _set(function, [(size.sub(moved, condition), message) for condition, message in guards])


def _set(function: ir.Operation, guards: Sequence[tuple[str, str]]) -> None:
    context = function.context
    found = []
    for pair in guards:
        texts = [ir.StringAttr.get(text, context) for text in pair]
        named = dict(zip(("condition", "message"), texts, strict=True))
        found.append(ir.DictAttr.get(named, context))
    function.attributes[GUARDS] = ir.ArrayAttr.get(found, context)


def _text(guard: ir.DictAttr, key: str) -> str:
    return str(ir.StringAttr(guard[key]).value)
