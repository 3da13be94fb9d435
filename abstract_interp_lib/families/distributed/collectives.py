"""Collectives: every process of a group makes the same call, and the group exchanges tensors.

These are the functional collectives that PyTorch traces. Process groups are names in programs, so
the size of the group is known only to operators that take it. Shapes follow the meta kernels of
`torch/distributed/_functional_collectives.py`; what a group rejects follows
`torch/csrc/distributed/c10d/Functional.cpp` and the checks that all backends share.
"""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.rules.foreach import check_some
from torch_refine.abstract_interp_lib.rules.made_cases import process_group
from torch_refine.abstract_interp_lib.rules.sizes import product

_TWO, _THREE = process_group(2), process_group(3)
_DTYPES = (torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.uint8, torch.bool)


def check_reduction(reduce_op: str) -> None:
    """Raise for the name of an unknown reduction; names are in lower case."""
    assert reduce_op in ["sum", "avg", "product", "min", "max", "band", "bor", "bxor"], (
        f"there is no reduction {reduce_op}"
    )


def check_group(group_size: int) -> None:
    """Raise for a group without processes."""
    assert group_size >= 1, f"a group has at least one process, got group_size {group_size}"


def with_rows(input: List[int], rows: int) -> List[int]:
    """The shape with another size of dimension 0."""
    out = input[:]
    out[0] = rows
    return out


def dtype_of_input(input: Tuple[int, int]) -> int:
    """The result has the dtype of `input`."""
    return input[1]


def dtype_of_inputs(inputs: List[Tuple[int, int]]) -> List[int]:
    """Every tensor keeps its dtype."""
    return [each[1] for each in inputs]


# Every process gets the reduction of the tensors of all.
def reduced(input: List[int], reduce_op: str) -> List[int]:
    """The shape of the tensor, which is that of every process."""
    check_reduction(reduce_op)
    return input


def reduced_each(inputs: List[List[int]], reduce_op: str) -> List[List[int]]:
    """Every tensor keeps its shape."""
    check_some(len(inputs))
    check_reduction(reduce_op)
    return [each for each in inputs]


shape_family(
    reduced,
    "_c10d_functional::all_reduce",
    "_c10d_functional::all_reduce_",
    ok=[
        *[
            Invocation(T(2, 3, dtype=torch.int64), name, _TWO, device="cpu")
            for name in ("sum", "avg", "product", "min", "max", "band", "bor", "bxor")
        ],
        *[Invocation(T(*sizes), "sum", _TWO) for sizes in ((2, 3), (), (0, 3))],
    ],
    error=[
        Invocation(T(2, 3), "mean", _TWO, device="cpu"),
        Invocation(T(2, 3), "SUM", _TWO, device="cpu"),
    ],
)
dtype_family(
    dtype_of_input,
    "_c10d_functional::all_reduce",
    "_c10d_functional::all_reduce_",
    ok=[Invocation(T(2, dtype=dtype), "max", _TWO) for dtype in _DTYPES],
)
shape_family(
    reduced_each,
    "_c10d_functional::all_reduce_coalesced",
    "_c10d_functional::all_reduce_coalesced_",
    ok=[
        Invocation([T(2, 3), T(), T(0)], "sum", _TWO),
        Invocation([T(2, 3), T(4)], "min", _TWO, device="cpu"),
    ],
    error=[
        Invocation([], "sum", _TWO),
        Invocation([T(2, 3)], "mean", _TWO, device="cpu"),
    ],
)
dtype_family(
    dtype_of_inputs,
    "_c10d_functional::all_reduce_coalesced",
    "_c10d_functional::all_reduce_coalesced_",
    ok=[Invocation([T(2, dtype=dtype), T(2)], "sum", _TWO) for dtype in _DTYPES],
)


# Every process gets the tensors of all, joined at dimension 0.
def gathered_sizes(input: List[int], group_size: int) -> List[int]:
    """Dimension 0 is as long as those of all processes; of numbers, it is a vector of them."""
    if len(input) == 0:
        return [group_size]
    else:
        return with_rows(input, input[0] * group_size)


def gathered(input: List[int], group_size: int) -> List[int]:
    """The tensors of all processes."""
    check_group(group_size)
    return gathered_sizes(input, group_size)


def gathered_each(inputs: List[List[int]], group_size: int) -> List[List[int]]:
    """Each tensor is gathered alone."""
    check_some(len(inputs))
    check_group(group_size)
    return [gathered_sizes(each, group_size) for each in inputs]


def gathered_out(input: List[int], group_size: int, out: List[int]) -> List[int]:
    """The tensors of all processes, written to `out`, whose shape some backends do not check."""
    check_group(group_size)
    needed = product(input) * group_size
    assert product(out) == needed, f"out must have {needed} elements, got shape {out}"
    return out


def out_dtype(out: Tuple[int, int]) -> int:
    """The dtype of `out`."""
    return out[1]


