"""Compile functions of users with TorchScript, and say in one sentence what it does not take.

TorchScript's errors have a paragraph or a page of text, the lines around the place, and who called
what. Kept are the sentence that tells, the line itself, and what to write instead.
"""

from __future__ import annotations

import ast
import builtins
import difflib
import inspect
import re
import sys
import textwrap
from collections.abc import Callable
from contextlib import suppress
from itertools import pairwise
from types import FunctionType, TracebackType
from typing import Any

import torch
from torch_refine.abstract_interp_lib.declaration import place, source_of
from torch_refine.importer.functions.user_code import UserCodeError, excerpt, is_users

# What to write instead of what TorchScript says in these words.
_INSTEAD = (
    ("Comprehension ifs", "write a loop with `append`"),
    ("Lambda aren't", "write a function with `def` at the top of the file, and call it"),
    ("function definitions aren't", "define it at the top of the file"),
    ("import statements aren't", "import at the top of the file"),
    ("try blocks", "ask with `if` first"),
    ("Set aren't", "write a list"),
    ("Yield aren't", "append to a list"),
    ("NamedExpr aren't", "assign in a statement of its own"),
    ("Match aren't", "write `if` and `elif`"),
    ("else branches of", "write what follows the loop after it"),
    ("formatting in JoinedStr", "write `{x}` without a format"),
    ("infer the expected size of a list", "write `sizes + [1]` for `[*sizes, 1]`"),
    ("called recursively", "write a loop"),
    ("a closed over global variable", "write the value here, or call a function that returns it"),
    ("does not return along all paths", "end each path with `return` or `raise`"),
    ("Type variable 't' previously matched to type Tensor", "write `out: List[int] = []`"),
)
PLACE = re.compile(r'^[ \t]*File "(?P<file>[^"]+)", line (?P<line>\d+)', re.MULTILINE)
_FOUND = re.compile(r"instead found type '([^']+)'|Could not match type (\S+) to")
_AROUND_VARIANTS = (
    "Arguments for call are not valid.",
    "The following variants are available:",
    "The original call is:",
)
_VARIANT = re.compile(r"^\s*([\w:.]+)\((.*)\) -> .*:$", re.MULTILINE)


class ScriptError(UserCodeError):
    """A function is no TorchScript; the message says what to write instead, where that is known."""


def script(function: Callable[..., Any]) -> Any:
    """The function as TorchScript compiles it.

    Raises ScriptError, with the file and line, for what is not TorchScript.
    """
    try:
        return torch.jit.script(function)
    except Exception as error:  # whatever TorchScript's compiler raises is the finding
        raise script_error(error, function) from None


def script_error(error: Exception, function: Callable[..., Any]) -> ScriptError:
    """What TorchScript raised for a function."""
    text = str(error)
    # An installed family is no user's file, but what is compiled.
    own = source_of(function)[0]
    found = [each for each in PLACE.finditer(text) if is_users(each["file"]) or each["file"] == own]
    at = next(iter(found), None)
    if at is None:
        return _without_place(error, function)
    message = _sentence(text[: next(PLACE.finditer(text)).start()])
    message = _undefined(message, function) or _with_advice(message)
    file, line = at["file"], int(at["line"])
    return ScriptError(
        message, place(file, line), excerpt(file, line, _columns(text[at.end() :], file, line))
    )


def _columns(text: str, file: str, line: int) -> tuple[int, int] | None:
    """The columns that TorchScript marks below a line."""
    lines = text.splitlines()
    for shown, below in pairwise(lines):
        marks = below.replace("<--- HERE", "").rstrip()
        if marks and set(marks.strip()) == {"~"}:
            # Shown without what indents the whole function, so the line itself decides.
            source = excerpt(file, line).removeprefix("\n")
            moved = len(source) - len(source.lstrip()) - (len(shown) - len(shown.lstrip()))
            start = len(marks) - len(marks.lstrip())
            return start + moved, len(marks) + moved
    return None


