"""Selection, clamping and interpolation: `where`, `masked_fill`, `clamp`, `lerp`, `addcmul`, ..."""

from typing import List, Optional, Tuple, Union

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    dtype_function,
    shape_family,
    shape_function,
)
from torch_refine.abstract_interp_lib.promotion_kinds import promotes
from torch_refine.abstract_interp_lib.rules.broadcast import broadcast_three, broadcast_two
from torch_refine.abstract_interp_lib.rules.dims import same_as_self
from torch_refine.abstract_interp_lib.rules.promotion import (
    check_computed,
    check_filled,
    check_number,
    dtype_of_filled,
    dtype_of_number,
    is_integral,
    promote_dtypes,
    promote_list,
    promote_two,
    promote_with_number,
)

_BOOL = torch.bool


def check_condition(condition: Tuple[int, int]) -> None:
    """The condition is bool, or uint8, which is deprecated."""
    assert condition[1] == torch.bool or condition[1] == torch.uint8, (
        f"aten::where: condition must be of dtype bool, got dtype {condition[1]}"
    )


@shape_function(
    "aten::where.self",
    ok=[
        Invocation(T(2, 3, dtype=_BOOL), T(2, 3), T(2, 3)),
        Invocation(T(2, 1, 1, dtype=_BOOL), T(3, 1), T(4)),
        Invocation(T(dtype=_BOOL), T(), T()),
        Invocation(T(0, dtype=_BOOL), T(1), T()),
    ],
    error=[
        Invocation(T(2, dtype=_BOOL), T(3), T(3)),
        Invocation(T(2, dtype=_BOOL), T(2), T(3)),
    ],
)
def where_self(condition: List[int], self: List[int], other: List[int]) -> List[int]:
    """Condition, `self` and `other` broadcast."""
    return broadcast_three(condition, self, other)


@dtype_function(
    "aten::where.self",
    ok=[
        Invocation(T(2, dtype=_BOOL), T(2), T(2, dtype=torch.float64)),
        Invocation(T(2, dtype=_BOOL), T(2, dtype=torch.float16), T(dtype=torch.float64)),
        Invocation(T(2, dtype=_BOOL), T(2, dtype=torch.bfloat16), T(2, dtype=torch.int64)),
        Invocation(T(2, dtype=_BOOL), T(2, dtype=_BOOL), T(2, dtype=torch.uint8)),
        Invocation(T(2, dtype=_BOOL), T(2, dtype=torch.complex64), T(2, dtype=torch.float64)),
        # The meta kernel rejects uint8, which is only deprecated.
        Invocation(T(2, dtype=torch.uint8), T(2), T(2), device="cpu"),
    ],
    error=[Invocation(T(2, dtype=torch.int32), T(2), T(2))],
)
@promotes("no-opmath", "self", "other")
def where_self_dtype(
    condition: Tuple[int, int], self: Tuple[int, int], other: Tuple[int, int]
) -> int:
    """`self` and `other` promote."""
    check_condition(condition)
    return promote_two(self, other)


@shape_function(
    "aten::where.ScalarOther",
    ok=[
        Invocation(T(2, 1, dtype=_BOOL), T(3), 2.5),
        Invocation(T(dtype=_BOOL), T(), 2),
    ],
    error=[Invocation(T(2, dtype=_BOOL), T(3), 2.5)],
)
def where_scalar_other(
    condition: List[int], self: List[int], other: Union[int, float, complex]
) -> List[int]:
    """Condition and `self` broadcast."""
    return broadcast_two(condition, self)


@dtype_function(
    "aten::where.ScalarOther",
    ok=[
        Invocation(T(2, dtype=_BOOL), T(2, dtype=torch.float16), 2.5),
        Invocation(T(2, dtype=_BOOL), T(2, dtype=torch.bfloat16), 2),
        Invocation(T(2, dtype=_BOOL), T(dtype=torch.int64), 2.5),
        Invocation(T(2, dtype=_BOOL), T(2, dtype=_BOOL), 2),
        Invocation(T(2, dtype=_BOOL), T(2, dtype=_BOOL), False),
    ],
    error=[
        Invocation(T(2, dtype=torch.int32), T(2), 2),
        Invocation(T(2, dtype=_BOOL), T(2, dtype=torch.int8), 300, device="cpu"),
    ],
)
def where_scalar_other_dtype(
    condition: Tuple[int, int], self: Tuple[int, int], other: Union[int, float, complex]
) -> int:
    """`self` and the scalar promote, to the dtype that the scalar is cast to."""
    check_condition(condition)
    promoted = promote_with_number(self, other)
    check_filled(other, promoted, 0)
    return promoted


