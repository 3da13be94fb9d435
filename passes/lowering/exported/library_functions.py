"""Operators that the library's own decomposition functions expand, before or after the import.

The operators that functions call before the import are exported like those that a model calls
itself: in the dtypes that PyTorch computes in, with the decompositions of this folder. What is
expanded after it (`torch-decompose-ops`) is kept here, so that one function serves programs that
come as IR, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import torch
from torch._ops import OpOverload
from torch_refine.abstract_interp_lib.declaration import Declaration, decompositions
from torch_refine.abstract_interp_lib.families.decompositions import exact

Decomposition = Callable[..., Any]

_FAMILIES = "torch_refine.abstract_interp_lib.families.decompositions"
# Files of functions that expand operators before the import, where what is constant is folded.
_BEFORE_IMPORT = (
    "adaptive_pooling",
    "basics.attention_by_products",
    "basics.normalized_layers",
    "composites.gradients_of_pairwise_losses",
    "composites.losses_of_classes",
    "composites.losses_with_margins",
    "composites.spaced_numbers",
    "exact.before_import",
    "fourier_transforms",
    "internal.inverse_hermitian_transforms",
    "layers.complex_transforms",
    "layers.diagonals",
    "layers.folded_images",
    "layers.gradients_of_indexing",
    "layers.gradients_of_normalization",
    "layers.hermitian_transforms",
    "layers.normalized_batches",
    "layers.normalized_weights",
    "layers.repeated_borders",
    "layers.resampled_by_factors",
    "layers.resampled_images",
    "layers.unpooled_images",
    "lists.functions_of_each_tensor",
    "lists.pairs_of_tensors",
    "lists.optimizer_steps",
    "lists.three_tensors",
    "networks.embedding_bags",
    "networks.fake_quantized_values",
    "networks.sampled_images",
    "prims_as_aten.prims_of_elements",
    "prims_as_aten.prims_of_whole_tensors",
    "signals.window_functions",
)
# Those that expand operators of imported programs as they do those of others.
_AFTER_IMPORT = tuple(
    f"exact.{each.name}" for each in iter_modules(exact.__path__) if each.name != "before_import"
)
_ALSO_AFTER_IMPORT = (
    "aten::as_strided_scatter",
    "aten::bernoulli",
    "aten::bernoulli.Tensor",
    "aten::celu",
    "aten::diagonal_scatter",
    "aten::elu",
    "aten::hardtanh",
    "aten::index_add",
    "aten::index_copy",
    "aten::index_fill.int_Scalar",
    "aten::index_fill.int_Tensor",
    "aten::logit",
    "aten::masked_fill.Scalar",
    "aten::masked_fill.Tensor",
    "aten::pixel_unshuffle",
    "aten::slice_scatter",
    "aten::threshold",
    "aten::threshold_backward",
)
_NOT_EXPANDED = (
    # PyTorch calls it with the arguments of another overload, unless it is decomposed.
    torch.ops.aten.std_mean.dim,
    # In training it writes to its running statistics.
    torch.ops.aten.native_batch_norm.default,
    # The import takes it for another operator (`exact_decompositions.py`).
    torch.ops.aten._embedding_bag_forward_only.default,
)


@cache
def library_functions() -> dict[OpOverload, Decomposition]:
    """The decompositions by operator, of those that are expanded before the import."""
    return {
        overload: _decomposition(declaration, overload)
        for overload, declaration in _declared_in(_BEFORE_IMPORT)
        if overload not in _NOT_EXPANDED
    }


@cache
def mixed_normalizations() -> dict[OpOverload, Decomposition]:
    """The decompositions of normalization with operands of several dtypes, by operator.

    For an input in half precision with f32 weights, kernels on the CPU return statistics in f32,
    fake tensors in the input's dtype, which then contradicts what the gradient is given.
    """
    files = ("basics.normalized_layers", "layers.normalized_batches")
    return {
        overload: _if_mixed(_decomposition(declaration, overload))
        for overload, declaration in _declared_in(files)
        if overload not in _NOT_EXPANDED
    }


def _if_mixed(decomposition: Decomposition) -> Decomposition:
    def decompose(*args: Any, **kwargs: Any) -> Any:
        tensors = [each for each in (*args, *kwargs.values()) if isinstance(each, torch.Tensor)]
        is_mixed = len({each.dtype for each in tensors}) > 1
        return decomposition(*args, **kwargs) if is_mixed else NotImplemented

    return decompose


@cache
def expanded_after_import() -> tuple[OpOverload, ...]:
    """The operators that are imported as they are."""
    found = [overload for overload, _ in _declared_in(_AFTER_IMPORT)]
    also = map(_overload, _ALSO_AFTER_IMPORT)
    return tuple(each for each in (*found, *also) if each and each not in _NOT_EXPANDED)


def _declared_in(modules: Iterable[str]) -> Iterator[tuple[OpOverload, Declaration]]:
    """The operators whose functions are in some files, in this version of PyTorch."""
    names = {import_module(f"{_FAMILIES}.{name}").__name__ for name in modules}
    for operator, declaration in decompositions().items():
        overload = _overload(operator)
        if declaration.function.__module__ in names and overload is not None:
            yield overload, declaration


def _overload(operator: str) -> OpOverload | None:
    """An operator's overload; None if this version of PyTorch does not have it."""
    namespace, _, rest = operator.partition("::")
    name, _, overload = rest.partition(".")
    packet = getattr(getattr(torch.ops, namespace), name, None)
    found: OpOverload | None = getattr(packet, overload or "default", None)
    return found


def _decomposition(declaration: Declaration, overload: OpOverload) -> Decomposition:
    """A function with the parameters of the operator; `NotImplemented` where it does not apply."""
    arguments = overload._schema.arguments
    names = [each.name for each in arguments]
    defaults = {each.name: each.default_value for each in arguments if each.has_default_value()}
    taken = declaration.function.__code__.co_varnames[: declaration.function.__code__.co_argcount]

    def decompose(*args: Any, **kwargs: Any) -> Any:
        given = {**defaults, **dict(zip(names, args, strict=False)), **kwargs}
        given.update(declaration.constants)
        try:
            return declaration.function(**{name: given[name] for name in taken})
        except AssertionError:
            return NotImplemented

    return decompose
