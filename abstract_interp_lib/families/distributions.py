"""Random numbers from distributions whose parameters are tensors, and gradients of samples.

The plain ones, such as `rand` and `bernoulli`, are in `random`.
"""

from functools import partial
from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.families.random import permutation
from torch_refine.abstract_interp_lib.rules.broadcast import broadcast_three, broadcast_two
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self, same_as_self
from torch_refine.abstract_interp_lib.rules.factories import (
    dtype_or_default,
    dtype_or_int64,
    dtype_or_same,
    given_size,
)
from torch_refine.abstract_interp_lib.rules.promotion import is_integral
from torch_refine.abstract_interp_lib.rules.reduction import int64_dtype
from torch_refine.abstract_interp_lib.rules.sizes import append_size

_FLOATS = (torch.float16, torch.bfloat16, torch.float64)
_SHAPES = [Invocation(T(2, 3)), Invocation(T()), Invocation(T(0, 3))]
_on_cpu = partial(Invocation, device="cpu")
_DOUBLE = torch.float64


def check_dtypes(first: int, second: int) -> None:
    """Raise unless two dtypes are the same."""
    assert first == second, f"dtypes must match, got {first} and {second}"


# A sample for each element.
_SAMPLES = ("aten::_standard_gamma", "aten::poisson")
shape_family(same_as_self, *_SAMPLES, ok=_SHAPES)
dtype_family(dtype_of_self, *_SAMPLES, ok=[Invocation(T(2, dtype=dtype)) for dtype in _FLOATS])
# There is no meta kernel, and none for half dtypes.
shape_family(
    same_as_self,
    "aten::_sample_dirichlet",
    ok=[_on_cpu(*case.args) for case in _SHAPES],
)
dtype_family(dtype_of_self, "aten::_sample_dirichlet", ok=[_on_cpu(T(2, dtype=_DOUBLE))])


def binomial_rule(count: List[int], prob: List[int]) -> List[int]:
    """Counts and probabilities broadcast."""
    return broadcast_two(count, prob)


def binomial_dtype(count: Tuple[int, int], prob: Tuple[int, int]) -> int:
    """Counts and probabilities have one dtype, a floating one."""
    assert not is_integral(count[1]), f"counts must be floating, got dtype {count[1]}"
    check_dtypes(count[1], prob[1])
    return count[1]


def gamma_gradient_rule(self: List[int], output: List[int]) -> List[int]:
    """Parameters and samples broadcast."""
    return broadcast_two(self, output)


def gamma_gradient_dtype(self: Tuple[int, int], output: Tuple[int, int]) -> int:
    """Parameters and samples have one dtype."""
    check_dtypes(self[1], output[1])
    return self[1]


def dirichlet_gradient_rule(x: List[int], alpha: List[int], total: List[int]) -> List[int]:
    """Samples, parameters and their sums broadcast."""
    return broadcast_three(x, alpha, total)


def dirichlet_gradient_dtype(
    x: Tuple[int, int], alpha: Tuple[int, int], total: Tuple[int, int]
) -> int:
    """Samples, parameters and their sums have one dtype."""
    check_dtypes(x[1], alpha[1])
    check_dtypes(x[1], total[1])
    return x[1]


# These have no meta kernels, and CPU kernels for float32 and float64 alone.
_PAIRS = [
    _on_cpu(T(2, 3), T(2, 3)),
    _on_cpu(T(2, 1), T(1, 3)),
    _on_cpu(T(3), T(2, 3)),
    _on_cpu(T(3), T()),
    _on_cpu(T(0), T(1)),
    _on_cpu(T(3, dtype=_DOUBLE), T(3, dtype=_DOUBLE)),
]
_PAIRS_ERROR = [_on_cpu(T(3), T(4))]
_MIXED = [_on_cpu(T(3), T(3, dtype=_DOUBLE)), _on_cpu(T(3), T(dtype=_DOUBLE))]
shape_family(binomial_rule, "aten::binomial", ok=_PAIRS, error=_PAIRS_ERROR)
dtype_family(
    binomial_dtype,
    "aten::binomial",
    error=[*_MIXED, _on_cpu(T(3, dtype=torch.int64), T(3))],
)
shape_family(gamma_gradient_rule, "aten::_standard_gamma_grad", ok=_PAIRS, error=_PAIRS_ERROR)
dtype_family(gamma_gradient_dtype, "aten::_standard_gamma_grad", error=_MIXED)
shape_family(
    dirichlet_gradient_rule,
    "aten::_dirichlet_grad",
    ok=[
        _on_cpu(T(2, 3), T(2, 3), T(2, 3)),
        _on_cpu(T(2, 3), T(2, 3), T(2, 1)),
        _on_cpu(T(3), T(2, 3), T(2, 3)),
        _on_cpu(*[T(3, dtype=_DOUBLE)] * 3),
    ],
    error=[_on_cpu(T(3), T(4), T(3))],
)
dtype_family(
    dirichlet_gradient_dtype,
    "aten::_dirichlet_grad",
    error=[
        _on_cpu(T(3), T(3, dtype=_DOUBLE), T(3)),
        _on_cpu(T(3), T(3), T(3, dtype=_DOUBLE)),
    ],
)


