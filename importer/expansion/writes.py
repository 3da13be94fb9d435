"""Writes in place as functional operators on the tensor, and on what it is a view of."""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, cast

import torch
from torch._ops import OpOverload
from torch._subclasses.fake_tensor import FakeTensor
from torch.fx import Node
from torch_refine.importer.expansion.calls import ALIAS, Expander, Unusual, is_mutable
from torch_refine.passes.lowering.exported.inlining import InlinedDecomposition

aten = torch.ops.aten

_COMPOSITE = torch._C.DispatchKey.CompositeImplicitAutograd
# Composite operators that never return an operand, or a view of it; others may, though their schema
# and the trace do not say so, as dropout does.
_NEW = (
    "adaptive_avg_pool1d",
    "adaptive_avg_pool2d",
    "avg_pool1d",
    "batch_norm",
    "conv1d",
    "conv2d",
    "conv3d",
    "conv_transpose1d",
    "conv_transpose2d",
    "conv_transpose3d",
    "group_norm",
    "instance_norm",
    "layer_norm",
    "linear",
    "log_softmax",
    "matmul",
    "max_pool1d",
    "max_pool2d",
    "max_pool3d",
    "one_hot",
    "outer",
    "pad",
    "repeat_interleave",
    "rms_norm",
    "scaled_dot_product_attention",
    "softmax",
)
# Without gradients it changes nothing.
DETACHED = aten.detach_.default

_SLICES = (aten.slice.Tensor, aten.narrow.default)
_PERMUTATIONS = (
    aten.permute.default,
    aten.transpose.int,
    aten.t.default,
    aten.numpy_T.default,
    aten.movedim.intlist,
    aten.movedim.int,
    aten.swapaxes.default,
    aten.swapdims.default,
)
_RESHAPES = (
    aten.view,
    aten.reshape,
    aten._unsafe_view,
    aten.flatten,
    aten.unflatten,
    aten.squeeze,
    aten.view_as,
    aten.reshape_as,
    aten.ravel,
)
# The end of slices that have none.
_LAST = 2**63 - 1
# Parts of a dimension, in order.
_PARTS = (
    aten.split.Tensor,
    aten.split.sizes,
    aten.split_with_sizes.default,
    aten.chunk.default,
    aten.tensor_split.sections,
)
_ROWS = (aten.unbind.int,)


@dataclass
class _Memory:
    """Memory that values are views of; `version` counts the writes to it."""

    base: Node
    is_writable: bool
    version: int = 0


@dataclass
class _View:
    """A value in a memory; its replacement is that of the memory's `version`.

    `parent` is the value that it is a view of; None for the first value.
    """

    memory: _Memory
    parent: Node | None
    version: int


