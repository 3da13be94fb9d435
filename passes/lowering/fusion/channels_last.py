"""Convert convolutions and the ops between them to channels-last layout."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations
from torch_refine.dialect.ir_builder import create_op
from torch_refine.dialect.structured_ops import (
    GENERIC,
    defining_op,
    num_inputs,
    operation_of,
    reassociation_of,
)
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.fusion.images import order
from torch_refine.passes.lowering.fusion.images.building import (
    added,
    built,
    channels_last_destination,
    constant,
    empty,
    filled,
    is_zero,
    sizes_of,
    transposed,
)
from torch_refine.passes.lowering.fusion.images.convolution import (
    grouped_call,
    is_matmul,
    is_tiled_convolution,
    window_of,
)
from torch_refine.passes.lowering.kernels.slices import EXTRACT, INSERT

_CONVOLUTION = "linalg.conv_2d_nchw_fchw"
_RENAMED = {
    _CONVOLUTION: "linalg.conv_2d_nhwc_hwcf",
    "linalg.depthwise_conv_2d_nchw_chw": "linalg.depthwise_conv_2d_nhwc_hwc",
    "linalg.pooling_nchw_max": "linalg.pooling_nhwc_max",
    "linalg.pooling_nchw_sum": "linalg.pooling_nhwc_sum",
}
# The layout of the weights then; pooling windows have none.
_WEIGHTS = {
    _CONVOLUTION: (2, 3, 1, 0),
    "linalg.depthwise_conv_2d_nchw_chw": (1, 2, 0),
}


_DEPTHWISE = "linalg.depthwise_conv_2d_nchw_chw"
_GROUPED = "linalg.conv_2d_ngchw_gfchw"
# A grouped convolution of whole images; exists only while this pass runs.
_JOINED, _CALLEE = "func.call", "torch_refine.grouped_convolution"
# Ops that may keep their channels first.
_APART = (_DEPTHWISE, "linalg.conv_3d_ncdhw_fcdhw")
_WINDOW = ("strides", "dilations")
_PADDING = ("static_low", "static_high")


@dataclass
class ChannelsLast(Pass):
    """Convert convolutions and the ops between them to channels-last layout.

    A convolution multiplies an element of the image by the weights of many channels: with channels
    last these are contiguous, so are the elements of the result, and the stride does not matter.
    Convolutions of floats are converted, with the ops on their images in between: elementwise ops,
    padding, pooling, concatenation, slices. Images that come from other ops, or have other users,
    are transposed.

    Before:

    ```mlir
    func.func @main(%arg0: tensor<1x3x6x6xf32>, %arg1: tensor<8x3x3x3xf32>, %arg2: \
tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32> {
      %cst = arith.constant 0.000000e+00 : f32
      %0 = tensor.empty() : tensor<1x8x4x4xf32>
      %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32>
      %2 = linalg.conv_2d_nchw_fchw ins(%arg0, %arg1 : tensor<1x3x6x6xf32>, tensor<8x3x3x3xf32>) \
outs(%1 : tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32>
      return %2 : tensor<1x8x4x4xf32>
    }
    ```

    After:

    ```mlir
    func.func @main(%arg0: tensor<1x3x6x6xf32>, %arg1: tensor<8x3x3x3xf32>, %arg2: \
tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32> {
      %cst = arith.constant 0.000000e+00 : f32
      %0 = tensor.empty() : tensor<1x8x4x4xf32>
      %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32>
      %2 = tensor.empty() : tensor<1x6x6x3xf32>
      %transposed = linalg.transpose ins(%arg0 : tensor<1x3x6x6xf32>) outs(%2 : \
tensor<1x6x6x3xf32>) permutation = [0, 2, 3, 1]
      %3 = tensor.empty() : tensor<3x3x3x8xf32>
      %transposed_0 = linalg.transpose ins(%arg1 : tensor<8x3x3x3xf32>) outs(%3 : \
tensor<3x3x3x8xf32>) permutation = [2, 3, 1, 0]
      %4 = tensor.empty() : tensor<1x4x4x8xf32>
      %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
      %6 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : \
tensor<2xi64>} ins(%transposed, %transposed_0 : tensor<1x6x6x3xf32>, tensor<3x3x3x8xf32>) \
outs(%5 : tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
      %7 = tensor.empty() : tensor<1x8x4x4xf32>
      %transposed_1 = linalg.transpose ins(%6 : tensor<1x4x4x8xf32>) outs(%7 : \
tensor<1x8x4x4xf32>) permutation = [0, 3, 1, 2]
      return %transposed_1 : tensor<1x8x4x4xf32>
    }
    ```
    """

    name: ClassVar[str] = "channels-last"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Convert the images of a module."""
        for function in operations(op.regions[0].blocks[0]):
            for block in function.regions[0] if len(function.regions) else ():
                state.count(self.name, "images converted", _Images(block).convert())


