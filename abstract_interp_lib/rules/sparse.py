"""Sparse tensors: what the sizes of their parts tell about the whole."""

from typing import List, Optional, Tuple

from torch_refine.abstract_interp_lib.rules.unknown import unknown_size


def compressed_size(
    compressed_indices: List[int], values: List[int], columns: bool, blocks: bool
) -> List[int]:
    """The sizes that a compressed tensor gets from its parts.

    Those of its batch, of a matrix, and of one entry. There is one more compressed index than rows,
    or columns, of which each is as long as the greatest plain index needs, which only values tell.
    """
    batch = len(compressed_indices) - 1
    assert batch >= 0, f"indices must have a dimension, got shape {compressed_indices}"
    block_rank = 2 if blocks else 0
    assert len(values) > batch + block_rank, (
        f"values must have more than {batch + block_rank} dimensions, got shape {values}"
    )
    length = max(compressed_indices[batch] - 1, 0)
    if blocks:
        length = length * values[batch + (2 if columns else 1)]
    matrix = [unknown_size(), length] if columns else [length, unknown_size()]
    return compressed_indices[:batch] + matrix + values[batch + 1 + block_rank :]


def dtype_of_values_too(values: Tuple[int, int], dtype: Optional[int]) -> int:
    """The dtype of the values, which the argument `dtype` must repeat."""
    if dtype is not None:
        assert dtype == values[1], f"dtype must be that of values, got {dtype} and {values[1]}"
    return values[1]
