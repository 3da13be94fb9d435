"""What each operator of linear algebra is, in terms of LAPACK's routines.

PyTorch calls the same routines with the same letters on column-major copies, so that factors which
are not unique, such as the signs of eigenvectors, are the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.ir_builder import (
    Number,
    assert_that,
    at_least,
    create_value,
    equal,
    index_value,
)
from torch_refine.dialect.tensor_type import Types
from torch_refine.passes.lowering.lapack import PREFIXES
from torch_refine.passes.lowering.torch.linear_algebra.matrices import (
    Matrices,
    flattened,
    size_of,
    sizes_of,
    unflattened,
)
from torch_refine.passes.lowering.torch.seen_ops import constant_of


@dataclass
class Call:
    """An operator that is lowered; `matrices` builds at its place."""

    op: ir.Operation
    types: Types
    matrices: Matrices

    def tensor(self, place: int) -> ir.Value:
        """An operand as a builtin tensor."""
        value = self.op.operands[place]
        return create_value("torch_c.to_builtin_tensor", builtin_type(value, self.types), [value])

    def stack(self, place: int) -> ir.Value:
        """An operand as matrices of one batch."""
        return flattened(self.tensor(place), 2)

    def vectors(self, place: int) -> ir.Value:
        """An operand as vectors of one batch."""
        return flattened(self.tensor(place), 1)

    def constant(self, place: int) -> bool | str | None:
        """A constant operand."""
        found: bool | str | None = constant_of(self.op.operands[place])
        return found

    def finish(self, place: int, value: ir.Value) -> None:
        """Replace a result, which has the batch of operand 0."""
        batch = self._batch()
        old = self.op.results[place]
        found = unflattened(value, batch, builtin_type(old, self.types))
        new = create_value("torch_c.from_builtin_tensor", old.type, [found])
        old.replace_all_uses_with(new)

    def leave_empty(self, place: int) -> None:
        """Replace a result that has no elements."""
        old = self.op.results[place]
        empty = create_value("tensor.empty", builtin_type(old, self.types), [])
        old.replace_all_uses_with(create_value("torch_c.from_builtin_tensor", old.type, [empty]))

    def _batch(self) -> list[Number]:
        return sizes_of(self.tensor(0))[:-2]

    def assert_succeeded(self, info: ir.Value, message: str) -> None:
        """Assert that all infos are 0."""
        assert_that(self.matrices.put("are_zero", info), message)


def _cholesky(call: Call) -> None:
    is_upper = call.constant(1)
    given = call.matrices.put("transposed", call.stack(0))
    (factor,), info = call.matrices.call("potrf", "U" if is_upper else "L", [given])
    rows = call.matrices.put("transposed", factor)
    call.finish(0, call.matrices.put("upper" if is_upper else "lower", rows))
    if call.constant(2):
        call.assert_succeeded(info, "cholesky: a matrix is not positive-definite")
    call.finish(1, info)


def _cholesky_inverse(call: Call) -> None:
    build = call.matrices
    is_upper = call.constant(1)
    given = build.put("transposed", call.stack(0))
    _check_square(call, given)
    (inverse,), info = build.call("potri", "U" if is_upper else "L", [given])
    call.assert_succeeded(info, "cholesky_inverse: a diagonal element is zero")
    # Only a triangle is written; the inverse is Hermitian.
    name = "from_upper" if is_upper else "from_lower"
    call.finish(0, build.put(name, build.put("transposed", inverse)))


def _lu_factor(call: Call) -> None:
    build = call.matrices
    given = build.put("transposed", call.stack(0))
    pivots = build.put("integer_zeros", size_of(given, 0), _smallest(given))
    (factors, pivots), info = build.call("getrf", "", [given, pivots])
    call.finish(0, build.put("transposed", factors))
    call.finish(1, pivots)
    if call.constant(2):
        call.assert_succeeded(info, "lu_factor: a diagonal element of U is zero")
    call.finish(2, info)


def _lu_solve(call: Call) -> None:
    build = call.matrices
    factors, right = (build.put("transposed", call.stack(place)) for place in (0, 2))
    pivots = call.vectors(1)
    _check_square(call, factors)
    _check_equal(size_of(pivots, 1), size_of(factors, 1), _SIZES)
    _check_equal(size_of(right, 2), size_of(factors, 1), _SIZES)
    _check_batches(call, factors, pivots, right)
    _check_pivots(call, pivots, size_of(factors, 1))
    letter = "N" if not call.constant(4) else "C"
    (_, _, found), _ = build.call("getrs", letter, [factors, pivots, right])
    call.finish(0, build.put("transposed", found))


def _permutation(call: Call) -> None:
    """The first result of `lu_unpack`; its function computes the others."""
    build = call.matrices
    factors, pivots = call.stack(0), call.vectors(1)
    rows = size_of(factors, 1)
    _check_equal(size_of(pivots, 1), _smallest(factors), _SIZES)
    _check_batches(call, factors, pivots)
    _check_pivots(call, pivots, rows)
    call.finish(0, build.put("permutation", pivots, rows))


def _solve_triangular(call: Call) -> None:
    build = call.matrices
    matrices, right = call.stack(0), call.stack(1)
    is_upper, is_left, has_ones = (bool(call.constant(place)) for place in (2, 3, 4))
    _check_square(call, matrices)
    _check_batches(call, matrices, right)
    _check_equal(size_of(right, 1 if is_left else 2), size_of(matrices, 1), _SIZES)
    # Row-major matrices are the transposed ones to BLAS, and solved for from the other side.
    letters = ("R" if is_left else "L", "L" if is_upper else "U", "N", "U" if has_ones else "N")
    (_, found), _ = build.call("trsm", "".join(letters), [matrices, right])
    call.finish(0, found)


def _qr_factors(call: Call) -> None:
    build = call.matrices
    given = build.put("transposed", call.stack(0))
    scales = build.put("zeros", size_of(given, 0), _smallest(given))
    (reflectors, scales), _ = build.call("geqrf", "", [given, scales])
    call.finish(0, build.put("transposed", reflectors))
    call.finish(1, scales)


def _householder_product(call: Call) -> None:
    build = call.matrices
    given, scales = build.put("transposed", call.stack(0)), call.vectors(1)
    _check_batches(call, given, scales)
    assert_that(at_least(size_of(given, 1), size_of(scales, 1)), _SIZES)
    assert_that(at_least(size_of(given, 2), size_of(given, 1)), _SIZES)
    (found, _), _ = build.call("orgqr", "", [given, scales])
    call.finish(0, build.put("transposed", found))


def _times_orthogonal(call: Call) -> None:
    build = call.matrices
    reflectors, factors = (build.put("transposed", call.stack(place)) for place in (0, 2))
    scales = call.vectors(1)
    is_left, is_turned = bool(call.constant(3)), bool(call.constant(4))
    _check_batches(call, reflectors, scales, factors)
    size = size_of(reflectors, 2)
    _check_equal(size_of(factors, 2 if is_left else 1), size, _SIZES)
    # The smaller of the two, as PyTorch checks.
    count = size_of(scales, 1)
    assert_that(at_least(size, count), _SIZES)
    assert_that(at_least(size_of(reflectors, 1), count), _SIZES)
    _check_equal(_smallest(reflectors), count, _SIZES)
    turned = "C" if build.is_complex else "T"
    letters = ("L" if is_left else "R") + (turned if is_turned else "N")
    (_, _, found), _ = build.call("ormqr", letters, [reflectors, scales, factors])
    call.finish(0, build.put("transposed", found))


def _singular_values(call: Call) -> None:
    build = call.matrices
    given = build.put("transposed", call.stack(0))
    batch, columns, rows = sizes_of(given)
    count = _smallest(given)
    values = build.put("real_zeros", batch, count)
    is_full, has_vectors = call.constant(1), call.constant(2)
    if has_vectors:
        # Without elements LAPACK does nothing, and the vectors are those of the identity.
        left = build.put("identity", batch, rows if is_full else count, rows)
        right = build.put("identity", batch, columns, columns if is_full else count)
    else:
        left = right = build.put("identity", batch, 1, 1)
    letter = ("A" if is_full else "S") if has_vectors else "N"
    (_, values, left, right), info = build.call("gesdd", letter, [given, values, left, right])
    call.assert_succeeded(info, "svd: the algorithm did not converge")
    call.finish(1, values)
    for place, value in ((0, left), (2, right)):
        if has_vectors:
            call.finish(place, build.put("transposed", value))
        else:
            call.leave_empty(place)


def _hermitian_eigenvalues(call: Call) -> None:
    build = call.matrices
    given = build.put("transposed", call.stack(0))
    _check_square(call, given)
    batch, size, _ = sizes_of(given)
    triangle, has_vectors = str(call.constant(1)), call.constant(2)
    values = build.put("real_zeros", batch, size)
    letters = ("V" if has_vectors else "N") + triangle[:1].upper()
    (vectors, values), info = build.call("syevd", letters, [given, values])
    call.assert_succeeded(info, "eigh: the algorithm did not converge")
    call.finish(0, values)
    if has_vectors:
        call.finish(1, build.put("transposed", vectors))
    else:
        call.leave_empty(1)


def _eigenvalues(call: Call) -> None:
    build = call.matrices
    given = build.put("transposed", call.stack(0))
    _check_square(call, given)
    batch, size, _ = sizes_of(given)
    has_vectors = len(call.op.results) > 1
    unused = build.put("identity", batch, 1, 1)
    vectors = build.put("identity", batch, size, size) if has_vectors else unused
    letters = "NV" if has_vectors else "NN"
    assert_that(build.put("are_finite", given), "eig: the input must not contain infs or NaNs")
    if build.is_complex:
        values = build.put("zeros", batch, size)
        arrays = [given, values, unused, vectors]
        (_, values, _, vectors), info = build.call("geev_complex", letters, arrays)
        vectors = build.put("transposed", vectors) if has_vectors else vectors
    else:
        parts = [build.put("zeros", batch, size) for _ in range(2)]
        found, info = build.call("geev", letters, [given, *parts, unused, vectors])
        _, reals, imaginaries, _, vectors = found
        values = build.paired("eigenvalues", reals, imaginaries)
        if has_vectors:
            vectors = build.paired("eigenvectors", imaginaries, vectors)
    call.assert_succeeded(info, "eig: the algorithm did not converge")
    call.finish(0, values)
    if has_vectors:
        call.finish(1, vectors)


def _ldl_factor(call: Call) -> None:
    build = call.matrices
    given = build.put("transposed", call.stack(0))
    _check_square(call, given)
    pivots = build.put("integer_zeros", size_of(given, 0), size_of(given, 1))
    routine = "hetrf" if call.constant(1) and build.is_complex else "sytrf"
    (factors, pivots), info = build.call(routine, "L", [given, pivots])
    call.finish(0, build.put("lower", build.put("transposed", factors)))
    call.finish(1, pivots)
    if call.constant(2):
        call.assert_succeeded(info, "ldl_factor: a diagonal block of D is singular")
    call.finish(2, info)


def _ldl_solve(call: Call) -> None:
    build = call.matrices
    factors, right = (build.put("transposed", call.stack(place)) for place in (0, 2))
    pivots = call.vectors(1)
    _check_square(call, factors)
    _check_equal(size_of(pivots, 1), size_of(factors, 1), _SIZES)
    _check_equal(size_of(right, 2), size_of(factors, 1), _SIZES)
    _check_batches(call, factors, pivots, right)
    is_valid = build.put("are_pivots", pivots, size_of(factors, 1))
    assert_that(is_valid, _PIVOTS)
    assert_that(build.put("are_paired", pivots), _PIVOTS)
    routine = "hetrs" if call.constant(3) and build.is_complex else "sytrs"
    (_, _, found), _ = build.call(routine, "L", [factors, pivots, right])
    call.finish(0, build.put("transposed", found))


_SIZES = "the sizes of the operands do not match"
_PIVOTS = "pivots must be those of a factorization"

LINEAR_ALGEBRA: dict[str, Callable[[Call], None]] = {
    "linalg_cholesky_ex": _cholesky,
    "cholesky_inverse": _cholesky_inverse,
    "linalg_lu_factor_ex": _lu_factor,
    "linalg_lu_solve": _lu_solve,
    "lu_unpack": _permutation,
    "linalg_solve_triangular": _solve_triangular,
    "geqrf": _qr_factors,
    "linalg_householder_product": _householder_product,
    "ormqr": _times_orthogonal,
    "_linalg_svd": _singular_values,
    "_linalg_eigh": _hermitian_eigenvalues,
    "linalg_eig": _eigenvalues,
    "_linalg_eigvals": _eigenvalues,
    "linalg_ldl_factor_ex": _ldl_factor,
    "linalg_ldl_solve": _ldl_solve,
}
"""What lowers each operator, by its name without namespace."""
OPERATORS = {f"torch.aten.{name}": lowering for name, lowering in LINEAR_ALGEBRA.items()}
"""The same by the op."""


def why_not(op: ir.Operation, name: str, types: Types) -> str | None:
    """Why an operator cannot be lowered; None if it can."""
    tensors = [types.tensor(each.type) for each in (*op.operands, *op.results)]
    known = [each for each in tensors if each is not None]
    first = types.tensor(op.operands[0].type)
    if first is None or any(each.sizes is None or each.element is None for each in known):
        return "for tensors of unknown ranks or dtypes"
    if str(first.element) not in PREFIXES:
        return f"for elements of type {first.element}"
    constants = [each for each in op.operands if types.tensor(each.type) is None]
    if any(constant_of(each) is None and str(each.type) != "!torch.none" for each in constants):
        return "for options that are not constant"
    operands = [types.tensor(each.type) for each in op.operands]
    floats = [each for each in operands if each is not None and each.element != "si32"]
    if any(each.element != first.element for each in floats):
        return "for operands of different dtypes"
    batches = {len(each.sizes or ()) for each in operands if each is not None}
    if name.endswith(("ldl_solve", "ormqr")) and len(batches) > 2:
        return "for operands in different batches"
    if name.endswith("lu_factor_ex") and not constant_of(op.operands[1]):
        return "without pivoting"
    if name.endswith("linalg_lu_solve") and not constant_of(op.operands[3]):
        return "for an unknown factor on the left"
    if name.endswith("lu_unpack") and constant_of(op.operands[2]):
        return "with the factors, which its function computes"
    return None


def builtin_type(value: ir.Value, types: Types) -> ir.RankedTensorType:
    """The builtin tensor type of a value, with a signless element type."""
    type = types.tensor(value.type)
    assert type is not None and type.sizes is not None, "ranks must be known"
    unknown = ir.ShapedType.get_dynamic_size()
    shape = [unknown if size is None else size for size in type.sizes]
    return ir.RankedTensorType.get(shape, ir.Type.parse(str(type.element).removeprefix("s")))


def _smallest(matrices: ir.Value) -> Number:
    _, one, other = sizes_of(matrices)
    if isinstance(one, int) and isinstance(other, int):
        return min(one, other)
    operands = [index_value(each) for each in (one, other)]
    return create_value("arith.minui", operands[0].type, operands)


def _check_square(call: Call, matrices: ir.Value) -> None:
    one, other = sizes_of(matrices)[1:]
    _check_equal(one, other, "matrices must be square")


def _check_batches(call: Call, *tensors: ir.Value) -> None:
    for each in tensors[1:]:
        _check_equal(size_of(each, 0), size_of(tensors[0], 0), _SIZES)


def _check_equal(one: Number, other: Number, message: str) -> None:
    assert_that(equal(one, other), message)


def _check_pivots(call: Call, pivots: ir.Value, rows: Number) -> None:
    build = call.matrices
    for name, operands in (("are_positive", [pivots]), ("are_pivots", [pivots, rows])):
        is_valid = build.put(name, *operands)
        assert_that(is_valid, _PIVOTS)
