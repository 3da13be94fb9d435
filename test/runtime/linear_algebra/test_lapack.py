"""Linear algebra: results, errors and the routines of compiled programs."""

import ctypes

import pytest
import torch
import torch_refine
from function_module import Function
from torch_refine.passes.lowering.lapack import symbols
from torch_refine.runtime.calls import lapack

_SIZES = {
    torch.float32: ((4, 4), (2, 3, 5, 3), (3, 5), (0, 3, 3), (2, 0, 0)),
    torch.float64: ((2, 3, 3),),
    torch.complex64: ((2, 3, 3), (5, 3), (0, 0)),
    torch.complex128: ((3, 3),),
}


def _drawn(sizes, dtype):
    torch.manual_seed(sum(sizes) + len(sizes))
    return torch.randn(sizes, dtype=dtype)


def _positive(sizes, dtype):
    given = _drawn(sizes, dtype)
    return given @ given.mH + sizes[-1] * torch.eye(sizes[-1], dtype=dtype)


def _run(function, *inputs, dynamic=False):
    shapes = None
    if dynamic:
        auto = torch.export.Dim.AUTO
        shapes = (tuple({dim: auto for dim in range(each.dim())} for each in inputs),)
    return torch_refine.compile(Function(function), inputs, dynamic_shapes=shapes, fallback="error")


def _equals_eager(function, *inputs, dynamic=False):
    compiled = _run(function, *inputs, dynamic=dynamic)
    torch.testing.assert_close(compiled(*inputs), function(*inputs))


_OF_A_MATRIX = {
    "lu_factor": torch.linalg.lu_factor,
    "lu": torch.linalg.lu,
    "qr": torch.linalg.qr,
    "complete qr": lambda a: torch.linalg.qr(a, mode="complete"),
    "svd": torch.linalg.svd,
    "reduced svd": lambda a: torch.linalg.svd(a, full_matrices=False),
    "svdvals": torch.linalg.svdvals,
    "pinv": torch.linalg.pinv,
}
_OF_A_SQUARE = {
    "inv_ex": torch.linalg.inv_ex,
    "det": torch.linalg.det,
    "slogdet": torch.linalg.slogdet,
    "eig": torch.linalg.eig,
    "eigvals": torch.linalg.eigvals,
}
_OF_A_POSITIVE_MATRIX = {
    "cholesky": torch.linalg.cholesky,
    "upper cholesky": lambda a: torch.linalg.cholesky(a, upper=True),
    "eigh": torch.linalg.eigh,
    "eigh of the upper triangle": lambda a: torch.linalg.eigh(a, UPLO="U"),
    "eigvalsh": torch.linalg.eigvalsh,
    "ldl_factor": lambda a: torch.linalg.ldl_factor(a, hermitian=a.is_complex()),
    "cholesky_inverse": lambda a: torch.cholesky_inverse(torch.linalg.cholesky(a)),
}


@pytest.mark.parametrize("dtype", _SIZES)
def test_factors_are_those_of_eager_mode(dtype):
    """Also for empty, wide and tall matrices, in batches; one program for all operators."""
    for sizes in _SIZES[dtype]:
        chosen = list(_OF_A_MATRIX.values())
        is_square = sizes[-2:] == sizes[-1:] * 2
        chosen += _OF_A_SQUARE.values() if is_square else ()
        _equals_eager(lambda a, chosen=chosen: [each(a) for each in chosen], _drawn(sizes, dtype))
        if is_square:
            of_positive = list(_OF_A_POSITIVE_MATRIX.values())
            given = _positive(sizes, dtype)
            _equals_eager(lambda a, chosen=of_positive: [each(a) for each in chosen], given)


