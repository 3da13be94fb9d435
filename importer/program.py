"""Convert an exported program to the `torch` dialect, through torch-mlir's FX importer.

The importer is extended with the source locations of nodes, the form of constants, and the current
node for errors. This module loads PyTorch and torch-mlir; `import_model` loads it on first use.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import torch
from torch.export import ExportedProgram
from torch.export.graph_signature import ConstantArgument, InputKind
from torch.fx import Node
from torch.utils import _pytree as pytree
from torch_mlir.extras import fx_importer
from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.ir_builder import create_op, create_value
from torch_refine.dialect.names import DEVICE_ATTRIBUTE
from torch_refine.importer.control_flow import ControlFlowImporter
from torch_refine.importer.errors import ImportModelError
from torch_refine.importer.literals import tensor_attribute
from torch_refine.importer.locations import NodeLocations, node_source, program_location
from torch_refine.importer.symbolic_arguments import cast_specialized, name_sizes

# Element types of the dialect that the importer's table lacks.
_MORE_ELEMENT_TYPES = {torch.uint16: "ui16", torch.uint64: "ui64"}
# Dtype numbers (c10/core/ScalarType.h) that the importer's table lacks or has wrong: it gives
# complex32 and complex64 the numbers of complex64 and complex128.
_DTYPE_NUMBERS = {
    torch.complex32: 8,
    torch.complex64: 9,
    torch.complex128: 10,
    torch.qint8: 12,
    torch.quint8: 13,
    torch.qint32: 14,
    torch.uint16: 27,
    torch.uint64: 29,
}

# The importer drops this assertion; without the entry it is imported like any operator.
fx_importer.NODE_CANONICALIZE.pop(torch.ops.aten._assert_async.msg, None)


def import_program(program: ExportedProgram, context: ir.Context, casts: bool = False) -> ir.Module:
    """Import a program returned by `prepare_program` as a module with one function `main`.

    With `casts`, arguments are cast to types with the sizes that the trace specialized.

    Raises:
        ImportModelError: an operator cannot be imported, or the resulting module is invalid.
    """
    importer = _Importer(context)
    try:
        function = importer.import_program(program)
    except Exception as error:
        node = importer.node
        raise ImportModelError(
            "import",
            f"{type(error).__name__}: {error}",
            node=None if node is None else _describe(node),
            source=None if node is None else node_source(node),
        ) from error
    _locate_signature(function, program)
    _note_device(function, program)
    inputs = list(map(_fake_value, _input_nodes(program)))
    name_sizes(function.operation, inputs, program)
    if casts:
        cast_specialized(function.operation, inputs)
    module: ir.Module = importer.module
    try:
        module.operation.verify()
    except ir.MLIRError as error:
        _unregister_rejected(module.operation)
        try:
            module.operation.verify()
        except ir.MLIRError:
            raise ImportModelError("verify", str(error)) from error
    return module


def _unregister_rejected(module: ir.Operation) -> None:
    """Replace calls that the dialect's verifiers reject by `torch.operator`, which has none.

    Some verifiers check what other devices require: `aten._scaled_mm` takes any sizes on a CPU.
    """
    for op in list(walk(module)):
        if not op.name.startswith("torch.aten.") or len(op.regions) or _is_valid(op):
            continue
        with ir.InsertionPoint(op), op.location:
            name = {"name": ir.StringAttr.get(op.name)}
            types = [each.type for each in op.results]
            replaced = create_op("torch.operator", list(op.operands), name, results=types)
        for old, new in zip(op.results, replaced.results, strict=True):
            old.replace_all_uses_with(new)
        op.erase()


def _is_valid(op: ir.Operation) -> bool:
    try:
        op.verify()
    except ir.MLIRError:
        return False
    return True


def _locate_signature(function: Any, program: ExportedProgram) -> None:
    """Locate the function at the model's class, and each argument at its name in `forward`."""
    context = function.context
    place = program_location(program.graph.nodes, context)
    function.operation.location = place
    function.entry_block.operations[-1].location = place
    for argument, node in zip(function.arguments, _input_nodes(program), strict=True):
        argument.set_location(ir.Location.name(node.name, place, context))


def _input_nodes(program: ExportedProgram) -> list[Node]:
    """The nodes of the user's inputs, which are the function's arguments."""
    names = [
        spec.arg.name
        for spec in program.graph_signature.input_specs
        if spec.kind == InputKind.USER_INPUT and not isinstance(spec.arg, ConstantArgument)
    ]
    nodes = {node.name: node for node in program.graph.nodes if node.op == "placeholder"}
    return [nodes[name] for name in names]


def _fake_value(node: Node) -> Any:
    return node.meta.get("val")


def _note_device(function: Any, program: ExportedProgram) -> None:
    """Set the device attribute of the function, if the program uses a single device.

    An exported program is specialized to its device, and some results differ between devices.
    """
    devices = {
        value.device.type
        for node in program.graph.nodes
        for value in pytree.tree_leaves(node.meta.get("val"))
        if isinstance(value, torch.Tensor)
    }
    if len(devices) == 1:
        device = ir.StringAttr.get(devices.pop(), function.context)
        function.operation.attributes[DEVICE_ATTRIBUTE] = device


