"""Sizes: numel, the -1 of a view, the length of a slice."""

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
    """`size`, with one entry of -1 inferred from the numel of `self`."""
    missing = 0
    for entry in size:
        assert entry >= -1, f"sizes must not be negative except for one -1, got {size}"
        if entry == -1:
            missing = missing + 1
    assert missing <= 1, f"only one size can be -1, got {size}"
    if missing == 0:
        assert product(self) == product(size), f"shape {self} cannot be viewed as {size}"
        return size
    else:
        return put_for_missing(size, missing_size(self, size))


def missing_size(self: List[int], size: List[int]) -> int:
    """The numel of `self` divided by the product of the entries of `size` other than -1."""
    others = 1
    for entry in size:
        assert entry != 0, f"cannot infer -1 beside a size of 0, got {size}"
        if entry != -1:
            others = others * entry
    elements = product(self)
    assert elements % others == 0, f"shape {self} cannot be viewed as {size}"
    return elements // others


def put_for_missing(size: List[int], missing: int) -> List[int]:
    """`size` with -1 replaced by `missing`."""
    out: List[int] = []
    for entry in size:
        if entry == -1:
            entry = missing
        out.append(entry)
    return out


def expand_size(given: int, wanted: int) -> int:
    """The expanded size of one dimension; a `wanted` of -1 keeps it."""
    if wanted == -1:
        return given
    else:
        assert wanted >= 0, f"sizes must not be negative except for -1, got {wanted}"
        assert given == 1 or given == wanted, (
            f"a dimension of size {given} cannot expand to {wanted}"
        )
        return wanted


def expand_sizes(self: List[int], size: List[int]) -> List[int]:
    """`size`, where -1 keeps the size of `self`; dimensions are aligned from the last one."""
    new = len(size) - len(self)
    assert new >= 0, f"shape {self} cannot expand to shape {size} of lower rank"
    for entry in size[:new]:
        assert entry >= 0, f"the size of a new dimension must not be negative, got {size}"
    out = size[:new]
    for index in range(len(self)):
        out.append(expand_size(self[index], size[new + index]))
    return out


def clamp_bound(bound: int, size: int) -> int:
    """A slice bound clamped to 0..`size`; negative bounds count from the end."""
    if bound < 0:
        return max(bound + size, 0)
    else:
        return min(bound, size)


def slice_length(size: int, start: Optional[int], end: Optional[int], step: int) -> int:
    """The length of a slice of a dimension of `size`.

    An omitted bound, or an end of INT64_MAX, skips `min` and `max`, so that a full slice has
    exactly the size of the dimension.
    """
    assert step > 0, f"slice step must be positive, got {step}"
    first = 0
    if start is not None and start != 0:
        first = clamp_bound(start, size)
    last = size
    if end is not None and end < 9223372036854775807:
        last = clamp_bound(end, size)
    length = max(last - first, 0)
    if step != 1:
        length = ceil_divide(length, step)
    return length


def insert_size(sizes: List[int], dim: int, size: int) -> List[int]:
    """`sizes` with a size inserted at `dim` of the result."""
    out = sizes[:dim]
    out.append(size)
    return out + sizes[dim:]


def append_size(sizes: List[int], size: int) -> List[int]:
    """`sizes` with a size appended."""
    return insert_size(sizes, len(sizes), size)


def replace_size(sizes: List[int], dim: int, size: int) -> List[int]:
    """`sizes` with the size at `dim` replaced; `dim` is non-negative."""
    out = sizes[:dim]
    out.append(size)
    return out + sizes[dim + 1 :]


def remove_size(sizes: List[int], dim: int) -> List[int]:
    """`sizes` without the dimension `dim`, which is non-negative."""
    return sizes[:dim] + sizes[dim + 1 :]


def wrap_existing(dim: int, rank: int) -> int:
    """`dim` wrapped to be non-negative, for operators that reject 0-dim tensors."""
    assert rank > 0, f"a 0-dim tensor has no dimension {dim}"
    assert -rank <= dim and dim < rank, f"dimension {dim} is out of range for rank {rank}"
    return dim % rank
