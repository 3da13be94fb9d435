"""Input text: reading, splitting, and rendering diagnostics."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from torch_refine.dialect.bindings import ir, load_stablehlo, parse_operation
from torch_refine.dialect.diagnostics import Diagnostic
from torch_refine.tool.parser_limits import beyond_limits

_BYTECODE = b"ML\xefR"
_STDIN = "<stdin>"
# The wheel contains these dialects; they are loaded on demand.
_STABLEHLO = re.compile(rb"\b(?:stablehlo|chlo|vhlo)\b")
_STRING = re.compile(r'"(?:[^"\\\n]|\\[^\n])*+"')
_ESCAPE = re.compile(rb"\\([0-9A-Fa-f]{2})")
# How much of a long line is shown on either side of a column.
_SHOWN = 200


class InputError(Exception):
    """The input cannot be read."""


@dataclass(frozen=True)
class Source:
    """A part of the input: its name, its bytes, and the number of lines before it in the file."""

    name: str
    content: bytes
    lines_before: int = 0

    @property
    def is_bytecode(self) -> bool:
        """Whether this is MLIR bytecode."""
        return self.content.startswith(_BYTECODE)

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the text, none for bytecode."""
        # MLIR counts newlines, and no other Unicode line ends.
        return [] if self.is_bytecode else self.text.split("\n")

    @cached_property
    def text(self) -> str:
        """The text; raises InputError at the first byte that is not UTF-8."""
        try:
            return self.content.decode("utf-8")
        except UnicodeDecodeError as error:
            line = self.content.count(b"\n", 0, error.start)
            raise InputError(f"{self._at(line)}: the text is not UTF-8") from None

    def parse(self, context: ir.Context) -> ir.Module:
        """Parse this part as a module, with the file's line numbers.

        Raises MLIRError, and InputError for text beyond the parser's limits.
        """
        return ir.Module.parse(self._checked(context), context)

    def parse_operation(self, context: ir.Context) -> ir.Operation:
        """Parse this part as a single operation, without adding a module; raises as `parse`
        does.
        """
        return parse_operation(self._checked(context), context)

    def _checked(self, context: ir.Context) -> str | bytes:
        """The text for the parser, after loading the dialects it needs into the context."""
        if _STABLEHLO.search(self.content):
            load_stablehlo(context)
        if self.is_bytecode:
            return self.content
        found = beyond_limits(self.text)
        if found is not None:
            position, why = found
            raise InputError(f"{self._at(self.text.count(chr(10), 0, position))}: {why}")
        return "\n" * self.lines_before + self.text

    def _at(self, line: int) -> str:
        """The location of a line, counted from 0 in this part."""
        return f"{self.name}:{self.lines_before + line + 1}"

    def line_of_bad_string(self) -> str | None:
        """The location of the first string whose escapes are not UTF-8, if there is one."""
        if self.is_bytecode:
            return None
        for found in _STRING.finditer(self.text):
            escaped = _ESCAPE.sub(lambda each: bytes([int(each[1], 16)]), found[0].encode())
            try:
                escaped.decode("utf-8")
            except UnicodeDecodeError:
                return self._at(self.text.count("\n", 0, found.start()))
        return None

    def named(self, diagnostic: Diagnostic) -> Diagnostic:
        """A diagnostic with the file's name in place of MLIR's `-`."""
        notes = tuple(map(self.named, diagnostic.notes))
        file = self.name if diagnostic.file == "-" else diagnostic.file
        return replace(diagnostic, file=file, notes=notes)

    def explained(self, diagnostic: Diagnostic, context: ir.Context) -> Diagnostic:
        """A diagnostic with this file's name, and a note if a name is unknown."""
        named = self.named(diagnostic)
        if named.severity != "error":
            return named
        from torch_refine.dialect.unknown_names import explained

        line = (named.line or 0) - self.lines_before - 1
        is_here = named.file == self.name and 0 <= line < len(self.lines)
        return explained(named, self.lines[line] if is_here else "", context)

    def render(self, diagnostic: Diagnostic) -> str:
        """A diagnostic in mlir-opt's format: location, message, source line, caret, notes."""
        where = ""
        shown: list[str] = []
        if diagnostic.file is not None:
            where = f"{diagnostic.file}:{diagnostic.line}:{diagnostic.column}: "
            line = (diagnostic.line or 0) - self.lines_before - 1
            if diagnostic.file == self.name and 0 <= line < len(self.lines):
                shown = _line_and_caret(self.lines[line], diagnostic.column or 1)
        message = f"{where}{diagnostic.severity}: {diagnostic.message}"
        return "\n".join([message, *shown, *map(self.render, diagnostic.notes)])


def _line_and_caret(line: str, column: int) -> list[str]:
    """A source line, and a caret below a column; long lines are truncated around it."""
    # MLIR's columns count bytes.
    place = len(line.encode()[: column - 1].decode(errors="ignore"))
    first = max(0, place - _SHOWN) if len(line) > 2 * _SHOWN else 0
    shown = line[first : first + 2 * _SHOWN]
    before = "… " if first else ""
    after = " …" if first + len(shown) < len(line) else ""
    return [f"{before}{shown}{after}", " " * (len(before) + place - first) + "^"]


def read(path: str) -> Source:
    """Read a file, or standard input for `-`; raises InputError."""
    if path == "-":
        if sys.stdin is None:
            raise InputError("cannot read standard input: it is closed")
        return Source(_STDIN, sys.stdin.buffer.read())
    try:
        return Source(path, Path(path).read_bytes())
    except OSError as error:
        raise InputError(f"cannot open input file '{path}': {error.strerror}") from None


def split(source: Source, marker: str) -> list[Source]:
    """The parts of a text separated by lines that start with `marker`."""
    if source.is_bytecode:
        return [source]
    parts: list[Source] = []
    lines: list[bytes] = []
    start = 0
    for number, line in enumerate(re.split(rb"(?<=\n)", source.content)):
        if line.startswith(marker.encode()):
            parts.append(Source(source.name, b"".join(lines), start))
            lines, start = [], number + 1
        else:
            lines.append(line)
    return [*parts, Source(source.name, b"".join(lines), start)]