def multinomial_rule(self: List[int], num_samples: int, replacement: bool) -> List[int]:
    """The indices of the samples, from one distribution or from each row of a matrix."""
    assert len(self) == 1 or len(self) == 2, (
        f"self must be a vector or a matrix of weights, got shape {self}"
    )
    assert self[-1] <= 1 << 24, f"there can be at most 2^24 categories, got {self[-1]}"
    assert num_samples > 0, f"num_samples must be positive, got {num_samples}"
    assert replacement or num_samples <= self[-1], (
        f"without replacement there are at most {self[-1]} samples, got {num_samples}"
    )
    return append_size(self[:-1], num_samples)


def multinomial_dtype(self: Tuple[int, int]) -> int:
    """Indices, from weights that are floating."""
    assert not is_integral(self[1]), f"weights must be floating, got dtype {self[1]}"
    return int64_dtype(self)


# The meta kernel checks ranks alone.
shape_family(
    multinomial_rule,
    "aten::multinomial",
    ok=[
        Invocation(T(5), 3),
        Invocation(T(4, 5), 5),
        Invocation(T(5), 6, True),
        Invocation(T(4, 5), 6, replacement=True, generator=None),
        Invocation(T(0, 5), 3),
        *[Invocation(T(5, dtype=dtype), 3) for dtype in _FLOATS],
    ],
    error=[
        Invocation(T(), 1),
        Invocation(T(2, 2, 5), 3),
        _on_cpu(T(5), 0),
        _on_cpu(T(4, 5), 6),
        _on_cpu(T(0, (1 << 24) + 1), 1),
    ],
)
dtype_family(multinomial_dtype, "aten::multinomial", error=[_on_cpu(T(5, dtype=torch.int64), 3)])


# Normal distributions.
def normal_rule(mean: List[int], std: List[int]) -> List[int]:
    """Means and deviations broadcast."""
    return broadcast_two(mean, std)


def normal_mean_rule(mean: List[int]) -> List[int]:
    """One sample for each mean."""
    return mean


def normal_deviation_rule(std: List[int]) -> List[int]:
    """One sample for each deviation."""
    return std


def dtype_of_mean(mean: Tuple[int, int]) -> int:
    """That of the means."""
    return mean[1]


def dtype_of_deviation(std: Tuple[int, int]) -> int:
    """That of the deviations."""
    return std[1]


# The meta kernel promotes, which the others do not.
shape_family(
    normal_rule,
    "aten::normal.Tensor_Tensor",
    ok=[
        Invocation(T(2, 3), T(2, 3)),
        Invocation(T(2, 1), T(3)),
        Invocation(T(), T()),
        Invocation(T(0, 3), T()),
    ],
    error=[Invocation(T(2, 3), T(2))],
)
dtype_family(
    dtype_of_mean,
    "aten::normal.Tensor_Tensor",
    ok=[
        *[_on_cpu(T(3, dtype=dtype), T(3)) for dtype in (*_FLOATS, torch.complex64)],
        *[_on_cpu(T(3), T(3, dtype=dtype)) for dtype in (*_FLOATS, torch.int64)],
        _on_cpu(T(), T(3, dtype=_DOUBLE)),
    ],
)
shape_family(normal_mean_rule, "aten::normal.Tensor_float", ok=_SHAPES)
dtype_family(
    dtype_of_mean,
    "aten::normal.Tensor_float",
    ok=[
        *[Invocation(T(3, dtype=dtype), 2.0) for dtype in _FLOATS],
        # The meta kernel compares complex numbers.
        _on_cpu(T(3, dtype=torch.complex64)),
    ],
)
shape_family(
    normal_deviation_rule,
    "aten::normal.float_Tensor",
    ok=[Invocation(1.0, *case.args) for case in _SHAPES],
)
dtype_family(
    dtype_of_deviation,
    "aten::normal.float_Tensor",
    ok=[Invocation(1.0, T(3, dtype=dtype), generator=None) for dtype in _FLOATS],
)

