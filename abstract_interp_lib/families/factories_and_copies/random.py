"""Random tensors and dropout: `rand`, `randint_like`, `bernoulli`, `multinomial`, Philox."""

from functools import partial
from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    TensorCase,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.rules.broadcast import broadcast_three, broadcast_two
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self, same_as_self
from torch_refine.abstract_interp_lib.rules.factories import (
    dtype_or_default,
    dtype_or_int64,
    dtype_or_same,
    given_size,
)
from torch_refine.abstract_interp_lib.rules.pointwise import dtype_of_input, same_as_input
from torch_refine.abstract_interp_lib.rules.promotion import is_integral
from torch_refine.abstract_interp_lib.rules.quantization import check_floating
from torch_refine.abstract_interp_lib.rules.reduction import int64_dtype
from torch_refine.abstract_interp_lib.rules.sizes import append_size, insert_size

_FLOATS = (torch.float16, torch.bfloat16, torch.float64)
_SIZES = [Invocation([2, 3]), Invocation([]), Invocation([0, 3])]
_SHAPES = [Invocation(T(2, 3)), Invocation(T()), Invocation(T(0, 3))]

# Factories with a size.
_UNIFORM_OR_NORMAL = ("aten::rand", "aten::randn")
shape_family(given_size, *_UNIFORM_OR_NORMAL, ok=_SIZES, error=[Invocation([2, -1])])
dtype_family(
    dtype_or_default,
    *_UNIFORM_OR_NORMAL,
    ok=[Invocation([2], dtype=dtype) for dtype in (*_FLOATS, torch.complex64, None)],
)
_GENERATED = ("aten::rand.generator", "aten::randn.generator")
shape_family(
    given_size,
    *_GENERATED,
    ok=[Invocation([2, 3], generator=None)],
    error=[Invocation([2, -1], generator=None)],
)
dtype_family(
    dtype_or_default,
    *_GENERATED,
    ok=[Invocation([2], generator=None, dtype=dtype) for dtype in _FLOATS],
)
shape_family(
    given_size,
    "aten::normal.float_float",
    ok=[Invocation(0.0, 1.0, [2, 3])],
    error=[Invocation(0.0, 1.0, [-1])],
)
dtype_family(
    dtype_or_default,
    "aten::normal.float_float",
    ok=[Invocation(0.0, 1.0, [2], dtype=dtype) for dtype in _FLOATS],
)
# The schema's default is int64; None stands for the default dtype.
_INTEGER_DTYPES = (torch.int32, torch.uint8, torch.float64, None)
shape_family(
    given_size,
    "aten::randint",
    ok=[Invocation(5, [2, 3]), Invocation(5, [])],
    error=[Invocation(5, [-1])],
)
dtype_family(
    dtype_or_default,
    "aten::randint",
    ok=[Invocation(5, [2], dtype=dtype) for dtype in _INTEGER_DTYPES],
)
shape_family(
    given_size,
    "aten::randint.low",
    ok=[Invocation(-5, 5, [2, 3])],
    error=[Invocation(-5, 5, [-1])],
)
dtype_family(
    dtype_or_default,
    "aten::randint.low",
    ok=[Invocation(1, 5, [2], dtype=dtype) for dtype in _INTEGER_DTYPES],
)


def permutation(n: int) -> List[int]:
    """A permutation of 0 to n - 1."""
    assert n >= 0, f"aten::randperm: n must not be negative, got {n}"
    return [n]


shape_family(
    permutation, "aten::randperm", ok=[Invocation(5), Invocation(0)], error=[Invocation(-1)]
)
dtype_family(
    dtype_or_int64,
    "aten::randperm",
    ok=[
        Invocation(5, dtype=torch.int32),
        Invocation(5, dtype=torch.float64),
        # The meta kernel takes None as the default dtype.
        Invocation(5, dtype=None, device="cpu"),
    ],
)

