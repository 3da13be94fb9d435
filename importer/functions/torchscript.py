"""Turn TorchScript graphs into functions of the torch dialect.

The wheel has no TorchScript importer, so this walks `torch.jit.script(fn).graph`, nested blocks
included, and builds the same program through the bindings. Callees are imported once and shared.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import torch
from torch_refine.abstract_interp_lib.declaration import place
from torch_refine.dialect.bindings import ir
from torch_refine.dialect.ir_builder import create_op
from torch_refine.dialect.kinds import split_kinds
from torch_refine.importer.functions.user_code import UserCodeError, excerpt

# Calls that stand for an op instead of a function: library functions that TorchScript ignores.
INTRINSICS = {
    "is_known": "torch_refine.is_known",
    "promote_dtypes": "torch.promote_dtypes",
    "dtype_of_number": "torch_refine.dtype_of_number",
    "runs_on_cpu": "torch_refine.runs_on_cpu",
    "unknown_dtype": "torch_refine.unknown_size",
    "unknown_size": "torch_refine.unknown_size",
    "unknown_sizes": "torch_refine.unknown_sizes",
}

_SIMPLE_TYPES = {
    "int": "int",
    "float": "float",
    "bool": "bool",
    "str": "str",
    "NoneType": "none",
    "Scalar": "number",
    "number": "number",
    "complex": "number",
    "Device": "Device",
    "Any": "any",
    "Generator": "Generator",
}


class ExportError(UserCodeError):
    """A construct that the dialect cannot express, at a line of Python."""


def dialect_type(type: Any) -> str:
    """The dialect's type, without `!torch.`, for a TorchScript type (`list<optional<int>>`)."""
    kind = type.kind()
    if kind == "ListType":
        return f"list<{dialect_type(type.getElementType())}>"
    if kind == "OptionalType":
        if not hasattr(type, "getElementType"):
            # `Optional[Union[int, float, complex]]` is one flat union.
            return "optional<number>"
        inner = type.getElementType()
        return "any" if inner.kind() == "AnyType" else f"optional<{dialect_type(inner)}>"
    if kind == "TupleType":
        return f"tuple<{', '.join(dialect_type(element) for element in type.elements())}>"
    if kind == "UnionType":
        # Unions of numbers, the only ones that schemas have; what is left after a check is one.
        return "optional<number>" if "NoneType" in str(type) else "number"
    name = str(type)
    if name in _SIMPLE_TYPES:
        return _SIMPLE_TYPES[name]
    if name == "Tensor":
        return "vtensor"
    raise ExportError(f"the TorchScript type {name} has no counterpart in the torch dialect")


def location_of(node: Any) -> tuple[str, int] | None:
    """File and line of the Python source that a graph node comes from.

    None for a node that TorchScript gives no source.
    """
    found = re.search(r'File "(?P<file>[^"]+)", line (?P<line>\d+)', node.sourceRange())
    return None if found is None else (found["file"], int(found["line"]))


def _next_location(node: Any) -> tuple[str, int] | None:
    """Where the first user of a node's results comes from."""
    for output in node.outputs():
        for use in output.uses():
            found = location_of(use.user)
            if found is not None:
                return found
    return None


