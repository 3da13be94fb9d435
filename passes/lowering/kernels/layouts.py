"""How tensors lie in memory, where that is not row by row from its beginning.

A function's argument says so by the attribute of bufferization, `strided<[?, 1]>`: a step of any
width to the next row, and numbers of a row next to each other.
"""

from __future__ import annotations

from dataclasses import dataclass

from torch_refine.dialect.bindings import ir
from torch_refine.passes.lowering.kernels.indexing import groups_of, maker_of, operation_of
from torch_refine.passes.lowering.kernels.slices import EXTRACT, Slice

LAYOUT = "bufferization.buffer_layout"
"""On an argument: the layout of its memory."""

_COLLAPSE, _EXPAND = "tensor.collapse_shape", "tensor.expand_shape"
_ANY = ir.ShapedType.get_dynamic_stride_or_offset()
# Deeper chains of slices of slices are copied.
_DEEPEST = 8

Strides = tuple[int | None, ...]


@dataclass(frozen=True)
class Layout:
    """The strides of a tensor in elements, None where any will do, and if it begins anywhere."""

    strides: Strides
    is_offset: bool = False

    def attribute(self, context: ir.Context) -> ir.Attribute:
        """The layout as MLIR has it."""
        strides = [_ANY if stride is None else stride for stride in self.strides]
        return ir.StridedLayoutAttr.get(_ANY if self.is_offset else 0, strides, context)

    @property
    def has_rows(self) -> bool:
        """Whether the numbers along the last dimension lie next to each other."""
        return not self.strides or self.strides[-1] == 1

    def apart(self) -> Layout:
        """The same, not saying that numbers lie next to each other."""
        return Layout((*self.strides[:-1], *([None] if self.strides else [])), self.is_offset)

    def of_any_rows(self) -> Layout:
        """The same, not saying how far apart rows are: memory with any strides can be so."""
        return Layout((*[None] * (len(self.strides) - 1), *self.strides[-1:]), self.is_offset)


def layout_of_argument(function: ir.Operation, index: int) -> Layout | None:
    """What a function says of an argument, None for row by row."""
    said = _said(function, index)
    if not isinstance(said, ir.StridedLayoutAttr):
        return None
    strides = tuple(None if stride == _ANY else stride for stride in said.strides)
    return Layout(strides, said.offset != 0)


def why_not_passable(function: ir.Operation, index: int, rank: int | None) -> str | None:
    """Why a tensor could not be passed as an argument whatever its strides are; None if it can.

    What does not lie as the function wants is copied, so that the copy has to: the function may
    ask for numbers of a row next to each other, and for nothing else.
    """
    said = _said(function, index)
    if said is None:
        return None
    layout = layout_of_argument(function, index)
    if layout is None:
        return f"{said} does not give strides"
    if rank != len(layout.strides):
        return f"{said} is not of its rank"
    if any(stride is not None for stride in layout.strides[:-1]) or not (
        layout.has_rows or layout.strides[-1] is None
    ):
        return f"{said} asks for certain strides; only a last one of 1 can be"
    return None if said.offset in (0, _ANY) else f"{said} begins somewhere else"


def _said(function: ir.Operation, index: int) -> ir.Attribute | None:
    if "arg_attrs" not in function.attributes:
        return None
    said = ir.DictAttr(ir.ArrayAttr(function.attributes["arg_attrs"])[index])
    if LAYOUT not in said:
        return None
    return said[LAYOUT]


def set_layouts(function: ir.Operation, layouts: dict[int, Layout]) -> None:
    """Say how arguments lie, by their places; what is said of them besides stays."""
    if not layouts:
        return
    context = function.context
    count = len(function.regions[0].blocks[0].arguments)
    said: list[dict[str, ir.Attribute]] = [{} for _ in range(count)]
    if "arg_attrs" in function.attributes:
        given = ir.ArrayAttr(function.attributes["arg_attrs"])
        said = [{each.name: each.attr for each in ir.DictAttr(one)} for one in given]
    for place, layout in layouts.items():
        said[place][LAYOUT] = layout.attribute(context)
    function.attributes["arg_attrs"] = ir.ArrayAttr.get(
        [ir.DictAttr.get(each, context) for each in said], context
    )


def layout_of(value: ir.Value) -> Layout | None:
    """How a tensor will lie in memory that nothing is copied to; None for row by row.

    That of a slice or a reshape follows from what it is of; anything else that is computed gets
    memory of its own.
    """
    return _layout_of(value, _DEEPEST)


def _layout_of(value: ir.Value, depth: int) -> Layout | None:
    maker = maker_of(value)
    if maker is None:
        owner = operation_of(value.owner.owner)
        return layout_of_argument(owner, ir.BlockArgument(value).arg_number)
    if maker.name in (_COLLAPSE, _EXPAND) and depth:
        return _reshaped(maker, _layout_of(maker.operands[0], depth - 1))
    if maker.name != EXTRACT or not depth:
        return None
    source = maker.operands[0]
    sliced = _layout_of(source, depth - 1)
    type = ir.RankedTensorType(source.type)
    strides = _row_major(type.shape) if sliced is None else sliced.strides
    slice = Slice.of(maker)
    steps = [step if isinstance(step, int) else None for step in slice.strides]
    kept = slice.kept(list(ir.RankedTensorType(value.type).shape))
    return Layout(
        tuple(
            None if stride is None or step is None else stride * step
            for stride, step in ((strides[dim], steps[dim]) for dim in kept)
        ),
        is_offset=True,
    )


def _reshaped(reshape: ir.Operation, layout: Layout | None) -> Layout | None:
    """The layout of memory seen with other dimensions."""
    if layout is None:
        return None
    strides: list[int | None] = []
    for place, group in enumerate(groups_of(reshape)):
        if reshape.name == _COLLAPSE:
            strides.append(layout.strides[group[-1]])
        else:
            strides += [*[None] * (len(group) - 1), layout.strides[place]]
    return Layout(tuple(strides), layout.is_offset)


def _row_major(sizes: list[int]) -> Strides:
    found: list[int | None] = []
    stride: int | None = 1
    for size in reversed(sizes):
        found.append(stride)
        stride = None if stride is None or size < 0 else stride * size
    return tuple(reversed(found))
