"""The exported element functions: those of the library and what they call, in the torch dialect."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from torch_refine.abstract_interp_lib.declaration import place, source_of
from torch_refine.abstract_interp_lib.elements import element_functions
from torch_refine.dialect.bindings import ir, new_context
from torch_refine.dialect.ir_builder import create_op
from torch_refine.dialect.library import functions_in
from torch_refine.dialect.names import ELEMENT_PREFIX
from torch_refine.dialect.schemas import operators, schema
from torch_refine.importer.functions.scripting import script
from torch_refine.importer.functions.torchscript import LibraryBuilder
from torch_refine.importer.functions.user_code import UserCodeError
from torch_refine.passes.lowering.elements.translating import (
    ElementFunctions,
    NotTranslatableError,
)

_HEADER = "// The element functions, written by `make library`. Do not edit: change the Python.\n"
_TYPES = ("Tensor", "Scalar", "int", "float")


def exported_elements(functions: Mapping[str, Callable[..., Any]] | None = None) -> str:
    """The text of a module with the element functions, sorted by symbol.

    Raises UserCodeError, with the Python file and line, for a function that differs from its
    operator's schema, is no TorchScript, or holds what the dialect cannot express.
    """
    builder = LibraryBuilder(new_context())
    functions = element_functions() if functions is None else functions
    for operator, function in functions.items():
        _check(operator, function)
        builder.add_function(script(function), ELEMENT_PREFIX + operator.replace("::", ".", 1))
    builder.module.operation.verify()
    lines = str(builder.module).splitlines()[1:-1]
    texts = functions_in("\n".join(line.removeprefix("  ") for line in lines) + "\n")
    text = _HEADER + "".join(texts[symbol] for symbol in sorted(texts))
    for operator, function in functions.items():
        _check_translation(operator, function, text)
    return text


def _check(operator: str, function: Callable[..., Any]) -> None:
    """Check the parameters of a function against the schemas of all overloads."""
    where = place(*source_of(function))
    parameters = inspect.signature(function).parameters
    overloads = [
        name
        for name in operators()
        if name.partition(".")[0] == operator and not name.endswith("out")
    ]
    if not overloads:
        raise UserCodeError(f"PyTorch has no operator {operator}", where)
    for name in overloads:
        types = [argument.type for argument in schema(name).arguments]
        if "Tensor" not in types:
            continue
        if len(types) != len(parameters) or not set(types) <= set(_TYPES):
            raise UserCodeError(f"{operator}: parameters differ from those of {name}", where)
    kinds = {each.annotation for each in parameters.values()}
    if len(kinds) != 1 or not kinds <= {int, float, "int", "float"}:
        message = f"{operator}: the parameters of an element function are all int, or all float"
        raise UserCodeError(message, where)


def _check_translation(operator: str, function: Callable[..., Any], text: str) -> None:
    """Check that the lowering has a translation of all that a function does."""
    context = new_context()
    with context, ir.Location.unknown():
        module = ir.Module.create()
        real, integer = ir.F64Type.get(), ir.IntegerType.get_signless(64)
        translated = ElementFunctions(context, text)
        name = operator.replace("::", ".", 1)
        types = [real if kind == "float" else integer for kind in translated.kinds(name)]
        with ir.InsertionPoint(module.body):
            holder = create_op("scf.execute_region", regions=1)
        places = [ir.Location.unknown()] * len(types)
        block = ir.Block.create_at_start(holder.regions[0], types, places)
        try:
            with ir.InsertionPoint(block):
                translated.put(name, list(block.arguments), real, lambda value: value)
        except NotTranslatableError as error:
            raise UserCodeError(f"{operator}: {error}", place(*source_of(function))) from None
