"""The errors of the functions by which approximate-math replaces the C library's."""

import math

import numpy as np
import pytest
import torch_refine
from torch_refine.dialect.bindings import ir, new_context

# In units in the last place, over the whole range.
MOST = {
    "exp": 1,
    "exp2": 1,
    "log": 1,
    "log10": 1,
    "log2": 0.8,
    "atan": 0.6,
    "asin": 0.6,
    "acos": 0.6,
    "tanh": 1,
    "erf": 1.2,
    "expm1": 1.1,
    "log1p": 1,
    "sin": 0.8,
    "cos": 0.8,
    "tan": 0.6,
    "sinh": 0.6,
    "cosh": 0.6,
    "atanh": 0.6,
}
EXACT = {
    "exp": np.exp,
    "exp2": np.exp2,
    "sin": np.sin,
    "cos": np.cos,
    "log": np.log,
    "tanh": np.tanh,
    "expm1": np.expm1,
    "log1p": np.log1p,
    "log10": np.log10,
    "log2": np.log2,
    "atan": np.arctan,
    "asin": np.arcsin,
    "acos": np.arccos,
    "tan": np.tan,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "atanh": np.arctanh,
    "erf": np.vectorize(math.erf, otypes=[np.float64]),
}


@pytest.fixture(scope="module", params=MOST)
def function(request):
    text = f"""
    func.func @main(%arg0: !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32> {{
      %0 = torch.aten.{request.param} %arg0 : !torch.vtensor<[?],f32> -> !torch.vtensor<[?],f32>
      return %0 : !torch.vtensor<[?],f32>
    }}"""
    return request.param, torch_refine.compile(ir.Module.parse(text, new_context()))


def _samples():
    """Numbers of every exponent and sign, the bounds of methods, and special values."""
    generator = np.random.default_rng(0)
    bits = generator.integers(0, 2**32, 200_000, dtype=np.uint64).astype(np.uint32)
    some = bits.view(np.float32)
    near = generator.uniform(-12, 12, 200_000).astype(np.float32)
    borders = np.array([0.625, 3.8325069, 88.72283, 88.72284, -87.336, -103.97, 0.70710677])
    special = np.array([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan])
    numbers = np.concatenate([some, near, borders, -borders, special]).astype(np.float32)
    return np.concatenate([numbers, np.nextafter(numbers, np.float32(np.inf))])


def test_errors_are_small(function):
    name, compiled = function
    inputs = _samples()
    found = compiled(inputs)
    with np.errstate(all="ignore"):
        expected = EXACT[name](inputs.astype(np.float64))
        rounded = expected.astype(np.float32)
    assert (np.isnan(found) == np.isnan(rounded)).all()
    finite = np.isfinite(rounded)
    infinite = ~finite & ~np.isnan(rounded)
    assert (found[infinite] == rounded[infinite]).all()
    unit = np.spacing(np.abs(rounded[finite])).astype(np.float64)
    errors = np.abs(found[finite].astype(np.float64) - expected[finite]) / unit
    worst = np.argmax(errors)
    assert errors[worst] <= MOST[name], (inputs[finite][worst], errors[worst])


def test_erf_of_doubles():
    text = """
    func.func @main(%arg0: !torch.vtensor<[?],f64>) -> !torch.vtensor<[?],f64> {
      %0 = torch.aten.erf %arg0 : !torch.vtensor<[?],f64> -> !torch.vtensor<[?],f64>
      return %0 : !torch.vtensor<[?],f64>
    }"""
    compiled = torch_refine.compile(ir.Module.parse(text, new_context()))
    generator = np.random.default_rng(0)
    bits = generator.integers(0, 2**63, 20_000, dtype=np.uint64).view(np.float64)
    special = np.array([0.0, 1.0, np.nextafter(1.0, 0), 6.0, 7.0, 1e300, 5e-324, np.inf, np.nan])
    numbers = np.concatenate([bits, generator.uniform(0, 7, 50_000), special])
    inputs = np.concatenate([numbers, -numbers])
    found, expected = compiled(inputs), EXACT["erf"](inputs)
    assert (np.isnan(found) == np.isnan(expected)).all()
    assert (np.signbit(found) == np.signbit(inputs))[~np.isnan(inputs)].all()
    kept = ~np.isnan(expected)
    errors = np.abs(found - expected)[kept] / np.spacing(np.abs(expected[kept]))
    assert errors.max() <= 3


# Of doubles, in units in the last place, beside the C library's functions in longer numbers.
OF_DOUBLES = {
    "exp": 1,
    "exp2": 1.1,
    "log": 1,
    "log2": 1.6,
    "log10": 1.8,
    "tanh": 1.5,
    "expm1": 2.5,
    "log1p": 2.3,
    "sin": 0.8,
    "cos": 0.8,
    "tan": 0.6,
    "sinh": 2,
    "cosh": 1.6,
    "asin": 0.6,
    "acos": 0.6,
    "atan": 0.6,
    "atanh": 1.4,
}