def _systems(a, b):
    lower, upper = torch.tril(a), torch.triu(a)
    factors = torch.linalg.lu_factor(a)
    return [
        torch.linalg.solve(a, b),
        torch.linalg.solve(a, b.mT, left=False),
        torch.linalg.lu_solve(*factors, b, adjoint=True),
        torch.linalg.lu_solve(*factors, b.mT, left=False),
        torch.linalg.solve_triangular(lower, b, upper=False),
        torch.linalg.solve_triangular(upper, b.mT, upper=True, left=False),
        torch.linalg.solve_triangular(upper, b, upper=True, unitriangular=True),
        torch.linalg.ldl_solve(*torch.linalg.ldl_factor(a + a.mT), b),
        torch.cholesky_solve(b, torch.linalg.cholesky(a @ a.mH)),
        torch.ormqr(*torch.geqrf(a), b),
        torch.ormqr(*torch.geqrf(a), b.mT, left=False, transpose=True),
    ]


@pytest.mark.parametrize(
    ("dtype", "batch"),
    [(torch.float32, (2, 3)), (torch.float64, ()), (torch.complex64, (3,)), (torch.complex128, ())],
)
def test_systems_are_solved(dtype, batch):
    """From both sides, with factors of each kind."""
    a = _drawn((*batch, 4, 4), dtype) + 4 * torch.eye(4, dtype=dtype)
    _equals_eager(_systems, a, _drawn((*batch, 4, 2), dtype))


def test_one_operand_may_be_repeated_in_the_batch_of_the_other():
    """Either of a system."""
    one, many = torch.randn(3, 3), torch.randn(2, 3, 3)

    def solve(a, b):
        factors = torch.linalg.ldl_factor(b + b.mT)
        return (
            torch.linalg.solve(a, b),
            torch.linalg.solve(b, a),
            torch.linalg.ldl_solve(*factors, a),
        )

    _equals_eager(solve, one, many)


def test_sizes_may_be_dynamic():
    """One program for any batch, rows and columns."""
    compiled = _run(_of_any_sizes, torch.randn(2, 5, 3), torch.randn(2, 4, 4), dynamic=True)
    for batch, rows, columns, size in ((3, 4, 6, 5), (2, 7, 2, 9), (4, 3, 3, 2)):
        inputs = (torch.randn(batch, rows, columns), torch.randn(batch, size, size))
        torch.testing.assert_close(compiled(*inputs), _of_any_sizes(*inputs))


@pytest.mark.parametrize("by_columns", [False, True])
@pytest.mark.parametrize("least", [0, 2])
def test_singular_values_of_any_number_are_compared_with_the_largest(by_columns, least):
    """Also where the least size admits matrices without any, or with one."""

    def function(a):
        return torch.linalg.pinv(a, rtol=1e-5)

    def drawn(rows, columns):
        return torch.randn(columns, rows).t() if by_columns else torch.randn(rows, columns)

    rows, columns = (torch.export.Dim(name, min=least) for name in ("rows", "columns"))
    shapes = ({0: rows, 1: columns},)
    compiled = torch_refine.compile(
        Function(function), (drawn(2, 3),), dynamic_shapes=(shapes,), fallback="error"
    )
    for sizes in ((2, 3), (5, 4)) + (((1, 4), (3, 1)) if least == 0 else ()):
        given = drawn(*sizes)
        torch.testing.assert_close(compiled(given), function(given))


def _of_any_sizes(a, b):
    return [
        torch.linalg.qr(a),
        torch.linalg.svd(a, full_matrices=False),
        torch.linalg.svd(a),
        torch.linalg.inv(b),
        torch.linalg.eig(b),
        torch.linalg.det(b),
        torch.linalg.eigh(b),
    ]


_SINGULAR = torch.zeros(3, 3)
_NOT_FINITE = torch.full((3, 3), float("nan"))
_INDEFINITE = torch.diag(torch.tensor([1.0, -1.0, 1.0]))


@pytest.mark.parametrize(
    ("function", "right", "wrong", "message"),
    [
        (torch.linalg.inv, torch.eye(3), _SINGULAR, "linalg.inv"),
        (torch.linalg.cholesky, torch.eye(3), _INDEFINITE, "linalg.cholesky"),
        (lambda a: torch.linalg.solve(a, a), torch.eye(3), _SINGULAR, "linalg.solve"),
        (torch.linalg.svdvals, torch.eye(3), _NOT_FINITE, "svd"),
        (torch.linalg.eig, torch.eye(3), _NOT_FINITE, "infs or NaNs"),
        (torch.linalg.eig, torch.eye(3), torch.full((3, 3), float("inf")), "infs or NaNs"),
        (torch.cholesky_inverse, torch.eye(3), _SINGULAR, "cholesky_inverse"),
    ],
)
def test_what_eager_mode_rejects_raises(function, right, wrong, message):
    """And the program serves right calls afterwards."""
    compiled = _run(function, right)
    with pytest.raises(RuntimeError):
        function(wrong)
    with pytest.raises(RuntimeError, match=message):
        compiled(wrong)
    torch.testing.assert_close(compiled(right), function(right))


