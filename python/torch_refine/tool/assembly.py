"""The text of a module, as the printing options want it."""

from __future__ import annotations

from argparse import Namespace

from torch_refine.dialect.bindings import ir


def asm(module: ir.Operation, options: Namespace, **others: bool) -> str:
    """MLIR's text of a module with the printing options; `others` are additional ones."""
    text = module.get_asm(
        large_elements_limit=options.mlir_elide_elementsattrs_if_larger,
        large_resource_limit=options.mlir_elide_resource_strings_if_larger,
        enable_debug_info=options.mlir_print_debuginfo or options.mlir_pretty_debuginfo,
        pretty_debug_info=options.mlir_pretty_debuginfo,
        print_generic_op_form=options.mlir_print_op_generic,
        use_local_scope=options.mlir_print_local_scope,
        use_name_loc_as_prefix=options.mlir_use_nameloc_as_prefix,
        skip_regions=options.mlir_print_skip_regions,
        assume_verified=True,
    )
    return str(text).rstrip("\n")
