"""Valid calls: samples with other sizes, parameters, dtypes and strides.

Most random calls are invalid. The library's functions detect that in less than a millisecond,
before eager mode runs.
"""

from __future__ import annotations

import warnings
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from typing import Any

import torch
from torch.utils import _pytree as pytree
from torch_refine.abstract_interp_lib.promotion_kinds import read_promotions
from torch_refine.abstract_interpreter.calling import InferenceError, infer
from torch_refine.build_tools.conformance.calls import described
from torch_refine.build_tools.fuzz.arguments import draw_argument
from torch_refine.build_tools.fuzz.seeds import Seeds, bound, rebuilt
from torch_refine.build_tools.fuzz.steps import Program
from torch_refine.build_tools.fuzz.tensors import (
    FLOATS,
    draw_dtype,
    draw_indices,
    draw_layout,
    draw_size,
    like,
    with_all_integers,
    with_special_values,
)
from torch_refine.build_tools.numerics.calls import ValueCall, ValueRecorder, overload_of
from torch_refine.build_tools.numerics.choosing import ORDINARY_VALUES_ONLY, unspecified
from torch_refine.build_tools.numerics.eager_mode import REJECTIONS

# The attempts for each call; later ones change less.
_TRIES = 30
_MOST_ELEMENTS = 3000
_INDICES = ("index", "indices", "target", "i1", "i2")
# Their tensors have related values, such as the factors of a matrix.
_VALUES_KEPT: tuple[str, ...] = (
    "linalg",
    "cholesky",
    "ldl",
    "lu_",
    "_lu",
    "triangular",
    "svd",
    "qr",
    "ormqr",
)
_VALUES_KEPT += ("householder", "grid_sampler", "searchsorted", "bucketize", "histogram")
# The gradient of attention takes the statistics of its rows.
_VALUES_KEPT += ("attention_for_cpu_backward",)
# Kernels that do not check sizes, indices and parameters, and write out of bounds if these are
# inconsistent. Gradients with other parameters are generated from their forward operators.
TRUSTING = (
    "_backward",
    "embedding_bag",
    "fractional_max_pool",
    "max_unpool",
    "jagged",
    "_fused_",
    "_grouped_mm",
    "_transformer_encoder",
    "_transform_bias_rescale_qkv",
    "_native_multi_head_attention",
    "_fft_c2r",
    "slow_conv",
    "copy_strided",
    "_reshape_alias",
)
_GRADIENTS = 0.12
_SHORT_INTEGERS = (torch.uint8, torch.int8, torch.int16)
_INTEGERS = (*_SHORT_INTEGERS, torch.int32, torch.int64)
# Their integers are no sizes.
_OF_ELEMENTS = frozenset(read_promotions())


@dataclass
class Drawer:
    """Generates calls of the operators that have samples."""

    seeds: Seeds

    def call(self, rng: Random, operator: str) -> ValueCall | None:
        """A valid call of an operator; None if no attempt was valid."""
        samples = self.seeds.calls[operator]
        for attempt in range(_TRIES):
            boldness = 1.0 - attempt / _TRIES
            drawn = _Mutation(rng, self.seeds, boldness).of(rng.choice(samples))
            if not is_valid(drawn):
                continue
            if rng.random() < _GRADIENTS:
                gradients = [each for each in _gradient_calls(drawn) if is_known(each, self.seeds)]
                return rng.choice(gradients) if gradients else drawn
            return drawn
        return None


def is_known(call: ValueCall, seeds: Seeds) -> bool:
    """Whether an operator is among the selected ones, and its tensors are small."""
    return call.operator in seeds.calls and is_valid(call)


def _gradient_calls(call: ValueCall) -> list[ValueCall]:
    """The calls in the backward pass of a call."""
    tensors = [
        tensor.detach().clone().requires_grad_() if tensor.is_floating_point() else tensor
        for tensor in call.tensors
    ]
    found: dict[tuple[str, str, str], ValueCall] = {}
    with warnings.catch_warnings(), suppress(*REJECTIONS):
        warnings.simplefilter("ignore")
        results = Program.of_call(call).run(tensors)
        differentiable = [each for each in results if each.requires_grad]
        with ValueRecorder(call.operator, found):
            torch.autograd.backward(differentiable, list(map(torch.ones_like, differentiable)))
    return list(found.values())


def is_valid(call: ValueCall) -> bool:
    """Whether the library and eager mode accept a call, and its tensors are small."""
    if any(tensor.numel() > _MOST_ELEMENTS for tensor in call.tensors):
        return False
    try:
        infer(call.operator, *described(call.args), **described(call.kwargs))
    except InferenceError:
        return False
    program = Program.of_call(call)
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        try:
            results = program.run(program.copies())
        except REJECTIONS:
            return False
    return bool(results) and all(map(_is_small, results)) and not unspecified(call)


def _is_small(result: Any) -> bool:
    return (
        isinstance(result, torch.Tensor)
        and result.layout == torch.strided
        and result.numel() <= 4 * _MOST_ELEMENTS
    )


