"""Calculations that are the same as an earlier one: resolved at once, without running them.

The layers of a model repeat their operators, and so do their calculations, down to the types that
they read. What a calculation reads and does makes a key; if all that an earlier one with the same
key gave was known, this one gives the same.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from torch_refine.abstract_interpreter.running.decoder import TERMINATORS
from torch_refine.dialect.bindings import attributes_of, ir, operations
from torch_refine.passes.partial_evaluation.facts import Facts
from torch_refine.passes.partial_evaluation.values import (
    ListObject,
    TensorValue,
    Value,
    freeze,
    is_known,
)


def key_of(block: ir.Block, facts: Facts) -> Hashable | None:
    """What a calculation does and reads; None if it reads something that is not known."""
    numbers: dict[ir.Value, int] = {}
    parts: list[Any] = []
    for op in operations(block):
        name = op.name
        parts.append(name)
        for operand in op.operands:
            number = numbers.get(operand)
            if number is None:
                read = _key_of_value(operand, facts)
                if read is None:
                    return None
                parts.append(read)
            else:
                parts.append(number)
        if name in TERMINATORS:
            break
        if len(op.regions):
            return None
        if name.startswith("torch.constant.") or name in _NAMED_BY_ATTRIBUTE:
            parts += attributes_of(op).values()
        for result in op.results:
            numbers[result] = len(numbers)
            parts.append(result.type)
    return tuple(parts)


_NAMED_BY_ATTRIBUTE = {"func.call", "torch.operator"}


def _key_of_value(value: ir.Value, facts: Facts) -> Hashable | None:
    """What is known of a value of the program, None if that is not all."""
    fact: Value = facts.of(value)
    if isinstance(fact, TensorValue):
        return (value.type,)
    if isinstance(fact, ListObject) and fact.items is not None and not is_known(fact):
        return _key_of_tensors(fact)
    return (freeze(fact),) if is_known(fact) else None


def _key_of_tensors(fact: ListObject) -> Hashable | None:
    """A list of tensors, by their types; some of them may be absent."""
    parts: list[Any] = [fact.kind]
    for item in fact.items or ():
        if isinstance(item, TensorValue):
            parts.append(item.ssa.type)
        elif is_known(item):
            parts.append(freeze(item))
        else:
            return None
    return tuple(parts)
