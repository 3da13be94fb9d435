"""Export the library: every declared function, and what it calls, as `library.mlir`.

Run by `make library`; with `--check` it writes nothing and fails when the file is stale.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import Any

import torch
from torch_refine.abstract_interp_lib.declaration import Declaration
from torch_refine.build_tools.check_functions import load_families, require_usable
from torch_refine.build_tools.scripting import script
from torch_refine.build_tools.signatures import allowed_types, parameters_of
from torch_refine.build_tools.torchscript import ExportError, LibraryBuilder, dialect_type
from torch_refine.build_tools.user_code import run_command
from torch_refine.build_tools.variant_export import export_variant
from torch_refine.build_tools.variants import derived_variants
from torch_refine.dialect.bindings import ir, new_context
from torch_refine.dialect.library import LIBRARY, functions_in
from torch_refine.dialect.names import library_symbol
from torch_refine.dialect.schemas import schema

HEADER = "// The exported library, written by `make library`. Do not edit: change the Python.\n"


def export(declared: Iterable[Declaration]) -> str:
    """The text of a module with the given functions, their variants and callees, sorted by symbol.

    Raises UserCodeError, with the Python file and line, for a function that differs from its
    operator's schema, is no TorchScript, or holds what the dialect cannot express.
    """
    builder = LibraryBuilder(new_context())
    exported = set()
    for declaration in declared:
        exported.add((declaration.kind, declaration.operator))
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
    return HEADER + "".join(functions[symbol] for symbol in sorted(functions))


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
        callee_attribute = {"callee": ir.FlatSymbolRefAttr.get(callee)}
        operands = [by_name[name] for name in parameters]
        call = builder.create(entry, "func.call", operands, results, callee_attribute)
        builder.create(entry, "func.return", list(call.results), [])


def _default_type(annotation: Any) -> str:
    """The dialect's type for an annotation, as TorchScript resolves it."""
    type = torch.jit.annotations.ann_to_type(annotation, None)  # type: ignore[no-untyped-call]
    return dialect_type(type)


def difference(old: str, new: str) -> list[str]:
    """What changed between two exported libraries, a line per function."""
    before, after = functions_in(old), functions_in(new)
    lines = [f"added   {symbol}" for symbol in after if symbol not in before]
    lines += [f"removed {symbol}" for symbol in before if symbol not in after]
    lines += [f"changed {s}" for s in after if s in before and before[s] != after[s]]
    return sorted(lines)


def main(arguments: Sequence[str]) -> int:
    """Write the library, or compare it with `--check`; the exit code.

    Raises UserCodeError for a function that cannot be exported; nothing is written then.
    """
    new = export(load_families().values())
    old = LIBRARY.read_text(encoding="utf-8") if LIBRARY.exists() else ""
    changes = difference(old, new)
    for line in changes:
        print(line)
    if "--check" in arguments:
        if old != new:
            print(f"{LIBRARY.name} is stale: run `make library`", file=sys.stderr)
        return int(old != new)
    LIBRARY.write_text(new, encoding="utf-8")
    print(f"{LIBRARY.name}: {len(functions_in(new))} functions, {len(changes)} changes")
    return 0


if __name__ == "__main__":
    sys.exit(run_command(main, sys.argv[1:]))
