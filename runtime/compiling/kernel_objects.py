"""Object code by kernel: generated in parallel, and cached across programs.

A kernel is a function of its own, which nothing is inlined into or from (`mark-noinline`). A large
one gets an object file of its own, named after its contents, so any program with the same kernel
uses that file from the cache. This runs in the worker, whose process has one thread.
"""

from __future__ import annotations

import hashlib
import os
import sys
import traceback
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from torch_refine.dialect.bindings import ir, walk
from torch_refine.passes.lowering.abi import ENTRY, PACKED, VERSION
from torch_refine.passes.program import symbol_name
from torch_refine.runtime.calls.object_files import joined, write_object
from torch_refine.runtime.compiling import cache
from torch_refine.runtime.compiling.cache_key import compiler

# A kernel of fewer ops is not worth a file of its own; 1,000 ops take LLVM some 50 ms.
_LEAST_OPS = 400
# Starting another process for fewer takes longer.
_LEAST_OPS_OF_A_PROCESS = 1500
_MOST_PROCESSES = 8
# Of a kernel's key, in its name.
_DIGITS = 16
_FUNCTION, _GLOBAL = "llvm.func", "llvm.mlir.global"
_CALLEE = "callee"
_MAIN = ENTRY.removeprefix(PACKED)


@dataclass
class _Part:
    """A module that becomes one object file, and how many ops it has.

    `entry` is a function of it; `others` are those of other parts that it calls.
    """

    module: ir.Module
    ops: int
    entry: str
    key: str = ""
    others: tuple[str, ...] = ()

    def write(self, folder: Path, level: int, libraries: Sequence[Path]) -> None:
        """Generate the object file in a folder."""
        write_object(self.module, self.path(folder), level, libraries, self.entry, self.others)

    def path(self, folder: Path) -> Path:
        """The file."""
        return folder / f"{self.key or 'main'}.part"


def write_objects(module: ir.Module, path: Path, level: int, libraries: Sequence[Path]) -> None:
    """Write the object files of a module in the llvm dialect to one file, as `joined` does.

    The module is changed. Raises RuntimeError if LLVM fails.
    """
    folder = path.parent
    parts = _split(module, level)
    stored = {part.key: cache.find(part.key) for part in parts}
    missing = [part for part in parts if stored[part.key] is None]
    main = _Part(module, _count(module.operation), _MAIN)
    main.others = tuple(part.entry for part in parts)
    _write_all([main, *missing], folder, level, libraries)
    for part in missing:
        stored[part.key] = content = part.path(folder).read_bytes()
        cache.store(part.key, content)
    objects = [main.path(folder).read_bytes(), *(stored[part.key] or b"" for part in parts)]
    path.write_bytes(joined(objects))


def _split(module: ir.Module, level: int) -> list[_Part]:
    """Move the large kernels of a module to modules of their own, and declare them in it."""
    symbols = {
        str(symbol_name(op)): op.operation
        for op in module.body.operations
        if op.operation.name in (_FUNCTION, _GLOBAL)
    }
    parts: list[_Part] = []
    known: set[str] = set()
    calls: dict[str, list[ir.Operation]] = defaultdict(list)
    for op in walk(module.operation):
        if _CALLEE in op.attributes:
            calls[ir.FlatSymbolRefAttr(op.attributes[_CALLEE]).value].append(op)
    for name, op in symbols.items():
        if op.name != _FUNCTION or name.startswith(PACKED) or not _is_kernel(op):
            continue
        ops = _count(op)
        if ops < _LEAST_OPS:
            continue
        part = _part_of(module, op, symbols, level)
        if part is None:
            continue
        part.ops = ops
        callee = ir.FlatSymbolRefAttr.get(part.entry, module.context)
        for call in calls[name]:
            call.attributes[_CALLEE] = callee
        if part.key in known:
            op.erase()
        else:
            _declare(op, part.entry)
            known.add(part.key)
            parts.append(part)
    return parts


def _is_kernel(function: ir.Operation) -> bool:
    return (
        len(function.regions[0].blocks) > 0
        and "no_inline" in function.attributes
        and "optimize_none" not in function.attributes
        and str(function.attributes["linkage"]) == "#llvm.linkage<external>"
    )


