"""The source locations of an exported graph's nodes, as MLIR locations."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from torch_refine.importer.frames import Frame, frames_in_text, written_by_the_user

if TYPE_CHECKING:
    from torch.fx import Node
    from torch_refine.dialect.bindings import ir


def node_frames(node: Node) -> list[Frame]:
    """The model's lines that created a node, outermost call first.

    Lines inside PyTorch are omitted, unless there are no others, as in an `nn.Sequential`.
    """
    frames = frames_in_text(node.meta.get("stack_trace") or "")
    return written_by_the_user(frames) or frames


def node_module_path(node: Node) -> str:
    """The path of the submodule whose `forward` created a node, such as `layers.0.attention`.

    Empty for the model itself, and if PyTorch does not record it.
    """
    stack = node.meta.get("nn_module_stack")
    if not stack:
        return ""
    path, _ = list(stack.values())[-1]
    return str(path)


def node_source(node: Node) -> str | None:
    """`file:line` of the innermost line of the model that created a node, or None."""
    frames = node_frames(node)
    return str(frames[-1]) if frames else None


def program_location(nodes: Iterable[Node], context: ir.Context) -> ir.Location:
    """A name location with the class of the model, or an unknown location."""
    from torch_refine.dialect.bindings import ir

    for node in nodes:
        if stack := node.meta.get("nn_module_stack"):
            _, model_class = next(iter(stack.values()))
            return ir.Location.name(str(model_class), None, context)
    return ir.Location.unknown(context)


class NodeLocations:
    """The locations of nodes, each created once.

    A location is `"layers.0.attention"(callsite("model.py":12:0 at "model.py":40:0))`: the
    submodule, the line, and its callers. Columns are 0, as PyTorch records none.
    """

    def __init__(self, context: ir.Context) -> None:
        """Create locations in `context`."""
        self._context = context
        self._known: dict[tuple[str, str], ir.Location | None] = {}

    def of(self, node: Node) -> ir.Location | None:
        """The location of a node, or None if unknown."""
        key = (node_module_path(node), node.meta.get("stack_trace") or "")
        if key not in self._known:
            self._known[key] = self._make(key[0], node_frames(node))
        return self._known[key]

    def _make(self, path: str, frames: list[Frame]) -> ir.Location | None:
        from torch_refine.dialect.bindings import ir

        location = None
        lines = [ir.Location.file(file, line, 0, self._context) for file, line in frames]
        if len(lines) > 1:
            location = ir.Location.callsite(lines[-1], lines[-2::-1], self._context)
        elif lines:
            location = lines[0]
        if path:
            location = ir.Location.name(path, location, self._context)
        return location
