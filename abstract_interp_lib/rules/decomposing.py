"""Parts that decomposition functions share."""

from typing import List, Optional, Union

import torch
from torch_refine.abstract_interp_lib.rules.promotion import (
    dtype_of_number,
    greatest_float,
    greatest_integer,
    int_to_float,
    is_complex,
    is_float8,
    is_integral,
    is_representable,
    is_unsigned,
    promote_dtypes,
)
from torch_refine.abstract_interp_lib.rules.unknown import is_known


def in_dtype(self: torch.Tensor, dtype: int) -> torch.Tensor:
    """A tensor with its elements converted."""
    return self if self.dtype == dtype else torch.ops.aten.to(self, dtype)


def element(number: Union[int, float, complex], dtype: int) -> torch.Tensor:
    """A scalar in the dtype that operands promote to, as a tensor; integers wrap around."""
    if dtype in [torch.uint8, torch.int8, torch.int16, torch.int32]:
        return in_dtype(torch.full([], int(number), dtype=torch.int64), dtype)
    return torch.full([], number, dtype=dtype)


def has_bytes(self: torch.Tensor) -> bool:
    """Whether elements are integers of 8 bits."""
    return self.dtype == torch.uint8 or self.dtype == torch.int8


def asserted(values: torch.Tensor, is_right: torch.Tensor, message: str) -> torch.Tensor:
    """A tensor, if all of another are true; else the program raises."""
    if is_complex(values.dtype):
        return torch.view_as_complex(asserted_parts(torch.view_as_real(values), is_right, message))
    return asserted_parts(values, is_right, message)


def asserted_parts(values: torch.Tensor, is_right: torch.Tensor, message: str) -> torch.Tensor:
    """The same for a tensor of real elements."""
    return torch.ops.aten._functional_assert_async(torch.all(is_right), message, values)


def may_be_element(number: Union[int, float, complex], dtype: int) -> bool:
    """Whether a dtype has a number; true for floats that are not known when programs are compiled,
    whose kernels would compare them.
    """
    if dtype_of_number(number) == torch.complex128:
        return True
    is_negative = float(number) < 0.0
    if not is_integral(dtype) and not is_known(int(is_negative)):
        return True
    return is_representable(number, dtype)


def as_element(value: torch.Tensor, dtype: int) -> torch.Tensor:
    """A value in a dtype that has it; else the program raises, as when a scalar is cast to it."""
    found = in_dtype(value, dtype)
    given = value.dtype
    whole = float(greatest_integer(dtype))
    most = whole if whole > 0.0 else greatest_float(dtype)
    largest = float(greatest_integer(given)) if is_integral(given) else greatest_float(given)
    is_narrow = largest > 0.0 and largest <= most and (is_integral(given) or whole == 0.0)
    is_whole = dtype == torch.int64 and is_integral(given)
    if given == dtype or given == torch.bool or most == 0.0 or is_narrow or is_whole:
        return found
    if is_complex(given) or is_complex(dtype):
        return found
    number = in_dtype(value, torch.float64)
    if whole > 0.0:
        # Of unsigned dtypes, a negative integer wraps around.
        lowest = -most if is_integral(given) else 0.0
        least = lowest if is_unsigned(dtype) else -most - 1.0
        is_right = torch.logical_and(torch.ge(number, least), torch.le(number, most))
    else:
        size = torch.abs(number)
        is_finite = torch.lt(size, float("inf"))
        is_right = torch.logical_not(torch.logical_and(is_finite, torch.gt(size, most)))
    return asserted(found, is_right, "a number must be representable in the dtype")


def of_sizes(self: torch.Tensor, sizes: List[int]) -> torch.Tensor:
    """A tensor that has these sizes; else the program raises.

    PyTorch's kernels compare them, or read as many elements as another operand has.
    """
    for dim in range(self.dim()):
        given = torch.full([1], self.size(dim), dtype=torch.int64)
        self = asserted(self, torch.eq(given, sizes[dim]), "operands have other sizes")
    return self


def as_row(self: torch.Tensor) -> torch.Tensor:
    """A tensor; one of rank 0 as a row of one element."""
    return torch.reshape(self, [1]) if self.dim() == 0 else self


