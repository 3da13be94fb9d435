"""Rewrite programs of other devices as programs of the CPU, before they are decomposed.

PyTorch decomposes operators by device: attention on a GPU becomes a call of cuDNN's kernel, and
numbers become tensors on the CPU that are copied. The lowering is the same for all devices, so each
program is decomposed as if it ran on the CPU. Its weights are not moved.

This module loads PyTorch.
"""

from __future__ import annotations

import copy
import operator
from collections.abc import Callable, Container, Iterable, Iterator
from contextlib import ExitStack
from typing import Any

import torch
from torch._ops import OpOverload
from torch._subclasses.fake_tensor import (
    FakeTensor,
    FakeTensorMode,
    in_kernel_invocation_manager,
)
from torch.export import ExportedProgram
from torch.export.graph_signature import InputKind, OutputKind
from torch.fx import GraphModule, Node
from torch.utils import _pytree as pytree
from torch_refine.importer.errors import ImportModelError
from torch_refine.importer.locations import node_source
from torch_refine.passes.lowering.exported.inlining import graphs_of

_CPU = torch.device("cpu")
# A program on the meta device is one of the CPU without data.
_HERE = ("cpu", "meta")
# Results that only the backward pass of the same device reads, of the same shapes but other values.
_BAGS = (1, 2, 3)
_OTHER_VALUES = {
    "aten.embedding_bag.default": _BAGS,
    "aten.embedding_bag.padding_idx": _BAGS,
    "aten._embedding_bag.default": _BAGS,
    "aten._embedding_bag_forward_only.default": _BAGS,
}


def on_cpu(program: ExportedProgram, literals: Container[str]) -> ExportedProgram:
    """The program as one of the CPU, with fake tensors as its weights.

    Programs of the CPU are returned as they are; the argument is not modified. `literals` are the
    names of immutable constants, whose elements are copied.

    Raises:
        ImportModelError: the program, or a result, is on several devices; autocast is enabled; or
            an operator returns another dtype or shape on the CPU, or other values.
    """
    if all(value.device.type in _HERE for value in _values(program)):
        return program
    _check_devices(program)
    moved = moved_to(program, _CPU, literals)
    for module in graphs_of(moved.graph_module):
        for node in module.graph.nodes:
            reason = _why_not_moved(node)
            if reason is not None:
                raise _refused(node, reason)
    return moved


def moved_to(
    program: ExportedProgram, device: torch.device, literals: Container[str] = ()
) -> ExportedProgram:
    """The program on a device, with fake tensors as its weights; the argument is not modified.

    Conversions between devices return new tensors, so they become copies.
    """
    modes = (value.fake_mode for value in _values(program) if isinstance(value, FakeTensor))
    mode = next(modes, None) or FakeTensorMode()

    def on_device(value: torch.Tensor) -> torch.Tensor:
        return _moved(value, device, mode)

    moved = copy.copy(program)
    moved._graph_module = copy.deepcopy(program.graph_module)
    for old, new in zip(program.graph.nodes, moved.graph.nodes, strict=True):
        # The signature has its name, which may be one of Python's.
        new.name = old.name
    for module in graphs_of(moved._graph_module):
        _keep_copies(module)
        for node in module.graph.nodes:
            _move_node(node, device, on_device)
    moved._state_dict = {
        name: _weight(value, on_device) for name, value in program.state_dict.items()
    }
    moved._constants = {
        name: _constant(value, name in literals, on_device)
        for name, value in program.constants.items()
    }
    # PyTorch would run the graph on the examples, which are not moved.
    moved.example_inputs = None
    return moved


def has_fake_weights(program: ExportedProgram) -> bool:
    """Whether the weights of a program have no elements, as those of one that `on_cpu` moved."""
    tensors = (*program.state_dict.values(), *program.constants.values())
    return any(isinstance(tensor, FakeTensor) for tensor in tensors)


