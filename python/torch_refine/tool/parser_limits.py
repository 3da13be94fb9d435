"""Limits on text for MLIR's parser: beyond them it overflows its stack, or does not terminate.

The parser recurses per level of nesting: brackets, unary minuses, aliases of aliases. Aliases share
structure, but verifying and printing walk their expansion, which doubles with each alias that names
another one twice. The scan is linear, and skips text that a quick check clears.
"""

from __future__ import annotations

import re

NESTING_LIMIT = 256
"""Nesting levels of brackets, unary minuses and aliases; the parser crashes at some thousand."""
EXPANSION_LIMIT = 1_000_000
"""The number of aliases that one alias may expand to."""

# An unterminated string is a token, too, so that nothing is scanned twice.
_TOKEN = re.compile(r'->|"(?:[^"\\\n]|\\[^\n])*+"?|//[^\n\r]*|[{(\[<]|[})\]>]|-')
_SPACE = re.compile(r"//[^\n\r]*+|\s++")
# How many times the quick check removes innermost brackets; programs nest less deeply.
_PEELS = 16
_ALIAS = re.compile(r"^[ \t]*([#!][A-Za-z_][\w$-]*)\s*=(?!=)", re.MULTILINE)
_REFERENCE = re.compile(r'"(?:[^"\\\n]|\\[^\n])*+"|[#!][A-Za-z_][\w$-]*')
_BRACKET = re.compile(r'->|"(?:[^"\\\n]|\\[^\n])*+"|//[^\n\r]*|([{(\[<])|([})\]>])')


def beyond_limits(text: str) -> tuple[int, str] | None:
    """The position in a text that exceeds a limit, and which; None if there is none."""
    if _may_nest_deeply(text) or _may_have_minuses(text):
        position = _nested_deeply(text)
        if position is not None:
            return position, f"nested more than {NESTING_LIMIT} levels deep"
    return _deep_alias(text)


def _nested_deeply(text: str) -> int | None:
    depth = minuses = end = 0
    for token in _TOKEN.finditer(text):
        char = token[0]
        if char in "{([<":
            depth += 1
        elif char in "})]>":
            depth -= 1
        follows = minuses and not text[end : token.start()].strip()
        if char == "-":
            minuses = minuses + 1 if follows else 1
        elif not (follows and char.startswith("//")):
            minuses = 0
        end = token.end()
        if max(depth, minuses) > NESTING_LIMIT:
            return token.start()
    return None


def _may_nest_deeply(text: str) -> bool:
    """A quick check: matching brackets are removed repeatedly; what remains is nested deeply."""
    brackets = re.sub(r"[^{}()\[\]<>]+", "", text.replace("->", ""))
    for _ in range(_PEELS):
        shorter = brackets
        for pair in ("()", "[]", "{}", "<>"):
            shorter = shorter.replace(pair, "")
        if len(shorter) <= NESTING_LIMIT or len(shorter) == len(brackets):
            break
        brackets = shorter
    return len(shorter) > NESTING_LIMIT


def _may_have_minuses(text: str) -> bool:
    """A quick check for many consecutive minuses, ignoring spaces and comments."""
    if text.count("-") - text.count("->") <= NESTING_LIMIT:
        return False
    return "-" * (NESTING_LIMIT + 1) in _SPACE.sub("", text)


def _deep_alias(text: str) -> tuple[int, str] | None:
    """The first alias that is nested too deeply, or expands to too many."""
    depths: dict[str, int] = {}
    sizes: dict[str, int] = {}
    for found in _ALIAS.finditer(text):
        depth, size = 0, 1
        for name in _named_in(text, found.end()):
            depth = max(depth, depths.get(name, 0))
            size += sizes.get(name, 0)
        depths[found[1]], sizes[found[1]] = depth + 1, size
        if depth + 1 > NESTING_LIMIT:
            return found.start(1), f"aliases are nested more than {NESTING_LIMIT} levels deep"
        if size > EXPANSION_LIMIT:
            return found.start(1), f"an alias expands to more than {EXPANSION_LIMIT} aliases"
    return None


def _named_in(text: str, start: int) -> list[str]:
    """The aliases in a definition, which ends with the line where brackets are closed.

    A definition that continues on further lines may crash the tool's child process, no more.
    """
    depth = 0
    end = start
    while end < len(text):
        line = text.find("\n", end)
        line = len(text) if line < 0 else line + 1
        for token in _BRACKET.finditer(text, end, line):
            depth += (token[1] is not None) - (token[2] is not None)
        is_blank = not text[end:line].strip()
        end = line
        if depth <= 0 and not is_blank:
            break
    return [name for name in _REFERENCE.findall(text, start, end) if name[0] != '"']