# Integers, with a generator. The schema's default is int64; None stands for the default dtype.
_INTEGER_DTYPES = (torch.int32, torch.uint8, torch.float16, None)
shape_family(
    given_size,
    "aten::randint.generator",
    ok=[Invocation(5, [2, 3], generator=None), Invocation(5, [], generator=None)],
    error=[Invocation(5, [-1], generator=None)],
)
dtype_family(
    dtype_or_default,
    "aten::randint.generator",
    ok=[Invocation(5, [2], generator=None, dtype=dtype) for dtype in _INTEGER_DTYPES],
)
shape_family(
    given_size,
    "aten::randint.low_generator",
    ok=[Invocation(-5, 5, [2, 3], generator=None)],
    error=[Invocation(-5, 5, [-1], generator=None)],
)
dtype_family(
    dtype_or_default,
    "aten::randint.low_generator",
    ok=[Invocation(1, 5, [2], generator=None, dtype=dtype) for dtype in _INTEGER_DTYPES],
)
shape_family(
    permutation,
    "aten::randperm.generator",
    ok=[Invocation(5, generator=None), Invocation(0, generator=None)],
    error=[Invocation(-1, generator=None)],
)
dtype_family(
    dtype_or_int64,
    "aten::randperm.generator",
    ok=[Invocation(5, generator=None, dtype=dtype) for dtype in (torch.int32, _DOUBLE, None)],
)
shape_family(
    same_as_self, "aten::randint_like.generator", ok=[Invocation(T(2, 3), 5, generator=None)]
)
dtype_family(
    dtype_or_same,
    "aten::randint_like.generator",
    ok=[
        Invocation(T(2), 5, generator=None, dtype=torch.int64),
        Invocation(T(2, dtype=torch.int32), 5, generator=None),
    ],
)
shape_family(
    same_as_self,
    "aten::randint_like.low_generator_dtype",
    ok=[Invocation(T(2, 3), 2, 5, generator=None)],
)
dtype_family(
    dtype_or_same,
    "aten::randint_like.low_generator_dtype",
    ok=[
        Invocation(T(2), 2, 5, generator=None, dtype=torch.int64),
        Invocation(T(2, dtype=torch.int32), 2, 5, generator=None),
    ],
)


def randint_bound_rule(self: List[int], high: List[int]) -> List[int]:
    """The shape of `self`; the bound is one number."""
    assert len(high) == 0, f"high must be zero-dim, got shape {high}"
    return self


# The meta kernels take any bound, or none on their device.
_BOUND = T(dtype=torch.int64, values=[5])
shape_family(
    randint_bound_rule,
    "aten::randint_like.Tensor",
    ok=[_on_cpu(T(2, 3), _BOUND), _on_cpu(T(), _BOUND)],
    error=[_on_cpu(T(2, 3), T(1, dtype=torch.int64))],
)
dtype_family(
    dtype_or_same,
    "aten::randint_like.Tensor",
    ok=[
        _on_cpu(T(2), _BOUND, dtype=torch.int64),
        _on_cpu(T(2, dtype=torch.int32), T(values=[5.0])),
    ],
)
shape_family(
    randint_bound_rule,
    "aten::randint_like.Tensor_generator",
    ok=[_on_cpu(T(2, 3), _BOUND, generator=None)],
    error=[_on_cpu(T(2, 3), T(1, dtype=torch.int64), generator=None)],
)
dtype_family(
    dtype_or_same,
    "aten::randint_like.Tensor_generator",
    ok=[
        _on_cpu(T(2), _BOUND, generator=None, dtype=torch.int64),
        _on_cpu(T(2, dtype=torch.int32), _BOUND, generator=None),
    ],
)


# Quasi-random numbers.
def sobol_draw_rule(quasi: List[int], n: int, dimension: int) -> Tuple[List[int], List[int]]:
    """The points, and where the sequence stands then."""
    assert n >= 0, f"the number of points must not be negative, got {n}"
    return given_size([n, dimension]), quasi


def sobol_draw_dtype(
    quasi: Tuple[int, int], sobolstate: Tuple[int, int], dtype: Optional[int]
) -> Tuple[int, int]:
    """The points have the dtype asked for, or float32."""
    assert sobolstate[1] == torch.int64, f"sobolstate must be int64, got dtype {sobolstate[1]}"
    return dtype_or_default(dtype), quasi[1]


_QUASI = T(4, dtype=torch.int64)
_STATE = T(4, 30, dtype=torch.int64)
# The meta kernel reads the data.
shape_family(
    sobol_draw_rule,
    "aten::_sobol_engine_draw",
    ok=[
        _on_cpu(_QUASI, 3, _STATE, 4, 0, None),
        _on_cpu(_QUASI, 3, _STATE, 2, 5, torch.float32),
        _on_cpu(_QUASI, 0, _STATE, 4, 0, torch.float64),
    ],
    error=[
        _on_cpu(_QUASI, -1, _STATE, 4, 0, None),
        _on_cpu(_QUASI, 3, _STATE, -1, 0, None),
    ],
)
dtype_family(
    sobol_draw_dtype,
    "aten::_sobol_engine_draw",
    error=[_on_cpu(_QUASI, 3, T(4, 30), 4, 0, None)],
)
