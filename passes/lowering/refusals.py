"""What the wheel converts wrongly, or aborts at: refused before it is tried.

Each was found by `build_tools/numerics`, which compares every operator with eager mode. Programs
that are imported from PyTorch come without most of them (`importer/exact_decompositions.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.names import name_of
from torch_refine.dialect.tensor_type import TensorType, Types


@dataclass(frozen=True)
class Seen:
    """An op, as far as a rule looks at it. Tensors in lists count as operands."""

    base: str
    """The operator without namespace and overload: `add` for `torch.aten.add.Tensor`."""
    operands: tuple[TensorType, ...]
    results: tuple[TensorType, ...]
    op: ir.Operation

    def element_of_operands(self, *elements: str) -> bool:
        """Whether an operand has one of some element types."""
        return any(each.element in elements for each in self.operands)

    def element_of_results(self, *elements: str) -> bool:
        """Whether a result has one of some element types."""
        return any(each.element in elements for each in self.results)


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


def _of(*names: str) -> frozenset[str]:
    return frozenset(names)


REFUSALS = (
    Refusal(_of(), _touches_complex, "for complex numbers"),
    Refusal(
        _of(), _promotes_unsigned, "for unsigned numbers and floats together: cast them before"
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
        _of("eq"),
        _same_floats,
        "for a float and itself, which is folded as if there were no NaN",
    ),
)


def refusal_of(op: ir.Operation, types: Types) -> str | None:
    """Why an op is not lowered; None if it is tried."""
    name = name_of(op).removeprefix("torch.")
    namespace, _, rest = name.partition(".")
    if namespace not in ("aten", "prims"):
        return None
    seen = Seen(
        rest.partition(".")[0].removesuffix("_"),
        tuple(_tensors(op.operands, types)),
        tuple(_tensors(op.results, types)),
        op,
    )
    for refusal in REFUSALS:
        if (not refusal.operators or seen.base in refusal.operators) and refusal.holds(seen):
            return refusal.reason
    return None


def _tensors(values: Iterable[ir.Value], types: Types) -> list[TensorType]:
    found = []
    for value in values:
        tensor = types.tensor(value.type)
        if tensor is not None:
            found.append(tensor)
        elif (
            not isinstance(value.owner, ir.Block) and value.owner.name == "torch.prim.ListConstruct"
        ):
            found += _tensors(value.owner.operands, types)
    return found
