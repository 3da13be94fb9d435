"""Writing results so that a failure loses nothing."""

from __future__ import annotations

import io
import os
import sys
import tempfile
from argparse import Namespace
from pathlib import Path

from torch_refine.dialect.bindings import ir


class OutputError(Exception):
    """The output cannot be written."""


def check_writable(path: str) -> None:
    """Find out before the work whether the output can be written; raises OutputError."""
    if path == "-":
        return
    target = Path(path)
    if target.is_dir():
        raise OutputError(f"cannot open output file '{path}': Is a directory")
    folder = target.parent
    if not folder.is_dir():
        raise OutputError(f"cannot open output file '{path}': No such file or directory")
    if not os.access(target if target.exists() else folder, os.W_OK):
        raise OutputError(f"cannot open output file '{path}': Permission denied")


def write(path: str, content: bytes) -> None:
    """Write the whole output at once; a file appears complete or stays as it was."""
    if path == "-":
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return
    target = Path(path).resolve()
    try:
        if target.exists() and not target.is_file():
            target.write_bytes(content)
            return
        _replace(target, content)
    except OSError as error:
        raise OutputError(f"cannot write output file '{path}': {error.strerror}") from None


def _replace(target: Path, content: bytes) -> None:
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        if target.exists():
            mode = target.stat().st_mode & 0o7777
        else:
            mask = os.umask(0)
            os.umask(mask)
            mode = 0o666 & ~mask
        os.chmod(name, mode)
        os.replace(name, target)
    except OSError:
        os.unlink(name)
        raise


def show(module: ir.Operation, options: Namespace) -> str:
    """A module's text as the printing options want it."""
    text = module.get_asm(
        large_elements_limit=options.mlir_elide_elementsattrs_if_larger,
        large_resource_limit=options.mlir_elide_resource_strings_if_larger,
        enable_debug_info=options.mlir_print_debuginfo or options.mlir_pretty_debuginfo,
        pretty_debug_info=options.mlir_pretty_debuginfo,
        print_generic_op_form=options.mlir_print_op_generic,
        use_local_scope=options.mlir_print_local_scope,
        assume_verified=True,
    )
    return str(text).rstrip("\n")


def bytecode(module: ir.Operation) -> bytes:
    """A module as MLIR bytecode."""
    buffer = io.BytesIO()
    module.write_bytecode(buffer)
    return buffer.getvalue()
