"""The one module that imports the MLIR bindings and works around their quirks.

The bindings come from the `torch-mlir` wheel. Importing its inner modules directly skips numpy and
every generated op class: 0.05 s instead of 0.2 s, and another 0.2 s at the first op of the torch
dialect. If the provider changes, this file changes.
"""

from __future__ import annotations

import mmap
import re
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

from torch_mlir import _mlir_libs
from torch_mlir._mlir_libs import _mlir, _torchMlir
from torch_mlir._mlir_libs._mlir import ir as ir
from torch_mlir._mlir_libs._mlir import passmanager

PassManager = passmanager.PassManager

if "torch_mlir.ir" not in sys.modules:
    # Without this, creating the first op of a dialect imports its generated Python classes (for
    # `torch`, 1.7 MB of them). A program that imported the full bindings first keeps them.
    _mlir.globals.dialect_search_modules = []


def new_context() -> ir.Context:
    """A context with all upstream dialects and those of the wheel."""
    context = ir.Context()
    _torchMlir.register_dialect(context)
    # The wheel registers `tm_tensor` only as a dependency of the pass that creates its ops.
    passes = PassManager.parse("builtin.module(func.func(convert-torch-to-tmtensor))", context)
    passes.run(ir.Module.parse("module {}", context).operation)
    return context


def load_stablehlo(context: ir.Context) -> None:
    """Register `stablehlo`, `chlo` and `vhlo`; takes as long as starting the tool."""
    from torch_mlir._mlir_libs import _stablehlo

    _stablehlo.register_dialect(context, True)
    _stablehlo.register_stablehlo_passes()
    # The other two are registered only as dependent dialects of passes.
    for name in ("func.func(convert-torch-to-stablehlo)", "stablehlo-legalize-to-vhlo"):
        passes = PassManager.parse(f"builtin.module({name})", context)
        passes.run(ir.Module.parse("module {}", context).operation)


def load_irdl(module: ir.Module) -> None:
    """Register the dialects that a module of the irdl dialect defines, in its context."""
    from torch_mlir._mlir_libs._mlirDialectsIRDL import load_dialects

    load_dialects(module)


def parse_operation(text: str | bytes, context: ir.Context) -> ir.Operation:
    """Parse a single operation from text or bytecode, without adding a module; raises MLIRError."""
    if isinstance(text, bytes):
        # Bytecode always holds a module.
        return ir.Module.parse(text, context).operation
    return ir.Operation.parse(text, source_name="-", context=context).operation


_AVAILABLE = re.compile(r"Available dialects: ([\w, ]+)")


def registered_dialects(context: ir.Context) -> list[str]:
    """The names of the dialects in a context, taken from MLIR's diagnostic for an unknown one."""
    handler = context.attach_diagnostic_handler(lambda _: True)
    try:
        ir.Module.parse("no_such_dialect.op", context)
    except ir.MLIRError as error:
        notes = [note.message for each in error.error_diagnostics for note in each.notes]
        found = next(filter(None, map(_AVAILABLE.match, notes)), None)
        return [] if found is None else [name.strip() for name in found[1].split(",")]
    finally:
        handler.detach()
    return []


_OPERATION_NAME = re.compile(r'OPERATION_NAME = "([^"]+)"')


def operation_names(dialect: str | None = None) -> list[str]:
    """The operations of a dialect, or of all, for which the wheel has generated Python classes.

    The classes are read as text: importing those of `torch` takes as long as starting the tool.
    """
    folder = Path(_mlir_libs.__file__).parent.parent / "dialects"
    texts = (path.read_text(encoding="utf-8") for path in folder.glob("_*_ops_gen.py"))
    names = {name for text in texts for name in _OPERATION_NAME.findall(text)}
    return sorted(name for name in names if dialect is None or name.partition(".")[0] == dialect)


def registered_operations(dialect: str, context: ir.Context) -> list[str]:
    """The registered operations of a dialect, also of one without Python classes."""
    names = operation_names(dialect) or sorted(_texts_in_library(f"{dialect}."))
    return [name for name in names if context.is_registered_operation(name)]


def _texts_in_library(prefix: str) -> set[str]:
    """The strings in the wheel's shared library with this prefix, among them operation names."""
    library = next(Path(_mlir_libs.__file__).parent.glob("*TorchMLIRAggregateCAPI.*"), None)
    if library is None:
        return set()
    wanted, found = b"\0" + prefix.encode(), set()
    with library.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as text:
        position = text.find(wanted)
        while position >= 0:
            end = text.find(b"\0", position + 1)
            found.add(text[position + 1 : end].decode(errors="replace"))
            position = text.find(wanted, end)
    return found


def llvm_version() -> str:
    """The version of LLVM that the wheel was built from, such as `24.0.0git`.

    Read from the producer string of a bytecode header, its only occurrence in the wheel.
    """
    buffer = BytesIO()
    with ir.Context():
        ir.Module.parse("module {}").operation.write_bytecode(buffer)
    producer = re.search(rb"MLIR([\w.+-]+)\0", buffer.getvalue())
    return producer[1].decode() if producer else "of unknown version"


def peer_tool() -> Path:
    """The `torch-mlir-opt` binary that the wheel carries; used by benchmarks and snapshots only."""
    return Path(_mlir_libs.__file__).with_name("torch-mlir-opt")


def operations(block: ir.Block) -> Iterator[ir.Operation]:
    """The operations of a block as generic operations; the block must not change meanwhile."""
    for view in block.operations:
        yield view.operation


def walk(op: ir.Operation) -> Iterator[ir.Operation]:
    """All operations nested in `op`, in pre-order and program order."""
    for region in op.regions:
        for block in region:
            for view in block.operations:
                inner = view.operation
                yield inner
                if len(inner.regions):
                    yield from walk(inner)


def attributes_of(op: ir.Operation) -> dict[str, ir.Attribute]:
    """The attributes of an op by name: iterating over them directly yields names, over a DictAttr
    pairs.
    """
    return {name: op.attributes[name] for name in op.attributes}


def execution_engine() -> Any:
    """The class of the execution engine, which compiles code for the host."""
    from torch_mlir._mlir_libs._mlirExecutionEngine import ExecutionEngine

    return ExecutionEngine


def apply_named_sequence(
    payload: ir.Operation, sequence: ir.Operation, library: ir.Operation
) -> None:
    """Apply a sequence of the transform dialect to an op; raises MLIRError on failure."""
    from torch_mlir._mlir_libs._mlirTransformInterpreter import apply_named_sequence as apply

    apply(payload, sequence, library)


def translate_to_llvm_ir(module: ir.Operation) -> str:
    """Translate a module of the llvm dialect to LLVM IR text."""
    from torch_mlir._mlir_libs._mlirDialectsLLVM import translate_module_to_llvmir

    return str(translate_module_to_llvmir(module))