class LibraryBuilder:
    """Builds the exported library in one module, a function at a time."""

    def __init__(self, context: ir.Context) -> None:
        self.context = context
        with context, ir.Location.unknown():
            self.module = ir.Module.create()
        self._types: dict[str, ir.Type] = {}
        self._imported: set[str] = set()
        # Where the Python of the ops is that are created now.
        self.location = ir.Location.unknown(context)
        # The types of the parameters and results of every function, by symbol.
        self.signatures: dict[str, tuple[list[str], list[str]]] = {}
        # Whether the function that is imported now is a decomposition function, or called by one.
        self.has_tensors = False

    def type(self, text: str) -> ir.Type:
        """The type of the torch dialect that `text` names, without the `!torch.` in front."""
        if text not in self._types:
            self._types[text] = ir.Type.parse(f"!torch.{text}", self.context)
        return self._types[text]

    def add_function(self, function: Any, symbol: str | None = None) -> str:
        """Import a compiled function under `symbol`, or under its own name; returns the symbol.

        Raises ExportError when it holds something that the dialect cannot express.
        """
        symbol = symbol or function.qualified_name
        if symbol in self._imported:
            return symbol
        self._imported.add(symbol)
        graph = function.graph
        arguments = [dialect_type(value.type()) for value in graph.inputs()]
        results = [dialect_type(value.type()) for value in graph.outputs()]
        entry = self.new_function(symbol, arguments, results)
        caller = self.location
        with self.context:
            _FunctionImporter(self, entry).run(graph, results)
        self.location = caller
        return symbol

    def new_function(self, symbol: str, arguments: list[str], results: list[str]) -> ir.Block:
        """An empty private function; returns its entry block."""
        self.signatures[symbol] = (arguments, results)
        inputs = [self.type(text) for text in arguments]
        with self.context, ir.Location.unknown(), ir.InsertionPoint(self.module.body):
            type = ir.FunctionType.get(inputs, [self.type(text) for text in results])
            op = create_op(
                "func.func",
                attributes={
                    "sym_name": ir.StringAttr.get(symbol),
                    "function_type": ir.TypeAttr.get(type),
                    "sym_visibility": ir.StringAttr.get("private"),
                },
                regions=1,
            )
            return op.regions[0].blocks.append(
                *inputs, arg_locs=[ir.Location.unknown()] * len(inputs)
            )

    def create(
        self,
        block: ir.Block,
        name: str,
        operands: list[ir.Value],
        results: list[str],
        attributes: dict[str, ir.Attribute] | None = None,
        regions: int = 0,
    ) -> ir.Operation:
        """Append an op to a block; an op that the dialect lacks becomes `torch.operator`."""
        attributes = attributes or {}
        if not self.context.is_registered_operation(name):
            attributes = {**attributes, "name": ir.StringAttr.get(name, self.context)}
            name = "torch.operator"
        return ir.Operation.create(
            name,
            results=[self.type(text) for text in results],
            operands=operands,
            attributes=attributes,
            regions=regions,
            loc=self.location,
            ip=ir.InsertionPoint(block),
        )

    def call(self, block: ir.Block, symbol: str, operands: list[ir.Value]) -> list[ir.Value]:
        """Append a call of a function; its results, those of a tuple one by one."""
        _, results = self.signatures[symbol]
        callee = {"callee": ir.FlatSymbolRefAttr.get(symbol, self.context)}
        given = self.create(block, "func.call", operands, results, callee).result
        if not results[0].startswith("tuple<"):
            return [given]
        kinds = split_kinds(results[0])
        return list(self.create(block, "torch.prim.TupleUnpack", [given], kinds).results)

    def derefine(self, block: ir.Block, value: ir.Value, text: str) -> ir.Value:
        """`value` as the wider type `text`, cast where the types differ."""
        if value.type == self.type(text):
            return value
        return self.create(block, "torch.derefine", [value], [text]).result


