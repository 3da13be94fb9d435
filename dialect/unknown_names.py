"""Notes on names unknown to MLIR: a typo, or another project's dialect.

Loaded only when such an error is reported.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import replace

from torch_refine.dialect.bindings import ir, operation_names, registered_operations
from torch_refine.dialect.diagnostics import Diagnostic
from torch_refine.dialect.dialects import ELSEWHERE, RENAMED, owner_of, registered
from torch_refine.dialect.names import operator_name
from torch_refine.dialect.schemas import operators

_NO_DIALECT = re.compile(r"Dialect `([^']+)' not found for custom op '([^']+)'")
_CREATED = re.compile(r'[!#]"([^"]+)"<.* created with unregistered dialect')
_GENERIC = "operation being parsed with an unregistered dialect"
_UNREGISTERED = re.compile(r"unregistered operation '([^']+)' found in dialect")
_CUSTOM = re.compile(r"custom op '([^']+)' is unknown")
_TYPE = re.compile(r"unknown +type `(\w+)` in dialect `torch`")
_QUOTED = re.compile(r'"([\w$.]+)"')
# `--show-dialects` lists them on request.
_LIST = "Available dialects: "
# The types of the torch dialect; the generated classes do not list them.
_TORCH_TYPES = {
    *("Device", "Generator", "LinearParams", "any", "bool", "bytes", "dict", "float", "int"),
    *("list", "nn.Module", "none", "number", "optional", "qint16", "qint32", "qint8", "quint8"),
    *("str", "tensor", "tuple", "union", "vtensor"),
}


def explained(diagnostic: Diagnostic, line: str, context: ir.Context) -> Diagnostic:
    """Add a helpful note to an error about an unknown name; other diagnostics stay unchanged.

    `line` is the source line of the diagnostic, if available.
    """
    note = _note(diagnostic, line, context)
    if note is None:
        return diagnostic
    kept = tuple(each for each in diagnostic.notes if not each.message.startswith(_LIST))
    return replace(diagnostic, notes=(*kept, Diagnostic("note", note)))


def _note(diagnostic: Diagnostic, line: str, context: ir.Context) -> str | None:
    message = diagnostic.message
    if found := _NO_DIALECT.search(message) or _CREATED.search(message):
        return about_dialect(found[1])
    if message.startswith(_GENERIC):
        before = line.encode()[: (diagnostic.column or 1) - 1].decode(errors="ignore")
        names: list[str] = _QUOTED.findall(before)
        return about_dialect(names[-1].partition(".")[0]) if names else None
    if found := _UNREGISTERED.search(message) or _CUSTOM.search(message):
        return about_operation(found[1], context)
    if found := _TYPE.search(message):
        close = difflib.get_close_matches(found[1], _TORCH_TYPES, n=2)
        return f"the dialect 'torch' has no type '{found[1]}'{_did_you_mean(close, '!torch.')}"
    return None


def about_dialect(dialect: str) -> str:
    """Why a dialect is unknown: it belongs to another project, was renamed, or is a typo."""
    owner = owner_of(dialect)
    listed = "torch-refine-opt --show-dialects lists those that are registered"
    if owner is not None:
        project, hint = owner
        text = f"'{dialect}' is a dialect of {project}, which the torch-mlir wheel does not have"
        return f"{text}; {hint}; {listed}" if hint else f"{text}; {listed}"
    if dialect in RENAMED:
        return f"MLIR no longer has the dialect '{dialect}': it became {RENAMED[dialect]}"
    others = [name for names, _ in ELSEWHERE.values() for name in names.split()]
    close = difflib.get_close_matches(dialect, registered(), n=2)
    close = close or difflib.get_close_matches(dialect, others, n=1)
    return f"no dialect is known as '{dialect}'{_did_you_mean(close)}; {listed}"


def about_operation(name: str, context: ir.Context) -> str:
    """Suggestions for an operation that its dialect does not define."""
    dialect, dot, _ = name.partition(".")
    if not dot:
        known = {each.partition(".")[2]: each for each in operation_names()}
        close = difflib.get_close_matches(name, known, n=2, cutoff=0.7)
        hint = _did_you_mean([known[each] for each in close])
        return f"'{name}' names no dialect{hint}"
    known_names = registered_operations(dialect, context)
    overloads = [each for each in known_names if each.startswith(f"{name}.")]
    if dialect == "torch" and not overloads and operator_name(name) in operators():
        return (
            f"{operator_name(name)} is an operator of PyTorch that the torch dialect does not "
            f'define; write torch.operator "{name}"(%0, …) : (…) -> …'
        )
    within = difflib.get_close_matches(
        name.removeprefix(f"{dialect}."),
        [each.removeprefix(f"{dialect}.") for each in known_names],
        n=2,
        cutoff=0.7,
    )
    close = overloads[:3] or [f"{dialect}.{each}" for each in within]
    return f"the dialect '{dialect}' has no operation '{name}'{_did_you_mean(close)}"


def _did_you_mean(names: list[str], prefix: str = "") -> str:
    return f"; did you mean {' or '.join(prefix + name for name in names)}?" if names else ""
