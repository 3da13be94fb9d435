"""Nested tuples, lists and dicts as data: how inputs and results of a saved program are nested."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

LEAF = None
"""The tree of a leaf."""


def tree(kind: str, children: Sequence[Any], keys: Sequence[Any] = ()) -> dict[str, Any]:
    """A tree as data: `kind` is `"tuple"`, `"list"` or `"dict"`, whose keys are given in order."""
    return {"kind": kind, "children": list(children), "keys": list(keys)}


def flattened(value: Any, tree: Any, where: str) -> list[Any]:
    """The leaves of a value nested like a tree; raises TypeError for any other value."""
    if tree is LEAF:
        return [value]
    kind, children, keys = tree["kind"], tree["children"], tree["keys"]
    if kind == "dict":
        if not isinstance(value, dict):
            raise TypeError(f"{where} must be a dict, got a {type(value).__name__}")
        if set(value) != set(keys):
            raise TypeError(
                f"{where} must have the keys {', '.join(map(repr, keys))}, got "
                f"{', '.join(map(repr, value)) or 'none'}"
            )
        parts = [value[key] for key in keys]
    else:
        wanted = tuple if kind == "tuple" else list
        if not isinstance(value, wanted):
            raise TypeError(f"{where} must be a {kind}, got a {type(value).__name__}")
        if len(value) != len(children):
            raise TypeError(f"{where} must have {len(children)} elements, got {len(value)}")
        parts, keys = list(value), range(len(children))
    return [
        leaf
        for part, child, key in zip(parts, children, keys, strict=True)
        for leaf in flattened(part, child, f"{where}[{key!r}]")
    ]


def built(tree: Any, leaves: Sequence[Any]) -> Any:
    """A value nested like a tree, with these leaves in order."""
    return _built(tree, iter(leaves))


def _built(tree: Any, leaves: Iterator[Any]) -> Any:
    if tree is LEAF:
        return next(leaves)
    parts = [_built(child, leaves) for child in tree["children"]]
    if tree["kind"] == "dict":
        return dict(zip(tree["keys"], parts, strict=True))
    return tuple(parts) if tree["kind"] == "tuple" else parts


def check(tree: Any, depth: int = 100) -> int:
    """The number of leaves of a tree; raises ValueError for invalid data, or nested deeper."""
    if tree is LEAF:
        return 1
    if depth == 0 or not isinstance(tree, dict) or tree.keys() != {"kind", "children", "keys"}:
        raise ValueError("a tree is missing")
    children, keys = tree["children"], tree["keys"]
    if tree["kind"] not in ("tuple", "list", "dict") or not isinstance(children, list):
        raise ValueError(f"it has a tree of kind {tree['kind']!r}")
    if tree["kind"] == "dict" and len(keys) != len(children):
        raise ValueError("it has a tree with other keys than children")
    return sum(check(child, depth - 1) for child in children)