class Writes:
    """The values of a program by the memory that they are in, which writes replace.

    A write makes a new value of the tensor, and of each that it is a view of; other views are
    replaced by views of the new values where they are read. Which values share memory is in the
    trace of the program, whose tensors have storages.
    """

    def __init__(self, expander: Expander, writable: Collection[str]) -> None:
        """Track values; `writable` are the placeholders that may be written to."""
        self._expander = expander
        self._replaced = expander.replaced
        self._writable = writable
        self._memories: dict[int, _Memory] = {}
        self._views: dict[Node, _View] = {}
        self._inputs: list[Node] = []

    def inputs(self) -> list[Node]:
        """The inputs that have been written to."""
        return [node for node in self._inputs if self._views[node].memory.version]

    def note(self, node: Node) -> None:
        """Find the memory of a value that has just been replaced."""
        value = node.meta.get("val")
        if _may_share(node.target):
            for each in node.all_input_nodes:
                if each in self._views:
                    self._views[each].memory.is_writable = False
        if isinstance(value, (list, tuple)):
            self._note_parts(node, value)
        if not isinstance(value, FakeTensor) or value.layout != torch.strided:
            return
        key = value.untyped_storage()._cdata
        operand = node.args[0] if node.target in (ALIAS, DETACHED) else None
        if isinstance(operand, Node) and operand in self._views:
            # One that replaces another operator has the trace of that.
            self._memories[key] = self._views[operand].memory
        memory = self._memories.get(key)
        if memory is None:
            is_input = node.op == "placeholder"
            is_free = node.name in self._writable if is_input else not _may_share(node.target)
            memory = _Memory(node, is_free)
            self._memories[key] = memory
            self._views[node] = _View(memory, None, 0)
            if is_input:
                self._inputs.append(node)
            return
        self._add(node, memory)

    def _note_parts(self, node: Node, values: Sequence[Any]) -> None:
        """Several values in one memory, of which there are views before."""
        if all(isinstance(each, FakeTensor) and each.layout == torch.strided for each in values):
            keys = {each.untyped_storage()._cdata for each in values}
            memories = [self._memories[key] for key in keys if key in self._memories]
            if len(keys) == len(memories) == 1:
                self._add(node, memories[0])

    def _add(self, node: Node, memory: _Memory) -> None:
        """Add a value to a memory."""
        views = {each: self._views.get(each) for each in node.all_input_nodes}
        parents = [each for each, view in views.items() if view and view.memory is memory]
        if parents:
            self._views[node] = _View(memory, parents[0], memory.version)
        elif memory.version:
            raise Unusual(f"{node.name} has been written to")
        else:
            # Two inputs, or an element of results that is taken twice.
            memory.is_writable = False

    def refresh(self, nodes: Sequence[Node]) -> None:
        """Replace values that have been written to since they were computed."""
        for node in nodes:
            stale: list[tuple[Node, _View]] = []
            at: Node | None = node
            while at is not None:
                view = self._views.get(at)
                if view is None or view.version == view.memory.version:
                    break
                stale.append((at, view))
                at = view.parent
            for each, view in reversed(stale):
                self._replaced[each] = self._again(each, view)
                view.version = view.memory.version

    def _again(self, node: Node, view: _View) -> Any:
        """A view of the new value of its parent."""
        assert view.parent is not None, "the first value of a memory is never stale"
        if is_mutable(node.target):
            return self._replaced[view.parent]
        return self._expander.replacement(node)

    def write(self, node: Node) -> None:
        """Replace a call that writes to its first operand; raises Unusual."""
        written = node.args[0] if node.args else None
        view = self._views.get(written) if isinstance(written, Node) else None
        functional = _functional(node.target)
        if functional is None or view is None or not view.memory.is_writable:
            raise Unusual(f"{node.target} writes in place")
        assert isinstance(written, Node), "a tensor is a node"
        if self._is_of_itself(node):
            self._replaced[node] = self._replaced[written]
            return
        value = self._expander.inserted(node, functional)
        if not isinstance(value, Node):
            raise Unusual(f"{node.target} has several results")
        value = self._of_type(value, written, node)
        view.memory.version += 1
        self._set(written, value)
        child = written
        while (parent := self._views[child].parent) is not None:
            value = self._put_back(child, parent, value)
            if child.target == operator.getitem:
                # The parts that it is one of have no value of their own.
                parent = self._views[parent].parent
                assert parent is not None, "parts are those of a tensor"
            self._set(parent, value)
            child = parent
        self._replaced[node] = self._replaced[written]

    def _is_of_itself(self, node: Node) -> bool:
        """Whether a tensor is copied to itself, as the last step of `x[1:] += 1` is."""
        if node.target != aten.copy_.default:
            return False
        written, source = (cast("Node", each) for each in node.args[:2])
        mine, other = self._views.get(written), self._views.get(source)
        is_shared = mine is not None and other is not None and mine.memory is other.memory
        return is_shared and _is_same(source.meta["val"], written.meta["val"])

    def _set(self, node: Node, value: Any) -> None:
        self._replaced[node] = value
        self._views[node].version = self._views[node].memory.version

    def _of_type(self, value: Node, written: Node, node: Node) -> Node:
        """A result in the dtype of the tensor that it is written to."""
        mine, wanted = value.meta["val"], written.meta["val"]
        if list(map(str, mine.shape)) != list(map(str, wanted.shape)):
            raise Unusual(f"{node.target} changes a shape")
        if mine.dtype == wanted.dtype:
            return value
        found: Node = self._expander.called(node, aten._to_copy.default, value, dtype=wanted.dtype)
        return found

    def _put_back(self, child: Node, parent: Node, value: Node) -> Node:
        """The new value of a tensor, of which `child`, a view, has the new value `value`."""
        mine, whole = child.meta["val"], parent.meta["val"]
        add = self._expander.added
        if child.target == operator.getitem:
            return self._put_part_back(child, parent, value)
        if is_mutable(child.target) or _is_same(mine, whole):
            return value
        if child.kwargs:
            raise Unusual(f"it writes to the result of {child.target}, which has keywords")
        given: list[Any] = [
            self._replaced[each] if isinstance(each, Node) else each for each in child.args[1:]
        ]
        if child.target in _SLICES:
            if child.target == aten.narrow.default:
                _, start, length = given
                if not all(isinstance(each, int) for each in (start, length)) or start < 0:
                    raise Unusual("it writes to a slice of unknown bounds")
                given[2] = start + length
            args = (self._replaced[parent], value, *given)
            return add(aten.slice_scatter.default, args, whole, child)
        if child.target == aten.select.int:
            return self._put_row_back(child, parent, value, *given)
        if child.target in _PERMUTATIONS:
            order = _order(child.target, whole.dim(), given)
            back = sorted(range(len(order)), key=order.__getitem__)
            return add(aten.permute.default, (value, back), whole, child)
        if child.target == aten.unsqueeze.default:
            return add(aten.select.int, (value, given[0] % mine.dim(), 0), whole, child)
        if child.target == aten.squeeze.dim:
            # Of another size it would have been the same.
            return add(aten.unsqueeze.default, (value, given[0] % whole.dim()), whole, child)
        if getattr(child.target, "overloadpacket", None) in _RESHAPES and mine.dtype == whole.dtype:
            return add(aten.view.default, (value, self._sizes(parent, child)), whole, child)
        raise Unusual(f"it writes to the result of {child.target}")

    def _sizes(self, node: Node, at: Node) -> list[Any]:
        """The sizes of a value, numbers or nodes."""
        operand = self._replaced[node]
        return [
            size
            if isinstance(size, int)
            else self._expander.added(aten.sym_size.int, (operand, dim), size, at)
            for dim, size in enumerate(node.meta["val"].shape)
        ]

    def _put_part_back(self, child: Node, parts: Node, value: Node) -> Node:
        """The same where the view is one of several parts."""
        operand = self._views[parts].parent
        assert operand is not None, "parts are those of a tensor"
        whole = operand.meta["val"]
        place = child.args[1]
        dim = _argument(parts, 1 if parts.target in _ROWS else 2)
        if not isinstance(place, int) or not isinstance(dim, int):
            raise Unusual(f"it writes to the result of {parts.target}")
        if parts.target in _ROWS:
            return self._put_row_back(child, operand, value, dim, place)
        sizes = [each.shape[dim] for each in parts.meta["val"][: place + 1]]
        if parts.target not in _PARTS or not all(isinstance(each, int) for each in sizes):
            raise Unusual(f"it writes to the result of {parts.target}")
        bounds = sum(sizes[:-1]), sum(sizes)
        args = (self._replaced[operand], value, dim, *bounds, 1)
        return self._expander.added(aten.slice_scatter.default, args, whole, child)

    def _put_row_back(
        self, child: Node, parent: Node, value: Node, dim: Any = 0, index: Any = 0
    ) -> Node:
        """The same where the view has all but one dimension."""
        whole = parent.meta["val"]
        size = whole.shape[dim]
        if not isinstance(index, int):
            raise Unusual("it writes to a row of an unknown number")
        if index < 0 and isinstance(size, int):
            index += size
        end = _LAST if index == -1 else index + 1
        dim %= whole.dim()
        row = self._expander.fake(aten.unsqueeze.default, child.meta["val"], dim)
        value = self._expander.added(aten.unsqueeze.default, (value, dim), row, child)
        args = (self._replaced[parent], value, dim, index, end, 1)
        return self._expander.added(aten.slice_scatter.default, args, whole, child)