shape_family(
    gathered,
    "_c10d_functional::all_gather_into_tensor",
    "_c10d_functional_autograd::all_gather_into_tensor",
    ok=[
        Invocation(T(2, 3), 2, _TWO),
        Invocation(T(2, 3), 3, _THREE, device="cpu"),
        Invocation(T(2, 3), 1, process_group(1), device="cpu"),
        Invocation(T(), 3, _THREE),
        Invocation(T(0, 3), 2, _TWO),
        Invocation(T(5), 2, _TWO),
    ],
    error=[
        Invocation(T(2, 3), -1, _TWO),
        Invocation(T(2, 3), 0, _TWO, device="cpu"),
    ],
)
dtype_family(
    dtype_of_input,
    "_c10d_functional::all_gather_into_tensor",
    "_c10d_functional_autograd::all_gather_into_tensor",
    ok=[Invocation(T(2, dtype=dtype), 2, _TWO) for dtype in _DTYPES],
)
shape_family(
    gathered_each,
    "_c10d_functional::all_gather_into_tensor_coalesced",
    ok=[
        Invocation([T(2, 3), T(), T(0)], 3, _THREE),
        Invocation([T(2, 3), T(4)], 2, _TWO, device="cpu"),
    ],
    error=[
        Invocation([], 2, _TWO),
        Invocation([T(2, 3)], -1, _TWO),
    ],
)
dtype_family(
    dtype_of_inputs,
    "_c10d_functional::all_gather_into_tensor_coalesced",
    ok=[Invocation([T(2, dtype=dtype), T(2)], 2, _TWO) for dtype in _DTYPES],
)
shape_family(
    gathered_out,
    "_c10d_functional::all_gather_into_tensor_out",
    ok=[
        Invocation(T(2, 3), 2, _TWO, out=T(4, 3), device="cpu"),
        Invocation(T(2, 3), 3, _THREE, out=T(6, 3)),
        Invocation(T(0, 3), 2, _TWO, out=T(0, 3)),
    ],
    error=[
        Invocation(T(2, 3), 2, _TWO, out=T(5, 3), device="cpu"),
        Invocation(T(2, 3), -1, _TWO, out=T(2, 3)),
    ],
)
dtype_family(
    out_dtype,
    "_c10d_functional::all_gather_into_tensor_out",
    ok=[
        Invocation(T(2, dtype=dtype), 2, _TWO, out=T(4, dtype=dtype), device="cpu")
        for dtype in _DTYPES
    ],
)


