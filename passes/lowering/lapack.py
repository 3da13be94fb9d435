"""The routines of LAPACK and BLAS that compiled programs call.

A program calls them by the names that Fortran compilers give them (`sgetrf_`), with pointers to all
parameters and 32-bit integers. Matrices are column-major: a row-major tensor `[batch, columns,
rows]` has a matrix `rows x columns` for each index. `runtime/calls/lapack.py` finds the routines.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal

LAPACK = "torch_refine.lapack"
"""On a declared function: the routine that it stands for, and its letters, such as `gesdd S`. It
takes and returns the routine's arrays, batched, in order."""

Kind = Literal[
    "letter",
    "size",
    "leading",
    "array",
    "one",
    "work",
    "work_size",
    "real_work",
    "real_work_size",
    "integer_work",
    "integer_work_size",
    "info",
]


@dataclass(frozen=True)
class Parameter:
    """A parameter of a routine.

    `array` is the number of the array that it is, or that it is a size or leading dimension of;
    `dim` is the dimension of that array, where 0 is the batch. `factor` is for a workspace that
    cannot be queried: its size by the smallest dimension of the first matrix.
    """

    kind: Kind
    array: int = 0
    dim: int = 0
    factor: int = 0


@dataclass(frozen=True)
class Routine:
    """A routine. `arrays` has a word for each array: `matrix`, `vector`, `reals` or `integers`."""

    arrays: str
    parameters: tuple[Parameter, ...]
    complex: str = ""
    """The name for complex elements, if it differs."""

    def kinds(self) -> list[str]:
        """The kind of each array."""
        return self.arrays.split()

    @property
    def can_be_queried(self) -> bool:
        """Whether a first call tells the sizes of the workspaces."""
        return any(each.kind == "work_size" for each in self.parameters)


_LETTER, _INFO, _ONE = Parameter("letter"), Parameter("info"), Parameter("one")
_WORK = (Parameter("work"), Parameter("work_size"))
_REAL_WORK = (Parameter("real_work"), Parameter("real_work_size"))
_INTEGER_WORK = (Parameter("integer_work"), Parameter("integer_work_size"))


def _matrix(number: int) -> tuple[Parameter, Parameter]:
    """A matrix and its leading dimension."""
    return Parameter("array", number), Parameter("leading", number)


def _array(number: int) -> Parameter:
    return Parameter("array", number)


def _rows(number: int = 0) -> Parameter:
    return Parameter("size", number, 2)


def _columns(number: int = 0) -> Parameter:
    return Parameter("size", number, 1)


ROUTINES = {
    # Cholesky factor, and the info.
    "potrf": Routine("matrix", (_LETTER, _columns(), *_matrix(0), _INFO)),
    # The inverse of a matrix with that factor.
    "potri": Routine("matrix", (_LETTER, _columns(), *_matrix(0), _INFO)),
    # LU factors with pivots.
    "getrf": Routine("matrix integers", (_rows(), _columns(), *_matrix(0), _array(1), _INFO)),
    # Solve with LU factors.
    "getrs": Routine(
        "matrix integers matrix",
        (_LETTER, _columns(), _columns(2), *_matrix(0), _array(1), *_matrix(2), _INFO),
    ),
    # Solve with a triangular matrix.
    "trsm": Routine(
        "matrix matrix", (*[_LETTER] * 4, _rows(1), _columns(1), _ONE, *_matrix(0), *_matrix(1))
    ),
    # Reflectors and their factors, whose product is Q.
    "geqrf": Routine("matrix vector", (_rows(), _columns(), *_matrix(0), _array(1), *_WORK, _INFO)),
    "orgqr": Routine(
        "matrix vector",
        (_rows(), _columns(), _columns(1), *_matrix(0), _array(1), *_WORK, _INFO),
        "ungqr",
    ),
    # Matrices times that Q.
    "ormqr": Routine(
        "matrix vector matrix",
        (
            *(_LETTER, _LETTER, _rows(2), _columns(2), _columns(1), *_matrix(0), _array(1)),
            *(*_matrix(2), *_WORK, _INFO),
        ),
        "unmqr",
    ),
    # Singular values and vectors.
    "gesdd": Routine(
        "matrix reals matrix matrix",
        (
            *(_LETTER, _rows(), _columns(), *_matrix(0), _array(1), *_matrix(2), *_matrix(3)),
            *(*_WORK, Parameter("real_work"), Parameter("integer_work", factor=8), _INFO),
        ),
    ),
    # Eigenvalues and eigenvectors of Hermitian matrices.
    "syevd": Routine(
        "matrix reals",
        (
            *(_LETTER, _LETTER, _columns(), *_matrix(0), _array(1)),
            *(*_WORK, *_REAL_WORK, *_INTEGER_WORK, _INFO),
        ),
        "heevd",
    ),
    # Factors of symmetric matrices with pivots, and solving with them.
    "sytrf": Routine(
        "matrix integers", (_LETTER, _columns(), *_matrix(0), _array(1), *_WORK, _INFO)
    ),
    "sytrs": Routine(
        "matrix integers matrix",
        (_LETTER, _columns(), _columns(2), *_matrix(0), _array(1), *_matrix(2), _INFO),
    ),
    # The same for Hermitian matrices.
    "hetrf": Routine(
        "matrix integers", (_LETTER, _columns(), *_matrix(0), _array(1), *_WORK, _INFO)
    ),
    "hetrs": Routine(
        "matrix integers matrix",
        (_LETTER, _columns(), _columns(2), *_matrix(0), _array(1), *_matrix(2), _INFO),
    ),
    # Eigenvalues, left and right eigenvectors; of real matrices, in two parts.
    "geev": Routine(
        "matrix vector vector matrix matrix",
        (
            *(_LETTER, _LETTER, _columns(), *_matrix(0), _array(1), _array(2)),
            *(*_matrix(3), *_matrix(4), *_WORK, _INFO),
        ),
    ),
    "geev_complex": Routine(
        "matrix vector matrix matrix",
        (
            *(_LETTER, _LETTER, _columns(), *_matrix(0), _array(1), *_matrix(2), *_matrix(3)),
            *(*_WORK, Parameter("real_work", factor=2), _INFO),
        ),
        "geev",
    ),
}

PREFIXES = {"f32": "s", "f64": "d", "complex<f32>": "c", "complex<f64>": "z"}
"""Of the names of routines, by the element type of matrices."""

_REAL_ONLY = ("geev",)
_COMPLEX_ONLY = ("geev_complex", "hetrf", "hetrs")


def symbol(routine: str, element: str) -> str:
    """The name of a routine for matrices of some element type."""
    is_complex = element.startswith("complex")
    name = ROUTINES[routine].complex if is_complex else ""
    return f"{PREFIXES[element]}{name or routine}_"


@cache
def symbols() -> frozenset[str]:
    """The names of all routines."""
    return frozenset(
        symbol(routine, element)
        for routine in ROUTINES
        for element in PREFIXES
        if routine not in (_COMPLEX_ONLY if not element.startswith("complex") else _REAL_ONLY)
    )


def real_element(element: str) -> str:
    """The element type of the parts of a number."""
    return element.removeprefix("complex<").removesuffix(">")
