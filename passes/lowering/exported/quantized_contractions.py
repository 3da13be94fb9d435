"""Linear layers and convolutions of quantized operands, as integer contractions.

A program quantized by PT2E dequantizes the operands of a contraction, and computes it in float32.
Here the quantized values are multiplied as they are, with sums of 32 bits, which are exact, and are
scaled afterwards: with activations `(x - zx) * sx` and weights `w * sw` per output channel,

    sum((x - zx) * sx * w * sw) = (sum(x * w) - zx * sum(w)) * (sx * sw)

`sum(w)` and `sx * sw` depend on weights only. Unsigned activations are shifted by 128, as are their
zero points, so that both operands are signed. The result differs from eager mode's by the rounding
of float32 sums, which the integers do not have: a quantized result may differ by one step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch.export import ExportedProgram
from torch.export.graph_signature import InputKind
from torch.fx import GraphModule, Node
from torch_refine.passes.lowering.exported.inlining import InlinedDecomposition, rewritten

aten = torch.ops.aten
_NAMESPACE = "quantized_decomposed."
_PER_TENSOR = ("dequantize_per_tensor.default", "dequantize_per_tensor.tensor")
_PER_CHANNEL = "dequantize_per_channel.default"
_CHOOSERS = ("choose_qparams.tensor", "choose_qparams_symmetric.tensor")
_SHIFT = 128
# Of more products of a byte and a signed byte, the sum may exceed 32 bits.
_MOST_PRODUCTS = 1 << 16


@dataclass(frozen=True)
class _Activation:
    """Quantized values per tensor; scale and zero point are numbers, or tensors of one element."""

    values: Any
    scale: Any
    zero_point: Any


@dataclass(frozen=True)
class _Weight:
    """Signed bytes with a scale, or one per output channel; zero points must be zero."""

    values: Any
    scale: Any
    zero_points: Any


def with_integer_contractions(module: GraphModule, program: ExportedProgram) -> GraphModule:
    """The module with integer contractions; itself if it has no quantized ones."""
    zero = _zero_tensors(program)
    found: dict[str, tuple[InlinedDecomposition, tuple[Any, ...]]] = {}
    for node in module.graph.nodes:
        replacement = _replacement(node, zero)
        if replacement is not None:
            found[node.name] = replacement

    def change(node: Node) -> None:
        target, places = found[node.name]
        copies = {each.name: each for each in node.graph.nodes}
        node.target = target
        node.args = tuple(copies[each.name] if isinstance(each, Node) else each for each in places)
        node.kwargs = {}

    return rewritten(module, lambda node: node.name in found, change)


def _replacement(
    node: Any, zero: frozenset[str]
) -> tuple[InlinedDecomposition, tuple[Any, ...]] | None:
    """The decomposition of a contraction of quantized operands, and its arguments; or None."""
    if node.op != "call_function" or node.target not in (aten.linear.default, aten.conv2d.default):
        return None
    if node.kwargs:
        return None
    image, weight, *rest = node.args
    bias = rest[0] if rest else None
    activation, stored = _activation(image), _weight(weight, zero)
    if activation is None or stored is None or not _is_float32(bias):
        return None
    shape = stored.values.meta["val"].shape
    if not all(type(size) is int for size in shape) or shape[1:].numel() > _MOST_PRODUCTS:
        return None
    given = (
        activation.values,
        activation.scale,
        activation.zero_point,
        stored.values,
        stored.scale,
        stored.zero_points,
        bias,
    )
    if node.target == aten.linear.default:
        return InlinedDecomposition(aten.linear.default, _linear), given
    given_window: tuple[Any, ...] = tuple(rest[1:])
    defaults: tuple[Any, ...] = ([1], [0], [1], 1)
    stride, padding, dilation, groups = (*given_window, *defaults[len(given_window) :])
    # Sums of a depthwise convolution are too short to be worth it.
    if groups != 1 or not isinstance(activation.zero_point, int):
        return None
    if len(node.meta["val"].shape) != len(shape):
        return None
    target = InlinedDecomposition(aten.conv2d.default, _convolution)
    return target, (*given, list(stride), list(padding), list(dilation))


def _arguments(node: Any) -> tuple[Any, ...]:
    return tuple(node.args)


def _activation(value: Any) -> _Activation | None:
    name = _name(value)
    if name not in _PER_TENSOR or not _is_float32(value):
        return None
    values, scale, point, _, _, dtype = _arguments(value)[:6]
    if dtype not in (torch.uint8, torch.int8) or values.meta["val"].dtype != dtype:
        return None
    least = greatest = point
    if isinstance(point, Node):
        # One that was chosen is within the range of the values.
        chooser = point.args[0] if point.args else None
        if _name(chooser) not in _CHOOSERS or point.args[1] != 1:
            return None
        least, greatest = _arguments(chooser)[1:3]
    bounds = torch.iinfo(dtype)
    if not bounds.min <= least <= greatest <= bounds.max:
        return None
    return _Activation(values, scale, point)


def _weight(value: Any, zero: frozenset[str]) -> _Weight | None:
    name = _name(value)
    if not _is_float32(value):
        return None
    if name == _PER_TENSOR[0]:
        values, scale, point, _, _, dtype = value.args[:6]
        is_signed = dtype == values.meta["val"].dtype == torch.int8
        return _Weight(values, scale, None) if is_signed and point == 0 else None
    if name != _PER_CHANNEL:
        return None
    values, scales, points, axis, _, _, dtype = _arguments(value)[:7]
    if values.meta["val"].dtype != dtype:
        return None
    if dtype != torch.int8 or axis != 0 or scales.meta["val"].dtype != torch.float32:
        return None
    if scales.meta["val"].shape != values.meta["val"].shape[:1]:
        return None
    return _Weight(values, scales, points) if points is None or points.name in zero else None


def _name(value: Any) -> str:
    """The name of the operator of `quantized_decomposed` that computes a value; else empty."""
    if not isinstance(value, Node):
        return ""
    name = str(value.target)
    return name.removeprefix(_NAMESPACE) if name.startswith(_NAMESPACE) else ""


def _is_float32(value: Any) -> bool:
    return value is None or value.meta["val"].dtype == torch.float32


def _zero_tensors(program: ExportedProgram) -> frozenset[str]:
    """The names of weights that are zero now; calls check that they still are."""
    kinds = (InputKind.BUFFER, InputKind.CONSTANT_TENSOR)
    names = set()
    for spec in program.graph_signature.input_specs:
        if spec.kind in kinds and spec.target is not None:
            tensor = program.state_dict.get(spec.target, program.constants.get(spec.target))
            is_integral = isinstance(tensor, torch.Tensor) and not tensor.is_floating_point()
            if is_integral and tensor.device.type == "cpu" and not tensor.any():
                names.add(spec.arg.name)
    return frozenset(names)


def _linear(
    values: torch.Tensor,
    scale: float | torch.Tensor,
    zero_point: int | torch.Tensor,
    weight: torch.Tensor,
    weight_scale: float | torch.Tensor,
    weight_points: torch.Tensor | None,
    bias: torch.Tensor | None,
) -> Any:
    _check_zero(weight_points)
    signed, point = _signed(values, zero_point)
    *outer, depth = values.shape
    rows = aten.reshape.default(signed, [-1, depth])
    sums = aten._int_mm.default(rows, aten.permute.default(weight, [1, 0]))
    totals = aten.sum.dim_IntList(aten.to.dtype(weight, torch.int32), [1], dtype=torch.int32)
    found = _scaled(sums, point, totals, scale, weight_scale, bias)
    return aten.reshape.default(found, [*outer, weight.shape[0]])


def _convolution(
    values: torch.Tensor,
    scale: float,
    zero_point: int,
    weight: torch.Tensor,
    weight_scale: float | torch.Tensor,
    weight_points: torch.Tensor | None,
    bias: torch.Tensor | None,
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
) -> Any:
    _check_zero(weight_points)
    signed, point = _signed(values, zero_point)
    # Zero is the zero point: what is padded is quantized.
    vertical, horizontal = [*padding, *padding][:2]
    if vertical or horizontal:
        around = [horizontal, horizontal, vertical, vertical]
        signed = aten.constant_pad_nd.default(signed, around, point)
    wide = aten.to.dtype(weight, torch.int32)
    sums = aten.convolution.default(
        aten.to.dtype(signed, torch.int32), wide, None, stride, [0, 0], dilation, False, [0, 0], 1
    )
    totals = aten.sum.dim_IntList(wide, [1, 2, 3], dtype=torch.int32)
    return _scaled(sums, point, totals, scale, weight_scale, bias)


def _check_zero(points: torch.Tensor | None) -> None:
    """Assert at each call that zero points, which are weights, are still zero."""
    if points is not None:
        message = "the zero points of quantized weights were zero when the program was compiled"
        aten._assert_async.msg(aten.all.default(aten.eq.Scalar(points, 0)), message)


def _signed(values: torch.Tensor, zero_point: int | torch.Tensor) -> tuple[Any, Any]:
    """Signed bytes with the same differences to their zero point."""
    if isinstance(zero_point, torch.Tensor):
        zero_point = aten.reshape.default(aten.to.dtype(zero_point, torch.int32), [])
    if values.dtype == torch.int8:
        return values, zero_point
    shifted = aten.sub.Tensor(aten.to.dtype(values, torch.int32), _SHIFT)
    return aten.to.dtype(shifted, torch.int8), zero_point - _SHIFT


def _scaled(
    sums: torch.Tensor,
    point: int | torch.Tensor,
    totals: torch.Tensor,
    scale: float | torch.Tensor,
    weight_scale: float | torch.Tensor,
    bias: torch.Tensor | None,
) -> Any:
    """Sums by channels, in dimension 1, without the zero point's part, times both scales."""
    shape = [-1, *[1] * (sums.dim() - 2)]
    if isinstance(point, torch.Tensor) or point != 0:
        sums = aten.sub.Tensor(sums, aten.reshape.default(aten.mul.Tensor(totals, point), shape))
    if isinstance(scale, torch.Tensor):
        scale = aten.reshape.default(aten.to.dtype(scale, torch.float32), [])
    factor: Any = weight_scale * scale
    if isinstance(factor, torch.Tensor) and factor.dim() == 1:
        factor = aten.reshape.default(factor, shape)
    found = aten.mul.Tensor(aten.to.dtype(sums, torch.float32), factor)
    return found if bias is None else aten.add.Tensor(found, aten.reshape.default(bias, shape))
