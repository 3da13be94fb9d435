"""Products of vectors and matrices, computed by other operators."""

from typing import List, Optional, Union

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import (
    computation_dtype,
    crossed,
    has_bytes,
    in_dtype,
    may_be_element,
    swapped,
)
from torch_refine.abstract_interp_lib.rules.promotion import (
    is_complex,
    is_integral,
    promote_dtypes,
)
from torch_refine.abstract_interp_lib.rules.unknown import is_known

_HALVES = (torch.float16, torch.bfloat16)


@decomposition("aten::inner")
def inner(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """A product of matrices whose rows are all vectors along the last dimensions."""
    if self.dim() == 0 or other.dim() == 0:
        return torch.mul(self, other)
    length = self.size(-1)
    rows = self.numel() // length if length > 0 else 0
    columns = other.numel() // length if length > 0 else 0
    assert length > 0, "a product of empty vectors is zero"
    left = torch.reshape(self, [rows, length])
    right = torch.reshape(other, [columns, length])
    shape: List[int] = []
    for dim in range(self.dim() - 1):
        shape.append(self.size(dim))
    for dim in range(other.dim() - 1):
        shape.append(other.size(dim))
    return torch.reshape(torch.mm(left, torch.transpose(right, 0, 1)), shape)


@decomposition("aten::mv", ok=[Invocation(T(2, 3, dtype=torch.int8), T(3, dtype=torch.int8))])
def mv(self: torch.Tensor, vec: torch.Tensor) -> torch.Tensor:
    """`matmul`."""
    return torch.matmul(self, vec)


@decomposition("aten::dot", ok=[Invocation(T(3, dtype=torch.uint8), T(3, dtype=torch.uint8))])
def dot(self: torch.Tensor, tensor: torch.Tensor) -> torch.Tensor:
    """In 32 bits, with the same wrap-around."""
    assert has_bytes(self), "concerns only 8-bit integers"
    found = torch.dot(in_dtype(self, torch.int32), in_dtype(tensor, torch.int32))
    return in_dtype(found, self.dtype)


@decomposition(
    "aten::linear",
    ok=[
        Invocation(T(2, 4, 3, dtype=torch.int8), T(5, 3, dtype=torch.int8)),
        Invocation(T(3, dtype=torch.uint8), T(5, 3, dtype=torch.uint8), T(5, dtype=torch.uint8)),
    ],
)
def linear(
    input: torch.Tensor, weight: torch.Tensor, bias: Optional[torch.Tensor] = None
) -> torch.Tensor:
    """A product with the transposed weight, and the bias; that of 16-bit floats is not rounded
    before the bias is added."""
    right = torch.t(weight)
    if bias is None:
        return torch.matmul(input, right)
    dtype = summation_dtype(input.dtype)
    found = torch.matmul(in_dtype(input, dtype), in_dtype(right, dtype))
    return in_dtype(torch.add(found, in_dtype(bias, dtype)), input.dtype)


def summation_dtype(dtype: int) -> int:
    """The dtype in which a product is added to a matrix; integers wrap around in their own."""
    return dtype if is_integral(dtype) else computation_dtype(dtype)


def with_product(
    self: torch.Tensor,
    product: torch.Tensor,
    beta: Union[int, float, complex],
    alpha: Union[int, float, complex],
) -> torch.Tensor:
    """A multiple of a product plus one of `self`, which is not read if its factor is 0.

    Factors of integers are rounded to 0.
    """
    is_right = may_be_element(beta, product.dtype) and may_be_element(alpha, product.dtype)
    assert is_right, "kernels reject a factor that the dtype does not have"
    if is_integral(self.dtype):
        beta, alpha = int(beta), int(alpha)
    multiple = product if alpha == 1 else torch.mul(product, alpha)
    if beta == 0:
        return multiple
    wide = in_dtype(self, summation_dtype(self.dtype))
    return torch.add(wide if beta == 1 else torch.mul(wide, beta), multiple)


@decomposition("aten::addmm")
def addmm(
    self: torch.Tensor,
    mat1: torch.Tensor,
    mat2: torch.Tensor,
    beta: Union[int, float, complex] = 1,
    alpha: Union[int, float, complex] = 1,
) -> torch.Tensor:
    """A product of matrices, added to a multiple; rounded once."""
    dtype = summation_dtype(self.dtype)
    product = torch.mm(in_dtype(mat1, dtype), in_dtype(mat2, dtype))
    return in_dtype(with_product(self, product, beta, alpha), self.dtype)


@decomposition("aten::baddbmm")
def baddbmm(
    self: torch.Tensor,
    batch1: torch.Tensor,
    batch2: torch.Tensor,
    beta: Union[int, float, complex] = 1,
    alpha: Union[int, float, complex] = 1,
) -> torch.Tensor:
    """Products of matrices, added to a multiple; rounded once."""
    dtype = summation_dtype(self.dtype)
    product = torch.bmm(in_dtype(batch1, dtype), in_dtype(batch2, dtype))
    return in_dtype(with_product(self, product, beta, alpha), self.dtype)


@decomposition(
    "aten::addmv",
    ok=[Invocation(*[T(2, dtype=each), T(2, 3, dtype=each), T(3, dtype=each)]) for each in _HALVES],
)
def addmv(
    self: torch.Tensor,
    mat: torch.Tensor,
    vec: torch.Tensor,
    beta: Union[int, float, complex] = 1,
    alpha: Union[int, float, complex] = 1,
) -> torch.Tensor:
    """A matrix times a vector, added to a multiple."""
    if self.dim() == 0:
        are_known = is_known(mat.size(0)) and is_known(mat.size(1))
        assert are_known and mat.numel() > 0, "PyTorch returns a scalar for an empty product"
    is_right = may_be_element(beta, self.dtype) and may_be_element(alpha, self.dtype)
    assert is_right, "kernels reject a factor that the dtype does not have"
    dtype = summation_dtype(self.dtype)
    product = torch.mv(in_dtype(mat, dtype), in_dtype(vec, dtype))
    return in_dtype(with_product(self, product, beta, alpha), self.dtype)


@decomposition("aten::addr")
def addr(
    self: torch.Tensor,
    vec1: torch.Tensor,
    vec2: torch.Tensor,
    beta: Union[int, float, complex] = 1,
    alpha: Union[int, float, complex] = 1,
) -> torch.Tensor:
    """An outer product, added to a multiple."""
    assert self.dtype != torch.bool, "bools are combined by logic"
    # A scalar tensor takes part as a matrix does.
    ranks: List[Optional[int]] = [1, 1, 1]
    dtype = promote_dtypes(ranks, [self.dtype, vec1.dtype, vec2.dtype])
    column = torch.unsqueeze(in_dtype(vec1, dtype), 1)
    product = torch.mul(torch.mul(column, in_dtype(vec2, dtype)), alpha)
    return product if beta == 0 else torch.add(torch.mul(in_dtype(self, dtype), beta), product)


@decomposition("aten::ger")
def ger(self: torch.Tensor, vec2: torch.Tensor) -> torch.Tensor:
    """Another name of `outer`."""
    return torch.mul(torch.unsqueeze(self, 1), vec2)


@decomposition("aten::outer")
def outer(self: torch.Tensor, vec2: torch.Tensor) -> torch.Tensor:
    """A column times a row."""
    return torch.mul(torch.unsqueeze(self, 1), vec2)


@decomposition("aten::linalg_vecdot")
def linalg_vecdot(x: torch.Tensor, y: torch.Tensor, dim: int = -1) -> torch.Tensor:
    """The sum of products along a dimension."""
    assert not is_complex(x.dtype), "the first operand is conjugated"
    # The dimension of two vectors is not looked at.
    place = 0 if x.dim() == 1 and y.dim() == 1 else dim
    return torch.sum(torch.mul(x, y), [place], dtype=x.dtype)


@decomposition("aten::linalg_cross")
def linalg_cross(self: torch.Tensor, other: torch.Tensor, dim: int = -1) -> torch.Tensor:
    """The cross product along a dimension."""
    return crossed(self, other, dim)


@decomposition("aten::cross")
def cross(self: torch.Tensor, other: torch.Tensor, dim: Optional[int] = None) -> torch.Tensor:
    """The cross product along a dimension, by default the first one of size 3."""
    if dim is not None:
        return crossed(self, other, dim)
    found = -1
    for index in range(self.dim()):
        if found == -1 and self.size(index) == 3:
            found = index
    return crossed(self, other, found)


@decomposition("aten::kron")
def kron(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """Each element of one operand times the whole other."""
    rank = max(self.dim(), other.dim())
    left: List[int] = []
    right: List[int] = []
    shape: List[int] = []
    for dim in range(rank):
        place = dim - (rank - self.dim())
        one = self.size(place) if place >= 0 else 1
        place = dim - (rank - other.dim())
        two = other.size(place) if place >= 0 else 1
        left.append(one)
        left.append(1)
        right.append(1)
        right.append(two)
        shape.append(one * two)
    product = torch.mul(torch.reshape(self, left), torch.reshape(other, right))
    return torch.reshape(product, shape)


@decomposition("aten::linalg_diagonal")
def linalg_diagonal(
    A: torch.Tensor, offset: int = 0, dim1: int = -2, dim2: int = -1
) -> torch.Tensor:
    """The diagonal of the last two dimensions."""
    return torch.diagonal(A, offset, dim1, dim2)


@decomposition("aten::mT")
def mT(self: torch.Tensor) -> torch.Tensor:
    """The last two dimensions, exchanged."""
    return swapped(self)


@decomposition("aten::mH")
def mH(self: torch.Tensor) -> torch.Tensor:
    """The last two dimensions of a real tensor, exchanged."""
    assert not is_complex(self.dtype), "complex numbers are conjugated"
    return swapped(self)


@decomposition("aten::matrix_H")
def matrix_H(self: torch.Tensor) -> torch.Tensor:
    """A real matrix, transposed."""
    assert not is_complex(self.dtype), "complex numbers are conjugated"
    return torch.transpose(self, 0, 1) if self.dim() == 2 else self


@decomposition("aten::adjoint")
def adjoint(self: torch.Tensor) -> torch.Tensor:
    """The last two dimensions of a real tensor, exchanged."""
    assert not is_complex(self.dtype), "complex numbers are conjugated"
    return swapped(self)


@decomposition("aten::vdot")
def vdot(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """The inner product of real vectors."""
    assert not is_complex(self.dtype), "complex numbers are conjugated"
    return torch.dot(self, other)


@decomposition("aten::tensordot")
def tensordot(
    self: torch.Tensor, other: torch.Tensor, dims_self: List[int], dims_other: List[int]
) -> torch.Tensor:
    """A product of matrices whose rows and columns are flattened dimensions."""
    left: List[int] = []
    right: List[int] = []
    shape: List[int] = []
    rows, length, columns = 1, 1, 1
    for dim in range(self.dim()):
        if dim not in dims_self and dim - self.dim() not in dims_self:
            left.append(dim)
            shape.append(self.size(dim))
            rows *= self.size(dim)
    for index in range(len(dims_self)):
        left.append(dims_self[index])
        right.append(dims_other[index])
        length *= self.size(dims_self[index])
        assert self.size(dims_self[index]) == other.size(dims_other[index]), "PyTorch adds first"
    for dim in range(other.dim()):
        if dim not in dims_other and dim - other.dim() not in dims_other:
            right.append(dim)
            shape.append(other.size(dim))
            columns *= other.size(dim)
    one = torch.reshape(torch.permute(self, left), [rows, length])
    two = torch.reshape(torch.permute(other, right), [length, columns])
    return torch.reshape(torch.mm(one, two), shape)
