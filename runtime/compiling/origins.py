"""The source operators of a diagnostic, where late passes name none.

After lowering to linalg or loops, an error still has a source line, but its message names ops that
the user never wrote.
"""

from __future__ import annotations

from collections import Counter

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.diagnostics import Diagnostic, diagnostic
from torch_refine.dialect.names import name_of

_OPERATORS = ("torch.aten.", "torch.prims.", "torch.torchvision.")


def operators_of(module: ir.Operation) -> dict[str, int]:
    """The names of a program's operators, and how many of each there are."""
    names = (name_of(op) for op in walk(module))
    return Counter(name for name in names if name.startswith(_OPERATORS))


def with_operators(said: list[Diagnostic], module: ir.Operation) -> list[str]:
    """Diagnostics as text, with a note of the operators at their source lines if they name none.

    `module` is the program before any pass.
    """
    names: dict[tuple[str | None, int | None], list[str]] = {}
    for op in walk(module):
        name = name_of(op)
        if name.startswith(_OPERATORS):
            at = diagnostic("note", op.location, "")
            known = names.setdefault((at.file, at.line), [])
            if name not in known:
                known.append(name)
    everywhere = list(dict.fromkeys(name for known in names.values() for name in known))
    texts = []
    for each in said:
        text = str(each)
        if each.severity == "error" and not any(part in text for part in _OPERATORS):
            here = names.get((each.file, each.line), everywhere if each.file is None else [])
            if here:
                text += f"\nnote: lowered from {', '.join(here[:5])}"
        texts.append(text)
    return texts