def _describe(node: Node) -> str:
    if node.op == "call_function":
        return f"{node.name} ({node.target})"
    return f"{node.op} {node.name}"


def _is_list_of_numbers(kind: Any) -> bool:
    """Whether a type of TorchScript is that of a list of scalars."""
    return isinstance(kind, torch.ListType) and isinstance(kind.getElementType(), torch.NumberType)


class _Importer(fx_importer.FxImporter):  # type: ignore[misc]
    """The FX importer, with our context cache and graph importer."""

    def __init__(self, context: ir.Context) -> None:
        super().__init__(context=context, graph_node_importer_cls=_GraphImporter)
        self._cc = _ContextCache(context)
        self.node: Node | None = None
        """The node being imported."""


class _ContextCache(fx_importer.ContextCache):  # type: ignore[misc]
    """Locations with the model's lines and submodules, and all element types of the dialect."""

    def __init__(self, context: ir.Context) -> None:
        super().__init__(context)
        self._locations = NodeLocations(context)
        for dtype, text in _MORE_ELEMENT_TYPES.items():
            self._dtype_to_type[dtype] = ir.Type.parse(text, context)

    def get_node_location(self, node: Node) -> ir.Location | None:
        return self._locations.of(node)


class _GraphImporter(ControlFlowImporter):
    """Imports a graph node by node, tracks the current one, and writes constants as resources."""

    def import_nodes(self, nodes: Iterable[Node], **options: Any) -> None:
        def remembered() -> Iterator[Node]:
            for node in nodes:
                self.fx_importer.node = node
                yield node
            self.fx_importer.node = None

        super().import_nodes(remembered(), **options)

    def _import_input(self, value: Any, info: Any) -> ir.Value:
        """Import a parameter or buffer at its first use, located at its name."""
        if not isinstance(value, torch.Tensor):
            return super()._import_input(value, info)
        name = info.input_spec.target
        with ir.Location.name(name, self._here(), self._c):
            return self._import_tensor(value, name)

    def import_constant(self, loc: ir.Location, node: Node, value: Any) -> None:
        """A constant of the model; a tensor is imported at its first use, like a weight."""
        if not isinstance(value, torch.Tensor):
            super().import_constant(loc, node, value)
            return

        def on_first_use() -> ir.Value:
            with self._here() or loc, ir.InsertionPoint(self._b):
                return self._import_tensor(value, node.name)

        self.bind_node_value(node, on_first_use)

    def _import_list_argument(self, loc: ir.Location, arg: Any, expected_jit_type: Any) -> ir.Value:
        """A list of numbers may have several kinds of them; the importer knows none."""
        if not _is_list_of_numbers(expected_jit_type):
            return super()._import_list_argument(loc, arg, expected_jit_type)
        with loc:
            values = [
                self.resolve_node_value(each)
                if isinstance(each, Node)
                else self._import_literal(each)
                for each in arg
            ]
            kinds = {str(each.type).removeprefix("!torch.") for each in values}
            kind = kinds.pop() if len(kinds) == 1 else "number"
            list_type = ir.Type.parse(f"!torch.list<{kind}>", self._c)
            return create_value("torch.prim.ListConstruct", list_type, values)

    def _here(self) -> ir.Location | None:
        node = self.fx_importer.node
        return None if node is None else self._cc.get_node_location(node)

    def _import_literal(self, value: Any, info: Any = None) -> ir.Value:
        if isinstance(value, torch.Tensor):
            return self._import_tensor(value, "constant")
        if isinstance(value, torch.dtype):
            value = _DTYPE_NUMBERS.get(value, value)
        return super()._import_literal(value, info)

    def _import_scalar_as_tensor(self, loc: ir.Location, value: Any) -> ir.Value:
        """A scalar as a tensor; complex numbers exist only as tensors in the dialect."""
        if not isinstance(value, complex):
            return super()._import_scalar_as_tensor(loc, value)
        with loc:
            return self._import_tensor(torch.tensor(value), "constant")

    def _import_tensor(self, tensor: torch.Tensor, name: str) -> ir.Value:
        if tensor.dtype in (torch.complex64, torch.complex128):
            # MLIR has no resources of complex elements, nor empty constants.
            parts = self._import_tensor(torch.view_as_real(tensor.resolve_conj()), name)
            type = self._cc.get_vtensor_type(tensor.shape, tensor.dtype)
            return create_value("torch.aten.view_as_complex", type, [parts])
        element = self._cc.dtype_to_type(tensor.dtype)
        type = ir.RankedTensorType.get(tensor.shape, element, loc=ir.Location.unknown(self._c))
        return create_value(
            "torch.vtensor.literal",
            self._cc.get_vtensor_type(tensor.shape, tensor.dtype),
            [],
            {"value": tensor_attribute(tensor, type, name)},
        )
