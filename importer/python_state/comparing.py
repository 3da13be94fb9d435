"""Whether two exported programs compute the same, where one keeps what the other computes.

This module loads PyTorch.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from typing import Any

import torch
from torch._ops import OpOverload
from torch.export import ExportedProgram
from torch.export.graph_signature import InputKind, InputSpec
from torch.fx import GraphModule, Node
from torch.multiprocessing.reductions import StorageWeakRef

# Larger constants are compared by their memory.
_MOST_BYTES = 1 << 20


def compute_the_same(
    first: ExportedProgram, second: ExportedProgram, kept: Mapping[int, str | None]
) -> bool:
    """Whether programs are equal, of which the second reads values that the first computed.

    `kept` has the nodes of the first that computed them, by identity of the second's constants;
    None for a value that no node of it computed. Such a value is only the same in a later call if
    it depends neither on inputs nor on random numbers. Checks without results are not compared.
    """
    numbers: dict[Hashable, int] = {}
    earlier = _Numbering(first, numbers, {}, is_earlier=True)
    known = {
        identity: earlier.used(name) if name is not None else None
        for identity, name in kept.items()
    }
    one, other = (
        list(_Numbering(program, numbers, constants, is_earlier=False).results())
        for program, constants in ((first, {}), (second, known))
    )
    return one == other


def written_constants(program: ExportedProgram) -> list[torch.Tensor]:
    """The constants that a program writes to in place."""
    written = {_storage(value) for node in program.graph.nodes for value in _written(node)}
    constants = {
        spec.arg.name: program.constants[str(spec.target)]
        for spec in program.graph_signature.input_specs
        if spec.kind == InputKind.CONSTANT_TENSOR
    }
    return [
        constants[node.name]
        for node in program.graph.nodes
        if node.op == "placeholder" and node.name in constants and _storage(node) in written
    ]


class _Numbering:
    """Numbers for the values of a program: equal ones are computed in the same way.

    A value that is written to in place has another number then, as have all views of it. `numbers`
    has those given before. In an earlier call, inputs and random numbers have others.
    """

    def __init__(
        self,
        program: ExportedProgram,
        numbers: dict[Hashable, int],
        kept: Mapping[int, int | None],
        *,
        is_earlier: bool,
    ) -> None:
        self._program = program
        self._numbers = numbers
        self._kept = kept
        self._is_earlier = is_earlier
        self._found: dict[Node, int] = {}
        # The last write to each memory, now and when a value was made.
        self._versions: dict[StorageWeakRef, int] = {}
        self._made: dict[Node, int | None] = {}
        self._by_name: dict[str, Node] = {}
        specs = iter(program.graph_signature.input_specs)
        for node in program.graph.nodes:
            self._by_name[node.name] = node
            if node.op == "placeholder":
                self._found[node] = self._placeholder(node, next(specs))
            elif node.op != "output":
                self._found[node] = self._number(self._operation(node))
                for value in _written(node):
                    written = _storage(value)
                    if written is not None:
                        key = ("written", self._versions.get(written), self._found[node])
                        self._versions[written] = self._number(key)
            storage = _storage(node)
            self._made[node] = None if storage is None else self._versions.get(storage)

    def used(self, name: str) -> int | None:
        """The number of a node at the end of the program; None if there is none."""
        node = self._by_name.get(name)
        return None if node is None else self._use(node)

    def results(self) -> Iterator[Hashable]:
        """What a call gives: the results, and what is in arguments that are written to."""
        (output,) = (node for node in self._program.graph.nodes if node.op == "output")
        specs = self._program.graph_signature.output_specs
        yield tuple((spec.kind.name, spec.target) for spec in specs)
        yield self._argument(output.args[0])
        for node in self._program.graph.nodes:
            storage = _storage(node) if node.op == "placeholder" else None
            version = None if storage is None else self._versions.get(storage)
            if version is not None:
                yield self._found[node], version

    def _placeholder(self, node: Node, spec: InputSpec) -> int:
        if spec.kind == InputKind.USER_INPUT:
            given = repr(getattr(spec.arg, "value", None))
            return self._number(("input", self._is_earlier, node.name, given))
        target = str(spec.target)
        tensor = self._program.constants.get(target, self._program.state_dict.get(target))
        if id(tensor) not in self._kept:
            is_constant = spec.kind == InputKind.CONSTANT_TENSOR
            return self._number(("constant", *_contents(tensor)) if is_constant else target)
        # A kept value is what the first program computes.
        number = self._kept[id(tensor)]
        return self._number(("unknown", id(tensor))) if number is None else number

    def _operation(self, node: Node) -> Hashable:
        if node.op == "get_attr":
            value: Any = self._program.graph_module
            for part in str(node.target).split("."):
                value = getattr(value, part)
            return ("constant", *_contents(value))
        is_random = isinstance(node.target, OpOverload) and (
            torch.Tag.nondeterministic_seeded in node.target.tags
        )
        if node.target is torch.ops.aten.sym_size.int and isinstance(node.args[0], Node):
            # A later call has the same sizes, or cannot use what was kept.
            return ("size", node.args[0].name, node.args[1])
        return (
            "operation",
            str(node.target),
            self._argument(node.args),
            self._argument(node.kwargs),
            self._is_earlier and is_random,
        )

    def _argument(self, value: Any) -> Hashable:
        if isinstance(value, Node):
            return self._use(value)
        if isinstance(value, (list, tuple)):
            return (type(value).__name__, *(self._argument(each) for each in value))
        if isinstance(value, dict):
            return ("dict", *((key, self._argument(each)) for key, each in value.items()))
        return (type(value).__name__, repr(value))

    def _use(self, node: Node) -> int:
        storage = _storage(node)
        version = None if storage is None else self._versions.get(storage)
        found = self._found[node]
        is_as_made = version == self._made[node]
        return found if is_as_made else self._number(("version", found, version))

    def _number(self, key: Hashable) -> int:
        return self._numbers.setdefault(key, len(self._numbers))


def _contents(value: Any) -> tuple[Hashable, ...]:
    """What a constant is: its elements, if they are few, else its memory; or a graph's text."""
    if isinstance(value, GraphModule):
        modules = [each for each in value.modules() if isinstance(each, GraphModule)]
        return ("graph", *(str(each.graph) for each in modules))
    if not isinstance(value, torch.Tensor):
        return ("object", id(value))
    tensor = value.detach()
    kind = (tensor.dtype, tuple(tensor.shape), tensor.device)
    if tensor.layout != torch.strided or tensor.nbytes > _MOST_BYTES:
        return ("large", *kind, id(value))
    data = tensor.cpu().contiguous().resolve_conj().resolve_neg().reshape(-1).view(torch.uint8)
    return ("tensor", *kind, data.numpy().tobytes())


def _written(node: Node) -> Iterator[Any]:
    """The arguments that a node writes to."""
    if not isinstance(node.target, OpOverload) or not node.target._schema.is_mutable:
        return
    for place, argument in enumerate(node.target._schema.arguments):
        if argument.alias_info is None or not argument.alias_info.is_write:
            continue
        value = node.kwargs.get(argument.name, node.args[place] if place < len(node.args) else None)
        yield from value if isinstance(value, (list, tuple)) else (value,)


def _storage(node: Any) -> StorageWeakRef | None:
    """The memory of a node's tensor, which its views share; None if it has none."""
    value = node.meta.get("val") if isinstance(node, Node) else None
    if not isinstance(value, torch.Tensor) or value.layout != torch.strided:
        return None
    found: StorageWeakRef = StorageWeakRef(value.untyped_storage())  # type: ignore[no-untyped-call]
    return found