@shape_function(
    "aten::where.ScalarSelf",
    ok=[
        Invocation(T(2, 1, dtype=_BOOL), 2.5, T(3)),
        Invocation(T(dtype=_BOOL), 2, T()),
    ],
    error=[Invocation(T(2, dtype=_BOOL), 2.5, T(3))],
)
def where_scalar_self(
    condition: List[int], self: Union[int, float, complex], other: List[int]
) -> List[int]:
    """Condition and `other` broadcast."""
    return broadcast_two(condition, other)


@dtype_function(
    "aten::where.ScalarSelf",
    ok=[
        Invocation(T(2, dtype=_BOOL), 2.5, T(2, dtype=torch.float16)),
        Invocation(T(2, dtype=_BOOL), 2, T(2, dtype=torch.bfloat16)),
        Invocation(T(2, dtype=_BOOL), 2.5, T(2, dtype=torch.int64)),
        Invocation(T(2, dtype=_BOOL), 2, T(2, dtype=_BOOL)),
    ],
    error=[
        Invocation(T(2, dtype=torch.int32), 2, T(2)),
        Invocation(T(2, dtype=_BOOL), 300, T(2, dtype=torch.int8), device="cpu"),
    ],
)
def where_scalar_self_dtype(
    condition: Tuple[int, int], self: Union[int, float, complex], other: Tuple[int, int]
) -> int:
    """The scalar and `other` promote, to the dtype that the scalar is cast to."""
    check_condition(condition)
    promoted = promote_with_number(other, self)
    check_filled(self, promoted, 0)
    return promoted


@shape_function(
    "aten::where.Scalar",
    ok=[Invocation(T(2, 3, dtype=_BOOL), 1, 2), Invocation(T(dtype=_BOOL), 1.5, 2)],
)
def where_scalar(
    condition: List[int],
    self: Union[int, float, complex],
    other: Union[int, float, complex],
) -> List[int]:
    """The shape of the condition."""
    return condition


@dtype_function(
    "aten::where.Scalar",
    ok=[
        Invocation(T(2, dtype=_BOOL), 1, 2.5),
        Invocation(T(2, dtype=_BOOL), 1.5, 2j),
        Invocation(T(2, dtype=_BOOL), True, False),
        Invocation(T(2, dtype=_BOOL), True, 2),
    ],
    error=[
        Invocation(T(2, dtype=torch.int32), 1, 2),
        Invocation(T(2, dtype=_BOOL), 1e39, 2, device="cpu"),
    ],
)
def where_scalar_dtype(
    condition: Tuple[int, int],
    self: Union[int, float, complex],
    other: Union[int, float, complex],
) -> int:
    """The scalars promote to a default dtype, such as float32 or complex64."""
    check_condition(condition)
    ranks: List[Optional[int]] = [None, None]
    promoted = promote_dtypes(ranks, [dtype_of_number(self), dtype_of_number(other)])
    check_number(self, promoted)
    check_number(other, promoted)
    return promoted


def check_mask(mask: Tuple[int, int]) -> None:
    """A mask is bool."""
    assert mask[1] == torch.bool, (
        f"aten::masked_fill: mask must be of dtype bool, got dtype {mask[1]}"
    )


@shape_function(
    "aten::masked_fill.Scalar",
    ok=[
        Invocation(T(2, 3), T(2, 3, dtype=_BOOL), 1.5),
        Invocation(T(2, 1), T(3, 1, 4, dtype=_BOOL), 1),
        Invocation(T(), T(dtype=_BOOL), 1),
    ],
    error=[Invocation(T(2), T(3, dtype=_BOOL), 1)],
)
def masked_fill_scalar(
    self: List[int], mask: List[int], value: Union[int, float, complex]
) -> List[int]:
    """`self` and mask broadcast, unlike in the in-place variant."""
    return broadcast_two(self, mask)


@dtype_function(
    "aten::masked_fill.Scalar",
    ok=[
        Invocation(T(2, dtype=torch.float16), T(2, dtype=_BOOL), 1.5),
        Invocation(T(2, dtype=torch.bfloat16), T(2, dtype=_BOOL), 1),
        Invocation(T(2, dtype=torch.int64), T(2, dtype=_BOOL), 1),
        Invocation(T(2, dtype=_BOOL), T(2, dtype=_BOOL), True),
    ],
    error=[
        Invocation(T(2), T(2, dtype=torch.uint8), 1),
        Invocation(T(2, dtype=torch.int8), T(2, dtype=_BOOL), 300, device="cpu"),
    ],
)
def masked_fill_scalar_dtype(
    self: Tuple[int, int], mask: Tuple[int, int], value: Union[int, float, complex]
) -> int:
    """The value is cast to the dtype of `self`."""
    check_mask(mask)
    return dtype_of_filled(self, value)