def _is_declaration(op: ir.Operation) -> bool:
    return bool(op.name == _FUNCTION and not len(op.regions[0].blocks))


def _part_of(
    module: ir.Module, function: ir.Operation, symbols: dict[str, ir.Operation], level: int
) -> _Part | None:
    """A module of one kernel; None if it uses what cannot be declared."""
    used = _used(function)
    if not all(each in symbols and _is_declaration(symbols[each]) for each in used):
        return None
    context = function.context
    with context, ir.Location.unknown(context):
        found = ir.Module.create()
    for attribute in module.operation.attributes:
        name = attribute if isinstance(attribute, str) else attribute.name
        if name.startswith(("llvm.", "dlti.")):
            found.operation.attributes[name] = module.operation.attributes[name]
    with ir.InsertionPoint(found.body):
        for each in sorted(used):
            symbols[each].clone()
        copy = function.clone().operation
    name = str(symbol_name(function))
    ir.SymbolTable.replace_all_symbol_uses(name, "kernel", found.operation)
    copy.attributes["sym_name"] = ir.StringAttr.get("kernel", context)
    text = found.operation.get_asm(enable_debug_info=False)
    # Its kind, as in `contraction_3`, is for those who read assembly.
    kind = name.rstrip("0123456789").rstrip("_")
    said = f"kernel {kind} {VERSION} {level} {compiler()}\n{text}"
    key = hashlib.sha256(said.encode()).hexdigest()
    entry = f"{kind}_{key[:_DIGITS]}"
    copy.attributes["sym_name"] = ir.StringAttr.get(entry, context)
    return _Part(found, 0, entry, key)


def _used(function: ir.Operation) -> set[str]:
    """The symbols that a function uses, without itself."""
    found = set()
    for op in walk(function):
        for name in (_CALLEE, "global_name"):
            if name in op.attributes:
                found.add(ir.FlatSymbolRefAttr(op.attributes[name]).value)
    return found - {str(symbol_name(function))}


def _declare(function: ir.Operation, name: str) -> None:
    """Replace a function by its declaration under a name."""
    context = function.context
    attributes = {each: function.attributes[each] for each in _names(function)}
    attributes["sym_name"] = ir.StringAttr.get(name, context)
    attributes["linkage"] = ir.Attribute.parse("#llvm.linkage<external>", context)
    with ir.InsertionPoint(function), ir.Location.unknown(context):
        ir.Operation.create(_FUNCTION, attributes=attributes, regions=1)
    function.erase()


def _names(op: ir.Operation) -> list[str]:
    return [each if isinstance(each, str) else each.name for each in op.attributes]


def _count(op: ir.Operation) -> int:
    return sum(1 for _ in walk(op))


def _write_all(parts: Sequence[_Part], folder: Path, level: int, libraries: Sequence[Path]) -> None:
    """Write the object files of parts, in several processes if there is much to do."""
    total = sum(part.ops for part in parts)
    count = min(_processors(), _MOST_PROCESSES, total // _LEAST_OPS_OF_A_PROCESS, len(parts))
    if count < 2 or not sys.platform.startswith("linux"):
        _write_some(parts, folder, level, libraries)
        return
    shares: list[list[_Part]] = [[] for _ in range(count)]
    for part in sorted(parts, key=lambda each: -each.ops):
        min(shares, key=lambda share: sum(each.ops for each in share)).append(part)
    # No thread may hold a lock when the process is copied.
    parts[0].module.context.enable_multithreading(False)
    children = [_started(share, folder, level, libraries) for share in shares[1:]]
    try:
        _write_some(shares[0], folder, level, libraries)
    finally:
        ended = [os.waitpid(child, 0)[1] for child in children]
    if any(ended):
        raise RuntimeError("a process that generates code failed")


def _write_some(
    parts: Sequence[_Part], folder: Path, level: int, libraries: Sequence[Path]
) -> None:
    for part in parts:
        part.write(folder, level, libraries)


def _started(share: Sequence[_Part], folder: Path, level: int, libraries: Sequence[Path]) -> int:
    """A process that writes some object files; its number."""
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        _write_some(share, folder, level, libraries)
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        # Nothing of the copied process is to run.
        sys.stderr.flush()
        os._exit(code)


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
