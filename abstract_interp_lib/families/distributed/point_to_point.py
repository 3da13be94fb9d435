"""Messages between two processes, and waiting for communication that was started.

The result of a communication must not be read before `wait_tensor` returns it. Shapes follow the
meta kernels of `torch/distributed/_functional_collectives.py`.
"""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    dtype_function,
    shape_family,
    shape_function,
)
from torch_refine.abstract_interp_lib.families.distributed.collectives import (
    dtype_of_input,
    same_as_input,
)
from torch_refine.abstract_interp_lib.rules.made_cases import process_group

_TWO = process_group(2)
_DTYPES = (torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.uint8, torch.bool)


def same_as_tensor(tensor: List[int]) -> List[int]:
    """The result has the shape of `tensor`."""
    return tensor


def dtype_of_tensor(tensor: Tuple[int, int]) -> int:
    """The result has the dtype of `tensor`."""
    return tensor[1]


# Waits for what was started on a tensor, and returns it.
shape_family(
    same_as_tensor,
    "_c10d_functional::wait_tensor",
    ok=[
        *[Invocation(T(*sizes)) for sizes in ((2, 3), (), (0, 3))],
        Invocation(T(2, 3), device="cpu"),
    ],
)
dtype_family(
    dtype_of_tensor,
    "_c10d_functional::wait_tensor",
    ok=[Invocation(T(2, dtype=dtype)) for dtype in _DTYPES],
)
# The wrapper of an operand that autograd follows through collectives.
shape_family(
    same_as_input,
    "_c10d_functional::_wrap_tensor_autograd",
    ok=[Invocation(T(*sizes), device="cpu") for sizes in ((2, 3), (), (0, 3))],
)
dtype_family(
    dtype_of_input,
    "_c10d_functional::_wrap_tensor_autograd",
    ok=[Invocation(T(2, dtype=dtype), device="cpu") for dtype in _DTYPES],
)


@shape_function(
    "_c10d_functional::isend",
    ok=[Invocation(T(2, 3), 1, 0, _TWO), Invocation(T(), 1, 3, _TWO, device="cpu")],
)
def isend(tensor: List[int], dst: int, tag: int, group_name: str) -> List[int]:
    """An empty tensor, to wait for."""
    return [0]


dtype_family(
    dtype_of_tensor,
    "_c10d_functional::isend",
    ok=[Invocation(T(2, dtype=dtype), 1, 0, _TWO) for dtype in _DTYPES],
)
shape_family(
    same_as_tensor,
    "_c10d_functional::irecv",
    ok=[Invocation(T(2, 3), 1, 0, _TWO), Invocation(T(), 1, 3, _TWO, device="cpu")],
)
dtype_family(
    dtype_of_tensor,
    "_c10d_functional::irecv",
    ok=[Invocation(T(2, dtype=dtype), 1, 0, _TWO) for dtype in _DTYPES],
)


@shape_function(
    "_c10d_functional::batch_p2p_ops",
    ok=[
        Invocation(["isend", "irecv"], [1, 1], [0, 0], [T(2, 3), T(4)], _TWO),
        Invocation(["irecv", "isend"], [1, 1], [0, 0], [T(2, 3), T()], _TWO, device="cpu"),
    ],
    error=[
        Invocation(["isend", "recv"], [1, 1], [0, 0], [T(2, 3), T(4)], _TWO, device="cpu"),
        Invocation(["isend", "irecv"], [1, 1], [0, 0], [T(2, 3)], _TWO, device="cpu"),
    ],
)
def batch_p2p_ops(
    op_list: List[str],
    peer_list: List[int],
    tag_list: List[int],
    tensors: List[List[int]],
    group_name: str,
) -> List[List[int]]:
    """The received tensors; for each sent one, an empty tensor to wait for."""
    assert len(op_list) == len(tensors), (
        f"lists must have the same length, got {len(op_list)} and {len(tensors)}"
    )
    out: List[List[int]] = []
    for index, tensor in enumerate(tensors):
        name = op_list[index]
        if name == "irecv":
            out.append(tensor)
        else:
            assert name == "isend", f"a message is sent by isend or irecv, got {name}"
            out.append([0])
    return out


@dtype_function(
    "_c10d_functional::batch_p2p_ops",
    ok=[
        Invocation(["isend", "irecv"], [1, 1], [0, 0], [T(2), T(2, dtype=dtype)], _TWO)
        for dtype in _DTYPES
    ],
)
def batch_p2p_ops_dtype(
    op_list: List[str],
    peer_list: List[int],
    tag_list: List[int],
    tensors: List[Tuple[int, int]],
    group_name: str,
) -> List[int]:
    """Every tensor keeps its dtype."""
    return [tensor[1] for tensor in tensors]
