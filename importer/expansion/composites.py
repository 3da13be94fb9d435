"""Composite operators that decompose by a table, wherever they are called.

`torch.export` lists and overrides all of them for each program, which takes longer than to
decompose a small one. What it registers is the same for every program, so it is recorded with the
first, and put back for the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from torch._C import DispatchKey
from torch._ops import OpOverload
from torch._subclasses import fake_impls
from torch.export import exported_program

Table = Mapping[OpOverload, Callable[..., Any]]
_Kernels = dict[Any, Callable[..., Any]]
_BEFORE_TABLES = frozenset({DispatchKey.Autograd, DispatchKey.CompositeImplicitAutograd})


@dataclass(frozen=True)
class _Registered:
    """The Python kernels of an operator without and with the override, and its fake kernel."""

    before: _Kernels
    kernels: _Kernels
    fake: Callable[..., Any] | None


@dataclass
class Composites:
    """A table of decompositions, divided into composite operators and others.

    `composite` has NotImplemented's marker of PyTorch for composite operators to keep.
    """

    composite: dict[OpOverload, Callable[..., Any]]
    others: dict[OpOverload, Callable[..., Any]]
    _registered: dict[OpOverload, _Registered] | None = None

    @contextmanager
    def overridden(self) -> Iterator[None]:
        """A context in which composite operators decompose by the table."""
        if self._registered is None or any(
            op.py_kernels != each.before for op, each in self._registered.items()
        ):
            with self._recorded():
                yield
            return
        rules = fake_impls.op_implementations_dict
        added: list[Any] = []
        try:
            for op, each in self._registered.items():
                _set_kernels(op, each.kernels)
                if each.fake is not None and op not in rules:
                    rules[op] = each.fake
                    added.append(op)
            yield
        finally:
            for op, each in self._registered.items():
                _set_kernels(op, each.before)
            for op in added:
                rules.pop(op, None)

    @contextmanager
    def _recorded(self) -> Iterator[None]:
        """The same by PyTorch, whose registrations are recorded."""
        rules = fake_impls.op_implementations_dict
        before = {op: dict(op.py_kernels) for op in self.composite}
        known = {op: rules[op] for op in self.composite if op in rules}
        override = vars(exported_program)["_override_composite_implicit_decomp"]
        with override(self.composite):
            self._registered = {
                op: _Registered(
                    before[op],
                    dict(op.py_kernels),
                    None if op in known else rules.get(op),
                )
                for op in self.composite
            }
            yield
        # PyTorch removes the rules of all operators that it overrides.
        rules.update(known)


@contextmanager
def without_python_kernels(operators: Iterable[OpOverload]) -> Iterator[None]:
    """A context in which operators are traced as they are.

    PyTorch has decompositions in Python for some, which run before those of a table are looked up.
    """
    before = {op: dict(op.py_kernels) for op in operators if op.py_kernels.keys() & _BEFORE_TABLES}
    try:
        for op, kernels in before.items():
            rest = kernels.keys() - _BEFORE_TABLES
            _set_kernels(op, {key: kernels[key] for key in rest})
        yield
    finally:
        for op, kernels in before.items():
            _set_kernels(op, kernels)


def _set_kernels(op: OpOverload, kernels: _Kernels) -> None:
    op.py_kernels.clear()
    op.py_kernels.update(kernels)
    op._dispatch_cache.clear()


# What was divided last, with the composite operators that were registered then, and the result.
_last: tuple[Any, Composites] | None = None


def composites(table: Table) -> Composites:
    """A table divided; again only if it is another one, or operators were added since."""
    global _last
    given = dict(table)
    registered = torch._C._dispatch_get_registrations_for_dispatch_key("CompositeImplicitAutograd")
    known = (given, registered, list(torch.ops._dir))
    if _last is None or _last[0] != known:
        split = vars(exported_program)["_split_decomp_table_to_cia_and_python_decomp"]
        _last = (known, Composites(*split(dict(table))))
    return _last[1]
