"""What singular values and eigenvalues tell of matrices: norms, ranks, conditions."""

from typing import List, Optional, Tuple, Union

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition, decomposition_family
from torch_refine.abstract_interp_lib.rules.decomposing import in_dtype
from torch_refine.abstract_interp_lib.rules.formulas.matrices import adjoint_of, least_size
from torch_refine.abstract_interp_lib.rules.promotion import is_complex
from torch_refine.abstract_interp_lib.rules.unknown import is_known


@decomposition("aten::linalg_svd")
def linalg_svd(
    A: torch.Tensor, full_matrices: bool = True, driver: Optional[str] = None
) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Another name of the operator with an option for values only."""
    return torch.ops.aten._linalg_svd(A, full_matrices, True, driver=driver)


@decomposition("aten::svd")
def svd(
    self: torch.Tensor, some: bool = True, compute_uv: bool = True
) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """The second factor is not transposed; without vectors, both are zeros."""
    if compute_uv:
        left, values, right = torch.ops.aten._linalg_svd(self, not some, True, driver=None)
        return left, values, adjoint_of(right)
    values = torch.ops.aten._linalg_svd(self, False, False, driver=None)[1]
    batch, rows, columns = self.size()[:-2], self.size()[-2:-1], self.size()[-1:]
    left = torch.zeros(batch + rows + rows, dtype=self.dtype)
    return left, values, torch.zeros(batch + columns + columns, dtype=self.dtype)


@decomposition("aten::linalg_svdvals")
def linalg_svdvals(A: torch.Tensor, driver: Optional[str] = None) -> torch.Tensor:
    """The values of the operator that has them and the vectors."""
    return torch.ops.aten._linalg_svd(A, False, False, driver=driver)[1]


@decomposition("aten::linalg_eigh")
def linalg_eigh(self: torch.Tensor, UPLO: str = "L") -> Tuple[torch.Tensor, torch.Tensor]:
    """Another name of the operator with an option for values only."""
    return torch.ops.aten._linalg_eigh(self, UPLO, True)


@decomposition("aten::linalg_eigvalsh")
def linalg_eigvalsh(self: torch.Tensor, UPLO: str = "L") -> torch.Tensor:
    """The values of the operator that has them and the vectors."""
    return torch.ops.aten._linalg_eigh(self, UPLO, False)[0]


def as_number(like: torch.Tensor, value: Optional[float]) -> Optional[torch.Tensor]:
    """A tensor of one element, with the dtype of singular values; None for None."""
    if value is None:
        return None
    return torch.full([], value, dtype=torch.abs(like).dtype)


@decomposition("aten::linalg_matrix_rank.atol_rtol_tensor")
def rank_by_tensors(
    input: torch.Tensor,
    atol: Optional[torch.Tensor] = None,
    rtol: Optional[torch.Tensor] = None,
    hermitian: bool = False,
) -> torch.Tensor:
    """The number of singular values above the larger bound."""
    size = min(input.size(-2), input.size(-1))
    if is_known(size) and size == 0:
        # The bounds do not count, nor do their sizes.
        return torch.zeros(input.size()[:-2], dtype=torch.int64)
    if hermitian:
        sizes = torch.abs(torch.ops.aten.linalg_eigvalsh(input))
    else:
        sizes = torch.ops.aten.linalg_svdvals(input)
    return torch.sum(torch.gt(sizes, least_size(input, sizes, atol, rtol)), [-1])


@decomposition("aten::linalg_matrix_rank.atol_rtol_float")
def rank_by_numbers(
    self: torch.Tensor,
    atol: Optional[float] = None,
    rtol: Optional[float] = None,
    hermitian: bool = False,
) -> torch.Tensor:
    """The bounds as tensors."""
    return torch.ops.aten.linalg_matrix_rank(
        self, atol=as_number(self, atol), rtol=as_number(self, rtol), hermitian=hermitian
    )


@decomposition("aten::linalg_matrix_rank")
def linalg_matrix_rank(self: torch.Tensor, tol: float, hermitian: bool = False) -> torch.Tensor:
    """The number of singular values above a bound."""
    return torch.ops.aten.linalg_matrix_rank(
        self, atol=as_number(self, tol), rtol=as_number(self, 0.0), hermitian=hermitian
    )


@decomposition("aten::linalg_matrix_rank.tol_tensor")
def rank_by_tensor(input: torch.Tensor, tol: torch.Tensor, hermitian: bool = False) -> torch.Tensor:
    """The number of singular values above bounds."""
    return torch.ops.aten.linalg_matrix_rank(
        input, atol=tol, rtol=as_number(input, 0.0), hermitian=hermitian
    )


@decomposition("aten::linalg_pinv.atol_rtol_float")
def pinv_by_numbers(
    self: torch.Tensor,
    atol: Optional[float] = None,
    rtol: Optional[float] = None,
    hermitian: bool = False,
) -> torch.Tensor:
    """The bounds as tensors."""
    return torch.ops.aten.linalg_pinv(
        self, atol=as_number(self, atol), rtol=as_number(self, rtol), hermitian=hermitian
    )


@decomposition("aten::linalg_pinv")
def pinv_by_number(self: torch.Tensor, rcond: float, hermitian: bool = False) -> torch.Tensor:
    """The bound is relative to the largest singular value."""
    return torch.ops.aten.linalg_pinv(
        self, atol=as_number(self, 0.0), rtol=as_number(self, rcond), hermitian=hermitian
    )


@decomposition("aten::linalg_pinv.rcond_tensor")
def pinv_by_tensor(
    self: torch.Tensor, rcond: torch.Tensor, hermitian: bool = False
) -> torch.Tensor:
    """The bounds are relative to the largest singular values."""
    return torch.ops.aten.linalg_pinv(
        self, atol=as_number(self, 0.0), rtol=rcond, hermitian=hermitian
    )


@decomposition("aten::pinverse")
def pinverse(self: torch.Tensor, rcond: float = 1e-15) -> torch.Tensor:
    """The bound is relative to the largest singular value."""
    return torch.ops.aten.linalg_pinv(
        self, atol=as_number(self, 0.0), rtol=as_number(self, rcond), hermitian=False
    )


def with_dims(self: torch.Tensor, dims: List[int], keepdim: bool) -> torch.Tensor:
    """Results of matrices, with their two dimensions again if they are kept."""
    if not keepdim:
        return self
    rank = self.dim() + 2
    first = dims[0] + rank if dims[0] < 0 else dims[0]
    second = dims[1] + rank if dims[1] < 0 else dims[1]
    low, high = min(first, second), max(first, second)
    return torch.unsqueeze(torch.unsqueeze(self, low), high)


def as_matrices(self: torch.Tensor, dims: List[int]) -> torch.Tensor:
    """A tensor with two of its dimensions last."""
    rank = self.dim()
    first = dims[0] + rank if dims[0] < 0 else dims[0]
    second = dims[1] + rank if dims[1] < 0 else dims[1]
    order: List[int] = []
    for dim in range(rank):
        if dim != first and dim != second:
            order.append(dim)
    order.append(first)
    order.append(second)
    return torch.permute(self, order)


def linalg_matrix_norm(
    self: torch.Tensor,
    ord: Union[int, float, complex],
    dim: List[int],
    keepdim: bool,
    dtype: Optional[int],
) -> torch.Tensor:
    """The extreme singular value, or the extreme sum of a row or column."""
    order = float(ord)
    size = order if order > 0.0 else -order
    matrices = as_matrices(self if dtype is None else in_dtype(self, dtype), dim)
    if size == 2.0:
        found = torch.ops.aten.linalg_svdvals(matrices)
    else:
        assert size == 1.0 or size == float("inf"), "PyTorch has no other orders"
        over = -2 if size == 1.0 else -1
        found = torch.sum(torch.abs(matrices), [over])
    found = torch.amax(found, [-1]) if order > 0.0 else torch.amin(found, [-1])
    return with_dims(found, dim, keepdim)


decomposition_family(linalg_matrix_norm, "aten::linalg_matrix_norm")


def norm_by_name(
    self: torch.Tensor,
    ord: str,
    dim: List[int],
    keepdim: bool,
    dtype: Optional[int],
) -> torch.Tensor:
    """The length of all elements, or the sum of singular values."""
    given = self if dtype is None else in_dtype(self, dtype)
    if ord == "fro":
        return torch.ops.aten.linalg_vector_norm(given, 2, dim, keepdim, dtype=None)
    assert ord == "nuc", "PyTorch has no other names"
    values = torch.ops.aten.linalg_svdvals(as_matrices(given, dim))
    return with_dims(torch.sum(values, [-1]), dim, keepdim)


decomposition_family(norm_by_name, "aten::linalg_matrix_norm.str_ord")


@decomposition("aten::linalg_norm.ord_str")
def linalg_norm_by_name(
    self: torch.Tensor,
    ord: str,
    dim: Optional[List[int]] = None,
    keepdim: bool = False,
    dtype: Optional[int] = None,
) -> torch.Tensor:
    """A norm of matrices, by default of the only two dimensions."""
    dims = [0, 1] if dim is None else dim
    return torch.ops.aten.linalg_matrix_norm(self, ord, dims, keepdim, dtype=dtype)


@decomposition("aten::linalg_norm")
def linalg_norm(
    self: torch.Tensor,
    ord: Optional[Union[int, float, complex]] = None,
    dim: Optional[List[int]] = None,
    keepdim: bool = False,
    dtype: Optional[int] = None,
) -> torch.Tensor:
    """A norm of matrices, if an order and two dimensions are given; else of vectors."""
    if ord is None:
        return torch.ops.aten.linalg_vector_norm(self, 2, dim, keepdim, dtype=dtype)
    dims = [0, 1] if dim is None and self.dim() == 2 else dim
    if dims is not None and len(dims) == 2:
        return torch.ops.aten.linalg_matrix_norm(self, ord, dims, keepdim, dtype=dtype)
    return torch.ops.aten.linalg_vector_norm(self, ord, dim, keepdim, dtype=dtype)


@decomposition("aten::nuclear_norm")
def nuclear_norm(self: torch.Tensor, keepdim: bool = False) -> torch.Tensor:
    """The sum of singular values."""
    return torch.ops.aten.linalg_matrix_norm(self, "nuc", [-2, -1], keepdim, dtype=None)


@decomposition("aten::nuclear_norm.dim")
def nuclear_norm_of_dims(self: torch.Tensor, dim: List[int], keepdim: bool = False) -> torch.Tensor:
    """The sum of singular values."""
    return torch.ops.aten.linalg_matrix_norm(self, "nuc", dim, keepdim, dtype=None)


def inverse_or_infinity(self: torch.Tensor) -> torch.Tensor:
    """The inverses of matrices, or infinities for those that have none."""
    assert not is_complex(self.dtype), "infinity is a real number"
    inverse, info = torch.ops.aten.linalg_inv_ex(self, check_errors=False)
    is_singular = torch.unsqueeze(torch.unsqueeze(torch.gt(info, 0), -1), -1)
    return torch.where(is_singular, float("inf"), inverse)


@decomposition("aten::linalg_cond")
def linalg_cond(self: torch.Tensor, p: Optional[Union[int, float, complex]] = None) -> torch.Tensor:
    """The ratio of the extreme singular values, or the norm times that of the inverse."""
    assert self.numel() > 0, "the condition of an empty matrix is zero"
    order = 2.0 if p is None else float(p)
    if order == 2.0 or order == -2.0:
        values = torch.ops.aten.linalg_svdvals(self)
        largest, least = torch.amax(values, [-1]), torch.amin(values, [-1])
        return torch.div(largest, least) if order > 0.0 else torch.div(least, largest)
    inverse = inverse_or_infinity(self)
    first = torch.ops.aten.linalg_matrix_norm(self, order, [-2, -1], False, dtype=None)
    second = torch.ops.aten.linalg_matrix_norm(inverse, order, [-2, -1], False, dtype=None)
    return torch.mul(first, second)


@decomposition("aten::linalg_cond.p_str")
def condition_by_name(self: torch.Tensor, p: str) -> torch.Tensor:
    """The norm times that of the inverse; of singular values and their inverses, if they give it."""
    if p == "nuc":
        values = torch.ops.aten.linalg_svdvals(self)
        inverses = torch.sum(torch.reciprocal(values), [-1])
        return torch.mul(torch.sum(values, [-1]), inverses)
    assert self.numel() > 0, "the condition of an empty matrix is zero"
    inverse = inverse_or_infinity(self)
    first = torch.ops.aten.linalg_matrix_norm(self, p, [-2, -1], False, dtype=None)
    second = torch.ops.aten.linalg_matrix_norm(inverse, p, [-2, -1], False, dtype=None)
    return torch.mul(first, second)