@dataclass
class _Images:
    """The images of a block that are converted."""

    block: ir.Block
    chosen: set[ir.Value] = field(default_factory=set)
    made: dict[ir.Value, ir.Value] = field(default_factory=dict)
    """The replacement of a chosen image, if another op defines it now."""
    dead: list[ir.Operation] = field(default_factory=list)

    def convert(self) -> int:
        """Convert all images for which it pays; returns how many."""
        for op in list(operations(self.block)):
            if op.name in _APART and not is_zero(op.operands[2]):
                _split_initial_value(op)
        # What follows one may be erased with it.
        for op in [each for each in operations(self.block) if each.name == _GROUPED]:
            _join_groups(op)
        self._choose()
        number = len(self.chosen)
        others = [(value, *use) for value in self.chosen for use in self._other_uses(value)]
        for op in list(operations(self.block)):
            if len(op.results) == 1 and op.results[0] in self.chosen:
                self._convert_producer(op)
            elif op.name == GENERIC:
                for index in range(num_inputs(op)):
                    if op.operands[index] in self.chosen:
                        order.move_operand(op, index)
        copies: dict[ir.Value, ir.Value] = {}
        for value, user, place in others:
            value = self.made.get(value, value)
            if user.name == "tensor.dim":
                _convert_dim(user)
            else:
                if value not in copies:
                    copies[value] = transposed(_op_behind(value), value, order.BACK)
                user.operands[place] = copies[value]
        for op in reversed(self.dead):
            op.erase()
        return number

    def _choose(self) -> None:
        pending = [
            op.results[0] for op in operations(self.block) if _is_worth_it(op) and _can_convert(op)
        ]
        while pending:
            value = pending.pop()
            if value in self.chosen:
                continue
            self.chosen.add(value)
            producer = defining_op(value)
            assert producer is not None, "a chosen image must have a defining op in this block"
            for index in _images(producer):
                source = defining_op(producer.operands[index])
                if source is not None and source.block == self.block and _can_convert(source):
                    pending.append(producer.operands[index])
            for use in value.uses:
                user = operation_of(use.owner)
                is_read = user.block == self.block and _can_convert(user)
                if is_read and use.operand_number in _images(user):
                    pending.append(user.results[0])

    def _other_uses(self, value: ir.Value) -> list[tuple[ir.Operation, int]]:
        """The uses of an image that need channels first."""
        found = []
        for use in value.uses:
            user = operation_of(use.owner)
            place = use.operand_number
            here = user.block == self.block
            is_read = here and user.name == GENERIC and place < num_inputs(user)
            is_turned = here and len(user.results) == 1 and user.results[0] in self.chosen
            if not is_read and not (
                is_turned and place in {*_images(user), len(user.operands) - 1}
            ):
                found.append((user, place))
        return found

    def _convert_producer(self, op: ir.Operation) -> None:
        """Convert an op to produce an image with channels last."""
        if op.name in _RENAMED or op.name == _JOINED:
            self._convert_window(op)
            return
        type = order.moved_type(order.type_of(op.results[0]))
        if op.name == GENERIC:
            order.move_loops(op)
            for index in range(num_inputs(op)):
                if op.operands[index] in self.chosen:
                    order.move_operand(op, index)
            op.operands[len(op.operands) - 1] = self._memory(op)
            order.move_operand(op, len(op.operands) - 1)
        else:
            for index in _images(op):
                op.operands[index] = self._image(op, op.operands[index])
            if op.name in (EXTRACT, INSERT):
                order.move_slice(op)
            elif op.name == "tensor.concat":
                number = ir.IntegerType.get_signless(64, op.context)
                dim = order.BACK[ir.IntegerAttr(op.attributes["dim"]).value]
                op.attributes["dim"] = ir.IntegerAttr.get(number, dim)
            else:
                for name in _PADDING:
                    sizes = order.last(list(ir.DenseI64ArrayAttr(op.attributes[name])))
                    op.attributes[name] = ir.DenseI64ArrayAttr.get(sizes, op.context)
        op.results[0].set_type(type)

    def _convert_window(self, op: ir.Operation) -> None:
        """Convert a convolution or pooling to channels last."""
        image = self._image(op, op.operands[0])
        other = op.operands[1]
        if op.name in _WEIGHTS:
            if other in self.chosen:
                # A filter that is an image, too, has been converted by now.
                other = transposed(op, other, order.BACK)
            other = transposed(op, other, _WEIGHTS[op.name])
        memory = self._memory(op)
        bias = None
        if (op.name in _WEIGHTS or op.name == _JOINED) and not is_zero(op.operands[2]):
            bias = memory
            zero = constant(op, 0, order.type_of(memory).element_type)
            memory = filled(op, zero, empty(op, order.type_of(memory), sizes_of(op, memory)))
        if op.name == _JOINED:
            result = grouped_call(op, image, other, memory)
        else:
            result = self._window(op, [image, other, memory])
        if bias is not None:
            result = added(op, result, bias)
        old = op.results[0]
        old.replace_all_uses_with(result)
        self.made[old] = result
        self.chosen.add(result)
        self.dead.append(op)

    def _window(self, op: ir.Operation, operands: list[ir.Value]) -> ir.Value:
        """The same op on images with channels last."""
        image, other, memory = operands
        strides, dilations = window_of(op)
        text = f"""{_RENAMED[op.name]} {{
            dilations = dense<{dilations}> : tensor<2xi64>,
            strides = dense<{strides}> : tensor<2xi64>
          }} ins(%a0, %a1 : {image.type}, {other.type}) outs(%a2 : {memory.type})
          -> {memory.type}"""
        return built(op, text, operands, memory.type)

    def _image(self, before: ir.Operation, value: ir.Value) -> ir.Value:
        """An image with channels last; constant fills and empty tensors are created anew."""
        if value in self.chosen:
            return value
        found = channels_last_destination(before, value)
        return transposed(before, value, order.ORDER) if found is None else found

    def _memory(self, op: ir.Operation) -> ir.Value:
        """The destination of an op, with channels last."""
        return self._image(op, op.operands[len(op.operands) - 1])


