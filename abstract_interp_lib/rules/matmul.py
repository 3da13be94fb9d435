"""Products of matrices, of batches of them, and of a matrix and a vector."""

from typing import List


def matrix_product(left: List[int], right: List[int]) -> List[int]:
    """The shape of the product of two matrices."""
    assert len(left) == 2, f"the first factor must be a matrix, got shape {left}"
    assert len(right) == 2, f"the second factor must be a matrix, got shape {right}"
    assert left[1] == right[0], f"inner dimensions must match, got {left[1]} and {right[0]}"
    return [left[0], right[1]]


def batched_product(left: List[int], right: List[int]) -> List[int]:
    """The shape of one product of matrices per batch entry."""
    assert len(left) == 3, f"the first factor must be a batch of matrices, got shape {left}"
    assert len(right) == 3, f"the second factor must be a batch of matrices, got shape {right}"
    assert left[0] == right[0], f"batch sizes must match, got {left[0]} and {right[0]}"
    assert left[2] == right[1], f"inner dimensions must match, got {left[2]} and {right[1]}"
    return [left[0], left[1], right[2]]


def matrix_vector_product(mat: List[int], vec: List[int]) -> List[int]:
    """The shape of the product of a matrix and a vector."""
    assert len(mat) == 2, f"the first factor must be a matrix, got shape {mat}"
    assert len(vec) == 1, f"the second factor must be a vector, got shape {vec}"
    assert mat[1] == vec[0], f"inner dimensions must match, got {mat[1]} and {vec[0]}"
    return [mat[0]]