@shape_function(
    "aten::masked_fill.Tensor",
    ok=[
        Invocation(T(2, 3), T(2, 3, dtype=_BOOL), T()),
        Invocation(T(2, 1), T(3, 1, 4, dtype=_BOOL), T()),
    ],
    error=[
        Invocation(T(2), T(2, dtype=_BOOL), T(1)),
        Invocation(T(2), T(3, dtype=_BOOL), T()),
    ],
)
def masked_fill_tensor(self: List[int], mask: List[int], value: List[int]) -> List[int]:
    """`self` and mask broadcast, unlike in the in-place variant."""
    assert len(value) == 0, f"aten::masked_fill: value must be 0-dim, got shape {value}"
    return broadcast_two(self, mask)


@dtype_function(
    "aten::masked_fill.Tensor",
    ok=[
        Invocation(T(2, dtype=torch.float16), T(2, dtype=_BOOL), T(dtype=torch.float64)),
        Invocation(T(2, dtype=torch.int64), T(2, dtype=_BOOL), T(dtype=torch.int32)),
    ],
    error=[Invocation(T(2), T(2, dtype=torch.uint8), T())],
)
def masked_fill_tensor_dtype(
    self: Tuple[int, int], mask: Tuple[int, int], value: Tuple[int, int]
) -> int:
    """The value is cast to the dtype of `self`."""
    check_mask(mask)
    return self[1]


def clamp(
    self: List[int],
    min: Optional[Union[int, float, complex]] = None,
    max: Optional[Union[int, float, complex]] = None,
) -> List[int]:
    """Clamping by scalars keeps the shape."""
    assert min is not None or max is not None, "min or max must be given, got None for both"
    return self


@promotes("default")
def clamp_dtype(
    self: Tuple[int, int],
    min: Optional[Union[int, float, complex]] = None,
    max: Optional[Union[int, float, complex]] = None,
) -> int:
    """The tensor and its bounds promote."""
    ranks: List[Optional[int]] = [self[0]]
    dtypes = [self[1]]
    if min is not None:
        ranks.append(None)
        dtypes.append(dtype_of_number(min))
    if max is not None:
        ranks.append(None)
        dtypes.append(dtype_of_number(max))
    return promote_dtypes(ranks, dtypes)


_CLAMP = ("aten::clamp", "aten::clip")
shape_family(
    clamp,
    *_CLAMP,
    ok=[
        Invocation(T(2, 3), 0, 1),
        Invocation(T(2, 3), 0.5),
        Invocation(T(), max=1),
        Invocation(T(0, 3), min=None, max=2.5),
    ],
    error=[Invocation(T(2))],
)
dtype_family(
    clamp_dtype,
    *_CLAMP,
    ok=[
        Invocation(T(2, dtype=torch.float16), 0.5, 2),
        Invocation(T(2, dtype=torch.bfloat16), 0),
        Invocation(T(2, dtype=torch.int64), 0, 2),
        Invocation(T(2, dtype=torch.int64), 0.5),
        Invocation(T(2, dtype=torch.uint8), max=1.5),
        Invocation(T(2, dtype=_BOOL), 0, 2),
        Invocation(T(dtype=torch.int32), 0, 2.5),
    ],
)


def clamp_tensor(
    self: List[int], min: Optional[List[int]] = None, max: Optional[List[int]] = None
) -> List[int]:
    """The tensor and its bounds broadcast."""
    assert min is not None or max is not None, "min or max must be given, got None for both"
    out = self
    if min is not None:
        out = broadcast_two(out, min)
    if max is not None:
        out = broadcast_two(out, max)
    return out


@promotes("default")
def clamp_tensor_dtype(
    self: Tuple[int, int],
    min: Optional[Tuple[int, int]] = None,
    max: Optional[Tuple[int, int]] = None,
) -> int:
    """The tensor and its bounds promote."""
    tensors = [self]
    if min is not None:
        tensors.append(min)
    if max is not None:
        tensors.append(max)
    return promote_list(tensors)