def _may_share(target: Any) -> bool:
    """Whether results of an operator may be views of its operands though nothing says so."""
    if isinstance(target, InlinedDecomposition):
        target = target.operator
    return (
        isinstance(target, OpOverload)
        and any("Tensor" in str(each.type) for each in target._schema.returns)
        and all(each.alias_info is None for each in target._schema.returns)
        and target.has_kernel_for_dispatch_key(_COMPOSITE)
        and target.overloadpacket.__name__ not in _NEW
    )


def _functional(target: Any) -> Callable[..., Any] | None:
    """The function that returns what an operator writes to its first operand."""
    if target == aten.fill_diagonal_.default:
        return _with_diagonal
    packet = getattr(aten, target.overloadpacket.__name__.removesuffix("_"), None)
    found = getattr(packet, target._overloadname, None)
    if not isinstance(found, OpOverload) or not _is_variant(target, found):
        return None
    # An operator that only returns a view changes how its operand is laid out.
    if any(each.alias_info is not None for each in found._schema.returns):
        return None
    return found


def _with_diagonal(self: torch.Tensor, fill_value: Any, wrap: bool = False) -> torch.Tensor:
    """The elements but for those on the diagonal.

    PyTorch's trace has their places in memory, which other tensors have elsewhere. A wrapped
    diagonal goes on after a row that has none of it.
    """
    rank = self.dim()
    first, *others = (
        torch.arange(size, device=self.device).view([-1] + [1] * (rank - 1 - dim))
        for dim, size in enumerate(self.shape)
    )
    if wrap and rank == 2:
        first = torch.remainder(first, self.shape[1] + 1)
    chosen = torch.ones([1] * rank, dtype=torch.bool, device=self.device)
    for each in others:
        chosen = torch.logical_and(chosen, torch.eq(first, each))
    return torch.masked_fill(self, chosen, fill_value)