# Factories like another tensor.
_LIKE = ("aten::rand_like", "aten::randn_like")
shape_family(same_as_self, *_LIKE, ok=_SHAPES)
dtype_family(
    dtype_or_same,
    *_LIKE,
    ok=[
        *[Invocation(T(2, dtype=dtype)) for dtype in _FLOATS],
        Invocation(T(2), dtype=torch.float64),
        Invocation(T(2, dtype=torch.int64), dtype=torch.float16),
        Invocation(T(2, dtype=torch.bool), dtype=torch.complex64),
    ],
)
_LIKE_GENERATED = ("aten::rand_like.generator", "aten::randn_like.generator")
shape_family(same_as_self, *_LIKE_GENERATED, ok=[Invocation(T(2, 3), generator=None)])
dtype_family(
    dtype_or_same,
    *_LIKE_GENERATED,
    ok=[
        Invocation(T(2, dtype=torch.float16), generator=None),
        Invocation(T(2, dtype=torch.int64), generator=None, dtype=torch.float64),
    ],
)
shape_family(same_as_self, "aten::randint_like", ok=[Invocation(T(2, 3), 5)])
dtype_family(
    dtype_or_same,
    "aten::randint_like",
    ok=[Invocation(T(2), 5, dtype=torch.int64), Invocation(T(2, dtype=torch.int32), 5)],
)
shape_family(same_as_self, "aten::randint_like.low_dtype", ok=[Invocation(T(2, 3), 2, 5)])
dtype_family(
    dtype_or_same,
    "aten::randint_like.low_dtype",
    ok=[Invocation(T(2), 2, 5, dtype=torch.int64), Invocation(T(2, dtype=torch.int32), 2, 5)],
)

# In-place fills and their functional forms.
_FILLED = (
    "aten::bernoulli",
    "aten::cauchy",
    "aten::exponential",
    "aten::log_normal",
    "aten::normal_functional",
    "aten::random",
    "aten::uniform",
)
shape_family(same_as_self, *_FILLED, ok=_SHAPES)
dtype_family(dtype_of_self, *_FILLED, ok=[Invocation(T(2, dtype=dtype)) for dtype in _FLOATS])
_WITH_PROBABILITY = ("aten::bernoulli.p", "aten::geometric")
shape_family(same_as_self, *_WITH_PROBABILITY, ok=[Invocation(T(2, 3), 0.5), Invocation(T(), 0.5)])
dtype_family(
    dtype_of_self,
    *_WITH_PROBABILITY,
    ok=[Invocation(T(2, dtype=dtype), 0.5) for dtype in (*_FLOATS, torch.int64, torch.uint8)],
)
shape_family(same_as_self, "aten::random.from", ok=[Invocation(T(2, 3), 1, 5)])
dtype_family(dtype_of_self, "aten::random.from", ok=[Invocation(T(2, dtype=torch.int32), 1, None)])
shape_family(same_as_self, "aten::random.to", ok=[Invocation(T(2, 3), 5)])
dtype_family(dtype_of_self, "aten::random.to", ok=[Invocation(T(2, dtype=torch.int32), 5)])
# The probabilities expand to the shape of `self`; an empty `self` accepts any shape.
shape_family(
    same_as_self,
    "aten::bernoulli.Tensor",
    ok=[
        Invocation(T(2, 3), T(3)),
        Invocation(T(2, 3), T()),
        Invocation(T(0), T(1, 3), device="cpu"),
    ],
)
dtype_family(
    dtype_of_self,
    "aten::bernoulli.Tensor",
    ok=[
        Invocation(T(2, dtype=torch.int64), T(2)),
        Invocation(T(2, dtype=torch.float16), T(2, dtype=torch.float64)),
    ],
)

# Dropout.
_DROPOUT = ("aten::alpha_dropout", "aten::dropout")
shape_family(
    same_as_input,
    *_DROPOUT,
    ok=[
        Invocation(T(2, 3), 0.5, True),
        Invocation(T(2, 3), 0.5, False),
        Invocation(T(), 0.5, True),
        Invocation(T(0, 3), 0.5, True),
    ],
)
_FEATURE_DROPOUT = ("aten::feature_alpha_dropout", "aten::feature_dropout")
shape_family(
    same_as_input,
    *_FEATURE_DROPOUT,
    ok=[Invocation(T(2, 3, 4), 0.5, True), Invocation(T(3), 0.5, False)],
)
dtype_family(
    dtype_of_input,
    *_DROPOUT,
    *_FEATURE_DROPOUT,
    ok=[
        *[Invocation(T(2, 3, dtype=dtype), 0.5, True) for dtype in _FLOATS],
        Invocation(T(2, 3, dtype=torch.int64), 0.5, False),
        Invocation(T(2, 3, dtype=torch.bool), 0.5, False),
    ],
)


