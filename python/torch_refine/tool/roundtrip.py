"""`--verify-roundtrip`: whether a module is unchanged after printing and parsing it."""

from __future__ import annotations

import difflib

from torch_refine.dialect.bindings import ir, operations, parse_operation
from torch_refine.tool import output


def roundtrip_problem(module: ir.Operation) -> str | None:
    """What a module loses in a round trip through text or bytecode; None if nothing."""
    printed = _printed(module)
    forms: tuple[tuple[str, str | bytes], ...] = (
        ("text", printed),
        ("generic text", _printed(module, generic=True)),
        ("bytecode", output.bytecode(module)),
    )
    for name, form in forms:
        try:
            again = _reprinted(form, module)
        except ir.MLIRError as error:
            return f"roundtrip through {name}: it cannot be parsed again: {error}"
        if again != printed:
            return f"roundtrip through {name}: {_difference(printed, again)}"
    return None


def _reprinted(form: str | bytes, like: ir.Operation) -> str:
    if isinstance(form, str):
        return _printed(parse_operation(form, like.context))
    module = ir.Module.parse(form, like.context)
    # If the operation is no module, the bindings wrap it in one, which owns it.
    is_module = like.name == "builtin.module"
    return _printed(module.operation if is_module else next(operations(module.body)))


def _printed(module: ir.Operation, generic: bool = False) -> str:
    # Locations are inlined, as aliases are named in order of occurrence.
    return str(
        module.get_asm(
            enable_debug_info=True,
            use_local_scope=True,
            print_generic_op_form=generic,
            assume_verified=True,
        )
    )


def _difference(before: str, after: str) -> str:
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0)
    changed = [line for line in lines if line[:1] in "+-" and line[:3] not in ("+++", "---")]
    return "it is not the same:\n" + "\n".join(changed[:6])
