"""Epilogues of contractions: in MLIR, and in f64."""

import torch
from warpgroup_kernels import Epilogue


def _gelu(x):
    return x * 0.5 * (1 + torch.erf(x * 0.5**0.5))


BIAS = Epilogue(
    (("n", "f16"),),
    """
      %b = arith.extf %a0 : f16 to f32
      %s = arith.addf %sum, %b : f32
      %r = arith.truncf %s : f32 to R""",
    lambda sums, bias: sums + bias,
)
ROW_FACTORS = Epilogue(
    (("m", "f32"),),
    "      %r = arith.mulf %sum, %a0 : f32",
    lambda sums, factors: sums * factors,
)
RESIDUAL = Epilogue(
    (("mn", "f16"),),
    """
      %b = arith.extf %a0 : f16 to f32
      %s = arith.addf %b, %sum : f32
      %r = arith.truncf %s : f32 to R""",
    lambda sums, residual: sums + residual,
)
BATCH_RESIDUAL = Epilogue(
    (("bmn", "bf16"), ("b", "f32")),
    """
      %b = arith.extf %a0 : bf16 to f32
      %c = arith.mulf %sum, %a1 : f32
      %s = arith.addf %b, %c : f32
      %r = arith.truncf %s : f32 to R""",
    lambda sums, residual, factor: sums * factor + residual,
)
# As PyTorch's linear and gelu: the linear layer's result is rounded, and a constant is captured.
GELU = Epilogue(
    (("n", "f32"),),
    """
      %s = arith.addf %sum, %a0 : f32
      %t = arith.truncf %s : f32 to R
      %x = arith.extf %t : R to f32
      %scale = arith.truncf %root : f64 to f32
      %y = arith.mulf %x, %scale : f32
      %e = math.erf %y : f32
      %o = arith.addf %e, %one : f32
      %h = arith.constant 5.0e-01 : f32
      %p = arith.mulf %x, %h : f32
      %g = arith.mulf %p, %o : f32
      %r = arith.truncf %g : f32 to R""",
    lambda sums, bias: _gelu(sums + bias),
    captured="  %root = arith.constant 0.70710678118654757 : f64\n"
    "  %one = arith.constant 1.0 : f32",
)
RELU = Epilogue(
    (),
    """
      %zeros = arith.constant 0.0 : f32
      %above = arith.cmpf ugt, %sum, %zeros : f32
      %r = arith.select %above, %sum, %zeros : f32""",
    lambda sums: torch.relu(sums),
)
SCALAR = Epilogue(
    (("", "f32"), ("n", "f32"), ("m", "f16")),
    """
      %w = arith.extf %a2 : f16 to f32
      %p = arith.mulf %sum, %a0 : f32
      %q = arith.addf %p, %a1 : f32
      %s = arith.subf %q, %w : f32
      %r = arith.truncf %s : f32 to R""",
    lambda sums, scalar, columns, rows: sums * scalar + columns - rows,
)
