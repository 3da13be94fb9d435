"""Object files: written by the wheel's LLVM, loaded by llvmlite."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Callable, Sequence
from functools import cache
from itertools import accumulate, chain, pairwise
from pathlib import Path
from typing import Any

from torch_refine.dialect.bindings import execution_engine, ir
from torch_refine.passes.lowering.abi import ALLOCATE, DRIVER_FUNCTIONS, ENTRY, FREE, PACKED
from torch_refine.passes.lowering.lapack import symbols
from torch_refine.runtime.calls.lapack import address_of, routines_in

_HERE = Path(__file__).parent
_SUPPORT_LIBRARY = "torch_refine.support"
_SUPPORT = {
    _HERE / "support.ll": (
        "__truncsfbf2",
        "__truncdfbf2",
        "__extendhfsf2",
        "__truncsfhf2",
        "__truncdfhf2",
        ALLOCATE,
        FREE,
    ),
    _HERE.parent / "cuda" / "launching.ll": DRIVER_FUNCTIONS,
    _HERE.parent / "state" / "watching.ll": ("torch_refine_changed",),
    _HERE / "bools.ll": ("torch_refine_odd_bools",),
}

# Before several object files, with their sizes.
_JOINED = b"torch-refine object files\n"
_NOTHING = ctypes.CFUNCTYPE(None)(lambda: None)

# Addresses of functions, by name, that override those of the process when code is linked. Tools
# that track memory install their own allocator here.
replaced_functions: dict[str, int] = {}


def joined(objects: Sequence[bytes]) -> bytes:
    """Object files of one program as one; the first has its entries."""
    sizes = json.dumps([len(each) for each in objects]).encode()
    return b"".join([_JOINED, sizes, b"\n", *objects])


def separate(content: bytes) -> list[bytes]:
    """The object files of a program; raises ValueError if they are not as `joined` wrote them."""
    if not content.startswith(_JOINED):
        return [content]
    sizes, _, rest = content.removeprefix(_JOINED).partition(b"\n")
    ends = list(accumulate(map(int, json.loads(sizes))))
    if not ends or ends[-1] != len(rest):
        raise ValueError("object files are missing")
    return [rest[start:end] for start, end in pairwise([0, *ends])]


def write_object(
    module: ir.Module,
    path: Path,
    level: int,
    libraries: Sequence[Path] = (),
    entry: str = ENTRY.removeprefix(PACKED),
    others: Sequence[str] = (),
) -> None:
    """Compile a module of the llvm dialect to an object file for the host's instruction set.

    `libraries` are the libraries whose functions the code calls; `entry` is a function of it, and
    `others` are functions of other object files.
    """
    engine = execution_engine()(
        module,
        opt_level=level,
        enable_object_dump=True,
        shared_libs=[str(library) for library in libraries],
    )
    # Unresolved symbols would be reported as errors; nothing is called here.
    anywhere = ctypes.cast(_NOTHING, ctypes.c_void_p)
    for name in chain(others, symbols(), *_SUPPORT.values()):
        engine.raw_register_runtime(name, anywhere)
    # Code is generated lazily, on the first lookup.
    engine.raw_lookup(entry)
    engine.dump_to_object_file(str(path))


@cache
def _linker() -> tuple[Any, Any, Any]:
    """LLVM, a linker, and the library of functions that the host may lack."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(
        jit=True, codemodel="jitdefault"
    )
    linker = llvm.create_lljit_compiler(machine)
    builder = llvm.JITLibraryBuilder()
    for path, names in _SUPPORT.items():
        builder.add_ir(path.read_text(encoding="utf-8"))
        for name in names:
            builder.export_symbol(name)
    # Linked code lives as long as it is referenced.
    return llvm, linker, builder.link(linker, _SUPPORT_LIBRARY)


def support_function(name: str) -> int:
    """The address of a function in the support library."""
    _, _, library = _linker()
    return int(library[name])


class LoadedObject:
    """An object file loaded in memory while this is alive, and the addresses of its functions."""

    _count = 0

    def __init__(self, content: bytes, entries: Sequence[str]) -> None:
        llvm, linker, _ = _linker()
        LoadedObject._count += 1
        builder = llvm.JITLibraryBuilder().add_current_process()
        for each in separate(content):
            builder.add_object_img(each)
        builder.add_jit_library(_SUPPORT_LIBRARY)
        addresses = {name: address_of(name) for name in routines_in(content)}
        for name, address in {**addresses, **replaced_functions}.items():
            builder.import_symbol(name, address)
        name = f"torch_refine.{LoadedObject._count}"
        for entry in entries:
            builder.export_symbol(entry)
        self._library = builder.link(linker, name)
        self.addresses = [int(self._library[entry]) for entry in entries]


def load_object(
    content: bytes, entries: Sequence[str]
) -> tuple[LoadedObject, list[Callable[..., None]]]:
    """Load an object file; returns it, to be kept alive, and the functions of these names."""
    loaded = LoadedObject(content, entries)
    function = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
    return loaded, [function(address) for address in loaded.addresses]
