"""Lint rules for the source of library functions and for their cases."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any

import torch
from torch_refine.abstract_interp_lib.declaration import Declaration, place
from torch_refine.build_tools.check_functions import REJECTIONS, in_time, message_of, run_function
from torch_refine.importer.functions.lint import lint_text, tree_of
from torch_refine.importer.functions.problems import Problem


def lint(declaration: Declaration) -> Iterator[Problem]:
    """The findings in one function, which TorchScript must compile."""
    yield from lint_text(declaration)
    yield from unprovoked(declaration)


def lint_all(declarations: Iterable[Declaration]) -> Iterator[Problem]:
    """The findings in a library.

    If a function serves several operators, a case of any of them may violate an assert.
    """
    sharing: dict[Callable[..., Any], list[Declaration]] = defaultdict(list)
    for declaration in declarations:
        sharing[declaration.function].append(declaration)
    for several in sharing.values():
        found = [list(lint(declaration)) for declaration in several]
        everywhere = [{problem.message for problem in problems} for problems in found]
        for problem in found[0]:
            if all(problem.message in messages for messages in everywhere):
                yield problem


def unprovoked(declaration: Declaration) -> Iterator[Problem]:
    """Asserts of the function itself that no case violates."""
    tree, file, first = tree_of(declaration.function)
    messages = list(_messages(declaration))
    for node in ast.walk(tree):
        if not isinstance(node, ast.Assert) or node.msg is None:
            continue
        if not any(re.search(_pattern(node.msg), message) for message in messages):
            said = ast.unparse(node.msg)
            yield Problem(
                declaration.operator,
                place(file, first + node.lineno),
                f"no case in error= provokes the assert that says {said}",
                "warning",
            )


def _messages(declaration: Declaration) -> Iterator[str]:
    for case in declaration.error:
        # The check of cases reports other failures.
        with suppress(*REJECTIONS), in_time(declaration, case):
            try:
                run_function(declaration, case)
            except torch.jit.Error as error:
                yield message_of(error)


def _pattern(message: ast.expr) -> str:
    """A regular expression that matches the message of an assert."""
    parts: Iterable[Any] = message.values if isinstance(message, ast.JoinedStr) else [message]
    return "".join(
        re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".*" for part in parts
    )
