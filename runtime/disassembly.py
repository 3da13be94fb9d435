"""Disassembly of object files: the instructions of a compiled program."""

from __future__ import annotations

import io
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

from torch_refine.runtime.calls.object_files import separate

# The packages, with their import names.
_PACKAGES = {"capstone": "capstone", "pyelftools": "elftools"}


def missing_packages() -> list[str]:
    """The required packages that are not installed."""
    return [package for package, module in _PACKAGES.items() if find_spec(module) is None]


def disassemble(content: bytes) -> str:
    """The disassembled functions of a program's object files, as `disassemble_object`."""
    return "\n".join(map(disassemble_object, separate(content)))


def disassemble_object(content: bytes) -> str:
    """The disassembled functions of an object file, with their names, in address order.

    Operands with relocations have no values before the file is loaded, so such an instruction is
    followed by the name of the relocation's target.
    """
    from elftools.elf.elffile import ELFFile

    file = ELFFile(io.BytesIO(content))
    machine = _machine(file.get_machine_arch())
    lines: list[str] = []
    for index, section in enumerate(file.iter_sections()):
        if not section["sh_flags"] & 4:  # SHF_EXECINSTR
            continue
        names = _functions(file, index)
        targets = _targets(file, index)
        for instruction in machine.disasm(section.data(), 0):
            lines += [f"{name}:" for name in names.get(instruction.address, ())]
            end = instruction.address + instruction.size
            named = [name for place, name in targets if instruction.address <= place < end]
            comment = f"  # {', '.join(named)}" if named else ""
            text = f"{instruction.mnemonic} {instruction.op_str}".rstrip()
            lines.append(f"  {instruction.address:6x}: {text}{comment}")
    return "\n".join(lines)


def _machine(architecture: str) -> Any:
    import capstone

    known = {
        "x64": (capstone.CS_ARCH_X86, capstone.CS_MODE_64),
        "AArch64": (capstone.CS_ARCH_ARM64, capstone.CS_MODE_ARM),
    }
    if architecture not in known:
        raise ValueError(f"code for {architecture} cannot be shown as assembly")
    machine = capstone.Cs(*known[architecture])
    # Show undecodable instructions as bytes; otherwise disassembly would stop there.
    machine.skipdata = True
    return machine


def _symbols(file: Any) -> list[Any]:
    table = file.get_section_by_name(".symtab")
    return [] if table is None else list(table.iter_symbols())


def _functions(file: Any, section: int) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for symbol in _symbols(file):
        if symbol["st_shndx"] == section and symbol["st_info"]["type"] == "STT_FUNC":
            found.setdefault(symbol["st_value"], []).append(symbol.name)
    return found


def _targets(file: Any, section: int) -> list[tuple[int, str]]:
    """The offsets and symbols of a section's relocations."""
    return sorted(_relocations(file, section))


def _relocations(file: Any, section: int) -> Iterator[tuple[int, str]]:
    symbols = _symbols(file)
    for table in file.iter_sections():
        if table["sh_type"] in ("SHT_RELA", "SHT_REL") and table["sh_info"] == section:
            for each in table.iter_relocations():
                name = symbols[each["r_info_sym"]].name
                # Relocations to the file itself have no name.
                if name:
                    yield each["r_offset"], name
