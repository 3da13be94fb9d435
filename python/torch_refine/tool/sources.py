"""Input text: reading it, splitting it, and showing diagnostics in it."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, replace
from pathlib import Path

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.diagnostics import Diagnostic

_BYTECODE = b"ML\xefR"
# The parser of the wheel recurses, and crashes the process some thousand levels deep.
_NESTING_LIMIT = 256
_TOKEN = re.compile(r'->|"(?:[^"\\\n]|\\.)*"|//[^\n]*|[{(\[<]|[})\]>]')
_STDIN = "<stdin>"


class InputError(Exception):
    """The input cannot be read."""


@dataclass(frozen=True)
class Source:
    """A part of the input: its name, its bytes, and how many lines precede it in the file."""

    name: str
    content: bytes
    lines_before: int = 0

    @property
    def is_bytecode(self) -> bool:
        """Whether this is MLIR bytecode."""
        return self.content.startswith(_BYTECODE)

    @property
    def lines(self) -> list[str]:
        """The lines of the text, none for bytecode."""
        if self.is_bytecode:
            return []
        return self.content.decode("utf-8", errors="replace").splitlines()

    def parse(self, context: ir.Context) -> ir.Module:
        """The module of this part, its lines numbered as in the file.

        Raises MLIRError, and InputError for what the parser would not survive.
        """
        if self.is_bytecode:
            return ir.Module.parse(self.content, context)
        text = self.content.decode("utf-8", errors="replace")
        line = too_deep(text)
        if line is not None:
            where = f"{self.name}:{self.lines_before + line}"
            raise InputError(f"{where}: nested more than {_NESTING_LIMIT} levels deep")
        return ir.Module.parse("\n" * self.lines_before + text, context)

    def named(self, diagnostic: Diagnostic) -> Diagnostic:
        """A diagnostic with the file's name, where MLIR only knows that the text was a string."""
        notes = tuple(map(self.named, diagnostic.notes))
        file = self.name if diagnostic.file == "-" else diagnostic.file
        return replace(diagnostic, file=file, notes=notes)

    def render(self, diagnostic: Diagnostic) -> str:
        """A diagnostic as mlir-opt shows it: place, message, source line, caret, notes."""
        where = ""
        shown: list[str] = []
        if diagnostic.file is not None:
            where = f"{diagnostic.file}:{diagnostic.line}:{diagnostic.column}: "
            line = (diagnostic.line or 0) - self.lines_before - 1
            if diagnostic.file == self.name and 0 <= line < len(self.lines):
                caret = " " * ((diagnostic.column or 1) - 1) + "^"
                shown = [_shorten(self.lines[line], diagnostic.column or 1), caret]
                if len(shown[0]) != len(self.lines[line]):
                    shown = [shown[0]]
        message = f"{where}{diagnostic.severity}: {diagnostic.message}"
        return "\n".join([message, *shown, *map(self.render, diagnostic.notes)])


def _shorten(line: str, column: int) -> str:
    """A source line, cut where a constant makes it endless."""
    limit = max(400, column + 80)
    return line if len(line) <= limit else line[:limit] + " …"


def too_deep(text: str) -> int | None:
    """The line at which brackets are nested too deeply, None where they never are."""
    if not _may_be_deep(text):
        return None
    depth = 0
    for token in _TOKEN.finditer(text):
        char = token[0]
        if char in "{([<":
            depth += 1
            if depth > _NESTING_LIMIT:
                return text.count("\n", 0, token.start()) + 1
        elif char in "})]>":
            depth -= 1
    return None


def _may_be_deep(text: str) -> bool:
    """A quick look: brackets alone, pairs cancelled, leave much only where they are nested."""
    brackets = re.sub(r"[^{}()\[\]<>]+", "", text.replace("->", ""))
    for _ in range(_NESTING_LIMIT):
        shorter = brackets
        for pair in ("()", "[]", "{}", "<>"):
            shorter = shorter.replace(pair, "")
        if len(shorter) <= _NESTING_LIMIT or len(shorter) == len(brackets):
            break
        brackets = shorter
    return len(shorter) > _NESTING_LIMIT


def read(path: str) -> Source:
    """Read a file, or standard input for `-`; raises InputError."""
    if path == "-":
        return Source(_STDIN, sys.stdin.buffer.read())
    try:
        return Source(path, Path(path).read_bytes())
    except OSError as error:
        raise InputError(f"cannot open input file '{path}': {error.strerror}") from None


def split(source: Source, marker: str) -> list[Source]:
    """The parts of a text between lines that start with `marker`."""
    if source.is_bytecode:
        return [source]
    parts: list[Source] = []
    lines: list[bytes] = []
    start = 0
    for number, line in enumerate(source.content.splitlines(keepends=True)):
        if line.startswith(marker.encode()):
            parts.append(Source(source.name, b"".join(lines), start))
            lines, start = [], number + 1
        else:
            lines.append(line)
    return [*parts, Source(source.name, b"".join(lines), start)]
