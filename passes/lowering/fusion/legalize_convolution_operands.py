"""Convert 16-bit operands of convolutions to what the target multiplies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.structured_ops import defining_op
from torch_refine.passes.base import Pass, PassFailure, RunState
from torch_refine.passes.lowering.fusion.images.building import (
    built,
    constant,
    extended,
)
from torch_refine.passes.lowering.fusion.images.convolution import (
    MARK,
    channel_group,
    channel_places,
    grouped_call,
    is_tiled_convolution,
    window_of,
)
from torch_refine.passes.lowering.fusion.images.order import type_of
from torch_refine.passes.lowering.kernels.targets.record import TargetError
from torch_refine.passes.program import symbol_name

_NARROW = ("bf16", "f16", "i8")


@dataclass
class LegalizeConvolutionOperands(Pass):
    """Convert 16-bit operands of convolutions to what the target multiplies.

    Where the target has dot products of bfloat16 pairs, pairs of channels are multiplied: an odd
    number of channels is padded with a zero; so are 8-bit integers, for groups of channels.
    Elsewhere, and for float16, both operands are extended
    to f32, in which they are accumulated anyway: the image once, not once for each use of an
    element, and the weights once in all. Padding of the image is moved behind the extension, so
    that this fuses with the op that computes the image. Depthwise convolutions do not change: they
    extend whole vectors, which costs less than another image in memory.

    Before:

    ```mlir
    func.func @main(%arg0: tensor<1x6x6x4xf16>, %arg1: tensor<3x3x4x8xf16>, %arg2: \
tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32> {
      %0 = linalg.conv_2d_nhwc_hwcf ins(%arg0, %arg1 : tensor<1x6x6x4xf16>, tensor<3x3x4x8xf16>) \
outs(%arg2 : tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
      return %0 : tensor<1x4x4x8xf32>
    }
    ```

    After:

    ```mlir
    #map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
    func.func @main(%arg0: tensor<1x6x6x4xf16>, %arg1: tensor<3x3x4x8xf16>, %arg2: \
tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32> {
      %0 = tensor.empty() : tensor<1x6x6x4xf32>
      %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", \
"parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x6x6x4xf16>) outs(%0 : \
tensor<1x6x6x4xf32>) {
      ^bb0(%in: f16, %out: f32):
        %5 = arith.extf %in : f16 to f32
        linalg.yield %5 : f32
      } -> tensor<1x6x6x4xf32>
      %2 = tensor.empty() : tensor<3x3x4x8xf32>
      %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", \
"parallel", "parallel", "parallel"]} ins(%arg1 : tensor<3x3x4x8xf16>) outs(%2 : \
tensor<3x3x4x8xf32>) {
      ^bb0(%in: f16, %out: f32):
        %5 = arith.extf %in : f16 to f32
        linalg.yield %5 : f32
      } -> tensor<3x3x4x8xf32>
      %4 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : \
tensor<2xi64>} ins(%1, %3 : tensor<1x6x6x4xf32>, tensor<3x3x4x8xf32>) outs(%arg2 : \
tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
      return %4 : tensor<1x4x4x8xf32>
    }
    ```
    """

    name: ClassVar[str] = "legalize-convolution-operands"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Convert the operands of all convolutions of a module."""
        replaced = set()
        for each in [inner for inner in walk(op) if _is_narrow_convolution(inner)]:
            try:
                operands = _legal_operands(each)
            except TargetError as error:
                state.diagnostics.error(each.location, str(error))
                raise PassFailure(self.name) from error
            if operands is None:
                continue
            if MARK in each.attributes:
                replaced.add(ir.FlatSymbolRefAttr(each.attributes["callee"]).value)
                result = grouped_call(each, *operands, each.operands[2])
            else:
                result = _convolution(each, *operands)
            each.results[0].replace_all_uses_with(result)
            each.erase()
            state.count(self.name, "convolutions")
        for function in list(operations(op.regions[0].blocks[0])):
            if symbol_name(function) in replaced:
                function.erase()


def _is_narrow_convolution(op: ir.Operation) -> bool:
    """Whether an op is a convolution, other than a depthwise one, of narrow elements."""
    if channel_places(op) is None or not is_tiled_convolution(op):
        return False
    return str(type_of(op.operands[0]).element_type) in _NARROW