_CLAMP_TENSOR = ("aten::clamp.Tensor", "aten::clip.Tensor")
shape_family(
    clamp_tensor,
    *_CLAMP_TENSOR,
    ok=[
        Invocation(T(2, 3), T(3), T()),
        Invocation(T(2, 3), T(4, 1, 1), T(5, 1, 1, 1)),
        Invocation(T(2, 3), None, T(2, 1)),
        Invocation(T(2, 3), T(2, 1)),
    ],
    error=[Invocation(T(2, 3)), Invocation(T(2), T(3)), Invocation(T(2), None, T(3))],
)
dtype_family(
    clamp_tensor_dtype,
    *_CLAMP_TENSOR,
    ok=[
        Invocation(T(2, dtype=torch.float16), T(2, dtype=torch.bfloat16), T(dtype=torch.float64)),
        Invocation(T(2, dtype=torch.int64), None, T(dtype=torch.float16)),
        Invocation(T(2, dtype=_BOOL), T(2, dtype=torch.uint8)),
    ],
)


def clamp_min(self: List[int], min: List[int]) -> List[int]:
    """The tensor and its bound broadcast."""
    return broadcast_two(self, min)


def clamp_max(self: List[int], max: List[int]) -> List[int]:
    """The tensor and its bound broadcast."""
    return broadcast_two(self, max)


@promotes("default")
def clamp_min_dtype(self: Tuple[int, int], min: Tuple[int, int]) -> int:
    """The tensor and its bound promote."""
    return promote_two(self, min)


@promotes("default")
def clamp_max_dtype(self: Tuple[int, int], max: Tuple[int, int]) -> int:
    """The tensor and its bound promote."""
    return promote_two(self, max)


@promotes("default")
def clamp_min_number_dtype(self: Tuple[int, int], min: Union[int, float, complex]) -> int:
    """The tensor and its bound promote."""
    return promote_with_number(self, min)


@promotes("default")
def clamp_max_number_dtype(self: Tuple[int, int], max: Union[int, float, complex]) -> int:
    """The tensor and its bound promote."""
    return promote_with_number(self, max)


_BOUND = [Invocation(T(2, 3), T(4, 1, 1)), Invocation(T(), T(3)), Invocation(T(0), T())]
_MISMATCHED_BOUND = [Invocation(T(2), T(3))]
_BOUND_DTYPES = [
    Invocation(T(2, dtype=torch.float16), T(2, dtype=torch.bfloat16)),
    Invocation(T(2, dtype=torch.int64), T(dtype=torch.float64)),
    Invocation(T(2, dtype=_BOOL), T(2, dtype=torch.uint8)),
]
shape_family(clamp_min, "aten::clamp_min.Tensor", ok=_BOUND, error=_MISMATCHED_BOUND)
shape_family(clamp_max, "aten::clamp_max.Tensor", ok=_BOUND, error=_MISMATCHED_BOUND)
dtype_family(clamp_min_dtype, "aten::clamp_min.Tensor", ok=_BOUND_DTYPES)
dtype_family(clamp_max_dtype, "aten::clamp_max.Tensor", ok=_BOUND_DTYPES)

_NUMBER_BOUND = [
    Invocation(T(2, dtype=torch.float16), 2.5),
    Invocation(T(2, dtype=torch.bfloat16), 2),
    Invocation(T(2, dtype=torch.int64), 2.5),
    Invocation(T(dtype=torch.int32), 2),
    Invocation(T(2, dtype=_BOOL), 2),
]
shape_family(
    same_as_self,
    "aten::clamp_max",
    "aten::clamp_min",
    ok=[Invocation(T(2, 3), 1), Invocation(T(), 0.5)],
)
dtype_family(clamp_min_number_dtype, "aten::clamp_min", ok=_NUMBER_BOUND)
dtype_family(clamp_max_number_dtype, "aten::clamp_max", ok=_NUMBER_BOUND)


def fused(self: List[int], tensor1: List[int], tensor2: List[int]) -> List[int]:
    """`self`, `tensor1` and `tensor2` broadcast."""
    return broadcast_three(self, tensor1, tensor2)


@promotes("default", "self", "tensor1", "tensor2")
def addcmul_dtype(
    self: Tuple[int, int],
    tensor1: Tuple[int, int],
    tensor2: Tuple[int, int],
    value: Union[int, float, complex],
) -> int:
    """The three tensors promote; the scalar `value` is cast to their dtype."""
    promoted = promote_list([self, tensor1, tensor2])
    assert promoted != torch.bool, f"bools are not supported, got dtype {promoted}"
    check_computed(value, promoted)
    return promoted


