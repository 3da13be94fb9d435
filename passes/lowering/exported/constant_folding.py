"""Fold operators with constant operands, by executing them in PyTorch.

The wheel folds such operators too, and computes other results for some: quotients of integers, sums
of bools, powers of f16. It never folds an operator with a non-constant operand.

This module loads PyTorch; what needs it loads it on first use.
"""

from __future__ import annotations

from collections.abc import Container
from typing import Any, cast

import torch
from torch._ops import OpOverload
from torch.export import ExportedProgram
from torch.export.graph_signature import InputKind, InputSpec, TensorArgument
from torch.fx import Node
from torch.utils import _pytree as pytree

aten = torch.ops.aten
# Larger constants are computed at run time: 512 KiB of f64.
_MOST_ELEMENTS = 1 << 16
_BITS = {1: torch.int8, 2: torch.int16, 4: torch.int32, 8: torch.int64}


def fold_constants(program: ExportedProgram, literals: Container[str]) -> set[str]:
    """Fold constant expressions in place; returns the names of the new constants.

    `literals` are the names of the constants that cannot be modified. Tensors that are created from
    scalars alone are not folded, nor are views of them: an index is computed where it is used.
    """
    graph = program.graph
    # A decomposed program shares them with the original.
    program._constants = dict(program.constants)
    known = _literal_values(program, literals)
    computed: dict[Node, None] = {}
    of_numbers: set[Node] = set()
    for node in graph.nodes:
        value = _evaluated(node, known)
        if value is not None:
            known[node] = value
            if not node.all_input_nodes or (_is_view(node) and node.args[0] in of_numbers):
                of_numbers.add(node)
            else:
                computed[node] = None
    names: set[str] = set()
    needed = {node for node in computed if any(user not in known for user in node.users)}
    for node in reversed(computed):
        # What repeats its operand is no larger constant: it is read where it is used.
        if node in needed and _repeats(node) and node.args[0] in computed:
            needed.remove(node)
            needed.add(cast(Node, node.args[0]))
    for node in computed:
        if node in needed:
            name = _replace(program, node, known[node], len(names))
            if name is not None:
                names.add(name)
    for node in reversed(list(known)):
        if node.op == "call_function" and not node.users:
            graph.erase_node(node)
    return names


def _literal_values(program: ExportedProgram, literals: Container[str]) -> dict[Node, torch.Tensor]:
    placeholders = {node.name: node for node in program.graph.nodes if node.op == "placeholder"}
    return {
        placeholders[spec.arg.name]: value
        for spec in program.graph_signature.input_specs
        if spec.kind == InputKind.CONSTANT_TENSOR
        and str(spec.target) in literals
        and isinstance(value := program.constants.get(str(spec.target)), torch.Tensor)
        and value.numel() <= _MOST_ELEMENTS
    }


def _evaluated(node: Node, known: dict[Node, torch.Tensor]) -> torch.Tensor | None:
    """The value of a node with constant operands; None if it differs from call to call."""
    operator, expected = node.target, node.meta.get("val")
    if (
        node.op != "call_function"
        or not isinstance(operator, OpOverload)
        or operator.namespace not in ("aten", "prims")
        or operator._schema.is_mutable
        or torch.Tag.nondeterministic_seeded in operator.tags
        or "empty" in operator.__name__
        or not isinstance(expected, torch.Tensor)
        or expected.device.type != "cpu"
        or not all(isinstance(size, int) for size in expected.shape)
        or expected.numel() > _MOST_ELEMENTS
        or any(each not in known for each in node.all_input_nodes)
    ):
        return None
    args, kwargs = pytree.tree_map(
        lambda leaf: known[leaf] if isinstance(leaf, Node) else leaf, (node.args, node.kwargs)
    )
    try:
        with torch.no_grad():
            value = operator(*args, **kwargs)
    except Exception:
        # The program raises, or is rejected, where it is computed.
        return None
    is_same = isinstance(value, torch.Tensor) and (value.shape, value.dtype) == (
        expected.shape,
        expected.dtype,
    )
    return value.contiguous() if is_same else None


def _is_view(node: Node) -> bool:
    """Whether a node is a view of its first operand."""
    return isinstance(node.target, OpOverload) and node.target.is_view


def _repeats(node: Node) -> bool:
    """Whether a node is a view with more elements than its operand has."""
    if node.target is not aten.expand.default:
        return False
    return bool(node.meta["val"].numel() > cast(Node, node.args[0]).meta["val"].numel())


def _replace(program: ExportedProgram, node: Node, value: torch.Tensor, number: int) -> str | None:
    """Replace a node by its value; returns the name of the constant, None if it is a fill."""
    graph = program.graph
    name = None
    number_of_all = _number_of_all(value)
    if number_of_all is not None:
        with graph.inserting_before(node):
            new = graph.call_function(
                aten.full.default,
                (list(value.shape), number_of_all),
                {"dtype": value.dtype, "device": value.device, "pin_memory": False},
            )
    else:
        name = f"_folded_{number}"
        first = next(iter(graph.nodes))
        with graph.inserting_before(first):
            constant = graph.placeholder(f"c_folded_{number}")
        constant.meta["val"] = node.meta["val"]
        specs = program.graph_signature.input_specs
        argument = TensorArgument(constant.name)
        specs.insert(0, InputSpec(InputKind.CONSTANT_TENSOR, argument, name))
        program.constants[name] = value
        # Like a trace does with literals in the code of a model.
        with graph.inserting_before(node):
            new = graph.call_function(aten.lift_fresh_copy.default, (constant,))
    new.meta.update(node.meta)
    node.replace_all_uses_with(new)
    for spec in program.graph_signature.output_specs:
        if isinstance(spec.arg, TensorArgument) and spec.arg.name == node.name:
            spec.arg = TensorArgument(new.name)
    return name


def _number_of_all(value: torch.Tensor) -> Any:
    """The value of all elements, if they are bitwise equal; None if they are not."""
    if value.is_complex() or not value.numel():
        return None
    bits = value.view(torch.uint8 if value.dtype == torch.bool else _BITS[value.itemsize])
    first = bits.flatten()[0]
    return value.flatten()[0].item() if bool((bits == first).all()) else None
