"""Layouts of tensors in memory that are not contiguous and row-major.

A function argument carries its layout in the attribute of bufferization, `strided<[?, 1]>`: a
dynamic row stride, and contiguous rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.structured_ops import defining_op, operation_of, reassociation_of
from torch_refine.passes.lowering.kernels.slices import EXTRACT, Slice

LAYOUT = "bufferization.buffer_layout"
"""On an argument: the layout of its memory."""

_COLLAPSE, _EXPAND = "tensor.collapse_shape", "tensor.expand_shape"
_READERS = (
    _COLLAPSE,
    _EXPAND,
    EXTRACT,
    "func.return",
    "tensor.concat",
    "tensor.dim",
    "tensor.extract",
    "tensor.pad",
)
_ANY = ir.ShapedType.get_dynamic_stride_or_offset()
# Slices of slices that are nested deeper are copied.
_DEEPEST = 8

Strides = tuple[int | None, ...]


@dataclass(frozen=True)
class Layout:
    """The strides of a tensor in elements, None if dynamic, and whether its offset is dynamic."""

    strides: Strides
    is_offset: bool = False

    def attribute(self, context: ir.Context) -> ir.Attribute:
        """The layout as an MLIR attribute."""
        strides = [_ANY if stride is None else stride for stride in self.strides]
        return ir.StridedLayoutAttr.get(_ANY if self.is_offset else 0, strides, context)

    @property
    def has_unit_stride(self) -> bool:
        """Whether the last dimension is contiguous."""
        return not self.strides or self.strides[-1] == 1

    def with_dynamic_last_stride(self) -> Layout:
        """The same layout with a dynamic last stride."""
        return Layout((*self.strides[:-1], *([None] if self.strides else [])), self.is_offset)

    def of_any_source(self) -> Layout:
        """A layout for the source in any buffer: dynamic strides, but for a last one of 1."""
        last = [1 if self.has_unit_stride else None] if self.strides else []
        return Layout((*[None] * (len(self.strides) - 1), *last), True)

    def with_dynamic_strides(self) -> Layout:
        """The same layout with dynamic strides except the last."""
        return Layout((*[None] * (len(self.strides) - 1), *self.strides[-1:]), self.is_offset)


def layout_of_argument(function: ir.Operation, index: int) -> Layout | None:
    """The layout attribute of an argument, None if it is contiguous and row-major."""
    said = _layout_attribute(function, index)
    if not isinstance(said, ir.StridedLayoutAttr):
        return None
    strides = tuple(None if stride == _ANY else stride for stride in said.strides)
    return Layout(strides, said.offset != 0)


def why_unsupported_layout(function: ir.Operation, index: int, rank: int | None) -> str | None:
    """Why the layout of an argument cannot be met by a copy of the operand; None if it can.

    Operands with other strides are copied to a contiguous buffer, so the layout may require a last
    stride of 1, and nothing else.
    """
    said = _layout_attribute(function, index)
    if said is None:
        return None
    layout = layout_of_argument(function, index)
    if layout is None:
        return f"{said} is not a strided layout"
    if rank != len(layout.strides):
        return f"{said} has another rank than the tensor"
    if any(stride is not None for stride in layout.strides[:-1]) or not (
        layout.has_unit_stride or layout.strides[-1] is None
    ):
        return f"{said} has static strides; only a last stride of 1 is supported"
    return None if said.offset in (0, _ANY) else f"{said} has a static offset other than 0"


def _layout_attribute(function: ir.Operation, index: int) -> ir.Attribute | None:
    if "arg_attrs" not in function.attributes:
        return None
    said = ir.DictAttr(ir.ArrayAttr(function.attributes["arg_attrs"])[index])
    if LAYOUT not in said:
        return None
    return said[LAYOUT]


def set_layouts(function: ir.Operation, layouts: dict[int, Layout]) -> None:
    """Set the layout attributes of arguments, by index; other attributes are kept."""
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


def clear_layouts(function: ir.Operation) -> None:
    """Let bufferization copy arguments that are not contiguous."""
    if "arg_attrs" not in function.attributes:
        return
    given = ir.ArrayAttr(function.attributes["arg_attrs"])
    said = [
        ir.DictAttr.get(
            {each.name: each.attr for each in ir.DictAttr(one) if each.name != LAYOUT},
            function.context,
        )
        for one in given
    ]
    function.attributes["arg_attrs"] = ir.ArrayAttr.get(said, function.context)


def layout_of(value: ir.Value) -> Layout | None:
    """The layout of a tensor after bufferization without copies; None if row-major.

    That of a slice or a reshape follows from its source; other results get a new buffer.
    """
    return _layout_of(value, _DEEPEST)


def is_contiguous(tensor: ir.Value, outer: int, inner: int) -> bool:
    """Whether two dimensions of a tensor are one in memory: a step along `outer` is a whole row of
    `inner`, whose size is static."""
    size = int(ir.RankedTensorType(tensor.type).shape[inner])
    layout = layout_of(tensor)
    if layout is None:
        return True
    step, unit = layout.strides[outer], layout.strides[inner]
    return step is not None and unit is not None and size >= 0 and step == unit * size


def _layout_of(value: ir.Value, depth: int) -> Layout | None:
    producer = defining_op(value)
    if producer is None:
        owner = operation_of(value.owner.owner)
        return layout_of_argument(owner, ir.BlockArgument(value).arg_number)
    if producer.name in (_COLLAPSE, _EXPAND) and depth:
        found = _reshaped(producer, _layout_of(producer.operands[0], depth - 1))
        return found if found is None or not _may_move(value) else found.of_any_source()
    if producer.name != EXTRACT or not depth:
        return None
    source = producer.operands[0]
    sliced = _layout_of(source, depth - 1)
    type = ir.RankedTensorType(source.type)
    strides = _row_major(type.shape) if sliced is None else sliced.strides
    slice = Slice.of(producer)
    steps = [step if isinstance(step, int) else None for step in slice.strides]
    kept = slice.kept(list(ir.RankedTensorType(value.type).shape))
    found = Layout(
        tuple(
            None if stride is None or step is None else stride * step
            for stride, step in ((strides[dim], steps[dim]) for dim in kept)
        ),
        is_offset=True,
    )
    is_moved = _may_move(value) or _may_move(source)
    return found.of_any_source() if is_moved else found


def _may_move(value: ir.Value) -> bool:
    """Whether bufferization may move a tensor to another buffer.

    It copies one that an op writes into while others read it.
    """
    for use in value.uses:
        owner = operation_of(use.owner)
        if owner.name == "tensor.insert_slice":
            # As its source, the tensor may become a slice of the destination from the start.
            return True
        elif owner.name == "func.call":
            # The destination of an outlined kernel.
            if use.operand_number == len(owner.operands) - 1:
                return True
        elif owner.name.startswith("linalg."):
            # Each result has a destination, which follow the inputs.
            if use.operand_number >= len(owner.operands) - len(owner.results):
                return True
        elif owner.name not in _READERS:
            return True
    return False


def _reshaped(reshape: ir.Operation, layout: Layout | None) -> Layout | None:
    """The layout of a reshape of memory."""
    if layout is None:
        return None
    strides: list[int | None] = []
    sizes = ir.RankedTensorType(reshape.operands[0].type).shape
    if not sizes and reshape.name == _EXPAND:
        # No group tells how many unit dimensions one element is expanded to.
        rank = ir.RankedTensorType(reshape.results[0].type).rank
        return Layout((1,) * rank, layout.is_offset)
    for place, group in enumerate(reassociation_of(reshape)):
        if reshape.name == _COLLAPSE:
            stride = _collapsed_stride(group, sizes, layout.strides)
            if stride is None:
                return None
            strides += stride
        else:
            strides += [*[None] * (len(group) - 1), layout.strides[place]]
    return Layout(tuple(strides), layout.is_offset)


def _collapsed_stride(
    group: Sequence[int], sizes: Sequence[int], strides: Strides
) -> tuple[int | None] | None:
    """The stride of dimensions that are one in memory; None if bufferization copies them.

    It collapses what it proves contiguous (`memref::CollapseShapeOp::isGuaranteedCollapsible`);
    the strides of unit dimensions do not matter.
    """
    wide = [dim for dim in group if sizes[dim] != 1] or [group[0]]
    if len(wide) == 1:
        # A dynamic size may be 1, and the stride then that of another dimension.
        return (strides[wide[0]] if len(group) == 1 or sizes[wide[0]] >= 0 else None,)
    for outer, inner in pairwise(wide):
        stride, size = strides[inner], sizes[inner]
        if strides[outer] is None or stride is None or size < 0 or sizes[outer] < 0:
            return None
        if strides[outer] != stride * size:
            return None
    return (strides[wide[-1]],)


def _row_major(sizes: list[int]) -> Strides:
    found: list[int | None] = []
    stride: int | None = 1
    for size in reversed(sizes):
        found.append(stride)
        stride = None if stride is None or size < 0 else stride * size
    return tuple(reversed(found))
