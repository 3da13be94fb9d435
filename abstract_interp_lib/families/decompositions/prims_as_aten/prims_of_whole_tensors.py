"""Primitive operators on whole tensors: reductions, shapes, views, and new tensors."""

from typing import List, Optional, Tuple, Union

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import asserted


@decomposition("prims::amax")
def amax_prim(
    inp: torch.Tensor, dims: Optional[List[int]], output_dtype: Optional[int] = None
) -> torch.Tensor:
    """The largest elements along dimensions, or of all."""
    assert dims is not None and output_dtype is None, "PyTorch has no other form"
    return torch.amax(inp, dims)


@decomposition("prims::amin")
def amin_prim(
    inp: torch.Tensor, dims: Optional[List[int]], output_dtype: Optional[int] = None
) -> torch.Tensor:
    """The smallest elements along dimensions, or of all."""
    assert dims is not None and output_dtype is None, "PyTorch has no other form"
    return torch.amin(inp, dims)


@decomposition("prims::sum")
def sum_prim(
    inp: torch.Tensor, dims: Optional[List[int]], output_dtype: Optional[int] = None
) -> torch.Tensor:
    """The sums along dimensions, or of all elements."""
    assert dims is not None and output_dtype is None, "PyTorch has no other form"
    return torch.sum(inp, dims)


@decomposition("prims::prod")
def prod_prim(
    inp: torch.Tensor, dims: Optional[List[int]], output_dtype: Optional[int] = None
) -> torch.Tensor:
    """The products along dimensions, one after the other, the last one first."""
    assert dims is not None and output_dtype is None, "PyTorch has no other form"
    assert inp.dim() > 0, "a number has no dimension"
    found = inp
    for index in range(inp.dim()):
        last = inp.dim() - 1 - index
        for dim in dims:
            if dim == last:
                found = torch.prod(found, last)
    return found


@decomposition("prims::var")
def var_prim(
    inp: torch.Tensor,
    dims: Optional[List[int]],
    correction: Optional[float] = 1,
    output_dtype: Optional[int] = None,
) -> torch.Tensor:
    """The variance along dimensions."""
    assert output_dtype is None or output_dtype == inp.dtype, "converted before"
    # A number has no dimension, although PyTorch accepts the first one.
    given = dims if inp.dim() > 0 else None
    return torch.ops.aten.var(inp, given, correction=correction, keepdim=False)


@decomposition("prims::svd")
def svd_prim(
    A: torch.Tensor, full_matrices: bool
) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """The singular value decomposition."""
    left, values, right = torch.ops.aten.linalg_svd(A, full_matrices)
    return left, values, right


@decomposition("prims::cat")
def cat_prim(tensors: List[torch.Tensor], dim: int) -> torch.Tensor:
    """Tensors joined along a dimension."""
    return torch.cat(tensors, dim)


@decomposition("prims::clone")
def clone_prim(self: torch.Tensor, memory_format: Optional[int] = None) -> torch.Tensor:
    """A copy."""
    return torch.ops.aten.clone(self)


@decomposition("prims::copy_strided")
def copy_strided_prim(a: torch.Tensor, stride: List[int]) -> torch.Tensor:
    """A copy with other strides, which values do not depend on where no two elements share one."""
    copied = torch.ops.aten.clone(a)
    for dim in range(len(stride)):
        reach = 0
        for other in range(len(stride)):
            if other != dim:
                is_inner = int(stride[other] <= stride[dim])
                reach += is_inner * (a.size(other) - 1) * stride[other]
        given = torch.full([1], stride[dim], dtype=torch.int64)
        # Eager mode allocates what lies between the elements, too, which no memory has.
        is_apart = torch.logical_and(torch.gt(given, reach), torch.le(given, 1 << 40))
        is_one = torch.le(torch.full([1], a.size(dim), dtype=torch.int64), 1)
        is_right = torch.logical_or(is_apart, is_one)
        copied = asserted(copied, is_right, "elements overlap with these strides")
    return copied


@decomposition("prims::fill")
def fill_prim(self: torch.Tensor, value: Union[int, float, complex]) -> torch.Tensor:
    """A number in the shape of a tensor."""
    return torch.full_like(self, value)


@decomposition("prims::reshape")
def reshape_prim(a: torch.Tensor, shape: List[int]) -> torch.Tensor:
    """The elements in another shape."""
    return torch.reshape(a, shape)


