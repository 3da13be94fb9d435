"""Reductions in the set of primitive operators: `prims::sum`, `prims::var`, ...

The dimensions are always given, and negative ones are not taken. For no dimensions the meta
kernels reduce none, and they keep the dtype of integers; the other kernels reduce all, and sum
in int64, as the operators of the same names elsewhere do.
"""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, dtype_family, shape_family
from torch_refine.abstract_interp_lib.rules.factories import dtype_or_same
from torch_refine.abstract_interp_lib.rules.prims import check_dims
from torch_refine.abstract_interp_lib.rules.reduction import (
    check_not_empty,
    remove_dims,
    sum_dtype,
    variance_dtype,
)
from torch_refine.abstract_interp_lib.rules.sizes import remove_size


def given_dims(dims: Optional[List[int]], rank: int) -> List[int]:
    """The dimensions to reduce."""
    assert dims is not None, f"the dimensions to reduce must be given, got {dims}"
    check_dims(dims, rank)
    return dims


def given_dims_or_all(dims: Optional[List[int]], rank: int) -> List[int]:
    """The dimensions to reduce, all of them for an empty list."""
    given = given_dims(dims, rank)
    if len(given) == 0:
        return [index for index in range(rank)]
    else:
        return given


def reduced(inp: List[int], dims: Optional[List[int]]) -> List[int]:
    """Reduces over the dimensions named, over all of them for an empty list."""
    return remove_dims(inp, given_dims_or_all(dims, len(inp)), False)


def reduced_to_extremum(inp: List[int], dims: Optional[List[int]]) -> List[int]:
    """Reduces over the dimensions named, or all of them, in which there must be elements."""
    given = given_dims_or_all(dims, len(inp))
    check_not_empty(inp, given)
    return remove_dims(inp, given, False)


def reduced_strictly(inp: List[int], dims: Optional[List[int]]) -> List[int]:
    """Reduces over the dimensions named, over none of them for an empty list."""
    return remove_dims(inp, given_dims(dims, len(inp)), False)


def reduced_one_by_one(inp: List[int], dims: Optional[List[int]]) -> List[int]:
    """Reduces over one dimension after the other, the last one first."""
    given = given_dims(dims, len(inp))
    out = inp
    for index in range(len(inp)):
        last = len(inp) - 1 - index
        for dim in given:
            if dim == last:
                out = remove_size(out, last)
    return out


def sum_dtype_of_inp(inp: Tuple[int, int], output_dtype: Optional[int]) -> int:
    """The dtype asked for; without one, that of `inp`, or int64 for integers and bool."""
    return sum_dtype(inp, output_dtype)


def product_dtype_of_inp(
    inp: Tuple[int, int], dims: Optional[List[int]], output_dtype: Optional[int]
) -> int:
    """As for sums, but a product over no dimension is a copy."""
    if len(given_dims(dims, inp[0])) == 0:
        return dtype_or_same(inp, output_dtype)
    else:
        return sum_dtype(inp, output_dtype)


def same_dtype_of_inp(inp: Tuple[int, int], output_dtype: Optional[int]) -> int:
    """The dtype asked for; without one, that of `inp`."""
    return dtype_or_same(inp, output_dtype)


def variance_dtype_of_inp(inp: Tuple[int, int], output_dtype: Optional[int]) -> int:
    """The dtype of the real part of `inp`; no kernel takes another."""
    assert output_dtype is None, f"the dtype cannot be chosen, got {output_dtype}"
    return variance_dtype(inp)