@promotes("default", "self", "tensor1", "tensor2")
def addcdiv_dtype(
    self: Tuple[int, int],
    tensor1: Tuple[int, int],
    tensor2: Tuple[int, int],
    value: Union[int, float, complex],
) -> int:
    """The three tensors promote; the scalar `value` is cast to their dtype."""
    assert not is_integral(tensor1[1]) or not is_integral(tensor2[1]), (
        f"aten::addcdiv: integer division is not supported, got dtypes {tensor1[1]} and {tensor2[1]}"
    )
    promoted = promote_list([self, tensor1, tensor2])
    check_computed(value, promoted)
    return promoted


shape_family(
    fused,
    "aten::addcdiv",
    "aten::addcmul",
    ok=[
        Invocation(T(2, 3), T(2, 3), T(2, 3), value=0.5),
        Invocation(T(2, 1, 1), T(3, 1), T(4)),
        Invocation(T(), T(), T(3)),
    ],
    error=[Invocation(T(2), T(3), T(1)), Invocation(T(1), T(2), T(3))],
)
_FUSED_DTYPES = [
    Invocation(T(2, dtype=torch.float16), T(2, dtype=torch.bfloat16), T(2)),
    Invocation(T(2, dtype=torch.int64), T(2, dtype=torch.float16), T(dtype=torch.float64)),
    Invocation(T(2, dtype=_BOOL), T(2, dtype=torch.float64), T(2, dtype=torch.int32)),
]
dtype_family(
    addcmul_dtype,
    "aten::addcmul",
    ok=[
        *_FUSED_DTYPES,
        Invocation(T(2, dtype=torch.int64), T(2, dtype=torch.int32), T(dtype=torch.uint8), value=2),
    ],
    error=[
        Invocation(*[T(2, dtype=torch.int8)] * 3, value=300, device="cpu"),
        Invocation(*[T(2, dtype=_BOOL)] * 3, device="cpu"),
    ],
)
dtype_family(
    addcdiv_dtype,
    "aten::addcdiv",
    ok=_FUSED_DTYPES,
    error=[Invocation(T(2), T(2, dtype=torch.int64), T(2, dtype=torch.int64))],
)


def lerp_number(self: List[int], end: List[int]) -> List[int]:
    """Start and end broadcast."""
    return broadcast_two(self, end)


def lerp_tensor(self: List[int], end: List[int], weight: List[int]) -> List[int]:
    """Start, end and weight broadcast."""
    return broadcast_three(self, end, weight)


def lerp_number_dtype(
    self: Tuple[int, int], end: Tuple[int, int], weight: Union[int, float, complex]
) -> int:
    """Start and end have the same dtype, which the result keeps."""
    assert self[1] == end[1], f"aten::lerp: dtypes must match, got {self[1]} and {end[1]}"
    check_computed(weight, self[1])
    return self[1]


def lerp_tensor_dtype(self: Tuple[int, int], end: Tuple[int, int], weight: Tuple[int, int]) -> int:
    """Start and end have the same dtype; a 0-dim weight may have another, and promotes."""
    assert self[1] == end[1], f"aten::lerp: dtypes must match, got {self[1]} and {end[1]}"
    return promote_list([self, end, weight])


_HALF = T(2, dtype=torch.float16)
shape_family(
    lerp_number,
    "aten::lerp.Scalar",
    ok=[Invocation(T(2, 1), T(3), 0.5), Invocation(T(), T(), 1)],
    error=[Invocation(T(2), T(3), 0.5)],
)
shape_family(
    lerp_tensor,
    "aten::lerp.Tensor",
    ok=[Invocation(T(2, 1), T(3), T(4, 1, 1)), Invocation(T(), T(), T())],
    error=[Invocation(T(2), T(3), T()), Invocation(T(2), T(2), T(3))],
)
dtype_family(
    lerp_number_dtype,
    "aten::lerp.Scalar",
    ok=[Invocation(_HALF, _HALF, 0.5)],
    error=[
        Invocation(T(2), T(2, dtype=torch.float64), 0.5),
        Invocation(T(2), T(2), 1e39, device="cpu"),
    ],
)
dtype_family(
    lerp_tensor_dtype,
    "aten::lerp.Tensor",
    ok=[
        Invocation(_HALF, _HALF, _HALF),
        Invocation(_HALF, _HALF, T(dtype=torch.float64)),
        Invocation(_HALF, _HALF, T(dtype=torch.complex64)),
    ],
    error=[Invocation(T(2), T(2, dtype=torch.float64), T(2))],
)
