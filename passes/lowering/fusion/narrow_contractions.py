"""Fold widening casts into the operands of contractions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.structured_ops import (
    GENERIC,
    defining_op,
    is_contraction,
    iterators,
    maps,
    num_inputs,
    only_op,
    operation_of,
)
from torch_refine.passes.base import Pass, PassFailure, RunState, option
from torch_refine.passes.lowering.fusion.images.building import built, empty, sizes_of
from torch_refine.passes.lowering.fusion.images.order import type_of
from torch_refine.passes.lowering.kernels.contractions.amx import has_tiles
from torch_refine.passes.lowering.kernels.contractions.dot_products import dot_product_for
from torch_refine.passes.lowering.kernels.targets.record import TargetError, target_of

_RESHAPES = ("tensor.collapse_shape", "tensor.expand_shape")
_TRANSPOSE = "linalg.transpose"
_MOVED = (*_RESHAPES, _TRANSPOSE)
_NARROW = ("bf16", "f16")
# Between scores and their maximum are a scale, masks and reshapes.
_NEARBY = 8
# The most ops between scores and their weights.
_MOST_BETWEEN = 24
# With fewer queries, keys and values are not packed.
_LEAST_ROWS = 24


@dataclass
class NarrowContractions(Pass):
    """Fold widening casts into the operands of contractions.

    On a processor with dot products of bfloat16 pairs that accumulate in f32, a `linalg.matmul` or
    `linalg.batch_matmul` of values extended from bfloat16 takes the bfloat16 values, so that
    `pack-contractions` can pack pairs. For other processors nothing changes: there it is faster to
    extend each element once. Nor are scores of attention narrowed, of which the maximum of each row
    is computed: attention is one kernel of f32, which keeps scores in caches. Only where the target
    has tile registers are both of its products narrowed, and its weights rounded to bfloat16, if
    its result is rounded, too. The tensor cores of a GPU multiply both types of 16-bit floats.

    Before:

    ```mlir
    #map = affine_map<(d0, d1) -> (d0, d1)>
    module attributes {torch_refine.cpu = {architecture = "x86-64", crossing_load = 6 : i64, \
features = ["avx512bf16"], fma_latency = 4 : i64, fma_ports = 2 : i64, l1_bytes = 49152 : i64, \
l2_bytes = 2097152 : i64, l3_bytes = 0 : i64, line_bytes = 64 : i64, load_ports = 2 : i64, \
name = "sapphirerapids", vector_bits = 512 : i64, vector_registers = 32 : i64}} {
      func.func @f(%arg0: tensor<8x8xbf16>, %arg1: tensor<8x8xbf16>, %arg2: tensor<8x8xf32>) -> \
tensor<8x8xf32> {
        %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", \
"parallel"]} ins(%arg0 : tensor<8x8xbf16>) outs(%arg2 : tensor<8x8xf32>) {
        ^bb0(%in: bf16, %out: f32):
          %3 = arith.extf %in : bf16 to f32
          linalg.yield %3 : f32
        } -> tensor<8x8xf32>
        %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", \
"parallel"]} ins(%arg1 : tensor<8x8xbf16>) outs(%arg2 : tensor<8x8xf32>) {
        ^bb0(%in: bf16, %out: f32):
          %3 = arith.extf %in : bf16 to f32
          linalg.yield %3 : f32
        } -> tensor<8x8xf32>
        %2 = linalg.matmul ins(%0, %1 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%arg2 : \
tensor<8x8xf32>) -> tensor<8x8xf32>
        return %2 : tensor<8x8xf32>
      }
    }
    ```

    After:

    ```mlir
    #map = affine_map<(d0, d1) -> (d0, d1)>
    module attributes {torch_refine.cpu = {architecture = "x86-64", crossing_load = 6 : i64, \
features = ["avx512bf16"], fma_latency = 4 : i64, fma_ports = 2 : i64, l1_bytes = 49152 : i64, \
l2_bytes = 2097152 : i64, l3_bytes = 0 : i64, line_bytes = 64 : i64, load_ports = 2 : i64, \
name = "sapphirerapids", vector_bits = 512 : i64, vector_registers = 32 : i64}} {
      func.func @f(%arg0: tensor<8x8xbf16>, %arg1: tensor<8x8xbf16>, %arg2: tensor<8x8xf32>) -> \
tensor<8x8xf32> {
        %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", \
"parallel"]} ins(%arg0 : tensor<8x8xbf16>) outs(%arg2 : tensor<8x8xf32>) {
        ^bb0(%in: bf16, %out: f32):
          %3 = arith.extf %in : bf16 to f32
          linalg.yield %3 : f32
        } -> tensor<8x8xf32>
        %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", \
"parallel"]} ins(%arg1 : tensor<8x8xbf16>) outs(%arg2 : tensor<8x8xf32>) {
        ^bb0(%in: bf16, %out: f32):
          %3 = arith.extf %in : bf16 to f32
          linalg.yield %3 : f32
        } -> tensor<8x8xf32>
        %2 = linalg.matmul ins(%arg0, %arg1 : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%arg2 : \
tensor<8x8xf32>) -> tensor<8x8xf32>
        return %2 : tensor<8x8xf32>
      }
    }
    ```
    """

    name: ClassVar[str] = "narrow-contractions"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    tensor_cores: bool = option(False, "whether it is for the tensor cores of a GPU")

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Narrow in the functions of a module."""
        found = [each for each in walk(op) if is_contraction(each)]
        attentions = {} if self.tensor_cores else _attentions(found, state)
        scores = set(attentions.values())
        for each in found:
            if each in attentions:
                each.operands[0] = _rounded(each, each.operands[0])
            sources = [_before_widening(operand) for operand in list(each.operands)[:2]]
            types = {str(type_of(source).element_type) for source in sources if source is not None}
            if any(source is None for source in sources) or len(types) != 1:
                continue
            is_plain = each in scores or not _gives_scores(each)
            is_faster = types == {"bf16"} and is_plain and _is_worth_it(each, state)
            if not self.tensor_cores and not is_faster:
                continue
            left, right = (_narrow(each, operand) for operand in list(each.operands)[:2])
            type = type_of(each.results[0])
            text = (
                f"{each.name} indexing_maps = {each.attributes['indexing_maps']} "
                f"ins(%a0, %a1 : {left.type}, {right.type}) outs(%a2 : {type}) -> {type}"
            )
            result = built(each, text, [left, right, each.operands[2]], type)
            each.results[0].replace_all_uses_with(result)
            each.erase()
            state.count(self.name, "products")


