"""Calls with larger sizes, or with numbers that are not exact in the dtype of the tensors.

PyTorch's samples have small tensors and round numbers: loops of vectors and blocks, counts beyond
the exact integers of a 16-bit float, tasks of threads, and roundings of scalars are not reached.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import torch
from torch.utils import _pytree as pytree
from torch_refine.build_tools.numerics.calls import ValueCall, key_of, overload_of, own_copy
from torch_refine.build_tools.numerics.eager_mode import REJECTIONS
from torch_refine.build_tools.numerics.ways import LARGER, NUMBERS

Change = Callable[[Any], Any]
# A size is multiplied by one of these, so that groups still divide it, and vectors do not.
_FACTORS = (131, 53, 17, 7)
_MOST_ELEMENTS = 200_000
_MOST_ELEMENTS_OF_RESULTS = 4_000_000
# Neither is exact in a narrow dtype; the first overflows in f16, the second underflows there.
_NUMBERS = (1e5, 3e-8, 0.1, -3.7)


def larger(call: ValueCall) -> Iterator[ValueCall]:
    """The call with one size, wherever it occurs, multiplied; the likeliest to run come first.

    Numbers that equal the size may be sizes, too, or others, such as dimensions. The size is drawn
    by the key of the call.
    """
    for tensors, changes in with_larger_tensors(call.tensors, Random(key_of(call)), _MOST_ELEMENTS):
        args, kwargs = call.with_tensors(tensors)
        shown = set()
        for change in changes:
            found = replace(
                call,
                args=tuple(map(change, args)),
                kwargs={name: change(value) for name, value in kwargs.items()},
            )
            if str(found) not in shown:
                shown.add(str(found))
                yield found


def with_larger_tensors(
    tensors: Sequence[torch.Tensor], random: Random, most: int
) -> Iterator[tuple[list[torch.Tensor], list[Change]]]:
    """Tensors with one of their sizes multiplied, of `most` elements together.

    With them, what may become of an argument: numbers of lists, all numbers, or none multiplied.
    """
    sizes = sorted({size for each in tensors for size in each.shape if size > 1})
    random.shuffle(sizes)
    for size in sizes:
        for factor in _FACTORS:
            grown = [_shape(each, size, factor) for each in tensors]
            if sum(shape.numel() for shape in grown) <= most:
                new = [
                    _filled(each, shape, random) for each, shape in zip(tensors, grown, strict=True)
                ]
                yield new, _changes(size, factor)
                break


def _changes(size: int, factor: int) -> list[Change]:
    def times(value: Any) -> Any:
        return value * factor if type(value) is int and value == size else value

    def in_lists(value: Any) -> Any:
        return [times(each) for each in value] if isinstance(value, list | tuple) else value

    return [in_lists, lambda value: times(in_lists(value)), lambda value: value]


def other_numbers(call: ValueCall) -> Iterator[ValueCall]:
    """The call with each of its floats replaced by one that narrow dtypes lack."""
    leaves, spec = pytree.tree_flatten((call.args, call.kwargs))
    places = [place for place, leaf in enumerate(leaves) if type(leaf) is float]
    numbers = list(_NUMBERS)
    Random(key_of(call)).shuffle(numbers)
    for number in numbers if places else ():
        new = [number if place in places else leaf for place, leaf in enumerate(leaves)]
        args, kwargs = pytree.tree_unflatten(new, spec)
        yield replace(call, args=args, kwargs=kwargs)


def _shape(tensor: torch.Tensor, size: int, factor: int) -> torch.Size:
    return torch.Size(each * factor if each == size else each for each in tensor.shape)


def _filled(tensor: torch.Tensor, shape: torch.Size, random: Random) -> torch.Tensor:
    """A tensor of a larger shape, whose first elements are those of a tensor.

    The others are drawn from them, so that indices stay valid; floats are a little nearer to zero.
    """
    if shape == tensor.shape or not tensor.numel():
        return own_copy(tensor)
    generator = torch.Generator().manual_seed(random.getrandbits(32))
    places = torch.randint(tensor.numel(), shape, generator=generator)
    found = tensor.flatten()[places]
    if found.is_floating_point() or found.is_complex():
        found *= 1 - torch.rand(shape, generator=generator, dtype=torch.float32).to(found.dtype) / 8
    found[tuple(map(slice, tensor.shape))] = tensor
    if _is_sorted(tensor):
        found = found.sort(-1).values
    if tensor.is_contiguous():
        return found
    dims = tuple(reversed(range(found.dim())))
    return found.permute(dims).contiguous().permute(dims)


def _is_sorted(tensor: torch.Tensor) -> bool:
    """Whether the elements of each row ascend, as those of boundaries and offsets."""
    if tensor.is_complex() or tensor.dim() == 0 or tensor.shape[-1] < 2:
        return False
    return bool((tensor[..., :-1] <= tensor[..., 1:]).all())


def is_accepted(call: ValueCall) -> bool:
    """Whether eager mode runs the call, on copies of its tensors, and its result is not huge."""
    args, kwargs = call.with_tensors(list(map(own_copy, call.tensors)))
    try:
        results = overload_of(call.operator)(*args, **kwargs)
    except REJECTIONS:
        return False
    leaves = pytree.tree_leaves(results)
    tensors = [each for each in leaves if isinstance(each, torch.Tensor)]
    return sum(each.numel() for each in tensors) <= _MOST_ELEMENTS_OF_RESULTS


def has_same_numbers(call: ValueCall, other: ValueCall) -> bool:
    """Whether calls differ in their tensors only."""
    one, two = ([*map(_number, _leaves(each))] for each in (call, other))
    return one == two


def _leaves(call: ValueCall) -> list[Any]:
    return pytree.tree_leaves((call.args, call.kwargs))


def _number(leaf: Any) -> Any:
    return None if isinstance(leaf, torch.Tensor) else leaf


VARIATIONS: dict[str, Callable[[ValueCall], Iterator[ValueCall]]] = {
    LARGER: larger,
    NUMBERS: other_numbers,
}
