"""Inputs and results nested as PyTorch pytrees."""

from __future__ import annotations

from collections import OrderedDict, defaultdict, deque, namedtuple
from typing import Any

from torch.utils import _pytree as pytree
from torch_refine.runtime.torch_models import trees


def flattened(value: Any, spec: pytree.TreeSpec, where: str) -> list[Any]:
    """The leaves of a value nested like a spec; raises TypeError for any other value."""
    if spec.is_leaf():
        return [value]
    wanted = spec.type
    assert wanted is not None, "only leaves have none"
    kind: Any = pytree._get_node_type(value)
    if kind is not wanted:
        name = spec.context.__name__ if wanted is namedtuple else wanted.__name__
        raise TypeError(f"{where} must be a {name}, got a {type(value).__name__}")
    if wanted is dict:  # whose order means nothing
        if set(value) != set(spec.context):
            raise TypeError(
                f"{where} must have the keys {', '.join(map(repr, spec.context))}, got "
                f"{', '.join(map(repr, value)) or 'none'}"
            )
        children = [value[key] for key in spec.context]
        steps = [f"[{key!r}]" for key in spec.context]
    else:
        node = pytree.SUPPORTED_NODES[kind]
        found, context = node.flatten_fn(value)
        children = list(found)
        if len(children) != spec.num_children:
            raise TypeError(f"{where} must have {spec.num_children} elements, got {len(children)}")
        if context != spec.context:
            raise TypeError(f"{where} must be like {spec.context!r}, got {context!r}")
        steps = _steps(node, value, len(children))
    return [
        leaf
        for child, child_spec, step in zip(children, spec.children(), steps, strict=True)
        for leaf in flattened(child, child_spec, where + step)
    ]


def _steps(node: Any, value: Any, count: int) -> list[str]:
    """The names of a node's children in messages, `.x` or `[0]`."""
    if node.flatten_with_keys_fn is None:
        return [f"[{place}]" for place in range(count)]
    pairs, _ = node.flatten_with_keys_fn(value)
    return [pytree.keystr((key,)) for key, _ in pairs]


def as_tree(spec: pytree.TreeSpec, what: str) -> Any:
    """A spec as the data of `trees.py`; named tuples become tuples, other classes dicts of names.

    Raises:
        ValueError: an instance of a class has no names for its children, or cannot be built; `what`
            locates it.
    """
    if spec.is_leaf():
        return trees.LEAF
    children = [as_tree(child, what) for child in spec.children()]
    kind = spec.type
    if kind in (tuple, namedtuple):
        return trees.tree("tuple", children)
    if kind in (list, deque):
        return trees.tree("list", children)
    if kind in (dict, OrderedDict):
        keys = list(spec.context)
    elif kind is defaultdict:
        keys = list(spec.context[1])
    else:
        keys = _names_of_children(spec, what)
    if not all(isinstance(key, (str, int)) for key in keys):
        raise ValueError(f"{what} hold a dict whose keys are not strings: {keys!r}")
    return trees.tree("dict", children, keys)


def _names_of_children(spec: pytree.TreeSpec, what: str) -> list[str]:
    """The attribute names of an instance's children."""
    assert spec.type is not None, "no leaf"
    node = pytree.SUPPORTED_NODES.get(spec.type)
    refusal = f"{what} hold a {spec.type.__name__}, which is not made of named parts"
    try:
        assert node is not None and node.flatten_with_keys_fn is not None
        # PyTorch requires that it accepts any children.
        instance = node.unflatten_fn([object()] * spec.num_children, spec.context)
        pairs, _ = node.flatten_with_keys_fn(instance)
        keys = [key for key, _ in pairs]
    except Exception as error:
        # It runs arbitrary code.
        raise ValueError(refusal) from error
    names = [getattr(key, "name", getattr(key, "key", None)) for key in keys]
    if not all(isinstance(name, str) for name in names):
        raise ValueError(refusal)
    return [str(name) for name in names]
