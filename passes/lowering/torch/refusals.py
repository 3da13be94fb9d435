"""Operators that the wheel converts wrongly or aborts at, rejected before the conversion.

Each was found by `build_tools/numerics`, which compares every operator with eager mode. They are
forms of what the library's decomposition functions leave, and the wheel is given
(`converted_operators.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.element_types import FLOAT8
from torch_refine.dialect.names import name_of, operator_name
from torch_refine.dialect.schemas import schema
from torch_refine.dialect.tensor_type import TensorType, Types
from torch_refine.passes.lowering.elements.translating import operator_of
from torch_refine.passes.lowering.torch import mixed_dtypes
from torch_refine.passes.lowering.torch.linear_algebra.operators import LINEAR_ALGEBRA
from torch_refine.passes.lowering.torch.promote_operands import is_element
from torch_refine.passes.lowering.torch.seen_ops import Seen, seen_of


@dataclass(frozen=True)
class Refusal:
    """Operators that are rejected under a condition, and the reason; no operators means all."""

    operators: frozenset[str]
    holds: Callable[[Seen], bool]
    reason: str


_FLOATS = ("f16", "bf16", "f32", "f64")
# Operators that only move elements.
_MOVES = frozenset(
    {
        "_assert_tensor_metadata",
        "alias",
        "as_strided",
        "atleast_1d",
        "atleast_2d",
        "atleast_3d",
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
        "index",
        "index_select",
        "lift_fresh_copy",
        "numel",
        "permute",
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
    }
)
# Those whose conversion is correct for complex elements.
_COMPLEX = _MOVES | {"bmm", "imag", "mm", "real", "view_as_complex", "view_as_real"}
# Those of 8-bit floats that kernels compute, and others that move elements.
_COMPUTED_IN_FLOAT8 = """
    Bool Float Int _unsafe_index_put abs all any embedding eq full index_put logical_not mean mm
    mul ne ones roll slice_scatter sum unfold where zeros
"""
_OF_FLOAT8 = _MOVES.union(_COMPUTED_IN_FLOAT8.split())
# Those of unsigned integers of more than 8 bits that are the same as of signed ones.
_WIDE_UNSIGNED = ("ui16", "ui32", "ui64")
_SIGN_FREE = """
    _unsafe_index_put all any bitwise_and bitwise_not bitwise_or bitwise_xor embedding eq full
    index_put logical_and logical_not logical_or logical_xor mul ne ones roll slice_scatter
    unfold where zeros
