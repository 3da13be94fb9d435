"""Broadcasting, as in the PyTorch document "Broadcasting semantics"."""

from typing import List


def broadcast_two(left: List[int], right: List[int]) -> List[int]:
    """The broadcast shape of two shapes; dimensions are aligned from the last one."""
    rank = max(len(left), len(right))
    out: List[int] = []
    for index in range(rank):
        left_index = index - rank + len(left)
        right_index = index - rank + len(right)
        size = 1
        if left_index >= 0:
            size = left[left_index]
        if right_index >= 0:
            other = right[right_index]
            if size == 1:
                size = other
            else:
                assert other == 1 or other == size, (
                    f"shapes {left} and {right} do not broadcast: "
                    f"{size} and {other} differ and neither is 1"
                )
        out.append(size)
    return out


def broadcast_three(first: List[int], second: List[int], third: List[int]) -> List[int]:
    """The broadcast shape of three shapes."""
    return broadcast_two(broadcast_two(first, second), third)
