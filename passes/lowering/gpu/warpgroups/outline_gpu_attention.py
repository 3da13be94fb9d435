"""Outline attention of 16-bit floats into kernels for warpgroups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations
from torch_refine.dialect.structured_ops import defining_op, in_order, is_contraction
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.gpu.warpgroups.attention_pattern import (
    WarpgroupAttention,
    attention_at,
)
from torch_refine.passes.lowering.kernels.groups import Group
from torch_refine.passes.lowering.kernels.layouts import clear_layouts
from torch_refine.passes.lowering.kernels.outlining import (
    KERNEL,
    SCHEDULED,
    Outliner,
    sink_cheap_producers,
)
from torch_refine.passes.program import structured_blocks, symbol_name

ATTENTION = "torch_refine.attention"
"""On a kernel: how `attention-to-warpgroups` computes it."""
MASK = "torch_refine.mask"
"""On the elementwise op on scores: the position of the score among its operands."""

_KIND = "attention"


@dataclass
class OutlineGpuAttention(Pass):
    """Outline attention of 16-bit floats into kernels for warpgroups.

    Scores, their softmax and the sums of values become one function. An attribute says which
    arguments are queries, keys, values and the result, which loop each of their dimensions follows, by what
    scores are scaled, and which keys a mask hides that is a diagonal.
    """

    name: ClassVar[str] = "outline-gpu-attention"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Outline the attention of all functions of a module except kernels."""
        body = op.regions[0].blocks[0]
        outliner = Outliner(body, aligned=True)
        for function in list(operations(body)):
            if KERNEL in function.attributes or not len(function.regions[0].blocks):
                continue
            for block in list(structured_blocks(function)):
                sink_cheap_producers(block)
                # Those that use others come first: what they contain is left to them.
                left = [each for each in operations(block) if is_contraction(each)]
                while left:
                    attention = attention_at(left.pop())
                    if attention is not None:
                        left = [each for each in left if each not in attention.members]
                        _outline(attention, outliner, body)
                        state.count(self.name, "kernels")


def _outline(attention: WarpgroupAttention, outliner: Outliner, body: ir.Block) -> None:
    context = attention.root.context
    number = ir.IntegerType.get_signless(64, context)
    if attention.mask is not None:
        place = list(attention.mask.operands).index(attention.scores.results[0])
        attention.mask.attributes[MASK] = ir.IntegerAttr.get(number, place)
    sources = (attention.query, attention.key, attention.value)
    scale = attention.query.scale * attention.key.scale
    marks: dict[str, ir.Attribute] = {
        "loops": ir.ArrayAttr.get(
            [
                ir.DenseI64ArrayAttr.get(loops, context)
                for loops in (*(each.loops for each in sources), attention.result_loops)
            ],
            context,
        ),
        "scale": ir.FloatAttr.get(ir.F64Type.get(context), scale, ir.Location.unknown(context)),
        "value_scale": ir.FloatAttr.get(
            ir.F64Type.get(context), attention.value.scale, ir.Location.unknown(context)
        ),
        "is_safe": ir.BoolAttr.get(attention.is_safe, context),
    }
    if attention.diagonal is not None:
        marks["diagonal"] = ir.IntegerAttr.get(number, attention.diagonal)
    values = [*(each.value for each in sources), _target(attention.root)]
    group = Group(attention.root, _KIND, in_order(attention.members))
    call = outliner.outline(group)
    operands = list(call.operands)
    places = [operands.index(each) for each in values]
    marks["arguments"] = ir.DenseI64ArrayAttr.get(places, context)
    callee = ir.FlatSymbolRefAttr(call.attributes["callee"]).value
    (function,) = (each for each in operations(body) if symbol_name(each) == callee)
    function.attributes[KERNEL] = ir.StringAttr.get(SCHEDULED, context)
    function.attributes[ATTENTION] = ir.DictAttr.get(marks, context)
    clear_layouts(function)


def _target(root: ir.Operation) -> ir.Value:
    """The tensor that receives the result: the call takes it, perhaps before other arguments."""
    target = list(root.operands)[-1]
    fill = defining_op(target)
    return fill.operands[1] if fill is not None and fill.name == "linalg.fill" else target
