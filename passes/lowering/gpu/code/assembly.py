"""Translate the llvm dialect to GPU assembly, through llvmlite."""

from __future__ import annotations

import os
import re
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from torch_refine.dialect.bindings import ir, translate_to_llvm_ir
from torch_refine.dialect.requirements import how_to_install
from torch_refine.passes.lowering.gpu.code.chips import is_nvidia, triple_of
from torch_refine.passes.lowering.gpu.code.older_llvm import for_older_llvm

# Where NVIDIA's packages have the library: of CUDA 12, and later.
_COMPILERS = (
    "cuda_nvcc/nvvm/libdevice",
    *(f"cu{version}/nvvm/libdevice" for version in range(13, 20)),
)
_HOMES = ("CUDA_HOME", "CUDA_PATH")
# Functions that the GPU's driver provides.
_GIVEN = ("llvm.", "__assertfail", "__nvvm_reflect")
# Intrinsics that AMD's chips have no code for, at which LLVM ends the process.
_WITHOUT_CODE = tuple(
    f"llvm.{each}." for each in ("acos", "asin", "atan", "atan2", "cosh", "sinh", "tan", "tanh")
)

# Dynamic shared memory has no size here: the launch gives it.
_DYNAMIC = re.compile(
    r"^(@__dynamic_shmem__\d+) = (?:internal|private) (addrspace\(3\) global \[0 x i8\]) undef",
    re.MULTILINE,
)
# Shared memory is accessed by vectors.
_ALIGNED = re.compile(r"^(@\S+ = internal addrspace\(3\) global .* undef)$", re.MULTILINE)


class AssemblyError(Exception):
    """No assembly can be generated; `symbol` is the function that causes it, if known."""

    def __init__(self, message: str, symbol: str | None = None) -> None:
        super().__init__(message)
        self.symbol = symbol


def assembly_of(module: ir.Operation, chip: str, features: str = "") -> str:
    """The kernels of a GPU module as assembly for a chip; raises AssemblyError.

    `features` are those that LLVM may use in addition to the chip's.
    """
    machine, program = _compiled(module, chip, features)
    return str(machine.emit_assembly(program))


def object_of(module: ir.Operation, chip: str) -> bytes:
    """The kernels of a GPU module as an ELF object, for AMD chips; raises AssemblyError."""
    machine, program = _compiled(module, chip)
    return bytes(machine.emit_object(program))


def _compiled(module: ir.Operation, chip: str, features: str = "") -> tuple[Any, Any]:
    if find_spec("llvmlite") is None:
        raise AssemblyError(how_to_install("llvmlite"))
    llvm = _llvm()
    text = _DYNAMIC.sub(r"\1 = external \2", for_older_llvm(translate_to_llvm_ir(module)))
    text = _ALIGNED.sub(r"\1, align 32", text)
    machine = _machine(chip, features)
    try:
        program = llvm.parse_assembly(f'target triple = "{triple_of(chip)}"\n{text}')
    except RuntimeError as error:
        raise AssemblyError(f"llvmlite's LLVM rejects the program: {error}") from None
    program.data_layout = str(machine.target_data)
    if is_nvidia(chip) and _missing(program, chip):
        _link_device_library(program)
    missing = _missing(program, chip)
    if missing:
        raise AssemblyError(f"no library for {chip} has the function {missing[0]}", missing[0])
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(program, builder)
    return machine, program


def _missing(program: Any, chip: str) -> list[str]:
    without = () if is_nvidia(chip) else _WITHOUT_CODE
    return [
        each.name
        for each in program.functions
        if each.is_declaration
        and (not each.name.startswith(_GIVEN) or each.name.startswith(without))
    ]


def _link_device_library(program: Any) -> None:
    """Link NVIDIA's math functions, such as sin, if they are found.

    Raises AssemblyError for a function that has another type there: LLVM would link it, too.
    """
    path = device_library()
    if path is None:
        return
    library = _llvm().parse_bitcode(path.read_bytes())
    library.triple = program.triple
    library.data_layout = program.data_layout
    kernels = {each.name for each in program.functions if not each.is_declaration}
    types = {each.name: each.global_value_type for each in library.functions}
    for each in program.functions:
        if each.is_declaration and str(types.get(each.name, each.global_value_type)) != str(
            each.global_value_type
        ):
            message = f"{each.name} has another type in NVIDIA's library: {types[each.name]}"
            raise AssemblyError(message, each.name)
    program.link_in(library)
    for each in program.functions:
        if not each.is_declaration and each.name not in kernels:
            each.linkage = "internal"


def device_library() -> Path | None:
    """NVIDIA's bitcode library of math functions.

    It is in NVIDIA's compiler packages, in Triton, which PyTorch for CUDA requires, and in CUDA's
    toolkit.
    """
    places = [
        *(folder / part for folder in _folders_of("nvidia") for part in _COMPILERS),
        *(folder / "backends" / "nvidia" / "lib" for folder in _folders_of("triton")),
        *(Path(os.environ[name], "nvvm", "libdevice") for name in _HOMES if name in os.environ),
        Path("/usr/local/cuda/nvvm/libdevice"),
    ]
    paths = (place / "libdevice.10.bc" for place in places)
    return next((path for path in paths if path.exists()), None)


def _folders_of(package: str) -> list[Path]:
    spec = find_spec(package)
    return [Path(each) for each in (spec.submodule_search_locations or ())] if spec else []


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
