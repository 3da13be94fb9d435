"""Views of the same bytes under another dtype: `view.dtype`, parts of complex tensors."""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, dtype_family, shape_family
from torch_refine.abstract_interp_lib.rules.complex import real_dtype
from torch_refine.abstract_interp_lib.rules.dims import same_as_self
from torch_refine.abstract_interp_lib.rules.sizes import append_size


def element_size(dtype: int) -> int:
    """The bytes that an element takes, as `torch.Tensor.element_size` gives them."""
    if dtype == torch.complex128:
        return 16
    elif dtype in [torch.int64, torch.uint64, torch.float64, torch.complex64]:
        return 8
    elif dtype in [torch.int32, torch.uint32, torch.float32, torch.complex32, torch.qint32]:
        return 4
    elif dtype in [torch.int16, torch.uint16, torch.float16, torch.bfloat16, torch.bits16]:
        return 2
    else:
        return 1


def view_dtype_rule(self: Tuple[List[int], int], dtype: int) -> List[int]:
    """The same bytes read as another dtype: the last size grows or shrinks with the elements."""
    sizes, old_dtype = self
    old = element_size(old_dtype)
    new = element_size(dtype)
    if old == new:
        return sizes
    else:
        assert len(sizes) > 0, (
            f"a zero-dim tensor of {old} bytes cannot be viewed as elements of {new} bytes"
        )
        last = sizes[len(sizes) - 1] * old
        assert last % new == 0, f"{last} bytes in the last dimension are no multiple of {new}"
        return append_size(sizes[:-1], last // new)


def view_dtype_dtype_rule(dtype: int) -> int:
    """The dtype asked for."""
    return dtype


shape_family(
    view_dtype_rule,
    "aten::view.dtype",
    "aten::view_copy.dtype",
    ok=[
        Invocation(T(3, 4), torch.float64),
        Invocation(T(3, 4), torch.int16),
        Invocation(T(3, 4), torch.int32),
        Invocation(T(), torch.int32),
        Invocation(T(3, 2, dtype=torch.complex64), torch.uint8),
        Invocation(T(3, 8, dtype=torch.bool), torch.bfloat16),
        Invocation(T(2, 0), torch.int16),
    ],
    error=[
        Invocation(T(), torch.int16),
        Invocation(T(3, 3), torch.float64),
    ],
)
dtype_family(view_dtype_dtype_rule, "aten::view.dtype", "aten::view_copy.dtype")


def real_dtype_rule(self: Tuple[int, int]) -> int:
    """The dtype of the real part."""
    return real_dtype(self[1])


shape_family(
    same_as_self,
    "aten::real",
    ok=[
        Invocation(T(2, 3, dtype=torch.complex64)),
        Invocation(T(dtype=torch.complex128)),
        Invocation(T(2, 3, dtype=torch.float16)),
        Invocation(T(0, dtype=torch.int64)),
        Invocation(T(2, dtype=torch.bool)),
    ],
)
dtype_family(real_dtype_rule, "aten::real")

shape_family(
    same_as_self,
    "aten::imag",
    ok=[
        Invocation(T(2, 3, dtype=torch.complex64)),
        Invocation(T(dtype=torch.complex128)),
        Invocation(T(0, dtype=torch.complex32)),
    ],
)


def imag_dtype_rule(self: Tuple[int, int]) -> int:
    """The dtype of the imaginary part, which only complex tensors have."""
    real = real_dtype(self[1])
    assert real != self[1], f"only complex tensors have imaginary parts, got dtype {self[1]}"
    return real


dtype_family(
    imag_dtype_rule, "aten::imag", error=[Invocation(T(2)), Invocation(T(dtype=torch.bool))]
)


def view_as_real_rule(self: List[int]) -> List[int]:
    """A last dimension of size 2: the real and the imaginary part."""
    return append_size(self, 2)


shape_family(
    view_as_real_rule,
    "aten::view_as_real",
    "aten::view_as_real_copy",
    ok=[
        Invocation(T(2, 3, dtype=torch.complex64)),
        Invocation(T(dtype=torch.complex128)),
        Invocation(T(0, dtype=torch.complex32)),
    ],
)
dtype_family(
    imag_dtype_rule,
    "aten::view_as_real",
    "aten::view_as_real_copy",
    error=[Invocation(T(2)), Invocation(T(dtype=torch.int64))],
)


def view_as_complex_rule(self: List[int]) -> List[int]:
    """The last dimension, of size 2, holds the real and the imaginary part."""
    assert len(self) > 0, f"self must have a last dimension of size 2, got rank {len(self)}"
    last = self[len(self) - 1]
    assert last == 2, f"the last dimension of self must have size 2, got {last}"
    return self[:-1]


def view_as_complex_dtype_rule(self: Tuple[int, int]) -> int:
    """The complex dtype whose parts have the dtype of `self`."""
    assert self[1] in [torch.float16, torch.float32, torch.float64], (
        f"only float16, float32 and float64 tensors can be viewed as complex, got dtype {self[1]}"
    )
    if self[1] == torch.float16:
        return torch.complex32
    elif self[1] == torch.float32:
        return torch.complex64
    else:
        return torch.complex128


shape_family(
    view_as_complex_rule,
    "aten::view_as_complex",
    "aten::view_as_complex_copy",
    ok=[
        Invocation(T(3, 2)),
        Invocation(T(2, dtype=torch.float64)),
        Invocation(T(0, 2, dtype=torch.float16)),
    ],
    error=[Invocation(T(3, 3)), Invocation(T())],
)
dtype_family(
    view_as_complex_dtype_rule,
    "aten::view_as_complex",
    "aten::view_as_complex_copy",
    error=[Invocation(T(3, 2, dtype=torch.int64)), Invocation(T(2, dtype=torch.bfloat16))],
)