def _split_initial_value(op: ir.Operation) -> None:
    """Split a convolution with an initial value into one that starts at zero and an addition."""
    memory = op.operands[2]
    type = order.type_of(memory)
    if not is_tiled_convolution(op):
        return
    zero = constant(op, 0, type.element_type)
    with ir.InsertionPoint(op):
        copy = op.clone()
    copy.operands[2] = filled(copy, zero, empty(copy, type, sizes_of(copy, memory)))
    op.results[0].replace_all_uses_with(added(op, copy.results[0], memory))
    op.erase()


def _is_worth_it(op: ir.Operation) -> bool:
    """Whether an op is a reason to convert an image, rather than only compatible.

    A depthwise convolution reads lines of an image as fast, if its column stride is 1; a 1x1
    convolution may be a matmul of weights and image.
    """
    if op.name == _DEPTHWISE:
        return window_of(op)[0][1] != 1
    if op.name == _CONVOLUTION and is_matmul(op):
        return False
    return op.name in _WEIGHTS or op.name == _JOINED


def _join_groups(op: ir.Operation) -> None:
    """Let a grouped convolution take whole images, if their split has no other user.

    MLIR has no such op, so it becomes a call of an undefined function, seen by this pass only.
    """
    image, weights, memory = op.operands
    uses = list(op.results[0].uses)
    user = operation_of(uses[0].owner) if len(uses) == 1 else None
    if user is None or user.name != "tensor.collapse_shape" or not _splits_channels(user):
        return
    whole = _unsplit(image)
    type = order.type_of(user.results[0])
    start = _unsplit(memory)
    if start is None and is_zero(memory):
        zero = constant(op, 0, type.element_type)
        start = filled(op, zero, empty(op, type, sizes_of(op, memory)))
    is_known = order.type_of(weights).has_static_shape and is_tiled_convolution(op)
    if whole is None or start is None or not is_known:
        return
    with ir.InsertionPoint(user), op.location:
        joined = create_op(
            _JOINED,
            [whole, weights, start],
            {
                "callee": ir.FlatSymbolRefAttr.get(_CALLEE),
                **{name: op.attributes[name] for name in _WINDOW if name in op.attributes},
            },
            results=[type],
        )
    user.results[0].replace_all_uses_with(joined.results[0])
    user.erase()
    op.erase()