def _is_variant(target: OpOverload, functional: OpOverload) -> bool:
    """Whether an operator writes to its first operand the result of another one."""
    schemas = target._schema, functional._schema
    if functional._schema.is_mutable or target.namespace != "aten":
        return False
    in_place, plain = (
        [(each.name, str(each.type), each.default_value) for each in schema.arguments]
        for schema in schemas
    )
    writes = [
        each.alias_info is not None and each.alias_info.is_write
        for each in target._schema.arguments
    ]
    return in_place == plain and writes == [True] + [False] * (len(writes) - 1)


def _is_same(view: Any, whole: Any) -> bool:
    """Whether a view has the elements of its operand at the same places."""
    one, other = (
        [str(value) for value in (*each.shape, *each.stride(), each.storage_offset())]
        for each in (view, whole)
    )
    bits = [(each.dtype, each.is_conj(), each.is_neg()) for each in (view, whole)]
    return one == other and bits[0] == bits[1]


def _order(target: Any, rank: int, given: Sequence[Any]) -> list[int]:
    """The dimensions of the operand that are those of a permuted result."""
    named = torch.empty(list(range(rank)), device="meta")
    return list(target(named, *given).shape)


def _argument(node: Node, place: int) -> Any:
    """An argument of a call, by position, name or default."""
    schema = node.target._schema.arguments[place]  # type: ignore[union-attr]
    if place < len(node.args):
        return node.args[place]
    return node.kwargs.get(schema.name, schema.default_value)
