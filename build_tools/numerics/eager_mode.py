"""Eager mode run in other ways, which should not matter to what it returns."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch

Run = Callable[[Sequence[torch.Tensor]], tuple[Any, ...]]
# Memory is what they are about.
_READ_MEMORY = ("as_strided", "set_", "view")


def with_other_strides(
    run: Run, inputs: Sequence[torch.Tensor], operators: Sequence[str]
) -> Iterator[tuple[Any, ...]]:
    """The results for the same values beside others in memory, and for contiguous ones, if any.

    Kernels compute what is contiguous in vectors, and some treat NaN otherwise there than in the
    elements that are left over (`hardswish_backward`, `hardtanh_backward`). Others read weights as
    if they were contiguous, whatever their strides are (`native_group_norm`).
    """
    names = [operator.partition("::")[2] for operator in operators]
    if any(name.startswith(_READ_MEMORY) for name in names):
        return
    for lay_out in (_spread_out, torch.Tensor.contiguous):
        found = _results(run, [lay_out(tensor) for tensor in inputs])
        if found is not None:
            yield found


def with_filled_memory(run: Run, inputs: Sequence[torch.Tensor]) -> tuple[Any, ...] | None:
    """The results where memory that is allocated is filled before; None if eager mode raises."""
    with _filled_memory():
        return _results(run, inputs)


def _results(run: Run, inputs: Sequence[torch.Tensor]) -> tuple[Any, ...] | None:
    try:
        return run(inputs)
    except (RuntimeError, TypeError, ValueError, IndexError):
        # The other way is not open to it.
        return None


def _spread_out(tensor: torch.Tensor) -> torch.Tensor:
    """The values with strides of twice as much, in memory where each element comes twice."""
    plain = tensor.detach().resolve_conj().resolve_neg()
    memory = torch.empty(0, dtype=plain.dtype).set_(plain.untyped_storage())
    strides = [2 * stride for stride in plain.stride()]
    return memory.repeat_interleave(2).as_strided(plain.shape, strides, 2 * plain.storage_offset())


@contextmanager
def _filled_memory() -> Iterator[None]:
    """Fill what `empty` and its like allocate, with NaN or the greatest integer."""
    settings: Any = torch.utils.deterministic
    before = (
        torch.are_deterministic_algorithms_enabled(),
        torch.is_deterministic_algorithms_warn_only_enabled(),
        settings.fill_uninitialized_memory,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.use_deterministic_algorithms(True, warn_only=True)
        settings.fill_uninitialized_memory = True
        try:
            yield
        finally:
            torch.use_deterministic_algorithms(before[0], warn_only=before[1])
            settings.fill_uninitialized_memory = before[2]