def ordered_row(self: torch.Tensor) -> torch.Tensor:
    """Unsigned integers and bools in a dtype whose order is theirs, for a row at least."""
    is_other = self.dtype == torch.uint8 or self.dtype == torch.bool
    return as_row(in_dtype(self, torch.int32) if is_other else self)


def of_row(row: torch.Tensor, like: torch.Tensor) -> torch.Tensor:
    """A result for a row, of the rank that a tensor has, or had."""
    return torch.reshape(row, []) if like.dim() == 0 else row


def is_ordered_otherwise(self: torch.Tensor) -> bool:
    """Whether elements are ordered in another form."""
    return self.dim() == 0 or self.dtype == torch.uint8 or self.dtype == torch.bool


def computation_dtype(dtype: int) -> int:
    """The dtype that PyTorch's CPU kernels compute a result in, which is rounded once."""
    if dtype == torch.float16 or dtype == torch.bfloat16 or is_float8(dtype):
        return torch.float32
    return int_to_float(dtype)


def computed_in(self: torch.Tensor, dtype: int) -> torch.Tensor:
    """A tensor in a dtype, which rounds it, as kernels of this dtype compute with it."""
    return in_dtype(in_dtype(self, dtype), computation_dtype(dtype))


def in_pieces(self: torch.Tensor, sections: int, dim: int) -> List[torch.Tensor]:
    """A tensor in pieces, the first of which are longer by one where the size is no multiple."""
    size = self.size(dim)
    parts: List[torch.Tensor] = []
    for index in range(sections):
        start = index * (size // sections) + min(index, size % sections)
        end = (index + 1) * (size // sections) + min(index + 1, size % sections)
        parts.append(torch.ops.aten.slice(self, dim, start, end, 1))
    return parts


def between(self: torch.Tensor, indices: List[int], dim: int) -> List[torch.Tensor]:
    """The pieces of a tensor between indices."""
    parts: List[torch.Tensor] = []
    start = 0
    for end in indices:
        parts.append(torch.ops.aten.slice(self, dim, start, end, 1))
        start = end
    parts.append(torch.ops.aten.slice(self, dim, start, self.size(dim), 1))
    return parts


def along(index: torch.Tensor, source: torch.Tensor, dim: int) -> torch.Tensor:
    """Indices of a dimension, repeated in the others of `source`."""
    shape: List[int] = []
    for _ in range(source.dim()):
        shape.append(1)
    shape[dim] = index.numel()
    return torch.reshape(in_dtype(index, torch.int64), shape).expand(source.size())


def filled(self: torch.Tensor, dim: int, index: torch.Tensor) -> torch.Tensor:
    """The indices that `index_fill` writes; negative ones count from the end."""
    shape: List[int] = []
    sizes: List[int] = []
    for size in self.size():
        shape.append(1)
        sizes.append(size)
    shape[dim] = index.numel()
    sizes[dim] = index.numel()
    index = in_dtype(index, torch.int64)
    index = torch.where(torch.lt(index, 0), torch.add(index, self.size(dim)), index)
    return torch.reshape(index, shape).expand(sizes)


def first_places(self: torch.Tensor, extremes: torch.Tensor, dim: int) -> torch.Tensor:
    """The first index of the extreme of each row, or of a NaN; the dimension has size 1 then.

    Two reductions, of values and of places, are computed with vectors; one of pairs is not.
    """
    found = torch.eq(self, extremes)
    if not is_integral(self.dtype):
        found = torch.logical_or(found, torch.ne(self, self))
    size = self.size(dim)
    shape: List[int] = []
    for _ in range(self.dim()):
        shape.append(1)
    shape[dim] = size
    places = torch.reshape(torch.arange(size, dtype=torch.int64), shape)
    behind = torch.full([1], size, dtype=torch.int64)
    return torch.amin(torch.where(found, places, behind), [dim], True)


def places_of_extremes(self: torch.Tensor, dim: int, keepdim: bool, largest: bool) -> torch.Tensor:
    """The first indices of the extremes of a dimension."""
    found = torch.max(self, dim, True) if largest else torch.min(self, dim, True)
    if self.dtype == torch.uint8 or self.dtype == torch.bool:
        return found.indices if keepdim else torch.squeeze(found.indices, dim)
    places = first_places(self, found.values, dim)
    return places if keepdim else torch.squeeze(places, dim)


def extreme_place(
    self: torch.Tensor, dim: Optional[int], keepdim: bool, largest: bool
) -> torch.Tensor:
    """The indices of the extremes of a dimension, or of all elements."""
    if self.dim() == 0:
        return torch.zeros_like(self, dtype=torch.int64)
    if dim is not None:
        return places_of_extremes(self, dim, keepdim, largest)
    flat = torch.reshape(self, [self.numel()])
    place = places_of_extremes(flat, 0, False, largest)
    if not keepdim:
        return place
    shape: List[int] = []
    for _ in range(self.dim()):
        shape.append(1)
    return torch.reshape(place, shape)


def without_dims(self: torch.Tensor, dims: List[int]) -> torch.Tensor:
    """A tensor without these dimensions, of size 1; all of them if there are none."""
    rank = self.dim()
    gone: List[int] = []
    for dim in dims:
        gone.append(dim + rank if dim < 0 else dim)
    shape: List[int] = []
    for dim in range(rank):
        if len(dims) > 0 and dim not in gone:
            shape.append(self.size(dim))
    return torch.reshape(self, shape)


def swapped(self: torch.Tensor) -> torch.Tensor:
    """A matrix, transposed; a scalar remains one."""
    return self if self.dim() == 0 else torch.transpose(self, -2, -1)


def crossed(left: torch.Tensor, right: torch.Tensor, dim: int) -> torch.Tensor:
    """The cross product of vectors along a dimension of size 3."""
    parts: List[torch.Tensor] = []
    for index in range(3):
        one, two = (index + 1) % 3, (index + 2) % 3
        first = torch.mul(
            torch.ops.aten.slice(left, dim, one, one + 1, 1),
            torch.ops.aten.slice(right, dim, two, two + 1, 1),
        )
        second = torch.mul(
            torch.ops.aten.slice(left, dim, two, two + 1, 1),
            torch.ops.aten.slice(right, dim, one, one + 1, 1),
        )
        parts.append(torch.sub(first, second))
    return torch.cat(parts, dim)


def reduced(loss: torch.Tensor, reduction: int) -> torch.Tensor:
    """A loss by the number of its reduction: none, mean, sum."""
    if reduction == 1:
        return torch.mean(loss)
    return torch.sum(loss) if reduction == 2 else loss


def promoted_dtype(self: torch.Tensor, other: torch.Tensor) -> int:
    """The dtype that two operands promote to."""
    ranks: List[Optional[int]] = [self.dim(), other.dim()]
    return promote_dtypes(ranks, [self.dtype, other.dtype])


def convolved(
    input: torch.Tensor,
    weight: torch.Tensor,
    bias: Optional[torch.Tensor],
    stride: List[int],
    padding: List[int],
    dilation: List[int],
    transposed: bool,
    output_padding: List[int],
    groups: int,
) -> torch.Tensor:
    """A convolution of a batch, or of a single sample."""
    assert not is_complex(input.dtype), "the kernels take real numbers"
    count = weight.dim() - 2
    single = input.dim() == count + 1
    batch = torch.unsqueeze(input, 0) if single else input
    found = torch.convolution(
        batch,
        weight,
        bias,
        repeated(stride, count),
        repeated(padding, count),
        repeated(dilation, count),
        transposed,
        repeated(output_padding, count),
        groups,
    )
    return torch.squeeze(found, 0) if single else found


def repeated(values: List[int], count: int) -> List[int]:
    """One value per dimension, from these or from a single one."""
    if len(values) == count:
        return values
    out: List[int] = []
    for _ in range(count):
        out.append(values[0])
    return out


def in_slices(self: torch.Tensor, size: int, dim: int) -> List[torch.Tensor]:
    """Slices of a size, and one with what remains; one of a dimension without elements."""
    whole = self.size(dim)
    parts: List[torch.Tensor] = []
    if whole == 0:
        parts.append(self)
        return parts
    for index in range((whole + size - 1) // size):
        end = min((index + 1) * size, whole)
        parts.append(torch.ops.aten.slice(self, dim, index * size, end, 1))
    return parts


def sign_of(self: torch.Tensor) -> torch.Tensor:
    """1 for positive numbers, -1 for negative ones, 0 for others."""
    if self.dtype == torch.bool:
        return self
    positive = in_dtype(torch.gt(self, 0), self.dtype)
    return torch.sub(positive, in_dtype(torch.lt(self, 0), self.dtype))
