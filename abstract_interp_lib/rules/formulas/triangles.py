"""The elements of a matrix on and below a diagonal."""


def entries_up_to(diagonal: int, columns: int) -> int:
    """The numel of rows of 0, 1, 2, ... `diagonal` elements, each clamped to `columns`."""
    whole = max(min(diagonal, columns), 0)
    return whole * (whole + 1) // 2 + columns * max(diagonal - columns, 0)


def lower_entries(row: int, col: int, offset: int) -> int:
    """The number of elements of a matrix on and below the diagonal at `offset`.

    Row i has i + offset + 1 of them, clamped to the number of columns.
    """
    return entries_up_to(row + offset, col) - entries_up_to(offset, col)
