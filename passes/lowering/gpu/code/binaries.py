"""The assembly in a program."""

from __future__ import annotations

import re

from torch_refine.dialect.bindings import ir, operations

_TEXT = re.compile(r'assembly = "((?:[^"\\]|\\.)*)"', re.DOTALL)
_ESCAPE = re.compile(r"\\([0-9A-F]{2}|.)")


def assembly_in(module: ir.Operation) -> list[str]:
    """The text of each `gpu.binary` of a module; empty for a program without launches."""
    return [
        _ESCAPE.sub(_unescaped, text)
        for op in operations(module.regions[0].blocks[0])
        if op.name == "gpu.binary"
        for text in _TEXT.findall(str(op.attributes["objects"]))
    ]


def _unescaped(found: re.Match[str]) -> str:
    return chr(int(found[1], 16)) if len(found[1]) == 2 else found[1]