def native_dropout(input: List[int]) -> Tuple[List[int], List[int]]:
    """The output and the mask have the shape of `input`."""
    return input, input


def native_dropout_dtype(input: Tuple[int, int]) -> Tuple[int, int]:
    """The mask is bool."""
    return input[1], torch.bool


shape_family(
    native_dropout,
    "aten::native_dropout",
    ok=[
        Invocation(T(2, 3), 0.5, True),
        Invocation(T(2, 3), 0.5, None),
        Invocation(T(), 0.5, False),
        Invocation(T(0, 3), 0.5, True),
    ],
)
dtype_family(
    native_dropout_dtype,
    "aten::native_dropout",
    ok=[
        *[Invocation(T(2, dtype=dtype), 0.5, True) for dtype in _FLOATS],
        Invocation(T(2, dtype=torch.int64), 0.5, False),
        Invocation(T(2, dtype=torch.bool), 0.5, False),
    ],
)


# Distributions with tensor parameters, and gradients of samples.

_on_cpu = partial(Invocation, device="cpu")
_DOUBLE = torch.float64


def check_dtypes(first: int, second: int) -> None:
    """Raise unless two dtypes are the same."""
    assert first == second, f"dtypes must match, got {first} and {second}"


# One sample per element.
_SAMPLES = ("aten::_standard_gamma", "aten::poisson")
shape_family(same_as_self, *_SAMPLES, ok=_SHAPES)
dtype_family(dtype_of_self, *_SAMPLES, ok=[Invocation(T(2, dtype=dtype)) for dtype in _FLOATS])
# There is no meta kernel, and no kernel for half precision.
shape_family(
    same_as_self,
    "aten::_sample_dirichlet",
    ok=[_on_cpu(*case.args) for case in _SHAPES],
)
dtype_family(dtype_of_self, "aten::_sample_dirichlet", ok=[_on_cpu(T(2, dtype=_DOUBLE))])


def binomial_rule(count: List[int], prob: List[int]) -> List[int]:
    """Count and probability broadcast."""
    return broadcast_two(count, prob)


def binomial_dtype(count: Tuple[int, int], prob: Tuple[int, int]) -> int:
    """Count and probability have the same floating-point dtype."""
    assert not is_integral(count[1]), f"count must be floating-point, got dtype {count[1]}"
    check_dtypes(count[1], prob[1])
    return count[1]


def gamma_gradient_rule(self: List[int], output: List[int]) -> List[int]:
    """Parameters and samples broadcast."""
    return broadcast_two(self, output)


def gamma_gradient_dtype(self: Tuple[int, int], output: Tuple[int, int]) -> int:
    """Parameters and samples have the same dtype."""
    check_dtypes(self[1], output[1])
    return self[1]


def dirichlet_gradient_rule(x: List[int], alpha: List[int], total: List[int]) -> List[int]:
    """Samples, parameters and their sums broadcast."""
    return broadcast_three(x, alpha, total)


def dirichlet_gradient_dtype(
    x: Tuple[int, int], alpha: Tuple[int, int], total: Tuple[int, int]
) -> int:
    """Samples, parameters and their sums have the same dtype."""
    check_dtypes(x[1], alpha[1])
    check_dtypes(x[1], total[1])
    return x[1]


# These have no meta kernels, and CPU kernels only for float32 and float64.
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
    """Sample indices, from one distribution or from each row of a matrix."""
    assert len(self) == 1 or len(self) == 2, f"self must be 1-D or 2-D, got shape {self}"
    assert self[-1] <= 1 << 24, f"the number of categories must be at most 2^24, got {self[-1]}"
    assert num_samples > 0, f"num_samples must be positive, got {num_samples}"
    assert replacement or num_samples <= self[-1], (
        f"num_samples without replacement must be at most {self[-1]}, got {num_samples}"
    )
    return append_size(self[:-1], num_samples)


