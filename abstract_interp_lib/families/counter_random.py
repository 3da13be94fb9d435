"""Random numbers that a key determines, as the counter-based generator Philox makes them.

Only CUDA has kernels for these, so only their meta kernels run here.
"""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    TensorCase,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.rules.quantization import check_floating
from torch_refine.abstract_interp_lib.rules.sizes import insert_size


def check_key(key: List[int]) -> None:
    """Raise unless keys have two numbers each."""
    assert len(key) >= 1 and key[-1] == 2, f"keys must have two numbers each, got shape {key}"


def check_key_dtype(key: Tuple[int, int]) -> None:
    """Raise unless keys are made of uint64."""
    assert key[1] == torch.uint64, f"keys must be of dtype uint64, got dtype {key[1]}"


def split_key(key: List[int], num_splits: int) -> List[int]:
    """New keys from each, all the first ones first."""
    check_key(key)
    assert num_splits > 0, f"num_splits must be positive, got {num_splits}"
    return insert_size(key, 0, num_splits)


def folded_key(key: List[int]) -> List[int]:
    """A new key from each."""
    check_key(key)
    return key


def key_dtype(key: Tuple[int, int]) -> int:
    """Uint64, as all keys."""
    check_key_dtype(key)
    return torch.uint64


def random_by_key(self: List[int], key: List[int]) -> List[int]:
    """The shape of `self`; its parts may have keys of their own, which broadcast."""
    check_key(key)
    if len(key) > 1:
        assert len(key) == len(self) + 1, (
            f"keys must have a dimension more than the result, got shapes {key} and {self}"
        )
        for index in range(len(self)):
            assert key[index] == 1 or key[index] == self[index], (
                f"keys of shape {key} do not broadcast to shape {self}"
            )
    return self


def random_by_key_dtype(self: Tuple[int, int], key: Tuple[int, int]) -> int:
    """The dtype of `self`, which must be a floating-point one."""
    check_key_dtype(key)
    check_floating(self[1])
    return self[1]


_KEY = T(2, dtype=torch.uint64)
_SIGNED_KEY = T(2, dtype=torch.int64)


def keys(*sizes: int) -> list[TensorCase]:
    """Keys for a case, as its only tensor."""
    return [T(*sizes, dtype=torch.uint64)]


shape_family(
    split_key,
    "aten::_philox_key_split",
    ok=[Invocation(*keys(*sizes), 4) for sizes in ((2,), (3, 2), (0, 2))],
    error=[
        Invocation(*keys(3), 4),
        Invocation(*keys(), 4),
        Invocation(*keys(2), 0),
    ],
)
dtype_family(key_dtype, "aten::_philox_key_split", error=[Invocation(_SIGNED_KEY, 4)])
shape_family(
    folded_key,
    "aten::_philox_key_fold_in",
    ok=[Invocation(*keys(*sizes), 4) for sizes in ((2,), (3, 2), (0, 2))],
    error=[Invocation(*keys(3), 4), Invocation(*keys(), 4)],
)
dtype_family(key_dtype, "aten::_philox_key_fold_in", error=[Invocation(_SIGNED_KEY, 4)])

_RANDOM = ("aten::_philox_normal", "aten::_philox_uniform")
shape_family(
    random_by_key,
    *_RANDOM,
    ok=[
        Invocation(T(4, 5), _KEY, 1.0, 2.0),
        Invocation(T(4, 5), *keys(4, 1, 2)),
        Invocation(T(4, 5), *keys(1, 5, 2)),
        Invocation(T(), _KEY),
        Invocation(T(0, 3), _KEY),
        *[
            Invocation(T(4, dtype=dtype), _KEY)
            for dtype in (torch.float64, torch.float16, torch.bfloat16)
        ],
    ],
    error=[
        Invocation(T(4, 5), *keys(3)),
        Invocation(T(4, 5), *keys(4, 2)),
        Invocation(T(4, 5), *keys(3, 1, 2)),
        Invocation(T(), *keys(1, 2)),
    ],
)
dtype_family(
    random_by_key_dtype,
    *_RANDOM,
    error=[
        Invocation(T(4), _SIGNED_KEY),
        *[Invocation(T(4, dtype=d), _KEY) for d in (torch.int64, torch.bool, torch.complex64)],
    ],
)
