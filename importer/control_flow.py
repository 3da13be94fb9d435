"""Control flow of an exported program: ops with regions, of calls of the functions of its graphs.

Each graph is a private function, which the FX importer imports before what refers to it. Operators
of several results are bound result by result. This module loads PyTorch and torch-mlir.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch.fx import Node
from torch.utils import _pytree as pytree
from torch_mlir.extras import fx_importer
from torch_refine.dialect.bindings import ir
from torch_refine.dialect.ir_builder import create_op, create_value

# The limit of a loop that only its condition ends.
_MOST_TURNS = (1 << 63) - 1


class ControlFlowImporter(fx_importer.GraphNodeImporter):  # type: ignore[misc]
    """Imports graphs with branches and loops; the wheel's importer has some loops only."""

    def _import_hop_cond(self, loc: ir.Location, node: Node, hop: Any) -> None:
        arguments: Any = node.args
        predicate, *branches, operands = arguments
        with loc:
            (chosen,) = self._imported(predicate)
            if str(chosen.type) != "!torch.bool":
                chosen = create_value("torch.aten.Bool.Tensor", self._cc.torch_bool_type, [chosen])
            values, types = self._imported(operands), self._types(node.meta["val"])
            branch = create_op("torch.prim.If", [chosen], results=types, regions=2)
            for region, graph in zip(branch.regions, branches, strict=True):
                with ir.InsertionPoint(ir.Block.create_at_start(region)):
                    create_op("torch.prim.If.yield", self._called(graph, values, types))
        self._bind_results(node, branch)

    def _import_hop_while_loop(self, loc: ir.Location, node: Node, hop: Any) -> None:
        """The last operands are the same in all iterations."""
        arguments: Any = node.args
        condition, body, *first, kept = arguments
        with loc:
            same, types = self._imported(kept), self._types(node.meta["val"])
            flag = self._cc.get_vtensor_type(torch.Size(), torch.bool)

            def goes_on(values: list[ir.Value]) -> ir.Value:
                (holds,) = self._called(condition, [*values, *same], [flag])
                return create_value("torch.aten.Bool.Tensor", self._cc.torch_bool_type, [holds])

            def turn(place: ir.Value, values: list[ir.Value]) -> tuple[ir.Value, list[ir.Value]]:
                found = self._called(body, [*values, *same], types)
                return goes_on(found), found

            carried = self._imported(first)
            turns = self._import_literal(_MOST_TURNS)
            loop = self._loop(turns, goes_on(carried), carried, types, turn)
        self._bind_results(node, loop)

    def _import_hop_scan(self, loc: ir.Location, node: Node, hop: Any) -> None:
        """A loop over slices of operands, of values that it carries and of stacked results."""
        graph, first, stacked, kept = node.args
        self._import_over_slices(loc, node, graph, first, stacked, kept)

    def _import_hop_map_impl(self, loc: ir.Location, node: Node, hop: Any) -> None:
        """The same without values that it carries."""
        graph, stacked, kept = node.args
        self._import_over_slices(loc, node, graph, (), stacked, kept)

    def _import_over_slices(
        self, loc: ir.Location, node: Node, graph: Any, first: Any, stacked: Any, kept: Any
    ) -> None:
        with loc:
            carried, sources, same = map(self._imported, (first, stacked, kept))
            count, types = len(carried), self._types(node.meta["val"])
            taken, results = _values_of(graph)
            returned = self._types(results)
            slices = self._types(taken[count : count + len(sources)])
            operands = [each for each in node.all_input_nodes if each.op != "get_attr"]
            memory = [self._zeros(each, operands) for each in node.meta["val"][count:]]
            zero, one, always = map(self._import_literal, (0, 1, True))
            turns = create_value("torch.aten.size.int", zero.type, [sources[0], zero])

            def turn(place: ir.Value, values: list[ir.Value]) -> tuple[ir.Value, list[ir.Value]]:
                parts = [
                    create_value("torch.aten.select.int", type, [source, zero, place])
                    for source, type in zip(sources, slices, strict=True)
                ]
                found = self._called(graph, [*values[:count], *parts, *same], returned)
                end = create_value("torch.aten.add.int", place.type, [place, one])
                written = []
                for old, new, like in zip(
                    values[count:], found[count:], results[count:], strict=True
                ):
                    type = self._cc.get_vtensor_type(torch.Size((1, *like.shape)), like.dtype)
                    row = create_value("torch.aten.unsqueeze", type, [new, zero])
                    # Unlike `select_scatter` it is lowered to a write in place.
                    given = [old, row, zero, place, end, one]
                    written.append(create_value("torch.aten.slice_scatter", old.type, given))
                return always, [*found[:count], *written]

            loop = self._loop(turns, always, [*carried, *memory], types, turn)
        self._bind_results(node, loop)

    def _loop(
        self,
        turns: ir.Value,
        begins: ir.Value,
        carried: Sequence[ir.Value],
        types: Sequence[ir.Type],
        turn: Callable[[ir.Value, list[ir.Value]], tuple[ir.Value, list[ir.Value]]],
    ) -> ir.Operation:
        """A loop; `turn` makes an iteration, and returns whether it is not the last, and values."""
        operands = [turns, begins, *carried]
        loop = create_op("torch.prim.Loop", operands, results=types, regions=1)
        inside = [turns.type, *types]
        places = [ir.Location.current] * len(inside)
        block = ir.Block.create_at_start(loop.regions[0], inside, places)
        with ir.InsertionPoint(block):
            place, *values = block.arguments
            goes_on, found = turn(place, values)
            create_op("torch.prim.Loop.condition", [goes_on, *found])
        return loop

    def _zeros(self, value: torch.Tensor, operands: Sequence[Node]) -> ir.Value:
        """A tensor of zeros like a fake one; its symbolic sizes are those of operands."""
        list_type = ir.Type.parse("!torch.list<int>", self._c)
        sizes = [self._size(each, operands) for each in value.shape]
        given = [create_value("torch.prim.ListConstruct", list_type, sizes)]
        given += map(self._import_literal, (value.dtype, None, None, None))
        return create_value("torch.aten.zeros", self._cc.value_info_to_type(value), given)

    def _size(self, size: Any, operands: Sequence[Node]) -> ir.Value:
        """A size of an operand.

        Raises LookupError if no operand has it.
        """
        if isinstance(size, int):
            return self._import_literal(size)
        for operand in operands:
            value = operand.meta.get("val")
            if _is_same(value, size):
                return self._imported(operand)[0]
            for dim, each in enumerate(value.shape if isinstance(value, torch.Tensor) else ()):
                if _is_same(each, size):
                    place = self._import_literal(dim)
                    source = self._imported(operand)[0]
                    return create_value("torch.aten.size.int", place.type, [source, place])
        raise LookupError(f"no operand has the size {size} of a stacked result")

    def _imported(self, arguments: Any) -> list[ir.Value]:
        """The values of arguments, which may be nested."""
        loc = ir.Location.current
        return [self._import_argument(loc, each) for each in pytree.tree_leaves(arguments)]

    def _called(
        self, graph: Node, operands: Sequence[ir.Value], types: Sequence[ir.Type]
    ) -> list[ir.Value]:
        """The results of a call of the function of a graph."""
        name = self.fx_importer._graph_module_to_func_name[id(_module_of(graph))]
        callee = {"callee": ir.FlatSymbolRefAttr.get(name)}
        return list(create_op("func.call", operands, callee, types).results)

    def _types(self, values: Sequence[Any]) -> list[ir.Type]:
        return [self._cc.value_info_to_type(each) for each in values]

    def _bind_results(self, node: Node, op: ir.Operation) -> None:
        self._multi_result_nodes.add(node)
        for place, result in enumerate(op.results):
            self.bind_node_value(node, result, place)


def _is_same(value: Any, size: torch.SymInt) -> bool:
    """Whether a value is a size of the same expression."""
    return isinstance(value, torch.SymInt) and bool(value.node.expr == size.node.expr)


def _module_of(graph: Node) -> Any:
    """The module of a graph, which is an attribute of another one."""
    return getattr(graph.graph.owning_module, str(graph.target))


def _values_of(graph: Node) -> tuple[list[Any], list[Any]]:
    """The fake values that a graph takes, and those that it returns."""
    nodes = _module_of(graph).graph.nodes
    taken = [node.meta["val"] for node in nodes if node.op == "placeholder"]
    (output,) = (node for node in nodes if node.op == "output")
    return taken, [node.meta["val"] for node in pytree.tree_leaves(output.args)]