def _unsplit(value: ir.Value) -> ir.Value | None:
    """The image whose channels were split into groups."""
    producer = defining_op(value)
    is_split = producer is not None and producer.name == "tensor.expand_shape"
    return (
        producer.operands[0]
        if producer is not None and is_split and _splits_channels(producer)
        else None
    )


def _splits_channels(op: ir.Operation) -> bool:
    return reassociation_of(op) == [[0], [1, 2], [3], [4]]


def _can_convert(op: ir.Operation) -> bool:
    """Whether an op can produce its result with channels last."""
    if op.name == _JOINED:
        return "callee" in op.attributes and _is_joined(op)
    if op.name in _WEIGHTS:
        return is_tiled_convolution(op)
    if op.name in _RENAMED or order.is_elementwise(op):
        return True
    if len(op.results) != 1 or not order.is_image(op.results[0]):
        return False
    if op.name == "tensor.pad":
        block = op.regions[0].blocks[0]
        is_constant = not any(True for each in block.arguments for _ in each.uses)
        return is_constant and len(block.operations) == 1 and len(op.operands) == 1
    if op.name in (EXTRACT, INSERT):
        return order.is_image(op.operands[0])
    return bool(op.name == "tensor.concat")


def _images(op: ir.Operation) -> list[int]:
    """The operands that may have channels last if the result has."""
    if op.name == GENERIC:
        return [index for index, operand in enumerate(op.operands) if order.is_image(operand)]
    if op.name == "tensor.concat":
        return list(range(len(op.operands)))
    if op.name == INSERT:
        return [0, 1]
    return [0, 2] if op.name in _WEIGHTS or op.name == _JOINED else [0]


def _is_joined(op: ir.Operation) -> bool:
    return bool(ir.FlatSymbolRefAttr(op.attributes["callee"]).value == _CALLEE)


def _convert_dim(op: ir.Operation) -> None:
    """Adjust `tensor.dim` of an image that has its channels last now."""
    producer = defining_op(op.operands[1])
    assert producer is not None and producer.name == "arith.constant", (
        "canonical IR has constant dimensions"
    )
    place = ir.IntegerAttr(producer.attributes["value"]).value
    op.operands[1] = constant(op, order.BACK[place], ir.IndexType.get(op.context))


def _op_behind(value: ir.Value) -> ir.Operation:
    producer = defining_op(value)
    assert producer is not None, "a chosen image must have a defining op in this block"
    following = list(operations(producer.block))
    return following[following.index(producer) + 1]
