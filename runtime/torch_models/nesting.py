"""The nesting of a model's inputs: arguments are matched to the compiled signature, or rejected."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Flatten = Callable[[Any, Any, str], list[Any]]
"""The leaves of a value nested like a spec; `str` is its name in a TypeError."""


class Nesting:
    """How the inputs of a model are nested, and the names of its parameters.

    Args:
        specs: how each parameter is nested: those that were passed by position when the model was
            exported, then those by keyword.
        count: how many were passed by position.
        names: their names, in order.
        flatten: flattens a value.
        signature: the signature of the model's `forward`; None where there is only a program.
        constants: the indices and values of the leaves that are not tensors.
    """

    def __init__(
        self,
        specs: Sequence[Any],
        count: int,
        names: Sequence[str],
        flatten: Flatten,
        signature: inspect.Signature | None,
        constants: Mapping[int, Any],
    ) -> None:
        self.specs = list(specs)
        self.count = count
        self.names = list(names)
        self.signature = signature
        self.constants = dict(constants)
        self._flatten = flatten

    def leaves(self, inputs: tuple[Any, ...], keywords: dict[str, Any]) -> list[Any]:
        """The non-constant inputs, in the order of the program's parameters.

        Arguments may be passed by position or by keyword, as the model's `forward` takes them, and
        dicts may have their keys in another order.

        Raises:
            TypeError: a parameter is missing, unknown or nested differently.
            ValueError: a constant has another value.
        """
        arguments = self._arguments(inputs, keywords)
        return self.without_constants(
            [
                leaf
                for name, spec in zip(self.names, self.specs, strict=True)
                for leaf in self._flatten(arguments[name], spec, f"input {name!r}")
            ]
        )

    def without_constants(self, leaves: list[Any]) -> list[Any]:
        """The non-constant leaves; raises ValueError if a constant has another value."""
        for place, value in self.constants.items():
            if not is_same(leaves[place], value):
                raise ValueError(
                    f"input {place} is {leaves[place]!r}; the program was compiled for {value!r}"
                )
        return [leaf for place, leaf in enumerate(leaves) if place not in self.constants]

    def _arguments(self, inputs: tuple[Any, ...], keywords: dict[str, Any]) -> dict[str, Any]:
        """The arguments by the names of the parameters that the program was compiled with."""
        if self.signature is None:
            return self._by_name(inputs, keywords)
        bound = self.signature.bind(*inputs, **keywords)
        given = set(_flat_arguments(bound))
        bound.apply_defaults()
        arguments = _flat_arguments(bound)
        for name in given.difference(self.names):
            # Arguments omitted at compilation have their defaults in the program.
            if not is_same(arguments[name], self._default(name)):
                raise TypeError(
                    f"the program was compiled without {name!r}; it was given {self._shown()}"
                )
        self._check_complete(arguments)
        return arguments

    def _by_name(self, inputs: tuple[Any, ...], keywords: dict[str, Any]) -> dict[str, Any]:
        """Likewise if only the names are known, including those of positional parameters."""
        if len(inputs) > self.count:
            raise TypeError(f"expected {self.count} positional inputs, got {len(inputs)}")
        arguments = dict(zip(self.names, inputs, strict=False))
        for name, value in keywords.items():
            if name in arguments:
                raise TypeError(f"multiple values for argument {name!r}")
            if name not in self.names:
                raise TypeError(
                    f"got an unexpected keyword argument {name!r}; the program takes "
                    f"{self._shown()}"
                )
            arguments[name] = value
        self._check_complete(arguments)
        return arguments

    def _check_complete(self, arguments: Mapping[str, Any]) -> None:
        for name in self.names:
            if name not in arguments:
                raise TypeError(f"missing a required argument: {name!r}")

    def _shown(self) -> str:
        return ", ".join(map(repr, self.names)) or "nothing"

    def _default(self, name: str) -> Any:
        assert self.signature is not None
        parameter = self.signature.parameters.get(name)
        return inspect.Parameter.empty if parameter is None else parameter.default


def is_same(given: Any, constant: Any) -> bool:
    """Whether a value may be passed for a constant of the program."""
    # 2 and 2.0 are equal, and promote differently; so are 0.0 and -0.0. NaN is unequal to itself.
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