def _legal_operands(op: ir.Operation) -> tuple[ir.Value, ir.Value] | None:
    """The converted image and weights; None if they stay."""
    image, weights, memory = op.operands
    places = channel_places(op)
    assert places is not None, "a convolution has channels"
    channels = type_of(weights).shape[places[1]]
    if channel_group(op, channels) > 1:
        return None
    # The channels of a group are not adjacent to a place for others.
    if MARK not in op.attributes and channels > 1:
        missing = next((n for n in (1, 2, 3) if channel_group(op, channels + n) > 1), 0)
        if missing:
            return (
                _with_padding(op, image, places[0], None, missing),
                _with_padding(op, weights, places[1], None, missing),
            )
    if _is_of_bytes(op):
        return None
    wide = type_of(memory).element_type
    return _with_padding(op, image, None, wide), _with_padding(op, weights, None, wide)


def _is_of_bytes(op: ir.Operation) -> bool:
    return isinstance(type_of(op.operands[0]).element_type, ir.IntegerType)


@dataclass(frozen=True)
class _Padding:
    """Constant padding: the source, and how much is added before and after each dimension."""

    source: ir.Value
    low: Sequence[int]
    high: Sequence[int]
    value: float | int


def _no_padding(value: ir.Value) -> _Padding:
    none = [0] * type_of(value).rank
    return _Padding(value, none, none, 0.0)


def _padding_of(value: ir.Value) -> _Padding:
    """The static padding that an operand has, which may be none."""
    op = defining_op(value)
    if op is None or op.name != "tensor.pad" or len(op.operands) != 1:
        return _no_padding(value)
    block = op.regions[0].blocks[0]
    (end,) = list(operations(block))[-1:]
    padded = defining_op(end.operands[0])
    if padded is None or padded.name != "arith.constant":
        return _no_padding(value)
    low, high = (
        list(ir.DenseI64ArrayAttr(op.attributes[name])) for name in ("static_low", "static_high")
    )
    number = padded.attributes["value"]
    kind = ir.IntegerAttr if isinstance(number, ir.IntegerAttr) else ir.FloatAttr
    return _Padding(op.operands[0], low, high, kind(number).value)


def _with_padding(
    op: ir.Operation,
    value: ir.Value,
    channel: int | None,
    wide: ir.Type | None,
    missing: int = 1,
) -> ir.Value:
    """An operand extended to `wide`, or with `missing` more elements in dimension `channel`.

    These are zeros; those of an image of integers may be others, since the weights' are zeros.
    """
    known = _padding_of(value)
    if channel is not None and known.value != 0 and not _is_of_bytes(op):
        known = _no_padding(value)
    source = known.source if wide is None else extended(op, known.source, wide)
    high = [size + missing * (place == channel) for place, size in enumerate(known.high)]
    if not any(known.low) and not any(high):
        return source
    return _padded(op, source, _Padding(source, known.low, high, known.value))


def _padded(op: ir.Operation, source: ir.Value, padding: _Padding) -> ir.Value:
    """A tensor with padding."""
    type = type_of(source)
    sizes = [
        size if size < 0 else size + before + after
        for size, before, after in zip(type.shape, padding.low, padding.high, strict=True)
    ]
    element = type.element_type
    with op.context, ir.Location.unknown():
        padded = ir.RankedTensorType.get(sizes, element)
    arguments = ", ".join(f"%i{place}: index" for place in range(type.rank))
    text = (
        f"tensor.pad %a0 low{list(padding.low)} high{list(padding.high)} {{\n"
        f"^bb0({arguments}):\n tensor.yield %a1 : {element}\n}} : {type} to {padded}"
    )
    return built(op, text, [source, constant(op, padding.value, element)], padded)


def _convolution(op: ir.Operation, image: ir.Value, weights: ir.Value) -> ir.Value:
    """The same convolution of other operands."""
    memory = op.operands[2]
    rank = type_of(memory).rank - 2
    strides, dilations = window_of(op, rank)
    text = f"""{op.name} {{
        dilations = dense<{dilations}> : tensor<{rank}xi64>,
        strides = dense<{strides}> : tensor<{rank}xi64>
      }} ins(%a0, %a1 : {image.type}, {weights.type}) outs(%a2 : {memory.type})
      -> {memory.type}"""
    return built(op, text, [image, weights, memory], memory.type)