def _attentions(found: Sequence[ir.Operation], state: RunState) -> dict[ir.Operation, ir.Operation]:
    """Of attentions that tile registers compute, the products with values, and their scores."""
    pairs: dict[ir.Operation, ir.Operation] = {}
    for each in found:
        right = _before_widening(each.operands[1])
        if right is None or _before_widening(each.operands[0]) is not None:
            continue
        if str(type_of(right).element_type) != "bf16" or not _is_rounded(each):
            continue
        scores = _scores_of(each)
        if scores is not None and _fills_tiles(each, state) and _fills_tiles(scores, state):
            pairs[each] = scores
    return pairs


def _fills_tiles(op: ir.Operation, state: RunState) -> bool:
    """Whether a product is of matrices of static sizes, of which tile registers have many rows."""
    sizes = [list(type_of(each).shape)[-2:] for each in op.operands]
    if min(map(min, sizes)) < 1 or sizes[2][0] < _LEAST_ROWS:
        return False
    try:
        return _is_worth_it(op, state) and has_tiles("bf16", target_of(op))
    except TargetError:
        return False


def _is_rounded(op: ir.Operation) -> bool:
    """Whether the result is only rounded to bfloat16."""
    users = [operation_of(use.owner) for use in op.results[0].uses]
    while len(users) == 1 and users[0].name in _RESHAPES:
        users = [operation_of(use.owner) for use in users[0].results[0].uses]
    inner = only_op(users[0]) if len(users) == 1 else None
    is_cast = inner is not None and inner.name == "arith.truncf"
    return is_cast and str(type_of(users[0].results[0]).element_type) == "bf16"


def _scores_of(values: ir.Operation) -> ir.Operation | None:
    """The product of bfloat16 whose exponentials weigh values, None if there is no such one."""
    pending = [defining_op(values.operands[0])]
    seen: set[ir.Operation] = set()
    products: set[ir.Operation] = set()
    while pending:
        op = pending.pop()
        if op is None or op in seen or len(seen) > _MOST_BETWEEN:
            continue
        if is_contraction(op):
            products.add(op)
        elif op.name in _MOVED:
            seen.add(op)
            pending.append(defining_op(op.operands[0]))
        elif op.name == GENERIC:
            seen.add(op)
            pending += [defining_op(each) for each in list(op.operands)[: num_inputs(op)]]
    exponentials = any(each.name == "math.exp" for op in seen for each in walk(op))
    if len(products) != 1 or not exponentials:
        return None
    (scores,) = products
    sources = [_before_widening(each) for each in list(scores.operands)[:2]]
    types = {str(type_of(each).element_type) for each in sources if each is not None}
    is_narrow = all(each is not None for each in sources) and types == {"bf16"}
    return scores if is_narrow else None


