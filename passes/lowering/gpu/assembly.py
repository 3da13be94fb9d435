"""From the llvm dialect to the assembly of a GPU, through llvmlite."""

from __future__ import annotations

import re
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from torch_refine.dialect.bindings import ir, translate_to_llvm_ir
from torch_refine.dialect.requirements import how_to_install
from torch_refine.passes.lowering.gpu.chips import is_nvidia, triple_of
from torch_refine.passes.lowering.gpu.older_llvm import for_older_llvm

# What the driver of the GPU has.
_GIVEN = ("llvm.", "__assertfail", "__nvvm_reflect")

# Memory that threads share is read and written by vectors.
_ALIGNED = re.compile(r"^(@\S+ = internal addrspace\(3\) global .* undef)$", re.MULTILINE)


class AssemblyError(Exception):
    """No assembly can be made; `symbol` is the function that is to blame, if one is."""

    def __init__(self, message: str, symbol: str | None = None) -> None:
        super().__init__(message)
        self.symbol = symbol


def assembly_of(module: ir.Operation, chip: str, features: str = "") -> str:
    """The kernels of a GPU module as text that assembles for a chip; raises AssemblyError.

    `features` are those that LLVM may use beside the chip's.
    """
    machine, program = _compiled(module, chip, features)
    return str(machine.emit_assembly(program))


def object_of(module: ir.Operation, chip: str) -> bytes:
    """The kernels of a GPU module as an ELF object, for chips of AMD; raises AssemblyError."""
    machine, program = _compiled(module, chip)
    return bytes(machine.emit_object(program))


def _compiled(module: ir.Operation, chip: str, features: str = "") -> tuple[Any, Any]:
    if find_spec("llvmlite") is None:
        raise AssemblyError(how_to_install("llvmlite"))
    llvm = _llvm()
    text = _ALIGNED.sub(r"\1, align 32", for_older_llvm(translate_to_llvm_ir(module)))
    machine = _machine(chip, features)
    try:
        program = llvm.parse_assembly(f'target triple = "{triple_of(chip)}"\n{text}')
    except RuntimeError as error:
        raise AssemblyError(f"llvmlite's LLVM does not take the program: {error}") from None
    program.data_layout = str(machine.target_data)
    if is_nvidia(chip) and _missing(program):
        _link_device_library(program)
    missing = _missing(program)
    if missing:
        raise AssemblyError(f"no library for {chip} has the function {missing[0]}", missing[0])
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(program, builder)
    return machine, program


def _missing(program: Any) -> list[str]:
    return [
        each.name
        for each in program.functions
        if each.is_declaration and not each.name.startswith(_GIVEN)
    ]


def _link_device_library(program: Any) -> None:
    """Add NVIDIA's functions of arithmetic, such as sin, where the wheel that has them is there."""
    spec = find_spec("nvidia")
    folders = list(spec.submodule_search_locations or ()) if spec is not None else []
    for folder in folders:
        path = Path(folder, "cuda_nvcc", "nvvm", "libdevice", "libdevice.10.bc")
        if path.exists():
            library = _llvm().parse_bitcode(path.read_bytes())
            library.triple = program.triple
            library.data_layout = program.data_layout
            kernels = {each.name for each in program.functions if not each.is_declaration}
            program.link_in(library)
            for each in program.functions:
                if not each.is_declaration and each.name not in kernels:
                    each.linkage = "internal"


@cache
def _llvm() -> Any:
    import llvmlite.binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    return llvm


@cache
def _machine(chip: str, features: str) -> Any:
    target = _llvm().Target.from_triple(triple_of(chip))
    return target.create_target_machine(cpu=chip, features=features, opt=3)
