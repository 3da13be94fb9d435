"""The text of LLVM IR as an older LLVM reads it.

The wheel's LLVM writes constants in ways that llvmlite's does not know yet: `f0x3F800000`, the
bits of a number of any width, and `+inf`, `-inf`, `+qnan`.
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
    r'"(?:[^"])*"|\b(half|bfloat|float|double)\b|f0x([0-9A-Fa-f]+)|[+-](?:inf|qnan)\b'
)


def for_older_llvm(text: str) -> str:
    """The same program with constants in the older way."""
    return "\n".join(map(_line, text.split("\n")))


def _line(line: str) -> str:
    """A constant's type stands before it, if not right before it."""
    if "f0x" not in line and "inf" not in line and "qnan" not in line:
        return line
    type = ""

    def replace(found: re.Match[str]) -> str:
        nonlocal type
        token = found[0]
        if token.startswith('"'):
            return token
        if found[1]:
            type = found[1]
            return token
        bits = int(found[2], 16) if found[2] else _SPECIAL[type][token]
        return _constant(bits, type)

    return _TOKEN.sub(replace, line)


def _constant(bits: int, type: str) -> str:
    if type == "float":
        # Written as the double of the same value; a NaN keeps its bits.
        if bits & 0x7F800000 == 0x7F800000:
            wide = (bits >> 31) << 63 | 0x7FF << 52 | (bits & 0x7FFFFF) << 29
        else:
            (value,) = struct.unpack("<f", struct.pack("<I", bits))
            (wide,) = struct.unpack("<Q", struct.pack("<d", value))
        return f"0x{wide:016X}"
    prefix = {"half": "0xH", "bfloat": "0xR", "double": "0x"}[type]
    return f"{prefix}{bits:0{_WIDTHS[type] // 4}X}"
