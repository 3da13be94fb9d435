"""In-place and `out=` variants, derived from the functions of the operators that they are of.

One function serves a group, as one meta function does in PyTorch: `add_.Tensor` has the shape that
`add.Tensor` gives, which must be that of self, and keeps self's dtype; `add.out` has that shape,
and the dtype of the tensor that it is given.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

import torch
from torch_refine.dialect.names import Kind
from torch_refine.dialect.schemas import Argument, Schema, operators, schema

Form = Literal["in-place", "in-place view", "out"]

# Operators that do something else than what they seem to be variants of: they leave out how large a
# storage is, or the tensor that is written to does not always get the shape or dtype of the result.
_NOT_ALIKE = frozenset(
    {
        "aten::_add_relu.out",
        "aten::binary_cross_entropy_backward.grad_input",
        "aten::fft_ihfft2.out",
        "aten::fft_ihfftn.out",
        "aten::set_.source_Storage",
        "aten::slow_conv_transpose2d.out",
    }
)
# In-place operators that change the sizes of self, beside those that PyTorch says so of.
_RESIZES = frozenset(
    {
        "aten::addbmm_",
        "aten::copy_sparse_to_sparse_",
        "aten::resize_as_sparse_",
        "aten::sparse_resize_",
        "aten::sparse_resize_and_clear_",
    }
)
# Variants that write a result of any dtype to what they are given, in some calls at least.
_CASTS_ANYTHING = frozenset(
    {
        "aten::_logcumsumexp.out",
        "aten::_new_zeros_with_same_feature_meta.out",
        "aten::_scaled_mm.out",
        "aten::_scaled_mm_v2.out",
        "aten::chain_matmul.out",
        "aten::col2im.out",
        "aten::im2col.out",
        "aten::multi_margin_loss_backward.grad_input",
        "aten::multilabel_margin_loss_backward.grad_input",
    }
)


@dataclass(frozen=True)
class Variant:
    """An operator that does what `base` does, and writes the result to an argument.

    `written` are the names of those arguments, one for each result. `arguments` says which argument
    each parameter of `base` takes, by name; one that it does not name is absent (None), but for
    `dtype`, which is that of the tensor that is written to.
    """

    operator: str
    base: str
    form: Form
    written: tuple[str, ...]
    arguments: dict[str, str]

    @property
    def casts_anything(self) -> bool:
        """Whether a result of any dtype may be written.

        Where no dtype is given, a sum is computed in the dtype of the tensor that it is written to.
        """
        return self.operator in _CASTS_ANYTHING or "dtype" in self.arguments


# What a factory takes and its `out=` variant finds in the tensor that it is given.
_OF_NEW_TENSORS = frozenset({"dtype", "layout", "device", "pin_memory"})


@cache
def variants() -> tuple[Variant, ...]:
    """All variants in the registry, by the schemas."""
    functional: dict[str, list[Schema]] = defaultdict(list)
    writing: list[Schema] = []
    for operator in operators():
        found = schema(operator)
        if not any(each.startswith("Tensor") for each in found.returns):
            continue
        if found.is_mutating:
            writing.append(found)
        if not found.is_mutating or _gives_new_tensors(found):
            functional[_base_name(operator)].append(found)
    found_variants = (_variant(each, functional) for each in writing)
    return tuple(variant for variant in found_variants if variant is not None)


def _base_name(operator: str) -> str:
    """The name without overload."""
    return operator.partition(".")[0]


def _gives_new_tensors(found: Schema) -> bool:
    """Whether an operator writes to arguments, and returns other tensors, as batch norm does."""
    in_place = _base_name(found.name).endswith("_") and found.arguments[0].mutated
    return not in_place and not any(each.keyword_only for each in found.arguments if each.mutated)


def _variant(found: Schema, functional: dict[str, list[Schema]]) -> Variant | None:
    """What an operator that writes to its arguments is a variant of, None if of nothing."""
    name = _base_name(found.name)
    in_place = name.rstrip("_") != name and found.arguments[0].mutated
    outputs = tuple(each for each in found.arguments if each.mutated and each.keyword_only)
    if in_place:
        outputs = found.arguments[:1]
    elif not outputs:
        outputs = tuple(each for each in found.arguments if each.mutated)
    written = tuple(each.name for each in outputs)
    if found.name in _NOT_ALIKE or list(found.returns) != ["Tensor"] * len(written):
        return None
    rest = tuple(each for each in found.arguments if in_place or each not in outputs)
    form: Form = "out"
    if in_place:
        name = _functional_name(name)
        form = "in-place view" if _moves_self(found.name) else "in-place"
    for match in (_by_name, _as_factory, _by_position):
        for base in functional[name]:
            if base is found:
                continue
            arguments = match(base.arguments, rest)
            if arguments is not None and len(base.returns) == len(written):
                return Variant(found.name, base.name, form, written, arguments)
    return None


Several = tuple[Argument, ...]


def _by_name(base: Several, rest: Several) -> dict[str, str] | None:
    """The same arguments, in any order."""
    if {(each.name, each.type) for each in base} != {(each.name, each.type) for each in rest}:
        return None
    return {each.name: each.name for each in base}


def _as_factory(base: Several, rest: Several) -> dict[str, str] | None:
    """The arguments of a factory but those that say what tensor to make."""
    return _by_name(tuple(each for each in base if each.name not in _OF_NEW_TENSORS), rest)


def _by_position(base: Several, rest: Several) -> dict[str, str] | None:
    """The same arguments where the first, the tensor, has another name."""
    if len(base) != len(rest) or any(a.type != b.type for a, b in zip(base, rest, strict=True)):
        return None
    if any(a.name != b.name for a, b in zip(base[1:], rest[1:], strict=True)):
        return None
    return {a.name: b.name for a, b in zip(base, rest, strict=True)}


def _functional_name(name: str) -> str:
    """`aten::add` for `aten::add_`, `aten::__and__` for `aten::__iand__`."""
    if name.startswith("aten::__i") and name.endswith("__"):
        return f"aten::__{name.removeprefix('aten::__i')}"
    return name.removesuffix("_")


def _moves_self(operator: str) -> bool:
    """Whether an in-place operator changes the sizes of self, as `squeeze_` does."""
    namespace, _, rest = operator.partition("::")
    name, _, overload = rest.partition(".")
    packet = getattr(getattr(torch.ops, namespace), name)
    tags = getattr(packet, overload or "default").tags
    return operator in _RESIZES or torch.Tag.inplace_view in tags


def derived_variants(declared: Container[tuple[Kind, str]]) -> Iterator[tuple[Kind, Variant]]:
    """The variants that get a function of a kind from the one of their base."""
    for variant in variants():
        for kind in ("shape", "dtype"):
            if (kind, variant.base) in declared and (kind, variant.operator) not in declared:
                yield kind, variant
