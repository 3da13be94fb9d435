"""Variants of running eager mode that should not change its results."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch

Run = Callable[[Sequence[torch.Tensor]], tuple[Any, ...]]
# What eager mode raises for calls that it rejects.
REJECTIONS = (
    RuntimeError,
    TypeError,
    ValueError,
    IndexError,
    AssertionError,
    ArithmeticError,
)
# These operators are about memory.
_READ_MEMORY = ("as_strided", "set_", "view")


def with_other_strides(
    run: Run, inputs: Sequence[torch.Tensor], operators: Sequence[str]
) -> Iterator[tuple[Any, ...]]:
    """The results for the same values with other strides, and for contiguous operands, if any.

    Kernels process contiguous operands in vectors, and some treat NaN differently in the scalar
    remainder (`hardswish_backward`, `hardtanh_backward`). Others read weights as if they were
    contiguous, whatever their strides are (`native_group_norm`).
    """
    names = [operator.partition("::")[2] for operator in operators]
    if any(name.startswith(_READ_MEMORY) for name in names):
        return
    for lay_out in (_spread_out, torch.Tensor.contiguous):
        found = _results(run, [lay_out(tensor) for tensor in inputs])
        if found is not None:
            yield found


def with_filled_memory(run: Run, inputs: Sequence[torch.Tensor]) -> tuple[Any, ...] | None:
    """The results if allocated memory is filled before; None if eager mode raises."""
    with _filled_memory():
        return _results(run, inputs)


def _results(run: Run, inputs: Sequence[torch.Tensor]) -> tuple[Any, ...] | None:
    try:
        return run(inputs)
    except (RuntimeError, TypeError, ValueError, IndexError):
        # Eager mode rejects these strides.
        return None


def _spread_out(tensor: torch.Tensor) -> torch.Tensor:
    """The values with doubled strides, in memory where each element occurs twice."""
    plain = tensor.detach().resolve_conj().resolve_neg()
    memory = torch.empty(0, dtype=plain.dtype, device=plain.device).set_(plain.untyped_storage())
    strides = [2 * stride for stride in plain.stride()]
    return memory.repeat_interleave(2).as_strided(plain.shape, strides, 2 * plain.storage_offset())


@contextmanager
def _filled_memory() -> Iterator[None]:
    """Fill the results of `empty` and similar factories with NaN or the greatest integer."""
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
