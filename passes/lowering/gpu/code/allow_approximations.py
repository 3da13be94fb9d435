"""Allow approximate functions where results are rounded to 16 bits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.structured_ops import GENERIC, defining_op, num_inputs, operation_of
from torch_refine.passes.base import Pass, RunState

_HALVES = ("f16", "bf16")
_EXPONENTIAL, _DIVISION = "math.exp", "arith.divf"
_FUNCTIONS = ("math.erf", "math.tanh")
# Products, quotients and extremes have the relative error of their operands.
_RELATIVE = (
    "arith.mulf",
    _DIVISION,
    "arith.negf",
    "arith.maximumf",
    "arith.minimumf",
    "arith.maxnumf",
    "arith.minnumf",
    "arith.select",
)
_SUMS = ("arith.addf", "arith.subf")
_VIEWS = (
    "tensor.cast",
    "tensor.collapse_shape",
    "tensor.expand_shape",
    "tensor.extract_slice",
)


class _Uses(NamedTuple):
    """What the uses of a value keep, up to results of 16 bits."""

    # Its relative error, if it is positive.
    if_positive: bool
    # Its relative error.
    relative: bool
    # An error as large as the rounding of numbers near 1.
    absolute: bool


_ALL = _Uses(True, True, True)
_NONE = _Uses(False, False, False)


@dataclass
class AllowApproximations(Pass):
    """Allow approximate functions where results are rounded to 16 bits.

    The flag `afn` is set on functions and divisions of 16-bit floats, and on those in f32 of which
    every result is a 16-bit float, and whose relative error does not grow until then: no difference
    cancels what is right of it,
    and nothing compares it. Exponentials may be summed, as they are positive. `erf` and `tanh` may
    be added to anything: their error near 1 is that of f32.

    Before:

    ```mlir
    func.func @f(%arg0: tensor<4xf32>, %arg1: tensor<4xbf16>) -> tensor<4xbf16> {
      %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], \
iterator_types = ["parallel"]} ins(%arg0 : tensor<4xf32>) outs(%arg1 : tensor<4xbf16>) {
      ^bb0(%in: f32, %out: bf16):
        %1 = math.exp %in : f32
        %2 = arith.truncf %1 : f32 to bf16
        linalg.yield %2 : bf16
      } -> tensor<4xbf16>
      return %0 : tensor<4xbf16>
    }
    ```

    After:

    ```mlir
    #map = affine_map<(d0) -> (d0)>
    func.func @f(%arg0: tensor<4xf32>, %arg1: tensor<4xbf16>) -> tensor<4xbf16> {
      %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} \
ins(%arg0 : tensor<4xf32>) outs(%arg1 : tensor<4xbf16>) {
      ^bb0(%in: f32, %out: bf16):
        %1 = math.exp %in fastmath<afn> : f32
        %2 = arith.truncf %1 : f32 to bf16
        linalg.yield %2 : bf16
      } -> tensor<4xbf16>
      return %0 : tensor<4xbf16>
    }
    ```
    """

    name: ClassVar[str] = "allow-approximations"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Set flags in a module, or in one function."""
        known: dict[ir.Value, _Uses] = {}
        allowed = ir.Attribute.parse("#arith.fastmath<afn>", op.context)
        # Users come after what they use, and the ops of a region after the op.
        for each in reversed(list(walk(op))):
            for region in each.regions:
                for block in region:
                    for argument in block.arguments:
                        known[argument] = _uses(argument, known)
            for result in each.results:
                _result(result, known)
            if _may_be_approximate(each, known):
                each.attributes["fastmath"] = allowed
                state.count(self.name, "operations")


def _may_be_approximate(op: ir.Operation, known: dict[ir.Value, _Uses]) -> bool:
    if op.name not in (_EXPONENTIAL, _DIVISION, *_FUNCTIONS):
        return False
    if str(op.result.type) in _HALVES:
        return True
    uses = known[op.result]
    if op.name == _EXPONENTIAL:
        return uses.if_positive
    return uses.relative if op.name == _DIVISION else uses.absolute


def _result(value: ir.Value, known: dict[ir.Value, _Uses]) -> _Uses:
    """What all uses of an op's result keep; those of a generic are asked for by its body, too."""
    if value not in known:
        known[value] = _uses(value, known)
    return known[value]


def _uses(value: ir.Value, known: dict[ir.Value, _Uses]) -> _Uses:
    """What all uses of a value keep."""
    element = value.type.element_type if isinstance(value.type, ir.RankedTensorType) else value.type
    if str(element) != "f32":
        return _NONE
    found = _ALL
    for use in value.uses:
        kept = _use(operation_of(use.owner), use.operand_number, known)
        found = _Uses(*(one and other for one, other in zip(found, kept, strict=True)))
        if found == _NONE:
            break
    return found


def _use(op: ir.Operation, place: int, known: dict[ir.Value, _Uses]) -> _Uses:
    """What one use of a value keeps."""
    if op.name == "arith.truncf" and str(op.result.type) in _HALVES:
        return _ALL
    if op.name == "linalg.yield":
        generic = op.parent.operation
        return _result(generic.results[place], known) if generic.name == GENERIC else _NONE
    if op.name == GENERIC:
        return known.get(op.regions[0].blocks[0].arguments[place], _NONE)
    if op.name in _VIEWS:
        return known.get(op.result, _NONE)
    if op.name not in _RELATIVE and op.name not in _SUMS and op.name != "math.fma":
        return _NONE
    after = known.get(op.result, _NONE)
    if op.name in _RELATIVE:
        # The sign of a product is unknown.
        keeps_sign = op.name in ("arith.maximumf", "arith.maxnumf")
        is_positive = after.if_positive if keeps_sign else after.relative
        return _Uses(is_positive, after.relative, after.absolute)
    other = op.operands[1 - place] if op.name == "arith.addf" else None
    is_positive = other is not None and _is_positive(other) and after.if_positive
    return _Uses(is_positive, False, after.absolute)


def _is_positive(value: ir.Value) -> bool:
    """Whether a summand is positive: an exponential, such a constant, or a sum of such summands."""
    op = defining_op(value)
    if op is None:
        return _is_sum_of_positives(value)
    if op.name == _EXPONENTIAL:
        return True
    if op.name != "arith.constant":
        return False
    attribute = op.attributes["value"]
    return isinstance(attribute, ir.FloatAttr) and bool(attribute.value >= 0)


def _is_sum_of_positives(argument: ir.Value) -> bool:
    """Whether a block argument is the sum of a reduction that begins with a positive number."""
    block = argument.owner
    generic = operation_of(block.owner)
    place = list(block.arguments).index(argument)
    if generic.name != GENERIC or place < num_inputs(generic):
        return False
    fill = defining_op(generic.operands[place])
    while fill is not None and fill.name in _VIEWS:
        fill = defining_op(fill.operands[0])
    *body, last = operations(block)
    return (
        fill is not None
        and fill.name == "linalg.fill"
        and _is_positive(fill.operands[0])
        and len(block.arguments) == num_inputs(generic) + 1
        and bool(body)
        and body[-1].name == "arith.addf"
        and last.operands[0] == body[-1].result
        and argument in list(body[-1].operands)
    )
