"""The nesting of a model's inputs: calls arranged as the program was compiled, or refused."""

from __future__ import annotations

import inspect
from collections import namedtuple
from collections.abc import Mapping, Sequence
from typing import Any

from torch.utils import _pytree as pytree


class Nesting:
    """How the inputs of a model are nested, and the names of its parameters.

    Args:
        spec: the spec of `(positional, keywords)` that the model was exported with.
        names: the parameters of the model, first those that were passed by position, then those by
            keyword, in the order of the spec.
        signature: the signature of the model's `forward`; None where there is only a program.
        constants: the leaves that are no tensors: their places and values.
    """

    def __init__(
        self,
        spec: pytree.TreeSpec,
        names: Sequence[str],
        signature: inspect.Signature | None,
        constants: Mapping[int, Any],
    ) -> None:
        self._spec = spec
        positional, keywords = spec.children()
        self._specs = [*positional.children(), *keywords.children()]
        self._count = positional.num_children
        # An export without the names has its keywords in the spec all the same.
        named = len(names) == len(self._specs)
        generic = [f"args_{place}" for place in range(self._count)]
        self._names = list(names) if named else [*generic, *map(str, keywords.context or ())]
        self._signature = signature
        self._constants = dict(constants)

    def leaves(self, inputs: tuple[Any, ...], keywords: dict[str, Any]) -> list[Any]:
        """The inputs that are no constants, in the order of the program's parameters.

        Arguments may be passed by position or by keyword, as the model's `forward` takes them, and
        dicts may have their keys in another order.

        Raises:
            TypeError: a parameter is missing, unknown or nested otherwise.
            ValueError: a constant has another value.
        """
        leaves, spec = pytree.tree_flatten((inputs, keywords))
        if spec != self._spec:
            arguments = self._arguments(inputs, keywords)
            leaves = [
                leaf
                for name, spec in zip(self._names, self._specs, strict=True)
                for leaf in _flattened(arguments[name], spec, f"input {name!r}")
            ]
        for place, value in self._constants.items():
            if not is_same(leaves[place], value):
                raise ValueError(
                    f"input {place} is {leaves[place]!r}; the program was compiled for {value!r}"
                )
        return [leaf for place, leaf in enumerate(leaves) if place not in self._constants]

    def _arguments(self, inputs: tuple[Any, ...], keywords: dict[str, Any]) -> dict[str, Any]:
        """The arguments by the names of the parameters that the program was compiled with."""
        if self._signature is None:
            return self._by_name(inputs, keywords)
        bound = self._signature.bind(*inputs, **keywords)
        given = set(_flat_arguments(bound))
        bound.apply_defaults()
        arguments = _flat_arguments(bound)
        for name in given.difference(self._names):
            default = self._default(name)
            # What was left out when it was compiled has its default in the program.
            if not is_same(arguments[name], default):
                raise TypeError(
                    f"the program was compiled without {name!r}; it was given "
                    f"{', '.join(map(repr, self._names)) or 'nothing'}"
                )
        for name in self._names:
            if name not in arguments:
                raise TypeError(f"missing a required argument: {name!r}")
        return arguments

    def _by_name(self, inputs: tuple[Any, ...], keywords: dict[str, Any]) -> dict[str, Any]:
        """The same where only the names are known: which may be passed by position is, too."""
        if len(inputs) > self._count:
            raise TypeError(f"expected {self._count} positional inputs, got {len(inputs)}")
        arguments = dict(zip(self._names, inputs, strict=False))
        for name, value in keywords.items():
            if name in arguments:
                raise TypeError(f"multiple values for argument {name!r}")
            if name not in self._names:
                raise TypeError(
                    f"got an unexpected keyword argument {name!r}; the program takes "
                    f"{', '.join(map(repr, self._names)) or 'nothing'}"
                )
            arguments[name] = value
        for name in self._names:
            if name not in arguments:
                raise TypeError(f"missing a required argument: {name!r}")
        return arguments

    def _default(self, name: str) -> Any:
        assert self._signature is not None
        parameter = self._signature.parameters.get(name)
        return inspect.Parameter.empty if parameter is None else parameter.default


def is_same(given: Any, constant: Any) -> bool:
    """Whether a program that was compiled for a constant may be given a value."""
    # 2 and 2.0 are equal, and make tensors of other dtypes; so are 0.0 and -0.0. NaN is not.
    return type(given) is type(constant) and repr(given) == repr(constant)


def _flat_arguments(bound: inspect.BoundArguments) -> dict[str, Any]:
    """Arguments by name as an export names them: `args_0` is the first of `*args`."""
    found: dict[str, Any] = {}
    for name, value in bound.arguments.items():
        kind = bound.signature.parameters[name].kind
        if kind is inspect.Parameter.VAR_POSITIONAL:
            found.update({f"{name}_{place}": each for place, each in enumerate(value)})
        elif kind is inspect.Parameter.VAR_KEYWORD:
            found.update(value)
        else:
            found[name] = value
    return found


def _flattened(value: Any, spec: pytree.TreeSpec, where: str) -> list[Any]:
    """The leaves of a value that is nested like a spec; raises TypeError for one that is not."""
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
        for leaf in _flattened(child, child_spec, where + step)
    ]


def _steps(node: Any, value: Any, count: int) -> list[str]:
    """What to call the children of a node, `.x` or `[0]`."""
    if node.flatten_with_keys_fn is None:
        return [f"[{place}]" for place in range(count)]
    pairs, _ = node.flatten_with_keys_fn(value)
    return [pytree.keystr((key,)) for key, _ in pairs]
