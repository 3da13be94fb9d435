"""Queries of a module: the user's functions, and those that reification added."""

from __future__ import annotations

from collections.abc import Iterator

from torch_refine.dialect.bindings import ir, operations
from torch_refine.dialect.names import DEVICE_ATTRIBUTE
from torch_refine.dialect.structured_ops import operation_of

# Attribute of functions that reification added to the module, so that dropping the calculations can
# erase them.
LIBRARY_ATTRIBUTE = "torch_refine.library"


def program_functions(op: ir.Operation) -> Iterator[ir.Operation]:
    """The user's functions in a module, or `op` itself when it is a function."""
    if op.name != "builtin.module":
        yield op
        return
    for inner in list(operations(op.regions[0].blocks[0])):
        if inner.name == "builtin.module":
            yield from program_functions(inner)
        elif LIBRARY_ATTRIBUTE not in inner.attributes:
            yield inner


def modules(op: ir.Operation) -> Iterator[ir.Operation]:
    """A module and the modules nested in it, each with its own symbol table."""
    yield op
    if op.name == "builtin.module":
        for inner in list(operations(op.regions[0].blocks[0])):
            if inner.name == "builtin.module":
                yield from modules(inner)


def module_of(op: ir.Operation) -> ir.Operation:
    """The outermost op around an op."""
    while op.parent is not None:
        op = operation_of(op.parent)
    return op


def functions_by_name(module: ir.Operation) -> dict[str, ir.Operation]:
    """The `func.func` ops of a module, by name."""
    return {
        symbol_name(each) or "": each
        for each in operations(module.regions[0].blocks[0])
        if each.name == "func.func"
    }


def library_functions(op: ir.Operation) -> list[ir.Operation]:
    """The functions that reification spliced into a module."""
    return [
        inner
        for inner in operations(op.regions[0].blocks[0])
        if LIBRARY_ATTRIBUTE in inner.attributes
    ]


def structured_blocks(function: ir.Operation) -> Iterator[ir.Block]:
    """The blocks of a function, and those of its loops and conditions, outer ones first."""
    pending = [block for region in function.regions for block in region]
    while pending:
        block = pending.pop(0)
        yield block
        pending += [
            inner
            for op in operations(block)
            if op.name in ("scf.for", "scf.while", "scf.if")
            for region in op.regions
            for inner in region
        ]


def symbol_name(op: ir.Operation) -> str | None:
    """The symbol that an op defines, or None."""
    if "sym_name" not in op.attributes:
        return None
    return str(ir.StringAttr(op.attributes["sym_name"]).value)


def has_interface(function: ir.Operation) -> bool:
    """Whether the runtime may call a function: those with a linkage of their own are for LLVM."""
    return all(each not in function.attributes for each in ("sym_visibility", "llvm.linkage"))


def is_private(op: ir.Operation) -> bool:
    """Whether the symbol that an op defines is private."""
    attributes = op.attributes
    return (
        "sym_visibility" in attributes
        and ir.StringAttr(attributes["sym_visibility"]).value == "private"
    )


def device_of(function: ir.Operation) -> str | None:
    """The type of the device that a function was exported for, None if unspecified."""
    if DEVICE_ATTRIBUTE not in function.attributes:
        return None
    return str(ir.StringAttr(function.attributes[DEVICE_ATTRIBUTE]).value)


def enclosing_module(op: ir.Operation) -> ir.Operation:
    """The innermost module that contains `op`, or `op` if it is one."""
    while op.name != "builtin.module" and op.parent is not None:
        op = op.parent.operation
    return op


def redeclare(function: ir.Operation, returned: ir.Operation) -> None:
    """Update the function type to the current argument and result types.

    Trailing arguments may have been added or erased.
    """
    inputs = [argument.type for argument in function.regions[0].blocks[0].arguments]
    results = [operand.type for operand in returned.operands]
    type = ir.FunctionType.get(inputs, results, function.context)
    function.attributes["function_type"] = ir.TypeAttr.get(type, function.context)
    if "arg_attrs" in function.attributes:
        nothing = ir.DictAttr.get({}, function.context)
        said = [*ir.ArrayAttr(function.attributes["arg_attrs"]), *[nothing] * len(inputs)]
        function.attributes["arg_attrs"] = ir.ArrayAttr.get(said[: len(inputs)], function.context)


def returns_of(function: ir.Operation) -> list[ir.Operation]:
    """The return ops of a function."""
    last = [
        block.operations[len(block.operations) - 1].operation
        for block in function.regions[0]
        if len(block.operations)
    ]
    return [op for op in last if op.name == "func.return"]