@dataclass
class _Mutation:
    """Mutations of one sample, each with a probability that `boldness` scales."""

    rng: Random
    seeds: Seeds
    boldness: float

    def of(self, sample: ValueCall) -> ValueCall:
        """A mutated call of the operator."""
        given = bound(sample)
        keeps_values = any(part in sample.operator for part in _VALUES_KEPT)
        trusts = any(part in sample.operator for part in TRUSTING)
        sizes = {} if keeps_values or trusts else self._sizes(sample)
        dtype = None if trusts else self._dtype(sample)
        ranks = [tensor.dim() for tensor in sample.tensors]
        ordinary = any(part in sample.operator for part in ORDINARY_VALUES_ONLY)
        # What infinite factors of complex numbers give depends on how they are multiplied.
        finite = ordinary or any(tensor.is_complex() for tensor in sample.tensors)
        special = not (keeps_values or finite) and self.rng.random() < 0.06
        self._whole: tuple[torch.dtype, ...] = ()
        if not (keeps_values or trusts or ordinary) and self.rng.random() < 0.15:
            self._whole = _INTEGERS if sample.operator in _OF_ELEMENTS else _SHORT_INTEGERS
        self._drop, self._add = (False, -1)
        if not (keeps_values or trusts):
            self._drop, self._add = self._ranks(ranks)
        values = {}
        for name, (type, value) in given.items():
            leaves, spec = pytree.tree_flatten(value)
            if any(isinstance(leaf, torch.Tensor) for leaf in leaves):
                if type.startswith("Optional") and not trusts and self._happens(0.1):
                    continue
                made = [
                    self._tensor(leaf, name, sizes, dtype, keeps_values, special, trusts)
                    for leaf in leaves
                ]
                values[name] = pytree.tree_unflatten(made, spec)
            elif not trusts and self._happens(0.45):
                values[name] = draw_argument(
                    self.rng, sample.operator, name, type, ranks, self.seeds, value, finite
                )
            else:
                values[name] = self._mapped(value, sizes)
        if "upsample" in sample.operator and not sample.operator.endswith(".vec"):
            # With factors that do not match the sizes, eager mode reads out of bounds of the image.
            values = {name: value for name, value in values.items() if "scale" not in name}
            trusts = True
        for each in [] if trusts else overload_of(sample.operator)._schema.arguments:
            if each.name not in values and each.name not in given and self._happens(0.3):
                type = str(each.type)
                drawn = draw_argument(
                    self.rng, sample.operator, each.name, type, ranks, self.seeds, None, finite
                )
                if drawn is not None:
                    values[each.name] = drawn
        args, kwargs = rebuilt(sample.operator, values)
        return ValueCall(sample.operator, args, kwargs, "fuzz", sample.entry)

    def _happens(self, chance: float) -> bool:
        return self.rng.random() < chance * self.boldness

    def _sizes(self, sample: ValueCall) -> dict[int, int]:
        """New values for some of the sizes, consistent in all tensors."""
        found = sorted({size for tensor in sample.tensors for size in tensor.shape})
        chance = self.rng.choice((0.0, 0.4, 0.8))
        return {size: draw_size(self.rng) for size in found if self._happens(chance)}

    def _dtype(self, sample: ValueCall) -> torch.dtype | None:
        return draw_dtype(self.rng) if sample.tensors and self._happens(0.35) else None

    def _ranks(self, ranks: list[int]) -> tuple[bool, int]:
        """Whether to remove the first dimension of each tensor, and the size of one to add."""
        drop = bool(ranks) and min(ranks) > 0 and self._happens(0.1)
        return drop, draw_size(self.rng) if self._happens(0.1) else -1

    def _tensor(
        self,
        tensor: Any,
        name: str,
        sizes: dict[int, int],
        dtype: torch.dtype | None,
        keeps_values: bool,
        special: bool,
        trusts: bool,
    ) -> Any:
        if not isinstance(tensor, torch.Tensor):
            return tensor
        if keeps_values:
            return draw_layout(tensor, self.rng) if self._happens(0.2) else tensor
        shape = [sizes.get(size, size) for size in tensor.shape]
        if self._drop:
            shape = shape[1:]
        if self._add >= 0:
            shape = [self._add, *shape]
        if shape and not trusts and self._happens(0.08):
            shape[self.rng.randrange(len(shape))] = self.rng.choice((1, draw_size(self.rng)))
        chosen = tensor.dtype
        changes = chosen in FLOATS or self.rng.random() < 0.3
        if dtype is not None and changes and not chosen.is_complex:
            chosen = dtype
        if max(shape, default=0) > 200 or torch.Size(shape).numel() > _MOST_ELEMENTS:
            return tensor
        if trusts and not chosen.is_floating_point:
            # Indices are those of the forward call.
            return tensor
        if tensor.dtype.is_complex:
            return draw_layout(tensor, self.rng) if self.rng.random() < 0.25 else tensor
        if name in _INDICES and not chosen.is_floating_point and chosen != torch.bool:
            end = int(tensor.max()) + 1 if tensor.numel() else 1
            made = draw_indices(shape, min([end, *sizes.values()]), self.rng).to(chosen)
        else:
            made = like(tensor, shape, chosen, self.rng)
        if special and chosen in FLOATS:
            made = with_special_values(made, self.rng)
        if chosen in self._whole and name not in _INDICES:
            made = with_all_integers(made, self.rng)
        # Some unchecked kernels assume that all but their first tensors are contiguous.
        is_strided = not trusts and self.rng.random() < 0.25
        return draw_layout(made, self.rng) if is_strided else made

    def _mapped(self, value: Any, sizes: dict[int, int]) -> Any:
        """Update a list of sizes with those of the tensors."""
        if isinstance(value, list | tuple) and value and all(type(each) is int for each in value):
            return [sizes.get(each, each) for each in value]
        return value