def multinomial_dtype(self: Tuple[int, int]) -> int:
    """Indices are int64; the input is floating-point."""
    assert not is_integral(self[1]), f"self must be floating-point, got dtype {self[1]}"
    return int64_dtype(self)


# The meta kernel only checks ranks.
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
    """Mean and standard deviation broadcast."""
    return broadcast_two(mean, std)


def normal_mean_rule(mean: List[int]) -> List[int]:
    """One sample per mean."""
    return mean


def normal_deviation_rule(std: List[int]) -> List[int]:
    """One sample per standard deviation."""
    return std


def dtype_of_mean(mean: Tuple[int, int]) -> int:
    """The dtype of the mean."""
    return mean[1]


def dtype_of_deviation(std: Tuple[int, int]) -> int:
    """The dtype of the standard deviation."""
    return std[1]


# The meta kernel promotes, unlike the others.
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
        # The meta kernel fails: it compares complex numbers.
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
_DISTRIBUTION_INTEGER_DTYPES = (torch.int32, torch.uint8, torch.float16, None)
shape_family(
    given_size,
    "aten::randint.generator",
    ok=[Invocation(5, [2, 3], generator=None), Invocation(5, [], generator=None)],
    error=[Invocation(5, [-1], generator=None)],
)
dtype_family(
    dtype_or_default,
    "aten::randint.generator",
    ok=[Invocation(5, [2], generator=None, dtype=dtype) for dtype in _DISTRIBUTION_INTEGER_DTYPES],
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
    ok=[
        Invocation(1, 5, [2], generator=None, dtype=dtype) for dtype in _DISTRIBUTION_INTEGER_DTYPES
    ],
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
    """The shape of `self`; `high` is 0-dim."""
    assert len(high) == 0, f"high must be 0-dim, got shape {high}"
    return self


# The meta kernels accept any bound, or none on their device.
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


# Quasi-random sequences.
def sobol_draw_rule(quasi: List[int], n: int, dimension: int) -> Tuple[List[int], List[int]]:
    """The points, and the state of the sequence."""
    assert n >= 0, f"n must not be negative, got {n}"
    return given_size([n, dimension]), quasi


def sobol_draw_dtype(
    quasi: Tuple[int, int], sobolstate: Tuple[int, int], dtype: Optional[int]
) -> Tuple[int, int]:
    """The points have the requested dtype, or float32; the state is int64."""
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


# Random tensors determined by a key, as generated by the counter-based generator Philox.
#
# Only CUDA has kernels for these, so only their meta kernels run here.


def check_key(key: List[int]) -> None:
    """Raise unless the last dimension of the keys has size 2."""
    assert len(key) >= 1 and key[-1] == 2, (
        f"the last dimension of key must have size 2, got shape {key}"
    )


def check_key_dtype(key: Tuple[int, int]) -> None:
    """Raise unless keys are uint64."""
    assert key[1] == torch.uint64, f"keys must be of dtype uint64, got dtype {key[1]}"


def split_key(key: List[int], num_splits: int) -> List[int]:
    """A new leading dimension of `num_splits` keys."""
    check_key(key)
    assert num_splits > 0, f"num_splits must be positive, got {num_splits}"
    return insert_size(key, 0, num_splits)


def folded_key(key: List[int]) -> List[int]:
    """One new key per key."""
    check_key(key)
    return key


def key_dtype(key: Tuple[int, int]) -> int:
    """uint64, the dtype of keys."""
    check_key_dtype(key)
    return torch.uint64


def random_by_key(self: List[int], key: List[int]) -> List[int]:
    """The shape of `self`, to which a batch of keys broadcasts."""
    check_key(key)
    if len(key) > 1:
        assert len(key) == len(self) + 1, (
            f"key must have one dimension more than self, got shapes {key} and {self}"
        )
        for index in range(len(self)):
            assert key[index] == 1 or key[index] == self[index], (
                f"key of shape {key} does not broadcast to shape {self}"
            )
    return self


def random_by_key_dtype(self: Tuple[int, int], key: Tuple[int, int]) -> int:
    """The dtype of `self`, which must be floating-point."""
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
