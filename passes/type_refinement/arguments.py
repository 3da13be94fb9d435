"""What a function declares of its arguments: types, type bounds, and symbolic sizes."""

from __future__ import annotations

from torch_refine.abstract_interpreter.lattice import LatticeValue, Tensor
from torch_refine.dialect.bindings import ir
from torch_refine.passes.branching import TYPE_BOUND
from torch_refine.passes.type_refinement.sweep_state import SweepState
from torch_refine.passes.type_refinement.symbolic_shapes import argument_sizes


def declared_arguments(sweep: SweepState, function: ir.Operation) -> tuple[LatticeValue, ...]:
    """The lattice values that a function declares for its arguments."""
    lattice_values = argument_sizes(sweep, function)
    if "arg_attrs" not in function.attributes:
        return lattice_values
    arguments = function.regions[0].blocks[0].arguments
    attributes = list(ir.ArrayAttr(function.attributes["arg_attrs"]))
    return tuple(
        _bounded(sweep, lattice_value, argument, ir.DictAttr(attribute))
        for lattice_value, argument, attribute in zip(
            lattice_values, arguments, attributes, strict=True
        )
    )


def _bounded(
    sweep: SweepState, lattice_value: LatticeValue, argument: ir.Value, attributes: ir.DictAttr
) -> LatticeValue:
    if TYPE_BOUND not in attributes or not isinstance(lattice_value, Tensor):
        return lattice_value
    bound = ir.TypeAttr(attributes[TYPE_BOUND]).value
    if sweep.types.tensor(bound) is None or sweep.contradiction(lattice_value, bound) is not None:
        return lattice_value
    met = sweep.declared.meet(lattice_value, bound)
    assert isinstance(met, Tensor)
    lasts = sweep.lasting(met, argument) is met
    return met if lasts else sweep.facts.tensor(lattice_value.sizes, met.dtype)


def state_bounds(
    sweep: SweepState, function: ir.Operation, lattice_values: tuple[LatticeValue, ...]
) -> None:
    """Cast arguments whose types stay to their type bounds."""
    if "arg_attrs" not in function.attributes:
        return
    arguments = function.regions[0].blocks[0].arguments
    attributes = list(ir.ArrayAttr(function.attributes["arg_attrs"]))
    for argument, lattice_value, attribute in zip(
        arguments, lattice_values, attributes, strict=True
    ):
        refined = sweep.refined(lattice_value, argument.type)
        if TYPE_BOUND in ir.DictAttr(attribute) and refined != argument.type:
            sweep.writer.cast_argument(argument, refined)