class _FunctionImporter:
    """Imports the graph of one function."""

    def __init__(self, builder: LibraryBuilder, entry: ir.Block) -> None:
        self.builder = builder
        self.entry = entry
        self.values: dict[str, ir.Value] = {}
        self.constants: dict[tuple[str, Any], ir.Value] = {}
        # Where the importer is, for nodes that do not say where they are from.
        self.where: tuple[str, int] | None = None

    def run(self, graph: Any, results: list[str]) -> None:
        for value, argument in zip(graph.inputs(), self.entry.arguments, strict=True):
            self.values[value.debugName()] = argument
        self.import_nodes(graph, self.entry)
        returned = self.derefined(self.entry, list(graph.outputs()), results)
        self.builder.create(self.entry, "func.return", returned, [])

    def value(self, value: Any) -> ir.Value:
        name = value.debugName()
        if name not in self.values:
            # What a constant of these kinds is mostly for has no value in the dialect.
            if value.node().kind() != "prim::Constant" or str(value.type()) != "str":
                raise ExportError(f"a value of type {value.type()} cannot be exported")
            constant = value.toIValue()
            attribute = ir.StringAttr.get(constant)
            self.values[name] = self.constant("torch.constant.str", "str", constant, attribute)
        return self.values[name]

    def derefined(self, block: ir.Block, values: list[Any], types: list[str]) -> list[ir.Value]:
        return [
            self.builder.derefine(block, self.value(value), text)
            for value, text in zip(values, types, strict=True)
        ]

    def import_nodes(self, source: Any, block: ir.Block) -> None:
        for node in source.nodes():
            self.where = location_of(node) or self.where
            if self.where is not None:
                self.builder.location = ir.Location.file(*self.where, 0)
            try:
                self.import_node(node, block)
            except ExportError as error:
                # A node without a source mostly belongs to the next one that has one.
                found = location_of(node) or _next_location(node) or self.where
                if found is not None:
                    error.locate(place(*found), excerpt(*found))
                raise
            except ir.MLIRError as error:
                raise ExportError(
                    f"{node.kind()} does not fit the torch dialect: {error}",
                    *(() if self.where is None else (place(*self.where), excerpt(*self.where))),
                ) from None

    def import_node(self, node: Any, block: ir.Block) -> None:
        kind = node.kind()
        handler = _HANDLERS.get(kind)
        if handler is not None:
            handler(self, node, block)
            return
        schema = node.schema()
        if schema == "(no schema)":
            raise ExportError(f"no export is known for {kind}")
        name = "torch." + schema.partition("(")[0].replace("::", ".", 1)
        # Schemas print an empty overload name as nothing; the dialect does the same.
        self.define(node, block, name, [self.value(value) for value in node.inputs()])

    def define(
        self, node: Any, block: ir.Block, name: str, operands: list[ir.Value], **kwargs: Any
    ) -> ir.Operation:
        outputs = list(node.outputs())
        types = [dialect_type(output.type()) for output in outputs]
        self.check_tensors(node, types)
        op = self.builder.create(block, name, operands, types, **kwargs)
        for output, result in zip(outputs, op.results, strict=True):
            self.values[output.debugName()] = result
        return op

    def check_tensors(self, node: Any, types: list[str]) -> None:
        """Tensors are for decomposition functions, which do not mutate them."""
        if not any("tensor" in text for text in types):
            return
        if not self.builder.has_tensors:
            raise ExportError("functions compute with sizes and dtypes; tensors cannot be exported")
        operator = node.kind().partition("::")[2]
        if operator.endswith("_") and not operator.startswith("_"):
            raise ExportError(f"{operator} mutates a tensor; decompositions have value semantics")

    def constant(self, name: str, text: str, key: Any, attribute: ir.Attribute | None) -> ir.Value:
        """A constant of the function, made once; all of them open its entry block."""
        if (name, key) not in self.constants:
            op = ir.Operation.create(
                name,
                results=[self.builder.type(text)],
                attributes={} if attribute is None else {"value": attribute},
                loc=ir.Location.unknown(),
                ip=ir.InsertionPoint.at_block_begin(self.entry),
            )
            self.constants[name, key] = op.result
        return self.constants[name, key]

    def import_constant(self, node: Any, block: ir.Block) -> None:
        output = node.output()
        if node.output().type().kind() == "FunctionType":
            return
        value = output.toIValue()
        if value is None:
            result = self.constant("torch.constant.none", "none", None, None)
        elif isinstance(value, bool):
            attribute = ir.IntegerAttr.get(ir.IntegerType.get_signless(1), int(value))
            result = self.constant("torch.constant.bool", "bool", value, attribute)
        elif isinstance(value, int):
            attribute = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), value)
            result = self.constant("torch.constant.int", "int", value, attribute)
        elif isinstance(value, float):
            attribute = ir.FloatAttr.get_f64(value)
            result = self.constant("torch.constant.float", "float", repr(value), attribute)
        elif value == _ASSERT_PREFIX:
            return
        elif isinstance(value, str):
            result = self.constant("torch.constant.str", "str", value, ir.StringAttr.get(value))
        elif isinstance(value, torch.device):
            attribute = ir.StringAttr.get(str(value))
            result = self.constant("torch.constant.device", "Device", str(value), attribute)
        elif isinstance(value, list) and all(type(item) in (int, str) for item in value):
            result = self.constant_list(value, dialect_type(output.type()))
        else:
            raise ExportError(f"a constant of type {output.type()} cannot be exported")
        self.values[output.debugName()] = result

    def constant_list(self, value: list[Any], text: str) -> ir.Value:
        items = []
        for item in value:
            if isinstance(item, str):
                items.append(
                    self.constant("torch.constant.str", "str", item, ir.StringAttr.get(item))
                )
            else:
                attribute = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), item)
                items.append(self.constant("torch.constant.int", "int", item, attribute))
        # Behind the constants that it lists, before everything else.
        last = items[-1].owner.operation if items else None
        for item in items:
            if not item.owner.operation.is_before_in_block(last) and item.owner.operation != last:
                last = item.owner.operation
        block = self.entry
        op = ir.Operation.create(
            "torch.prim.ListConstruct",
            results=[self.builder.type(text)],
            operands=items,
            loc=ir.Location.unknown(),
            ip=ir.InsertionPoint.after(last) if last else ir.InsertionPoint.at_block_begin(block),
        )
        return op.result

    def import_call(self, node: Any, block: ir.Block) -> None:
        inputs = list(node.inputs())
        name = str(inputs[0].type().annotation_str)
        callee = torch.jit._state._python_cu.find_function(name)
        if callee is None:
            raise ExportError(f"the function {name} cannot be exported")
        symbol = self.builder.add_function(callee)
        types = [dialect_type(value.type()) for value in callee.graph.inputs()]
        operands = self.derefined(block, inputs[1:], types)
        attribute = ir.FlatSymbolRefAttr.get(symbol)
        self.define(node, block, "func.call", operands, attributes={"callee": attribute})

    def import_python_op(self, node: Any, block: ir.Block) -> None:
        name = node.pyname()
        if name not in INTRINSICS:
            raise ExportError(f"the Python function {name} is not TorchScript")
        self.define(node, block, INTRINSICS[name], [self.value(v) for v in node.inputs()])

    def import_list_construct(self, node: Any, block: ir.Block) -> None:
        element = dialect_type(node.output().type().getElementType())
        inputs = list(node.inputs())
        operands = self.derefined(block, inputs, [element] * len(inputs))
        self.define(node, block, "torch.prim.ListConstruct", operands)

    def import_tuple_construct(self, node: Any, block: ir.Block) -> None:
        elements = [dialect_type(element) for element in node.output().type().elements()]
        operands = self.derefined(block, list(node.inputs()), elements)
        self.define(node, block, "torch.prim.TupleConstruct", operands)

    def import_append(self, node: Any, block: ir.Block) -> None:
        self.import_with_element(node, block, "torch.aten.append.t", 1)

    def import_set_item(self, node: Any, block: ir.Block) -> None:
        self.import_with_element(node, block, "torch.aten._set_item.t", 2)

    def import_insert(self, node: Any, block: ir.Block) -> None:
        self.import_with_element(node, block, "torch.aten.insert.t", 2)

    def import_with_element(self, node: Any, block: ir.Block, name: str, position: int) -> None:
        """Ops that put a value into a list: the value is cast to what the list holds."""
        inputs = list(node.inputs())
        operands = [self.value(value) for value in inputs]
        element = dialect_type(inputs[0].type().getElementType())
        operands[position] = self.builder.derefine(block, operands[position], element)
        self.define(node, block, name, operands)

    def import_isinstance(self, node: Any, block: ir.Block) -> None:
        """`isinstance` has no op; it becomes an operator that names the types as a string."""
        types = "|".join(sorted(_type_names(node)))
        names = self.constant("torch.constant.str", "str", types, ir.StringAttr.get(types))
        operands = [self.value(node.input()), names]
        self.define(node, block, "torch_refine.isinstance", operands)

    def import_raise(self, node: Any, block: ir.Block) -> None:
        """The message is kept; the exception's class says nothing more, so it is left out."""
        given = next(node.inputs())
        said = given.toIValue() if given.node().kind() == "prim::Constant" else None
        if said == _ASSERT_PREFIX:
            # Nothing follows the class, and a diagnostic that says nothing helps nobody.
            attribute = ir.StringAttr.get(_SILENT)
            message = self.constant("torch.constant.str", "str", _SILENT, attribute)
        else:
            message = self.value(given)
        none = self.constant("torch.constant.none", "none", None, None)
        self.define(node, block, "torch.prim.RaiseException", [message, none])

    def import_add(self, node: Any, block: ir.Block) -> None:
        """An `assert` puts its class in front of the message; the message is enough."""
        inputs = list(node.inputs())
        if inputs[0].node().kind() == "prim::Constant" and inputs[0].toIValue() == _ASSERT_PREFIX:
            self.values[node.output().debugName()] = self.value(inputs[1])
            return
        name = "torch." + node.schema().partition("(")[0].replace("::", ".", 1)
        self.define(node, block, name, [self.value(value) for value in inputs])

    def import_if(self, node: Any, block: ir.Block) -> None:
        types = [dialect_type(output.type()) for output in node.outputs()]
        op = self.define(node, block, "torch.prim.If", [self.value(node.input())], regions=2)
        for source, region in zip(node.blocks(), op.regions, strict=True):
            inner = region.blocks.append()
            self.import_nodes(source, inner)
            yielded = self.derefined(inner, list(source.outputs()), types)
            self.builder.create(inner, "torch.prim.If.yield", yielded, [])

    def import_loop(self, node: Any, block: ir.Block) -> None:
        inputs = list(node.inputs())
        (source,) = node.blocks()
        parameters = list(source.inputs())
        types = [dialect_type(value.type()) for value in parameters[1:]]
        operands = [self.value(value) for value in inputs[:2]]
        operands += self.derefined(block, inputs[2:], types)
        op = self.define(node, block, "torch.prim.Loop", operands, regions=1)
        argument_types = [self.builder.type(text) for text in ["int", *types]]
        locations = [ir.Location.unknown()] * len(argument_types)
        inner = op.regions[0].blocks.append(*argument_types, arg_locs=locations)
        for parameter, argument in zip(parameters, inner.arguments, strict=True):
            self.values[parameter.debugName()] = argument
        self.import_nodes(source, inner)
        outputs = list(source.outputs())
        operands = [self.value(outputs[0]), *self.derefined(inner, outputs[1:], types)]
        self.builder.create(inner, "torch.prim.Loop.condition", operands, [])