def _without_place(error: Exception, function: Callable[..., Any]) -> ScriptError:
    """An error that names no line: the compiler itself broke, or looked for a source in vain."""
    file, line = source_of(function)
    if isinstance(error, RecursionError):
        message = _with_advice(
            "an expression is nested too deeply, or the function is called recursively"
        )
        return ScriptError(message, place(file, line), excerpt(file, line))
    if isinstance(error, OSError):
        message = "TorchScript needs the function's source: write it to a file and import that"
        return ScriptError(message, place(file, line))
    called = _foreign_call(function)
    if called is not None:
        called_line = line_of_node(called, function)
        message = f"{ast.unparse(called.func)} is not TorchScript, and cannot be called"
        return ScriptError(message, place(file, called_line), excerpt(file, called_line))
    node = _node_at(error.__traceback__)
    if node is not None:
        node_line = line_of_node(node, function)
        what = type(node).__name__.lower()
        if isinstance(node, ast.While) and node.orelse:
            message = _with_advice("else branches of while loops aren't supported")
        else:
            message = f"TorchScript cannot compile this {what}"
        return ScriptError(message, place(file, node_line), excerpt(file, node_line))
    message = f"TorchScript: {_sentence(str(error)) or type(error).__name__}"
    return ScriptError(message, place(file, line), excerpt(file, line))


def _node_at(trace: TracebackType | None) -> ast.stmt | ast.expr | None:
    """The innermost part of the function that TorchScript's frontend was at."""
    found = None
    while trace is not None:
        for name in ("stmt", "expr"):
            value = trace.tb_frame.f_locals.get(name)
            if isinstance(value, ast.stmt | ast.expr):
                found = value
        trace = trace.tb_next
    return found


def _foreign_call(function: Callable[..., Any]) -> ast.Call | None:
    """The first call of something that neither TorchScript nor a user's file defines."""
    with suppress(OSError, SyntaxError):
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and _is_foreign(node.func, function.__globals__):
                return node
    return None


def _is_foreign(target: ast.expr, known: dict[str, Any]) -> bool:
    names = ast.unparse(target).split(".")
    found = known.get(names[0])
    for name in names[1:]:
        found = getattr(found, name, None)
    module = str(getattr(found, "__module__", None) or "torch").partition(".")[0]
    file = getattr(sys.modules.get(module), "__file__", None)
    return module not in _COMPILED and file is not None and not is_users(file)


# Packages whose functions TorchScript knows some of, and says itself which it does not.
_COMPILED = frozenset(("torch", "torch_refine", "builtins", "math", "typing"))


def line_of_node(node: ast.stmt | ast.expr, function: Callable[..., Any]) -> int:
    """The line in the file of a part of a function's source, which is parsed without the file."""
    code = getattr(function, "__code__", None)
    first: int = code.co_firstlineno if code is not None else 1
    return first + node.lineno - 1


def _sentence(text: str) -> str:
    """TorchScript's words in one line; of a call that fits no overload, what it was given."""
    if "The following variants are available" in text or _VARIANT.match(text.strip()):
        variants = _VARIANT.findall(text)
        names = list(dict.fromkeys(name for name, _ in variants))
        given = dict.fromkeys(a or b for a, b in _FOUND.findall(text))
        if len(variants) > 1 and given:
            base = names[0].rpartition(".")[0] if names[0].count(".") else names[0]
            return f"no overload of {base or names[0]} takes {' and '.join(given)} here"
    for words in _AROUND_VARIANTS:
        text = text.replace(words, "")
    return " ".join(text.split()).rstrip(":. ")


def _with_advice(message: str) -> str:
    if "closed over global variable" in message:
        message = "this is a closed over global variable, which TorchScript does not read"
    for words, instead in _INSTEAD:
        if words in message:
            return f"{message}: {instead}"
    return message


def _undefined(message: str, function: Callable[..., Any]) -> str | None:
    """What is wrong with a name that TorchScript does not find."""
    found = re.fullmatch(r"undefined value (\w+)", message)
    if found is None or not isinstance(function, FunctionType):
        return None
    name = found[1]
    known = {**vars(builtins), **function.__globals__}
    if name in known:
        return (
            f"{name} is a global variable, which TorchScript does not read: write the value here, "
            "or call a function that returns it"
        )
    names = [*function.__code__.co_varnames, *function.__globals__, *vars(builtins)]
    close = difflib.get_close_matches(name, [each for each in names if each != name], n=1)
    return f"{name} is not defined" + (f"; did you mean {close[0]}?" if close else "")
