"""Modules in the torch dialect with the operator calls of cases, one function per case.

They check that the exported functions, run by the passes, agree with the Python functions.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import torch
from torch_refine.abstract_interp_lib import scalar_types
from torch_refine.abstract_interp_lib.declaration import Invocation, TensorCase
from torch_refine.build_tools.check_functions import adapt, bind
from torch_refine.dialect.bindings import ir
from torch_refine.dialect.element_types import element_of_dtype
from torch_refine.dialect.names import DEVICE_ATTRIBUTE, ir_name
from torch_refine.dialect.schemas import schema
from torch_refine.dialect.tensor_type import TensorType


class NotExpressible(Exception):
    """A case is not expressible in the dialect, for example because of its dtype."""


class CaseModule:
    """A module under construction.

    `hide` may erase a part of each tensor argument's type.
    """

    def __init__(
        self, context: ir.Context, hide: Callable[[TensorType], TensorType] = lambda type: type
    ) -> None:
        self.context = context
        self.hide = hide
        self.location = ir.Location.unknown(context)
        with context, self.location:
            self.module = ir.Module.create()

    def type(self, text: str) -> ir.Type:
        """Parse a type of the torch dialect."""
        return ir.Type.parse(f"!torch.{text}", self.context)

    def add(self, name: str, operator: str, case: Invocation, outputs: list[Any]) -> None:
        """Add a function `name` that calls `operator`; its tensors are the function's arguments.

        `outputs` are PyTorch's results; a list of tensors among them is unpacked. Raises
        NotExpressible if the dialect cannot express the call.
        """
        operator_schema = schema(operator)
        bound = bind(operator_schema, case)
        inputs: list[ir.Type] = []
        for value in bound.values():
            for tensor in _tensors(value):
                inputs.append(self.tensor_type(tensor))
        results = [_result_kind(returned) for returned in operator_schema.returns]
        with self.context, self.location, ir.InsertionPoint(self.module.body):
            function = ir.Operation.create(
                "func.func",
                attributes={
                    "sym_name": ir.StringAttr.get(name),
                    "function_type": ir.TypeAttr.get(ir.FunctionType.get(inputs, [])),
                    # Results on the meta device are those of accelerators.
                    DEVICE_ATTRIBUTE: ir.StringAttr.get(case.device),
                },
                regions=1,
            )
        block = function.regions[0].blocks.append(*inputs, arg_locs=[self.location] * len(inputs))
        self.block = block
        arguments = iter(list(block.arguments))
        try:
            operands = [
                self.operand(bound[argument.name], argument.type, arguments)
                for argument in operator_schema.arguments
            ]
        except NotExpressible:
            function.erase()
            raise
        name = ir_name(operator)
        attributes = {"name": ir.StringAttr.get(name, self.context)}
        op = self.emit("torch.operator", results, operands, attributes)
        for result, output in zip(op.results, outputs, strict=True):
            if isinstance(output, list):
                self.emit("torch.prim.ListUnpack", ["vtensor"] * len(output), [result])
        self.emit("func.return", [], [])

    def tensor_type(self, tensor: TensorCase) -> ir.Type:
        """The type of a case's tensor."""
        number = scalar_types.NUMBERS[str(tensor.dtype).removeprefix("torch.")]
        element = element_of_dtype(number)
        if element is None:
            raise NotExpressible(f"the dialect has no {tensor.dtype}")
        known = self.hide(TensorType(True, tensor.sizes, element))
        return ir.Type.parse(str(known), self.context)

    def emit(
        self,
        name: str,
        results: list[str],
        operands: list[ir.Value],
        attributes: dict[str, ir.Attribute] | None = None,
    ) -> ir.Operation:
        """Append an op to the function."""
        return ir.Operation.create(
            name,
            results=[self.type(kind) for kind in results],
            operands=operands,
            attributes=attributes or {},
            loc=self.location,
            ip=ir.InsertionPoint(self.block),
        )

    def operand(self, value: Any, kind: str, arguments: Any) -> ir.Value:
        """A case's value as an SSA value."""
        if isinstance(value, TensorCase):
            return next(arguments)
        if isinstance(value, list | tuple):
            return self.list(value, kind, arguments)
        value = adapt(value, Any)
        if isinstance(value, int) and re.search(r"\[\d+\]", kind):
            # PyTorch's calling convention accepts an int for a list.
            return self.list([value], kind, arguments)
        if isinstance(value, int) and not isinstance(value, bool) and kind.startswith("float"):
            value = float(value)
        if value is None:
            return self.emit("torch.constant.none", ["none"], []).result
        for type, name, attribute in (
            (bool, "bool", lambda v: ir.IntegerAttr.get(ir.IntegerType.get_signless(1), int(v))),
            (int, "int", lambda v: ir.IntegerAttr.get(ir.IntegerType.get_signless(64), v)),
            (float, "float", ir.FloatAttr.get_f64),
            (str, "str", ir.StringAttr.get),
            (torch.device, "Device", lambda v: ir.StringAttr.get(str(v))),
        ):
            if isinstance(value, type):
                with self.context, self.location:
                    attributes = {"value": attribute(value)}
                op = "torch.constant.device" if name == "Device" else f"torch.constant.{name}"
                return self.emit(op, [name], [], attributes).result
        raise NotExpressible(f"the dialect has no {value!r}")

    def list(self, values: Any, kind: str, arguments: Any) -> ir.Value:
        """A list of a case's values."""
        inner = re.sub(r"\[\d*\]\??$", "", kind)
        items = [self.operand(value, inner, arguments) for value in values]
        if inner == "Scalar":
            wide = [self.emit("torch.derefine", ["any"], [item]).result for item in items]
            items = [
                self.emit("torch.prim.unchecked_cast", ["number"], [item]).result for item in wide
            ]
            element = "number"
        elif inner.startswith("Tensor"):
            element = "optional<vtensor>" if inner.endswith("?") else "vtensor"
        elif items:
            element = str(items[0].type).removeprefix("!torch.")
        else:
            element = inner if inner in ("float", "bool", "str") else "int"
        return self.emit("torch.prim.ListConstruct", [f"list<{element}>"], items).result


def flattened(outputs: list[Any]) -> list[Any]:
    """PyTorch's result tensors, in the order of their definitions in a case's function.

    Elements of lists are last, where the lists are unpacked.
    """
    alone = [output for output in outputs if not isinstance(output, list)]
    return alone + [item for output in outputs if isinstance(output, list) for item in output]


def _result_kind(returned: str) -> str:
    if returned == "Tensor":
        return "vtensor"
    if returned == "Tensor[]":
        return "list<vtensor>"
    raise NotExpressible(f"a result of type {returned}")


def _tensors(value: Any) -> list[TensorCase]:
    if isinstance(value, TensorCase):
        return [value]
    if isinstance(value, list | tuple):
        return [tensor for item in value for tensor in _tensors(item)]
    return []
