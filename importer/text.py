"""Modules as compact text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch_refine.dialect.bindings import ir


def module_text(
    module: ir.Module, *, largest_constant: int = 16, with_locations: bool = False
) -> str:
    """A module as MLIR text, with the values of large constants elided.

    Args:
        module: any module; it is not changed.
        largest_constant: constants that take more than this are printed without values. The unit
            is a character of the hexadecimal text for resources, such as weights, which keep their
            name (`dense_resource<encoder.weight>`); and an element for dense attributes, which
            become `dense_resource<__elided__>`.
        with_locations: whether each operation carries its `loc(...)`. Locations of an imported
            model are paths on the machine that imported it.

    Returns:
        Text that parses to a module with the same operations and types; parsing it in a new
        context and printing it again gives the same text.
    """
    text = module.operation.get_asm(
        large_elements_limit=largest_constant,
        large_resource_limit=largest_constant,
        enable_debug_info=with_locations,
    )
    # MLIR's resource section when all resources were elided.
    return str(text).replace("\n{-#\n\n#-}\n", "")