# Every process gets its part, along dimension 0, of the reduction of the tensors of all.
def scattered_sizes(input: List[int], group_size: int) -> List[int]:
    """Dimension 0 is divided among the processes."""
    assert len(input) > 0, f"input must have at least one dimension, got shape {input}"
    assert input[0] % group_size == 0, (
        f"dimension 0 must be divisible by the size of the group, got {input[0]} and {group_size}"
    )
    return with_rows(input, input[0] // group_size)


def scattered(input: List[int], reduce_op: str, group_size: int) -> List[int]:
    """One part of the tensor."""
    check_reduction(reduce_op)
    check_group(group_size)
    return scattered_sizes(input, group_size)


def scattered_each(inputs: List[List[int]], reduce_op: str, group_size: int) -> List[List[int]]:
    """One part of each tensor."""
    check_some(len(inputs))
    check_reduction(reduce_op)
    check_group(group_size)
    return [scattered_sizes(each, group_size) for each in inputs]


def scattered_out(input: List[int], reduce_op: str, group_size: int, out: List[int]) -> List[int]:
    """One part of the tensor, written to `out`, whose shape some backends do not check."""
    check_reduction(reduce_op)
    check_group(group_size)
    given = product(input)
    needed = product(out) * group_size
    assert given == needed, (
        f"out must have the elements of input divided by the size of the group, got "
        f"{input}, {out} and {group_size}"
    )
    return out


shape_family(
    scattered,
    "_c10d_functional::reduce_scatter_tensor",
    "_c10d_functional_autograd::reduce_scatter_tensor",
    ok=[
        Invocation(T(4, 3), "sum", 2, _TWO, device="cpu"),
        Invocation(T(6, 3), "avg", 3, _THREE),
        Invocation(T(5), "sum", 1, process_group(1), device="cpu"),
        Invocation(T(0, 3), "sum", 2, _TWO),
    ],
    error=[
        Invocation(T(4, 3), "mean", 2, _TWO, device="cpu"),
        Invocation(T(5, 3), "sum", 2, _TWO, device="cpu"),
        # The CPU kernels of these two end the process.
        Invocation(T(), "sum", 2, _TWO),
        Invocation(T(4, 3), "sum", 0, _TWO),
    ],
)
dtype_family(
    dtype_of_input,
    "_c10d_functional::reduce_scatter_tensor",
    "_c10d_functional_autograd::reduce_scatter_tensor",
    ok=[Invocation(T(2, dtype=dtype), "max", 2, _TWO) for dtype in _DTYPES],
)
shape_family(
    scattered_each,
    "_c10d_functional::reduce_scatter_tensor_coalesced",
    ok=[
        Invocation([T(4, 3), T(2)], "sum", 2, _TWO, device="cpu"),
        Invocation([T(6, 3), T(0)], "sum", 3, _THREE),
    ],
    error=[
        Invocation([], "sum", 2, _TWO),
        Invocation([T(4, 3)], "mean", 2, _TWO, device="cpu"),
        Invocation([T(4), T(5, 3)], "sum", 2, _TWO, device="cpu"),
        Invocation([T(4), T()], "sum", 2, _TWO),
        Invocation([T(4, 3)], "sum", 0, _TWO),
    ],
)
dtype_family(
    dtype_of_inputs,
    "_c10d_functional::reduce_scatter_tensor_coalesced",
    ok=[Invocation([T(2, dtype=dtype), T(2)], "sum", 2, _TWO) for dtype in _DTYPES],
)
shape_family(
    scattered_out,
    "_c10d_functional::reduce_scatter_tensor_out",
    ok=[
        Invocation(T(4, 3), "sum", 2, _TWO, out=T(2, 3), device="cpu"),
        Invocation(T(6, 3), "sum", 3, _THREE, out=T(2, 3)),
    ],
    error=[
        Invocation(T(4, 3), "mean", 2, _TWO, out=T(2, 3), device="cpu"),
        Invocation(T(4, 3), "sum", 2, _TWO, out=T(5, 3), device="cpu"),
        Invocation(T(4, 3), "sum", 0, _TWO, out=T(2, 3)),
    ],
)
dtype_family(
    out_dtype,
    "_c10d_functional::reduce_scatter_tensor_out",
    ok=[
        Invocation(T(4, dtype=dtype), "max", 2, _TWO, out=T(2, dtype=dtype), device="cpu")
        for dtype in _DTYPES
    ],
)


# Every process sends a part of its tensor to each, and gets one of each.
def exchanged(
    input: List[int], output_split_sizes: List[int], input_split_sizes: List[int]
) -> List[int]:
    """Dimension 0 is as long as the received parts together.

    The number of parts is the size of the group, which only the group itself knows.
    """
    assert len(input) > 0, f"input must have at least one dimension, got shape {input}"
    rows = 0
    for size in output_split_sizes:
        assert size >= 0, f"sizes must not be negative, got {output_split_sizes}"
        rows = rows + size
    if len(input_split_sizes) > 0:
        sent = 0
        for size in input_split_sizes:
            sent = sent + size
        assert sent == input[0], (
            f"input_split_sizes must sum to the size of dimension 0, got {sent} and {input[0]}"
        )
        if len(output_split_sizes) > 0:
            assert len(output_split_sizes) == len(input_split_sizes), (
                f"there is a size for each process, got {len(output_split_sizes)} of output and "
                f"{len(input_split_sizes)} of input"
            )
    return with_rows(input, rows)


shape_family(
    exchanged,
    "_c10d_functional::all_to_all_single",
    "_c10d_functional_autograd::all_to_all_single",
    ok=[
        Invocation(T(4, 3), [1, 2], [2, 2], _TWO, device="cpu"),
        Invocation(T(4, 3), [0, 3], [4, 0], _TWO),
        Invocation(T(6), [2, 2, 2], [1, 2, 3], _THREE),
        Invocation(T(0, 3), [0, 0], [0, 0], _TWO),
    ],
    error=[
        Invocation(T(), [1, 2], [2, 2], _TWO),
        Invocation(T(4, 3), [4, -1], [2, 2], _TWO),
        Invocation(T(4, 3), [1, 2], [2, 1], _TWO, device="cpu"),
        Invocation(T(4, 3), [1, 2, 1], [2, 2], _TWO, device="cpu"),
    ],
)
dtype_family(
    dtype_of_input,
    "_c10d_functional::all_to_all_single",
    "_c10d_functional_autograd::all_to_all_single",
    ok=[Invocation(T(2, dtype=dtype), [1, 1], [1, 1], _TWO) for dtype in _DTYPES],
)


# Every process gets the tensor of one.
def same_as_input(input: List[int]) -> List[int]:
    """The result has the shape of `input`."""
    return input


_BROADCASTS = [
    Invocation(T(2, 3), 0, _TWO, device="cpu"),
    *[Invocation(T(*sizes), 1, _TWO) for sizes in ((2, 3), (), (0, 3))],
]
shape_family(
    same_as_input,
    "_c10d_functional::broadcast",
    "_c10d_functional::broadcast_",
    ok=_BROADCASTS,
)
dtype_family(
    dtype_of_input,
    "_c10d_functional::broadcast",
    "_c10d_functional::broadcast_",
    ok=[Invocation(T(2, dtype=dtype), 0, _TWO) for dtype in _DTYPES],
)