_ASSERT_PREFIX = "AssertionError: "
_SILENT = "an assertion without a message fails"


def _type_names(node: Any) -> list[str]:
    """The types that a `prim::isinstance` node tests for."""
    text = re.search(r"prim::isinstance\[types=\[(.*?)\]\]", str(node))
    if text is None:
        raise ExportError("cannot read the types of isinstance")
    return [name.strip() for name in text[1].split(",")]


_HANDLERS: dict[str, Callable[[_FunctionImporter, Any, ir.Block], None]] = {
    "prim::Constant": _FunctionImporter.import_constant,
    "prim::CallFunction": _FunctionImporter.import_call,
    "prim::PythonOp": _FunctionImporter.import_python_op,
    "prim::ListConstruct": _FunctionImporter.import_list_construct,
    "prim::TupleConstruct": _FunctionImporter.import_tuple_construct,
    "prim::isinstance": _FunctionImporter.import_isinstance,
    "prim::RaiseException": _FunctionImporter.import_raise,
    "prim::If": _FunctionImporter.import_if,
    "prim::Loop": _FunctionImporter.import_loop,
    "aten::add": _FunctionImporter.import_add,
    "aten::append": _FunctionImporter.import_append,
    "aten::_set_item": _FunctionImporter.import_set_item,
    "aten::insert": _FunctionImporter.import_insert,
    **{
        kind: lambda importer, node, block: importer.define(
            node,
            block,
            "torch." + node.kind().replace("::", "."),
            [importer.value(value) for value in node.inputs()],
        )
        for kind in (
            "prim::TupleIndex",
            "prim::TupleUnpack",
            "prim::ListUnpack",
            "prim::Uninitialized",
            "prim::unchecked_cast",
            "aten::format",
        )
    },
}
