"""The cache of imported programs: an import takes as long as the export, and needs no weights.

An entry has the program as bytecode, and the constants that were folded; the weights are those of
the program that is compiled. Its key is the hash of that program (`program_keys.py`).
"""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from typing import Any

import torch
from torch.export import ExportedProgram
from torch_refine.dialect.bindings import ir, new_context
from torch_refine.dialect.guards import Guard
from torch_refine.importer.lowering import LoweringInput, calling_of, import_for_lowering
from torch_refine.runtime.compiled_module import bytecode_of
from torch_refine.runtime.compiling import cache
from torch_refine.runtime.torch_models.program_keys import program_key

# An entry's header: the length of its line of JSON, and of the folded constants, in bytes.
_LENGTH = 8
_MOST_FOLDED = 2**26
_PLAIN = (bool, int, float, str, type(None))


def imported(program: ExportedProgram, guards: Sequence[Guard] | None) -> LoweringInput:
    """A program imported for the CPU, from the cache if it is there; raises as
    `import_for_lowering`.

    The module is the same either way.
    """
    key = program_key(program, guards) if cache.cache_folder() is not None else None
    entry = None if key is None else cache.find(key)
    if key is not None and entry is not None:
        try:
            return _decoded(entry, program)
        except Exception as error:
            cache.refuse(key, f"it cannot be read ({type(error).__name__}: {error})")
    found = import_for_lowering(program, guards)
    made = None if key is None else _encoded(found, program)
    if key is None or made is None:
        return found
    cache.store(key, made)
    # Bytecode does not keep the order of everything, so that a module written and read may have
    # other bytecode than before, and so another key.
    return _decoded(made, program)


def _encoded(found: LoweringInput, program: ExportedProgram) -> bytes | None:
    """An entry; None if the program has results that JSON does not."""
    if any(type(value) not in _PLAIN for value in found.constant_results.values()):
        return None
    folded = {
        name: tensor
        for name, tensor in zip(found.state_names, found.state, strict=True)
        if _held(program, name) is not tensor
    }
    if sum(tensor.nbytes for tensor in folded.values()) > _MOST_FOLDED:
        return None
    data = {
        "names": found.state_names,
        "changed": found.changed,
        "whole": list(found.whole.items()),
        "constant results": list(found.constant_results.items()),
        "literals": found.literals,
    }
    stream = io.BytesIO()
    torch.save(folded, stream)
    line, tensors = json.dumps(data).encode(), stream.getvalue()
    lengths = b"".join(len(part).to_bytes(_LENGTH, "little") for part in (line, tensors))
    return lengths + line + tensors + bytecode_of(found.module)


def _decoded(entry: bytes, program: ExportedProgram) -> LoweringInput:
    parts: list[bytes] = []
    start = 2 * _LENGTH
    for place in range(2):
        length = int.from_bytes(entry[place * _LENGTH : (place + 1) * _LENGTH], "little")
        parts.append(entry[start : start + length])
        start += length
    data: dict[str, Any] = json.loads(parts[0])
    folded = torch.load(io.BytesIO(parts[1]), weights_only=True)
    names = data["names"]
    calling = calling_of(program)
    return LoweringInput(
        names,
        calling.input_spec,
        calling.output_spec,
        calling.constants,
        data["changed"],
        dict(data["whole"]),
        calling.input_names,
        dict(data["constant results"]),
        module=ir.Module.parse(entry[start:], new_context()),
        state=[folded[name] if name in folded else _held(program, name) for name in names],
        literals=data["literals"],
    )


def _held(program: ExportedProgram, name: str) -> Any:
    """A weight or constant of a program; None if it has none of that name."""
    found = program.state_dict.get(name)
    return program.constants.get(name) if found is None else found