@pytest.mark.parametrize("name", OF_DOUBLES)
def test_functions_of_doubles(name):
    text = f"""
    func.func @main(%arg0: !torch.vtensor<[?],f64>) -> !torch.vtensor<[?],f64> {{
      %0 = torch.aten.{name} %arg0 : !torch.vtensor<[?],f64> -> !torch.vtensor<[?],f64>
      return %0 : !torch.vtensor<[?],f64>
    }}"""
    compiled = torch_refine.compile(ir.Module.parse(text, new_context()))
    generator = np.random.default_rng(0)
    bits = generator.integers(0, 2**64, 200_000, dtype=np.uint64).view(np.float64)
    powers = 2.0 ** np.arange(-1074, 1024)
    borders = np.array([709.78, 709.79, -708.4, -745.1, -745.2, 1024.0, -1022.5, -1075.0, -1074.9])
    special = np.array([0.0, -0.0, 1.0, -1.0, 5e-324, np.inf, -np.inf, np.nan])
    near = generator.uniform(0.5, 2, 100_000)
    parts = (bits, generator.uniform(-750, 750, 100_000), near, powers, borders, special)
    inputs = np.concatenate(parts)
    found = compiled(inputs)
    with np.errstate(all="ignore"):
        exact = EXACT[name](inputs.astype(np.longdouble))
        rounded = exact.astype(np.float64)
    assert (np.isnan(found) == np.isnan(rounded)).all()
    known = ~np.isnan(rounded)
    assert (np.signbit(found) == np.signbit(rounded))[known].all()
    finite = np.isfinite(rounded) & np.isfinite(found)
    assert (found[~finite] == rounded[~finite])[~np.isnan(rounded[~finite])].all()
    errors = np.abs(found[finite] - exact[finite]) / np.spacing(np.abs(rounded[finite]))
    worst = np.argmax(errors)
    assert errors[worst] <= OF_DOUBLES[name], (inputs[finite][worst], errors[worst])


def _pairs(generator):
    bits = generator.integers(0, 2**32, (2, 300_000), dtype=np.uint64).astype(np.uint32)
    some = bits.view(np.float32)
    near = generator.uniform(-20, 20, (2, 100_000)).astype(np.float32)
    whole = generator.integers(-50, 50, (2, 100_000)).astype(np.float32)
    special = np.array([0.0, -0.0, 1.0, -3.0, 1e-45, 3e38, np.inf, -np.inf, np.nan], np.float32)
    grid = np.stack(np.meshgrid(special, special)).reshape(2, -1)
    return np.concatenate([some, near, whole, grid], axis=1)


def _of_two(operator):
    type = "!torch.vtensor<[?],f32>"
    text = f"""
    func.func @main(%arg0: {type}, %arg1: {type}) -> {type} {{
      %0 = torch.aten.{operator} %arg0, %arg1 : {type}, {type} -> {type}
      return %0 : {type}
    }}"""
    return torch_refine.compile(ir.Module.parse(text, new_context()))


def test_remainders_are_exact():
    x, y = _pairs(np.random.default_rng(0))
    with np.errstate(all="ignore"):
        expected = np.fmod(x, y)
    found = _of_two("fmod.Tensor")(x, y)
    assert (np.isnan(found) == np.isnan(expected)).all()
    kept = ~np.isnan(expected)
    assert (found[kept] == expected[kept]).all()
    assert (np.signbit(found) == np.signbit(expected))[kept].all()


def test_angles():
    y, x = _pairs(np.random.default_rng(0))
    exact = np.arctan2(y.astype(np.float64), x.astype(np.float64))
    rounded = exact.astype(np.float32)
    found = _of_two("atan2")(y, x)
    assert (np.isnan(found) == np.isnan(rounded)).all()
    kept = ~np.isnan(rounded)
    assert (np.signbit(found) == np.signbit(rounded))[kept].all()
    errors = np.abs(found.astype(np.float64) - exact)[kept] / np.spacing(np.abs(rounded[kept]))
    assert errors.max() <= 0.6


def test_powers():
    x, y = _pairs(np.random.default_rng(0))
    # Most powers of arbitrary numbers are 0 or infinite.
    x = np.concatenate([x, np.abs(x), np.random.default_rng(1).uniform(0.5, 2, len(x))])
    y = np.concatenate([y, y / np.maximum(np.abs(y), 1), np.resize(y, len(y))])
    x, y = x.astype(np.float32), y.astype(np.float32)
    with np.errstate(all="ignore"):
        exact = np.power(x.astype(np.longdouble), y.astype(np.longdouble))
        rounded = exact.astype(np.float32)
    found = _of_two("pow.Tensor_Tensor")(x, y)
    assert (np.isnan(found) == np.isnan(rounded)).all()
    known = ~np.isnan(rounded)
    assert (np.signbit(found) == np.signbit(rounded))[known].all()
    finite = np.isfinite(rounded)
    assert (found[known & ~finite] == rounded[known & ~finite]).all()
    errors = np.abs(found - exact)[finite] / np.spacing(np.abs(rounded[finite]))
    assert errors.max() <= 0.6
