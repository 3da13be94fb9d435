"""What is wrong with a library function as a text: found without running PyTorch.

A function that passes its cases may still infer little of programs whose sizes are unknown, or
change a list that its caller keeps. Each rule says in words what to do instead.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator
from typing import Any

from torch_refine.abstract_interp_lib.declaration import Declaration, place
from torch_refine.importer.functions.problems import Problem, Severity
from torch_refine.importer.functions.user_code import excerpt

_CHANGES = {"append", "insert", "extend", "pop", "remove", "clear", "reverse", "sort"}


def lint_text(declaration: Declaration) -> Iterator[Problem]:
    """What the rules find in the text of one function.

    An error is what makes the function wrong, a warning what makes it infer or say less.
    """
    tree, file, first = tree_of(declaration.function)
    for line, severity, message in _findings(tree):
        at = first + line
        where = place(file, at)
        yield Problem(
            declaration.operator,
            where,
            message,
            severity,
            alike="operators that this function is of",
            source=f"{where}: {message}",
            excerpt=excerpt(file, at),
        )


def tree_of(function: Callable[..., Any]) -> tuple[ast.FunctionDef, str, int]:
    """A function's syntax, its file, and the number of the line before it."""
    lines, first = inspect.getsourcelines(function)
    tree = ast.parse(textwrap.dedent("".join(lines))).body[0]
    assert isinstance(tree, ast.FunctionDef)
    return tree, inspect.unwrap(function).__code__.co_filename, first - 1


# A line, from 1 at the first line of the function's source, and what is wrong with it.
Finding = tuple[int, Severity, str]


def _findings(tree: ast.FunctionDef) -> list[Finding]:
    rules = (_endless_loops, _changed_lists, _truths_of_numbers, _open_ends, _silent_raises)
    return sorted(finding for rule in rules for finding in rule(tree))


def _endless_loops(tree: ast.FunctionDef) -> Iterator[Finding]:
    for node in ast.walk(tree):
        if isinstance(node, ast.While):
            yield (
                node.lineno,
                "warning",
                "no call can make known how often this loop runs: write `for ... in range(...)`",
            )
        if isinstance(node, ast.For) and _calls(node.iter, "unknown_size"):
            yield (
                node.lineno,
                "warning",
                "nobody can know how often this loop runs: nothing is inferred of it",
            )


def _calls(node: ast.AST, name: str) -> bool:
    return any(
        isinstance(inner, ast.Call) and isinstance(inner.func, ast.Name) and inner.func.id == name
        for inner in ast.walk(node)
    )


def _changed_lists(tree: ast.FunctionDef) -> Iterator[Finding]:
    """Changes of a parameter, or of a name that is another name of one."""
    shared = {argument.arg for argument in tree.args.args}
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.value, ast.Name)
            and node.value.id in shared
            and isinstance(node.targets[0], ast.Name)
        ):
            shared.add(node.targets[0].id)
    fresh = _made_anew(tree)
    for node in ast.walk(tree):
        name = _changed_name(node)
        if name in shared and name not in fresh:
            yield (
                getattr(node, "lineno", 1),
                "error",
                f"{name} is the caller's list, or another name of it, and is changed: "
                f"copy it first, `list({name})`",
            )


def _made_anew(tree: ast.FunctionDef) -> set[str]:
    """Names that are assigned something else than another name."""
    return {
        target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and not isinstance(node.value, ast.Name)
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def _changed_name(node: ast.AST) -> str | None:
    """The name of a list that a node changes."""
    target: ast.AST | None = None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        target = node.func.value if node.func.attr in _CHANGES else None
    elif isinstance(node, ast.Assign | ast.AugAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        found = [each.value for each in targets if isinstance(each, ast.Subscript)]
        target = found[0] if found else None
    return target.id if isinstance(target, ast.Name) else None


def _truths_of_numbers(tree: ast.FunctionDef) -> Iterator[Finding]:
    """Conditions that are a number of any kind: TorchScript takes `Bool(Int(number))` of them."""
    numbers = {
        argument.arg
        for argument in tree.args.args
        if argument.annotation is not None
        and any(isinstance(node, ast.Name) and node.id == "complex" for node in ast.walk(argument))
    }
    for node in ast.walk(tree):
        for condition in _conditions(node):
            if isinstance(condition, ast.Name) and condition.id in numbers:
                yield (
                    condition.lineno,
                    "error",
                    f"as a bool, {condition.id} loses its fraction in TorchScript: "
                    f"write `{condition.id} != 0`",
                )


def _conditions(node: ast.AST) -> list[ast.expr]:
    """The expressions that a node takes as bools."""
    if isinstance(node, ast.If | ast.IfExp | ast.While | ast.Assert):
        return [node.test]
    if isinstance(node, ast.BoolOp):
        return node.values
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return [node.operand]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "bool":
        return node.args
    return []


def _open_ends(tree: ast.FunctionDef) -> Iterator[Finding]:
    if not _ends(tree.body):
        yield tree.lineno, "error", "a path through the function ends without `return`"


def _ends(body: list[ast.stmt]) -> bool:
    """Whether every path through some statements returns or raises."""
    if not body:
        return False
    last = body[-1]
    if isinstance(last, ast.If):
        return _ends(last.body) and _ends(last.orelse)
    return isinstance(last, ast.Return | ast.Raise)


_SAY = "add what was expected and what was given"


def _silent_raises(tree: ast.FunctionDef) -> Iterator[Finding]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert) and node.msg is None:
            yield node.lineno, "warning", f"this assert says nothing: {_SAY}"
        if isinstance(node, ast.Raise) and not (isinstance(node.exc, ast.Call) and node.exc.args):
            yield node.lineno, "warning", f"this raise says nothing: {_SAY}"