def _values(program: ExportedProgram) -> Iterator[torch.Tensor]:
    """The tensors that the nodes of a program stand for."""
    for module in graphs_of(program.graph_module):
        for node in module.graph.nodes:
            for value in pytree.tree_leaves(node.meta.get("val")):
                if isinstance(value, torch.Tensor):
                    yield value


def _returned(program: ExportedProgram) -> list[Node]:
    """The nodes that the model returns."""
    (output,) = (node for node in program.graph.nodes if node.op == "output")
    specs = program.graph_signature.output_specs
    return [
        node
        for spec, node in zip(specs, output.args[0], strict=True)
        if spec.kind == OutputKind.USER_OUTPUT and isinstance(node, Node)
    ]


def _check_devices(program: ExportedProgram) -> None:
    """Raise ImportModelError unless inputs, weights and results are on one device."""
    fixed = {
        spec.arg.name
        for spec in program.graph_signature.input_specs
        if spec.kind == InputKind.CONSTANT_TENSOR
    }
    nodes = [node for node in program.graph.nodes if node.op == "placeholder"]
    taken = _devices_of(node for node in nodes if node.name not in fixed)
    returned = _returned(program)
    devices = taken or _devices_of(returned)
    if len(devices) > 1:
        shown = " and ".join(sorted(map(str, devices)))
        reason = f"the model and its inputs are on {shown}; they must be on one device"
        raise ImportModelError("decompose", reason)
    for number, node in enumerate(returned):
        for device in _devices_of([node]) - devices:
            (own,) = devices
            raise _refused(node, f"result {number} is on {device}, and the program runs on {own}")


def _devices_of(nodes: Iterable[Node]) -> set[torch.device]:
    return {
        value.device
        for node in nodes
        for value in pytree.tree_leaves(node.meta.get("val"))
        if isinstance(value, torch.Tensor)
    }


def _refused(node: Node, reason: str) -> ImportModelError:
    named = f"{node.name} ({node.target})"
    return ImportModelError("decompose", reason, node=named, source=node_source(node))


def _move_node(
    node: Node, device: torch.device, moved: Callable[[torch.Tensor], torch.Tensor]
) -> None:
    """Move the arguments and the value of a node to a device."""

    def moved_argument(leaf: Any) -> Any:
        return device if isinstance(leaf, torch.device) else leaf

    if node.op == "call_function":
        node.args, node.kwargs = pytree.tree_map(moved_argument, (node.args, node.kwargs))
        # Without autocast, its device does not matter.
        if _is_autocast(node) and not node.args[2]:
            node.args = (device.type, *node.args[1:])
    if "val" in node.meta:
        node.meta["val"] = pytree.tree_map_only(torch.Tensor, moved, node.meta["val"])


def _keep_copies(module: GraphModule) -> None:
    """Copy the results of conversions between devices, which alias their operand on one device."""
    for node in list(module.graph.nodes):
        operand = node.args[0] if node.op == "call_function" and node.args else None
        if not isinstance(node.target, OpOverload) or not isinstance(operand, Node):
            continue
        before, after = operand.meta.get("val"), node.meta.get("val")
        if (
            isinstance(before, torch.Tensor)
            and isinstance(after, torch.Tensor)
            and before.device != after.device
        ):
            with module.graph.inserting_after(node):
                copied = module.graph.call_function(torch.ops.aten.clone.default, (node,))
            copied.meta = dict(node.meta)
            node.replace_all_uses_with(copied, delete_user_cb=lambda user, c=copied: user is not c)
    module.recompile()


def _moved(value: torch.Tensor, device: torch.device, mode: FakeTensorMode) -> torch.Tensor:
    """A fake tensor like a tensor, on a device; those of one memory share that, too."""
    with torch.no_grad():
        if not isinstance(value, FakeTensor):
            value = mode.from_tensor(value, static_shapes=True)
        assert isinstance(value, FakeTensor)
        with in_kernel_invocation_manager(value.fake_mode):
            meta = torch.ops.aten.alias.default(value)
        return FakeTensor(value.fake_mode, meta, device)


