"""PyTorch's samples of its operators: valid calls of every operator, in every dtype."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import torch
from torch.utils import _pytree as pytree

DTYPES = (
    torch.float32,
    torch.int64,
    torch.bool,
    torch.complex64,
    torch.float16,
    torch.bfloat16,
    torch.float64,
)


@dataclass(frozen=True)
class Sample:
    """One call of an OpInfo entry: its identity, its function and its arguments.

    `name` is the entry's, with its variant's after a dot; `index` counts its samples of a dtype.
    """

    name: str
    dtype: str
    index: int
    function: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]

    @property
    def where(self) -> str:
        """A readable name of the sample."""
        return f"{self.name} {self.dtype} {self.index}"

    @property
    def tensors(self) -> list[torch.Tensor]:
        """The tensors among the arguments, in order."""
        leaves = pytree.tree_leaves((self.args, self.kwargs))
        return [leaf for leaf in leaves if isinstance(leaf, torch.Tensor)]

    def call(self, tensors: list[torch.Tensor]) -> Any:
        """Call the function with its tensors replaced."""
        leaves, spec = pytree.tree_flatten((self.args, self.kwargs))
        others = iter(tensors)
        leaves = [next(others) if isinstance(leaf, torch.Tensor) else leaf for leaf in leaves]
        args, kwargs = pytree.tree_unflatten(leaves, spec)
        return self.function(*args, **kwargs)

    def outputs(self) -> list[torch.Tensor]:
        """The result tensors of the call on the CPU; raises PyTorch's exceptions."""
        with torch.no_grad():
            result = self.call([tensor.clone() for tensor in self.tensors])
        return [leaf for leaf in pytree.tree_leaves(result) if isinstance(leaf, torch.Tensor)]


@cache
def entries() -> dict[str, Any]:
    """All entries of the OpInfo database by name."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from torch.testing._internal.common_methods_invocations import op_db
    return {full_name(entry): entry for entry in op_db}


def full_name(entry: Any) -> str:
    """An entry's name, with that of its variant: `norm`, `norm.fro`."""
    name: str = entry.name
    return f"{name}.{entry.variant_test_name}" if entry.variant_test_name else name


def samples_of(
    name: str, function: Callable[[Any], Callable[..., Any] | None] = lambda entry: entry.op
) -> Iterator[Sample]:
    """The samples of an entry in all dtypes that it supports on the CPU, deterministic.

    Of samples that differ only in the values of their tensors, the first one is used. `function`
    selects the function of the entry, such as its in-place variant.
    """
    entry = entries()[name]
    called = function(entry)
    if called is None:
        return
    supported = entry.supported_dtypes("cpu")
    for dtype in DTYPES:
        if dtype not in supported:
            continue
        torch.manual_seed(0)
        given = entry.sample_inputs("cpu", dtype, requires_grad=False)
        seen: set[str] = set()
        for index, sample in enumerate(given):
            args = (sample.input, *sample.args)
            key = _without_values((args, sample.kwargs))
            if key in seen:
                continue
            seen.add(key)
            short = str(dtype).removeprefix("torch.")
            yield Sample(name, short, index, called, args, dict(sample.kwargs))


def _without_values(arguments: Any) -> str:
    """A key that ignores the values of tensors, except of small integer ones."""

    def shown(leaf: Any) -> Any:
        if not isinstance(leaf, torch.Tensor):
            return leaf
        if leaf.layout != torch.strided:
            return id(leaf)
        return tuple(leaf.shape), leaf.dtype, leaf.stride(), leaf.tolist() if _is_index(leaf) else 0

    leaves, spec = pytree.tree_flatten(arguments)
    return repr((list(map(shown, leaves)), spec))


def _is_index(tensor: torch.Tensor) -> bool:
    """Whether the values of a tensor may decide shapes, as indices, lengths and repeats do."""
    return not tensor.is_floating_point() and not tensor.is_complex() and tensor.numel() <= 16


def rejected_samples_of(name: str) -> Iterator[tuple[Sample, str]]:
    """The calls of an entry that PyTorch must reject, each with a pattern of its message."""
    entry = entries()[name]
    if entry.error_inputs_func is None:
        return
    torch.manual_seed(0)
    for index, error in enumerate(entry.error_inputs("cpu")):
        sample = error.sample_input
        args = (sample.input, *sample.args)
        yield Sample(name, "", index, entry.op, args, dict(sample.kwargs)), error.error_regex
