"""Operators with effects, such as a check that raises, as they are written.

PyTorch's decomposition orders them by tokens: each takes one and returns the next. The torch
dialect has no tokens, and its programs are in order anyway.

This module loads PyTorch.
"""

from __future__ import annotations

import torch
from torch._ops import OpOverload
from torch.export import ExportedProgram
from torch.export.graph_signature import InputKind, InputSpec, OutputKind, OutputSpec
from torch.fx import GraphModule, Node

_WITH_EFFECTS = torch.ops.higher_order.with_effects


def drop_tokens(program: ExportedProgram) -> None:
    """Call operators with effects directly, without tokens; the program is changed."""
    signature = program.graph_signature
    tokens = {spec.arg.name for spec in signature.input_specs if spec.kind == InputKind.TOKEN}
    if not tokens:
        return
    graph = program.graph
    (output,) = (node for node in graph.nodes if node.op == "output")
    results = output.args[0]
    assert isinstance(results, (list, tuple)), "a program returns its results"
    specs = signature.output_specs
    kept = [result for result, spec in zip(results, specs, strict=True) if not _is_token(spec)]
    output.args = (tuple(kept),)
    # Uses of a token are dropped before what gives it.
    for node in reversed(list(graph.nodes)):
        if node.op == "call_function" and node.target is _WITH_EFFECTS:
            _call_directly(node)
        elif node.op == "placeholder" and node.name in tokens:
            graph.erase_node(node)
    signature.input_specs[:] = [spec for spec in signature.input_specs if not _is_token(spec)]
    signature.output_specs[:] = [spec for spec in specs if not _is_token(spec)]
    program.graph_module.recompile()


def call_without_tokens(module: GraphModule) -> None:
    """The same for a graph of AOTAutograd, which returns the tokens that it takes."""
    nodes = [node for node in module.graph.nodes if node.target is _WITH_EFFECTS]
    for node in nodes:
        token = node.args[0]
        for part in node.users:
            if part.args[1] == 0:
                part.replace_all_uses_with(token)
        _call_directly(node)
    if nodes:
        module.recompile()


def _is_token(spec: InputSpec | OutputSpec) -> bool:
    return spec.kind in (InputKind.TOKEN, OutputKind.TOKEN)


def _call_directly(node: Node) -> None:
    """Replace a call through `with_effects`, whose first result is a token that nothing uses."""
    _, target, *arguments = node.args
    assert isinstance(target, OpOverload), "effects are of operators"
    graph = node.graph
    values = node.meta["val"][1:]
    count = len(target._schema.returns)
    with graph.inserting_before(node):
        call = graph.call_function(target, tuple(arguments), dict(node.kwargs))
    call.meta.update(node.meta)
    call.meta["val"] = tuple(values) if count > 1 else values[0] if count else None
    for part in list(node.users):
        place = part.args[1]
        assert isinstance(place, int), "a part of the results"
        if place > 0 and count > 1:
            part.args = (call, place - 1)
            continue
        if place > 0:
            part.replace_all_uses_with(call)
        graph.erase_node(part)
    graph.erase_node(node)