"""
_OF_WIDE_UNSIGNED = _MOVES.union(_SIGN_FREE.split())
# `view` takes a dtype, too.
_CASTS = frozenset({"to", "_to_copy", "convert_element_type", "view", "view_copy"})


def _is_complex(type: TensorType) -> bool:
    return bool(type.element) and str(type.element).startswith("complex")


def _uses_complex(seen: Seen) -> bool:
    some = any(map(_is_complex, (*seen.operands, *seen.results)))
    return some and seen.base not in _COMPLEX and seen.base not in LINEAR_ALGEBRA


def _is_compared_with_other(seen: Seen) -> bool:
    """Whether an equality is one with a scalar, or another dtype, in which numbers are compared."""
    elements = [each.element for each in seen.operands]
    return seen.base in ("eq", "ne") and (len(elements) < 2 or len(set(elements)) > 1)


def _computes_float8(seen: Seen) -> bool:
    results = seen.element_of_results(*FLOAT8)
    if not results and not seen.element_of_operands(*FLOAT8):
        return False
    is_sum = seen.base in ("mean", "sum")
    is_known = seen.base in _OF_FLOAT8 | _CASTS and not _is_compared_with_other(seen)
    return not is_known or (is_sum and results)


def _depends_on_sign(seen: Seen) -> bool:
    """Whether wide unsigned integers are computed as they would not be if they were signed."""
    some = seen.element_of_operands(*_WIDE_UNSIGNED) or seen.element_of_results(*_WIDE_UNSIGNED)
    is_known = seen.base in _OF_WIDE_UNSIGNED | _CASTS and not _is_compared_with_other(seen)
    return some and not is_known and not operator_of(seen.op)


# Operators that read the sizes of their operand only.
_FILLED = ("full_like", "ones_like", "zeros_like", "new_full", "new_ones", "new_zeros")


def _promotes_unsigned(seen: Seen) -> bool:
    return (
        seen.base not in _CASTS
        and seen.base not in _FILLED
        and not operator_of(seen.op)
        and seen.element_of_operands("ui8", *_WIDE_UNSIGNED)
        and seen.element_of_results(*_FLOATS)
    )


def _first_is_number(seen: Seen) -> bool:
    return bool(seen.operands) and seen.operands[0].sizes == ()


def _same_floats(seen: Seen) -> bool:
    values = list(seen.op.operands)
    return len(values) > 1 and values[0] == values[1] and seen.element_of_operands(*_FLOATS)


def _is_floor_division(seen: Seen) -> bool:
    """Whether a quotient is rounded down."""
    return len(seen.op.operands) > 2 and seen.constant(2) == "floor"


def _is_integer_range_of_floats(seen: Seen) -> bool:
    """Whether an integer range has a float end or step."""
    whole = not seen.element_of_results(*_FLOATS)
    return whole and any(str(each.type) == "!torch.float" for each in seen.op.operands)


def _has_number_out_of_range(seen: Seen) -> bool:
    """Whether a constant scalar is no element of the dtype of the result."""
    element = str(seen.results[0].element)
    try:
        arguments = schema(operator_name(name_of(seen.op))).arguments
    except KeyError:
        return False
    for place, each in enumerate(arguments):
        number = seen.constant(place) if each.type.startswith("Scalar") else None
        # Of unsigned integers, kernels that do not compare wrap negative integers around.
        if type(number) is int and element == "ui8" and seen.base != "clamp":
            number = abs(number)
        if not is_element(number, element):
            return True
    return False


def _has_negative_dim(seen: Seen) -> bool:
    """Whether a dimension is negative or not constant."""
    dim = seen.constant(1)
    return not isinstance(dim, int) or dim < 0


def _has_short_convolution_list(seen: Seen) -> bool:
    """Whether a list operand of a convolution has fewer elements than dimensions."""
    if seen.constant(6) is False:
        return False
    sizes = seen.operands[1].sizes if len(seen.operands) > 1 else None
    lists = [seen.list_of(place) for place in (3, 4, 5, 7)]
    return sizes is None or any(each is None or len(each) != len(sizes) - 2 for each in lists)


def _has_short_pooling_list(seen: Seen) -> bool:
    """Whether a list operand of a pooling has fewer elements than dimensions; a stride may be
    []."""
    rank = int(seen.base.removesuffix("_with_indices")[-2])
    places = (1, 2, 3, 4) if seen.base.startswith("max") else (1, 2, 3)
    counts = [None if (each := seen.list_of(place)) is None else len(each) for place in places]
    return any(count not in ((rank, 0) if i == 1 else (rank,)) for i, count in enumerate(counts))


def _is_transposed_with_dynamic_window(seen: Seen) -> bool:
    """Whether a convolution may be transposed, with a window of dynamic size.

    The padding that it adds is negative for some windows, and the conversion writes out of bounds.
    """
    sizes = seen.operands[1].sizes if len(seen.operands) > 1 else None
    return seen.constant(6) is not False and (sizes is None or None in sizes[2:])


def _of(*names: str) -> frozenset[str]:
    return frozenset(names)


def _keeps_dtype(seen: Seen) -> bool:
    """Whether an op converts to the dtype that its operand has."""
    is_conversion = seen.base in ("to", "_to_copy")
    return is_conversion and [each.element for each in seen.operands] == [seen.results[0].element]


REFUSALS = (
    # The library's functions decompose all other transforms.
    Refusal(
        _of("_fft_c2c", "_fft_c2r", "_fft_r2c"),
        lambda _: True,
        "for a size that is not known before the call, half precision, or a negative dimension",
    ),
    Refusal(_of(), _uses_complex, "for complex element types"),
    Refusal(_of(), _computes_float8, "for 8-bit floats: cast them to float32 before"),
    Refusal(
        _of(),
        _depends_on_sign,
        "for unsigned integers of more than 8 bits: cast them before",
    ),
    Refusal(_of(), _promotes_unsigned, "for unsigned integers with floats: cast them before"),
    Refusal(
        mixed_dtypes.PROMOTING,
        mixed_dtypes.promotes_wrongly,
        "for 8-bit integers with other dtypes: cast them before",
    ),
    Refusal(
        _of("clamp", "constant_pad_nd", "scatter"),
        _has_number_out_of_range,
        "for a number that the dtype does not have",
    ),
    Refusal(
        mixed_dtypes.ORDERINGS,
        lambda seen: seen.element_of_operands("ui8"),
        "for unsigned integers, which are compared as signed",
    ),
    Refusal(
        mixed_dtypes.OF_NUMBERS,
        mixed_dtypes.has_byte_and_scalar,
        "for 8-bit integers: cast them to int32 before",
    ),
    Refusal(
        _of("where"),
        mixed_dtypes.selects_from_itself,
        "for equal operands with other sizes than the result",
    ),
    # The wheel ends the process where it converts to these dtypes, or fills a tensor of them.
    Refusal(
        _of("to", "zeros", "ones", "arange"),
        lambda seen: seen.element_of_results(*_WIDE_UNSIGNED) and not _keeps_dtype(seen),
        "for results of unsigned integers of more than 8 bits",
    ),
    Refusal(
        _of("abs", "remainder", "sgn", "sign"),
        lambda seen: seen.element_of_operands("ui8"),
        "for unsigned integers",
    ),
    Refusal(
        _of("mul"),
        lambda seen: seen.element_of_operands("ui8") and len(seen.operands) == 1,
        "for unsigned integers and a scalar",
    ),
    Refusal(
        _of("sum", "prod", "cumsum", "cumprod"),
        lambda seen: seen.element_of_results("i1") and not seen.element_of_operands("i1"),
        "for a bool result of other dtypes: compare with 0 before",
    ),
    Refusal(
        _of("sum", "prod", "cumsum", "cumprod"),
        lambda seen: seen.element_of_operands("ui8") or seen.element_of_results("ui8"),
        "for unsigned integers: cast them to int64 before",
    ),
    Refusal(
        _of("max_pool3d", "max_pool3d_with_indices"),
        lambda seen: not seen.element_of_results(*_FLOATS),
        "for integers",
    ),
    Refusal(
        _of("max_pool2d_with_indices"),
        lambda seen: any(seen.op.results[1].uses) and not seen.element_of_results(*_FLOATS),
        "for the places of integers",
    ),
    Refusal(
        _of("mm", "bmm", "matmul", "dot", "convolution"),
        lambda seen: seen.element_of_results("i1", "ui8", "si8"),
        "for bools and 8-bit integers: cast them to int32 before",
    ),
    Refusal(_of("arange"), lambda seen: seen.element_of_results("ui8"), "for unsigned integers"),
    Refusal(
        _of("clamp", "maximum", "minimum"),
        lambda seen: seen.element_of_operands("i1"),
        "for bools, which are compared as signed",
    ),
    Refusal(
        _of("scatter_reduce"),
        lambda seen: seen.constant(4) == "mean" and not seen.element_of_results(*_FLOATS),
        "for the mean of integers, which is rounded down",
    ),
    Refusal(
        _of("scatter_add", "scatter_reduce"),
        lambda seen: seen.element_of_operands("i1"),
        "for bools, which are added and compared as signed integers of one bit",
    ),
    Refusal(
        _of("nonzero", "argwhere", "scatter", "scatter_add", "scatter_reduce", "gather"),
        _first_is_number,
        "for a tensor of rank 0",
    ),
    Refusal(
        _of("div"),
        _is_floor_division,
        "for quotients that are rounded down, which its conversion computes of floats",
    ),
    Refusal(
        _of("arange"),
        _is_integer_range_of_floats,
        "for an integer result with float bounds or step",
    ),
    Refusal(
        _of("gather", "scatter", "scatter_add", "scatter_reduce"),
        _has_negative_dim,
        "for a negative dimension",
    ),
    Refusal(
        _of("convolution"),
        _is_transposed_with_dynamic_window,
        "for transposed convolutions with windows of dynamic sizes",
    ),
    Refusal(
        _of("max_pool2d", "max_pool2d_with_indices"),
        lambda seen: seen.element_of_operands("ui8"),
        "for unsigned integers, which are compared as signed",
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
        _has_short_pooling_list,
        "for list operands without an element for each dimension",
    ),
    Refusal(
        _of("convolution"),
        _has_short_convolution_list,
        "for list operands without an element for each dimension",
    ),
    Refusal(
        _of("max", "min"),
        lambda seen: len(seen.op.operands) == 1 and seen.element_of_operands("ui8"),
        "for a full reduction of unsigned integers",
    ),
    Refusal(
        _of("sort"),
        lambda seen: seen.element_of_operands("ui8", "i1"),
        "for unsigned integers and bools, which are compared as signed",
    ),
    Refusal(
        _of("neg"),
        lambda seen: seen.element_of_results("si8", "ui8", "si16", "si32", "si64"),
        "for integers, as its conversion computes floats",
    ),
    Refusal(
        _of("eq"),
        _same_floats,
        "for equal float operands, as it is folded without regard to NaN",
    ),
)


def refusal_of(op: ir.Operation, types: Types) -> str | None:
    """Why an op is rejected; None if it is not."""
    seen = seen_of(op, types)
    if seen is None:
        return None
    for refusal in REFUSALS:
        if (not refusal.operators or seen.base in refusal.operators) and refusal.holds(seen):
            return refusal.reason
    return None