_SHAPES = [
    Invocation(T(2, 3), [0]),
    Invocation(T(2, 3, 4), [2, 0]),
    Invocation(T(2, 3), [0, 1]),
    Invocation(T(0, 3), [1]),
    Invocation(T(), [0]),
    Invocation(T(), []),
]
_ALL = [Invocation(T(2, 3), [], device="cpu")]
_EMPTY = [Invocation(T(0, 3), [0])]
_WRONG_DIMS = [
    Invocation(T(2, 3), None),
    Invocation(T(2, 3), [2]),
    Invocation(T(2, 3), [-1]),
    Invocation(T(), [1]),
]
_FLOATS = [
    Invocation(T(2, 3, dtype=torch.float64), [0]),
    Invocation(T(2, 3, dtype=torch.float16), [0]),
    Invocation(T(2, 3, dtype=torch.bfloat16), [0]),
]
_COMPLEX = [Invocation(T(2, 3, dtype=torch.complex64), [0])]
_INTEGERS = [
    Invocation(T(2, 3, dtype=torch.int32), [0]),
    Invocation(T(2, 3, dtype=torch.uint8), [0]),
    Invocation(T(2, 3, dtype=torch.bool), [0]),
]
_INTEGERS_CPU = [Invocation(*case.args, device="cpu") for case in _INTEGERS]
_INT64 = [Invocation(T(2, 3, dtype=torch.int64), [0])]
# Only the meta kernels take it.
_CHOSEN = [
    Invocation(T(2, 3), [0], output_dtype=torch.float64),
    Invocation(T(2, 3, dtype=torch.int64), [0], output_dtype=torch.int32),
]

shape_family(reduced, "prims::sum", ok=[*_SHAPES, *_ALL, *_EMPTY], error=_WRONG_DIMS)
dtype_family(
    sum_dtype_of_inp,
    "prims::sum",
    ok=[*_FLOATS, *_COMPLEX, *_INT64, *_INTEGERS_CPU, *_CHOSEN],
)
shape_family(
    reduced_one_by_one,
    "prims::prod",
    ok=[
        *_SHAPES,
        *_EMPTY,
        Invocation(T(2, 3), []),
        # The meta kernel reduces over the dimension once.
        Invocation(T(2, 3), [0, 0], device="cpu"),
    ],
    error=_WRONG_DIMS,
)
dtype_family(
    product_dtype_of_inp,
    "prims::prod",
    ok=[
        *_FLOATS,
        *_COMPLEX,
        *_INT64,
        *_INTEGERS_CPU,
        *_CHOSEN,
        Invocation(T(2, 3, dtype=torch.int32), []),
    ],
    error=[Invocation(T(2, 3), None)],
)
shape_family(
    reduced_to_extremum,
    "prims::amax",
    "prims::amin",
    ok=[*_SHAPES, *_ALL],
    # The meta kernels do not ask for elements.
    error=[*_WRONG_DIMS, *[Invocation(*case.args, device="cpu") for case in _EMPTY]],
)
dtype_family(
    same_dtype_of_inp,
    "prims::amax",
    "prims::amin",
    ok=[*_FLOATS, *_INT64, *_INTEGERS, *_CHOSEN],
)
# Only traced programs have it; its one kernel is the meta kernel.
shape_family(
    reduced_strictly,
    "prims::xor_sum",
    ok=[*_SHAPES, *_EMPTY, Invocation(T(2, 3), [])],
    error=_WRONG_DIMS,
)
dtype_family(same_dtype_of_inp, "prims::xor_sum", ok=[*_FLOATS, *_INT64, *_INTEGERS, *_CHOSEN])

# The default of `correction` is not taken.
shape_family(
    reduced,
    "prims::var",
    ok=[
        *[
            Invocation(*case.args, 0.0, device=case.device)
            for case in (*_SHAPES, *_ALL, *_EMPTY, *_FLOATS, *_COMPLEX)
        ],
        Invocation(T(2, 3), [0], None),
        Invocation(T(2, 3), [0], 1),
    ],
    error=[Invocation(*case.args, 1.0) for case in _WRONG_DIMS],
)
dtype_family(
    variance_dtype_of_inp,
    "prims::var",
    error=[
        # The meta kernel takes integers.
        Invocation(T(2, 3, dtype=torch.int64), [0], 1.0, device="cpu"),
        Invocation(T(2, 3), [0], 1.0, output_dtype=torch.float64),
    ],
)
