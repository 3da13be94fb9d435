"""What a function must be before it is run: of an operator, of its signature, TorchScript."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any

from torch_refine.abstract_interp_lib.declaration import Declaration
from torch_refine.dialect.schemas import operators
from torch_refine.importer.functions.scripting import script
from torch_refine.importer.functions.signatures import check_signature
from torch_refine.importer.functions.user_code import UserCodeError, excerpt

_compiled: dict[Any, Any] = {}


def compiled(declaration: Declaration) -> Any:
    """The function compiled by TorchScript, in which a dtype is an int, as in the library.

    Raises ScriptError, with the file and line.
    """
    function = declaration.function
    if function not in _compiled:
        _compiled[function] = script(function)
    return _compiled[function]


def similar(name: str, names: Iterable[str]) -> str:
    """`; did you mean ...?` with the names that are most alike, or nothing."""
    close = difflib.get_close_matches(name, names, n=3)
    return f"; did you mean {' or '.join(close)}?" if close else ""


def no_operator(operator: str) -> str:
    """What to say of a name that is not in PyTorch's registry, in one sentence."""
    known = operators()
    namespace = operator.partition("::")[0]
    if "::" in operator and namespace not in {name.partition("::")[0] for name in known}:
        return (
            f"PyTorch has no operator {operator}; functions of an operator of your own are checked "
            "and exported by python -m torch_refine.build_tools.extra_library FILE -o FILE.mlir"
        )
    return f"PyTorch has no operator {operator}{similar(operator, known)}"


def require_usable(declaration: Declaration) -> None:
    """Check all of a function that no case is needed for; UserCodeError, at the line, if not."""
    operator = declaration.operator
    try:
        check_signature(declaration)
        compiled(declaration)
    except KeyError:
        shown = excerpt(*declaration.position)
        raise UserCodeError(no_operator(operator), declaration.where, shown) from None
    except UserCodeError as error:
        error.locate(declaration.where, excerpt(*declaration.position))
        error.name(operator)
        raise
