"""What the wheel converts wrongly, or aborts at: refused before it is tried.

Each was found by `build_tools/numerics`, which compares every operator with eager mode. Programs
that are imported from PyTorch come without most of them (`importer/exact_decompositions.py`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.tensor_type import TensorType, Types
from torch_refine.passes.lowering import mixed_dtypes
from torch_refine.passes.lowering.seen_ops import Seen, seen_of


@dataclass(frozen=True)
class Refusal:
    """Operators that are refused where a condition holds, and why; all operators if none."""

    operators: frozenset[str]
    holds: Callable[[Seen], bool]
    reason: str


_FLOATS = ("f16", "bf16", "f32", "f64")
# What only moves complex numbers, takes them apart, or was found to compute with them.
_COMPLEX = frozenset(
    {
        "alias",
        "as_strided",
        "atleast_1d",
        "atleast_2d",
        "atleast_3d",
        "bmm",
        "broadcast_to",
        "cat",
        "clone",
        "constant_pad_nd",
        "detach",
        "diagonal",
        "empty",
        "expand",
        "fill",
        "flatten",
        "flip",
        "gather",
        "imag",
        "index",
        "index_select",
        "lift_fresh_copy",
        "mm",
        "permute",
        "real",
        "reshape",
        "select",
        "size",
        "slice",
        "split",
        "split_with_sizes",
        "squeeze",
        "stack",
        "t",
        "tensor_split",
        "to",
        "transpose",
        "unbind",
        "unflatten",
        "unsqueeze",
        "view",
        "view_as_complex",
        "view_as_real",
    }
)
_CASTS = frozenset({"to", "_to_copy", "convert_element_type"})


def _is_complex(type: TensorType) -> bool:
    return bool(type.element) and str(type.element).startswith("complex")


def _touches_complex(seen: Seen) -> bool:
    some = any(map(_is_complex, (*seen.operands, *seen.results)))
    return some and seen.base not in _COMPLEX


def _is_complex_and_empty(seen: Seen) -> bool:
    tensors = (*seen.operands, *seen.results)
    return any(_is_complex(each) and 0 in (each.sizes or ()) for each in tensors)


def _promotes_unsigned(seen: Seen) -> bool:
    return (
        seen.base not in _CASTS
        and seen.element_of_operands("ui8")
        and seen.element_of_results(*_FLOATS)
    )


def _first_is_number(seen: Seen) -> bool:
    return bool(seen.operands) and seen.operands[0].sizes == ()


def _same_floats(seen: Seen) -> bool:
    values = list(seen.op.operands)
    return len(values) > 1 and values[0] == values[1] and seen.element_of_operands(*_FLOATS)


def _rounds_quotient_down(seen: Seen) -> bool:
    """Whether floats are divided, and the quotient is rounded down."""
    mode = seen.constant(2) if seen.base == "div" and len(seen.op.operands) > 2 else None
    return seen.element_of_results(*_FLOATS) and (seen.base == "floor_divide" or mode == "floor")


def _has_no_degrees_of_freedom(seen: Seen) -> bool:
    """Whether as few elements are averaged as the correction counts, or that is not known."""
    sizes = seen.operands[0].sizes
    dims = seen.integers(1)
    given = seen.constant(2, default=1)
    if sizes is None or not isinstance(given, int | float | None):
        return True
    if dims is None and str(seen.op.operands[1].type).startswith("!torch.list"):
        return True
    reduced = [sizes[dim] for dim in dims] if dims and sizes else list(sizes)
    correction = 1 if given is None else float(given)
    if None in reduced:
        # None at all are not looked for.
        return correction > 1
    return math.prod(size or 0 for size in reduced) <= correction


def _counts_in_floats(seen: Seen) -> bool:
    """Whether whole numbers are made from an end or a step that is none."""
    whole = not seen.element_of_results(*_FLOATS)
    return whole and any(str(each.type) == "!torch.float" for each in seen.op.operands)


def _fills_bools(seen: Seen) -> bool:
    """Whether bools are filled with a number that may be neither 0 nor 1."""
    value = seen.op.operands[1]
    if not seen.element_of_results("i1") or str(value.type) == "!torch.bool":
        return False
    is_converted = (
        not isinstance(value.owner, ir.Block) and value.owner.name == "torch.aten.Int.bool"
    )
    return not is_converted and seen.constant(1) not in (0, 1)


def _counts_from_the_back(seen: Seen) -> bool:
    """Whether a dimension is negative, or not known."""
    dim = seen.constant(1)
    return not isinstance(dim, int) or dim < 0


def _has_one_for_all(seen: Seen) -> bool:
    """Whether a list for each dimension of a convolution has fewer numbers than there are."""
    is_backward = seen.base == "convolution_backward"
    if not is_backward and seen.constant(6) is False:
        return False
    sizes = seen.operands[1].sizes if len(seen.operands) > 1 else None
    lists = [seen.list_of(place) for place in ((4, 5, 6, 8) if is_backward else (3, 4, 5, 7))]
    return sizes is None or any(each is None or len(each) != len(sizes) - 2 for each in lists)


def _pools_by_one_for_all(seen: Seen) -> bool:
    """Whether a list of a pooling has fewer numbers than dimensions; a stride may be []."""
    rank = int(seen.base.removesuffix("_with_indices")[-2])
    places = (1, 2, 3, 4) if seen.base.startswith("max") else (1, 2, 3)
    counts = [None if (each := seen.list_of(place)) is None else len(each) for place in places]
    return any(count not in ((rank, 0) if i == 1 else (rank,)) for i, count in enumerate(counts))


def _spreads_unknown_windows(seen: Seen) -> bool:
    """Whether a convolution may be transposed, and have a window that is not known.

    What it adds around the image is then less than nothing for some windows and paddings, and the
    conversion writes in front of its memory.
    """
    sizes = seen.operands[1].sizes if len(seen.operands) > 1 else None
    return seen.constant(6) is not False and (sizes is None or None in sizes[2:])


def _resizes_unevenly(seen: Seen) -> bool:
    """Whether an image may become one whose elements are not each repeated as often."""
    tensors = [*seen.operands[:1], *seen.results[:1]]
    if seen.base.endswith("_backward"):
        tensors.reverse()
    sizes = [each.sizes for each in tensors]
    if None in sizes or len(sizes) != 2:
        return True
    for place, (size, count) in enumerate(zip(*(each[2:] for each in sizes if each), strict=True)):
        scale = seen.constant(len(seen.op.operands) - 2 + place)
        if size is None or count is None:
            if not isinstance(scale, float) or scale < 1 or not scale.is_integer():
                return True
        elif size == 0 or count % size or scale not in (None, count / size):
            return True
    return False


def _of(*names: str) -> frozenset[str]:
    return frozenset(names)


REFUSALS = (
    Refusal(_of(), _touches_complex, "for complex numbers"),
    Refusal(
        _of(), _promotes_unsigned, "for unsigned numbers and floats together: cast them before"
    ),
    Refusal(
        mixed_dtypes.PROMOTING,
        mixed_dtypes.promotes_wrongly,
        "for numbers of 8 bits and others together: cast them before",
    ),
    Refusal(
        mixed_dtypes.ORDERINGS,
        lambda seen: seen.element_of_operands("ui8"),
        "for unsigned numbers, which are compared as if they had a sign",
    ),
    Refusal(
        mixed_dtypes.OF_NUMBERS,
        mixed_dtypes.computes_bytes_with_numbers,
        "for numbers of 8 bits: cast them to int32 before",
    ),
    Refusal(
        mixed_dtypes.SCATTERS,
        mixed_dtypes.writes_another_dtype,
        "for what has another dtype than the tensor that it is written to",
    ),
    Refusal(
        _of("where"),
        mixed_dtypes.chooses_from_one,
        "for a value and itself, which has not the sizes of the result",
    ),
    Refusal(
        _of("threshold_backward"),
        mixed_dtypes.has_gradient_of_another_dtype,
        "for a gradient of another dtype",
    ),
    Refusal(
        _of("abs", "addcdiv", "addcmul", "addr", "fmod", "remainder", "sgn", "sign"),
        lambda seen: seen.element_of_operands("ui8"),
        "for unsigned numbers",
    ),
    Refusal(
        _of("mul"),
        lambda seen: seen.element_of_operands("ui8") and len(seen.operands) == 1,
        "for unsigned numbers and a number that is no tensor",
    ),
    Refusal(
        _of("sum", "prod", "cumsum", "cumprod"),
        lambda seen: seen.element_of_results("i1") and not seen.element_of_operands("i1"),
        "as bools of what is none: compare with 0 before",
    ),
    Refusal(
        _of("sum", "prod", "cumsum", "cumprod"),
        lambda seen: seen.element_of_operands("ui8") or seen.element_of_results("ui8"),
        "for unsigned numbers: cast them to int64 before",
    ),
    Refusal(
        _of("max_pool3d", "max_pool3d_with_indices"),
        lambda seen: not seen.element_of_results(*_FLOATS),
        "for whole numbers",
    ),
    Refusal(
        _of(
            "mm",
            "bmm",
            "matmul",
            "mv",
            "dot",
            "addmm",
            "baddbmm",
            "convolution",
            "arange",
            "linear",
        ),
        lambda seen: seen.element_of_results("ui8"),
        "for unsigned numbers",
    ),
    Refusal(
        _of("clamp", "clamp_min", "clamp_max", "maximum", "minimum"),
        lambda seen: seen.element_of_operands("i1"),
        "for bools, which are compared as if they had a sign",
    ),
    Refusal(
        _of("scatter_reduce"),
        lambda seen: seen.constant(4) == "mean" and not seen.element_of_results(*_FLOATS),
        "for the mean of whole numbers, which is rounded down",
    ),
    Refusal(
        _of("scatter_reduce"),
        lambda seen: seen.element_of_operands("i1"),
        "for bools, which are compared as if they had a sign",
    ),
    Refusal(
        _of(
            "upsample_bilinear2d",
            "upsample_bicubic2d",
            "_upsample_bilinear2d_aa",
            "_upsample_bicubic2d_aa",
            "_upsample_lanczos2d_aa",
        ),
        lambda seen: seen.element_of_operands("ui8"),
        "for unsigned numbers, which PyTorch interpolates in fixed point",
    ),
    Refusal(
        _of("upsample_nearest2d", "upsample_nearest2d_backward"),
        _resizes_unevenly,
        "to sizes that are no multiples, as its conversion rounds the factor",
    ),
    Refusal(
        _of("embedding_bag", "_embedding_bag"),
        lambda seen: True,
        "as its conversion leaves out weights and the last bag",
    ),
    Refusal(
        _of("nonzero", "argwhere", "scatter", "scatter_add", "scatter_reduce", "gather"),
        _first_is_number,
        "for a tensor without dimensions",
    ),
    Refusal(
        _of("div", "floor_divide"),
        _rounds_quotient_down,
        "for floats whose quotient is rounded down",
    ),
    Refusal(
        _of("var", "var_mean", "std", "std_mean"),
        _has_no_degrees_of_freedom,
        "for as few elements as the correction counts",
    ),
    Refusal(
        _of("arange"),
        _counts_in_floats,
        "for whole numbers between floats",
    ),
    Refusal(
        _of("full"),
        _fills_bools,
        "for bools and a number that is neither 0 nor 1",
    ),
    Refusal(
        _of("gather", "scatter", "scatter_add", "scatter_reduce"),
        _counts_from_the_back,
        "for a dimension that is counted from the back",
    ),
    Refusal(
        _of("convolution"),
        _spreads_unknown_windows,
        "transposed, for windows of unknown sizes",
    ),
    Refusal(
        _of("max_pool2d", "max_pool2d_with_indices"),
        lambda seen: seen.element_of_operands("ui8"),
        "for unsigned numbers, which are compared as if they had a sign",
    ),
    Refusal(
        _of(
            "avg_pool1d",
            "avg_pool2d",
            "avg_pool3d",
            "max_pool1d",
            "max_pool2d",
            "max_pool3d",
            "max_pool2d_with_indices",
            "max_pool3d_with_indices",
        ),
        _pools_by_one_for_all,
        "for lists that do not have a number for each dimension",
    ),
    Refusal(
        _of("convolution", "convolution_backward"),
        _has_one_for_all,
        "for lists that do not have a number for each dimension",
    ),
    Refusal(
        _of("max", "min"),
        lambda seen: len(seen.op.operands) == 1 and seen.element_of_operands("ui8"),
        "for all of a tensor of unsigned numbers",
    ),
    Refusal(
        _of("sort", "topk", "kthvalue", "argsort", "msort"),
        lambda seen: seen.element_of_operands("ui8"),
        "for unsigned numbers, which are compared as if they had a sign",
    ),
    Refusal(
        _of("logcumsumexp"),
        lambda seen: True,
        "as its conversion overflows",
    ),
    Refusal(
        _of("fmod"),
        lambda seen: seen.element_of_results(*_FLOATS),
        "for floats, as its conversion divides them",
    ),
    Refusal(
        _of(),
        _is_complex_and_empty,
        "for complex numbers where there are none",
    ),
    Refusal(
        _of("eq"),
        _same_floats,
        "for a float and itself, which is folded as if there were no NaN",
    ),
)


def refusal_of(op: ir.Operation, types: Types) -> str | None:
    """Why an op is not lowered; None if it is tried."""
    seen = seen_of(op, types)
    if seen is None:
        return None
    for refusal in REFUSALS:
        if (not refusal.operators or seen.base in refusal.operators) and refusal.holds(seen):
            return refusal.reason
    return None
