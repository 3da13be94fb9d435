"""Rewrite textual LLVM IR for an older LLVM.

The wheel's LLVM prints constants in forms that llvmlite's does not parse yet: `f0x3F800000`, the
bits of a float of any width, `+inf`, `-inf`, `+qnan`, and decimals that are not exactly
representable.
"""

from __future__ import annotations

import re
import struct

_WIDTHS = {"half": 16, "bfloat": 16, "float": 32, "double": 64}
_SPECIAL = {
    "half": {"+inf": 0x7C00, "-inf": 0xFC00, "+qnan": 0x7E00, "-qnan": 0xFE00},
    "bfloat": {"+inf": 0x7F80, "-inf": 0xFF80, "+qnan": 0x7FC0, "-qnan": 0xFFC0},
    "float": {"+inf": 0x7F800000, "-inf": 0xFF800000, "+qnan": 0x7FC00000, "-qnan": 0xFFC00000},
    "double": {
        "+inf": 0x7FF0000000000000,
        "-inf": 0xFFF0000000000000,
        "+qnan": 0x7FF8000000000000,
        "-qnan": 0xFFF8000000000000,
    },
}
_TOKEN = re.compile(
    r"""
    "[^"]*"                                             # text
    | \b(?P<type>half|bfloat|float|double)\b
    | f0x(?P<bits>[0-9A-Fa-f]+)
    | [+-](?:inf|qnan)\b
    | (?<![\w.%@-])(?P<decimal>-?\d+\.\d+(?:e[+-]?\d+)?)(?![\w.])
    """,
    re.VERBOSE,
)
_NEW = re.compile(r"f0x|inf|qnan|\d\.\d")


def for_older_llvm(text: str) -> str:
    """The same IR with constants in the older syntax."""
    return "\n".join(map(_line, text.split("\n")))


def _line(line: str) -> str:
    """The type of a constant precedes it, perhaps not immediately."""
    if not _NEW.search(line):
        return line
    type = ""

    def replace(found: re.Match[str]) -> str:
        nonlocal type
        token = found[0]
        if found["type"]:
            type = token
        elif found["bits"]:
            return _constant(int(found["bits"], 16), type)
        elif found["decimal"]:
            return token if type in ("", "double") else _constant(_nearest(token, type), type)
        elif not token.startswith('"'):
            return _constant(_SPECIAL[type][token], type)
        return token

    return _TOKEN.sub(replace, line)


def _nearest(decimal: str, type: str) -> int:
    """The bits of the nearest float of a type to a decimal."""
    if type == "half":
        return int(struct.unpack("<H", struct.pack("<e", float(decimal)))[0])
    bits = int(struct.unpack("<I", struct.pack("<f", float(decimal)))[0])
    # Ties to even.
    return bits if type == "float" else (bits + 0x7FFF + (bits >> 16 & 1)) >> 16


def _constant(bits: int, type: str) -> str:
    if type == "float":
        # Printed as the f64 of the same value; a NaN keeps its bits.
        if bits & 0x7F800000 == 0x7F800000:
            wide = (bits >> 31) << 63 | 0x7FF << 52 | (bits & 0x7FFFFF) << 29
        else:
            (value,) = struct.unpack("<f", struct.pack("<I", bits))
            (wide,) = struct.unpack("<Q", struct.pack("<d", value))
        return f"0x{wide:016X}"
    prefix = {"half": "0xH", "bfloat": "0xR", "double": "0x"}[type]
    return f"{prefix}{bits:0{_WIDTHS[type] // 4}X}"