def _weight(value: Any, moved: Callable[[torch.Tensor], torch.Tensor]) -> Any:
    """A weight on another device; a parameter if it is one."""
    if not isinstance(value, torch.Tensor):
        return value
    found = moved(value)
    if isinstance(value, torch.nn.Parameter) and not isinstance(found, torch.nn.Parameter):
        return torch.nn.Parameter(found, requires_grad=value.requires_grad)
    return found


def _constant(value: Any, is_literal: bool, moved: Callable[[torch.Tensor], torch.Tensor]) -> Any:
    """A constant on another device; the elements of a literal are part of the program."""
    if is_literal and isinstance(value, torch.Tensor) and not isinstance(value, FakeTensor):
        return value.cpu()
    return _weight(value, moved)


def _is_autocast(node: Node) -> bool:
    return getattr(node.target, "__name__", "") == "wrap_with_autocast"


def _why_not_moved(node: Node) -> str | None:
    """Why a call, moved to the CPU, would return something else than on its device."""
    if _is_autocast(node) and node.args[0] != _CPU.type:
        return f"torch.autocast({node.args[0]!r}) casts the operands of other operators"
    expected = _used(node, node.meta.get("val"))
    if not expected:
        return None
    other = _OTHER_VALUES.get(str(node.target), ())
    used = [place for place in expected if place in other]
    if used:
        return f"its result {used[0]} is another one on the CPU"
    try:
        found = _used(node, _called(node))
    except Exception:
        # An operator without a kernel for the CPU; decomposing it raises if it has no other form.
        return None
    for place, before in expected.items():
        after = found.get(place, before)
        if before.dtype != after.dtype:
            return f"its result is {before.dtype}, and {after.dtype} on the CPU"
        sizes = list(before.shape), list(after.shape)
        if any(map(_differs, *sizes)) or len(sizes[0]) != len(sizes[1]):
            return f"its result {place} has the shape {sizes[0]}, and {sizes[1]} on the CPU"
    return None


def _differs(one: int | torch.SymInt, other: int | torch.SymInt) -> bool:
    """Whether two sizes are numbers that differ; computed again, symbols may become numbers."""
    return isinstance(one, int) and isinstance(other, int) and one != other


def _called(node: Node) -> Any:
    """The value of a call of an operator, computed again, without new guards."""
    args, kwargs = pytree.tree_map_only(
        Node, lambda each: each.meta.get("val"), (node.args, node.kwargs)
    )
    modes = [
        each.fake_mode
        for each in pytree.tree_leaves((args, kwargs, node.meta.get("val")))
        if isinstance(each, FakeTensor)
    ]
    environment = modes[0].shape_env
    target: Any = node.target
    with ExitStack() as stack:
        stack.enter_context(torch.no_grad())
        stack.enter_context(modes[0])
        if environment is not None:
            stack.enter_context(environment.suppress_guards())
            stack.enter_context(environment.ignore_fresh_unbacked_symbols())
        return target(*args, **kwargs)


def _used(node: Node, value: Any) -> dict[int, torch.Tensor]:
    """A call's results that are used, by place; none for what is not computed again."""
    target = node.target
    if not isinstance(target, OpOverload) or target._schema.is_mutable:
        return {}
    if node.meta.get("unbacked_bindings"):
        return {}
    results = dict(enumerate(value)) if isinstance(value, (list, tuple)) else {0: value}
    if isinstance(value, (list, tuple)):
        elements = (user for user in node.users if user.target is operator.getitem)
        used = {element.args[1] for element in elements if element.users}
        results = {place: each for place, each in results.items() if place in used}
    return {place: each for place, each in results.items() if isinstance(each, torch.Tensor)}
