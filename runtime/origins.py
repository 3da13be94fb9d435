"""Which operators a line of the model has: what a late pass says names none.

Once a program is linalg, or loops, an error is still at a source line, but its text speaks of ops
that the user never wrote.
"""

from __future__ import annotations

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.diagnostics import Diagnostic, diagnostic
from torch_refine.dialect.names import name_of

_OPERATORS = ("torch.aten.", "torch.prims.", "torch.torchvision.")


def operators_of(module: ir.Operation) -> list[str]:
    """The names of a program's operators, each once."""
    names = (name_of(op) for op in walk(module))
    return list(dict.fromkeys(name for name in names if name.startswith(_OPERATORS)))


def with_operators(said: list[Diagnostic], module: ir.Operation) -> list[str]:
    """Diagnostics as text, with the operators of their lines where they name none.

    `module` is the program as it was before any pass.
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
                text += f"\nnote: it comes of {', '.join(here[:5])}"
        texts.append(text)
    return texts
