"""What a function says of its arguments: types, bounds of them, and names of their sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch_refine.abstract_interpreter.facts import Fact, Tensor
from torch_refine.dialect.bindings import ir
from torch_refine.passes.branching import TYPE_BOUND
from torch_refine.passes.type_refinement.symbolic_shapes import argument_sizes

if TYPE_CHECKING:
    from torch_refine.passes.type_refinement.sweep import Sweep


def declared_arguments(sweep: Sweep, function: ir.Operation) -> tuple[Fact, ...]:
    """What a function declares of its arguments."""
    facts = argument_sizes(sweep, function)
    if "arg_attrs" not in function.attributes:
        return facts
    arguments = function.regions[0].blocks[0].arguments
    attributes = list(ir.ArrayAttr(function.attributes["arg_attrs"]))
    return tuple(
        _bounded(sweep, fact, argument, ir.DictAttr(attribute))
        for fact, argument, attribute in zip(facts, arguments, attributes, strict=True)
    )


def _bounded(sweep: Sweep, fact: Fact, argument: ir.Value, attributes: ir.DictAttr) -> Fact:
    if TYPE_BOUND not in attributes or not isinstance(fact, Tensor):
        return fact
    bound = ir.TypeAttr(attributes[TYPE_BOUND]).value
    if sweep.types.tensor(bound) is None or sweep.contradiction(fact, bound) is not None:
        return fact
    met = sweep.declared.meet(fact, bound)
    assert isinstance(met, Tensor)
    lasts = sweep.lasting(met, argument) is met
    return met if lasts else sweep.facts.tensor(fact.sizes, met.dtype)


def state_bounds(sweep: Sweep, function: ir.Operation, facts: tuple[Fact, ...]) -> None:
    """Cast arguments whose types stay to their bounds."""
    if "arg_attrs" not in function.attributes:
        return
    arguments = function.regions[0].blocks[0].arguments
    attributes = list(ir.ArrayAttr(function.attributes["arg_attrs"]))
    for argument, fact, attribute in zip(arguments, facts, attributes, strict=True):
        refined = sweep.refined(fact, argument.type)
        if TYPE_BOUND in ir.DictAttr(attribute) and refined != argument.type:
            sweep.writer.cast_argument(argument, refined)
