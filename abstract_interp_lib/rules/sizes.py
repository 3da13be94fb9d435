"""Sizes: how many elements, what -1 stands for in a view, how long a slice is."""

from typing import List, Optional


def product(sizes: List[int]) -> int:
    """The number of elements of a shape."""
    elements = 1
    for size in sizes:
        elements = elements * size
    return elements


def ceil_divide(left: int, right: int) -> int:
    """`left / right`, rounded up; `left` is not negative and `right` is positive."""
    return (left + right - 1) // right


def view_sizes(self: List[int], size: List[int]) -> List[int]:
    """`size`, where one entry may be -1 and stands for what is left of the elements of `self`."""
    missing = 0
    for entry in size:
        assert entry >= -1, f"a size cannot be negative, apart from one -1, got {size}"
        if entry == -1:
            missing = missing + 1
    assert missing <= 1, f"only one size can be -1, got {size}"
    if missing == 0:
        assert product(self) == product(size), f"shape {self} cannot be viewed as {size}"
        return size
    else:
        return put_for_missing(size, missing_size(self, size))


def missing_size(self: List[int], size: List[int]) -> int:
    """The elements of `self` over the product of the entries of `size` other than -1.

    Sizes that are equal at the same position are left out of both, so that unknown ones cancel:
    `[n, 3, 4]` viewed as `[n, -1]` gives 12 whatever `n` is.
    """
    elements = product(self[len(size) :])
    others = 1
    for index in range(len(size)):
        wanted = size[index]
        assert wanted != 0, f"-1 could be anything beside a size of 0, got {size}"
        given = 1
        if index < len(self):
            given = self[index]
        if wanted == -1:
            elements = elements * given
        elif wanted != given:
            elements = elements * given
            others = others * wanted
    assert elements % others == 0, f"shape {self} cannot be viewed as {size}"
    return elements // others


def put_for_missing(size: List[int], missing: int) -> List[int]:
    """`size` with `missing` in the place of -1."""
    out: List[int] = []
    for entry in size:
        if entry == -1:
            entry = missing
        out.append(entry)
    return out


def expand_size(given: int, wanted: int) -> int:
    """What one size expands to; a `wanted` of -1 keeps it."""
    if wanted == -1:
        return given
    else:
        assert wanted >= 0, f"a size cannot be negative, apart from -1, got {wanted}"
        assert given == 1 or given == wanted, (
            f"a dimension of size {given} cannot expand to {wanted}"
        )
        return wanted


def expand_sizes(self: List[int], size: List[int]) -> List[int]:
    """`size`, where -1 stands for the size that `self` has there; dimensions align at the end."""
    new = len(size) - len(self)
    assert new >= 0, f"shape {self} cannot expand to the fewer dimensions of {size}"
    for entry in size[:new]:
        assert entry >= 0, f"a new dimension needs a size that is not negative, got {size}"
    out = size[:new]
    for index in range(len(self)):
        out.append(expand_size(self[index], size[new + index]))
    return out


def clamp_bound(bound: int, size: int) -> int:
    """A bound of a slice as an index from 0 to `size`; negative ones count from the end."""
    if bound < 0:
        return max(bound + size, 0)
    else:
        return min(bound, size)


def slice_length(size: int, start: Optional[int], end: Optional[int], step: int) -> int:
    """How many entries a slice takes of a dimension of `size`.

    A bound that is left out, or an end of the greatest int, does not go through `min` and `max`,
    so that a slice of everything has exactly the size that it is taken from.
    """
    assert step > 0, f"the step of a slice must be positive, got {step}"
    first = 0
    if start is not None and start != 0:
        first = clamp_bound(start, size)
    last = size
    if end is not None and end < 9223372036854775807:
        last = clamp_bound(end, size)
    length = last
    if first != 0:
        length = max(last - first, 0)
    if step != 1:
        length = ceil_divide(length, step)
    return length


def insert_size(sizes: List[int], dim: int, size: int) -> List[int]:
    """`sizes` with one more, which stands at `dim` of the result."""
    out = sizes[:dim]
    out.append(size)
    return out + sizes[dim:]


def append_size(sizes: List[int], size: int) -> List[int]:
    """`sizes` with one more at the end."""
    return insert_size(sizes, len(sizes), size)


def replace_size(sizes: List[int], dim: int, size: int) -> List[int]:
    """`sizes` with another size at `dim`, which counts from the front."""
    out = sizes[:dim]
    out.append(size)
    return out + sizes[dim + 1 :]


def remove_size(sizes: List[int], dim: int) -> List[int]:
    """`sizes` without the dimension `dim`, which counts from the front."""
    return sizes[:dim] + sizes[dim + 1 :]


def wrap_existing(dim: int, rank: int) -> int:
    """`dim` counted from the front, for operators that take no zero-dim tensor."""
    assert rank > 0, f"a zero-dim tensor has no dimension {dim}"
    assert -rank <= dim and dim < rank, f"dimension {dim} is out of range for rank {rank}"
    return dim % rank
