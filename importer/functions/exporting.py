"""Declared functions, their variants and what they call as the text of a library."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch
from torch_refine.abstract_interp_lib.declaration import Declaration
from torch_refine.dialect.bindings import ir, new_context
from torch_refine.dialect.library import functions_in
from torch_refine.dialect.names import library_symbol
from torch_refine.dialect.schemas import schema
from torch_refine.importer.functions.library_lines import lines_text
from torch_refine.importer.functions.scripting import script
from torch_refine.importer.functions.signatures import allowed_types, parameters_of
from torch_refine.importer.functions.torchscript import ExportError, LibraryBuilder, dialect_type
from torch_refine.importer.functions.usable import require_usable
from torch_refine.importer.functions.variant_export import export_variant
from torch_refine.importer.functions.variants import derived_variants

HEADER = "// The exported library, written by `make library`. Do not edit: change the Python.\n"


def export(declared: Iterable[Declaration]) -> str:
    """The text of a module with the given functions, their variants and callees, sorted by symbol.

    Raises UserCodeError, as `export_with_lines` does.
    """
    return export_with_lines(declared)[0]


def export_with_lines(declared: Iterable[Declaration]) -> tuple[str, str]:
    """The text of a library as `export` gives it, and that of its lines (`library_lines`).

    Raises UserCodeError, with the Python file and line, for a function that differs from its
    operator's schema, is no TorchScript, or holds what the dialect cannot express.
    """
    builder = LibraryBuilder(new_context())
    exported = set()
    for declaration in declared:
        if declaration.kind != "decomposition":
            exported.add((declaration.kind, declaration.operator))
        builder.has_tensors = declaration.kind == "decomposition"
        require_usable(declaration)
        symbol = library_symbol(declaration.kind, declaration.operator)
        try:
            function = script(declaration.function)
            if declaration.derived:
                _export_derived(builder, declaration, function, symbol)
            else:
                builder.add_function(function, symbol)
        except ExportError as error:
            error.locate(declaration.where)
            error.name(declaration.operator)
            raise
    for kind, variant in derived_variants(exported):
        export_variant(builder, kind, variant)
    builder.module.operation.verify()
    # Printed at once, because printing one function of a module looks at all of it.
    lines = str(builder.module).splitlines()[1:-1]
    functions = functions_in("\n".join(line.removeprefix("  ") for line in lines) + "\n")
    text = HEADER + "".join(functions[symbol] for symbol in sorted(functions))
    return text, lines_text(builder.module.operation)


def _export_derived(
    builder: LibraryBuilder, declaration: Declaration, rule: Any, symbol: str
) -> None:
    """A family's member: the schema's full signature around a call of the shared rule."""
    callee = builder.add_function(rule)
    parameters = parameters_of(declaration.function)
    graph_types = {
        name: dialect_type(value.type())
        for name, value in zip(parameters, rule.graph.inputs(), strict=True)
    }
    arguments = schema(declaration.operator).arguments
    types = [
        graph_types.get(argument.name)
        or _default_type(allowed_types(declaration.kind, argument.type)[0])
        for argument in arguments
    ]
    results = [dialect_type(output.type()) for output in rule.graph.outputs()]
    entry = builder.new_function(symbol, types, results)
    by_name = dict(zip((a.name for a in arguments), entry.arguments, strict=True))
    with builder.context:
        for name, constant in declaration.constants.items():
            attribute = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), constant)
            op = builder.create(entry, "torch.constant.int", [], ["int"], {"value": attribute})
            by_name[name] = op.result
        callee_attribute = {"callee": ir.FlatSymbolRefAttr.get(callee)}
        operands = [by_name[name] for name in parameters]
        call = builder.create(entry, "func.call", operands, results, callee_attribute)
        builder.create(entry, "func.return", list(call.results), [])


def _default_type(annotation: Any) -> str:
    """The dialect's type for an annotation, as TorchScript resolves it."""
    type = torch.jit.annotations.ann_to_type(annotation, None)  # type: ignore[no-untyped-call]
    return dialect_type(type)
