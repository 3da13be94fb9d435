"""The operators for which conversions to linalg are used: those that compute what PyTorch does.

The wheel converts more. It is given no others, so that a form of an operator that no decomposition
function takes is refused, rather than computed with other roundings, or at the cost of the process.
`build_tools/numerics` compares each of these with eager mode; forms that are wrong are in
`refusals.py`.
"""

from __future__ import annotations

_OF_ONE_ELEMENT = """
    abs acos acosh asin asinh atan atanh bitwise_not ceil cos cosh erf exp expm1 floor gelu imag log
    log10 log1p log2 log_sigmoid_forward logical_not neg real relu round rsqrt sigmoid sin sinh sqrt
    tan tanh to trunc
"""
_OF_SEVERAL_ELEMENTS = """
    add atan2 bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor clamp div eq
    ge gt le logical_and logical_or logical_xor lt maximum minimum mul ne pow remainder rsub sub
    where elu_backward gelu_backward hardtanh_backward sigmoid_backward softplus_backward
"""
_REDUCTIONS = """
    all any frobenius_norm linalg_vector_norm logsumexp max min norm prod sum cumprod cumsum sort
"""
_CONTRACTIONS = "_int_mm bmm convolution dot matmul mm"
_WINDOWS = """
    _adaptive_avg_pool2d _adaptive_avg_pool3d adaptive_avg_pool1d adaptive_avg_pool2d
    adaptive_avg_pool3d avg_pool1d avg_pool2d avg_pool3d max_pool1d max_pool1d_with_indices
    max_pool2d max_pool2d_with_indices max_pool3d max_pool3d_with_indices
"""
_NORMALIZATIONS = "batch_norm native_group_norm_backward"
_VIEWS = """
    as_strided broadcast_to cat constant_pad_nd diagonal flip permute repeat slice slice_scatter
    squeeze transpose tril triu unfold unsqueeze view view_as_complex view_as_real collapse
"""
_INDEXING = """
    _unsafe_index_put embedding gather index index_put index_select nonzero_numpy scatter
    scatter_add scatter_reduce
"""
_FILLED = "arange empty ones zeros"
_NUMBERS = "Bool dim item len numel size"

CONVERTED_OPERATORS = frozenset(
    " ".join(
        (
            _OF_ONE_ELEMENT,
            _OF_SEVERAL_ELEMENTS,
            _REDUCTIONS,
            _CONTRACTIONS,
            _WINDOWS,
            _NORMALIZATIONS,
            _VIEWS,
            _INDEXING,
            _FILLED,
            _NUMBERS,
        )
    ).split()
)
"""Their names, without namespaces and overloads."""