def test_infos_are_returned_where_nothing_is_checked():
    """The forms that do not raise."""
    for given in (_SINGULAR, _INDEFINITE):
        compiled = _run(
            lambda a: (torch.linalg.cholesky_ex(a)[1], torch.linalg.inv_ex(a)[1]), given
        )
        assert [int(each) for each in compiled(given)] == [
            int(torch.linalg.cholesky_ex(given)[1]),
            int(torch.linalg.inv_ex(given)[1]),
        ]


@pytest.mark.parametrize("pivots", [[0, 1, 2], [1, 2, 4], [-1, -1, 3], [2**31 - 1, 1, 1]])
def test_pivots_that_are_no_indices_are_rejected(pivots):
    """LAPACK would access memory anywhere."""
    factors, right = torch.eye(3), torch.ones(3, 1)
    good, bad = (torch.tensor(each, dtype=torch.int32) for each in ([1, 2, 3], pivots))
    for function in (
        lambda f, p, r: torch.linalg.lu_solve(f, p, r),
        lambda f, p, r: torch.lu_unpack(f, p)[0] @ r,
    ):
        compiled = _run(function, factors, good, right)
        with pytest.raises(RuntimeError, match="pivots"):
            compiled(factors, bad, right)
        torch.testing.assert_close(compiled(factors, good, right), right)


@pytest.mark.parametrize("pivots", [[0, 1, 2], [1, 2, 4], [1, 2, -3], [-2, 2, -1], [-4, -4, 3]])
def test_blocks_of_a_factorization_must_be_whole(pivots):
    """A negative pivot stands for half of a block of two rows."""
    factors, right = torch.eye(3), torch.ones(3, 1)
    good, bad = (torch.tensor(each, dtype=torch.int32) for each in ([1, -3, -3], pivots))
    compiled = _run(lambda f, p, r: torch.linalg.ldl_solve(f, p, r), factors, good, right)
    with pytest.raises(RuntimeError, match="pivots"):
        compiled(factors, bad, right)
    compiled(factors, good, right)


def test_every_routine_is_found():
    """In PyTorch."""
    assert all(lapack.address_of(name) for name in symbols())
    code = b"\0sgetrf_\0main\0zheevd_\0other_\0"
    assert lapack.routines_in(code) == {"sgetrf_", "zheevd_"}


def test_routines_of_scipy_serve_without_pytorch(monkeypatch):
    """The form in which SciPy gives them to compiled code: a capsule with a pointer."""
    routine = ctypes.CFUNCTYPE(None)(lambda: None)
    address = ctypes.cast(routine, ctypes.c_void_p).value
    new = ctypes.pythonapi.PyCapsule_New
    new.restype, new.argtypes = (
        ctypes.py_object,
        [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p],
    )
    name = ctypes.create_string_buffer(b"void (void)")
    given = {lapack._SCIPY[0]: {"sgetrf": new(address, name, None)}}
    monkeypatch.setattr(lapack, "_pytorch", lambda: None)
    monkeypatch.setattr(lapack, "_functions", lambda module: given.get(module, {}))
    assert lapack.address_of.__wrapped__("sgetrf_") == address
    with pytest.raises(lapack.NoLapackError, match="strsm_"):
        lapack.address_of.__wrapped__("strsm_")


def test_checks_of_operators_stay_in_order():
    """An operator with effects is imported without tokens."""
    module = torch_refine.import_model(
        Function(torch.linalg.cholesky), (torch.eye(3),), decompose=True
    )
    text = str(module)
    assert "linalg_cholesky_ex" in text and "_linalg_check_errors" in text
    assert "token" not in text