def _rounded(before: ir.Operation, value: ir.Value) -> ir.Value:
    """A tensor of f32 that is rounded to bfloat16, and extended again."""
    wide = type_of(value)
    with before.context, ir.Location.unknown():
        narrow = ir.RankedTensorType.get(wide.shape, ir.BF16Type.get())
    loops = ", ".join(f"d{dim}" for dim in range(wide.rank))
    same = f"affine_map<({loops}) -> ({loops})>"
    kinds = ", ".join(['"parallel"'] * wide.rank)
    for cast, type in (("truncf", narrow), ("extf", wide)):
        source = type_of(value)
        text = f"""linalg.generic {{indexing_maps = [{same}, {same}], iterator_types = [{kinds}]}}
          ins(%a0 : {source}) outs(%a1 : {type}) {{
          ^bb0(%x: {source.element_type}, %out: {type.element_type}):
            %y = arith.{cast} %x : {source.element_type} to {type.element_type}
            linalg.yield %y : {type.element_type}
          }} -> {type}"""
        memory = empty(before, type, sizes_of(before, value))
        value = built(before, text, [value, memory], type)
    return value


def _gives_scores(op: ir.Operation) -> bool:
    """Whether the results are scores of attention, of which the maximum of each row is computed."""
    pending = list(op.results)
    for _ in range(_NEARBY):
        if not pending:
            return False
        for use in pending.pop(0).uses:
            user = operation_of(use.owner)
            if user.name in _RESHAPES:
                pending.extend(user.results)
            elif user.name == GENERIC:
                kinds = set(iterators(user))
                if kinds == {"parallel"}:
                    pending.extend(user.results)
                elif any(each.name == "arith.maximumf" for each in walk(user)):
                    return True
    return False


def _is_worth_it(op: ir.Operation, state: RunState) -> bool:
    """Whether the target has dot products for the narrow operands of an f32 matmul."""
    loops = {each.position for each in maps(op)[2].results}
    left = maps(op)[0]
    depth = next(
        size
        for size, each in zip(type_of(op.operands[0]).shape, left.results, strict=True)
        if each.position not in loops
    )
    try:
        wide = str(type_of(op.results[0]).element_type)
        return depth > 1 and dot_product_for("bf16", wide, target_of(op)) is not None
    except TargetError as error:
        state.diagnostics.error(op.location, str(error))
        raise PassFailure(NarrowContractions.name) from error


def _before_widening(value: ir.Value) -> ir.Value | None:
    """The 16-bit source of an extended value, possibly reshaped and transposed, or None."""
    op = defining_op(value)
    while op is not None and op.name in _MOVED:
        op = defining_op(op.operands[0])
    inner = None if op is None else only_op(op)
    if op is None or inner is None or inner.name != "arith.extf":
        return None
    return op.operands[0] if str(type_of(op.operands[0]).element_type) in _NARROW else None


def _narrow(before: ir.Operation, value: ir.Value) -> ir.Value:
    """An extended value before its extension, in the same shape."""
    op = defining_op(value)
    assert op is not None, "the value must be extended from a narrower type"
    if op.name not in _MOVED:
        return op.operands[0]
    source = _narrow(before, op.operands[0])
    with op.context, ir.Location.unknown():
        type = ir.RankedTensorType.get(type_of(value).shape, type_of(source).element_type)
    if op.name == _TRANSPOSE:
        order = list(ir.DenseI64ArrayAttr(op.attributes["permutation"]))
        text = f"linalg.transpose ins(%a0 : {source.type}) outs(%a1 : {type}) permutation = {order}"
        memory = empty(before, type, sizes_of(before, op.operands[1]))
        return built(before, text, [source, memory], type)
    with ir.InsertionPoint(before), before.location:
        copy = op.clone()
    copy.operands[0] = source
    copy.results[0].set_type(type)
    return copy.results[0]