@decomposition("prims::rev")
def rev_prim(a: torch.Tensor, dims: List[int]) -> torch.Tensor:
    """The elements in reverse order along dimensions."""
    return torch.flip(a, dims)


# Views.


@decomposition("prims::broadcast_in_dim")
def broadcast_in_dim_prim(
    a: torch.Tensor, shape: List[int], broadcast_dimensions: List[int]
) -> torch.Tensor:
    """A tensor of more dimensions, some of which are the given ones."""
    sizes: List[int] = []
    for _ in range(len(shape)):
        sizes.append(1)
    for index in range(len(broadcast_dimensions)):
        sizes[broadcast_dimensions[index]] = a.size(index)
    return torch.reshape(a, sizes).expand(shape)


@decomposition("prims::collapse_view")
def collapse_view_prim(a: torch.Tensor, start: int, end: int) -> torch.Tensor:
    """Some adjacent dimensions as one."""
    return torch.flatten(a, start, end)


@decomposition("prims::conj")
def conj_prim(a: torch.Tensor) -> torch.Tensor:
    """The conjugates."""
    return torch.conj_physical(a)


@decomposition("prims::imag")
def imag_prim(self: torch.Tensor) -> torch.Tensor:
    """The imaginary parts."""
    return torch.imag(self)


@decomposition("prims::real")
def real_prim(self: torch.Tensor) -> torch.Tensor:
    """The real parts."""
    return torch.real(self)


@decomposition("prims::split_dim")
def split_dim_prim(a: torch.Tensor, dim: int, outer_length: int) -> torch.Tensor:
    """A dimension as two."""
    return torch.ops.aten.unflatten(a, dim, [outer_length, a.size(dim) // outer_length])


@decomposition("prims::squeeze")
def squeeze_prim(a: torch.Tensor, dimensions: List[int]) -> torch.Tensor:
    """A tensor without some dimensions of size 1."""
    return torch.squeeze(a, dimensions) if len(dimensions) > 0 else a


@decomposition("prims::transpose")
def transpose_prim(a: torch.Tensor, permutation: List[int]) -> torch.Tensor:
    """The dimensions in another order."""
    return torch.permute(a, permutation)


@decomposition("prims::view_of")
def view_of_prim(a: torch.Tensor) -> torch.Tensor:
    """The tensor itself."""
    return a


@decomposition("prims::view_of_dtype")
def view_of_dtype_prim(a: torch.Tensor, dtype: int) -> torch.Tensor:
    """The same bits as elements of another dtype."""
    return torch.ops.aten.view_copy(a, dtype=dtype)


# New tensors.


@decomposition("prims::full")
def full_prim(
    shape: List[int],
    fill_value: Union[int, float, complex],
    dtype: int,
    device: torch.device,
    requires_grad: bool,
) -> torch.Tensor:
    """A number in a shape."""
    return torch.full(shape, fill_value, dtype=dtype)


@decomposition("prims::full_like")
def full_like_prim(
    a: torch.Tensor,
    fill_value: Union[int, float, complex],
    dtype: int,
    device: torch.device,
    requires_grad: bool,
) -> torch.Tensor:
    """A number in the shape of a tensor."""
    return torch.full_like(a, fill_value, dtype=dtype)


@decomposition("prims::iota")
def iota_prim(
    length: int, start: int, step: int, dtype: int, device: torch.device, requires_grad: bool
) -> torch.Tensor:
    """Integers at equal distances."""
    numbers = torch.arange(start, start + length * step, step, dtype=dtype)
    end = torch.full([1], float(start) + float(length) * float(step), dtype=torch.float64)
    is_right = torch.lt(torch.abs(end), 9223372036854775807.0)
    return asserted(numbers, is_right, "value cannot be converted to type int64_t without overflow")


@decomposition("prims::scalar_tensor")
def scalar_tensor_prim(
    s: Union[int, float, complex],
    dtype: Optional[int] = None,
    device: Optional[torch.device] = None,
) -> torch.Tensor:
    """A number as a tensor."""
    assert dtype is not None, "the dtype of a number"
    shape: List[int] = []
    return torch.full(shape, s, dtype=dtype)


@decomposition("prims::as_strided_scatter")
def as_strided_scatter_prim(
    self: torch.Tensor,
    src: torch.Tensor,
    size: List[int],
    stride: List[int],
    storage_offset: int,
) -> torch.Tensor:
    """A copy with elements of other strides written."""
    return torch.as_strided_scatter(self, src, size, stride, storage_offset)
